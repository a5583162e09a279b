"""``gouji train`` from end to end: folders, logs, evaluations, Ctrl-C, resuming, full disks."""

import errno
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME
from rich.console import Console
from train_support import TINY, ray, tiny  # noqa: F401
from typer.testing import CliRunner

import agents
from agents.arena import duel
from gouji_env.rules import RuleSet
from train import cli, loop
from train.config import ConfigError
from train.folder import FolderError, RunFolder
from train.interrupt import Stopped, StopRequest

pytestmark = pytest.mark.usefixtures("ray")


def start(folder: Path, **sections) -> RunFolder:
    run = tiny(**sections)
    run_folder = RunFolder.create(folder, run)
    assert loop.train(run, run_folder, Console(quiet=True))
    return run_folder


def records(folder: Path, event: str) -> list[dict]:
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [line for line in lines if line["event"] == event]


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """A run of four iterations with everything in it."""
    folder = tmp_path_factory.mktemp("runs") / "done"
    start(
        folder,
        budget={"iterations": 4},
        league={"self": 1, "snapshots": 1, "agents": {"greedy": 1}, "snapshot_every": 2, "slots": 1},
        evaluation={"opponents": ["random", "greedy"], "deals": 3, "every_iterations": 2},
    )
    return folder


def test_a_run_leaves_its_files(finished):
    names = {path.name for path in finished.iterdir()}
    assert names == {"config.yaml", "log.jsonl", "tensorboard", "checkpoints", "snapshots"}
    assert [path.name for path in (finished / "checkpoints").iterdir()] == ["iteration_000004"]
    assert sorted(path.name for path in (finished / "snapshots").iterdir()) == ["iteration_000002", "iteration_000004"]
    assert list((finished / "tensorboard").iterdir())


def test_the_log_tells_every_iteration(finished):
    log = records(finished, "iteration")
    assert [record["iteration"] for record in log] == [1, 2, 3, 4]
    assert [record["snapshots"] for record in log] == [0, 1, 1, 2]
    for before, after in pairwise(log):
        for counter in ("seconds", "rows", "decisions", "deals"):
            assert after[counter] >= before[counter]
    assert log[-1]["rows"] > 1500 and log[-1]["decisions"] >= log[-1]["rows"]
    for value in ("entropy", "kl", "policy_loss", "value_loss", "explained_variance", "rows_per_second"):
        assert isinstance(log[0][value], float)
    assert any("against_greedy" in record for record in log)


def test_evaluations_come_from_iteration_0_on_at_fixed_intervals(finished):
    log = records(finished, "evaluation")
    assert [(record["iteration"], record["opponent"]) for record in log] == [
        (iteration, opponent) for iteration in (0, 2, 4) for opponent in ("random", "greedy")
    ]
    for record in log:
        assert record["low"] <= record["points_per_deal"] <= record["high"] and record["duel_deals"] == 3


def test_checkpoint_and_snapshots_are_agents(finished):
    rules = RuleSet.preset("classic")
    for path in (finished, finished / "snapshots/iteration_000002"):
        agent = agents.make(f"checkpoint:{path}")
        assert agent.description.trained["iteration"] in (2, 4)
        assert duel(agent, agents.make("greedy"), rules, 2, 0).deals == 2


def test_a_folder_that_holds_another_run_is_refused(finished):
    before = sorted(finished.rglob("*"))
    with pytest.raises(FolderError, match=r"is not empty: name another --out, or go on with that run by --resume"):
        RunFolder.create(finished, tiny())
    assert sorted(finished.rglob("*")) == before


def test_a_resumed_run_goes_on_where_it_was(tmp_path):
    """Counters, league, weights and the clock, bit for bit; then on to a longer budget."""
    sections = {
        "budget": {"iterations": 3},
        "league": {"self": 1, "snapshots": 1, "snapshot_every": 2, "slots": 2},
        "evaluation": {"opponents": ["random"], "deals": 2, "every_iterations": 2},
    }
    folder = start(tmp_path / "run", **sections)
    before = records(tmp_path / "run", "iteration")
    state = json.loads((folder.newest_checkpoint() / "trainer.json").read_text())
    with (tmp_path / "run/log.jsonl").open("a") as log:  # as if killed two iterations after the checkpoint
        log.write(json.dumps({"event": "iteration", "iteration": 4}) + '\n{"event": "itera')
    again, run = RunFolder.open(tmp_path / "run", ["budget.iterations=5"])
    with StopRequest() as stop:
        trainer = loop.Trainer(run, again, stop)
        assert (trainer.iteration, trainer.seconds, trainer._evaluated) == (3, state["seconds"], state["evaluated"])
        assert trainer._counters() == {key: before[-1][key] for key in trainer._counters()}
        trainer.algorithm.stop()
    assert loop.train(run, again, Console(quiet=True))
    log = records(tmp_path / "run", "iteration")
    assert log[:3] == before and [record["iteration"] for record in log] == [1, 2, 3, 4, 5]
    assert [record["snapshots"] for record in log] == [0, 1, 1, 2, 2]
    assert [record["iteration"] for record in records(tmp_path / "run", "evaluation")] == [0, 2, 3, 5]


