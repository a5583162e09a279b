"""Bots that break the protocol, one way each: ``nasty.py WAY FLAG [HEX]``.

A bot is nasty once: it leaves the file FLAG, and whoever finds that plays well. ``HEX``: bytes of a line for ``say``.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

HOURS = 10_000


def say(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def flood(descriptor: int, data: bytes, times: int) -> None:
    for _ in range(times):
        os.write(descriptor, data)


def hang() -> None:
    time.sleep(HOURS)


def ignore_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


def leave_grandchildren() -> None:
    """Two children that keep all pipes open; one is of a shell."""
    subprocess.Popen(["sleep", str(HOURS)])
    subprocess.Popen(f"trap '' TERM; sleep {HOURS}; true", shell=True)
    sys.exit(7)


def close_stdout() -> None:
    os.close(1)
    hang()


def crash() -> None:
    raise RuntimeError("no such card\x1b[31m")


def answer_and_more() -> None:
    say(good_answer() + b"by the way\n" * 2)


def answer_and_die() -> None:
    say(good_answer())
    sys.exit(0)


def complain_a_lot_and_answer() -> None:
    flood(2, b"warning: " * 1000, 1000)
    say(good_answer())


def trickle() -> None:
    """Never silent, and never done."""
    while True:
        say(b" ")
        time.sleep(0.01)


def answer_late() -> None:
    time.sleep(1)
    say(good_answer())
    hang()


def good_answer() -> bytes:
    return json.dumps({"id": asked["id"], "action": asked["legal"][0]}).encode() + b"\n"


WAYS = {
    "hang": hang,
    "ignore SIGTERM": ignore_sigterm,
    "leave grandchildren": leave_grandchildren,
    "close stdout": close_stdout,
    "crash": crash,
    "kill itself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "flood without an end": lambda: flood(1, b"x" * 1000, 10_000),
    "flood of lines": lambda: flood(1, b"x\n" * 1000, 10_000),
    "complain a lot": complain_a_lot_and_answer,
    "answer and more": answer_and_more,
    "answer and die": answer_and_die,
    "answer late": answer_late,
    "trickle": trickle,
    "say": lambda: say(bytes.fromhex(sys.argv[3]) + b"\n"),
}

asked = {}
place, _, way = sys.argv[1].partition(": ")
flag = Path(sys.argv[2])
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == place and not flag.exists():
        flag.touch()
        WAYS[way]()
    elif asked["type"] == "hello":
        say(b'{"type": "ready", "protocol": 1}\n')
    elif asked["type"] == "decide":
        say(good_answer())
