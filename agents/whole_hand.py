"""The last set: what every rule agent lays when it can go out."""

from gouji_env.cards import TWO
from gouji_env.engine import cards_held, hand, njit, select_id, turn
from gouji_env.engine.actions import BASE_JOKERS


@njit
def whole_hand(row):
    """The SELECT of all cards of the seat that decides, who holds a single set (``can_go_out``)."""
    seat = turn(row)
    for base in range(TWO + 1):
        if hand(row, seat, base) > 0:
            return select_id(base, cards_held(row, seat))
    return select_id(BASE_JOKERS, cards_held(row, seat))
