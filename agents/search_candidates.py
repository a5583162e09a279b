"""Which of the legal actions a search tries: at most ``MOST`` of what may be hundreds of ways to lead.

The policy's own choice is the first candidate. Then come, as far as there is room,

1. what is no set: passing, yielding, throwing, and all that is decided before the first lead;
2. whole groups without hung cards; as answers the cheapest set of each base, with as few jokers and then as few 2s as
   will do;
3. the same with a joker on it, as answers with one big joker more than the cheapest has;
4. parts of groups, one card first.
"""

import numpy as np

from agents.search_playouts import choose
from gouji_env.cards import TWO
from gouji_env.engine import ACTIONS, COMPOSE, SELECT, act, compose_id, hand, njit, owner, select_id, turn
from gouji_env.engine.actions import BASE_JOKERS, CODE_SPECIAL

MOST = 16
LAST_RANK = 4
NOT_TRIED = LAST_RANK + 1


@njit
def list_candidates(row, policy, codes, out):
    """The candidates among the legal ``codes`` (``int32[N]``) of ``row`` into ``out`` (``int64[MOST]``); how many."""
    own = np.int64(codes[_policy_choice(row, policy, codes)])
    out[0] = own
    count = 1
    ranks = np.empty(len(codes), np.int64)
    if owner(row) >= 0:
        _rank_answers(codes, ranks)
    else:
        _rank_leads(row, codes, ranks)
    for rank in range(LAST_RANK + 1):
        for j in range(len(codes)):
            if ranks[j] == rank and codes[j] != own and count < MOST:
                out[count] = codes[j]
                count += 1
    return count


@njit
def _parts(code):
    """(base, base cards, hung 2s, small jokers, big jokers) of a set's code."""
    rest = code & 0xFFFF
    return code >> 16, rest >> 11, rest >> 6 & 31, rest >> 3 & 7, rest & 7


@njit
def _policy_choice(row, policy, codes):
    """The place in ``codes`` of the whole action that the policy takes."""
    options = np.empty(ACTIONS, np.int16)
    first = choose(row, policy, options)
    selected = 0
    place = -1
    for j in range(len(codes)):
        if _selects(codes[j], first):
            selected += 1
            place = j
    if selected > 1:
        composing = row.copy()
        act(composing, first)  # with several ways to compose it, this only notes what was selected
        second = choose(composing, policy, options)
        for j in range(len(codes)):
            _, _, twos, small, big = _parts(np.int64(codes[j]))
            if _selects(codes[j], first) and compose_id(twos, small, big) == second:
                place = j
    return place


@njit
def _selects(code, action):
    """Whether a whole action begins with this staged one."""
    base, naturals, twos, small, big = _parts(np.int64(code))
    if base == CODE_SPECIAL:
        return code & 0xFFFF == action
    return SELECT <= action < COMPOSE and select_id(base, naturals + twos + small + big) == action


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
