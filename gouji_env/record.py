"""Records of deals: JSON Lines, one deal a line, enough to play it again and to check it.

| field | |
|---|---|
| `version` | of this form: 1 |
| `rules` | `preset`, `overrides` (the switches that differ from it) and `digest` (of all switches) |
| `seed` | what the cards were dealt from, or null |
| `hands` | six hands as dealt, high to low |
| `first_drawer`, `leader` | seats, as before section 8 of the rules |
| `setup` | false: a position, which begins with the first lead |
| `previous` | in a match `summary()` of the deal before, or null |
| `actions` | `[seat, action]` for each decision, silent declines included |
| `places` | of each seat, 1..6, or null where it has none |
| `points` | of sides 0 and 1, null while the deal is not over |
| `void` | whether two revolutions have voided the deal |
| `agents`, `agent_seeds` | who sat at each seat and what its chance came from, or null |

This module knows the form alone; ``replay.py`` plays records through the rules.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError, model_validator

from gouji_env.cards import LARGEST_HAND
from gouji_env.rules import PRESETS, RuleError, RuleSet

RECORD_VERSION = 1
LONGEST_LINE = 1 << 20  # bytes; a deal of a thousand decisions takes some 16,000

Seat = Annotated[StrictInt, Field(ge=0, le=5)]
Place = Annotated[StrictInt, Field(ge=1, le=6)]
Seed = Annotated[StrictInt, Field(ge=0, lt=1 << 64)]
Points = Annotated[StrictInt, Field(ge=-12, le=12)]
Hand = Annotated[StrictStr, Field(max_length=LARGEST_HAND)]
Six = Field(min_length=6, max_length=6)
Pairs = Annotated[list[Annotated[list[Seat], Field(min_length=2, max_length=2)]], Field(max_length=64)]


class RecordError(ValueError):
    """A record, or a file of them, that does not hold; the message names the place and what is wrong."""


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RulesEntry(_Form):
    """The rules of a deal, short."""

    preset: StrictStr
    overrides: dict[str, Any]
    digest: StrictStr

    def rule_set(self) -> RuleSet:
        """Raises RecordError for rules that do not exist here, or are not those that were recorded."""
        return _rule_set(self.preset, json.dumps(self.overrides, sort_keys=True), self.digest)


class Previous(_Form):
    """``Deal.summary()`` of the deal before in a match."""

    places: Annotated[list[Place], Six]
    leader: Seat | None = None
    opened: Annotated[list[StrictBool], Six]
    burns: Pairs
    chokes: Pairs


class DealRecord(_Form):
    """One deal; the module's page says what each field holds."""

    version: Literal[1]
    rules: RulesEntry
    seed: Seed | None
    hands: Annotated[list[Hand], Six]
    first_drawer: Seat
    leader: Seat
    setup: StrictBool
    previous: Previous | None
    actions: list[tuple[Seat, StrictStr]]
    places: Annotated[list[Place | None], Six]
    points: tuple[Points, Points] | None
    void: StrictBool
    agents: Annotated[list[StrictStr], Six] | None = None
    agent_seeds: Annotated[list[Seed], Six] | None = None

    @model_validator(mode="after")
    def _position_stands_alone(self) -> Self:
        if not self.setup and (self.seed is not None or self.previous is not None or self.first_drawer != 0):
            raise ValueError("a position (setup false) has no seed, no deal before it, and the first drawer 0")
        return self


def rules_entry(rules: RuleSet) -> dict[str, Any]:
    """The ``rules`` of a record."""
    preset, overrides, digest = _short(rules)
    return {"preset": preset, "overrides": dict(overrides), "digest": digest}


@cache
def _short(rules: RuleSet) -> tuple[str, dict[str, Any], str]:
    nearest = min(PRESETS, key=lambda preset: len(rules.overrides(preset)))
    return nearest, rules.overrides(nearest), rules.digest()


@lru_cache(maxsize=1024)
def _rule_set(preset: str, overrides: str, digest: str) -> RuleSet:
    try:
        rules = RuleSet.preset(preset).replace(**json.loads(overrides))
    except RuleError as error:
        raise RecordError(f"rules: {error}") from None
    if rules.digest() != digest:
        raise RecordError(
            f"rules: {rules.name()} has the digest {rules.digest()}, the record says {digest}: it was changed, or "
            "written where these rules have other switches"
        )
    return rules


# --- lines


def record_line(record: Mapping[str, Any]) -> str:
    """A record as a line of a file, its newline included."""
    return json.dumps(record, separators=(",", ":")) + "\n"


def append_record(path: Path, record: Mapping[str, Any]) -> None:
    """Add a record to the end of a file with a single write, so that several processes may share the file.

    Raises RecordError where the file was cut off in the middle of a line, OSError where it cannot be written.
    """
    line = record_line(record).encode()
    with open_for_append(path) as file:
        if file.write(line) != len(line):
            raise OSError(f"{path}: the disk is full; the last line is cut off")


def open_for_append(path: Path) -> Any:
    """An unbuffered binary file to add whole lines to. Raises as ``append_record`` does."""
    try:
        file = path.open("ab+", buffering=0)
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}; name a file in a folder that takes it") from None
    if file.tell() > 0:
        file.seek(-1, 2)
        if file.read(1) != b"\n":
            file.close()
            raise RecordError(f"{path}: the last line is cut off; remove it, or name another file")
    return file


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """(number from 1, line) one after the other; a line too long to be a record comes shortened."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise OSError(f"{path} cannot be read: {error.strerror}") from None
    with file:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            yield number, line
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                return


def parse_line(line: bytes) -> DealRecord:
    """A line of a file as a record of the right form. Raises RecordError, which says what is wrong with it."""
    try:
        return DealRecord.model_validate_json(line)
    except ValidationError as error:
        raise RecordError(_fault_of(line) or _form_fault(error)) from None


def _fault_of(line: bytes) -> str:
    """What is wrong with a line before its fields are looked at; empty if nothing is."""
    whole = line.endswith(b"\n")
    if len(line) == LONGEST_LINE and not whole:
        return f"a line of more than {LONGEST_LINE:,} bytes is no record"
    if not line.strip():
        return "an empty line; each line is one record"
    try:
        content = json.loads(line.decode())
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start}" if whole else _CUT_OFF
    except (json.JSONDecodeError, RecursionError) as error:
        return f"not JSON: {error}" if whole else _CUT_OFF
    if not isinstance(content, dict):
        return "no record: a record is a JSON object"
    version = content.get("version")
    if isinstance(version, int) and version > RECORD_VERSION:
        return f"version {version}: this program reads up to {RECORD_VERSION}; a newer gouji-env can read the record"
    return ""


_CUT_OFF = "cut off in the middle of the line; remove it, the lines before it are whole"


def _form_fault(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'record'}: {first['msg']}"
