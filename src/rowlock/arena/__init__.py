"""Matches between bots: who is better, by how much, how sure are we."""

from rowlock.arena.compare import Comparison, compare
from rowlock.arena.match import MatchError, match
from rowlock.arena.result import BotResult, Result

__all__ = ["BotResult", "Comparison", "MatchError", "Result", "compare", "match"]
