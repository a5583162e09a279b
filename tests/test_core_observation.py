"""The observation against a second encoder that knows only the oracle and the public log."""

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from core_encoder import Log, encode, flat, one_hot
from core_support import CLASSIC_CHANGED, PLAYERS, THREE_RULE_SETS, hand_of, random_rules, short_start, states
from oracle import OracleDeal

from gouji_env import Deal, RuleSet, engine
from gouji_env.cards import SEATS
from gouji_env.rules import PRESETS

PIECES = engine.observation_layout()


def raw(row: npt.NDArray[np.int8], seat: int) -> npt.NDArray[np.int8]:
    out = np.full(engine.OBSERVATION, 99, np.int8)
    engine.observe(row, seat, out)
    return out


def piece(observation: npt.NDArray[np.int8], name: str) -> list[int]:
    found = next(each for each in PIECES if each.name == name)
    return observation[found.start : found.start + found.length].tolist()


def offer_of(deal: Deal) -> tuple[str | None, str]:
    """The card offered as a return now, and what was refused for this return."""
    offer, refused = None, ""
    if deal.phase not in ("return", "accept"):
        return None, ""
    for event in deal.events:
        if event["event"] == "return":
            offer, refused = None, ""
        elif event["event"] == "offer":
            offer = event["card"]
        elif event["event"] == "refuse":
            offer, refused = None, refused + event["card"]
    return offer, refused


def assert_observed(deal: Deal, oracle: OracleDeal, log: Log, seat: int) -> None:
    seen = raw(deal.row, seat)
    for name, expected in encode(oracle, log, seat, *offer_of(deal)).items():
        assert (name, piece(seen, name)) == (name, expected), (seat, deal.events[-3:])
    assert not any(piece(seen, "selection") + piece(seen, "selection_size"))


def play_observed(rules: RuleSet, start: dict[str, Any], generator: Random) -> None:
    """At every decision the deciding seat's observation, and that of another."""
    deal, oracle = Deal.from_dealt(rules, **start), OracleDeal.from_dealt(rules, **start)
    log = Log(start["hands"], rules.tribute_natural)
    player = generator.choice(PLAYERS)
    while deal.turn is not None:
        log.read(deal.events)
        for seat in (deal.turn, generator.randrange(SEATS)):
            assert_observed(deal, oracle, log, seat)
        action = player(generator, deal.legal())
        deal.act(action)
        oracle.act(action)


@pytest.mark.parametrize("name", PRESETS)
def test_full_deals(name: str) -> None:
    rules = RuleSet.preset(name)
    for seed in range(4):
        dealt = Deal.new(rules, seed).record()
        play_observed(rules, {key: dealt[key] for key in ("hands", "leader", "first_drawer")}, Random(seed))


@pytest.mark.parametrize("chunk", range(4))
def test_short_deals(chunk: int) -> None:
    for seed in range(chunk * 75, (chunk + 1) * 75):
        generator = Random(seed)
        rules = random_rules(generator)
        play_observed(rules, short_start(generator, rules), generator)


def test_pieces_lie_end_to_end_and_the_encoder_knows_them() -> None:
    ends = [each.start + each.length for each in PIECES]
    assert [each.start for each in PIECES] == [0, *ends[:-1]] and ends[-1] == engine.OBSERVATION
    deal = Deal.new(RuleSet.preset("classic"), 0)
    hands = deal.hands
    written = encode(OracleDeal.from_hands(deal.rules, hands, 0), Log(hands, False), 0, None, "")
    assert {each.name for each in PIECES} - set(written) == {"selection", "selection_size", "rules"}
    assert all(len(written[each.name]) == each.length for each in PIECES if each.name in written)
    assert all(each.meaning for each in PIECES)


def test_selection_is_seen_while_composing() -> None:
    ids = np.empty(engine.ACTIONS, np.int16)
    composed = 0
    for row in states(full=2, short=150):
        seat, before = engine.turn(row), raw(row, engine.turn(row))
        for action in ids[: engine.legal(row, ids)].tolist():
            reached = row.copy()
            engine.act(reached, action)
            if not engine.composing(reached):
                continue
            base, size = engine.action_base(action), engine.action_size(action)
            after = raw(reached, seat)
            assert piece(after, "selection") == [1, *one_hot(14, base)]
            assert piece(after, "selection_size") == [size]
            changed = {each.name for each in PIECES if piece(after, each.name) != piece(before, each.name)}
            assert changed == {"selection", "selection_size"}
            assert all(np.array_equal(raw(reached, o), raw(row, o)) for o in range(SEATS) if o != seat)
            composed += 1
    assert composed > 1000


def test_every_switch_that_matters_in_a_deal_is_seen() -> None:
    classic = RuleSet.preset("classic")
    hands = ["543"] * SEATS
    seen = {"classic": piece(raw(Deal.from_hands(classic, hands, 0).row, 0), "rules")}
    for switch, other in CLASSIC_CHANGED.items():
        rules = classic.replace(**{switch: other})
        seen[switch] = piece(raw(Deal.from_hands(rules, hands, 0).row, 0), "rules")
    # How a match writes its score sheet is no part of a deal.
    assert seen.pop("record") == seen["classic"]
    for switch, values in seen.items():
        assert sum(a != b for a, b in zip(values, seen["classic"], strict=True)) == (switch != "classic")


def test_a_first_observation_has_no_past() -> None:
    for name in THREE_RULE_SETS:
        for seed in range(20):
            deal = Deal.new(RuleSet.preset(name), seed)
            for seat in range(SEATS):
                seen = raw(deal.row, seat)
                assert not any(any(piece(seen, each)) for each in ("seen", "last_sets", "history", "places", "passed"))


def test_values_are_small() -> None:
    scaled = np.empty(engine.OBSERVATION, np.float32)
    for row in states(full=5, short=100):
        for seat in range(SEATS):
            seen = raw(row, seat)
            assert seen.min() >= 0
            engine.observe_scaled(row, seat, scaled)
            assert np.array_equal(scaled, seen * engine.OBSERVATION_SCALE)
            assert scaled.max() <= 9  # a set of 36 cards; nearly all else is at most 4
    assert engine.OBSERVATION_SCALE.dtype == np.float32 and not engine.OBSERVATION_SCALE.flags.writeable


def test_rounds_are_counted_up_to_a_byte() -> None:
    """When everybody leads card after card and nobody answers, there are more of them."""
    deal, rounds = Deal.new(RuleSet.preset("classic"), 1), 0
    while deal.turn is not None:
        assert piece(raw(deal.row, deal.turn), "round") == [min(rounds, 127)]
        told = len(deal.events)
        deal.act("pass" if "pass" in deal.legal() else min(deal.legal(), key=len))
        rounds += sum(event["event"] == "round_end" for event in deal.events[told:])
    assert rounds > 127


def test_hands_of_the_others_for_critics() -> None:
    out = np.empty(engine.HIDDEN, np.int8)
    for row in states(full=1, short=30):
        for seat in range(SEATS):
            engine.observe_hidden(row, seat, out)
            others = [(seat + step) % SEATS for step in range(1, SEATS)]
            assert out.tolist() == flat(hand_of(row, other) for other in others)
