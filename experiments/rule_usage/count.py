"""Play matches and count how often each rule is used: a kernel that watches the rows from within.

The counters stand in the order of ``uses.USES``. What an action brings about is read from the events that the core
leaves in the row; what made it possible, from the state before.
"""

import numpy as np
import numpy.typing as npt
from uses import USES

from agents.greedy import choose as choose_greedily
from gouji_env import RuleSet, engine
from gouji_env.cards import BIG, FOUR, SEATS, SMALL, THREE
from gouji_env.engine import watch
from gouji_env.engine.actions import special_code
from gouji_env.engine.read import has_seat, seat_after

MATCH = 10  # deals

# Where each of USES is counted. Here and not there: Numba's cache knows a kernel by its own file alone.
DEAD_SETS = 0
FREE_FOR_ALLS, PUT_OFF = range(1, 3)
GOUJI_SETS, OPPOSITE_ANSWERS, HEADLESS_ANSWERS, SILENT_DECLINES, GOUJI_YIELDS = range(3, 8)
OTHER_YIELDS, LAST_WORDS = range(8, 10)
INHERITED = 10
DEAD_REPLIES, CHOKED_HEADS, FAILED_HEADS, REVOLT_HEADS = range(11, 15)
BURNS, EXEMPT, COUNTER_BURNS, BURNS_BACK, PARTNER_BURNS, BURNS_ON_DUTY, BURNS_BEATEN = range(15, 22)
BURNS_STOOD, DUTY_LEADS, FAILURES = range(22, 25)
HANDS_LEFT, SWEEPS, DRAWS = range(25, 28)
LAST_THREES, CHOKES, BURN_CHOKES, NATURAL_POINTS, OPENINGS, FOURS_UNOPENED, THROWS = range(28, 35)
BOUGHT_THREES, PAID_THREES, GIVEN_THREES, BOUGHT_FOURS, PAID_FOURS, GIVEN_FOURS = range(35, 41)
REVOLTS, LOYAL, KEPT, RENOUNCED, VOID_DEALS, RAISED = range(41, 47)
PAID_BY_LAST, PAID_ELSE, EXEMPTING_HANDS, RETURNS, ACCEPTED, REFUSED = range(47, 53)

# What is kept from action to action, beside the row
BURNING_1, CHOKED, FAILED, LAST_DEBTS = range(4)  # owner + 1 of a burning table set; seat sets; debts of 6th and 5th


def count_uses(rules: RuleSet, greedy: bool, deals: int, seed: int) -> npt.NDArray[np.int64]:
    """Uses in so many deals (void ones aside) of matches that all seats play greedily or at random."""
    counts = np.zeros(len(USES), np.int64)
    play_matches(engine.rules_row(rules), np.uint64(seed), deals, greedy, counts)
    return counts


@engine.njit
def play_matches(row, seed, deals, greedy, counts):
    streams, options = np.array([seed], np.uint64), np.empty(engine.ACTIONS, np.int16)
    memory = np.zeros(4, np.int64)
    engine.deal_cards(row, seed, engine.NO_SEAT)
    played = 0
    while True:
        begin_deal(row, memory, counts)
        while not engine.is_over(row):
            choice = choose_greedily(row, options) if greedy else choose_at_random(row, options, streams)
            count_action(row, choice, memory, counts)
        count_end(row, memory, counts)
        played += not engine.is_void(row)
        if played == deals:
            return
        deal_next(row, not engine.is_void(row) and played % MATCH == 0, memory)


@engine.njit
def choose_at_random(row, options, streams):
    return np.int64(options[engine.random_int(streams, 0, engine.legal(row, options))])


# --- deals


@engine.njit
def deal_next(row, another_match, memory):
    seed = engine.successor_seed(engine.deal_seed(row))
    if another_match:
        memory[LAST_DEBTS] = 0
        engine.deal_cards(row, seed, engine.NO_SEAT)
        return
    if not engine.is_void(row):
        memory[LAST_DEBTS] = debts_of_the_last(row)
    engine.deal_after(row, seed)


