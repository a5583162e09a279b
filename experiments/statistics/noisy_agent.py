"""A player without chance becomes one with chance: now and then it plays any legal action."""

import numpy as np

from agents import BatchAgent, make
from agents.protocol import Index, Rows, StagedActions, Streams
from gouji_env.engine import njit, random_rows, random_unit


class NoisyAgent(BatchAgent):
    """Plays as the agent of ``spec`` does, but with probability ``share`` a uniform legal staged action."""

    def __init__(self, spec: str, share: float) -> None:
        super().__init__()
        agent = make(spec)
        assert isinstance(agent, BatchAgent)
        self.name = f"{spec}, {100 * share:g} % random"
        self._agent, self._share = agent, share

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        self._agent.act_batch(rows, index, streams, out)
        astray = drawn(streams, index, self._share)
        chosen = np.empty(len(astray), np.int16)
        random_rows(rows, index[astray], streams, chosen)
        out[astray] = chosen


@njit
def drawn(streams, index, share):
    """The places j, each with probability ``share``, by the stream of ``index[j]``: ``int64[some]``."""
    places = np.empty(len(index), np.int64)
    count = 0
    for j in range(len(index)):
        if random_unit(streams, index[j]) < share:
            places[count] = j
            count += 1
    return places[:count]


def agent_of(spec: str) -> BatchAgent:
    """As ``agents.make``; ``greedy~0.2`` is greedy with a fifth of its actions random."""
    name, _, share = spec.partition("~")
    if share:
        return NoisyAgent(name, float(share))
    agent = make(name)
    assert isinstance(agent, BatchAgent)
    return agent
