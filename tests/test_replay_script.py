"""The script of the replay page, run by Node without a browser; skipped where there is none."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from record_support import formed, match_records

from gouji_env.cards import SEATS
from gouji_env.replay_page import page_data, replay_page

NODE = shutil.which("node")
RUNNER = Path(__file__).parent / "replay_page.mjs"

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


@pytest.fixture(scope="module")
def records() -> list[Any]:
    return [formed(record) for record in match_records("tv_biesan", deals=2, seed=4)]


def ask(records: list[Any], questions: list[str]) -> list[Any]:
    """What the page answers to scripts that run after its own."""
    page = replay_page(list(enumerate(records, 1)), "games.jsonl", None)
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(RUNNER)], input=json.dumps({"page": page, "ask": questions}), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_every_moment_of_every_view_shows_the_cards_that_it_may(records: list[Any]) -> None:
    data = page_data(1, records[0])
    places = [(view, at) for view in range(-1, SEATS) for at in range(len(data["views"][view + 1]))]
    shown = ask(records, [f"look({view}); go({at}); seen()" for view, at in places])
    for (view, at), seen in zip(places, shown, strict=True):
        step = data["steps"][data["views"][view + 1][at][1]]
        opened = range(SEATS) if view < 0 else step["open"][view]
        assert seen["backs"] == sum(count for seat, count in enumerate(step["cards"]) if seat not in opened)
        laid = sum(len(cards) for seat, cards in enumerate(step["laid"]) if cards and seat != step["owner"])
        assert seen["cards"] == sum(step["cards"][seat] for seat in opened) + laid + len(
            step["standing"] or "" if step["points"] is None else ""
        )
        assert seen["now"] == at and seen["counter"] == f"step {at} of {len(seen['log']) - 1}"
        decides = step["turn"] is not None and view in (-1, step["turn"])
        assert bool(seen["legal"]) == decides
        if decides:
            assert ["", f"seat {step['turn']} may:"] == seen["legal"][0]
            assert [kind for kind, _ in seen["legal"]].count("chosen") == 1


def test_no_view_tells_the_silent_declines_of_others(records: list[Any]) -> None:
    logs = ask(records, [f"look({view}); seen().log.flat()" for view in range(-1, SEATS)])
    declined = {line for line in logs[0] if line.endswith("declines unseen")}
    assert declined
    for seat, log in enumerate(logs[1:]):
        told = {line for line in log if line.endswith("declines unseen")}
        assert told == {line for line in declined if line.startswith(f"seat {seat} ")}


def test_buttons_keys_and_menus_step_through_the_deals(records: list[Any]) -> None:
    steps = len(records[0].actions)
    asked = [
        "click('next')",
        "press('ArrowRight')",
        "click('back')",
        "press('End')",
        "press('ArrowRight')",
        "click('first')",
    ]
    where = ask(records, [f"{script}; state.at" for script in asked])
    assert where == [1, 2, 1, steps, steps, 0]
    ends = ask(records, ["seen().disabled", "click('last'); seen().disabled", "seen().texts"])
    assert ends[:2] == [["first", "back"], ["next", "last"]]
    assert "the deal is over" in ends[2]
    other, view = ask(
        records, ["choose_in('deal', 1); [state.deal, state.at, deal().line]", "choose_in('view', 3); seen().texts"]
    )
    assert other == [1, 0, 2] and "you" in view
