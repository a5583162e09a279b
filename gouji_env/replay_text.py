"""Recorded deals in the terminal, step by step."""

import textwrap
from collections.abc import Callable

from gouji_env.record import DealRecord
from gouji_env.render import Table, render_ansi
from gouji_env.replay_steps import event_text, legal_texts, moments, seen, steps_of

WIDTH = 98
LONGEST_NUMBER = 6  # digits
HELP = "Enter or n: next   p: previous   a number: that step   q: quit"


class Pages:
    """A recorded deal as pages of text, one for each moment that the viewer (None: the referee) can tell apart."""

    def __init__(self, record: DealRecord, viewer: int | None, name: str, colour: bool) -> None:
        """Raises RecordError for a record that does not hold."""
        self._steps = steps_of(record)
        self._moments = moments(self._steps, viewer)
        self._viewer, self._colour = viewer, colour
        self._title = f"{name}, {record.rules.rule_set().name()}"
        self._agents = record.agents

    def __len__(self) -> int:
        return len(self._moments)

    def text(self, number: int) -> str:
        """The page of a moment, 0..len-1: the table, what has just happened and what is legal now."""
        first, last = self._moments[number]
        row, legal = self._steps[last].row, self._steps[last].legal
        table = Table.of_row(row, self._viewer, f"{self._title}, step {number} of {len(self) - 1}")
        happened = seen((event for step in self._steps[first : last + 1] for event in step.events), self._viewer)
        lines = [f"  {event_text(event)}" for event in happened]
        if number == 0 and self._agents:
            lines.append("  agents: " + ", ".join(f"{seat} {agent}" for seat, agent in enumerate(self._agents)))
        if table.turn is not None and legal:
            decision = f"  seat {table.turn} decides: {' · '.join(legal_texts(legal))}"
            lines += textwrap.wrap(decision, WIDTH, subsequent_indent="    ")
        return render_ansi(table, self._colour) + "\n".join(lines) + "\n"


def step_through(pages: Pages, show: Callable[[str], None], ask: Callable[[str], str]) -> bool:
    """Show pages as the person asks for them; False when it wants to quit, True when it has gone past the last page.

    ``show`` writes a text, ``ask`` writes a prompt and gives a line; it raises EOFError when there are no more.
    """
    number = 0
    show(pages.text(number))
    while True:
        try:
            answer = ask(f"step {number} of {len(pages) - 1}, Enter n p q or a number: ").strip()
        except EOFError:
            return False
        if answer == "q":
            return False
        wanted = {"": number + 1, "n": number + 1, "p": number - 1}.get(answer)
        if answer.isdecimal() and len(answer) <= LONGEST_NUMBER:
            wanted = int(answer)
        if wanted == len(pages) and not answer.isdecimal():
            return True
        if wanted is None or not 0 <= wanted < len(pages):
            show(f"{pages.text(number)}{HELP}\n")
            continue
        number = wanted
        show(pages.text(number))
