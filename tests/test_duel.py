"""Duplicate duels: fair, repeatable, the same on both paths."""

import math

import numpy as np
import pytest
from tournament_support import Highest, OneAtATime, Spoilt, batched

from agents import Agent, AgentError, BatchAgent, Forfeit, make
from agents.arena import DuelError, duel
from agents.arena.statistics import mean_interval
from agents.protocol import Index, Rows, StagedActions, Streams
from gouji_env import RuleSet
from gouji_env.engine import deal_seed
from gouji_env.view import SeatView

CLASSIC = RuleSet.preset("classic")
PRESETS = ("classic", "yang2004", "qingdao")


class Watcher(BatchAgent):
    """Greedy, keeping the rows and streams of its first batch."""

    name = "watcher"

    def __init__(self) -> None:
        super().__init__()
        self.rows: Rows | None = None
        self.streams: Streams | None = None
        self.greedy = batched("greedy")

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        if self.rows is None:
            self.rows, self.streams = rows.copy(), streams.copy()
        self.greedy.act_batch(rows, index, streams, out)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deterministic_agent_against_itself_is_exactly_even(preset: str) -> None:
    result = duel(make("greedy"), make("greedy"), RuleSet.preset(preset), 300, 1)
    assert (result.halves[:, 0] == -result.halves[:, 1]).all()
    assert np.unique(result.halves).size > 4
    assert result.points_per_deal == 0
    assert result.interval == (0, 0)
    assert result.wins == result.losses


def test_random_against_itself_is_even_within_its_interval() -> None:
    result = duel(make("random"), make("random"), CLASSIC, 1000, 1)
    low, high = result.interval
    assert low < 0 < high
    assert (result.halves[:, 0] != -result.halves[:, 1]).any()


@pytest.mark.parametrize("preset", PRESETS)
def test_greedy_beats_random(preset: str) -> None:
    result = duel(make("greedy"), make("random"), RuleSet.preset(preset), 200, 1)
    assert result.interval[0] > 8


def test_both_paths_give_the_same() -> None:
    pair = batched("greedy"), Highest()
    rules = RuleSet.preset("qingdao")
    together = duel(*pair, rules, 12, 4)
    mixed = duel(OneAtATime(pair[0]), pair[1], rules, 12, 4)
    assert together.halves.tolist() == mixed.halves.tolist()
    assert together.decisions == mixed.decisions
    assert together.summary() == mixed.summary()


def test_the_other_order_of_agents_gives_the_opposite() -> None:
    one, other = duel(make("greedy"), Highest(), CLASSIC, 30, 4), duel(Highest(), make("greedy"), CLASSIC, 30, 4)
    assert (one.halves == -other.halves[:, ::-1]).all()
    assert one.points_per_deal == -other.points_per_deal != 0


def test_chunks_and_the_number_of_deals_change_no_deal() -> None:
    whole = duel(make("random"), make("greedy"), CLASSIC, 60, 7)
    for chunk_rows in (1, 14, 64):
        chunked = duel(make("random"), make("greedy"), CLASSIC, 60, 7, chunk_rows=chunk_rows)
        assert chunked.halves.tobytes() == whole.halves.tobytes()
        assert chunked.summary() == whole.summary()
    fewer = duel(make("random"), make("greedy"), CLASSIC, 20, 7)
    assert fewer.halves.tobytes() == whole.halves[:20].tobytes()


def test_another_seed_gives_other_deals() -> None:
    one, other = (duel(make("greedy"), make("random"), CLASSIC, 20, seed) for seed in (1, 2))
    assert one.halves.tolist() != other.halves.tolist()


def test_both_halves_have_the_same_cards_and_leader_from_evaluation_seeds() -> None:
    a, b = Watcher(), Watcher()
    duel(a, b, CLASSIC, 20, 3)
    assert a.rows is not None and a.streams is not None and b.streams is not None
    assert (a.rows[0::2] == a.rows[1::2]).all()
    seeds = [int(deal_seed(row)) for row in a.rows[0::2]]
    assert len(set(seeds)) == 20
    assert min(seeds) >= 1 << 63
    assert np.unique([*a.streams, *b.streams]).size == 80  # each agent, each half, each deal its own


