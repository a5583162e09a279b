"""Whom the learning policy meets: itself, frozen snapshots or agents, drawn anew for every deal."""

from typing import Any

import numpy as np
import numpy.typing as npt

from train.config import LeagueConfig

MAIN = 0  # the learning policy; then come the snapshot slots, then the agents


class League:
    """Draws who plays each side of each deal.

    Players are numbers: 0 the learning policy, 1..slots the snapshots, then the agents in the config's order.
    ``players`` int64[deals, 2] says who plays side 0 and side 1. ``deals`` and ``points`` int64[len(names)] count
    the deals that ended since ``clear`` by the learning policy's opponent, and the points it made in them.
    """

    def __init__(self, deals: int, config: LeagueConfig, seed: Any) -> None:
        self.names = ("self", *(f"snapshot_{slot}" for slot in range(config.slots)), *config.agents)
        self.players = np.zeros((deals, 2), np.int64)
        self._config = config
        self._random = np.random.default_rng(seed)
        self.fill(0)
        self.clear()

    def clear(self) -> None:
        """Count results anew."""
        self.deals = np.zeros(len(self.names), np.int64)
        self.points = np.zeros(len(self.names), np.int64)

    def fill(self, snapshots_taken: int) -> None:
        """Say how many snapshots have been taken so far; the last ``slots`` of them can be met."""
        config = self._config
        ready = min(snapshots_taken, config.slots)
        snapshots = [config.snapshots / ready if slot < ready else 0.0 for slot in range(config.slots)]
        weights = np.array([config.self_, *snapshots, *config.agents.values()])
        self._bounds = np.cumsum(weights / weights.sum())[:-1]

    def draw(self, index: npt.NDArray[np.int64]) -> None:
        """Draw the players of the deals ``index`` that begin; an opponent sits on a random side."""
        who, where = self._random.random((2, len(index)))
        self.players[index] = MAIN
        self.players[index, (where < 0.5).astype(np.int64)] = np.searchsorted(self._bounds, who, side="right")

    def count(self, index: npt.NDArray[np.int64], points: npt.NDArray[np.int64]) -> None:
        """Count the results ``points`` (of side 0) of the deals ``index`` that have just ended."""
        players = self.players[index]
        opponents = players.max(1)
        won = np.where(players[:, 0] == MAIN, points, -points)
        self.deals += np.bincount(opponents, minlength=len(self.names))
        self.points += np.bincount(opponents, won, len(self.names)).astype(np.int64)
