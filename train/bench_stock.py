"""RLlib's stock sampler as a peer of ours in ``gouji bench --vs-peers``: the same game, the same policy network.

It plays through ``GoujiMultiAgentEnv`` with as many copies of the environment as it is fastest with; values and
advantages, which our row includes, would come on top.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from torch import nn

from agents.network import FORBIDDEN
from gouji_env.bench import Chunk
from gouji_env.engine import ACTIONS, OBSERVATION
from train.multi_agent_env import GoujiMultiAgentEnv

ENVIRONMENTS = 32
STEPS = 1024
WIDTH = 512


class MaskedPolicy(TorchRLModule):
    """Two hidden layers and the action mask, as anybody would write it for the stock environment."""

    def setup(self) -> None:
        self.layers = nn.Sequential(
            nn.Linear(OBSERVATION, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, ACTIONS)
        )

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        scores = self.layers(seen["observation"])
        return {Columns.ACTION_DIST_INPUTS: scores.masked_fill(seen["action_mask"] == 0, FORBIDDEN)}


@contextmanager
def sampling(seed: int) -> Iterator[Chunk]:
    """Chunks of sampling by RLlib's ``MultiAgentEnvRunner``; an environment step is a decision."""
    game = GoujiMultiAgentEnv()
    spec = RLModuleSpec(
        module_class=MaskedPolicy,
        observation_space=game.observation_spaces["seat_0"],
        action_space=game.action_spaces["seat_0"],
    )
    config = (
        PPOConfig()
        .environment(GoujiMultiAgentEnv, env_config={"seed": seed}, disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=ENVIRONMENTS, rollout_fragment_length=STEPS)
        .multi_agent(policies={"main"}, policy_mapping_fn=lambda agent, episode, **kwargs: "main")
        .rl_module(rl_module_spec=spec)
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        runner = MultiAgentEnvRunner(config=config, worker_index=0)
        yield lambda: sum(episode.env_steps() for episode in runner.sample(num_timesteps=STEPS))
        runner.stop()
