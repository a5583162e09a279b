"""The strongest player by rules: it plans its hand, counts what is unseen, and knows who is short.

Every set that it may lay is weighed in leads (``expert_weights``):

* how much nearer it brings the hand to its end (``expert_plan``), less the jokers and 2s that it spends;
* the chance that it stands (``expert_chances``), times what the lead is worth with the hand that is left;
* what the table set is worth to whoever laid it: sets of enemies are beaten, of those who are short all the more;
  sets of partners are left alone;
* what may befall: burn duty, being choked with the 3s, feeding an enemy who is short.

The set that weighs most is laid; an answer only if it weighs more than passing. It goes out when it can. It draws no
random numbers and remembers nothing beyond what the row shows to its seat.
"""

import numpy as np

from agents.expert_chances import CHANCES, ENEMIES, WAITING, count_chances, count_unseen, no_big_joker, stands
from agents.expert_plan import need, run_chance
from agents.expert_weights import (
    ANSWER,
    BIG_COST,
    BLOCK,
    BURN,
    CHOKE,
    CHOKED,
    DENY,
    DENY_SHORT,
    FEED,
    INHERIT,
    LEAD,
    PART,
    PATIENCE,
    ROB,
    ROB_SHORT,
    RUN,
    SHORT,
    SMALL_COST,
    TWO_COST,
    WEIGHTS,
)
from agents.protocol import BatchAgent, Index, Rows, StagedActions, Streams
from gouji_env.cards import BIG, FOUR, KIND_COUNT, SEATS, SMALL, TEN, THREE, TWO
from gouji_env.engine import (
    ACTIONS,
    PASS,
    THROW,
    YIELD,
    burns_now,
    can_go_out,
    cards_held,
    chokes,
    compose_id,
    composing,
    fours_restricted,
    free_for_all,
    hand,
    hangs_twos,
    headed,
    is_legal,
    is_play,
    legal,
    live,
    njit,
    on_duty,
    owner,
    select_id,
    selected_base,
    selected_size,
    table_base,
    table_big,
    table_size,
    table_small,
    turn,
)
from gouji_env.engine.actions import BASE_JOKERS

FEW = 3  # cards in a hand that is fed or blocked by the size of a lead


class ExpertAgent(BatchAgent):
    """Plans, counts and weighs; see the module's docstring."""

    name = "expert"

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        choose_rows(rows, index, out, WEIGHTS)


@njit
def choose_rows(rows, index, out, weights):
    """``decide`` for ``rows[index[j]]`` into ``out[j]``."""
    options = np.empty(ACTIONS, np.int16)
    for j in range(index.shape[0]):
        out[j] = decide(rows[index[j]], options, weights)


@njit
def choose(row, options):
    """The staged action of the seat that decides; ``options`` (``int16[ACTIONS]``) is scratch."""
    return decide(row, options, WEIGHTS)


@njit
def decide(row, options, weights):
    """``choose`` with weights of one's own (``float64``, as in ``expert_weights``)."""
    seat = turn(row)
    if is_play(row):
        if can_go_out(row) and not composing(row):
            return _whole_hand(row, seat)
        if is_legal(row, THROW):
            return np.int64(THROW)
        planned = _best(row, seat, weights)
        if is_legal(row, planned):
            return planned
    legal(row, options)
    return np.int64(options[0])


