"""The deal as RLlib's stock ``MultiAgentEnv``, for people's own algorithms. ``gouji train`` samples in lock-step."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from gouji_env.env import Observation, raw_env

Step = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]


class GoujiMultiAgentEnv(MultiAgentEnv):
    """Agents ``seat_0`` .. ``seat_5``; observations ``{"observation": float32[F], "action_mask": int8[912]}``.

    One episode is one deal. Only the agent that decides is observed; the last step observes, rewards (with its side's
    points) and terminates all six, also those that were out long before: RLlib drops the reward of an agent that ends
    without an observation, and refuses one that comes after its end.

    ``config``: ``rules`` (a preset or a rule file, "classic") and ``seed``. With a seed each runner and each copy in
    it deals its own sequence of deals; ``reset(seed=N)`` deals ``Deal.new(rules, N)``.

    RLlib's checker plays without looking at the mask: switch it off by ``environment(disable_env_checking=True)``.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        config = {} if config is None else config
        self._env = raw_env(config.get("rules", "classic"))
        self._first_seed = _own_seed(config)
        self.possible_agents = self._env.possible_agents
        self.agents = self.possible_agents
        self.observation_spaces = self._env.observation_spaces
        self.action_spaces = self._env.action_spaces

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Deal; returns the observation of the agent that decides first. Raises ValueError for seeds of evaluation."""
        if seed is None:
            seed = self._first_seed
        self._first_seed = None
        self._env.reset(seed)
        return self._observed(self._env.agent_selection), {}

    def step(self, action_dict: Mapping[str, int]) -> Step:
        """Apply the action of the agent that decides. Raises IllegalAction for an illegal one."""
        env = self._env
        acted = env.agent_selection
        env.step(action_dict[acted])
        if not all(env.terminations.values()):
            # The reward of nothing is for RLlib, which insists on one where the same agent decides again (COMPOSE).
            return self._observed(env.agent_selection), {acted: 0.0}, {"__all__": False}, {"__all__": False}, {}
        ended = {**env.terminations, "__all__": True}
        return self._observed(*env.agents), dict(env.rewards), ended, {"__all__": False}, dict(env.infos)

    def _observed(self, *agents: str) -> dict[str, Observation]:
        return {agent: self._env.observe(agent) for agent in agents}


def _own_seed(config: Mapping[str, Any]) -> int | None:
    seed = config.get("seed")
    if seed is None:
        return None
    place = (getattr(config, "worker_index", 0), getattr(config, "vector_index", 0))  # of RLlib's EnvContext
    words = np.random.SeedSequence([seed, *(number or 0 for number in place)]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))
