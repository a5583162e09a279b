"""Between the deal and the first lead: revolution, buying, tribute and its return (section 8).

The row goes through stages. ``setup_step`` does one thing (one purchase, one payment) so that each leaves its events;
it stops where a seat has to decide.
"""

import numpy as np

from gouji_env.cards import BIG, FOUR, SMALL, THREE, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.asking import give_lead, live_or_next
from gouji_env.engine.jit import njit
from gouji_env.engine.notes import note
from gouji_env.engine.places import NO_SEAT, end_deal, leave, void_hand
from gouji_env.engine.read import has_seat, known_cards, seat_after

ENEMY_FIRST = 1
PRICE = np.int64(TWO)  # a dealt 2
FOUR_JOKERS = 4


@njit
def start_setup(row):
    """Begin what comes before the first lead; go on with ``run_setup``."""
    row[at.PHASE] = at.PHASE_SETUP
    row[at.TURN] = -1
    row[at.SETUP_STAGE] = at.STAGE_REVOLUTION
    row[at.SETUP_INDEX] = 0


@njit
def run_setup(row):
    """Go on to the next decision."""
    while row[at.PHASE] == at.PHASE_SETUP:
        setup_step(row)


@njit
def setup_step(row):
    """Do the next single thing before the first lead. Only in the phase of setup."""
    stage, index = row[at.SETUP_STAGE], np.int64(row[at.SETUP_INDEX])
    if stage == at.STAGE_REVOLUTION:
        _ask_revolt(row, index)
    elif stage == at.STAGE_BUY_THREES:
        _buy_next(row, index, np.int64(THREE), row[at.BUY3])
    elif stage == at.STAGE_BUY_FOURS:
        _buy_next(row, index, np.int64(FOUR), row[at.BUY4])
    elif stage == at.STAGE_PAY:
        _pay_next(row, index)
    elif stage == at.STAGE_RETURN:
        _ask_return(row, index)
    else:
        start_play(row)


@njit
def _next_stage(row):
    row[at.SETUP_STAGE] += 1
    row[at.SETUP_INDEX] = 0


@njit
def start_play(row):
    """The first lead."""
    for j in range(at.SHOWN, at.VOID):
        row[j] = 0
    row[at.PHASE] = at.PHASE_PLAY
    row[at.LEADER] = live_or_next(row, np.int64(row[at.LEADER]))
    give_lead(row, np.int64(row[at.LEADER]))


@njit
def _ask(row, phase, seat):
    row[at.PHASE] = phase
    row[at.TURN] = seat


@njit
def _go_on(row):
    """A decision was taken: back to the stages."""
    row[at.PHASE] = at.PHASE_SETUP
    row[at.TURN] = -1


# --- revolution (section 8.2)


@njit
def _may_revolt(row, seat):
    start = at.HAND + seat * at.KINDS
    return row[start + TWO] + row[start + SMALL] + row[start + BIG] == 0


@njit
def _ask_revolt(row, steps):
    """Ask the seats from ``steps`` after the first drawer on whether they revolt, then the head of one that did."""
    if row[at.REVOLUTION] != 0:
        for step in range(steps, at.SEATS):
            seat = seat_after(np.int64(row[at.FIRST_DRAWER]), step)
            if _may_revolt(row, seat):
                row[at.SETUP_INDEX] = step + 1
                _ask(row, at.PHASE_REVOLT, seat)
                return
    revolter = np.int64(row[at.REVOLTER_1]) - 1
    # Who has led off a revolutionary's lead is the first leader, whom buying begins with (section 8.5).
    row[at.LEADER] = live_or_next(row, np.int64(row[at.LEADER]))
    _next_stage(row)
    if revolter >= 0 and row[at.RENOUNCE] != 0:
        _ask(row, at.PHASE_RENOUNCE, seat_after(revolter, 3))


@njit
def decide_revolt(row, revolts):
    """The deciding seat revolts, or stays without anybody noticing."""
    seat = np.int64(row[at.TURN])
    if not revolts:
        note(row, at.EVENT_SILENT_LOYAL, seat, 0)
        _go_on(row)
        return
    note(row, at.EVENT_REVOLT, seat, 0)
    if row[at.REVOLTER_1] > 0:
        row[at.VOIDED] = 1
        row[at.PLACE + np.int64(row[at.REVOLTER_1]) - 1] = 0
        note(row, at.EVENT_VOID, seat, 0)
        end_deal(row)
        return
    row[at.REVOLTER_1] = seat + 1
    leave(row, seat, np.int64(4))
    void_hand(row, seat)
    _go_on(row)


