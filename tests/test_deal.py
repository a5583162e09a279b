"""Deal and SeatView: one deal through notation, what it refuses, what it tells and what it keeps."""

import json
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from core_support import play_some, short_deal

from gouji_env import Deal, IllegalAction, PositionError, RuleSet, SeatView, engine
from gouji_env.cards import SEATS

CLASSIC = RuleSet.preset("classic")
FIVES = ["5"] * SEATS


def rules(preset: str = "classic", **switches: Any) -> RuleSet:
    return RuleSet.preset(preset).replace(**switches)


def at(hands: str, *steps: str, preset: str = "classic", **switches: Any) -> Deal:
    """A position after some whole actions, seat 0 leading."""
    deal = Deal.from_hands(rules(preset, **switches), hands.split(), 0)
    for action in steps:
        deal.act(action)
    return deal


# --- illegal actions

KINGS = "KKKK6 s22AA9977 3 AAKKT 3 3"
FOURS = "sJJJJ5444 3 3 3 3 3"
ILLEGAL = [
    (lambda: at("22AA5 3 3 3 3 3"), "pass", "a leader must lead"),
    (lambda: at("22AA5 3 3 3 3 3"), "yield", "one yields on the opposite's set alone"),
    (lambda: at("22AA5 3 3 3 3 3"), "throw", "restricted 4s"),
    (lambda: at("22AA5 3 3 3 3 3"), "revolt", "before the first lead"),
    (lambda: at("22AA5 3 3 3 3 3"), "give:A", "before the first lead"),
    (lambda: at("22AA5 3 3 3 3 3"), "AAA", "the hand lacks 1 A"),
    (lambda: at("22AA5 3 3 3 3 3"), "bsAA", "the hand lacks 1 s, 1 b"),
    (lambda: at("22AA5 3 3 3 3 3"), "A5", "5 and A differ in rank"),
    (lambda: at("22AA5 3 3 3 3 3"), "AA2", "written 2AA"),
    (lambda: at("22AA5 3 3 3 3 3"), "", "no set"),
    (lambda: at("22AA5 3 3 3 3 3"), "aces", "no set"),
    (lambda: at("22AA5 3 3 3 3 3"), None, "an action is a text"),
    (lambda: at("22AA5 3 3 3 3 3"), ["5"], "an action is a text"),
    (lambda: at("22AA5 3 3 3 3 3"), 5, "an action is a text"),
    (lambda: at("22995 3 3 3 3 3", preset="biesan"), "299", "hung_twos off"),
    (lambda: at(KINGS, "KK"), "A", "1 cards, the table set has 2"),
    (lambda: at(KINGS, "KK"), "99", "not every card of it is higher"),
    (lambda: at("s5 3 3 bs5 3 3", "s"), "s", "not every card of it is higher"),
    (lambda: at(KINGS, "KK", "AA"), "99", "on burn duty every lead holds a joker or is the whole hand"),
    (lambda: at(KINGS, "KK", "AA"), "throw", "restricted 4s"),
    (lambda: at("533 4 4 4 4 4", preset="biesan"), "3", "3s are led only as the whole remaining hand"),
    (lambda: at("s3354 4 4 4 4 4", preset="biesan"), "s33", "3s are led only as the whole remaining hand"),
    (lambda: at(FOURS, preset="kaidian"), "44", "restricted 4s are led all together"),
    (lambda: at(FOURS, preset="kaidian"), "s444", "restricted 4s are led all together"),
    (lambda: at("33 sJJJJ544 5 5 5 5", "33", preset="kaidian", choke=False), "44", "restricted 4s never answer"),
    (lambda: at("KK65 s224466 6 6 6 6", "KK", "22", preset="kaidian"), "44", "on burn duty every lead"),
    (lambda: Deal.from_dealt(rules("qingdao"), ["A5"] * SEATS, 0), "5", "decides in the phase 'revolt': pass, revolt"),
    (lambda: Deal.from_dealt(rules("qingdao"), ["A5"] * SEATS, 0), "keep", "decides in the phase 'revolt'"),
]


