import numpy as np
import pytest

from gouji_env import DealBatch
from gouji_env.engine import EVALUATION_BIT, deal_seed, legal, new_rows, play_forced, random_rows, turn
from gouji_env.rules import RuleSet
from train import kernels

CLASSIC = RuleSet.preset("classic")


def naive_advantages(deal, seat, value, reward, terminal, gae_lambda):
    """By the definition: each seat's rows as a chain of its own, its deltas summed up one after the other."""
    advantage = np.full(len(deal), np.nan)
    chains: dict[tuple[int, int], list[list[int]]] = {}
    for row in range(len(deal)):
        chain = chains.setdefault((deal[row], seat[row]), [[]])
        chain[-1].append(row)
        if terminal[row]:
            chain.append([])
    for parts in chains.values():
        for rows in parts:
            ends = bool(rows) and terminal[rows[-1]]
            known = rows if ends else rows[:-1]
            following = [value[row] for row in rows[1:]] + ([0.0] if ends else [])
            deltas = [reward[row] + following[k] - value[row] for k, row in enumerate(known)]
            for k, row in enumerate(known):
                advantage[row] = sum(gae_lambda**j * delta for j, delta in enumerate(deltas[k:]))
    return advantage


@pytest.mark.parametrize("gae_lambda", [0.0, 0.9, 1.0])
def test_advantages_equal_the_definition(gae_lambda):
    random = np.random.default_rng(0)
    rows = 3000
    deal = random.integers(0, 20, rows).astype(np.int32)
    seat = random.integers(0, 6, rows).astype(np.int8)
    value = random.normal(size=rows).astype(np.float32)
    terminal = random.random(rows) < 0.05
    reward = np.where(terminal, random.normal(size=rows), 0).astype(np.float32)
    advantage, target = np.empty(rows, np.float32), np.empty(rows, np.float32)
    complete = kernels.advantages(deal, seat, value, reward, terminal, np.float32(gae_lambda), advantage, target)
    expected = naive_advantages(deal, seat, value, reward, terminal, gae_lambda)
    np.testing.assert_array_equal(complete, ~np.isnan(expected))
    np.testing.assert_allclose(advantage[complete], expected[complete], atol=1e-4)
    np.testing.assert_allclose(target[complete], (advantage + value)[complete], atol=1e-6)
    assert 0 < (~complete).sum() <= 120  # at most one waiting row a seat and deal


def test_advancing_plays_as_the_batch_environment_does():
    deals, streams = 50, np.arange(50, dtype=np.uint64)
    batch = DealBatch(CLASSIC, deals, seed=3, skip_forced=True)
    rows = batch.rows.copy()
    actions, finished, result = np.empty(deals, np.int16), np.zeros(deals, np.bool_), np.zeros(deals, np.int64)
    last, reward, terminal = np.full((deals, 6), -1, np.int64), np.zeros(1, np.float32), np.zeros(1, np.bool_)
    ended = 0
    for _ in range(300):
        random_rows(rows, np.arange(deals), streams, actions)
        kernels.advance(rows, actions, last, reward, terminal, finished, result)
        done, points = batch.step(actions)
        np.testing.assert_array_equal(rows, batch.rows)
        np.testing.assert_array_equal(finished, done)
        np.testing.assert_array_equal(result[done], points[done])
        ended += done.sum()
    assert ended > 50


def test_the_end_of_a_deal_pays_each_seat_at_its_latest_decision():
    rows = new_rows(CLASSIC, np.arange(1, dtype=np.uint64))
    streams, actions = np.zeros(1, np.uint64), np.empty(1, np.int16)
    last, finished, result = np.full((1, 6), -1, np.int64), np.zeros(1, np.bool_), np.zeros(1, np.int64)
    reward, terminal, seats = np.zeros(1000, np.float32), np.zeros(1000, np.bool_), []
    play_forced(rows[0])
    while not finished[0]:
        seats.append(int(turn(rows[0])))
        last[0, seats[-1]] = len(seats) - 1
        random_rows(rows, np.arange(1), streams, actions)
        kernels.advance(rows, actions, last, reward, terminal, finished, result)
    for seat in set(seats):
        latest = len(seats) - 1 - seats[::-1].index(seat)
        assert terminal[latest] and reward[latest] == result[0] * (1 if seat % 2 == 0 else -1)
    assert terminal.sum() == len(set(seats)) and (last == -1).all()


def test_desynchronised_deals_wait_for_a_choice_and_keep_training_seeds():
    rows = new_rows(CLASSIC, np.arange(200, dtype=np.uint64))
    kernels.desynchronise(rows, np.arange(200, dtype=np.uint64), 300)
    assert all(legal(row, np.empty(912, np.int16)) > 1 for row in rows)
    seeds = [int(deal_seed(row)) for row in rows]
    assert max(seeds) < EVALUATION_BIT and len(set(seeds)) == 200
    assert sum(seed >= 200 for seed in seeds) > 10  # some are in their second deal already
