"""Seat-v0: conformance, the deals of env() among the same players, what the learner sees and what it is paid."""

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from env_play import Uniform
from gymnasium.utils.env_checker import check_env

import agents
from gouji_env import Deal, IllegalAction, RuleError, RuleSet, SeatEnv, engine, raw_env
from gouji_env.cards import KIND_COUNT, SEATS, side
from gouji_env.engine import layout
from gouji_env.players import Uniform as RandomPlayer
from gouji_env.view import SeatView

RULES = ("classic", "qingdao", "kaidian")
ID = "gouji_env/Seat-v0"


class OnViews:
    """Any agent, but only through SeatView; it keeps what the last view told."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.name = agent.name
        self.events: list[dict[str, Any]] = []

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        self.agent.reset(seat, rules, seed)

    def act(self, view: SeatView) -> str:
        self.events = view.events
        return self.agent.act(view)


class First:
    """The first legal staged action, and a count of the rows it was shown."""

    def __init__(self) -> None:
        self.asked = 0

    def act_batch(self, rows: Any, index: Any, streams: Any, out: Any) -> None:
        ids = np.empty(engine.ACTIONS, np.int16)
        engine.legal(rows[index[0]], ids)
        out[0] = ids[0]
        self.asked += 1


class Wrong:
    """Passes, also where it must lead."""

    name = "wrong"

    def act_batch(self, rows: Any, index: Any, streams: Any, out: Any) -> None:
        out[0] = engine.PASS


def episode(env: SeatEnv, choose: Any, seed: int | None = None) -> list[tuple[Any, ...]]:
    """Play one: (observation, mask, seat, action, reward), each decision with the reward of its step."""
    observation, info = env.reset(seed=seed)
    taken = []
    over = False
    while not over:
        action = choose(info["action_mask"])
        following, reward, over, truncated, after = env.step(action)
        assert not truncated and (over or reward == 0 or env.deals > 1)
        taken.append((observation, info["action_mask"], info["seat"], action, reward))
        observation, info = following, after
    assert not info["action_mask"].any() and not env.action_masks().any()
    return taken


def same(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1]) and a[2:] == b[2:]
        for a, b in zip(one, other, strict=True)
    )


# --- conformance


@pytest.mark.parametrize("options", [{}, {"learner": "side", "rules": "qingdao"}, {"seat": "random", "deals": 2}])
def test_gymnasiums_checker_passes_without_a_warning(options: dict[str, Any], capsys: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, **options).unwrapped)
    assert "Gouji" in capsys.readouterr().out  # what render_mode "human" prints


def test_a_step_repeats_after_the_same_seed() -> None:
    """What gymnasium's checker leaves to us, since it cannot draw a legal action before the reset."""
    taken = []
    for _ in range(2):
        env = gymnasium.make(ID, partners=agents.make("random"))
        _, info = env.reset(seed=123)
        env.action_space.seed(5)
        observation, _, _, _, info = env.step(env.action_space.sample())
        taken.append((observation, info["action_mask"], env.np_random.bit_generator.state))
    assert np.array_equal(taken[0][0], taken[1][0]) and np.array_equal(taken[0][1], taken[1][1])
    assert taken[0][2] == taken[1][2]


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_environments(mode: str) -> None:
    vector = gymnasium.make_vec(ID, num_envs=2, vectorization_mode=mode, opponents=agents.make("greedy"))
    observations, info = vector.reset(seed=3)
    single = gymnasium.make(ID, opponents=agents.make("greedy"))
    first, _ = single.reset(seed=4)  # gymnasium seeds its copies one after the other
    assert np.array_equal(observations[1], first)
    choose = Uniform(1)
    rewards = np.zeros(2)
    for _ in range(60):
        assert info["action_mask"].shape == (2, engine.ACTIONS)
        actions = np.array([choose(mask) if mask.any() else 0 for mask in info["action_mask"]])
        observations, reward, _, _, info = vector.step(actions)
        rewards += np.abs(reward)
    assert rewards.all()
    vector.close()


