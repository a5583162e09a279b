"""Reading a row: small questions about a deal, for kernels outside the engine too. Nothing here changes a row."""

import numpy as np

from gouji_env.engine import layout as at
from gouji_env.engine.jit import inlined, njit


@inlined
def has_seat(seats, seat):
    """Whether a seat is in a set of seats (a bit mask)."""
    return (seats >> seat) & 1 == 1


@inlined
def seat_after(seat, steps):
    """The seat ``steps`` (0..5) further in playing order."""
    other = seat + steps
    return other - at.SEATS if other >= at.SEATS else other


@njit
def is_over(row):
    return row[at.PHASE] == at.PHASE_OVER


@njit
def turn(row):
    """The seat that decides, -1 when the deal is over."""
    return np.int64(row[at.TURN])


@njit
def hand(row, seat, kind):
    """Cards of a kind (0..14) in a hand. A player's kernel may ask this of its own seat only."""
    return np.int64(row[at.HAND + seat * at.KINDS + kind])


@njit
def cards_held(row, seat):
    return np.int64(row[at.HELD + seat])


@njit
def play_began(row):
    """Whether the first lead has come, in a deal that was not voided before it."""
    return (row[at.PHASE] == at.PHASE_PLAY or row[at.PHASE] == at.PHASE_OVER) and row[at.VOIDED] == 0


@njit
def played(row, seat, kind):
    """Cards of a kind that a seat has shown: laid, thrown or left in a choked hand."""
    return np.int64(row[at.SHOWN + seat * at.KINDS + kind]) if play_began(row) else 0


@njit
def known_cards(row, seat, kind):
    """Cards of a kind that had come to the seat for all to see, and had not left it, before the first lead."""
    byte = np.int64(row[at.KNOWN + seat * at.KNOWN_BYTES + kind // 2]) & 0xFF
    return byte >> 4 if kind % 2 else byte & 0x0F


@njit
def owner(row):
    """The seat whose set lies on the table, -1 when a lead is due."""
    return np.int64(row[at.OWNER_1]) - 1


@njit
def table_base(row):
    """0..11 for 3..A, 12 for 2, 13 for jokers only."""
    return np.int64(row[at.BASE])


@njit
def table_size(row):
    return np.int64(row[at.SIZE])


@njit
def table_twos(row):
    return np.int64(row[at.TWOS])


@njit
def table_small(row):
    return np.int64(row[at.SMALLS])


@njit
def table_big(row):
    return np.int64(row[at.BIGS])


@njit
def table_is_gouji(row):
    return row[at.GOUJI] != 0


@njit
def passed(row, seat):
    """Whether the seat has passed in this round, as everybody can see."""
    return has_seat(row[at.PASSED], seat)


@njit
def live(row, seat):
    return has_seat(row[at.LIVE], seat)


@njit
def place(row, seat):
    """1..6, or 0 while the seat has none."""
    return np.int64(row[at.PLACE + seat])


@njit
def on_duty(row, seat):
    """Burn duty (section 5). Secret of the seat: an exempt burner has none."""
    return has_seat(row[at.DUTY], seat)


@njit
def free_for_all(row):
    return row[at.FREE_FOR_ALL] != 0


@njit
def is_play(row):
    """Whether the decision is one of play: to lead or to answer, and none of those before the first lead."""
    return row[at.PHASE] == at.PHASE_PLAY


@njit
def chokes(row):
    """The switch ``choke``: 3s go last, and who holds nothing else may be choked (section 7)."""
    return row[at.CHOKE] != 0


@njit
def hangs_twos(row):
    """The switch ``hung_twos``."""
    return row[at.HUNG_TWOS] != 0


@njit
def passes_strictly(row):
    """The switch ``pass`` is ``strict``: an opposite who has passed is not asked again in the round."""
    return row[at.PASS_STRICT] != 0


@njit
def composing(row):
    return row[at.COMPOSING] != 0


@njit
def selected_base(row):
    return np.int64(row[at.SELECTED_BASE])


@njit
def selected_size(row):
    return np.int64(row[at.SELECTED_SIZE])


@inlined
def headed(row, seat):
    """Whether the seat's opposite still binds it (section 3)."""
    other = seat_after(seat, 3)
    if has_seat(row[at.LIVE] | row[at.DEAD_REPLY] | row[at.HEAD_KEPT], other):
        return True
    revolt_binds = row[at.REVOLTER_1] == other + 1 and row[at.HEAD_RENOUNCED] == 0 and row[at.TOOK_PLACES] & 1 == 0
    return revolt_binds and row[at.REVOLT_ROUNDS] < row[at.REVOLUTION_RIGHTS]


@njit
def is_void(row):
    """Whether a second revolution has voided the deal (section 8.2)."""
    return row[at.VOIDED] != 0


@njit
def deal_number(row):
    """Deals of the match before this one; void ones do not count."""
    return np.int64(row[at.DEAL_NUMBER])


@njit
def deal_seed(row):
    """The seed (``uint64``) that this deal was made from."""
    seed = np.uint64(0)
    for i in range(8):
        seed |= np.uint64(np.int64(row[at.SEED + i]) & 0xFF) << np.uint64(8 * i)
    return seed


@njit
def points(row):
    """Points of side 0 (section 6), -12..12; side 1 has the opposite. Zero while a seat lacks a place."""
    difference = 0
    first_three = 0
    for seat in range(at.SEATS):
        finished = row[at.PLACE + seat]
        if finished == 0:
            return 0
        sign = 1 - 2 * (seat & 1)
        if finished <= 3:
            first_three += sign
        if finished <= 2:
            difference += sign * (6 - 2 * finished)
        elif finished >= 5:
            difference -= sign * (2 * finished - 8)
    # The sides' sums are opposite, so the difference counts each of them twice; a sweep doubles them.
    return difference if first_three == 3 or first_three == -3 else difference // 2
