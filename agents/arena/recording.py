"""The records of deals in the arena: who sat where, and what deals in lock-step were played like."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from agents.arena.lineup import Lineup, seated, seated_agents
from agents.protocol import Index, StagedActions, Streams
from gouji_env.deal import Deal
from gouji_env.replay import record_of_staged
from gouji_env.rules import RuleSet

RecordSink: TypeAlias = Callable[[dict[str, Any]], None]


class LockstepLog:
    """The staged actions of deals that are played side by side, two rows a deal."""

    def __init__(self) -> None:
        self._index: list[Index] = [np.empty(0, np.int64)]
        self._actions: list[StagedActions] = [np.empty(0, np.int16)]

    def note(self, index: Index, actions: StagedActions) -> None:
        """``actions[j]`` is applied to row ``index[j]``; both are copied."""
        self._index.append(index.copy())
        self._actions.append(actions.copy())

    def tell(
        self, pair: tuple[Lineup, Lineup], rules: RuleSet, seeds: Streams, streams: Streams, sink: RecordSink
    ) -> None:
        """Hand on the record of every row that was played in; ``streams`` (``uint64[deals, 2, 2]``) as at the start."""
        index = np.concatenate(self._index)
        order = np.argsort(index, kind="stable")
        ends = np.searchsorted(index[order], np.arange(1, 2 * len(seeds)))
        for row, staged in enumerate(np.split(np.concatenate(self._actions)[order], ends)):
            if not len(staged):
                continue
            number, half = divmod(row, 2)
            record = record_of_staged(Deal.new(rules, int(seeds[number])), staged)
            a, b = streams[number, half].tolist()
            names = [agent.name for agent in seated_agents(pair, half)]
            sink(record | {"agents": names, "agent_seeds": seated((a, b), half)})
