"""Records of what an environment plays: it acts on a row, in staged actions."""

from pathlib import Path

import numpy as np

from gouji_env.deal import Deal
from gouji_env.record import append_record, open_for_append
from gouji_env.replay import record_of_staged
from gouji_env.rules import RuleSet


class Recorder:
    """Keeps the actions of a deal and appends its record to a file when it is over.

    It holds no open file, so that copies and other processes may append to the same one.
    """

    def __init__(self, path: Path, rules: RuleSet) -> None:
        """Raises OSError or RecordError at once for a file that cannot be appended to."""
        open_for_append(path).close()
        self._path = path
        self._rules = rules
        self._deal: Deal | None = None
        self._actions: list[int] = []

    def begin(self, seed: int) -> None:
        """A single deal, or the first of a match, is dealt. One that was going on is forgotten."""
        self._deal = Deal.new(self._rules, seed)
        self._actions = []

    def note(self, action: int) -> None:
        """A staged action was applied."""
        self._actions.append(action)

    def end(self) -> None:
        """The deal is over: write it down. The next one of the match may follow."""
        assert self._deal is not None
        append_record(self._path, record_of_staged(self._deal, np.array(self._actions, np.int16)))
        self._deal = Deal.after(self._deal)
        self._actions = []
