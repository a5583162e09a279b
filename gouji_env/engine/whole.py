"""Legal whole actions, enumerated as codes, for playouts, search and Deal."""

import numpy as np

from gouji_env.cards import BIG, FOUR, SMALL, THREE, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.actions import (
    ACTIONS,
    BASE_JOKERS,
    BASE_TWO,
    MAX_SIZE,
    PASS,
    THROW,
    YIELD,
    set_code,
    special_code,
)
from gouji_env.engine.bounds import fours_restricted, is_one_set, may_throw, two_bounds, yields_now
from gouji_env.engine.jit import inlined, njit
from gouji_env.engine.legal import legal_outside_play
from gouji_env.engine.read import has_seat


@njit
def _answer_sets(row, seat, out, m):
    """Codes of all sets that beat the table set."""
    size, least_big = np.int64(row[at.SIZE]), np.int64(row[at.SMALLS])
    start = at.HAND + seat * at.KINDS
    small, big = np.int64(row[start + SMALL]), np.int64(row[start + BIG])
    if row[at.BIGS] > 0 or big < least_big:
        return m
    hung = np.int64(row[start + TWO]) if row[at.HUNG_TWOS] != 0 else 0
    for base in range(np.int64(row[at.BASE]) + 1, BASE_TWO + 1):
        most = np.int64(row[start + base])
        twos = hung if base < BASE_TWO else 0
        if most == 0 or most + twos + small + big < size or (base == FOUR and fours_restricted(row, seat)):
            continue
        for bigs in range(least_big, min(big, size - 1) + 1):
            for smalls in range(min(small, size - 1 - bigs) + 1):
                rest = size - bigs - smalls
                low, high = two_bounds(most, twos, 1, rest)
                for t in range(low, high + 1):
                    out[m] = set_code(base, rest - t, t, smalls, bigs)
                    m += 1
    for bigs in range(max(least_big, size - small), min(big, size) + 1):
        out[m] = set_code(BASE_JOKERS, 0, 0, size - bigs, bigs)
        m += 1
    return m


@inlined
def _hang_jokers(code, small, big, least, room, out, m):
    """Codes of a set with every number of jokers on it, from ``least`` in all to ``room``."""
    for s in range(small + 1):
        for b in range(big + 1):
            if least <= s + b <= room:
                out[m] = code | s << 3 | b
                m += 1
    return m


@njit
def _lead_sets(row, seat, out, m):
    """Codes of all sets that may be led."""
    start = at.HAND + seat * at.KINDS
    small, big = np.int64(row[start + SMALL]), np.int64(row[start + BIG])
    least = 1 if has_seat(row[at.DUTY], seat) else 0
    if least > small + big:
        return _whole_hand(row, seat, out, m)
    hung = np.int64(row[start + TWO]) if row[at.HUNG_TWOS] != 0 else 0
    for base in range(BASE_TWO + 1):
        cards = np.int64(row[start + base])
        if cards == 0:
            continue
        if (base == THREE and row[at.CHOKE] != 0) or (base == FOUR and fours_restricted(row, seat)):
            if least == 0 and (base == FOUR or cards == row[at.HELD + seat]):
                out[m] = set_code(base, cards, 0, 0, 0)
                m += 1
            continue
        for naturals in range(1, cards + 1):
            for t in range((hung if base < BASE_TWO else 0) + 1):
                code = set_code(base, naturals, t, 0, 0)
                m = _hang_jokers(code, small, big, least, MAX_SIZE - naturals - t, out, m)
    return _hang_jokers(set_code(BASE_JOKERS, 0, 0, 0, 0), small, big, 1, MAX_SIZE, out, m)


@njit
def _whole_hand(row, seat, out, m):
    """The one lead of a seat on burn duty without a joker, if its hand is one set (section 5)."""
    if not is_one_set(row, seat) or row[at.HELD + seat] > MAX_SIZE:
        return m
    start = at.HAND + seat * at.KINDS
    twos = np.int64(row[start + TWO])
    for base in range(BASE_TWO):
        if row[start + base] > 0:
            out[m] = set_code(base, np.int64(row[start + base]), twos, 0, 0)
            return m + 1
    out[m] = set_code(BASE_TWO, twos, 0, 0, 0)
    return m + 1


@njit
def legal_sets(row, out):
    """Codes of all legal whole actions into ``out`` (``int32[MAX_SETS]``); returns how many. No COMPOSE may wait."""
    if row[at.PHASE] == at.PHASE_OVER:
        return 0
    seat = np.int64(row[at.TURN])
    if row[at.PHASE] != at.PHASE_PLAY:
        ids = np.empty(ACTIONS, np.int16)
        count = legal_outside_play(row, seat, ids)
        for j in range(count):
            out[j] = special_code(np.int64(ids[j]))
        return count
    m = 0
    if row[at.OWNER_1] > 0:
        out[0] = special_code(PASS)
        m = 1
        if yields_now(row, seat):
            out[1] = special_code(YIELD)
            m = 2
        return _answer_sets(row, seat, out, m)
    if may_throw(row, seat):
        out[0] = special_code(THROW)
        m = 1
    return _lead_sets(row, seat, out, m)
