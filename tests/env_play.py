"""Playing the environment in tests: random players, deals and positions, what has been shown."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.cards import SEATS
from gouji_env.deal import Deal
from gouji_env.env import raw_env
from gouji_env.rules import RuleSet

Choice = Callable[[npt.NDArray[np.int8]], int]  # from a mask to a legal action

RULES = ("classic", "yang2004", "qingdao")
AGENTS = [f"seat_{seat}" for seat in range(SEATS)]
PIECES = {p.name: slice(p.start, p.start + p.length) for p in engine.observation_layout()}


class Uniform:
    """A random player with its own generator."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def __call__(self, mask: npt.NDArray[np.int8]) -> int:
        return int(self._generator.choice(np.flatnonzero(mask)))


def decisions(table: Any, choose: Choice) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Play what is left of a deal: (agent, its observation, its action), each before the action is taken."""
    while not any(table.terminations.values()):
        agent = table.agent_selection
        seen = table.observe(agent)
        action = choose(seen["action_mask"])
        yield agent, seen, action
        table.step(action)


def play(table: Any, choose: Choice, steps: int | None = None) -> list[tuple[str, int]]:
    """Play up to ``steps`` decisions, or to the end of the deal."""
    taken = []
    for number, (agent, _, action) in enumerate(decisions(table, choose)):
        if number == steps:
            break
        taken.append((agent, action))
    return taken


def dealt(rules: str = "classic", seed: int = 0) -> raw_env:
    table = raw_env(rules)
    table.reset(seed=seed)
    return table


def at_position(hands: list[str], leader: int, rules: str = "classic") -> raw_env:
    table = dealt(rules)
    table._row[:] = Deal.from_hands(RuleSet.preset(rules), hands, leader).row
    table._turn = int(engine.turn(table._row))
    table.agent_selection = AGENTS[table._turn]
    return table
