"""What expert says of itself: on hand-made positions, in duels, and that it knows no other hand."""

from random import Random

import numpy as np
import pytest
from core_support import random_rules

from agents.arena import duel
from agents.expert import ExpertAgent, choose, choose_rows
from agents.expert_weights import NAMES
from agents.greedy import GreedyAgent
from gouji_env import Deal, RuleSet
from gouji_env.cards import KIND_COUNT, SEATS
from gouji_env.engine import (
    ACTIONS,
    act,
    act_rows,
    cards_held,
    hide,
    is_legal,
    new_rows,
    random_rows,
    turn,
)
from gouji_env.engine import layout as at
from gouji_env.rules import PRESETS

CLASSIC = RuleSet.preset("classic")
CHOKE = CLASSIC.replace(choke=True)
FILLER = "KKQQJJ998877665544"  # a hand that is far from its end
LONG = "QQJJ9988776655"


def position(hands: dict[int, str], *actions: str, rules: RuleSet = CLASSIC) -> Deal:
    """A deal after ``actions`` from seat 0's lead on; seats that are not named hold FILLER."""
    deal = Deal.from_hands(rules, [hands.get(seat, FILLER) for seat in range(SEATS)], 0)
    for action in actions:
        deal.act(action)
    return deal


def choice(deal: Deal) -> str:
    assert deal.turn is not None
    return ExpertAgent().act(deal.view(deal.turn))


@pytest.mark.parametrize("held", ["s2AA", "22", "bs", "9999", "bbss2", "bs2233"])
def test_goes_out_when_it_can(held: str) -> None:
    assert choice(position({0: held})) == held


def test_leads_its_lowest_group_while_the_hand_is_long() -> None:
    assert choice(position({0: "bs22AAKKQQJJTT99877655443"})) == "3"


@pytest.mark.parametrize(("held", "leads"), [("b4499", {"b44"}), ("bs445599", {"b44", "s44"})])
def test_runs_out_with_jokers_on_its_lowest_groups(held: str, leads: set[str]) -> None:
    assert choice(position({0: held})) in leads


def test_beats_the_set_of_an_enemy_and_not_that_of_a_partner() -> None:
    held = "s22AAKQQ98766"
    assert choice(position({0: "55443", 1: held}, "44")) == "66"
    others = dict.fromkeys((1, 3, 5), "3")
    assert choice(position({0: "TT55443", 2: held, **others}, "TT")) == "pass"


def test_spends_more_on_an_enemy_who_is_nearly_out() -> None:
    held = "bs2AAKKQQJJ9988776655"
    assert choice(position({0: FILLER + "22", 1: held}, "22")) == "pass"
    short = position({0: "AA4", 3: held}, "AA")
    assert short.turn == 3
    assert choice(short) != "pass"


def test_burns_to_go_out_and_not_with_a_long_hand() -> None:
    assert choice(position({0: "AA" + FILLER, 1: "22"}, "AA")) == "22"
    assert choice(position({0: "AA" + FILLER, 1: "22" + FILLER}, "AA")) == "pass"


def test_keeps_a_set_that_stands_for_the_last_before_its_threes() -> None:
    assert choice(position({0: "b993"}, rules=CHOKE)) in ("99", "b99")
    assert choice(position({0: "bA993"}, rules=CHOKE)) != "b"
    assert choice(position({0: FILLER, 1: "b73"}, "4", rules=CHOKE)) != "b"


def test_does_not_lay_a_weak_set_that_leaves_only_threes() -> None:
    assert choice(position({0: FILLER, 1: "53"}, "4")) == "5"
    assert choice(position({0: FILLER, 1: "53"}, "4", rules=CHOKE)) == "pass"


def test_chokes_an_enemy_who_is_left_with_threes() -> None:
    held = "2AAKKQQJJTT9988776655"
    assert choice(position({0: "K3", 1: held}, "K", rules=CHOKE)) != "pass"


