"""``gouji evaluate`` and ``gouji deal-sets``."""

import json as json_format
import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents import Agent, AgentError, make
from agents.arena.dealsets import FAMILIES, DealSet, DealSetError, deal_set, known
from agents.arena.duel import DuelError, DuelResult, RunningDuel
from agents.arena.recording import RecordSink
from agents.arena.sequential import ALPHA, BETA, SequentialTest, SequentialTestError, Verdict, until_decided
from agents.arena.statistics import deal_deviation, deals_needed
from gouji_env.cli_errors import clear_errors
from gouji_env.files import written_aside
from gouji_env.record import record_line
from gouji_env.rules import RuleError, RuleSet

DEALS, MOST_DEALS = 1000, 100_000
MARGIN = 0.2
EXIT_STATUS = {"better": 0, "not better": 1, "undecided": 3}  # 2 is what every command gives for a mistake
HALF_WIDTHS = (0.5, 0.2, 0.1)  # points
STOPPED = ", exaggerated by stopping early"


def evaluate(
    a: Annotated[str, typer.Argument(metavar="A", help="An agent, such as greedy, checkpoint:DIR or cmd:PROGRAM.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The agent that A is measured against.")],
    deals: Annotated[
        int | None,
        typer.Option(help=f"Deals, each played twice; {DEALS:,}, and with --until-decided at most {MOST_DEALS:,}."),
    ] = None,
    rules: Annotated[str, typer.Option(help="A rule preset or a YAML file.")] = "classic",
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same deals and the same result; 0 without it.")
    ] = None,
    deal_set: Annotated[
        str | None, typer.Option(metavar="NAME", help="Named deals instead of a seed: see `gouji deal-sets`.")
    ] = None,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="Test whether A is better, and stop when that is known. Exit status: 0 better, 1 not, 3 undecided.",
        ),
    ] = False,
    margin: Annotated[
        float | None, typer.Option(help=f"Points per deal that count as better, {MARGIN} without it.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help=f"How often A may be called better with a true mean of 0; {ALPHA}.")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(help=f"How often A may be called not better at the margin; {BETA}.")
    ] = None,
    deadline: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time for a decision; without it what the agent grants itself."),
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result to a JSON file.")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write every deal to a file for `gouji replay`.")
    ] = None,
) -> None:
    """Measure agent A against agent B in duplicate deals: same cards, sides swapped.

    An agent that fails, breaks the deadline or the rules forfeits 12 points and is told of below the table.
    """
    expected = (AgentError, DuelError, DealSetError, SequentialTestError, RuleError, OSError)
    with clear_errors(*expected), ExitStack() as stack:
        test = _test(until_decided, margin, alpha, beta)
        drawn = _deals(deal_set, seed, deals, MOST_DEALS if test else DEALS)
        rule_set = RuleSet.load(rules)
        if json and record and json.absolute() == record.absolute():
            raise DuelError(f"--json and --record both name {json}; name two files")
        one, other = (stack.enter_context(_made(spec, deadline)) for spec in (a, b))
        # The files are opened first, so that one that cannot be written is told of before hours of play.
        with _opened(json) as file, _opened(record) as records:
            sink = _recorder(records) if records else None
            running = RunningDuel(one, other, rule_set, drawn, record=sink, strict=False)
            verdict = _play(running, test)
            if file:
                file.write(json_format.dumps(summary(running.result(), verdict), indent=2) + "\n")
        if verdict:
            raise typer.Exit(EXIT_STATUS[verdict.decision])


def deal_sets() -> None:
    """List the named deals for `gouji evaluate --deal-set`, which no training plays."""
    table = Table("deal set", "deals", "digest", "for", box=box.SIMPLE)
    for name in known():
        one = deal_set(name)
        table.add_row(name, f"{one.deals:,}", one.digest(), FAMILIES[name.partition("-")[0]])
    Console().print(table)


# --- what was asked for


def _test(until_decided: bool, margin: float | None, alpha: float | None, beta: float | None) -> SequentialTest | None:
    if until_decided:
        given = (margin, MARGIN), (alpha, ALPHA), (beta, BETA)
        return SequentialTest(*(default if value is None else value for value, default in given))
    for name, value in (("margin", margin), ("alpha", alpha), ("beta", beta)):
        if value is not None:
            raise SequentialTestError(f"--{name} belongs to --until-decided; give both or neither")
    return None


def _deals(name: str | None, seed: int | None, deals: int | None, default: int) -> DealSet:
    if name is not None:
        if seed is not None:
            raise DealSetError(f"--deal-set {name} and --seed {seed}: give one of them")
        return deal_set(name, deals)
    if seed is not None and seed < 0:
        raise DuelError(f"seed: {seed} is negative; seeds are 0 or more")
    if deals is not None and deals < 1:
        raise DuelError(f"deals: {deals} is too few; a duel has at least one deal")
    return deal_set(f"seed-{seed or 0}", default if deals is None else deals)


@contextmanager
def _made(spec: str, deadline: float | None) -> Iterator[Agent]:
    """An agent, closed at the end. Without ``deadline`` it keeps the one that it grants itself."""
    if deadline is not None and not 0 < deadline < math.inf:
        raise DuelError(f"deadline: {deadline:g} is no time; give seconds above 0")
    agent = make(spec)
    if deadline is not None:
        agent.deadline = deadline
    try:
        yield agent
    finally:
        agent.close()


