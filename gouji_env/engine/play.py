"""Transitions of the play phase: laying, declining, asking, rounds, burns and places (sections 3 to 7).

Everything that follows an action by itself happens here: forced passes, skipped seats, the end of a round,
failures of burners, the start of the free-for-all, the end of the deal.
"""

import numpy as np

from gouji_env.cards import ACE, BIG, FOUR, JACK, QUEEN, SMALL, TEN, THREE, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.actions import BASE_JOKERS, BASE_TWO
from gouji_env.engine.jit import inlined, njit
from gouji_env.engine.legal import FED_FIRST, SEAT_FIRST, burns_now, can_beat, has_lead, is_one_set
from gouji_env.engine.read import has_seat, headed, seat_after

SIJI_OFF, SIJI_ANY, SIJI_GOUJI = range(3)
NO_SEAT = -1
ALL_SEATS = 0b111111
EVEN_SEATS = 0b010101


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


@inlined
def gouji_count(row, base):
    """From how many cards on a set of this base without jokers is a gouji set; 0 for never (section 2)."""
    if base < TEN or base > TWO:
        return 0
    if base == TWO:
        return np.int64(row[at.GOUJI_TWOS])
    return 5 if base == TEN else 4 if base == JACK else 3 if base == QUEEN else 2


@inlined
def is_gouji(row, base, size, jokers):
    """Whether a set is a gouji set; hung 2s count as the base."""
    if jokers > 0:
        return True
    least = gouji_count(row, base)
    return least > 0 and size >= least


@njit
def has_pure_gouji_group(row, seat):
    """Whether a hand holds a pure gouji set of T..A (section 7: otherwise it is a natural point)."""
    start = at.HAND + seat * at.KINDS
    for base in range(TEN, ACE + 1):
        if row[start + base] >= gouji_count(row, base):
            return True
    return False


# --- places and the end of a deal


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
def _go_out(row, seat):
    """The seat has laid its last set (sections 3a and 6)."""
    finished = _best_place(row)
    leave(row, seat, finished)
    note(row, at.EVENT_OUT, seat, finished)
    if finished <= 2 and (row[at.SIJI] == SIJI_ANY or (row[at.SIJI] == SIJI_GOUJI and row[at.GOUJI] != 0)):
        row[at.DEAD_REPLY] |= 1 << seat


@njit
def _choke(row, seat, choker):
    """A set was beaten whose owner holds nothing but 3s (section 7). Everybody sees what he is left with."""
    finished = _lowest_place(row)
    leave(row, seat, finished)
    if row[at.CHOKE_KEEPS_HEAD] != 0:
        row[at.HEAD_KEPT] |= 1 << seat
    start = seat * at.KINDS
    row[at.SHOWN + start + THREE] += row[at.HAND + start + THREE]
    row[at.HAND + start + THREE] = 0
    row[at.HELD + seat] = 0
    row[at.CHOKE_LIST + row[at.CHOKE_COUNT]] = seat * at.SEATS + choker
    row[at.CHOKE_COUNT] += 1
    note(row, at.EVENT_CHOKE, seat, finished)


@njit
def _fail(row, seat):
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


# --- free-for-all


@njit
def _start_free_for_all(row):
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
            _start_free_for_all(row)
    return True


# --- rounds


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
        _fail(row, seat)
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


@njit
def _end_round(row):
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
        _start_free_for_all(row)
    give_lead(row, live_or_next(row, owner))


# --- asking


@inlined
def _queue_offset(order, index):
    """Steps from the owner to the index-th seat of the restricted queue (section 4.3)."""
    if order == FED_FIRST:
        return 2 if index == 0 else 4 if index == 1 else 1 if index == 2 else 5 if index == 3 else 3
    if order == SEAT_FIRST:
        return index + 1 if index < 2 else index + 2 if index < 4 else 3
    return index + 1


