"""What a tournament leaves in its folder: ``results.json pairs.csv ratings.csv timing.csv report.html``.

All but ``timing.csv`` and ``report.html`` are the same bytes for the same result, whatever the clock said.
"""

import csv
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from agents.arena.ratings import ReportError
from agents.arena.resampling import resampled_totals
from agents.arena.results import TournamentResult
from agents.arena.statistics import CONFIDENCE
from agents.arena.summary import Cross, PairRow, Summary, cross, played_rules, summarize
from gouji_env.files import written_aside

__all__ = ["ReportError", "check_installed", "cross_table", "write_report"]


def write_report(result: TournamentResult, folder: Path, *, command: str = "", anchor: str | None = None) -> None:
    """Write tables and the page of ``result`` into ``folder``, which exists.

    ``command``: what plays this tournament again, for the page. ``anchor``: the lineup rated 0 (None: the mean is 0).
    Each file is written aside and renamed. Raises ReportError for an anchor that did not play, for a result without
    two lineups that met, and where the extra ``arena`` is not installed; OSError for a folder that cannot be written.
    """
    check_installed()
    from agents.arena.report_page import report_page

    if not played_rules(result):
        raise ReportError(f"tournament {result.name!r}: no two lineups met, so there is nothing to compare")
    summary = summarize(result, anchor)
    with written_aside(folder / "results.json") as file:
        json.dump(results_json(summary), file, indent=1, ensure_ascii=False, allow_nan=False)
        file.write("\n")
    for name, rows in (
        ("pairs.csv", [pair_record(row) for row in summary.pairs]),
        ("ratings.csv", rating_records(summary)),
        ("timing.csv", timing_records(summary)),
    ):
        _write_csv(folder / name, rows)
    with written_aside(folder / "report.html") as file:
        file.write(report_page(summary, command))


def check_installed() -> None:
    """Raise ReportError where a library of the extra ``arena`` is missing: a report is wanted after hours of play."""
    try:
        import choix  # noqa: F401

        import agents.arena.report_page  # noqa: F401
    except ImportError as error:
        raise ReportError(f"the report needs {error.name}: pip install 'gouji-env[arena]'") from None


def _write_csv(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    rows = list(rows)
    with written_aside(path) as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def pair_record(row: PairRow) -> dict[str, Any]:
    """A pair as a flat row of numbers and strings; what is not known is None."""
    record = {key: significant(value) for key, value in vars(row).items() if not isinstance(value, tuple)}
    for number, side in enumerate("ab"):
        record[f"{side}_decisions"] = row.decisions[number]
        record[f"{side}_illegal"] = row.illegal[number]
        record[f"{side}_forfeits"] = row.forfeits[number]
        record |= {f"{side}_place_{place}": count for place, count in enumerate(row.places[number], 1)}
    return record


def rating_records(summary: Summary) -> list[dict[str, Any]]:
    """The fit of all rule sets (rules: "all"), then of each; a group holds lineups linked by deals played."""
    return [
        {
            "rules": "all" if rules is None else rules,
            "group": number,
            "tier": rating.tier,
            "lineup": rating.lineup,
            "elo": round(rating.elo, 1),
            "low": None if math.isnan(rating.low) else round(rating.low, 1),
            "high": None if math.isnan(rating.high) else round(rating.high, 1),
            "deals": rating.deals,
            "score": significant(rating.score),
        }
        for rules, table in summary.ratings.items()
        for number, group in enumerate(table.groups, 1)
        for rating in group
    ]


def timing_records(summary: Summary) -> list[dict[str, Any]]:
    """How long the lineups thought, by the clock of the machines that played."""
    return [
        {
            "lineup": row.lineup,
            "rules": row.rules,
            "decisions": row.decisions,
            "seconds": round(row.seconds, 6),
            "milliseconds_per_decision": significant(1000 * row.seconds / row.decisions) if row.decisions else None,
            "decisions_per_second": significant(row.decisions / row.seconds) if row.seconds else None,
        }
        for row in summary.play
    ]


def results_json(summary: Summary) -> dict[str, Any]:
    """All tables but the clock's, with what was played."""
    result = summary.result
    return {
        "name": result.name,
        "deal_set": result.deal_set,
        "confidence": CONFIDENCE,
        "lineups": result.lineups,
        "rules": result.rules,
        "pairs": [
            pair_record(row) | {"notes": pair.notes} for row, pair in zip(summary.pairs, result.pairs, strict=True)
        ],
        "anchor": summary.ratings[None].anchor,
        "ratings": rating_records(summary),
        "points": [
            {"rules": "all" if rules is None else rules, "lineup": name}
            | {
                key: significant(float(values[i]))
                for key, values in (("points", table.mean), ("low", table.mean_low), ("high", table.mean_high))
            }
            for rules, table in summary.crosses.items()
            for i, name in enumerate(table.names)
        ],
    }


def significant(value: Any) -> Any:
    """Floats to six significant digits, which every machine agrees on; nan, which JSON does not know, is None."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else float(f"{value:.6g}")


def cross_table(result: TournamentResult, rules: str | None = None) -> Table:
    """Points per deal of the rows against the columns, with 95 % intervals, for the terminal.

    ``rules``: the name of one rule set; None for the mean over all. Those with the best mean stand first; column 2 is
    the lineup of row 2. Green and red: the interval does not hold 0.
    """
    totals = resampled_totals(result.pairs)
    table = cross(totals if rules is None else totals.of_rules(rules), list(result.lineups))
    order = sorted(range(len(table.names)), key=lambda i: (math.isnan(table.mean[i]), -table.mean[i]))
    shown = Table(title=f"{result.name}: points per deal, {rules or 'mean over rule sets'}, {result.deal_set}")
    for heading in ("", "", "mean", *map(str, range(1, len(order) + 1))):
        shown.add_column(heading, justify="right" if heading else "left", no_wrap=bool(heading))
    for number, i in enumerate(order, 1):
        mean = _cell(table.mean[i], table.mean_low[i], table.mean_high[i])
        shown.add_row(str(number), escape(table.names[i]), mean, *(_cross_cell(table, i, j) for j in order))
    return shown


def _cross_cell(table: Cross, i: int, j: int) -> str:
    return "" if i == j else _cell(table.points[i, j], table.low[i, j], table.high[i, j])


def _cell(points: float, low: float, high: float) -> str:
    if math.isnan(points):
        return "·"
    if math.isnan(low):
        return f"{points:+.2f}"
    text = f"{points:+.2f}\n±{(high - low) / 2:.2f}"
    colour = "green" if low > 0 else "red" if high < 0 else ""
    return f"[{colour}]{text}[/]" if colour else text
