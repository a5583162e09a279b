"""Positions and whole deals with their right answers, tried on Deal and on the slow oracle alike.

``data/positions.json``: hands, what was done, what must hold then. ``play`` is a list of ``seat:action`` decisions;
forced passes and skipped seats are none. With ``setup`` the deal goes through section 8 of docs/rules.md first.
``data/deals.jsonl``: whole deals by another program that follows the same rules; a decision is
``seat [phase] action count digest``, where the last two are of the sorted list of all legal actions.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from oracle import OracleDeal

from gouji_env import Deal, RuleSet

DATA = Path(__file__).parent / "data"
POSITIONS = json.loads((DATA / "positions.json").read_text())
DEALS = [json.loads(line) for line in (DATA / "deals.jsonl").read_text().splitlines()]

Case = dict[str, Any]


def rules_of(case: Case) -> RuleSet:
    switches = dict(case["rules"])
    return RuleSet.preset(switches.pop("preset")).replace(**switches)


def begin(kind: type[Deal] | type[OracleDeal], case: Case) -> Any:
    hands = case["hands"].split()
    if "setup" not in case:
        return kind.from_hands(rules_of(case), hands, case["leader"])
    return kind.from_dealt(rules_of(case), hands, case["leader"], **case["setup"])


def trials(cases: list[Case], names: list[str]) -> list[Any]:
    return [
        pytest.param(kind, case, id=f"{kind.__name__}-{name}")
        for kind in (Deal, OracleDeal)
        for case, name in zip(cases, names, strict=True)
    ]


def seats(flags: list[bool]) -> list[int]:
    return [seat for seat, flag in enumerate(flags) if flag]


def happened(events: list[Case], wanted: Case) -> bool:
    return any(all(event.get(key) == value for key, value in wanted.items()) for event in events)


def in_order(events: list[Case], wanted: list[Case]) -> bool:
    """Whether all these events have happened, in this order; others may stand between."""
    left = iter(events)
    return all(any(happened([event], each) for event in left) for each in wanted)


def refuses(deal: Any, action: str) -> bool:
    before = (deal.turn, deal.table, deal.legal(), deal.hands)
    with pytest.raises(ValueError):
        deal.act(action)
    return before == (deal.turn, deal.table, deal.legal(), deal.hands)


READ = {
    "turn": lambda deal: deal.turn,
    "phase": lambda deal: deal.phase,
    "table": lambda deal: deal.table,
    "owner": lambda deal: deal.owner,
    "legal": lambda deal: deal.legal(),
    "places": lambda deal: deal.places,
    "points": lambda deal: list(deal.points),
    "duty": lambda deal: seats(deal.duty),
    "opened": lambda deal: seats(deal.opened),
    "passed": lambda deal: seats(deal.passed),
    "free_for_all": lambda deal: deal.free_for_all,
    "burns": lambda deal: [list(burn) for burn in deal.burns],
    "chokes": lambda deal: [list(choke) for choke in deal.summary()["chokes"]],
    "void": lambda deal: deal.void,
}
HOLDS = {
    "includes": lambda deal, wanted: set(wanted) <= set(deal.legal()),
    "excludes": lambda deal, wanted: not set(wanted) & set(deal.legal()),
    "refused": lambda deal, wanted: all(refuses(deal, action) for action in wanted),
    "headed": lambda deal, wanted: all(deal.headed(seat) for seat in wanted),
    "headless": lambda deal, wanted: not any(deal.headed(seat) for seat in wanted),
    "hands": lambda deal, wanted: all(deal.hands[int(seat)] == hand for seat, hand in wanted.items()),
    "events": lambda deal, wanted: in_order(deal.events, wanted),
    "no_events": lambda deal, wanted: not any(happened(deal.events, each) for each in wanted),
}


def check(kind: type[Deal] | type[OracleDeal], case: Case) -> None:
    """Play a position and compare all that is expected of it."""
    deal = begin(kind, case)
    for step in case["play"].split():
        seat, action = step.split(":", 1)
        assert (deal.turn, step) == (int(seat), step)
        deal.act(action)
    for key, wanted in case["expect"].items():
        if key in READ:
            assert (key, READ[key](deal)) == (key, wanted), case["shows"]
        else:
            assert HOLDS[key](deal, wanted), (key, wanted, case["shows"])


@pytest.mark.parametrize(("kind", "case"), trials(POSITIONS, [case["id"] for case in POSITIONS]))
def test_position(kind: type[Deal] | type[OracleDeal], case: Case) -> None:
    check(kind, case)


@pytest.mark.parametrize(("kind", "case"), trials(DEALS, [f"{n:02}" for n in range(len(DEALS))]))
def test_whole_deal(kind: type[Deal] | type[OracleDeal], case: Case) -> None:
    deal = begin(kind, case)
    for number, decision in enumerate(case["decisions"]):
        seat, *phase, action, count, digest = decision.split()
        legal = deal.legal()
        found = hashlib.sha256(" ".join(legal).encode()).hexdigest()[:8]
        assert (number, deal.turn, deal.phase) == (number, int(seat), phase[0] if phase else "play")
        assert (number, len(legal), found) == (number, int(count), digest), legal
        deal.act(action)
    assert (deal.turn, deal.phase, deal.void) == (None, "over", case["void"])
    assert list(deal.points) == case["points"]
    if not case["void"]:
        assert deal.summary() == case["summary"]


def test_no_two_positions_have_one_name() -> None:
    names = [case["id"] for case in POSITIONS]
    assert len(set(names)) == len(names)
