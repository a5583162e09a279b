"""Deals played at random, for processes of their own: what they show in one digest, how much memory they take."""

import gc
import hashlib
import resource
import sys

import numpy as np

from gouji_env import DealBatch, RuleSet, engine

RULES = ("classic", "yang2004", "qingdao", "kaidian")


def digest_of_deals(count: int) -> str:
    """Sixteen hexadecimal digits of all rows, observations, masks and draws of so many deals for each rule set."""
    digest = hashlib.sha256()
    for name in RULES:
        rows = engine.new_rows(RuleSet.preset(name), np.arange(count, dtype=np.uint64))
        for row in rows:
            _play(row, digest)
            digest.update(bytes([int(engine.points(row)) & 0xFF]))
            engine.next_deal(row)
            digest.update(row.tobytes())
    return digest.hexdigest()[:16]


def _play(row: "np.ndarray", digest: "hashlib._Hash") -> None:
    rows, index = row[np.newaxis], np.zeros(1, np.int64)
    streams, actions = np.full(1, 7, np.uint64), np.zeros(1, np.int16)
    observation = np.empty(engine.OBSERVATION, np.int8)
    mask = np.empty(engine.ACTIONS, np.int8)
    logits = np.linspace(-2, 2, engine.ACTIONS, dtype=np.float32)[np.newaxis]
    log_prob = np.zeros(1, np.float32)
    while not engine.is_over(row):
        engine.observe(row, engine.turn(row), observation)
        engine.mask(row, mask)
        digest.update(row.tobytes() + observation.tobytes() + mask.tobytes())
        engine.random_rows(rows, index, streams, actions)
        if int(streams[0]) % 2:
            engine.sample_rows(rows, index, streams, logits, actions, log_prob, False)
        digest.update(actions.tobytes() + bytes([engine.turn(row)]))
        engine.act_rows(rows, index, actions)


@engine.njit
def advance(rows, streams, steps):
    """Random staged play over deals that follow each other; returns how many ended."""
    index = np.arange(len(rows))
    actions = np.empty(len(rows), np.int16)
    ended = 0
    for _ in range(steps):
        engine.random_rows(rows, index, streams, actions)
        engine.act_rows(rows, index, actions)
        for i in range(len(rows)):
            if engine.is_over(rows[i]):
                ended += 1
                engine.next_deal(rows[i])
    return ended


def peak_memory() -> int:
    """The most memory that this process has ever held, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def growth_in_kernels(deals: int) -> int:
    """Bytes by which the peak rises over so many deals in compiled loops, for each of three rule sets in turn."""
    streams, before = np.arange(256, dtype=np.uint64), 0
    for name in RULES[:3]:
        rows = engine.new_rows(RuleSet.preset(name), streams)
        ended = advance(rows, streams, 500)
        gc.collect()
        before = before or peak_memory()
        while ended < deals:
            ended += advance(rows, streams, 500)
    return peak_memory() - before


def growth_in_batches(deals: int) -> int:
    """The same through DealBatch, step by step."""
    batch = DealBatch(RuleSet.preset("classic"), 512, skip_forced=True)
    observation, mask = batch.observe(), batch.mask()
    index, streams = np.arange(512), np.arange(512, dtype=np.uint64)
    actions = np.empty(512, np.int16)
    ended, before = 0, 0
    while ended < deals:
        batch.observe(observation)
        batch.mask(mask)
        engine.random_rows(batch.rows, index, streams, actions)
        ended += int(batch.step(actions)[0].sum())
        if ended > 500 and not before:
            gc.collect()
            before = peak_memory()
    return peak_memory() - before
