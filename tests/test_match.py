"""Match: what a deal takes over from the last one, who leads first, the score sheet, and the same in rows."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from core_support import sensible, uniform
from oracle import OracleDeal, debts
from scipy.stats import chi2_contingency, chisquare

from agents.protocol import staged
from gouji_env import Deal, DealBatch, IllegalAction, Match, RuleSet, engine, raw_env
from gouji_env.cards import FOUR, SEATS, THREE
from gouji_env.engine.log import first_seats
from gouji_env.engine.start import _first_shown
from gouji_env.rules import PRESETS

CLASSIC = RuleSet.preset("classic")
OTHERS = {
    "random leads, full tribute returned": {"first_lead_later": "random", "tribute": "full", "return": "same"},
    "rotating leads, all kinds of tribute": {"tribute": "full", "open_four": True, "choke": True, "revolution": True},
    "fours, then threes": {"first_lead": "fours", "first_lead_later": "threes", "deck": {"threes": 4, "fours": 5}},
}
RULES = [*map(RuleSet.preset, PRESETS), *(CLASSIC.replace(**switches) for switches in OTHERS.values())]
NAMES = [*PRESETS, *OTHERS]
SEEDS = np.arange(20_000, dtype=np.uint64)
UNLIKELY = 1e-3  # all draws below follow from fixed seeds: the tests give the same every time


def choice(generator: Random, legal: list[str]) -> str:
    """One of two random players."""
    return generator.choice((uniform, sensible))(generator, legal)


def played(rules: RuleSet, deals: int, seed: int) -> Match:
    match, generator = Match(rules, deals, seed), Random(seed)
    while match.turn is not None:
        match.act(choice(generator, match.legal()))
    return match


# --- a match is its deals in sequence


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_each_deal_takes_over_from_the_last(rules: RuleSet) -> None:
    match = played(rules, 4, seed=11)
    first, last_summary = match.records[0], None
    assert (first["seed"], first["first_drawer"], first["previous"]) == (11, 0, None)
    assert first["hands"] == Deal.new(rules, 11).record()["hands"]
    for record, following in zip(match.records, [*match.records[1:], None], strict=True):
        again = replayed(rules, record)
        assert again.record() | {"seed": record["seed"]} == record
        assert record["previous"] == last_summary
        last_summary = last_summary if again.void else again.summary()
        if following is not None:
            assert following["seed"] == engine.successor_seed(record["seed"])
            assert takes_over(rules, again, following)
    assert [list(points) for points in match.points] == [each["points"] for each in match.records if not each["void"]]
    assert (len(match.points), match.is_over, match.number) == (4, True, 3)


def begun(kind: Any, rules: RuleSet, record: dict[str, Any]) -> Any:
    return kind.from_dealt(rules, record["hands"], record["leader"], record["first_drawer"], record["previous"])


def replayed(rules: RuleSet, record: dict[str, Any]) -> Deal:
    """The deal of a record played again from its hands, and its tribute from the summary of the deal before."""
    deal = begun(Deal, rules, record)
    for seat, action in record["actions"]:
        assert deal.turn == seat
        deal.act(action)
    return deal


def takes_over(rules: RuleSet, last: Deal, following: dict[str, Any]) -> bool:
    """First drawer and, where cards or lots do not decide it, first leader (sections 8.1 and 8.5)."""
    if last.void:
        return following["first_drawer"] == last.record()["first_drawer"]
    before, drawer, leader = last.summary(), following["first_drawer"], following["leader"]
    if rules.first_lead_later == "last_place":
        return drawer == leader == before["places"].index(6)
    rotated = leader == (before["leader"] + 1) % SEATS
    return drawer == before["leader"] and (rotated or rules.first_lead_later != "rotate")


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_tribute_is_that_of_the_slow_referee(rules: RuleSet) -> None:
    """What comes before the first lead of each deal, by the oracle on the same hands."""
    paid = 0
    for record in [record for seed in range(4) for record in played(rules, 5, seed).records]:
        ours, slow = (begun(kind, rules, record) for kind in (Deal, OracleDeal))
        for _, action in record["actions"]:
            assert (ours.phase, ours.turn, ours.legal()) == (slow.phase, slow.turn, slow.legal())
            if ours.phase == "play":
                break
            ours.act(action)
            slow.act(action)
        assert ours.hands == slow.hands
        cards, same = ([event for event in deal.events if event["event"] == "tribute"] for deal in (ours, slow))
        assert cards == same and (not cards or record["previous"])
        paid += len(cards)
    assert (paid > 0) == (rules.tribute != "off")


def test_a_seed_is_a_match() -> None:
    rules = RuleSet.preset("qingdao")
    assert played(rules, 3, seed=5).records == played(rules, 3, seed=5).records
    assert played(rules, 1, seed=5).records != played(rules, 1, seed=6).records


# --- void deals

REBELS = ["KK65", "2A65", "QQ65", "sA65", "bA65", "2265"]  # seats 0 and 2 may revolt
BEFORE = {
    "places": [2, 6, 1, 3, 5, 4],
    "leader": 4,
    "opened": [True, False, False, False, False, True],
    "burns": [[1, 2], [0, 5]],
    "chokes": [[4, 3]],
}


@pytest.mark.parametrize("later", ["rotate", "threes", "fours", "last_place", "random"])
def test_a_void_deal_is_dealt_again_with_the_same_drawer_leader_rule_and_debts(later: str) -> None:
    rules = RuleSet.preset("kaidian").replace(first_lead_later=later, return_="same")
    last = Deal.from_dealt(rules, REBELS, leader=3, first_drawer=1, previous=BEFORE)
    last.act("revolt")
    last.act("revolt")
    again = Deal.after(last)
    record = again.record()
    assert (record["first_drawer"], record["previous"]) == (1, BEFORE)
    if later in ("rotate", "last_place"):
        assert record["leader"] == 3
    while again.phase == "revolt":
        again.act("pass")
    owed = [(payer, receiver) for payer, receiver, cards in debts("full", BEFORE) for _ in range(cards)]
    assert owed == [(2, 5), (3, 0), (1, 2), (0, 5), (4, 3), (1, 2), (1, 2)]
    tribute = [event for event in again.events if event["event"] == "tribute"]
    assert len(tribute) >= 4
    assert tribute == [event for event in begun(Deal, rules, record).events if event["event"] == "tribute"]


@pytest.mark.parametrize(
    ("first", "later", "number", "leaders"),
    [
        ("random", "rotate", 0, set(range(SEATS))),
        ("rotate", "random", 0, {3}),
        ("random", "rotate", 1, {3}),
        ("rotate", "random", 1, set(range(SEATS))),
    ],
)
def test_lots_are_drawn_again_for_a_void_deal(first: str, later: str, number: int, leaders: set[int]) -> None:
    rules = RuleSet.preset("qingdao").replace(first_lead=first, first_lead_later=later)
    last = Deal.from_dealt(rules, REBELS, leader=3, previous=BEFORE if number else None)
    last.act("revolt")
    last.act("revolt")
    found = set()
    for seed in range(60):
        row = last.row.copy()
        engine.deal_after(row, np.uint64(seed))
        found.add(first_seats(row)[1])
    assert found == leaders


def test_a_void_deal_does_not_count() -> None:
    match = Match(RuleSet.preset("qingdao"), 2, seed=0)
    match.deal = Deal.from_dealt(match.rules, REBELS, leader=2, first_drawer=2)
    for _ in range(2):
        match.act("revolt")
    assert (match.points, match.number, match.totals(), match.is_over) == ([], 0, (0, 0), False)
    assert [record["void"] for record in match.records] == [True]
    assert (match.deal.turn, match.turn) != (None, None)
    assert match.deal.record()["first_drawer"] == 2
    generator = Random(0)
    while match.turn is not None:
        match.act(choice(generator, match.legal()))
    assert (len(match.points), len(match.records)) == (2, 3)


# --- the first lead


def test_a_match_may_begin_with_any_seat() -> None:
    """rotate: "first deal as the match says (random in single deals)"; then cards decide nothing."""
    leaders = Counter(int(engine.turn(row)) for row in engine.new_rows(CLASSIC, SEEDS[:6000]))
    assert chisquare([leaders[seat] for seat in range(SEATS)]).pvalue > UNLIKELY


def test_random_leads_of_later_deals_are_even_whoever_led_before() -> None:
    rules = CLASSIC.replace(first_lead_later="random")
    table = np.zeros((SEATS, SEATS), int)
    for row in engine.new_rows(rules, SEEDS[:6000]):
        before = int(engine.turn(row))
        next_deals(row)
        table[before, int(engine.turn(row))] += 1
    assert chisquare(table.sum(axis=0)).pvalue > UNLIKELY
    assert chi2_contingency(table).pvalue > UNLIKELY


@engine.njit
def next_deals(row):  # type: ignore[no-untyped-def]
    """Play a deal to its end at random, and deal the next one of its match."""
    ids = np.empty(engine.ACTIONS, np.int16)
    streams = np.array([engine.deal_seed(row)], np.uint64)
    while not engine.is_over(row):
        engine.act(row, ids[engine.random_int(streams, 0, engine.legal(row, ids))])
    engine.next_of_match(row, 2)


DECKS = {"all": 16, "six": 6, "three": 3}


@pytest.mark.parametrize("copies", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("rule", ["threes", "fours"])
def test_the_first_lead_goes_to_who_shows_the_cards(rule: str, copies: int) -> None:
    """Against cards with suits dealt one by one: who leads, counted from the drawer, and what the hands hold then."""
    rules = CLASSIC.replace(first_lead=rule, deck={rule: copies})
    kind = THREE if rule == "threes" else FOUR
    rows = engine.new_rows(rules, SEEDS)
    ours = Counter(shown_in(row, kind) for row in rows)
    generator = np.random.default_rng(copies)
    slow = Counter(shown_slowly(generator, copies, rules.deck.size()) for _ in SEEDS)
    cells = [cell for cell in ours | slow if ours[cell] + slow[cell] >= 20]
    assert len(cells) > 15
    assert chi2_contingency([[ours[cell] for cell in cells], [slow[cell] for cell in cells]]).pvalue > UNLIKELY


def shown_in(row: npt.NDArray[np.int8], kind: int) -> tuple[int, int, int]:
    """Steps from the drawer (seat 0) to the leader, the cards of the kind he holds, and the most that another holds."""
    leader = int(engine.turn(row))
    held = [int(engine.hand(row, seat, kind)) for seat in range(SEATS)]
    return leader, held[leader], max(held[:leader] + held[leader + 1 :])


def shown_slowly(generator: np.random.Generator, copies: int, deck: int) -> tuple[int, int, int]:
    """The same at a table where the cards are dealt one by one."""
    seats = (np.sort(generator.choice(deck, copies, replace=False)) % SEATS).tolist()
    leader = leader_at_a_table(generator, seats)
    held = [seats.count(seat) for seat in range(SEATS)]
    return leader, held[leader], max(held[:leader] + held[leader + 1 :])


def leader_at_a_table(generator: np.random.Generator, seats: list[int]) -> int:
    """Who leads when the seats get 3s in this order; suits are spade, heart, club, diamond, spade, heart ..."""
    hands: list[list[int]] = [[] for _ in range(SEATS)]
    holder, shown = None, 0
    for seat, suit in zip(seats, generator.permutation([n % 4 for n in range(len(seats))]).tolist(), strict=True):
        hands[seat].append(suit)
        same_suit = hands[seat].count(suit)
        same_colour = sum(other % 2 == suit % 2 for other in hands[seat])
        if holder is None and same_colour == 2:
            holder, shown = seat, 2
        elif holder not in (None, seat) and same_suit > shown:
            holder, shown = seat, same_suit
    return 0 if holder is None else holder


@pytest.mark.parametrize("order", ["0000111122223333", "0123012301230123", "0001110002223333"])
def test_more_of_a_suit_than_was_shown_takes_the_lead_over(order: str) -> None:
    """One order in which the 3s come: what the holder draws later is not shown, so less takes over from him."""
    seats = [int(seat) for seat in order]
    pack = np.full(SEATS * len(seats), 5, np.int8)
    pack[[SEATS * number + seat for number, seat in enumerate(seats)]] = THREE
    ours = Counter(int(_first_shown(pack, len(pack), THREE, 16, 0, seed)) for seed in SEEDS)
    generator = np.random.default_rng(7)
    slow = Counter(leader_at_a_table(generator, seats) for _ in SEEDS)
    cells = sorted(ours | slow)
    assert len(cells) > 2
    assert chi2_contingency([[ours[seat] for seat in cells], [slow[seat] for seat in cells]]).pvalue > UNLIKELY


# --- the score sheet


def test_the_sheet_is_signed_or_has_no_minus() -> None:
    match = played(CLASSIC, 5, seed=2)
    assert any(first < 0 for first, _ in match.points) and any(first > 0 for first, _ in match.points)
    assert match.sheet() == match.points
    assert match.totals() == (sum(first for first, _ in match.points), sum(second for _, second in match.points))
    assert match.totals()[0] == -match.totals()[1] != 0
    match.rules = CLASSIC.replace(record="positive_only")
    sheet = [(max(first, 0), max(second, 0)) for first, second in match.points]
    assert match.sheet() == sheet
    assert match.totals() == (sum(first for first, _ in sheet), sum(second for _, second in sheet))


@pytest.mark.parametrize("record", ["signed", "positive_only"])
@pytest.mark.parametrize(("points", "winner"), [([2, 2, -6], 1), ([12, -2], 0), ([4, -4], None), ([0, 0], None)])
def test_the_winner_has_the_higher_total(points: list[int], winner: int | None, record: str) -> None:
    match = Match(CLASSIC.replace(record=record), len(points), seed=0)
    match.points = [(first, -first) for first in points[:-1]]
    assert match.winner is None  # one deal is still to be played
    match.points.append((points[-1], -points[-1]))
    assert match.winner == winner


# --- how it is asked


def test_a_match_speaks_of_the_deal_that_is_played() -> None:
    match = Match(CLASSIC, 2, seed=3)
    assert (match.turn, match.number, match.legal()) == (match.deal.turn, 0, match.deal.legal())
    assert match.view(4).hand == match.deal.hands[4]
    before = match.deal.record()
    with pytest.raises(IllegalAction):
        match.act("throw")
    assert (match.deal.record(), match.records) == (before, [])


def test_when_it_is_over_nobody_acts() -> None:
    match = played(CLASSIC, 2, seed=3)
    assert (match.turn, match.legal(), match.number) == (None, [], 1)
    with pytest.raises(IllegalAction, match="over"):
        match.act("pass")


@pytest.mark.parametrize("deals", [0, -1, 101])
def test_lengths_that_no_match_has(deals: int) -> None:
    for make in (
        lambda: Match(CLASSIC, deals, 0),
        lambda: raw_env(deals=deals),
        lambda: DealBatch(CLASSIC, 1, deals=deals),
    ):
        with pytest.raises(ValueError, match=f"deals {deals}"):
            make()


# --- the same match in the environment and in a batch


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_environment_and_batch_pay_what_the_match_does(rules: RuleSet) -> None:
    seed, deals = 21, 3
    match, generator = Match(rules, deals, seed), Random(seed)
    table = raw_env(rules, deals=deals)
    table.reset(seed=seed)
    batch = DealBatch(rules, 1, seeds=[seed], deals=deals)
    while match.turn is not None:
        assert match.turn == batch.turn[0] == table.possible_agents.index(table.agent_selection)
        assert np.array_equal(table.observe(table.agent_selection)["observation"], batch.observe()[0])
        assert np.array_equal(match.view(match.turn).observation(), batch.observe()[0])
        action, ended = choice(generator, match.legal()), len(match.records)
        match.act(action)
        rewards, done, points = acted(table, batch, action)
        assert done == (len(match.records) > ended)
        first = match.records[-1]["points"][0] if done else 0
        assert points == first
        assert rewards == {agent: float(first * (-1) ** seat) for seat, agent in enumerate(table.possible_agents)}
        assert all(table.terminations.values()) == any(table.terminations.values()) == match.is_over
    assert engine.deal_number(batch.rows[0]) == 0  # the batch has begun another match
    assert [np.array_equal(batch.rows[0], engine.new_rows(rules, [engine.deal_seed(batch.rows[0])])[0])] == [True]


def acted(table: Any, batch: DealBatch, action: str) -> tuple[dict[str, float], bool, int]:
    """One whole action in both: rewards of the environment; whether a deal ended in the batch, and its points."""
    for step in staged(action):
        if step == staged(action)[0] or engine.composing(batch.rows[0]):
            table.step(step)
            done, points = batch.step([step])
    return dict(table.rewards), bool(done[0]), int(points[0])
