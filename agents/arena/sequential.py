"""Is the new one better? A sequential test that looks after every hundred deals and stops when it knows.

The hypotheses are about the points per deal of agent a, the mean of both halves of a duplicate deal:

    H0  the true mean is 0 or less           H1  the true mean is ``margin`` or more

This is the generalised sequential probability ratio test (GSPRT) of the chess engines' testers, in its normal
approximation. After n deals with sum T and estimated variance V, the logarithm of the likelihood ratio is

    LLR = margin * (T - n * margin / 2) / V

which is held against the bounds of Wald: at log((1 - beta) / alpha) or above a is *better*, at
log(beta / (1 - alpha)) or below it is *not better*. Under H0 it is called better with probability ``alpha`` at most,
under H1 not better with ``beta`` at most; between 0 and the margin either answer is right.

The estimate of V is where such tests go wrong: agents that nearly always play alike differ in one deal of a hundred,
and the first hundreds may show next to no variance though a rare sweep is still to come. Left alone, the test then
errs several times as often as it states. So V counts six deals more than were played, three sweeps won and three lost.
That costs a twentieth more deals where agents differ in most of them, and holds the rates where they do not;
``tests/test_sequential.py`` shows both by simulation.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Decision: TypeAlias = Literal["better", "not better", "undecided"]
Halves: TypeAlias = npt.NDArray[np.int8]

ALPHA, BETA = 0.05, 0.05
BATCH = 100  # deals between two looks, and before the first: a fixed number, so that speed changes no result
SWEEP = 12.0  # points: the most that a deal can bring
ADDED = 6  # deals that the variance counts besides those played, half of them sweeps of a, half of b


class SequentialTestError(ValueError):
    """A sequential test that cannot be made; the message names the value."""


@dataclass(frozen=True)
class SequentialTest:
    """``margin``: points per deal that are worth finding; ``alpha`` and ``beta``: the stated error rates, 0..0.5."""

    margin: float
    alpha: float = ALPHA
    beta: float = BETA

    def __post_init__(self) -> None:
        if not 0 < self.margin <= SWEEP:
            raise SequentialTestError(f"margin: {self.margin:g} is not above 0 and at most {SWEEP:g} points per deal")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise SequentialTestError(f"{name}: {rate:g} is no error rate; it lies between 0 and 0.5")

    @property
    def lower(self) -> float:
        """At this LLR or below a is not better."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this LLR or above a is better."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, deals: Any, total: Any, squares: Any) -> Any:
        """The log-likelihood ratio after ``deals`` deals whose points have this sum and sum of squares.

        All three are numbers or arrays of one shape; so is the result.
        """
        variance = (squares - total * total / deals + ADDED * SWEEP**2) / (deals + ADDED)
        return self.margin * (total - deals * self.margin / 2) / variance

    def decision(self, llr: float) -> Decision:
        """What an LLR means; ``undecided`` between the bounds."""
        if llr >= self.upper:
            return "better"
        return "not better" if llr <= self.lower else "undecided"


@dataclass(frozen=True)
class Verdict:
    """What a test has come to. ``halves``: ``int8[deals, 2]``, the points of a in the deals that were played."""

    test: SequentialTest
    halves: Halves = field(repr=False)
    llr: float

    @property
    def decision(self) -> Decision:
        """``undecided`` where the deals ran out first."""
        return self.test.decision(self.llr)

    def summary(self) -> dict[str, Any]:
        """All of it but the deals themselves, for JSON."""
        return {
            "decision": self.decision,
            "llr": self.llr,
            "lower": self.test.lower,
            "upper": self.test.upper,
            "margin": self.test.margin,
            "alpha": self.test.alpha,
            "beta": self.test.beta,
            "batch": BATCH,
        }


def until_decided(
    test: SequentialTest,
    deals: int,
    play: Callable[[int, int], Halves],
    progress: Callable[[Verdict], None] | None = None,
) -> Verdict:
    """Play deals 0, 1, .. in batches until ``test`` decides or ``deals`` are played.

    ``play(start, stop)`` returns the points of a in these deals, ``int8[stop - start, 2]``; ``progress`` is told how
    things stand after each batch.
    """
    played: list[Halves] = []
    total = squares = 0.0
    for start in range(0, deals, BATCH):
        stop = min(start + BATCH, deals)
        played.append(play(start, stop))
        points = played[-1].mean(axis=1)
        total += points.sum()
        squares += (points * points).sum()
        verdict = Verdict(test, np.concatenate(played), float(test.llr(stop, total, squares)))
        if progress is not None:
            progress(verdict)
        if verdict.decision != "undecided":
            break
    return verdict
