"""Match: deals in sequence, with first leads, tribute and debts carried over, and a score sheet."""

from typing import Any

from gouji_env.deal import Deal
from gouji_env.rules import RuleSet
from gouji_env.view import SeatView

LONGEST_MATCH = 100


class Match:
    """A match of so many deals. Play ``deal`` through ``act``; the next one is dealt when it is over.

    A void deal is dealt again and does not count.
    """

    def __init__(self, rules: RuleSet, deals: int, seed: int) -> None:
        """``deals``: 1..100; ``seed``: 0..2**64-1, that of the first deal. Raises ValueError for others."""
        check_match_length(deals)
        self.rules = rules
        self.deals = deals
        self.deal = Deal.new(rules, seed)
        self.records: list[dict[str, Any]] = []
        self.points: list[tuple[int, int]] = []

    @property
    def is_over(self) -> bool:
        return len(self.points) == self.deals

    @property
    def number(self) -> int:
        """Which deal is played now, 0..deals-1; the last one's when the match is over."""
        return min(len(self.points), self.deals - 1)

    @property
    def turn(self) -> int | None:
        """The seat that decides, None when the match is over."""
        return self.deal.turn

    def legal(self) -> list[str]:
        """All legal whole actions of the seat that decides."""
        return self.deal.legal()

    def view(self, seat: int) -> SeatView:
        """All that a seat may know of the deal that is played."""
        return self.deal.view(seat)

    def act(self, action: str) -> None:
        """Apply an action; deal again when that ends a deal of an unfinished match. Raises IllegalAction."""
        self.deal.act(action)
        if self.deal.turn is not None:
            return
        self.records.append(self.deal.record())
        if not self.deal.void:
            points = self.deal.points
            assert points is not None
            self.points.append(points)
        if not self.is_over:
            self.deal = Deal.after(self.deal)

    def sheet(self) -> list[tuple[int, int]]:
        """What is written down for each deal played, (side 0, side 1): under ``record: positive_only`` no minus."""
        if self.rules.record == "signed":
            return list(self.points)
        return [(max(first, 0), max(second, 0)) for first, second in self.points]

    def totals(self) -> tuple[int, int]:
        """The sums of the sheet, (side 0, side 1)."""
        sheet = self.sheet()
        return sum(first for first, _ in sheet), sum(second for _, second in sheet)

    @property
    def winner(self) -> int | None:
        """The side with the higher total when the match is over; None before, and for a draw."""
        first, second = self.totals()
        if not self.is_over or first == second:
            return None
        return 0 if first > second else 1


def check_match_length(deals: int) -> None:
    """Raises ValueError for a length that no match has."""
    if not 1 <= deals <= LONGEST_MATCH:
        raise ValueError(f"deals {deals}: a match has 1 to {LONGEST_MATCH} deals")
