"""Ctrl-C that never comes at a bad moment."""

import signal
import threading
from types import FrameType
from typing import Any, Self


class Stopped(Exception):
    """Raised by ``StopRequest.check`` where work can be left off."""


class StopRequest:
    """While entered, Ctrl-C (and SIGTERM) only asks to stop; the second one interrupts as usual.

    The training loop looks at ``requested`` between iterations, so weights, counters and checkpoints are always whole.
    """

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self.requested = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._before = {number: signal.getsignal(number) for number in self.SIGNALS}
        self.install()
        return self

    def __exit__(self, *error: Any) -> None:
        if threading.current_thread() is threading.main_thread():
            for number, handler in self._before.items():
                signal.signal(number, handler)

    def install(self) -> None:
        """Take the signals (again: Ray takes SIGTERM when it starts)."""
        if threading.current_thread() is threading.main_thread():
            for number in self.SIGNALS:
                signal.signal(number, self._note)

    def check(self) -> None:
        """Raise Stopped once somebody has asked to stop."""
        if self.requested:
            raise Stopped

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
