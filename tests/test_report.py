"""What a tournament leaves in its folder, and its cross table on the terminal."""

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

from agents.arena import summary
from agents.arena.report import ReportError, cross_table, write_report
from agents.arena.resampling import resampled_totals
from agents.arena.results import PairResult, TournamentResult

LOUD = "<b>loud & $1^2"
NOTE = "cmd:./bot <script>: deal 3, seat 1: no answer within 2.0 s"
SAME_BYTES = ["pairs.csv", "ratings.csv", "results.json"]
FILES = [*SAME_BYTES, "report.html", "timing.csv"]


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    """Each is a fit; what is tested here does not take a thousand."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summary, "resampled_totals", partial(resampled_totals, resamples=40))
        yield


def pair(a: str, b: str, rules: str, mean: float, deals: int = 40, **changes: Any) -> PairResult:
    rng = np.random.default_rng(round(100 * mean) + 2000)
    halves = np.clip(np.rint(rng.normal(mean, 4, (deals, 2))), -12, 12).astype(np.int8)
    places = np.arange(12).reshape(2, 6)
    result = PairResult(a, b, rules, halves, places, (900, 800), (0.5, 0.25), (0, 0), (0, 0), [])
    return replace(result, **changes)


def tournament(pairs: list[PairResult]) -> TournamentResult:
    names = dict.fromkeys(name for result in pairs for name in (result.a, result.b))
    lineups = {name: [name] * 3 for name in names} | {"greedy": ["greedy", "greedy", "random"]}
    return TournamentResult("cup", "standard-1k", lineups, {"classic": "c1a551c", "kaidian": "ca1d1a0"}, pairs)


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    """Under kaidian greedy and the loud one have not met."""
    return tournament(
        [
            pair("expert", "greedy", "classic", 3.0),
            pair("expert", LOUD, "classic", 5.0, illegal=(0, 1), forfeits=(0, 4), notes=[NOTE]),
            pair("greedy", LOUD, "classic", 0.1),
            pair("expert", "greedy", "kaidian", 2.5),
            pair("expert", LOUD, "kaidian", 4.0),
        ]
    )


def written(result: TournamentResult, folder: Path, **options: Any) -> Path:
    folder.mkdir()
    write_report(result, folder, **options)
    return folder


@pytest.fixture(scope="module")
def folder(result: TournamentResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(result, tmp_path_factory.mktemp("report") / "cup", command="gouji tournament cup.yaml <here>")


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder / name).read_text(encoding="utf-8"))))


def test_the_folder_holds_all_files_and_no_other(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


def test_tables_hold_what_was_played(result: TournamentResult, folder: Path) -> None:
    data = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert (data["name"], data["deal_set"]) == ("cup", "standard-1k")
    assert data["lineups"] == result.lineups and data["rules"] == result.rules
    for record, played in zip(data["pairs"], result.pairs, strict=True):
        assert (record["a"], record["b"], record["rules"]) == (played.a, played.b, played.rules)
        assert record["points"] == pytest.approx(played.halves.mean(), rel=1e-5)
        assert record["low"] < record["points"] < record["high"]
        assert (record["won"], record["lost"]) == ((played.halves > 0).sum(), (played.halves < 0).sum())
        assert record["deals_drawn"] == (played.halves.sum(axis=1) == 0).sum()
        assert record["won"] + record["drawn"] + record["lost"] == 2 * record["deals"] == 80
        assert record["sd_deal"] == pytest.approx(played.halves.mean(axis=1).std(ddof=1), rel=1e-5)
        assert [record[f"b_place_{place}"] for place in range(1, 7)] == played.places[1].tolist()
        assert (record["b_illegal"], record["b_forfeits"]) == (played.illegal[1], played.forfeits[1])
        assert record["notes"] == played.notes
    assert [record["better"] for record in data["pairs"]] == ["expert", "expert", "", "expert", "expert"]


def test_csv_and_json_agree(folder: Path) -> None:
    data = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    for record in data["pairs"]:
        del record["notes"]
    for name, records in (("pairs.csv", data["pairs"]), ("ratings.csv", data["ratings"])):
        assert rows(folder, name) == [
            {key: "" if value is None else str(value) for key, value in record.items()} for record in records
        ]


def test_ratings_are_of_all_rule_sets_and_of_each(folder: Path) -> None:
    found = [(row["rules"], row["lineup"], float(row["elo"])) for row in rows(folder, "ratings.csv")]
    assert [rules for rules, _, _ in found] == ["all"] * 3 + ["classic"] * 3 + ["kaidian"] * 3
    assert {name for _, name, _ in found[::3]} == {"expert"}
    assert all(sum(elo for _, _, elo in found[i : i + 3]) == pytest.approx(0, abs=0.2) for i in (0, 3, 6))


def test_only_the_clock_changes_the_bytes(result: TournamentResult, folder: Path, tmp_path: Path) -> None:
    slower = replace(result, pairs=[replace(played, seconds=(9.5, 7.25)) for played in result.pairs])
    again = written(slower, tmp_path / "slower", command="gouji tournament cup.yaml <here>")
    assert {name for name in FILES if (folder / name).read_bytes() != (again / name).read_bytes()} == {
        "timing.csv",
        "report.html",
    }
    write_report(result, again, command="gouji tournament cup.yaml <here>")
    assert all((folder / name).read_bytes() == (again / name).read_bytes() for name in FILES)


def test_time_per_decision(folder: Path) -> None:
    expert = rows(folder, "timing.csv")[0]
    assert (expert["lineup"], expert["rules"], expert["decisions"]) == ("expert", "classic", "1800")
    assert float(expert["milliseconds_per_decision"]) == pytest.approx(1000 / 1800, rel=1e-5)
    assert float(expert["decisions_per_second"]) == 1800


def test_the_page_loads_nothing(page: str) -> None:
    loads = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)|url\(([^)]*)|@import|<link|<iframe""", page)
    assert loads and all((a or b).startswith(("#", "data:")) for a, b in loads)
    assert not re.search(r"https?:", page)


