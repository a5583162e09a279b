"""Playing duplicate deals between two lineups, and what becomes of an agent that cannot go on.

Every deal is played twice, sides swapped, same cards, same first leader: in *half* 0 lineup a has side 0, in half 1 it
has side 1. Where all agents choose in batches, the deals of a slice are played in lock-step; otherwise one after the
other through ``Deal`` and ``SeatView``, with the same result.

An agent that raises an error, or whose action is illegal, *forfeits* the half: 12 points to the others. A lineup that
has forfeited PATIENCE halves of a slice forfeits all that is not over of it, unplayed.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.arena.lineup import Lineup, lineup_at, seated, seated_agents
from agents.arena.recording import LockstepLog, RecordSink
from agents.arena.results import LONGEST_NOTES
from agents.protocol import Agent, AgentError, BatchAgent, Forfeit, Index, StagedActions, Streams, name_of
from gouji_env.cards import SEATS
from gouji_env.deal import Deal, IllegalAction
from gouji_env.engine import act_rows, composing, is_legal, new_rows, njit, place, points, turn
from gouji_env.rules import RuleSet

PATIENCE = 3
ONE_BY_ONE_DEALS = 20  # of a slice, where one half is played after the other
NOBODY = -1
LONGEST_NOTE = 300  # characters; what an outside program said may be long


@dataclass(eq=False)
class Played:
    """What a slice of deals came to. The fields are those of ``results.PairResult``."""

    halves: npt.NDArray[np.int8]
    places: npt.NDArray[np.int64]
    decisions: list[int]
    seconds: list[float]
    illegal: list[int]
    forfeits: list[int]
    notes: list[str]


def play_deals(
    a: Lineup,
    b: Lineup,
    rules: RuleSet,
    seeds: Streams,
    streams: Streams,
    *,
    first: int = 0,
    record: RecordSink | None = None,
    strict: bool = False,
    forfeited: Sequence[int] = (0, 0),
) -> Played:
    """Play the deals of ``seeds`` (``uint64[deals]``) twice each.

    ``streams`` (``uint64[deals, 2, 2]``: deal, half, lineup) is all that is random in the agents. ``first`` is the
    number of the first deal, for notes. ``record`` is handed the record of each half in order, a forfeited one as far
    as it was played; one without any action has none. With ``strict`` the first forfeit raises AgentError.
    ``forfeited``: halves that each lineup has forfeited of the same slice already, where it is played in parts.
    """
    table = _Table((a, b), rules, seeds, streams, first, strict, forfeited)
    play = _play_in_lockstep if a.batched and b.batched else _play_one_by_one
    play(table, record)
    settle(table.rows, table.charged, table.played.halves, table.played.places)
    return table.played


class _Table:
    """The deals of a slice, half h of deal d in row 2 d + h, with what was counted and charged."""

    def __init__(
        self,
        pair: tuple[Lineup, Lineup],
        rules: RuleSet,
        seeds: Streams,
        streams: Streams,
        first: int,
        strict: bool,
        forfeited: Sequence[int],
    ) -> None:
        self.pair, self.rules, self.seeds, self.streams = pair, rules, seeds, streams
        self.rows = new_rows(rules, np.repeat(seeds, 2))
        self.charged = np.full(len(self.rows), NOBODY, np.int8)  # the lineup that has forfeited each row
        halves, places = np.zeros((len(seeds), 2), np.int8), np.zeros((2, SEATS), np.int64)
        self.played = Played(halves, places, [0, 0], [0.0, 0.0], [0, 0], [0, 0], [])
        self._first, self._strict, self._forfeited = first, strict, forfeited
        for lineup, before in enumerate(forfeited):
            if before >= PATIENCE:
                self._give_up(lineup)

    def charge(self, row: int, seat: int, error: Exception) -> None:
        """The agent at ``seat`` cannot go on with this row. Raises AgentError where that is not to be borne."""
        number, half = divmod(row, 2)
        lineup = lineup_at(seat, half)
        agent = self.pair[lineup].agents[seat // 2]
        where = f"deal {self._first + number}, seat {seat}"
        self.refuse(agent, error, where)
        self.charged[row] = lineup
        self.played.forfeits[lineup] += 1
        self.played.illegal[lineup] += isinstance(error, Forfeit) and error.kind == "illegal"
        self._note(f"{agent.name}: {where}: {_story(error)}")
        if self._forfeited[lineup] + self.played.forfeits[lineup] == PATIENCE:
            rest = self._give_up(lineup)
            last = self._first + len(self.seeds) - 1
            self._note(
                f"{self.pair[lineup].name}: {PATIENCE} halves of deals {self._first} to {last} forfeited, "
                f"and with them the {rest} that were not over"
            )

    def refuse(self, agent: Agent, error: Exception, where: str) -> None:
        """Raise AgentError if no forfeit is to be borne."""
        if self._strict:
            raise AgentError(f"agent {agent.name!r}: {where}: {_story(error)}") from error

    def _give_up(self, lineup: int) -> int:
        """Charge the lineup with all that is not over; how many rows that are."""
        rest = [row for row in np.flatnonzero(self.charged == NOBODY) if turn(self.rows[row]) >= 0]
        self.charged[rest] = lineup
        self.played.forfeits[lineup] += len(rest)
        return len(rest)

    def _note(self, text: str) -> None:
        if len(self.played.notes) < LONGEST_NOTES:
            self.played.notes.append(text)


def _story(error: Exception) -> str:
    text = str(error) if isinstance(error, AgentError) else f"{type(error).__name__}: {error}"
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_NOTE else line[: LONGEST_NOTE - 3] + "..."


@njit
def settle(rows, charged, halves, places):
    """Points of lineup a into ``halves``, and the places of both lineups' seats where nobody forfeited."""
    for i in range(rows.shape[0]):
        number, half = i // 2, i % 2
        if charged[i] >= 0:
            halves[number, half] = 24 * charged[i] - 12
            continue
        halves[number, half] = points(rows[i]) * (1 - 2 * half)
        for seat in range(6):
            taken = place(rows[i], seat)
            if taken > 0:  # a void deal has no places
                places[(seat + half) % 2, taken - 1] += 1


