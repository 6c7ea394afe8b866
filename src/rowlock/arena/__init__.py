"""Matches between bots, with win rates, points and their confidence intervals, and tournaments with ratings."""

from rowlock.arena.compare import Comparison, compare
from rowlock.arena.match import MatchError, match
from rowlock.arena.result import BotResult, Result
from rowlock.arena.tournament import Standing, TournamentResult, tournament

__all__ = [
    "BotResult",
    "Comparison",
    "MatchError",
    "Result",
    "Standing",
    "TournamentResult",
    "compare",
    "match",
    "tournament",
]
