"""The hand as a plan: how many leads it still takes to be rid of it, and the chance to do so in one go.

A *group* is all the cards of one rank in hand. Jokers are no groups: they can hang on any set. Neither are 2s,
which are worth most one at a time.
"""

from agents.expert_chances import ENEMIES, stands
from agents.expert_weights import RANK, STAND
from gouji_env.cards import ACE, BIG, KIND_COUNT, SMALL, THREE, TWO
from gouji_env.engine import njit

SMALL_GROUP = 4  # larger groups are seldom asked for
MANY = 5  # sets that must stand by themselves, from which on a run is not thought of


@njit
def need(row, chances, bound, no_big, base, size, weights):
    """What it takes to be rid of a group, in leads: less if it wins the lead back, or if it can be an answer."""
    if size == 0 or base > ACE:
        return 0.0
    value = 1.0 - weights[STAND] * stands(row, chances, ENEMIES, bound, no_big, base, size, 0, 0)
    if size <= SMALL_GROUP:
        value -= weights[RANK] * base / TWO
    return value


@njit
def run_chance(row, chances, bound, no_big, held, threes_last, on_duty, order):
    """Chance to lead set after set until the hand is empty.

    ``held``: cards of each kind, ``int64[15]``. All sets but the last one have to stand: the weakest one is kept for
    the last (bound 3s must be the last), big jokers are hung on the next weakest, small ones on those that follow.
    On burn duty all but the last need a joker. ``order`` (``float64[13]``) is scratch.
    """
    small, big = held[SMALL], held[BIG]
    first = 1 if threes_last else 0
    groups = 0
    for base in range(first, TWO + 1):
        if held[base] > 0:
            groups += 1
    last = 0 if threes_last and held[THREE] > 0 else 1
    if groups - last > small + big + MANY or (on_duty and groups - last > small + big):
        return 0.0
    groups = 0
    for base in range(first, TWO + 1):
        if held[base] > 0:
            order[groups] = stands(row, chances, ENEMIES, bound, no_big, base, held[base], 0, 0)
            groups += 1
    chance = 1.0
    for taken in range(groups):
        weakest = taken
        for j in range(taken + 1, groups):
            if order[j] < order[weakest]:
                weakest = j
        order[taken], order[weakest] = order[weakest], order[taken]
        if taken < last + big:
            continue
        chance *= max(no_big, order[taken]) if taken < last + big + small else order[taken]
    return chance
