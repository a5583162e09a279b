"""PPO on whole columns: sample in lock-step, update, hand the weights round, freeze a snapshot now and then."""

import logging
import time
from pathlib import Path
from typing import Any

import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_RL_MODULE
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch
from ray.rllib.utils.metrics import (
    ENV_RUNNER_RESULTS,
    LEARNER_RESULTS,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    NUM_EPISODES_LIFETIME,
    WEIGHTS_SEQ_NO,
)

from train.config import TrainConfig
from train.learner import PROGRESS, TeamLearner
from train.module import ACTION_SPACE, OBSERVATION_SPACE, all_names, module_spec, policy_names, snapshot_names
from train.runner import NUM_DECISIONS_LIFETIME, SNAPSHOTS_TAKEN, Batch, LockstepRunner

SAMPLE_TIMEOUT = 300.0  # seconds that all runners together may take for one iteration's rows
IDLE_LIMIT = 300.0  # seconds without any rows after which training gives up
LEARNER_COLUMNS = ("obs", "hidden_hands", "mask", "actions", "action_logp", "advantages", "value_targets")

_WEIGHTS = f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}"


class TeamPPO(PPO):
    """PPO whose opponents live in a ring of frozen modules that exist from the start.

    ``progress`` (0..1), the share of the budget that is used up, moves the schedules; the training loop sets it.
    ``snapshots_taken`` counts the snapshots frozen so far; the ring holds the last of them.
    """

    progress = 0.0
    snapshots_taken = 0

    def setup(self, config: Any) -> None:
        super().setup(config)
        self.run_config = TrainConfig.model_validate(self.config.env_config["run"])
        self._idle_since: float | None = None
        self.sync_runners()  # with the broadcast flags off (see build_config) RLlib does not do it

    def training_step(self) -> None:
        results = self._sample()
        if not results:
            self._wait_for_runners()
            return
        self._idle_since = None
        self.metrics.aggregate([metrics for _, metrics in results], key=ENV_RUNNER_RESULTS)
        batch, minibatch = self._learner_batch([columns for columns, _ in results])
        learned = self.learner_group.update(
            batch=batch,
            timesteps={NUM_ENV_STEPS_SAMPLED_LIFETIME: self.rows_sampled, PROGRESS: self.progress},
            num_epochs=self.run_config.ppo.epochs,
            minibatch_size=minibatch,
            shuffle_batch_per_epoch=True,
        )
        self.metrics.aggregate(learned, key=LEARNER_RESULTS)
        league = self.run_config.league
        if league.snapshots and (self.iteration + 1) % league.snapshot_every == 0:
            self.take_snapshot()
        else:
            self.sync_runners(policy_names(self.run_config), wait=not self.run_config.sampling.pipelined)

    @property
    def rows_sampled(self) -> int:
        """Decisions of the learning policy returned by the runners since training began."""
        return int(self.metrics.peek((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME), default=0))

    def counters(self) -> dict[str, float]:
        """How far training is: rows learned from, decisions and deals played, snapshots taken."""
        return {
            "rows": self.rows_sampled,
            "decisions": int(self.metrics.peek((ENV_RUNNER_RESULTS, NUM_DECISIONS_LIFETIME), default=0)),
            "deals": int(self.metrics.peek((ENV_RUNNER_RESULTS, NUM_EPISODES_LIFETIME), default=0)),
            "snapshots": self.snapshots_taken,
        }

    def learning_modules(self) -> list[Any]:
        """The learner's modules of the learning policy; not copies."""
        result = self.learner_group.foreach_learner(lambda learner: learner.module)
        module = result.result_or_errors[0].get()
        return [module[name].unwrapped() for name in policy_names(self.run_config)]

    def take_snapshot(self) -> None:
        """Freeze the learning policy into the next slot of the ring, and tell all runners."""
        league = self.run_config.league
        slot = snapshot_names(self.run_config, self.snapshots_taken % league.slots)
        pairs = list(zip(policy_names(self.run_config), slot, strict=True))

        def copy(learner: Any) -> None:
            for source, target in pairs:
                learner.module[target].unwrapped().load_state_dict(learner.module[source].unwrapped().state_dict())

        self.learner_group.foreach_learner(copy)
        self.snapshots_taken += 1
        self.sync_runners()

    def sync_runners(self, names: Any = None, wait: bool = True) -> None:
        """Give the learner's weights (of some modules, or of all), and how far the league is, to every runner.

        Without ``wait`` the call returns at once: a runner that is sampling takes them when it has finished. Calls
        to a runner stay in order, so a pipelined runner is exactly one update behind.
        """
        components = [f"{_WEIGHTS}/{name}" for name in names] if names else [_WEIGHTS]
        learner = self.learner_group.get_state(components=components)[COMPONENT_LEARNER]
        state = {
            COMPONENT_RL_MODULE: learner[COMPONENT_RL_MODULE],
            WEIGHTS_SEQ_NO: learner[WEIGHTS_SEQ_NO],
            SNAPSHOTS_TAKEN: self.snapshots_taken,
            NUM_ENV_STEPS_SAMPLED_LIFETIME: self.rows_sampled,
        }
        group = self.env_runner_group
        if group.num_remote_env_runners():
            shared = ray.put(state)
            group.foreach_env_runner(
                lambda runner: runner.set_state(ray.get(shared)),
                local_env_runner=False,
                timeout_seconds=None if wait else 0.0,
            )
        if group.local_env_runner is not None:
            group.local_env_runner.set_state(state)

    # --- checkpoints

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_state(*args, **kwargs), SNAPSHOTS_TAKEN: self.snapshots_taken}

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        self.snapshots_taken = state.get(SNAPSHOTS_TAKEN, self.snapshots_taken)

    def restore_from_path(self, path: Any, *args: Any, **kwargs: Any) -> None:
        super().restore_from_path(path, *args, **kwargs)
        self.sync_runners()  # RLlib tells remote runners nothing of the league

    def _setup_logdir(self) -> None:
        """Use the folder given. The inherited method leaves one in ~/ray_results for every algorithm built."""
        self._logdir = self.config.env_config["logdir"]
        Path(self._logdir).mkdir(parents=True, exist_ok=True)

    # --- one step

    def _sample(self) -> list[tuple[Batch, Any]]:
        group, sampling = self.env_runner_group, self.run_config.sampling
        if sampling.runners == 0:
            return [group.local_env_runner.sample_and_metrics()]
        if not sampling.pipelined:
            return group.foreach_env_runner(
                "sample_and_metrics", local_env_runner=False, timeout_seconds=SAMPLE_TIMEOUT
            )
        if group.num_in_flight_async_reqs("sample") == 0:
            group.foreach_env_runner_async("sample_and_metrics", tag="sample")
        ready = group.fetch_ready_async_reqs(tags="sample", timeout_seconds=SAMPLE_TIMEOUT)
        group.foreach_env_runner_async("sample_and_metrics", tag="sample")  # plays on while we learn
        return [result for _, result in ready]

    def _wait_for_runners(self) -> None:
        """Without any runner alive RLlib would spin; give them time to come back, but not for ever."""
        now = time.monotonic()
        self._idle_since = self._idle_since or now
        if now - self._idle_since > IDLE_LIMIT:
            raise TimeoutError(f"no runner has sampled anything for {IDLE_LIMIT:.0f} s; see Ray's logs for why")
        time.sleep(1.0)

    def _learner_batch(self, batches: list[Batch]) -> tuple[MultiAgentBatch, int]:
        """All runners' rows and the size of a minibatch that divides them.

        They are shuffled here, since RLlib goes through the rows of a single epoch in order. Where the rows do not
        fill the last minibatch it would be filled up with rows that have been there before, so a few are left out.
        """
        names = policy_names(self.run_config)
        parts = {name: [batch[name] for batch in batches] for name in names}
        rows = {name: sum(len(part["seat"]) for part in parts[name]) for name in names}
        fewest = min(rows.values())
        minibatches = min(max(round(sum(rows.values()) / self.run_config.ppo.minibatch), 1), fewest)
        size = fewest // minibatches
        order = np.random.default_rng([self.run_config.seed, self.iteration])
        modules = {}
        for name in names:
            chosen = order.permutation(rows[name])[: size * minibatches]
            columns = {key: np.concatenate([part[key] for part in parts[name]])[chosen] for key in LEARNER_COLUMNS}
            columns["advantages"] = _normalised(columns["advantages"])
            modules[name] = SampleBatch(columns)
        return MultiAgentBatch(modules, env_steps=sum(rows.values())), size