def test_progress_counts_up_to_all_deals() -> None:
    for agent in (make("greedy"), OneAtATime(batched("greedy"))):
        told: list[int] = []
        duel(agent, make("greedy"), CLASSIC, 5, 0, progress=told.append, chunk_rows=4)
        assert told == sorted(told)
        assert told[-1] == 5
        assert len(told) > 2


def test_halves_are_counted_as_wins_draws_and_losses() -> None:
    result = duel(make("greedy"), make("greedy"), CLASSIC, 100, 5)
    assert result.wins + result.draws + result.losses == 200
    assert result.wins == (result.halves > 0).sum() > 0
    assert result.draws == (result.halves == 0).sum() > 0


class Passer(BatchAgent):
    """Passes even when it has to lead."""

    name = "passer"

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        out[:] = 0


class Dreamer(Agent):
    """Plays what nobody holds."""

    name = "dreamer"

    def act(self, view: SeatView) -> str:
        return "bbbbb"


@pytest.mark.parametrize("agent", [Passer(), OneAtATime(Passer()), Dreamer()], ids=["lockstep", "view", "deal"])
def test_illegal_choices_are_refused_by_name(agent: Agent) -> None:
    with pytest.raises(AgentError, match=rf"'{agent.name}'.*seat \d"):
        duel(agent, make("greedy"), CLASSIC, 2, 0)


def test_without_strict_an_agent_forfeits() -> None:
    spoilt = Spoilt(0)
    result = duel(make("greedy"), spoilt, CLASSIC, 20, 0, strict=False, chunk_rows=8)
    assert result.forfeits[0] == result.illegal[0] == 0
    assert result.forfeits[1] >= result.illegal[1] > 4
    assert len(result.notes) > 4
    assert result.summary()["forfeits"] == list(result.forfeits)


class Hanging(Agent):
    """Never answers."""

    name = "hanging"
    asked = 0

    def act(self, view: SeatView) -> str:
        self.asked += 1
        raise Forfeit("timeout", "no answer")


def test_an_agent_that_always_forfeits_is_asked_three_times_in_twenty_deals() -> None:
    hanging = Hanging()
    result = duel(hanging, make("greedy"), CLASSIC, 25, 0, strict=False)
    assert hanging.asked == 6
    assert result.forfeits == (50, 0) and result.points_per_deal == -12


@pytest.mark.parametrize(("deals", "seed", "named"), [(0, 0, "deals"), (-1, 0, "deals"), (1, -1, "seed")])
def test_bad_numbers_are_refused(deals: int, seed: int, named: str) -> None:
    with pytest.raises(DuelError, match=named):
        duel(make("greedy"), make("greedy"), CLASSIC, deals, seed)


def test_interval_of_a_known_sample() -> None:
    samples = np.arange(-50, 51) / 10.0
    low, high = mean_interval(samples, 1)
    error = samples.std() / math.sqrt(len(samples))
    assert low == pytest.approx(-1.96 * error, rel=0.1)
    assert high == pytest.approx(1.96 * error, rel=0.1)
    assert mean_interval(samples, 1) == (low, high)
    assert mean_interval(samples, 2) != (low, high)


def test_interval_covers_the_true_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    inside = sum(low <= 1 <= high for low, high in (mean_interval(rng.exponential(1, 200), i) for i in range(200)))
    assert 180 <= inside <= 198


def test_interval_of_equal_samples_and_of_a_single_one() -> None:
    assert mean_interval(np.full(40, 2.5), 0) == (2.5, 2.5)
    assert all(math.isnan(bound) for bound in mean_interval(np.array([2.5]), 0))
