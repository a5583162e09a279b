"""``gouji bench``: how fast this machine plays, against the targets of the project."""

from gouji_env.bench.measure import Chunk, Result, Row, Skipped, measure
from gouji_env.bench.report import run

__all__ = ["Chunk", "Result", "Row", "Skipped", "measure", "run"]
