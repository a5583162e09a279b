"""What a seat may lay: the bounds of its sets, and the questions that follow from them (sections 2, 4, 5 and 7).

Sets of one base differ in size, hung 2s and jokers. What is legal among them is always a box cut by the size,
so that it can be counted and listed without trying every hand of cards.
"""

import numpy as np

from gouji_env.cards import BIG, FOUR, SMALL, THREE, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.actions import BASE_JOKERS, BASE_TWO, MAX_SIZE
from gouji_env.engine.jit import inlined, njit
from gouji_env.engine.read import has_seat, headed, seat_after

YIELD_NONE, YIELD_ANY, YIELD_NONGOUJI = range(3)
FED_FIRST, SEAT_FIRST, SEAT_AROUND = range(3)


@inlined
def fours_restricted(row, seat):
    """Whether the seat's 4s are bound by section 7."""
    return row[at.OPEN_FOUR] != 0 and row[at.FREE_FOR_ALL] == 0 and not has_seat(row[at.NATURAL] | row[at.OPENED], seat)


@inlined
def kind_bounds(row, seat, base):
    """(fewest, most) base cards that the seat may lay of a base, and the most hung 2s, small and big jokers.

    Answering is told from leading by the table. ``most`` is 0 where the base cannot be laid at all.
    """
    start = at.HAND + seat * at.KINDS
    small, big = np.int64(row[start + SMALL]), np.int64(row[start + BIG])
    if base == BASE_JOKERS:
        return 0, 0, 0, small, big
    cards = np.int64(row[start + base])
    leading = row[at.OWNER_1] == 0
    if base == THREE and row[at.CHOKE] != 0:
        whole = leading and cards == row[at.HELD + seat]
        return cards, cards if whole else 0, 0, 0, 0
    if base == FOUR and cards > 0 and fours_restricted(row, seat):
        return cards, cards if leading else 0, 0, 0, 0
    twos = np.int64(row[start + TWO]) if base < BASE_TWO and row[at.HUNG_TWOS] != 0 else 0
    return 1, cards, twos, small, big


@inlined
def needs_joker(row, seat):
    """A lead on burn duty must hold a joker or be the whole hand (section 5)."""
    return row[at.OWNER_1] == 0 and has_seat(row[at.DUTY], seat)


@njit
def size_is_possible(row, seat, base, size):
    """Whether the seat may lay a set of this base and size now."""
    fewest, most, twos, small, big = kind_bounds(row, seat, base)
    if (base < BASE_JOKERS and most == 0) or size > most + twos + small + big or size > MAX_SIZE:
        return False
    if row[at.OWNER_1] == 0:
        if size < max(fewest, 1):
            return False
        if not needs_joker(row, seat) or base == BASE_JOKERS or size == row[at.HELD + seat]:
            return True
        return size > fewest and small + big > 0
    if size != row[at.SIZE] or row[at.BIGS] > 0 or big < row[at.SMALLS]:
        return False
    return base == BASE_JOKERS or (base > row[at.BASE] and size >= fewest + row[at.SMALLS])


@inlined
def can_beat(row, seat):
    """Whether the seat holds a set that beats the table set."""
    size = np.int64(row[at.SIZE])
    if row[at.BIGS] > 0 or row[at.HELD + seat] < size:
        return False
    start = at.HAND + seat * at.KINDS
    small, big = np.int64(row[start + SMALL]), np.int64(row[start + BIG])
    if big < row[at.SMALLS]:
        return False
    if small + big >= size:
        return True
    if row[at.SMALLS] == size:
        return False
    first = np.int64(row[at.BASE]) + 1
    if first <= BASE_TWO and row[start + TWO] > 0 and row[start + TWO] + small + big >= size:
        return True
    # Where a set of one base is possible, so is it with as many hung cards as there are.
    loose = small + big
    if row[at.HUNG_TWOS] != 0:
        loose += row[start + TWO]
    for base in range(first, BASE_TWO):
        cards = row[start + base]
        if cards > 0 and cards + loose >= size and not (base == FOUR and fours_restricted(row, seat)):
            return True
    return False


@inlined
def yields_now(row, seat):
    """Whether the deciding seat may yield on the table set (sections 4.3, 4.4, 5)."""
    rule = row[at.YIELD_RULE]
    owner = np.int64(row[at.OWNER_1]) - 1
    if rule == YIELD_NONE or row[at.MODE] == at.EVERYBODY or row[at.CURSOR] >= at.CURSOR_AFTER_YIELD:
        return False
    if seat != seat_after(owner, 3) or row[at.YIELDED] != 0:
        return False
    if row[at.MODE] == at.RESTRICTED and row[at.BURN_ORDER] != SEAT_AROUND:
        return False
    if row[at.GOUJI] != 0 and (rule == YIELD_NONGOUJI or (row[at.BURNING] != 0 and row[at.COUNTER_BURN] == 0)):
        return False
    waiting = row[at.LIVE] & ~row[at.PASSED]
    return has_seat(waiting, seat_after(owner, 4)) or has_seat(waiting, seat_after(owner, 5))