# --- in lock-step


def _play_in_lockstep(table: _Table, record: RecordSink | None) -> None:
    """All rows side by side: whoever has decisions to make makes all of them at once."""
    players, who = _players(table.pair)
    streams = [np.ascontiguousarray(table.streams[:, :, lineup]).reshape(-1) for lineup in (0, 1)]
    index = np.empty(len(table.rows), np.int64)
    chosen = np.empty(len(table.rows), np.int16)
    log = LockstepLog() if record else None
    going_on = True
    while going_on:
        going_on = False
        for number, (lineup, agent) in enumerate(players):
            count, begun = waiting_rows(table.rows, table.charged, who, number, index)
            if count == 0:
                continue
            going_on = True
            table.played.decisions[lineup] += begun
            started = time.perf_counter()
            whole = _ask(table, agent, index[:count], streams[lineup], chosen[:count])
            table.played.seconds[lineup] += time.perf_counter() - started
            acting, actions = index[:count], chosen[:count]
            if not (whole and all_legal(table.rows, acting, actions)):
                acting, actions = _without_forfeits(table, acting, actions)
            if log:
                log.note(acting, actions)
            act_rows(table.rows, acting, actions)
    if log and record:
        log.tell(table.pair, table.rules, table.seeds, table.streams, record)


def _players(pair: tuple[Lineup, Lineup]) -> tuple[list[tuple[int, BatchAgent]], npt.NDArray[np.int8]]:
    """The agents with their lineups, each once, and ``int8[2, 6]``: which of them sits where in both halves."""
    players: list[tuple[int, BatchAgent]] = []
    who = np.empty((2, SEATS), np.int8)
    for number, lineup in enumerate(pair):
        for agent in lineup.distinct():
            for half in (0, 1):
                for seat, sitting in enumerate(seated_agents(pair, half)):
                    if sitting is agent and lineup_at(seat, half) == number:
                        who[half, seat] = len(players)
            assert isinstance(agent, BatchAgent)
            players.append((number, agent))
    return players, who


