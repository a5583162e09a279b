"""Seeds, copies, processes and secrets of the PettingZoo environment."""

import copy
import os
import pickle
import random
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from env_play import AGENTS, RULES, Uniform, dealt, decisions, play

from gouji_env import engine
from gouji_env.cards import KIND_COUNT, SEATS
from gouji_env.deal import Deal
from gouji_env.engine import layout
from gouji_env.env import env, raw_env

# --- seeds, copies, processes


def test_a_seed_is_the_deal_of_that_seed() -> None:
    for seed in (0, 7, (1 << 64) - 1, np.int64(12)):
        table = raw_env()
        table.reset(seed=seed, options={"evaluation": True})
        assert np.array_equal(table._row, Deal.new(table.rules, int(seed)).row)


def test_without_a_seed_every_deal_is_another() -> None:
    deals = set()
    for _ in range(3):
        table = raw_env()
        for _ in range(3):
            table.reset()
            deals.add(table._row.tobytes())
    assert len(deals) == 9


def test_deals_after_a_seeded_one_follow_from_it() -> None:
    first, second = dealt(seed=9), dealt(seed=9)
    play(first, Uniform(0))
    for table in (first, second):
        table.reset()
        table.reset()
    assert np.array_equal(first._row, second._row)


def test_global_random_state_is_left_alone() -> None:
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    table = env()
    table.reset()
    play(table, Uniform(1))
    table.reset(seed=3)
    play(table, Uniform(1))
    after = random.getstate(), np.random.get_state()  # noqa: NPY002
    assert before[0] == after[0]
    assert all(np.array_equal(one, other) for one, other in zip(before[1], after[1], strict=True))


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_copies_go_on_as_the_original_does(make: Any, copied: Any) -> None:
    table = make()
    table.reset(seed=6)
    table.action_space("seat_1").seed(1)
    play(table, Uniform(6), 2)
    composing = 0
    player = Uniform(7)
    for _ in range(25):
        other = copied(table)
        assert play(other, Uniform(8)) == play(copied(table), Uniform(8))
        assert other.rewards and any(other.terminations.values()) and not any(table.terminations.values())
        assert copied(table).action_space("seat_1").sample() == copied(table).action_space("seat_1").sample()
        composing += bool(engine.composing(table.unwrapped._row))
        play(table, player, 1)
    assert composing
    over = copied(other)
    over.step(None)
    assert len(over.agents) == 5 and len(other.agents) == 6
    fresh = copied(make())
    fresh.reset(seed=6)
    assert np.array_equal(fresh.unwrapped._row, dealt(seed=6)._row)


TRAJECTORY = """
import hashlib
import numpy as np
from gouji_env.env import env
digest = hashlib.sha256()
generator = np.random.default_rng(0)
table = env()
table.reset(seed=11)
for _ in range(2):
    for agent in table.agent_iter():
        seen, reward, terminated, *_ = table.last()
        digest.update(agent.encode() + seen["observation"].tobytes() + seen["action_mask"].tobytes())
        digest.update(str(reward).encode() + table.state().tobytes())
        table.step(None if terminated else generator.choice(np.flatnonzero(seen["action_mask"])))
    table.reset()
result = digest.hexdigest()
"""


def test_every_process_plays_the_same() -> None:
    here: dict[str, str] = {}
    exec(TRAJECTORY, here)
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", TRAJECTORY + "import sys; sys.stdout.write(result)"],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == here["result"]


# --- secrets


@pytest.mark.parametrize("rules", RULES)
def test_nothing_hidden_is_in_an_observation(rules: str) -> None:
    """Deal the hidden cards out anew among the others, and turn over their secrets: the observation stays."""
    generator = np.random.default_rng(1)
    differed = 0
    for seed in range(4):
        table = dealt(rules, seed)
        for actor, _, _ in decisions(table, Uniform(seed)):
            other = copy.deepcopy(table)
            for seat, agent in enumerate(AGENTS):
                other._row[:] = table._row
                redeal(other._row, seat, generator)
                if agent != actor:
                    disguise(other._row, seat, generator)
                    other._turn = int(engine.turn(other._row))
                seen, again = table.observe(agent), other.observe(agent)
                assert np.array_equal(seen["observation"], again["observation"])
                assert np.array_equal(seen["action_mask"], again["action_mask"])
                differed += not np.array_equal(table.state(), other.state())
    assert differed > 1000


def redeal(row: npt.NDArray[np.int8], seat: int, generator: np.random.Generator) -> None:
    """Shuffle all cards that the five others hold; everybody keeps as many as before."""
    hands = row[layout.HAND : layout.HAND + SEATS * KIND_COUNT].reshape(SEATS, KIND_COUNT)
    others = [other for other in range(SEATS) if other != seat]
    cards = generator.permutation(np.repeat(np.arange(KIND_COUNT), hands[others].sum(axis=0)))
    for other in others:
        mine, cards = np.split(cards, [hands[other].sum()])
        hands[other] = np.bincount(mine, minlength=KIND_COUNT)


def disguise(row: npt.NDArray[np.int8], seat: int, generator: np.random.Generator) -> None:
    """Another seat decides, others have other duties and natural points, the deal comes from another seed."""
    others = [other for other in range(SEATS) if other != seat]
    row[layout.TURN] = generator.choice(others)
    row[layout.COMPOSING], row[layout.SELECTED_BASE], row[layout.SELECTED_SIZE] = 1, 3, 2
    bits = int(generator.integers(1 << SEATS)) & ~(1 << seat)
    for secret in (layout.DUTY, layout.NATURAL):
        row[secret] = row[secret] & 1 << seat | bits
    row[layout.SEED : layout.SEED + 8] = 1


def test_the_state_tells_hands_and_whose_decision_it_is() -> None:
    table = dealt(seed=8)
    private = 15 + 1 + 1 + 1 + 15 + 1 + 4
    for actor, _, _ in decisions(table, Uniform(8)):
        state = table.state()
        assert np.array_equal(state[: engine.OBSERVATION], table.observe("seat_0")["observation"])
        others = state[engine.OBSERVATION :].reshape(SEATS - 1, private)
        for seat in range(1, SEATS):
            hand = [engine.hand(table._row, seat, kind) for kind in range(KIND_COUNT)]
            assert np.array_equal(others[seat - 1, :15] * 4, hand)
            assert others[seat - 1, 17] == (AGENTS[seat] == actor)
