"""DealBatch: N deals in lock-step are N deals, dealt again as they end."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gouji_env import DealBatch, RuleSet, engine

CLASSIC = RuleSet.preset("classic")
RULES = [CLASSIC, RuleSet.preset("qingdao"), RuleSet.preset("kaidian")]


def choose(masks: npt.NDArray[np.int8], generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """A random legal action for each mask."""
    return (masks * generator.random(masks.shape)).argmax(axis=1)


@pytest.mark.parametrize("rules", RULES, ids=RuleSet.name)
def test_a_batch_plays_what_its_deals_play_alone(rules: RuleSet) -> None:
    batch, generator = DealBatch(rules, 6, seed=4), np.random.default_rng(4)
    alone = engine.new_rows(rules, np.array([engine.deal_seed(row) for row in batch.rows]))
    ended = 0
    for _ in range(700):
        for i, row in enumerate(alone):
            assert np.array_equal(batch.rows[i], row)
        assert batch.turn.tolist() == [engine.turn(row) for row in alone]
        actions = choose(batch.mask(), generator)
        done, points = batch.step(actions)
        for i, row in enumerate(alone):
            engine.act(row, actions[i])
            assert done[i] == engine.is_over(row)
            assert points[i] == (engine.points(row) if done[i] else 0)
            if done[i]:
                engine.next_deal(row)
                ended += 1
    assert ended > 10


def test_observations_and_masks_are_of_the_deciding_seats() -> None:
    batch, generator = DealBatch(CLASSIC, 9, seed=1), np.random.default_rng(1)
    row_mask = np.empty(engine.ACTIONS, np.int8)
    scaled = np.empty(engine.OBSERVATION, np.float32)
    for _ in range(150):
        observed, raw, masks = batch.observe(), batch.observe_raw(), batch.mask()
        assert (observed.dtype, raw.dtype, masks.dtype) == (np.float32, np.int8, np.int8)
        assert np.array_equal(observed, raw * engine.OBSERVATION_SCALE)
        for i, row in enumerate(batch.rows):
            engine.observe_scaled(row, engine.turn(row), scaled)
            engine.mask(row, row_mask)
            assert np.array_equal(observed[i], scaled) and np.array_equal(masks[i], row_mask)
        batch.step(choose(masks, generator))


def test_arrays_of_the_caller_are_written_into() -> None:
    batch = DealBatch(CLASSIC, 5, seed=2)
    whole = np.full((7, engine.OBSERVATION + 3), 99, np.float32)
    observation, raw = whole[1:6, 2:-1], np.full((5, engine.OBSERVATION), 99, np.int8)
    mask = np.full((5, engine.ACTIONS), 99, np.int8)
    assert batch.observe(observation) is observation and batch.observe_raw(raw) is raw and batch.mask(mask) is mask
    assert np.array_equal(observation, batch.observe())
    assert np.array_equal(raw, batch.observe_raw()) and np.array_equal(mask, batch.mask())
    assert (whole[0] == 99).all() and (whole[:, :2] == 99).all() and (whole[:, -1] == 99).all()


def test_rows_are_the_state_to_save_and_restore() -> None:
    batch, generator = DealBatch(CLASSIC, 4, seed=3), np.random.default_rng(3)
    for _ in range(50):
        batch.step(choose(batch.mask(), generator))
    saved = batch.rows.copy()
    actions = choose(batch.mask(), generator)
    first = batch.step(actions), batch.rows.copy()
    batch.rows[:] = saved
    assert all(np.array_equal(one, other) for one, other in zip(batch.step(actions), first[0], strict=True))
    assert np.array_equal(batch.rows, first[1])


@pytest.mark.parametrize("rules", RULES, ids=RuleSet.name)
def test_forced_leads_are_skipped(rules: RuleSet) -> None:
    """Every decision that is left is one: the same deals, fewer steps."""
    batch, generator = DealBatch(rules, 16, seed=5, skip_forced=True), np.random.default_rng(5)
    plain = DealBatch(rules, 16, seed=5)
    assert np.array_equal(batch.rows, plain.rows)
    totals = np.zeros((2, 16), np.int64)
    for _ in range(400):
        masks = batch.mask()
        assert (masks.sum(axis=1) > 1).all()
        actions = choose(masks, generator)
        for i, row in enumerate(plain.rows):
            engine.act(row, actions[i])
            engine.play_forced(row)
            if engine.is_over(row):
                totals[1, i] += engine.points(row)
                engine.next_deal(row)
                engine.play_forced(row)
        totals[0] += batch.step(actions)[1]
        assert np.array_equal(batch.rows, plain.rows)
    assert totals.any() and np.array_equal(totals[0], totals[1])


def test_seeds() -> None:
    same, again, other = DealBatch(CLASSIC, 8, seed=6), DealBatch(CLASSIC, 8, seed=6), DealBatch(CLASSIC, 8, seed=7)
    assert np.array_equal(same.rows, again.rows) and not np.array_equal(same.rows, other.rows)
    assert len({row.tobytes() for row in same.rows}) == 8
    longer = DealBatch(CLASSIC, 12, seed=6)
    assert np.array_equal(longer.rows[:8], same.rows)
    given = DealBatch(CLASSIC, 3, seeds=[5, 5, 1 << 63], evaluation=True)
    assert [int(engine.deal_seed(row)) for row in given.rows] == [5, 5, 1 << 63]
    assert np.array_equal(given.rows[0], given.rows[1])


@pytest.mark.parametrize("n", [0, -1])
def test_a_batch_of_nothing(n: int) -> None:
    with pytest.raises(ValueError, match=f"n {n}: a batch has at least one deal"):
        DealBatch(CLASSIC, n)


@pytest.mark.parametrize("wrong", [-1, engine.ACTIONS, engine.PASS, engine.COMPOSE, (1 << 16) + engine.SELECT])
def test_an_illegal_action_moves_no_deal(wrong: int) -> None:
    """All lead, so nobody may pass; the third deal is named."""
    batch = DealBatch(CLASSIC, 5, seed=8)
    before, actions = batch.rows.copy(), choose(batch.mask(), np.random.default_rng(8))
    actions[2] = wrong
    with pytest.raises(ValueError, match=rf"deal 2: action {wrong} is illegal for seat {batch.turn[2]}; see mask\(\)"):
        batch.step(actions)
    assert np.array_equal(batch.rows, before)


@pytest.mark.parametrize(("actions", "error"), [([23] * 4, ValueError), (23, ValueError), ([23.5] * 5, TypeError)])
def test_actions_that_are_no_actions(actions: Any, error: type[Exception]) -> None:
    batch = DealBatch(CLASSIC, 5, seed=9)
    before = batch.rows.copy()
    with pytest.raises(error):
        batch.step(actions)
    assert np.array_equal(batch.rows, before)


def test_length() -> None:
    assert len(DealBatch(CLASSIC, 11)) == 11
