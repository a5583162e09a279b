"""The player that looks ahead: it deals the unseen cards at random, and plays each choice out to the end.

For a decision it lists candidates (``search_candidates``), guesses deals that fit what its seat knows
(``engine.guess_hands``), plays every guess out after every candidate with a rule agent at all six seats
(``search_playouts``), and takes the candidate with the best mean of its side's points (``search_race``). It is one
step of policy improvement: it plays as the rule agent does except where playouts say that something else is better.

``search:playouts=2000`` chooses by view and seed alone, whatever the number of cores. ``search:ms=100`` thinks for so
many milliseconds: what it chooses then depends on the clock as well.
"""

import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from agents.protocol import Agent, AgentError, Index, Streams
from agents.search_candidates import list_candidates
from agents.search_playouts import POLICIES, evaluate
from agents.search_race import MOST_GUESSES, Alive, Budget, Values, race
from gouji_env.engine import MAX_SETS, code_text, legal_sets
from gouji_env.rules import RuleSet
from gouji_env.view import SeatView

MOST_MS = 3_600_000
MOST_PLAYOUTS = 10_000_000
MOST_CORES = 256
OF_THE_DEADLINE = 0.8  # so much of a deadline is thought; the rest is for what comes before and after


@dataclass(frozen=True)
class SearchOptions:
    """What may be spent on a decision: ``ms`` milliseconds, ``playouts``, or whichever is spent first; None: no limit.

    One of the two is set. ``policy``: who plays the guesses out; ``cores``: threads that do so.
    """

    ms: int | None = 100
    playouts: int | None = None
    policy: str = "expert"
    cores: int = 1


@dataclass(frozen=True)
class Thought:
    """A decision: the action taken, the one that the policy would have taken, and what the choice cost."""

    action: str
    policy_action: str
    candidates: int
    playouts: int
    seconds: float


class SearchAgent(Agent):
    """Plays guessed deals out; see the module's docstring.

    ``thought`` tells of the last decision that left a choice, for studies; None before the first.
    """

    def __init__(self, argument: str = "") -> None:
        """``argument``: options as in ``ms=50,policy=greedy,cores=2``; raises AgentError for what is none."""
        self.name = f"search:{argument}" if argument else "search"
        self.options = read_options(argument)
        self.thought: Thought | None = None
        self._policy = POLICIES.index(self.options.policy)
        self._seeds: dict[int, int] = {}
        self._threads = ThreadPoolExecutor(self.options.cores) if self.options.cores > 1 else None

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        self._seeds[seat] = seed

    def act(self, view: SeatView) -> str:
        started = time.perf_counter()
        codes = np.empty(MAX_SETS, np.int32)
        codes = codes[: legal_sets(view.row, codes)]
        if len(codes) == 1:
            return code_text(int(codes[0]))
        listed = list_candidates(view.row, self._policy, codes)
        budget = self._budget()
        values = np.empty((MOST_GUESSES, len(listed)), np.int8)
        guess_seeds = self._guess_seeds(view)

        def play_out(first: int, last: int, alive: Alive) -> None:
            part = slice(first, last)
            self._evaluate(view, guess_seeds[part], listed, alive, values[part])

        best = race(values, play_out, budget)
        texts = [code_text(code) for code in listed.tolist()]
        seconds = time.perf_counter() - started
        self.thought = Thought(texts[best], texts[0], len(texts), budget.spent, seconds)
        return texts[best]

    def close(self) -> None:
        if self._threads:
            self._threads.shutdown()

    def _budget(self) -> Budget:
        seconds = None if self.options.ms is None else self.options.ms / 1000
        if self.deadline is not None:
            granted = self.deadline * OF_THE_DEADLINE
            seconds = granted if seconds is None else min(seconds, granted)
        return Budget(self.options.playouts, seconds, self.options.cores)

    def _guess_seeds(self, view: SeatView) -> Streams:
        """One for each guess (``uint64[MOST_GUESSES]``): others for every decision of a deal."""
        own = np.random.SeedSequence([self._seeds.get(view.seat, 0), zlib.crc32(view.row.tobytes())])
        return np.random.PCG64(own).random_raw(MOST_GUESSES)

    def _evaluate(self, view: SeatView, seeds: Streams, listed: Index, alive: Alive, values: Values) -> None:
        if self._threads is None:
            evaluate(view.row, seeds, listed, alive, self._policy, values)
            return
        cuts = np.linspace(0, len(seeds), self.options.cores + 1).astype(int)
        parts = [slice(*cut) for cut in pairwise(cuts)]
        running = [
            self._threads.submit(evaluate, view.row, seeds[part], listed, alive, self._policy, values[part])
            for part in parts
        ]
        for thread in running:
            thread.result()


def read_options(argument: str) -> SearchOptions:
    """Options as text, ``ms=50,policy=greedy,cores=2``. Raises AgentError for what is none, naming the mend."""
    given: dict[str, str] = {}
    for part in argument.split(",") if argument else []:
        name, equals, value = part.partition("=")
        if name not in _READERS or not equals:
            raise AgentError(f"agent 'search:{argument}': {part!r} is no option; write {_HOW}")
        if name in given:
            raise AgentError(f"agent 'search:{argument}': {name} stands twice; write it once")
        given[name] = value
    options: dict[str, Any] = {name: _READERS[name](argument, name, value) for name, value in given.items()}
    if "playouts" in options:
        options.setdefault("ms", None)
    return SearchOptions(**options)


def _whole(most: int) -> Callable[[str, str, str], int]:
    def read(argument: str, name: str, value: str) -> int:
        if not (value.isascii() and value.isdigit() and 1 <= int(value) <= most):
            raise AgentError(f"agent 'search:{argument}': {name} {value!r} is no whole number from 1 to {most}")
        return int(value)

    return read


def _policy(argument: str, name: str, value: str) -> str:
    if value not in POLICIES:
        raise AgentError(f"agent 'search:{argument}': policy {value!r} is none of {', '.join(POLICIES)}")
    return value


_READERS: dict[str, Callable[[str, str, str], Any]] = {
    "ms": _whole(MOST_MS),
    "playouts": _whole(MOST_PLAYOUTS),
    "policy": _policy,
    "cores": _whole(MOST_CORES),
}
_HOW = "ms=100, playouts=2000, policy=greedy or policy=expert, cores=2, with commas between them"
