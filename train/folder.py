"""The folder of a training run: config, log, TensorBoard events and checkpoints.

::

    config.yaml                      every field of the run
    log.jsonl                        one line an iteration and one an evaluation
    tensorboard/                     the same as curves
    checkpoints/iteration_000120/    policy.json, policy.pt: the policy as an agent; rllib/, trainer.json: to go on
    snapshots/iteration_000040/      policy.json, policy.pt: what the league has frozen
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from train.config import ConfigError, TrainConfig, load


class FolderError(OSError):
    """A run's folder that cannot be used or written; the message names it and the mend."""


class RunFolder:
    """Where a run keeps its files. Whole files and folders are written aside and renamed."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.tensorboard = self.path / "tensorboard"
        self._config = self.path / "config.yaml"
        self._log = self.path / "log.jsonl"

    @classmethod
    def create(cls, path: Path, run: TrainConfig) -> "RunFolder":
        """A new run in ``path``, which must be empty or not there. Raises FolderError."""
        folder = cls(path)
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise FolderError(f"{path} is not empty: name another --out, or go on with that run by --resume {path}")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"{path} cannot be made: {error.strerror}; name another --out") from None
        folder._replace(folder._config, run.to_yaml())
        return folder

    @classmethod
    def open(cls, path: Path, overrides: list[str]) -> tuple["RunFolder", TrainConfig]:
        """The run in ``path``; ``overrides`` may change its budget. Raises FolderError or ConfigError."""
        folder = cls(path)
        if not folder._config.is_file():
            raise FolderError(f"{path} holds no training run: it has no config.yaml")
        for override in overrides:
            if not override.startswith("budget."):
                raise ConfigError(f"--set {override}: a run goes on with the config it has; only budget can change")
        run = load(folder._config, overrides)
        folder._replace(folder._config, run.to_yaml())
        return folder, run

    # --- checkpoints

    def newest_checkpoint(self) -> Path | None:
        """The checkpoint to go on from."""
        found = sorted(self.path.glob("checkpoints/iteration_*"))
        return found[-1] if found else None

    def write_checkpoint(self, iteration: int, write: Callable[[Path], None], keep: int) -> Path:
        """Have ``write`` fill a new folder; when it is whole it takes its place, and all but the last ``keep`` go.

        Raises FolderError when it cannot be written, a full disk say; the checkpoints before it are still there.
        """
        checkpoint = self._write_aside("checkpoints", iteration, write)
        for old in sorted(self.path.glob("checkpoints/iteration_*"))[:-keep]:
            shutil.rmtree(old)
        return checkpoint

    def write_snapshot(self, iteration: int, write: Callable[[Path], None]) -> None:
        """The same for a policy that the league has frozen; all of them stay."""
        self._write_aside("snapshots", iteration, write)

    def _write_aside(self, kind: str, iteration: int, write: Callable[[Path], None]) -> Path:
        final = self.path / kind / _name(iteration)
        beside = final.with_name(f".{final.name}")
        try:
            shutil.rmtree(beside, ignore_errors=True)
            beside.mkdir(parents=True)
            write(beside)
            if final.exists():
                shutil.rmtree(final)
            beside.replace(final)
        except OSError as error:
            shutil.rmtree(beside, ignore_errors=True)
            newest = self.newest_checkpoint()
            kept = f"{newest.name} is still there" if newest else "there is none before it"
            raise FolderError(
                f"{final} cannot be written: {error.strerror or error}; {kept}. Make room and go on with "
                f"gouji train --resume {self.path}"
            ) from error
        return final

    # --- log

    def log(self, record: dict[str, Any]) -> None:
        """Append one line to the log."""
        try:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise FolderError(f"{self._log} cannot be written: {error.strerror}; make room, then --resume") from error

    def cut_log(self, iteration: int) -> None:
        """Drop what the log tells of later iterations: a resumed run goes through them again."""
        if self._log.is_file():
            lines = self._log.read_text(encoding="utf-8").splitlines()
            self._replace(self._log, "".join(line + "\n" for line in lines if _iteration(line) <= iteration))

    def _replace(self, file: Path, text: str) -> None:
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(file)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise FolderError(f"{file} cannot be written: {error.strerror}") from None


def _name(iteration: int) -> str:
    return f"iteration_{iteration:06d}"


def _iteration(line: str) -> float:
    try:
        return float(json.loads(line)["iteration"])
    except (ValueError, KeyError, TypeError):
        return float("inf")  # half a line, left by a full disk or a killed process