def test_a_finished_run_is_neither_started_nor_touched(finished, monkeypatch):
    monkeypatch.setattr(loop, "ray_session", None)
    before = {path: path.stat().st_mtime_ns for path in finished.rglob("*")}
    folder, run = RunFolder.open(finished, [])
    assert loop.train(run, folder, Console(quiet=True))
    after = {path: path.stat().st_mtime_ns for path in finished.rglob("*")}
    changed = {path.name for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed <= {"config.yaml"}  # the same, written anew


def test_a_run_stopped_in_its_last_evaluation_is_finished_by_one_resume(tmp_path, monkeypatch):
    run = tiny(budget={"iterations": 1})
    folder = RunFolder.create(tmp_path / "run", run)
    with monkeypatch.context() as patches:
        patches.setattr(loop.Trainer, "_evaluate", stopped_after(loop.Trainer._evaluate, 1))
        assert not loop.train(run, folder, Console(quiet=True))
    assert not loop.is_finished(run, folder)
    assert loop.train(run, folder, Console(quiet=True))
    assert loop.is_finished(run, folder)
    assert [record["iteration"] for record in records(tmp_path / "run", "evaluation")] == [0, 1]


def stopped_after(evaluate, calls):
    """An evaluation that is stopped by Ctrl-C after so many that go through."""
    left = [calls]

    def stopped(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise Stopped
        return evaluate(*arguments)

    return stopped


def test_only_the_budget_of_a_run_can_change(finished):
    with pytest.raises(ConfigError, match="only budget can change"):
        RunFolder.open(finished, ["seed=3"])
    with pytest.raises(FolderError, match=r"holds no training run: it has no config\.yaml"):
        RunFolder.open(finished / "checkpoints", [])


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    folder = start(tmp_path / "run", budget={"iterations": 1})
    old = folder.newest_checkpoint()
    content = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}
    write = Path.write_text

    def full(path, *args, **kwargs):
        if path.name == "trainer.json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, *args, **kwargs)

    monkeypatch.setattr(Path, "write_text", full)
    again, run = RunFolder.open(tmp_path / "run", ["budget.iterations=2"])
    with pytest.raises(FolderError) as error:
        loop.train(run, again, Console(quiet=True))
    assert "No space left on device; iteration_000001 is still there. Make room and go on with" in str(error.value)
    assert folder.newest_checkpoint() == old and list((tmp_path / "run/checkpoints").iterdir()) == [old]
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == content
    monkeypatch.undo()
    again, run = RunFolder.open(tmp_path / "run", [])
    assert loop.train(run, again, Console(quiet=True))


def test_only_the_last_checkpoints_are_kept(tmp_path):
    folder = start(tmp_path / "run", budget={"iterations": 4}, checkpoint={"every_seconds": 1e-6, "keep": 2})
    assert sorted(path.name for path in (folder.path / "checkpoints").iterdir()) == [
        "iteration_000003",
        "iteration_000004",
    ]


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"league": {"agents": {"gredy": 1}}}, "league.agents: unknown agent 'gredy'"),
        ({"evaluation": {"opponents": ["checkpoint:nowhere"]}}, "evaluation.opponents: nowhere: no checkpoint here"),
    ],
)
def test_agents_that_cannot_be_made_are_named_before_training(sections, message):
    with pytest.raises(ConfigError, match=message):
        loop.check_agents(tiny(**sections))


def test_all_runners_gone_for_too_long_is_an_error(tmp_path, monkeypatch):
    run = tiny()
    with StopRequest() as stop:
        trainer = loop.Trainer(run, RunFolder.create(tmp_path / "run", run), stop)
        monkeypatch.setattr(trainer.algorithm, "_sample", list)
        monkeypatch.setattr("train.algorithm.IDLE_LIMIT", 0.5)
        trainer.algorithm.train()  # waits a second
        with pytest.raises(TimeoutError, match="no runner has sampled anything"):
            trainer.algorithm.train()
        peeked = trainer.algorithm.metrics.peek((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME), default=0)
        assert peeked == trainer.algorithm.rows_sampled == 0
        trainer.algorithm.stop()


