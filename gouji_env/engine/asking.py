"""Rounds: who leads, who is asked about the table set, and when a round ends (section 4)."""

import numpy as np

from gouji_env.cards import FOUR
from gouji_env.engine import layout as at
from gouji_env.engine.actions import BASE_TWO
from gouji_env.engine.bounds import FED_FIRST, SEAT_FIRST, can_beat, has_lead
from gouji_env.engine.jit import inlined, njit
from gouji_env.engine.notes import FORCED, note, remember
from gouji_env.engine.places import fail, settle, start_free_for_all
from gouji_env.engine.read import has_seat, headed, seat_after


@njit
def next_live(row, seat):
    """The next live seat after this one in playing order."""
    other = seat_after(seat, 1)
    while not has_seat(row[at.LIVE], other):
        other = seat_after(other, 1)
    return other


@inlined
def live_or_next(row, seat):
    return seat if has_seat(row[at.LIVE], seat) else next_live(row, seat)


@njit
def give_lead(row, seat):
    """The seat is to lead; burners who cannot are out, and the lead goes on (section 5)."""
    while has_seat(row[at.DUTY], seat) and not has_lead(row, seat):
        victim = np.int64(row[at.VICTIM + seat])
        fail(row, seat)
        if not settle(row):
            return
        seat = live_or_next(row, victim)
    row[at.TURN] = seat


@inlined
def _clear_table(row):
    row[at.OWNER_1] = 0
    row[at.MODE] = at.LEAD_DUE
    row[at.BASE], row[at.SIZE], row[at.TWOS], row[at.SMALLS], row[at.BIGS] = 0, 0, 0, 0, 0
    row[at.GOUJI], row[at.BURNING], row[at.YIELDED], row[at.CURSOR] = 0, 0, 0, 0
    row[at.OPPOSITE_DECLINED], row[at.DECLINED_AFTER] = 0, 0


@njit
def end_round(row):
    """Section 4.5."""
    owner = np.int64(row[at.OWNER_1]) - 1
    pure = row[at.GOUJI] != 0 and row[at.BASE] < BASE_TWO and row[at.TWOS] + row[at.SMALLS] + row[at.BIGS] == 0
    row[at.WON_PURE_1] = owner + 1 if pure and has_seat(row[at.LIVE], owner) else 0
    revolter = np.int64(row[at.REVOLTER_1]) - 1
    if revolter >= 0 and has_seat(row[at.GOUJI_THIS_ROUND], seat_after(revolter, 3)):
        row[at.REVOLT_ROUNDS] += 1
    row[at.GOUJI_THIS_ROUND] = 0
    row[at.PASSED] = 0
    row[at.DEAD_REPLY] = 0
    row[at.ROUND] = min(np.int64(row[at.ROUND]) + 1, 127)  # a byte: the longest deals have more rounds
    _clear_table(row)
    note(row, at.EVENT_ROUND_END, owner, 0)
    if row[at.FREE_FOR_ALL_DELAYED] != 0:
        start_free_for_all(row)
    give_lead(row, live_or_next(row, owner))


@inlined
def _queue_offset(order, index):
    """Steps from the owner to the index-th seat of the restricted queue (section 4.3)."""
    if order == FED_FIRST:
        return 2 if index == 0 else 4 if index == 1 else 1 if index == 2 else 5 if index == 3 else 3
    if order == SEAT_FIRST:
        return index + 1 if index < 2 else index + 2 if index < 4 else 3
    return index + 1


@inlined
def public_pass(row, seat, forced):
    note(row, at.EVENT_PASS, seat, forced)
    remember(row, at.MOVE_PASS, seat, 0, 0, 0, 0, 0)
    if row[at.MODE] != at.EVERYBODY:
        row[at.PASSED] |= 1 << seat


@inlined
def note_decline(row, seat, opposite):
    """Keep who declined the table set before whom, for the opposite's last word (section 4.4)."""
    if seat == opposite:
        row[at.OPPOSITE_DECLINED] = 1
        row[at.DECLINED_AFTER] = 0
    elif row[at.OPPOSITE_DECLINED] != 0:
        row[at.DECLINED_AFTER] = 1


@njit
def _may_burn(row, seat):
    """burn_after_open: only without 4s, opened or with a natural point (section 5)."""
    if row[at.BURN_AFTER_OPEN] == 0 or row[at.OPEN_FOUR] == 0 or has_seat(row[at.OPENED] | row[at.NATURAL], seat):
        return True
    return row[at.HAND + seat * at.KINDS + FOUR] == 0


