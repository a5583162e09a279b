"""Agents by name: ``make("greedy")``, ``make("checkpoint:runs/demo/checkpoint")``.

A name may carry an argument after a colon. Register your own before you ask for it::

    agents.register("mine", lambda argument: MyAgent())
"""

from collections.abc import Callable

from agents.command import CommandAgent
from agents.expert import ExpertAgent
from agents.functions import function_agent
from agents.greedy import GreedyAgent
from agents.protocol import Agent, AgentError
from agents.random_agent import RandomAgent
from agents.search import SearchAgent

AgentFactory = Callable[[str], Agent]


def make(spec: str) -> Agent:
    """The agent that ``spec`` names: ``NAME`` or ``NAME:ARGUMENT``.

    Raises AgentError for an unknown name (it lists the known ones) or an argument that the agent does not take.
    """
    name, _, argument = spec.partition(":")
    if name not in _factories:
        raise AgentError(f"unknown agent {spec!r}; known agents: {', '.join(known())}")
    return _factories[name](argument)


def register(name: str, factory: AgentFactory) -> None:
    """Let ``make`` know an agent; ``factory`` gets what stands after the colon, ``""`` where there is none.

    Raises AgentError for a name that is taken, empty or holds a colon.
    """
    if not name or ":" in name:
        raise AgentError(f"agent name {name!r}: a name has at least one character and no colon")
    if name in _factories:
        raise AgentError(f"agent name {name!r} is taken; known agents: {', '.join(known())}")
    _factories[name] = factory


def known() -> list[str]:
    """The names that ``make`` knows, sorted."""
    return sorted(_factories)


def _plain(agent: type[ExpertAgent] | type[GreedyAgent] | type[RandomAgent]) -> AgentFactory:
    def factory(argument: str) -> Agent:
        if argument:
            raise AgentError(f"agent {agent.name!r} takes no argument, got {argument!r}; write just {agent.name!r}")
        return agent()

    return factory


def _checkpoint(argument: str) -> Agent:
    if not argument:
        raise AgentError("agent 'checkpoint' needs a folder: write checkpoint:DIR")
    try:
        from agents.checkpoint import CheckpointAgent  # torch, for those who play a network
    except ModuleNotFoundError as error:
        raise AgentError(f"agent 'checkpoint:{argument}' needs {error.name}: pip install 'gouji-env[train]'") from None
    return CheckpointAgent(argument)


_factories: dict[str, AgentFactory] = {
    ExpertAgent.name: _plain(ExpertAgent),
    GreedyAgent.name: _plain(GreedyAgent),
    RandomAgent.name: _plain(RandomAgent),
    "checkpoint": _checkpoint,
    "function": function_agent,
    "cmd": CommandAgent,
    "search": SearchAgent,
}
