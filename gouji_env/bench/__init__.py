"""``gouji bench``: how fast this machine plays, against the targets of the project."""

from gouji_env.bench.measure import Chunk, Result, Row, Skipped, measure
from gouji_env.bench.peers import Peer
from gouji_env.bench.report import run

__all__ = ["Chunk", "Peer", "Result", "Row", "Skipped", "measure", "run"]
