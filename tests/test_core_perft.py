"""Move counts: how many ways a deal can go on for one, two and three whole actions from seeded positions.

``data/perft/RULES.txt`` holds a position a line: the seed of the deal, how many whole actions ``steady_choice`` has
played in it, and the counts. To write the files anew, after a change of the rules that is meant to change them:
``python tests/test_core_perft.py``.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from core_support import steady_choice
from oracle import OracleDeal

from gouji_env import Deal, RuleSet, engine
from gouji_env.rules import PRESETS

FOLDER = Path(__file__).parent / "data" / "perft"
DEPTHS = (1, 2, 3)
PREFIXES = (0, 8, 20, 33, 45, 60, 75, 90, 105)
SEEDS = range(6)
HEADER = "# seed  actions played  moves to depth 1  2  3\n"


@engine.njit
def count_moves(row, depth):
    """Sequences of ``depth`` whole actions from here."""
    codes = np.empty(engine.MAX_SETS, np.int32)
    found = engine.legal_sets(row, codes)
    if depth == 1:
        return found
    total = 0
    after = np.empty(engine.ROW, np.int8)
    for j in range(found):
        after[:] = row
        engine.act_whole(after, codes[j])
        total += count_moves(after, depth - 1)
    return total


def position(name: str, seed: int, played: int) -> tuple[Deal, list[str]]:
    """The deal after so many actions, and these."""
    deal, streams = Deal.new(RuleSet.preset(name), seed), np.array([seed], np.uint64)
    actions = []
    while deal.turn is not None and len(actions) < played:
        actions.append(steady_choice(streams, deal.legal()))
        deal.act(actions[-1])
    return deal, actions


def lines(name: str) -> list[list[int]]:
    text = (FOLDER / f"{name}.txt").read_text()
    return [[int(number) for number in line.split()] for line in text.splitlines() if line[0] != "#"]


@pytest.mark.parametrize("name", PRESETS)
def test_move_counts(name: str) -> None:
    for seed, played, *counts in lines(name):
        row = position(name, seed, played)[0].row
        assert [seed, played, *(int(count_moves(row, depth)) for depth in DEPTHS)] == [seed, played, *counts]


@pytest.mark.parametrize("name", PRESETS)
def test_move_counts_of_the_oracle(name: str) -> None:
    """To depth 2, where there are few enough ways for so slow a referee."""
    checked = 0
    for seed, played, one, two, _ in lines(name):
        if one > 40:
            continue
        dealt = Deal.new(RuleSet.preset(name), seed).record()
        actions = position(name, seed, played)[1]
        legal = replayed(name, dealt, actions).legal()
        assert len(legal) == one
        assert sum(len(replayed(name, dealt, [*actions, action]).legal()) for action in legal) == two
        checked += 1
    assert checked > 5


def replayed(name: str, dealt: dict[str, Any], actions: list[str]) -> OracleDeal:
    oracle = OracleDeal.from_dealt(RuleSet.preset(name), dealt["hands"], dealt["leader"], dealt["first_drawer"])
    for action in actions:
        oracle.act(action)
    return oracle


def write() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PRESETS:
        rows = []
        for seed in SEEDS:
            for played in PREFIXES:
                deal, actions = position(name, seed, played)
                if len(actions) == played and deal.turn is not None:
                    counts = [int(count_moves(deal.row, depth)) for depth in DEPTHS]
                    rows.append(" ".join(str(number) for number in (seed, played, *counts)))
        (FOLDER / f"{name}.txt").write_text(HEADER + "\n".join(rows) + "\n")


if __name__ == "__main__":
    write()
