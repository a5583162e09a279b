"""Legality: which sets may be laid, in two steps or whole (sections 2, 4, 5 and 7).

Sets of one base differ in size, hung 2s and jokers. What is legal among them is always a box cut by the size,
so that it can be counted and listed without trying every hand of cards.
"""

import numpy as np

from gouji_env.cards import BIG, FOUR, SMALL, THREE, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.actions import (
    ACTIONS,
    BASE_JOKERS,
    BASE_TWO,
    COMPOSE,
    KEEP,
    MAX_JOKERS,
    MAX_SIZE,
    PASS,
    RENOUNCE,
    REVOLT,
    SELECT,
    THROW,
    YIELD,
    action_base,
    action_size,
    compose_big,
    compose_id,
    compose_small,
    compose_twos,
    select_id,
    set_code,
    special_code,
)
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
def _two_bounds(most, twos, fewest, rest):
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
            low, high = _two_bounds(most, twos, fewest, size - bigs - smalls)
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
            low, high = _two_bounds(most, twos, fewest, size - bigs - smalls)
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
def _legal_composes(row, seat, out):
    base, size = np.int64(row[at.SELECTED_BASE]), np.int64(row[at.SELECTED_SIZE])
    _, _, twos, small, big = kind_bounds(row, seat, base)
    m = 0
    for t in range(twos + 1):
        for s in range(min(small, MAX_JOKERS) + 1):
            for b in range(min(big, MAX_JOKERS) + 1):
                if way_is_possible(row, seat, base, size, t, s, b):
                    out[m] = compose_id(t, s, b)
                    m += 1
    return m


@njit
def _legal_selects(row, seat, out, m):
    if row[at.OWNER_1] > 0:
        size = np.int64(row[at.SIZE])
        for base in range(np.int64(row[at.BASE]) + 1, BASE_TWO + 1):
            if size_is_possible(row, seat, base, size):
                out[m] = select_id(base, size)
                m += 1
        if size_is_possible(row, seat, BASE_JOKERS, size):
            out[m] = select_id(BASE_JOKERS, size)
            m += 1
        return m
    for base in range(BASE_JOKERS + 1):
        fewest, most, twos, small, big = kind_bounds(row, seat, base)
        if base < BASE_JOKERS and most == 0:
            continue
        for size in range(max(fewest, 1), min(most + twos + small + big, MAX_SIZE) + 1):
            if size_is_possible(row, seat, base, size):
                out[m] = select_id(base, size)
                m += 1
    return m


@njit
def _legal_outside_play(row, seat, out):
    phase = row[at.PHASE]
    if phase == at.PHASE_REVOLT:
        out[0], out[1] = PASS, REVOLT
        return 2
    if phase == at.PHASE_RENOUNCE:
        out[0], out[1] = KEEP, RENOUNCE
        return 2
    return 0


@njit
def legal(row, out):
    """Ids of all legal staged actions, ascending, into ``out`` (``int16[ACTIONS]``); returns how many."""
    if row[at.PHASE] == at.PHASE_OVER:
        return 0
    seat = np.int64(row[at.TURN])
    if row[at.PHASE] != at.PHASE_PLAY:
        return _legal_outside_play(row, seat, out)
    if row[at.COMPOSING] != 0:
        return _legal_composes(row, seat, out)
    m = 0
    if row[at.OWNER_1] > 0:
        out[0] = PASS
        m = 1
        if yields_now(row, seat):
            out[1] = YIELD
            m = 2
    elif may_throw(row, seat):
        out[0] = THROW
        m = 1
    return _legal_selects(row, seat, out, m)


@njit
def is_legal(row, action):
    """Whether a staged action (any integer) is legal now."""
    if row[at.PHASE] == at.PHASE_OVER or action < 0 or action >= ACTIONS:
        return False
    seat = np.int64(row[at.TURN])
    if row[at.PHASE] == at.PHASE_REVOLT:
        return action == PASS or action == REVOLT
    if row[at.PHASE] == at.PHASE_RENOUNCE:
        return action == KEEP or action == RENOUNCE
    if row[at.COMPOSING] != 0:
        if action < COMPOSE:
            return False
        twos, small, big = compose_twos(action), compose_small(action), compose_big(action)
        return way_is_possible(
            row, seat, np.int64(row[at.SELECTED_BASE]), np.int64(row[at.SELECTED_SIZE]), twos, small, big
        )
    if action == PASS:
        return row[at.OWNER_1] > 0
    if action == YIELD:
        return row[at.OWNER_1] > 0 and yields_now(row, seat)
    if action == THROW:
        return row[at.OWNER_1] == 0 and may_throw(row, seat)
    if action < SELECT or action >= COMPOSE:
        return False
    return size_is_possible(row, seat, action_base(action), action_size(action))


