"""The duplicate duel: every deal is played twice, sides swapped, same cards, same first leader.

What the cards give to one side they give to the other in the second half, so the mean of both halves
measures the agents. Two agents with ``act_batch`` play many deals in lock-step; with any other agent the
deals are played one after the other through ``Deal`` and ``SeatView``, with the same result.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from agents.arena.recording import LockstepLog, RecordSink, seated
from agents.arena.statistics import mean_interval
from agents.protocol import Agent, AgentError, BatchAgent, Index, Rows, StagedActions, Streams, name_of
from gouji_env.deal import Deal, IllegalAction
from gouji_env.engine import EVALUATION_BIT, act_rows, composing, is_legal, new_rows, njit, points, turn
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
    """

    a: str
    b: str
    rules: RuleSet
    seed: int
    halves: Halves = field(repr=False)
    interval: tuple[float, float]
    decisions: int
    seconds: float

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
) -> DuelResult:
    """Let ``a`` and ``b`` play ``deals`` deals twice each, sides swapped.

    Deal number i and the random numbers of each agent in each half follow from ``seed`` (0 or more) and i alone:
    neither the number of deals nor ``chunk_rows`` (rows in lock-step, for memory and speed) changes them.
    ``progress`` is told now and then how many deals are done. ``record`` is handed the record of each deal with the
    agents and their seeds, both halves of the first deal before those of the second; agents that play in lock-step
    share one seed at the three seats of a side.

    Raises DuelError for a bad number, RuleError for rules that cannot be played yet, AgentError when an agent chooses
    what is not legal.
    """
    if deals < 1:
        raise DuelError(f"deals: {deals} is too few; a duel has at least one deal")
    if seed < 0:
        raise DuelError(f"seed: {seed} is negative; seeds are 0 or more")
    started = time.perf_counter()
    seeds = _numbers(seed, 0, deals) | np.uint64(EVALUATION_BIT)  # training has no seed with this bit
    streams = _numbers(seed, 1, deals * 4).reshape(deals, 2, 2)  # deal, half, agent
    halves = np.empty((deals, 2), np.int8)
    decisions = 0
    play: Callable[[RuleSet, Streams, Streams, Halves], int]
    if isinstance(a, BatchAgent) and isinstance(b, BatchAgent):
        play, chunk = partial(_play_in_lockstep, a, b, record), max(chunk_rows // 2, 1)
    else:
        play, chunk = partial(_play_one_by_one, a, b, record), 1
    for start in range(0, deals, chunk):
        part = slice(start, start + chunk)
        decisions += play(rules, seeds[part], streams[part], halves[part])
        if progress is not None:
            progress(min(start + chunk, deals))
    seconds = time.perf_counter() - started
    interval = mean_interval(halves.mean(axis=1), seed)
    return DuelResult(a.name, b.name, rules, seed, halves, interval, decisions, seconds)


def _numbers(seed: int, purpose: int, count: int) -> Streams:
    """The first ``count`` of an endless sequence of ``uint64`` that follows from seed and purpose."""
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose,))).random_raw(count)


def _play_in_lockstep(
    a: BatchAgent,
    b: BatchAgent,
    record: RecordSink | None,
    rules: RuleSet,
    seeds: Streams,
    streams: Streams,
    halves: Halves,
) -> int:
    """Play the deals of ``seeds`` side by side into ``halves``; returns the decisions."""
    rows = new_rows(rules, np.repeat(seeds, 2))  # agent a has side 0 in even rows, side 1 in odd ones
    own_streams = [np.ascontiguousarray(streams[:, :, agent]).reshape(-1) for agent in (0, 1)]
    index = np.empty(len(rows), np.int64)
    chosen = np.empty(len(rows), np.int16)
    log = LockstepLog() if record else None
    decisions = 0
    going_on = True
    while going_on:
        going_on = False
        for number, agent in enumerate((a, b)):
            count, begun = waiting_rows(rows, number, index)
            if count == 0:
                continue
            going_on = True
            decisions += begun
            agent.act_batch(rows, index[:count], own_streams[number], chosen[:count])
            _refuse_illegal(agent, rows, index[:count], chosen[:count])
            if log:
                log.note(index[:count], chosen[:count])
            act_rows(rows, index[:count], chosen[:count])
    side_0 = np.array([points(row) for row in rows], np.int8)
    halves[:, 0], halves[:, 1] = side_0[0::2], -side_0[1::2]
    if log and record:
        log.tell((a.name, b.name), rules, seeds, streams, record)
    return decisions


@njit
def waiting_rows(rows, agent, index):
    """Rows in which an agent (0: a, 1: b) decides, into ``index``; how many, and how many are no COMPOSE."""
    count = begun = 0
    for i in range(rows.shape[0]):
        seat = turn(rows[i])
        if seat >= 0 and (seat + i) % 2 == agent:
            index[count] = i
            count += 1
            begun += not composing(rows[i])
    return count, begun


@njit
def first_illegal(rows, index, actions):
    """The first j for which ``actions[j]`` is not legal in ``rows[index[j]]``, -1 if there is none."""
    for j in range(index.shape[0]):
        if not is_legal(rows[index[j]], actions[j]):
            return j
    return -1


def _refuse_illegal(agent: BatchAgent, rows: Rows, index: Index, actions: StagedActions) -> None:
    j = first_illegal(rows, index, actions)
    if j >= 0:
        seat = turn(rows[index[j]])
        raise AgentError(f"agent {agent.name!r} chose {name_of(int(actions[j]))} at seat {seat}, which is not legal")


def _play_one_by_one(
    a: Agent,
    b: Agent,
    record: RecordSink | None,
    rules: RuleSet,
    seeds: Streams,
    streams: Streams,
    halves: Halves,
) -> int:
    """The same through ``Deal`` and ``SeatView``."""
    decisions = 0
    for number, seed in enumerate(seeds):
        for half in (0, 1):
            agents = seated((a, b), half)
            own = seated(tuple(streams[number, half].tolist()), half)
            agent_seeds = [(stream + seat) % 2**64 for seat, stream in enumerate(own)]
            for seat, agent in enumerate(agents):
                agent.reset(seat, rules, agent_seeds[seat])
            deal = Deal.new(rules, int(seed))
            while (turn_of := deal.turn) is not None:
                _act(deal, turn_of, agents[turn_of])
                decisions += 1
            halves[number, half] = points(deal.row) * (1 - 2 * half)
            if record:
                record(deal.record() | {"agents": [agent.name for agent in agents], "agent_seeds": agent_seeds})
    return decisions


def _act(deal: Deal, seat: int, agent: Agent) -> None:
    action = agent.act(deal.view(seat))
    try:
        deal.act(action)
    except IllegalAction as error:
        raise AgentError(f"agent {agent.name!r}: {error}") from None
