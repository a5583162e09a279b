"""Compiled loops of the lock-step sampler: stepping all deals, and advantages over the log of rows.

``rows`` are the deals, int8[N, ROW]. The log is a sequence of recorded decisions in the order in which they were
made; ``last`` int64[N, 6] says where in it each seat's latest decision lies, -1 for none.
"""

import numpy as np

from gouji_env.engine import (
    ACTIONS,
    act,
    forced_passes,
    is_over,
    legal,
    next_deal,
    njit,
    play_forced,
    points,
    random_int,
    turn,
)


@njit
def turns(rows, out):
    """The deciding seat of every deal into int64[N]."""
    for i in range(rows.shape[0]):
        out[i] = turn(rows[i])


@njit
def desynchronise(rows, streams, most):
    """Play 0 to ``most`` - 1 random decisions in each fresh deal.

    Deals that begin together end together: without this the first batches would hold no finished deal, and the
    critic would learn that every deal is worth nothing.
    """
    ids = np.empty(ACTIONS, np.int16)
    for i in range(rows.shape[0]):
        play_forced(rows[i])
        for _ in range(random_int(streams, i, most)):
            act(rows[i], ids[random_int(streams, i, legal(rows[i], ids))])
            play_forced(rows[i])
            if is_over(rows[i]):
                next_deal(rows[i])
                play_forced(rows[i])


@njit
def advance(rows, actions, last, reward, terminal, finished, result):
    """Apply one action int16[N] in every deal, play what is forced, and deal anew where the deal is over.

    The end of a deal writes its points to the latest recorded decision of each seat (``reward`` float32, from the
    seat's side; ``terminal`` bool), sets ``finished`` bool[N] and ``result`` int64[N], the points of side 0.
    Returns the number of forced actions: those that were the only legal one, and public passes of seats that could
    do nothing else. (What a forced action brings about is counted for the last of several in a row only.)
    """
    forced = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        act(row, actions[i])
        forced += forced_passes(row)
        forced += _play_forced(row)
        finished[i] = is_over(row)
        if not finished[i]:
            continue
        result[i] = points(row)
        for seat in range(6):
            if last[i, seat] >= 0:
                reward[last[i, seat]] = result[i] if seat % 2 == 0 else -result[i]
                terminal[last[i, seat]] = True
                last[i, seat] = -1
        next_deal(row)
        forced += _play_forced(row)
    return forced


@njit
def _play_forced(row):
    played = play_forced(row)
    return played + forced_passes(row) if played else 0


@njit
def advantages(deal, seat, value, reward, terminal, gae_lambda, advantage, target):
    """Generalised advantage estimation (gamma 1) along each seat's own decisions, in one pass from the end.

    All arrays run over the log; ``value`` float32 is the critic's, ``reward`` is in the critic's units. Writes
    ``advantage`` and ``target`` (the value to learn) and returns bool[len(log)]: False where the seat's next decision
    is not in the log yet, so that the row has to wait.
    """
    rows = deal.shape[0]
    complete = np.zeros(rows, np.bool_)
    slots = 6 * (np.max(deal) + 1) if rows else 0
    seen = np.zeros(slots, np.bool_)
    next_value = np.zeros(slots, np.float32)
    next_advantage = np.zeros(slots, np.float32)
    for r in range(rows - 1, -1, -1):
        slot = 6 * deal[r] + seat[r]
        if terminal[r]:
            advantage[r] = reward[r] - value[r]
        elif seen[slot]:
            advantage[r] = next_value[slot] - value[r] + gae_lambda * next_advantage[slot]
        complete[r] = terminal[r] or seen[slot]
        if complete[r]:
            target[r] = advantage[r] + value[r]
            next_advantage[slot] = advantage[r]
        else:
            next_advantage[slot] = 0.0
        seen[slot] = True
        next_value[slot] = value[r]
    return complete
