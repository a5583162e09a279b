"""Fresh rows: rules into a row, dealing, the first lead, and what a deal of a match takes over from the last one."""

import numpy as np
import numpy.typing as npt

from gouji_env.cards import FOUR, SEATS, SMALL, THREE, Counts
from gouji_env.engine import layout as at
from gouji_env.engine.bounds import FED_FIRST, SEAT_AROUND, SEAT_FIRST, YIELD_ANY, YIELD_NONE, YIELD_NONGOUJI
from gouji_env.engine.gouji import has_pure_gouji_group
from gouji_env.engine.jit import njit
from gouji_env.engine.places import ALL_SEATS, NO_SEAT, SIJI_ANY, SIJI_GOUJI, SIJI_OFF
from gouji_env.engine.read import deal_seed, has_seat, seat_after
from gouji_env.engine.rng import bounded, mix64, step64, successor_seed
from gouji_env.engine.setup import run_setup, start_setup
from gouji_env.rules import RuleSet

Row = npt.NDArray[np.int8]
Rows = npt.NDArray[np.int8]

LEAD_ROTATE, LEAD_THREES, LEAD_FOURS, LEAD_LAST_PLACE, LEAD_RANDOM = range(5)
TRIBUTE_OFF, TRIBUTE_LAST_PLACES, TRIBUTE_FULL = range(3)
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
        _FIRST_LEADS.index(rules.first_lead_later),
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
def _deal_cards(row, seed, first_drawer, leader):
    """Shuffle and deal one by one from the first drawer (section 8.1).

    ``leader`` (NO_SEAT: by chance) is who leads where the rule names no other and does not draw lots.
    """
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
        seat = seat_after(first_drawer, i % SEATS)
        row[at.HAND + seat * at.KINDS + kind] += 1
        row[at.HELD + seat] += 1
    rule = row[at.FIRST_LEAD] if row[at.DEAL_NUMBER] == 0 else row[at.FIRST_LEAD_LATER]
    if rule == LEAD_THREES:
        leader = _first_shown(pack, size, np.int64(THREE), np.int64(row[at.DECK_THREES]), first_drawer, state)
    elif rule == LEAD_FOURS:
        leader = _first_shown(pack, size, np.int64(FOUR), np.int64(row[at.DECK_FOURS]), first_drawer, state)
    elif rule == LEAD_RANDOM or leader == NO_SEAT:
        leader = bounded(mix64(state), SEATS)
    _open_deal(row, first_drawer, leader)


@njit
def _first_shown(pack, size, kind, copies, first_drawer, state):
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
        seat = seat_after(first_drawer, i % SEATS)
        drawn[seat, suit] += 1
        # Spade, heart, club, diamond: every other suit has the same colour.
        if holder == NO_SEAT:
            if drawn[seat, suit] + drawn[seat, (suit + 2) % SUITS] >= 2:
                holder, shown = seat, 2
        elif seat != holder and drawn[seat, suit] > shown:
            holder, shown = seat, drawn[seat, suit]
    return first_drawer if holder == NO_SEAT else holder


@njit
def deal_cards(row, seed, leader):
    """A fresh single deal, or the first of a match, up to what comes before the first lead (``start_setup``).

    ``leader`` (NO_SEAT: by chance) is who leads where the rule is ``rotate``.
    """
    _clear(row)
    _deal_cards(row, seed, np.int64(0), leader)
    start_setup(row)


@njit
def deal_row(row, seed):
    """A fresh single deal from a seed (``uint64``), up to its first decision, under the rules that the row carries."""
    deal_cards(row, seed, NO_SEAT)
    run_setup(row)


@njit
def next_deal(row):
    """Deal again in place, from the successor of the row's own seed; the rules stay."""
    deal_row(row, successor_seed(deal_seed(row)))


# --- the next deal of a match


@njit
def _owe(debts, count, payer, receiver, cards):
    """Add a debt, but none within a side (section 8.4)."""
    if (payer - receiver) % 2 == 0:
        return count
    for _ in range(cards):
        if count < at.DEBT_SLOTS:
            debts[count] = payer * SEATS + receiver
            count += 1
    return count


