"""Write the generated tables into the pages of this folder, and the picture of a table beside them.

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
from operator import itemgetter
from pathlib import Path
from typing import get_args

import numpy as np
from PIL import Image
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from agents import command_messages, make
from agents.command_process import Program
from gouji_env import engine
from gouji_env.cards import SEATS
from gouji_env.deal import Deal
from gouji_env.env import PRIVATE_PIECES
from gouji_env.record import __doc__ as record_page
from gouji_env.render import Table, render_rgb
from gouji_env.rules import PRESETS, RuleError, RuleSet
from train.config import TrainConfig

HERE = Path(__file__).parent
PAGES = ("rules.md", "environment.md", "training.md", "bots.md", "records.md")
PICTURE = HERE / "table.png"
PICTURE_SEED, PICTURE_DECISIONS = 29, 99  # a moment with a place taken, a set on the table, and passes
BOT = HERE.parent / "experiments" / "bots" / "bot.py"
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
    return f"3s {value['threes']}, 4s {value['fours']}" if switch == "deck" else switch_value(value)


def switch_value(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


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


def state() -> str:
    """The parts of ``state()``: one observation, then the private pieces of the other seats."""
    private = [piece for piece in engine.observation_layout() if piece.name in PRIVATE_PIECES]
    length = sum(piece.length for piece in private)
    rows = [[span(0, engine.OBSERVATION), "seat 0: its whole observation"]]
    for seat in range(1, SEATS):
        what = ", ".join(f"`{piece.name}` ({piece.length})" for piece in private) if seat == 1 else "the same"
        rows.append([span(engine.OBSERVATION + (seat - 1) * length, length), f"seat {seat}: {what}"])
    return table(["features", "what"], rows)


def rules_piece() -> str:
    """Where each switch stands in the observation, and the number of each of its values."""
    first = next(piece.start for piece in engine.observation_layout() if piece.name == "rules")
    rows = [[first, "`deck`", "3s kept / 16"], [first + 1, "`deck`", "4s kept / 16"]]
    for name, field in RuleSet.model_fields.items():
        features = {value: rule_features({name: value}) for value in choices(field)}
        seen = {value: numbers for value, numbers in features.items() if numbers is not None}
        for place in np.flatnonzero(np.ptp(list(seen.values()), axis=0)) if seen else ():  # none for `record`
            rows.append([first + int(place), f"`{field.alias or name}`", numbers_text(seen, place)])
    return table(["feature", "switch", "value"], rows)


def choices(field: FieldInfo) -> Sequence[object]:
    """Values of a switch that tell where it stands."""
    return {bool: (False, True), int: (0, 1)}.get(field.annotation, get_args(field.annotation))


def numbers_text(seen: dict[object, np.ndarray], place: int) -> str:
    numbers = {value: int(features[place]) for value, features in seen.items()}
    if all(type(value) is int and value == number for value, number in numbers.items()):
        return "the number itself"
    return ", ".join(f"{number} {switch_value(value)}" for value, number in sorted(numbers.items(), key=itemgetter(1)))


def rule_features(switches: dict[str, object]) -> np.ndarray | None:
    """The piece ``rules`` of an observation before scaling; None where the switches contradict each other."""
    try:
        rules = RuleSet.preset("kaidian").replace(**switches)
    except RuleError:
        return None
    out = np.empty(engine.OBSERVATION, np.int8)
    engine.observe(engine.new_rows(rules, np.zeros(1, np.uint64))[0], 0, out)
    piece = next(piece for piece in engine.observation_layout() if piece.name == "rules")
    return out[piece.start : piece.start + piece.length]


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


def records() -> str:
    """The table of fields that the module of the records' form carries."""
    return "\n".join(line for line in record_page.splitlines() if line.startswith("|"))


def conversation() -> str:
    """What seat 0 and an example bot say to each other from a short position to the end of the deal."""
    rules = RuleSet.preset("classic")
    deal = Deal.from_hands(rules, ["sKK3", "QQ4", "JJ5", "AA6", "TT7", "998"], leader=0)
    bot, others, told, said = Program([sys.executable, str(BOT)]), make("greedy"), 0, []

    def ask(question: str) -> bytes:
        answer = bot.ask(question, seconds=60)
        said.extend((f"→ {question}", f"← {answer.decode()}"))
        return answer

    command_messages.read_ready(ask(command_messages.hello(0, rules, deadline=10.0)))
    said.append(f"→ {command_messages.deal(seed=7)}")
    number = 0
    while (seat := deal.turn) is not None:
        view = deal.view(seat)
        if seat != 0:
            deal.act(others.act(view))
            continue
        number += 1
        question = command_messages.decide(number, view, view.legal, view.events[told:])
        told = len(view.events)
        deal.act(command_messages.read_action(ask(question), number, view.legal))
    said.append(f"→ {command_messages.bye()}")
    bot.dismiss(command_messages.bye())
    bot.end(seconds=60)
    return "```text\n" + "\n".join(said) + "\n```\n"


TABLES: dict[str, Callable[[], str]] = {
    "switches": switches,
    "actions": actions,
    "observation": observation,
    "rules_piece": rules_piece,
    "state": state,
    "config": config,
    "records": records,
    "conversation": conversation,
}


def generated(page: str) -> str:
    return REGION.sub(lambda match: f"{match[1]}\n{TABLES[match[2]]()}\n{match[3]}", page)


def picture() -> "np.ndarray":
    """Experts against greedy bots, in the middle of a deal, as ``uint8[height, width, 3]``."""
    rules = RuleSet.preset("classic")
    deal = Deal.new(rules, PICTURE_SEED)
    players = [make("greedy" if seat % 2 else "expert") for seat in range(SEATS)]
    for seat, player in enumerate(players):
        player.reset(seat, rules, PICTURE_SEED)
    for _ in range(PICTURE_DECISIONS):
        deal.act(players[deal.turn].act(deal.view(deal.turn)))
    return render_rgb(Table.of_row(deal.row, title=f"Gouji, {rules.name()}"))


def main(check: bool) -> int:
    stale = []
    drawn = picture()
    if not PICTURE.is_file() or not np.array_equal(np.asarray(Image.open(PICTURE)), drawn):
        stale.append(PICTURE.name)
        if not check:
            Image.fromarray(drawn).save(PICTURE, optimize=True)
    for path in (HERE / name for name in PAGES):
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
