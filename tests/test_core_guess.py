"""Guessed hands: they fit what the seat knows, they differ, and they play on to the end."""

from collections import Counter
from math import comb
from random import Random

import numpy as np
import pytest
from core_support import PLAYERS, Row, hand_of, random_rules, short_deal

from gouji_env import Deal, Match, RuleSet, engine
from gouji_env.cards import BIG, KIND_COUNT, KINDS, SEATS, SMALL, TWO
from gouji_env.rules import PRESETS


def guess(deal: Deal, seed: int) -> Row:
    """The deciding seat's view with the rest guessed."""
    assert deal.turn is not None
    row = deal.view(deal.turn).row
    engine.guess_hands(row, deal.turn, np.array([seed], np.uint64), 0)
    return row


def hidden(row: Row, seat: int) -> Row:
    out = np.empty(engine.ROW, np.int8)
    engine.hide(row, seat, out)
    return out


def check(deal: Deal, seed: int, seen: Counter) -> None:
    """What holds for every guess."""
    seat = deal.turn
    assert seat is not None
    row, view = guess(deal, seed), deal.view(seat).row
    assert np.array_equal(hidden(row, seat), view)
    again = deal.row.copy()  # from the referee's row as well, and nothing hidden in it is read
    engine.guess_hands(again, seat, np.array([seed], np.uint64), 0)
    assert [hand_of(again, other) for other in range(SEATS)] == [hand_of(row, other) for other in range(SEATS)]
    cards = np.zeros(KIND_COUNT, int)
    for other in range(SEATS):
        held, shown = hand_of(row, other), [engine.played(row, other, kind) for kind in range(KIND_COUNT)]
        assert min(held) >= 0 and sum(held) == engine.cards_held(row, other)
        cards += np.add(held, shown)
        for kind in range(KIND_COUNT if engine.live(row, other) else 0):
            assert held[kind] + shown[kind] >= engine.known_cards(row, other, kind)
    gone = np.array(deal.rules.deck.counts()) - cards
    assert gone.min() >= 0
    events = {event["event"] for event in deal.events}
    if "revolt" not in events and "fail" not in events and deal.record()["seed"] is not None:
        assert not gone.any()
    seen[deal.phase] += 1
    seen["other"] += any(hand_of(row, other) != hand_of(deal.row, other) for other in range(SEATS))
    seen["on duty"] += any(engine.on_duty(row, other) for other in range(SEATS) if other != seat)
    seen["revolt"] += "revolt" in events
    seen["fail"] += "fail" in events
    play_on(row, seed)


def play_on(row: Row, seed: int) -> None:
    ids, streams = np.empty(engine.ACTIONS, np.int16), np.array([seed], np.uint64)
    while engine.turn(row) >= 0:
        count = engine.legal(row, ids)
        assert count > 0
        engine.act(row, ids[engine.random_int(streams, 0, count)])
    if not engine.is_void(row):
        assert sorted(engine.place(row, seat) for seat in range(SEATS)) == [1, 2, 3, 4, 5, 6]


def play_and_check(deal: Deal, generator: Random, rate: float, seen: Counter) -> None:
    player = generator.choice(PLAYERS)
    while deal.turn is not None:
        if deal.phase != "play" or generator.random() < rate:
            check(deal, generator.randrange(1 << 60), seen)
        deal.act(player(generator, deal.legal()))


@pytest.mark.parametrize("name", PRESETS)
def test_guesses_of_full_deals_fit_and_play_on(name: str) -> None:
    seen = Counter()
    for seed in range(8):
        play_and_check(Deal.new(RuleSet.preset(name), seed), Random(seed), 0.2, seen)
    assert seen["play"] > 100 and seen["other"] > 90


def test_guesses_under_random_switches_fit_and_play_on() -> None:
    seen = Counter()
    for seed in range(100):
        play_and_check(short_deal(seed), Random(seed), 0.3, seen)
    assert min(seen[what] for what in ("play", "revolt", "fail", "renounce", "return", "accept")) > 0
    assert seen["other"] > 800


def test_guesses_in_matches_fit_and_play_on() -> None:
    """Bought cards, tribute and its return."""
    seen = Counter()
    for seed in range(12):
        generator = Random(seed)
        match = Match(random_rules(generator, revolution=True), 3, seed)
        player = generator.choice(PLAYERS)
        while not match.is_over:
            if match.deal.phase != "play" or generator.random() < 0.03:
                check(match.deal, generator.randrange(1 << 60), seen)
            match.act(player(generator, match.legal()))
    assert min(seen[what] for what in ("play", "revolt", "return")) > 0