@njit
def decide_renounce(row, renounces):
    """The revolutionary's opposite keeps or renounces the head."""
    row[at.HEAD_RENOUNCED] = renounces
    note(row, at.EVENT_RENOUNCE if renounces else at.EVENT_KEEP, np.int64(row[at.TURN]), 0)
    _go_on(row)


# --- cards that change hands in public


@njit
def _set_known(row, seat, kind, count):
    byte = at.KNOWN + seat * at.KNOWN_BYTES + kind // 2
    old = np.int64(row[byte]) & 0xFF
    new = old & 0x0F | count << 4 if kind % 2 else old & 0xF0 | count
    row[byte] = new - 256 if new > 127 else new


@njit
def _forget_known(row, seat, kind):
    """A seat gives a card away that may be one that came to it in public."""
    _set_known(row, seat, kind, max(known_cards(row, seat, kind) - 1, 0))


@njit
def _hand_over(row, giver, receiver, kind):
    """A card goes from hand to hand, seen by all."""
    row[at.HAND + giver * at.KINDS + kind] -= 1
    row[at.HELD + giver] -= 1
    row[at.HAND + receiver * at.KINDS + kind] += 1
    row[at.HELD + receiver] += 1
    _set_known(row, receiver, kind, known_cards(row, receiver, kind) + 1)
    row[at.TRADED] = 1


@njit
def _dealt_cards(row, seat, kind):
    """Cards of a kind that the seat was dealt and still holds."""
    return np.int64(row[at.HAND + seat * at.KINDS + kind]) - known_cards(row, seat, kind)


# --- buying (section 7)


@njit
def _buy_next(row, index, kind, order):
    if order == 0 or index == at.SEATS:
        _next_stage(row)
        return
    row[at.SETUP_INDEX] += 1
    buyer = seat_after(np.int64(row[at.LEADER]), index)
    if has_seat(row[at.LIVE], buyer) and row[at.HAND + buyer * at.KINDS + kind] == 0:
        _buy(row, buyer, kind, order)


@njit
def _seller_at(buyer, order, index):
    """The index-th seat that a buyer turns to: opposite first, then the other enemies or the partners."""
    if order == ENEMY_FIRST:
        return seat_after(buyer, 3 if index == 0 else 1 if index == 1 else 5 if index == 2 else 2 if index == 3 else 4)
    return seat_after(buyer, 3 if index == 0 else 2 if index == 1 else 4 if index == 2 else 1 if index == 3 else 5)


@njit
def _find_seller(row, buyer, kind, order, partner):
    """The first live seat in the order, among the partners or the enemies, that can spare the card."""
    for index in range(at.SEATS - 1):
        seat = _seller_at(buyer, order, index)
        is_partner = (seat - buyer) % 2 == 0
        if is_partner == partner and has_seat(row[at.LIVE], seat) and row[at.HAND + seat * at.KINDS + kind] >= 2:
            return seat
    return NO_SEAT


@njit
def _find_payer(row, buyer):
    """The partner who pays for a buyer without a dealt 2."""
    for steps in range(2, at.SEATS, 2):
        seat = seat_after(buyer, steps)
        if has_seat(row[at.LIVE], seat) and _dealt_cards(row, seat, PRICE) > 0:
            return seat
    return NO_SEAT


@njit
def _buy(row, buyer, kind, order):
    enemy = _find_seller(row, buyer, kind, order, False)
    partner = _find_seller(row, buyer, kind, order, True)
    payer = buyer
    if _dealt_cards(row, buyer, PRICE) > 0:
        opposite_sells = enemy == seat_after(buyer, 3)
        gives = partner != NO_SEAT and (enemy == NO_SEAT or (order != ENEMY_FIRST and not opposite_sells))
    else:
        payer = _find_payer(row, buyer)
        gives = partner != NO_SEAT
    if gives:
        _close_purchase(row, buyer, partner, NO_SEAT, kind)
    elif enemy != NO_SEAT and payer != NO_SEAT:
        _close_purchase(row, buyer, enemy, payer, kind)


@njit
def _close_purchase(row, buyer, seller, payer, kind):
    _forget_known(row, seller, kind)
    _hand_over(row, seller, buyer, kind)
    if payer != NO_SEAT:
        _hand_over(row, payer, seller, PRICE)
    code = at.EVENT_BUY_THREE if kind == THREE else at.EVENT_BUY_FOUR
    note(row, code, buyer, seller * (at.SEATS + 1) + payer + 1)


