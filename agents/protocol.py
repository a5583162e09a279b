"""What an agent is: something that chooses a whole action from what a seat may know.

``Agent`` is for everybody: people's bots, outside programs, searching agents. ``BatchAgent`` is for agents
that can choose for many deals at once, as networks and rule kernels do; it plays one at a time as well.
"""

from abc import ABC, abstractmethod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gouji_env.cards import KINDS, SEATS, TWO
from gouji_env.engine import ACTIONS, GIVE, act, action_name, compose_id, select_id
from gouji_env.engine.actions import BASE_JOKERS, NAMES
from gouji_env.rules import RuleSet
from gouji_env.view import SeatView

Rows: TypeAlias = npt.NDArray[np.int8]
Index: TypeAlias = npt.NDArray[np.int64]
Streams: TypeAlias = npt.NDArray[np.uint64]
StagedActions: TypeAlias = npt.NDArray[np.int16]


class AgentError(ValueError):
    """An agent that does not exist, cannot be made here, or chose what it may not; the message says which."""


class Forfeit(AgentError):
    """Raised by an agent that cannot go on with a deal: an outside program that hangs, dies or talks nonsense.

    ``kind``: ``timeout crash garbage illegal flood``.
    """

    def __init__(self, kind: str, story: str) -> None:
        self.kind = kind
        super().__init__(story)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, str(self))


class Agent(ABC):
    """One player. The same object may sit at several seats of a table, so memory of a deal is kept by seat.

    ``deadline``: seconds that whoever lets the agent play grants it for a decision, None for no limit.
    """

    name: str
    deadline: float | None = None

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:  # noqa: B027 - most agents keep no memory
        """A new deal begins at ``seat`` (0..5). Whatever is random in it follows from ``seed`` (0..2**64-1)."""

    @abstractmethod
    def act(self, view: SeatView) -> str:
        """The whole action of ``view.seat``, whose turn it is: one of ``view.legal``. Raises Forfeit to give up."""

    def close(self) -> None:  # noqa: B027 - most agents hold nothing
        """End what the agent holds outside this process. It is not asked anything afterwards."""


class BatchAgent(Agent):
    """An agent that chooses for many deals at once, in staged actions.

    Subclasses give ``name`` and ``act_batch``; one with an ``__init__`` of its own calls this one's.
    """

    def __init__(self) -> None:
        self._streams = np.zeros(SEATS, np.uint64)

    @abstractmethod
    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        """Write into ``out[j]`` a legal staged action of the seat that decides in ``rows[index[j]]``.

        ``rows``: ``int8[N, ROW]``, not to be changed; ``index``: ``int64[M]``; ``streams``: ``uint64[N]``, the
        only source of randomness for ``rows[i]`` is ``streams[i]``; ``out``: ``int16[M]``. The rows may hold all
        hands: an agent looks only at what the deciding seat may know, which ``act`` and the tests hold it to.
        """

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        self._streams[seat] = seed

    def act(self, view: SeatView) -> str:
        """The whole action that ``act_batch`` chooses on what the seat may know.

        Nothing is laid on the hidden row: SELECT, and COMPOSE where it leaves a choice, pick the action out of
        ``view.legal``. Raises Forfeit for a choice that is not legal.
        """
        row = view.row.copy()
        chosen = self._choose(row, view.seat)
        selected = [action for action in view.legal if staged(action)[0] == chosen]
        if len(selected) > 1:
            act(row, chosen)  # with several ways to compose it, this only notes what was selected
            chosen = self._choose(row, view.seat)
            selected = [action for action in selected if staged(action)[1] == chosen]
        if len(selected) != 1:
            told = f"agent {self.name!r} chose {name_of(chosen)} at seat {view.seat}, which is not legal"
            raise Forfeit("illegal", told)
        return selected[0]

    def _choose(self, row: npt.NDArray[np.int8], seat: int) -> int:
        out = np.empty(1, np.int16)
        self.act_batch(row[np.newaxis], np.zeros(1, np.int64), self._streams[seat : seat + 1], out)
        return int(out[0])


def staged(action: str) -> tuple[int, int]:
    """A whole action as staged ids: the first step, and the COMPOSE that may follow (-1 where none can)."""
    if action in NAMES:
        return NAMES.index(action), -1
    if action.startswith("give:"):
        return GIVE + KINDS.index(action.removeprefix("give:")), -1
    base = min(KINDS.index(action[-1]), BASE_JOKERS)  # a set is spelt with its base last
    hung_twos = action.count("2") if base < TWO else 0
    return int(select_id(base, len(action))), int(compose_id(hung_twos, action.count("s"), action.count("b")))


def name_of(action: int) -> str:
    """A staged id for people; ids outside the table are told as numbers."""
    return action_name(action) if 0 <= action < ACTIONS else f"action {action}"