def test_sampling_draws_legal_actions_only() -> None:
    env = SeatEnv(seat="random")
    env.action_space.seed(1)
    for seed in range(3):
        taken = episode(env, lambda mask: int(env.action_space.sample()), seed)
        assert all(mask[action] for _, mask, _, action, _ in taken)
    env.reset(seed=1)
    seen = {int(env.action_space.sample()) for _ in range(300)}
    assert seen <= set(np.flatnonzero(env.action_masks())) and len(seen) > 1
    assert env.action_space.sample(np.eye(1, engine.ACTIONS, 7, dtype=np.int8)[0]) == 7
    assert env.action_space == gymnasium.spaces.Discrete(engine.ACTIONS)


# --- the same deals as env()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("learner", ["seat", "side"])
def test_the_trajectory_of_env_among_the_same_players(rules: str, learner: Any) -> None:
    """Greedy against First; the learner plays Uniform. In env() all of them are asked by hand."""
    greedy, first = agents.make("greedy"), First()
    for seat in (0, 3):
        for seed in range(3):
            partners = None if learner == "side" else greedy
            env = SeatEnv(rules, learner, seat, partners, first)
            mine = episode(env, Uniform(seed), seed)
            table = raw_env(rules)
            table.reset(seed)
            choose, decisions = Uniform(seed), iter(mine)
            out, index, streams = np.zeros(1, np.int16), np.zeros(1, np.int64), np.zeros(1, np.uint64)
            while not any(table.terminations.values()):
                turn = table._turn
                if turn == seat or (learner == "side" and side(turn) == side(seat)):
                    seen = table.observe(table.agent_selection)
                    observation, mask, decider, action, reward = next(decisions)
                    assert decider == turn and np.array_equal(observation, seen["observation"])
                    assert np.array_equal(mask, seen["action_mask"]) and mask.any()
                    assert action == choose(mask)
                else:
                    player = greedy if side(turn) == side(seat) else first
                    player.act_batch(table._row[np.newaxis], index, streams, out)
                    action = int(out[0])
                table.step(action)
            assert next(decisions, None) is None
            assert reward == table.rewards[f"seat_{seat}"]
    assert first.asked


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("deals", [1, 3])
def test_players_on_views_play_the_same_as_on_rows(rules: str, deals: int) -> None:
    """By the same seeds, with all that is public told to them, through matches and void deals too."""
    random = OnViews(agents.make("random"))
    for seed in range(3):
        on_rows = SeatEnv(rules, "seat", 1, agents.make("greedy"), agents.make("random"), deals)
        on_views = SeatEnv(rules, "seat", 1, OnViews(agents.make("greedy")), random, deals)
        mixed = SeatEnv(rules, "seat", 1, agents.make("greedy"), random, deals)
        expected = episode(on_rows, Uniform(seed), seed)
        assert same(episode(on_views, Uniform(seed), seed), expected)
        assert same(episode(mixed, Uniform(seed), seed), expected)
        assert same(episode(on_views, Uniform(seed)), episode(on_rows, Uniform(seed)))  # and after it
    assert {"play", "pass", "round_end"} <= {event["event"] for event in random.events}


def test_the_players_of_none_are_uniform_over_staged_actions() -> None:
    given = SeatEnv(partners=agents.make("random"), opponents=RandomPlayer())
    assert same(episode(SeatEnv(), Uniform(3), 3), episode(given, Uniform(3), 3))


# --- seeds and copies


def test_a_seed_is_the_deal_of_that_seed_and_later_ones_follow() -> None:
    for seed in (0, 9, (1 << 64) - 1):
        env, table = SeatEnv("biesan"), raw_env("biesan")
        env.reset(seed=seed, options={"evaluation": True})
        table.reset(seed, options={"evaluation": True})
        for _ in range(3):
            assert engine.deal_seed(env._others.row) == engine.deal_seed(table._row)
            env.reset()
            table.reset()
    assert len({int(engine.deal_seed(fresh()._others.row)) for _ in range(3)}) == 3


