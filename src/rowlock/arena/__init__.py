"""Matches between bots, with win rates, points and their confidence intervals."""

from rowlock.arena.compare import Comparison, compare
from rowlock.arena.match import MatchError, match
from rowlock.arena.result import BotResult, Result

__all__ = ["BotResult", "Comparison", "MatchError", "Result", "compare", "match"]
