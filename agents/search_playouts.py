"""Playouts: guessed deals played to their end by a compiled policy at all six seats.

All in one kernel: each kernel that holds the policies is compiled with all of their code, which takes long.
"""

import numpy as np

from agents import expert, greedy
from gouji_env.engine import ACTIONS, ROW, act, act_whole, guess_hands, njit, points, turn

POLICIES = ("greedy", "expert")  # by number in the kernels
GREEDY, EXPERT = range(2)
CHOOSE = (greedy.choose, expert.choose)


@njit
def evaluate(row, seeds, candidates, alive, policy, values):
    """What the candidates bring: ``values[j, c]``, points of the deciding side, for guess j and each c of ``alive``.

    ``row``: the hidden row of the seat that decides; guess j follows from ``seeds[j]`` (``uint64[N]``) alone and is the
    same for all candidates, so that they differ by what they are and not by the cards that others are dealt.
    ``candidates``: codes of whole actions, ``int64[C]``; ``alive``: ``int64[M]``; ``values``: ``int8[N, C]``.
    """
    guess, world = np.empty(ROW, np.int8), np.empty(ROW, np.int8)
    options = np.empty(ACTIONS, np.int16)
    stream = np.empty(1, np.uint64)
    seat = turn(row)
    sign = 1 - 2 * (seat % 2)
    for j in range(len(seeds)):
        stream[0] = seeds[j]
        guess[:] = row
        guess_hands(guess, seat, stream, 0)
        for c in alive:
            world[:] = guess
            act_whole(world, candidates[c])
            while turn(world) >= 0:
                if policy == EXPERT:
                    act(world, expert.choose(world, options))
                else:
                    act(world, greedy.choose(world, options))
            values[j, c] = sign * points(world)
