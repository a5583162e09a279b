"""Everything that the README and the docs tell people to type is typed here.

Long commands run in a reduced form: the same command line with smaller numbers (``REDUCED``) and with the
folder ``runs`` laid in a temporary one. A command that no rule here knows fails the test.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from agents.arena import schedule

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

TINY_RUN = {
    "budget.seconds": "null",
    "budget.iterations": "2",
    "network.policy": "[16]",
    "network.critic": "[16]",
    "sampling.deals": "8",
    "sampling.rows": "256",
    "evaluation.deals": "2",
    "ppo.minibatch": "128",
    "threads": "1",
}
REDUCED = {
    "train configs": [word for field, value in TINY_RUN.items() for word in ("--set", f"{field}={value}")],
    "evaluate": ["--deals", "2"],
    "tournament": ["--workers", "1", "--set", "deal_set=seed-1", "--set", "deals=4"],
    "bench": ["--seconds", "0.01"],
}
AS_THEY_ARE = {"--deal-set", "--until-decided"}  # how many deals is theirs to say; the pages name quick ones
# The rows of training take a minute; tests/test_train_bench.py tries them small.
WITHOUT_TRAINING_ROWS = "from gouji_env.bench import report; report.ENTRY_POINTS = 'none'"


def blocks(language: str) -> list[tuple[str, str]]:
    """(page and number, text) of every code block in a language."""
    return [
        (f"{page.name}-{number}", text)
        for page in PAGES
        for number, (tag, text) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
        if tag == language
    ]


def run(*command: str, **environment: str) -> str:
    environment = {"OMP_NUM_THREADS": "1", **environment}
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{shlex.join(command)}\n{result.stdout}{result.stderr}"
    return result.stdout


@pytest.mark.parametrize(("name", "code"), blocks("python"), ids=[name for name, _ in blocks("python")])
def test_python_block(name: str, code: str, tmp_path: Path) -> None:
    script = tmp_path / "block.py"
    script.write_text(code, encoding="utf-8")
    run(sys.executable, "-W", "error::DeprecationWarning:__main__", str(script))


@pytest.mark.parametrize(("name", "content"), blocks("yaml"), ids=[name for name, _ in blocks("yaml")])
def test_yaml_block_is_a_rule_set_or_a_tournament(name: str, content: str, tmp_path: Path) -> None:
    file = tmp_path / "block.yaml"
    file.write_text(content, encoding="utf-8")
    if "agents:" in content:
        assert schedule.load(file, []).pairs()
    else:
        gouji("rules", str(file))


def test_shell_blocks(tmp_path: Path) -> None:
    lines = [line for _, text in blocks("bash") for line in text.splitlines() if line.strip()]
    assert lines
    for line in dict.fromkeys(lines):  # once, where two pages name the same command
        try_command([word.replace("runs/", f"{tmp_path}/") for word in shlex.split(line, comments=True)])


def test_demo(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    tiny = REDUCED["train configs"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shown = run("bash", "experiments/demo/run.sh", str(folder), *tiny, PATH=path, DEALS="2")
    assert "iteration     0  against greedy" in shown
    assert shown.count("points per deal") == 2
    for opponent in ("random", "greedy"):
        assert json.loads((folder / f"against_{opponent}.json").read_text())["deals"] == 2
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")

    log = (folder / "log.jsonl").read_text()
    again = run("bash", "experiments/demo/run.sh", str(folder), PATH=path, DEALS="2")
    assert "holds an earlier run" in again
    assert again.count("points per deal") == 2
    assert (folder / "log.jsonl").read_text() == log


def try_command(words: list[str]) -> None:
    program, *arguments = words
    if program == "gouji":
        try_gouji(arguments)
    elif program == "make":
        run("make", "-n", *arguments)  # what demo runs is test_demo's; the others are this very test run
    elif program == "pip":
        assert arguments[0] == "install"
        named = re.fullmatch(r"\.(?:\[([\w,]+)\])?", arguments[1])
        assert named, arguments
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert set(filter(None, (named[1] or "").split(","))) <= set(extras)
    elif program == "tensorboard":
        assert list(Path(arguments[1]).rglob("events.out.tfevents.*"))
    else:
        raise AssertionError(f"no rule for {words}")


def try_gouji(arguments: list[str]) -> None:
    for start, reduction in REDUCED.items():
        if " ".join(arguments).startswith(start) and not AS_THEY_ARE & set(arguments):
            arguments = [*arguments, *reduction]
    gouji(*arguments)


def gouji(*arguments: str) -> str:
    return run(sys.executable, "-c", f"{WITHOUT_TRAINING_ROWS}; from train.cli import main; main()", *arguments)
