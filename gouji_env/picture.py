"""The table as a picture: six seats around an oval table, drawn with Pillow from a ``render.Table``.

Lengths are pixels of the finished picture; everything is drawn SCALE times as large and scaled down, which
smooths the edges. Places on the table are given by *spot*, counter-clockwise from the bottom.
"""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from gouji_env.cards import side
from gouji_env.render import FEW_CARDS, ORDINALS, SeatPicture, Table

WIDTH, HEIGHT, SCALE = 1440, 840, 2

Colour = tuple[int, ...]
Point = tuple[float, float]

ROOM, FELT, FELT_LIGHT, WOOD, RIM = (27, 31, 38), (21, 94, 66), (32, 124, 88), (92, 58, 34), (58, 36, 22)
PAPER, EDGE, BACK, BACK_LINE = (250, 248, 241), (70, 74, 84), (46, 74, 122), (112, 142, 190)
INK, RED, FIRE, GOLD = (32, 34, 40), (196, 40, 46), (244, 128, 42), (250, 200, 80)
PLATE, TEXT, FAINT, CHALK, SHADE = (38, 43, 52), (238, 240, 243), (150, 158, 170), (214, 232, 222), (0, 0, 0, 90)
SIDES = ((88, 166, 240), (240, 112, 96))
MEDALS = (GOLD, (214, 220, 228), (214, 152, 100), (160, 170, 182), (140, 149, 161), (122, 130, 142))

CENTRE, RADII = (720.0, 420.0), (640.0, 262.0)
PLATES: tuple[Point, ...] = ((720, 700), (1180, 640), (1180, 200), (720, 140), (260, 200), (260, 640))
HANDS: tuple[Point, ...] = ((720, 772), (1180, 712), (1180, 128), (720, 68), (260, 128), (260, 712))
LAID: tuple[Point, ...] = ((720, 592), (1020, 540), (1020, 300), (720, 248), (420, 300), (420, 540))
PLATE_SIZE, CARD_SIZE = (236.0, 42.0), (40.0, 58.0)
HAND_ROOM, LAID_ROOM, TABLE_ROOM = 490.0, 200.0, 480.0
LAID_SCALE, TABLE_SCALE = 0.75, 1.35
HIDDEN_CARD = "?"