@inlined
def _public_pass(row, seat):
    note(row, at.EVENT_PASS, seat, 0)
    remember(row, at.MOVE_PASS, seat, 0, 0, 0, 0, 0)
    if row[at.MODE] != at.EVERYBODY:
        row[at.PASSED] |= 1 << seat


@inlined
def _note_decline(row, seat, opposite):
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
        _public_pass(row, seat)
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
                _public_pass(row, seat)
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
        _public_pass(row, seat)
        _note_decline(row, seat, opposite)
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
    _public_pass(row, opposite)
    return False


@inlined
def _ask_on(row):
    """Ask the next seat about the table set, or end the round."""
    owner = np.int64(row[at.OWNER_1]) - 1
    if row[at.MODE] == at.EVERYBODY:
        asked = _ask_everybody(row, owner)
    elif row[at.MODE] == at.RESTRICTED:
        asked = _ask_restricted(row, owner)
    else:
        asked = _ask_open(row, owner)
    if not asked:
        _end_round(row)


@inlined
def _start_asking(row):
    """A set was laid: who may answer is read afresh (section 4)."""
    row[at.YIELDED], row[at.OPPOSITE_DECLINED], row[at.DECLINED_AFTER] = 0, 0, 0
    if row[at.BIGS] > 0:
        _end_round(row)
        return
    row[at.CURSOR] = 1
    if row[at.FREE_FOR_ALL] != 0:
        row[at.MODE] = at.EVERYBODY
    elif row[at.GOUJI] != 0 and headed(row, np.int64(row[at.OWNER_1]) - 1):
        row[at.MODE] = at.RESTRICTED
        row[at.CURSOR] = 0
    else:
        row[at.MODE] = at.OPEN
    _ask_on(row)


# --- actions


@njit
def decline(row):
    """The deciding seat passes."""
    seat = np.int64(row[at.TURN])
    opposite = seat_after(np.int64(row[at.OWNER_1]) - 1, 3)
    if row[at.MODE] == at.RESTRICTED and seat != opposite:
        note(row, at.EVENT_SILENT_PASS, seat, 0)
    else:
        _public_pass(row, seat)
        if row[at.MODE] == at.OPEN:
            _note_decline(row, seat, opposite)
    if row[at.CURSOR] >= at.CURSOR_AFTER_YIELD:
        _end_round(row)
    else:
        row[at.CURSOR] += 1
        _ask_on(row)


@njit
def yield_turn(row):
    """The deciding seat, opposite of the owner, lets the two seats after it go first."""
    seat = np.int64(row[at.TURN])
    note(row, at.EVENT_YIELD, seat, 0)
    remember(row, at.MOVE_YIELD, seat, 0, 0, 0, 0, 0)
    row[at.YIELDED] = 1
    row[at.CURSOR] += 1
    _ask_on(row)


@njit
def throw_fours(row):
    """A leader throws its restricted 4s away, and leads then (section 7)."""
    seat = np.int64(row[at.TURN])
    start = seat * at.KINDS + FOUR
    fours = np.int64(row[at.HAND + start])
    row[at.SHOWN + start] += fours
    row[at.HAND + start] = 0
    row[at.HELD + seat] -= fours
    note(row, at.EVENT_THROW, seat, fours)
    remember(row, at.MOVE_THROW, seat, FOUR + 1, fours, 0, 0, 0)
    give_lead(row, seat)


@inlined
def _note_opening(row, seat, base):
    """All the 4s led right after the own pure gouji set has won a round, with everybody still there (section 7)."""
    restricted = row[at.OPEN_FOUR] != 0 and row[at.FREE_FOR_ALL] == 0 and not has_seat(row[at.NATURAL], seat)
    revolter = np.int64(row[at.REVOLTER_1]) - 1
    there = row[at.LIVE] | (1 << revolter) if revolter >= 0 else row[at.LIVE]
    if base == FOUR and restricted and row[at.WON_PURE_1] == seat + 1 and there == ALL_SEATS:
        row[at.OPENED] |= 1 << seat
        note(row, at.EVENT_OPEN, seat, 0)
    row[at.WON_PURE_1] = 0


