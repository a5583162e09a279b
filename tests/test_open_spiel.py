"""GoujiState: the deals of Deal, in the words of OpenSpiel's State."""

import numpy as np
import pytest

from gouji_env import Deal, IllegalAction, RuleSet, engine
from gouji_env.open_spiel import TERMINAL, GoujiState


@pytest.mark.parametrize("rules", ["classic", "qingdao", "kaidian"])
def test_it_plays_the_deals_of_deal(rules: str) -> None:
    chance = np.random.default_rng(1)
    for seed in range(3):
        state, deal = GoujiState(rules, seed), Deal.new(RuleSet.preset(rules), seed)
        while deal.turn is not None:
            assert state.current_player() == deal.turn and not state.is_terminal()
            assert state.returns() == [0.0] * 6
            view = deal.view(deal.turn)
            assert state.legal_actions() == np.flatnonzero(view.action_mask()).tolist()
            assert state.legal_actions((deal.turn + 1) % 6) == []
            assert np.array_equal(state.observation_tensor(), view.observation())
            before = shown(state, deal.turn)
            for step in range(2):
                action = int(chance.choice(state.legal_actions()))
                state.apply_action(action)
                if not engine.composing(state._row):
                    break
                assert step == 0 and state.current_player() == deal.turn
            if action < engine.SELECT:
                deal.act(state.action_to_string(deal.turn, action).replace(" ", ":"))
            else:
                laid = shown(state, deal.turn) - before
                deal.act("".join("3456789TJQKA2sb"[kind] * int(laid[kind]) for kind in reversed(range(15))))
        assert state.is_terminal() and state.current_player() == TERMINAL and state.legal_actions() == []
        assert state.returns() == [deal.points[seat % 2] for seat in range(6)]


def shown(state: GoujiState, seat: int) -> np.ndarray:
    return np.array([engine.played(state._row, seat, kind) for kind in range(15)])


def test_a_clone_goes_its_own_way() -> None:
    state = GoujiState(seed=3)
    other = state.clone()
    before = state.observation_tensor(0)
    while not other.is_terminal():
        other.apply_action(other.legal_actions()[-1])
    assert np.array_equal(state.observation_tensor(0), before) and any(other.returns())


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    state = GoujiState(seed=3)
    before = state._row.copy()
    with pytest.raises(IllegalAction, match="a leader must lead"):
        state.apply_action(engine.PASS)
    assert np.array_equal(state._row, before)
