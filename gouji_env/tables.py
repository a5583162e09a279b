"""A row in words: the table set and the legal actions as text, for Deal and SeatView."""

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.sets import CardSet

JOKERS_ONLY = 13


def table_text(row: npt.NDArray[np.int8]) -> str | None:
    """The table set in notation, None when a lead is due."""
    if engine.owner(row) < 0:
        return None
    base = int(engine.table_base(row))
    twos, small, big = (int(f(row)) for f in (engine.table_twos, engine.table_small, engine.table_big))
    if base == JOKERS_ONLY:
        return str(CardSet(None, 0, 0, small, big))
    return str(CardSet(base, int(engine.table_size(row)) - twos - small - big, twos, small, big))


def legal_codes(row: npt.NDArray[np.int8]) -> dict[str, int]:
    """All legal whole actions of the deciding seat, in notation, with their codes; sorted by notation."""
    codes = np.empty(engine.MAX_SETS, np.int32)
    count = engine.legal_sets(row, codes)
    return dict(sorted((engine.code_text(code), code) for code in codes[:count].tolist()))


def legal_texts(row: npt.NDArray[np.int8]) -> list[str]:
    """All legal whole actions of the deciding seat, sorted."""
    return list(legal_codes(row))
