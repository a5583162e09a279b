"""Records through the rules: what holds, what does not and why, files of any length."""

import itertools
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from record_support import Record, formed, match_records, play_out, write_lines

from gouji_env import Deal, RuleSet, engine
from gouji_env.cards import KINDS
from gouji_env.engine.replay import is_legal_whole, whole_code
from gouji_env.record import RecordError, record_line
from gouji_env.replay import holds, read_records, record_of_staged, replay, verify
from gouji_env.rules import PRESETS
from gouji_env.tables import NO_ACTION, code_of

FEW_CARDS = ["b3", "s4", "25", "A6", "K7", "Q8"]
NO_JOKERS = ["A3", "K4", "Q5", "J6", "T7", "98"]


def why_not(record: Record) -> str:
    with pytest.raises(RecordError) as caught:
        replay(formed(record))
    return str(caught.value)


# --- what holds


@pytest.mark.parametrize("preset", PRESETS)
def test_matches_replay_to_themselves(preset: str) -> None:
    for record in match_records(preset, deals=3, seed=2):
        assert holds(formed(record))
        assert replay(formed(record)).record() == record


def test_positions_and_unfinished_deals_replay() -> None:
    rules = RuleSet.preset("qingdao")
    deal = Deal.from_hands(rules, FEW_CARDS, 4)
    for _ in range(2):
        record = json.loads(record_line(deal.record()))
        assert (record["setup"], record["points"]) == (False, None)
        assert holds(formed(record))
        assert replay(formed(record)).record() == record
        deal.act(deal.legal()[0])
    assert holds(formed(json.loads(record_line(play_out(deal, 0).record()))))


def test_a_void_deal_replays() -> None:
    deal = Deal.from_dealt(RuleSet.preset("biesan"), NO_JOKERS, 0)
    deal.act("revolt")
    deal.act("revolt")
    record = json.loads(record_line(deal.record()))
    assert (record["void"], record["points"]) == (True, [0, 0])
    assert holds(formed(record))
    assert why_not(record | {"void": False}) == "void: the record says False; played out it is True after its 2 actions"


# --- what does not hold


def with_action(number: int, action: list[object]) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["actions"][number] = action

    return change


def swap_cards(record: Record) -> None:
    first, second = record["hands"][:2]
    record["hands"][:2] = [first[:-1] + second[-2], second[:-2] + first[-1] + second[-1]]


