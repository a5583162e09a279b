"""The commands of the environment: ``gouji rules`` and ``gouji bench``; ``replay_cli.py`` has ``gouji replay``."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from pydantic.fields import FieldInfo
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gouji_env.cli_errors import clear_errors
from gouji_env.files import written_aside
from gouji_env.replay_cli import replay
from gouji_env.rules import PRESETS, Deck, RuleError, RuleSet

RECONSTRUCTED = "tv_biesan is reconstructed: no text of its rules was found (docs/rules.md, section 11)"


def register(app: typer.Typer) -> None:
    """Add this package's commands to the one command ``gouji``."""
    app.command("rules")(rules)
    app.command("bench")(bench)
    app.command("replay")(replay)


def rules(
    source: Annotated[
        str | None, typer.Argument(metavar="[PRESET|FILE]", help="A preset or a YAML file; all presets without it.")
    ] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option("--diff", metavar="A B", help="Show only the switches in which two presets or files differ."),
    ] = None,
    actions: Annotated[bool, typer.Option("--actions", help="Print the table of all action ids instead.")] = False,
) -> None:
    """Show rule sets switch by switch, what two of them differ in, or the table of actions."""
    with clear_errors(RuleError, OSError):
        if (source is not None) + (diff is not None) + actions > 1:
            raise RuleError("one thing at a time: a PRESET or FILE, or --diff A B, or --actions")
        Console().print(rules_output(source, diff, actions))


def bench(
    vs_peers: Annotated[bool, typer.Option("--vs-peers", help="Also run the peers that are installed.")] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the figures to a JSON file.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for one repeat of one row.")] = 1.0,
) -> None:
    """Measure the speed of this machine against the targets of the project."""
    from gouji_env.bench import run

    # The file is opened first, so that one that cannot be written is told of before the measuring.
    with clear_errors(OSError), written_aside(json) if json else nullcontext() as file:
        run(seconds, vs_peers, file, Console())


def rules_output(source: str | None, diff: tuple[str, str] | None, actions: bool) -> Table | str:
    """What ``gouji rules`` prints."""
    if actions:
        return action_table()
    if diff:
        return difference_table(*diff)
    return switch_table(RuleSet.load(source)) if source is not None else preset_table()


def preset_table() -> Table:
    """All switches of all presets."""
    table = Table(title="Rule sets", caption=RECONSTRUCTED, box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("switch", no_wrap=True)
    for name in PRESETS:
        table.add_column(name, overflow="fold")
    presets = [RuleSet.preset(name).switches() for name in PRESETS]
    for switch in presets[0]:
        table.add_row(switch, *(value_text(preset[switch]) for preset in presets))
    return table


def switch_table(rule_set: RuleSet) -> Table:
    """All switches of one rule set, with the values that each can take."""
    title = f"{rule_set.name()}, digest {rule_set.digest()}"
    table = Table("switch", "value", "values", title=title, caption=origin_note(rule_set), box=box.SIMPLE)
    fields = {field.alias or name: field for name, field in RuleSet.model_fields.items()}
    for switch, value in rule_set.switches().items():
        table.add_row(switch, value_text(value), allowed_text(fields[switch]))
    return table


def difference_table(a: str, b: str) -> Table | str:
    """The switches in which two presets or files differ, or a line that says that none does."""
    one, other, names = RuleSet.load(a), RuleSet.load(b), (escape(a), escape(b))
    if one == other:
        return f"{' and '.join(names)} are the same rules, digest {one.digest()}"
    table = Table("switch", *names, title=" and ".join(names), caption=origin_note(one, other), box=box.SIMPLE)
    of_other = other.switches()
    for switch, value in one.switches().items():
        if value != of_other[switch]:
            table.add_row(switch, value_text(value), value_text(of_other[switch]))
    return table


def origin_note(*rule_sets: RuleSet) -> str | None:
    """What has to be said with rules that rest on no text."""
    return RECONSTRUCTED if any(rules.name().split()[0] == "tv_biesan" for rules in rule_sets) else None


def action_table() -> Table:
    """Every action id with its name."""
    from gouji_env import engine  # compiles the core

    table = Table("id", "action", title=f"{engine.ACTIONS} actions", box=box.SIMPLE)
    for action in range(engine.ACTIONS):
        table.add_row(str(action), engine.action_name(action))
    return table


def value_text(value: Any) -> str:
    """A switch's value, short."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        return f"3s {value['threes']}, 4s {value['fours']}"
    return str(value)


def allowed_text(field: FieldInfo) -> str:
    """The values that a switch can take."""
    if field.annotation is bool:
        return "on off"
    if field.annotation is Deck:
        return "216, or {threes: 0-16, fours: 0-16} kept"
    if field.annotation is int:
        least, most = (next(getattr(m, name) for m in field.metadata if hasattr(m, name)) for name in ("ge", "le"))
        return f"{least}-{most}"
    return " ".join(map(str, get_args(field.annotation)))