def fresh() -> SeatEnv:
    env = SeatEnv()
    env.reset()
    assert not engine.deal_seed(env._others.row) & np.uint64(engine.EVALUATION_BIT)
    return env


def test_the_same_seed_is_the_same_run() -> None:
    runs = []
    for _ in range(2):
        env = SeatEnv(seat="random", deals=2)
        runs.append(episode(env, Uniform(1), 8) + episode(env, Uniform(2)))
    assert same(*runs)
    seats = set()
    for seed in range(40):
        env.reset(seed=seed)
        seats.add(env._seat)
    assert seats == set(range(SEATS))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("opponents", [agents.make("greedy"), OnViews(agents.make("random"))])
def test_copies_go_on_as_the_original_does(copied: Any, opponents: Any) -> None:
    env = SeatEnv("qingdao", opponents=opponents, deals=2)
    env.reset(seed=6)
    for _ in range(12):
        ends = []
        for other in (copied(env), copied(env), env):
            other.action_space.seed(4)
            observation, reward, _, _, info = other.step(other.action_space.sample())
            ends.append((observation.tobytes(), reward, info["action_mask"].tobytes()))
        assert len(set(ends)) == 1


# --- what the learner sees and gets


def test_no_observation_tells_a_hidden_card() -> None:
    """With the cards of the other hands changed about, everything stays as it is."""
    env = SeatEnv(learner="side", opponents=agents.make("greedy"))
    _, info = env.reset(seed=2)
    choose = Uniform(2)
    swapped = 0
    for _ in range(40):
        other = copy.deepcopy(env)
        row, seat = other._others.row, info["seat"]
        one, two = (seat + 1) % SEATS, (seat + 2) % SEATS
        if engine.cards_held(row, one) == engine.cards_held(row, two):
            for kind in range(KIND_COUNT):
                cards = [at_hand(one, kind), at_hand(two, kind)]
                swapped += row[cards[0]] != row[cards[1]]
                row[cards] = row[cards[::-1]]
        seen, changed = env._observe(), other._observe()
        assert np.array_equal(seen[0], changed[0]) and np.array_equal(seen[1]["action_mask"], changed[1]["action_mask"])
        _, _, over, _, info = env.step(choose(info["action_mask"]))
        if over:
            break
    assert swapped


def at_hand(seat: int, kind: int) -> int:
    return layout.HAND + seat * layout.KINDS + kind


@pytest.mark.parametrize("learner", ["seat", "side"])
@pytest.mark.parametrize("seat", [0, 5])
def test_the_reward_is_the_points_of_the_learners_side(learner: Any, seat: int) -> None:
    env = SeatEnv("classic", learner, seat, opponents=agents.make("greedy"))
    rewards = []
    for seed in range(12):
        taken = episode(env, Uniform(seed), seed)
        points = int(engine.points(env._others.row))
        rewards.append(taken[-1][-1])
        assert rewards[-1] == (points if side(seat) == 0 else -points)
        assert {row[2] for row in taken} == ({seat} if learner == "seat" else {seat % 2, seat % 2 + 2, seat % 2 + 4})
    assert min(rewards) < 0  # uniform play does not win against greedy


def test_a_match_pays_each_deal_and_ends_with_the_last() -> None:
    env = SeatEnv("qingdao", "seat", 2, opponents=agents.make("greedy"), deals=4)
    taken = episode(env, Uniform(1), 1)
    paid = [reward for *_, reward in taken if reward]
    assert 1 <= len(paid) <= 4 and sum(paid) < 0
    assert engine.deal_number(env._others.row) == 3


def test_the_last_info_has_the_places() -> None:
    env = SeatEnv()
    _, info = env.reset(seed=1)
    over = False
    while not over:
        assert "places" not in info
        _, _, over, _, info = env.step(env.action_space.sample())
    assert sorted(info["places"]) == [1, 2, 3, 4, 5, 6] and info["places"].dtype == np.int8


