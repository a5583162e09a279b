"""Staged actions (SELECT, then COMPOSE) against whole ones, and the three ways to ask what is legal."""

from collections import Counter

import numpy as np
import pytest
from core_support import Row, hand_of, is_set, legal_codes, short_deal, states, text_of

from gouji_env import Deal, RuleSet, engine
from gouji_env.cards import KINDS
from gouji_env.sets import CardSet

_ids = np.empty(engine.ACTIONS, np.int16)


@engine.njit
def ask_every_id(row, out):
    """``is_legal`` of every id into ``out`` (``uint8[ACTIONS]``)."""
    for action in range(engine.ACTIONS):
        out[action] = engine.is_legal(row, action)


def legal_ids(row: Row) -> list[int]:
    return _ids[: engine.legal(row, _ids)].tolist()


def after(row: Row, action: int) -> Row:
    """The row after a staged action."""
    other = row.copy()
    engine.act(other, action)
    return other


def assert_legality_agrees(row: Row) -> list[int]:
    """List, mask and question say the same. Returns the list."""
    ids = legal_ids(row)
    assert ids == sorted(set(ids))
    asked, masked = np.empty(engine.ACTIONS, np.uint8), np.full(engine.ACTIONS, 7, np.int8)
    ask_every_id(row, asked)
    engine.mask(row, masked)
    assert np.flatnonzero(asked).tolist() == np.flatnonzero(masked).tolist() == ids
    assert masked.sum() == len(ids)
    return ids


def staged_results(row: Row) -> list[Row]:
    """All rows to which one whole action leads in stages."""
    results = []
    for action in assert_legality_agrees(row):
        reached = after(row, action)
        if not engine.composing(reached):
            results.append(reached)
            continue
        assert engine.turn(reached) == engine.turn(row)
        chosen = engine.selected_base(reached), engine.selected_size(reached)
        assert chosen == (engine.action_base(action), engine.action_size(action))
        composes = assert_legality_agrees(reached)
        assert len(composes) > 1 and composes[0] >= engine.COMPOSE > action >= engine.SELECT
        results += [after(reached, compose) for compose in composes]
    return results


def test_staged_actions_reach_exactly_the_whole_ones() -> None:
    seen = Counter()
    for row in states(full=12, short=400):
        whole = []
        for code in legal_codes(row):
            reached = row.copy()
            engine.act_whole(reached, code)
            whole.append(reached)
        staged = staged_results(row)
        assert len(staged) == len(whole)
        assert {one.tobytes() for one in staged} == {other.tobytes() for other in whole}
        seen["states"] += 1
        seen["leads"] += engine.owner(row) < 0
        seen["more than one way"] += len(staged) > len(legal_ids(row))
    assert seen["states"] > 8000 and min(seen.values()) > 1000


def test_whole_actions_are_listed_once() -> None:
    for row in states(full=6, short=200):
        codes = legal_codes(row)
        assert len(set(map(text_of, codes))) == len(codes)


def test_sets_lie_in_the_hand() -> None:
    for row in states(full=3, short=100):
        held = hand_of(row, engine.turn(row))
        for text in map(text_of, legal_codes(row)):
            if is_set(text):
                assert str(CardSet.parse(text)) == text
                assert all(text.count(kind) <= held[KINDS.index(kind)] for kind in text)


def test_forced_play() -> None:
    """``play_forced`` acts as long as one staged action is legal, and not otherwise."""
    taken = Counter()
    for row in states(full=12, short=600):
        expected, count = row.copy(), 0
        while len(ids := legal_ids(expected)) == 1:
            engine.act(expected, ids[0])
            count += 1
        assert engine.play_forced(row.copy()) == count
        played = row.copy()
        engine.play_forced(played)
        assert np.array_equal(played, expected)
        taken[min(count, 2)] += 1
    assert taken[0] > 8000 and taken[1] > 300 and taken[2] > 20


def test_going_out_and_burning_are_told_beforehand() -> None:
    """``can_go_out`` and ``burns_now`` against what the deal's log says afterwards."""
    seen = Counter()
    for seed in range(300):
        deal = short_deal(seed)
        while deal.turn is not None:
            row, legal = deal.row, deal.legal()
            hand = deal.hands[deal.turn]
            sets = [action for action in legal if is_set(action)]
            goes_out = any(sorted(action) == sorted(hand) for action in sets)
            assert engine.can_go_out(row) == goes_out
            burns = deal.phase == "play" and bool(engine.burns_now(row))
            for action in sets[:3]:
                trial = deal.copy()
                trial.act(action)
                new = trial.events[len(deal.events) :]
                assert ({"event": "burn", "seat": deal.turn, "victim": deal.owner} in new) == burns
            seen["out"] += goes_out
            seen["burn"] += burns
            deal.act(legal[seed % len(legal)])
    assert min(seen.values()) > 200


