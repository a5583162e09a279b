"""Agents for the arena's tests."""

import numpy as np

from agents import Agent, BatchAgent, make
from agents.protocol import Index, Rows, StagedActions, Streams
from gouji_env import RuleSet
from gouji_env.engine import ACTIONS, hand, legal, turn
from gouji_env.view import SeatView

BIG_JOKER = 14


def batched(name: str) -> BatchAgent:
    agent = make(name)
    assert isinstance(agent, BatchAgent)
    return agent


class Highest(BatchAgent):
    """The last staged action: wasteful, and with no chance in it."""

    name = "highest"

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        ids = np.empty(ACTIONS, np.int16)
        for j, i in enumerate(index):
            out[j] = ids[legal(rows[i], ids) - 1]


class OneAtATime(Agent):
    """A batch agent that may only look through SeatView."""

    def __init__(self, agent: BatchAgent) -> None:
        self.agent = agent
        self.name = agent.name

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        self.agent.reset(seat, rules, seed)

    def act(self, view: SeatView) -> str:
        return self.agent.act(view)


class Sitter(BatchAgent):
    """Greedy, noting each seat at which it decides, with the half: rows of half 1 are odd in lock-step."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.seats: set[int] = set()
        self.greedy = batched("greedy")

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        self.seats |= {int(turn(rows[i])) for i in index}
        self.greedy.act_batch(rows, index, streams, out)


class Spoilt(BatchAgent):
    """Greedy, but holding many big jokers is too much for it: it raises, or chooses what is not legal."""

    def __init__(self, wrong: Exception | int, most: int = 1) -> None:
        super().__init__()
        self.name = "spoilt"
        self.wrong, self.most = wrong, most
        self.greedy = batched("greedy")

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        self.greedy.act_batch(rows, index, streams, out)
        for j, i in enumerate(index):
            if hand(rows[i], turn(rows[i]), BIG_JOKER) > self.most:
                if isinstance(self.wrong, Exception):
                    raise self.wrong
                out[j] = self.wrong
