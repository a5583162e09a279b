"""Playing records through the rules: reading files of them, verifying, and back to a ``Deal``.

for record in read_records(path):   streaming; each record has been played through the rules
deal = replay(record)               the deal at its end

A record is first played on a row by compiled code, thousands a second. One that does not hold there is played once
more through ``Deal``, which knows why.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gouji_env import engine
from gouji_env.cards import KIND_COUNT, KINDS, SEATS
from gouji_env.deal import Deal, IllegalAction, PositionError, follow
from gouji_env.engine.replay import holds_cards_of, play_codes, play_staged
from gouji_env.record import DealRecord, RecordError, parse_line, read_lines
from gouji_env.rules import RuleSet
from gouji_env.tables import code_of, text_of

Row = npt.NDArray[np.int8]


# --- files


def read_records(path: Path, lines: Collection[int] | None = None) -> Iterator[DealRecord]:
    """The records of a file in order, each played through the rules; ``lines`` (from 1) picks some of them.

    Holds one line at a time. Raises RecordError at the first line that does not hold: those before it have been
    given. Lines that are not picked are not looked at.
    """
    number = 0
    last = None if lines is None else max(lines)
    for number, line in read_lines(path):
        if lines is None or number in lines:
            yield _checked(path, number, line)
        if number == last:
            return
    if last is not None:
        raise RecordError(f"{path}: it has {number:,} lines, there is no line {last:,}")


def verify(path: Path, progress: Callable[[int, int], None] | None = None) -> int:
    """Play all records of a file through the rules; how many they are.

    ``progress`` is told after each line how many deals and bytes are done. Raises RecordError for the first line that
    does not hold.
    """
    number = done = 0
    for number, line in read_lines(path):
        _checked(path, number, line)
        done += len(line)
        if progress is not None:
            progress(number, done)
    return number


def _checked(path: Path, number: int, line: bytes) -> DealRecord:
    try:
        record = parse_line(line)
        if not holds(record):
            replay(record)
    except RecordError as error:
        raise RecordError(f"{path}:{number}: {error}") from None
    return record


# --- one record, slowly, with reasons


def replay(record: DealRecord) -> Deal:
    """Play a record through the rules. Raises RecordError, which says what does not hold."""
    *_, deal = walk(record)
    return deal


def walk(record: DealRecord) -> Iterator[Deal]:
    """The same deal again and again: as it began and after each action. Raises RecordError where it does not hold."""
    rules = record.rules.rule_set()
    deal = _started(record, rules)
    yield deal
    for number, (seat, action) in enumerate(record.actions, 1):
        _act(deal, f"action {number} of {len(record.actions)}", seat, action)
        yield deal
    for what, recorded, found in (
        ("places", record.places, deal.places),
        ("points", record.points, deal.points),
        ("void", record.void, deal.void),
    ):
        if recorded != found:
            state = "the deal is not over" if deal.turn is not None else f"played out it is {found}"
            raise RecordError(f"{what}: the record says {recorded}; {state} after its {len(record.actions)} actions")


def _started(record: DealRecord, rules: RuleSet) -> Deal:
    previous = None if record.previous is None else record.previous.model_dump()
    try:
        if record.setup:
            deal = Deal.from_dealt(rules, record.hands, record.leader, record.first_drawer, previous)
        else:
            deal = Deal.from_hands(rules, record.hands, record.leader)
    except PositionError as error:
        raise RecordError(str(error)) from None
    if record.seed is not None and not _cards_follow(record.seed, record):
        raise RecordError(f"hands: seed {record.seed} deals other cards")
    deal.seed = record.seed
    return deal


def _act(deal: Deal, where: str, seat: int, action: str) -> None:
    if deal.turn is None:
        raise RecordError(f"{where}: seat {seat} {action!r}: the deal is over before it")
    if deal.turn != seat:
        raise RecordError(f"{where}: seat {seat} {action!r}: it is the decision of seat {deal.turn}")
    try:
        deal.act(action)
    except IllegalAction as error:
        raise RecordError(f"{where}: {error}") from None


def _cards_follow(seed: int, record: DealRecord) -> bool:
    rules = record.rules.rule_set()
    row = _row_with_hands(record, rules)
    return row is not None and bool(holds_cards_of(row, _blank(rules).copy(), np.uint64(seed), record.first_drawer))


# --- one record, fast, without


def holds(record: DealRecord) -> bool:
    """Whether a record holds; ``replay`` says why not. Raises RecordError for rules that are not those recorded."""
    rules = record.rules.rule_set()
    row = _started_row(record, rules)
    if row is None:
        return False
    seats = np.array([seat for seat, _ in record.actions], np.int64)
    codes = np.array([code_of(action) for _, action in record.actions], np.int64)
    if play_codes(row, seats, codes) < len(codes) or bool(engine.is_void(row)) != record.void:
        return False
    if [int(engine.place(row, seat)) or None for seat in range(SEATS)] != record.places:
        return False
    points = int(engine.points(row))
    return record.points == ((points, -points) if engine.is_over(row) else None)


def _started_row(record: DealRecord, rules: RuleSet) -> Row | None:
    """The row at the first decision; None for hands or a previous deal that cannot be."""
    row = _row_with_hands(record, rules)
    if row is None:
        return None
    if record.seed is not None:
        fresh = _blank(rules).copy()
        if not holds_cards_of(row, fresh, np.uint64(record.seed), record.first_drawer):
            return None
    if not record.setup:
        engine.start_play(row)
        return row
    engine.start_setup(row)
    if record.previous is not None:
        try:
            follow(row, rules, record.previous.model_dump())
        except PositionError:
            return None
    engine.run_setup(row)
    return row


def _row_with_hands(record: DealRecord, rules: RuleSet) -> Row | None:
    counts = _counts_of(record.hands)
    if counts is None or (counts.sum(axis=0) > rules.deck.counts()).any():
        return None
    row = _blank(rules).copy()
    engine.set_hands(row, list(counts.astype(np.int8)), record.first_drawer, record.leader)
    return row


@lru_cache(maxsize=64)
def _blank(rules: RuleSet) -> Row:
    return engine.rules_row(rules)


_KIND_OF = np.full(256, -1, np.int64)
_KIND_OF[np.frombuffer(KINDS.encode(), np.uint8)] = np.arange(KIND_COUNT)


def _counts_of(hands: Sequence[str]) -> npt.NDArray[np.int64] | None:
    """``int64[6, 15]``; None for an empty hand or what is no card."""
    kinds = _KIND_OF[np.frombuffer("".join(hands).encode("latin-1", "replace"), np.uint8)]
    if not all(hands) or (kinds < 0).any():
        return None
    seats = np.repeat(np.arange(SEATS), [len(hand) for hand in hands])
    return np.bincount(seats * KIND_COUNT + kinds, minlength=SEATS * KIND_COUNT).reshape(SEATS, KIND_COUNT)


# --- making records of deals that were played in staged actions


def record_of_staged(deal: Deal, staged: npt.NDArray[np.int16]) -> dict[str, Any]:
    """Play legal staged actions (``int16[M]``) on a fresh deal's row; the record of the deal then.

    Of ``deal`` only the row, and what is read off it, goes on: neither its actions nor its events.
    """
    seats, codes = np.empty(len(staged), np.int64), np.empty(len(staged), np.int64)
    count = play_staged(deal.row, staged, seats, codes)
    actions = zip(seats[:count].tolist(), codes[:count].tolist(), strict=True)
    return deal.record() | {"actions": [[seat, text_of(code)] for seat, code in actions]}
