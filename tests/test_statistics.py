"""How many deals buy which interval, and what playing them twice is worth."""

import math

import numpy as np
import pytest

from agents.arena.statistics import deal_deviation, deals_needed, mean_interval, variance_ratio

NOTHING = np.zeros((1, 2), np.int8)


def test_the_deals_needed_give_the_interval() -> None:
    rng = np.random.default_rng(3)
    halves = rng.choice([-12, -6, -4, -2, 0, 2, 4, 6, 12], size=(4000, 2)).astype(np.int8)
    needed = deals_needed(deal_deviation(halves), 0.2)
    assert needed is not None
    fresh = rng.choice([-12, -6, -4, -2, 0, 2, 4, 6, 12], size=(needed, 2)).mean(axis=1)
    low, high = mean_interval(fresh, 0)
    assert (high - low) / 2 == pytest.approx(0.2, rel=0.08)


def test_deals_needed_by_hand() -> None:
    assert deal_deviation(np.array([[4, 0], [0, 0], [-2, -2]], np.int8)) == 2
    assert [deals_needed(2, width) for width in (0.5, 0.2, 0.1)] == [62, 385, 1537]
    assert deals_needed(0, 0.1) == 2
    assert math.isnan(deal_deviation(NOTHING)) and deals_needed(math.nan, 0.1) is None


def test_the_variance_ratio_is_what_playing_again_with_swapped_sides_saves() -> None:
    rng = np.random.default_rng(4)
    luck, chance = rng.normal(0, 4, (100_000, 1)), rng.normal(0, 2, (100_000, 2))
    assert variance_ratio(np.rint(chance).astype(np.int8)) == pytest.approx(1, rel=0.02)
    # A deal's luck cancels out: of the variance 16 + 4 of a half only the 4 are left in the mean of two, halved.
    assert variance_ratio(np.rint(luck * [1, -1] + chance).astype(np.int8)) == pytest.approx(5, rel=0.05)
    assert math.isnan(variance_ratio(NOTHING))
    assert math.isnan(variance_ratio(np.array([[4, -4], [-2, 2]], np.int8)))
