"""The actions of the play phase: laying a set, declining, yielding, throwing 4s (sections 4, 5 and 7).

Everything that follows by itself is done before an action returns: forced passes, skipped seats, the end of a
round, failures of burners, the start of the free-for-all, the end of the deal.
"""

import numpy as np

from gouji_env.cards import BIG, FOUR, SMALL, THREE, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.actions import BASE_JOKERS
from gouji_env.engine.asking import ask_on, end_round, give_lead, note_decline, public_pass, start_asking
from gouji_env.engine.bounds import burns_now, is_one_set
from gouji_env.engine.gouji import is_gouji
from gouji_env.engine.jit import inlined, njit
from gouji_env.engine.notes import CHOSEN, note, remember
from gouji_env.engine.places import ALL_SEATS, choke, go_out, settle
from gouji_env.engine.read import has_seat, seat_after


@njit
def decline(row):
    """The deciding seat passes."""
    seat = np.int64(row[at.TURN])
    opposite = seat_after(np.int64(row[at.OWNER_1]) - 1, 3)
    if row[at.MODE] == at.RESTRICTED and seat != opposite:
        note(row, at.EVENT_SILENT_PASS, seat, 0)
    else:
        public_pass(row, seat, CHOSEN)
        if row[at.MODE] == at.OPEN:
            note_decline(row, seat, opposite)
    if row[at.CURSOR] >= at.CURSOR_AFTER_YIELD:
        end_round(row)
    else:
        row[at.CURSOR] += 1
        ask_on(row)


@njit
def yield_turn(row):
    """The deciding seat, opposite of the owner, lets the two seats after it go first."""
    seat = np.int64(row[at.TURN])
    note(row, at.EVENT_YIELD, seat, 0)
    remember(row, at.MOVE_YIELD, seat, 0, 0, 0, 0, 0)
    row[at.YIELDED] = 1
    row[at.CURSOR] += 1
    ask_on(row)


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
        choke(row, loser, seat)
    if row[at.YIELDED] != 0 and seat != seat_after(loser, 3):
        public_pass(row, seat_after(loser, 3), CHOSEN)


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
        go_out(row, seat)
    if row[at.LIVE] == live or settle(row):
        start_asking(row)
