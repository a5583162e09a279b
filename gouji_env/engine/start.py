"""Before the first lead: rules into a row, dealing, the first lead, revolution (section 8)."""

import numpy as np
import numpy.typing as npt

from gouji_env.cards import BIG, FOUR, SEATS, SMALL, THREE, TWO, Counts
from gouji_env.engine import layout as at
from gouji_env.engine.jit import njit
from gouji_env.engine.legal import FED_FIRST, SEAT_AROUND, SEAT_FIRST, YIELD_ANY, YIELD_NONE, YIELD_NONGOUJI
from gouji_env.engine.play import (
    ALL_SEATS,
    NO_SEAT,
    SIJI_ANY,
    SIJI_GOUJI,
    SIJI_OFF,
    end_deal,
    give_lead,
    has_pure_gouji_group,
    leave,
    live_or_next,
    note,
    void_hand,
)
from gouji_env.engine.read import deal_seed, has_seat, seat_after
from gouji_env.engine.rng import bounded, mix64, step64, successor_seed
from gouji_env.rules import RuleSet

Row = npt.NDArray[np.int8]
Rows = npt.NDArray[np.int8]

LEAD_ROTATE, LEAD_THREES, LEAD_FOURS, LEAD_LAST_PLACE, LEAD_RANDOM = range(5)
PACK_SIZE = 216
SUITS = 4

_FIRST_LEADS = ("rotate", "threes", "fours", "last_place", "random")
_BUYINGS = ("off", "enemy_first", "partner_first")
_TRIBUTES = ("off", "last_places", "full")
_ORDERS = {"fed_first": FED_FIRST, "seat_first": SEAT_FIRST, "seat_around": SEAT_AROUND}
_YIELDS = {"none": YIELD_NONE, "any": YIELD_ANY, "nongouji": YIELD_NONGOUJI}
_SIJIS = {"off": SIJI_OFF, "any": SIJI_ANY, "gouji": SIJI_GOUJI}


def rules_row(rules: RuleSet) -> Row:
    """A blank row (``int8[ROW]``) that carries the rules; the template of all rows of a rule set."""
    row = np.zeros(at.ROW, np.int8)
    row[at.RULES : at.RULES + at.RULE_FIELDS] = (
        rules.deck.threes,
        rules.deck.fours,
        _FIRST_LEADS.index(rules.first_lead),
        rules.hung_twos,
        rules.gouji_twos,
        _ORDERS[rules.burn_order],
        rules.burn_after_open,
        rules.counter_burn,
        rules.fail_keeps_head,
        rules.pass_ == "strict",
        _YIELDS[rules.yield_],
        _SIJIS[rules.siji],
        rules.choke,
        rules.choke_keeps_head,
        rules.open_four,
        rules.four_fate == "throw",
        _BUYINGS.index(rules.buy3),
        _BUYINGS.index(rules.buy4),
        rules.revolution,
        rules.revolution_rights,
        rules.renounce,
        rules.partner_view == "le10",
        _TRIBUTES.index(rules.tribute),
        rules.return_ == "same",
        rules.tribute_natural,
        rules.exempt,
        rules.end == "side",
    )
    return row


def new_rows(rules: RuleSet, seeds: npt.NDArray[np.uint64]) -> Rows:
    """Fresh deals ``int8[N, ROW]``, one a seed (``uint64[N]``); the same seed always gives the same deal."""
    rows = np.tile(rules_row(rules), (len(seeds), 1))
    for i, seed in enumerate(seeds):
        deal_row(rows[i], np.uint64(seed))
    return rows


def set_hands(row: Row, hands: list[Counts], first_drawer: int, leader: int) -> None:
    """Lay given hands (six ``int8[15]``) into a blank row, as if they had just been dealt."""
    for seat in range(SEATS):
        row[at.HAND + seat * at.KINDS : at.HAND + (seat + 1) * at.KINDS] = hands[seat]
        row[at.HELD + seat] = hands[seat].sum()
    _open_deal(row, first_drawer, leader)


@njit
def _clear(row):
    """Everything but the rules."""
    row[: at.RULES] = 0
    row[at.RULES + at.RULE_FIELDS :] = 0


@njit
def _open_deal(row, first_drawer, leader):
    """The hands are dealt: what follows from them."""
    row[at.LIVE] = ALL_SEATS
    row[at.FIRST_DRAWER] = first_drawer
    row[at.LEADER] = leader
    if row[at.OPEN_FOUR] != 0:
        for seat in range(SEATS):
            if not has_pure_gouji_group(row, seat):
                row[at.NATURAL] |= 1 << seat


@njit
def _write_seed(row, seed):
    for i in range(8):
        byte = np.int64((np.uint64(seed) >> np.uint64(8 * i)) & np.uint64(0xFF))
        row[at.SEED + i] = byte - 256 if byte > 127 else byte


@njit
def _fill_pack(row, pack):
    """The kinds of all cards of the deck, in order, into ``pack``; returns how many."""
    size = 0
    for kind in range(at.KINDS):
        copies = 4 if kind >= SMALL else 16
        if kind == THREE:
            copies = np.int64(row[at.DECK_THREES])
        elif kind == FOUR:
            copies = np.int64(row[at.DECK_FOURS])
        for _ in range(copies):
            pack[size] = kind
            size += 1
    return size


