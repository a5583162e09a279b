"""``gouji replay``."""

import json
from pathlib import Path

import pytest
import typer
from record_support import match_records, write_lines
from typer.testing import CliRunner, Result

from gouji_env import replay_cli
from gouji_env.cli import register

app = typer.Typer()
register(app)


def gouji_replay(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["replay", *map(str, arguments)], input=typed, env={"COLUMNS": "120"})


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "games.jsonl", match_records("kaidian", deals=3))


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    records = match_records("kaidian", deals=3)
    records[1]["actions"][5][0] = (records[1]["actions"][5][0] + 1) % 6
    return write_lines(tmp_path / "broken.jsonl", records)


def test_it_steps_through_deals_from_piped_lines(games: Path) -> None:
    ends = [len(record["actions"]) for record in match_records("kaidian", deals=3)]
    result = gouji_replay(games, typed=f"n\np\n{ends[0]}\n\n\nq\n")
    assert result.exit_code == 0, result.output
    shown = [line for line in result.stdout.splitlines() if "games.jsonl:" in line]
    assert [line[line.index("games") :] for line in shown] == [
        f"games.jsonl:1, kaidian, step {step} of {ends[0]}" for step in (0, 1, 0, ends[0])
    ] + [f"games.jsonl:2, kaidian, step {step} of {ends[1]}" for step in (0, 1)]
    assert "\033" not in result.stdout


def test_the_end_of_the_input_ends_it(games: Path) -> None:
    result = gouji_replay(games, "--deal", 2, typed="n\n")
    assert result.exit_code == 0
    assert result.stdout.count("games.jsonl:2,") == 2 and "games.jsonl:1," not in result.stdout


def test_all_prints_every_step_of_every_deal(games: Path) -> None:
    steps = [len(record["actions"]) + 1 for record in match_records("kaidian", deals=3)]
    result = gouji_replay(games, "--all")
    assert result.exit_code == 0
    assert [result.stdout.count(f"games.jsonl:{line},") for line in (1, 2, 3)] == steps
    picked = gouji_replay(games, "--all", "--deal", 3, "--deal", 1, "--seat", 0)
    assert picked.stdout.index("games.jsonl:1,") < picked.stdout.index("games.jsonl:3,")
    assert "games.jsonl:2," not in picked.stdout
    assert "░" in picked.stdout and "░" not in result.stdout


def test_deals_before_one_that_does_not_hold_are_shown(broken: Path) -> None:
    result = gouji_replay(broken, "--all")
    assert result.exit_code == 2
    assert "broken.jsonl:1," in result.stdout and "broken.jsonl:2," not in result.stdout
    assert "broken.jsonl:2: action 6 of " in result.stderr


def test_verify_tells_how_many_hold(games: Path) -> None:
    result = gouji_replay(games, "--verify")
    assert (result.exit_code, result.stdout) == (0, f"{games}: all 3 deals hold\n")


def test_verify_names_the_first_that_does_not(broken: Path) -> None:
    result = gouji_replay(broken, "--verify")
    assert (result.exit_code, result.stdout) == (1, "")
    [line] = result.stderr.splitlines()
    assert line.startswith(f"error: {broken}:2: action 6 of ") and "it is the decision of seat" in line


def test_a_page_is_written(games: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert gouji_replay(games, "--html", page).exit_code == 0
    content = page.read_text(encoding="utf-8")
    assert content.startswith("<!doctype html>") and "<title>Gouji: games.jsonl</title>" in content
    assert content.count('"line":') == 3
    assert gouji_replay(games, "--html", page, "--deal", 2, "--seat", 5).exit_code == 0
    content = page.read_text(encoding="utf-8")
    assert content.count('"line":') == 1 and '"line":2,' in content and '"viewer":5,' in content
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games.jsonl", "page.html"]


def test_a_page_takes_so_many_deals_and_says_so(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gouji_env.replay_page.PAGE_DEALS", 2)
    page = tmp_path / "page.html"
    result = gouji_replay(games, "--html", page)
    assert (result.exit_code, result.stderr) == (0, f"{page} holds the first 2 deals; --deal N chooses others\n")
    assert page.read_text().count('"line":') == 2
    refused = gouji_replay(games, "--html", page, "--deal", 1, "--deal", 2, "--deal", 3)
    assert refused.exit_code == 2 and "--deal: 3 deals are too many; a page takes 2" in refused.stderr


def test_a_bad_record_leaves_the_old_page(broken: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")
    assert gouji_replay(broken, "--html", page).exit_code == 2
    assert page.read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.jsonl"], "none.jsonl cannot be read: No such file"),
        (["none.jsonl", "--verify"], "none.jsonl cannot be read: No such file"),
        (["."], ". cannot be read: Is a directory"),
        (["GAMES", "--deal", "4"], "it has 3 lines, there is no line 4"),
        (["GAMES", "--html", "no/page.html"], "no/page.html cannot be written"),
        (["GAMES", "--verify", "--deal", "1"], "--verify checks the whole file"),
        (["GAMES", "--html", "page.html", "--all"], "give one of them"),
        (["EMPTY"], "empty.jsonl holds no record"),
        (["EMPTY", "--html", "page.html"], "empty.jsonl holds no record"),
    ],
)
def test_bad_input_is_one_line_and_status_2(games: Path, arguments: list[str], message: str) -> None:
    empty = games.with_name("empty.jsonl")
    empty.touch()
    paths = {"GAMES": games, "EMPTY": empty}
    result = gouji_replay(*(paths.get(argument, argument) for argument in arguments))
    assert result.exit_code == 2
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    assert line.startswith("error: ") and message in line


@pytest.mark.parametrize("options", [["--seat", "6"], ["--deal", "0"]])
def test_numbers_out_of_range_are_refused(games: Path, options: list[str]) -> None:
    result = gouji_replay(games, *options)
    assert result.exit_code == 2 and f"Invalid value for '{options[0]}'" in result.stderr


def test_ctrl_c_ends_it_with_a_word(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay_cli, "_show_page", interrupt)
    result = gouji_replay(games)
    assert (result.exit_code, result.stderr) == (130, "interrupted\n")


def test_a_page_of_the_longest_file_needs_its_first_lines_only(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = json.dumps(match_records("classic", deals=1)[0])
    path.write_text(f"{record}\n" * 30 + "no record\n")
    assert gouji_replay(path, "--html", tmp_path / "page.html").exit_code == 0
