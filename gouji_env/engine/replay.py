"""Whole actions over rows, checked: what a record of a deal is verified with, and what one is made from."""

import numpy as np

from gouji_env.engine import layout as at
from gouji_env.engine.act import act, act_whole
from gouji_env.engine.actions import (
    BASE_JOKERS,
    BASE_TWO,
    CODE_SPECIAL,
    SELECT,
    action_base,
    action_size,
    compose_big,
    compose_small,
    compose_twos,
    set_code,
    special_code,
)
from gouji_env.engine.bounds import count_ways, only_way, size_is_possible, way_is_possible
from gouji_env.engine.jit import njit
from gouji_env.engine.legal import is_legal
from gouji_env.engine.places import NO_SEAT
from gouji_env.engine.read import seat_after
from gouji_env.engine.start import deal_cards


@njit
def is_legal_whole(row, code):
    """Whether a whole action (a code as in ``actions.py``) is legal now. No COMPOSE may wait."""
    base, rest = code >> 16, code & 0xFFFF
    if base == CODE_SPECIAL:
        return rest < SELECT and is_legal(row, rest)
    if row[at.PHASE] != at.PHASE_PLAY or base > BASE_JOKERS:
        return False
    naturals, twos, small, big = rest >> 11, rest >> 6 & 31, rest >> 3 & 7, rest & 7
    if (base == BASE_JOKERS and naturals > 0) or (base >= BASE_TWO and twos > 0):
        return False
    seat, size = np.int64(row[at.TURN]), naturals + twos + small + big
    return size_is_possible(row, seat, base, size) and way_is_possible(row, seat, base, size, twos, small, big)


@njit
def whole_code(row, action):
    """The whole action that a legal staged action completes; -1 for a SELECT that a COMPOSE must follow."""
    if row[at.COMPOSING] != 0:
        base, size = np.int64(row[at.SELECTED_BASE]), np.int64(row[at.SELECTED_SIZE])
        twos, small, big = compose_twos(action), compose_small(action), compose_big(action)
    elif action < SELECT:
        return special_code(action)
    else:
        seat, base, size = np.int64(row[at.TURN]), action_base(action), action_size(action)
        if count_ways(row, seat, base, size, 2) > 1:
            return np.int64(-1)
        twos, small, big = only_way(row, seat, base, size)
    naturals = 0 if base == BASE_JOKERS else size - twos - small - big
    return np.int64(set_code(base, naturals, twos, small, big))


@njit
def play_codes(row, seats, codes):
    """Play whole actions (``int64[M]``) of the given seats while they hold; returns how many did."""
    for j in range(len(codes)):
        if row[at.TURN] != seats[j] or not is_legal_whole(row, codes[j]):
            return j
        act_whole(row, codes[j])
    return len(codes)


@njit
def play_staged(row, actions, seats, codes):
    """Play legal staged actions; the whole ones they make go into ``seats`` and ``codes``. Returns how many."""
    count = 0
    for j in range(len(actions)):
        action = np.int64(actions[j])
        code = whole_code(row, action)
        if code >= 0:
            seats[count], codes[count] = row[at.TURN], code
            count += 1
        act(row, action)
    return count


@njit
def holds_cards_of(row, fresh, seed, first_drawer):
    """Whether the six hands are those that a seed deals; ``fresh`` is a row with the same rules, to be written over."""
    deal_cards(fresh, seed, NO_SEAT)
    for seat in range(at.SEATS):
        mine, dealt = at.HAND + seat_after(first_drawer, seat) * at.KINDS, at.HAND + seat * at.KINDS
        for kind in range(at.KINDS):
            if row[mine + kind] != fresh[dealt + kind]:
                return False
    return True
