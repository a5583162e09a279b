"""Applying actions to a row: staged ids, whole sets, forced ones."""

import numpy as np

from gouji_env.engine import layout as at
from gouji_env.engine.actions import (
    ACCEPT,
    BASE_JOKERS,
    CODE_SPECIAL,
    GIVE,
    MAX_SIZE,
    PASS,
    RENOUNCE,
    REVOLT,
    SELECT,
    THROW,
    YIELD,
    action_base,
    action_size,
    compose_big,
    compose_small,
    compose_twos,
    select_id,
)
from gouji_env.engine.bounds import count_ways, may_throw, only_way, size_is_possible
from gouji_env.engine.jit import njit
from gouji_env.engine.notes import clear_events
from gouji_env.engine.play import decline, lay, throw_fours, yield_turn
from gouji_env.engine.setup import decide_renounce, decide_return, decide_revolt, may_return, offer_return, run_setup


@njit
def _lay_sized(row, base, size, twos, small, big):
    lay(row, base, 0 if base == BASE_JOKERS else size - twos - small - big, twos, small, big)


@njit
def _act_special(row, action):
    """Apply an action that is no set (an id below SELECT)."""
    phase = row[at.PHASE]
    if phase == at.PHASE_REVOLT:
        decide_revolt(row, action == REVOLT)
    elif phase == at.PHASE_RENOUNCE:
        decide_renounce(row, action == RENOUNCE)
    elif phase == at.PHASE_RETURN:
        offer_return(row, action - GIVE)
    elif phase == at.PHASE_ACCEPT:
        decide_return(row, action == ACCEPT)
    elif action == PASS:
        decline(row)
    elif action == YIELD:
        yield_turn(row)
    elif action == THROW:
        throw_fours(row)


@njit
def act(row, action):
    """Apply a legal staged action and all that follows by itself. Ask ``is_legal`` first: nothing is checked here."""
    clear_events(row)
    _act_staged(row, np.int64(action))
    run_setup(row)


@njit
def _act_staged(row, action):
    if row[at.COMPOSING] != 0:
        base, size = np.int64(row[at.SELECTED_BASE]), np.int64(row[at.SELECTED_SIZE])
        _lay_sized(row, base, size, compose_twos(action), compose_small(action), compose_big(action))
    elif action < SELECT:
        _act_special(row, action)
    else:
        seat, base, size = np.int64(row[at.TURN]), action_base(action), action_size(action)
        if count_ways(row, seat, base, size, 2) == 1:
            twos, small, big = only_way(row, seat, base, size)
            _lay_sized(row, base, size, twos, small, big)
        else:
            row[at.COMPOSING], row[at.SELECTED_BASE], row[at.SELECTED_SIZE] = 1, base, size


@njit
def act_whole(row, code):
    """Apply a legal whole action given as a code (see ``actions.py``) and all that follows by itself."""
    begin_whole(row, code)
    run_setup(row)


@njit
def begin_whole(row, code):
    """The same, but before the first lead what follows is left to ``setup_step``: each step shows its events."""
    clear_events(row)
    base, rest = code >> 16, code & 0xFFFF
    if base == CODE_SPECIAL:
        _act_special(row, rest)
    else:
        lay(row, base, rest >> 11, rest >> 6 & 31, rest >> 3 & 7, rest & 7)


@njit
def _forced_return(row):
    forced = -1
    for kind in range(at.KINDS):
        if may_return(row, kind):
            if forced >= 0:
                return -1
            forced = GIVE + kind
    return forced


@njit
def forced_action(row):
    """The only legal staged action, or -1 where there are several. Only leads and returns can be forced."""
    if row[at.PHASE] == at.PHASE_RETURN:
        return _forced_return(row)
    if row[at.PHASE] != at.PHASE_PLAY or row[at.OWNER_1] > 0 or row[at.COMPOSING] != 0:
        return -1
    seat = np.int64(row[at.TURN])
    forced = THROW if may_throw(row, seat) else -1
    for base in range(BASE_JOKERS + 1):
        for size in range(1, min(np.int64(row[at.HELD + seat]), MAX_SIZE) + 1):
            if size_is_possible(row, seat, base, size):
                if forced >= 0:
                    return -1
                forced = select_id(base, size)
    return forced


@njit
def play_forced(row):
    """Act while exactly one staged action is legal; returns how many were taken."""
    taken = 0
    action = forced_action(row)
    while action >= 0:
        act(row, action)
        taken += 1
        action = forced_action(row)
    return taken
