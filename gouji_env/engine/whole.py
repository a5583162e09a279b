"""Legal whole actions, enumerated as codes, for playouts, search and Deal."""

import numpy as np

from gouji_env.cards import BIG, FOUR, SMALL, TWO
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
from gouji_env.engine.bounds import fours_restricted, kind_bounds, may_throw, two_bounds, yields_now
from gouji_env.engine.jit import njit
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


@njit
def _lead_sets(row, seat, out, m):
    """Codes of all sets that may be led."""
    held = np.int64(row[at.HELD + seat])
    duty = has_seat(row[at.DUTY], seat)
    for base in range(BASE_JOKERS + 1):
        fewest, most, twos, small, big = kind_bounds(row, seat, base)
        if base < BASE_JOKERS and most == 0:
            continue
        for naturals in range(fewest, most + 1):
            for t in range(twos + 1):
                for s in range(small + 1):
                    for b in range(big + 1):
                        size = naturals + t + s + b
                        if size == 0 or size > MAX_SIZE or (duty and s + b == 0 and size != held):
                            continue
                        out[m] = set_code(base, naturals, t, s, b)
                        m += 1
    return m


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
    if row[at.OWNER_1] > 0:
        out[0] = special_code(PASS)
        if not yields_now(row, seat):
            return _answer_sets(row, seat, out, 1)
        out[1] = special_code(YIELD)
        return _answer_sets(row, seat, out, 2)
    if not may_throw(row, seat):
        return _lead_sets(row, seat, out, 0)
    out[0] = special_code(THROW)
    return _lead_sets(row, seat, out, 1)
