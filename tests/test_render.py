"""Pictures of the table: what is described, as text and as pixels, for the referee and for one seat."""

import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pettingzoo.test import render_test

from gouji_env.cards import KIND_COUNT, SEATS
from gouji_env.deal import Deal
from gouji_env.engine import layout
from gouji_env.env import env, raw_env
from gouji_env.render import Table, render_ansi, render_rgb
from gouji_env.rules import RuleSet

CLASSIC = RuleSet.preset("classic")
HANDS = [
    "22KKQ998877665",
    "AAA7766554433",
    "bs22AAJJ98",
    "bbTTTT4",
    "s2AAQQ99986",
    "AAK99954433333333",
]


def moment(*actions: str) -> Deal:
    deal = Deal.from_hands(CLASSIC, HANDS, leader=0)
    for action in actions:
        deal.act(action)
    return deal


BURN = ("KK", "AA", "22")  # seat 1 burns seat 0, seat 2 burns seat 1


# --- the description


def test_the_referee_sees_the_whole_table() -> None:
    table = Table.of_row(moment(*BURN).row, title="Gouji")
    assert [seat.hand for seat in table.seats] == [
        "22Q998877665",
        "A7766554433",
        "bsAAJJ98",
        "bbTTTT4",
        "s2AAQQ99986",
        "AAK99954433333333",
    ]
    assert [seat.cards for seat in table.seats] == [12, 11, 8, 7, 11, 17]
    assert [seat.laid for seat in table.seats] == ["KK", "AA", "22", None, None, None]
    assert (table.turn, table.standing, table.owner, table.gouji) == (3, "22", 2, True)
    assert [seat.victim for seat in table.seats] == [None, None, 1, None, None, None]
    assert [seat.duty for seat in table.seats] == [False, False, True, False, False, False]
    assert table.points is None and not table.free_for_all and table.viewer is None
    assert table.around() == (0, 1, 2, 3, 4, 5)


def test_passes_a_selection_and_the_end_are_described() -> None:
    deal = moment("5", "pass", "pass")
    assert [seat.passed for seat in Table.of_row(deal.row).seats] == [False, True, True, False, False, False]
    table = raw_env()
    table.reset(seed=1)
    generator = np.random.default_rng(0)
    selected, free_for_all = set(), False
    while not any(table.terminations.values()):
        seen = Table.of_row(table._row)
        assert seen.turn == int(table.agent_selection[-1])
        selected.add(seen.selected and re.sub(r"\d+", "N", seen.selected))
        free_for_all = free_for_all or seen.free_for_all
        table.step(int(generator.choice(np.flatnonzero(table.observe(table.agent_selection)["action_mask"]))))
    assert {None, "N x K"} <= selected and free_for_all
    end = Table.of_row(table._row)
    assert end.turn is None and end.points == (table.rewards["seat_0"], table.rewards["seat_1"])
    assert sorted(seat.place for seat in end.seats) == [1, 2, 3, 4, 5, 6]


def test_what_is_waited_for_while_no_set_lies_there() -> None:
    lead = Table.of_row(moment().row)
    assert lead.lead_due and lead.standing is None and lead.asks() == "seat 0 leads"
    assert Table.of_row(moment().row, 3).asks() == "a lead is due"
    assert not Table.of_row(moment("5").row).lead_due
    plain = ["KKKQQQ", *HANDS[1:]]
    revolt = Deal.from_dealt(RuleSet.preset("qingdao"), plain, leader=0)
    assert revolt.phase == "revolt" and revolt.turn == 0
    assert Table.of_row(revolt.row).asks() == "seat 0 decides before the first lead"
    assert Table.of_row(revolt.row, 3).asks() == "a lead is due"