@pytest.mark.parametrize(("make", "action", "reason"), ILLEGAL, ids=[f"{n}-{a}" for n, (_, a, _) in enumerate(ILLEGAL)])
def test_illegal_action_says_why_and_changes_nothing(make: Callable[[], Deal], action: Any, reason: str) -> None:
    deal = make()
    before = deal.row.copy(), deal.events, deal.legal(), deal.record()
    with pytest.raises(IllegalAction, match=reason) as caught:
        deal.act(action)
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.seat, error.action, error.table) == (deal.turn, action, deal.table)
    assert error.reason in str(error) and f"seat {deal.turn}" in str(error)
    assert np.array_equal(deal.row, before[0])
    assert (deal.events, deal.legal(), deal.record()) == before[1:]


def test_no_action_when_the_deal_is_over() -> None:
    deal = Deal.from_hands(CLASSIC, list("345678"), 0)
    for action in "34567":
        deal.act(action)
    assert (deal.turn, deal.phase, deal.legal()) == (None, "over", [])
    before = deal.row.copy()
    for action in ("pass", "8"):
        with pytest.raises(IllegalAction, match="the deal is over"):
            deal.act(action)
    assert np.array_equal(deal.row, before)


def test_an_illegal_action_travels_between_processes() -> None:
    error = IllegalAction(2, "AA", "KK", "no")
    again = pickle.loads(pickle.dumps(error))
    assert (again.seat, again.action, again.table, again.reason) == (2, "AA", "KK", "no")
    assert str(again) == str(error) == "seat 2: 'AA' on KK is illegal: no"


# --- positions that cannot be


@pytest.mark.parametrize(
    ("hands", "leader", "said"),
    [
        (["5"] * 5, 0, "5 hands: a deal has 6"),
        (["5"] * 7, 0, "7 hands: a deal has 6"),
        ([], 0, "0 hands"),
        (["5", "5", "", "5", "5", "5"], 0, "seat 2: an empty hand"),
        (["5", "5", "5", "5x", "5", "5"], 0, "seat 3: .*'x' at position 1"),
        (["bbb", "bb", "5", "5", "5", "5"], 0, "hands hold 5 of b: the deck of these rules has 4"),
        (["A" * 9, "A" * 8, "5", "5", "5", "5"], 0, "hands hold 17 of A: the deck of these rules has 16"),
        (FIVES, 6, "leader 6: seats are 0..5"),
        (FIVES, -1, "leader -1: seats are 0..5"),
        (FIVES, None, "leader None: seats are 0..5"),
    ],
)
def test_hands_that_cannot_be(hands: list[str], leader: Any, said: str) -> None:
    for make in (Deal.from_hands, Deal.from_dealt):
        with pytest.raises(PositionError, match=said):
            make(CLASSIC, hands, leader)


def test_hands_are_held_against_the_deck_of_the_rules() -> None:
    hands = ["3333", "333", "5", "5", "5", "5"]
    assert Deal.from_hands(CLASSIC, hands, 0).turn == 0
    with pytest.raises(PositionError, match="hands hold 7 of 3: the deck of these rules has 6"):
        Deal.from_hands(rules(deck={"threes": 6}), hands, 0)


def test_first_drawer_that_is_no_seat() -> None:
    with pytest.raises(PositionError, match=r"first_drawer 6: seats are 0\.\.5"):
        Deal.from_dealt(CLASSIC, FIVES, 0, first_drawer=6)


PREVIOUS = {"places": [1, 2, 3, 4, 5, 6], "leader": 0, "opened": [False] * 6, "burns": [], "chokes": []}


@pytest.mark.parametrize(
    "wrong",
    [
        {"places": [1, 2, 3, 4, 5, 5]},
        {"places": [1, 2, 3]},
        {"places": None},
        {"burns": [[0, 1, 2]]},
        {"burns": [[0, 6]]},
        {"burns": [[-1, 0]]},
        {"chokes": [[40, 1]]},
        {"opened": [True] * 7},
    ],
)
def test_deals_before_that_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(PositionError, match="previous"):
        Deal.from_dealt(rules(tribute="full"), FIVES, 0, previous=PREVIOUS | wrong)


@pytest.mark.parametrize(("last", "refused"), [("2", True), ("2b", True), ("22b", False), ("25", False), ("5", False)])
def test_hands_that_tribute_may_take_whole_are_refused(last: str, refused: bool) -> None:
    """The 6th owes two cards: who led with an empty hand would have no legal action."""
    hands, switches = [*FIVES[:5], last], rules(tribute="last_places", **{"return": "none"})
    if refused:
        with pytest.raises(PositionError, match="seat 5: the tribute that it owes"):
            Deal.from_dealt(switches, hands, 5, previous=PREVIOUS)
    else:
        assert Deal.from_dealt(switches, hands, 5, previous=PREVIOUS).legal()


