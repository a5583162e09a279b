"""Search: its options, what it tries, how it spends its budget, and that it finds what is better."""

from random import Random

import numpy as np
import pytest
from core_support import legal_codes, short_deal, states

import agents
from agents import AgentError
from agents.arena import duel
from agents.search import SearchAgent, SearchOptions, read_options
from agents.search_candidates import MOST, list_candidates
from agents.search_playouts import EXPERT, GREEDY, POLICIES
from agents.search_race import FEW_GUESSES, MOST_GUESSES, Alive, Budget, race
from gouji_env import Deal, RuleSet, engine
from gouji_env.rules import PRESETS

CLASSIC = RuleSet.preset("classic")


def choice(deal: Deal, argument: str, seed: int = 1) -> tuple[str, SearchAgent]:
    agent = SearchAgent(argument)
    assert deal.turn is not None
    agent.reset(deal.turn, deal.rules, seed)
    return agent.act(deal.view(deal.turn)), agent


# --- options


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("", SearchOptions(ms=100, playouts=None, policy="expert", cores=1)),
        ("playouts=2000", SearchOptions(ms=None, playouts=2000)),
        ("ms=50,policy=greedy,cores=2", SearchOptions(ms=50, policy="greedy", cores=2)),
        ("playouts=9,ms=5", SearchOptions(ms=5, playouts=9)),
    ],
)
def test_options(argument: str, options: SearchOptions) -> None:
    assert read_options(argument) == options


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("depth=3", "'depth=3' is no option; write ms=100"),
        ("ms", "'ms' is no option"),
        ("ms=50,", "'' is no option"),
        ("ms=1.5", "ms '1.5' is no whole number from 1 to"),
        ("cores=0", "cores '0' is no whole number from 1 to"),
        ("playouts=-1", "playouts '-1' is no whole number"),
        ("policy=random", "policy 'random' is none of greedy, expert"),
        ("ms=5,ms=6", "ms stands twice"),
    ],
)
def test_bad_options_name_the_mend(argument: str, told: str) -> None:
    with pytest.raises(AgentError, match=told) as error:
        agents.make(f"search:{argument}")
    assert f"search:{argument}" in str(error.value)


# --- candidates


@pytest.mark.parametrize("policy", [GREEDY, EXPERT], ids=POLICIES)
def test_candidates_are_legal_and_begin_with_what_the_policy_does(policy: int) -> None:
    most = 0
    for row in states(full=1, short=60):
        codes = legal_codes(row)
        seat = engine.turn(row)
        hidden = np.empty(engine.ROW, np.int8)
        engine.hide(row, seat, hidden)
        listed = list_candidates(hidden, policy, np.array(codes, np.int32)).tolist()
        assert len(set(listed)) == len(listed) and set(listed) <= set(codes)
        assert engine.owner(row) < 0 or "pass" in [engine.code_text(code) for code in listed]
        most = max(most, len(listed))
    assert most == MOST


@pytest.mark.parametrize("policy", POLICIES)
def test_the_first_candidate_is_what_the_policy_plays(policy: str) -> None:
    agent, search = agents.make(policy), SearchAgent(f"playouts=1,policy={policy}")
    decisions = 0
    for seed in range(3):
        deal = Deal.new(RuleSet.preset("kaidian"), seed)
        while deal.turn is not None:
            view = deal.view(deal.turn)
            search.act(view)
            played = agent.act(view)
            if len(view.legal) > 1:
                assert search.thought is not None and search.thought.policy_action == played
                decisions += 1
            deal.act(played)
    assert decisions > 100


# --- the race


def run_race(means: list[float], budget: Budget, seed: int = 0) -> tuple[int, int, int]:
    """(winner, guesses, playouts) among candidates that bring a win or a loss, so much on the mean."""
    values = np.zeros((MOST_GUESSES, len(means)), np.int8)
    generator = np.random.default_rng(seed)
    done = 0

    def play_out(first: int, last: int, alive: Alive) -> None:
        nonlocal done
        assert first == done < last
        chances = generator.random((last - first, 1)) * 12 - 6
        values[first:last, alive] = np.where(chances < np.array(means)[alive], 6, -6)
        done = last

    winner = race(values, play_out, budget)
    return winner, done, budget.spent


