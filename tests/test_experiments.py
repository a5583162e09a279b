"""The scripts of ``experiments/`` that no README block runs."""

import json
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

from gouji_env.bench import Result, Row
from gouji_env.bench.peers import Peer
from gouji_env.bench.report import Comparison, as_json

ROOT = Path(__file__).parent.parent
OURS = Row("playouts", "decisions/s", lambda: nullcontext(lambda: 1), 5e6)
THEIRS = Peer(Row("peer", "decisions/s", lambda: nullcontext(lambda: 1)), "playouts", least=9.0)


def test_benchmark_table_is_written_from_the_figures(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "experiments" / "benchmarks", tmp_path / "benchmarks"))
    results = [Result(OURS, (6e6, 6_543_210.0, 7e6)), Result(OURS, skipped="nothing here")]
    comparisons = [Comparison(Result(THEIRS.row, (5e5, 543_210.0, 6e5)), THEIRS, results[0])]
    (folder / "speed.json").write_text(json.dumps(as_json(results, comparisons)))
    for _ in range(2):  # the second time over its own tables
        subprocess.run([sys.executable, str(folder / "table.py")], check=True)
    page = (folder / "README.md").read_text()
    assert page.count("| playouts | 6,540,000 | 7,000,000 | decisions/s | 5,000,000 | yes |") == 1
    assert page.count("| playouts | skipped | skipped | decisions/s | 5,000,000 |  |") == 1
    assert page.count("| peer | 543,000 | decisions/s | playouts | 12 | 9 | yes |") == 1
    assert page.startswith("# How fast is it?")