@njit
def owed_tribute(tribute, places, opened, burns, chokes, debts):
    """The cards that a deal's tribute moves, in order, as payer * 6 + receiver into ``debts``; returns how many.

    ``places`` is 1..6 for each seat, ``opened`` a set of seats, ``burns`` and ``chokes`` are lists of victim * 6 +
    burner and choked * 6 + choker.
    """
    seat_of = np.zeros(SEATS, np.int64)
    for seat in range(SEATS):
        seat_of[places[seat] - 1] = seat
    first_three = seat_of[0] % 2 + seat_of[1] % 2 + seat_of[2] % 2
    if tribute == TRIBUTE_OFF or first_three == 0 or first_three == 3:
        return 0
    count = 0
    if tribute == TRIBUTE_FULL:
        for payer in range(SEATS):
            opposite = seat_after(payer, 3)
            if has_seat(opened, opposite) and not has_seat(opened, payer):
                count = _owe(debts, count, payer, opposite, 1)
        for pair in burns:
            count = _owe(debts, count, pair // SEATS, pair % SEATS, 1)
        for pair in chokes:
            count = _owe(debts, count, pair // SEATS, pair % SEATS, 1)
    count = _owe(debts, count, seat_of[5], seat_of[0], 2)
    return _owe(debts, count, seat_of[4], seat_of[1], 1)


@njit
def _write_debts(row, debts, count):
    """Put the debts of the last deal into a row that ``start_setup`` has begun."""
    row[at.DEBT_COUNT] = count
    for j in range(count):
        row[at.DEBT_LIST + j] = debts[j]


@njit
def follow_deal(row, debts, count):
    """Make a deal with given hands, which ``start_setup`` has begun, one that follows another and its debts.

    It counts as the second of its match: of an earlier deal nothing is known but that there was one.
    """
    row[at.DEAL_NUMBER] = 1
    _write_debts(row, debts, count)


@njit
def _debts_of(row, debts):
    """What the deal that has just ended in the row leaves to pay; a void deal leaves its own debts unpaid."""
    if row[at.VOIDED] != 0:
        for j in range(row[at.DEBT_COUNT]):
            debts[j] = row[at.DEBT_LIST + j]
        return np.int64(row[at.DEBT_COUNT])
    burns = row[at.BURN_LIST : at.BURN_LIST + min(np.int64(row[at.BURN_COUNT]), at.BURN_SLOTS)]
    chokes = row[at.CHOKE_LIST : at.CHOKE_LIST + np.int64(row[at.CHOKE_COUNT])]
    places = row[at.PLACE : at.PLACE + SEATS]
    return owed_tribute(row[at.TRIBUTE], places, row[at.OPENED], burns, chokes, debts)


@njit
def _seat_of_place(row, finished):
    for seat in range(SEATS):
        if row[at.PLACE + seat] == finished:
            return seat
    return NO_SEAT


@njit
def next_of_match(row, deals):
    """Deal again in place: the next deal of a match of so many deals, or the first of another match.

    A match of one deal is a single deal: also when it is void.
    """
    if deals == 1 or (row[at.VOIDED] == 0 and row[at.DEAL_NUMBER] + 1 >= deals):
        next_deal(row)
    else:
        deal_after(row, successor_seed(deal_seed(row)))
        run_setup(row)


@njit
def deal_after(row, seed):
    """The next deal of a match in place of the one that is over, up to what comes before the first lead.

    A void deal is dealt again with the same drawer, leader rule and debts (section 8.2).
    """
    debts = np.zeros(at.DEBT_SLOTS, np.int8)
    count = _debts_of(row, debts)
    drawer, leader, number = np.int64(row[at.FIRST_DRAWER]), np.int64(row[at.LEADER]), np.int64(row[at.DEAL_NUMBER])
    if row[at.VOIDED] == 0:
        last = _seat_of_place(row, SEATS)
        last_leads = row[at.FIRST_LEAD_LATER] == LEAD_LAST_PLACE
        drawer = last if last_leads else leader
        leader = last if last_leads else seat_after(leader, 1)
        number = min(number + 1, 127)
    _clear(row)
    row[at.DEAL_NUMBER] = number
    _deal_cards(row, seed, drawer, leader)
    start_setup(row)
    _write_debts(row, debts, count)
