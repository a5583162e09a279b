"""The protocol, the registry, and that agents play legally on nothing but what their seat may know."""

import numpy as np
import pytest

import agents
from agents import Agent, AgentError, BatchAgent
from agents.protocol import Index, Rows, StagedActions, Streams, name_of, staged
from agents.random_agent import RandomAgent
from gouji_env import Deal, RuleSet
from gouji_env.engine import (
    ACTIONS,
    COMPOSE,
    SELECT,
    act,
    act_rows,
    composing,
    is_legal,
    legal,
    new_rows,
    random_rows,
    turn,
)
from gouji_env.view import SeatView

PRESETS = ("classic", "yang2004", "qingdao")
RULES = {name: RuleSet.preset(name) for name in PRESETS}
RULES["bound cards"] = RULES["qingdao"].replace(choke=True, open_four=True)
BATCHED = ("random", "greedy")


def seeds(count: int) -> Streams:
    return np.arange(1, count + 1, dtype=np.uint64)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("name", BATCHED)
def test_every_decision_is_legal(name: str, rules: RuleSet) -> None:
    """Half of the deals are then played on at random, for positions that the agent would not get into by itself."""
    agent = agents.make(name)
    assert isinstance(agent, BatchAgent)
    deals = 300
    rows, streams, chosen = new_rows(rules, seeds(deals)), seeds(deals), np.empty(deals, np.int16)
    decisions = np.zeros(ACTIONS, int)
    while (index := np.flatnonzero([turn(row) >= 0 for row in rows])).size:
        actions = chosen[: index.size]
        agent.act_batch(rows, index, streams, actions)
        assert all(is_legal(rows[i], action) for i, action in zip(index, actions, strict=True))
        decisions += np.bincount(actions, minlength=ACTIONS)
        astray = index % 2 == 0
        others = np.empty(astray.sum(), np.int16)
        random_rows(rows, index[astray], streams, others)
        actions[astray] = others
        act_rows(rows, index, actions)
    assert decisions.sum() > 50 * deals
    assert decisions[:SELECT].sum() > 0 < decisions[COMPOSE:].sum()


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("name", BATCHED)
def test_act_on_the_view_is_act_batch_on_all_hands(name: str, rules: RuleSet) -> None:
    """The view holds no other hand, so equal choices also show that act_batch looks at none."""
    agent = agents.make(name)
    assert isinstance(agent, BatchAgent)
    for seed in range(6):
        deal = Deal.new(rules, seed)
        streams = np.full(6, seed, np.uint64)
        for each in range(6):
            agent.reset(each, rules, seed)
        while (seat := deal.turn) is not None:
            steps = staged_choices(agent, deal.row[np.newaxis].copy(), streams[seat : seat + 1])
            action = agent.act(deal.view(seat))
            assert steps == staged(action)[: len(steps)]
            deal.act(action)


def staged_choices(agent: BatchAgent, rows: Rows, streams: Streams) -> tuple[int, ...]:
    """The staged steps of the whole action that the agent chooses in ``rows[0]``, which they change."""
    steps: list[int] = []
    out = np.empty(1, np.int16)
    while not steps or composing(rows[0]):
        agent.act_batch(rows, np.zeros(1, np.int64), streams, out)
        steps.append(int(out[0]))
        act(rows[0], steps[-1])
    return tuple(steps)


def test_random_takes_every_legal_action_equally_often() -> None:
    draws = 20_000
    rows = new_rows(RULES["classic"], np.ones(draws, np.uint64))
    chosen = np.empty(draws, np.int16)
    RandomAgent().act_batch(rows, np.arange(draws), seeds(draws) << np.uint64(32), chosen)
    ids = np.empty(ACTIONS, np.int16)
    options = ids[: legal(rows[0], ids)]
    taken, counts = np.unique(chosen, return_counts=True)
    assert taken.tolist() == options.tolist()
    expected = draws / len(options)
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_staged_ids_tell_all_whole_actions_apart(rules: RuleSet) -> None:
    deal = Deal.new(rules, 3)
    for _ in range(40):
        if deal.turn is None:
            break
        actions = deal.legal()
        pairs = [staged(action) for action in actions]
        assert len(set(pairs)) == len(actions)
        mask = deal.view(deal.turn).action_mask()
        assert sorted({first for first, _ in pairs}) == np.flatnonzero(mask).tolist()
        deal.act(actions[len(actions) // 2])


class Stubborn(BatchAgent):
    """Always the same staged action."""

    name = "stubborn"

    def __init__(self, action: int) -> None:
        super().__init__()
        self.action = action

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        out[:] = self.action


@pytest.mark.parametrize(("action", "named"), [(0, "pass"), (ACTIONS, f"action {ACTIONS}"), (-1, "action -1")])
def test_act_refuses_what_is_not_legal(action: int, named: str) -> None:
    deal = Deal.from_hands(RULES["classic"], ["53"] * 6, 0)
    with pytest.raises(AgentError, match=rf"'stubborn' chose {named} at seat 0"):
        Stubborn(action).act(deal.view(0))
    assert name_of(action) == named


class First(Agent):
    """The first legal action, and what it was made with."""

    name = "first"

    def __init__(self, argument: str) -> None:
        self.argument = argument

    def act(self, view: SeatView) -> str:
        return view.legal[0]


def test_make_knows_the_rule_agents() -> None:
    assert [agents.make(name).name for name in BATCHED] == list(BATCHED)
    assert {"checkpoint", *BATCHED} <= set(agents.known())


def test_make_knows_registered_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents.registry, "_factories", dict(agents.registry._factories))
    agents.register("first", First)
    agent = agents.make("first:a:b")
    assert isinstance(agent, First)
    assert agent.argument == "a:b"
    assert "first" in agents.known()
    with pytest.raises(AgentError, match="'first' is taken"):
        agents.register("first", First)


@pytest.mark.parametrize("name", ["", "a:b"])
def test_register_refuses_names_that_make_could_not_find(name: str) -> None:
    with pytest.raises(AgentError, match="no colon"):
        agents.register(name, First)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gready", r"unknown agent 'gready'; known agents: .*greedy, random"),
        ("", r"unknown agent ''; known agents"),
        ("greedy:fast", r"'greedy' takes no argument, got 'fast'"),
        ("checkpoint", r"write checkpoint:DIR"),
        ("checkpoint:", r"write checkpoint:DIR"),
    ],
)
def test_make_refuses(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        agents.make(spec)
