"""The bootstrap over deals, for all pairs of a tournament at once.

The pairs of a tournament play the same deals, so a lucky draw of deals is lucky for many results together. One
resample therefore draws deal numbers once and counts them for every pair and rule set; whatever is computed from
several pairs (a mean over opponents, a rating) then has the interval that belongs to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.arena.results import PairResult
from agents.arena.statistics import CONFIDENCE

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000  # a rating is fitted anew for each

# Deal counts of resamples held in memory at once (32 MiB), however many deals there are.
_BATCH_VALUES = 1 << 22


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums over deals, one column for each of ``pairs``; row 0 of the deals as played, then one row a resample.

    ``deals``: how many; ``points``: of ``a``, a deal having the mean of its two halves; ``score``: of ``a``, 1 for a
    duplicate deal won, 0.5 for a draw. All ``float64[1 + resamples, pairs]``.
    """

    pairs: Sequence[PairResult]
    deals: Floats
    points: Floats
    score: Floats

    def of_rules(self, rules: str) -> "Totals":
        """The pairs under one rule set."""
        chosen = [column for column, pair in enumerate(self.pairs) if pair.rules == rules]
        pairs = [self.pairs[column] for column in chosen]
        return Totals(pairs, self.deals[:, chosen], self.points[:, chosen], self.score[:, chosen])


def resampled_totals(pairs: Sequence[PairResult], resamples: int = RESAMPLES, seed: int = 0) -> Totals:
    """The totals of ``pairs`` and of ``resamples`` draws of as many deals, with replacement.

    The same deals and seed give the same numbers, whatever the order of the pairs. A pair with fewer deals than
    another takes part in a resample with those drawn deals that it has played.
    """
    most = max(pair.deals for pair in pairs)
    doubled = np.zeros((most, 2 * len(pairs)))  # whole numbers, so that sums are exact in any order
    for column, pair in enumerate(pairs):
        both = pair.halves.sum(axis=1, dtype=np.int64)
        doubled[: len(both), column] = both
        doubled[: len(both), len(pairs) + column] = 1 + np.sign(both)
    lengths = np.array([pair.deals for pair in pairs])
    sums, deals = [], []
    for counts in _drawn(most, resamples, seed):
        sums.append(counts @ doubled / 2)
        deals.append(np.cumsum(counts, axis=1)[:, lengths - 1])
    points, score = np.split(np.concatenate(sums), 2, axis=1)
    return Totals(pairs, np.concatenate(deals), points, score)


def _drawn(deals: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each deal counts, ``float64[some, deals]``: once in the deals as played, then as drawn."""
    yield np.ones((1, deals))
    rng = np.random.default_rng(seed)
    batch = max(1, _BATCH_VALUES // deals)
    for start in range(0, resamples, batch):
        rows = min(batch, resamples - start)
        drawn = rng.integers(deals, size=(rows, deals)) + np.arange(rows)[:, np.newaxis] * deals
        yield np.bincount(drawn.ravel(), minlength=rows * deals).reshape(rows, deals).astype(np.float64)


def interval(resampled: Floats) -> tuple[Floats, Floats]:
    """The ends of the 95 % percentile intervals of values of all resamples, which lie along the first axis."""
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(resampled, (tail, 1 - tail), axis=0)
    return low, high
