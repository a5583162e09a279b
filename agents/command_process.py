"""A program at the other end of three pipes: lines to it, lines from it, and an end to it and its children.

Nothing here waits without a limit. What the program writes to stderr is read along, so that it never waits for a full
pipe, and its end is kept for the story of a crash.
"""

import os
import select
import signal
import subprocess
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import IO

from agents import command_guard
from agents.protocol import Forfeit

LONGEST_LINE = 1 << 20  # bytes
CHUNK = 1 << 16  # bytes read at once, what a pipe holds
STDERR_KEPT = 4096  # bytes
STDERR_LINES, STDERR_TOLD = 3, 200  # lines and characters of it in a story
TOLD = 100  # characters of the program's output in a story
TICK = 0.05  # seconds; so often a silent program is looked at, whether it lives
LAST_WORDS = 0.5  # seconds in which a program that has closed its stdout may end and tell how
SIGNAL_WORKS = 0.5  # seconds from SIGTERM to SIGKILL
KILL_WORKS = 5.0  # seconds from SIGKILL to a warning


class Program:
    """A running program. The methods that talk raise Forfeit with what it did wrong; ``end`` it in any case.

    It leads a process group of its own, in a session of its own: the terminal's Ctrl-C does not reach it.
    """

    def __init__(self, words: Sequence[str]) -> None:
        """Start it; ``words``: program and arguments."""
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise Forfeit("crash", f"could not be started: {error.strerror}") from None
        self.group = self._process.pid
        command_guard.watch(self.group)
        self._stdin, self._stdout, self._stderr = map(_unblocked, self._pipes())
        self._to_write, self._heard, self._complaints = bytearray(), bytearray(), bytearray()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        return process.stdin, process.stdout, process.stderr

    # --- talking

    def say(self, line: str) -> None:
        """Send a line (without its end) that asks for no answer. It is on its way; ``ask`` sees to the rest."""
        self._to_write += line.encode() + b"\n"
        self._exchange(0)

    def ask(self, line: str, seconds: float | None) -> bytes:
        """Send a line and give back the next line of the program, without its end; ``seconds`` None: no limit.

        Raises Forfeit: ``timeout``, ``crash``, ``flood`` for more than LONGEST_LINE bytes in a line, ``garbage`` for
        output that came before the question.
        """
        self._exchange(0)
        if self._heard:
            raise Forfeit("garbage", f"wrote to stdout when it was not asked: {shown(self._heard)}")
        self.say(line)
        until = time.monotonic() + (inf if seconds is None else seconds)
        while b"\n" not in self._heard:
            ended, left, heard = self._ended(), until - time.monotonic(), len(self._heard)
            self._exchange(0 if ended else max(0.0, min(TICK, left)))
            if b"\n" in self._heard:
                break
            if len(self._heard) > LONGEST_LINE:
                raise Forfeit("flood", f"wrote more than {LONGEST_LINE:,} bytes without the end of a line")
            if self._stdout.closed or (ended and len(self._heard) == heard):
                raise Forfeit("crash", self._last_words())
            if left <= 0:  # a last look is behind us
                raise Forfeit("timeout", f"no answer within {seconds:g} s")
        answer, _, rest = self._heard.partition(b"\n")
        self._heard = rest
        return bytes(answer)

    def _exchange(self, seconds: float) -> None:
        """Wait up to ``seconds`` for the pipes, then write and read once what can be without waiting."""
        poll = select.poll()
        if self._to_write and not self._stdin.closed:
            poll.register(self._stdin, select.POLLOUT)
        if len(self._heard) <= LONGEST_LINE and not self._stdout.closed:
            poll.register(self._stdout, select.POLLIN)
        if not self._stderr.closed:
            poll.register(self._stderr, select.POLLIN)
        numbers = {number for number, _ in poll.poll(seconds * 1000)}
        for pipe in (self._stdin, self._stdout, self._stderr):
            if pipe.closed or pipe.fileno() not in numbers:
                continue
            if pipe is self._stdin:
                self._write()
            elif pipe is self._stdout:
                self._heard += _read(pipe)
            else:
                self._complaints = (self._complaints + _read(pipe))[-STDERR_KEPT:]

    def _write(self) -> None:
        try:
            written = self._stdin.write(self._to_write)
        except BrokenPipeError:  # it listens no more: what it does next tells why
            self._stdin.close()
        else:
            del self._to_write[: written or 0]

    # --- its end

    def _ended(self) -> bool:
        return self._status() is not None

    def _status(self) -> str | None:
        """How the program itself has ended, None while it runs. It is not reaped: its group keeps its number."""
        try:
            told = os.waitid(os.P_PID, self.group, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # somebody else has reaped it
            return "ended"
        if told is None:
            return None
        if told.si_code == os.CLD_EXITED:
            return f"ended with exit status {told.si_status}"
        return f"was killed by {signal.Signals(told.si_status).name}"

    def _wait_for_end(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._ended() and (left := until - time.monotonic()) > 0:
            self._exchange(min(TICK, left))

    def _last_words(self) -> str:
        """How a program that answers no more has ended, and what it said of it on stderr."""
        self._wait_for_end(LAST_WORDS)
        self._exchange(0)  # all that was left in the pipe
        status = self._status() or "closed its stdout"
        lines = self._complaints.decode(errors="replace").split("\n")
        told = " / ".join([line.strip() for line in lines if line.strip()][-STDERR_LINES:])
        return status + (f"; its stderr ends with {told[-STDERR_TOLD:]!r}" if told else "")

    def dismiss(self, line: str) -> None:
        """Say a last line and close its stdin: it may end by itself now."""
        self.say(line)
        self._stdin.close()

    def end(self, seconds: float) -> None:
        """Give it ``seconds`` to end by itself, then end its process group, first with SIGTERM, then with SIGKILL."""
        self._wait_for_end(seconds)
        for number, works in ((signal.SIGTERM, SIGNAL_WORKS), (signal.SIGKILL, KILL_WORKS)):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.group, number)
            self._wait_for_end(works)
        if self._ended():
            self._process.wait()
        else:
            warnings.warn(f"process {self.group} cannot be ended: {self._process.args!r}", stacklevel=3)
        command_guard.forget(self.group)
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()


def shown(output: bytes | bytearray | str) -> str:
    """The program's output for people: one line, cut, and every control character written as an escape."""
    text = output[: 4 * TOLD].decode(errors="replace") if isinstance(output, bytes | bytearray) else output
    return repr(text) if len(text) <= TOLD else f"{text[:TOLD]!r}..."


def _unblocked(pipe: IO[bytes]) -> IO[bytes]:
    os.set_blocking(pipe.fileno(), False)
    return pipe


def _read(pipe: IO[bytes]) -> bytes:
    """What is there. At the end of the stream the pipe is closed."""
    data = pipe.read(CHUNK)
    if data == b"":
        pipe.close()
    return data or b""
