"""The benchmark rows of training, with small networks and few rows."""

import sys

import pytest
import torch

from gouji_env.bench import Peer, measure
from gouji_env.bench.report import all_peers, all_rows
from train import bench, bench_stock
from train.config import LeagueConfig, NetworkConfig, PPOConfig, SamplingConfig, TrainConfig


def small(bf16: bool) -> TrainConfig:
    return TrainConfig(
        network=NetworkConfig(policy=(16,), critic=(16,), bf16=bf16),
        sampling=SamplingConfig(deals=8, rows=128),
        ppo=PPOConfig(minibatch=64),
        league=LeagueConfig(**{"self": 1.0, "snapshots": 0.0}),
    )


def test_gouji_bench_finds_the_rows() -> None:
    names = [row.name for row in all_rows()]
    assert [row.name for row in bench.rows()] == names[-len(bench.rows()) :]


def test_rllibs_stock_sampler_is_a_peer_of_our_self_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_stock, "ENVIRONMENTS", 2)
    monkeypatch.setattr(bench_stock, "STEPS", 20)
    peer = all_peers_by_name()["RLlib's stock multi-agent sampler, same game, fp32"]
    assert peer.ours in [row.name for row in bench.rows()]
    threads = torch.get_num_threads()
    (result,) = measure([peer.row], seconds=0.01, repeats=1)
    assert result.value > 0
    assert torch.get_num_threads() == threads


def all_peers_by_name() -> dict[str, Peer]:
    return {peer.row.name: peer for peer in all_peers()}


def test_what_is_measured_is_the_size_that_the_targets_are_for() -> None:
    run = bench.configured(bf16=True)
    assert (run.network.policy, run.network.critic, run.network.bf16) == ((512, 512), (512, 512), True)
    assert (run.ppo.epochs, run.league.self_, run.league.snapshots) == (1, 1.0, 0.0)


@pytest.mark.parametrize("index", [0, 1, 2], ids=["self-play fp32", "self-play bf16", "learning fp32"])
def test_rows_measure_decisions_and_leave_the_threads_as_they_were(index: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "configured", small)
    monkeypatch.setattr("agents.network.bf16_is_fast", lambda: True)
    threads = torch.get_num_threads()
    (result,) = measure([bench.rows()[index]], seconds=0.01, repeats=1)
    assert result.value > 0
    assert torch.get_num_threads() == threads


def test_bf16_is_not_measured_where_it_is_emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.network.bf16_is_fast", lambda: False)
    skipped = [result.skipped for result in measure([row for row in bench.rows() if "bf16" in row.name], seconds=0.01)]
    assert len(skipped) == 2 and all("no instructions for bfloat16" in why for why in skipped)


@pytest.mark.parametrize("package", ["torch", "ray"])
def test_rows_are_skipped_without_torch_or_ray(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(sys.modules):
        if name.split(".")[0] == package:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    (result,) = measure([bench.rows()[-1]], seconds=0.01)
    assert result.skipped == f"{package} is not installed: pip install 'gouji-env[train]'"
