"""experiments/baselines: the page is of the figures beside it; the regression finds weights that are known."""

import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

FOLDER = Path(__file__).parent.parent / "experiments" / "baselines"


@pytest.fixture
def worth() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("worth")
    sys.path.remove(str(FOLDER))


def test_the_page_is_written_from_the_figures(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(FOLDER, tmp_path / "baselines"))
    runs = []
    for prefix in ("", "search_", "search_others_"):
        runs.append(tmp_path / f"run{prefix}")
        runs[-1].mkdir()
        for name in ("ratings.csv", "pairs.csv"):
            (copy / f"{prefix}{name}").rename(runs[-1] / name)
    (copy / "worth.png").unlink()
    subprocess.run([sys.executable, str(copy / "page.py"), *map(str, runs)], check=True)
    assert (copy / "README.md").read_text() == (FOLDER / "README.md").read_text()
    assert (copy / "worth.png").read_bytes().startswith(b"\x89PNG")


def test_the_regression_finds_known_weights_with_their_error(worth: ModuleType) -> None:
    chance = np.random.default_rng(1)
    features = np.column_stack([np.ones(6000), chance.normal(size=(6000, 2))])
    shared = np.repeat(chance.normal(size=1000), 6)  # errors that hang together within a deal
    values = features @ [0.5, -1.0, 2.0] + shared + chance.normal(size=6000)
    found = worth.regression(features, values, ["one", "two", "three"], groups=6)
    for one, true in zip(found, (0.5, -1.0, 2.0), strict=True):
        assert one.low < true < one.high
    constant, slope = ((one.high - one.low) / 2 for one in found[:2])
    np.testing.assert_allclose(constant, 1.96 * np.sqrt(1 / 1000 + 1 / 6000), rtol=0.1)
    np.testing.assert_allclose(slope, 1.96 * np.sqrt(2 / 6000), rtol=0.1)
