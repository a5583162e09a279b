"""Rows of ``gouji bench`` about self-play and learning: 2 x 512 policy, 2 x 512 critic, 256 deals in lock-step.

Decisions are those of ``SelfPlay.decisions``: those that were forced and passes that a seat had to make count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np

from gouji_env.bench import Chunk, Peer, Row, Skipped
from train.config import LeagueConfig, NetworkConfig, SamplingConfig, TrainConfig

SEED = 1
SELF_PLAY = "self-play in lock-step, fp32, one core"


def rows() -> list[Row]:
    """The rows of this module with their targets."""
    return [
        Row(SELF_PLAY, "decisions/s", lambda: self_play(bf16=False), 40e3),
        Row("self-play in lock-step, bf16, one core", "decisions/s", lambda: self_play(bf16=True), 80e3),
        Row("sampling and learning, fp32, two cores", "decisions/s", lambda: learning(bf16=False), 15e3),
        Row("sampling and learning, bf16, two cores", "decisions/s", lambda: learning(bf16=True), 28e3),
    ]


def peers() -> list[Peer]:
    """What these rows are set against."""
    row = Row("RLlib's stock multi-agent sampler, same game, fp32", "steps/s", stock_sampler)
    return [Peer(row, SELF_PLAY, least=40 / 2.5)]


def configured(bf16: bool) -> TrainConfig:
    """A training run of the size that is measured: one epoch, no opponents but itself."""
    return TrainConfig(
        seed=SEED,
        network=NetworkConfig(policy=(512, 512), critic=(512, 512), bf16=bf16),
        sampling=SamplingConfig(deals=256, rows=16384),
        league=LeagueConfig(**{"self": 1.0, "snapshots": 0.0}),
    )


@contextmanager
def self_play(bf16: bool) -> Iterator[Chunk]:
    """Chunks of sampling with an untrained network, values and advantages included, as a runner does it."""
    with torch_threads(1):
        from agents.inputs import changing_pieces
        from agents.network import CriticNetwork, PolicyNetwork
        from train.selfplay import SelfPlay

        check_processor(bf16)
        run = configured(bf16)
        play = SelfPlay(run, np.random.SeedSequence(SEED))
        pieces = changing_pieces(run.rule_set())
        network = SimpleNamespace(
            policy=PolicyNetwork(run.network.policy, bf16, pieces),
            critic=CriticNetwork(run.network.critic, bf16, pieces),
        )

        def chunk() -> int:
            before = play.decisions
            play.play([[network]], run.sampling.rows, run.ppo.gae_lambda, run.ppo.reward_scale)
            return play.decisions - before

        chunk()  # compiles
        yield chunk


@contextmanager
def learning(bf16: bool) -> Iterator[Chunk]:
    """Chunks of one training iteration: sample, learn, hand the weights round."""
    with torch_threads(2), TemporaryDirectory() as folder:
        try:
            from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS
        except ModuleNotFoundError as error:
            raise missing(error) from None
        from agents.ray_session import ray_session
        from train.algorithm import build_config
        from train.runner import NUM_DECISIONS_LIFETIME

        check_processor(bf16)
        with ray_session(None, 0):
            algorithm = build_config(configured(bf16), Path(folder)).build_algo()

            def decisions() -> int:
                return int(algorithm.metrics.peek((ENV_RUNNER_RESULTS, NUM_DECISIONS_LIFETIME), default=0))

            def chunk() -> int:
                before = decisions()
                algorithm.train()
                return decisions() - before

            chunk()  # compiles
            yield chunk
            algorithm.stop()


@contextmanager
def stock_sampler() -> Iterator[Chunk]:
    """Chunks of RLlib's own sampler on one core."""
    with torch_threads(1):
        try:
            from train.bench_stock import sampling
        except ModuleNotFoundError as error:
            raise missing(error) from None
        with sampling(SEED) as chunk:
            chunk()  # compiles
            yield chunk


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let torch compute with so many threads, then as before."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise missing(error) from None
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def check_processor(bf16: bool) -> None:
    """Raises Skipped where bfloat16 is emulated: nobody would train with it there."""
    from agents.network import bf16_is_fast

    if bf16 and not bf16_is_fast():
        raise Skipped("this processor has no instructions for bfloat16 (AVX-512 BF16 or AMX)")


def missing(error: ModuleNotFoundError) -> Skipped:
    """What to install for a row that needs a missing package."""
    package = str(error.name).partition(".")[0]
    return Skipped(f"{package} is not installed: pip install 'gouji-env[train]'")
