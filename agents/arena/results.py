"""What a tournament measured, as plain numbers: for tables, ratings and reports."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

LONGEST_NOTES = 20


@dataclass(frozen=True, eq=False)
class PairResult:
    """Two lineups under one rule set. In all pairs of numbers the first is of ``a``, the second of ``b``.

    ``rules``: the name of the rule set in the tournament. ``halves``: ``int8[deals, 2]``, the points (-12..12) of
    ``a`` on side 0 and then, with the same cards, on side 1; a forfeited half is 12 points lost.
    ``places``: ``int64[2, 6]``, how often the seats of ``a`` and of ``b`` took places 1 to 6 (forfeited halves not
    counted). ``decisions``: whole actions asked for; ``seconds``: what choosing them took, by the clock.
    ``forfeits``: halves forfeited; ``illegal``: those of them for an illegal action. ``notes``: what happened, at most
    LONGEST_NOTES lines.
    """

    a: str
    b: str
    rules: str
    halves: npt.NDArray[np.int8] = field(repr=False)
    places: npt.NDArray[np.int64] = field(repr=False)
    decisions: tuple[int, int]
    seconds: tuple[float, float]
    illegal: tuple[int, int]
    forfeits: tuple[int, int]
    notes: list[str]

    @property
    def deals(self) -> int:
        """Deals, each of them played twice."""
        return len(self.halves)

    @property
    def points_per_deal(self) -> float:
        """Of ``a``: the mean over deals of the mean of both halves."""
        return float(self.halves.mean())

    def mirrored(self) -> "PairResult":
        """The same from the side of ``b``."""
        return PairResult(
            self.b,
            self.a,
            self.rules,
            np.negative(self.halves[:, ::-1]),
            self.places[::-1].copy(),
            self.decisions[::-1],
            self.seconds[::-1],
            self.illegal[::-1],
            self.forfeits[::-1],
            self.notes,
        )


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """All pairs of a tournament under all its rule sets, in the order of its config.

    ``deal_set``: the name of the deals. ``lineups``: name -> the specs of the three agents of a side, by rising seat.
    ``rules``: name -> ``RuleSet.digest()``.
    """

    name: str
    deal_set: str
    lineups: dict[str, list[str]]
    rules: dict[str, str]
    pairs: list[PairResult] = field(repr=False)
