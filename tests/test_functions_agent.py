"""Functions as agents: what they see, what they may answer, and by which name they are found."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from agents import AgentError
from agents.arena import duel
from agents.functions import FunctionAgent
from gouji_env import Deal, RuleSet, engine, raw_env

CLASSIC = RuleSet.preset("classic")


def first(observation: dict[str, Any]) -> int:
    return int(observation["action_mask"].argmax())


def by_hand(observation: dict[str, Any]) -> int:
    """A legal action that hangs on the whole observation."""
    legal = np.flatnonzero(observation["action_mask"])
    return legal[int(observation["observation"] @ np.arange(engine.OBSERVATION)) % len(legal)]


def all_by_hand(observations: dict[str, Any]) -> Any:
    pairs = zip(observations["observation"], observations["action_mask"], strict=True)
    return np.array([by_hand({"observation": observation, "action_mask": mask}) for observation, mask in pairs])


@pytest.mark.parametrize("rules", ["classic", "qingdao"])
def test_a_function_plays_in_the_arena_what_it_plays_in_the_environment(rules: str) -> None:
    """The loop of PettingZoo's users and whole actions through views give the same deal."""
    agent = FunctionAgent("mine", by_hand)
    for seed in range(2):
        table, deal = raw_env(rules), Deal.new(RuleSet.preset(rules), seed)
        table.reset(seed)
        for name in table.agent_iter():
            observation, _, over, _, _ = table.last()
            if over:
                break
            table.step(by_hand(observation))
            assert name == table.agent_selection or not engine.composing(table._row)
        while deal.turn is not None:
            deal.act(agent.act(deal.view(deal.turn)))
        assert np.array_equal(deal.places, [table.infos[f"seat_{seat}"]["place"] for seat in range(6)])


def test_asked_one_by_one_or_in_batches_it_plays_the_same() -> None:
    greedy = agents.make("greedy")
    one = duel(FunctionAgent("one", by_hand), greedy, CLASSIC, deals=4, seed=1)
    many = duel(FunctionAgent("many", all_by_hand, batched=True), greedy, CLASSIC, deals=4, seed=1)
    assert np.array_equal(one.halves, many.halves) and one.decisions == many.decisions
    assert one.points_per_deal < 0


def test_batches_have_a_first_axis() -> None:
    seen = []

    def look(observations: dict[str, Any]) -> Any:
        seen.append({name: (array.shape, array.dtype) for name, array in observations.items()})
        return observations["action_mask"].argmax(axis=1)

    duel(FunctionAgent("look", look, batched=True), agents.make("greedy"), CLASSIC, deals=3, seed=1)
    count = seen[0]["observation"][0][0]
    assert count > 1
    assert seen[0] == {
        "observation": ((count, engine.OBSERVATION), np.float32),
        "action_mask": ((count, engine.ACTIONS), np.int8),
    }


@pytest.mark.parametrize(
    ("answer", "batched", "message"),
    [
        (None, False, "agent 'mine' chose None; an action is an integer 0..911"),
        (2.0, False, "chose 2.0"),
        (912, False, "chose 912"),
        (-1, False, "chose -1"),
        (70000, False, "chose 70000"),
        (engine.PASS, False, "pass"),  # as a lead
        (np.zeros((1, 2), int), True, r"gave \(1, 2\) actions for \d+ decisions"),
        (3, True, r"gave \(\) actions"),
    ],
)
def test_what_is_no_action_is_refused(answer: Any, batched: bool, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        duel(FunctionAgent("mine", lambda seen: answer, batched), agents.make("greedy"), CLASSIC, deals=1, seed=1)


# --- by name

MODULE = """
from agents.functions import FunctionAgent

def play(observation):
    return observation["action_mask"].argmax()

number = 7
agent = FunctionAgent("ready", play)

class Player:
    pass

def load(text):
    return FunctionAgent("loaded " + text, play)
"""


@pytest.fixture
def mybot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mybot.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("import no_such_thing")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    yield
    for name in ("mybot", "broken"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("mybot")
def test_a_function_is_found_by_name_in_the_working_directory() -> None:
    agent = agents.make("function:mybot:play")
    assert agent.name == "function:mybot:play"
    expected = duel(FunctionAgent("first", first), agents.make("random"), CLASSIC, deals=2, seed=3)
    assert np.array_equal(duel(agent, agents.make("random"), CLASSIC, deals=2, seed=3).halves, expected.halves)
    assert agents.make("function:mybot:agent").name == "ready"
    assert agents.make("function:mybot:load:runs/a:b").name == "loaded runs/a:b"


@pytest.mark.usefixtures("mybot")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("function:", "write function:MODULE:ATTRIBUTE"),
        ("function:mybot", "write function:MODULE:ATTRIBUTE"),
        ("function:mybot:nothing", r"mybot\.py has no nothing"),
        ("function:mybut:play", "no module mybut in"),
        ("function:mybot.deep:play", r"no module mybot\.deep in"),
        ("function:broken:play", "broken needs no_such_thing, which is not installed"),
        ("function:mybot:number", "it is of type int, where a function or an Agent is wanted"),
        ("function:mybot:number:x", "number takes no text, it is of type int"),
        ("function:mybot:Player", "it is a class"),
    ],
)
def test_a_name_that_leads_nowhere_is_told(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        agents.make(spec)
    assert f"agent {spec!r}: " in str(caught.value)
