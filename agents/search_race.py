"""How a search spends its playouts, and when it trusts them.

Candidates race by halves: a share of the budget for all of them, as much for the better half, and so on to the last.
Candidate 0, the policy's own choice, stays in the race to its end, since it is what the others are held against: guess
by guess, for all play out the same guesses. One that falls ``HOPELESS`` standard errors behind leaves at once; if all
do, the race is over.

The policy knows something, so most of what differs from its choice is worse. Held against that, being ahead in a few
playouts is chance: the best of the others is taken only if it is ahead by more than ``CAUTION`` times the square of the
standard error. (That is where its expected value turns positive if the others are spread about a mean below the
policy's choice like a normal distribution; ``CAUTION`` is how far below, over the variance of the spread.)
"""

import math
import time
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

CAUTION = 2.0  # a point
HOPELESS = 3.0
FEW_GUESSES = 16  # fewer say too little of the error
MOST_GUESSES = 4096

Values: TypeAlias = npt.NDArray[np.int8]
Alive: TypeAlias = npt.NDArray[np.int64]
PlayOut: TypeAlias = Callable[[int, int, Alive], None]


class Budget:
    """So many playouts, so many seconds from now on, or whichever is spent first."""

    def __init__(self, playouts: int | None, seconds: float | None, cores: int = 1) -> None:
        self._started = time.perf_counter()
        self._playouts, self._seconds, self._cores = playouts, seconds, cores
        self.spent = 0

    def guesses(self, share: float, racing: int) -> int:
        """How many guesses to play out next for so many candidates; 0 when ``share`` (0..1) of the budget is spent.

        That is about half of what is left of the share, so that candidates can leave in between. Whatever the budget,
        one guess is played out.
        """
        if self.spent == 0:
            return 1 if self._seconds is None else self._cores
        fewest, left = 0, math.inf
        if self._playouts is not None:
            left = self._playouts * share - self.spent
        if self._seconds is not None:
            passed = time.perf_counter() - self._started
            by_the_clock = (self._seconds * share - passed) * self.spent / passed
            if by_the_clock <= 0:
                return 0
            fewest, left = self._cores, min(left, by_the_clock)
        guesses = math.ceil(left / racing / 2) if left >= racing else fewest
        return -(-guesses // fewest) * fewest if fewest else guesses


def race(values: Values, play_out: PlayOut, budget: Budget) -> int:
    """The candidate to take.

    ``play_out(first, last, alive)`` fills ``values[first:last, alive]`` of ``int8[MOST_GUESSES, candidates]``.
    """
    alive = np.arange(values.shape[1])
    rounds = max(1, math.ceil(math.log2(len(alive))))
    done = 0
    for number in range(1, rounds + 1):
        while len(alive) > 1 and (more := budget.guesses(number / rounds, len(alive))) and done < MOST_GUESSES:
            last = min(done + min(more, max(done, FEW_GUESSES)), MOST_GUESSES)  # the hopeless leave before it doubles
            play_out(done, last, alive)
            budget.spent += (last - done) * len(alive)
            done = last
            alive = _hopeful(values[:done], alive)
        if number < rounds:
            alive = _better_half(values[:done], alive)
    ahead, error = _lead(values[:done], alive)
    best = int(ahead.argmax())
    return int(alive[best]) if ahead[best] > CAUTION * error[best] ** 2 else 0


def _lead(values: Values, alive: Alive) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How far each is ahead of candidate 0 a guess, and the standard error of that; infinite for a single guess."""
    ahead = values[:, alive].astype(np.float64) - values[:, :1]
    if len(ahead) < 2:
        return ahead.mean(axis=0), np.full(len(alive), np.inf)
    return ahead.mean(axis=0), ahead.std(axis=0, ddof=1) / math.sqrt(len(ahead))


def _hopeful(values: Values, alive: Alive) -> Alive:
    if len(values) < FEW_GUESSES:
        return alive
    ahead, error = _lead(values, alive)
    keep = ahead + HOPELESS * error >= 0
    keep[0] = True
    return alive[keep]


def _better_half(values: Values, alive: Alive) -> Alive:
    """Candidate 0 and the better half of the others; of equal ones the first."""
    others = alive[1:]
    order = np.argsort(-values[:, others].mean(axis=0), kind="stable")
    return np.concatenate((alive[:1], np.sort(others[order[: (len(others) + 1) // 2]])))
