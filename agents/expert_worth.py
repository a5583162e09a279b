"""What a set is worth to the seat that lays it, and what the table set is worth to those who left it there."""

from agents.expert_chances import LARGEST, WAITING
from agents.expert_plan import guard, need, run_chance
from agents.expert_sight import stands
from agents.expert_weights import (
    ANSWER,
    BIG_COST,
    BURN,
    CHOKE,
    CHOKED,
    DENY,
    DENY_SHORT,
    GUARD,
    INHERIT,
    LEAD,
    PART,
    ROB,
    ROB_SHORT,
    RUN,
    SHORT,
    SMALL_COST,
    TWO_COST,
)
from gouji_env.cards import BIG, FOUR, SMALL, THREE, TWO
from gouji_env.engine import cards_held, live, njit, owner, table_base, table_big

ONLY_THREES = 2  # cards, at most, in a hand that may well be nothing but bound 3s


@njit
def set_worth(row, sight, base, naturals, twos, small, big, weights):
    """A lead, or an answer without what the table set is worth, in leads."""
    held = sight.held
    size = naturals + twos + small + big
    worth = _shed(row, sight, base, naturals, weights)
    chance = stands(row, sight, True, base, size, small, big)
    _take(held, base, naturals, twos, small, big)
    run = run_chance(row, sight)
    worth += chance * (weights[LEAD] + weights[RUN] * run)
    if sight.threes_last and held[THREE] > 0:
        worth -= _danger(row, sight, sight.cards - size, chance, weights)
    _take(held, base, -naturals, -twos, -small, -big)
    worth -= weights[BIG_COST] * big + weights[SMALL_COST] * small
    worth -= weights[TWO_COST] * (twos + naturals if base == TWO else twos)
    if sight.burns:
        worth -= weights[BURN] * (1 - run)
    return worth


@njit
def pass_worth(row, sight, weights):
    """Passing is worth nothing, but for 3s that are left without a guard whatever is done."""
    if sight.threes_last and sight.held[THREE] > 0:
        return -weights[GUARD] * (1 - guard(row, sight))
    return 0.0


@njit
def table_worth(row, sight, weights):
    """What beating the table set is worth, whatever it is beaten with."""
    leader = owner(row)
    if not live(row, leader):
        return weights[ANSWER] + weights[INHERIT]
    cards = cards_held(row, leader)
    short = max(0.0, 1 - cards / weights[SHORT])
    chokes_it = sight.threes_last and cards <= ONLY_THREES
    if (leader - sight.seat) % 2 == 1:
        worth = weights[ANSWER] + weights[DENY] + weights[DENY_SHORT] * short
        return worth + weights[CHOKE] / cards if chokes_it else worth
    stays = 1.0 if table_big(row) > 0 else sight.chances[WAITING, min(sight.size, LARGEST), table_base(row)]
    worth = weights[ANSWER] - (weights[ROB] + weights[ROB_SHORT] * short) * stays
    return worth - weights[CHOKE] if chokes_it else worth


@njit
def _shed(row, sight, base, naturals, weights):
    """How much less the hand needs without the base cards of a set."""
    if base > TWO:
        return 0.0
    if (base == THREE and sight.threes_last) or (base == FOUR and sight.fours_bound):
        return 1.0
    have = sight.held[base]
    shed = need(row, sight, base, have, weights) - need(row, sight, base, have - naturals, weights)
    return shed - weights[PART] if base < TWO and naturals < have else shed


@njit
def _danger(row, sight, left, chance, weights):
    """Of being choked, now or later, for a seat that keeps ``left`` cards, bound 3s among them."""
    if sight.held[THREE] == left:
        return weights[CHOKED] * (1 - chance)
    return weights[GUARD] * (1 - guard(row, sight))


@njit
def _take(held, base, naturals, twos, small, big):
    """Take a set out of a hand; with negative numbers, put it back."""
    if base <= TWO:
        held[base] -= naturals
    held[TWO] -= twos
    held[SMALL] -= small
    held[BIG] -= big
