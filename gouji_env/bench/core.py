"""Rows about the core and the environments: no learning, one core."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from pettingzoo import AECEnv

from gouji_env import Deal, RuleSet, engine, env, raw_env
from gouji_env.bench.measure import Chunk, Row

PLAYOUTS = "random playouts, classic, legal sets enumerated"
OBSERVED_PLAYOUTS = "the same with the observation written"
RAW_ENV_LOOP = "raw_env loop with mask, random agent"
ENV_LOOP = "env loop with mask, random agent"

SEED = 1
CHOICES = 100_000
STEPS = 1_000
COPIES = 1_000


def rows() -> list[Row]:
    """The rows of this module with their targets."""
    return [
        Row(PLAYOUTS, "decisions/s", playouts, 5e6),
        Row(OBSERVED_PLAYOUTS, "decisions/s", observed_playouts, 2e6),
        Row(RAW_ENV_LOOP, "steps/s", lambda: agent_loop(raw_env()), 60e3),
        Row(ENV_LOOP, "steps/s", lambda: agent_loop(env()), 20e3),
        Row("copy of a state: the row", "us", row_copies, 2.0),
        Row("copy of a state: a Deal, its log included", "us", deal_copies),
    ]


@engine.njit
def play(row, streams, sets, choices):
    """Uniformly random whole actions on one row, deal after deal; returns the decisions made.

    As in other engines a seat that can only pass decides to: its pass is a decision, though no choice.
    """
    decisions = choices
    for _ in range(choices):
        count = engine.legal_sets(row, sets)
        engine.act_whole(row, sets[engine.random_int(streams, 0, count)])
        decisions += engine.forced_passes(row)
        if engine.is_over(row):
            engine.next_deal(row)
    return decisions


@engine.njit
def play_observed(row, streams, sets, observation, choices):
    """The same, and before each choice the deciding seat's observation is written."""
    decisions = choices
    for _ in range(choices):
        engine.observe(row, engine.turn(row), observation)
        count = engine.legal_sets(row, sets)
        engine.act_whole(row, sets[engine.random_int(streams, 0, count)])
        decisions += engine.forced_passes(row)
        if engine.is_over(row):
            engine.next_deal(row)
    return decisions


@contextmanager
def playouts() -> Iterator[Chunk]:
    """Chunks of random playouts."""
    row, streams, sets = _table()

    def chunk() -> int:
        return play(row, streams, sets, CHOICES)

    chunk()  # compiles
    yield chunk


@contextmanager
def observed_playouts() -> Iterator[Chunk]:
    """Chunks of random playouts with observations."""
    row, streams, sets = _table()
    observation = np.zeros(engine.OBSERVATION, np.int8)

    def chunk() -> int:
        return play_observed(row, streams, sets, observation, CHOICES)

    chunk()  # compiles
    yield chunk


def _table() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    seeds = np.array([SEED], np.uint64)
    return engine.new_rows(RuleSet.preset("classic"), seeds)[0], seeds, np.zeros(engine.MAX_SETS, np.int32)


@contextmanager
def agent_loop(environment: AECEnv) -> Iterator[Chunk]:
    """Chunks of the usual PettingZoo loop: ``last``, a random legal action, ``step``; any AEC environment with masks.

    The agent draws from the mask by the shortest way, since the environment is to be measured: ``space.sample(mask)``
    takes several times as long as that, and numpy's ``flatnonzero`` and ``integers`` nearly as long.
    """
    environment.reset(seed=SEED)
    generator = np.random.default_rng(SEED)

    def chunk() -> int:
        for _ in range(STEPS):
            if not environment.agents:
                environment.reset()
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                environment.step(int(legal[int(generator.random() * len(legal))]))
        return STEPS

    chunk()  # compiles
    yield chunk


@contextmanager
def row_copies() -> Iterator[Chunk]:
    """Chunks of copies of one row."""
    row, *_ = _table()

    def chunk() -> int:
        for _ in range(COPIES):
            row.copy()
        return COPIES

    yield chunk


@contextmanager
def deal_copies() -> Iterator[Chunk]:
    """Chunks of copies of a deal in the middle of play."""
    deal = Deal.new(RuleSet.preset("classic"), SEED)
    generator = np.random.default_rng(SEED)
    for _ in range(60):
        deal.act(generator.choice(deal.legal()))

    def chunk() -> int:
        for _ in range(COPIES):
            deal.copy()
        return COPIES

    yield chunk
