"""Fresh deals: what is dealt, who leads first, seeds, and rows that are put together by hand."""

from collections import Counter

import numpy as np
import pytest
from core_support import THREE_RULE_SETS, Row, hand_of, legal_codes, short_deal

from gouji_env import Deal, DealBatch, RuleSet, engine
from gouji_env.cards import KINDS, SEATS, parse_hand
from gouji_env.rules import PRESETS


def hands_of(row: Row) -> np.ndarray:
    return np.array([hand_of(row, seat) for seat in range(SEATS)])


# --- dealing


@pytest.mark.parametrize("name", THREE_RULE_SETS)
def test_the_whole_pack_is_dealt(name: str) -> None:
    rules = RuleSet.preset(name)
    for seed in range(50):
        hands = hands_of(Deal.new(rules, seed).row)
        assert hands.sum(axis=1).tolist() == [36] * SEATS
        assert hands.sum(axis=0).tolist() == list(rules.deck.counts())


@pytest.mark.parametrize(
    ("deck", "sizes"),
    [({"threes": 6, "fours": 6}, [33, 33, 33, 33, 32, 32]), ({"threes": 0, "fours": 4}, [32, 32, 31, 31, 31, 31])],
)
def test_smaller_packs_are_dealt_from_the_first_drawer_on(deck: dict[str, int], sizes: list[int]) -> None:
    rules = RuleSet.preset("classic").replace(deck=deck)
    deal = Deal.new(rules, 5)
    assert [len(hand) for hand in deal.hands] == sizes
    assert Counter("".join(deal.hands)) == {k: n for k, n in zip(KINDS, rules.deck.counts(), strict=True) if n}


def test_every_seat_gets_every_card_as_often() -> None:
    """Over 3,000 deals each mean is within five standard errors of a sixth of the copies."""
    rows = engine.new_rows(RuleSet.preset("classic"), np.arange(3000, dtype=np.uint64))
    hands = np.array([hands_of(row) for row in rows])
    copies = np.array(RuleSet.preset("classic").deck.counts())
    spread = np.sqrt(copies * (1 / 6) * (5 / 6) * (216 - copies) / 215)
    assert (np.abs(hands.mean(axis=0) - copies / 6) < 5 * spread / np.sqrt(len(rows))).all()
    first_leads = np.bincount([Deal.new(RuleSet.preset("classic"), seed).turn for seed in range(3000)])
    assert (np.abs(first_leads - 500) < 5 * np.sqrt(3000 * 5 / 36)).all()


@pytest.mark.parametrize(("first_lead", "card"), [("threes", "3"), ("fours", "4")])
def test_who_shows_two_of_one_colour_leads(first_lead: str, card: str) -> None:
    rules = RuleSet.preset("classic").replace(first_lead=first_lead)
    leaders = Counter()
    for seed in range(300):
        deal = Deal.new(rules, seed)
        assert deal.turn is not None and deal.hands[deal.turn].count(card) >= 2
        leaders[deal.turn] += 1
    assert set(leaders) == set(range(SEATS))


def test_first_drawer_leads_if_nobody_can_show() -> None:
    rules = RuleSet.preset("classic").replace(first_lead="threes", deck={"threes": 1})
    assert {Deal.new(rules, seed).turn for seed in range(50)} == {0}


# --- seeds

SEEDS = [0, 1, 77, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


@pytest.mark.parametrize("name", THREE_RULE_SETS)
def test_a_seed_is_one_deal_everywhere(name: str) -> None:
    rules = RuleSet.preset(name)
    rows = engine.new_rows(rules, np.array(SEEDS, np.uint64))
    batch = DealBatch(rules, len(SEEDS), seeds=SEEDS, evaluation=True)
    for i, seed in enumerate(SEEDS):
        row = engine.rules_row(rules)
        engine.deal_row(row, np.uint64(seed))
        assert int(engine.deal_seed(row)) == seed
        for other in (rows[i], batch.rows[i], Deal.new(rules, seed).row):
            assert np.array_equal(row, other)
    assert len({row.tobytes() for row in rows}) == len(SEEDS)


@pytest.mark.parametrize("name", PRESETS[3:])
def test_a_seed_is_one_deal_where_cards_are_bought(name: str) -> None:
    rules = RuleSet.preset(name)
    for seed, row in enumerate(engine.new_rows(rules, np.arange(30, dtype=np.uint64))):
        deal = Deal.new(rules, seed)
        assert np.array_equal(hands_of(row), hands_of(deal.row))
        assert engine.turn(row) == deal.turn
        for seat in range(SEATS):
            shown, other = np.empty(engine.OBSERVATION, np.int8), np.empty(engine.OBSERVATION, np.int8)
            engine.observe(row, seat, shown)
            engine.observe(deal.row, seat, other)
            assert np.array_equal(shown, other)


def test_next_deal_is_a_deal_of_its_own_seed() -> None:
    rules = RuleSet.preset("qingdao")
    row = Deal.new(rules, 3).row
    seeds = set()
    for _ in range(200):
        for code in (legal_codes(row)[0], legal_codes(row)[-1]):
            engine.act_whole(row, code)
        engine.next_deal(row)
        seed = int(engine.deal_seed(row))
        assert np.array_equal(row, Deal.new(rules, seed).row)
        seeds.add(seed)
    assert len(seeds) == 200


def test_training_never_meets_an_evaluation_seed() -> None:
    rules = RuleSet.preset("classic")
    assert engine.EVALUATION_BIT == 1 << 63
    for seeds in (range(64), range(1 << 63, (1 << 63) + 64)):
        rows = engine.new_rows(rules, np.array(seeds, np.uint64))
        for row in rows:
            for _ in range(20):
                engine.next_deal(row)
                assert (int(engine.deal_seed(row)) >= 1 << 63) == (seeds[0] >= 1 << 63)
    assert all(int(engine.deal_seed(row)) < 1 << 63 for row in DealBatch(rules, 256, seed=9).rows)


# --- rows put together by hand


def blank_with(rules: RuleSet, hands: list[str], first_drawer: int, leader: int) -> Row:
    row = engine.rules_row(rules)
    engine.set_hands(row, [parse_hand(hand) for hand in hands], first_drawer, leader)
    return row


def test_a_position_is_rules_hands_and_a_lead() -> None:
    rules, hands = RuleSet.preset("kaidian"), ["s22JJJJ544", "65", "7", "8", "9", "T"]
    row = blank_with(rules, hands, 0, 2)
    assert engine.turn(row) == 0 and legal_codes(engine.rules_row(rules)) == []
    engine.start_play(row)
    assert np.array_equal(row, Deal.from_hands(rules, hands, 2).row)
    assert (engine.turn(row), engine.owner(row)) == (2, -1)


def test_a_dealt_position_goes_through_what_comes_before_the_first_lead() -> None:
    rules, hands = RuleSet.preset("qingdao"), ["665", "2543", "A54", "2543", "2543", "2543"]
    row = blank_with(rules, hands, 1, 4)
    engine.start_setup(row)
    engine.run_setup(row)
    assert np.array_equal(row, Deal.from_dealt(rules, hands, 4, first_drawer=1).row)
    assert engine.turn(row) == 2


def test_void_deals() -> None:
    found = Counter()
    for seed in range(300):
        deal = short_deal(seed, revolution=True, tribute="off")
        while deal.turn is not None:
            assert not engine.is_void(deal.row)
            legal = deal.legal()
            deal.act("revolt" if "revolt" in legal else legal[0])
        assert bool(engine.is_void(deal.row)) == deal.void
        found[deal.void] += 1
    assert min(found.values()) > 20
