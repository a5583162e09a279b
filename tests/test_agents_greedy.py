"""What greedy says of itself, on hand-made positions."""

import pytest

from agents.greedy import GreedyAgent
from gouji_env import Deal, RuleSet

CLASSIC = RuleSet.preset("classic")
LOW = "3"  # a hand that beats nothing


def position(hands: dict[int, str], *actions: str, rules: RuleSet = CLASSIC) -> Deal:
    """A deal after ``actions`` from seat 0's lead on; seats that are not named hold a single 3."""
    deal = Deal.from_hands(rules, [hands.get(seat, LOW) for seat in range(6)], 0)
    for action in actions:
        deal.act(action)
    return deal


def choice(deal: Deal) -> str:
    assert deal.turn is not None
    return GreedyAgent().act(deal.view(deal.turn))


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("b22AAK5553", "3"),
        ("b22AAK555", "555"),
        ("sJJJJ99", "99"),  # several ways to lead two 9s: none of them with a joker
        ("2AAKK", "KK"),
    ],
)
def test_leads_its_lowest_group_without_hung_cards(hand: str, lead: str) -> None:
    assert choice(position({0: hand})) == lead


@pytest.mark.parametrize("hand", ["s2AA", "22", "bs", "9999", "bbss2", "bs2233"])
def test_goes_out_when_it_can(hand: str) -> None:
    assert choice(position({0: hand})) == hand


@pytest.mark.parametrize(
    ("lead", "answer"),
    [
        ("4", "7"),  # the lowest single above it: no card of a pair, no 2, no joker
        ("44", "66"),  # the lowest pair, not two of the three 8s
        ("444", "888"),
        ("4444", "QQQQ"),
        ("8", "T"),  # no single is left above it: one of a pair
        ("TT", "pass"),  # two of the four queens would do
    ],
)
def test_answers_with_whole_groups_or_part_of_small_ones(lead: str, answer: str) -> None:
    assert choice(position({0: lead + "3", 1: "b2QQQQTT888766"}, lead)) == answer


def test_lets_a_partners_set_stand() -> None:
    assert choice(position({0: "43", 2: "b2QQQQTT888766"}, "4")) == "pass"


def test_goes_out_over_a_partners_set() -> None:
    assert choice(position({0: "43", 2: "7"}, "4")) == "7"


def test_takes_the_lead_that_a_partner_who_is_out_would_leave_to_an_enemy() -> None:
    assert choice(position({0: "4", 2: "b2QQQQTT888766"}, "4")) == "7"


@pytest.mark.parametrize(
    ("hand", "lead", "answer"),
    [
        ("b28865", "777", "288"),  # three groups left: a 2 before a joker
        ("b288654", "777", "pass"),  # four groups left
        ("b28865", "4", "5"),  # what costs nothing goes first
        ("bQQ5", "s66", "bQQ"),  # a small joker takes a big one
        ("bQQQ5", "s66", "pass"),  # ... and would leave a queen behind
        ("b22654", "AA", "22"),
        ("b22654", "A", "pass"),  # no group of 2s is broken
    ],
)
def test_hangs_jokers_and_twos_near_the_end(hand: str, lead: str, answer: str) -> None:
    assert choice(position({0: lead + "3", 3: hand}, lead)) == answer


@pytest.mark.parametrize(("hand", "answer"), [("22", "22"), ("b22", "pass"), ("22KK5", "pass"), ("b2K", "pass")])
def test_burns_only_to_go_out(hand: str, answer: str) -> None:
    deal = position({0: "AA3", 1: hand}, "AA")
    assert deal.turn == 1
    assert choice(deal) == answer


def test_leads_with_a_joker_on_burn_duty() -> None:
    deal = position({0: "AA3", 1: "bs22KK9955"}, "AA", "22")
    assert (deal.turn, deal.duty[1]) == (1, True)
    assert choice(deal) == "s55"


def test_keeps_bound_threes_for_the_last() -> None:
    rules = CLASSIC.replace(choke=True)
    assert choice(position({0: "2KK533"}, rules=rules)) == "5"
    assert choice(position({0: "b33"}, rules=rules)) == "b"
    assert choice(position({0: "33"}, rules=rules)) == "33"


def test_leads_bound_fours_all_together() -> None:
    rules = CLASSIC.replace(open_four=True)
    assert choice(position({0: "2AA444"}, rules=rules)) == "444"


def test_neither_revolts_nor_gives_up_the_head() -> None:
    hands = ["AAK543"] * 6
    deal = Deal.from_dealt(RuleSet.preset("qingdao"), hands, 0)
    assert (deal.turn, deal.phase, choice(deal)) == (0, "revolt", "pass")
    deal.act("revolt")
    while deal.phase == "revolt":
        deal.act("pass")
    assert (deal.turn, deal.phase, choice(deal)) == (3, "renounce", "keep")
