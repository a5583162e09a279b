"""The strongest player by rules: it plans its hand, counts what is unseen, and knows who is short.

It goes out when it can, and throws its 4s away when it may. Of all the sets that it might lay (``expert_sets``) it
lays the one that weighs most (``expert_worth``), in leads that are saved or lost (``expert_weights``):

* how much nearer the hand comes to its end (``expert_plan``), less the jokers and 2s that are spent;
* the chance that the set stands, by the cards that are unseen (``expert_sight``, ``expert_chances``), times what the
  lead is worth to the hand that is left; most if that hand then runs out set by set;
* when it answers, what the table set is worth to its owner: an enemy's is beaten, a partner's is left alone, all the
  more the shorter the owner's hand is; an answer that weighs less than passing is not given, and one that weighs
  little yields to the partner;
* what may befall: burn duty, being choked with the 3s.

It draws no random numbers and remembers nothing beyond what the row shows to its seat.
"""

import numpy as np

from agents.expert_before import before_play
from agents.expert_sets import best_set
from agents.expert_weights import WEIGHTS
from agents.protocol import BatchAgent, Index, Rows, StagedActions, Streams
from agents.whole_hand import whole_hand
from gouji_env.engine import (
    ACTIONS,
    THROW,
    can_go_out,
    composing,
    is_legal,
    is_play,
    legal,
    njit,
)


class ExpertAgent(BatchAgent):
    """Plans, counts and weighs; see the module's docstring."""

    name = "expert"

    def act_batch(self, rows: Rows, index: Index, streams: Streams, out: StagedActions) -> None:
        choose_rows(rows, index, out)


@njit
def choose_rows(rows, index, out):
    """``choose`` for ``rows[index[j]]`` into ``out[j]``."""
    options = np.empty(ACTIONS, np.int16)
    for j in range(index.shape[0]):
        out[j] = choose(rows[index[j]], options)


@njit
def choose(row, options):
    """The staged action of the seat that decides; ``options`` (``int16[ACTIONS]``) is scratch."""
    return decide(row, options, WEIGHTS)


@njit
def decide(row, options, weights):
    """``choose`` with weights of one's own (``float64``, as in ``expert_weights``)."""
    if not is_play(row):
        return before_play(row, options)
    if can_go_out(row) and not composing(row):
        return whole_hand(row)
    if is_legal(row, THROW):
        return np.int64(THROW)
    planned = best_set(row, weights)
    if is_legal(row, planned):
        return planned
    legal(row, options)  # for one who is to compose what he would not have selected
    return np.int64(options[0])