@njit
def _best(row, seat, weights):
    answering = owner(row) >= 0
    composes = composing(row)
    held = np.empty(KIND_COUNT, np.int64)
    unseen = np.empty(KIND_COUNT, np.int64)
    order = np.empty(TWO + 1, np.float64)
    chances = np.empty(CHANCES, np.float64)
    size = table_size(row)
    largest = size
    for kind in range(KIND_COUNT):
        held[kind] = hand(row, seat, kind)
        largest = max(largest, held[kind])
    count_unseen(row, seat, unseen)
    count_chances(row, seat, unseen, largest + 1, chances)
    no_big = no_big_joker(row, seat, unseen)
    bound = headed(row, seat) and not free_for_all(row)
    threes_last = chokes(row)
    fours_bound = fours_restricted(row, seat)
    twos = held[TWO] if hangs_twos(row) else 0
    duty = on_duty(row, seat)
    burn = answering and burns_now(row)
    cards = cards_held(row, seat)
    least_big = table_small(row) if answering else 0
    first, last = (table_base(row) + 1 if answering else 0), BASE_JOKERS
    best, worth = np.int64(PASS), -1e9
    bonus = 0.0
    whose = ENEMIES
    if answering:
        whose = WAITING
        bonus = _table_worth(row, seat, chances, weights)
        if not composes:
            worth = 0.0
    if composes:
        first = last = selected_base(row)
        size = selected_size(row)
    fixed = answering or composes
    for base in range(first, last + 1):
        have = held[base] if base <= TWO else 0
        if base <= TWO and have == 0:
            continue
        whole = (base == THREE and threes_last) or (base == FOUR and fours_bound)
        if whole and (answering or (base == THREE and have < cards)):
            continue
        before = 1.0 if whole else need(row, chances, bound, no_big, base, have, weights)
        for big in range(least_big, held[BIG] + 1):
            for small in range(held[SMALL] + 1):
                hung_most = twos if base < TWO else 0
                if whole and big + small > 0:
                    break
                if whole:
                    hung_most = 0
                if not fixed:
                    if big + small > 1:
                        break
                    hung_most = 0
                for two in range(hung_most + 1):
                    hung = big + small + two
                    low = high = size - hung
                    if not fixed:
                        low = high = have
                        if base == TWO:
                            low = 1
                    elif low > have:
                        continue
                    elif low < 1 and base <= TWO:
                        break
                    elif base == BASE_JOKERS and low != 0:
                        continue
                    if low < have and hung > 0 and not composes and base < TWO:
                        continue
                    if low + hung == 0:
                        continue
                    if duty and not answering and big + small == 0:
                        continue
                    for naturals in range(low, high + 1):
                        laid = naturals + hung
                        after = 0.0 if whole else need(row, chances, bound, no_big, base, have - naturals, weights)
                        value = before - after + bonus
                        if base < TWO and naturals < have:
                            value -= weights[PART]
                        st = stands(row, chances, whose, bound, no_big, base, laid, small, big)
                        if base <= TWO:
                            held[base] -= naturals
                        held[TWO] -= two
                        held[SMALL] -= small
                        held[BIG] -= big
                        run = run_chance(row, chances, bound, no_big, held, threes_last, burn or duty, order)
                        choked = threes_last and held[THREE] == cards - laid
                        if base <= TWO:
                            held[base] += naturals
                        held[TWO] += two
                        held[SMALL] += small
                        held[BIG] += big
                        value += st * (weights[LEAD] + weights[RUN] * run)
                        value -= weights[BIG_COST] * big + weights[SMALL_COST] * small
                        value -= weights[TWO_COST] * (two + naturals if base == TWO else two)
                        if choked:
                            value -= weights[CHOKED] * (1 - st)
                        if burn:
                            value -= weights[BURN] * (1 - run)
                        if not answering:
                            value += _lead_worth(row, seat, base, laid, st, weights)
                        if value > worth:
                            action = compose_id(two, small, big) if composes else select_id(base, laid)
                            if is_legal(row, action):
                                best, worth = action, value
    if answering and not composes and worth < weights[PATIENCE] and is_legal(row, YIELD):
        return np.int64(YIELD)
    return best


@njit
def _lead_worth(row, seat, base, laid, st, weights):
    value = 0.0
    for i in range(1, SEATS):
        other = (seat + i) % SEATS
        few = cards_held(row, other)
        if few == 0 or few > FEW or laid > few:
            continue
        if i % 2 == 1:
            value -= weights[BLOCK] * (1 - st)
        elif base <= TEN:
            value += weights[FEED] * (1 - st)
    return value


@njit
def _table_worth(row, seat, chances, weights):
    leader = owner(row)
    cards = cards_held(row, leader)
    short = max(0.0, 1 - cards / weights[SHORT])
    if not live(row, leader):
        return weights[ANSWER] + weights[INHERIT]
    if (leader - seat) % 2 == 1:
        value = weights[ANSWER] + weights[DENY] + weights[DENY_SHORT] * short
        if chokes(row) and cards <= 2:
            value += weights[CHOKE] / cards
        return value
    st = 1.0
    if table_big(row) == 0:
        st = chances[WAITING, min(table_size(row), 8), table_base(row)]
    value = weights[ANSWER] - (weights[ROB] + weights[ROB_SHORT] * short) * st
    if chokes(row) and cards <= 2:
        value -= weights[CHOKE]
    return value


@njit
def _whole_hand(row, seat):
    for base in range(TWO + 1):
        if hand(row, seat, base) > 0:
            return select_id(base, cards_held(row, seat))
    return select_id(BASE_JOKERS, cards_held(row, seat))
