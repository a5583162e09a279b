"""The one command ``gouji``: the verbs of all rooms, and ``gouji train``."""

from pathlib import Path
from typing import Annotated

import typer

import agents.cli
import gouji_env.cli
from gouji_env.cli_errors import INTERRUPTED, clear_errors
from train.config import ConfigError, load

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Gouji: play it, learn it, measure it.")
gouji_env.cli.register(app)
agents.cli.register(app)


@app.command()
def train(
    config: Annotated[Path | None, typer.Argument(help="A YAML file such as configs/train/demo.yaml.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the run; new or empty.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="DIR", help="Go on with the run in this folder.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="A.B=C", help="Change one field of the config; may be repeated."),
    ] = None,
) -> None:
    """Train a policy by self-play. Ctrl-C leaves a checkpoint to go on from."""
    from rich.console import Console

    with clear_errors(ConfigError, OSError, FloatingPointError):
        if (config is None) == (resume is None) or (out is None) == (resume is None):
            raise ConfigError("give a config and --out DIR for a new run, or --resume DIR to go on with one")
        loop, folder = _training()
        if resume is not None:
            run_folder, run = folder.RunFolder.open(resume, set_ or [])
        else:
            run = load(config, set_ or []).resolved()
            loop.check_agents(run)
            run_folder = folder.RunFolder.create(out, run)
        finished = loop.train(run, run_folder, Console())
        typer.echo(f"{'finished' if finished else 'stopped'}: {run_folder.newest_checkpoint()}")
        if not finished:
            typer.echo(f"go on with: gouji train --resume {run_folder.path}")
            raise typer.Exit(INTERRUPTED)


def _training():  # type: ignore[no-untyped-def]
    """The modules that need torch and ray, which the other verbs work without."""
    try:
        from train import folder, loop
    except ModuleNotFoundError as error:
        raise ConfigError(f"training needs {error.name}: pip install 'gouji-env[train]'") from None
    return loop, folder


def main() -> None:
    """The entry point."""
    app()
