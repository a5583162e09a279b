"""Random numbers: splitmix64 on caller-owned ``uint64`` state, the same in compiled and in plain Python."""

import numba
import numpy as np

from gouji_env.engine.jit import njit

_GOLDEN = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_WORD = (1 << 64) - 1
EVALUATION_BIT = 1 << 63

if numba.config.DISABLE_JIT:
    # NumPy scalars warn when they wrap around, Python integers do not wrap: mask by hand.
    def step64(state):  # type: ignore[no-untyped-def]
        return np.uint64((int(state) + _GOLDEN) & _WORD)

    def mix64(state):  # type: ignore[no-untyped-def]
        z = int(state)
        z = ((z ^ (z >> 30)) * _FIRST) & _WORD
        z = ((z ^ (z >> 27)) * _SECOND) & _WORD
        return np.uint64(z ^ (z >> 31))

else:

    @njit
    def step64(state):
        """The state after one number."""
        return np.uint64(state) + np.uint64(_GOLDEN)

    @njit
    def mix64(state):
        """Sixty-four well mixed bits of a state."""
        z = np.uint64(state)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_FIRST)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND)
        return z ^ (z >> np.uint64(31))


@njit
def bounded(bits, n):
    """An integer in [0, n) from 64 random bits, n < 2**31."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit
def random_int(streams, i, n):
    """An integer in [0, n) from ``streams[i]`` (``uint64[N]``), which moves on."""
    streams[i] = step64(streams[i])
    return bounded(mix64(streams[i]), n)


@njit
def random_unit(streams, i):
    """A float64 in [0, 1) from ``streams[i]``, which moves on."""
    streams[i] = step64(streams[i])
    return np.float64(mix64(streams[i]) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit
def successor_seed(seed):
    """The seed of the deal after the one of ``seed``: training and evaluation seeds stay what they are."""
    bit = np.uint64(EVALUATION_BIT)
    return (mix64(step64(seed)) & ~bit) | (np.uint64(seed) & bit)
