"""Which of the legal actions a search tries: at most ``MOST`` of what may be hundreds of ways to lead.

The policy's own choice is the first candidate. Then come, as far as there is room,

1. what is no set: passing, yielding, throwing, and all that is decided before the first lead;
2. whole groups without hung cards; as answers the cheapest set of each base, with as few jokers and then as few 2s as
   will do;
3. the same with a joker on it, as answers with one big joker more than the cheapest has;
4. parts of groups, one card first.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from agents.search_playouts import CHOOSE
from gouji_env.cards import TWO
from gouji_env.engine import ACTIONS, COMPOSE, SELECT, act, compose_id, hand, njit, owner, select_id, turn
from gouji_env.engine.actions import BASE_JOKERS, CODE_SPECIAL

MOST = 16
LAST_RANK = 4
NOT_TRIED = LAST_RANK + 1

Row: TypeAlias = npt.NDArray[np.int8]
Codes: TypeAlias = npt.NDArray[np.int32]
Listed: TypeAlias = npt.NDArray[np.int64]


def list_candidates(row: Row, policy: int, codes: Codes) -> Listed:
    """The candidates (``int64[1..MOST]``) among the legal ``codes`` (``int32[N]``) of a hidden row."""
    out = np.empty(MOST, np.int64)
    return out[: _list(row, codes, _policy_choice(row, policy, codes), out)]


def _policy_choice(row: Row, policy: int, codes: Codes) -> int:
    """The place in ``codes`` of the whole action that the policy takes."""
    options = np.empty(ACTIONS, np.int16)
    first = CHOOSE[policy](row, options)
    count, place = _find(codes, first, -1)
    if count > 1:
        composing = row.copy()
        act(composing, first)  # with several ways to compose it, this only notes what was selected
        _, place = _find(codes, first, CHOOSE[policy](composing, options))
    return place


@njit
def _find(codes, first, second):
    """(how many, the last place) of the codes that are made by these staged actions; ``second`` -1: by any."""
    count, place = 0, -1
    for j in range(len(codes)):
        base, naturals, twos, small, big = _parts(np.int64(codes[j]))
        if base == CODE_SPECIAL:
            fits = codes[j] & 0xFFFF == first
        else:
            fits = SELECT <= first < COMPOSE and select_id(base, naturals + twos + small + big) == first
        if fits and (second < 0 or compose_id(twos, small, big) == second):
            count += 1
            place = j
    return count, place


@njit
def _list(row, codes, own, out):
    """Candidates into ``out``, the one at the place ``own`` first; returns how many."""
    out[0] = codes[own]
    count = 1
    ranks = np.empty(len(codes), np.int64)
    if owner(row) >= 0:
        _rank_answers(codes, ranks)
    else:
        _rank_leads(row, codes, ranks)
    for rank in range(LAST_RANK + 1):
        for j in range(len(codes)):
            if ranks[j] == rank and j != own and count < MOST:
                out[count] = codes[j]
                count += 1
    return count


@njit
def _parts(code):
    """(base, base cards, hung 2s, small jokers, big jokers) of a set's code."""
    rest = code & 0xFFFF
    return code >> 16, rest >> 11, rest >> 6 & 31, rest >> 3 & 7, rest & 7


@njit
def _rank_answers(codes, ranks):
    """Codes come base by base, and of each base the cheapest first."""
    last_base, least_big, big_seen = -1, 0, False
    for j in range(len(codes)):
        base, _, _, _, big = _parts(np.int64(codes[j]))
        ranks[j] = NOT_TRIED
        if base == CODE_SPECIAL:
            ranks[j] = 0
        elif base != last_base:
            last_base, least_big, big_seen = base, big, False
            ranks[j] = 1
        elif big == least_big + 1 and not big_seen:
            big_seen = True
            ranks[j] = 2


@njit
def _rank_leads(row, codes, ranks):
    seat = turn(row)
    for j in range(len(codes)):
        base, naturals, twos, small, big = _parts(np.int64(codes[j]))
        ranks[j] = NOT_TRIED
        if base == CODE_SPECIAL:
            ranks[j] = 0
        elif base == BASE_JOKERS or base == TWO:
            ranks[j] = 3 if naturals + small + big == 1 else 4
        elif naturals == hand(row, seat, base) and twos == 0 and small + big < 2:
            ranks[j] = 1 + small + big
        elif twos + small + big == 0:
            ranks[j] = 3 if naturals == 1 else 4
