"""Ratings in one fit, the bootstrap over shared deals, and verdicts corrected for many pairs."""

import math
import sys
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from agents.arena.ratings import ELO, ReportError, fit_ratings
from agents.arena.resampling import interval, resampled_totals
from agents.arena.results import PairResult
from agents.arena.significance import ALPHA, holm, p_value
from agents.arena.summary import cross, deals_needed

NAMES = ("ann", "bob", "cyd", "dan")


def pair(a: str, b: str, halves: Sequence[Sequence[int]], rules: str = "classic") -> PairResult:
    places = np.zeros((2, 6), np.int64)
    return PairResult(a, b, rules, np.array(halves, np.int8), places, (1, 1), (1.0, 1.0), (0, 0), (0, 0), [])


def played(a: str, b: str, won: int, drawn: int, lost: int, rules: str = "classic") -> PairResult:
    """A pair with so many duplicate deals won, drawn and lost by ``a``."""
    return pair(a, b, [(4, -2)] * won + [(6, -6)] * drawn + [(2, -4)] * lost, rules)


def simulated(elo: Sequence[float], deals: int, seed: int) -> list[PairResult]:
    """All pairs of players of known strength, a tenth of the deals drawn."""
    rng = np.random.default_rng(seed)
    pairs = []
    for i, j in combinations(range(len(elo)), 2):
        wins = rng.random(deals) < 1 / (1 + math.exp((elo[j] - elo[i]) / ELO))
        signs = np.where(wins, 1, -1)
        # Of the drawn deals as many are taken from either outcome as keeps the expected score.
        drawn = rng.random(deals) < 0.1
        lots = np.where(rng.random(deals) < 0.5, 0, signs)
        halves = np.stack((2 * signs, 2 * np.where(drawn, lots, signs)), axis=1)
        pairs.append(pair(NAMES[i], NAMES[j], halves))
    return pairs


def elo_of(pairs: list[PairResult], anchor: str | None = None) -> dict[str, float]:
    return {rating.lineup: rating.elo for rating in fit_ratings(resampled_totals(pairs, 2), anchor).ratings}


def test_known_strengths_are_found_again() -> None:
    strengths = (250.0, 60.0, -10.0, -300.0)
    table = fit_ratings(resampled_totals(simulated(strengths, 5000, seed=1), 2))
    assert [rating.lineup for rating in table.ratings] == list(NAMES)
    assert [rating.elo for rating in table.ratings] == pytest.approx(strengths, abs=12)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    strengths = (150.0, 50.0, -50.0, -150.0)
    held = []
    for seed in range(25):
        table = fit_ratings(resampled_totals(simulated(strengths, 150, seed), 80, seed))
        truth = dict(zip(NAMES, strengths, strict=True))
        held += [rating.low <= truth[rating.lineup] <= rating.high for rating in table.ratings]
    assert 0.9 <= np.mean(held) <= 0.99


def test_two_players_have_the_odds_of_their_deals() -> None:
    # 60 won and 20 drawn of 100, and one drawn deal more: 70.5 against 30.5.
    ratings = elo_of([played("ann", "bob", 60, 20, 20)])
    assert ratings["ann"] - ratings["bob"] == pytest.approx(400 * math.log10(70.5 / 30.5), abs=0.01)
    assert sum(ratings.values()) == pytest.approx(0, abs=1e-9)


def test_an_undefeated_player_has_a_finite_rating_with_an_interval() -> None:
    table = fit_ratings(resampled_totals([played("ann", "bob", 1000, 0, 0)], 50))
    ann, bob = table.ratings
    assert ann.elo - bob.elo == pytest.approx(400 * math.log10(1000.5 / 0.5), abs=0.01)
    assert ann.score == 1 and ann.low == pytest.approx(ann.high)


def test_tiers_part_those_from_whom_nothing_was_taken() -> None:
    beaten = [played("ann", "cyd", 9, 0, 0), played("bob", "cyd", 9, 0, 0)]
    assert fit_ratings(resampled_totals([played("ann", "bob", 5, 0, 3), *beaten], 2)).tiers == [
        [["ann", "bob"], ["cyd"]]
    ]
    assert fit_ratings(resampled_totals([played("ann", "bob", 5, 0, 0), *beaten], 2)).tiers == [
        [["ann"], ["bob"], ["cyd"]]
    ]
    linked = [played("ann", "bob", 5, 0, 0), played("ann", "cyd", 8, 1, 0), beaten[1]]
    assert fit_ratings(resampled_totals(linked, 2)).tiers == [[["ann", "bob", "cyd"]]]


def test_all_rule_sets_count_in_one_fit() -> None:
    both = [played("ann", "bob", 60, 0, 40), played("ann", "bob", 50, 0, 50, "qingdao")]
    ratings = elo_of(both)
    assert ratings["ann"] - ratings["bob"] == pytest.approx(400 * math.log10(110.5 / 90.5), abs=0.01)
    assert elo_of(both[1:])["ann"] == pytest.approx(0, abs=1e-6)


def test_neither_the_order_of_the_pairs_nor_of_the_players_matters() -> None:
    pairs = simulated((100.0, 0.0, 0.0, -100.0), 200, seed=3)
    turned = [result.mirrored() for result in reversed(pairs)]
    assert fit_ratings(resampled_totals(pairs, 20)) == fit_ratings(resampled_totals(turned, 20))


