"""The learning curve."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from train.plot import draw, evaluations

RECORDS = [
    {"event": "evaluation", "opponent": "random", "seconds": 0, "points_per_deal": 0.1, "low": -1.0, "high": 1.2},
    {"event": "iteration", "iteration": 1, "seconds": 30},
    {"event": "evaluation", "opponent": "random", "seconds": 60, "points_per_deal": 10.5, "low": 10.0, "high": 11.0},
    {"event": "evaluation", "opponent": "greedy", "seconds": 60, "points_per_deal": 2.5, "low": 2.0, "high": 3.0},
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return tmp_path


def test_every_opponent_has_a_line_with_its_points(run: Path) -> None:
    (axes,) = draw(evaluations(run / "log.jsonl"), "title").axes
    lines = {line.get_label(): line for line in axes.get_lines()[:2]}
    assert set(lines) == {"against random: +10.5", "against greedy: +2.5"}
    assert lines["against random: +10.5"].get_xydata().tolist() == [[0, 0.1], [1, 10.5]]


def command(run: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "train.plot", str(run)], capture_output=True, text=True, check=False)


def test_the_picture_lies_in_the_folder_of_the_run(run: Path) -> None:
    assert command(run).returncode == 0
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in run.iterdir()) == ["curve.png", "log.jsonl"]


def test_a_run_without_evaluations_is_refused(run: Path) -> None:
    (run / "log.jsonl").write_text(json.dumps(RECORDS[1]) + "\n")
    refused = command(run)
    assert refused.returncode == 2
    assert "holds no evaluation yet" in refused.stderr
    assert "Traceback" not in refused.stderr