def test_everything_on_the_page_is_escaped(page: str) -> None:
    assert "&lt;b&gt;loud &amp; $1^2" in page and "<b>loud" not in page
    assert "cmd:./bot &lt;script&gt;: deal 3" in page and page.count("<script>") == 1
    assert "gouji tournament cup.yaml &lt;here&gt;" in page


def test_pictures_are_whole_and_show_all_lineups(page: str) -> None:
    pictures = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    # Ratings, three heat maps (of both rule sets and of each), points by rule set, places.
    assert len(pictures) == 6
    for picture in pictures:
        texts = {element.text for element in picture.iter("text")}
        assert {"expert", "greedy", LOUD} <= texts
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_the_page_names_pairs_that_never_met_and_forfeits(result: TournamentResult, tmp_path: Path) -> None:
    challenge = tournament([played for played in result.pairs if played.a == "expert"])
    text = (written(challenge, tmp_path / "cup") / "report.html").read_text(encoding="utf-8")
    assert "1 pair of lineups never met" in text and "greedy and &lt;b&gt;loud" in text
    assert re.search(r"loud &amp; \$1\^2</td>.*<td>80</td><td>4</td><td>1</td>", text)


def test_an_anchor_is_named_and_rated_0(result: TournamentResult, tmp_path: Path) -> None:
    cup = written(result, tmp_path / "cup", anchor="greedy")
    anchors = [row for row in rows(cup, "ratings.csv") if row["lineup"] == "greedy"]
    assert [(float(row["elo"]), row["low"], row["high"]) for row in anchors] == [(0, "", "")] * 3
    assert "Ratings are those over <b>greedy</b>" in (cup / "report.html").read_text(encoding="utf-8")


def test_a_single_deal_is_told_without_intervals(tmp_path: Path) -> None:
    cup = written(tournament([pair("expert", "greedy", "classic", 6.0, deals=1)]), tmp_path / "cup")
    (record,) = json.loads((cup / "results.json").read_text(encoding="utf-8"))["pairs"]
    assert record["points"] > 0 and record["p"] == 1 and record["better"] == ""
    assert {record[key] for key in ("low", "high", "sd_deal", "variance_ratio", "deals_for_0_1")} == {None}
    assert "nan" not in (cup / "report.html").read_text(encoding="utf-8").lower().replace("isnan", "")


def test_a_tournament_without_a_meeting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="'cup': no two lineups met"):
        write_report(tournament([pair("greedy", "greedy", "classic", 0.0)]), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_missing_library_is_named_before_anything_is_written(
    result: TournamentResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "agents.arena.report_page", raising=False)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ReportError, match=r"the report needs jinja2: pip install 'gouji-env\[arena\]'"):
        write_report(result, tmp_path)
    assert not list(tmp_path.iterdir())


def shown(result: TournamentResult, rules: str | None = None) -> list[list[str]]:
    """The lines of the cross table that hold numbers, in cells."""
    console = Console(width=120, file=io.StringIO())
    console.print(cross_table(result, rules))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines() if "│" in line]


def test_cross_table_on_the_terminal(result: TournamentResult) -> None:
    table = shown(result, "kaidian")[::2]
    mean = result.pairs[3].points_per_deal, result.pairs[4].points_per_deal
    assert table[0] == ["1", "expert", f"{sum(mean) / 2:+.2f}", "", f"{mean[0]:+.2f}", f"{mean[1]:+.2f}"]
    assert table[1] == ["2", "greedy", f"{-mean[0]:+.2f}", f"{-mean[0]:+.2f}", "", "·"]
    assert table[2][:2] == ["3", LOUD]


def test_cross_table_of_all_rule_sets_is_their_mean(result: TournamentResult) -> None:
    points = (result.pairs[0].points_per_deal + result.pairs[3].points_per_deal) / 2
    assert shown(result)[0][4] == f"{points:+.2f}"
    assert re.fullmatch(r"±0\.\d\d", shown(result)[1][4])
