"""One row of the benchmark, and how it is timed."""

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
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
    """A row's figure in each of the repeats, in the order of time; or why there is none."""

    row: Row
    values: tuple[float, ...] = ()
    skipped: str = ""

    @property
    def value(self) -> float:
        """The median of the repeats."""
        return statistics.median(self.values)

    @property
    def best(self) -> float:
        """The best of the repeats: what other work on the machine has disturbed least."""
        return max(self.values) if self.row.is_rate else min(self.values)

    @property
    def reached(self) -> bool | None:
        """Whether the target was met; None without a target or a figure."""
        if self.skipped or self.row.target is None:
            return None
        return self.value >= self.row.target if self.row.is_rate else self.value <= self.row.target


def measure(rows: Sequence[Row], seconds: float, repeats: int = 5) -> list[Result]:
    """Time each row ``repeats`` times, each for about ``seconds`` of wall time.

    The rows take turns, so that a slow moment of the machine falls on all of them and their ratios stay true.
    """
    with ExitStack() as stack:
        chunks = [_prepared(row, stack) for row in rows]
        values: list[list[float]] = [[] for _ in rows]
        for _ in range(repeats):
            for row, chunk, found in zip(rows, chunks, values, strict=True):
                if not isinstance(chunk, Skipped):
                    found.append(_figure(row, chunk, seconds))
    return [
        Result(row, tuple(found), str(chunk) if isinstance(chunk, Skipped) else "")
        for row, chunk, found in zip(rows, chunks, values, strict=True)
    ]


def _prepared(row: Row, stack: ExitStack) -> Chunk | Skipped:
    try:
        return stack.enter_context(row.prepare())
    except Skipped as reason:
        return reason


def _figure(row: Row, chunk: Chunk, seconds: float) -> float:
    units = 0
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds or not units:
        units += chunk()
    return units / passed if row.is_rate else 1e6 * passed / units
