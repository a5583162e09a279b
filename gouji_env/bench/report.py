"""Run the benchmark, print it as tables, write it as JSON."""

import json
import os
import platform
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gouji_env.bench import core
from gouji_env.bench.measure import Result, Row, measure
from gouji_env.bench.peers import Peer, peers

ENTRY_POINTS = "gouji.bench"
PEER_ENTRY_POINTS = "gouji.bench.peers"
REACHED = {True: "yes", False: "no", None: ""}


@dataclass(frozen=True)
class Comparison:
    """A peer's figure beside ours."""

    result: Result
    peer: Peer
    ours: Result

    @property
    def ratio(self) -> float | None:
        """How many times faster ours was, the median of the repeats' ratios; None where either figure is missing."""
        if self.ours.skipped or self.result.skipped:
            return None
        repeats = zip(self.ours.values, self.result.values, strict=True)
        return statistics.median(ours / theirs for ours, theirs in repeats)

    @property
    def reached(self) -> bool | None:
        """Whether the ratio is what it is to be; None where there is none, or nothing that it is to be."""
        return None if self.ratio is None or self.peer.least is None else self.ratio >= self.peer.least


def run(seconds: float, vs_peers: bool, json_file: IO[str] | None, console: Console) -> None:
    """Measure all rows, ``seconds`` a repeat; print them with their targets; write them as JSON if a file is given.

    Each row takes turns with the peers that it is set against.
    """
    _warn_of_other_work(console)
    against = list(all_peers()) if vs_peers else []
    results, comparisons = [], []
    for row in all_rows():
        rivals = [peer for peer in against if peer.ours == row.name]
        with console.status(" / ".join([row.name, *(peer.row.name for peer in rivals)])):
            ours, *theirs = measure([row, *(peer.row for peer in rivals)], seconds)
        results.append(ours)
        comparisons += [Comparison(result, peer, ours) for result, peer in zip(theirs, rivals, strict=True)]
    console.print(result_table(results))
    if vs_peers:
        console.print(peer_table(comparisons))
    if json_file:
        json_file.write(json.dumps(as_json(results, comparisons), indent=2) + "\n")


def all_rows() -> Iterator[Row]:
    """The core's rows, then those that other packages add through the entry points ``gouji.bench``."""
    yield from core.rows()
    for entry in entry_points(group=ENTRY_POINTS):
        yield from entry.load()()


def all_peers() -> Iterator[Peer]:
    """The peers of the core's rows, then those that other packages add through ``gouji.bench.peers``."""
    yield from peers()
    for entry in entry_points(group=PEER_ENTRY_POINTS):
        yield from entry.load()()


def result_table(results: Sequence[Result]) -> Table:
    """Our rows: median and best of the repeats, target, reached or not; rows that cannot run say why."""
    table = _table(f"Speed of {_processor()}", "what", "measured", "best", "target", "reached")
    for result in results:
        row = result.row
        target = "" if row.target is None else number(row.target)
        if result.skipped:
            table.add_row(escape(f"{row.name}: {result.skipped}"), "skipped", "", target)
        else:
            measured = f"{number(result.value)} {row.unit}"
            table.add_row(row.name, measured, number(result.best), target, REACHED[result.reached])
    return table


def peer_table(comparisons: Sequence[Comparison]) -> Table:
    """The peers' rows with our multiple of each."""
    headings = ("peer", "measured", "ours / peer", "target", "reached", "ours")
    table = _table("Peers on the same machine in the same run", *headings)
    for comparison in comparisons:
        peer, result = comparison.peer, comparison.result
        least = "" if peer.least is None else f"{number(peer.least)} x"
        if result.skipped:
            table.add_row(escape(f"{peer.row.name}: {result.skipped}"), "skipped", "", least)
        else:
            measured = f"{number(result.value)} {peer.row.unit}"
            ratio = "" if comparison.ratio is None else f"{number(comparison.ratio)} x"
            table.add_row(peer.row.name, measured, ratio, least, REACHED[comparison.reached], peer.ours)
    return table


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, box=box.SIMPLE, pad_edge=False)
    for heading in headings:
        words = heading in ("what", "peer", "ours")
        table.add_column(heading, overflow="fold", justify="left" if words else "right", no_wrap=not words)
    return table


def number(value: float) -> str:
    """Three significant digits, thousands apart."""
    return f"{float(f'{value:.3g}'):,.10g}"


def as_json(results: Sequence[Result], comparisons: Sequence[Comparison]) -> dict[str, object]:
    """Machine, rows and peers as plain values."""
    return {
        "machine": {"processor": _processor(), "cores": os.cpu_count(), "python": platform.python_version()},
        "rows": [_plain(result) | {"target": result.row.target, "reached": result.reached} for result in results],
        "peers": [
            _plain(c.result) | {"against": c.peer.ours, "ratio": c.ratio, "target": c.peer.least, "reached": c.reached}
            for c in comparisons
        ],
    }


def _plain(result: Result) -> dict[str, object]:
    shown: dict[str, object] = {"name": result.row.name, "unit": result.row.unit}
    if result.skipped:
        return shown | {"skipped": result.skipped}
    return shown | {"median": result.value, "best": result.best, "repeats": result.values}


def _warn_of_other_work(console: Console) -> None:
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > cores / 2:
        console.print(f"Other work is running here (load {load:.1f} on {cores} cores): the figures will be too low.")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