# --- the command


def invoke(*arguments: str):
    return CliRunner().invoke(cli.app, ["train", *arguments])


@pytest.fixture
def config(tmp_path) -> str:
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY))
    return str(path)


def test_the_command_trains_and_goes_on(tmp_path, config):
    out = str(tmp_path / "a run")
    result = invoke(config, "--out", out, "--set", "budget.iterations=1")
    assert result.exit_code == 0, result.output
    assert "finished:" in result.output and "against random" in result.output
    result = invoke("--resume", out, "--set", "budget.iterations=2")
    assert result.exit_code == 0 and "iteration_000002" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a config and --out DIR"),
        (["{config}"], "give a config and --out DIR"),
        (["{config}", "--out", "{out}", "--set", "sampling.row=3"], "sampling.row: unknown key; did you mean rows?"),
        (["--resume", "{out}"], "holds no training run"),
        (["{config}", "--out", "{config}"], "is not empty: name another --out"),
    ],
)
def test_the_command_tells_what_is_wrong(tmp_path, config, arguments, message):
    result = invoke(*(argument.format(config=config, out=tmp_path / "out") for argument in arguments))
    assert result.exit_code == 2 and message in result.output
    assert not (tmp_path / "out").exists()


def test_without_ray_the_command_says_what_to_install(config, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("train.")]:
        if name not in ("train.cli", "train.config"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("train.loop", raising=False)
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    result = invoke(config, "--out", str(tmp_path / "out"))
    assert result.exit_code == 2 and "pip install 'gouji-env[train]'" in result.output


# --- Ctrl-C


@pytest.mark.parametrize(
    ("moment", "iteration"),
    [
        ("train.algorithm.build_config", 0),
        ("train.loop.duel", 0),
        ("train.algorithm.TeamPPO._learner_batch", 1),
        ("train.algorithm.TeamPPO.take_snapshot", 2),
        ("train.folder.RunFolder.write_checkpoint", 1),
    ],
    ids=["start", "evaluation", "training", "snapshot", "checkpoint"],
)
def test_ctrl_c_at_any_moment_leaves_a_checkpoint_that_resumes(tmp_path, monkeypatch, moment, iteration):
    run = tiny(
        budget={"iterations": 5},
        league={"snapshots": 1},
        evaluation={"deals": 300},
        checkpoint={"every_seconds": 1e-6},
    )
    folder = RunFolder.create(tmp_path / "run", run)
    with monkeypatch.context() as patches:
        patches.setattr(moment, interrupting(moment))
        assert not loop.train(run, folder, Console(quiet=True))
    assert folder.newest_checkpoint().name == f"iteration_{iteration:06d}"
    _, run = RunFolder.open(tmp_path / "run", [f"budget.iterations={iteration + 1}"])
    run = run.model_copy(update={"evaluation": tiny().evaluation})
    assert loop.train(run, folder, Console(quiet=True))
    assert [record["iteration"] for record in records(tmp_path / "run", "iteration")] == [*range(1, iteration + 2)]


def interrupting(target: str):
    """The function named; at its first call Ctrl-C is pressed."""
    function, calls = pkgutil.resolve_name(target), []

    def pressed(*args, **kwargs):
        calls.append(args)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
        return function(*args, **kwargs)

    return pressed


def test_a_second_ctrl_c_interrupts_at_once():
    before = signal.getsignal(signal.SIGINT)
    with StopRequest() as stop:
        stop.check()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(Stopped):
            stop.check()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_in_a_terminal(tmp_path, config):
    """SIGINT to the whole process group: Ray's processes get it too."""
    out = tmp_path / "run"
    command = [sys.executable, "-c", "from train.cli import main; main()", "train", config, "--out", str(out)]
    with subprocess.Popen(
        [*command, "--set", "budget.iterations=100000", "--set", "sampling.runners=1"],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        deadline = time.monotonic() + 90
        while not (out / "log.jsonl").exists() or len(records(out, "iteration")) < 2:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 130, output
    assert f"go on with: gouji train --resume {out}" in output and "Traceback" not in output
    folder, _ = RunFolder.open(out, [])
    assert folder.newest_checkpoint().name == f"iteration_{len(records(out, 'iteration')):06d}"
