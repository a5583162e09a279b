"""The folder of a tournament: what is played already, chunk by chunk, and what makes it this tournament.

::

    tournament.json                               format, version, deals, deadline, rules, lineups
    deals/RULES/A/B/000000-000500.json            what deals 0 to 499 came to between lineups A and B, A < B
    records/RULES/A/B/000000-000500.jsonl         their records, where they were asked for

Files are written aside and renamed, a chunk's records before its result: what is there is whole.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import gouji_env
from agents.arena.play import Played
from agents.arena.results import LONGEST_NOTES, PairResult
from agents.arena.schedule import Chunk, Meeting, Plan
from gouji_env.files import written_aside

FORMAT = 1


class StoreError(OSError):
    """A tournament's folder that cannot be used; the message names it and the mend."""


class Store:
    """The folder, opened for a plan."""

    def __init__(self, path: Path, plan: Plan, records: bool) -> None:
        """Make the folder or go on with it; ``records``: a chunk without them is not played yet.

        Raises StoreError for a folder that holds something else, or cannot be made.
        """
        self.path = path
        self._plan = plan
        self._records = records
        file = path / "tournament.json"
        about = _about(plan)
        try:
            if file.is_file():
                about = self._merged(file, about)
            elif path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise StoreError(f"{path} is not empty and holds no tournament: name another --out")
            path.mkdir(parents=True, exist_ok=True)
            with written_aside(file) as text:
                text.write(json.dumps(about, indent=1, ensure_ascii=False) + "\n")
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(f"{path} cannot be used: {error.strerror or error}; name another --out") from None

    def missing(self) -> list[Chunk]:
        """What is left to play."""
        return [chunk for chunks in self._plan.chunks.values() for chunk in chunks if not self._is_played(chunk)]

    def _is_played(self, chunk: Chunk) -> bool:
        return self._file(chunk).is_file() and not (self._records and not self.records_file(chunk).is_file())

    def add(self, chunk: Chunk, played: Played, records: str | None) -> None:
        """Keep what a chunk came to."""
        content = asdict(played) | {"halves": played.halves.tolist(), "places": played.places.tolist()}
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n"
        for file, lines in ((self.records_file(chunk), records), (self._file(chunk), text)):
            if lines is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                with written_aside(file) as out:
                    out.write(lines)

    def pair(self, meeting: Meeting) -> PairResult:
        """What a meeting came to, all of its chunks played. Raises StoreError for a file that cannot be read."""
        parts = [self._read(chunk) for chunk in self._plan.chunks[meeting]]
        first, second = sorted((meeting.a, meeting.b))
        result = PairResult(
            first,
            second,
            meeting.rules,
            np.concatenate([part.halves for part in parts]),
            np.sum([part.places for part in parts], axis=0),
            _both(part.decisions for part in parts),
            _both(part.seconds for part in parts),
            _both(part.illegal for part in parts),
            _both(part.forfeits for part in parts),
            [note for part in parts for note in part.notes][:LONGEST_NOTES],
        )
        return result if meeting.a == first else result.mirrored()

    def records_file(self, chunk: Chunk) -> Path:
        """Where the records of a chunk are."""
        return self._place("records", chunk, "jsonl")

    def _file(self, chunk: Chunk) -> Path:
        return self._place("deals", chunk, "json")

    def _place(self, kind: str, chunk: Chunk, ending: str) -> Path:
        return (
            self.path / kind / chunk.rules / chunk.first / chunk.second / f"{chunk.start:06d}-{chunk.stop:06d}.{ending}"
        )

    def _read(self, chunk: Chunk) -> Played:
        file = self._file(chunk)
        try:
            played = Played(**json.loads(file.read_text(encoding="utf-8")))
            played.halves = np.array(played.halves, np.int8).reshape(chunk.deals, 2)
            played.places = np.array(played.places, np.int64).reshape(2, 6)
        except (OSError, ValueError, TypeError) as error:
            raise StoreError(f"{file} cannot be read: {error}; delete it, and run the command again") from None
        return played

    def _merged(self, file: Path, about: dict[str, Any]) -> dict[str, Any]:
        """What the folder holds and the plan adds. Raises StoreError where they contradict each other."""
        try:
            held = json.loads(file.read_text(encoding="utf-8"))
            pairs = [(name, held[name], about[name]) for name in ("format", "version", "deals", "deadline")]
            for kind in ("rules", "lineups"):
                both = held[kind].keys() & about[kind].keys()
                pairs += [(f"{kind}.{name}", held[kind][name], about[kind][name]) for name in sorted(both)]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise StoreError(f"{file} is not what a tournament writes; name another --out") from None
        for place, there, here in pairs:
            if there != here:
                raise StoreError(
                    f"{self.path} holds another tournament: its {place} is {_short(there)}, and here it is "
                    f"{_short(here)}; name another --out, or change it back"
                )
        return about | {kind: held[kind] | about[kind] for kind in ("rules", "lineups")}


def _about(plan: Plan) -> dict[str, Any]:
    """What results depend on. Of the deals it is the endless sequence: a larger set only goes on with it."""
    return {
        "format": FORMAT,
        "version": gouji_env.__version__,
        "deals": f"{_family(plan.deals.name)} ({plan.deals.entropy:x})",
        "deadline": plan.config.deadline,
        "rules": {name: rules.digest() for name, rules in plan.rules.items()},
        "lineups": {
            entry.name: [" ".join(filter(None, pair)) for pair in zip(entry.specs, entry.content, strict=True)]
            for entry in plan.entries.values()
        },
    }


def _family(name: str) -> str:
    """What the sizes of a named set have in common."""
    return name if name.startswith("seed-") else name.partition("-")[0]


def _short(value: Any) -> str:
    return ", ".join(dict.fromkeys(value)) if isinstance(value, list) else str(value)


def _both(counts: Iterable[Any]) -> Any:
    """The sums of what was counted for a and for b."""
    of_a, of_b = zip(*counts, strict=True)
    return sum(of_a), sum(of_b)
