"""What holds in every deal: cards, places, points, copies, size of the state."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from core_runs import advance
from core_support import Row, deals, hand_of, play_some, short_deal

from gouji_env import Deal, DealBatch, RuleSet, engine
from gouji_env.cards import KIND_COUNT, SEATS

MIB = 1 << 20
PLACE_POINTS = {1: 4, 2: 2, 3: 0, 4: 0, 5: -2, 6: -4}


def shown_by(row: Row, seat: int) -> list[int]:
    return [engine.played(row, seat, kind) for kind in range(KIND_COUNT)]


def cards(row: Row, read: Callable[[Row, int], list[int]]) -> Any:
    return np.array([read(row, seat) for seat in range(SEATS)])


# --- cards, places, points


def test_cards_are_conserved() -> None:
    """A card goes from a hand to what its seat has shown. Only who fails or revolts takes cards away unseen."""
    lost = 0
    for deal, generator in deals(full=10, short=300):
        hands, shown = cards(deal.row, hand_of), cards(deal.row, shown_by)
        assert not shown.any()
        while deal.turn is not None:
            events, before = len(deal.events), deal.phase
            play_some(deal, generator, 1)
            new_hands, new_shown = cards(deal.row, hand_of), cards(deal.row, shown_by)
            if before != "play":  # cards change hands
                hands, shown = new_hands, new_shown
                continue
            assert min(new_hands.min(), (hands - new_hands).min(), (new_shown - shown).min()) >= 0
            gone = hands - new_hands - (new_shown - shown)
            void = {event["seat"] for event in deal.events[events:] if event["event"] in ("fail", "revolt")}
            assert {seat for seat in range(SEATS) if gone[seat].any()} <= void
            assert deal.void or not any(new_hands[seat].any() for seat in void)
            assert new_hands.sum(axis=1).tolist() == [engine.cards_held(deal.row, seat) for seat in range(SEATS)]
            hands, shown = new_hands, new_shown
            lost += bool(void)
    assert lost > 50


def test_places_and_points() -> None:
    totals = Counter()
    for deal, generator in deals(full=40, short=800):
        play_some(deal, generator, 10_000)
        assert deal.points is not None and sum(deal.points) == 0
        if deal.void:
            assert deal.points == (0, 0)
            continue
        places = [place or 0 for place in deal.places]
        assert sorted(places) == [1, 2, 3, 4, 5, 6]
        even = {places[0], places[2], places[4]}
        double = 2 if even in ({1, 2, 3}, {4, 5, 6}) else 1
        assert deal.points[0] == engine.points(deal.row) == double * sum(PLACE_POINTS[place] for place in even)
        totals[deal.points[0]] += 1
    assert set(totals) == {0, 2, -2, 4, -4, 6, -6, 12, -12}


def test_both_ends_give_the_sides_the_same_points() -> None:
    """Section 6: `end: side` stops where nothing can change any more."""
    for seed in range(300):
        one, side = (short_deal(seed, end=end) for end in ("one", "side"))
        generator = Random(seed)
        while side.turn is not None:
            action = generator.choice(side.legal())
            assert side.legal() == one.legal()
            side.act(action)
            one.act(action)
        play_some(one, generator, 10_000)
        assert one.points == side.points


# --- copies


@pytest.mark.parametrize("copied", [Deal.copy, copy.copy, copy.deepcopy, lambda deal: pickle.loads(pickle.dumps(deal))])
def test_a_copy_goes_on_as_the_deal_would_have(copied: Callable[[Deal], Deal]) -> None:
    for seed, steps in ((1, 0), (2, 30), (3, 70)):
        deal = Deal.new(RuleSet.preset("qingdao"), seed)
        play_some(deal, Random(seed), steps)
        other = copied(deal)
        play_some(other, Random(9), 10_000)
        play_some(deal, Random(9), 10_000)
        assert np.array_equal(other.row, deal.row)
        assert (other.record(), other.events, other.points) == (deal.record(), deal.events, deal.points)


def test_a_copy_is_independent() -> None:
    deal = Deal.new(RuleSet.preset("classic"), 4)
    play_some(deal, Random(4), 20)
    before = deal.row.copy(), deal.events, deal.record(), deal.legal()
    play_some(deal.copy(), Random(5), 50)
    assert np.array_equal(deal.row, before[0])
    assert (deal.events, deal.record(), deal.legal()) == before[1:]


def test_a_row_is_the_whole_state() -> None:
    rows = engine.new_rows(RuleSet.preset("yang2004"), np.arange(8, dtype=np.uint64))
    streams = np.arange(8, dtype=np.uint64)
    advance(rows, streams, 60)
    saved = rows.copy(), streams.copy()
    advance(rows, streams, 5000)
    assert not np.array_equal(rows, saved[0])
    advance(*saved, 5000)
    assert np.array_equal(rows, saved[0]) and np.array_equal(streams, saved[1])


# --- size


def test_state_is_small() -> None:
    batch = DealBatch(RuleSet.preset("classic"), 1024)
    assert batch.rows.nbytes < 2 * MIB
    assert len(pickle.dumps(batch)) < 2 * MIB
