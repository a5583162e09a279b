"""The hand as a plan: how many leads it still takes to be rid of it, and the chance to do so in one go.

A *group* is all the cards of one rank in hand. Jokers are no groups: they can hang on any set.
"""

from agents.expert_sight import stands
from agents.expert_weights import RANK, STAND
from gouji_env.cards import BIG, SMALL, THREE, TWO
from gouji_env.engine import njit

SMALL_GROUP = 4  # larger groups are seldom asked for
MANY = 5  # sets that must stand by themselves, from which on nobody runs out


@njit
def need(row, sight, base, size, weights):
    """What it takes to be rid of a group of 3..A, in leads: less if it wins the lead back or can be an answer.

    2s and jokers have their own price.
    """
    if size == 0 or base >= TWO:
        return 0.0
    leads = 1.0 - weights[STAND] * stands(row, sight, False, base, size, 0, 0)
    if size <= SMALL_GROUP:
        leads -= weights[RANK] * base / TWO
    return leads


@njit
def run_chance(row, sight):
    """Chance to lead set after set until ``sight.held`` is empty.

    All sets but the last one have to stand: the weakest is kept for the last (bound 3s must be the last), big jokers
    are hung on the next weakest, small ones on those that follow. On burn duty all but the last need a joker.
    """
    held, order = sight.held, sight.order
    small, big = held[SMALL], held[BIG]
    first = 1 if sight.threes_last else 0
    last = 0 if sight.threes_last and held[THREE] > 0 else 1
    groups = 0
    for base in range(first, TWO + 1):
        groups += held[base] > 0
    by_themselves = groups - last - small - big
    if by_themselves > MANY or (by_themselves > 0 and (sight.burns or sight.on_duty)):
        return 0.0
    groups = 0
    for base in range(first, TWO + 1):
        if held[base] > 0:
            order[groups] = stands(row, sight, False, base, held[base], 0, 0)
            groups += 1
    chance = 1.0
    for taken in range(groups):
        _weakest_first(order, taken, groups)
        if taken >= last + big:
            chance *= max(sight.no_big, order[taken]) if taken < last + big + small else order[taken]
    return chance


@njit
def _weakest_first(order, start, stop):
    """Bring the least of ``order[start:stop]`` to its front."""
    least = start
    for j in range(start + 1, stop):
        if order[j] < order[least]:
            least = j
    order[start], order[least] = order[least], order[start]


@njit
def guard(row, sight):
    """The best chance of a set in hand to stand; who has bound 3s wants one, to lay as the last but one."""
    held = sight.held
    if held[BIG] > 0:
        return 1.0
    best = sight.no_big if held[SMALL] > 0 else 0.0
    for base in range(TWO, THREE, -1):
        if held[base] > 0:
            best = max(best, stands(row, sight, False, base, held[base], 0, 0))
    return best
