"""Who sits at the three seats of a side: one agent at all of them, or a mix of three."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.protocol import Agent, BatchAgent
from agents.registry import make
from gouji_env.cards import SEATS

POSITIONS = SEATS // 2


@dataclass(frozen=True)
class Lineup:
    """A side. ``agents``: one for each position, its seats in rising order (0, 2, 4 or 1, 3, 5).

    The same agent may sit at several of them.
    """

    name: str
    agents: tuple[Agent, ...]

    @classmethod
    def of(cls, agent: Agent) -> "Lineup":
        """One agent at all three seats."""
        return cls(agent.name, (agent,) * POSITIONS)

    @classmethod
    def make(cls, name: str, specs: Sequence[str], deadline: float | None = None) -> "Lineup":
        """The agents of three specs (see ``agents.make``); the same spec is the same agent.

        ``deadline``: seconds for a decision that they are granted, None for what they grant themselves. Raises
        AgentError as ``make`` does; whoever makes a lineup closes it.
        """
        agents: dict[str, Agent] = {}
        try:
            for spec in dict.fromkeys(specs):
                agents[spec] = make(spec)
        except BaseException:
            _close(agents.values())
            raise
        if deadline is not None:
            for agent in agents.values():
                agent.deadline = deadline
        return cls(name, tuple(agents[spec] for spec in specs))

    @property
    def batched(self) -> bool:
        """Whether all of its agents choose for many deals at once."""
        return all(isinstance(agent, BatchAgent) for agent in self.agents)

    def distinct(self) -> list[Agent]:
        """Its agents, each of them once."""
        return list({id(agent): agent for agent in self.agents}.values())

    def content(self) -> tuple[str, ...]:
        """For each position what its agent was made from besides the spec: ``digest()`` of those made from files."""
        return tuple(agent.digest() if hasattr(agent, "digest") else "" for agent in self.agents)

    def close(self) -> None:
        """Close all of its agents."""
        _close(self.distinct())

    def __enter__(self) -> "Lineup":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def lineup_at(seat: int, half: int) -> int:
    """Whose seat it is, 0 (lineup a) or 1 (b): a has side 0 in half 0 and side 1 in half 1."""
    return (seat + half) % 2


def seated(pair: tuple[Any, Any], half: int) -> list[Any]:
    """What belongs to lineups a and b, by seat."""
    return [pair[lineup_at(seat, half)] for seat in range(SEATS)]


def seated_agents(pair: tuple[Lineup, Lineup], half: int) -> list[Agent]:
    """The agents of a table, by seat."""
    return [lineup.agents[seat // 2] for seat, lineup in enumerate(seated(pair, half))]


def _close(agents: Any) -> None:
    for agent in agents:
        agent.close()
