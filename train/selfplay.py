"""The deals that one runner plays side by side, and the step that moves them all."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch

from agents import AgentError, BatchAgent, make
from agents.network import CriticNetwork, PolicyNetwork
from gouji_env.engine import OBSERVATION, new_rows, observe_rows
from train import kernels
from train.config import TrainConfig
from train.league import MAIN, League
from train.rollout import Rollout

Array = npt.NDArray[Any]
Columns = dict[str, Array]

DESYNCHRONISE = 200  # random decisions at most before the first step; about two deals' worth at first
CRITIC_ROWS = 384  # rows valued at once; more do not fit the processor's cache


class TeamNetworks(Protocol):
    """What plays a seat, and what values its rows."""

    policy: PolicyNetwork
    critic: CriticNetwork


class SelfPlay:
    """``sampling.deals`` deals in lock-step. Deals, opponents and choices all follow from ``seed``.

    ``decisions`` counts every choice made in these deals, by whoever plays, and the forced ones: an action that is
    the only legal one and a public pass of a seat that can do nothing else are played at once, without a forward pass.
    """

    def __init__(self, run: TrainConfig, seed: np.random.SeedSequence, snapshots_taken: int = 0) -> None:
        deals = run.sampling.deals
        deal_seed, stream_seed, league_seed = seed.spawn(3)
        self.rows = new_rows(run.rule_set(), deal_seed.generate_state(deals, np.uint64) >> np.uint64(1))
        self.streams = stream_seed.generate_state(deals, np.uint64)
        self.rollout = Rollout(deals, run.sampling.rows)
        self.agents = [batch_agent(name) for name in run.league.agents]
        self.league = League(deals, run.league, league_seed)
        self.league.fill(snapshots_taken)
        self.decisions = 0
        self._turns = np.empty(deals, np.int64)
        self._actions = np.zeros(deals, np.int16)
        self._finished = np.zeros(deals, np.bool_)
        self._result = np.zeros(deals, np.int64)
        kernels.desynchronise(self.rows, self.streams, DESYNCHRONISE)
        self.league.draw(np.arange(deals))

    @torch.no_grad()
    def play(
        self, networks: Sequence[Sequence[TeamNetworks]], rows: int, gae_lambda: float, reward_scale: float
    ) -> list[Columns]:
        """Play until ``rows`` more decisions of the learning policy are recorded; returns those that are complete.

        ``networks``: first the learning policy's (one, or one for each seat of a side), then those of each snapshot
        slot. The columns returned are the rows of each of the learning policy's networks.
        """
        learning = networks[MAIN]
        policies = [[network.policy for network in player] for player in networks]
        target = self.rollout.size + rows
        # One context around all steps: autocast then keeps the converted weights instead of converting in each step.
        with torch.autocast("cpu", torch.bfloat16, enabled=learning[0].policy.bf16):
            while self.rollout.size < target:
                self._step(policies)
            values = self._values([network.critic for network in learning])
        batch = self.rollout.take(values, gae_lambda, reward_scale)
        if len(learning) == 1:
            return [batch]
        parts = _by_position(batch["seat"], len(learning))
        return [{name: column[part] for name, column in batch.items()} for part in parts]

    def _step(self, policies: Sequence[Sequence[PolicyNetwork]]) -> None:
        kernels.turns(self.rows, self._turns)
        deciding = self.league.players[np.arange(len(self.rows)), self._turns % 2]
        for player in np.unique(deciding):
            index = np.flatnonzero(deciding == player)
            if player == MAIN:
                self._choose(policies[MAIN], index, self._record)
            elif player < len(policies):
                self._choose(policies[player], index, self._play_only)
            else:
                chosen = np.empty(len(index), np.int16)
                self.agents[player - len(policies)].act_batch(self.rows, index, self.streams, chosen)
                self._actions[index] = chosen
        log = self.rollout
        reward, terminal = log.columns["reward"], log.columns["terminal"]
        self.decisions += len(self.rows)
        self.decisions += kernels.advance(
            self.rows, self._actions, log.last, reward, terminal, self._finished, self._result
        )
        ended = np.flatnonzero(self._finished)
        if len(ended):
            self.league.count(ended, self._result[ended])
            self.league.draw(ended)

    def _choose(
        self, policies: Sequence[PolicyNetwork], index: Array, choose: Callable[[PolicyNetwork, Array], None]
    ) -> None:
        for policy, part in zip(policies, _by_position(self._turns[index], len(policies)), strict=True):
            choose(policy, index[part])

    def _record(self, policy: PolicyNetwork, index: Array) -> None:
        columns, rows = self.rollout.columns, self.rollout.observe(self.rows, index, self._turns[index])
        actions, logp = columns["actions"][rows], columns["action_logp"][rows]
        policy.choose(self.rows, index, columns["obs"][rows], self.streams, actions, logp)
        self._actions[index] = actions

    def _play_only(self, policy: PolicyNetwork, index: Array) -> None:
        observation = np.empty((len(index), OBSERVATION), np.int8)
        actions, logp = np.empty(len(index), np.int16), np.empty(len(index), np.float32)
        observe_rows(self.rows, index, observation)
        policy.choose(self.rows, index, observation, self.streams, actions, logp)
        self._actions[index] = actions

    def _values(self, critics: Sequence[CriticNetwork]) -> Array:
        """The critics' values of all rows of the log; those carried from the last call are valued afresh."""
        observation, hidden = (self.rollout.column(name) for name in ("obs", "hidden_hands"))
        if len(critics) == 1:
            return _values_of(critics[0], observation, hidden)
        values = np.empty(self.rollout.size, np.float32)
        for critic, part in zip(critics, _by_position(self.rollout.column("seat"), len(critics)), strict=True):
            values[part] = _values_of(critic, observation[part], hidden[part])
        return values


def _values_of(critic: CriticNetwork, observation: Array, hidden_hands: Array) -> Array:
    values = np.empty(len(observation), np.float32)
    for first in range(0, len(observation), CRITIC_ROWS):
        chunk = slice(first, first + CRITIC_ROWS)
        values[chunk] = critic(torch.from_numpy(observation[chunk]), torch.from_numpy(hidden_hands[chunk])).numpy()
    return values


def batch_agent(name: str) -> BatchAgent:
    """An agent fit for a league. Raises AgentError for one that plays only one deal at a time."""
    agent = make(name)
    if not isinstance(agent, BatchAgent):
        raise AgentError(f"agent {name!r} plays one deal at a time; a league needs agents that play in batches")
    return agent


def _by_position(seats: Array, networks: int) -> list[Array]:
    """Which entries each network answers for: one network for all, three for one seat of a side each."""
    if networks == 1:
        return [np.arange(len(seats))]
    return [np.flatnonzero(seats // 2 == position) for position in range(networks)]
