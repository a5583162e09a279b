"""The lock-step sampler: what it records is what was played, and what the learner will find again."""

import numpy as np
import pytest
import torch
from train_support import networks, play, self_play, tiny

from agents import AgentError, BatchAgent
from agents.protocol import staged
from gouji_env import Deal
from gouji_env.engine import EVALUATION_BIT, deal_seed, is_legal
from train import kernels, selfplay
from train.league import MAIN, League
from train.rollout import Rollout

SELF = tiny()


@pytest.mark.parametrize("bf16", [False, True])
def test_ratio_is_one_before_the_first_update(bf16):
    """Over two batches, so that rows carried from the first to the second are in it."""
    team = networks(SELF, bf16=bf16)
    game = self_play(SELF)
    for _ in range(2):
        (batch,) = play(game, SELF, [team])
        with torch.no_grad():
            logp, _ = team.policy.evaluate(*(torch.from_numpy(batch[name]) for name in ("obs", "mask", "actions")))
        ratio = np.exp(logp.numpy() - batch["action_logp"])
        # In bfloat16 a layer may round differently for another number of rows.
        np.testing.assert_allclose(ratio, 1, atol=0.05 if bf16 else 1e-5)
    assert batch["action_logp"].min() < -1  # the policy had something to choose


def test_every_recorded_action_is_allowed_by_its_mask():
    (batch,) = play(self_play(SELF), SELF, [networks(SELF)])
    mask = np.unpackbits(batch["mask"], axis=1, bitorder="little")
    assert mask[np.arange(len(mask)), batch["actions"]].all()
    assert (mask.sum(1) > 1).all()  # forced actions cost no row


def test_no_illegal_action_is_ever_applied(monkeypatch):
    run = tiny(league={"self": 1, "snapshots": 1, "agents": {"greedy": 1, "random": 1}})
    advance, checked = kernels.advance, []

    def checking(rows, actions, *rest):
        assert all(is_legal(row, action) for row, action in zip(rows, actions, strict=True))
        checked.append(len(rows))
        return advance(rows, actions, *rest)

    monkeypatch.setattr(kernels, "advance", checking)
    play(self_play(run, snapshots_taken=2), run, [networks(run)], [networks(run, 1)], [networks(run, 2)])
    assert sum(checked) > run.sampling.rows


def test_rewards_are_conserved(monkeypatch):
    """Each deal pays each recorded seat its side's points once, at its last decision, and nothing else is paid."""
    paid, advance = [], kernels.advance

    def watching(rows, actions, last, reward, terminal, finished, result):
        seats = last >= 0
        forced = advance(rows, actions, last, reward, terminal, finished, result)
        for deal in np.flatnonzero(finished):
            signs = np.array([1, -1, 1, -1, 1, -1])
            paid.extend((result[deal] * signs)[seats[deal]])
        return forced

    monkeypatch.setattr(kernels, "advance", watching)
    game, batches = self_play(SELF), []
    while len(paid) < 400:
        batches += play(game, SELF, [networks(SELF)])
    reward, terminal = (np.concatenate([batch[name] for batch in batches]) for name in ("reward", "terminal"))
    assert sorted(reward[terminal]) == sorted(paid)
    assert not reward[~terminal].any()


def test_rows_that_wait_are_carried_and_never_lost(monkeypatch):
    """Every decision comes out once, as soon as its seat has decided again or the deal is over."""
    recorded, observe = [], Rollout.observe

    def watching(rollout, rows, index, seats):
        recorded.append(len(index))
        return observe(rollout, rows, index, seats)

    monkeypatch.setattr(Rollout, "observe", watching)
    game, team = self_play(SELF), networks(SELF)
    taken = 0
    for _ in range(4):
        (batch,) = play(game, SELF, [team])
        taken += len(batch["seat"])
        assert game.rollout.size > 0
        assert taken + game.rollout.size == sum(recorded)
        waiting = game.rollout.column("deal").astype(int) * 6 + game.rollout.column("seat")
        assert len(set(waiting)) == len(waiting)
        assert not game.rollout.column("terminal").any()


def test_the_same_seed_plays_the_same_bytes():
    def run(seed):
        game = self_play(SELF, seed)
        batches = [play(game, SELF, [networks(SELF)])[0] for _ in range(2)]
        return b"".join(batch[name].tobytes() for batch in batches for name in sorted(batch))

    assert run(1) == run(1) != run(2)


def global_random_state() -> bytes:
    numpys = np.random.get_state()[1]  # noqa: NPY002 - to see that nobody used it
    return numpys.tobytes() + torch.random.get_rng_state().numpy().tobytes()


def test_no_global_random_state_is_touched():
    team = networks(SELF)
    before = global_random_state()
    play(self_play(SELF), SELF, [team])
    assert global_random_state() == before


