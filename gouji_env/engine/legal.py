"""Legal staged actions: lists, masks, single questions."""

import numpy as np

from gouji_env.engine import layout as at
from gouji_env.engine.actions import (
    ACCEPT,
    ACTIONS,
    BASE_JOKERS,
    BASE_TWO,
    COMPOSE,
    GIVE,
    KEEP,
    MAX_JOKERS,
    MAX_SIZE,
    PASS,
    REFUSE,
    RENOUNCE,
    REVOLT,
    SELECT,
    THROW,
    YIELD,
    action_base,
    action_size,
    compose_big,
    compose_id,
    compose_small,
    compose_twos,
    select_id,
)
from gouji_env.engine.bounds import kind_bounds, may_throw, size_is_possible, way_is_possible, yields_now
from gouji_env.engine.jit import njit
from gouji_env.engine.setup import may_return


@njit
def _legal_composes(row, seat, out):
    base, size = np.int64(row[at.SELECTED_BASE]), np.int64(row[at.SELECTED_SIZE])
    _, _, twos, small, big = kind_bounds(row, seat, base)
    m = 0
    for t in range(twos + 1):
        for s in range(min(small, MAX_JOKERS) + 1):
            for b in range(min(big, MAX_JOKERS) + 1):
                if way_is_possible(row, seat, base, size, t, s, b):
                    out[m] = compose_id(t, s, b)
                    m += 1
    return m


@njit
def _legal_selects(row, seat, out, m):
    if row[at.OWNER_1] > 0:
        size = np.int64(row[at.SIZE])
        for base in range(np.int64(row[at.BASE]) + 1, BASE_TWO + 1):
            if size_is_possible(row, seat, base, size):
                out[m] = select_id(base, size)
                m += 1
        if size_is_possible(row, seat, BASE_JOKERS, size):
            out[m] = select_id(BASE_JOKERS, size)
            m += 1
        return m
    for base in range(BASE_JOKERS + 1):
        fewest, most, twos, small, big = kind_bounds(row, seat, base)
        if base < BASE_JOKERS and most == 0:
            continue
        for size in range(max(fewest, 1), min(most + twos + small + big, MAX_SIZE) + 1):
            if size_is_possible(row, seat, base, size):
                out[m] = select_id(base, size)
                m += 1
    return m


@njit
def legal_outside_play(row, seat, out):
    phase = row[at.PHASE]
    if phase == at.PHASE_REVOLT:
        out[0], out[1] = PASS, REVOLT
        return 2
    if phase == at.PHASE_RENOUNCE:
        out[0], out[1] = KEEP, RENOUNCE
        return 2
    if phase == at.PHASE_ACCEPT:
        out[0], out[1] = ACCEPT, REFUSE
        return 2
    m = 0
    for kind in range(at.KINDS):
        if may_return(row, kind):
            out[m] = GIVE + kind
            m += 1
    return m


@njit
def legal(row, out):
    """Ids of all legal staged actions, ascending, into ``out`` (``int16[ACTIONS]``); returns how many."""
    if row[at.PHASE] == at.PHASE_OVER:
        return 0
    seat = np.int64(row[at.TURN])
    if row[at.PHASE] != at.PHASE_PLAY:
        return legal_outside_play(row, seat, out)
    if row[at.COMPOSING] != 0:
        return _legal_composes(row, seat, out)
    m = 0
    if row[at.OWNER_1] > 0:
        out[0] = PASS
        m = 1
        if yields_now(row, seat):
            out[1] = YIELD
            m = 2
    elif may_throw(row, seat):
        out[0] = THROW
        m = 1
    return _legal_selects(row, seat, out, m)


@njit
def _is_legal_outside_play(row, action):
    phase = row[at.PHASE]
    if phase == at.PHASE_REVOLT:
        return action == PASS or action == REVOLT
    if phase == at.PHASE_RENOUNCE:
        return action == KEEP or action == RENOUNCE
    if phase == at.PHASE_ACCEPT:
        return action == ACCEPT or action == REFUSE
    return GIVE <= action < SELECT and may_return(row, action - GIVE)


@njit
def is_legal(row, action):
    """Whether a staged action (any integer) is legal now."""
    if row[at.PHASE] == at.PHASE_OVER or action < 0 or action >= ACTIONS:
        return False
    seat = np.int64(row[at.TURN])
    if row[at.PHASE] != at.PHASE_PLAY:
        return _is_legal_outside_play(row, action)
    if row[at.COMPOSING] != 0:
        if action < COMPOSE:
            return False
        twos, small, big = compose_twos(action), compose_small(action), compose_big(action)
        return way_is_possible(
            row, seat, np.int64(row[at.SELECTED_BASE]), np.int64(row[at.SELECTED_SIZE]), twos, small, big
        )
    if action == PASS:
        return row[at.OWNER_1] > 0
    if action == YIELD:
        return row[at.OWNER_1] > 0 and yields_now(row, seat)
    if action == THROW:
        return row[at.OWNER_1] == 0 and may_throw(row, seat)
    if action < SELECT or action >= COMPOSE:
        return False
    return size_is_possible(row, seat, action_base(action), action_size(action))


@njit
def mask(row, out):
    """0/1 mask of the deciding seat's legal actions into ``out`` (``[ACTIONS]``, any dtype)."""
    ids = np.empty(ACTIONS, np.int16)
    out[:] = 0
    for j in range(legal(row, ids)):
        out[ids[j]] = 1


@njit
def packed_mask(row, ids, out):
    """The mask in bits, low bit first, into ``out`` (``uint8[114]``); ``ids`` is scratch (``int16[ACTIONS]``)."""
    out[:] = 0
    for j in range(legal(row, ids)):
        action = np.int64(ids[j])
        out[action >> 3] |= np.uint8(1 << (action & 7))