@njit
def mask(row, out):
    """0/1 mask of the deciding seat's legal actions into ``out`` (``[ACTIONS]``, any dtype)."""
    ids = np.empty(ACTIONS, np.int16)
    out[:] = 0
    for j in range(legal(row, ids)):
        out[ids[j]] = 1


@njit
def packed_mask(row, ids, out):
    """The mask in bits, low bit first, into ``out`` (``uint8[114]``); ``ids`` is scratch (``int16[ACTIONS]``)."""
    out[:] = 0
    for j in range(legal(row, ids)):
        action = np.int64(ids[j])
        out[action >> 3] |= np.uint8(1 << (action & 7))


@njit
def _answer_sets(row, seat, out, m):
    """Codes of all sets that beat the table set."""
    size, least_big = np.int64(row[at.SIZE]), np.int64(row[at.SMALLS])
    start = at.HAND + seat * at.KINDS
    small, big = np.int64(row[start + SMALL]), np.int64(row[start + BIG])
    if row[at.BIGS] > 0 or big < least_big:
        return m
    hung = np.int64(row[start + TWO]) if row[at.HUNG_TWOS] != 0 else 0
    for base in range(np.int64(row[at.BASE]) + 1, BASE_TWO + 1):
        most = np.int64(row[start + base])
        twos = hung if base < BASE_TWO else 0
        if most == 0 or most + twos + small + big < size or (base == FOUR and fours_restricted(row, seat)):
            continue
        for bigs in range(least_big, min(big, size - 1) + 1):
            for smalls in range(min(small, size - 1 - bigs) + 1):
                rest = size - bigs - smalls
                low, high = _two_bounds(most, twos, 1, rest)
                for t in range(low, high + 1):
                    out[m] = set_code(base, rest - t, t, smalls, bigs)
                    m += 1
    for bigs in range(max(least_big, size - small), min(big, size) + 1):
        out[m] = set_code(BASE_JOKERS, 0, 0, size - bigs, bigs)
        m += 1
    return m


@njit
def _lead_sets(row, seat, out, m):
    """Codes of all sets that may be led."""
    held = np.int64(row[at.HELD + seat])
    duty = has_seat(row[at.DUTY], seat)
    for base in range(BASE_JOKERS + 1):
        fewest, most, twos, small, big = kind_bounds(row, seat, base)
        if base < BASE_JOKERS and most == 0:
            continue
        for naturals in range(fewest, most + 1):
            for t in range(twos + 1):
                for s in range(small + 1):
                    for b in range(big + 1):
                        size = naturals + t + s + b
                        if size == 0 or size > MAX_SIZE or (duty and s + b == 0 and size != held):
                            continue
                        out[m] = set_code(base, naturals, t, s, b)
                        m += 1
    return m


@njit
def legal_sets(row, out):
    """Codes of all legal whole actions into ``out`` (``int32[MAX_SETS]``); returns how many. No COMPOSE may wait."""
    if row[at.PHASE] == at.PHASE_OVER:
        return 0
    seat = np.int64(row[at.TURN])
    if row[at.PHASE] != at.PHASE_PLAY:
        ids = np.empty(ACTIONS, np.int16)
        count = _legal_outside_play(row, seat, ids)
        for j in range(count):
            out[j] = special_code(np.int64(ids[j]))
        return count
    if row[at.OWNER_1] > 0:
        out[0] = special_code(PASS)
        if not yields_now(row, seat):
            return _answer_sets(row, seat, out, 1)
        out[1] = special_code(YIELD)
        return _answer_sets(row, seat, out, 2)
    if not may_throw(row, seat):
        return _lead_sets(row, seat, out, 0)
    out[0] = special_code(THROW)
    return _lead_sets(row, seat, out, 1)


@njit
def has_lead(row, seat):
    """Whether a seat that is to lead has a legal action; only burn duty can take them all."""
    if may_throw(row, seat):
        return True
    for base in range(BASE_JOKERS + 1):
        for size in range(1, min(np.int64(row[at.HELD + seat]), MAX_SIZE) + 1):
            if size_is_possible(row, seat, base, size):
                return True
    return False


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
