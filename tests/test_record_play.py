"""Records written by those who play: the environment and duels."""

import copy
import json
import pickle
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import typer
from record_support import formed
from typer.testing import CliRunner

import agents.cli
from agents import Agent, make
from agents.arena import duel
from gouji_env import IllegalAction, RuleSet, env, raw_env
from gouji_env.record import RecordError
from gouji_env.replay import holds, read_records, verify
from gouji_env.view import SeatView

app = typer.Typer()
agents.cli.register(app)


@app.callback()
def gouji() -> None:
    """Keeps ``evaluate`` a command of its own, as in ``gouji``."""


# --- the environment


def play(table: Any, generator: Random, steps: int | None = None) -> list[float]:
    """Random legal actions, so many or to the end; the rewards of seat 0 other than 0."""
    rewards = []
    while table.agents and steps != 0:
        observation, _, terminated, truncated, _ = table.last()
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        table.step(None if terminated or truncated else generator.choice(legal))
        steps = None if steps is None else steps - 1
        if table.rewards.get("seat_0") and not terminated:
            rewards.append(table.rewards["seat_0"])
    return rewards


@pytest.mark.parametrize("make_table", [env, raw_env])
def test_every_finished_deal_is_appended(make_table: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    table = make_table("qingdao", record=str(path))
    generator = Random(1)
    table.reset(seed=3)
    play(table, generator, steps=20)
    assert path.read_bytes() == b""
    rewards = []
    for seed in (3, None, None):
        table.reset(seed=seed)
        rewards += play(table, generator)
    records = list(read_records(path))
    assert len(records) == 3
    assert records[0].seed == 3 and len({record.seed for record in records}) == 3
    assert [record.points[0] for record in records if record.points and record.points[0]] == rewards


def test_the_deals_of_a_match_follow_from_each_other(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    table = raw_env("kaidian", deals=3, record=path)
    generator = Random(2)
    for seed in (5, 6):
        table.reset(seed=seed)
        play(table, generator)
    records = list(read_records(path))
    assert [record.seed for record in records][0::3] == [5, 6]
    for last, following in pairwise(records[:3]):
        assert following.previous is not None
        assert following.previous.places == last.places


def test_copies_of_a_table_append_to_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    table = raw_env(record=path)
    table.reset(seed=1)
    play(table, Random(1), steps=30)
    for other in (copy.deepcopy(table), pickle.loads(pickle.dumps(table)), table):
        play(other, Random(2))
    lines = path.read_text().splitlines()
    assert verify(path) == 3 and len(set(lines)) == 1


def test_illegal_actions_leave_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    table = raw_env(record=path)
    table.reset(seed=1)
    for action in (911, 0, 5000):
        with pytest.raises(IllegalAction):
            table.step(action)
    play(table, Random(1))
    assert verify(path) == 1


def test_a_file_that_takes_no_records_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot be written"):
        raw_env(record=tmp_path / "no" / "games.jsonl")
    path = tmp_path / "games.jsonl"
    path.write_text('{"version"')
    with pytest.raises(RecordError, match="the last line is cut off"):
        env(record=path)


# --- duels


class First(Agent):
    """The first legal action, one at a time."""

    name = "first"

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, view: SeatView) -> str:
        return view.legal[0]


def recorded(a: Agent, b: Agent, preset: str, deals: int, **options: Any) -> tuple[list[dict[str, Any]], Any]:
    records: list[dict[str, Any]] = []
    result = duel(a, b, RuleSet.preset(preset), deals, 1, record=records.append, **options)
    return json.loads(json.dumps(records)), result


@pytest.mark.parametrize("preset", ["classic", "kaidian"])
def test_both_halves_of_every_deal_are_told_in_order(preset: str) -> None:
    records, result = recorded(make("greedy"), make("random"), preset, 9, chunk_rows=8)
    assert len(records) == 18 and all(holds(formed(record)) for record in records)
    for number, (first, second) in enumerate(zip(records[0::2], records[1::2], strict=True)):
        assert first["hands"] == second["hands"] and first["seed"] == second["seed"]
        assert first["agents"] == ["greedy", "random"] * 3 and second["agents"] == ["random", "greedy"] * 3
        assert result.halves[number].tolist() == [first["points"][0], second["points"][1]]
    assert sum(len(record["actions"]) for record in records) == result.decisions


def test_recording_changes_nothing() -> None:
    _, with_records = recorded(make("random"), make("greedy"), "qingdao", 20)
    assert with_records.summary() == duel(make("random"), make("greedy"), RuleSet.preset("qingdao"), 20, 1).summary()


def test_deals_played_one_by_one_are_recorded_alike() -> None:
    first = First()
    records, result = recorded(first, make("greedy"), "classic", 2)
    assert [record["points"][i % 2] for i, record in enumerate(records)] == result.halves.flatten().tolist()
    assert all(holds(formed(record)) for record in records)
    given = [seed for i, record in enumerate(records) for seed in record["agent_seeds"][i % 2 :: 2]]
    assert given == first.seeds


def evaluate(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["evaluate", "greedy", "random", "--deals", "3", *arguments])
    return result.exit_code, result.stderr


def test_evaluate_writes_records(tmp_path: Path) -> None:
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for path in paths:
        assert evaluate("--record", str(path), "--json", str(tmp_path / "result.json")) == (0, "")
        assert verify(path) == 6
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.jsonl", "result.json", "two.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--record", "no/games.jsonl"], "no/games.jsonl cannot be written"),
        (["--record", "x.json", "--json", "./x.json"], "--json and --record both name x.json; name two files"),
    ],
)
def test_evaluate_refuses_files_that_cannot_be(arguments: list[str], message: str) -> None:
    status, told = evaluate(*arguments)
    assert status == 2 and message in told and told.count("\n") == 1
