"""What playing a deal twice is worth: the variance of duplicate deals against that of single ones.

python duplicate_variance.py [--deals 2000] [--rules classic qingdao kaidian]
"""

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from noisy_agent import agent_of

from agents.arena import duel
from agents.arena.statistics import deal_deviation, deals_needed, variance_ratio
from gouji_env import RuleSet

HERE = Path(__file__).parent
PAIRS = [
    ("random", "random"),
    ("greedy", "random"),
    ("greedy~0.1", "greedy~0.1"),
    ("greedy~0.1", "greedy"),
    ("greedy~0.01", "greedy"),
    ("expert~0.1", "expert~0.1"),
    ("expert~0.1", "expert"),
    ("expert", "greedy"),
]
RESAMPLES = 400


def measured(a: str, b: str, rules: str, deals: int) -> dict[str, Any]:
    """Spreads and ratio of one pair, the ratio with its 95 % bootstrap interval over deals."""
    halves = duel(agent_of(a), agent_of(b), RuleSet.preset(rules), deals, 0).halves
    rng = np.random.default_rng(0)
    ratios = [variance_ratio(halves[rng.integers(deals, size=deals)]) for _ in range(RESAMPLES)]
    low, high = np.quantile(ratios, (0.025, 0.975))
    deviation = deal_deviation(halves)
    return {
        "a": a,
        "b": b,
        "rules": rules,
        "deals": deals,
        "points": float(halves.mean()),
        "sd_half": float(halves.std(ddof=1)),
        "sd_deal": deviation,
        "ratio": variance_ratio(halves),
        "ratio_low": float(low),
        "ratio_high": float(high),
        "deals_needed": {str(width): deals_needed(deviation, width) for width in (0.5, 0.2, 0.1)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--rules", nargs="+", default=["classic", "qingdao", "kaidian"])
    arguments = parser.parse_args()
    rows = []
    for rules, (a, b) in product(arguments.rules, PAIRS):
        rows.append(measured(a, b, rules, arguments.deals))
        print(f"{rules}: {a} against {b}: ratio {rows[-1]['ratio']:.2f}", flush=True)
    (HERE / "duplicate_variance.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
