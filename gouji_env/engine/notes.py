"""What an action leaves behind for others to read: events for the deal's log, public moves for the observation."""

import numpy as np

from gouji_env.engine import layout as at
from gouji_env.engine.jit import inlined, njit

CHOSEN, FORCED = range(2)  # the third number of a public pass: whether the seat could do anything else


@inlined
def note(row, code, seat, other):
    """Leave an event for the deal's log."""
    count = np.int64(row[at.EVENT_COUNT])
    if count < at.EVENT_SLOTS:
        first = at.EVENT_LIST + count * at.EVENT_FIELDS
        row[first], row[first + 1], row[first + 2] = code, seat, other
        row[at.EVENT_COUNT] = count + 1


@inlined
def remember(row, kind, seat, base_1, naturals, twos, small, big):
    """Put a public move into the history, over the oldest one."""
    newest = np.int64(row[at.NEWEST]) + 1
    if newest == at.MOVES:
        newest = 0
    row[at.NEWEST] = newest
    first = at.HISTORY + newest * at.MOVE_FIELDS
    row[first], row[first + 1], row[first + 2] = kind, seat, base_1
    row[first + 3], row[first + 4], row[first + 5], row[first + 6] = naturals, twos, small, big


@njit
def clear_events(row):
    """Forget what the action before brought about."""
    row[at.EVENT_COUNT] = 0


@njit
def forced_passes(row):
    """Passes that the last action brought about by itself: of seats that could do nothing else (section 4).

    A yielder's pass, when another seat plays, is none of them: he has decided on it.
    """
    passes = 0
    for i in range(row[at.EVENT_COUNT]):
        first = at.EVENT_LIST + i * at.EVENT_FIELDS
        if row[first] == at.EVENT_PASS and row[first + 2] == FORCED:
            passes += 1
    return passes
