"""Kernels over many rows against the same over one row, and the random numbers that they draw."""

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from core_support import THREE_RULE_SETS, short_deal

from gouji_env import Deal, RuleSet, engine

Rows = npt.NDArray[np.int8]
Index = npt.NDArray[np.int64]


@cache
def many_rows() -> Rows:
    """Running deals of many kinds, leads and answers, some of them composing."""
    generator = Random(0)
    rows = []
    for seed in range(60):
        deal = short_deal(seed) if seed % 2 else Deal.new(RuleSet.preset(THREE_RULE_SETS[seed % 3]), seed)
        for _ in range(generator.randrange(12)):
            if deal.turn is not None:
                deal.act(generator.choice(deal.legal()))
        if deal.turn is not None:
            rows.append(deal.row)
    return composing_too(np.array(rows))


def composing_too(rows: Rows) -> Rows:
    ids = np.empty(engine.ACTIONS, np.int16)
    for row in rows[::3]:
        for action in ids[: engine.legal(row, ids)].tolist():
            trial = row.copy()
            engine.act(trial, action)
            if engine.composing(trial):
                row[:] = trial
                break
    assert sum(engine.composing(row) for row in rows) > 5
    return rows


@pytest.fixture
def rows() -> Rows:
    return many_rows().copy()


@pytest.fixture
def index(rows: Rows) -> Index:
    """Most of the rows, in disorder."""
    return np.random.default_rng(0).permutation(len(rows))[: len(rows) - 7]


