"""Processes of their own: the same bytes whether compiled or not, memory that stays, caches that go stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from core_runs import digest_of_deals

import gouji_env

TESTS = Path(__file__).parent
MIB = 1 << 20


def elsewhere(call: str, **environment: str) -> str:
    """The value of a call of ``core_runs`` in a process of its own."""
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error::RuntimeWarning",
            "-c",
            f"import sys; from core_runs import *; sys.stdout.write(str({call}))",
        ],
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_uncompiled_plays_the_same() -> None:
    assert elsewhere("digest_of_deals(2)", NUMBA_DISABLE_JIT="1") == digest_of_deals(2)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_every_process_plays_the_same(hash_seed: str) -> None:
    assert elsewhere("digest_of_deals(20)", PYTHONHASHSEED=hash_seed) == digest_of_deals(20)


def test_the_digest_tells_deals_apart() -> None:
    assert digest_of_deals(1) != digest_of_deals(2)


@pytest.mark.parametrize("call", ["growth_in_kernels(20_000)", "growth_in_batches(20_000)"])
def test_memory_does_not_grow_over_20_000_deals(call: str) -> None:
    """In a process of its own: elsewhere an earlier peak would hide it."""
    assert int(elsewhere(call)) < 4 * MIB


KERNEL = """
from gouji_env.engine import njit, select_id

@njit
def first_select():
    return select_id(0, 1)

if __name__ == "__main__":
    import sys
    sys.stdout.write(str(first_select()))
"""


def test_an_edit_of_the_engine_makes_cached_kernels_stale(tmp_path: Path) -> None:
    """Numba looks at a kernel's own file alone, the house wrapper at the engine's files too."""
    package = tmp_path / "gouji_env"
    shutil.copytree(Path(gouji_env.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    kernel = tmp_path / "kernel.py"
    kernel.write_text(KERNEL)

    def run() -> str:
        return subprocess.run(
            [sys.executable, str(kernel)],
            env=os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert run() == "23"
    cached = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("kernel*.nb?")}
    assert cached and run() == "23"
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("kernel*.nb?")} == cached
    actions = package / "engine" / "actions.py"
    edited = actions.read_text().replace("return SELECT + base * MAX_SIZE + size - 1", "return 1000 + base + size")
    assert edited != actions.read_text()
    actions.write_text(edited)
    assert run() == "1001"
