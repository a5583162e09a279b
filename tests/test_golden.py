"""Whole deals as text: every decision, every public event, the result. Read them as one reads a game.

A change of the rules shows here as a difference in lines that people can follow. To write the files anew, after a
change that is meant: ``python tests/test_golden.py``; then read the difference.
"""

import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from core_support import is_set, steady_choice
from usage_support import SlowCount

from gouji_env import Deal, Match, RuleSet, engine
from gouji_env.cards import KINDS
from gouji_env.rules import PRESETS

FOLDER = Path(__file__).parent / "data" / "golden"
WIDTH = 120


class Golden(NamedTuple):
    """A deal of the match of a seed (0: the first), and what it is there to show, in the words of ``SlowCount``."""

    rules: str
    seed: int
    number: int
    shows: tuple[str, ...]


BURNS = ("failures", "leads on burn duty", "burns of a burning set")
PUT_OFF = "free-for-alls put off to the end of a round"
DEAD_REPLY = "gouji sets protected by a dead reply"
LAST_WORD = "answers by an opposite who had passed"
REVOLUTION = "gouji sets protected by the head of a revolutionary"
CHOKED_HEAD = "gouji sets protected by the head of a choked seat"
FOURS = "restricted 4s led without opening"
FULL_TRIBUTE = "cards paid for openings, burns and chokes"
DEALS = {
    "classic-1": Golden("classic", 1142, 0, (*BURNS, "exempt burns", DEAD_REPLY, PUT_OFF)),
    "classic-2": Golden("classic", 792, 0, (*BURNS, "burns of a burning set by its victim", LAST_WORD, "sweeps")),
    "yang2004-1": Golden("yang2004", 799, 0, (*BURNS, DEAD_REPLY, PUT_OFF, "yields on other sets", LAST_WORD)),
    "yang2004-2": Golden("yang2004", 1536, 1, ("returns refused", "exempt burns", "sweeps")),
    "qingdao-1": Golden("qingdao", 1150, 0, (*BURNS, "exempt burns", DEAD_REPLY, PUT_OFF, LAST_WORD)),
    "qingdao-2": Golden("qingdao", 1446, 1, (REVOLUTION, "returns refused", "sweeps")),
    "biesan-1": Golden("biesan", 1418, 0, (*BURNS, "chokes", "exempt burns", PUT_OFF, "3s that a partner paid for")),
    "biesan-2": Golden("biesan", 1101, 1, (FULL_TRIBUTE, "chokes by a burn", CHOKED_HEAD)),
    "kaidian-1": Golden(
        "kaidian", 824, 0, ("openings", FOURS, "natural points", "chokes", "4s that a partner paid for")
    ),
    "kaidian-2": Golden("kaidian", 253, 1, (FULL_TRIBUTE, "throws", FOURS, "exempt burns", PUT_OFF, "sweeps")),
    "tv_biesan-1": Golden("tv_biesan", 1741, 1, (*BURNS, REVOLUTION, "sweeps")),
    "tv_biesan-2": Golden("tv_biesan", 283, 1, ("returns refused", "yields on gouji sets", "chokes", LAST_WORD)),
}


class Player:
    """Goes out when it can, else plays whole groups, low ones first; now and then the shorter of two at random."""

    def __init__(self, seed: int) -> None:
        self._streams = np.array([seed], np.uint64)

    def __call__(self, deal: Deal) -> str:
        legal = deal.legal()
        if deal.phase != "play" or engine.random_int(self._streams, 0, 10) == 0:
            return steady_choice(self._streams, legal)
        hand = deal.hands[deal.turn or 0]
        groups = [cards for cards in legal if is_set(cards) and cards.count(cards[-1]) == hand.count(cards[-1])]
        if len(hand) > 12:
            groups = [cards for cards in groups if not set(cards) & set("bs2")]
        whole = [cards for cards in groups if len(cards) == len(hand)]
        if whole or groups:
            return min(
                whole or groups, key=lambda cards: (sum(card in "bs2" for card in cards), KINDS.index(cards[-1]))
            )
        return "pass" if "pass" in legal else steady_choice(self._streams, legal)


