"""Ends outside programs when the process that started them is gone, however it went.

One child of this process is the guard. It is told which process groups there are, and out of reach of Ctrl-C it waits
for the end of its stdin, which the system closes with this process even if that is killed. Then it kills the groups
that are still on its list. It runs this file as a script, without the project.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import IO


def watch(group: int) -> None:
    """Put a process group on the guard's list."""
    _tell(f"+{group}")


def forget(group: int) -> None:
    """Take a process group off the guard's list: it has been ended."""
    _tell(f"-{group}")


def _tell(word: str) -> None:
    with suppress(BrokenPipeError):  # somebody has killed the guard, and so has taken the risk upon himself
        _guard().write(f"{word}\n".encode())


@cache
def _guard() -> IO[bytes]:
    """The pipe to the guard, which starts with the first program and ends with this process."""
    guard = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
    )
    assert guard.stdin is not None
    return guard.stdin


def main() -> None:
    """The guard itself."""
    groups = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line.startswith("+"):
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