@pytest.mark.parametrize("seat", range(SEATS))
def test_a_seat_sees_its_own_hand_and_its_own_turn_only(seat: int) -> None:
    deal = moment(*BURN)
    table = Table.of_row(deal.row, seat)
    assert table == Table.of_row(deal.view(seat).row, seat)
    assert [state.hand for state in table.seats] == [deal.hands[seat] if s == seat else None for s in range(SEATS)]
    assert [state.cards for state in table.seats] == [len(hand) for hand in deal.hands]
    assert table.turn == (3 if seat == 3 else None)
    assert [state.victim for state in table.seats] == [None, None, 1, None, None, None]
    assert [state.duty for state in table.seats] == [seat == s == 2 for s in range(SEATS)]
    assert table.around()[0] == table.viewer == seat


def test_a_seat_s_picture_does_not_follow_hidden_cards() -> None:
    row = moment(*BURN).row
    other = row.copy()
    hands = other[layout.HAND : layout.HAND + SEATS * KIND_COUNT].reshape(SEATS, KIND_COUNT)
    hidden = [0, 2, 3, 4, 5]
    cards = np.random.default_rng(0).permutation(np.repeat(np.arange(KIND_COUNT), hands[hidden].sum(axis=0)))
    for seat in hidden:
        mine, cards = np.split(cards, [hands[seat].sum()])
        hands[seat] = np.bincount(mine, minlength=KIND_COUNT)
    other[layout.TURN], other[layout.DUTY] = 5, 0
    assert Table.of_row(other) != Table.of_row(row)
    assert Table.of_row(other, 1) == Table.of_row(row, 1)


def test_partners_see_few_cards_where_the_rules_allow_it() -> None:
    deal = Deal.from_hands(CLASSIC.replace(partner_view="le10"), HANDS, leader=0)
    hands = [state.hand for state in Table.of_row(deal.row, 0).seats]
    assert hands == [HANDS[0], None, HANDS[2], None, None, None]


# --- text

PICTURE = """\
Gouji
                                                                   seat 2  8 cards  [10]
   seat 4  11 cards              ▶ seat 3  7 cards  [10]           burned seat 1, on burn duty
   s 2 AA QQ 999 8 6               bb TTTT 4                       b s AA JJ 9 8
╭────────────────────────────────────────────────────────────────────────────────────────────────╮
│                                                                                                │
│                                                                                                │
│                                             [ 22 ]                                             │
│                                      gouji set of seat 2                                       │
│                                                                                                │
│                                 KK                              AA                             │
╰────────────────────────────────────────────────────────────────────────────────────────────────╯
   seat 5  17 cards                seat 0  12 cards                seat 1  11 cards
   AA K 999 5 44 33333333          22 Q 99 88 77 66 5              A 77 66 55 44 33
"""


def test_the_text_is_the_table() -> None:
    assert render_ansi(Table.of_row(moment(*BURN).row), colour=False) == PICTURE


def test_the_text_of_a_seat_hides_the_others() -> None:
    text = render_ansi(Table.of_row(moment(*BURN).row, 4), colour=False)
    assert "you  11 cards" in text and "s 2 AA QQ 999 8 6" in text
    assert "TTTT" not in text and "░░░░░░░" in text and "▶" not in text and "duty" not in text