def test_training_deals_are_never_evaluation_deals():
    game = self_play(SELF)
    for _ in range(5):
        play(game, SELF, [networks(SELF)])
    assert all(deal_seed(row) < EVALUATION_BIT for row in game.rows)


def test_opponents_are_drawn_by_weight_and_recorded_only_as_opponents():
    run = tiny(league={"self": 1, "snapshots": 1, "agents": {"greedy": 2}}, sampling={"deals": 4000})
    league = League(4000, run.league, 0)
    everybody = np.arange(4000)

    def shares(taken):
        league.fill(taken)
        league.draw(everybody)
        return np.bincount(league.players.max(1), minlength=4) / 4000

    np.testing.assert_allclose(shares(0), [1 / 3, 0, 0, 2 / 3], atol=0.03)
    np.testing.assert_allclose(shares(1), [0.25, 0.25, 0, 0.5], atol=0.03)
    np.testing.assert_allclose(shares(5), [0.25, 0.125, 0.125, 0.5], atol=0.03)
    assert (league.players.min(1) == MAIN).all()
    np.testing.assert_allclose((league.players[:, 0] > 0).mean(), 0.375, atol=0.03)


def test_results_are_counted_from_the_learning_side():
    league = League(3, tiny(league={"agents": {"greedy": 1}}).league, 0)
    league.players[:] = [[0, 3], [3, 0], [0, 0]]
    league.count(np.arange(3), np.array([4, 6, 12]))
    assert dict(zip(league.names, league.points, strict=True))["greedy"] == 4 - 6
    assert list(league.deals) == [1, 0, 0, 2]


def test_only_the_learning_side_is_recorded_against_an_opponent():
    run = tiny(league={"self": 0, "agents": {"random": 1}})
    game = self_play(run)
    players = game.league.players.copy()
    game._step([[networks(run).policy], [], []])
    seats, deals = game.rollout.column("seat"), game.rollout.column("deal")
    assert 0 < game.rollout.size < run.sampling.deals
    assert (players[deals, seats % 2] == MAIN).all()


def test_three_networks_take_a_seat_of_each_side_each():
    run = tiny(network={"policy": [16], "critic": [16], "per_seat": True})
    teams = [networks(run, seed) for seed in range(3)]
    batches = play(self_play(run), run, teams)
    for position, (team, batch) in enumerate(zip(teams, batches, strict=True)):
        assert len(batch["seat"]) and (batch["seat"] // 2 == position).all()
        with torch.no_grad():
            logp, _ = team.policy.evaluate(*(torch.from_numpy(batch[name]) for name in ("obs", "mask", "actions")))
        np.testing.assert_allclose(logp.numpy(), batch["action_logp"], atol=1e-5)


def test_decisions_count_choices_forced_actions_and_forced_passes(monkeypatch):
    """Against the public log of the same deals, played again through ``Deal``."""
    monkeypatch.setattr(selfplay, "DESYNCHRONISE", 1)  # from the first decision on
    run = tiny(sampling={"deals": 4, "rows": 200})
    game, chosen, advance = self_play(run), [[] for _ in range(4)], kernels.advance
    deals = [Deal.new(run.rule_set(), int(deal_seed(row))) for row in game.rows]

    def watching(rows, actions, *rest):
        for slot, action in enumerate(actions):
            chosen[slot].append(int(action))
        return advance(rows, actions, *rest)

    monkeypatch.setattr(kernels, "advance", watching)
    play(game, run, [networks(run)])
    assert not game.league.deals.any()  # all still in their first deal
    expected = sum(decisions_of(deal, iter(actions)) for deal, actions in zip(deals, chosen, strict=True))
    assert 1.2 * 200 < game.decisions
    assert game.decisions == expected


def decisions_of(deal, actions) -> int:
    """Play staged actions and what is forced; the number of both, and of passes that nobody decided."""
    count = 0
    while True:
        options = deal.legal()
        while len(options) > 1:
            step = len({staged(option)[0] for option in options}) == 1  # SELECT is done, or forced
            action = next(actions, None)
            if action is None:
                return count
            count += 1
            options = [option for option in options if staged(option)[step] == action]
        count += len(deal.legal()) == 1
        seat, before = deal.turn, len(deal.events)
        deal.act(options[0])
        count += sum(event["event"] == "pass" and event["seat"] != seat for event in deal.events[before:])


class _OneByOne:
    name = "one_by_one"


def test_a_league_refuses_agents_that_play_one_deal_at_a_time(monkeypatch):
    assert isinstance(selfplay.batch_agent("greedy"), BatchAgent)
    monkeypatch.setattr("agents.registry._factories", {"slow": lambda argument: _OneByOne()})
    with pytest.raises(AgentError, match="a league needs agents that play in batches"):
        selfplay.batch_agent("slow")


def test_a_rollout_takes_back_what_it_was_given():
    rollout = Rollout(2, 64)
    assert rollout.size == 0 and not rollout.take(np.zeros(0, np.float32), 1.0, 1.0)["obs"].size
