"""The commands of the agents: ``gouji evaluate``."""

import json as json_format
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents import Agent, AgentError, make
from agents.arena import DuelError, DuelResult, duel
from agents.arena.recording import RecordSink
from gouji_env.cli_errors import clear_errors
from gouji_env.files import written_aside
from gouji_env.record import record_line
from gouji_env.rules import RuleError, RuleSet


def register(app: typer.Typer) -> None:
    """Add this package's commands to the one command ``gouji``."""
    app.command("evaluate")(evaluate)


def evaluate(
    a: Annotated[str, typer.Argument(metavar="A", help="An agent: random, greedy or checkpoint:DIR.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The agent that A is measured against.")],
    deals: Annotated[int, typer.Option(help="Deals; each is played twice, sides swapped.")] = 1000,
    rules: Annotated[str, typer.Option(help="A rule preset or a YAML file.")] = "classic",
    seed: Annotated[int, typer.Option(help="The same seed gives the same deals and the same result.")] = 0,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result to a JSON file.")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write every deal to a file for `gouji replay`.")
    ] = None,
) -> None:
    """Measure agent A against agent B in duplicate deals: same cards, sides swapped."""
    with clear_errors(AgentError, DuelError, RuleError, OSError):
        agents, rule_set = (make(a), make(b)), RuleSet.load(rules)
        if json and record and json.absolute() == record.absolute():
            raise DuelError(f"--json and --record both name {json}; name two files")
        # The files are opened first, so that one that cannot be written is told of before hours of play.
        with _opened(json) as file, _opened(record) as records:
            sink = (lambda deal: records.write(record_line(deal))) if records else None
            result = _play(*agents, rule_set, deals, seed, sink)
            Console().print(result_table(result))
            if file:
                file.write(json_format.dumps(result.summary(), indent=2) + "\n")


def _opened(path: Path | None) -> AbstractContextManager[IO[str] | None]:
    return written_aside(path) if path else nullcontext()


def _play(a: Agent, b: Agent, rules: RuleSet, deals: int, seed: int, record: RecordSink | None) -> DuelResult:
    columns = (TextColumn("deals"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=deals)
        return duel(a, b, rules, deals, seed, lambda done: bar.update(task, completed=done), record=record)


def result_table(result: DuelResult) -> Table:
    """The result for people, from the side of agent A."""
    table = Table(title=f"{result.a} against {result.b}, {result.rules.name()}, seed {result.seed}", show_header=False)
    low, high = result.interval
    half = 100 / (2 * result.deals)
    table.add_row("deals", f"{result.deals:,}, each played twice with sides swapped")
    table.add_row("points per deal", f"{result.points_per_deal:+.2f}")
    table.add_row("95 % interval", f"{low:+.2f} .. {high:+.2f}" if result.deals > 1 else "none: a single deal")
    for name, count in (("won", result.wins), ("drawn", result.draws), ("lost", result.losses)):
        table.add_row(name, f"{count:,} ({count * half:.1f} %)")
    table.add_row("decisions", f"{result.decisions:,} ({result.decisions / result.seconds:,.0f} per second)")
    return table