@inlined
def may_throw(row, seat):
    """Whether a leader may throw all its 4s away (section 7)."""
    fours = row[at.HAND + seat * at.KINDS + FOUR]
    return row[at.FOUR_THROW] != 0 and fours > 0 and fours < row[at.HELD + seat] and fours_restricted(row, seat)


@inlined
def two_bounds(most, twos, fewest, rest):
    """Range of hung 2s when ``rest`` cards are neither small nor big jokers."""
    return max(rest - most, 0), min(rest - fewest, twos)


@njit
def count_ways(row, seat, base, size, enough):
    """In how many ways the seat may make a set of this base and size; stops counting at ``enough``."""
    fewest, most, twos, small, big = kind_bounds(row, seat, base)
    joker = needs_joker(row, seat) and size != row[at.HELD + seat]
    least_big = np.int64(row[at.SMALLS]) if row[at.OWNER_1] > 0 else 0
    ways = 0
    for bigs in range(least_big, min(big, size) + 1):
        for smalls in range(min(small, size - bigs) + 1):
            if joker and bigs + smalls == 0:
                continue
            low, high = two_bounds(most, twos, fewest, size - bigs - smalls)
            if high >= low:
                ways += high - low + 1
                if ways >= enough:
                    return ways
    return ways


@njit
def only_way(row, seat, base, size):
    """(twos, small, big) of the first way to make the set; the only one where count_ways is 1."""
    fewest, most, twos, small, big = kind_bounds(row, seat, base)
    joker = needs_joker(row, seat) and size != row[at.HELD + seat]
    least_big = np.int64(row[at.SMALLS]) if row[at.OWNER_1] > 0 else 0
    for bigs in range(least_big, min(big, size) + 1):
        for smalls in range(min(small, size - bigs) + 1):
            if joker and bigs + smalls == 0:
                continue
            low, high = two_bounds(most, twos, fewest, size - bigs - smalls)
            if high >= low:
                return low, smalls, bigs
    return 0, 0, 0


@njit
def way_is_possible(row, seat, base, size, twos, small, big):
    """Whether the seat may make a set of this base and size just so."""
    fewest, most, most_twos, most_small, most_big = kind_bounds(row, seat, base)
    naturals = size - twos - small - big
    if naturals < fewest or naturals > most or twos > most_twos or small > most_small or big > most_big:
        return False
    if row[at.OWNER_1] > 0:
        return big >= row[at.SMALLS]
    return not needs_joker(row, seat) or small + big > 0 or size == row[at.HELD + seat]


@njit
def is_one_set(row, seat):
    """Whether the seat's whole hand could be led as one set (sections 5 and 7)."""
    start = at.HAND + seat * at.KINDS
    base = -1
    for kind in range(TWO):
        if row[start + kind] > 0:
            if base >= 0:
                return False
            base = kind
    twos = row[start + TWO]
    if base < 0:
        return True
    if twos > 0 and row[at.HUNG_TWOS] == 0:
        return False
    bound = (base == THREE and row[at.CHOKE] != 0) or (base == FOUR and fours_restricted(row, seat))
    return not bound or row[start + base] == row[at.HELD + seat]


@njit
def has_lead(row, seat):
    """Whether a seat on burn duty has a legal action as a leader (section 5): a joker, its whole hand, or a throw."""
    start = at.HAND + seat * at.KINDS
    return row[start + SMALL] + row[start + BIG] > 0 or is_one_set(row, seat) or may_throw(row, seat)


@njit
def can_go_out(row):
    """Whether the deciding seat has a legal set that is its whole hand."""
    seat = np.int64(row[at.TURN])
    if row[at.PHASE] != at.PHASE_PLAY or not is_one_set(row, seat):
        return False
    held = np.int64(row[at.HELD + seat])
    for base in range(BASE_JOKERS + 1):
        start = at.HAND + seat * at.KINDS
        natural = base == BASE_JOKERS or row[start + base] > 0
        if natural and size_is_possible(row, seat, base, held):
            return True
    return False


@inlined
def burns_now(row):
    """Whether an answer of the deciding seat would be a burn (section 4.3)."""
    seat = np.int64(row[at.TURN])
    owner = np.int64(row[at.OWNER_1]) - 1
    return row[at.MODE] == at.RESTRICTED and seat != seat_after(owner, 3) and headed(row, seat)
