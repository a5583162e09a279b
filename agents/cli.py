"""The commands of the agents."""

import typer

from agents.evaluate_cli import deal_sets, evaluate
from agents.tournament_cli import tournament


def register(app: typer.Typer) -> None:
    """Add this package's commands to the one command ``gouji``."""
    app.command("evaluate")(evaluate)
    app.command("deal-sets")(deal_sets)
    app.command("tournament")(tournament)
