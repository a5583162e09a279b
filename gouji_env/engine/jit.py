"""The house wrapper of ``numba.njit``: cached on disk where that is possible, and never a broken import.

Numba keys a cached function by the content of its own file alone, although the machine code also holds the
functions it calls. So the stamp is widened here by all files of the engine, and by those beside the function's own
file that hold kernels: editing one of them makes the cached kernels stale that may have it inside.
"""

import hashlib
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba


def _engine_digest() -> str:
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


ENGINE_DIGEST = _engine_digest()
_warned = False


@cache
def _digest_beside(folder: Path) -> str:
    """Of the files with kernels in a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        content = file.read_bytes()
        if b"njit" in content:
            digest.update(content)
    return digest.hexdigest()


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a small helper of the hot path that is to vanish into its callers."""
    return function if numba.config.DISABLE_JIT else numba.njit(nogil=True, forceinline=True)(function)


def njit(function: Callable[..., Any]) -> Any:
    """Compile a kernel: no Python objects, no GIL, cached where a cache can be written.

    With an unwritable install and home there is nowhere to keep machine code: the function is then compiled
    anew in every process, and one warning says so. ``NUMBA_DISABLE_JIT=1`` leaves all kernels plain Python.
    """
    if numba.config.DISABLE_JIT:
        return function
    try:
        dispatcher = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # also for a function that has no file
        _warn_once()
        return numba.njit(nogil=True)(function)
    index = dispatcher._cache._cache_file
    beside = _digest_beside(Path(function.__code__.co_filename).parent)
    index._source_stamp = (*index._source_stamp, ENGINE_DIGEST, beside)
    return dispatcher


def _warn_once() -> None:
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            "gouji_env: no folder to cache compiled code in, so every start compiles anew (about half a "
            "minute); set NUMBA_CACHE_DIR to a writable folder",
            stacklevel=3,
        )