def mask_of(row: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    out = np.empty(engine.ACTIONS, np.int8)
    engine.mask(row, out)
    return out


def test_observations_masks_and_hands(rows: Rows, index: Index) -> None:
    m = len(index)
    seen, hidden = np.empty((m, engine.OBSERVATION), np.int8), np.empty((m, engine.HIDDEN), np.int8)
    masks, packed = np.empty((m, engine.ACTIONS), np.int8), np.empty((m, engine.PACKED), np.uint8)
    before = rows.copy()
    engine.observe_rows(rows, index, seen)
    engine.hidden_rows(rows, index, hidden)
    engine.mask_rows(rows, index, masks)
    engine.packed_mask_rows(rows, index, packed)
    assert np.array_equal(rows, before)
    one, hands = np.empty(engine.OBSERVATION, np.int8), np.empty(engine.HIDDEN, np.int8)
    for j, i in enumerate(index):
        engine.observe(rows[i], engine.turn(rows[i]), one)
        engine.observe_hidden(rows[i], engine.turn(rows[i]), hands)
        assert np.array_equal(seen[j], one) and np.array_equal(hidden[j], hands)
        assert np.array_equal(masks[j], mask_of(rows[i]))
    bits = np.unpackbits(packed, axis=1, bitorder="little", count=engine.ACTIONS)
    assert engine.PACKED == 114 and np.array_equal(bits, masks)


def test_acting_on_some_rows_leaves_the_others(rows: Rows, index: Index) -> None:
    before, streams = rows.copy(), np.arange(len(rows), dtype=np.uint64)
    actions = np.empty(len(index), np.int16)
    engine.random_rows(rows, index, streams, actions)
    engine.act_rows(rows, index, actions)
    for i in range(len(rows)):
        expected = before[i].copy()
        if i in index:
            engine.act(expected, actions[list(index).index(i)])
        assert np.array_equal(rows[i], expected)
        assert (streams[i] != i) == (i in index)


def draws(rows: Rows, times: int) -> list[Counter[int]]:
    everyone, streams = np.arange(len(rows)), np.arange(100, 100 + len(rows), dtype=np.uint64)
    out = np.empty(len(rows), np.int16)
    drawn: list[Counter[int]] = [Counter() for _ in rows]
    for _ in range(times):
        engine.random_rows(rows, everyone, streams, out)
        for counter, action in zip(drawn, out.tolist(), strict=True):
            counter[action] += 1
    return drawn


def test_random_actions_are_legal_and_even(rows: Rows) -> None:
    for row, drawn in zip(rows[:12], draws(rows[:12], 3000), strict=True):
        legal = np.flatnonzero(mask_of(row))
        assert set(drawn) == set(legal.tolist())
        expected = 3000 / len(legal)
        assert max(abs(n - expected) for n in drawn.values()) < 6 * np.sqrt(expected)


def softmax_over_legal(row: npt.NDArray[np.int8], logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    masked = np.where(mask_of(row) > 0, logits.astype(np.float64), -np.inf)
    weights = np.exp(masked - masked.max())
    return weights / weights.sum()


def test_sampling_follows_the_logits_over_legal_actions(rows: Rows) -> None:
    generator, rows = np.random.default_rng(1), rows[:8]
    logits = generator.normal(0, 1.5, (8, engine.ACTIONS)).astype(np.float32)
    everyone, streams = np.arange(8), np.arange(8, dtype=np.uint64)
    actions, log_prob = np.empty(8, np.int16), np.empty(8, np.float32)
    drawn = np.zeros((8, engine.ACTIONS))
    for _ in range(4000):
        engine.sample_rows(rows, everyone, streams, logits, actions, log_prob, False)
        drawn[everyone, actions] += 1
        expected = [np.log(softmax_over_legal(row, one)[a]) for row, one, a in zip(rows, logits, actions, strict=True)]
        assert np.allclose(log_prob, expected, atol=1e-5)
    probability = np.array([softmax_over_legal(row, one) for row, one in zip(rows, logits, strict=True)])
    assert (drawn[probability == 0] == 0).all()
    error = np.abs(drawn / 4000 - probability)
    assert (error < 6 * np.sqrt(probability * (1 - probability) / 4000) + 1e-9).all()


def test_greedy_takes_the_most_probable_and_draws_nothing(rows: Rows, index: Index) -> None:
    logits = np.random.default_rng(2).normal(0, 1, (len(index), engine.ACTIONS)).astype(np.float32)
    streams = np.arange(len(rows), dtype=np.uint64)
    actions, log_prob = np.empty(len(index), np.int16), np.empty(len(index), np.float32)
    engine.sample_rows(rows, index, streams, logits, actions, log_prob, True)
    for j, i in enumerate(index):
        probability = softmax_over_legal(rows[i], logits[j])
        assert actions[j] == probability.argmax()
        assert np.isclose(log_prob[j], np.log(probability.max()), atol=1e-5)
    assert np.array_equal(streams, np.arange(len(rows), dtype=np.uint64))


@pytest.mark.parametrize("scale", [1e4, 1e30])
@pytest.mark.parametrize("greedy", [False, True])
def test_masks_hold_under_adversarial_logits(rows: Rows, index: Index, scale: float, greedy: bool) -> None:
    """All weight on what is illegal, and the rest far apart."""
    generator = np.random.default_rng(3)
    logits = (generator.normal(0, 1, (len(index), engine.ACTIONS)) * scale).astype(np.float32)
    for j, i in enumerate(index):
        logits[j, mask_of(rows[i]) == 0] = np.float32(3e38)
    streams = np.arange(len(rows), dtype=np.uint64)
    actions, log_prob = np.empty(len(index), np.int16), np.empty(len(index), np.float32)
    engine.sample_rows(rows, index, streams, logits, actions, log_prob, greedy)
    assert all(engine.is_legal(rows[i], int(a)) for i, a in zip(index, actions, strict=True))
    assert (log_prob <= 0).all() and np.isfinite(log_prob).all()


def test_a_single_legal_action_is_certain() -> None:
    deal = Deal.from_hands(RuleSet.preset("classic"), ["3", "44", "44", "44", "44", "44"], 0)
    assert deal.legal() == ["3"]
    logits = np.full((1, engine.ACTIONS), -3e38, np.float32)
    logits[0, engine.PASS] = 3e38
    streams, actions, log_prob = np.ones(1, np.uint64), np.empty(1, np.int16), np.empty(1, np.float32)
    for greedy in (False, True):
        engine.sample_rows(deal.row[np.newaxis], np.zeros(1, np.int64), streams, logits, actions, log_prob, greedy)
        assert (actions[0], log_prob[0]) == (engine.select_id(0, 1), 0)


# --- random numbers


def test_random_numbers_are_splitmix64() -> None:
    """The first numbers of the generator's published test (state 1234567)."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    streams = np.array([1234567], np.uint64)
    for bits in published:
        before = streams.copy()
        assert engine.random_int(streams, 0, 1 << 30) == (bits >> 32) * (1 << 30) >> 32
        assert engine.random_unit(before, 0) == (bits >> 11) / 2**53
        assert np.array_equal(before, streams)


def test_random_numbers_stay_within_their_range() -> None:
    streams = np.arange(3, dtype=np.uint64)
    numbers = [engine.random_int(streams, 1, 6) for _ in range(6000)]
    units = [engine.random_unit(streams, 2) for _ in range(6000)]
    assert streams[0] == 0
    assert min(Counter(numbers).values()) > 850 and set(numbers) == set(range(6))
    assert 0 <= min(units) < 0.01 and 0.99 < max(units) < 1 and abs(np.mean(units) - 0.5) < 0.02
