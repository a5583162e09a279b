"""The form of records: writing lines, reading lines."""

import json
from pathlib import Path

import pytest
from record_support import Record, formed, match_records

from gouji_env import RuleSet
from gouji_env.record import (
    LONGEST_LINE,
    RecordError,
    append_record,
    parse_line,
    read_lines,
    record_line,
    rules_entry,
)

RECORD = match_records()[1]


def changed(**fields: object) -> bytes:
    return record_line(RECORD | fields).encode()


def test_rules_are_the_nearest_preset_and_what_differs_from_it() -> None:
    rules = RuleSet.preset("biesan").replace(yield_="any", deck={"threes": 8, "fours": 16})
    entry = rules_entry(rules)
    assert entry["preset"] == "biesan"
    assert entry["overrides"] == {"yield": "any", "deck": {"threes": 8, "fours": 16}}
    assert formed(RECORD | {"rules": json.loads(json.dumps(entry))}).rules.rule_set() == rules


def test_a_line_is_one_line_of_plain_characters() -> None:
    line = record_line(RECORD | {"agents": ["够级\n", "b", "c", "d", "e", "f"]})
    assert line.isascii() and line.index("\n") == len(line) - 1
    agents = parse_line(line.encode()).agents
    assert agents is not None and agents[0] == "够级\n"


def test_appending_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for record in match_records():
        append_record(path, record)
    assert [json.loads(line) for line in path.read_text().splitlines()] == match_records()


def test_nothing_is_appended_to_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(record_line(RECORD) + record_line(RECORD)[:100])
    before = path.read_bytes()
    with pytest.raises(RecordError, match=r"games\.jsonl: the last line is cut off; remove it"):
        append_record(path, RECORD)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["no/games.jsonl", "."])
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=r"cannot be written: .*; name a file"):
        append_record(tmp_path / name, RECORD)


def test_a_disk_that_is_full_is_told_of() -> None:
    with pytest.raises(OSError):
        append_record(Path("/dev/full"), RECORD)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"none\.jsonl cannot be read: No such file"):
        list(read_lines(tmp_path / "none.jsonl"))


def test_a_line_without_end_is_read_in_part_only(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(changed() + b"x" * (3 * LONGEST_LINE))
    (_, good), (number, long) = read_lines(path)
    assert (good, number, len(long)) == (changed(), 2, LONGEST_LINE)
    with pytest.raises(RecordError, match="a line of more than 1,048,576 bytes is no record"):
        parse_line(long)


BAD_LINES: list[tuple[bytes, str]] = [
    (b"\n", "an empty line; each line is one record"),
    (b" \t\n", "an empty line"),
    (b'{"version": "\xff"}\n', "not UTF-8 at byte 13"),
    (b"hello\n", "not JSON: Expecting value: line 1 column 1"),
    (b"[" * 100_000 + b"\n", "not JSON: "),
    (changed()[:-5], "cut off in the middle of the line; remove it"),
    (changed()[:-5] + b"\n", "not JSON: "),
    (b"[1, 2]\n", "no record: a record is a JSON object"),
    (b"{}\n", "version: Field required"),
    (changed(version=2), "version 2: this program reads up to 1; a newer gouji-env can read the record"),
    (changed(version=3, hands="otherwise", more=1), "version 3: this program reads up to 1"),
    (changed(version=0), "version: Input should be 1"),
    (changed(leader=6), "leader: Input should be less than or equal to 5"),
    (changed(leader=True), "leader: Input should be a valid integer"),
    (changed(seed=-1), "seed: Input should be greater than or equal to 0"),
    (changed(seed=1 << 64), "seed: Input should be less than"),
    (changed(colour="red"), "colour: Extra inputs are not permitted"),
    (changed(hands=RECORD["hands"][:5]), "hands: List should have at least 6 items"),
    (changed(hands=["3" * 43, *RECORD["hands"][1:]]), r"hands\.0: String should have at most 42 characters"),
    (changed(actions=[[0, "3"], [1]]), r"actions\.1\.1: Field required"),
    (changed(places=[1, 2, 3, 4, 5, 7]), r"places\.5: Input should be less than or equal to 6"),
    (changed(points=[14, -14]), r"points\.0: Input should be less"),
    (changed(agents=["greedy"]), "agents: List should have at least 6 items"),
    (changed(previous=RECORD["previous"] | {"chokes": [[0, 6]]}), r"previous\.chokes\.0\.1: Input should be less"),
    (changed(previous=RECORD["previous"] | {"opened": [0] * 6}), r"previous\.opened\.0: Input should be a valid bool"),
    (changed(setup=False), r"a position \(setup false\) has no seed"),
    (changed(rules={"preset": "classic"}), r"rules\.overrides: Field required"),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES, ids=range(len(BAD_LINES)))
def test_what_is_wrong_with_a_line_is_said_in_one(line: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        parse_line(line)
    assert "\n" not in str(caught.value)


BAD_RULES: list[tuple[Record, str]] = [
    ({"preset": "klassic"}, "unknown rule set 'klassic'; presets are classic"),
    ({"overrides": {"hung_tows": True}}, "rules: .*hung_tows"),
    ({"overrides": {"yield": "never"}}, "rules: .*yield"),
    ({"digest": "0123456789abcdef"}, "rules: kaidian has the digest [0-9a-f]{16}, the record says 0123456789abcdef"),
    ({"overrides": {"yield": "any"}}, r"rules: kaidian \(yield=any\) has the digest"),
]


@pytest.mark.parametrize(("entry", "message"), BAD_RULES)
def test_rules_that_are_not_those_recorded_are_refused(entry: Record, message: str) -> None:
    record = formed(RECORD | {"rules": RECORD["rules"] | entry})
    with pytest.raises(RecordError, match=message):
        record.rules.rule_set()
