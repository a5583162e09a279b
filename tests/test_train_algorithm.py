"""RLlib around the sampler: weights in every runner, frozen slots, checkpoints, runners that die."""

import os
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModule
from train_support import ray, tiny  # noqa: F401

from gouji_env.engine import ACTIONS, HIDDEN, OBSERVATION, PACKED, deal_seed
from train.algorithm import build_config
from train.learner import PROGRESS
from train.module import TeamModule, all_names
from train.selfplay import SelfPlay

pytestmark = pytest.mark.usefixtures("ray")

LEAGUE = {"self": 1, "snapshots": 1, "snapshot_every": 2, "slots": 2}


@pytest.fixture
def build(tmp_path):
    """Builds algorithms and ends them; ``build(section={...})``."""
    built = []

    def make(**sections):
        built.append(build_config(tiny(**sections), tmp_path / "logs").build_algo())
        return built[-1]

    yield make
    for algorithm in built:
        algorithm.stop()


@pytest.fixture(scope="module")
def remote(tmp_path_factory):
    """One algorithm with a runner in a process of its own, which begins with other weights than the learner."""
    run = tiny(league=LEAGUE, sampling={"runners": 1})
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr("train.module.torch.manual_seed", lambda seed: None)  # here, not in the runner's process
        algorithm = build_config(run, tmp_path_factory.mktemp("logs")).build_algo()
    yield algorithm
    algorithm.stop()


def weights(state) -> dict[str, np.ndarray]:
    return {f"{name}.{key}": np.asarray(value) for name, module in state.items() for key, value in module.items()}


def learner_weights(algorithm) -> dict[str, np.ndarray]:
    return weights(algorithm.learner_group.get_state(components="learner/rl_module")["learner"][COMPONENT_RL_MODULE])


def runner_weights(algorithm) -> list[dict[str, np.ndarray]]:
    group = algorithm.env_runner_group
    states = group.foreach_env_runner(lambda runner: runner.get_state()[COMPONENT_RL_MODULE])
    assert len(states) == 1 + group.num_remote_env_runners()  # the local one too
    return [weights(state) for state in states]


def assert_equal(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)


def differ(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], module: str) -> bool:
    return any((ours[name] != theirs[name]).any() for name in ours if name.startswith(f"{module}."))


def assert_runners_follow(algorithm) -> None:
    expected = learner_weights(algorithm)
    assert {name.split(".")[0] for name in expected} == set(all_names(algorithm.run_config))
    for held in runner_weights(algorithm):
        assert_equal(held, expected)


# --- weights


def test_runners_hold_the_learners_weights_from_build_on(remote):
    """Without an initial sync they would play the first batch with weights of their own."""
    assert_runners_follow(remote)
    before = learner_weights(remote)
    for _ in range(3):  # a snapshot is among them
        remote.train()
        assert_runners_follow(remote)
    assert differ(before, learner_weights(remote), "main")


def test_rllib_neither_merges_nor_broadcasts_runner_states(remote):
    """Either would make the driver wait for every runner after each iteration."""
    assert remote.config.merge_env_runner_states is False
    assert remote.config.broadcast_env_runner_states is False
    assert remote.config.enable_rl_module_and_learner and remote.config.enable_env_runner_and_connector_v2


def test_the_config_that_goes_to_runners_is_small(remote):
    """Runners are restarted from constructor arguments in the object store; large ones are at risk."""
    assert len(str(remote.config.env_config)) < 10_000


def test_a_killed_runner_comes_back_with_the_right_weights_and_other_deals(remote):
    remote.train()
    before = remote.rows_sampled
    group = remote.env_runner_group
    group.foreach_env_runner(lambda runner: os._exit(1), local_env_runner=False, timeout_seconds=0.0)
    deadline = time.monotonic() + 60
    while remote.rows_sampled <= before and time.monotonic() < deadline:
        remote.train()
    assert remote.rows_sampled > before
    assert_runners_follow(remote)
    (after,) = group.foreach_env_runner(
        lambda runner: [int(deal_seed(row)) for row in runner.play.rows], local_env_runner=False
    )
    run = remote.run_config
    at_first = SelfPlay(run, np.random.SeedSequence([run.seed, 1, 0]))  # as the runner began
    assert not set(after) & {int(deal_seed(row)) for row in at_first.rows}


