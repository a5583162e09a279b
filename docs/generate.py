"""Write the generated tables into the pages of this folder.

    python docs/generate.py            # rewrite
    python docs/generate.py --check    # exit status 1 if a page is not as it would be written

A table stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``; what stands there is replaced.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel

from gouji_env import engine
from gouji_env.rules import PRESETS, RuleSet
from train.config import TrainConfig

PAGES = ("rules.md", "environment.md", "training.md")
REGION = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

# A switch that does nothing unless another one is set: the other one, and its value that means "not at all".
INERT_UNLESS = {
    "choke_keeps_head": ("choke", False),
    "four_fate": ("open_four", False),
    "revolution_rights": ("revolution", False),
    "renounce": ("revolution", False),
    "return": ("tribute", "off"),
    "tribute_natural": ("tribute", "off"),
    "exempt": ("tribute", "off"),
}


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def switches() -> str:
    presets = [RuleSet.preset(name).switches() for name in PRESETS]
    rows = [[f"`{switch}`", *(switch_text(preset, switch) for preset in presets)] for switch in presets[0]]
    return table(["switch", *PRESETS], rows)


def switch_text(preset: dict, switch: str) -> str:
    other, off = INERT_UNLESS.get(switch, (None, None))
    if other and preset[other] == off:
        return "-"
    value = preset[switch]
    if switch == "deck":
        return f"3s {value['threes']}, 4s {value['fours']}"
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def actions() -> str:
    """One line for each verb, and for each base that a SELECT can name."""
    rows = []
    for _, run in groupby(range(engine.ACTIONS), key=action_group):
        ids = list(run)
        first, last = engine.action_name(ids[0]), engine.action_name(ids[-1])
        rows.append([span(ids[0], len(ids)), first if first == last else f"{first} … {last}"])
    return table(["ids", "meaning"], rows)


def action_group(action: int) -> int | str:
    if action < engine.GIVE:
        return action
    if action < engine.SELECT:
        return "give"
    return f"select {engine.action_base(action)}" if action < engine.COMPOSE else "compose"


def span(start: int, length: int) -> str:
    return str(start) if length == 1 else f"{start}-{start + length - 1}"


def observation() -> str:
    rows = [
        [span(piece.start, piece.length), f"`{piece.name}`", Fraction(piece.scale).limit_denominator(64), piece.meaning]
        for piece in engine.observation_layout()
    ]
    return table(["features", "piece", "scale", "meaning"], rows)


def config() -> str:
    return table(["field", "default", "meaning"], config_rows(TrainConfig, TrainConfig(), ""))


def config_rows(model: type[BaseModel], defaults: BaseModel, path: str) -> Iterator[Sequence[object]]:
    for name, field in model.model_fields.items():
        place, default = f"{path}{field.alias or name}", getattr(defaults, name)
        if isinstance(default, BaseModel):
            yield f"**`{place}`**", "", field.description or type(default).__doc__
            yield from config_rows(type(default), default, f"{place}.")
        else:
            yield f"`{place}`", f"`{json.dumps(default)}`", field.description


TABLES: dict[str, Callable[[], str]] = {
    "switches": switches,
    "actions": actions,
    "observation": observation,
    "config": config,
}


def generated(page: str) -> str:
    return REGION.sub(lambda match: f"{match[1]}\n{TABLES[match[2]]()}\n{match[3]}", page)


def main(check: bool) -> int:
    stale = []
    for path in (Path(__file__).parent / name for name in PAGES):
        old = path.read_text(encoding="utf-8")
        new = generated(old)
        if new != old:
            stale.append(path.name)
        if not check:
            path.write_text(new, encoding="utf-8")
    if stale:
        print(f"{'not up to date' if check else 'rewritten'}: {', '.join(stale)}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
