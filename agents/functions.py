"""Policies that are plain functions, as PettingZoo's users write them, as agents.

    def first_legal(observation):
        return int(observation["action_mask"].argmax())

    agent = FunctionAgent("first", first_legal)

The function sees what ``env().observe(agent)`` gives the seat that decides, and returns a staged action. By name it is
``function:MODULE:ATTRIBUTE``.
"""

import importlib
import operator
import os
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from agents.protocol import Agent, AgentError, BatchAgent, Index, Rows, StagedActions, Streams
from gouji_env.engine import ACTIONS, OBSERVATION, mask_rows, njit, observe_scaled, turn

Observation: TypeAlias = dict[str, npt.NDArray[Any]]
Policy: TypeAlias = Callable[[Observation], Any]


class FunctionAgent(BatchAgent):
    """Plays a function of ``{"observation": float32[OBSERVATION], "action_mask": int8[ACTIONS]}``.

    It returns a staged action, an integer 0..911; SELECT and the COMPOSE that may follow are two calls. With
    ``batched`` it is asked for M decisions at once: both arrays have a first axis of M, and so has its answer; what
    it answers for one may not depend on the others. Where the function draws random numbers, repeating a duel is its
    own affair.
    """

    def __init__(self, name: str, function: Policy, batched: bool = False) -> None:
        super().__init__()
        self.name = name
        self.function = function
        self.batched = batched

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        """Raises AgentError for an answer that is no action. Whether it is legal the arena sees."""
        observations = np.empty((len(index), OBSERVATION), np.float32)
        _observe_deciding(rows, index, observations)
        masks = np.empty((len(index), ACTIONS), np.int8)
        mask_rows(rows, index, masks)
        if self.batched:
            answers = np.asarray(self.function({"observation": observations, "action_mask": masks}))
            if answers.shape != (len(index),):
                raise AgentError(f"agent {self.name!r} gave {answers.shape} actions for {len(index)} decisions")
        else:
            answers = [
                self.function({"observation": observation, "action_mask": mask})
                for observation, mask in zip(observations, masks, strict=True)
            ]
        for j, answer in enumerate(answers):
            out[j] = self._checked(answer)

    def _checked(self, answer: Any) -> int:
        try:
            action = operator.index(answer)
        except TypeError:
            action = -1
        if not 0 <= action < ACTIONS:
            raise AgentError(f"agent {self.name!r} chose {answer!r}; an action is an integer 0..{ACTIONS - 1}")
        return action


@njit
def _observe_deciding(rows, index, out):
    for j in range(index.shape[0]):
        row = rows[index[j]]
        observe_scaled(row, turn(row), out[j])


def function_agent(argument: str) -> Agent:
    """The agent of ``function:MODULE:ATTRIBUTE``, for a module that Python finds here or from the working directory.

    The attribute is a function from an observation to an action, or an Agent. With ``function:MODULE:ATTRIBUTE:TEXT``
    it is called with TEXT and gives one of the two. Raises AgentError, naming the spec, for what does not exist.
    """
    spec = f"function:{argument}"
    module_name, _, rest = argument.partition(":")
    attribute, with_text, text = rest.partition(":")
    if not module_name or not attribute:
        raise AgentError(f"agent {spec!r}: write function:MODULE:ATTRIBUTE, as in function:mybot:play")
    found = _found(spec, module_name, attribute)
    if with_text:
        if not callable(found):
            raise AgentError(f"agent {spec!r}: {attribute} takes no text, it is of type {type(found).__name__}")
        found = found(text)
    if isinstance(found, Agent):
        return found
    if isinstance(found, type) or not callable(found):
        kind = "a class" if isinstance(found, type) else f"of type {type(found).__name__}"
        raise AgentError(f"agent {spec!r}: it is {kind}, where a function or an Agent is wanted")
    return FunctionAgent(spec, found)


def _found(spec: str, module_name: str, attribute: str) -> Any:
    if os.getcwd() not in sys.path:  # the command `gouji` does not put it there, as `python` does
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise AgentError(f"agent {spec!r}: {module_name} needs {error.name}, which is not installed") from None
        raise AgentError(f"agent {spec!r}: no module {module_name} in {os.getcwd()} or where Python looks") from None
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise AgentError(f"agent {spec!r}: {module.__file__} has no {attribute}") from None
