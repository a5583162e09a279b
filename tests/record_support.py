"""Deals played at random, and files of their records."""

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from gouji_env import Deal, Match, RuleSet
from gouji_env.record import DealRecord, parse_line, record_line

Record = dict[str, Any]


def play_out(deal: Deal, seed: int) -> Deal:
    generator = Random(seed)
    while deal.turn is not None:
        deal.act(generator.choice(deal.legal()))
    return deal


@cache
def match_lines(preset: str, deals: int, seed: int) -> tuple[str, ...]:
    match, generator = Match(RuleSet.preset(preset), deals, seed), Random(seed)
    while not match.is_over:
        match.act(generator.choice(match.legal()))
    return tuple(map(record_line, match.records))


def match_records(preset: str = "kaidian", deals: int = 2, seed: int = 1) -> list[Record]:
    """The records of a match, fresh to be changed."""
    return [json.loads(line) for line in match_lines(preset, deals, seed)]


def formed(record: Record) -> DealRecord:
    return parse_line(record_line(record).encode())


def write_lines(path: Path, records: list[Record]) -> Path:
    path.write_text("".join(map(record_line, records)))
    return path
