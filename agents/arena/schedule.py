"""What a tournament is made of, and the work that follows from it: chunks of deals, each to be played on its own.

Chunks depend on the config alone, so that what is played is the same on one core or many, at once or in pieces.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from agents.arena.dealsets import DealSet, deal_set
from agents.arena.lineup import POSITIONS, Lineup
from agents.arena.play import ONE_BY_ONE_DEALS
from agents.protocol import AgentError
from gouji_env.config import ConfigError, Section, load_config
from gouji_env.rules import PRESETS, RuleSet

LOCKSTEP_DEALS = 500  # of a chunk; more rows in lock-step do not play faster

Name = Annotated[str, Field(pattern=r"^\w[\w.+-]*$", max_length=60)]  # a lineup's results are in a folder of its name


class TournamentConfig(Section):
    """A tournament: who plays whom, by which rules, on which deals."""

    name: Name = Field(description="Name of the tournament and, in runs/tournament, of its folder.")
    deal_set: str = Field("standard-1k", description="A named deal set, or seed-N.")
    deals: int | None = Field(None, ge=1, description="Number of deals, for seed-N; named sets have their own.")
    rules: tuple[str, ...] = Field(("classic",), min_length=1, description="Presets or rule files.")
    agents: dict[Name, str | tuple[str, str, str]] = Field(
        min_length=2, description="Lineups: an agent for all three seats of a side, or three by rising seat."
    )
    challengers: tuple[str, ...] = Field(
        (), description="Lineups that meet all others, which do not meet again; empty: everyone meets everyone."
    )
    anchor: str | None = Field(None, description="The lineup whose rating is 0; null: the mean of all is.")
    deadline: float | None = Field(
        None, gt=0, description="Seconds for a decision of an outside program; null: its own default."
    )
    chunk: int | None = Field(
        None, ge=1, description="Deals played and stored together; null: 500 in lock-step, 20 one by one."
    )

    @field_validator("rules")
    @classmethod
    def _rules_have_names(cls, rules: tuple[str, ...]) -> tuple[str, ...]:
        for source in rules:
            RuleSet.load(source)
        name, count = Counter(map(rules_name, rules)).most_common(1)[0]
        if count > 1:
            raise ValueError(f"{count} rule sets are called {name}; give one of the files another name")
        return rules

    @model_validator(mode="after")
    def _everybody_is_known(self) -> "TournamentConfig":
        for name in (*self.challengers, *([self.anchor] if self.anchor is not None else [])):
            if name not in self.agents:
                raise ValueError(f"{name} is none of the agents {', '.join(self.agents)}")
        if set(self.challengers) == set(self.agents):
            raise ValueError("challengers: leave somebody to be challenged, or leave them out")
        deal_set(self.deal_set, self.deals)
        return self

    def drawn(self) -> DealSet:
        """The deals that are played."""
        return deal_set(self.deal_set, self.deals)

    def rule_sets(self) -> dict[str, RuleSet]:
        """Name -> rules."""
        return {rules_name(source): RuleSet.load(source) for source in self.rules}

    def lineups(self) -> dict[str, tuple[str, ...]]:
        """Name -> specs of the three agents of a side."""
        return {
            name: (agents,) * POSITIONS if isinstance(agents, str) else agents for name, agents in self.agents.items()
        }

    def pairs(self) -> list[tuple[str, str]]:
        """Who meets whom, in the order of the config."""
        if not self.challengers:
            return list(combinations(self.agents, 2))
        pool = [name for name in self.agents if name not in self.challengers]
        return [(challenger, name) for challenger in dict.fromkeys(self.challengers) for name in pool]


def rules_name(source: str) -> str:
    """What a rule set is called in a tournament: a preset's name, or a file's without its ending."""
    return source if source in PRESETS else Path(source).stem


def load(path: Path, overrides: list[str]) -> TournamentConfig:
    """Read a YAML file and set ``a.b=c`` on top. Raises ConfigError with the place of whatever is wrong."""
    return load_config(TournamentConfig, path, overrides, example="configs/tournament/quick.yaml")


@dataclass(frozen=True)
class Entry:
    """A lineup as a tournament knows it; ``content`` tells agents of the same spec apart, see ``Lineup.content``."""

    name: str
    specs: tuple[str, ...]
    content: tuple[str, ...]
    batched: bool

    def lineup(self, deadline: float | None) -> Lineup:
        """To play with, and to close. Raises ConfigError where the agents are no longer those of the entry."""
        lineup = Lineup.make(self.name, self.specs, deadline)
        if lineup.content() != self.content:
            lineup.close()
            raise ConfigError(f"agents.{self.name}: {' '.join(self.specs)} has changed since the tournament began")
        return lineup


@dataclass(frozen=True)
class Meeting:
    """A pair of lineups under one rule set, in the order of the config."""

    rules: str
    a: str
    b: str


@dataclass(frozen=True)
class Chunk:
    """Deals ``start`` to ``stop`` of a meeting, with its lineups in alphabetical order: the first plays as a.

    So the order of the config changes no deal.
    """

    rules: str
    first: str
    second: str
    start: int
    stop: int

    @property
    def deals(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Plan:
    """The whole of a tournament; ``chunks`` of each meeting, ascending, in the order in which they are begun."""

    config: TournamentConfig
    rules: dict[str, RuleSet]
    entries: dict[str, Entry]
    deals: DealSet
    chunks: dict[Meeting, list[Chunk]] = field(repr=False)


def plan(config: TournamentConfig) -> Plan:
    """All the work of a config. Each agent is made once: AgentError tells of one that cannot be."""
    entries = {}
    for name, specs in config.lineups().items():
        try:
            with Lineup.make(name, specs) as lineup:
                entries[name] = Entry(name, specs, lineup.content(), lineup.batched)
        except AgentError as error:
            raise AgentError(f"agents.{name}: {error}") from None
    rules, deals = config.rule_sets(), config.drawn()
    meetings = [Meeting(rule_set, a, b) for rule_set in rules for a, b in config.pairs()]
    chunks = {}
    for meeting in meetings:
        first, second = sorted((meeting.a, meeting.b))
        batched = entries[first].batched and entries[second].batched
        size = config.chunk or (LOCKSTEP_DEALS if batched else ONE_BY_ONE_DEALS)
        chunks[meeting] = [
            Chunk(meeting.rules, first, second, start, min(start + size, deals.deals))
            for start in range(0, deals.deals, size)
        ]
    return Plan(config, rules, entries, deals, chunks)
