"""The sequential test: its error rates hold, and it comes to the right decision on real duels."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.arena.sequential import BATCH, SequentialTest, SequentialTestError, Verdict, until_decided

sys.path.append(str(Path(__file__).parent.parent / "experiments" / "statistics"))
from sequential_simulation import deal_points, lopsided, simulate  # a study, no package

DEALS = {
    "independent halves": lambda mean: deal_points(0, mean),
    "cards count": lambda mean: deal_points(0.5, mean),
    "alike in 95 of 100 deals": lambda mean: deal_points(0.95, mean),
    "alike in 995 of 1000 deals": lambda mean: deal_points(0.995, mean),
    "lopsided": lopsided,
    "lopsided the other way": lambda mean: (-lopsided(-mean)[0], lopsided(-mean)[1]),
}
RUNS = 2000


@pytest.mark.parametrize("margin", [0.1, 0.2, 1.0])
@pytest.mark.parametrize("deals", DEALS)
def test_its_error_rates_hold(deals: str, margin: float) -> None:
    test = SequentialTest(margin)
    better, _, _ = simulate(test, *DEALS[deals](0), RUNS, 100_000, 1)
    _, not_better, _ = simulate(test, *DEALS[deals](margin), RUNS, 100_000, 2)
    assert better <= 0.05 and not_better <= 0.05


@pytest.mark.parametrize(("alpha", "beta"), [(0.01, 0.2), (0.2, 0.01)])
def test_the_rates_are_those_that_were_asked_for(alpha: float, beta: float) -> None:
    """Neither exceeded nor far from reached; the overshoot of the last batch is what is lost."""
    test = SequentialTest(0.2, alpha, beta)
    better, _, _ = simulate(test, *DEALS["cards count"](0), RUNS, 100_000, 3)
    _, not_better, _ = simulate(test, *DEALS["cards count"](0.2), RUNS, 100_000, 4)
    assert alpha / 5 < better <= alpha
    assert beta / 5 < not_better <= beta


class Plain(SequentialTest):
    """With the variance as the deals played have it."""

    def llr(self, deals, total, squares):
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.margin * (total - deals * self.margin / 2) / (squares / deals - (total / deals) ** 2)


class Halved(SequentialTest):
    """Taking the halves of a deal for deals of their own."""

    def llr(self, deals, total, squares):
        return 2 * super().llr(deals, total, squares)


def test_the_simulation_finds_tests_that_err() -> None:
    _, wrong, _ = simulate(Plain(0.2), *DEALS["alike in 995 of 1000 deals"](0.2), RUNS, 100_000, 2)
    assert wrong > 0.1
    wrong, _, _ = simulate(Halved(0.2), *DEALS["independent halves"](0), RUNS, 100_000, 1)
    assert wrong > 0.08


def test_it_takes_fewer_deals_the_clearer_the_case() -> None:
    test = SequentialTest(0.2)
    taken = [simulate(test, *DEALS["cards count"](mean), 500, 100_000, 5)[2] for mean in (-1, -0.2, 0.1, 0.4, 1)]
    assert taken[0] < taken[1] < taken[2] > taken[3] > taken[4] >= BATCH
    # As many deals, fixed beforehand, as give the same error rates: both quantiles, 1.645, over the margin, squared.
    points, shares = DEALS["cards count"](0)
    fixed = (2 * 1.645 / 0.2) ** 2 * (shares @ points**2)
    assert taken[1] < fixed / 2


def test_bounds_and_ratio_by_hand() -> None:
    test = SequentialTest(0.5, alpha=0.05, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.05)) and test.lower == pytest.approx(math.log(0.1 / 0.95))
    # 94 deals with points of -2 and 2 by turns: sum 0, squares 376; with the six sweeps a variance of 1240 / 100.
    assert test.llr(94, 0.0, 376.0) == pytest.approx(-0.5 * 94 * 0.25 / 12.4)
    assert [test.decision(llr) for llr in (test.upper, 0, test.lower)] == ["better", "undecided", "not better"]


def played(mean: float, told: list[tuple[int, int]]):
    """Halves of deals by number, as ``until_decided`` asks for them."""
    points = np.random.default_rng(0).choice([-2, 0, 2], size=(1000, 2)) + mean

    def play(start: int, stop: int) -> np.ndarray:
        told.append((start, stop))
        return points[start:stop].astype(np.int8)

    return play


def test_it_looks_after_every_batch_and_stops_when_decided() -> None:
    told: list[tuple[int, int]] = []
    seen: list[Verdict] = []
    verdict = until_decided(SequentialTest(1.0), 1000, played(2, told), seen.append)
    assert verdict.decision == "better" and told == [(0, BATCH)] and [one.llr for one in seen] == [verdict.llr]
    points = verdict.halves.mean(axis=1)
    assert verdict.llr == verdict.test.llr(BATCH, points.sum(), (points**2).sum())
    told.clear()
    assert until_decided(SequentialTest(1.0), 1000, played(-2, told)).decision == "not better" and len(told) == 1


def test_it_is_undecided_where_the_deals_run_out() -> None:
    told: list[tuple[int, int]] = []
    verdict = until_decided(SequentialTest(0.01), 250, played(0, told))
    assert verdict.decision == "undecided" and len(verdict.halves) == 250
    assert told == [(0, 100), (100, 200), (200, 250)]
    assert verdict.summary()["decision"] == "undecided"


def test_agents_without_any_difference_are_found_out() -> None:
    verdict = until_decided(SequentialTest(0.2), 10_000, lambda start, stop: np.zeros((stop - start, 2), np.int8))
    assert verdict.decision == "not better" and len(verdict.halves) == 400


@pytest.mark.parametrize(
    ("margin", "alpha", "beta", "named"),
    [
        (0, 0.05, 0.05, "margin: 0"),
        (-1, 0.05, 0.05, "margin: -1"),
        (math.nan, 0.05, 0.05, "margin: nan"),
        (13, 0.05, 0.05, "margin: 13"),
        (0.2, 0, 0.05, "alpha: 0"),
        (0.2, 0.05, 0.5, "beta: 0.5"),
    ],
)
def test_bad_numbers_are_refused(margin: float, alpha: float, beta: float, named: str) -> None:
    with pytest.raises(SequentialTestError, match=named):
        SequentialTest(margin, alpha, beta)
