"""Deal: one deal through notation, for people, bots and tests. The referee: it knows all hands."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from gouji_env import engine
from gouji_env.cards import (
    BIG,
    KIND_COUNT,
    KINDS,
    LARGEST_HAND,
    SEATS,
    SMALL,
    TWO,
    Counts,
    NotationError,
    format_hand,
    parse_hand,
)
from gouji_env.engine import log
from gouji_env.engine.replay import is_legal_whole
from gouji_env.record import RECORD_VERSION, rules_entry
from gouji_env.rules import RuleSet
from gouji_env.tables import NO_ACTION, code_of, legal_texts, table_text
from gouji_env.view import Event, SeatView
from gouji_env.why import reason_against


class IllegalAction(ValueError):
    """An action that the rules forbid now. The deal is unchanged."""

    def __init__(self, seat: int | None, action: object, table: str | None, reason: str) -> None:
        self.seat, self.action, self.table, self.reason = seat, action, table, reason
        on = f"on {table}" if table else "as a lead"
        who = f"seat {seat}: {action!r} {on}" if seat is not None else f"{action!r}"
        super().__init__(f"{who} is illegal: {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.seat, self.action, self.table, self.reason)


class PositionError(ValueError):
    """Hands, seats or an earlier deal that cannot be."""


class Deal:
    """One deal. Make it with ``new``, ``from_dealt`` or ``from_hands``; ask ``turn`` and ``legal()``; ``act``."""

    def __init__(
        self,
        rules: RuleSet,
        row: "np.ndarray[Any, np.dtype[np.int8]]",
        seed: int | None = None,
        previous: Mapping[str, Any] | None = None,
    ) -> None:
        """For the constructors below: a row (``int8[ROW]``) whose deal has just begun."""
        self.rules = rules
        self.row = row
        self.seed = seed
        self._previous = previous
        self._setup = self.phase == "setup"
        self._dealt = self.hands
        self._first_drawer, self._leader = log.first_seats(row)
        self._actions: list[tuple[int, str]] = []
        self._log: list[Event] = []
        self._go_on()

    # --- constructors

    @classmethod
    def new(cls, rules: RuleSet, seed: int) -> Self:
        """Shuffle, deal and go through section 8. The same seed (0..2**64 - 1) gives the same deal everywhere."""
        if not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
            raise PositionError(f"seed {seed!r}: a seed is an integer from 0 to 2**64 - 1")
        row = engine.rules_row(rules)
        engine.deal_cards(row, np.uint64(seed), engine.NO_SEAT)
        return cls(rules, row, seed)

    @classmethod
    def from_dealt(
        cls,
        rules: RuleSet,
        hands: Sequence[str],
        leader: int,
        first_drawer: int = 0,
        previous: Mapping[str, Any] | None = None,
    ) -> Self:
        """Six hands as dealt, going through section 8 first; ``previous``: the last deal's ``summary()``.

        Raises PositionError for hands or a summary that cannot be, and for a hand that tribute may take whole.
        """
        row = _row_of(rules, hands, leader, first_drawer)
        engine.start_setup(row)
        if previous is not None:
            follow(row, rules, previous)
        return cls(rules, row, previous=previous)

    @classmethod
    def after(cls, last: Self) -> Self:
        """The deal of a match that follows one that is over: first drawer, first lead and tribute as section 8 says.

        A void deal is dealt again with the same drawer, leader rule and debts. The seed is the successor of the last.
        """
        if last.turn is not None:
            raise PositionError("after: the last deal is not over yet")
        row = last.row.copy()
        seed = int(engine.successor_seed(engine.deal_seed(row)))
        engine.deal_after(row, np.uint64(seed))
        return cls(last.rules, row, seed, last._previous if last.void else last.summary())

    @classmethod
    def from_hands(cls, rules: RuleSet, hands: Sequence[str], leader: int) -> Self:
        """A position: six non-empty hands that the pack of these rules can hold; the play phase begins at once."""
        row = _row_of(rules, hands, leader, first_drawer=0)
        engine.start_play(row)
        return cls(rules, row)

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.row = self.row.copy()
        other._actions, other._log = self._actions.copy(), self._log.copy()
        return other

    # --- whose decision it is, and what is legal

    @property
    def turn(self) -> int | None:
        """The seat that decides, None when the deal is over."""
        seat = int(engine.turn(self.row))
        return seat if seat >= 0 else None

    @property
    def phase(self) -> str:
        """``revolt renounce return accept play over``."""
        return log.phase_name(self.row)

    def legal(self) -> list[str]:
        """All legal whole actions of the seat that decides, sorted; empty when the deal is over."""
        return legal_texts(self.row)

    def act(self, action: str) -> None:
        """Apply a whole action of the seat that decides. Raises IllegalAction and changes nothing otherwise."""
        seat = self.turn
        if seat is None:
            raise IllegalAction(None, action, None, "the deal is over")
        code = code_of(action) if isinstance(action, str) else NO_ACTION
        if not is_legal_whole(self.row, code):
            raise IllegalAction(seat, action, self.table, reason_against(self, action))
        engine.begin_whole(self.row, code)
        self._actions.append((seat, action))
        self._log += log.read_events(self.row, action)
        self._go_on()

    def _go_on(self) -> None:
        """Go through what comes by itself before the first lead, with its events."""
        while self.phase == "setup":
            engine.clear_events(self.row)
            engine.setup_step(self.row)
            self._log += log.read_events(self.row)

    # --- the state

    @property
    def hands(self) -> list[str]:
        """Six hands, high to low; what is void or gone is not in them."""
        return [format_hand(self.hand_counts(seat)) for seat in range(SEATS)]

    def hand_counts(self, seat: int) -> Counts:
        """The hand as ``int8[15]``."""
        return np.array([engine.hand(self.row, seat, kind) for kind in range(KIND_COUNT)], np.int8)

    @property
    def table(self) -> str | None:
        """The table set, None when a lead is due."""
        return table_text(self.row)

    @property
    def owner(self) -> int | None:
        """Whose set lies on the table."""
        seat = int(engine.owner(self.row))
        return seat if seat >= 0 else None

    @property
    def places(self) -> list[int | None]:
        """1..6 for each seat, None while it has no place."""
        return [int(engine.place(self.row, seat)) or None for seat in range(SEATS)]

    @property
    def points(self) -> tuple[int, int] | None:
        """(side 0, side 1) when the deal is over, None before; (0, 0) for a void deal."""
        if self.turn is not None:
            return None
        points = int(engine.points(self.row))
        return points, -points

    @property
    def void(self) -> bool:
        """Whether a second revolution has voided the deal."""
        return bool(engine.is_void(self.row))

    @property
    def passed(self) -> list[bool]:
        """Who has passed in this round, as all can see."""
        return [bool(engine.passed(self.row, seat)) for seat in range(SEATS)]

    @property
    def live(self) -> list[bool]:
        return [bool(engine.live(self.row, seat)) for seat in range(SEATS)]

    @property
    def duty(self) -> list[bool]:
        """Who is on burn duty."""
        return [bool(engine.on_duty(self.row, seat)) for seat in range(SEATS)]

    @property
    def burns(self) -> list[tuple[int, int]]:
        """(victim, burner) of the burning sets so far that stand."""
        return log.standing_burns(self.row)

    @property
    def opened(self) -> list[bool]:
        return [log.has_opened(self.row, seat) for seat in range(SEATS)]

    @property
    def free_for_all(self) -> bool:
        return bool(engine.free_for_all(self.row))

    def headed(self, seat: int) -> bool:
        """Section 3."""
        _check_seat(seat)
        return bool(engine.headed(self.row, seat))

    @property
    def events(self) -> list[Event]:
        """The public log: dicts with ``event`` and ``seat`` and what belongs to it."""
        return [event for event in self._log if "silent" not in event]

    def view(self, seat: int) -> SeatView:
        """All that a seat may know."""
        _check_seat(seat)
        own = [event for event in self._log if "silent" not in event or event["seat"] == seat]
        return SeatView(self.rules, seat, self.row, own)

    # --- what is kept of a deal

    def summary(self) -> dict[str, Any]:
        """What the next deal of a match needs (``previous``).

        Raises PositionError while the deal runs, or if it is void.
        """
        if self.turn is not None or self.void:
            raise PositionError("summary: the deal is void" if self.void else "summary: the deal is not over yet")
        return {
            "places": self.places,
            "leader": log.first_seats(self.row)[1],  # a revolutionary's lead has passed on
            "opened": self.opened,
            "burns": [list(pair) for pair in self.burns],
            "chokes": [list(pair) for pair in log.chokes(self.row)],
        }

    def record(self) -> dict[str, Any]:
        """The deal so far as a record; ``record.py`` describes it. For JSON: dicts, lists, numbers and texts."""
        return {
            "version": RECORD_VERSION,
            "rules": rules_entry(self.rules),
            "seed": self.seed,
            "hands": self._dealt,
            "first_drawer": self._first_drawer,
            "leader": self._leader,
            "setup": self._setup,
            "previous": self._previous,
            "actions": [[seat, action] for seat, action in self._actions],
            "places": self.places,
            "points": None if self.points is None else list(self.points),
            "void": self.void,
        }


def _check_seat(seat: int) -> None:
    if seat not in range(SEATS):
        raise PositionError(f"seat {seat!r}: seats are 0..{SEATS - 1}")


def follow(row: "np.ndarray[Any, np.dtype[np.int8]]", rules: RuleSet, previous: Mapping[str, Any]) -> None:
    """Make a row before its first lead a later deal of a match, with what the last one left to pay."""
    try:
        places = np.array(previous["places"], np.int8)
        opened = sum(1 << seat for seat, has in enumerate(previous["opened"]) if has)
        lists = [[(int(a), int(b)) for a, b in previous[key]] for key in ("burns", "chokes")]
        if len(previous["opened"]) != SEATS or any(
            seat not in range(SEATS) for pairs in lists for pair in pairs for seat in pair
        ):
            raise ValueError(f"seats are 0..{SEATS - 1}")
        pairs = [np.array([a * SEATS + b for a, b in each], np.int8) for each in lists]
    except (KeyError, TypeError, ValueError) as error:
        raise PositionError(f"previous: no summary() of a deal: {error!r}") from None
    if sorted(places.tolist()) != list(range(1, SEATS + 1)):
        raise PositionError(f"previous: places {previous['places']} are not 1..6 once each")
    debts = np.zeros(engine.DEBT_SLOTS, np.int8)
    tribute = ("off", "last_places", "full").index(rules.tribute)
    count = engine.owed_tribute(tribute, places, opened, *pairs, debts)
    _check_tribute_leaves_cards(row, debts[:count].tolist())
    engine.follow_deal(row, debts, count)


def _check_tribute_leaves_cards(row: "np.ndarray[Any, np.dtype[np.int8]]", debts: list[int]) -> None:
    """The rules say nothing of a hand that tribute empties; from a whole pack nobody is dealt one."""
    for seat in range(SEATS):
        owed = sum(debt // SEATS == seat for debt in debts)
        payable = sum(int(engine.hand(row, seat, kind)) for kind in (TWO, SMALL, BIG))
        if engine.cards_held(row, seat) == payable <= owed:
            raise PositionError(f"seat {seat}: the tribute that it owes for the previous deal may take its whole hand")


def _row_of(
    rules: RuleSet, hands: Sequence[str], leader: int, first_drawer: int
) -> "np.ndarray[Any, np.dtype[np.int8]]":
    for name, seat in (("leader", leader), ("first_drawer", first_drawer)):
        if seat not in range(SEATS):
            raise PositionError(f"{name} {seat!r}: seats are 0..{SEATS - 1}")
    if len(hands) != SEATS:
        raise PositionError(f"{len(hands)} hands: a deal has {SEATS}")
    counts = []
    for seat, text in enumerate(hands):
        try:
            counts.append(parse_hand(text))
        except NotationError as error:
            raise PositionError(f"seat {seat}: {error}") from None
        if not text:
            raise PositionError(f"seat {seat}: an empty hand")
        if len(text) > LARGEST_HAND:
            raise PositionError(f"seat {seat}: a hand of {len(text)} cards; hands hold {LARGEST_HAND} at most")
    total = np.sum(counts, axis=0, dtype=int)
    for kind, most in enumerate(rules.deck.counts()):
        if total[kind] > most:
            raise PositionError(f"hands hold {total[kind]} of {KINDS[kind]}: the deck of these rules has {most}")
    row = engine.rules_row(rules)
    engine.set_hands(row, counts, first_drawer, leader)
    return row