@engine.njit
def debts_of_the_last(row):
    """The cards that 6th and 5th owe; they stand at the end of the debts."""
    seat_of = np.zeros(SEATS + 1, np.int64)
    for seat in range(SEATS):
        seat_of[engine.place(row, seat)] = seat
    return 2 * ((seat_of[6] - seat_of[1]) % 2 != 0) + ((seat_of[5] - seat_of[2]) % 2 != 0)


@engine.njit
def begin_deal(row, memory, counts):
    memory[BURNING_1], memory[CHOKED], memory[FAILED] = 0, 0, 0
    for seat in range(SEATS):
        counts[NATURAL_POINTS] += watch.natural_point(row, seat)
        if watch.exempts_payers(row):
            counts[EXEMPTING_HANDS] += engine.hand(row, seat, BIG) == 4 or engine.hand(row, seat, SMALL) == 4
    go_through_setup(row, memory, counts)


@engine.njit
def go_through_setup(row, memory, counts):
    """What comes by itself before the first lead, one step at a time: the row has room for one step's events."""
    while engine.turn(row) < 0 and not engine.is_over(row):
        engine.clear_events(row)
        engine.setup_step(row)
        count_events(row, 0, memory, counts)


@engine.njit
def count_end(row, memory, counts):
    if engine.is_void(row):
        counts[VOID_DEALS] += 1
        return
    points = engine.points(row)
    counts[SWEEPS] += abs(points) == 12
    counts[DRAWS] += points == 0
    revolter = watch.revolutionary(row)
    counts[RAISED] += revolter >= 0 and engine.place(row, revolter) == 3


# --- actions


@engine.njit
def count_action(row, action, memory, counts):
    """Apply a staged action and count what it uses."""
    if not engine.is_play(row):
        counts[ACCEPTED] += action == engine.ACCEPT
        engine.begin_whole(row, special_code(action))
        count_events(row, 0, memory, counts)
        go_through_setup(row, memory, counts)
        return
    before = row.copy()
    engine.act(row, action)
    if engine.composing(row):
        return
    if watch.event_code(row, 0) == watch.EVENT_PLAY:
        count_set(before, row, memory, counts)
    elif action == engine.YIELD:
        counts[GOUJI_YIELDS if engine.table_is_gouji(before) else OTHER_YIELDS] += 1
    count_events(row, watch.live_seats(before), memory, counts)


@engine.njit
def count_set(before, row, memory, counts):
    """A set was laid."""
    seat, owner = engine.turn(before), engine.owner(before)
    base, naturals, twos, small, big = watch.last_set(row, seat)
    size, jokers = naturals + twos + small + big, small + big
    counts[DEAD_SETS] += big > 0
    if engine.is_gouji(row, base, size, jokers):
        counts[GOUJI_SETS] += 1
        count_head(before, seat, memory, counts)
    if owner < 0:
        counts[DUTY_LEADS] += engine.on_duty(before, seat)
        counts[LAST_THREES] += engine.chokes(row) and base == THREE
        opens = watch.events(row) > 1 and watch.event_code(row, 1) == watch.EVENT_OPEN
        counts[FOURS_UNOPENED] += base == FOUR and engine.fours_restricted(before, seat) and not opens
    else:
        count_answer(before, seat, owner, memory, counts)


@engine.njit
def count_head(before, seat, memory, counts):
    """What protects a gouji set whose owner's opposite is gone."""
    other = seat_after(seat, 3)
    if engine.free_for_all(before) or engine.live(before, other) or not engine.headed(before, seat):
        return
    if has_seat(memory[CHOKED], other):
        counts[CHOKED_HEADS] += 1
    elif has_seat(memory[FAILED], other):
        counts[FAILED_HEADS] += 1
    elif watch.revolutionary(before) == other:
        counts[REVOLT_HEADS] += 1
    else:
        counts[DEAD_REPLIES] += 1


