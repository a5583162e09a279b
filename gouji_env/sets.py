"""One set of cards, readable and slow: notation, size, gouji, beating (docs/rules.md section 2).

The compiled core has its own arithmetic for the same; tests hold the two together.
"""

from dataclasses import dataclass
from typing import Self

from gouji_env.cards import ACE, BIG, KINDS, SMALL, TEN, TWO, NotationError

_GOUJI_FROM = {"T": 5, "J": 4, "Q": 3, "K": 2, "A": 2}


@dataclass(frozen=True)
class CardSet:
    """Equal cards laid together with jokers and 2s hung on them.

    ``base`` is a card kind 0..12 (3..2), or None for a set of jokers only; the counts say how many of each it holds.
    """

    base: int | None
    naturals: int
    twos: int = 0
    small: int = 0
    big: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a set such as ``"bbs22TTT"``. Raises NotationError for what is no set, or not spelt in its one way."""
        if not text or any(card not in KINDS for card in text):
            raise NotationError(f"{text!r} is no set: a set is big jokers, small jokers, 2s, then its base rank")
        counts = [text.count(card) for card in KINDS]
        ranks = [kind for kind in range(TWO) if counts[kind]]
        if len(ranks) > 1:
            raise NotationError(f"{text!r} is no set: {KINDS[ranks[0]]} and {KINDS[ranks[1]]} differ in rank")
        small, big = counts[SMALL], counts[BIG]
        if ranks:
            made = cls(ranks[0], counts[ranks[0]], counts[TWO], small, big)
        else:
            made = cls(TWO if counts[TWO] else None, counts[TWO], 0, small, big)
        if str(made) != text:
            raise NotationError(f"{text!r}: this set is written {made}")
        return made

    def __str__(self) -> str:
        base = KINDS[self.base] * self.naturals if self.base is not None else ""
        return "b" * self.big + "s" * self.small + "2" * self.twos + base

    @property
    def size(self) -> int:
        return self.naturals + self.twos + self.small + self.big

    def is_gouji(self, gouji_twos: int) -> bool:
        """Whether it is a high set that only the opposite may answer; ``gouji_twos``: the switch of that name."""
        if self.small + self.big > 0 or self.base is None:
            return True
        if self.base == TWO:
            return self.size >= gouji_twos
        return TEN <= self.base <= ACE and self.size >= _GOUJI_FROM[KINDS[self.base]]

    def is_pure_gouji(self) -> bool:
        """A gouji set of T..A with no joker and no 2."""
        return self.base != TWO and self.naturals == self.size and self.is_gouji(gouji_twos=1)

    def beats(self, other: Self) -> bool:
        """Positional dominance: same size, and every card is higher than the one in the same place."""
        if self.size != other.size:
            return False
        return all(mine > theirs for mine, theirs in zip(self._ranks(), other._ranks(), strict=True))

    def _ranks(self) -> list[int]:
        """The cards high to low, hung 2s counted as the base rank."""
        base = [self.base] * (self.naturals + self.twos) if self.base is not None else []
        return [BIG] * self.big + [SMALL] * self.small + base
