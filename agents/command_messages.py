"""The messages of the ``cmd:`` protocol, one JSON object a line; docs/bots.md describes them."""

import json
from typing import Any

from agents.command_process import shown
from agents.protocol import Forfeit
from gouji_env.cards import SEATS
from gouji_env.rules import RuleSet
from gouji_env.view import Event, SeatView

PROTOCOL = 1
SEED_BITS = 53  # so that every language with double numbers only reads a seed exactly
LONGEST_NAME = 40  # characters


def hello(seat: int, rules: RuleSet, deadline: float | None) -> str:
    entry = {"name": rules.name(), "digest": rules.digest(), "switches": rules.switches()}
    return _line(type="hello", protocol=PROTOCOL, seat=seat, rules=entry, deadline=deadline)


def deal(seed: int) -> str:
    return _line(type="deal", seed=seed % (1 << SEED_BITS))


def decide(number: int, view: SeatView, legal: list[str], events: list[Event]) -> str:
    """A question; ``events``: those that the seat has not been told yet."""
    known = {
        "phase": view.phase,
        "hand": view.hand,
        "hands": view.hands,
        "counts": view.counts,
        "table": view.table,
        "owner": view.owner,
        "passed": view.passed,
        "live": view.live,
        "places": view.places,
        "duty": view.duty,
        "free_for_all": view.free_for_all,
        "headed": [view.headed(seat) for seat in range(SEATS)],
        "events": events,
    }
    return _line(type="decide", id=number, view=known, legal=legal)


def bye() -> str:
    return _line(type="bye")


def _line(**message: Any) -> str:
    return json.dumps(message, separators=(",", ":"))


def read_ready(line: bytes) -> str:
    """The name that a program gives itself, as people may see it; empty for none. Raises Forfeit (``garbage``)."""
    message = _read(line)
    if message.get("type") != "ready" or _is_not(message.get("protocol"), PROTOCOL):
        wanted = {"type": "ready", "protocol": PROTOCOL}
        raise Forfeit("garbage", f"answered hello with {shown(line)}, not with {json.dumps(wanted)}")
    name = message.get("name", "")
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        raise Forfeit("garbage", f"its name is no text of at most {LONGEST_NAME} characters: {shown(line)}")
    return shown(name) if name else ""


def read_action(line: bytes, number: int, legal: list[str]) -> str:
    """The action that answers question ``number``. Raises Forfeit (``garbage``, ``illegal``)."""
    message = _read(line)
    if _is_not(message.get("id"), number):
        raise Forfeit("garbage", f'answered question {number} with {shown(line)}, which lacks "id": {number}')
    action = message.get("action")
    if not isinstance(action, str):
        raise Forfeit("garbage", f"answered question {number} with {shown(line)}, which has no text as action")
    if action not in legal:
        some = ", ".join(legal[:5]) + (", ..." if len(legal) > 5 else "")
        raise Forfeit("illegal", f"chose {shown(action)}, which is not legal; legal: {some}")
    return action


def _read(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError):  # not UTF-8, not JSON, a number of too many digits, nested too deep
        raise Forfeit("garbage", f"wrote a line that is no JSON: {shown(line)}") from None
    if not isinstance(message, dict):
        raise Forfeit("garbage", f"wrote a line that is no JSON object: {shown(line)}")
    return message


def _is_not(value: object, number: int) -> bool:
    return type(value) is not int or value != number  # True and 1.0 are equal to 1 as well