@pytest.mark.parametrize("playouts", [1, 10, 300, 5000])
def test_a_race_keeps_to_its_playouts(playouts: int) -> None:
    """One guess for all is played out in any case."""
    for candidates in (2, 3, 7, 16):
        _, _, spent = run_race([0.0] * candidates, Budget(playouts, None))
        assert spent <= max(playouts, candidates)
        assert spent > 0.6 * playouts


def test_a_race_finds_the_best_candidate() -> None:
    winners = [run_race([0, -1, -2, 3, 0, -1, 1, -3], Budget(800, None), seed)[0] for seed in range(40)]
    assert winners.count(3) > 35


def test_without_a_difference_the_policy_stays() -> None:
    assert {run_race([1.0] * 5, Budget(500, None), seed)[0] for seed in range(20)} == {0}


def test_a_race_is_over_when_nothing_can_win() -> None:
    winner, guesses, _ = run_race([5.9, -5.9, -5.9], Budget(100_000, None))
    assert winner == 0 and FEW_GUESSES <= guesses < MOST_GUESSES


def test_a_race_by_the_clock_ends() -> None:
    winner, guesses, _ = run_race([0, 6, -2], Budget(None, 0.02))
    assert winner == 1 and guesses > 0


# --- the agent


def positions(count: int) -> list[Deal]:
    found = []
    for seed in range(count):
        deal, generator = Deal.new(RuleSet.preset("qingdao"), seed), Random(seed)
        for _ in range(30 + 10 * seed):
            if deal.turn is not None:
                deal.act(generator.choice(deal.legal()))
        if deal.turn is not None and len(deal.legal()) > 1:
            found.append(deal)
    return found


def test_the_choice_follows_from_view_and_seed() -> None:
    """However many cores, whoever asks, and whatever was asked before."""
    kept = SearchAgent("playouts=200,policy=greedy")
    for deal in positions(6):
        assert deal.turn is not None
        one, first = choice(deal, "playouts=200,policy=greedy", 7)
        kept.reset(deal.turn, deal.rules, 7)
        three, second = choice(deal, "playouts=200,policy=greedy,cores=3", 7)
        second.close()
        assert one == three == kept.act(deal.view(deal.turn)) and one in deal.legal()
        assert first.thought is not None and second.thought is not None
        assert first.thought.playouts == second.thought.playouts > 0


def test_other_seeds_guess_otherwise() -> None:
    """Two actions that are as good as each other are told apart by the guesses alone."""
    deal = Deal.new(CLASSIC, 5)
    assert len({choice(deal, "playouts=32,policy=greedy", seed)[0] for seed in range(12)}) > 1


def test_the_only_legal_action_is_taken_at_once() -> None:
    deal = Deal.from_hands(CLASSIC, ["3"] * 6, 0)
    action, agent = choice(deal, "playouts=100")
    assert action == "3" and agent.thought is None


def test_a_deadline_is_kept_to() -> None:
    deal = Deal.new(CLASSIC, 5)
    agent = SearchAgent("playouts=10000000,policy=greedy")
    agent.deadline = 0.05
    assert deal.turn is not None
    assert agent.act(deal.view(deal.turn)) in deal.legal()
    assert agent.thought is not None and agent.thought.playouts < 100_000


@pytest.mark.parametrize("name", PRESETS)
def test_it_plays_legally(name: str) -> None:
    result = duel(
        agents.make("search:playouts=8,policy=greedy"), agents.make("greedy"), RuleSet.preset(name), 1, seed=3
    )
    assert result.decisions > 100


def test_it_plays_legally_under_random_switches_and_before_the_first_lead() -> None:
    agent, phases = SearchAgent("playouts=24,policy=greedy"), set()
    for seed in range(40):
        deal = short_deal(seed, revolution=True)
        while deal.turn is not None:
            phases.add(deal.phase)
            deal.act(agent.act(deal.view(deal.turn)))
    assert phases == {"revolt", "renounce", "return", "accept", "play"}


def test_it_sees_what_greedy_does_not() -> None:
    """Hardly anybody holds a pair that beats two aces, and the 3 is the last card; greedy leads its lowest group."""
    deal = Deal.from_hands(CLASSIC, ["AA3", "65", "76", "K4", "87", "97"], 0)
    action, agent = choice(deal, "playouts=400,policy=greedy")
    assert agent.thought is not None and agent.thought.policy_action == "3"
    assert action == "AA"