def build_config(run: TrainConfig, logdir: Path) -> PPOConfig:
    """RLlib's config of a run; ``build_algo()`` makes it a TeamPPO. ``logdir``: a folder RLlib may write to."""
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    config = PPOConfig(algo_class=TeamPPO)
    config.environment(
        None,
        observation_space=OBSERVATION_SPACE,
        action_space=ACTION_SPACE,
        env_config={"run": run.model_dump(mode="json", by_alias=True), "logdir": str(logdir)},
    )
    config.env_runners(
        env_runner_cls=LockstepRunner,
        num_env_runners=run.sampling.runners,
        sample_timeout_s=SAMPLE_TIMEOUT,
        # These make the driver wait for every runner after each iteration, though there is nothing to merge.
        merge_env_runner_states=False,
        broadcast_env_runner_states=False,
    )
    config.fault_tolerance(
        restart_failed_env_runners=True, env_runner_health_probe_timeout_s=10, env_runner_restore_timeout_s=60
    )
    # No search for NaN in every gradient, which takes longer than Adam itself: the learner looks at the loss.
    config.framework("torch", torch_skip_nan_gradients=True)
    config.multi_agent(
        policies=set(all_names(run)),
        policy_mapping_fn=_no_mapping,
        policies_to_train=list(policy_names(run)),
    )
    config.debugging(log_level="ERROR")
    config.rl_module(rl_module_spec=module_spec(run))
    config.learners(num_learners=0, add_default_connectors_to_learner_pipeline=False)
    config.training(
        learner_class=TeamLearner,
        lr=run.ppo.lr.start,
        gamma=1.0,
        lambda_=run.ppo.gae_lambda,
        use_kl_loss=False,
        grad_clip=run.ppo.grad_clip,
        grad_clip_by="global_norm",
        num_epochs=run.ppo.epochs,
        minibatch_size=run.ppo.minibatch,
        train_batch_size_per_learner=run.sampling.rows,
    )
    config.reporting(min_time_s_per_iteration=0, min_sample_timesteps_per_iteration=0)
    return config


def _no_mapping(*args: Any, **kwargs: Any) -> str:
    raise NotImplementedError("who plays which seat is the league's to draw (train.league)")


def _normalised(advantages: Any) -> Any:
    return ((advantages - advantages.mean()) / (advantages.std() + 1e-2)).astype(np.float32)
