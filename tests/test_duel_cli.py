"""``gouji evaluate``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

import agents.cli

app = typer.Typer()
agents.cli.register(app)


@app.callback()
def gouji() -> None:
    """Keeps ``evaluate`` a command of its own, as in ``gouji``."""


def evaluate(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["evaluate", *arguments], env={"COLUMNS": "120"})


def test_table_and_json_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    result = evaluate("greedy", "random", "--deals", "40", "--seed", "3", "--json", str(file))
    assert result.exit_code == 0, result.output
    content = json.loads(file.read_text())
    assert (content["a"], content["b"], content["rules"], content["deals"]) == ("greedy", "random", "classic", 40)
    assert content["wins"] + content["draws"] + content["losses"] == 80
    low, high = content["interval_95"]
    assert low <= content["points_per_deal"] <= high
    for text in ("greedy against random", f"{content['points_per_deal']:+.2f}", f"{low:+.2f} .. {high:+.2f}"):
        assert text in result.stdout
    assert list(tmp_path.iterdir()) == [file]


def test_rules_from_a_file(tmp_path: Path) -> None:
    rules, file = tmp_path / "mine.yaml", tmp_path / "result.json"
    rules.write_text("preset: classic\nyield: any\n")
    result = evaluate("greedy", "greedy", "--deals", "2", "--rules", str(rules), "--json", str(file))
    assert result.exit_code == 0, result.output
    assert json.loads(file.read_text())["rules"] == "classic (yield=any)"


def test_a_single_deal_has_no_interval(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    result = evaluate("greedy", "random", "--deals", "1", "--json", str(file))
    assert "none: a single deal" in result.stdout
    assert json.loads(file.read_text())["interval_95"] is None


def test_same_seed_same_bytes_in_every_process(tmp_path: Path) -> None:
    arguments = ["greedy", "random", "--deals", "20", "--seed", "5", "--json"]
    assert evaluate(*arguments, str(tmp_path / "here")).exit_code == 0
    code = "import sys; sys.path.insert(0, 'tests'); import test_duel_cli; test_duel_cli.app()"
    for hash_seed in ("0", "1"):
        subprocess.run(
            [sys.executable, "-c", code, "evaluate", *arguments, str(tmp_path / hash_seed)],
            cwd=Path(__file__).parent.parent,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        )
        assert (tmp_path / hash_seed).read_bytes() == (tmp_path / "here").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gready", "random"], "unknown agent 'gready'; known agents: checkpoint, greedy, random"),
        (["greedy", "checkpoint"], "write checkpoint:DIR"),
        (["greedy", "random", "--rules", "poker"], "presets are classic, yang2004"),
        (["greedy", "random", "--deals", "0"], "deals: 0"),
        (["greedy", "random", "--seed", "-1"], "seed: -1"),
        (["greedy", "random", "--json", "nowhere/result.json"], "nowhere/result.json cannot be written"),
        (["greedy", "random", "--json", "."], "is a folder"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], message: str) -> None:
    result = evaluate(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert message in line


@pytest.mark.parametrize("content", ["preset: classic\ncolour: red\n", "preset: [\n", "- classic\n"])
def test_bad_rule_files_are_one_line_that_names_the_file(tmp_path: Path, content: str) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text(content)
    result = evaluate("greedy", "random", "--rules", str(rules))
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert str(rules) in line


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_what_was_in_the_json_file_stays_when_playing_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    def stop(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(agents.cli, "duel", stop)
    file = tmp_path / "result.json"
    file.write_text("before")
    result = evaluate("greedy", "random", "--json", str(file))
    if error is KeyboardInterrupt:
        assert (result.exit_code, result.stderr) == (130, "interrupted\n")
    else:
        assert isinstance(result.exception, ZeroDivisionError)  # a bug keeps its traceback
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_text() == "before"
