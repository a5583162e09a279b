"""Who plays: the protocol of an agent, the registry of known ones, and the rule agents."""

from agents.protocol import Agent, AgentError, BatchAgent, Forfeit
from agents.registry import known, make, register

__all__ = ["Agent", "AgentError", "BatchAgent", "Forfeit", "known", "make", "register"]
