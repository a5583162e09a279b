"""The 912 actions: ids, their parts and their names. One table for all rules (DESIGN: ``Discrete(912)``).

A set is chosen in two steps: SELECT its base and size, then, where it can be made in more than one way,
COMPOSE the number of hung 2s, small and big jokers; base cards make up the size.
A *code* is a whole set in one integer, for enumeration:
``base << 16 | naturals << 11 | twos << 6 | smalls << 3 | bigs``; with base 15 the rest is the id of an action that is
no set.
"""

from gouji_env.cards import KINDS
from gouji_env.engine.jit import inlined, njit

PASS, YIELD, THROW, REVOLT, KEEP, RENOUNCE, ACCEPT, REFUSE = range(8)
GIVE = 8
SELECT = GIVE + 15

MAX_SIZE = 36
MAX_SIZE_TWOS = 24
MAX_SIZE_JOKERS = 8
RANK_BASES = 12  # 3..A, which 2s can hang on
BASE_TWO = 12
BASE_JOKERS = 13
MAX_TWOS = 16
MAX_JOKERS = 4

SELECT_TWO = SELECT + RANK_BASES * MAX_SIZE
SELECT_JOKERS = SELECT_TWO + MAX_SIZE_TWOS
COMPOSE = SELECT_JOKERS + MAX_SIZE_JOKERS
_JOKER_WAYS = MAX_JOKERS + 1
ACTIONS = COMPOSE + (MAX_TWOS + 1) * _JOKER_WAYS * _JOKER_WAYS
assert (SELECT, SELECT_TWO, SELECT_JOKERS, COMPOSE, ACTIONS) == (23, 455, 479, 487, 912)

CODE_SPECIAL = 15
MAX_SETS = 8192  # no hand of 36 cards allows more whole actions

NAMES = ("pass", "yield", "throw", "revolt", "keep", "renounce", "accept", "refuse")


@njit
def select_id(base, size):
    """Id of SELECT: base 0..11 (3..A) with size 1..36, 12 (2) with 1..24, 13 (jokers only) with 1..8."""
    if base < BASE_TWO:
        return SELECT + base * MAX_SIZE + size - 1
    if base == BASE_TWO:
        return SELECT_TWO + size - 1
    return SELECT_JOKERS + size - 1


@njit
def action_base(action):
    """Base of a SELECT id."""
    if action < SELECT_TWO:
        return (action - SELECT) // MAX_SIZE
    return BASE_TWO if action < SELECT_JOKERS else BASE_JOKERS


@njit
def action_size(action):
    """Size of a SELECT id."""
    if action < SELECT_TWO:
        return (action - SELECT) % MAX_SIZE + 1
    return action - SELECT_TWO + 1 if action < SELECT_JOKERS else action - SELECT_JOKERS + 1


@njit
def compose_id(twos, small, big):
    """Id of COMPOSE: hung 2s 0..16, small jokers 0..4, big jokers 0..4."""
    return COMPOSE + (twos * _JOKER_WAYS + small) * _JOKER_WAYS + big


@njit
def compose_twos(action):
    """Hung 2s of a COMPOSE id."""
    return (action - COMPOSE) // (_JOKER_WAYS * _JOKER_WAYS)


@njit
def compose_small(action):
    """Small jokers of a COMPOSE id."""
    return (action - COMPOSE) // _JOKER_WAYS % _JOKER_WAYS


@njit
def compose_big(action):
    """Big jokers of a COMPOSE id."""
    return (action - COMPOSE) % _JOKER_WAYS


@inlined
def set_code(base, naturals, twos, small, big):
    """A whole set in one integer; ``naturals`` counts the base cards."""
    return base << 16 | naturals << 11 | twos << 6 | small << 3 | big


@inlined
def special_code(action):
    """The code of an action that is no set (an id below SELECT)."""
    return CODE_SPECIAL << 16 | action


def action_name(action: int) -> str:
    """What an id means, for people: ``"pass"``, ``"give A"``, ``"select 9 x 3"``, ``"compose 2s 1, s 0, b 2"``."""
    if not 0 <= action < ACTIONS:
        raise ValueError(f"action {action}: ids are 0..{ACTIONS - 1}")
    if action < GIVE:
        return NAMES[action]
    if action < SELECT:
        return f"give {KINDS[action - GIVE]}"
    if action < COMPOSE:
        base = int(action_base(action))
        return f"select {'jokers' if base == BASE_JOKERS else KINDS[base]} x {action_size(action)}"
    return f"compose 2s {compose_twos(action)}, s {compose_small(action)}, b {compose_big(action)}"


def code_text(code: int) -> str:
    """A whole action as Deal writes it: ``"pass"``, ``"give:A"``, ``"bbs22TTT"``."""
    base, rest = code >> 16, code & 0xFFFF
    if base == CODE_SPECIAL:
        return NAMES[rest] if rest < GIVE else f"give:{KINDS[rest - GIVE]}"
    naturals, twos, small, big = rest >> 11, rest >> 6 & 31, rest >> 3 & 7, rest & 7
    return "b" * big + "s" * small + "2" * twos + (KINDS[base] * naturals if base < BASE_JOKERS else "")