def test_the_same_seed_gives_the_same_ratings_and_another_other_intervals() -> None:
    pairs = simulated((100.0, 0.0), 50, seed=4)
    first, again, other = (fit_ratings(resampled_totals(pairs, 20, seed)).ratings[0] for seed in (5, 5, 6))
    assert first == again
    assert first.elo == other.elo and first.low != other.low


def test_an_anchor_has_0_and_no_interval() -> None:
    pairs = simulated((100.0, 0.0, -100.0), 300, seed=5)
    free = elo_of(pairs)
    table = fit_ratings(resampled_totals(pairs, 50), "cyd")
    cyd = table.ratings[-1]
    assert (cyd.lineup, cyd.elo) == ("cyd", 0) and math.isnan(cyd.low) and math.isnan(cyd.high)
    assert table.ratings[0].elo == pytest.approx(free["ann"] - free["cyd"])
    assert table.ratings[0].low < table.ratings[0].elo < table.ratings[0].high


def test_an_anchor_that_did_not_play_is_refused() -> None:
    with pytest.raises(ReportError, match="anchor: 'eve' played no other lineup; name one of ann, bob"):
        elo_of([played("ann", "bob", 1, 1, 1)], "eve")


def test_players_that_nothing_links_are_in_groups_of_their_own() -> None:
    pairs = [played("bob", "ann", 3, 0, 1), played("cyd", "dan", 1, 0, 9), played("eve", "dan", 5, 0, 5)]
    groups = fit_ratings(resampled_totals(pairs, 2), "ann").groups
    assert [[rating.lineup for rating in group] for group in groups] == [["dan", "eve", "cyd"], ["bob", "ann"]]
    assert sum(rating.elo for rating in groups[0]) == pytest.approx(0, abs=1e-9)
    assert groups[1][1].elo == 0


def test_a_player_against_its_copy_says_nothing_of_strength() -> None:
    pairs = [played("ann", "bob", 7, 0, 3)]
    assert elo_of([*pairs, played("ann", "ann", 9, 0, 1)]) == elo_of(pairs)


def test_a_single_deal_has_no_interval() -> None:
    assert all(math.isnan(r.low) for r in fit_ratings(resampled_totals([played("ann", "bob", 1, 0, 0)], 5)).ratings)


def test_without_choix_the_mend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(ReportError, match=r"pip install 'gouji-env\[arena\]'"):
        elo_of([played("ann", "bob", 1, 0, 0)])


def test_a_resample_draws_the_same_deals_for_every_pair() -> None:
    halves = np.random.default_rng(0).choice([-12, -4, 0, 4, 12], (200, 2))
    alike = resampled_totals([pair("ann", "bob", halves), pair("ann", "cyd", halves)], 100)
    assert (alike.points[:, 0] == alike.points[:, 1]).all() and alike.points[1:, 0].std() > 0
    # What is won from one is lost to the other: the mean over both is known exactly.
    table = cross(resampled_totals([pair("ann", "bob", halves), pair("ann", "cyd", -halves)], 100), list(NAMES[:3]))
    assert table.low[0, 1] < table.points[0, 1] < table.high[0, 1]
    assert (table.mean[0], table.mean_low[0], table.mean_high[0]) == (0, 0, 0)


def test_a_pair_with_fewer_deals_takes_part_with_those_it_has() -> None:
    totals = resampled_totals([played("ann", "bob", 60, 0, 40), played("ann", "cyd", 10, 0, 0)], 300)
    assert totals.deals[0].tolist() == [100, 10]
    assert set(totals.deals[1:, 0]) == {100} and totals.deals[1:, 1].mean() == pytest.approx(10, abs=1)


def test_bootstrap_intervals_have_the_width_of_theory() -> None:
    halves = np.random.default_rng(1).choice([-2, 2], (400, 1)).repeat(2, axis=1)
    low, high = interval(resampled_totals([pair("ann", "bob", halves)]).points[1:] / 400)
    assert (high - low)[0] == pytest.approx(2 * 1.96 * 2 / math.sqrt(400), rel=0.1)


def test_holm_by_hand() -> None:
    # In order 0.005 * 4, 0.01 * 3, 0.03 * 2, and 0.04 * 1, which may not be less than the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]


def test_p_values_without_spread() -> None:
    assert p_value(np.array([3.0])) == p_value(np.zeros(50)) == 1.0
    assert p_value(np.full(6, -12.0)) == 2 * 0.5**6


def test_equal_players_are_seldom_told_apart_anywhere_in_a_table() -> None:
    rng = np.random.default_rng(2)
    deal_means = rng.choice([-12, -4, -1, 0, 1, 4, 12], (100, 6, 60)).astype(np.float64)
    wrong = [min(holm([p_value(sample) for sample in table])) <= ALPHA for table in deal_means]
    assert 0 < np.mean(wrong) < 0.12  # uncorrected: 0.26


def test_deals_needed_for_an_interval() -> None:
    assert deals_needed(5.0, 0.1) == math.ceil((1.959964 * 50) ** 2)
    assert deals_needed(0.0, 0.1) == 2  # an interval takes two deals
    assert deals_needed(math.nan, 0.1) is None