# --- tribute (section 8.4)


@njit
def _exempt_payers(row):
    """Four dealt big jokers exempt the side, four dealt small ones the seat."""
    exempt = 0
    if row[at.EXEMPT] == 0:
        return exempt
    for seat in range(at.SEATS):
        if row[at.HAND + seat * at.KINDS + BIG] == FOUR_JOKERS:
            exempt |= 0b010101 << (seat & 1)
        if row[at.HAND + seat * at.KINDS + SMALL] == FOUR_JOKERS:
            exempt |= 1 << seat
    return exempt


@njit
def _pay_next(row, index):
    if index == 0:
        row[at.EXEMPT_SEATS] = _exempt_payers(row)
    if index == row[at.DEBT_COUNT]:
        _next_stage(row)
        return
    row[at.SETUP_INDEX] += 1
    debt = np.int64(row[at.DEBT_LIST + index])
    payer, receiver = debt // at.SEATS, debt % at.SEATS
    if (
        not has_seat(row[at.LIVE], payer)
        or not has_seat(row[at.LIVE], receiver)
        or has_seat(row[at.EXEMPT_SEATS], payer)
    ):
        return
    natural = row[at.TRIBUTE_NATURAL] != 0
    for kind in (BIG, SMALL, TWO):
        payable = _dealt_cards(row, payer, kind) if natural else np.int64(row[at.HAND + payer * at.KINDS + kind])
        if payable > 0:
            if not natural:
                _forget_known(row, payer, kind)
            _hand_over(row, payer, receiver, kind)
            row[at.DEBT_LIST + index] = debt + at.PAID
            note(row, at.EVENT_TRIBUTE, payer, receiver * at.KINDS + kind)
            return


@njit
def _ask_return(row, index):
    """Ask the receiver of the next paid card for one in return."""
    while index < row[at.DEBT_COUNT] and row[at.DEBT_LIST + index] < at.PAID:
        index += 1
    if row[at.RETURN] == 0 or index == row[at.DEBT_COUNT]:
        _next_stage(row)
        return
    row[at.SETUP_INDEX] = index
    _ask(row, at.PHASE_RETURN, (np.int64(row[at.DEBT_LIST + index]) - at.PAID) % at.SEATS)


@njit
def may_return(row, kind):
    """Whether the deciding receiver may offer a card of this kind."""
    return row[at.HAND + np.int64(row[at.TURN]) * at.KINDS + kind] > 0 and row[at.REFUSED + kind] == 0


@njit
def offer_return(row, kind):
    """The deciding receiver offers a card; the payer decides where it may refuse."""
    receiver = np.int64(row[at.TURN])
    payer = (np.int64(row[at.DEBT_LIST + np.int64(row[at.SETUP_INDEX])]) - at.PAID) // at.SEATS
    row[at.OFFERED_1] = kind + 1
    note(row, at.EVENT_OFFER, receiver, kind)
    if row[at.HAND + payer * at.KINDS + kind] == 0 and _another_offer(row, kind):
        _ask(row, at.PHASE_ACCEPT, payer)
    else:
        _close_return(row, receiver, payer, kind)


@njit
def _another_offer(row, kind):
    """Whether the receiver could offer another kind; else the offer stands."""
    for other in range(at.KINDS):
        if other != kind and may_return(row, other):
            return True
    return False


@njit
def decide_return(row, accepts):
    """The deciding payer accepts or refuses the card that is offered."""
    payer = np.int64(row[at.TURN])
    receiver = (np.int64(row[at.DEBT_LIST + np.int64(row[at.SETUP_INDEX])]) - at.PAID) % at.SEATS
    kind = np.int64(row[at.OFFERED_1]) - 1
    if accepts:
        _close_return(row, receiver, payer, kind)
        return
    note(row, at.EVENT_REFUSE, payer, kind)
    row[at.REFUSED + kind] = 1
    row[at.OFFERED_1] = 0
    _ask(row, at.PHASE_RETURN, receiver)


@njit
def _close_return(row, receiver, payer, kind):
    _forget_known(row, receiver, kind)
    _hand_over(row, receiver, payer, kind)
    note(row, at.EVENT_RETURN, receiver, payer * at.KINDS + kind)
    row[at.OFFERED_1] = 0
    for other in range(at.KINDS):
        row[at.REFUSED + other] = 0
    row[at.SETUP_INDEX] += 1
    _go_on(row)
