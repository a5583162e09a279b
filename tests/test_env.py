"""The PettingZoo environment: PettingZoo's own tests, then what users of other environments came to complain of."""

import copy
import importlib
import pickle
import warnings
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from env_play import AGENTS, PIECES, RULES, Uniform, at_position, dealt, decisions, play
from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space

from gouji_env import engine
from gouji_env.cards import KIND_COUNT, SEATS, format_hand, side
from gouji_env.deal import Deal, IllegalAction
from gouji_env.env import __doc__ as page
from gouji_env.env import env, raw_env
from gouji_env.rules import RuleError, RuleSet

# --- PettingZoo's own tests


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter gouji_v0 where PettingZoo keeps the names of its own environments whose observation is a dict with a mask.

    It warns of every such environment that is not in these lists, and of the empty masks of those who are done.
    """
    module = importlib.import_module("pettingzoo.test.api_test")
    for names in ("env_obs_dicts", "env_obs_space", "env_all_zeros_obs"):
        monkeypatch.setattr(module, names, [*getattr(module, names), "gouji_v0"])


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("rules", RULES)
def test_api_test_passes_without_a_warning(make: Any, rules: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(make(rules))


@pytest.mark.parametrize("make", [env, raw_env])
def test_seed_test_passes(make: Any) -> None:
    seed_test(make)


def test_performance_benchmark_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ticks = count(step=0.01)
    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(ticks)))
    performance_benchmark(env())
    assert "turns per second" in capsys.readouterr().out


def test_state_space_test_passes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_state_space(env())


@pytest.mark.parametrize("make", [env, raw_env])
def test_whole_deals_by_sampling_the_action_space(make: Any) -> None:
    table = make()
    for seed in range(3):
        table.reset(seed=seed)
        table.action_space("seat_0").seed(seed)
        totals = dict.fromkeys(AGENTS, 0.0)
        done = []
        for agent in table.agent_iter():
            seen, reward, terminated, truncated, _ = table.last()
            totals[agent] += reward
            assert not truncated
            if terminated:
                done.append(agent)
            table.step(None if terminated else table.action_space(agent).sample(seen["action_mask"]))
        assert done == AGENTS and table.agents == []
        points = float(engine.points(table.unwrapped._row))
        assert totals == {agent: points if side(seat) == 0 else -points for seat, agent in enumerate(AGENTS)}
        assert sum(totals.values()) == 0


# --- spaces


def test_names_and_spaces_stand_before_the_first_deal() -> None:
    for table in (env(), raw_env()):
        assert table.possible_agents == AGENTS and table.max_num_agents == SEATS
        assert table.metadata["name"] == "gouji_v0" and not table.metadata["is_parallelizable"]
        spaces = [(table.observation_space(a), table.action_space(a)) for a in AGENTS]
        table.reset()
        for agent, (observation_space, action_space) in zip(AGENTS, spaces, strict=True):
            assert table.observation_space(agent) is observation_space and table.action_space(agent) is action_space
            assert action_space.n == engine.ACTIONS == 912


def test_the_page_documents_every_piece_of_the_observation() -> None:
    for piece in engine.observation_layout():
        assert f"| {piece.start}-{piece.start + piece.length - 1} | {piece.name} |" in page
    assert f"Box(float32, ({engine.OBSERVATION},))" in page
    assert f"Box(float32, {raw_env().state_space.shape})" in page


# --- what everybody sees at every step


@pytest.mark.parametrize("rules", RULES)
def test_all_six_see_their_own_seat_and_only_the_actor_a_mask(rules: str) -> None:
    expected = np.empty(engine.OBSERVATION, np.float32)
    ids = np.empty(engine.ACTIONS, np.int16)
    for seed in range(3):
        table = dealt(rules, seed)
        for actor, _, _ in decisions(table, Uniform(seed)):
            assert table.state_space.contains(table.state())
            for seat, agent in enumerate(AGENTS):
                seen = table.observe(agent)
                assert table.observation_space(agent).contains(seen)
                assert seen["observation"].dtype == np.float32 and seen["action_mask"].dtype == np.int8
                engine.observe_scaled(table._row, seat, expected)
                assert np.array_equal(seen["observation"], expected)
                legal = ids[: engine.legal(table._row, ids)] if agent == actor else []
                assert np.array_equal(np.flatnonzero(seen["action_mask"]), legal)
                assert (agent == actor) == seen["action_mask"].any()
        assert not any(table.observe(agent)["action_mask"].any() for agent in AGENTS)


def test_observations_are_fresh_arrays() -> None:
    table = dealt()
    first, second = table.observe("seat_0"), table.observe("seat_0")
    first["observation"][:], first["action_mask"][:] = -1, 7
    assert table.observation_space("seat_0").contains(second)
    assert table.observation_space("seat_0").contains(table.observe("seat_0"))


def test_the_first_observation_has_no_past() -> None:
    for agent in AGENTS:
        seen = dealt().observe(agent)["observation"]
        assert not any(
            seen[PIECES[name]].any() for name in ("seen", "last_sets", "history", "places", "passed", "round")
        )


@pytest.mark.parametrize("rules", RULES)
def test_the_pack_is_whole_in_every_observation(rules: str) -> None:
    pack = np.array(RuleSet.preset(rules).deck.counts())
    table = dealt(rules, seed=5)
    for _ in decisions(table, Uniform(5)):
        for agent in AGENTS:
            raw = table.observe(agent)["observation"] / engine.OBSERVATION_SCALE
            seen = raw[PIECES["seen"]].reshape(SEATS, KIND_COUNT).sum(axis=0)
            assert np.array_equal(raw[PIECES["own_hand"]] + raw[PIECES["unseen"]] + seen, pack)


def test_the_longest_deals_stay_in_the_observation_space() -> None:
    """Leading single low cards that nobody answers makes more rounds than a byte counts."""
    table = dealt(seed=2)
    leads = 0
    for agent, seen, _ in decisions(table, lambda mask: int(np.flatnonzero(mask)[0])):
        leads += not seen["observation"][PIECES["table_owner"]].any()
        assert all(table.observation_space(a).contains(table.observe(a)) for a in AGENTS), agent
    assert leads > 128


@pytest.mark.parametrize("rules", RULES)
def test_the_same_deal_through_notation(rules: str) -> None:
    """What the environment plays is legal in Deal, and comes to the same end; last sets are what was laid last."""
    for seed in range(3):
        table, deal = dealt(rules, seed), Deal.new(RuleSet.preset(rules), seed)
        last: dict[int, str] = {}
        for agent, seen, action in decisions(table, Uniform(seed)):
            seat = AGENTS.index(agent)
            assert seen["observation"][PIECES["last_sets"]].any() == bool(last)
            before = shown(table, seat)
            copied = copy.deepcopy(table)
            copied.step(action)
            laid = format_hand(shown(copied, seat) - before)
            if action < engine.SELECT:
                deal.act(engine.action_name(action))
            elif laid:
                deal.act(laid)
                last[seat] = laid
            for observer in AGENTS:
                raw = copied.observe(observer)["observation"] / engine.OBSERVATION_SCALE
                sizes = raw[PIECES["last_sets"]].reshape(SEATS, -1)[:, -4:].sum(axis=1)
                mine = AGENTS.index(observer)
                assert [round(sizes[(s - mine) % SEATS]) for s in range(SEATS)] == [
                    len(last.get(s, "")) for s in range(SEATS)
                ]
        assert deal.turn is None and deal.points is not None
        assert table.rewards == {agent: deal.points[side(seat)] for seat, agent in enumerate(AGENTS)}
        assert [table.infos[agent]["place"] or None for agent in AGENTS] == deal.places


def shown(table: raw_env, seat: int) -> npt.NDArray[np.int8]:
    return np.array([engine.played(table._row, seat, kind) for kind in range(KIND_COUNT)], np.int8)


# --- the end of a deal


def test_all_six_stay_to_the_end_and_end_in_one_step() -> None:
    table = dealt(seed=3)
    left_early = 0
    for _ in decisions(table, Uniform(3)):
        assert table.agents == AGENTS and not any(table.terminations.values()) and not any(table.rewards.values())
        left_early = max(left_early, sum(engine.place(table._row, seat) > 0 for seat in range(SEATS)))
    assert left_early >= 2
    assert table.agents == AGENTS and all(table.terminations.values()) and not any(table.truncations.values())
    assert sorted(info["place"] for info in table.infos.values()) == [1, 2, 3, 4, 5, 6]


def test_a_seat_that_never_acts_is_paid() -> None:
    table = at_position(["7", "8", "9", "T", "J", "33"], leader=0)
    actors = {agent for agent, _ in play(table, lambda mask: int(np.flatnonzero(mask)[-1]))}
    assert "seat_5" not in actors
    assert table.infos["seat_5"] == {"place": 6}
    assert table.rewards["seat_5"] == -table.rewards["seat_0"] != 0


def test_agents_leave_with_none_and_then_nothing_is_left() -> None:
    table = dealt()
    play(table, Uniform(0))
    with pytest.raises(IllegalAction, match="the deal is over"):
        table.step(0)
    for left in range(5, -1, -1):
        assert not table.last()[0]["action_mask"].any()
        table.step(None)
        assert len(table.agents) == left
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        table.step(None)
    table.reset()
    assert table.agents == AGENTS and not any(table.terminations.values())


# --- bad input


@pytest.mark.parametrize("steps", [0, 1, 7, 30])
def test_every_illegal_action_raises_and_changes_nothing(steps: int) -> None:
    table = dealt(seed=4)
    play(table, Uniform(4), steps)
    before = pickle.dumps(table)
    for action in [*np.flatnonzero(table.observe(table.agent_selection)["action_mask"] == 0), -1, 912, 1 << 70]:
        with pytest.raises(IllegalAction) as caught:
            table.step(action)
        error = caught.value
        assert AGENTS[error.seat] == table.agent_selection and error.reason
        assert error.table == Deal(table.rules, table._row.copy()).table
    for action in (None, "pass", 1.0, [3]):
        with pytest.raises(IllegalAction, match="integer"):
            table.step(action)
    assert pickle.dumps(table) == before


@pytest.mark.parametrize(
    ("hands", "action", "message"),
    [
        (["KK3", *["4"] * 5], engine.PASS, "seat 0: 'pass' as a lead is illegal: a leader must lead"),
        (["KK3", *["4"] * 5], engine.select_id(10, 3), "seat 0: 'select K x 3' as a lead .* lacks 1 K"),
        (["KK3", *["4"] * 5], engine.COMPOSE, "SELECT comes first"),
    ],
)
def test_an_illegal_action_names_seat_action_table_and_rule(hands: list[str], action: int, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        at_position(hands, leader=0).step(action)


def test_an_illegal_composition_is_refused() -> None:
    table = at_position(["b22KK3", *["4"] * 5], leader=0)
    table.step(engine.select_id(10, 3))
    assert table.agent_selection == "seat_0"
    with pytest.raises(IllegalAction, match="a set of 3 cards is being composed"):
        table.step(engine.compose_id(0, 0, 0))
    with pytest.raises(IllegalAction, match="a set of 3 cards is being composed"):
        table.step(engine.PASS)
    table.step(engine.compose_id(0, 0, 1))
    assert engine.table_big(table._row) == 0 or engine.owner(table._row) == 0


def test_the_wrapped_environment_raises_too() -> None:
    table = env()
    table.reset(seed=0)
    with pytest.raises(IllegalAction):
        table.step(engine.PASS)
    for action in (912, -1):
        with pytest.raises(IllegalAction, match=str(action)):
            table.step(action)


def test_nothing_works_before_the_first_deal() -> None:
    for call in ("step", "observe", "state", "render"):
        arguments = {"step": (0,), "observe": ("seat_0",)}.get(call, ())
        with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
            getattr(raw_env(render_mode="ansi"), call)(*arguments)
        with pytest.raises(AssertionError, match="reset"):
            getattr(env(render_mode="ansi"), call)(*arguments)


def test_bad_options_are_refused() -> None:
    with pytest.raises(RuleError, match="clasic"):
        env("clasic")
    with pytest.raises(ValueError, match="render_mode 'svg': known are ansi"):
        env(render_mode="svg")
    for seed in (-1, 1 << 64):
        with pytest.raises(ValueError, match="seed"):
            env().reset(seed=seed)
