"""Any program as a player: ``cmd:PROGRAM ARGS``, which speaks one JSON line a message (docs/bots.md).

A program that hangs, dies, floods, talks nonsense or chooses what is not legal has forfeited the deal: ``act`` or
``reset`` raises Forfeit, its processes are ended, and a new one is started for the next deal.
"""

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agents import command_messages as messages
from agents.command_process import Program
from agents.protocol import Agent, AgentError, Forfeit
from gouji_env.rules import RuleSet
from gouji_env.view import SeatView

DEADLINE = 10.0  # seconds for a decision, unless whoever lets it play says otherwise
HANDSHAKE = 30.0  # seconds from the start of a program to its `ready`
FAREWELL = 1.0  # seconds for a program to end by itself after `bye`


@dataclass
class _Player:
    """One seat's program. ``asked``: questions so far; ``told``: events of the deal that it knows."""

    program: Program
    rules: RuleSet
    name: str = ""
    asked: int = 0
    told: int = 0


class CommandAgent(Agent):
    """Plays a program: one process a seat, kept from deal to deal as long as the rules stay the same.

    ``deadline`` is the longest time for a decision, None for no limit; set it before ``reset``.
    """

    deadline: float | None = DEADLINE

    def __init__(self, argument: str, handshake: float = HANDSHAKE) -> None:
        """``argument``: the command line, with quotes as in a shell; ``handshake``: seconds for a program to start.

        Raises AgentError for a program that is not there or cannot be executed. It is started by ``reset``.
        """
        self.name = f"cmd:{argument}"
        self._words = _words(argument)
        self._handshake = handshake
        self._players: dict[int, _Player] = {}

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        player = self._players.get(seat)
        if player is None or player.rules != rules:
            self._dismiss([seat])
            player = self._start(seat, rules)
        player.told = 0
        with self._charged(seat):
            player.program.say(messages.deal(seed))

    def act(self, view: SeatView) -> str:
        player = self._players.get(view.seat)
        if player is None:
            raise AgentError(f"{self.name}: asked to act at seat {view.seat} before a reset")
        legal = view.legal
        player.asked += 1
        with self._charged(view.seat):
            question = messages.decide(player.asked, view, legal, view.events[player.told :])
            action = messages.read_action(player.program.ask(question, self.deadline), player.asked, legal)
        player.told = len(view.events)
        return action

    def close(self) -> None:
        """Say bye to all its programs and end those that do not go."""
        self._dismiss(list(self._players))

    def _start(self, seat: int, rules: RuleSet) -> _Player:
        self._players[seat] = player = _Player(Program(self._words), rules)
        with self._charged(seat):
            greeting = messages.hello(seat, rules, self.deadline)
            player.name = messages.read_ready(player.program.ask(greeting, self._handshake))
        return player

    @contextmanager
    def _charged(self, seat: int) -> Iterator[None]:
        """What the seat's program does wrong ends it. The story then has the name that it gave itself."""
        try:
            yield
        except Forfeit as forfeit:
            player = self._players.pop(seat)
            player.program.end(0)
            story = f"{player.name}: {forfeit}" if player.name else str(forfeit)
            raise Forfeit(forfeit.kind, story) from None

    def _dismiss(self, seats: list[int]) -> None:
        leaving = [self._players.pop(seat).program for seat in seats if seat in self._players]
        for program in leaving:
            program.dismiss(messages.bye())
        for program in leaving:
            program.end(FAREWELL)


def _words(argument: str) -> list[str]:
    """The command line in words, with the program's path. Raises AgentError."""
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise AgentError(f"agent 'cmd:{argument}': {error}; quote as in a shell") from None
    if not words:
        raise AgentError("agent 'cmd' needs a program: write cmd:PROGRAM ARGS")
    path = shutil.which(words[0])
    if path is None and os.path.isfile(words[0]):
        mend = f"chmod +x it, or name what runs it, as in cmd:python3 {argument}"
        raise AgentError(f"agent 'cmd:{argument}': {words[0]} is not executable; {mend}")
    if path is None:
        raise AgentError(f"agent 'cmd:{argument}': there is no program {words[0]}; write its path, as in cmd:./mybot")
    return [path, *words[1:]]
