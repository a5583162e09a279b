"""The same kind of work in other libraries' card games, for comparison on the same machine in the same run.

The games differ, so the ratios say how fast this project is to work with, not which program is better.
"""

import os
import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from gouji_env.bench import core
from gouji_env.bench.measure import Chunk, Row, Skipped

DEALS = 3
MISSING = "{package} is not installed: pip install 'gouji-env[bench]'"


@dataclass(frozen=True)
class Peer:
    """A peer's row and the name of our own row that it is set against.

    ``least``: how many times faster ours is to be, whatever the machine: our target over the peer's figure on the
    machine that the targets were set on.
    """

    row: Row
    ours: str
    least: float | None = None


def peers() -> list[Peer]:
    """All peers that we know how to run, installed or not."""

    def dou_dizhu() -> AbstractContextManager[Chunk]:
        return open_spiel(observed=False)

    def observed_dou_dizhu() -> AbstractContextManager[Chunk]:
        return open_spiel(observed=True)

    def raw_env() -> AbstractContextManager[Chunk]:
        return connect_four("raw_env")

    def env() -> AbstractContextManager[Chunk]:
        return connect_four("env")

    return [
        Peer(Row("OpenSpiel dou_dizhu, random", "decisions/s", dou_dizhu), core.PLAYOUTS, least=5 / 0.55),
        Peer(
            Row("OpenSpiel dou_dizhu, observation tensor", "decisions/s", observed_dou_dizhu),
            core.OBSERVED_PLAYOUTS,
            least=2 / 0.14,
        ),
        Peer(Row("RLCard doudizhu, random", "decisions/s", rlcard), core.OBSERVED_PLAYOUTS),
        Peer(Row("PettingZoo connect_four raw_env", "steps/s", raw_env), core.RAW_ENV_LOOP, least=60 / 17),
        Peer(Row("PettingZoo connect_four env", "steps/s", env), core.ENV_LOOP, least=20 / 11),
    ]


@contextmanager
def open_spiel(observed: bool) -> Iterator[Chunk]:
    """Whole random deals of OpenSpiel's Dou Dizhu, driven from Python."""
    game = _module("pyspiel", "open-spiel").load_game("dou_dizhu")
    generator = random.Random(core.SEED)

    def chunk() -> int:
        return sum(_open_spiel_deal(game.new_initial_state(), generator, observed) for _ in range(DEALS))

    chunk()
    yield chunk


def _open_spiel_deal(state: Any, generator: random.Random, observed: bool) -> int:
    decisions = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            decisions += 1
            if observed:
                np.array(state.observation_tensor(state.current_player()), np.float32)
        state.apply_action(generator.choice(state.legal_actions()))  # a dealt card is uniform too
    return decisions


@contextmanager
def rlcard() -> Iterator[Chunk]:
    """Whole random deals of RLCard's Dou Dizhu through its own ``env.run``."""
    library = _module("rlcard", "rlcard")
    environment = library.make("doudizhu", config={"seed": core.SEED})
    agent = _module("rlcard.agents", "rlcard").RandomAgent(num_actions=environment.num_actions)
    environment.set_agents([agent] * environment.num_players)

    def chunk() -> int:
        trajectories, _ = environment.run(is_training=False)
        return sum(len(trajectory) // 2 for trajectory in trajectories)  # state, action, ..., state

    chunk()
    yield chunk


def connect_four(maker: str) -> AbstractContextManager[Chunk]:
    """PettingZoo's own Connect Four in the loop that our environments are measured in."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    return core.agent_loop(getattr(_module("pettingzoo.classic.connect_four_v3", "pygame"), maker)())


def _module(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise Skipped(MISSING.format(package=package)) from None
