"""The yardstick: a player of one simple idea, to be rid of whole groups, low ones first.

A *group* is all the cards of one rank in hand. Greedy

* goes out when it can;
* leads its lowest group;
* answers with the lowest group that is just as large as the table set and beats it, or else with part of a pair
  or a triple; larger groups are not broken;
* lets a partner's set stand, and burns only to go out;
* keeps jokers and 2s for the end: with three groups left or fewer it answers with its 2s as a group, or with a
  group filled up by hung 2s and jokers.

It looks at its own hand and the table set, remembers nothing and draws no random numbers.
"""

import numpy as np

from agents.protocol import BatchAgent, Index, Rows, StagedActions, Streams
from agents.whole_hand import whole_hand
from gouji_env.cards import TWO
from gouji_env.engine import (
    ACTIONS,
    PASS,
    burns_now,
    can_go_out,
    compose_big,
    compose_small,
    compose_twos,
    composing,
    hand,
    is_legal,
    legal,
    live,
    njit,
    on_duty,
    owner,
    select_id,
    selected_base,
    selected_size,
    table_base,
    table_size,
    table_small,
    turn,
)

LARGE_GROUP = 4  # cards; groups of this size or more are laid whole or not at all
NEAR_END = 3  # groups of 3..A in hand


class GreedyAgent(BatchAgent):
    """Plays whole groups, low ones first; see the module's docstring."""

    name = "greedy"

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        choose_rows(rows, index, out)


@njit
def choose_rows(rows, index, out):
    """``choose`` for ``rows[index[j]]`` into ``out[j]``."""
    options = np.empty(ACTIONS, np.int16)
    for j in range(index.shape[0]):
        out[j] = choose(rows[index[j]], options)


@njit
def choose(row, options):
    """The staged action of the seat that decides; ``options`` (``int16[ACTIONS]``) is scratch."""
    seat = turn(row)
    if composing(row):
        return _compose(row, seat, options)
    if can_go_out(row):
        return whole_hand(row)
    planned = _lead(row, seat) if owner(row) < 0 else _answer(row, seat)
    if is_legal(row, planned):
        return planned
    # Outside play the first option is to stay loyal, to keep the head, to accept, to give the lowest card;
    # in play it is left to one who may lead none of his groups.
    legal(row, options)
    return np.int64(options[0])


@njit
def _lead(row, seat):
    """The lowest group that may be led, with a joker on it if burn duty asks for one."""
    hung = 1 if on_duty(row, seat) else 0
    for base in range(TWO + 1):
        held = hand(row, seat, base)
        if held > 0 and is_legal(row, select_id(base, held + hung)):
            return select_id(base, held + hung)
    return PASS


@njit
def _answer(row, seat):
    """The cheapest set that beats the table set without breaking a large group; else pass."""
    leader = owner(row)
    partners_set = (leader - seat) % 2 == 0 and live(row, leader)  # a partner who is out cannot lead on
    if partners_set or burns_now(row):
        return PASS
    size = table_size(row)
    first = table_base(row) + 1
    if table_small(row) == 0:
        for most in (size, LARGE_GROUP - 1):  # whole groups before parts of small ones
            for base in range(first, TWO):
                if size <= hand(row, seat, base) <= most and is_legal(row, select_id(base, size)):
                    return select_id(base, size)
    if _groups(row, seat) > NEAR_END:
        return PASS
    # Small jokers on the table take as many big ones: with fewer hung cards the group would not be whole.
    for hung in range(table_small(row), size):
        for base in range(first, TWO + 1):
            if hand(row, seat, base) == size - hung and is_legal(row, select_id(base, size)):
                return select_id(base, size)
    return PASS


@njit
def _groups(row, seat):
    groups = 0
    for base in range(TWO):
        if hand(row, seat, base) > 0:
            groups += 1
    return groups


@njit
def _compose(row, seat, options):
    """Leave as few base cards behind as possible, then spend the least: 2s before small before big jokers."""
    held = hand(row, seat, selected_base(row))
    best, least = 0, -1
    for j in range(legal(row, options)):
        twos, small, big = compose_twos(options[j]), compose_small(options[j]), compose_big(options[j])
        left = held - (selected_size(row) - twos - small - big)
        cost = left * 1000 + big * 100 + small * 20 + twos  # 2s: at most 16, jokers: at most 4 of a kind
        if least < 0 or cost < least:
            best, least = j, cost
    return np.int64(options[best])
