"""``gouji rules`` and ``gouji bench``."""

import importlib.util
import io
import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from gouji_env import bench, engine
from gouji_env.bench import core, report
from gouji_env.bench.peers import Peer, peers
from gouji_env.cli import register
from gouji_env.files import written_aside
from gouji_env.rules import PRESETS, RuleSet

MODULES = {"OpenSpiel": "pyspiel", "RLCard": "rlcard", "PettingZoo": "pygame"}

app = typer.Typer()
register(app)


def gouji(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def cells(output: str, first: str) -> list[str]:
    """The words of the table row that begins with ``first``."""
    return next(line.split() for line in output.splitlines() if line.split()[:1] == [first])


def test_rules_shows_every_switch_of_every_preset() -> None:
    output = gouji("rules")
    assert cells(output, "switch") == ["switch", *PRESETS]
    for switch in RuleSet.preset("classic").switches():
        assert cells(output, switch)
    assert cells(output, "yield") == ["yield", "none", "any", "any", "nongouji", "nongouji", "any"]


def test_rules_of_a_preset_names_the_values_that_a_switch_can_take() -> None:
    output = gouji("rules", "yang2004")
    assert RuleSet.preset("yang2004").digest() in output
    assert cells(output, "burn_order") == ["burn_order", "fed_first", "fed_first", "seat_first", "seat_around"]
    assert cells(output, "revolution_rights") == ["revolution_rights", "3", "0-36"]


def test_rules_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("preset: classic\nhung_twos: off\n")
    output = gouji("rules", str(file))
    assert cells(output, "hung_twos")[1] == "off"
    assert "classic (hung_twos=False)" in output


def rows(output: str) -> dict[str, list[str]]:
    """The rows of a table of switches, by switch."""
    switches = RuleSet.preset("classic").switches()
    return {words[0]: words[1:] for words in map(str.split, output.splitlines()) if words and words[0] in switches}


def test_diff_shows_the_switches_that_differ_and_no_others() -> None:
    for a in PRESETS:
        for b in PRESETS:
            assert rows(gouji("rules", "--diff", a, b)).keys() == RuleSet.preset(b).overrides(a).keys()
    shown = rows(gouji("rules", "--diff", "classic", "kaidian"))
    assert shown["hung_twos"] == ["on", "off"]
    assert shown["deck"] == ["3s", "16,", "4s", "16", "3s", "6,", "4s", "6"]
    assert shown["yield"] == ["none", "nongouji"]


def test_diff_takes_files_and_says_when_nothing_differs(tmp_path: Path) -> None:
    file = tmp_path / "mine [1].yaml"
    file.write_text("preset: classic\nsiji: any\n")
    output = gouji("rules", "--diff", str(file), "classic")
    assert rows(output) == {"siji": ["any", "gouji"]}
    assert "mine [1].yaml" in output
    file.write_text("preset: classic\n")
    same = gouji("rules", "--diff", "classic", str(file))
    assert "are the same rules" in same and RuleSet.preset("classic").digest() in same


@pytest.mark.parametrize("arguments", [(), ("tv_biesan",), ("--diff", "tv_biesan", "qingdao")])
def test_tv_biesan_is_never_shown_without_saying_that_it_is_reconstructed(arguments: tuple[str, ...]) -> None:
    assert "tv_biesan is reconstructed" in gouji("rules", *arguments)


def test_rules_that_rest_on_texts_carry_no_such_note() -> None:
    assert "reconstructed" not in gouji("rules", "kaidian") + gouji("rules", "--diff", "kaidian", "biesan")


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    return result.output


def test_unknown_rules_are_refused_with_the_presets() -> None:
    assert "klassic: neither a rule file nor a preset; presets are classic, yang2004" in refused("rules", "klassic")


def test_diff_refuses_what_it_cannot_compare() -> None:
    assert "klassic: neither a rule file nor a preset" in refused("rules", "--diff", "classic", "klassic")
    assert "requires 2 arguments" in refused("rules", "--diff", "classic")
    assert "one thing at a time" in refused("rules", "qingdao", "--diff", "classic", "yang2004")
    assert "one thing at a time" in refused("rules", "--actions", "--diff", "classic", "yang2004")


def test_a_rule_file_with_an_unknown_switch_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("preset: classic\nhung_tows: off\n")
    assert f"{file}: hung_tows: unknown switch; did you mean hung_twos?" in refused("rules", str(file))


def test_actions_are_printed_one_a_line() -> None:
    lines = [line.split(maxsplit=1) for line in gouji("rules", "--actions").splitlines()]
    table = {line[0]: line[1].strip() for line in lines if line and line[0].isdigit() and line[0] != "912"}
    assert table == {str(action): engine.action_name(action) for action in range(engine.ACTIONS)}


def counting_row(name: str, unit: str, target: float | None) -> bench.Row:
    return bench.Row(name, unit, lambda: nullcontext(lambda: 1000), target)


def broken_row() -> bench.Row:
    def prepare() -> AbstractContextManager[bench.Chunk]:
        raise bench.Skipped("nothing [here]")

    return bench.Row("broken", "decisions/s", prepare, 1.0)


def test_a_rate_must_reach_its_target_and_a_time_must_stay_below() -> None:
    rows = [
        counting_row("fast", "decisions/s", 10.0),
        counting_row("slow", "us", 1e-12),
        counting_row("free", "us", None),
        broken_row(),
    ]
    rate, time, free, skipped = bench.measure(rows, seconds=0.001)
    assert rate.reached is True
    assert len(rate.values) == 5 and min(rate.values) <= rate.value <= max(rate.values) == rate.best
    assert time.reached is False and time.best == min(time.values)
    assert free.reached is None and free.value > 0
    assert skipped.reached is None
    assert skipped.skipped == "nothing [here]" and not skipped.values


def test_rows_take_turns() -> None:
    turns = []

    def row(name: str) -> bench.Row:
        return bench.Row(name, "decisions/s", lambda: nullcontext(lambda: turns.append(name) or 1))

    bench.measure([row("a"), row("b")], seconds=0.0, repeats=3)
    assert turns == ["a", "b"] * 3


def test_report_shows_and_writes_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [counting_row("fast", "decisions/s", 10.0), broken_row()]
    monkeypatch.setattr(report, "all_rows", lambda: iter(rows))
    theirs = counting_row("theirs", "decisions/s", None)
    monkeypatch.setattr(report, "all_peers", lambda: iter([Peer(theirs, "fast"), Peer(theirs, "broken")]))
    console = Console(record=True, width=160)
    file = io.StringIO()
    report.run(seconds=0.001, vs_peers=True, json_file=file, console=console)
    text = console.export_text()
    assert "fast" in text and "nothing [here]" in text and "theirs" in text
    written = json.loads(file.getvalue())
    assert [row["name"] for row in written["rows"]] == ["fast", "broken"]
    assert written["rows"][0]["reached"] is True
    ratios = [a / b for a, b in zip(written["rows"][0]["repeats"], written["peers"][0]["repeats"], strict=True)]
    assert written["peers"][0]["ratio"] == pytest.approx(sorted(ratios)[2])
    assert written["peers"][1]["ratio"] is None


def test_numbers_have_three_digits() -> None:
    assert [report.number(value) for value in (6_543_210.0, 60_123.0, 0.16789, 2.0)] == [
        "6,540,000",
        "60,100",
        "0.168",
        "2",
    ]


def test_bench_measures_the_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "ENTRY_POINTS", "gouji.bench.none")
    file = tmp_path / "speed.json"
    gouji("bench", "--seconds", "0.01", "--json", str(file))
    rows = json.loads(file.read_text())["rows"]
    assert [row["name"] for row in rows] == [row.name for row in core.rows()]
    assert all(row["median"] > 0 for row in rows)


def test_bench_refuses_an_unwritable_file_before_it_measures(tmp_path: Path) -> None:
    assert "cannot be written" in refused("bench", "--json", str(tmp_path / "no" / "speed.json"))
    assert "is a folder; name a file in it" in refused("bench", "--json", str(tmp_path))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "speed.json"
    file.write_text("old")
    with pytest.raises(RuntimeError), written_aside(file) as aside:
        aside.write("half")
        raise RuntimeError
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["speed.json"]


@pytest.mark.parametrize("peer", peers(), ids=lambda peer: peer.row.name)
def test_a_peer_is_measured_or_says_what_to_install(peer: Peer) -> None:
    (result,) = bench.measure([peer.row], seconds=0.01, repeats=1)
    if importlib.util.find_spec(MODULES[peer.row.name.split()[0]]):
        assert result.value > 0
    else:
        assert result.skipped.endswith("is not installed: pip install 'gouji-env[bench]'")
    assert peer.ours in [row.name for row in core.rows()]