def test_deal_before_with_something_missing() -> None:
    for key in ("places", "opened", "burns", "chokes"):
        with pytest.raises(PositionError, match=f"previous.*{key}"):
            Deal.from_dealt(rules(tribute="full"), FIVES, 0, previous={k: v for k, v in PREVIOUS.items() if k != key})


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(PositionError, match=rf"seed {seed}: a seed is an integer from 0 to 2\*\*64 - 1"):
        Deal.new(CLASSIC, seed)


# --- what a deal tells


def test_a_deal_in_words() -> None:
    deal = at("KK65 sAA7 654 654 22654 654", "KK", "AA")
    assert (deal.turn, deal.phase, deal.table, deal.owner) == (4, "play", "AA", 1)
    assert deal.hands == ["65", "s7", "654", "654", "22654", "654"]
    assert deal.hand_counts(1).tolist() == [0] * 4 + [1] + [0] * 8 + [1, 0]
    assert (deal.places, deal.points, deal.void) == ([None] * 6, None, False)
    assert deal.duty == [False] * 6 and deal.live == [True] * 6  # exempt: s7 is one set
    assert (deal.burns, deal.opened, deal.free_for_all) == ([(0, 1)], [False] * 6, False)
    assert [deal.headed(seat) for seat in range(SEATS)] == [True] * 6
    assert deal.legal() == ["22", "pass"]


def test_events_in_order() -> None:
    deal = at("KK65 AA977 654 654 22654 654", "KK", "AA", "22")
    assert deal.events == [
        {"event": "play", "seat": 0, "set": "KK"},
        {"event": "play", "seat": 1, "set": "AA"},
        {"event": "burn", "seat": 1, "victim": 0},
        {"event": "play", "seat": 4, "set": "22"},
        {"event": "pass", "seat": 1},
        {"event": "round_end", "seat": 4},
    ]
    deal = at("8888 QQQ AAA65 65 KKK65 65", "8888", "QQQ", "pass", "KKK", "AAA")
    assert [(event["event"], event.get("seat")) for event in deal.events[-8:]] == [
        ("play", 1),
        ("out", 1),
        ("play", 4),
        ("play", 2),
        ("burn", 2),
        ("pass", 5),
        ("round_end", 2),
        ("free_for_all", None),
    ]


def test_a_silent_decline_is_told_to_its_seat_alone() -> None:
    deal = at("KK65 AA7 654 22654 654 654", "KK", "pass")
    decline = {"event": "pass", "seat": 1, "silent": True}
    assert deal.events == [{"event": "play", "seat": 0, "set": "KK"}]
    for seat in range(SEATS):
        assert (decline in deal.view(seat).events) == (seat == 1)


def test_a_void_deal() -> None:
    deal = Deal.from_dealt(rules("qingdao"), ["665", "2543", "A54", "2543", "2543", "2543"], 0)
    deal.act("revolt")
    assert deal.places[0] == 4
    deal.act("revolt")
    assert (deal.void, deal.turn, deal.points, deal.places) == (True, None, (0, 0), [None] * 6)
    assert [event["event"] for event in deal.events] == ["revolt", "revolt", "void", "over"]
    with pytest.raises(PositionError, match="void"):
        deal.summary()


# --- what a seat is told


def test_questions_about_seats_that_are_none() -> None:
    deal = Deal.new(CLASSIC, 1)
    for ask in (deal.view, deal.headed):
        for seat in (-1, 6):
            with pytest.raises(PositionError, match=rf"seat {seat}: seats are 0\.\.5"):
                ask(seat)
    with pytest.raises(PositionError, match=r"seed 1\.5: a seed is an integer"):
        Deal.new(CLASSIC, 1.5)


