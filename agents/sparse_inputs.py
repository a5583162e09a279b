"""Inputs of the first hidden layer out of raw observations int8[B, OBSERVATION].

``parts`` int64[P, 2] say where pieces begin and end in an observation; the features in them are numbered through, and
``scale`` float32[F] has an entry for each.
"""

import numpy as np

from gouji_env.engine import njit


@njit
def scaled(observation, parts, scale, out):
    """Copy the features of each ``observation[j]``, scaled, into ``out[j, :F]``, float32."""
    for j in range(observation.shape[0]):
        first = 0
        for p in range(parts.shape[0]):
            source = observation[j, parts[p, 0] : parts[p, 1]]  # slices, for loops that the compiler vectorises
            end = first + len(source)
            target, factor = out[j, first:end], scale[first:end]
            for i in range(len(source)):
                target[i] = source[i] * factor[i]
            first = end


@njit
def nonzero(observation, parts, scale):
    """The features that are not zero, scaled, as lists for ``row_sums.add_rows``: offsets, ids, values."""
    offsets = np.zeros(observation.shape[0] + 1, np.int64)
    most = 0
    for j in range(observation.shape[0]):
        for entry in observation[j]:
            most += entry != 0
    ids, values = np.empty(most, np.int32), np.empty(most, np.float32)
    count = 0
    for j in range(observation.shape[0]):
        first = 0
        for p in range(parts.shape[0]):
            source = observation[j, parts[p, 0] : parts[p, 1]]
            for i in range(len(source)):
                if source[i]:
                    ids[count], values[count] = first + i, source[i] * scale[first + i]
                    count += 1
            first += len(source)
        offsets[j + 1] = count
    return offsets, ids[:count], values[:count]
