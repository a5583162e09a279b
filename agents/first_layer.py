"""The first hidden layer of a network, straight from raw observations.

A quarter of its inputs are card counts, half of them not zero: these go through a matrix product. The others are
one-hot or seldom filled, about sixty of 517 not zero: for these the weights of the nonzero ones are added up. Together
that takes half the time of one matrix product over all.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from agents import row_sums, sparse_inputs
from agents.inputs import FILLED_PIECES, columns
from gouji_env.engine import OBSERVATION_SCALE

HIDDEN_SCALE = np.float32(0.25)  # of the other hands' card counts


class FirstLayer(nn.Module):
    """``relu(weight @ inputs + bias)`` over the scaled ``pieces`` of an observation and, for a critic, other hands."""

    def __init__(self, pieces: Sequence[str], size: int, hidden_hands: int = 0) -> None:
        super().__init__()
        self.filled = _Part([name for name in pieces if name in FILLED_PIECES])
        self.sparse = _Part([name for name in pieces if name not in FILLED_PIECES])
        inputs = self.filled.size + hidden_hands + self.sparse.size
        bound = inputs**-0.5  # as torch.nn.Linear begins
        self.weight = nn.Parameter(torch.empty(size, self.filled.size + hidden_hands).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(size).uniform_(-bound, bound))
        # One row for each input, so that those of the nonzero ones can be fetched.
        self.sparse_weight = nn.Parameter(torch.empty(self.sparse.size, size).uniform_(-bound, bound))

    def forward(self, observation: Tensor, hidden_hands: Tensor | None = None) -> Tensor:
        """float32[B, size] from ``int8[B, OBSERVATION]`` and, where the layer reads them, hands ``int8[B, HIDDEN]``."""
        rows = observation.numpy()
        inputs = torch.empty(len(rows), self.weight.shape[1])
        sparse_inputs.scaled(rows, self.filled.parts, self.filled.scale, inputs.numpy())
        if hidden_hands is not None:
            torch.mul(hidden_hands, HIDDEN_SCALE, out=inputs[:, self.filled.size :])
        product = nn.functional.linear(inputs, self.weight, self.bias).float()
        lists = sparse_inputs.nonzero(rows, self.sparse.parts, self.sparse.scale)
        return _AddRows.apply(product, self.sparse_weight, lists).relu_()


class _Part:
    """Where some pieces lie in an observation, and their scales."""

    def __init__(self, pieces: Sequence[str]) -> None:
        slices = columns(pieces)
        self.parts: npt.NDArray[np.int64] = np.array([(s.start, s.stop) for s in slices], np.int64).reshape(-1, 2)
        self.scale = np.concatenate([np.zeros(0, np.float32), *(OBSERVATION_SCALE[s] for s in slices)])
        self.size = len(self.scale)


class _AddRows(torch.autograd.Function):
    """Adds to each row of ``sums``, in place, the rows of ``table`` that are listed for it."""

    @staticmethod
    def forward(ctx: Any, sums: Tensor, table: Tensor, lists: tuple[npt.NDArray[Any], ...]) -> Tensor:
        row_sums.add_rows(table.detach().numpy(), *lists, sums.detach().numpy())
        ctx.mark_dirty(sums)
        ctx.lists, ctx.inputs = lists, len(table)
        return sums

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        gradient = gradients[0].contiguous()
        d_table = torch.zeros(ctx.inputs, gradient.shape[1])
        by_input = row_sums.transposed(*ctx.lists, ctx.inputs)
        row_sums.add_rows(gradient.numpy(), *by_input, d_table.numpy())
        return gradient, d_table, None