def _opened(path: Path | None) -> AbstractContextManager[IO[str] | None]:
    return written_aside(path) if path else nullcontext()


def _recorder(file: IO[str]) -> RecordSink:
    def note(deal: dict[str, Any]) -> None:
        file.write(record_line(deal))

    return note


# --- playing


def _play(running: RunningDuel, test: SequentialTest | None) -> Verdict | None:
    """Play, and show the result; after Ctrl-C that of the deals played until then."""
    deals = running.deal_set.deals
    verdict: Verdict | None = None
    with _progress(deals) as bar:
        try:
            if test is None:
                running.play_on(deals, bar.done)
            else:
                verdict = until_decided(test, deals, lambda _, stop: running.play_on(stop, bar.done), bar.standing)
        except KeyboardInterrupt:
            if running.deals:
                bar.hide()
                _show(running.result(), bar.verdict, interrupted=True)
            raise
    _show(running.result(), verdict)
    return verdict


class _Bar:
    """The line of progress; of a sequential test it also tells how that stands."""

    def __init__(self, bar: Progress, deals: int) -> None:
        self.verdict: Verdict | None = None
        self._bar = bar
        self._task = bar.add_task("", total=deals, standing="")

    def done(self, deals: int) -> None:
        self._bar.update(self._task, completed=deals)

    def standing(self, verdict: Verdict) -> None:
        self.verdict = verdict
        points = f"{verdict.halves.mean():+.2f} points a deal"
        self._bar.update(self._task, standing=f"LLR {_llr(verdict)}, {points}")

    def hide(self) -> None:
        self._bar.stop()


@contextmanager
def _progress(deals: int) -> Iterator[_Bar]:
    standing = TextColumn("{task.fields[standing]}")
    columns = (TextColumn("deals"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), standing)
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield _Bar(bar, deals)


# --- the result


def summary(result: DuelResult, verdict: Verdict | None) -> dict[str, Any]:
    """The result for JSON. After a sequential test the interval has another name, since it is another thing."""
    content = result.summary()
    deviation = deal_deviation(result.halves)
    known = result.deals > 1
    content["sd_deal"] = deviation if known else None
    content["deals_needed"] = {str(width): deals_needed(deviation, width) for width in HALF_WIDTHS} if known else None
    content["notes"] = result.notes
    if verdict:
        content["interval_95_as_if_fixed"] = content.pop("interval_95")
        content["test"] = verdict.summary() | {"most_deals": result.deal_set.deals}
    return content


def _show(result: DuelResult, verdict: Verdict | None, interrupted: bool = False) -> None:
    console = Console()
    console.print(result_table(result, verdict, interrupted))
    for note in result.notes:
        console.print(note, style="yellow", markup=False, highlight=False)


def result_table(result: DuelResult, verdict: Verdict | None = None, interrupted: bool = False) -> Table:
    """The result for people, from the side of agent A."""
    title = f"{result.a} against {result.b}, {result.rules.name()}, {_name(result.deal_set)}"
    table = Table(title=escape(title + (", interrupted" if interrupted else "")), show_header=False)
    if verdict:
        _add_verdict(table, verdict)
    most = f" of {result.deal_set.deals:,}" if result.deals < result.deal_set.deals else ""
    table.add_row("deals", f"{result.deals:,}{most}, each played twice with sides swapped")
    early = result.deals < result.deal_set.deals and verdict is not None
    table.add_row("points per deal", f"{result.points_per_deal:+.2f}{STOPPED if early else ''}")
    low, high = result.interval
    interval = f"{low:+.2f} .. {high:+.2f}" if result.deals > 1 else "none: a single deal"
    table.add_row("95 % interval", f"{interval}{', as if the number of deals had been fixed' if verdict else ''}")
    half = 100 / (2 * result.deals)
    for name, count in (("won", result.wins), ("drawn", result.draws), ("lost", result.losses)):
        table.add_row(name, f"{count:,} ({count * half:.1f} %)")
    if result.deals > 1:
        deviation = deal_deviation(result.halves)
        needed = (f"±{width:g}: {deals_needed(deviation, width):,}" for width in HALF_WIDTHS)
        table.add_row("deals for an interval of", ", ".join(needed))
    if any(result.forfeits):
        for name, forfeits, illegal in zip((result.a, result.b), result.forfeits, result.illegal, strict=True):
            table.add_row(f"forfeits of {escape(name)}", f"{forfeits:,}, {illegal:,} of them for an illegal action")
    table.add_row("decisions", f"{result.decisions:,} ({result.decisions / result.seconds:,.0f} per second)")
    return table


def _add_verdict(table: Table, verdict: Verdict) -> None:
    test = verdict.test
    meaning = {
        "better": f"better: more than 0 points a deal, wrong in at most {100 * test.alpha:g} % of such tests",
        "not better": f"not better: less than {test.margin:+g} points a deal, wrong in at most {100 * test.beta:g} %",
        "undecided": "undecided: between 0 and the margin, or too few deals",
    }
    table.add_row(f"is A better, margin {test.margin:g}?", meaning[verdict.decision])
    table.add_row("LLR", _llr(verdict))


def _llr(verdict: Verdict) -> str:
    return f"{verdict.llr:+.2f} ({verdict.test.lower:+.2f} .. {verdict.test.upper:+.2f})"


def _name(deals: DealSet) -> str:
    return f"deal set {deals.name}" if deals.seed is None else f"seed {deals.seed}"