def test_view_is_what_its_seat_knows() -> None:
    for seed in range(40):
        deal, generator = short_deal(seed, partner_view="none"), Random(seed)
        while deal.turn is not None:
            for seat in range(SEATS):
                view = deal.view(seat)
                assert isinstance(view, SeatView) and (view.seat, view.rules) == (seat, deal.rules)
                assert (view.hand, view.decides) == (deal.hands[seat], seat == deal.turn)
                assert view.counts == [len(hand) for hand in deal.hands]
                assert view.legal == (deal.legal() if view.decides else [])
                assert (view.table, view.owner, view.passed) == (deal.table, deal.owner, deal.passed)
                assert (view.live, view.places, view.duty) == (deal.live, deal.places, deal.duty[seat])
                assert view.free_for_all == deal.free_for_all
                assert [view.headed(other) for other in range(SEATS)] == [deal.headed(x) for x in range(SEATS)]
                assert view.observation().shape == (engine.OBSERVATION,) and view.observation().dtype == np.float32
                mask = view.action_mask()
                assert (mask.dtype, mask.shape) == (np.int8, (engine.ACTIONS,)) and mask.any() == view.decides
                others = [
                    engine.hand(view.row, other, kind) for other in range(6) if other != seat for kind in range(15)
                ]
                assert not any(others)
            play_some(deal, generator, 1)


def test_a_view_stays_as_it_was() -> None:
    deal = Deal.new(CLASSIC, 3)
    view = deal.view(0)
    before = view.hand, view.counts, view.row.copy(), list(view.events)
    play_some(deal, Random(3), 30)
    assert (view.hand, view.counts) == before[:2] and np.array_equal(view.row, before[2]) and view.events == before[3]
    view.row[:] = 0
    assert deal.hands != [""] * 6


# --- what is kept of a deal


def test_a_record_plays_the_deal_again() -> None:
    for seed in range(60):
        deal, generator = short_deal(seed), Random(seed)
        play_some(deal, generator, 10_000 if seed % 3 else 12)
        record = json.loads(json.dumps(deal.record()))
        start = {key: record[key] for key in ("hands", "leader", "first_drawer", "previous")}
        again = Deal.from_dealt(deal.rules, **start)
        for seat, action in record["actions"]:
            assert again.turn == seat
            again.act(action)
        assert np.array_equal(again.row, deal.row)
        assert again.events == deal.events and json.loads(json.dumps(again.record())) == record


def test_a_record_of_a_seed_names_it() -> None:
    deal = Deal.new(CLASSIC, 77)
    record = deal.record()
    assert (record["seed"], record["hands"], record["places"], record["points"]) == (77, deal.hands, [None] * 6, None)
    assert record["actions"] == [] and record["leader"] == deal.turn


def test_summary() -> None:
    deal = at("KK65 AA999 654 654 654 654", "KK", "AA", "999")
    with pytest.raises(PositionError, match="not over yet"):
        deal.summary()
    play_some(deal, Random(1), 1000)
    assert deal.summary() == {
        "places": deal.places,
        "leader": 0,
        "opened": [False] * 6,
        "burns": [[0, 1]],
        "chokes": [],
    }


def test_the_first_leader_in_a_summary_is_who_took_over_from_a_revolutionary() -> None:
    deal = Deal.from_dealt(rules("qingdao", renounce=False), ["665", "2", "2", "2", "s", "b"], 0)
    deal.act("revolt")
    assert deal.turn == 1
    play_some(deal, Random(1), 1000)
    assert deal.summary()["leader"] == 1


def test_who_draws_and_leads_next() -> None:
    """Section 8: the leader rotates, or the 6th place leads; the first leader draws next, or the 6th place does."""
    for preset, later in (("classic", "rotate"), ("biesan", "last_place")):
        for seed in range(8):
            deal = Deal.new(rules(preset, revolution=False, first_lead_later=later), seed)
            play_some(deal, Random(seed), 10_000)
            last = deal.summary()
            after = Deal.after(deal)
            record = after.record()
            sixth = last["places"].index(6)
            expected = (last["leader"], (last["leader"] + 1) % 6) if later == "rotate" else (sixth, sixth)
            assert (record["first_drawer"], record["leader"], record["previous"]) == (*expected, last)
            assert (
                sum(map(len, record["hands"])) == deal.rules.deck.size() and record["hands"] != deal.record()["hands"]
            )


def test_no_deal_after_one_that_runs() -> None:
    with pytest.raises(PositionError, match="not over yet"):
        Deal.after(Deal.new(CLASSIC, 1))
