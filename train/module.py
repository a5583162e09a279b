"""The team policy and its critic as an RLlib module."""

from typing import Any

import gymnasium as gym
import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from torch import Tensor

from agents.inputs import changing_pieces
from agents.network import FORBIDDEN, CriticNetwork, PolicyNetwork, bf16_is_fast
from gouji_env.engine import ACTIONS, OBSERVATION
from train.config import TrainConfig

OBSERVATION_SPACE = gym.spaces.Box(-128, 127, (OBSERVATION,), np.int8)
ACTION_SPACE = gym.spaces.Discrete(ACTIONS)

LOGP, ENTROPY, VALUES = "logp", "entropy", "values"  # what forward_train returns


class TeamModule(TorchRLModule, ValueFunctionAPI):
    """One network for the seats of a side that share it, with a critic that sees all hands.

    Batches carry ``obs`` int8[B, OBSERVATION], ``hidden_hands`` int8[B, HIDDEN], ``mask`` uint8[B, PACKED] and,
    for training, ``actions`` int16[B].
    """

    def setup(self) -> None:
        sizes = self.model_config
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(sizes["seed"])
            self.policy = PolicyNetwork(sizes["policy"], sizes["bf16"], sizes["pieces"])
            self.critic = CriticNetwork(sizes["critic"], sizes["bf16"], sizes["pieces"])

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        scores = self.policy(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: scores.masked_fill(~unpack(batch["mask"]), FORBIDDEN)}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        logp, entropy = self.policy.evaluate(batch[Columns.OBS], batch["mask"], batch[Columns.ACTIONS])
        return {LOGP: logp, ENTROPY: entropy, VALUES: self.compute_values(batch)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """The critic's values, float32[B], in scaled points."""
        return self.critic(batch[Columns.OBS], batch["hidden_hands"])


def unpack(mask: Tensor) -> Tensor:
    """Packed masks uint8[B, PACKED] as bool[B, ACTIONS]."""
    return (mask.unsqueeze(-1) >> torch.arange(8, dtype=torch.uint8) & 1).bool().flatten(1)


def policy_names(config: TrainConfig) -> tuple[str, ...]:
    """The modules of the learning policy: one, or one for each seat of a side."""
    return tuple(f"main_{position}" for position in range(3)) if config.network.per_seat else ("main",)


def snapshot_names(config: TrainConfig, slot: int) -> tuple[str, ...]:
    """The modules of a frozen slot, in the order of ``policy_names``."""
    return tuple(name.replace("main", f"snapshot_{slot}") for name in policy_names(config))


def all_names(config: TrainConfig) -> list[str]:
    """All modules: the learning ones, then the frozen slots, which exist from the start."""
    slots = (snapshot_names(config, slot) for slot in range(config.league.slots))
    return [*policy_names(config), *(name for names in slots for name in names)]


def module_spec(config: TrainConfig) -> MultiRLModuleSpec:
    """All modules of a run. Frozen slots are declared at once, so that restarts and restores need nothing special."""
    network = config.network
    bf16 = bf16_is_fast() if network.bf16 == "auto" else network.bf16
    sizes = {
        "policy": list(network.policy),
        "critic": list(network.critic),
        "bf16": bf16,
        "pieces": changing_pieces(config.rule_set()),
    }
    specs = {
        name: RLModuleSpec(
            module_class=TeamModule,
            observation_space=OBSERVATION_SPACE,
            action_space=ACTION_SPACE,
            model_config={**sizes, "seed": config.seed + position},
        )
        for position, name in enumerate(all_names(config))
    }
    return MultiRLModuleSpec(rl_module_specs=specs)
