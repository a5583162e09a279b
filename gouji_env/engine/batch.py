"""The core over many rows: ``rows[index[j]]`` for each j, into caller-owned arrays."""

import numpy as np

from gouji_env.engine import layout as at
from gouji_env.engine.act import act
from gouji_env.engine.actions import ACTIONS
from gouji_env.engine.jit import njit
from gouji_env.engine.legal import legal, mask, packed_mask
from gouji_env.engine.observe import observe, observe_hidden
from gouji_env.engine.rng import random_int, random_unit

PACKED = (ACTIONS + 7) // 8


@njit
def observe_rows(rows, index, out):
    """Raw observations of the deciding seats into ``out`` (``int8[M, OBSERVATION]``)."""
    for j in range(len(index)):
        row = rows[index[j]]
        observe(row, np.int64(row[at.TURN]), out[j])


@njit
def hidden_rows(rows, index, out):
    """Hands of the five others of each deciding seat into ``out`` (``int8[M, HIDDEN]``)."""
    for j in range(len(index)):
        row = rows[index[j]]
        observe_hidden(row, np.int64(row[at.TURN]), out[j])


@njit
def mask_rows(rows, index, out):
    """0/1 masks into ``out`` (``[M, ACTIONS]``)."""
    for j in range(len(index)):
        mask(rows[index[j]], out[j])


@njit
def packed_mask_rows(rows, index, out):
    """Masks in bits, low bit first, into ``out`` (``uint8[M, PACKED]``)."""
    ids = np.empty(ACTIONS, np.int16)
    for j in range(len(index)):
        packed_mask(rows[index[j]], ids, out[j])


@njit
def act_rows(rows, index, actions):
    """Apply a legal staged action (``int16[M]``) in each row."""
    for j in range(len(index)):
        act(rows[index[j]], np.int64(actions[j]))


@njit
def random_rows(rows, index, streams, out):
    """A uniformly drawn legal staged action for each row into ``out`` (``int16[M]``)."""
    ids = np.empty(ACTIONS, np.int16)
    for j in range(len(index)):
        i = index[j]
        out[j] = ids[random_int(streams, i, legal(rows[i], ids))]


@njit
def sample_rows(rows, index, streams, logits, out, log_prob, greedy):
    """Draw from the softmax of ``logits`` (``float32[M, ACTIONS]``) over the legal actions alone.

    Writes ids into ``out`` (``int16[M]``) and their log-probabilities into ``log_prob`` (``float32[M]``);
    ``greedy`` takes the most probable one and leaves the streams alone.
    """
    ids = np.empty(ACTIONS, np.int16)
    weights = np.empty(ACTIONS, np.float64)
    for j in range(len(index)):
        i = index[j]
        count = legal(rows[i], ids)
        best = 0
        for k in range(1, count):
            if logits[j, ids[k]] > logits[j, ids[best]]:
                best = k
        top = np.float64(logits[j, ids[best]])
        total = 0.0
        for k in range(count):
            weights[k] = np.exp(np.float64(logits[j, ids[k]]) - top)
            total += weights[k]
        chosen = best
        if not greedy:
            left = random_unit(streams, i) * total
            chosen = 0
            while chosen < count - 1 and left >= weights[chosen]:
                left -= weights[chosen]
                chosen += 1
        out[j] = ids[chosen]
        log_prob[j] = np.float64(logits[j, ids[chosen]]) - top - np.log(total)
