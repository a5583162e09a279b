"""experiments/statistics: intervals of an agent against its own copy hold 0; the tables are of the figures."""

import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from agents import make
from agents.arena import duel
from agents.arena.statistics import mean_interval
from gouji_env import DealBatch, RuleSet

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "experiments" / "statistics"
PAGES = (Path("experiments/statistics/README.md"), Path("docs/measuring.md"))


@pytest.fixture(scope="module")
def study() -> Iterator[dict[str, ModuleType]]:
    sys.path.insert(0, str(FOLDER))
    yield {name: importlib.import_module(name) for name in ("noisy_agent", "same_agent")}
    sys.path.remove(str(FOLDER))


def test_intervals_of_an_agent_against_its_copy_hold_0(study: dict[str, ModuleType]) -> None:
    """In short: 200 duels of 25 deals, played side by side. ``same_agent.py`` does it at length."""
    halves = duel(make("random"), make("random"), RuleSet.preset("classic"), 5000, 0).halves
    ends = [mean_interval(deals, i) for i, deals in enumerate(halves.mean(axis=1).reshape(200, 25))]
    assert 180 <= study["same_agent"].holding(np.array(ends)) <= 198


def test_the_figures_show_it_at_length() -> None:
    rows = json.loads((FOLDER / "same_agent.json").read_text())
    assert len(rows) >= 3
    for row in rows:
        assert row["duels"] >= 200 and 0.90 <= row["holding"] / row["duels"] <= 0.99


def test_a_noisy_agent_goes_astray_as_often_as_it_says(study: dict[str, ModuleType]) -> None:
    batch, index = DealBatch(RuleSet.preset("classic"), 4000, seed=1), np.arange(4000)
    greedy, noisy = study["noisy_agent"].agent_of("greedy"), study["noisy_agent"].agent_of("greedy~0.25")
    usual, chosen = np.empty(4000, np.int16), np.empty(4000, np.int16)
    streams = np.random.default_rng(1).integers(1 << 63, size=4000).astype(np.uint64)
    greedy.act_batch(batch.rows, index, streams, usual)
    noisy.act_batch(batch.rows, index, streams, chosen)
    assert noisy.name == "greedy, 25 % random"
    assert (usual != chosen).mean() == pytest.approx(0.25, abs=0.03)  # a random action is hardly ever the usual one
    batch.step(chosen)  # all of them legal


def test_the_scripts_write_figures_pictures_and_tables(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "experiments" / "statistics"))
    for page in PAGES:
        (tmp_path / page).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / page, tmp_path / page)
    run("results_page.py", folder)
    for page in PAGES:  # the tables that are there are those of the figures that are there
        assert (tmp_path / page).read_text() == (ROOT / page).read_text(), "run: python results_page.py"
    for name in ("same_agent.json", "same_agent.png", "operating_curve.json", "operating_curve.png"):
        (folder / name).unlink()
    run("same_agent.py", folder, "--duels", "7", "--deals", "4", "random")
    run("duplicate_variance.py", folder, "--deals", "20", "--rules", "classic")
    run("operating_curve.py", folder, "--runs", "10")
    run("results_page.py", folder)
    for page in PAGES:
        text = (tmp_path / page).read_text()
        assert text.count("| random | 7 | 4 |") == 1
        assert text.count("| classic | expert against greedy | +") == 1
        assert text.count("| independent halves | +0.2 |") == 1
    for name in ("same_agent.png", "operating_curve.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")


def run(script: str, folder: Path, *arguments: str) -> None:
    command = [sys.executable, str(folder / script), *arguments]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