@inlined
def _ask(row, seat, cursor):
    row[at.TURN] = seat
    row[at.CURSOR] = cursor


@njit
def _ask_everybody(row, owner):
    """Section 4.2. Returns whether somebody is to decide."""
    for steps in range(np.int64(row[at.CURSOR]), at.SEATS):
        seat = seat_after(owner, steps)
        if not has_seat(row[at.LIVE], seat):
            continue
        if has_seat(row[at.PASSED], seat) and (steps != 3 or row[at.PASS_STRICT] != 0):
            continue
        if can_beat(row, seat):
            _ask(row, seat, steps)
            return True
        public_pass(row, seat, FORCED)
    return False


@njit
def _ask_restricted(row, owner):
    """Section 4.3. Returns whether somebody is to decide."""
    opposite = seat_after(owner, 3)
    if row[at.CURSOR] < at.SEATS - 1:
        for index in range(np.int64(row[at.CURSOR]), at.SEATS - 1):
            seat = seat_after(owner, _queue_offset(row[at.BURN_ORDER], index))
            if not has_seat(row[at.LIVE], seat):
                continue
            has_passed = has_seat(row[at.PASSED], seat)
            if seat == opposite:
                if has_passed and row[at.PASS_STRICT] != 0:
                    continue
                if can_beat(row, seat):
                    _ask(row, seat, index)
                    return True
                public_pass(row, seat, FORCED)
            elif not has_passed and _may_answer_restricted(row, seat):
                _ask(row, seat, index)
                return True
    if row[at.YIELDED] != 0:
        row[at.YIELDED] = 0
        _ask(row, opposite, at.CURSOR_AFTER_YIELD)
        return True
    return False


@inlined
def _may_answer_restricted(row, seat):
    if row[at.BURNING] != 0 and row[at.COUNTER_BURN] == 0:
        return False
    return can_beat(row, seat) and (_may_burn(row, seat) or not headed(row, seat))


@njit
def _ask_open(row, owner):
    """Section 4.4. Returns whether somebody is to decide."""
    opposite = seat_after(owner, 3)
    for steps in range(np.int64(row[at.CURSOR]), at.SEATS):
        seat = seat_after(owner, steps)
        if not has_seat(row[at.LIVE] & ~row[at.PASSED], seat):
            continue
        if can_beat(row, seat):
            _ask(row, seat, steps)
            return True
        public_pass(row, seat, FORCED)
        note_decline(row, seat, opposite)
    if row[at.YIELDED] != 0:
        row[at.YIELDED] = 0
        _ask(row, opposite, at.CURSOR_AFTER_YIELD)
        return True
    return _ask_once_more(row, opposite)


@njit
def _ask_once_more(row, opposite):
    """The last word of an opposite who has passed, unless nothing is new since he declined this very set."""
    if row[at.PASS_STRICT] != 0 or not has_seat(row[at.LIVE] & row[at.PASSED], opposite):
        return False
    if row[at.OPPOSITE_DECLINED] != 0 and row[at.DECLINED_AFTER] == 0:
        return False
    if can_beat(row, opposite):
        _ask(row, opposite, at.CURSOR_ONCE_MORE)
        return True
    public_pass(row, opposite, FORCED)
    return False


@inlined
def ask_on(row):
    """Ask the next seat about the table set, or end the round."""
    owner = np.int64(row[at.OWNER_1]) - 1
    if row[at.MODE] == at.EVERYBODY:
        asked = _ask_everybody(row, owner)
    elif row[at.MODE] == at.RESTRICTED:
        asked = _ask_restricted(row, owner)
    else:
        asked = _ask_open(row, owner)
    if not asked:
        end_round(row)


@inlined
def start_asking(row):
    """A set was laid: who may answer is read afresh (section 4)."""
    row[at.YIELDED], row[at.OPPOSITE_DECLINED], row[at.DECLINED_AFTER] = 0, 0, 0
    if row[at.BIGS] > 0:
        end_round(row)
        return
    row[at.CURSOR] = 1
    if row[at.FREE_FOR_ALL] != 0:
        row[at.MODE] = at.EVERYBODY
    elif row[at.GOUJI] != 0 and headed(row, np.int64(row[at.OWNER_1]) - 1):
        row[at.MODE] = at.RESTRICTED
        row[at.CURSOR] = 0
    else:
        row[at.MODE] = at.OPEN
    ask_on(row)
