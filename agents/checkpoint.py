"""A trained policy as an agent, from the plain export that training writes: no Ray, and nothing unpickled.

An export is a folder with two files: ``policy.pt``, the weights (a torch state dict for each network), and
``policy.json``, what they are for: format, observation layout, rules, layer widths, how long they were trained.
"""

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.inputs import changing_pieces
from agents.network import PolicyNetwork, bf16_is_fast
from agents.protocol import AgentError, BatchAgent, Index, Rows, StagedActions, Streams
from gouji_env.engine import (
    OBSERVATION,
    new_rows,
    njit,
    observation_digest,
    observation_layout,
    observe_rows,
    turn,
)
from gouji_env.rules import RuleSet

DESCRIPTION, WEIGHTS = "policy.json", "policy.pt"


class PolicyDescription(BaseModel):
    """The content of ``policy.json``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[2] = Field(2, description="Version of this description.")
    observation_layout: str = Field(description="Digest of the observation layout that the weights read.")
    rules: dict[str, Any] = Field(description="Every switch of the rules trained under.")
    rules_digest: str = Field(description="RuleSet.digest() of these rules.")
    pieces: list[str] = Field(min_length=1, description="Pieces of the observation that the networks read.")
    hidden: list[int] = Field(min_length=1, description="Widths of the hidden layers.")
    per_seat: bool = Field(description="Three networks, one for each seat of a side, instead of one for all.")
    trained: dict[str, float] = Field(description="Counters of the training so far: iterations, rows, deals, ...")


class NetworkAgent(BatchAgent):
    """Plays policy networks: one for all seats, or three, one for each seat of a side.

    With ``greedy`` it plays the likeliest action, otherwise it draws from the policy as in training.
    """

    def __init__(self, name: str, networks: Sequence[PolicyNetwork], greedy: bool) -> None:
        super().__init__()
        self.name = name
        self.networks = networks
        self.greedy = greedy

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        observation = np.empty((len(index), OBSERVATION), np.int8)
        observe_rows(rows, index, observation)
        self.check(observation)
        logp = np.empty(len(index), np.float32)
        if len(self.networks) == 1:
            self.networks[0].choose(rows, index, observation, streams, out, logp, self.greedy)
            return
        positions = seat_positions(rows, index)
        for position, network in enumerate(self.networks):
            mine = np.flatnonzero(positions == position)
            chosen = np.empty(len(mine), np.int16)
            network.choose(rows, index[mine], observation[mine], streams, chosen, logp[: len(mine)], self.greedy)
            out[mine] = chosen

    def check(self, observation: Rows) -> None:
        """Look at the observations ``int8[M, OBSERVATION]`` that are about to be acted on."""


class CheckpointAgent(NetworkAgent):
    """Plays a trained policy from its export. Under other rules than it was trained under it says so once."""

    def __init__(self, path: str | Path, greedy: bool = True) -> None:
        """Load the newest export under ``path``: an export, a checkpoint, or the folder of a run.

        ``PATH@sampled`` draws its actions; the likeliest ones, the default, measure better. Raises AgentError when
        there is no export or it was made for another observation layout.
        """
        place, _, mode = str(path).rpartition("@")
        if place and mode in ("sampled", "greedy"):
            path, greedy = place, mode == "greedy"
        folder = find_export(Path(path))
        self.folder = folder
        self.description = _read_description(folder)
        self._trained_under: Rows | None = _rules_piece(_observed(RuleSet.model_validate(self.description.rules)))
        networks = _read_networks(folder, self.description)
        super().__init__(f"checkpoint:{path}" if greedy else f"checkpoint:{path}@sampled", networks, greedy)

    def digest(self) -> str:
        """Sixteen hexadecimal digits that follow from the export's files."""
        both = hashlib.sha256()
        for file in (DESCRIPTION, WEIGHTS):
            both.update(hashlib.sha256((self.folder / file).read_bytes()).digest())
        return both.hexdigest()[:16]

    def check(self, observation: Rows) -> None:
        """Give the one notice about other rules."""
        if self._trained_under is None or (_rules_piece(observation[:1]) == self._trained_under).all():
            return
        self._trained_under = None
        trained = RuleSet.model_validate(self.description.rules).name()
        warnings.warn(f"{self.name} was trained under {trained} and now plays other rules", stacklevel=4)


