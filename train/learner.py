"""The PPO loss over legal actions, on batches that come ready with advantages and value targets."""

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.torch.torch_learner import TorchLearner
from torch import Tensor

from train.config import TrainConfig
from train.module import ENTROPY, LOGP, VALUES

PROGRESS = "progress"  # key in ``timesteps``: the share of the budget that is used up


class TeamLearner(TorchLearner):
    """Masked PPO. No learner connector is ever called, and frozen slots have no optimizer."""

    def build(self) -> None:
        self._run = TrainConfig.model_validate(self.config.env_config["run"])
        super().build()

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        if not self.should_module_be_updated(module_id):
            return
        parameters = self.get_parameters(self.module[module_id])
        optimizer = torch.optim.Adam(parameters, lr=self._run.ppo.lr.start, fused=True)
        self.register_optimizer(module_id=module_id, optimizer=optimizer, params=parameters)

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Move learning rate and entropy weight to where they are due."""
        progress = timesteps[PROGRESS]
        self._entropy_weight = self._run.ppo.entropy.at(progress)
        for optimizer in self._named_optimizers.values():
            self._set_optimizer_lr(optimizer, self._run.ppo.lr.at(progress))

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> Tensor:
        """Clipped surrogate, squared error of the critic, entropy bonus."""
        ppo = self._run.ppo
        log_ratio = fwd_out[LOGP] - batch[Columns.ACTION_LOGP]
        ratio = log_ratio.exp()
        advantage = batch[Columns.ADVANTAGES]
        clipped = ratio.clamp(1 - ppo.clip, 1 + ppo.clip)
        policy_loss = -torch.min(advantage * ratio, advantage * clipped).mean()
        error = fwd_out[VALUES] - batch[Columns.VALUE_TARGETS]
        value_loss, entropy = error.square().mean(), fwd_out[ENTROPY].mean()
        loss = policy_loss + ppo.value_weight * value_loss - self._entropy_weight * entropy
        if not loss.isfinite():
            raise FloatingPointError(f"the loss of {module_id} is {loss.item()}: go on with a lower ppo.lr")
        with torch.no_grad():
            self.metrics.log_dict(
                {
                    "policy_loss": policy_loss.item(),
                    "value_loss": value_loss.item(),
                    "entropy": entropy.item(),
                    "kl": (ratio - 1 - log_ratio).mean().item(),
                    "clip_fraction": ((ratio - 1).abs() > ppo.clip).float().mean().item(),
                    "explained_variance": _explained_variance(error, batch[Columns.VALUE_TARGETS]),
                },
                key=module_id,
                reduce="mean",
            )
        return loss


def _explained_variance(error: Tensor, target: Tensor) -> float:
    return float(1 - error.var() / target.var().clamp(min=1e-6))
