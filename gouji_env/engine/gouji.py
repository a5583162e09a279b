"""Gouji sets (section 2)."""

import numpy as np

from gouji_env.cards import ACE, JACK, QUEEN, TEN, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.jit import inlined, njit


@inlined
def gouji_count(row, base):
    """From how many cards on a set of this base without jokers is a gouji set; 0 for never (section 2)."""
    if base < TEN or base > TWO:
        return 0
    if base == TWO:
        return np.int64(row[at.GOUJI_TWOS])
    return 5 if base == TEN else 4 if base == JACK else 3 if base == QUEEN else 2


@inlined
def is_gouji(row, base, size, jokers):
    """Whether a set is a gouji set; hung 2s count as the base."""
    if jokers > 0:
        return True
    least = gouji_count(row, base)
    return least > 0 and size >= least


@njit
def has_pure_gouji_group(row, seat):
    """Whether a hand holds a pure gouji set of T..A (section 7: otherwise it is a natural point)."""
    start = at.HAND + seat * at.KINDS
    for base in range(TEN, ACE + 1):
        if row[start + base] >= gouji_count(row, base):
            return True
    return False
