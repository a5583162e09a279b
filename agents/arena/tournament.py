"""Playing a tournament: its missing chunks, on as many processes as asked for, into its folder."""

import os
import sys
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from itertools import islice
from typing import Protocol

import numpy as np

from agents.arena.lineup import Lineup
from agents.arena.play import Played, play_deals
from agents.arena.results import PairResult, TournamentResult
from agents.arena.schedule import Chunk, Plan
from agents.arena.store import Store
from agents.protocol import BatchAgent
from agents.ray_session import ray_session
from gouji_env.config import ConfigError
from gouji_env.engine import new_rows
from gouji_env.record import record_line
from gouji_env.rules import RuleSet

FAREWELL = 15.0  # seconds for workers to close their agents when playing stops

Outcome = tuple[Played, str | None]  # with the lines of the records
Outcomes = Generator[tuple[Chunk, Outcome], None, None]


class Watcher(Protocol):
    """Who is told how a tournament goes."""

    def begins(self, meetings: int, chunks: Sequence[Chunk]) -> None:
        """These chunks of so many meetings will be played."""

    def played(self, chunk: Chunk) -> None:
        """A chunk was played and stored."""

    def finished(self, pair: PairResult) -> None:
        """The last chunk of a meeting was played."""


def checked_workers(workers: int | None) -> int:
    """How many processes play: those asked for, or one a core where there is Ray.

    Raises ConfigError for more than one without Ray.
    """
    if find_spec("ray") is None:
        if workers is not None and workers > 1:
            raise ConfigError(f"--workers {workers} needs ray: pip install 'gouji-env[arena]', or --workers 1")
        return 1
    return workers or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def play_missing(plan: Plan, store: Store, workers: int, watcher: Watcher, records: bool = False) -> None:
    """Play what is missing in ``store``. Chunks come in as they are ready; what is stored does not depend on it."""
    missing = store.missing()
    meeting_of = {chunk: meeting for meeting, chunks in plan.chunks.items() for chunk in chunks}
    left = Counter(meeting_of[chunk] for chunk in missing)
    watcher.begins(len(left), missing)
    workers = min(workers, len(missing))
    play = _play_on_workers(plan, missing, workers, records) if workers > 1 else _play_here(plan, missing, records)
    with closing(play):
        for chunk, (played, lines) in play:
            store.add(chunk, played, lines)
            watcher.played(chunk)
            meeting = meeting_of[chunk]
            left[meeting] -= 1
            if left[meeting] == 0:
                watcher.finished(store.pair(meeting))


def result_of(plan: Plan, store: Store) -> TournamentResult:
    """What the whole tournament came to, all of its chunks played."""
    lineups = {name: list(entry.specs) for name, entry in plan.entries.items()}
    rules = {name: rule_set.digest() for name, rule_set in plan.rules.items()}
    return TournamentResult(plan.config.name, plan.deals.name, lineups, rules, [store.pair(m) for m in plan.chunks])


def play_chunk(plan: Plan, chunk: Chunk, records: bool) -> Outcome:
    """The work of a process: agents are made for a chunk and closed after it, so chunks know nothing of each other."""
    lines: list[str] = []
    deadline = plan.config.deadline
    with plan.entries[chunk.first].lineup(deadline) as a, plan.entries[chunk.second].lineup(deadline) as b:
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)  # networks add up in the same order everywhere
        _compile(a, plan.rules[chunk.rules])
        _compile(b, plan.rules[chunk.rules])
        played = play_deals(
            a,
            b,
            plan.rules[chunk.rules],
            plan.deals.seeds(chunk.start, chunk.stop),
            plan.deals.streams(chunk.start, chunk.stop),
            first=chunk.start,
            record=(lambda record: lines.append(record_line(record))) if records else None,
        )
    return played, "".join(lines) if records else None


def _compile(lineup: Lineup, rules: RuleSet) -> None:
    """Let agents that choose in batches choose once, so that no compiling is counted as their thinking."""
    rows, index = new_rows(rules, np.ones(1, np.uint64)), np.zeros(1, np.int64)
    for agent in lineup.distinct():
        if isinstance(agent, BatchAgent):
            with suppress(Exception):  # whatever is wrong with it is charged where it plays
                agent.act_batch(rows, index, np.ones(1, np.uint64), np.empty(1, np.int16))


def _play_here(plan: Plan, chunks: Sequence[Chunk], records: bool) -> Outcomes:
    for chunk in chunks:
        yield chunk, play_chunk(plan, chunk, records)


def _play_on_workers(plan: Plan, chunks: Sequence[Chunk], workers: int, records: bool) -> Outcomes:
    """The same on Ray, in the order in which they are ready. What fails in a worker is raised here."""
    with ray_session(None, workers - 1):  # it leaves a core for a process that learns; here none does
        import ray

        shared, work = ray.put(plan), ray.remote(play_chunk)
        waiting = iter(chunks)
        playing = {work.remote(shared, chunk, records): chunk for chunk in islice(waiting, workers)}
        try:
            while playing:
                [ready], _ = ray.wait(list(playing))
                chunk = playing.pop(ready)
                playing |= {work.remote(shared, following, records): following for following in islice(waiting, 1)}
                try:
                    outcome = ray.get(ready)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from None
                yield chunk, outcome
        finally:
            for task in playing:
                ray.cancel(task)
            if playing:
                ray.wait(list(playing), num_returns=len(playing), timeout=FAREWELL)
