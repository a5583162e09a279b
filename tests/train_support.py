"""Small training runs, and one Ray for all tests that need it."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from agents.inputs import changing_pieces
from agents.network import CriticNetwork, PolicyNetwork
from agents.ray_session import ray_session
from train.config import TrainConfig
from train.selfplay import SelfPlay

TINY = {
    "budget": {"iterations": 2},
    "threads": 1,
    "network": {"policy": [32, 32], "critic": [32], "bf16": False},
    "sampling": {"deals": 16, "rows": 512},
    "ppo": {"minibatch": 128},
    "league": {"self": 1.0, "snapshots": 0.0, "snapshot_every": 2, "slots": 2},
    "evaluation": {"opponents": ["random"], "deals": 2, "every_iterations": 1000},
}


def tiny(**sections) -> TrainConfig:
    """A run of seconds; keyword arguments change fields of its sections."""
    content = {name: dict(value) if isinstance(value, dict) else value for name, value in TINY.items()}
    for name, value in sections.items():
        content[name] = {**content.get(name, {}), **value} if isinstance(value, dict) else value
    return TrainConfig.model_validate(content)


def networks(run: TrainConfig, seed: int = 0, bf16: bool = False) -> SimpleNamespace:
    """A policy with opinions and a critic, as ``SelfPlay`` takes them."""
    torch.manual_seed(seed)
    pieces = changing_pieces(run.rule_set())
    policy = PolicyNetwork(run.network.policy, bf16, pieces)
    torch.nn.init.normal_(policy.head.weight, 0, 0.3)
    return SimpleNamespace(policy=policy, critic=CriticNetwork(run.network.critic, bf16, pieces))


def self_play(run: TrainConfig, seed: int = 0, snapshots_taken: int = 0) -> SelfPlay:
    return SelfPlay(run, np.random.SeedSequence(seed), snapshots_taken)


def play(game: SelfPlay, run: TrainConfig, *players) -> list[dict[str, np.ndarray]]:
    """One batch; ``players``: lists of networks, the learning policy's first."""
    return game.play(players, run.sampling.rows, run.ppo.gae_lambda, run.ppo.reward_scale)


@pytest.fixture(scope="session")
def ray():
    with ray_session(None, 2):
        yield
