"""Weighted sums of a table's rows, and the lists that say which rows go into which sum.

A few rows of a big table for each sum: this is the product of a sparse matrix and a dense one, the weights in the
first. Its entries are lists in compressed form: sum ``j`` has ``ids`` and ``values`` (float32) from ``offsets[j]`` to
``offsets[j + 1]`` (int64). For the first layer's lists this takes a
quarter of the time of the dense product, and two thirds of that of torch's ``embedding_bag``.
"""

import numpy as np

from gouji_env.engine import njit


@njit
def add_rows(table, offsets, ids, values, out):
    """Add to each ``out[j]`` float32[H] the rows of ``table`` float32[_, H] listed for it, weighted."""
    for j in range(out.shape[0]):
        first, end = offsets[j], offsets[j + 1]
        whole = first + (end - first) // 4 * 4
        for k in range(first, whole, 4):  # a sum is loaded and stored once for four rows
            a, b, c, d = table[ids[k]], table[ids[k + 1]], table[ids[k + 2]], table[ids[k + 3]]
            p, q, r, s = values[k], values[k + 1], values[k + 2], values[k + 3]
            for h in range(out.shape[1]):
                out[j, h] += p * a[h] + q * b[h] + r * c[h] + s * d[h]
        for k in range(whole, end):
            a, p = table[ids[k]], values[k]
            for h in range(out.shape[1]):
                out[j, h] += p * a[h]


@njit
def transposed(offsets, ids, values, columns):
    """The lists the other way round: for each id below ``columns``, the sums it goes into. Offsets, ids, values."""
    starts = np.zeros(columns + 1, np.int64)
    for k in range(ids.shape[0]):
        starts[ids[k] + 1] += 1
    starts = np.cumsum(starts)
    free = starts.copy()
    sums, weights = np.empty(ids.shape[0], np.int32), np.empty(ids.shape[0], np.float32)
    for j in range(offsets.shape[0] - 1):
        for k in range(offsets[j], offsets[j + 1]):
            at = free[ids[k]]
            sums[at], weights[at] = j, values[k]
            free[ids[k]] = at + 1
    return starts, sums, weights
