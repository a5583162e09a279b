"""The learning curve of a run as a picture: ``python -m train.plot runs/demo`` writes ``runs/demo/curve.png``."""

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

Evaluations = dict[str, list[dict[str, Any]]]


def evaluations(log: Path) -> Evaluations:
    """The evaluations in a run's ``log.jsonl``, in order, by opponent. Raises ValueError if there is none."""
    found: Evaluations = defaultdict(list)
    for line in log.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["event"] == "evaluation":
            found[record["opponent"]].append(record)
    if not found:
        raise ValueError(f"{log} holds no evaluation yet")
    return dict(found)


def draw(curves: Evaluations, title: str) -> Figure:
    """Points a deal over training time, one line an opponent, with the 95 % intervals as bands."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for opponent, records in curves.items():
        minutes = [record["seconds"] / 60 for record in records]
        points = [record["points_per_deal"] for record in records]
        (line,) = axes.plot(minutes, points, marker="o", label=f"against {opponent}: {points[-1]:+.1f}")
        low, high = ([record[end] for record in records] for end in ("low", "high"))
        axes.fill_between(minutes, low, high, color=line.get_color(), alpha=0.2)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylim(-12.5, 12.5)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel("points a deal, sides swapped (12 is a sweep)")
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="folder of a training run")
    run = parser.parse_args().run
    try:
        figure = draw(evaluations(run / "log.jsonl"), f"Self-play from nothing: {run.name}")
    except (OSError, ValueError) as error:
        parser.error(str(error))
    picture = run / "curve.png"
    beside = run / ".curve.png"
    figure.savefig(beside, format="png", dpi=150)
    beside.replace(picture)
    print(picture)


if __name__ == "__main__":
    main()