class Canvas:
    """An image that is drawn on in pixels of the finished picture."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), ROOM)
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def box(
        self,
        middle: Point,
        size: Point,
        fill: Colour | None,
        line: Colour | None = None,
        radius: float = 6,
        width: float = 1,
    ) -> None:
        self._draw.rounded_rectangle(
            _corners(middle, (size[0] / 2, size[1] / 2)), radius * SCALE, fill, line, round(width * SCALE)
        )

    def oval(
        self, middle: Point, radii: Point, fill: Colour | None, line: Colour | None = None, width: float = 1
    ) -> None:
        self._draw.ellipse(_corners(middle, radii), fill, line, round(width * SCALE))

    def shape(self, points: list[Point], fill: Colour) -> None:
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill)

    def line(self, points: list[Point], fill: Colour, width: float) -> None:
        self._draw.line([(x * SCALE, y * SCALE) for x, y in points], fill, round(width * SCALE), joint="curve")

    def text(self, at: Point, text: str, size: float, fill: Colour, anchor: str = "mm", bold: bool = False) -> None:
        place = (at[0] * SCALE, at[1] * SCALE)
        self._draw.text(place, text, fill, _font(size), anchor, stroke_width=SCALE // 2 if bold else 0)

    def finished(self) -> npt.NDArray[np.uint8]:
        return np.array(self._image.resize((WIDTH, HEIGHT), Image.Resampling.BOX), np.uint8)


def _corners(middle: Point, half: Point) -> tuple[float, float, float, float]:
    (x, y), (dx, dy) = middle, half
    return SCALE * (x - dx), SCALE * (y - dy), SCALE * (x + dx), SCALE * (y + dy)


@cache
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size * SCALE)


def draw(table: Table) -> npt.NDArray[np.uint8]:
    """The picture of a table, ``uint8[HEIGHT, WIDTH, 3]``, RGB."""
    canvas = Canvas()
    _furniture(canvas, table.title)
    spots = {seat: spot for spot, seat in enumerate(table.around())}
    for seat, state in enumerate(table.seats):
        if state.victim is not None:
            _burn(canvas, PLATES[spots[seat]], PLATES[spots[state.victim]])
    for seat, spot in spots.items():
        _plate(canvas, table, seat, PLATES[spot])
        _hand(canvas, table.seats[seat], HANDS[spot])
        _laid(canvas, table.seats[seat], LAID[spot], standing=table.owner == seat)
    _middle(canvas, table)
    return canvas.finished()


def _furniture(canvas: Canvas, title: str) -> None:
    (x, y), (rx, ry) = CENTRE, RADII
    canvas.oval((x, y + 10), (rx + 22, ry + 22), SHADE)
    canvas.oval(CENTRE, (rx + 18, ry + 18), WOOD)
    canvas.oval(CENTRE, (rx + 4, ry + 4), RIM)
    rings = 24
    for ring in range(rings):
        part = ring / rings
        tint = tuple(round(dark + (light - dark) * part) for dark, light in zip(FELT, FELT_LIGHT, strict=True))
        canvas.oval(CENTRE, (rx * (1 - part), ry * (1 - part)), tint)
    canvas.oval(CENTRE, (rx - 14, ry - 14), None, (255, 255, 255, 28), 1.5)
    canvas.text((22, 26), title, 16, FAINT, "lm")


def _plate(canvas: Canvas, table: Table, seat: int, at: Point) -> None:
    """The name plate: side, seat, and how it stands; golden where the decision is."""
    (x, y), (width, height) = at, PLATE_SIZE
    state, here, colour = table.seats[seat], table.turn == seat, SIDES[side(seat)]
    if here:
        for glow in (12, 9, 6, 3):
            canvas.box(at, (width + 2 * glow, height + 2 * glow), (*GOLD, 30), radius=12 + glow)
    canvas.box((x, y + 2), PLATE_SIZE, SHADE, radius=12)
    canvas.box(at, PLATE_SIZE, PLATE, GOLD if here else colour, radius=12, width=2.5 if here else 1.5)
    canvas.oval((x - 96, y), (13, 13), colour)
    canvas.text((x - 96, y), str(seat), 16, INK, bold=True)
    canvas.text((x - 76, y), "you" if table.viewer == seat else f"seat {seat}", 17, TEXT, "lm")
    _standing(canvas, state, at)
    if state.victim is not None:
        _flame(canvas, (x + width / 2 - 4, y - height / 2 - 2), 15)
    if state.duty:
        canvas.box((x + 52, y - height / 2 - 9), (86, 20), FIRE, radius=10)
        canvas.text((x + 52, y - height / 2 - 9), "burn duty", 14, INK)


def _standing(canvas: Canvas, state: SeatPicture, plate: Point) -> None:
    x, y = plate
    if state.place:
        canvas.box((x + 82, y), (56, 26), MEDALS[state.place - 1], radius=13)
        canvas.text((x + 82, y), ORDINALS[state.place - 1], 16, INK, bold=True)
        return
    few = state.cards <= FEW_CARDS
    words = f"{state.cards} card{'' if state.cards == 1 else 's'}"
    canvas.text((x + (70 if few else 106), y), words, 16, FAINT, "rm")
    if few:
        canvas.oval((x + 94, y), (15, 15), GOLD)
        canvas.text((x + 94, y), str(FEW_CARDS), 15, INK, bold=True)


def _hand(canvas: Canvas, state: SeatPicture, at: Point) -> None:
    cards = HIDDEN_CARD * state.cards if state.hand is None else state.hand
    _fan(canvas, at, cards, 1, HAND_ROOM)


def _laid(canvas: Canvas, state: SeatPicture, at: Point, standing: bool) -> None:
    """The seat's last set, unless it is the table set, and its pass."""
    x, y = at
    if state.laid and not standing:
        _fan(canvas, at, state.laid, LAID_SCALE, LAID_ROOM, veil=True)
        y += 36
    if state.passed:
        canvas.box((x, y), (66, 26), (12, 40, 30, 220), radius=13)
        canvas.text((x, y), "pass", 15, CHALK)


def _fan(canvas: Canvas, middle: Point, cards: str, scale: float, room: float, veil: bool = False) -> None:
    """Cards side by side; equal ones lie closer, and all overlap as far as needed to fit into ``room``."""
    width = CARD_SIZE[0] * scale
    gaps = [0.85 if card == before else 1.25 for before, card in pairwise(cards)]
    step = min(21 * scale, (room - width) / max(1.0, sum(gaps)))
    x = middle[0] - sum(gaps) * step / 2
    for card, gap in zip(cards, [*gaps, math.inf], strict=bool(cards)):
        _card(canvas, (x, middle[1]), card, scale, min(width, gap * step))
        if veil:
            canvas.box((x, middle[1]), (width, CARD_SIZE[1] * scale), (*FELT, 90), radius=5 * scale)
        x += gap * step


