"""Places: going out, choking, failing, the end of a deal, and the free-for-all they bring on (sections 3, 5, 6, 7)."""

import numpy as np

from gouji_env.cards import THREE
from gouji_env.engine import layout as at
from gouji_env.engine.jit import njit
from gouji_env.engine.notes import note
from gouji_env.engine.read import has_seat, seat_after

SIJI_OFF, SIJI_ANY, SIJI_GOUJI = range(3)
# A number of NumPy's, so that kernels are compiled for seats in general and not for this one on its own.
NO_SEAT = np.int64(-1)
ALL_SEATS = 0b111111
EVEN_SEATS = 0b010101


@njit
def _give_place(row, seat, finished):
    row[at.PLACE + seat] = finished
    row[at.TOOK_PLACES] |= 1 << (finished - 1)


@njit
def _raise_revolutionary(row):
    """A revolutionary is 3rd once both its partners are 1st and 2nd; whoever is 3rd moves to 4th (section 8.2)."""
    seat = np.int64(row[at.REVOLTER_1]) - 1
    if seat < 0 or row[at.PLACE + seat] != 4:
        return
    one, two = np.int64(row[at.PLACE + seat_after(seat, 2)]), np.int64(row[at.PLACE + seat_after(seat, 4)])
    if one * two != 2:
        return
    for other in range(at.SEATS):
        if row[at.PLACE + other] == 3:
            row[at.PLACE + other] = 4
    had_third = row[at.TOOK_PLACES] & 0b100 != 0
    row[at.PLACE + seat] = 3
    row[at.TOOK_PLACES] |= 0b100
    if not had_third:
        row[at.TOOK_PLACES] &= ~0b1000


@njit
def _best_place(row):
    finished = 1
    while row[at.TOOK_PLACES] & (1 << (finished - 1)):
        finished += 1
    return finished


@njit
def _lowest_place(row):
    finished = at.SEATS
    while row[at.TOOK_PLACES] & (1 << (finished - 1)):
        finished -= 1
    return finished


@njit
def leave(row, seat, finished):
    """A seat leaves the deal with a place."""
    _give_place(row, seat, finished)
    bit = 1 << seat
    row[at.LIVE] &= ~bit
    row[at.DUTY] &= ~bit
    row[at.BURNERS] &= ~bit
    _raise_revolutionary(row)


@njit
def void_hand(row, seat):
    """The seat's cards leave the deal unseen."""
    for kind in range(at.KINDS):
        row[at.VOID + kind] += row[at.HAND + seat * at.KINDS + kind]
        row[at.HAND + seat * at.KINDS + kind] = 0
    row[at.HELD + seat] = 0


@njit
def go_out(row, seat):
    """The seat has laid its last set (sections 3a and 6)."""
    finished = _best_place(row)
    leave(row, seat, finished)
    note(row, at.EVENT_OUT, seat, finished)
    if finished <= 2 and (row[at.SIJI] == SIJI_ANY or (row[at.SIJI] == SIJI_GOUJI and row[at.GOUJI] != 0)):
        row[at.DEAD_REPLY] |= 1 << seat


@njit
def choke(row, seat, choker):
    """A set was beaten whose owner holds nothing but 3s (section 7). Everybody sees what he is left with."""
    finished = _lowest_place(row)
    leave(row, seat, finished)
    if row[at.CHOKE_KEEPS_HEAD] != 0:
        row[at.HEAD_KEPT] |= 1 << seat
    start = seat * at.KINDS
    row[at.SHOWN + start + THREE] += row[at.HAND + start + THREE]
    row[at.HAND + start + THREE] = 0
    row[at.HELD + seat] = 0
    row[at.CHOKE_LIST + np.int64(row[at.CHOKE_COUNT])] = seat * at.SEATS + choker
    row[at.CHOKE_COUNT] += 1
    note(row, at.EVENT_CHOKE, seat, finished)


@njit
def fail(row, seat):
    """A burner on duty cannot lead (section 5)."""
    finished = _lowest_place(row)
    leave(row, seat, finished)
    if row[at.FAIL_KEEPS_HEAD] != 0:
        row[at.HEAD_KEPT] |= 1 << seat
    void_hand(row, seat)
    _forget_burns_of(row, seat)
    note(row, at.EVENT_FAIL, seat, finished)


@njit
def _forget_burns_of(row, burner):
    """A failed burner earns no tribute."""
    kept = 0
    for j in range(min(np.int64(row[at.BURN_COUNT]), at.BURN_SLOTS)):
        pair = row[at.BURN_LIST + j]
        if pair % at.SEATS != burner:
            row[at.BURN_LIST + kept] = pair
            kept += 1
    row[at.BURN_COUNT] = kept


@njit
def _live_count(seats):
    count = 0
    for seat in range(at.SEATS):
        count += (seats >> seat) & 1
    return count


@njit
def _is_decided(row):
    live = np.int64(row[at.LIVE])
    if row[at.END_SIDE] != 0:
        return live & EVEN_SEATS == 0 or live & ~EVEN_SEATS == 0
    return _live_count(live) <= 1


@njit
def _finish(row):
    """The seats still live share the free places: fewer cards first, then the lower seat (section 6)."""
    while row[at.LIVE] != 0:
        best = NO_SEAT
        for seat in range(at.SEATS):
            if has_seat(row[at.LIVE], seat) and (best < 0 or row[at.HELD + seat] < row[at.HELD + best]):
                best = seat
        finished = _best_place(row)
        leave(row, best, finished)
        note(row, at.EVENT_OUT, best, finished)
    end_deal(row)


@njit
def end_deal(row):
    row[at.PHASE] = at.PHASE_OVER
    row[at.TURN] = -1
    row[at.MODE] = at.LEAD_DUE
    note(row, at.EVENT_OVER, 0, 0)


@njit
def start_free_for_all(row):
    row[at.FREE_FOR_ALL] = 1
    row[at.FREE_FOR_ALL_DELAYED] = 0
    row[at.DUTY] = 0
    row[at.BURNERS] = 0
    note(row, at.EVENT_FREE_FOR_ALL, 0, 0)


@njit
def _free_for_all_is_due(row):
    gone = row[at.TOOK_PLACES] & 1
    gone += (row[at.TOOK_PLACES] >> 1) & 1
    if row[at.REVOLTER_1] > 0:
        gone += 1
    return gone >= 2 or _live_count(np.int64(row[at.LIVE])) <= 3


@njit
def _dead_reply_pending(row):
    """Whether a live seat or the owner of the table set has the dead reply right (section 3a)."""
    holders = np.int64(row[at.LIVE])
    if row[at.OWNER_1] > 0:
        holders |= 1 << (np.int64(row[at.OWNER_1]) - 1)
    for seat in range(at.SEATS):
        if has_seat(row[at.DEAD_REPLY], seat) and has_seat(holders, seat_after(seat, 3)):
            return True
    return False


@njit
def settle(row):
    """After somebody left: end the deal or start the free-for-all where it is time. False when the deal is over."""
    if _is_decided(row):
        _finish(row)
        return False
    if row[at.FREE_FOR_ALL] == 0 and row[at.FREE_FOR_ALL_DELAYED] == 0 and _free_for_all_is_due(row):
        if _dead_reply_pending(row):
            row[at.FREE_FOR_ALL_DELAYED] = 1
        else:
            start_free_for_all(row)
    return True
