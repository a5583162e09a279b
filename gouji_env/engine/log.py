"""What Deal reads off a row in words: phase, events, burns and chokes."""

from typing import Any

from gouji_env.engine.layout import (
    BURN_COUNT,
    BURN_LIST,
    BURN_SLOTS,
    CHOKE_COUNT,
    CHOKE_LIST,
    EVENT_BURN,
    EVENT_CHOKE,
    EVENT_COUNT,
    EVENT_FAIL,
    EVENT_FIELDS,
    EVENT_FREE_FOR_ALL,
    EVENT_KEEP,
    EVENT_LIST,
    EVENT_OPEN,
    EVENT_OUT,
    EVENT_OVER,
    EVENT_PASS,
    EVENT_PLAY,
    EVENT_RENOUNCE,
    EVENT_REVOLT,
    EVENT_ROUND_END,
    EVENT_SILENT_LOYAL,
    EVENT_SILENT_PASS,
    EVENT_THROW,
    EVENT_VOID,
    EVENT_YIELD,
    FIRST_DRAWER,
    LEADER,
    OPENED,
    PHASE,
    SEATS,
    VOIDED,
)
from gouji_env.engine.start import Row

PHASES = ("play", "revolt", "renounce", "return", "accept", "over")

# Event code -> (name, name of its second number if it has a meaning)
_EVENTS = {
    EVENT_PLAY: ("play", None),
    EVENT_PASS: ("pass", None),
    EVENT_SILENT_PASS: ("pass", "silent"),
    EVENT_YIELD: ("yield", None),
    EVENT_THROW: ("throw", "cards"),
    EVENT_BURN: ("burn", "victim"),
    EVENT_OUT: ("out", "place"),
    EVENT_CHOKE: ("choke", "place"),
    EVENT_FAIL: ("fail", "place"),
    EVENT_OPEN: ("open", None),
    EVENT_FREE_FOR_ALL: ("free_for_all", None),
    EVENT_ROUND_END: ("round_end", None),
    EVENT_REVOLT: ("revolt", None),
    EVENT_SILENT_LOYAL: ("pass", "silent"),
    EVENT_KEEP: ("keep", None),
    EVENT_RENOUNCE: ("renounce", None),
    EVENT_VOID: ("void", None),
    EVENT_OVER: ("over", None),
}
_OF_THE_DEAL = ("free_for_all", "over")


def phase_name(row: Row) -> str:
    return PHASES[row[PHASE]]


def is_void(row: Row) -> bool:
    return bool(row[VOIDED])


def first_seats(row: Row) -> tuple[int, int]:
    """(first drawer, first leader)."""
    return int(row[FIRST_DRAWER]), int(row[LEADER])


def has_opened(row: Row, seat: int) -> bool:
    return bool(row[OPENED] >> seat & 1)


def read_events(row: Row, action: str = "") -> list[dict[str, Any]]:
    """What the last action (in notation) brought about, in order. Events of one seat alone carry ``silent``."""
    events = []
    for i in range(row[EVENT_COUNT]):
        at = EVENT_LIST + i * EVENT_FIELDS
        name, detail = _EVENTS[int(row[at])]
        event: dict[str, Any] = {"event": name}
        if name not in _OF_THE_DEAL:
            event["seat"] = int(row[at + 1])
        if name == "play":
            event["set"] = action
        if detail == "silent":
            event["silent"] = True
        elif detail:
            event[detail] = int(row[at + 2])
        events.append(event)
    return events


def standing_burns(row: Row) -> list[tuple[int, int]]:
    """(victim, burner) of the burning sets that stand, in the order in which they were laid."""
    count = min(int(row[BURN_COUNT]), BURN_SLOTS)
    return [divmod(int(pair), SEATS) for pair in row[BURN_LIST : BURN_LIST + count]]


def chokes(row: Row) -> list[tuple[int, int]]:
    """(choked, choker) in order."""
    return [divmod(int(pair), SEATS) for pair in row[CHOKE_LIST : CHOKE_LIST + int(row[CHOKE_COUNT])]]