def test_a_snapshot_is_the_policy_of_its_moment_and_stays_so(build):
    algorithm = build(league=LEAGUE)
    algorithm.train()
    algorithm.train()
    assert algorithm.snapshots_taken == 1
    frozen = learner_weights(algorithm)
    for key, value in frozen.items():
        if key.startswith("main."):
            np.testing.assert_array_equal(value, frozen[key.replace("main", "snapshot_0", 1)])
    algorithm.train()
    after = learner_weights(algorithm)
    assert differ(frozen, after, "main") and not differ(frozen, after, "snapshot_0")
    for _ in range(3):
        algorithm.train()
    assert algorithm.snapshots_taken == 3  # the ring has come round
    assert differ(frozen, learner_weights(algorithm), "snapshot_0")
    algorithm.take_snapshot()  # between two updates, when RLlib's count of weights stands still
    assert_runners_follow(algorithm)


def test_a_pipelined_runner_is_one_update_behind(build):
    algorithm = build(sampling={"runners": 1, "pipelined": True})
    for _ in range(3):
        algorithm.train()
    assert algorithm.rows_sampled >= 2 * 512
    algorithm.env_runner_group.fetch_ready_async_reqs(tags="sample", timeout_seconds=60)
    assert_runners_follow(algorithm)  # the call that carried the weights waited behind the sampling


def test_three_networks_a_side_train_and_freeze_together(build):
    algorithm = build(network={"policy": [16], "critic": [16], "per_seat": True}, league=LEAGUE)
    before = learner_weights(algorithm)
    for _ in range(2):
        algorithm.train()
    after = learner_weights(algorithm)
    for position in range(3):
        assert differ(before, after, f"main_{position}")
        assert not differ(
            {key.replace("main", "snapshot_0"): value for key, value in after.items()}, after, f"snapshot_0_{position}"
        )
    assert_runners_follow(algorithm)


# --- learning


def test_the_learner_finds_the_sampled_log_probabilities_again(build):
    """With a learning rate of zero every minibatch of every iteration has ratio 1."""
    algorithm = build(ppo={"lr": {"start": 0, "end": 0}, "minibatch": 100})
    for _ in range(2):
        learned = algorithm.train()["learners"]["main"]
        assert abs(float(learned["kl"])) < 1e-6 and learned["clip_fraction"] == 0


def test_an_epoch_uses_each_row_once_in_shuffled_minibatches_of_one_size(build):
    algorithm = build(ppo={"minibatch": 100})
    runner = algorithm.env_runner_group.local_env_runner
    columns = runner.sample()["main"]
    batch, size = algorithm._learner_batch([{"main": columns}])
    rows = len(columns["seat"])
    learned = batch.policy_batches["main"]
    assert len(learned) % size == 0 and rows - len(learned) < len(learned) // size
    assert 80 < size <= 125
    key = {obs.tobytes() + logp.tobytes() for obs, logp in zip(columns["obs"], columns["action_logp"], strict=True)}
    ours = [obs.tobytes() + logp.tobytes() for obs, logp in zip(learned["obs"], learned["action_logp"], strict=True)]
    assert len(set(ours)) == len(ours) and set(ours) <= key
    assert (learned["action_logp"][:50] != columns["action_logp"][:50]).any()
    assert abs(learned["advantages"].mean()) < 0.2


def test_schedules_follow_the_share_of_the_budget(build):
    algorithm = build(ppo={"lr": {"start": 1e-3, "end": 1e-4}, "entropy": {"start": 0.1, "end": 0.0}})
    rates = []
    for progress in (0.0, 0.5, 1.0):
        algorithm.progress = progress
        rates.append(float(algorithm.train()["learners"]["main"]["default_optimizer_learning_rate"]))
    assert rates == pytest.approx([1e-3, 5.5e-4, 1e-4])
    (weight,) = algorithm.learner_group.foreach_learner(lambda learner: learner._entropy_weight)
    assert weight.get() == 0.0
    assert PROGRESS == "progress"


