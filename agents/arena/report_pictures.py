"""The pictures of a tournament's report, as SVG to stand inside a page: text takes the page's colour.

Needs matplotlib, which nothing but the report imports.
"""

import io
import math
import re
import warnings
import zlib
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from agents.arena.ratings import Rating
from agents.arena.summary import Cross, Summary, played_rules

INK = "#010203"  # stands for the page's text colour in the finished SVG
ACCENT = "#3d85c6"
PLACES = ("#2166ac", "#67a9cf", "#d1e5f0", "#fddbc7", "#ef8a62", "#b2182b")
RULE_COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#4477cc", "#d55e00")
RULE_MARKERS = "osD^vP"
LONGEST_NAME = 28  # characters of a name in a picture; the tables have all of it


def heat_map(cross: Cross) -> str:
    """Points per deal of the rows against the columns, blue where the row wins and white at 0."""
    count = len(cross.names)
    size = 0.5 if count > 8 else 0.75 if count > 3 else 1.0  # inches
    longest = 0.08 * max(len(_short(name)) for name in cross.names)
    figure, axes = _figure(1.4 + longest + size * count, 0.4 + 0.7 * longest + size * count)
    most = max(1.0, float(np.nanmax(np.abs(cross.points))))
    edges = np.arange(count + 1) - 0.5
    cells = np.ma.masked_invalid(cross.points)
    picture = axes.pcolormesh(edges, edges, cells, cmap="RdBu", vmin=-most, vmax=most, edgecolors=INK, linewidth=0.2)
    axes.set_aspect("equal")
    axes.invert_yaxis()
    for i, j in zip(*np.nonzero(~np.isnan(cross.points)), strict=True):
        share = cross.points[i, j] / most
        ink = "white" if abs(share) > 0.62 else "black"
        text = f"{cross.points[i, j]:+.1f}" if count > 8 else _with_interval(cross, i, j)
        axes.text(j, i, text, ha="center", va="center", color=ink, fontsize=8)
    names = [_short(name) for name in cross.names]
    axes.set_xticks(range(count), names, rotation=40, ha="left", rotation_mode="anchor", parse_math=False)
    axes.set_yticks(range(count), names, parse_math=False)
    axes.tick_params(top=True, bottom=False, labeltop=True, labelbottom=False, length=0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(picture, ax=axes, shrink=0.8, fraction=0.05, pad=0.03)
    bar.set_label("points per deal of the row", color=INK)
    bar.ax.tick_params(colors=INK)
    bar.outline.set_edgecolor(INK)
    return _svg(figure)


def _with_interval(cross: Cross, i: int, j: int) -> str:
    text = f"{cross.points[i, j]:+.2f}"
    return text if math.isnan(cross.low[i, j]) else f"{text}\n±{(cross.high[i, j] - cross.low[i, j]) / 2:.2f}"


def ratings_picture(groups: Sequence[Sequence[Rating]], anchor: str | None) -> str:
    """Ratings with their intervals, best on top; lines part lineups that no played deals link."""
    ratings = [rating for group in groups for rating in group]
    figure, axes = _rows_of([rating.lineup for rating in ratings])
    at = np.arange(len(ratings))
    elo = np.array([rating.elo for rating in ratings])
    ends = np.array([(rating.low, rating.high) for rating in ratings])
    # Without an interval only the dot is drawn.
    low, high = (np.nan_to_num(ends[:, end], nan=elo) for end in (0, 1))
    axes.hlines(at, low, high, color=ACCENT, linewidth=5, alpha=0.45)
    axes.plot(elo, at, "o", color=ACCENT, markersize=6)
    for i, rating in enumerate(ratings):
        end = rating.elo if math.isnan(rating.high) else rating.high
        label = f"{rating.elo:+.0f}" if rating.lineup != anchor else "0"
        axes.annotate(label, (end, i), (7, 0), textcoords="offset points", va="center", color=INK, fontsize=9)
    for border in np.cumsum([len(group) for group in groups])[:-1]:
        axes.axhline(border - 0.5, color=INK, linestyle="--", linewidth=0.8)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.margins(x=0.08)
    zero = f"0 = {_short(anchor)}" if anchor else "0 = the mean"
    axes.set_xlabel(f"rating on the Elo scale ({zero}), with 95 % intervals", parse_math=False)
    return _svg(figure)


def points_picture(summary: Summary) -> str:
    """Mean points per deal over the opponents met, one mark a rule set."""
    names, rule_sets = summary.order, played_rules(summary.result)
    figure, axes = _rows_of(names, row=max(0.42, 0.11 * len(rule_sets)))
    offsets = np.linspace(-0.3, 0.3, len(rule_sets)) if len(rule_sets) > 1 else [0.0]
    for number, (rules, offset) in enumerate(zip(rule_sets, offsets, strict=True)):
        cross = summary.crosses[rules]
        at = np.arange(len(names)) + offset
        colour = RULE_COLOURS[number % len(RULE_COLOURS)]
        marker = RULE_MARKERS[number % len(RULE_MARKERS)]
        axes.hlines(at, cross.mean_low, cross.mean_high, color=colour, linewidth=2)
        axes.plot(cross.mean, at, marker, color=colour, markersize=5, label=_short(rules), linestyle="none")
    for border in range(1, len(names)):
        axes.axhline(border - 0.5, color=INK, linewidth=0.5, alpha=0.2)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("points per deal, mean over the opponents met, with 95 % intervals")
    _legend_beside(axes, "rule set")
    return _svg(figure)


def places_picture(names: Sequence[str], places: Sequence[Sequence[int]]) -> str:
    """How often the seats of each lineup took the places 1 to 6, as shares in one bar."""
    counts = np.array(places, np.float64)
    shares = 100 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    figure, axes = _rows_of(names)
    left = np.zeros(len(names))
    for place, colour in enumerate(PLACES):
        axes.barh(range(len(names)), shares[:, place], left=left, color=colour, height=0.72, label=str(place + 1))
        for i, share in enumerate(shares[:, place]):
            if share >= 5:
                ink = "white" if place in (0, 5) else "black"
                axes.text(left[i] + share / 2, i, f"{share:.0f}", ha="center", va="center", color=ink, fontsize=8)
        left += shares[:, place]
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the places that its seats took, in percent")
    _legend_beside(axes, "place")
    return _svg(figure)


def _rows_of(names: Sequence[str], row: float = 0.42) -> tuple[Figure, Axes]:
    """A picture with a row for each name, the first on top."""
    figure, axes = _figure(8.6, 1.1 + row * len(names))
    axes.set_yticks(range(len(names)), [_short(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 2.5, 5, 10]))
    axes.grid(axis="x", color=INK, alpha=0.2, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _legend_beside(axes: Axes, title: str) -> None:
    legend = axes.legend(title=title, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, labelcolor=INK)
    legend.get_title().set_color(INK)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    axes.tick_params(colors=INK)
    axes.xaxis.label.set_color(INK)
    axes.spines[:].set_edgecolor(INK)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _short(name: str) -> str:
    keep = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[: keep - 1]}…{name[-keep:]}"


def _svg(figure: Figure) -> str:
    """The ``<svg>`` element, the same bytes for the same figure. Names of its parts are unique in a page."""
    nothing: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    file = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "gouji"}), warnings.catch_warnings():
        # The page's own font draws the text, in any script; matplotlib only measures it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        figure.savefig(file, format="svg", metadata=nothing, bbox_inches="tight")
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"', "", svg).replace("xlink:href", "href")
    mark = f"p{zlib.crc32(svg.encode()):08x}-"
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{mark}", svg)
