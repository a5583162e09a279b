"""DealBatch: N deals in lock-step over flat arrays, the fast way to play, search and train."""

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.match import check_match_length
from gouji_env.rules import RuleSet
from gouji_env.staged import RESERVED


class DealBatch:
    """N deals under one rule set; a deal that ends is dealt again at once.

    ``rows`` (``int8[N, ROW]``) is the whole state: copy it to save, write into it to restore. Deal i begins with
    ``seeds[i]``; its successors' seeds follow from that one, so that a batch is the same in every process.
    """

    def __init__(
        self,
        rules: RuleSet,
        n: int,
        seed: int = 0,
        *,
        seeds: npt.ArrayLike | None = None,
        deals: int = 1,
        skip_forced: bool = False,
        evaluation: bool = False,
    ) -> None:
        """``seeds`` (``uint64[N]``) replaces those made from ``seed``; ``deals`` is the length of a match, 1..100.

        ``skip_forced`` plays forced leads at once. ``evaluation`` allows the seeds of evaluation, from 2**63 on, which
        raise ValueError otherwise.
        """
        check_match_length(deals)
        if n < 1:
            raise ValueError(f"n {n}: a batch has at least one deal")
        if seeds is None:
            spawned = np.random.SeedSequence(seed).generate_state(n, np.uint64)
            seeds = spawned & np.uint64(engine.EVALUATION_BIT - 1)
        seeds = np.asarray(seeds, np.uint64)
        if not evaluation and len(reserved := seeds[seeds >= engine.EVALUATION_BIT]):
            raise ValueError(f"seed {reserved[0]}: {RESERVED}, or, to measure, say evaluation=True")
        self.rules = rules
        self.deals = deals
        self.skip_forced = skip_forced
        self.rows = engine.new_rows(rules, seeds)
        self._all = np.arange(n)
        if skip_forced:
            _start_batch(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def turn(self) -> npt.NDArray[np.int64]:
        """The deciding seat of each deal, ``int64[N]``."""
        out = np.empty(len(self), np.int64)
        _turns(self.rows, out)
        return out

    def observe(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Observations of the deciding seats, ``float32[N, OBSERVATION]``, into ``out`` if given."""
        if out is None:
            out = np.empty((len(self), engine.OBSERVATION), np.float32)
        _observe_batch(self.rows, out)
        return out

    def observe_raw(self, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The same before scaling, ``int8[N, OBSERVATION]``: a quarter of the memory."""
        if out is None:
            out = np.empty((len(self), engine.OBSERVATION), np.int8)
        engine.observe_rows(self.rows, self._all, out)
        return out

    def mask(self, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """Masks of the deciding seats' legal staged actions, ``int8[N, ACTIONS]``, into ``out`` if given."""
        if out is None:
            out = np.empty((len(self), engine.ACTIONS), np.int8)
        engine.mask_rows(self.rows, self._all, out)
        return out

    def step(self, actions: npt.ArrayLike) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
        """One staged action in every deal (``[N]``).

        Returns ``(done bool[N], points int8[N])``: where a deal has ended, its points for side 0; the row then
        holds the next deal, of the same match or of a new one. Raises ValueError for an illegal action, before any
        deal has moved.
        """
        chosen = np.asarray(actions).astype(np.int64, casting="safe")
        if chosen.shape != (len(self),):
            raise ValueError(f"actions of shape {chosen.shape}: this batch takes ({len(self)},)")
        wrong = _first_illegal(self.rows, chosen)
        if wrong >= 0:
            raise ValueError(
                f"deal {wrong}: action {chosen[wrong]} is illegal for seat {engine.turn(self.rows[wrong])}; see mask()"
            )
        done = np.zeros(len(self), np.bool_)
        points = np.zeros(len(self), np.int8)
        _step_batch(self.rows, chosen, self.deals, self.skip_forced, done, points)
        return done, points


@engine.njit
def _turns(rows, out):
    for i in range(len(rows)):
        out[i] = engine.turn(rows[i])


@engine.njit
def _observe_batch(rows, out):
    for i in range(len(rows)):
        engine.observe_scaled(rows[i], engine.turn(rows[i]), out[i])


@engine.njit
def _first_illegal(rows, actions):
    for i in range(len(rows)):
        if not engine.is_legal(rows[i], np.int64(actions[i])):
            return i
    return -1


@engine.njit
def _start_batch(rows):
    for i in range(len(rows)):
        engine.play_forced(rows[i])


@engine.njit
def _step_batch(rows, actions, deals, skip_forced, done, points):
    for i in range(len(rows)):
        row = rows[i]
        engine.act(row, actions[i])
        if skip_forced:
            engine.play_forced(row)
        if engine.is_over(row):
            done[i] = True
            points[i] = engine.points(row)
            engine.next_of_match(row, deals)
            if skip_forced:
                engine.play_forced(row)
