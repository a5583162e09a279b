"""Card kinds, hands as counts, packs and their notation (docs/rules.md section 2).

A hand is a vector of 15 counts, one a card kind, low to high: ``3 4 5 6 7 8 9 T J Q K A 2 s b``
(``T`` is ten, ``s`` the small and ``b`` the big joker). Suits never matter in play.
As text a hand is written high to low: ``"bs22AAK3"``.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

KINDS = "3456789TJQKA2sb"
KIND_COUNT = len(KINDS)
THREE, FOUR = KINDS.index("3"), KINDS.index("4")
TEN, JACK, QUEEN, KING, ACE = (KINDS.index(c) for c in "TJQKA")
TWO, SMALL, BIG = KINDS.index("2"), KINDS.index("s"), KINDS.index("b")

SEATS = 6
LARGEST_HAND = 42  # tribute can add some to the 36 dealt; a larger one could allow more sets than engine.MAX_SETS
PACKS = 4
RANK_COPIES = 16
JOKER_COPIES = 4

Counts = npt.NDArray[np.int8]


class NotationError(ValueError):
    """A text that is no hand, no set or no action."""


def parse_hand(text: str) -> Counts:
    """Counts ``int8[15]`` of a hand such as ``"bs22AAK3"``; any order of the cards is read.

    Raises NotationError for a character that is no card.
    """
    counts = np.zeros(KIND_COUNT, np.int8)
    for position, card in enumerate(text):
        kind = KINDS.find(card)
        if kind < 0:
            raise NotationError(f"hand {text!r}: {card!r} at position {position} is no card; cards are {KINDS[::-1]}")
        counts[kind] += 1
    return counts


def format_hand(counts: Sequence[int] | Counts) -> str:
    """The hand as text, high to low; the empty hand is the empty text."""
    return "".join(KINDS[kind] * int(counts[kind]) for kind in reversed(range(KIND_COUNT)))


def opposite(seat: int) -> int:
    """The enemy whom ``seat`` is bound to."""
    return (seat + 3) % SEATS


def side(seat: int) -> int:
    """0 for the even seats, 1 for the odd ones."""
    return seat % 2


def partners(seat: int) -> tuple[int, int]:
    """The two other seats of one's side, in playing order."""
    return (seat + 2) % SEATS, (seat + 4) % SEATS