def test_a_deal_that_is_over_before_the_learner_decides_is_passed_over() -> None:
    """Two seats revolt and void the deal; the learner, who has a joker or a 2, is never asked."""

    class Revolts:
        def act_batch(self, rows: Any, index: Any, streams: Any, out: Any) -> None:
            if engine.is_legal(rows[0], engine.REVOLT):
                out[0] = engine.REVOLT
            else:
                engine.random_rows(rows, index, streams, out)

    seed = next(seed for seed in range(1, 20000) if voids(seed))
    env = SeatEnv("qingdao", partners=Revolts(), opponents=Revolts())
    _, info = env.reset(seed=seed)
    assert info["action_mask"].any()
    assert engine.deal_seed(env._others.row) == engine.successor_seed(np.uint64(seed))


def voids(seed: int) -> bool:
    """Whether two of the seats 1..5 may revolt, and seat 0 may not."""
    row = engine.new_rows(RuleSet.preset("qingdao"), np.array([seed], np.uint64))[0]
    high = [sum(int(engine.hand(row, seat, kind)) for kind in (12, 13, 14)) for seat in range(SEATS)]
    return high[0] > 0 and high[1:].count(0) >= 2


# --- bad input


def test_an_illegal_action_raises_with_the_reason_and_changes_nothing() -> None:
    for opponents in (None, OnViews(agents.make("greedy"))):
        env = SeatEnv(opponents=opponents)
        _, info = env.reset(seed=4)
        before = pickle.dumps(env)
        for action in [*np.flatnonzero(info["action_mask"] == 0)[::40], -1, 912, None, "pass", 1.0]:
            with pytest.raises(IllegalAction) as caught:
                env.step(action)
            assert caught.value.seat == 0 and caught.value.reason
        assert pickle.dumps(env) == before
        env.step(int(np.flatnonzero(info["action_mask"])[0]))


def test_a_player_that_chooses_what_is_illegal_is_named() -> None:
    env = SeatEnv(seat=1, opponents=Wrong())
    with pytest.raises(IllegalAction, match="'pass' as a lead is illegal: a leader must lead") as caught:
        for seed in range(20):
            env.reset(seed=seed)
    assert caught.value.__notes__ == ["It was chosen by 'wrong', not by the learner."]
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(engine.PASS)


def test_nothing_goes_on_before_the_first_deal_and_after_the_end() -> None:
    env = SeatEnv(render_mode="ansi")
    for call in (lambda: env.step(0), env.render):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            call()
    assert not env.action_masks().any()
    episode(env, Uniform(1), 1)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)
    assert "side 0" in env.render()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rules": "clasic"}, RuleError, "clasic"),
        ({"learner": "team"}, ValueError, "learner 'team': known are 'seat' and 'side'"),
        ({"seat": 6}, ValueError, r"seat 6: a seat is 0\.\.5, or 'random'"),
        ({"learner": "side", "partners": RandomPlayer()}, ValueError, "a learner that plays its side has none"),
        ({"opponents": "greedy"}, TypeError, r"opponents: 'greedy' is no player.*agents\.make\('greedy'\) gives one"),
        ({"partners": RandomPlayer}, TypeError, "partners: <class"),
        ({"deals": 0}, ValueError, "deals 0"),
        ({"render_mode": "svg"}, ValueError, "render_mode 'svg'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        SeatEnv(**options)
    for seed in (-1, 1 << 63, 1 << 64):
        with pytest.raises(ValueError, match="seed"):
            SeatEnv().reset(seed=seed)


def test_it_is_the_deal_that_deal_new_deals() -> None:
    env = SeatEnv(seat=3)
    env.reset(seed=12)
    deal = Deal.new(env.rules, 12)
    others = [int(engine.hand(env._others.row, 3, kind)) for kind in range(KIND_COUNT)]
    assert deal.hand_counts(3).tolist() == others