@engine.njit
def count_answer(before, seat, owner, memory, counts):
    is_opposite = seat == seat_after(owner, 3)
    counts[LAST_WORDS] += engine.passed(before, seat) and not engine.free_for_all(before)
    counts[BURNS_BEATEN] += memory[BURNING_1] > 0
    if watch.is_restricted(before):
        counts[OPPOSITE_ANSWERS] += is_opposite
        counts[HEADLESS_ANSWERS] += not is_opposite and not engine.headed(before, seat)
    if not engine.burns_now(before):
        memory[BURNING_1] = 0
        return
    counts[BURNS] += 1
    counts[PARTNER_BURNS] += (seat - owner) % 2 == 0
    counts[BURNS_ON_DUTY] += engine.on_duty(before, seat)
    if memory[BURNING_1] > 0:
        counts[COUNTER_BURNS] += 1
        counts[BURNS_BACK] += watch.victim(before, owner) == seat
    memory[BURNING_1] = seat + 1


# --- events


@engine.njit
def count_events(row, live, memory, counts):
    """Count the events that the row holds. ``live``: the seats that were live before them."""
    assert watch.events(row) < watch.EVENT_SLOTS
    burned = choked = False
    last = -1
    for i in range(watch.events(row)):
        code, seat, other = watch.event_code(row, i), watch.event_seat(row, i), watch.event_other(row, i)
        if code == watch.EVENT_BURN:
            burned = True
            counts[EXEMPT] += engine.cards_held(row, seat) == 0 and not has_failed(row, seat)
            counts[EXEMPT] += watch.burn_stands(row, seat) and not engine.on_duty(row, seat)
        elif code == watch.EVENT_OUT:
            live &= ~(1 << seat)
            counts[HANDS_LEFT] += engine.cards_held(row, seat) > 0
        elif code == watch.EVENT_CHOKE:
            choked = True
            memory[CHOKED] |= 1 << seat
        elif code == watch.EVENT_FAIL:
            memory[FAILED] |= 1 << seat
        elif code == watch.EVENT_ROUND_END:
            counts[INHERITED] += not has_seat(live, seat)
            counts[BURNS_STOOD] += memory[BURNING_1] > 0
            memory[BURNING_1] = 0
        elif code == watch.EVENT_FREE_FOR_ALL:
            counts[PUT_OFF] += last == watch.EVENT_ROUND_END
        elif code == watch.EVENT_BUY_THREE or code == watch.EVENT_BUY_FOUR:
            count_purchase(code, seat, other % (SEATS + 1) - 1, counts)
        elif code == watch.EVENT_TRIBUTE:
            by_last = watch.debts_waiting(row) < memory[LAST_DEBTS]
            counts[PAID_BY_LAST if by_last else PAID_ELSE] += 1
        count_plainly(code, counts)
        last = code
    counts[BURN_CHOKES] += burned and choked


@engine.njit
def has_failed(row, seat):
    for i in range(watch.events(row)):
        if watch.event_code(row, i) == watch.EVENT_FAIL and watch.event_seat(row, i) == seat:
            return True
    return False


@engine.njit
def count_purchase(code, buyer, payer, counts):
    """``payer``: -1 for a gift."""
    if code == watch.EVENT_BUY_THREE:
        counts[GIVEN_THREES if payer < 0 else BOUGHT_THREES if payer == buyer else PAID_THREES] += 1
    else:
        counts[GIVEN_FOURS if payer < 0 else BOUGHT_FOURS if payer == buyer else PAID_FOURS] += 1


@engine.njit
def count_plainly(code, counts):
    """Events that are a use by themselves."""
    counts[SILENT_DECLINES] += code == watch.EVENT_SILENT_PASS
    counts[FREE_FOR_ALLS] += code == watch.EVENT_FREE_FOR_ALL
    counts[FAILURES] += code == watch.EVENT_FAIL
    counts[CHOKES] += code == watch.EVENT_CHOKE
    counts[OPENINGS] += code == watch.EVENT_OPEN
    counts[THROWS] += code == watch.EVENT_THROW
    counts[REVOLTS] += code == watch.EVENT_REVOLT
    counts[LOYAL] += code == watch.EVENT_SILENT_LOYAL
    counts[KEPT] += code == watch.EVENT_KEEP
    counts[RENOUNCED] += code == watch.EVENT_RENOUNCE
    counts[RETURNS] += code == watch.EVENT_RETURN
    counts[REFUSED] += code == watch.EVENT_REFUSE
