"""Intervals for what a duel measured."""

import math

import numpy as np
import numpy.typing as npt
from scipy import stats

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