# --- the table of actions


def test_ids_and_their_parts() -> None:
    selects = [(base, size) for base in range(12) for size in range(1, 37)]
    selects += [(12, size) for size in range(1, 25)] + [(13, size) for size in range(1, 9)]
    assert [engine.select_id(*parts) for parts in selects] == list(range(23, 487))
    ids = range(engine.SELECT, engine.COMPOSE)
    assert [(engine.action_base(action), engine.action_size(action)) for action in ids] == selects
    composes = [(twos, small, big) for twos in range(17) for small in range(5) for big in range(5)]
    assert [engine.compose_id(*parts) for parts in composes] == list(range(487, 912))
    read = [(engine.compose_twos(a), engine.compose_small(a), engine.compose_big(a)) for a in range(487, 912)]
    assert read == composes
    special = (engine.PASS, engine.YIELD, engine.THROW, engine.REVOLT, engine.KEEP, engine.RENOUNCE)
    assert (*special, engine.ACCEPT, engine.REFUSE, engine.GIVE, engine.SELECT) == (*range(9), 23)
    assert (engine.COMPOSE, engine.ACTIONS, engine.ROW) == (487, 912, 512)


def test_names() -> None:
    names = [engine.action_name(action) for action in range(engine.ACTIONS)]
    assert len(set(names)) == engine.ACTIONS
    assert names[:8] == ["pass", "yield", "throw", "revolt", "keep", "renounce", "accept", "refuse"]
    assert (names[8], names[22]) == ("give 3", "give b")
    assert (names[23], names[454]) == ("select 3 x 1", "select A x 36")
    assert (names[455], names[486]) == ("select 2 x 1", "select jokers x 8")
    assert names[engine.compose_id(2, 0, 1)] == "compose 2s 2, s 0, b 1"
    for wrong in (-1, engine.ACTIONS):
        with pytest.raises(ValueError, match=r"ids are 0\.\.911"):
            engine.action_name(wrong)


def test_longest_hand_of_sets_fits_its_buffer() -> None:
    """As many ways to lead as 36 cards can allow: all jokers and 2s, the rest spread over the ranks."""
    most = 0
    for twos in range(4, 17):
        rest = 36 - 8 - twos
        hand = "bbbbssss" + "2" * twos + "".join(KINDS[11 - n % 12] for n in range(rest))
        deal = Deal.from_hands(RuleSet.preset("classic"), [hand, "3", "3", "3", "3", "3"], 0)
        legal = deal.legal()
        assert len(set(legal)) == len(legal)
        most = max(most, len(legal))
    assert 4000 < most < engine.MAX_SETS


def test_largest_sets_are_within_the_ids() -> None:
    deal = Deal.from_hands(RuleSet.preset("classic"), ["bbbbssss" + "2" * 12 + "A" * 16, "3", "3", "3", "3", "3"], 0)
    assert "bbbbssss" + "2" * 12 + "A" * 16 in deal.legal()
    assert engine.is_legal(deal.row, engine.select_id(11, 36))
    deal.act("bbbbssss" + "2" * 12 + "A" * 16)
    assert deal.places[0] == 1


@pytest.mark.parametrize("action", [-1, -(1 << 40), engine.ACTIONS, 1 << 40])
def test_what_is_no_id_is_illegal(action: int) -> None:
    assert not engine.is_legal(Deal.new(RuleSet.preset("classic"), 1).row, action)


def test_nothing_is_legal_when_the_deal_is_over() -> None:
    deal = Deal.from_hands(RuleSet.preset("classic"), list("345678"), 0)
    for action in "34567":
        deal.act(action)
    assert engine.is_over(deal.row) and engine.turn(deal.row) == -1
    assert legal_ids(deal.row) == legal_codes(deal.row) == assert_legality_agrees(deal.row) == []
    before = deal.row.copy()
    assert engine.play_forced(deal.row) == 0 and np.array_equal(deal.row, before)
