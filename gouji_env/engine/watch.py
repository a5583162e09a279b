"""Watching a deal from within, for studies that count what happens: events, and what no player knows.

The events are those of the last action, or of the last step before the first lead. Their codes are the EVENT_...
below; what ``event_other`` says depends on the code: the place of who went out, the victim of a burn and so on.
"""

import numpy as np

from gouji_env.engine import layout as at
from gouji_env.engine.jit import njit
from gouji_env.engine.read import has_seat

EVENT_BURN = at.EVENT_BURN
EVENT_BUY_FOUR = at.EVENT_BUY_FOUR
EVENT_BUY_THREE = at.EVENT_BUY_THREE
EVENT_CHOKE = at.EVENT_CHOKE
EVENT_FAIL = at.EVENT_FAIL
EVENT_FREE_FOR_ALL = at.EVENT_FREE_FOR_ALL
EVENT_KEEP = at.EVENT_KEEP
EVENT_OPEN = at.EVENT_OPEN
EVENT_OUT = at.EVENT_OUT
EVENT_PLAY = at.EVENT_PLAY
EVENT_REFUSE = at.EVENT_REFUSE
EVENT_RENOUNCE = at.EVENT_RENOUNCE
EVENT_RETURN = at.EVENT_RETURN
EVENT_REVOLT = at.EVENT_REVOLT
EVENT_ROUND_END = at.EVENT_ROUND_END
EVENT_SILENT_LOYAL = at.EVENT_SILENT_LOYAL
EVENT_SILENT_PASS = at.EVENT_SILENT_PASS
EVENT_SLOTS = at.EVENT_SLOTS
EVENT_THROW = at.EVENT_THROW
EVENT_TRIBUTE = at.EVENT_TRIBUTE


@njit
def events(row):
    """How many events the row holds; where there are EVENT_SLOTS, more may have been lost."""
    return np.int64(row[at.EVENT_COUNT])


@njit
def event_code(row, i):
    """What the i-th event is."""
    return np.int64(row[at.EVENT_LIST + i * at.EVENT_FIELDS])


@njit
def event_seat(row, i):
    """Whose event it is."""
    return np.int64(row[at.EVENT_LIST + i * at.EVENT_FIELDS + 1])


@njit
def event_other(row, i):
    """The third number of the i-th event."""
    return np.int64(row[at.EVENT_LIST + i * at.EVENT_FIELDS + 2])


@njit
def live_seats(row):
    """The live seats as a bit mask."""
    return np.int64(row[at.LIVE])


@njit
def last_set(row, seat):
    """(base, naturals, hung 2s, small, big) of what the seat laid last; base -1: nothing yet."""
    first = at.LAST_SET + seat * at.SET_FIELDS
    naturals, twos = np.int64(row[first + 1]), np.int64(row[first + 2])
    return np.int64(row[first]) - 1, naturals, twos, np.int64(row[first + 3]), np.int64(row[first + 4])


@njit
def is_restricted(row):
    """Whether the table set is for its owner's opposite alone, and for burners (section 4.3)."""
    return row[at.MODE] == at.RESTRICTED


@njit
def burn_stands(row, seat):
    """Whether the seat's last burning set still stands, exempt or not."""
    return has_seat(row[at.BURNERS], seat)


@njit
def victim(row, seat):
    """Whom the seat burned last; 0 also for a seat that has burned nobody."""
    return np.int64(row[at.VICTIM + seat])


@njit
def natural_point(row, seat):
    """Whether the hand was dealt without a pure gouji group, where 4s have to be opened (section 7)."""
    return has_seat(row[at.NATURAL], seat)


@njit
def revolutionary(row):
    """Who revolted first, -1 for nobody."""
    return np.int64(row[at.REVOLTER_1]) - 1


@njit
def debts_waiting(row):
    """While tribute is paid: cards not asked for yet (section 8.4)."""
    return np.int64(row[at.DEBT_COUNT]) - np.int64(row[at.SETUP_INDEX])


@njit
def exempts_payers(row):
    """The switch ``exempt``."""
    return row[at.EXEMPT] != 0
