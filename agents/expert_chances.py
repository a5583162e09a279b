"""What the others may hold: the expert counts the cards that it has not seen, and reckons whether a set would stand.

An unseen card lies with each of the other seats as likely as that seat has cards. So a seat holds at least n of u
unseen cards of a rank with a binomial chance, and a set stands if no enemy holds an equally large group above it.
"""

from math import comb

import numpy as np

from agents.expert_weights import FILL
from gouji_env.cards import BIG, JOKER_COPIES, KIND_COUNT, RANK_COPIES, SEATS, SMALL, TWO
from gouji_env.engine import cards_held, hand, live, njit, passed, passes_strictly, played
from gouji_env.engine.actions import BASE_JOKERS

LARGEST = 8  # larger sets are taken for sets of eight
STEPS = 32  # a seat's share of the unseen cards, in so many steps

# Whose groups a set may meet: the first index of ``chances``
OPPOSITE, ENEMIES, WAITING = range(3)  # WAITING: enemies who may still answer in this round
CHANCES = (3, LARGEST + 1, BASE_JOKERS + 1)


def _holding_chances() -> "np.ndarray[tuple[int, int, int], np.dtype[np.float64]]":
    """[q, n, u]: chance to hold at least n of u cards when each is held with chance q / STEPS."""
    table = np.zeros((STEPS + 1, LARGEST + 1, RANK_COPIES + 1))
    for q in range(STEPS + 1):
        p = q / STEPS
        for n in range(LARGEST + 1):
            for u in range(RANK_COPIES + 1):
                table[q, n, u] = sum(comb(u, i) * p**i * (1 - p) ** (u - i) for i in range(n, u + 1))
    return table


_HOLDS = _holding_chances()


@njit
def count_unseen(row, seat, unseen):
    """Cards of each kind that are neither in the seat's hand nor shown, into ``unseen`` (``int64[15]``)."""
    for kind in range(KIND_COUNT):
        count = (RANK_COPIES if kind <= TWO else JOKER_COPIES) - hand(row, seat, kind)
        for other in range(SEATS):
            count -= played(row, other, kind)
        unseen[kind] = max(count, 0)


@njit
def _share(row, seat, other):
    """The part of the cards in other hands that one of them holds, in STEPS."""
    cards = 0
    for i in range(1, SEATS):
        cards += cards_held(row, (seat + i) % SEATS)
    return min((cards_held(row, other) * STEPS + cards // 2) // max(cards, 1), STEPS)


@njit
def count_chances(row, seat, unseen, sizes, size, weights, chances):
    """``chances[whose, n, base]``: none of them holds a group of n above the base.

    ``chances``: ``float64[CHANCES]``, filled in for the n of the bit mask ``sizes``; WAITING for ``size`` alone.
    Jokers and 2s count as groups of their own, and fill up a group that lacks one card.
    """
    chances[:] = 1.0
    jokers = min(unseen[SMALL] + unseen[BIG], RANK_COPIES)
    for i in range(1, SEATS, 2):
        enemy = (seat + i) % SEATS
        if not live(row, enemy):
            continue
        part = _share(row, seat, enemy)
        waits = not passed(row, enemy) or (i == 3 and not passes_strictly(row))
        wild = weights[FILL] * _HOLDS[part, 1, jokers]
        for n in range(1, min(LARGEST, cards_held(row, enemy)) + 1):
            if (sizes >> n) & 1 == 0:
                continue
            none = 1 - _HOLDS[part, n, jokers]
            for base in range(TWO, -1, -1):
                chances[ENEMIES, n, base] *= none
                if i == 3:
                    chances[OPPOSITE, n, base] *= none
                if waits and n == size:
                    chances[WAITING, n, base] *= none
                holds = _HOLDS[part, n, unseen[base]]
                if n > 1:
                    holds += wild * (_HOLDS[part, n - 1, unseen[base]] - holds)
                none *= 1 - holds


@njit
def no_big_joker(row, seat, unseen):
    """Chance that the opposite holds no big joker."""
    return 1 - _HOLDS[_share(row, seat, (seat + 3) % SEATS), 1, unseen[BIG]]