CHANGES: list[tuple[Callable[[Record], object], str]] = [
    (with_action(0, [1, "b99999999"]), r"action 1 of \d+: seat 1: 'b99999999' as a lead is illegal: the hand lacks"),
    (with_action(0, [3, "throw"]), r"action 1 of \d+: seat 3 'throw': it is the decision of seat 1"),
    (with_action(0, [1, "999ss"]), "this set is written ss999"),
    (with_action(0, [1, "keep"]), "'keep' as a lead is illegal"),
    (lambda record: record["actions"].pop(), "places: the record says .*; the deal is not over after its"),
    (lambda record: record["actions"].append([0, "pass"]), "action 1.. of 1..: seat 0 'pass': the deal is over before"),
    (lambda record: record["places"].reverse(), r"places: the record says \[.*\]; played out it is \["),
    (lambda record: record["points"].reverse(), r"points: the record says \(.*\); played out it is \("),
    (lambda record: record.update(points=None), "points: the record says None; played out it is"),
    (lambda record: record.update(void=True), "void: the record says True; played out it is False"),
    (lambda record: record.update(seed=record["seed"] + 1), r"hands: seed \d+ deals other cards"),
    (lambda record: record.update(first_drawer=5 - record["first_drawer"]), r"hands: seed \d+ deals other cards"),
    (swap_cards, r"hands: seed \d+ deals other cards"),
    (lambda record: record["hands"].sort(), r"hands: seed \d+ deals other cards"),
    (lambda record: record["hands"].__setitem__(2, ""), "seat 2: an empty hand"),
    (lambda record: record["hands"].__setitem__(2, "AKX"), "seat 2: hand 'AKX': 'X' at position 2 is no card"),
    (lambda record: record["hands"].__setitem__(2, "AK够"), "seat 2: hand 'AK够': '够' at position 2 is no card"),
    (lambda record: record["hands"].__setitem__(2, "3" * 40), "the deck of these rules has 6"),
    (lambda record: record["previous"].update(places=[1] * 6), "previous: places .* are not 1..6 once each"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES, ids=range(len(CHANGES)))
def test_the_reason_is_said(change: Callable[[Record], object], message: str) -> None:
    record = match_records()[1]
    change(record)
    assert not holds(formed(record))
    with pytest.raises(RecordError, match=message) as caught:
        replay(formed(record))
    assert "\n" not in str(caught.value)


def test_any_changed_card_of_a_dealt_hand_is_found() -> None:
    record = match_records()[1] | {"seed": None}
    for seat, hand in enumerate(record["hands"]):
        for i, card in enumerate(hand):
            other = KINDS[(KINDS.index(card) + 1) % len(KINDS)]
            hands = record["hands"].copy()
            hands[seat] = hand[:i] + other + hand[i + 1 :]
            assert not holds(formed(record | {"hands": hands}))
            assert "the deck of these rules has" in why_not(record | {"hands": hands})


def mutated(record: Record, generator: Random) -> None:
    """Change an action, or two of them, or where it starts."""
    actions = record["actions"]
    number = generator.randrange(len(actions))
    seat, action = actions[number]
    texts = "pass yield throw give:A 3 44 222 b sb bs22A 2A AA".split()
    kind = generator.randrange(5)
    if kind == 0:
        actions[number] = [seat, generator.choice([*texts, action * 2, action[1:]])]
    elif kind == 1:
        actions[number] = [(seat + generator.randrange(1, 6)) % 6, action]
    elif kind == 2:
        del actions[number]
    elif kind == 3:
        other = generator.randrange(len(actions))
        actions[number], actions[other] = actions[other], actions[number]
    else:
        record["leader"] = generator.randrange(6)


def test_the_fast_and_the_slow_way_agree() -> None:
    generator = Random(5)
    records = [record for preset in PRESETS for record in match_records(preset, deals=2, seed=3)]
    held = 0
    for number in range(240):
        record = json.loads(json.dumps(records[number % len(records)] | {"seed": None}))
        mutated(record, generator)
        try:
            replay(formed(record))
            slow = True
        except RecordError:
            slow = False
        assert holds(formed(record)) == slow, record
        held += slow
    assert 0 < held < 120


# --- kernels


def test_whole_actions_are_legal_as_they_are_listed() -> None:
    generator = Random(1)
    codes = np.empty(engine.MAX_SETS, np.int32)
    asked = [code_of(text) for text in ("pass", "yield", "throw", "revolt", "keep", "give:3", "3", "44", "b", "bs222")]
    for preset in PRESETS:
        deal = Deal.new(RuleSet.preset(preset), 7)
        while deal.turn is not None:
            listed = set(codes[: engine.legal_sets(deal.row, codes)].tolist())
            others = [code ^ 1 << generator.randrange(20) for code in listed]
            for code in [*listed, *asked, *others, NO_ACTION]:
                assert is_legal_whole(deal.row, code) == (code in listed), (preset, code)
            deal.act(generator.choice(deal.legal()))


def test_codes_and_notation_are_inverse() -> None:
    codes = np.empty(engine.MAX_SETS, np.int32)
    deal = Deal.from_hands(RuleSet.preset("classic"), ["bbbsss222AAAKKK44", *FEW_CARDS[1:]], 0)
    listed = codes[: engine.legal_sets(deal.row, codes)].tolist()
    assert [code_of(engine.code_text(code)) for code in listed] == listed
    for text in ("", "x", "give:", "give:AA", "give:x", "A" * 17, "bbbbb", "Ab", "AK", "passes"):
        assert code_of(text) == NO_ACTION


@pytest.mark.parametrize("preset", PRESETS)
def test_staged_actions_make_the_record_that_whole_ones_do(preset: str) -> None:
    rules, generator = RuleSet.preset(preset), Random(3)
    staged, whole = Deal.new(rules, 11), Deal.new(rules, 11)
    row, ids, taken = staged.row.copy(), np.empty(engine.ACTIONS, np.int16), []
    while not engine.is_over(row):
        action = int(ids[generator.randrange(engine.legal(row, ids))])
        code = whole_code(row, action)
        engine.act(row, action)
        assert (code < 0) == engine.composing(row)
        if code >= 0:
            whole.act(engine.code_text(code))
        taken.append(action)
    assert len(taken) > len(whole.record()["actions"])
    assert record_of_staged(staged, np.array(taken, np.int16)) == whole.record()


# --- files


def test_good_lines_come_before_the_bad_one(tmp_path: Path) -> None:
    good = match_records(deals=3)
    bad = json.loads(json.dumps(good[0]))
    bad["places"].reverse()
    path = write_lines(tmp_path / "games.jsonl", [*good, bad, *good])
    records = read_records(path)
    assert [record.seed for record in itertools.islice(records, 3)] == [record["seed"] for record in good]
    with pytest.raises(RecordError, match=r"games\.jsonl:4: places: the record says"):
        next(records)
    with pytest.raises(RecordError, match=r"games\.jsonl:4: places: the record says"):
        verify(path)


def test_a_file_cut_off_anywhere_keeps_its_whole_lines(tmp_path: Path) -> None:
    content = b"".join(record_line(record).encode() for record in match_records(deals=2))
    ends = [i + 1 for i, byte in enumerate(content) if byte == ord("\n")]
    path = tmp_path / "games.jsonl"
    for length in {*range(1, len(content), 97), *ends, *(end - 1 for end in ends), *(end + 1 for end in ends[:-1])}:
        path.write_bytes(content[:length])
        whole = sum(end - 1 <= length for end in ends)  # the last newline alone may be missing
        if length in ends or length + 1 in ends:
            assert verify(path) == whole
            continue
        records = read_records(path)
        assert len(list(itertools.islice(records, whole))) == whole
        with pytest.raises(RecordError, match=rf"games\.jsonl:{whole + 1}: cut off in the middle of the line"):
            next(records)


def test_lines_are_picked_without_a_look_at_the_others(tmp_path: Path) -> None:
    good = match_records(deals=3)
    path = tmp_path / "games.jsonl"
    path.write_text("no record\n" + "".join(map(record_line, good)) + "nor this\n")
    assert [record.seed for record in read_records(path, {2, 4})] == [good[0]["seed"], good[2]["seed"]]
    with pytest.raises(RecordError, match=r"games\.jsonl: it has 5 lines, there is no line 6"):
        list(read_records(path, {2, 6}))


def test_a_long_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "games.jsonl", match_records(deals=2) * 500)
    told: list[tuple[int, int]] = []
    verify(path)
    tracemalloc.start()
    assert verify(path, lambda deals, done: told.append((deals, done)) if deals == 1000 else None) == 1000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert told == [(1000, path.stat().st_size)]
    assert peak < path.stat().st_size / 4
