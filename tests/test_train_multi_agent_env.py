"""One deal through lock-step, AEC and RLlib's stock interface: the same decisions, observations and rewards."""

import numpy as np
import pytest
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from train_support import networks, play, ray, self_play, tiny  # noqa: F401

from agents.arena.dealsets import deal_set
from gouji_env import Deal
from gouji_env.engine import EVALUATION_BIT, OBSERVATION_SCALE, deal_seed
from gouji_env.env import env
from train import selfplay
from train.multi_agent_env import GoujiMultiAgentEnv
from train.rollout import Rollout

SEATS = [f"seat_{seat}" for seat in range(6)]


def lockstep_log(monkeypatch, run):
    """Seeds of the first deals, and all that was recorded from their first decision on."""
    log = {}

    def take(rollout, *args):
        log.update({name: rollout.column(name).copy() for name in rollout.columns})
        return real(rollout, *args)

    real = Rollout.take
    monkeypatch.setattr(Rollout, "take", take)
    monkeypatch.setattr(selfplay, "DESYNCHRONISE", 1)  # from the first decision on
    game = self_play(run)
    seeds = [int(deal_seed(row)) for row in game.rows]
    play(game, run, [networks(run)])
    return seeds, log


@pytest.mark.parametrize("rules", ["classic", "yang2004", "qingdao"])
def test_three_ways_one_trajectory(monkeypatch, rules):
    run = tiny(rules=rules, sampling={"deals": 6, "rows": 1500})
    seeds, log = lockstep_log(monkeypatch, run)
    decisions = finished = 0
    for slot, seed in enumerate(seeds):
        aec, stock = env(rules), GoujiMultiAgentEnv({"rules": rules})
        aec.reset(seed)
        stock_observed, _ = stock.reset(seed=seed)
        for row in np.flatnonzero(log["deal"] == slot):
            over = False
            while aec.observe(aec.agent_selection)["action_mask"].sum() == 1:  # lock-step plays these at once
                action = int(aec.observe(aec.agent_selection)["action_mask"].argmax())
                stock_observed, over = step(aec, stock, action)
            agent = SEATS[log["seat"][row]]
            assert aec.agent_selection == agent and list(stock_observed) == [agent]
            for observed in (aec.observe(agent), stock_observed[agent]):
                mask = np.unpackbits(log["mask"][row], bitorder="little")
                np.testing.assert_array_equal(observed["action_mask"], mask)
                np.testing.assert_allclose(observed["observation"], log["obs"][row] * OBSERVATION_SCALE, atol=1e-6)
            stock_observed, over = step(aec, stock, int(log["actions"][row]))
            decisions += 1
            while not over and aec.observe(aec.agent_selection)["action_mask"].sum() == 1:
                action = int(aec.observe(aec.agent_selection)["action_mask"].argmax())
                stock_observed, over = step(aec, stock, action)
            if over:
                ends = np.flatnonzero((log["deal"] == slot) & log["terminal"])
                for end in ends[ends <= row]:
                    assert log["reward"][end] == aec.rewards[SEATS[log["seat"][end]]]
                assert log["terminal"][row]
                finished += 1
                break
    assert decisions > 300 and finished >= 3


def step(aec, stock, action):
    """The same action in both; their rewards and ends agree."""
    agent = aec.agent_selection
    aec.step(action)
    observed, rewards, terminated, truncated, _ = stock.step({agent: action})
    over = all(aec.terminations.values())
    assert terminated["__all__"] == over and not truncated["__all__"]
    if over:
        assert set(observed) == set(rewards) == set(SEATS)
        assert rewards == aec.rewards and all(terminated[seat] for seat in SEATS)
        assert not any(observed[seat]["action_mask"].any() for seat in SEATS)
    else:
        assert list(observed) == [aec.agent_selection] and rewards == {agent: 0.0}
    return observed, over


