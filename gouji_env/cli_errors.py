"""How a command tells what is wrong: one line on stderr and exit status 2, without a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

INTERRUPTED = 130  # what a shell expects after Ctrl-C


@contextmanager
def clear_errors(*expected: type[Exception]) -> Iterator[None]:
    """Turn ``expected`` exceptions (mistakes of the caller, not of the program) into one line and exit status 2.

    Ctrl-C becomes a line and exit status 130. Everything else is a bug and keeps its traceback::

        with clear_errors(RuleError, OSError):
            ...
    """
    try:
        yield
    except expected as error:
        typer.echo(f"error: {' '.join(str(error).split())}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from None
