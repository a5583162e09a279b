"""The duplicate duel: every deal is played twice, sides swapped, same cards, same first leader.

What the cards give to one side they give to the other in the second half, so the mean of both halves
measures the agents. This is the simple entry of the library, two agents on the deals of a seed; ``play.py`` plays.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from agents.arena.dealsets import deal_set
from agents.arena.lineup import Lineup
from agents.arena.play import play_deals
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
    ``decisions``: whole actions chosen by either agent, in all halves; ``seconds``: what playing them took.
    ``illegal``, ``forfeits``, ``notes``: as in ``results.PairResult``; nothing in a strict duel.
    """

    a: str
    b: str
    rules: RuleSet
    seed: int
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
        """All that follows from agents, rules, deals and seed, for JSON; a missing interval is None."""
        known = self.deals > 1
        return {
            "a": self.a,
            "b": self.b,
            "rules": self.rules.name(),
            "rules_digest": self.rules.digest(),
            "deals": self.deals,
            "seed": self.seed,
            "points_per_deal": self.points_per_deal,
            "interval_95": list(self.interval) if known else None,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "decisions": self.decisions,
            "illegal": list(self.illegal),
            "forfeits": list(self.forfeits),
        }


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
    started = time.perf_counter()
    pair, drawn = (Lineup.of(a), Lineup.of(b)), deal_set(f"seed-{seed}", deals)
    chunk = max(chunk_rows // 2, 1) if all(lineup.batched for lineup in pair) else 1
    halves = np.empty((deals, 2), np.int8)
    decisions, illegal, forfeits = np.zeros(2, int), np.zeros(2, int), np.zeros(2, int)
    notes: list[str] = []
    for start in range(0, deals, chunk):
        stop = min(start + chunk, deals)
        seeds, streams = drawn.seeds(start, stop), drawn.streams(start, stop)
        played = play_deals(*pair, rules, seeds, streams, first=start, record=record, strict=strict)
        halves[start:stop] = played.halves
        decisions += played.decisions
        illegal += played.illegal
        forfeits += played.forfeits
        notes += played.notes
        if progress is not None:
            progress(stop)
    seconds = time.perf_counter() - started
    interval = mean_interval(halves.mean(axis=1), seed)
    return DuelResult(
        a.name,
        b.name,
        rules,
        seed,
        halves,
        interval,
        int(decisions.sum()),
        seconds,
        tuple(illegal.tolist()),
        tuple(forfeits.tolist()),
        notes[:LONGEST_NOTES],
    )
