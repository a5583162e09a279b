"""Who is better than whom: a paired test of each pair, corrected for all of them.

The unit is the deal, played twice with sides swapped: its two halves are not independent, its mean over both is one
sample. Between lineups of the same strength that mean is as often good for one as for the other.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

ALPHA = 0.05  # chance of one wrong verdict or more in a whole table


def p_value(deal_means: npt.NDArray[np.float64]) -> float:
    """Two-sided p value of Student's t test that the mean of ``float64[deals]`` is 0; 1.0 for a single deal.

    Where all deals have the same mean there is no spread to test with, and the sign test stands in.
    """
    deals = len(deal_means)
    if deals < 2 or not deal_means.any():
        return 1.0
    if np.all(deal_means == deal_means[0]):
        return math.ldexp(1.0, 1 - deals)
    from scipy import stats  # half a second, for which no other command should wait

    return float(stats.ttest_1samp(deal_means, 0.0).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values adjusted by Holm's method, in the order given.

    Calling all at or below ``ALPHA`` significant is wrong anywhere with a chance of at most ``ALPHA``, however the
    tests depend on each other.
    """
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for rank, number in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[number]))
        adjusted[number] = largest
    return adjusted
