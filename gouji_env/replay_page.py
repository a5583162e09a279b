"""Recorded deals as one HTML page that needs nothing else: no network, no other file."""

import html
import json
from importlib import resources
from typing import Any

from gouji_env.cards import SEATS
from gouji_env.record import DealRecord
from gouji_env.render import Table
from gouji_env.replay_steps import Step, event_text, legal_texts, moments, steps_of

PAGE_DEALS = 20  # a deal takes some 150 kB of the page


def replay_page(records: list[tuple[int, DealRecord]], name: str, viewer: int | None) -> str:
    """The page of some (line, record) of the file ``name``, which opens with the view of a seat or of all hands.

    Raises RecordError for a record that does not hold.
    """
    data = {
        "viewer": -1 if viewer is None else viewer,
        "deals": [page_data(line, record) for line, record in records],
    }
    page = _part("html")
    for mark, content in (
        ("title", html.escape(f"Gouji: {name}")),
        ("style", _part("css")),
        ("script", _part("js")),
        ("data", _inside_script(data)),
    ):
        page = page.replace(f"<!--{mark}-->", content, 1)
    return page


def _part(ending: str) -> str:
    return resources.files("gouji_env").joinpath("table", f"replay.{ending}").read_text(encoding="utf-8")


def _inside_script(data: dict[str, Any]) -> str:
    """JSON that no text in it can break out of: a script element ends with the next ``</``, whatever is around it."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def page_data(line: int, record: DealRecord) -> dict[str, Any]:
    """What the page shows of a deal. ``views``: the moments of all hands, then of each seat."""
    steps = steps_of(record)
    actions = [None] + [action for _, action in record.actions]
    return {
        "line": line,
        "rules": record.rules.rule_set().name(),
        "seed": None if record.seed is None else str(record.seed),  # JavaScript's numbers end at 2**53
        "agents": record.agents,
        "result": _result(record),
        "views": [moments(steps, viewer) for viewer in (None, *range(SEATS))],
        "steps": [_step_data(step, action) for step, action in zip(steps, actions, strict=True)],
    }


def _result(record: DealRecord) -> str:
    if record.points is None:
        return "not over"
    return "void" if record.void else " : ".join(f"{points:+d}" if points else "0" for points in record.points)


def _step_data(step: Step, action: str | None) -> dict[str, Any]:
    table = Table.of_row(step.row)
    views = [Table.of_row(step.row, viewer) for viewer in range(SEATS)]
    return {
        "action": action,
        "events": [
            {"text": event_text(event), "seat": event.get("seat"), "silent": "silent" in event} for event in step.events
        ],
        "hands": [seat.hand for seat in table.seats],
        "open": [[seat for seat in range(SEATS) if view.seats[seat].hand is not None] for view in views],
        "cards": [seat.cards for seat in table.seats],
        "places": [seat.place for seat in table.seats],
        "passed": [seat.passed for seat in table.seats],
        "laid": [seat.laid for seat in table.seats],
        "victims": [seat.victim for seat in table.seats],
        "duty": [seat.duty for seat in table.seats],
        "turn": table.turn,
        "asks": table.asks(),
        "standing": table.standing,
        "owner": table.owner,
        "gouji": table.gouji,
        "freeForAll": table.free_for_all,
        "points": table.points,
        "legal": legal_texts(step.legal),
    }
