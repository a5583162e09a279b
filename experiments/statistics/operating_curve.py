"""How often the sequential test calls an agent better, and how many deals it takes, by the true difference.

python operating_curve.py [--runs 4000]
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sequential_simulation import deal_points, simulate

from agents.arena.sequential import SequentialTest
from agents.arena.statistics import deals_needed

HERE = Path(__file__).parent
MARGIN = 0.2
MEANS = np.arange(-8, 17) / 20
MOST_DEALS = 100_000
KINDS = {"independent halves": 0.0, "halves alike in 5 of 10 deals": 0.5, "halves alike in 95 of 100 deals": 0.95}


def curve(alike: float, runs: int) -> dict[str, Any]:
    """Shares of better and not better, and mean deals, for each of MEANS."""
    test = SequentialTest(MARGIN)
    points, shares = deal_points(alike, 0)
    ends = [simulate(test, *deal_points(alike, mean), runs, MOST_DEALS, seed) for seed, mean in enumerate(MEANS)]
    better, not_better, deals = (list(column) for column in zip(*ends, strict=True))
    deviation = float(np.sqrt(shares @ points**2))
    return {
        "sd_deal": deviation,
        "means": MEANS.tolist(),
        "better": better,
        "not_better": not_better,
        "deals": deals,
        "deals_fixed": _fixed(deviation),
    }


def _fixed(deviation: float) -> int:
    """Deals of a test whose number of deals is fixed beforehand, with the same error rates of 5 % at 0 and MARGIN."""
    return deals_needed(deviation, MARGIN * 1.959964 / (2 * 1.644854)) or 0


def picture(curves: dict[str, dict[str, Any]]) -> Figure:
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    for name, one in curves.items():
        label = f"{name}, sd {one['sd_deal']:.1f}"
        (line,) = left.plot(one["means"], one["better"], marker=".", label=label)
        right.plot(one["means"], one["deals"], marker=".", color=line.get_color(), label=label)
        right.axhline(one["deals_fixed"], color=line.get_color(), linestyle="--", linewidth=0.9)
    for share in (0.05, 0.95):
        left.axhline(share, color="grey", linestyle=":")
    for axes in (left, right):
        axes.axvspan(0, MARGIN, color="grey", alpha=0.12)
        axes.set_xlabel("true points a deal")
        axes.grid(alpha=0.3)
    left.set_ylabel("share of tests that end in better")
    right.set_ylabel("mean deals; dashed: a fixed number of deals")
    right.set_yscale("log")
    left.legend(fontsize="small")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4000)
    runs = parser.parse_args().runs
    curves = {name: curve(alike, runs) for name, alike in KINDS.items()}
    content = {"margin": MARGIN, "runs": runs, "curves": curves}
    (HERE / "operating_curve.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    picture(curves).savefig(HERE / "operating_curve.png", dpi=110)


if __name__ == "__main__":
    main()
