"""The records of a duel's deals: who sat where, and what deals in lock-step were played like."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from agents.protocol import Index, StagedActions, Streams
from gouji_env.cards import SEATS
from gouji_env.deal import Deal
from gouji_env.replay import record_of_staged
from gouji_env.rules import RuleSet

RecordSink: TypeAlias = Callable[[dict[str, Any]], None]


def seated(pair: tuple[Any, Any], half: int) -> list[Any]:
    """What belongs to agents a and b, by seat: a has side 0 in half 0 and side 1 in half 1."""
    return [pair[(seat + half) % 2] for seat in range(SEATS)]


class LockstepLog:
    """The staged actions of deals that are played side by side, two rows a deal."""

    def __init__(self) -> None:
        self._index: list[Index] = []
        self._actions: list[StagedActions] = []

    def note(self, index: Index, actions: StagedActions) -> None:
        """``actions[j]`` is applied to row ``index[j]``; both are copied."""
        self._index.append(index.copy())
        self._actions.append(actions.copy())

    def tell(self, names: tuple[str, str], rules: RuleSet, seeds: Streams, streams: Streams, sink: RecordSink) -> None:
        """Hand on the record of every row; ``streams`` (``uint64[deals, 2, 2]``) as they were at the start."""
        index = np.concatenate(self._index)
        order = np.argsort(index, kind="stable")
        ends = np.searchsorted(index[order], np.arange(1, 2 * len(seeds)))
        for row, staged in enumerate(np.split(np.concatenate(self._actions)[order], ends)):
            number, half = divmod(row, 2)
            record = record_of_staged(Deal.new(rules, int(seeds[number])), staged)
            a, b = streams[number, half].tolist()
            sink(record | {"agents": seated(names, half), "agent_seeds": seated((a, b), half)})
