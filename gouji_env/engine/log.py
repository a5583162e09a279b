"""What Deal reads off a row in words: phase, events, burns and chokes."""

from typing import Any

from gouji_env.cards import KINDS
from gouji_env.engine import layout as at
from gouji_env.engine.start import Row

PHASES = ("play", "revolt", "renounce", "return", "accept", "over", "setup")

# Event code -> (name, what its third number says; None: nothing)
_EVENTS = {
    at.EVENT_PLAY: ("play", None),
    at.EVENT_PASS: ("pass", None),
    at.EVENT_SILENT_PASS: ("pass", "silent"),
    at.EVENT_YIELD: ("yield", None),
    at.EVENT_THROW: ("throw", "cards"),
    at.EVENT_BURN: ("burn", "victim"),
    at.EVENT_OUT: ("out", "place"),
    at.EVENT_CHOKE: ("choke", "place"),
    at.EVENT_FAIL: ("fail", "place"),
    at.EVENT_OPEN: ("open", None),
    at.EVENT_FREE_FOR_ALL: ("free_for_all", None),
    at.EVENT_ROUND_END: ("round_end", None),
    at.EVENT_REVOLT: ("revolt", None),
    at.EVENT_SILENT_LOYAL: ("pass", "silent"),
    at.EVENT_KEEP: ("keep", None),
    at.EVENT_RENOUNCE: ("renounce", None),
    at.EVENT_VOID: ("void", None),
    at.EVENT_OVER: ("over", None),
    at.EVENT_BUY_THREE: ("buy", "trade"),
    at.EVENT_BUY_FOUR: ("buy", "trade"),
    at.EVENT_TRIBUTE: ("tribute", "transfer"),
    at.EVENT_OFFER: ("offer", "card"),
    at.EVENT_REFUSE: ("refuse", "card"),
    at.EVENT_RETURN: ("return", "transfer"),
}
_OF_THE_DEAL = ("free_for_all", "over")


def phase_name(row: Row) -> str:
    return PHASES[row[at.PHASE]]


def first_seats(row: Row) -> tuple[int, int]:
    """(first drawer, first leader)."""
    return int(row[at.FIRST_DRAWER]), int(row[at.LEADER])


def has_opened(row: Row, seat: int) -> bool:
    return bool(row[at.OPENED] >> seat & 1)


def read_events(row: Row, action: str = "") -> list[dict[str, Any]]:
    """What the last action (in notation) brought about, in order. Events of one seat alone carry ``silent``."""
    events = []
    for i in range(row[at.EVENT_COUNT]):
        first = at.EVENT_LIST + i * at.EVENT_FIELDS
        name, detail = _EVENTS[int(row[first])]
        event: dict[str, Any] = {"event": name}
        if name not in _OF_THE_DEAL:
            event["seat"] = int(row[first + 1])
        if name == "play":
            event["set"] = action
        if detail:
            event |= _detail(int(row[first]), detail, int(row[first + 2]))
        events.append(event)
    return events


def _detail(code: int, detail: str, number: int) -> dict[str, Any]:
    """What the third number of an event says."""
    if detail == "silent":
        return {"silent": True}
    if detail == "card":
        return {"card": KINDS[number]}
    if detail == "transfer":
        receiver, kind = divmod(number, at.KINDS)
        return {"to": receiver, "card": KINDS[kind]}
    if detail == "trade":
        seller, payer_1 = divmod(number, at.SEATS + 1)
        payer = payer_1 - 1 if payer_1 else None
        return {"card": "3" if code == at.EVENT_BUY_THREE else "4", "seller": seller, "payer": payer}
    return {detail: number}


def standing_burns(row: Row) -> list[tuple[int, int]]:
    """(victim, burner) of the burning sets that stand, in the order in which they were laid."""
    count = min(int(row[at.BURN_COUNT]), at.BURN_SLOTS)
    return [divmod(int(pair), at.SEATS) for pair in row[at.BURN_LIST : at.BURN_LIST + count]]


def chokes(row: Row) -> list[tuple[int, int]]:
    """(choked, choker) in order."""
    return [divmod(int(pair), at.SEATS) for pair in row[at.CHOKE_LIST : at.CHOKE_LIST + int(row[at.CHOKE_COUNT])]]
