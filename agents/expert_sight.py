"""What the deciding seat sees and reckons at a decision, gathered once for all the sets that it weighs."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.expert_chances import (
    CHANCES,
    ENEMIES,
    LARGEST,
    OPPOSITE,
    WAITING,
    count_chances,
    count_unseen,
    no_big_joker,
)
from gouji_env.cards import KIND_COUNT, TWO
from gouji_env.engine import (
    burns_now,
    cards_held,
    chokes,
    fours_restricted,
    free_for_all,
    hand,
    hangs_twos,
    headed,
    is_gouji,
    njit,
    on_duty,
    owner,
    table_base,
    table_size,
    table_small,
    turn,
)


class Sight(NamedTuple):
    """``held``: the own hand, ``int64[15]``; a set that is weighed is taken out of it and put back.

    ``order``: ``float64[13]``, scratch of ``run_chance``.
    """

    seat: int
    cards: int  # in hand
    held: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float64]
    order: npt.NDArray[np.float64]
    no_big: float  # chance that the opposite holds no big joker
    only_opposite: bool  # own gouji sets may be answered by the opposite only
    answering: bool
    size: int  # of the table set; 0 when leading
    lowest: int  # base of an answer; 0 when leading
    big_needed: int  # big jokers that an answer needs
    hung_twos: bool
    threes_last: bool  # choke: 3s go last, by themselves
    fours_bound: bool  # the own 4s are led all together and never answer
    on_duty: bool  # a lead needs a joker
    burns: bool  # an answer is a burn


@njit
def look(row, weights):
    seat = turn(row)
    answering = owner(row) >= 0
    size = table_size(row) if answering else np.int64(0)
    held = np.empty(KIND_COUNT, np.int64)
    for kind in range(KIND_COUNT):
        held[kind] = hand(row, seat, kind)
    unseen = np.empty(KIND_COUNT, np.int64)
    count_unseen(row, seat, unseen)
    chances = np.empty(CHANCES, np.float64)
    count_chances(row, seat, unseen, _sizes(held, size), min(size, LARGEST), weights, chances)
    return Sight(
        seat,
        cards_held(row, seat),
        held,
        chances,
        np.empty(TWO + 1, np.float64),
        no_big_joker(row, seat, unseen),
        headed(row, seat) and not free_for_all(row),
        answering,
        size,
        table_base(row) + 1 if answering else np.int64(0),
        table_small(row) if answering else np.int64(0),
        hangs_twos(row),
        chokes(row),
        fours_restricted(row, seat),
        on_duty(row, seat),
        answering and burns_now(row),
    )


@njit
def _sizes(held, size):
    """Bit mask of the sizes that are asked about: the table set's, and those of groups whole or less an answer."""
    sizes = np.int64(1) << min(size, LARGEST)
    for base in range(TWO):
        sizes |= 1 << min(held[base], LARGEST)
        if held[base] > size:
            sizes |= 1 << min(held[base] - size, LARGEST)
    for twos in range(1, held[TWO] + 1):
        sizes |= 1 << min(twos, LARGEST)
    return sizes


@njit
def stands(row, sight, now, base, size, small, big):
    """Chance that no enemy beats a set of the seat, now or in a round to come."""
    if big > 0:
        return 1.0
    only_opposite = sight.only_opposite and is_gouji(row, base, size, small)
    if small > 0:
        return sight.no_big if only_opposite else sight.no_big * sight.no_big
    whose = OPPOSITE if only_opposite else WAITING if now and sight.answering else ENEMIES
    return sight.chances[whose, min(size, LARGEST), base]
