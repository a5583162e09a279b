"""What each idea of the expert is worth: duels of the expert without it against the whole expert.

    python experiments/expert/ablation.py --deals 300

prints a table for docs/agents.md: points a deal that an expert without the idea loses to the expert, by rule set.
"""

import argparse

import numpy as np

from agents.arena import duel
from agents.expert import ExpertAgent, decide
from agents.expert_weights import NAMES, WEIGHTS
from agents.protocol import Index, Rows, StagedActions, Streams
from gouji_env.engine import ACTIONS, njit
from gouji_env.rules import PRESETS, RuleSet

# Each idea with the weights that switch it off
IDEAS = {
    "counts what is unseen: sets that stand need less": {"stand": 0.0},
    "knows that high groups can answer": {"rank": 0.0},
    "does not break groups": {"part": 0.0},
    "keeps its 2s": {"two": 0.0},
    "keeps its jokers": {"small": 0.0, "big": 0.0},
    "reckons with groups filled up": {"fill": 0.0},
    "runs out set by set": {"run": 0.0},
    "beats enemies": {"deny": 0.0, "deny_short": 0.0},
    "... short ones all the more": {"deny_short": 0.0},
    "lets partners' sets stand": {"rob": 0.0, "rob_short": 0.0},
    "... short partners' all the more": {"rob_short": 0.0},
    "yields": {"patience": -1e9},
    "burns only to finish": {"burn": 0.0},
    "guards its 3s": {"guard": 0.0},
    "fears to be choked": {"choked": 0.0},
    "chokes enemies": {"choke": 0.0},
}


class Without(ExpertAgent):
    """The expert with some weights changed."""

    def __init__(self, changed: dict[str, float]) -> None:
        super().__init__()
        self.weights = WEIGHTS.copy()
        for name, value in changed.items():
            self.weights[NAMES.index(name)] = value

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        _decide_rows(rows, index, self.weights, out)


@njit
def _decide_rows(rows, index, weights, out):
    options = np.empty(ACTIONS, np.int16)
    for j in range(index.shape[0]):
        out[j] = decide(rows[index[j]], options, weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=300, help="duplicate deals for each idea and rule set")
    deals = parser.parse_args().deals
    print("| without | " + " | ".join(PRESETS) + " |")
    print("|---|" + "---|" * len(PRESETS))
    for idea, changed in IDEAS.items():
        results = [duel(Without(changed), ExpertAgent(), RuleSet.preset(preset), deals, 1) for preset in PRESETS]
        cells = [f"{r.points_per_deal:+.2f} ± {(r.interval[1] - r.interval[0]) / 2:.2f}" for r in results]
        print(f"| {idea} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
