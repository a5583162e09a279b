"""Write the figures of the tournaments and of worth.json as the tables and pictures of README.md.

    python experiments/baselines/page.py RUN SEARCH_RUN SEARCH_OTHERS_RUN

takes ``ratings.csv`` and ``pairs.csv`` out of the tournaments' folders, and keeps copies beside this page.
"""

import csv
import json
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

HERE = Path(__file__).parent
REGION = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
COLOURS = ("#2166ac", "#b2182b", "#009e73", "#e69f00", "#7b3294", "#555555")
MARKERS = "osD^vP"

Records = list[dict[str, str]]


def read(name: str) -> Records:
    with (HERE / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def interval(record: dict[str, Any], value: str = "points") -> str:
    half = (float(record["high"]) - float(record["low"])) / 2
    return f"{float(record[value]):+.2f} ± {half:.2f}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * words}{' ---: |' * (len(heads) - words)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def in_order(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))


def pairs_table(pairs: Records) -> str:
    """Points per deal of each pair under each rule set."""
    rules = in_order([pair["rules"] for pair in pairs])
    found = {(pair["a"], pair["b"], pair["rules"]): interval(pair) for pair in pairs}
    rows = [
        [f"{a} against {b}", *(found.get((a, b, name), "") for name in rules)]
        for a, b in in_order([(pair["a"], pair["b"]) for pair in pairs])
    ]
    rows.append(["deals", *(next(pair["deals"] for pair in pairs if pair["rules"] == name) for name in rules)])
    return table(["points per deal", *rules], rows)


def ratings_table(ratings: Records) -> str:
    """Ratings of the fit over all rule sets, best first."""
    rows = []
    for rating in ratings:
        if rating["rules"] == "all":
            ends = [f"{float(rating[end]):+.0f}" for end in ("low", "high") if rating[end]]  # the anchor has none
            rows.append([rating["lineup"], f"{float(rating['elo']):+.0f}", " .. ".join(ends)])
    return table(["lineup", "rating", "95 % interval"], rows)


def worth_table(worth: dict[str, Any], which: str) -> str:
    names = [one["what"] for one in next(iter(worth.values()))[which]]
    found = {rules: {one["what"]: interval(one) for one in study[which]} for rules, study in worth.items()}
    rows = [[name, *(found[rules][name] for rules in worth)] for name in names]
    if which == "to_side":
        rows.append(["share of the variance explained", *(f"{study['explained']:.0%}" for study in worth.values())])
    return table(["points", *worth], rows)


def marks(groups: dict[str, list[dict[str, Any]]], label: str, file: str) -> None:
    """A picture: for each ``what`` a line, with a mark and its interval for each group."""
    names = [one["what"] for one in next(iter(groups.values()))]
    figure = Figure(figsize=(8, 0.8 + 0.5 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    for number, (group, found) in enumerate(groups.items()):
        shift = 0.6 * ((number + 0.5) / len(groups) - 0.5)
        at = [i + shift for i in range(len(found))]
        axes.hlines(at, [one["low"] for one in found], [one["high"] for one in found], color=COLOURS[number])
        points = [one["points"] for one in found]
        axes.plot(points, at, MARKERS[number], color=COLOURS[number], label=group, markersize=4)
    axes.axvline(0, color="black", linewidth=0.8)
    for border in range(1, len(names)):
        axes.axhline(border - 0.5, color="black", linewidth=0.4, alpha=0.25)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(label)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(HERE / file, dpi=120, metadata={"Software": None})


def strengths(pairs: Records) -> dict[str, list[dict[str, Any]]]:
    """Points against greedy by rule set, for the picture."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for pair in pairs:
        if "greedy" in (pair["a"], pair["b"]):
            other, sign = (pair["b"], -1) if pair["a"] == "greedy" else (pair["a"], 1)
            ends = sorted(sign * float(pair[end]) for end in ("low", "high"))
            mark = {"what": other, "points": sign * float(pair["points"]), "low": ends[0], "high": ends[1]}
            groups.setdefault(pair["rules"], []).append(mark)
    return groups


def main() -> None:
    for prefix, folder in zip(("", "search_", "search_others_"), sys.argv[1:], strict=True):
        for name in ("ratings.csv", "pairs.csv"):
            shutil.copyfile(Path(folder) / name, HERE / f"{prefix}{name}")
    worth = json.loads((HERE / "worth.json").read_text(encoding="utf-8"))
    pairs = read("pairs.csv")
    marks(strengths(pairs), "points per deal against greedy, with 95 % intervals", "strengths.png")
    by_rules = {rules: study["to_seat"] for rules, study in worth.items()}
    marks(by_rules, "points that a seat's place gains, with 95 % intervals", "worth.png")
    figures = {
        "ratings": ratings_table(read("ratings.csv")),
        "pairs": pairs_table(pairs),
        "search": pairs_table(read("search_pairs.csv") + read("search_others_pairs.csv")),
        "side": worth_table(worth, "to_side"),
        "seat": worth_table(worth, "to_seat"),
    }
    page = HERE / "README.md"
    text = REGION.sub(lambda m: f"{m[1]}\n{figures.pop(m[2])}\n\n{m[3]}", page.read_text(encoding="utf-8"))
    if figures:
        raise SystemExit(f"{page}: no region for {', '.join(figures)}")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
