"""Players at the seats that are not the learner's: what they are, and how they play on a row."""

from collections.abc import Sequence
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.cards import SEATS
from gouji_env.deal import Deal, IllegalAction
from gouji_env.engine import njit
from gouji_env.engine.replay import whole_code
from gouji_env.rules import RuleSet
from gouji_env.staged import ILLEGAL, Row, act_if_legal, apply
from gouji_env.tables import code_of, text_of
from gouji_env.view import SeatView


class BatchPlayer(Protocol):
    """Chooses staged actions on rows, as ``agents.BatchAgent`` does; ``streams`` is its only randomness."""

    def act_batch(
        self,
        rows: npt.NDArray[np.int8],
        index: npt.NDArray[np.int64],
        streams: npt.NDArray[np.uint64],
        out: npt.NDArray[np.int16],
    ) -> None:
        """Write into ``out[j]`` a legal staged action of the seat that decides in ``rows[index[j]]``."""


class ViewPlayer(Protocol):
    """Chooses whole actions on views, as ``agents.Agent`` does."""

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """A deal begins."""

    def act(self, view: SeatView) -> str:
        """One of ``view.legal``."""


Player = BatchPlayer | ViewPlayer


class Uniform:
    """Each staged legal action is equally likely."""

    def act_batch(
        self,
        rows: npt.NDArray[np.int8],
        index: npt.NDArray[np.int64],
        streams: npt.NDArray[np.uint64],
        out: npt.NDArray[np.int16],
    ) -> None:
        engine.random_rows(rows, index, streams, out)


def checked_player(player: Player | None, name: str) -> Player:
    """The player itself, or Uniform for none. Raises TypeError, naming the option, for what cannot play."""
    if player is None:
        return Uniform()
    plays = hasattr(player, "act_batch") or (hasattr(player, "act") and hasattr(player, "reset"))
    if isinstance(player, type) or not plays:
        raise TypeError(
            f"{name}: {player!r} is no player, which has act_batch(), or reset() and act(); "
            "agents.make('greedy') gives one, and None plays at random"
        )
    return player


class Others:
    """Plays the seats that are not the learner's. ``row`` is the deal, shared with the learner's environment.

    Players on rows play on this one. For players on views the deal is kept in notation as well, for its events.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._rows = engine.rules_row(rules)[np.newaxis]
        self._index = np.zeros(1, np.int64)
        self._out = np.zeros(1, np.int16)
        self._streams = [np.zeros(1, np.uint64) for _ in range(SEATS)]
        self._players: Sequence[Player | None] = ()
        self._on_rows: list[bool] = []  # by seat: a player on rows
        self._deal: Deal | None = None

    @property
    def row(self) -> Row:
        """``int8[ROW]``."""
        row: Row = self._rows[0]
        return row

    def begin(self, players: Sequence[Player | None], seeds: npt.NDArray[np.uint64], of_match: bool) -> None:
        """A deal has begun in ``row``, the next of a match or another one.

        ``players``: by seat, None where the learner decides; ``seeds``: ``uint64[6]``.
        """
        self._players = players
        self._on_rows = [hasattr(player, "act_batch") for player in players]
        on_views = False
        for seat, player in enumerate(players):
            self._streams[seat][0] = seeds[seat]
            if player is not None and not self._on_rows[seat]:
                cast(ViewPlayer, player).reset(seat, self.rules, int(seeds[seat]))
                on_views = True
        if not on_views:
            self._deal = None
        elif of_match and self._deal is not None:
            self._deal = Deal.after(self._deal)
        else:
            self._deal = Deal.new(self.rules, int(engine.deal_seed(self.row)))

    def play_on(self) -> int:
        """Play to the learner's next decision: the seat that decides, -1 when the deal is over before one.

        Raises IllegalAction when a player chooses what is not legal.
        """
        turn = int(engine.turn(self.row))
        while turn >= 0 and (player := self._players[turn]) is not None:
            try:
                turn = self._play_on_row(player, turn) if self._on_rows[turn] else self._play_on_view(player, turn)
            except IllegalAction as error:
                error.add_note(f"It was chosen by {getattr(player, 'name', player)!r}, not by the learner.")
                raise
        return turn

    def _play_on_row(self, player: Player, seat: int) -> int:
        cast(BatchPlayer, player).act_batch(self._rows, self._index, self._streams[seat], self._out)
        if self._deal is None:
            turn: int = _act_in_first(self._rows, self._out)
            if turn != ILLEGAL:
                return turn
        return self.apply(self._out[0])

    def _play_on_view(self, player: Player, seat: int) -> int:
        assert self._deal is not None
        action = cast(ViewPlayer, player).act(self._deal.view(seat))
        self._deal.act(action)
        engine.act_whole(self.row, code_of(action))
        return int(engine.turn(self.row))

    def apply(self, action: object) -> int:
        """Apply a staged action, anybody's; the seat that decides after it, -1 at the end. Raises IllegalAction."""
        if self._deal is None:
            return apply(self.row, self.rules, action)
        before = self.row.copy()
        turn = apply(self.row, self.rules, action)
        code = int(whole_code(before, np.int64(action)))  # type: ignore[arg-type]  # apply takes nothing but integers
        if code >= 0:
            self._deal.act(text_of(code))
        return turn


@njit
def _act_in_first(rows, out):  # type: ignore[no-untyped-def]
    """``act_if_legal`` with whole arrays, which cost less to hand over than a row and a number."""
    return act_if_legal(rows[0], np.int64(out[0]))