def _card(canvas: Canvas, middle: Point, card: str, scale: float, seen: float) -> None:
    """One card, of which ``seen`` pixels from the left stay uncovered: only what fits there is drawn."""
    (x, y), (width, height) = middle, (CARD_SIZE[0] * scale, CARD_SIZE[1] * scale)
    left, top = x - width / 2, y - height / 2
    if card == HIDDEN_CARD:
        canvas.box(middle, (width, height), BACK, EDGE, radius=5 * scale, width=0.75)
        canvas.box(middle, (width - 8 * scale, height - 8 * scale), None, BACK_LINE, radius=3 * scale)
        return
    canvas.box(middle, (width, height), PAPER, EDGE, radius=5 * scale, width=0.75)
    if card in "sb":
        ink = RED if card == "b" else INK
        for line, letter in enumerate("JOKER"):
            canvas.text((left + 6 * scale, top + (9 + 10 * line) * scale), letter, 9.5 * scale, ink, bold=True)
        if seen >= width:
            _star(canvas, (x + 5 * scale, y), 13 * scale, ink)
        return
    label, size = ("10", 9.0) if card == "T" else (card, 14.0)
    canvas.text((left + 7 * scale, top + 11 * scale), label, size * scale, INK, bold=True)
    if seen >= width:
        canvas.text((x + 4 * scale, y + 8 * scale), label, 25 * scale, INK)


def _star(canvas: Canvas, middle: Point, radius: float, fill: Colour) -> None:
    points = []
    for corner in range(10):
        reach, angle = radius * (0.42 if corner % 2 else 1), math.pi * (corner / 5 - 0.5)
        points.append((middle[0] + reach * math.cos(angle), middle[1] + reach * math.sin(angle)))
    canvas.shape(points, fill)


_FLAME = ((0, -1.3), (0.45, -0.35), (0.75, -0.55), (0.8, 0.3), (0.4, 0.9), (-0.4, 0.9), (-0.8, 0.3), (-0.5, -0.4))


def _flame(canvas: Canvas, middle: Point, size: float) -> None:
    x, y = middle
    for part, colour in ((1.0, FIRE), (0.55, GOLD)):
        low = size * (1 - part) * 0.5
        canvas.shape([(x + dx * size * part, y + low + dy * size * part) for dx, dy in _FLAME], colour)


def _burn(canvas: Canvas, burner: Point, victim: Point) -> None:
    """An arrow of fire over the felt from the plate of the burner to his victim's."""
    start, end = (_between(plate, CENTRE, 0.16) for plate in (burner, victim))
    bend = _between(_between(start, end, 0.5), CENTRE, 0.35)
    curve = [_between(_between(start, bend, t / 40), _between(bend, end, t / 40), t / 40) for t in range(41)]
    canvas.line(curve[:-2], (*FIRE, 230), 5)
    back = math.atan2(curve[-4][1] - end[1], curve[-4][0] - end[0])
    canvas.shape(
        [end, *((end[0] + 20 * math.cos(back + a), end[1] + 20 * math.sin(back + a)) for a in (-0.45, 0.45))], FIRE
    )


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _middle(canvas: Canvas, table: Table) -> None:
    """The table set with its owner, a lead that is due, or the points."""
    x, y = CENTRE
    if table.points is not None:
        _points(canvas, table.points)
    elif table.standing is not None and table.owner is not None:
        colour = SIDES[side(table.owner)]
        _fan(canvas, (x, y - 12), table.standing, TABLE_SCALE, TABLE_ROOM)
        canvas.box((x, y + 54), (150, 28), PLATE, colour, radius=14, width=1.5)
        canvas.text((x, y + 54), f"seat {table.owner}{', gouji' if table.gouji else ''}", 16, colour)
    else:
        canvas.text((x, y), table.asks(), 22, CHALK)
    if table.free_for_all and table.points is None:
        canvas.text((x, y - 84), "FREE-FOR-ALL", 17, GOLD, bold=True)
    if table.selected is not None:
        canvas.text((x, y + 92), f"seat {table.turn} composes {table.selected}", 16, CHALK)


def _points(canvas: Canvas, points: tuple[int, int]) -> None:
    x, y = CENTRE
    for one, value in enumerate(points):
        middle = x + (180 * one - 90)
        canvas.box((middle, y), (160, 84), PLATE, SIDES[one], radius=16, width=2)
        canvas.text((middle, y - 22), "seats 0 2 4" if one == 0 else "seats 1 3 5", 15, SIDES[one])
        canvas.text((middle, y + 14), f"{value:+d}" if value else "0", 32, TEXT, bold=True)
