"""Deals between lineups: who sits where, what is counted, and who is charged for what."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tournament_support import Highest, OneAtATime, Sitter, Spoilt, batched

from agents import Agent, AgentError, BatchAgent, Forfeit
from agents.arena.dealsets import deal_set
from agents.arena.lineup import Lineup
from agents.arena.play import PATIENCE, Played, play_deals
from agents.arena.results import PairResult
from gouji_env import RuleSet
from gouji_env.record import record_line
from gouji_env.replay import verify
from gouji_env.view import SeatView

CLASSIC = RuleSet.preset("classic")
SEED = 2  # in its first twelve deals a seat is dealt more than two big jokers twice, in deals 6 and 7


def lockstep(agent: BatchAgent) -> Agent:
    return agent


def play(a: Lineup, b: Lineup, deals: int = 12, rules: RuleSet = CLASSIC, **options: Any) -> Played:
    drawn = deal_set(f"seed-{SEED}", deals)
    return play_deals(a, b, rules, drawn.seeds(), drawn.streams(), **options)


def side(*agents: Agent) -> Lineup:
    return Lineup("side", agents * (3 // len(agents)))


@pytest.mark.parametrize("path", [lockstep, OneAtATime])
def test_a_mix_sits_in_rising_order_on_both_sides(path: Callable[[BatchAgent], Agent]) -> None:
    sitters = [Sitter(name) for name in "abc"]
    records: list[dict[str, Any]] = []
    play(side(*map(path, sitters)), side(path(Highest())), deals=2, record=records.append)
    assert [sitter.seats for sitter in sitters] == [{0, 1}, {2, 3}, {4, 5}]
    assert records[0]["agents"] == ["a", "highest", "b", "highest", "c", "highest"]
    assert records[1]["agents"] == ["highest", "a", "highest", "b", "highest", "c"]
    assert [record["seed"] for record in records[::2]] == [record["seed"] for record in records[1::2]]


@pytest.mark.parametrize("preset", ["classic", "qingdao"])
def test_both_paths_count_the_same(preset: str) -> None:
    greedy, expert, rules = batched("greedy"), batched("expert"), RuleSet.preset(preset)
    mix, other = side(greedy, Highest(), expert), side(Highest())
    together = play(mix, other, rules=rules)
    one_by_one = play(side(OneAtATime(greedy), Highest(), expert), other, rules=rules)
    for name in ("halves", "places", "decisions", "illegal", "forfeits", "notes"):
        assert np.array_equal(getattr(together, name), getattr(one_by_one, name)), name
    assert together.places.sum() == 2 * 12 * 6
    assert together.places.sum(axis=0).tolist() == [24] * 6
    assert min(together.decisions) > 300 and min(together.seconds) > 0


def test_places_are_those_of_the_lineup() -> None:
    played = play(side(batched("expert")), side(batched("random")), deals=50)
    assert played.halves.mean() > 8
    assert (played.places[0, :2] > 4 * played.places[1, :2]).all()
    mirrored = play(side(batched("random")), side(batched("expert")), deals=50)
    assert (mirrored.places[1, :2] > 4 * mirrored.places[0, :2]).all()


WRONG = {"error": RuntimeError("too\nmany"), "forfeit": Forfeit("crash", "gone"), "illegal": 0, "no action": 5000}


@pytest.mark.parametrize("path", [lockstep, OneAtATime])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_forfeit_is_charged_to_its_lineup_and_to_no_other_half(
    wrong: str, path: Callable[[BatchAgent], Agent]
) -> None:
    spoilt, other = side(path(Spoilt(WRONG[wrong], most=2))), side(batched("greedy"))
    whole = play(side(batched("greedy")), other)
    for played, sign, lineup in ((play(spoilt, other), -1, 0), (play(other, spoilt), 1, 1)):
        found = [re.fullmatch(r"spoilt: deal (\d+), seat (\d): .+", note) for note in played.notes]
        forfeited = np.zeros((12, 2), bool)
        for deal, seat in (map(int, match.groups()) for match in found if match):
            forfeited[deal, (seat + lineup) % 2] = True
        assert forfeited.sum() == played.forfeits[lineup] == len(played.notes) == 2 < PATIENCE
        assert (played.halves[forfeited] == 12 * sign).all()
        assert (played.halves == whole.halves)[~forfeited].all()
        assert played.forfeits[1 - lineup] == 0
        assert played.illegal[lineup] == (2 if wrong in ("illegal", "no action") else 0)
        assert played.places.sum() == 22 * 6


@pytest.mark.parametrize("path", [lockstep, OneAtATime])
def test_what_is_said_of_a_forfeit(path: Callable[[BatchAgent], Agent]) -> None:
    other = side(batched("greedy"))
    for wrong, said in (
        (RuntimeError("too\nmany"), "RuntimeError: too many"),
        (Forfeit("crash", "gone"), ": gone"),
        (RuntimeError("x" * 1000), "x..."),
        (5000, "action 5000"),
    ):
        notes = play(side(path(Spoilt(wrong, most=2))), other, first=100).notes
        assert all(said in note and "deal 10" in note for note in notes)
        assert max(map(len, notes)) < 400


@pytest.mark.parametrize("path", [lockstep, OneAtATime])
def test_after_some_forfeits_the_rest_is_forfeited_unplayed(path: Callable[[BatchAgent], Agent]) -> None:
    spoilt, other = side(path(Spoilt(RuntimeError("no"), most=-1))), side(batched("greedy"))
    played = play(other, spoilt)
    assert (played.halves == 12).all()
    assert played.forfeits == [0, 24]
    assert played.decisions[1] <= 24 if path is lockstep else played.decisions[1] == PATIENCE
    assert len(played.notes) == PATIENCE + 1
    assert played.notes[-1] == "side: 3 halves of deals 0 to 11 forfeited, and with them the 21 that were not over"
    assert not played.places.any()


class Silent(Agent):
    """Cannot even sit down."""

    name = "silent"

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        raise Forfeit("timeout", "no answer")

    def act(self, view: SeatView) -> str:
        raise AssertionError("it was not ready")


def test_an_agent_that_is_not_ready_forfeits() -> None:
    played = play(side(Silent()), side(batched("greedy")), deals=1)
    assert played.forfeits == [2, 0]
    assert played.halves.tolist() == [[-12, -12]]
    assert played.notes == ["silent: deal 0, seat 0: no answer", "silent: deal 0, seat 1: no answer"]


@pytest.mark.parametrize("path", [lockstep, OneAtATime])
def test_strict_play_ends_with_the_first_forfeit(path: Callable[[BatchAgent], Agent]) -> None:
    for wrong in (RuntimeError("no"), Forfeit("crash", "no"), 0):
        with pytest.raises(AgentError, match=r"agent 'spoilt': "):
            play(side(path(Spoilt(wrong, most=2))), side(batched("greedy")), strict=True)


@pytest.mark.parametrize("path", [lockstep, OneAtATime])
def test_ctrl_c_is_no_forfeit(path: Callable[[BatchAgent], Agent]) -> None:
    class Interrupted(Highest):
        def act_batch(self, *arguments: Any) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(side(path(Interrupted())), side(batched("greedy")))


@pytest.mark.parametrize("path", [lockstep, OneAtATime])
def test_forfeited_halves_are_recorded_as_far_as_they_were_played(
    path: Callable[[BatchAgent], Agent], tmp_path: Path
) -> None:
    records: list[dict[str, Any]] = []
    play(side(path(Spoilt(5000, most=2))), side(batched("greedy")), record=records.append)
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(map(record_line, records)))
    assert verify(file) == len(records) == 23  # one of the two forfeits came before any action
    assert [len(record["actions"]) for record in records if record["points"] is None] == [3]


def test_a_lineup_makes_each_agent_once_and_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr(Agent, "close", lambda agent: closed.append(agent.name))
    with Lineup.make("mix", ["greedy", "random", "greedy"], deadline=2.5) as mix:
        assert [agent.name for agent in mix.agents] == ["greedy", "random", "greedy"]
        assert mix.agents[0] is mix.agents[2]
        assert {agent.deadline for agent in mix.agents} == {2.5}
        assert mix.batched and not side(Silent(), mix.agents[0], mix.agents[1]).batched
    assert sorted(closed) == ["greedy", "random"]
    closed.clear()
    with pytest.raises(AgentError, match="gready"):
        Lineup.make("mix", ["greedy", "random", "gready"])
    assert sorted(closed) == ["greedy", "random"]


def test_a_pair_seen_from_the_other_side() -> None:
    halves, places = np.array([[1, 2], [-3, 4]], np.int8), np.arange(12).reshape(2, 6)
    pair = PairResult("x", "y", "classic", halves, places, (1, 2), (3.0, 4.0), (5, 6), (7, 8), ["note"])
    mirrored = pair.mirrored()
    assert (mirrored.a, mirrored.b) == ("y", "x")
    assert mirrored.halves.tolist() == [[-2, -1], [-4, 3]]
    assert mirrored.places.tolist() == [list(range(6, 12)), list(range(6))]
    assert (mirrored.decisions, mirrored.seconds, mirrored.illegal, mirrored.forfeits) == (
        (2, 1), (4.0, 3.0), (6, 5), (8, 7),
    )  # fmt: skip
    assert mirrored.points_per_deal == -pair.points_per_deal == -1.0
    again = mirrored.mirrored()
    assert again.halves.tolist() == halves.tolist() and again.halves.dtype == np.int8
