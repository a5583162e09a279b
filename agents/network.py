"""The networks of a team policy: plain torch, so that a trained policy plays without Ray."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from agents import legal_head
from agents.first_layer import FirstLayer
from gouji_env.engine import ACTIONS, HIDDEN, observation_layout

ALL_PIECES = tuple(piece.name for piece in observation_layout())
FORBIDDEN = -1e9  # score of an illegal action; finite, so that a row without any legal action gives no NaN

Rows = npt.NDArray[np.int8]


class PolicyNetwork(nn.Module):
    """Scores of the 912 actions from what one seat may know.

    Observations are the engine's raw ``int8[B, OBSERVATION]``; ``pieces`` of them are read, and scaled in here. With
    ``bf16`` the hidden layers compute in bfloat16; the head always computes in float32.
    """

    def __init__(self, hidden: Sequence[int], bf16: bool = False, pieces: Sequence[str] = ALL_PIECES) -> None:
        super().__init__()
        self.bf16 = bf16
        self.first = FirstLayer(pieces, hidden[0])
        self.trunk = _trunk(hidden)
        self.head = nn.Linear(hidden[-1], ACTIONS)
        nn.init.orthogonal_(self.head.weight, 0.01)  # nearly uniform at first
        nn.init.zeros_(self.head.bias)

    def features(self, observation: Tensor) -> Tensor:
        """The last hidden layer, float32[B, hidden[-1]]."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            return self.trunk(self.first(observation)).float()

    def forward(self, observation: Tensor) -> Tensor:
        """Scores of all actions, legal or not, float32[B, ACTIONS]."""
        return self.head(self.features(observation))

    def evaluate(self, observation: Tensor, mask: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probability of ``actions`` int16[B] among the legal ones, and the entropy, float32[B] each.

        ``mask`` uint8[B, PACKED] are packed action masks; every row allows its action.
        """
        return _LegalHead.apply(self.features(observation), self.head.weight, self.head.bias, mask, actions)

    @torch.no_grad()
    def choose(
        self,
        rows: Rows,
        index: npt.NDArray[np.int64],
        observation: Rows,
        streams: npt.NDArray[np.uint64],
        actions: npt.NDArray[np.int16],
        logp: npt.NDArray[np.float32],
        greedy: bool = False,
    ) -> None:
        """Choose for each ``rows[index[j]]``, which ``observation[j]`` shows: see ``legal_head.choose``."""
        features = self.features(torch.from_numpy(observation)).numpy()
        weight, bias = self.head.weight.detach().numpy(), self.head.bias.detach().numpy()
        legal_head.choose(rows, index, streams, features, weight, bias, greedy, actions, logp)


class CriticNetwork(nn.Module):
    """The expected return of the deciding seat's side, seen with all hands open: for training only."""

    def __init__(self, hidden: Sequence[int], bf16: bool = False, pieces: Sequence[str] = ALL_PIECES) -> None:
        super().__init__()
        self.bf16 = bf16
        self.first = FirstLayer(pieces, hidden[0], HIDDEN)
        self.layers = nn.Sequential(_trunk(hidden), nn.Linear(hidden[-1], 1))

    def forward(self, observation: Tensor, hidden_hands: Tensor) -> Tensor:
        """Values float32[B] from ``int8[B, OBSERVATION]`` and the five other hands ``int8[B, HIDDEN]``."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            return self.layers(self.first(observation, hidden_hands))[:, 0].float()


def bf16_is_fast() -> bool:
    """Whether this processor multiplies bfloat16 matrices natively (AVX-512 BF16 or AMX)."""
    capabilities: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()  # not in older versions of torch
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def _trunk(hidden: Sequence[int]) -> nn.Sequential:
    """The hidden layers after the first."""
    layers: list[nn.Module] = []
    for inputs, size in pairwise(hidden):
        layers += [nn.Linear(inputs, size), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers)


class _LegalHead(torch.autograd.Function):
    """The head, softmax, log-probability and entropy over the legal actions, with their gradient."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, weight: Tensor, bias: Tensor, mask: Tensor, actions: Tensor) -> Any:
        x, w, b, taken = (tensor.detach().contiguous().numpy() for tensor in (features, weight, bias, actions))
        packed = mask.contiguous().numpy()
        offsets = legal_head.legal_offsets(packed)
        ids = legal_head.legal_ids(packed, offsets)
        log_probs = np.empty(len(ids), np.float32)
        logp, entropy = np.empty(len(x), np.float32), np.empty(len(x), np.float32)
        legal_head.evaluate(x, w, b, taken, offsets, ids, log_probs, logp, entropy)
        ctx.save_for_backward(features, weight)
        ctx.kept = (taken, offsets, ids, log_probs, entropy)
        return torch.from_numpy(logp), torch.from_numpy(entropy)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        features, weight = (tensor.detach().contiguous().numpy() for tensor in ctx.saved_tensors)
        taken, offsets, ids, log_probs, entropy = ctx.kept
        d_logp, d_entropy = (gradient.contiguous().numpy() for gradient in gradients)
        d_features, d_weight = np.zeros_like(features), np.zeros_like(weight)
        d_bias = np.zeros(len(weight), np.float32)
        legal_head.evaluate_backward(
            features, weight, taken, offsets, ids, log_probs, entropy, d_logp, d_entropy, d_features, d_weight, d_bias
        )
        return torch.from_numpy(d_features), torch.from_numpy(d_weight), torch.from_numpy(d_bias), None, None