def test_throws_its_fours() -> None:
    rules = CLASSIC.replace(open_four=True)
    assert choice(position({0: "2AA444"}, rules=rules)) == "throw"


def test_yields_where_an_answer_is_dear() -> None:
    deal = position({0: "TT" + FILLER, 3: "22AAAA9876554433"}, "TT", rules=RuleSet.preset("yang2004"))
    while deal.turn != 3:
        deal.act("pass")
    assert choice(deal) == "yield"


@pytest.mark.parametrize(("held", "action"), [("AAKQQJT9876543", "revolt"), ("AAAAKKKK9876543", "pass")])
def test_revolts_with_a_weak_hand(held: str, action: str) -> None:
    deal = Deal.from_dealt(RuleSet.preset("qingdao"), [held] + ["2" + LONG] * 5, 0)
    assert (deal.turn, deal.phase, choice(deal)) == (0, "revolt", action)


@pytest.mark.parametrize("preset", PRESETS)
def test_beats_greedy(preset: str) -> None:
    result = duel(ExpertAgent(), GreedyAgent(), RuleSet.preset(preset), 100, 1)
    assert result.interval[0] > 2


def test_weights_are_named_in_their_order() -> None:
    from agents import expert_weights

    for i, name in enumerate(NAMES):
        constant = name.upper() + ("_COST" if name in ("two", "small", "big") else "")
        assert getattr(expert_weights, constant) == i


def rule_sets(count: int) -> list[RuleSet]:
    generator = Random(5)
    return [RuleSet.preset(name) for name in PRESETS] + [random_rules(generator) for _ in range(count)]


def test_every_decision_is_legal_under_every_rule_set() -> None:
    """A third of the steps of half of the deals are taken at random, for positions it would not get into."""
    for number, rules in enumerate(rule_sets(30)):
        seeds = np.arange(1, 21, dtype=np.uint64) + np.uint64(100 * number)
        rows, streams, step = new_rows(rules, seeds), seeds.copy(), 0
        while (index := np.flatnonzero([turn(row) >= 0 for row in rows])).size:
            actions = np.empty(index.size, np.int16)
            choose_rows(rows, index, actions)
            assert all(is_legal(rows[i], action) for i, action in zip(index, actions, strict=True)), rules.name()
            astray = (index + step) % 6 == 0
            others = np.empty(astray.sum(), np.int16)
            random_rows(rows, index[astray], streams, others)
            actions[astray] = others
            act_rows(rows, index, actions)
            step += 1


def with_other_hands(row: np.ndarray, seat: int, generator: np.random.Generator) -> np.ndarray:
    """The row with the cards of the five other hands dealt anew among them."""
    others = [other for other in range(SEATS) if other != seat]
    start = {other: at.HAND + other * KIND_COUNT for other in range(SEATS)}
    pool = np.concatenate([np.repeat(np.arange(KIND_COUNT), row[start[o] : start[o] + KIND_COUNT]) for o in others])
    generator.shuffle(pool)
    changed = row.copy()
    for other in others:
        mine, pool = np.split(pool, [cards_held(row, other)])
        changed[start[other] : start[other] + KIND_COUNT] = np.bincount(mine, minlength=KIND_COUNT)
    return changed


def test_looks_at_no_other_hand() -> None:
    """The choice is the same on the row as its seat may see it, and with any other hands."""
    options, hidden, generator = np.empty(ACTIONS, np.int16), np.empty(at.ROW, np.int8), np.random.default_rng(1)
    for number, rules in enumerate(rule_sets(12)):
        for row in new_rows(rules, np.arange(3, dtype=np.uint64) + np.uint64(number)):
            while (seat := turn(row)) >= 0:
                action = choose(row, options)
                hide(row, seat, hidden)
                assert choose(hidden, options) == action
                assert choose(with_other_hands(row, seat, generator), options) == action
                act(row, action)
