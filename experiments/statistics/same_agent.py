"""An agent against its own copy, many times: how often does the 95 % interval hold 0?

python same_agent.py [--duels 200] [--deals 200] [AGENT ...]
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from noisy_agent import agent_of

from agents.arena import duel
from gouji_env import RuleSet

HERE = Path(__file__).parent
AGENTS = ["random", "greedy~0.1", "expert~0.1"]  # those without chance draw each duplicate deal exactly


def intervals(spec: str, duels: int, deals: int, rules: str = "classic") -> np.ndarray:
    """The intervals of duels number 0 to ``duels - 1``, each on deals of its own: ``float64[duels, 2]``."""
    a, b, rule_set = agent_of(spec), agent_of(spec), RuleSet.preset(rules)
    return np.array([duel(a, b, rule_set, deals, seed).interval for seed in range(duels)])


def holding(ends: np.ndarray) -> int:
    """How many of the intervals hold 0."""
    return int(((ends[:, 0] <= 0) & (ends[:, 1] >= 0)).sum())


def picture(found: dict[str, np.ndarray]) -> Figure:
    """All intervals, from the lowest to the highest; those that miss 0 in red."""
    figure = Figure(figsize=(9, 3 * len(found)), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, (spec, ends) in zip(figure.subplots(len(found), squeeze=False)[:, 0], found.items(), strict=True):
        ends = ends[np.argsort(ends.mean(axis=1))]
        misses = (ends[:, 0] > 0) | (ends[:, 1] < 0)
        axes.vlines(np.arange(len(ends)), ends[:, 0], ends[:, 1], colors=np.where(misses, "tab:red", "tab:blue"))
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_title(f"{spec} against its own copy: {holding(ends)} of {len(ends)} intervals hold 0")
        axes.set_ylabel("points a deal")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--duels", type=int, default=200)
    parser.add_argument("--deals", type=int, default=200, help="of one duel, each played twice")
    parser.add_argument("agents", nargs="*", default=AGENTS)
    arguments = parser.parse_args()
    found, rows = {}, []
    for spec in arguments.agents:
        ends = found[spec] = intervals(spec, arguments.duels, arguments.deals)
        rows.append(_row(spec, arguments.deals, ends))
        print(f"{spec} against its own copy: {rows[-1]['holding']} of {len(ends)} intervals hold 0", flush=True)
    (HERE / "same_agent.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    picture(found).savefig(HERE / "same_agent.png", dpi=110)


def _row(spec: str, deals: int, ends: np.ndarray) -> dict[str, Any]:
    width = float((ends[:, 1] - ends[:, 0]).mean() / 2)
    return {"agent": spec, "duels": len(ends), "deals": deals, "holding": holding(ends), "half_width": width}


if __name__ == "__main__":
    main()
