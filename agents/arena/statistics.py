"""Intervals for what a duel measured, and how many deals buy which.

``scipy.stats`` is loaded where it is needed: it takes half a second, for which no other command should wait.
"""

import math

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
RESAMPLES = 2000
# Resampled values held in memory at once (32 MiB), however many deals there are.
_BATCH_VALUES = 1 << 22


def mean_interval(samples: npt.NDArray[np.float64], seed: int) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean of independent ``samples`` (``float64[N]``).

    The same samples and seed give the same interval. One sample says nothing of its spread: the interval is
    then ``(nan, nan)``. Samples that are all equal give an interval of no width.
    """
    if len(samples) < 2:
        return math.nan, math.nan
    from scipy import stats

    result = stats.bootstrap(
        (samples,),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        batch=max(1, _BATCH_VALUES // len(samples)),
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def deal_deviation(halves: npt.NDArray[np.int8]) -> float:
    """The standard deviation of a deal's points, the mean of its two ``halves`` (``int8[deals, 2]``); nan for one deal.

    The interval of a mean over n deals is about 1.96 of these to either side, divided by the root of n.
    """
    return float(halves.mean(axis=1).std(ddof=1)) if len(halves) > 1 else math.nan


def deals_needed(deviation: float, half_width: float) -> int | None:
    """Deals whose 95 % interval reaches ``half_width`` points to either side, at least 2; None for a deviation of nan.

    ``deviation``: that of a deal's points, as ``deal_deviation`` measures it.
    """
    if math.isnan(deviation):
        return None
    from scipy import stats

    return max(2, math.ceil((stats.norm.ppf((1 + CONFIDENCE) / 2) * deviation / half_width) ** 2))


def variance_ratio(halves: npt.NDArray[np.int8]) -> float:
    """How many times as many single deals buy the same interval as these halves of duplicate deals do.

    A single deal is played once, the sides being drawn: its variance is that of one half. n duplicate deals are 2 n
    halves, so the ratio is (variance of a half / 2) / (variance of a deal's points). It is 1 where both halves of a
    deal know nothing of each other, and nan where nothing varies: in a single deal, and between equal agents without
    chance, whose halves cancel out.
    """
    of_deal = deal_deviation(halves) ** 2
    return float(halves.var(ddof=1)) / 2 / of_deal if of_deal > 0 else math.nan