def _observed(rules: RuleSet) -> Rows:
    """The first observation of a deal under ``rules``."""
    observation = np.empty((1, OBSERVATION), np.int8)
    observe_rows(new_rows(rules, np.zeros(1, np.uint64)), np.zeros(1, np.int64), observation)
    return observation


def _rules_piece(observation: Rows) -> Rows:
    piece = next(piece for piece in observation_layout() if piece.name == "rules")
    return observation[:, piece.start : piece.start + piece.length]


@njit
def seat_positions(rows, index):
    """Which of the three seats of its side decides in each ``rows[index[j]]``: int64[M] of 0, 1, 2."""
    out = np.empty(index.shape[0], np.int64)
    for j in range(index.shape[0]):
        out[j] = turn(rows[index[j]]) // 2
    return out


def describe(rules: RuleSet, hidden: Sequence[int], per_seat: bool, trained: Mapping[str, float]) -> PolicyDescription:
    """The description of weights trained here and now, on what can change under ``rules``."""
    return PolicyDescription(
        observation_layout=observation_digest(),
        rules=rules.switches(),
        rules_digest=rules.digest(),
        pieces=changing_pieces(rules),
        hidden=list(hidden),
        per_seat=per_seat,
        trained=dict(trained),
    )


def export(folder: Path, description: PolicyDescription, networks: Sequence[Mapping[str, torch.Tensor]]) -> None:
    """Write an export into an existing folder; ``networks`` are state dicts of ``PolicyNetwork``."""
    torch.save([dict(state) for state in networks], folder / WEIGHTS)
    (folder / DESCRIPTION).write_text(description.model_dump_json(indent=2) + "\n", encoding="utf-8")


def find_export(path: Path) -> Path:
    """The newest export at or under ``path``: itself, or the last of its ``checkpoints``."""
    if (path / DESCRIPTION).is_file():
        return path
    exports = sorted(file.parent for file in path.glob(f"checkpoints/*/{DESCRIPTION}"))
    if not exports:
        raise AgentError(f"{path}: no checkpoint here; name the folder of a training run or of one of its checkpoints")
    return exports[-1]


def _read_description(folder: Path) -> PolicyDescription:
    file = folder / DESCRIPTION
    try:
        description = PolicyDescription.model_validate_json(file.read_text(encoding="utf-8"))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise AgentError(f"{file}: {place}: {first['msg']}; it was written by another version of gouji-env") from None
    if description.observation_layout != observation_digest():
        raise AgentError(
            f"{folder}: made for observation layout {description.observation_layout}, this version has "
            f"{observation_digest()}; train anew, or play it with the version that made it"
        )
    return description


def _read_networks(folder: Path, description: PolicyDescription) -> list[PolicyNetwork]:
    file = folder / WEIGHTS
    try:
        states = torch.load(file, map_location="cpu", weights_only=True)
        networks = [PolicyNetwork(description.hidden, bf16_is_fast(), description.pieces) for _ in states]
        for network, state in zip(networks, states, strict=True):
            network.load_state_dict(state)
    except Exception as error:  # torch lets out whatever it stumbles over in a broken file
        raise AgentError(
            f"{file}: not the weights that {DESCRIPTION} tells of ({type(error).__name__}); copy the folder anew"
        ) from error
    if len(networks) != (3 if description.per_seat else 1):
        raise AgentError(f"{file}: {len(networks)} networks, but {DESCRIPTION} tells of another number")
    return networks