@inlined
def _beat_table(row, seat):
    """What becomes of the set that is being beaten: the burn it was, and the 3s its owner is left with."""
    loser = np.int64(row[at.OWNER_1]) - 1
    if row[at.BURNING] != 0:
        row[at.DUTY] &= ~(1 << loser)
        row[at.BURNERS] &= ~(1 << loser)
        row[at.BURN_COUNT] -= 1
    held = row[at.HELD + loser]
    if row[at.CHOKE] != 0 and held > 0 and row[at.HAND + loser * at.KINDS + THREE] == held:
        _choke(row, loser, seat)
    if row[at.YIELDED] != 0 and seat != seat_after(loser, 3):
        _public_pass(row, seat_after(loser, 3))


@inlined
def _take_from_hand(row, seat, base, naturals, twos, small, big):
    """Move the cards of a set from the hand to what the seat has shown."""
    start = seat * at.KINDS
    if base < BASE_JOKERS:
        row[at.HAND + start + base] -= naturals
        row[at.SHOWN + start + base] += naturals
    row[at.HAND + start + TWO] -= twos
    row[at.SHOWN + start + TWO] += twos
    row[at.HAND + start + SMALL] -= small
    row[at.SHOWN + start + SMALL] += small
    row[at.HAND + start + BIG] -= big
    row[at.SHOWN + start + BIG] += big
    row[at.HELD + seat] -= naturals + twos + small + big
    last = at.LAST_SET + seat * at.SET_FIELDS
    row[last], row[last + 1], row[last + 2], row[last + 3], row[last + 4] = base + 1, naturals, twos, small, big


@inlined
def _put_on_table(row, seat, base, naturals, twos, small, big):
    size = naturals + twos + small + big
    row[at.OWNER_1] = seat + 1
    row[at.BASE], row[at.SIZE], row[at.TWOS], row[at.SMALLS], row[at.BIGS] = base, size, twos, small, big
    row[at.GOUJI] = is_gouji(row, base, size, small + big)
    if row[at.GOUJI] != 0:
        row[at.GOUJI_THIS_ROUND] |= 1 << seat


@njit
def _note_burn(row, burner, victim):
    """Burn duty, or exemption from it, and the tribute that the burn may earn (section 5)."""
    bit = 1 << burner
    row[at.BURNERS] |= bit
    row[at.VICTIM + burner] = victim
    if row[at.HELD + burner] == 0 or is_one_set(row, burner):
        row[at.DUTY] &= ~bit
    else:
        row[at.DUTY] |= bit
    row[at.BURN_LIST + min(np.int64(row[at.BURN_COUNT]), at.BURN_SLOTS - 1)] = victim * at.SEATS + burner
    row[at.BURN_COUNT] += 1
    note(row, at.EVENT_BURN, burner, victim)


@njit
def lay(row, base, naturals, twos, small, big):
    """The deciding seat lays a legal set."""
    seat = np.int64(row[at.TURN])
    previous = np.int64(row[at.OWNER_1]) - 1
    live = row[at.LIVE]
    row[at.COMPOSING], row[at.SELECTED_BASE], row[at.SELECTED_SIZE] = 0, 0, 0
    note(row, at.EVENT_PLAY, seat, 0)
    remember(row, at.MOVE_PLAY, seat, base + 1, naturals, twos, small, big)
    burning = previous >= 0 and burns_now(row)
    if previous < 0:
        _note_opening(row, seat, base)
    else:
        _beat_table(row, seat)
    _take_from_hand(row, seat, base, naturals, twos, small, big)
    _put_on_table(row, seat, base, naturals, twos, small, big)
    row[at.BURNING] = burning
    if burning:
        _note_burn(row, seat, previous)
    if row[at.HELD + seat] == 0:
        _go_out(row, seat)
    if row[at.LIVE] == live or settle(row):
        _start_asking(row)
