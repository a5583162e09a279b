"""Recorded deals for people: moments, sentences, pages of text, the page for a browser."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from record_support import Record, formed, match_records

from gouji_env import Deal, RuleSet
from gouji_env.cards import SEATS
from gouji_env.engine import log
from gouji_env.record import RecordError, record_line
from gouji_env.render import Table
from gouji_env.replay import replay
from gouji_env.replay_page import page_data, replay_page
from gouji_env.replay_steps import event_text, legal_texts, moments, seen, steps_of
from gouji_env.replay_text import Pages, step_through

# --- steps and moments


@pytest.mark.parametrize("preset", ["yang2004", "qingdao", "kaidian", "tv_biesan"])
def test_steps_hold_every_event_and_every_legal_set(preset: str) -> None:
    record = formed(match_records(preset)[1])
    steps, deal = steps_of(record), replay(record)
    assert len(steps) == len(record.actions) + 1
    assert seen((event for step in steps for event in step.events if "silent" not in event), None) == deal.events
    for viewer in range(SEATS):
        assert seen((event for step in steps for event in step.events), viewer) == deal.view(viewer).events
    for step, (_, action) in zip(steps, record.actions, strict=False):
        assert action in step.legal
    assert (steps[-1].row == deal.row).all()


def test_a_seat_cannot_tell_silent_declines_of_others() -> None:
    record = formed(match_records("yang2004", deals=2, seed=4)[0])
    steps = steps_of(record)
    assert moments(steps, None) == [(number, number) for number in range(len(steps))]
    silent = {number for number, step in enumerate(steps) if any("silent" in event for event in step.events)}
    assert silent
    for viewer in range(SEATS):
        parts = moments(steps, viewer)
        assert [number for first, last in parts for number in range(first, last + 1)] == list(range(len(steps)))
        joined = {number for first, last in parts for number in range(first + 1, last + 1)}
        others = {number for number in silent if steps[number].events[0]["seat"] != viewer}
        public = {number for number in others if any("silent" not in event for event in steps[number].events)}
        assert joined == others - public


def test_a_record_that_does_not_hold_has_no_steps() -> None:
    record = match_records()[0]
    record["places"].reverse()
    with pytest.raises(RecordError, match="places: the record says"):
        steps_of(formed(record))


# --- words

SENTENCES = [
    ({"event": "play", "seat": 2, "set": "ss99"}, "seat 2 plays ss99"),
    ({"event": "pass", "seat": 2}, "seat 2 passes"),
    ({"event": "pass", "seat": 2, "silent": True}, "seat 2 declines unseen"),
    ({"event": "yield", "seat": 2}, "seat 2 yields"),
    ({"event": "throw", "seat": 2, "cards": 3}, "seat 2 throws its 3 4s away"),
    ({"event": "burn", "seat": 2, "victim": 3}, "seat 2 burns seat 3"),
    ({"event": "out", "seat": 2, "place": 1}, "seat 2 is out: 1st"),
    ({"event": "choke", "seat": 2, "place": 6}, "seat 2 is choked, left with nothing but 3s: 6th"),
    ({"event": "fail", "seat": 2, "place": 5}, "seat 2 fails: no lead on burn duty: 5th"),
    ({"event": "open", "seat": 2}, "seat 2 has opened its 4s"),
    ({"event": "free_for_all"}, "the free-for-all begins"),
    ({"event": "round_end", "seat": 2}, "seat 2 wins the round"),
    ({"event": "revolt", "seat": 2}, "seat 2 revolts"),
    ({"event": "keep", "seat": 2}, "seat 2 keeps the head"),
    ({"event": "renounce", "seat": 2}, "seat 2 renounces the head"),
    ({"event": "void", "seat": 2}, "seat 2 revolts too: the deal is void"),
    ({"event": "over"}, "the deal is over"),
    (
        {"event": "buy", "seat": 2, "card": "3", "seller": 5, "payer": 4},
        "seat 2 gets a 3 from seat 5 for a 2 of seat 4",
    ),
    ({"event": "buy", "seat": 2, "card": "4", "seller": 4, "payer": None}, "seat 2 gets a 4 from seat 4 as a gift"),
    ({"event": "tribute", "seat": 2, "to": 1, "card": "b"}, "seat 2 pays b to seat 1"),
    ({"event": "offer", "seat": 2, "card": "4"}, "seat 2 offers 4"),
    ({"event": "refuse", "seat": 2, "card": "4"}, "seat 2 refuses 4"),
    ({"event": "return", "seat": 2, "to": 1, "card": "4"}, "seat 2 returns 4 to seat 1"),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_events_are_sentences(event: dict[str, Any], sentence: str) -> None:
    assert event_text(event) == sentence


def test_every_event_of_the_core_has_a_sentence() -> None:
    assert {name for name, _ in log._EVENTS.values()} == {event["event"] for event, _ in SENTENCES}


def test_legal_actions_are_listed_or_summed_up() -> None:
    few = ["99", "AA", "b9", "pass", "ss", "22"]
    assert legal_texts(few) == ["pass", "99", "b9", "AA", "22", "ss"]
    many = ["throw", "s", *("9" * size for size in range(1, 21)), *("4" * size for size in (1, 2, 4)), "KK"]
    many += ["b" + "9" * size for size in range(1, 21)]
    assert legal_texts(many) == ["throw", "4 x 1-2, 4: 3 sets", "9 x 1-21: 40 sets", "KK", "s"]


# --- the terminal


def pages(viewer: int | None = None, preset: str = "kaidian") -> Pages:
    return Pages(formed(match_records(preset)[1]), viewer, "games.jsonl:2", colour=False)


def test_a_page_shows_the_table_what_happened_and_what_is_legal() -> None:
    record = match_records("kaidian")[1]
    shown = pages()
    assert len(shown) == len(record["actions"]) + 1
    first, second = shown.text(0), shown.text(1)
    seat, action = record["actions"][0]
    assert first.startswith(f"games.jsonl:2, kaidian, step 0 of {len(record['actions'])}\n")
    assert f"  seat {seat} decides: " in first
    assert f"  seat {seat} plays {action}\n" in second
    assert "the deal is over" in shown.text(len(shown) - 1)
    assert max(map(len, (first + second).splitlines())) <= 100


def test_a_seat_sees_its_own_hand_and_its_own_decisions() -> None:
    record, shown = match_records("kaidian")[1], pages(viewer=2)
    assert len(shown) <= len(record["actions"]) + 1
    texts = [shown.text(number) for number in range(len(shown))]
    assert all("░" in text and "declines unseen" not in text.replace("seat 2 declines", "") for text in texts[:9])
    assert set(re.findall(r"seat (\d) decides", "".join(texts))) == {"2"}


def walked(answers: list[str], shown: Pages) -> tuple[bool, list[int]]:
    """Whether it went past the end, and the steps that were shown."""
    told: list[str] = []
    lines = iter(answers)

    def ask(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    went_on = step_through(shown, told.append, ask)
    return went_on, [int(re.search(r"step (\d+) of", text)[1]) for text in told]  # type: ignore[index]


def test_stepping() -> None:
    shown = pages()
    end = len(shown) - 1
    assert walked([], shown) == (False, [0])
    assert walked(["", "n", "p", " 7 ", "q", "n"], shown) == (False, [0, 1, 2, 1, 7])
    assert walked([str(end), "p", "n", "n", "n"], shown) == (True, [0, end, end - 1, end])
    for nonsense in ("p", str(end + 1), "-1", "x", "9" * 5000, "²"):
        assert walked([nonsense, "n"], shown) == (False, [0, 0, 1])


def test_help_comes_with_what_is_not_understood() -> None:
    told: list[str] = []
    step_through(pages(), told.append, answers("what", "q"))
    assert "Enter or n: next" in told[1] and "Enter or n: next" not in told[0]


def answers(*lines: str) -> Callable[[str], str]:
    left = iter(lines)
    return lambda prompt: next(left)


# --- the page

PAGE_PARTS = re.compile(
    r'<script type="application/json" id="data">(.*?)</script>\n<script>(.*?)</script>\n</body>', re.DOTALL
)


def page_parts(page: str) -> tuple[dict[str, Any], str]:
    match = PAGE_PARTS.search(page)
    assert match
    return json.loads(match[1]), match[2]


def record_page(record: Record, viewer: int | None = None) -> str:
    return replay_page([(7, formed(record))], "games.jsonl", viewer)


def test_the_page_holds_every_step_of_the_deal() -> None:
    record = match_records("kaidian")[1]
    data, _ = page_parts(record_page(record, viewer=4))
    [deal] = data["deals"]
    assert (data["viewer"], deal["line"], deal["rules"]) == (4, 7, "kaidian")
    assert deal["seed"] == str(record["seed"])
    assert [step["action"] for step in deal["steps"]] == [None, *(action for _, action in record["actions"])]
    assert deal["steps"][-1]["places"] == record["places"]
    assert deal["steps"][-1]["points"] == record["points"]
    assert len(deal["views"]) == SEATS + 1
    texts = [event["text"] for step in deal["steps"] for event in step["events"]]
    assert texts == [event_text(event) for step in steps_of(formed(record)) for event in step.events]


@pytest.mark.parametrize("preset", ["classic", "tv_biesan"])
def test_what_the_page_shows_a_seat_is_what_it_may_know(preset: str) -> None:
    record = formed(match_records(preset)[0])
    data = page_data(1, record)
    for step, shown in zip(steps_of(record), data["steps"], strict=True):
        for viewer in range(SEATS):
            known = Table.of_row(step.row, viewer)
            assert shown["open"][viewer] == [seat for seat in range(SEATS) if known.seats[seat].hand is not None]
            assert known.turn == (shown["turn"] if shown["turn"] == viewer else None)
            assert [seat.victim for seat in known.seats] == shown["victims"]
            assert [seat.laid for seat in known.seats] == shown["laid"]
            assert [seat.duty for seat in known.seats] == [
                duty and seat == viewer for seat, duty in enumerate(shown["duty"])
            ]


def test_the_page_needs_no_network_and_no_other_file() -> None:
    page = record_page(match_records()[0])
    assert "default-src 'none'" in page
    assert set(re.findall(r"https?://[^\s\"']*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<link|<img|<iframe|\bsrc=|@import|url\((?!#)|fetch\(|XMLHttpRequest|import\(", page)


def test_nothing_in_a_record_breaks_out_of_the_page() -> None:
    evil = "</script><script>alert(1)</script><!--script-->"
    page = replay_page([(1, formed(match_records()[0] | {"agents": [evil] * 6}))], evil, None)
    data, _ = page_parts(page)
    assert data["deals"][0]["agents"] == [evil] * 6
    assert page.count("<script") == 2 and "alert(1)</script>" not in page
    assert "innerHTML" not in page and "insertAdjacentHTML" not in page


def test_the_script_asks_for_fields_that_are_there() -> None:
    data, script = page_parts(record_page(match_records()[0]))
    [deal] = data["deals"]
    asked = {name: set(re.findall(rf"\b{name}\.(\w+)", script)) for name in ("data", "step", "event", "each")}
    assert asked["data"] <= set(data) and {"deals", "viewer"} <= asked["data"]
    assert asked["step"] <= set(deal["steps"][0]) and len(asked["step"]) > 12
    assert set(re.findall(r"deal\(\)\.(\w+)", script)) | asked["each"] <= set(deal)
    assert {"text", "seat", "silent"} <= asked["event"]


def test_void_and_unfinished_deals_have_a_page() -> None:
    void = Deal.from_dealt(RuleSet.preset("biesan"), ["A3", "K4", "Q5", "J6", "T7", "98"], 0)
    begun = void.copy()
    void.act("revolt")
    void.act("revolt")
    results = []
    for deal in (void, begun):
        data, _ = page_parts(record_page(json.loads(record_line(deal.record()))))
        results.append(data["deals"][0]["result"])
    assert results == ["void", "not over"]
