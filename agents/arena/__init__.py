"""Measuring agents: duplicate duels and their statistics."""

from agents.arena.duel import DuelError, DuelResult, duel

__all__ = ["DuelError", "DuelResult", "duel"]
