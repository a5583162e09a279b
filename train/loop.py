"""The training loop: iterate, evaluate, keep checkpoints, until the budget is used up or somebody presses Ctrl-C."""

import json
import os
import time
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

from agents import make
from agents.arena import duel
from agents.checkpoint import NetworkAgent, describe, export
from agents.network import PolicyNetwork
from agents.ray_session import ray_session
from train.config import ConfigError, TrainConfig
from train.folder import RunFolder
from train.interrupt import Stopped, StopRequest
from train.report import Report
from train.selfplay import batch_agent

LEARNED = ("policy_loss", "value_loss", "entropy", "kl", "clip_fraction", "explained_variance")


def train(run: TrainConfig, folder: RunFolder, console: Console) -> bool:
    """Train until the budget is used up; True unless it was stopped before. Goes on from the newest checkpoint."""
    check_agents(run)
    if is_finished(run, folder):
        return True
    torch.set_num_threads(run.threads or len(os.sched_getaffinity(0)))
    with StopRequest() as stop, ray_session(run.ray_address, run.sampling.runners):
        stop.install()
        trainer = Trainer(run, folder, stop)
        try:
            with Report(folder, console, trainer.iteration) as report:
                return trainer.run(report)
        finally:
            trainer.algorithm.stop()


def is_finished(run: TrainConfig, folder: RunFolder) -> bool:
    """Whether the newest checkpoint was evaluated with the budget used up, so that nothing needs to be started."""
    checkpoint = folder.newest_checkpoint()
    evaluated = checkpoint and _state(checkpoint)["evaluated"]
    return bool(evaluated) and run.budget.progress(evaluated["seconds"], evaluated["iteration"]) >= 1


def check_agents(run: TrainConfig) -> None:
    """Raise ConfigError, with the field, for an agent of the league or the evaluation that cannot be made."""
    for field, names, maker in (
        ("league.agents", run.league.agents, batch_agent),
        ("evaluation.opponents", run.evaluation.opponents, make),
    ):
        for name in names:
            try:
                maker(name)
            except ValueError as error:
                raise ConfigError(f"{field}: {error}") from None


class Trainer:
    """One run in progress. ``seconds`` counts training alone, without evaluations and checkpoints."""

    def __init__(self, config: TrainConfig, folder: RunFolder, stop: StopRequest) -> None:
        from train.algorithm import build_config

        self.config = config
        self.folder = folder
        self.seconds = 0.0
        self._stop = stop
        self._evaluated: dict[str, float] | None = None  # counters at the last evaluation
        self._saved_at = 0.0
        self.algorithm = build_config(config, folder.tensorboard).build_algo()
        checkpoint = folder.newest_checkpoint()
        if checkpoint is not None:
            self._restore(checkpoint)

    @property
    def iteration(self) -> int:
        return int(self.algorithm.iteration)

    def run(self, report: Report) -> bool:
        """Train; True when the budget is used up, False when stopped. Leaves a checkpoint either way."""
        try:
            while True:
                over = self._progress() >= 1
                if self._evaluation_due(over):
                    self._evaluate(report)
                if over or self.seconds - self._saved_at >= self.config.checkpoint.every_seconds:
                    self._save(report)
                if over:
                    return True
                self._stop.check()
                self._iterate(report)
        except Stopped:
            self._save(report)
            return False

    def _progress(self) -> float:
        return self.config.budget.progress(self.seconds, self.iteration)

    # --- iterating

    def _iterate(self, report: Report) -> None:
        algorithm, ppo = self.algorithm, self.config.ppo
        algorithm.progress = progress = self._progress()
        rows, snapshots = algorithm.rows_sampled, algorithm.snapshots_taken
        began = time.perf_counter()
        result = algorithm.train()
        spent = time.perf_counter() - began
        self.seconds += spent
        if algorithm.rows_sampled == rows:
            return  # all runners are gone; the algorithm waits for them to come back
        record = {
            **self._counters(),
            "rows_per_second": (algorithm.rows_sampled - rows) / spent,
            "learning_rate": ppo.lr.at(progress),
            "entropy_weight": ppo.entropy.at(progress),
            **learned(result),
        }
        report.iteration(record, self._progress())
        if algorithm.snapshots_taken > snapshots:
            self.folder.write_snapshot(self.iteration, self._export)

    def _counters(self) -> dict[str, float]:
        return {"iteration": self.iteration, "seconds": round(self.seconds, 3), **self.algorithm.counters()}

    # --- evaluating

    def _evaluation_due(self, over: bool) -> bool:
        last, every = self._evaluated, self.config.evaluation
        if last is None:
            return True
        if last["iteration"] == self.iteration:
            return False
        waited = (
            (every.every_seconds, self.seconds - last["seconds"]),
            (every.every_iterations, self.iteration - last["iteration"]),
        )
        return over or any(limit is not None and passed >= limit for limit, passed in waited)

    def _evaluate(self, report: Report) -> None:
        """Duels against all opponents, on the same deals every time. Raises Stopped when asked to stop."""
        counters, config = self._counters(), self.config.evaluation
        agent = NetworkAgent("policy", self._networks(), greedy=True)
        results = []
        for opponent in config.opponents:

            def progress(done: int, opponent: str = opponent) -> None:
                self._stop.check()
                report.doing(f"iteration {self.iteration}  against {opponent}: deal {done} of {config.deals}")

            progress(0)
            results.append(duel(agent, make(opponent), self.config.rule_set(), config.deals, config.seed, progress))
        for opponent, result in zip(config.opponents, results, strict=True):
            report.evaluation(counters, opponent, result)
        self._evaluated = counters

    def _networks(self) -> list[PolicyNetwork]:
        return [module.policy for module in self.algorithm.learning_modules()]

    # --- checkpoints

    def _save(self, report: Report) -> None:
        report.doing(f"iteration {self.iteration}  writing a checkpoint")
        self.folder.write_checkpoint(self.iteration, self._write, self.config.checkpoint.keep)
        self._saved_at = self.seconds

    def _write(self, folder: Path) -> None:
        self.algorithm.save_to_path(str(folder / "rllib"))
        self._export(folder)
        state = {"seconds": self.seconds, "evaluated": self._evaluated}
        (folder / "trainer.json").write_text(json.dumps(state) + "\n", encoding="utf-8")

    def _export(self, folder: Path) -> None:
        network, rules = self.config.network, self.config.rule_set()
        description = describe(rules, network.policy, network.per_seat, self._counters())
        export(folder, description, [policy.state_dict() for policy in self._networks()])

    def _restore(self, checkpoint: Path) -> None:
        state = _state(checkpoint)
        self.algorithm.restore_from_path(str(checkpoint / "rllib"))
        self.seconds = self._saved_at = state["seconds"]
        self._evaluated = state["evaluated"]


def _state(checkpoint: Path) -> dict[str, Any]:
    state: dict[str, Any] = json.loads((checkpoint / "trainer.json").read_text(encoding="utf-8"))
    return state


def learned(result: dict[str, Any]) -> dict[str, float]:
    """What the learner and the league measured, from RLlib's result, as plain numbers."""
    modules = [values for name, values in result["learners"].items() if name.startswith("main")]
    record = {key: sum(float(module[key]) for module in modules) / len(modules) for key in LEARNED}
    league = result["env_runners"].get("league", {})
    return record | {f"against_{name}": float(points) for name, points in league.items()}