def test_colour_is_only_colour() -> None:
    table = Table.of_row(moment(*BURN).row)
    coloured = render_ansi(table)
    assert "\033[" in coloured
    stripped = re.sub(r"\033\[\d+m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == PICTURE.splitlines()


def test_whole_deals_fit_into_a_hundred_columns() -> None:
    for text in played("ansi"):
        lines = re.sub(r"\033\[\d+m", "", text).splitlines()
        assert max(map(len, lines)) <= 100 and len(lines) <= 22


# --- pixels


def test_the_picture_is_an_image_and_always_the_same() -> None:
    table = Table.of_row(moment(*BURN).row)
    picture = render_rgb(table)
    assert picture.shape == (840, 1440, 3) and picture.dtype == np.uint8 and picture.flags.writeable
    assert np.array_equal(picture, render_rgb(table))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"turn": 0}, [(700, 720), (140, 720)]),
        ({"turn": None}, [(140, 720)]),
        ({"free_for_all": True}, [(336, 720)]),
        ({"standing": "bb"}, [(408, 720)]),
        ({"selected": "3 x K"}, [(512, 720)]),
    ],
)
def test_what_changes_on_the_table_changes_in_its_place(change: dict[str, Any], where: list[tuple[int, int]]) -> None:
    table = Table.of_row(moment(*BURN).row)
    changed = np.argwhere((render_rgb(table) != render_rgb(replace(table, **change))).any(axis=2))
    near = [(np.abs(changed - point) <= (52, 150)).all(axis=1) for point in where]
    assert all(part.any() for part in near) and np.any(near, axis=0).all()


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"hand": None}, (128, 260)),
        ({"cards": 10}, (200, 354)),
        ({"place": 3}, (200, 342)),
        ({"passed": True}, (300, 420)),
        ({"laid": "sAA"}, (300, 420)),
        ({"duty": True}, (170, 312)),
    ],
)
def test_what_changes_at_a_seat_changes_in_its_place(change: dict[str, Any], where: tuple[int, int]) -> None:
    table = Table.of_row(moment(*BURN).row)
    seats = [replace(state, **change) if seat == 4 else state for seat, state in enumerate(table.seats)]
    changed = np.argwhere((render_rgb(table) != render_rgb(replace(table, seats=tuple(seats)))).any(axis=2))
    assert len(changed) and (np.abs(changed - where) <= (45, 250)).all()
    assert (np.abs(changed - where) <= 8).all(axis=1).any()


def test_a_burn_is_an_arrow_from_the_burner_to_the_victim() -> None:
    table = Table.of_row(moment(*BURN).row)
    unburnt = replace(table, seats=tuple(replace(state, victim=None, duty=False) for state in table.seats))
    rows, columns = np.nonzero((render_rgb(table) != render_rgb(unburnt)).any(axis=2))
    assert columns.min() > 1000 and rows.min() < 180 and rows.max() > 590


def test_full_hands_stay_inside_the_picture() -> None:
    table = raw_env(render_mode="rgb_array")
    table.reset(seed=0)
    picture = table.render()
    rim = np.concatenate([picture[:12].reshape(-1, 3), picture[-12:].reshape(-1, 3), picture[:, -12:].reshape(-1, 3)])
    assert (rim == picture[-1, -1]).all()


def played(mode: str) -> list[Any]:
    """The pictures of a random deal, one in five."""
    table = raw_env("qingdao", render_mode=mode)
    generator = np.random.default_rng(4)
    pictures = []
    for seed in range(3):
        table.reset(seed=seed)
        for number in range(10_000):
            if number % 5 == 0 or any(table.terminations.values()):
                pictures.append(table.render())
            if any(table.terminations.values()):
                break
            mask: npt.NDArray[np.int8] = table.observe(table.agent_selection)["action_mask"]
            table.step(int(generator.choice(np.flatnonzero(mask))))
    return pictures


# --- in the environment


def test_pettingzoo_s_render_test_passes(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(env, {"ansi": lambda text: "seat 0" in text, "rgb_array": lambda picture: picture.std() > 20})
    assert "seat 5" in capsys.readouterr().out


def test_human_mode_prints_the_plain_table_at_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    table = raw_env(render_mode="human")
    table.reset(seed=0)
    assert capsys.readouterr().out == render_ansi(Table.of_row(table._row, title="Gouji, classic"), colour=False)
    table.step(int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])[0]))
    assert capsys.readouterr().out == render_ansi(Table.of_row(table._row, title="Gouji, classic"), colour=False)
    assert table.render() is None


def test_rendering_without_a_mode_warns_and_drawing_changes_nothing() -> None:
    table = raw_env()
    table.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert table.render() is None
    table = raw_env(render_mode="ansi")
    table.reset(seed=0)
    row = table._row.copy()
    table.render()
    assert np.array_equal(row, table._row)


def test_pillow_is_loaded_by_those_who_draw_only() -> None:
    code = "import sys, gouji_env.env; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
