"""Stable-Baselines3 on Seat-v0: its checker, MaskablePPO by the README's example, and its model in the arena."""

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import agents
from agents.arena import duel
from gouji_env import RuleSet, SeatEnv, engine

sb3_contrib = pytest.importorskip("sb3_contrib", reason="pip install 'gouji-env[sb3]'")

from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402

CLASSIC = RuleSet.preset("classic")
SMALL = {"n_steps": 64, "batch_size": 64, "n_epochs": 1, "gamma": 1.0, "seed": 1, "policy_kwargs": {"net_arch": [16]}}


@pytest.mark.parametrize("options", [{}, {"learner": "side", "rules": "kaidian"}, {"seat": "random", "deals": 2}])
def test_its_checker_passes_without_a_warning(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            check_env(gymnasium.make("gouji_env/Seat-v0", **options))


class Watched(SeatEnv):
    """Keeps how many of the actions taken were legal by the mask of before."""

    legal: list[bool] = []  # noqa: RUF012

    def step(self, action: int) -> Any:
        self.legal.append(bool(self.action_masks()[action]))
        return super().step(action)


def test_maskable_ppo_trains_and_plays_in_the_arena(tmp_path: Path) -> None:
    environments = make_vec_env(
        Watched, n_envs=4, seed=1, env_kwargs={"learner": "side", "opponents": agents.make("greedy")}
    )
    model = sb3_contrib.MaskablePPO("MlpPolicy", environments, device="cpu", **SMALL)
    before = [weights.detach().clone() for weights in model.policy.parameters()]
    model.learn(256)
    assert model.num_timesteps == len(Watched.legal) == 256 and all(Watched.legal)
    assert any((old != new).any() for old, new in zip(before, model.policy.parameters(), strict=True))
    assert len(model.ep_info_buffer) and all(-12 <= episode["r"] <= 12 for episode in model.ep_info_buffer)

    file = tmp_path / "model.zip"
    model.save(file)
    player = agents.make(f"function:experiments.sb3.agent:load:{file}")
    first, again = (duel(player, agents.make("random"), CLASSIC, deals=5, seed=2) for _ in range(2))
    assert first.a == f"sb3:{file}" and np.array_equal(first.halves, again.halves)


def test_the_agent_plays_what_the_model_predicts(tmp_path: Path) -> None:
    environment = gymnasium.make("gouji_env/Seat-v0")
    model = sb3_contrib.MaskablePPO("MlpPolicy", environment, device="cpu", **SMALL)
    model.save(tmp_path / "model.zip")
    player = agents.make(f"function:experiments.sb3.agent:load:{tmp_path / 'model.zip'}")
    observation, info = environment.reset(seed=3)
    out, streams = np.zeros(1, np.int16), np.zeros(1, np.uint64)
    over = False
    while not over:
        action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
        player.act_batch(environment.unwrapped._others.row[np.newaxis], np.zeros(1, np.int64), streams, out)
        assert out[0] == action and engine.is_legal(environment.unwrapped._others.row, out[0])
        observation, _, over, _, info = environment.step(action)