@njit
def deal_row(row, seed):
    """A fresh deal from a seed (``uint64``), under the rules that the row carries; seat 0 draws first (section 8.1)."""
    _clear(row)
    _write_seed(row, seed)
    state = step64(np.uint64(seed))
    pack = np.empty(PACK_SIZE, np.int8)
    size = _fill_pack(row, pack)
    for i in range(size):
        j = i + bounded(mix64(state), size - i)
        state = step64(state)
        kind = np.int64(pack[j])
        pack[j] = pack[i]
        pack[i] = kind
        seat = i % SEATS
        row[at.HAND + seat * at.KINDS + kind] += 1
        row[at.HELD + seat] += 1
    rule = row[at.FIRST_LEAD]
    if rule == LEAD_THREES or rule == LEAD_FOURS:
        kind = np.int64(THREE if rule == LEAD_THREES else FOUR)
        copies = np.int64(row[at.DECK_THREES if rule == LEAD_THREES else at.DECK_FOURS])
        leader = _first_shown(pack, size, kind, copies, state)
    else:
        leader = bounded(mix64(state), SEATS)
    _open_deal(row, 0, leader)
    start_setup(row)


@njit
def _first_shown(pack, size, kind, copies, state):
    """Who leads by showing two 3s (4s) of one colour while the cards are dealt, or more of one suit (section 8.5)."""
    left = np.zeros(SUITS, np.int64)
    for i in range(copies):
        left[i % SUITS] += 1
    drawn = np.zeros((SEATS, SUITS), np.int64)
    holder = NO_SEAT
    shown = 0
    for i in range(size):
        if pack[i] != kind:
            continue
        pick = bounded(mix64(state), left.sum())
        state = step64(state)
        suit = 0
        while pick >= left[suit]:
            pick -= left[suit]
            suit += 1
        left[suit] -= 1
        seat = i % SEATS
        drawn[seat, suit] += 1
        if holder == NO_SEAT:
            if drawn[seat, suit] + drawn[seat, (suit + 2) % SUITS] >= 2:
                holder, shown = seat, 2
        elif seat != holder and drawn[seat, suit] > shown:
            holder, shown = seat, drawn[seat, suit]
    return 0 if holder == NO_SEAT else holder


@njit
def next_deal(row):
    """Deal again in place, from the successor of the row's own seed; the rules stay."""
    deal_row(row, successor_seed(deal_seed(row)))


# --- revolution (section 8.2)


@njit
def _may_revolt(row, seat):
    start = at.HAND + seat * at.KINDS
    return row[start + TWO] + row[start + SMALL] + row[start + BIG] == 0


@njit
def start_setup(row):
    """Go through what comes before the first lead, up to the first decision."""
    if row[at.REVOLUTION] != 0:
        _ask_revolt(row, 0)
    else:
        start_play(row)


@njit
def _ask_revolt(row, steps):
    """Ask the seats from ``steps`` after the first drawer on whether they revolt."""
    for step in range(steps, SEATS):
        seat = seat_after(np.int64(row[at.FIRST_DRAWER]), step)
        if has_seat(row[at.LIVE], seat) and _may_revolt(row, seat):
            row[at.PHASE] = at.PHASE_REVOLT
            row[at.TURN] = seat
            return
    revolter = np.int64(row[at.REVOLTER_1]) - 1
    if revolter >= 0 and row[at.RENOUNCE] != 0:
        row[at.PHASE] = at.PHASE_RENOUNCE
        row[at.TURN] = seat_after(revolter, 3)
        return
    start_play(row)


@njit
def decide_revolt(row, revolts):
    """The deciding seat revolts, or stays without anybody noticing."""
    seat = np.int64(row[at.TURN])
    steps = (seat - row[at.FIRST_DRAWER]) % SEATS
    if not revolts:
        note(row, at.EVENT_SILENT_LOYAL, seat, 0)
    else:
        note(row, at.EVENT_REVOLT, seat, 0)
        if row[at.REVOLTER_1] > 0:
            row[at.VOIDED] = 1
            row[at.PLACE + row[at.REVOLTER_1] - 1] = 0
            note(row, at.EVENT_VOID, seat, 0)
            end_deal(row)
            return
        row[at.REVOLTER_1] = seat + 1
        leave(row, seat, 4)
        void_hand(row, seat)
    _ask_revolt(row, steps + 1)


@njit
def decide_renounce(row, renounces):
    """The revolutionary's opposite keeps or renounces the head."""
    seat = np.int64(row[at.TURN])
    row[at.HEAD_RENOUNCED] = renounces
    note(row, at.EVENT_RENOUNCE if renounces else at.EVENT_KEEP, seat, 0)
    start_play(row)


@njit
def start_play(row):
    """The first lead; a revolutionary's passes to the next live seat (section 8.5)."""
    row[at.PHASE] = at.PHASE_PLAY
    row[at.LEADER] = live_or_next(row, np.int64(row[at.LEADER]))
    give_lead(row, np.int64(row[at.LEADER]))


@njit
def clear_events(row):
    row[at.EVENT_COUNT] = 0
