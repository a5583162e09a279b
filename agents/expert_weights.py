"""What the expert holds to be worth how much, in leads: 1 is the lead that it takes to be rid of one more set.

The values were found by duels; docs/agents.md tells what the ideas behind them are worth. ``decide`` takes the
weights as an argument, so that an idea can be measured by playing without it.
"""

import numpy as np

_WORTH = {
    # the hand
    "stand": 0.6,  # a group that would stand when led needs so much less of a lead
    "rank": 0.48,  # an ace group can be laid as an answer, a 3 never can
    "part": 0.3,  # cost of breaking a group
    "two": 0.35,  # cost of each 2 that is laid
    "small": 0.8,  # ... of each small joker
    "big": 1.2,  # ... of each big joker
    "fill": 1.0,  # how readily others are thought to fill groups up with jokers and 2s
    # the lead
    "lead": 0.18,  # having it
    "run": 4.0,  # having it with a hand that runs out from there
    # the table set
    "answer": 0.1,  # answering at all: who passes is out of the round
    "deny": 0.4,  # beating an enemy's set
    "deny_short": 2.0,  # ... of an enemy who is nearly out
    "rob": 0.8,  # beating a partner's set
    "rob_short": 2.0,  # ... of a partner who is nearly out
    "inherit": 0.3,  # beating the last set of a seat
    "short": 6.0,  # cards from which down a hand is nearly out
    "patience": 0.3,  # what an answer must be worth not to yield
    # burns and bound 3s
    "burn": 3.0,  # cost of burn duty
    "guard": 1.5,  # cost of holding 3s and no set that is sure to stand before them
    "choked": 6.0,  # cost of being choked
    "choke": 6.0,  # worth of choking an enemy
}
NAMES = tuple(_WORTH)
WEIGHTS = np.array(list(_WORTH.values()))
(
    STAND,
    RANK,
    PART,
    TWO_COST,
    SMALL_COST,
    BIG_COST,
    FILL,
    LEAD,
    RUN,
    ANSWER,
    DENY,
    DENY_SHORT,
    ROB,
    ROB_SHORT,
    INHERIT,
    SHORT,
    PATIENCE,
    BURN,
    GUARD,
    CHOKED,
    CHOKE,
) = range(len(NAMES))
