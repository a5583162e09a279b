"""Deal sets: which deals agents are measured on, by name, so that two papers can compare.

The space of deal seeds is split by its highest bit. Training deals have it clear, evaluation deals have it set
(``EVALUATION_BIT``); nothing that deals for training takes a seed with this bit, and the deals that follow on a deal
keep it as it is.

Of the evaluation deals a set is an endless sequence, which follows from the set's *entropy* alone::

    entropy     the bytes of "gouji standard v1" as one integer, most significant first
    numbers(p)  numpy.random.PCG64(numpy.random.SeedSequence(entropy, spawn_key=(p,))).random_raw(...)
    deal i      its seed is number i of numbers(0), with EVALUATION_BIT set
    chance      number i * 4 + half * 2 + side of numbers(1) is what is random in an agent: half 0 or 1, side 0 for
                the first lineup and 1 for the second

``standard-1k`` is the first thousand deals of that sequence, so the larger sets go on from the smaller ones. The
entropy of a plain seed, the set ``seed-N``, is N itself.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from agents.protocol import Streams
from gouji_env.engine import EVALUATION_BIT

VERSION = 1  # part of every name's entropy; raised, and never changed back, if the named deals have to change
FAMILIES = {
    "standard": "results to compare and publish",
    "tuning": "choosing among own versions",
}
SIZES = {"100": 100, "1k": 1_000, "10k": 10_000, "100k": 100_000}
_OF_A_SEED = re.compile(r"seed-(\d+)", re.ASCII)


class DealSetError(ValueError):
    """A deal set that does not exist, or deals that it does not have; the message names the known ones."""


@dataclass(frozen=True)
class DealSet:
    """The first ``deals`` deals of a sequence; see the module's docstring for ``entropy``."""

    name: str
    deals: int
    entropy: int

    @property
    def seed(self) -> int | None:
        """N of a set ``seed-N``, None of a named one."""
        return self.entropy if _OF_A_SEED.fullmatch(self.name) else None

    def seeds(self, start: int = 0, stop: int | None = None) -> Streams:
        """The seeds of deals ``start`` to ``stop`` (the end without it), ``uint64[stop - start]``, evaluation bit set.

        Raises DealSetError for deals that the set does not have.
        """
        start, stop = self._span(start, stop)
        return _numbers(self.entropy, 0, start, stop - start) | np.uint64(EVALUATION_BIT)

    def streams(self, start: int = 0, stop: int | None = None) -> Streams:
        """What is random in the agents in these deals: ``uint64[stop - start, 2, 2]`` (deal, half, lineup)."""
        start, stop = self._span(start, stop)
        return _numbers(self.entropy, 1, start * 4, (stop - start) * 4).reshape(-1, 2, 2)

    def digest(self) -> str:
        """Sixteen hexadecimal digits that stand for all seeds of the set and all chance of the agents, in order."""
        numbers = np.concatenate((self.seeds(), self.streams().reshape(-1)))
        return sha256(numbers.astype("<u8").tobytes()).hexdigest()[:16]

    def _span(self, start: int, stop: int | None) -> tuple[int, int]:
        stop = self.deals if stop is None else stop
        if not 0 <= start <= stop <= self.deals:
            raise DealSetError(f"deal set {self.name!r} has {self.deals:,} deals, not {start} .. {stop}")
        return start, stop


def deal_set(name: str, deals: int | None = None) -> DealSet:
    """The set of a name: one of ``known()``, which has its own size, or ``seed-N``, of which ``deals`` are taken.

    Raises DealSetError for an unknown name, and for a number of deals that is missing, too small or not to be chosen.
    """
    if of_a_seed := _OF_A_SEED.fullmatch(name):
        if deals is None or deals < 1:
            raise DealSetError(f"deal set {name!r}: give the number of deals, 1 or more")
        return DealSet(name, deals, int(of_a_seed[1]))
    if name not in known():
        raise DealSetError(f"unknown deal set {name!r}; known sets: {', '.join(known())}, and seed-N for a number N")
    family, _, size = name.partition("-")
    if deals not in (None, SIZES[size]):
        raise DealSetError(f"deal set {name!r} has {SIZES[size]:,} deals, not {deals}; sizes are {', '.join(SIZES)}")
    return DealSet(name, SIZES[size], int.from_bytes(f"gouji {family} v{VERSION}".encode(), "big"))


def known() -> list[str]:
    """The names of all named sets, the smaller ones of a family first."""
    return [f"{family}-{size}" for family in FAMILIES for size in SIZES]


def _numbers(entropy: int, purpose: int, start: int, count: int) -> Streams:
    generator = np.random.PCG64(np.random.SeedSequence(entropy, spawn_key=(purpose,)))
    generator.advance(start)
    return generator.random_raw(count)
