"""One row of the benchmark, and how it is timed."""

import statistics
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

Chunk = Callable[[], int]


class Skipped(Exception):
    """A row that cannot run here; the message says what is missing and how to get it."""


@dataclass(frozen=True)
class Row:
    """What is measured.

    ``prepare()`` is a context around the measuring: it builds and warms up everything and gives a function that does
    one chunk of work, about a second long at most, and returns how many units it did. It raises Skipped where
    something is missing.
    ``unit`` ends in ``/s`` for a rate (the target is the least) or is ``us`` for microseconds each (the most).
    """

    name: str
    unit: str
    prepare: Callable[[], AbstractContextManager[Chunk]]
    target: float | None = None

    @property
    def is_rate(self) -> bool:
        return self.unit.endswith("/s")


@dataclass(frozen=True)
class Result:
    """A row's median over the repeats, with the worst and the best of them; or why there is none."""

    row: Row
    value: float = 0.0
    worst: float = 0.0
    best: float = 0.0
    skipped: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the target was met; None without a target or a figure."""
        if self.skipped or self.row.target is None:
            return None
        return self.value >= self.row.target if self.row.is_rate else self.value <= self.row.target


def measure(row: Row, seconds: float, repeats: int = 5) -> Result:
    """Time a row ``repeats`` times, each for about ``seconds`` of wall time."""
    try:
        with row.prepare() as chunk:
            rates = sorted(_rate(chunk, seconds) for _ in range(repeats))
    except Skipped as reason:
        return Result(row, skipped=str(reason))
    values = [rate if row.is_rate else 1e6 / rate for rate in rates]
    return Result(row, statistics.median(values), worst=values[0], best=values[-1])


def _rate(chunk: Chunk, seconds: float) -> float:
    units = 0
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds or not units:
        units += chunk()
    return units / passed
