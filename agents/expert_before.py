"""The decisions before the first lead: revolution, the head, cards to return (docs/rules.md section 8)."""

import numpy as np

from gouji_env.cards import ACE, KING, QUEEN
from gouji_env.engine import GIVE, REFUSE, REVOLT, hand, is_legal, legal, njit, turn

STRONG = 8  # kings and aces with which a hand plays on without a joker or a 2


@njit
def before_play(row, options):
    """Revolt with a weak hand, keep the head, give the lowest card that is alone, refuse one that would be alone."""
    seat = turn(row)
    if is_legal(row, REVOLT) and hand(row, seat, KING) + hand(row, seat, ACE) < STRONG:
        return np.int64(REVOLT)
    if is_legal(row, REFUSE):  # only a card of a rank that is not in hand can be refused
        return np.int64(REFUSE)
    for kind in range(QUEEN):
        if hand(row, seat, kind) == 1 and is_legal(row, GIVE + kind):
            return np.int64(GIVE + kind)
    legal(row, options)  # the lowest card, to keep the head, to stay
    return np.int64(options[0])
