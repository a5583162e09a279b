"""The command ``gouji replay``: look at recorded deals, or verify a file of them."""

import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from gouji_env.cli_errors import clear_errors
from gouji_env.files import written_aside
from gouji_env.record import DealRecord, RecordError

DOES_NOT_HOLD = 1
DEALS_PER_UPDATE = 200


def replay(
    file: Annotated[Path, typer.Argument(help="A file of records: of `gouji evaluate --record`, or an environment's.")],
    deal: Annotated[
        list[int] | None, typer.Option(min=1, metavar="N", help="Only the deal in line N; may be repeated.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=5, help="What this seat may know, not all hands.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Print every step at once.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to look at in a browser.")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Only check that every deal of the file holds.")] = False,
) -> None:
    """Look at recorded deals step by step, in the terminal or as a page; or verify them."""
    with clear_errors(RecordError, OSError):
        if verify and (deal or seat is not None or all_ or html):
            raise RecordError("--verify checks the whole file and shows nothing: give it no other option")
        if html and all_:
            raise RecordError("--all prints in the terminal, --html writes a page: give one of them")
        if verify:
            _verify(file)
        elif html:
            _write_page(file, deal, seat, html)
        else:
            _show(file, deal, seat, all_)


def _verify(path: Path) -> None:
    from gouji_env.replay import verify  # compiles the core

    size = path.stat().st_size if path.is_file() else None
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=size)

        def tell(deals: int, done: int) -> None:
            if deals % DEALS_PER_UPDATE == 0:
                bar.update(task, completed=done, description=f"{deals:,} deals")

        try:
            deals = verify(path, tell)
        except RecordError as error:
            typer.echo(f"error: {' '.join(str(error).split())}", err=True)
            raise typer.Exit(DOES_NOT_HOLD) from None
    typer.echo(f"{path}: all {deals:,} deals hold")


def _write_page(path: Path, lines: list[int] | None, seat: int | None, out: Path) -> None:
    from gouji_env.replay_page import PAGE_DEALS, replay_page

    if lines and len(set(lines)) > PAGE_DEALS:
        raise RecordError(f"--deal: {len(set(lines))} deals are too many; a page takes {PAGE_DEALS}")
    records = list(islice(_picked(path, lines), PAGE_DEALS + 1))
    with written_aside(out) as file:
        file.write(replay_page(records[:PAGE_DEALS], path.name, seat))
    if len(records) > PAGE_DEALS:
        typer.echo(f"{out} holds the first {PAGE_DEALS} deals; --deal N chooses others", err=True)
    else:
        typer.echo(f"written: {out}")


def _show(path: Path, lines: list[int] | None, seat: int | None, whole: bool) -> None:
    from gouji_env.replay_text import Pages, step_through

    terminal = sys.stdout.isatty()
    for line, record in _picked(path, lines):
        pages = Pages(record, seat, f"{path.name}:{line}", colour=terminal)
        if whole:
            for number in range(len(pages)):
                typer.echo(pages.text(number))
        elif not step_through(pages, _show_page, input):
            return


def _show_page(text: str) -> None:
    Console().clear()  # does nothing where the output is no terminal
    typer.echo(text)


def _picked(path: Path, lines: list[int] | None) -> Iterator[tuple[int, DealRecord]]:
    """(line, record), those of some lines or all."""
    from gouji_env.replay import read_records

    nothing = True
    for numbered in zip(sorted(set(lines)) if lines else count(1), read_records(path, lines), strict=False):
        nothing = False
        yield numbered
    if nothing:
        raise RecordError(f"{path} holds no record")