def test_every_way_to_deal_the_unseen_cards_is_equally_likely() -> None:
    """Big jokers in one hidden hand follow the hypergeometric distribution."""
    deal, draws = Deal.new(RuleSet.preset("classic"), 3), 3000
    assert deal.turn is not None
    other = (deal.turn + 1) % SEATS
    unseen = sum(np.array(hand_of(deal.row, seat)) for seat in range(SEATS) if seat != deal.turn)
    total, jokers, held = int(unseen.sum()), int(unseen[BIG]), int(engine.cards_held(deal.row, other))
    counts = Counter(hand_of(guess(deal, seed), other)[BIG] for seed in range(draws))
    assert jokers >= 3
    for many in range(jokers + 1):
        chance = comb(jokers, many) * comb(total - jokers, held - many) / comb(total, held)
        assert abs(counts[many] - draws * chance) < 5 * np.sqrt(draws * chance * (1 - chance)) + 1


def in_play(row: Row, kind: int) -> int:
    """Cards of a kind in hands and shown."""
    return sum(int(engine.hand(row, seat, kind) + engine.played(row, seat, kind)) for seat in range(SEATS))


def test_a_revolutionary_had_no_joker_and_no_2() -> None:
    rules = RuleSet.preset("qingdao")
    deal = next(deal for deal in (Deal.new(rules, seed) for seed in range(1000)) if deal.phase == "revolt")
    deal.act("revolt")
    while deal.phase != "play":
        deal.act(deal.legal()[0])
    for seed in range(30):
        row = guess(deal, seed)
        assert [in_play(row, kind) for kind in (TWO, SMALL, BIG)] == [16, 4, 4]
        assert sum(in_play(row, kind) for kind in range(KIND_COUNT)) == 5 * 36


def test_who_failed_had_no_joker() -> None:
    failed = 0
    for seed in range(20):
        deal, generator = Deal.new(RuleSet.preset("classic"), seed), Random(seed)
        while deal.turn is not None:
            if sum(event["event"] == "fail" for event in deal.events) and generator.random() < 0.2:
                row = guess(deal, seed)
                assert [in_play(row, kind) for kind in (SMALL, BIG)] == [4, 4]
                failed += 1
            deal.act(PLAYERS[0](generator, deal.legal()))
    assert failed > 50


def test_after_buying_everybody_has_what_was_sold() -> None:
    """Six 3s and six 4s: each seat ends up with one of both, whoever was dealt more."""
    for seed in range(20):
        deal = Deal.new(RuleSet.preset("kaidian"), seed)
        while deal.phase != "play":
            deal.act("pass")
        own = [hand_of(deal.row, seat)[:2] for seat in range(SEATS)]
        guessed = guess(deal, seed)
        if all(min(held) > 0 for held in own):
            assert [hand_of(guessed, seat)[:2] for seat in range(SEATS)] == own


def test_natural_points_follow_from_the_guessed_hands() -> None:
    """Who can be led 4s one by one was dealt no pure gouji group (section 7)."""
    fewest = dict(zip("TJQKA", (5, 4, 3, 2, 2), strict=True))
    natural = 0
    for seed in range(300):
        deal = Deal.new(RuleSet.preset("classic").replace(open_four=True), seed)
        row = guess(deal, seed)
        for other in range(SEATS):
            pure = any(hand_of(row, other)[KINDS.index(rank)] >= least for rank, least in fewest.items())
            assert engine.fours_restricted(row, other) == pure
            natural += not pure and other != deal.turn
    assert natural > 5


def test_a_burner_is_on_duty_unless_the_guess_exempts_him() -> None:
    """Seat 0 led two aces, and seat 1 burned them; now seat 3 guesses what seat 1 has left."""
    hands = ["AA3", "22KK", "3", "sb54", "3", "3"]
    deal = Deal.from_hands(RuleSet.preset("classic"), hands, 0)
    deal.act("AA")
    deal.act("22")
    while deal.turn not in (None, 3):
        deal.act("pass")
    assert deal.turn is not None
    seen = Counter()
    for seed in range(200):
        row = guess(deal, seed)
        ranks = {kind for kind, count in enumerate(hand_of(row, 1)) if count and kind < TWO}
        one_set = len(ranks) < 2
        assert bool(engine.on_duty(row, 1)) != one_set
        seen[one_set] += 1
    assert min(seen[True], seen[False]) > 5


def test_hands_that_a_partner_sees_stay() -> None:
    for seed in range(20):
        deal = short_deal(seed, partner_view="le10")
        if deal.turn is not None:
            row = guess(deal, seed)
            for partner in ((deal.turn + 2) % SEATS, (deal.turn + 4) % SEATS):
                assert hand_of(row, partner) == hand_of(deal.row, partner)
