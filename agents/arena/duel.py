"""The duplicate duel: every deal is played twice, sides swapped, same cards, same first leader.

What the cards give to one side they give to the other in the second half, so the mean of both halves
measures the agents. ``duel`` is the simple entry of the library, two agents on the deals of a seed; a ``RunningDuel``
plays on any deal set and as far as it is asked to; ``play.py`` plays.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from agents.arena.dealsets import DealSet, deal_set
from agents.arena.lineup import Lineup
from agents.arena.play import ONE_BY_ONE_DEALS, Played, play_deals
from agents.arena.recording import RecordSink
from agents.arena.results import LONGEST_NOTES
from agents.arena.statistics import mean_interval
from agents.protocol import Agent
from gouji_env.rules import RuleSet

Halves: TypeAlias = npt.NDArray[np.int8]
Progress: TypeAlias = Callable[[int], None]

CHUNK_ROWS = 1024


class DuelError(ValueError):
    """A duel that cannot be played as asked; the message names the value."""


@dataclass(frozen=True, eq=False)
class DuelResult:
    """What a duel measured, from the side of agent ``a``.

    ``halves``: ``int8[deals, 2]``, the points (-12..12) of ``a`` on side 0 and then, with the same cards, on side 1.
    ``interval``: 95 % bootstrap interval of ``points_per_deal``, over deals; ``(nan, nan)`` for a single deal.
    ``deal_set``: what the deals are the first of; there may be more of them in it than were played.
    ``decisions``: whole actions chosen by either agent, in all halves; ``seconds``: what playing them took.
    ``illegal``, ``forfeits``, ``notes``: as in ``results.PairResult``; nothing in a strict duel.
    """

    a: str
    b: str
    rules: RuleSet
    deal_set: DealSet
    halves: Halves = field(repr=False)
    interval: tuple[float, float]
    decisions: int
    seconds: float
    illegal: tuple[int, int] = (0, 0)
    forfeits: tuple[int, int] = (0, 0)
    notes: list[str] = field(default_factory=list)

    @property
    def deals(self) -> int:
        """Deals, each of them played twice."""
        return len(self.halves)

    @property
    def points_per_deal(self) -> float:
        """The mean over deals of the mean of both halves."""
        return float(self.halves.mean())

    @property
    def wins(self) -> int:
        """Halves that brought ``a`` points. Players call each half a deal, so halves are counted and not pairs."""
        return int((self.halves > 0).sum())

    @property
    def draws(self) -> int:
        """Halves that brought nobody points."""
        return int((self.halves == 0).sum())

    @property
    def losses(self) -> int:
        """Halves that brought ``b`` points; wins, draws and losses sum up to twice the deals."""
        return int((self.halves < 0).sum())

    def summary(self) -> dict[str, Any]:
        """All that follows from agents, rules and deals, for JSON; a missing interval is None."""
        known = self.deals > 1
        return {
            "a": self.a,
            "b": self.b,
            "rules": self.rules.name(),
            "rules_digest": self.rules.digest(),
            "deals": self.deals,
            "deal_set": self.deal_set.name,
            "deal_set_digest": self.deal_set.digest(),
            "seed": self.deal_set.seed,
            "points_per_deal": self.points_per_deal,
            "interval_95": list(self.interval) if known else None,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "decisions": self.decisions,
            "illegal": list(self.illegal),
            "forfeits": list(self.forfeits),
        }


class RunningDuel:
    """A duel that is played piece by piece: ``play_on`` plays, ``result`` tells what there is so far.

    Deal number i and the random numbers of each agent in each half follow from the deal set and i alone: neither the
    pieces nor ``chunk_rows`` (rows in lock-step, for memory and speed) change them. ``record`` and ``strict`` are
    those of ``duel``.
    """

    def __init__(
        self,
        a: Agent,
        b: Agent,
        rules: RuleSet,
        deals: DealSet,
        *,
        record: RecordSink | None = None,
        chunk_rows: int = CHUNK_ROWS,
        strict: bool = True,
    ) -> None:
        self.deal_set = deals
        self._pair = (Lineup.of(a), Lineup.of(b))
        self._rules, self._record, self._strict = rules, record, strict
        self._in_lockstep = all(lineup.batched for lineup in self._pair)
        self._chunk = max(chunk_rows // 2, 1) if self._in_lockstep else 1
        self._played: list[Played] = []
        self._seconds = 0.0
        self.deals = 0  # played

    def play_on(self, stop: int, progress: Progress | None = None) -> Halves:
        """Play to deal number ``stop``; the points of a in the deals played now, ``int8[deals, 2]``.

        Raises DealSetError where the set has fewer deals, AgentError in a strict duel.
        """
        first = len(self._played)
        while self.deals < stop:
            started = time.perf_counter()
            part = (self.deals, min(self.deals + self._chunk, stop))
            seeds, streams = self.deal_set.seeds(*part), self.deal_set.streams(*part)
            played = play_deals(
                *self._pair,
                self._rules,
                seeds,
                streams,
                first=self.deals,
                record=self._record,
                strict=self._strict,
                forfeited=self._forfeited(),
            )
            self._played.append(played)
            self.deals = part[1]
            self._seconds += time.perf_counter() - started
            if progress is not None:
                progress(self.deals)
        return self._halves(first)

    def result(self) -> DuelResult:
        """Of the deals played so far, at least one."""
        a, b = self._pair
        halves, played = self._halves(0), self._played
        return DuelResult(
            a.name,
            b.name,
            self._rules,
            self.deal_set,
            halves,
            mean_interval(halves.mean(axis=1), self.deal_set.entropy),
            sum(sum(part.decisions) for part in played),
            self._seconds,
            _both(part.illegal for part in played),
            _both(part.forfeits for part in played),
            [note for part in played for note in part.notes][:LONGEST_NOTES],
        )

    def _forfeited(self) -> tuple[int, int]:
        """Halves forfeited of the slice that goes on: one deal after the other is told of, ONE_BY_ONE_DEALS count."""
        begun = 0 if self._in_lockstep else self.deals % ONE_BY_ONE_DEALS
        return _both(part.forfeits for part in self._played[len(self._played) - begun :]) if begun else (0, 0)

    def _halves(self, first: int) -> Halves:
        return np.concatenate([np.empty((0, 2), np.int8), *(part.halves for part in self._played[first:])])


def _both(counts: Iterable[list[int]]) -> tuple[int, int]:
    """The sums of what was counted for a and for b."""
    of_a, of_b = zip(*counts, strict=True)
    return sum(of_a), sum(of_b)


def duel(
    a: Agent,
    b: Agent,
    rules: RuleSet,
    deals: int,
    seed: int,
    progress: Progress | None = None,
    *,
    record: RecordSink | None = None,
    chunk_rows: int = CHUNK_ROWS,
    strict: bool = True,
) -> DuelResult:
    """Let ``a`` and ``b`` play ``deals`` deals twice each, sides swapped.

    Deal number i and the random numbers of each agent in each half follow from ``seed`` (0 or more) and i alone, as in
    the deal set ``seed-N``: neither the number of deals nor ``chunk_rows`` (rows in lock-step, for memory and speed)
    changes them. ``progress`` is told now and then how many deals are done. ``record`` is handed the record of each
    deal with the agents and their seeds, both halves of the first deal before those of the second; agents that play in
    lock-step share one seed at the three seats of a side.

    An agent that fails or chooses what is not legal ends the duel with an AgentError; without ``strict`` it forfeits,
    as ``play.py`` says. Raises DuelError for a bad number, RuleError for rules that cannot be played yet.
    """
    if deals < 1:
        raise DuelError(f"deals: {deals} is too few; a duel has at least one deal")
    if seed < 0:
        raise DuelError(f"seed: {seed} is negative; seeds are 0 or more")
    running = RunningDuel(
        a, b, rules, deal_set(f"seed-{seed}", deals), record=record, chunk_rows=chunk_rows, strict=strict
    )
    running.play_on(deals, progress)
    return running.result()
