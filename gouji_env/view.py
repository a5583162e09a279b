"""SeatView: all that one seat may know of a deal (docs/rules.md section 10), and nothing else."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.cards import KIND_COUNT, SEATS, format_hand
from gouji_env.engine import log
from gouji_env.rules import RuleSet
from gouji_env.tables import legal_texts, table_text

Event = dict[str, Any]


class SeatView:
    """What ``seat`` knows. ``row`` is the deal's row (``int8[ROW]``) with all that is secret wiped out of it.

    ``events`` is the public log since the deal, with the seat's own silent declines.
    """

    def __init__(self, rules: RuleSet, seat: int, row: npt.NDArray[np.int8], events: list[Event]) -> None:
        """``row`` may be the referee's: it is hidden here."""
        self.rules = rules
        self.seat = seat
        self.events = events
        self.row = np.empty(engine.ROW, np.int8)
        engine.hide(row, seat, self.row)

    @property
    def decides(self) -> bool:
        return bool(engine.turn(self.row) == self.seat)

    @property
    def phase(self) -> str:
        """``revolt renounce return accept play over``, as far as the seat may know."""
        return log.phase_name(self.row)

    @property
    def hand(self) -> str:
        return self._hand_of(self.seat)

    @property
    def hands(self) -> list[str | None]:
        """Six hands, None for one that the seat does not see; with ``partner_view`` it sees some partners'."""
        hands = map(self._hand_of, range(SEATS))
        return [hand if len(hand) == held else None for hand, held in zip(hands, self.counts, strict=True)]

    def _hand_of(self, seat: int) -> str:
        """What the row holds of a hand: all of it, or nothing where it is hidden."""
        return format_hand([engine.hand(self.row, seat, kind) for kind in range(KIND_COUNT)])

    @property
    def legal(self) -> list[str]:
        """Whole actions as in ``Deal.legal()``; empty when another seat decides."""
        return legal_texts(self.row) if self.decides else []

    @property
    def counts(self) -> list[int]:
        """Cards in each of the six hands."""
        return [int(engine.cards_held(self.row, seat)) for seat in range(SEATS)]

    @property
    def table(self) -> str | None:
        return table_text(self.row)

    @property
    def owner(self) -> int | None:
        owner = int(engine.owner(self.row))
        return owner if owner >= 0 else None

    @property
    def passed(self) -> list[bool]:
        return [bool(engine.passed(self.row, seat)) for seat in range(SEATS)]

    @property
    def live(self) -> list[bool]:
        return [bool(engine.live(self.row, seat)) for seat in range(SEATS)]

    @property
    def places(self) -> list[int | None]:
        return [int(engine.place(self.row, seat)) or None for seat in range(SEATS)]

    @property
    def duty(self) -> bool:
        """Whether this seat itself is on burn duty."""
        return bool(engine.on_duty(self.row, self.seat))

    @property
    def free_for_all(self) -> bool:
        return bool(engine.free_for_all(self.row))

    def headed(self, seat: int) -> bool:
        return bool(engine.headed(self.row, seat))

    def observation(self) -> npt.NDArray[np.float32]:
        """The environment's observation, ``float32[OBSERVATION]``."""
        out = np.empty(engine.OBSERVATION, np.float32)
        engine.observe_scaled(self.row, self.seat, out)
        return out

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Mask of the legal staged actions, ``int8[ACTIONS]``; all zero when another seat decides."""
        out = np.zeros(engine.ACTIONS, np.int8)
        if self.decides:
            engine.mask(self.row, out)
        return out