def played(golden: Golden) -> tuple[Deal, list[tuple[Deal, str]], SlowCount]:
    """The deal when it is over, copies of it before each action, and what was used in it."""
    match, player = Match(RuleSet.preset(golden.rules), golden.number + 1, golden.seed), Player(golden.seed)
    count, steps = SlowCount(match.rules), []
    while match.turn is not None:
        if match.deal is not count.deal:
            count.uses.clear()
            steps = []
        count.watch(match)
        action = player(match.deal)
        steps.append((match.deal.copy(), action))
        count.act(match, action)
    return match.deal, steps, count


def transcript(golden: Golden) -> str:
    deal, steps, _ = played(golden)
    lines = _heading(deal, golden)
    told = 0
    for before, action in steps:
        lines += [f"       {_event(event)}" for event in before.events[told:]]
        told = len(before.events)
        lines += _decision(before, action)
    lines += [f"       {_event(event)}" for event in deal.events[told:]]
    lines += ["", f"places {deal.places}", f"points {deal.points}"]
    return "\n".join(lines) + "\n"


def _heading(deal: Deal, golden: Golden) -> list[str]:
    record = deal.record()
    lines = [f"rules {deal.rules.name()}  digest {deal.rules.digest()}  seed {golden.seed}  deal {golden.number}"]
    lines += [f"first drawer {record['first_drawer']}  first leader {record['leader']}"]
    if record["previous"]:
        lines += ["the last deal: " + "  ".join(f"{key} {value}" for key, value in record["previous"].items())]
    return [*lines, *(f"seat {seat} {hand}" for seat, hand in enumerate(record["hands"])), ""]


def _decision(deal: Deal, action: str) -> list[str]:
    legal = deal.legal()
    where = "leads" if deal.table is None else f"on {deal.table} of {deal.owner}"
    state = [name for name, seats in _states(deal).items() for name in [f"{name} {seats}"] if seats]
    listed = textwrap.shorten(" ".join(legal), WIDTH - 30, placeholder=" ...")
    return [
        f"seat {deal.turn} {where if deal.phase == 'play' else deal.phase}: {action}",
        f"       holds {deal.hands[deal.turn or 0]}",
        f"       legal {len(legal)}: {listed}",
        *([f"       {'; '.join(state)}"] if state else []),
    ]


def _states(deal: Deal) -> dict[str, str]:
    def seats(flags: list[bool]) -> str:
        return "".join(str(seat) for seat, flag in enumerate(flags) if flag)

    headless = [live and not deal.headed(seat) for seat, live in enumerate(deal.live)]
    return {"passed": seats(deal.passed), "on duty": seats(deal.duty), "headless": seats(headless)}


def _event(event: dict[str, Any]) -> str:
    rest = " ".join(f"{key} {value}" for key, value in event.items() if key not in ("event", "seat"))
    return " ".join(str(part) for part in ("*", event["event"], event.get("seat", ""), rest) if part != "")


@pytest.mark.parametrize("file", DEALS)
def test_golden_deal(file: str) -> None:
    assert transcript(DEALS[file]).splitlines() == (FOLDER / f"{file}.txt").read_text().splitlines()


@pytest.mark.parametrize("file", DEALS)
def test_each_deal_shows_what_it_is_there_for(file: str) -> None:
    uses = played(DEALS[file])[2].uses
    assert [use for use in DEALS[file].shows if not uses[use]] == []


def test_every_file_is_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(DEALS)
    assert {golden.rules for golden in DEALS.values()} == set(PRESETS)


def write() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, golden in DEALS.items():
        (FOLDER / f"{file}.txt").write_text(transcript(golden))


if __name__ == "__main__":
    write()
