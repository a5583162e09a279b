"""Writing a file so that a full disk, an error or Ctrl-C leaves what was there before."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def written_aside(path: Path) -> Iterator[IO[str]]:
    """Open a text file beside ``path``; with the end of the block it replaces ``path``, or nothing has changed.

    Raises OSError, which names the mend, at once for a path that cannot be written.
    """
    if path.is_dir():
        raise OSError(f"{path} is a folder; name a file in it")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        file = beside.open("w", encoding="utf-8")
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}; name a file in a folder that takes it") from None
    try:
        with file:
            yield file
        beside.replace(path)
    except BaseException:
        beside.unlink()
        raise
