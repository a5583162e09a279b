"""Which sets are weighed: whole groups, bare or with a joker on them, 2s one at a time, and whatever answers.

Sets that waste cards are left out: a lead with several jokers, an answer that breaks a group and hangs cards as well.
"""

import numpy as np

from agents.expert_sight import look
from agents.expert_weights import PATIENCE
from agents.expert_worth import pass_worth, set_worth, table_worth
from gouji_env.cards import BIG, FOUR, SMALL, THREE, TWO
from gouji_env.engine import PASS, YIELD, compose_id, composing, is_legal, njit, select_id, selected_base, selected_size
from gouji_env.engine.actions import BASE_JOKERS

NOTHING = -1e9


@njit
def best_set(row, weights):
    """The SELECT of the set that is worth most, or PASS, or YIELD; the COMPOSE where a set was selected."""
    sight = look(row, weights)
    if composing(row):
        action, _ = _best_of_base(row, sight, selected_base(row), selected_size(row), True, weights)
        return action
    best, most = np.int64(PASS), NOTHING
    for base in range(sight.lowest, BASE_JOKERS + 1):
        action, worth = _best_of_base(row, sight, base, sight.size, False, weights)
        if worth > most:
            best, most = action, worth
    if not sight.answering:
        return best
    gain = most + table_worth(row, sight, weights) - pass_worth(row, sight, weights)
    if gain < weights[PATIENCE] and is_legal(row, YIELD):
        return np.int64(YIELD)
    return best if gain > 0 else np.int64(PASS)


@njit
def _best_of_base(row, sight, base, size, composes, weights):
    """(action, worth) of the best set of a base; ``size`` 0 for a lead of any size."""
    best, most = np.int64(PASS), NOTHING
    have = sight.held[base] if base <= TWO else np.int64(0)
    whole = (base == THREE and sight.threes_last) or (base == FOUR and sight.fours_bound)
    if (base <= TWO and have == 0) or (whole and sight.answering):
        return best, most
    bigs, smalls = (0, 0) if whole else (sight.held[BIG], sight.held[SMALL])
    twos = sight.held[TWO] if sight.hung_twos and base < TWO and size > 0 and not whole else 0
    for big in range(sight.big_needed, bigs + 1):
        for small in range(smalls + 1):
            if (size == 0 and big + small > 1) or (sight.on_duty and not sight.answering and big + small == 0):
                continue
            for two in range(twos + 1):
                hung = big + small + two
                fewest = most_naturals = size - hung
                if size == 0:
                    fewest, most_naturals = 1 if base == TWO else have, have
                breaks = hung > 0 and fewest < have and base < TWO and size > 0
                if fewest < (base <= TWO) or fewest > have or (breaks and not composes):
                    continue
                for naturals in range(fewest, most_naturals + 1):
                    laid = naturals + hung
                    action = compose_id(two, small, big) if composes else select_id(base, laid)
                    if laid > 0 and is_legal(row, action):
                        worth = set_worth(row, sight, base, naturals, two, small, big, weights)
                        if worth > most:
                            best, most = action, worth
    return best, most