def _ask(table: _Table, agent: BatchAgent, index: Index, streams: Streams, chosen: StagedActions) -> bool:
    """Let an agent choose for many rows at once. One that fails is asked row by row, and False is returned."""
    before = streams[index]
    try:
        agent.act_batch(table.rows, index, streams, chosen)
        return True
    except Exception as error:
        table.refuse(agent, error, "in a batch")
    streams[index] = before
    for j, row in enumerate(index.tolist()):
        if table.charged[row] == NOBODY:
            try:
                agent.act_batch(table.rows, index[j : j + 1], streams, chosen[j : j + 1])
            except Exception as error:
                table.charge(row, int(turn(table.rows[row])), error)
    return False


def _without_forfeits(table: _Table, index: Index, chosen: StagedActions) -> tuple[Index, StagedActions]:
    """The rows that go on; those with illegal actions are charged."""
    for row, action in zip(index.tolist(), chosen.tolist(), strict=True):
        if table.charged[row] == NOBODY and not is_legal(table.rows[row], action):
            error = Forfeit("illegal", f"chose {name_of(action)}, which is not legal")
            table.charge(row, int(turn(table.rows[row])), error)
    going_on = table.charged[index] == NOBODY
    return index[going_on], chosen[going_on]


@njit
def waiting_rows(rows, charged, who, player, index):
    """Rows in which a player decides, into ``index``; how many, and how many are no COMPOSE."""
    count = begun = 0
    for i in range(rows.shape[0]):
        seat = turn(rows[i])
        if seat >= 0 and charged[i] < 0 and who[i % 2, seat] == player:
            index[count] = i
            count += 1
            begun += not composing(rows[i])
    return count, begun


@njit
def all_legal(rows, index, actions):
    """Whether each ``actions[j]`` is legal in ``rows[index[j]]``."""
    for j in range(index.shape[0]):
        if not is_legal(rows[index[j]], actions[j]):
            return False
    return True


# --- one by one


def _play_one_by_one(table: _Table, record: RecordSink | None) -> None:
    """One half after the other, in notation."""
    for row in range(len(table.rows)):
        if table.charged[row] != NOBODY:
            continue
        number, half = divmod(row, 2)
        agents = seated_agents(table.pair, half)
        own = seated(tuple(table.streams[number, half].tolist()), half)
        agent_seeds = [(stream + seat) % 2**64 for seat, stream in enumerate(own)]
        deal = Deal.new(table.rules, int(table.seeds[number]))
        if _sat_down(table, row, agents, agent_seeds):
            _play_half(table, row, agents, deal)
        table.rows[row] = deal.row
        if record and (played := deal.record())["actions"]:
            record(played | {"agents": [agent.name for agent in agents], "agent_seeds": agent_seeds})


def _sat_down(table: _Table, row: int, agents: list[Agent], agent_seeds: list[int]) -> bool:
    """Whether all agents are ready for a new deal."""
    for seat, agent in enumerate(agents):
        try:
            agent.reset(seat, table.rules, agent_seeds[seat])
        except Exception as error:
            table.charge(row, seat, error)
            return False
    return True


def _play_half(table: _Table, row: int, agents: list[Agent], deal: Deal) -> None:
    """To the end, or to the first forfeit."""
    while (seat := deal.turn) is not None:
        lineup = lineup_at(seat, row % 2)
        table.played.decisions[lineup] += 1
        view = deal.view(seat)
        started = time.perf_counter()
        try:
            action = agents[seat].act(view)
        except Exception as error:
            table.charge(row, seat, error)
            return
        finally:
            table.played.seconds[lineup] += time.perf_counter() - started
        try:
            deal.act(action)
        except IllegalAction as error:
            table.charge(row, seat, Forfeit("illegal", str(error).removeprefix(f"seat {seat}: ")))
            return