def test_a_loss_that_is_no_number_is_an_error(build):
    algorithm = build()
    algorithm.learning_modules()[0].critic.layers[1].bias.data.fill_(float("nan"))
    with pytest.raises(FloatingPointError, match=r"the loss of main is nan: go on with a lower ppo\.lr"):
        algorithm.train()


def test_the_same_seed_learns_the_same_weights(build):
    def learned(seed):
        algorithm = build(seed=seed, league=LEAGUE)
        for _ in range(3):
            algorithm.train()
        return learner_weights(algorithm)

    first, again, other = learned(1), learned(1), learned(2)
    assert_equal(first, again)
    assert differ(first, other, "main")


def test_rllibs_forward_obeys_a_single_legal_action_under_adversarial_scores():
    module = TeamModule(
        observation_space=None,
        action_space=None,
        model_config={"policy": [8], "critic": [8], "bf16": False, "pieces": ["own_hand"], "seed": 0},
    )
    legal = 487
    with torch.no_grad():
        module.policy.head.bias.fill_(1e4)
        module.policy.head.bias[legal] = -1e4
    mask = torch.zeros(1, PACKED, dtype=torch.uint8)
    mask[0, legal // 8] = 1 << legal % 8
    batch = {
        Columns.OBS: torch.zeros(1, OBSERVATION, dtype=torch.int8),
        "hidden_hands": torch.zeros(1, HIDDEN, dtype=torch.int8),
        "mask": mask,
        Columns.ACTIONS: torch.tensor([legal], dtype=torch.int16),
    }
    for forward in (module.forward_inference, module.forward_exploration):
        scores = forward(batch)[Columns.ACTION_DIST_INPUTS]
        assert scores.shape == (1, ACTIONS) and scores.argmax() == legal
        assert torch.softmax(scores, 1)[0, legal] == 1
    trained = module.forward_train(batch)
    assert trained["logp"].item() == 0 and trained["entropy"].item() == 0


# --- checkpoints


def test_a_restored_algorithm_goes_on_where_it_was(build, tmp_path):
    """In a folder whose name has a space and is not ASCII."""
    sections = {"league": LEAGUE, "sampling": {"runners": 1}}
    first = build(**sections)
    for _ in range(3):
        first.train()
    path = tmp_path / "a run of 够级" / "rllib"
    first.save_to_path(str(path))
    second = build(**sections)
    second.restore_from_path(str(path))
    assert second.iteration == first.iteration == 3
    assert second.counters() == first.counters() and second.snapshots_taken == 1
    assert_equal(learner_weights(second), learner_weights(first))
    assert_runners_follow(second)
    assert snapshots_known(second) == [1, 1]
    moments = [optimizer_state(algorithm) for algorithm in (first, second)]
    assert_equal(*moments)
    before = second.counters()
    second.train()
    assert second.counters()["rows"] > before["rows"] and second.counters()["deals"] >= before["deals"]
    assert second.snapshots_taken == 2
    assert snapshots_known(second) == [2, 2]


def snapshots_known(algorithm) -> list[int]:
    return algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.snapshots_taken)


def optimizer_state(algorithm) -> dict[str, np.ndarray]:
    (result,) = algorithm.learner_group.foreach_learner(lambda learner: learner._get_optimizer_state())
    (optimizer,) = result.get().values()
    return {
        f"{number}.{key}": np.asarray(value)
        for number, moments in optimizer["state"]["state"].items()
        for key, value in moments.items()
    }


def test_rllib_loads_the_module_alone(build, tmp_path):
    algorithm = build()
    algorithm.train()
    algorithm.save_to_path(str(tmp_path / "rllib"))
    module = RLModule.from_checkpoint(str(tmp_path / "rllib/learner_group/learner/rl_module/main"))
    assert_equal({f"main.{k}": v for k, v in module.get_state().items()}, only_main(learner_weights(algorithm)))


def only_main(state: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: value for name, value in state.items() if name.startswith("main.")}


def test_nothing_is_left_in_the_home_folder(build, tmp_path):
    algorithm = build()
    assert Path(algorithm.logdir) == tmp_path / "logs"
