"""Count how often each rule is used, under each preset, at random and by greedy play; write usage.json.

python experiments/rule_usage/run.py [DEALS]
"""

import json
import sys
from pathlib import Path

from count import MATCH, count_uses
from uses import USES

from gouji_env import RuleSet
from gouji_env.rules import PRESETS

HERE = Path(__file__).parent
PLAYERS = ("random", "greedy")
SEED = 1


def usage(deals: int) -> dict:
    """Figures of all presets and both players; None for a use that the rules do not have."""
    counted = {}
    for player in PLAYERS:
        for name in PRESETS:
            rules = RuleSet.preset(name)
            uses = count_uses(rules, player == "greedy", deals, SEED).tolist()
            counted[player, name] = [n if use.applies(rules) else None for use, n in zip(USES, uses, strict=True)]
            print(f"{player} {name}: done")
    return {
        "deals": deals,
        "match": MATCH,
        "seed": SEED,
        "rules": {name: RuleSet.preset(name).digest() for name in PRESETS},
        "uses": [
            {"section": use.section, "use": use.text}
            | {player: {name: counted[player, name][i] for name in PRESETS} for player in PLAYERS}
            for i, use in enumerate(USES)
        ],
    }


if __name__ == "__main__":
    figures = usage(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    (HERE / "usage.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
