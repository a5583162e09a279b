"""The log of recorded decisions that the lock-step sampler fills: columns in, learner's columns out."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gouji_env.engine import HIDDEN, OBSERVATION, PACKED, hidden_rows, observe_rows, packed_mask_rows
from train import kernels

Array = npt.NDArray[Any]

COLUMNS: dict[str, tuple[type, tuple[int, ...]]] = {
    "obs": (np.int8, (OBSERVATION,)),
    "hidden_hands": (np.int8, (HIDDEN,)),
    "mask": (np.uint8, (PACKED,)),
    "actions": (np.int16, ()),
    "action_logp": (np.float32, ()),
    "seat": (np.int8, ()),
    "deal": (np.int32, ()),
    "reward": (np.float32, ()),
    "terminal": (np.bool_, ()),
}


class Rollout:
    """Recorded decisions of ``deals`` deals in the order in which they were made.

    ``columns`` holds ``size`` rows. A row leaves through ``take`` once its seat has decided again or the deal is
    over; until then it is carried to the next batch (at most one row a seat and deal), so nothing is bootstrapped
    from a guess and nobody waits for the end of a deal.
    """

    def __init__(self, deals: int, rows: int) -> None:
        capacity = rows + 7 * deals  # what is asked for, what may be carried, and one step over
        self.columns: dict[str, Array] = {
            name: np.zeros((capacity, *shape), kind) for name, (kind, shape) in COLUMNS.items()
        }
        self.last = np.full((deals, 6), -1, np.int64)
        self.size = 0

    def observe(self, rows: Array, index: Array, seats: Array) -> slice:
        """Begin a row for each deal of ``index`` int64[M], whose seats ``seats`` decide; returns where they lie."""
        first, end = self.size, self.size + len(index)
        new = slice(first, end)
        columns = self.columns
        observe_rows(rows, index, columns["obs"][new])
        hidden_rows(rows, index, columns["hidden_hands"][new])
        packed_mask_rows(rows, index, columns["mask"][new])
        columns["deal"][new] = index
        columns["seat"][new] = seats
        columns["reward"][new] = 0.0
        columns["terminal"][new] = False
        self.last[index, seats] = np.arange(first, end)
        self.size = end
        return new

    def column(self, name: str) -> Array:
        """The filled part of a column; a view."""
        return self.columns[name][: self.size]

    def take(self, values: Array, gae_lambda: float, reward_scale: float) -> dict[str, Array]:
        """Take out all complete rows, with ``advantages`` and ``value_targets`` float32; the others stay.

        ``values`` float32[size] is the critic's word on every row, in points times ``reward_scale``.
        """
        advantage, target = np.empty(self.size, np.float32), np.empty(self.size, np.float32)
        deal, seat, terminal = (self.column(name) for name in ("deal", "seat", "terminal"))
        reward = self.column("reward") * np.float32(reward_scale)
        complete = kernels.advantages(deal, seat, values, reward, terminal, np.float32(gae_lambda), advantage, target)
        taken, carried = np.flatnonzero(complete), np.flatnonzero(~complete)
        batch = {name: self.column(name)[taken] for name in COLUMNS}
        batch["advantages"], batch["value_targets"] = advantage[taken], target[taken]
        self._keep(carried)
        return batch

    def _keep(self, carried: Array) -> None:
        for column in self.columns.values():
            column[: len(carried)] = column[carried]
        self.size = len(carried)
        self.last[:] = -1
        self.last[self.column("deal"), self.column("seat")] = np.arange(self.size)
