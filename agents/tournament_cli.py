"""The command ``gouji tournament``."""

import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from agents.arena.report import ReportError, check_installed, cross_table, write_report
from agents.arena.results import PairResult, TournamentResult
from agents.arena.schedule import Chunk, Plan, load, plan
from agents.arena.store import Store
from agents.arena.tournament import checked_workers, play_missing, result_of
from agents.protocol import AgentError
from gouji_env.cli_errors import INTERRUPTED, clear_errors
from gouji_env.config import ConfigError
from gouji_env.files import written_aside
from gouji_env.rules import RuleError


def tournament(
    config: Annotated[Path, typer.Argument(help="A YAML file such as configs/tournament/baselines.yaml.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the tournament; runs/tournament/NAME without it.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that play; without it one a core.")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write every deal to a file for `gouji replay`.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="A.B=C", help="Change one field of the config; may be repeated."),
    ] = None,
) -> None:
    """Let agents play each other on shared duplicate deals. Run it again to go on, or after adding agents or rules."""
    with clear_errors(ConfigError, AgentError, RuleError, ReportError, OSError):
        check_installed()
        check_installed()
        overrides = set_ or []
        run = load(config, overrides)
        folder = out or Path("runs/tournament") / run.name
        processes = checked_workers(workers)
        work = plan(run)
        # The file is opened first, so that one that cannot be written is told of before hours of play.
        with _opened(record) as file:
            store = Store(folder, work, records=file is not None)
            _play(work, store, processes, file is not None)
            result = result_of(work, store)
            command = ["gouji", "tournament", str(config), *(word for each in overrides for word in ("--set", each))]
            write_report(result, folder, command=shlex.join(command), anchor=run.anchor)
            if file:
                _join_records(work, store, file)
        _show(result, folder, record)


def _opened(path: Path | None) -> AbstractContextManager[IO[str] | None]:
    return written_aside(path) if path else nullcontext()


def _play(work: Plan, store: Store, workers: int, records: bool) -> None:
    watcher = _Progress(work, store.path)
    try:
        with watcher.bar:
            play_missing(work, store, workers, watcher, records)
    except KeyboardInterrupt:
        typer.echo(f"interrupted; {store.path} keeps what was played, and the same command goes on", err=True)
        raise typer.Exit(INTERRUPTED) from None


class _Progress:
    """Tells on stderr how the tournament goes: a bar on a terminal, and a line for each pair that is done."""

    def __init__(self, work: Plan, folder: Path) -> None:
        columns = (TextColumn("deals"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
        console = Console(stderr=True)
        self.bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._work, self._folder = work, folder
        self._task = self.bar.add_task("", total=None)
        self._meetings = self._finished = 0

    def begins(self, meetings: int, chunks: Sequence[Chunk]) -> None:
        self._meetings = meetings
        deals = sum(chunk.deals for chunk in chunks)
        self.bar.reset(self._task, total=deals)
        there = len(self._work.chunks) - meetings
        known = f"; {there} more are in {self._folder} already" if there else f" into {self._folder}"
        self._say(f"playing {meetings} pairs, {deals:,} deals twice each{known}")

    def played(self, chunk: Chunk) -> None:
        self.bar.advance(self._task, chunk.deals)

    def finished(self, pair: PairResult) -> None:
        self._finished += 1
        forfeits = f", forfeits {pair.forfeits[0]}:{pair.forfeits[1]}" if any(pair.forfeits) else ""
        self._say(
            f"{self._finished}/{self._meetings} {pair.rules}: {pair.a} {pair.points_per_deal:+.2f} a deal "
            f"against {pair.b}{forfeits}"
        )

    def _say(self, line: str) -> None:
        self.bar.console.print(escape(line), highlight=False, soft_wrap=True)


class _Rate(ProgressColumn):
    """Deals a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="progress.data.speed")


def _join_records(work: Plan, store: Store, file: IO[str]) -> None:
    """All records in the order of the plan, whenever and wherever they were played."""
    for chunks in work.chunks.values():
        for chunk in chunks:
            file.write(store.records_file(chunk).read_text(encoding="utf-8"))


def _show(result: TournamentResult, folder: Path, record: Path | None) -> None:
    console = Console()
    console.print(cross_table(result))
    for pair in result.pairs:
        for note in pair.notes:
            console.print(f"{pair.rules}, {pair.a} against {pair.b}: {note}", markup=False, highlight=False)
    console.print(f"report: {folder / 'report.html'}", f"results: {folder}", sep="\n", highlight=False, soft_wrap=True)
    if record:
        console.print(f"records: {record}", highlight=False, soft_wrap=True)
