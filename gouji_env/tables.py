"""A row in words: the table set and actions as text, for Deal and SeatView."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.cards import JOKER_COPIES, KINDS, RANK_COPIES, NotationError
from gouji_env.engine.actions import BASE_JOKERS, CODE_SPECIAL, NAMES
from gouji_env.sets import CardSet

NO_ACTION = CODE_SPECIAL << 16 | 0xFFFF  # the code of a text that is no action: never legal


def table_text(row: npt.NDArray[np.int8]) -> str | None:
    """The table set in notation, None when a lead is due."""
    if engine.owner(row) < 0:
        return None
    base = int(engine.table_base(row))
    twos, small, big = (int(f(row)) for f in (engine.table_twos, engine.table_small, engine.table_big))
    if base == BASE_JOKERS:
        return str(CardSet(None, 0, 0, small, big))
    return str(CardSet(base, int(engine.table_size(row)) - twos - small - big, twos, small, big))


def legal_texts(row: npt.NDArray[np.int8]) -> list[str]:
    """All legal whole actions of the deciding seat, sorted."""
    codes = np.empty(engine.MAX_SETS, np.int32)
    count = engine.legal_sets(row, codes)
    return sorted(map(text_of, codes[:count].tolist()))


text_of = lru_cache(maxsize=1 << 16)(engine.code_text)  # the same few thousand, again and again


@lru_cache(maxsize=1 << 16)
def code_of(action: str) -> int:
    """The code of a whole action in notation: the inverse of ``engine.code_text``. NO_ACTION for any other text."""
    if action in NAMES:
        return CODE_SPECIAL << 16 | NAMES.index(action)
    if action[:5] == "give:" and len(action) == 6 and action[5] in KINDS:
        return CODE_SPECIAL << 16 | engine.GIVE + KINDS.index(action[5])
    try:
        laid = CardSet.parse(action)
    except NotationError:
        return NO_ACTION
    if max(laid.naturals, laid.twos) > RANK_COPIES or max(laid.small, laid.big) > JOKER_COPIES:
        return NO_ACTION
    base = BASE_JOKERS if laid.base is None else laid.base
    return base << 16 | laid.naturals << 11 | laid.twos << 6 | laid.small << 3 | laid.big
