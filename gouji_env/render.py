"""The table as people see it: one description of it, drawn as text or (``picture.py``) as a picture.

table = Table.of_row(deal.row)             the referee's table, all hands open
table = Table.of_row(view.row, view.seat)  what one seat may know, its own seat at the bottom
render_ansi(table), render_rgb(table)
"""

import textwrap
from dataclasses import dataclass
from itertools import groupby, zip_longest

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.cards import KIND_COUNT, KINDS, SEATS, TWO, format_hand, side

FEW_CARDS = 10  # a hand of so many cards or fewer is announced
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")

Row = npt.NDArray[np.int8]


@dataclass(frozen=True)
class SeatPicture:
    """What lies before one seat."""

    hand: str | None  # None: not for the viewer's eyes
    cards: int
    place: int  # 1..6, 0 while there is none
    passed: bool
    laid: str | None  # its last set
    victim: int | None  # whom it burned, while the burning set stands
    duty: bool  # burn duty, as far as the viewer may know


@dataclass(frozen=True)
class Table:
    """Everything that a picture of a deal shows."""

    seats: tuple[SeatPicture, ...]
    turn: int | None  # who decides; None when the deal is over or it is secret
    lead_due: bool  # no set lies on the table, and the play has begun
    standing: str | None  # the table set
    owner: int | None
    gouji: bool
    selected: str | None  # a set chosen by base and size, still to be composed
    free_for_all: bool
    points: tuple[int, int] | None  # of sides 0 and 1, when the deal is over
    viewer: int | None  # the seat that looks; None: the referee
    title: str

    @classmethod
    def of_row(cls, row: Row, viewer: int | None = None, title: str = "Gouji") -> "Table":
        """Describe a row: all of it, or what ``viewer`` (0..5) may know."""
        known = row
        if viewer is not None:
            known = np.empty_like(row)
            engine.hide(row, viewer, known)
        public = _Public(known, viewer or 0)
        over = bool(engine.is_over(known))
        points = int(engine.points(known))
        return cls(
            seats=tuple(_seat_picture(known, public, seat) for seat in range(SEATS)),
            turn=_none_if_negative(-1 if over else engine.turn(known)),
            lead_due=public.lead_due(),
            standing=public.standing(),
            owner=_none_if_negative(engine.owner(known)),
            gouji=bool(engine.table_is_gouji(known)),
            selected=_selected(known),
            free_for_all=bool(engine.free_for_all(known)),
            points=(points, -points) if over else None,
            viewer=viewer,
            title=title,
        )

    def around(self) -> tuple[int, ...]:
        """The six seats counter-clockwise from the bottom: the viewer's, or seat 0."""
        return tuple((seat + (self.viewer or 0)) % SEATS for seat in range(SEATS))

    def asks(self) -> str:
        """What is waited for while no set lies on the table."""
        if self.turn is None:
            return "a lead is due"
        return f"seat {self.turn} leads" if self.lead_due else f"seat {self.turn} decides before the first lead"


class _Public:
    """The public part of a row, read from the observation of one seat."""

    def __init__(self, row: Row, observer: int) -> None:
        values = np.empty(engine.OBSERVATION, np.int8)
        engine.observe(row, observer, values)
        self._observer = observer
        self._pieces = {p.name: values[p.start : p.start + p.length] for p in engine.observation_layout()}

    def _of_seat(self, piece: str, seat: int) -> npt.NDArray[np.int8]:
        return self._pieces[piece].reshape(SEATS, -1)[(seat - self._observer) % SEATS]

    def lead_due(self) -> bool:
        return bool(self._pieces["table_status"][-1]) and not self._pieces["setup"].any()

    def standing(self) -> str | None:
        return _set_text(self._pieces["table_base"], self._pieces["table_cards"][1:])

    def laid(self, seat: int) -> str | None:
        last = self._of_seat("last_sets", seat)
        return _set_text(last[:-4], last[-4:])

    def victim(self, seat: int) -> int | None:
        relative = np.flatnonzero(self._of_seat("victims", seat))
        return int(relative[0] + self._observer) % SEATS if len(relative) else None


def _seat_picture(row: Row, public: _Public, seat: int) -> SeatPicture:
    counts = [int(engine.hand(row, seat, kind)) for kind in range(KIND_COUNT)]
    cards = int(engine.cards_held(row, seat))
    return SeatPicture(
        hand=format_hand(counts) if sum(counts) == cards else None,
        cards=cards,
        place=int(engine.place(row, seat)),
        passed=bool(engine.passed(row, seat)),
        laid=public.laid(seat),
        victim=public.victim(seat),
        duty=bool(engine.on_duty(row, seat)),
    )


def _set_text(base: npt.NDArray[np.int8], counts: npt.NDArray[np.int8]) -> str | None:
    """A set in notation, from its one-hot base and its base cards, hung 2s, small and big jokers."""
    if not base.any():
        return None
    naturals, twos, small, big = (int(count) for count in counts)
    return "b" * big + "s" * small + "2" * twos + KINDS[base.argmax()] * naturals


