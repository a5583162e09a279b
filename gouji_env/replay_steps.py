"""A recorded deal step by step, for people: the row after each action, what it brought about, what was legal."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from gouji_env.cards import KINDS
from gouji_env.record import DealRecord
from gouji_env.render import ORDINALS, Row
from gouji_env.replay import walk
from gouji_env.view import Event

LISTED = 40  # so many legal actions are told one by one, more are summed up by their base


@dataclass(frozen=True)
class Step:
    """The deal after an action; the first step is its beginning, with what came by itself before any decision."""

    row: Row
    events: list[Event]  # ``silent`` ones too, which only their own seat sees
    legal: list[str]  # whole actions of the seat that decides now


def steps_of(record: DealRecord) -> list[Step]:
    """All steps of a record: one more than it has actions. Raises RecordError where it does not hold."""
    steps: list[Step] = []
    known = 0
    for number, deal in enumerate(walk(record)):
        if number == 0:
            events = deal.events
        else:
            events = deal.view(record.actions[number - 1][0]).events[known:]
        steps.append(Step(deal.row.copy(), events, deal.legal()))
        known = 0 if deal.turn is None else len(deal.view(deal.turn).events)
    return steps


def seen(events: Iterable[Event], viewer: int | None) -> list[Event]:
    """The events that ``viewer`` (None: the referee) sees."""
    return [event for event in events if viewer is None or "silent" not in event or event["seat"] == viewer]


def moments(steps: list[Step], viewer: int | None) -> list[tuple[int, int]]:
    """(first, last) step of each moment that ``viewer`` (None: the referee) can tell from the one before.

    Silent declines of others add nothing: they belong to the moment before, which then looks like its last step.
    """
    starts = [number for number, step in enumerate(steps) if number == 0 or seen(step.events, viewer)]
    return list(zip(starts, [start - 1 for start in starts[1:]] + [len(steps) - 1], strict=True))


# --- words


def event_text(event: Event) -> str:
    """An event of a deal as a sentence."""
    name = event["event"]
    if name in ("free_for_all", "over"):
        return {"free_for_all": "the free-for-all begins", "over": "the deal is over"}[name]
    return f"seat {event['seat']} {_predicate(name, event)}"


def _predicate(name: str, event: Event) -> str:
    if name == "buy":
        paid = f"for a 2 of seat {event['payer']}" if event["payer"] is not None else "as a gift"
        return f"gets a {event['card']} from seat {event['seller']} {paid}"
    if "place" in event:
        how = {"out": "is out", "choke": "is choked, left with nothing but 3s", "fail": "fails: no lead on burn duty"}
        return f"{how[name]}: {ORDINALS[event['place'] - 1]}"
    if name == "pass":
        return "declines unseen" if "silent" in event else "passes"
    return {
        "play": "plays {set}",
        "yield": "yields",
        "throw": "throws its {cards} 4s away",
        "burn": "burns seat {victim}",
        "open": "has opened its 4s",
        "round_end": "wins the round",
        "revolt": "revolts",
        "keep": "keeps the head",
        "renounce": "renounces the head",
        "void": "revolts too: the deal is void",
        "tribute": "pays {card} to seat {to}",
        "offer": "offers {card}",
        "refuse": "refuses {card}",
        "return": "returns {card} to seat {to}",
    }[name].format(**event)


def legal_texts(actions: list[str]) -> list[str]:
    """Legal whole actions for people, low sets first: one by one, or many summed up: ``"9 x 1-4: 38 sets"``."""
    sets = sorted(filter(_is_set, actions), key=lambda action: (_rank(_base(action)), len(action), action))
    words = [action for action in actions if not _is_set(action)]
    return words + (sets if len(actions) <= LISTED else _by_base(sets))


def _by_base(sets: list[str]) -> list[str]:
    grouped = [(base, list(group)) for base, group in groupby(sets, _base)]
    return [
        f"{base} x {_ranges(map(len, group))}: {len(group)} sets" if len(group) > 1 else group[0]
        for base, group in grouped
    ]


def _is_set(action: str) -> bool:
    return set(action) <= set(KINDS)


def _base(laid: str) -> str:
    return "jokers" if laid[-1] in "sb" else laid[-1]


def _rank(base: str) -> int:
    return KINDS.find(base) if len(base) == 1 else len(KINDS)


def _ranges(sizes: Iterable[int]) -> str:
    """``"1-4, 7"`` for 1, 2, 3, 4 and 7."""
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in _runs(sorted(set(sizes))))


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    first = last = numbers[0]
    for number in numbers[1:]:
        if number > last + 1:
            yield first, last
            first = number
        last = number
    yield first, last
