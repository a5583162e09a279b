"""One deal in the words of OpenSpiel's ``State``, for rollouts, search and learning code written against them.

    state = GoujiState("classic", seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns())

It needs no OpenSpiel. The deal is the referee's: a ``clone()`` knows all hands, so that a search over clones is one
with open cards. What a player may know is ``observation_tensor()``.
"""

from typing import Self

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.cards import SEATS, side
from gouji_env.deal import Deal
from gouji_env.rules import RuleSet
from gouji_env.staged import apply

TERMINAL = -4  # as pyspiel.PlayerId.TERMINAL


class GoujiState:
    """A deal: players are the seats 0..5, actions the staged ones, 0..911. The cards are dealt: no chance nodes."""

    def __init__(self, rules: RuleSet | str = "classic", seed: int = 0) -> None:
        """Deals the cards of ``Deal.new(rules, seed)``. Raises RuleError and PositionError as that does."""
        self.rules = rules if isinstance(rules, RuleSet) else RuleSet.load(rules)
        self._row = Deal.new(self.rules, seed).row

    def num_players(self) -> int:
        return SEATS

    def num_distinct_actions(self) -> int:
        return engine.ACTIONS

    def current_player(self) -> int:
        """The seat that decides; TERMINAL when the deal is over."""
        return TERMINAL if self.is_terminal() else int(engine.turn(self._row))

    def is_terminal(self) -> bool:
        return bool(engine.is_over(self._row))

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Sorted; empty for a player who does not decide, and when the deal is over."""
        if self.is_terminal() or player not in (None, self.current_player()):
            return []
        ids = np.empty(engine.ACTIONS, np.int16)
        return sorted(ids[: engine.legal(self._row, ids)].tolist())

    def apply_action(self, action: int) -> None:
        """Raises IllegalAction, and then nothing has changed."""
        apply(self._row, self.rules, action)

    def action_to_string(self, player: int, action: int) -> str:
        """The name of a staged action, the same for all players."""
        return str(engine.action_name(action))

    def returns(self) -> list[float]:
        """The points of each seat's side; all zero before the end."""
        points = float(engine.points(self._row)) if self.is_terminal() else 0.0
        return [points if side(seat) == 0 else 0.0 - points for seat in range(SEATS)]

    def observation_tensor(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """``float32[OBSERVATION]`` of a seat, by default of the one that decides."""
        out = np.empty(engine.OBSERVATION, np.float32)
        engine.observe_scaled(self._row, self.current_player() if player is None else player, out)
        return out

    def clone(self) -> Self:
        """An independent copy, all hands included."""
        other = object.__new__(type(self))
        other.rules, other._row = self.rules, self._row.copy()
        return other