def _selected(row: Row) -> str | None:
    if not engine.composing(row):
        return None
    base = int(engine.selected_base(row))
    return f"{engine.selected_size(row)} x {KINDS[base] if base <= TWO else 'joker'}"


def _none_if_negative(seat: int) -> int | None:
    return int(seat) if seat >= 0 else None


def render_rgb(table: Table) -> npt.NDArray[np.uint8]:
    """The table as a picture, ``uint8[840, 1440, 3]``, RGB."""
    from gouji_env.picture import draw  # Pillow is loaded only by those who draw

    return draw(table)


COLUMN = 32  # three of them and the rim: 98 characters
_FAINT, _BOLD, _GOLD, _OFF = "\033[2m", "\033[1m", "\033[93m", "\033[0m"
_SIDES = ("\033[94m", "\033[91m")

Line = tuple[str, str]  # text and style


def render_ansi(table: Table, colour: bool = True) -> str:
    """The table as text, 100 columns wide, ending in a newline; without ``colour`` plain characters only."""
    around = table.around()
    far, near = (around[4], around[3], around[2]), (around[5], around[0], around[1])
    edge = "─" * (3 * COLUMN)
    lines = [
        [(table.title, _FAINT)],
        *_side_by_side([_seat_lines(table, seat) for seat in far], bottom=True),
        [("╭" + edge + "╮", _FAINT)],
        *_on_felt(_side_by_side([_laid_lines(table, seat) for seat in far])),
        *_on_felt([[("", "")], *_middle(table), [("", "")]]),
        *_on_felt(_side_by_side([_laid_lines(table, seat) for seat in near])),
        [("╰" + edge + "╯", _FAINT)],
        *_side_by_side([_seat_lines(table, seat) for seat in near]),
    ]
    return "".join("".join(_styled(cell, colour) for cell in line).rstrip() + "\n" for line in lines)


def _styled(cell: Line, colour: bool) -> str:
    text, style = cell
    return f"{style}{text}{_OFF}" if colour and style and text.strip() else text


def _side_by_side(blocks: list[list[Line]], bottom: bool = False) -> list[list[Line]]:
    """Three blocks of lines in columns, their first (or last) lines level."""
    blank: Line = ("", "")
    height = max(map(len, blocks))
    filled = [[blank] * (height - len(block)) + block if bottom else block for block in blocks]
    return [[(f" {text:<{COLUMN - 1}}", style) for text, style in row] for row in zip_longest(*filled, fillvalue=blank)]


def _on_felt(lines: list[list[Line]]) -> list[list[Line]]:
    rim: Line = ("│", _FAINT)
    width = 3 * COLUMN
    return [[rim, *line, (" " * (width - sum(len(text) for text, _ in line)), ""), rim] for line in lines]


def _seat_lines(table: Table, seat: int) -> list[Line]:
    state = table.seats[seat]
    here = table.turn == seat
    name = "you" if table.viewer == seat else f"seat {seat}"
    words = [f"{'▶' if here else ' '} {name}"]
    if state.place:
        words.append(ORDINALS[state.place - 1])
    else:
        words.append(f"{state.cards} card{'' if state.cards == 1 else 's'}")
        words.extend(["[10]"] if state.cards <= FEW_CARDS else [])
    lines = [("  ".join(words), _SIDES[side(seat)] + (_BOLD if here else ""))]
    if state.victim is not None:
        lines.append((f"  burned seat {state.victim}{', on burn duty' if state.duty else ''}", _GOLD))
    if state.cards and state.hand is None:
        lines.append(("  " + "░" * min(state.cards, COLUMN - 3), _FAINT))
    elif state.hand:
        groups = " ".join("".join(group) for _, group in groupby(state.hand))
        lines.extend((f"  {line}", "") for line in textwrap.wrap(groups, COLUMN - 3))
    return lines


def _laid_lines(table: Table, seat: int) -> list[Line]:
    state = table.seats[seat]
    said = [state.laid] if state.laid and table.owner != seat else []
    said += ["pass"] if state.passed else []
    return [("  ".join(said)[: COLUMN - 1], _FAINT)]


def _middle(table: Table) -> list[list[Line]]:
    """What lies in the middle of the table, each line centred."""
    lines: list[Line] = []
    if table.points is not None:
        lines.extend(
            (f"side {one}:  {value:+d}" if value else f"side {one}:  0", _SIDES[one] + _BOLD)
            for one, value in enumerate(table.points)
        )
    elif table.standing is not None and table.owner is not None:
        kind = "gouji set" if table.gouji else "set"
        lines.append((f"[ {table.standing} ]", _BOLD))
        lines.append((f"{kind} of seat {table.owner}", _SIDES[side(table.owner)]))
    else:
        lines.append((table.asks(), ""))
    if table.selected is not None:
        lines.append((f"seat {table.turn} composes {table.selected}", ""))
    if table.free_for_all and table.points is None:
        lines.append(("free-for-all", _GOLD))
    return [[(text.center(3 * COLUMN), style)] for text, style in lines]
