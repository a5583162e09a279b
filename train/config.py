"""What a training run is made of: pydantic models read from YAML, with ``--set a.b=c`` on top.

The file that a run writes to its folder holds every field, so it is also the list of what can be set.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import Field, field_validator, model_validator

from gouji_env.config import ConfigError, Section, load_config
from gouji_env.rules import RuleError, RuleSet

__all__ = ["ConfigError", "TrainConfig", "load"]


class Schedule(Section):
    """A value that moves in a straight line from the start of the budget to its end."""

    start: float = Field(ge=0, description="Value at the first iteration.")
    end: float = Field(ge=0, description="Value when the budget is used up.")

    def at(self, progress: float) -> float:
        """The value at a share of the budget, 0..1."""
        return self.start + (self.end - self.start) * min(max(progress, 0.0), 1.0)


class Budget(Section):
    """When training ends: at whichever limit comes first."""

    seconds: float | None = Field(None, gt=0, description="Training time, evaluation and checkpoints not counted.")
    iterations: int | None = Field(None, gt=0, description="Number of iterations.")

    @model_validator(mode="after")
    def _some_limit(self) -> Self:
        if self.seconds is None and self.iterations is None:
            raise ValueError("give seconds, iterations or both")
        return self

    def progress(self, seconds: float, iterations: int) -> float:
        """The share of the budget that is used up; 1 or more when training is over."""
        shares = ((seconds, self.seconds), (iterations, self.iterations))
        return max(used / limit for used, limit in shares if limit is not None)


class NetworkConfig(Section):
    """The network of a side."""

    policy: tuple[int, ...] = Field((512, 512), min_length=1, description="Widths of the policy's hidden layers.")
    critic: tuple[int, ...] = Field((512, 512), min_length=1, description="Widths of the critic's hidden layers.")
    per_seat: bool = Field(False, description="Three networks, one for each seat of a side, instead of one for all.")
    bf16: Literal["auto"] | bool = Field(
        "auto", description="Compute hidden layers in bfloat16; auto: where the processor does it natively."
    )

    @field_validator("policy", "critic")
    @classmethod
    def _positive(cls, widths: tuple[int, ...]) -> tuple[int, ...]:
        if min(widths) < 1:
            raise ValueError("a layer has at least one unit")
        return widths


class SamplingConfig(Section):
    """Self-play in lock-step."""

    deals: int = Field(256, ge=1, description="Deals that one runner plays side by side.")
    rows: int = Field(16384, ge=64, description="Decisions learned from in one iteration, all runners together.")
    runners: int = Field(0, ge=0, description="Runner processes; 0: play in the learner's process, in turns with it.")
    pipelined: bool = Field(False, description="Runners play on while the learner learns; needs at least one.")

    @model_validator(mode="after")
    def _runners_to_pipeline(self) -> Self:
        if self.pipelined and self.runners == 0:
            raise ValueError("pipelined needs at least one runner: set runners, or pipelined to false")
        return self


class PPOConfig(Section):
    """Proximal policy optimisation; gamma is 1, since only the end of a deal pays."""

    lr: Schedule = Field(Schedule(start=5e-4, end=5e-5), description="Adam's learning rate.")
    entropy: Schedule = Field(Schedule(start=0.015, end=0.015), description="Weight of the entropy bonus.")
    gae_lambda: float = Field(0.95, ge=0, le=1, description="Lambda of generalised advantage estimation.")
    clip: float = Field(0.2, gt=0, description="How far a probability ratio may move from 1.")
    epochs: int = Field(1, ge=1, description="Passes over the rows of an iteration.")
    minibatch: int = Field(2048, ge=1, description="Rows of one gradient step.")
    value_weight: float = Field(0.5, ge=0, description="Weight of the critic's squared error in the loss.")
    reward_scale: float = Field(0.25, gt=0, description="Factor on the points (-12..12) that the critic learns.")
    grad_clip: float = Field(0.5, gt=0, description="Largest global norm of a gradient.")


class LeagueConfig(Section):
    """Whom the learning side plays against. Weights are relative; one opponent is drawn for each deal."""

    self_: float = Field(0.8, ge=0, alias="self", description="Weight of the policy itself on both sides.")
    snapshots: float = Field(0.2, ge=0, description="Weight of the frozen snapshots; they share it evenly.")
    agents: dict[str, float] = Field({}, description="Weights of agents by name, such as greedy: 0.1.")
    snapshot_every: int = Field(40, ge=1, description="Iterations between two snapshots.")
    slots: int = Field(4, ge=0, le=64, description="Snapshots kept to play against; the oldest makes room.")

    @field_validator("agents")
    @classmethod
    def _not_negative(cls, agents: dict[str, float]) -> dict[str, float]:
        for name, weight in agents.items():
            if weight < 0:
                raise ValueError(f"the weight of {name} is below 0")
        return agents

    @model_validator(mode="after")
    def _somebody(self) -> Self:
        if self.self_ + sum(self.agents.values()) <= 0:
            raise ValueError("self or an agent needs a weight above 0: there are no snapshots at first")
        if self.snapshots and not self.slots:
            raise ValueError("snapshots need at least one slot: set slots, or snapshots to 0")
        return self


class EvaluationConfig(Section):
    """Duplicate duels on deals that training never sees, from iteration 0 on."""

    opponents: tuple[str, ...] = Field(("random", "greedy"), description="Agents to measure the policy against.")
    deals: int = Field(200, ge=2, description="Deals of one duel, each played twice with sides swapped.")
    every_seconds: float | None = Field(60, gt=0, description="Training time between evaluations; null: no matter.")
    every_iterations: int | None = Field(None, gt=0, description="Iterations between evaluations; null: no matter.")
    seed: int = Field(0, ge=0, description="Which deals; the same at every evaluation of the run.")


class CheckpointConfig(Section):
    """Checkpoints besides the one at the end."""

    every_seconds: float = Field(120, gt=0, description="Training time between checkpoints.")
    keep: int = Field(1, ge=1, description="Checkpoints kept; older ones are deleted.")


class TrainConfig(Section):
    """A training run."""

    rules: str | dict[str, Any] = Field(
        "classic", description="A preset, a rule file, or its content: preset, switches."
    )
    seed: int = Field(0, ge=0, description="Seed of the weights and of the deals.")
    threads: int | None = Field(None, ge=1, description="Threads of the learner; null: one a processor core.")
    ray_address: str | None = Field(None, description="A running Ray cluster to join; null: one of its own.")
    budget: Budget = Field(Budget(seconds=300), description="When training ends.")
    network: NetworkConfig = NetworkConfig()
    sampling: SamplingConfig = SamplingConfig()
    ppo: PPOConfig = PPOConfig()
    league: LeagueConfig = LeagueConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    checkpoint: CheckpointConfig = CheckpointConfig()

    @field_validator("rules")
    @classmethod
    def _rules_exist(cls, rules: str | dict[str, Any]) -> str | dict[str, Any]:
        _rule_set(rules)
        return rules

    @model_validator(mode="after")
    def _rows_for_a_minibatch(self) -> Self:
        minibatch, rows = self.ppo.minibatch, self.sampling.rows
        if minibatch > rows:
            raise ValueError(
                f"ppo.minibatch {minibatch} is larger than sampling.rows {rows}, the rows of an iteration: "
                "lower the one or raise the other"
            )
        return self

    def rule_set(self) -> RuleSet:
        """The rules that are played."""
        return _rule_set(self.rules)

    def resolved(self) -> "TrainConfig":
        """The same run with the rules spelled out, so that it does not hang on a rule file."""
        rules = self.rule_set()
        preset = rules.name().split()[0]
        overrides = rules.overrides(preset)
        return self.model_copy(update={"rules": {"preset": preset, **overrides} if overrides else preset})

    def to_yaml(self) -> str:
        """All fields, as ``load`` reads them."""
        return yaml.safe_dump(self.model_dump(mode="json", by_alias=True), sort_keys=False, allow_unicode=True)


def load(path: Path, overrides: Iterable[str] = ()) -> TrainConfig:
    """Read a YAML file and set ``a.b=c`` on top. Raises ConfigError with the place of whatever is wrong."""
    return load_config(TrainConfig, path, overrides, example="configs/train/demo.yaml")


def _rule_set(rules: str | dict[str, Any]) -> RuleSet:
    if isinstance(rules, str):
        return RuleSet.load(rules)
    if "preset" not in rules:
        raise RuleError("name the preset that the switches start from")
    switches = {name: value for name, value in rules.items() if name != "preset"}
    return RuleSet.preset(rules["preset"]).replace(**switches)
