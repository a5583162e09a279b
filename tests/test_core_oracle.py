"""The core against the slow oracle: the same deals, compared at every decision.

The oracle is another reading of docs/rules.md by somebody else; where the two differ, one of them is wrong.
"""

from random import Random
from typing import Any

import numpy as np
import pytest
from core_support import (
    PLAYERS,
    STATE,
    is_set,
    legal_codes,
    random_previous,
    random_rules,
    read_state,
    short_start,
    text_of,
)
from oracle import OracleDeal

from gouji_env import Deal, RuleSet, engine
from gouji_env.cards import SEATS
from gouji_env.rules import PRESETS

FULL_DEALS = 2000  # for each preset, in chunks that can run side by side
CHUNK = 250


def oracle_state(oracle: OracleDeal) -> list[int]:
    """What ``read_state`` reads off a row."""
    turn = -1 if oracle.turn is None else oracle.turn
    owner = -1 if oracle.owner is None else oracle.owner
    state = [turn, owner, oracle.free_for_all, oracle.phase == "over"]
    for seat in range(SEATS):
        state += [oracle.places[seat] or 0, oracle.gone[seat] is None, oracle.passed[seat], oracle.duty[seat]]
        state += [oracle.headed(seat), len(oracle.hands[seat])]
    return state


def assert_same(deal: Deal, oracle: OracleDeal, state: Any) -> dict[str, int]:
    """The running deal stands as the oracle says. Returns its legal actions: text to code."""
    assert (deal.phase, deal.table, deal.opened) == (oracle.phase, oracle.table, oracle.opened)
    read_state(deal.row, state)
    assert state.tolist() == oracle_state(oracle)
    legal = {text_of(code): code for code in legal_codes(deal.row)}
    assert sorted(legal) == oracle.legal()
    return legal


def compare(deal: Deal, oracle: OracleDeal, generator: Random, player: Any) -> int:
    """Play the deal to its end on both; returns the number of decisions."""
    state = np.empty(STATE, np.int64)
    decisions = 0
    while oracle.turn is not None:
        legal = assert_same(deal, oracle, state)
        action = player(generator, sorted(legal))
        engine.act_whole(deal.row, legal[action])
        oracle.act(action)
        decisions += 1
    assert (deal.phase, deal.points, deal.void) == ("over", oracle.points, oracle.void)
    if not deal.void:
        assert deal.summary() == oracle.summary()
    return decisions


@pytest.mark.parametrize("chunk", range(FULL_DEALS // CHUNK))
@pytest.mark.parametrize("name", PRESETS)
def test_full_deals(name: str, chunk: int) -> None:
    """From the shuffle on, through revolution and buying where the rules have them."""
    rules, decisions = RuleSet.preset(name), 0
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        deal = Deal.new(rules, seed)
        dealt = deal.record()
        oracle = OracleDeal.from_dealt(rules, dealt["hands"], dealt["leader"], dealt["first_drawer"])
        decisions += compare(deal, oracle, Random(seed), PLAYERS[seed % 2])
    assert decisions > 80 * CHUNK


@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("name", PRESETS)
def test_short_hands(name: str, chunk: int) -> None:
    """A few cards of a few ranks: ends, burns, dead replies, chokes and openings come up in most deals."""
    rules = RuleSet.preset(name)
    for seed in range(chunk * 150, (chunk + 1) * 150):
        generator = Random(seed)
        start = short_start(generator, rules)
        deal, oracle = Deal.from_dealt(rules, **start), OracleDeal.from_dealt(rules, **start)
        compare(deal, oracle, generator, PLAYERS[seed % 2])


@pytest.mark.parametrize("chunk", range(10))
def test_short_hands_under_random_rules(chunk: int) -> None:
    for seed in range(chunk * 300, (chunk + 1) * 300):
        generator = Random(seed)
        rules = random_rules(generator)
        start = short_start(generator, rules)
        deal, oracle = Deal.from_dealt(rules, **start), OracleDeal.from_dealt(rules, **start)
        compare(deal, oracle, generator, PLAYERS[seed % 2])


@pytest.mark.parametrize("chunk", range(4))
def test_full_hands_under_random_rules(chunk: int) -> None:
    for seed in range(chunk * 75, (chunk + 1) * 75):
        generator = Random(seed)
        rules = random_rules(generator)
        dealt = Deal.new(rules, seed).record()
        start = [dealt["hands"], dealt["leader"], dealt["first_drawer"], random_previous(generator)]
        deal, oracle = Deal.from_dealt(rules, *start), OracleDeal.from_dealt(rules, *start)
        compare(deal, oracle, generator, PLAYERS[seed % 2])


# --- the public log


def told(events: list[dict[str, Any]]) -> list[list[Any]]:
    """Public events in the words that the deal's log and the oracle's have in common."""
    found: list[list[Any]] = []
    yielder = None
    for event in events:
        name, seat = event["event"], event.get("seat")
        if name == "burn":
            next(each for each in reversed(found) if each[0] == "play")[3] = True
        elif name == "play":
            found.append([name, seat, event.get("set") or event["cards"], event.get("burn", False)])
        elif name == "throw":
            found.append([name, seat, event["cards"] if isinstance(event["cards"], int) else len(event["cards"])])
        elif name in ("out", "choke", "fail"):
            found.append([name, seat, event["place"]])
        elif name in ("buy", "tribute", "return", "refuse"):
            found.append([name, seat, *(event.get(key) for key in ("card", "seller", "payer"))])
        elif name == "pass" and seat == yielder and found[-1][0] in ("play", "choke"):
            continue  # the oracle does not mention that a yielder has passed when a lower seat plays
        elif name not in ("open", "offer", "over"):
            found.append([name, seat])
        yielder = seat if name == "yield" else yielder if name in ("pass", "play", "choke") else None
    return found


def test_public_log() -> None:
    yielders = 0
    for seed in range(600):
        generator = Random(seed)
        rules = random_rules(generator)
        start = short_start(generator, rules)
        deal, oracle = Deal.from_dealt(rules, **start), OracleDeal.from_dealt(rules, **start)
        player = PLAYERS[seed % 2]
        while deal.turn is not None:
            assert told(deal.events) == told(oracle.events)
            action, before, events = player(generator, deal.legal()), deal.phase, len(deal.events)
            seat, yielder = deal.turn, waiting_yielder(deal.events)
            deal.act(action)
            oracle.act(action)
            if before == "play":
                passes = [event["seat"] for event in deal.events[events:] if event["event"] == "pass"]
                decided = seat if action == "pass" else yielder if yielder != seat and is_set(action) else None
                assert engine.forced_passes(deal.row) == len(passes) - (decided in passes[:1])
                yielders += yielder is not None and decided == yielder
    assert yielders > 20


def waiting_yielder(events: list[dict[str, Any]]) -> int | None:
    """Who has yielded on the set that lies on the table, and has not decided since."""
    passed = set()
    for event in reversed(events):
        if event["event"] in ("play", "round_end"):
            return None
        if event["event"] == "yield":
            return None if event["seat"] in passed else event["seat"]
        if event["event"] == "pass":
            passed.add(event["seat"])
    return None