def test_observations_are_in_their_space():
    game = GoujiMultiAgentEnv({"seed": 1})
    observed, _ = game.reset()
    while len(observed) == 1:
        ((agent, observation),) = observed.items()
        assert game.observation_spaces[agent].contains(observation)
        observed, *_ = game.step({agent: int(observation["action_mask"].argmax())})
    assert all(game.observation_spaces[agent].contains(observation) for agent, observation in observed.items())


class _Context(dict):
    """As RLlib hands a config to an environment."""

    def __init__(self, content, worker_index, vector_index):
        super().__init__(content)
        self.worker_index, self.vector_index = worker_index, vector_index


def hand(game):
    return game._env.observe("seat_0")["observation"][:15].tobytes()


def test_runners_and_their_copies_deal_different_deals():
    games = [GoujiMultiAgentEnv(_Context({"seed": 1}, worker, copy)) for worker in (0, 1, 2) for copy in (0, 1)]
    for game in games:
        game.reset()
    assert len({hand(game) for game in games}) == 6
    again = GoujiMultiAgentEnv(_Context({"seed": 1}, 2, 1))
    again.reset()
    assert hand(again) == hand(games[-1])
    assert all(deal_seed(game._env._row) < EVALUATION_BIT for game in games)


def test_evaluation_deals_are_refused():
    with pytest.raises(ValueError, match=r"from 2\*\*63 on are for evaluation, and no training plays them"):
        GoujiMultiAgentEnv().reset(seed=int(deal_set("standard-100").seeds()[0]), options={"evaluation": True})


def test_a_seeded_reset_deals_what_deal_new_does():
    game = GoujiMultiAgentEnv()
    game.reset(seed=5)
    assert game._env.agent_selection == SEATS[Deal.new(game._env.rules, 5).turn]


class _AnyLegalAction(TorchRLModule):
    """Takes the legal action that a hash of the observation points at."""

    def _forward(self, batch, **kwargs):
        observation = batch[Columns.OBS]
        legal = observation["action_mask"].float()
        noise = (observation["observation"].sum(1, keepdim=True) * 997 + torch.arange(912)).sin()
        return {Columns.ACTIONS: (legal * (noise + 2)).argmax(1)}


@pytest.mark.parametrize("batch_mode", ["truncate_episodes", "complete_episodes"])
def test_rewards_survive_rllibs_stock_sampler(ray, batch_mode):  # noqa: F811
    """Seats that are out early keep their side's points, also where an episode is cut between two batches."""
    game = GoujiMultiAgentEnv({"seed": 1})
    config = (
        PPOConfig()
        .environment(GoujiMultiAgentEnv, env_config={"seed": 1}, disable_env_checking=True)
        .env_runners(num_env_runners=0, batch_mode=batch_mode, rollout_fragment_length=50)
        .multi_agent(policies={"any"}, policy_mapping_fn=lambda agent, episode, **kwargs: "any")
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=_AnyLegalAction,
                observation_space=game.observation_spaces["seat_0"],
                action_space=game.action_spaces["seat_0"],
            )
        )
    )
    runner = MultiAgentEnvRunner(config=config, worker_index=0)
    totals: dict[str, dict[str, float]] = {}
    done = set()
    while len(done) < 4:
        for episode in runner.sample():
            for agent in episode.agent_ids:
                seats = totals.setdefault(episode.id_, {})
                rewards = episode.agent_episodes[agent].rewards
                seats[agent] = seats.get(agent, 0.0) + float(
                    np.sum(rewards.data if hasattr(rewards, "data") else rewards)
                )
            if episode.is_done:
                done.add(episode.id_)
    for seats in (totals[episode] for episode in done):
        assert set(seats) == set(SEATS)
        assert sum(seats.values()) == 0
        assert seats["seat_0"] == seats["seat_2"] == seats["seat_4"] == -seats["seat_1"]
    assert any(seats["seat_0"] for seats in totals.values())
    runner.stop()
