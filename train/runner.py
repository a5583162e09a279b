"""Self-play in lock-step: RLlib's runner, with one forward pass a step for all deals that the policy decides in.

RLlib's own multi-agent runner keeps an episode object a deal and calls connectors for every decision, which makes it
eight to thirty times slower. This one plays N deals side by side over flat rows and returns whole columns.
"""

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
import ray
import torch
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.env import INPUT_ENV_SINGLE_SPACES, INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import (
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    NUM_EPISODES_LIFETIME,
    WEIGHTS_SEQ_NO,
)

from train.config import TrainConfig
from train.module import ACTION_SPACE, OBSERVATION_SPACE, policy_names, snapshot_names
from train.selfplay import SelfPlay

Array = npt.NDArray[Any]
Batch = dict[str, dict[str, Array]]

SNAPSHOTS_TAKEN = "snapshots_taken"
NUM_DECISIONS_LIFETIME = "num_decisions_lifetime"


class LockstepRunner(EnvRunner, Checkpointable):
    """Plays ``sampling.deals`` deals at a time and returns decisions of the learning policy, ready for the learner."""

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        self.run = TrainConfig.model_validate(self.config.env_config["run"])
        self.snapshots_taken = 0
        self.play: SelfPlay | None = None
        self._weights_seq_no = 0
        self.make_module()
        if self.worker_index:
            torch.set_num_threads(1)  # runners share the machine; only the learner's process has the threads

    def make_module(self) -> None:
        self.module = self.config.get_multi_rl_module_spec(spaces=self.get_spaces()).build()

    def get_spaces(self) -> dict[str, tuple[gym.Space, gym.Space]]:
        names = (INPUT_ENV_SPACES, INPUT_ENV_SINGLE_SPACES, *self.config.policies)
        return {name: (OBSERVATION_SPACE, ACTION_SPACE) for name in names}

    def assert_healthy(self) -> None:
        assert self.module is not None

    def sample(self, **kwargs: Any) -> Batch:
        """Play until this runner's share of ``sampling.rows`` is recorded.

        Returns, for each module of the learning policy, the columns of ``train.rollout`` with ``advantages`` and
        ``value_targets``. The deals begin with the first call: by then a restarted runner knows how far the run is,
        and does not deal the same deals again.
        """
        if self.play is None:
            seed = np.random.SeedSequence([self.run.seed, self.worker_index, self.num_env_steps_sampled_lifetime])
            self.play = SelfPlay(self.run, seed, self.snapshots_taken)
        ppo = self.run.ppo
        self.play.league.fill(self.snapshots_taken)
        parts = self.play.play(self._networks(), self.rows_to_sample, ppo.gae_lambda, ppo.reward_scale)
        self._log(self.play, sum(len(columns["seat"]) for columns in parts))
        return dict(zip(policy_names(self.run), parts, strict=True))

    def sample_and_metrics(self) -> tuple[Batch, Any]:
        """Both in one call to a remote runner."""
        return self.sample(), self.get_metrics()

    def get_metrics(self) -> Any:
        return self.metrics.reduce()

    @property
    def rows_to_sample(self) -> int:
        """This runner's share of an iteration's rows."""
        return -(-self.run.sampling.rows // max(1, self.run.sampling.runners))

    # --- state, in the form in which RLlib hands it round

    def get_state(self, components: Any = None, *, not_components: Any = None, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = {
            NUM_ENV_STEPS_SAMPLED_LIFETIME: self.num_env_steps_sampled_lifetime,
            SNAPSHOTS_TAKEN: self.snapshots_taken,
        }
        if self._check_component(COMPONENT_RL_MODULE, components, not_components):
            state[COMPONENT_RL_MODULE] = self.module.get_state(
                components=self._get_subcomponents(COMPONENT_RL_MODULE, components),
                not_components=self._get_subcomponents(COMPONENT_RL_MODULE, not_components),
            )
            state[WEIGHTS_SEQ_NO] = self._weights_seq_no
        return state

    def set_state(self, state: Any) -> None:
        if SNAPSHOTS_TAKEN in state:
            self.snapshots_taken = state[SNAPSHOTS_TAKEN]
        if NUM_ENV_STEPS_SAMPLED_LIFETIME in state:
            self.num_env_steps_sampled_lifetime = state[NUM_ENV_STEPS_SAMPLED_LIFETIME]
        if COMPONENT_RL_MODULE in state:
            number = state.get(WEIGHTS_SEQ_NO, 0)
            # RLlib's runner asks for a newer number; a snapshot changes weights without raising it.
            if number == 0 or number >= self._weights_seq_no:
                weights = state[COMPONENT_RL_MODULE]
                self.module.set_state(ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights)
                self._weights_seq_no = number or self._weights_seq_no

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        return [(COMPONENT_RL_MODULE, self.module)]

    # --- inside

    def _networks(self) -> list[list[Any]]:
        """The modules of the learning policy and of each slot."""
        slots = (snapshot_names(self.run, slot) for slot in range(self.run.league.slots))
        return [[self.module[name] for name in names] for names in (policy_names(self.run), *slots)]

    def _log(self, play: SelfPlay, rows: int) -> None:
        self.num_env_steps_sampled_lifetime += rows
        league = play.league
        deals = int(league.deals.sum())
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED, rows, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, rows, reduce="lifetime_sum")
        self.metrics.log_value(NUM_EPISODES_LIFETIME, deals, reduce="lifetime_sum")
        self.metrics.log_value(NUM_DECISIONS_LIFETIME, play.decisions, reduce="lifetime_sum")
        for name, count, points in zip(league.names, league.deals, league.points, strict=True):
            if name != "self" and count:
                self.metrics.log_value(("league", name), points / count, window=20)
        play.decisions = 0
        league.clear()
