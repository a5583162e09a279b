"""Gouji for machine learning: rules, deals, matches, environments. ``docs/`` explains the game and the interfaces."""

from gouji_env.deal import Deal, IllegalAction, PositionError
from gouji_env.env import env, raw_env
from gouji_env.match import Match
from gouji_env.rules import RuleError, RuleSet
from gouji_env.seat_env import SeatEnv
from gouji_env.vector import DealBatch
from gouji_env.view import SeatView

__all__ = [
    "Deal",
    "DealBatch",
    "IllegalAction",
    "Match",
    "PositionError",
    "RuleError",
    "RuleSet",
    "SeatEnv",
    "SeatView",
    "__version__",
    "env",
    "raw_env",
]

__version__ = "0.1.0"
