"""Points of duplicate deals as they are played, with any true mean; and many sequential tests on them at once."""

import numpy as np
import numpy.typing as npt

from agents.arena.sequential import BATCH, SequentialTest

Floats = npt.NDArray[np.float64]

# How often a half brings these points between two equal players under classic, measured with `random`.
STEPS = np.array([-12, -6, -4, -2, 0, 2, 4, 6, 12], float)
SHARES = np.array([0.041, 0.050, 0.104, 0.200, 0.210, 0.200, 0.104, 0.050, 0.041])


def deal_points(alike: float, mean: float) -> tuple[Floats, Floats]:
    """The points that a deal can bring and how likely they are.

    ``alike``: the share of deals whose second half is the first one the other way round, as between players that do
    the same; ``mean``: the true points per deal, reached by tilting the shares exponentially.
    """
    halves = (1 - alike) * np.outer(SHARES, SHARES) + alike * np.diag(SHARES)[:, ::-1]
    points, place = np.unique(np.add.outer(STEPS, STEPS) / 2, return_inverse=True)
    return points, tilted(points, np.bincount(place.ravel(), halves.ravel()), mean)


def lopsided(mean: float) -> tuple[Floats, Floats]:
    """Deals that mostly bring nothing, sometimes a little to one and rarely very much to the other."""
    points = np.array([-12.0, 0, 2])
    return points, tilted(points, np.array([0.01, 0.93, 0.06]), mean)


def tilted(points: Floats, shares: Floats, mean: float) -> Floats:
    """Shares in proportion to ``shares * exp(t * points)``, with t such that they have this mean."""
    low, high = -4.0, 4.0
    for _ in range(100):
        t = (low + high) / 2
        weights = shares * np.exp(t * points)
        weights /= weights.sum()
        low, high = (t, high) if weights @ points < mean else (low, t)
    return weights


def simulate(
    test: SequentialTest, points: Floats, shares: Floats, runs: int, deals: int, seed: int
) -> tuple[float, float, float]:
    """The shares of ``runs`` tests that end in better and in not better, and the mean number of deals they take."""
    rng = np.random.default_rng(seed)
    total, squares = np.zeros(runs), np.zeros(runs)
    better = not_better = taken = 0
    for played in range(BATCH, deals + 1, BATCH):
        counts = rng.multinomial(BATCH, shares, size=len(total))
        total, squares = total + counts @ points, squares + counts @ points**2
        llr = test.llr(played, total, squares)
        better += int((llr >= test.upper).sum())
        not_better += int((llr <= test.lower).sum())
        taken += BATCH * len(llr)
        going_on = (llr > test.lower) & (llr < test.upper)
        total, squares = total[going_on], squares[going_on]
        if not len(total):
            break
    return better / runs, not_better / runs, taken / runs
