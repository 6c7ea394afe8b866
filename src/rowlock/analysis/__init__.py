"""What decisions and rolls were worth: reviews of games, hints, grades."""

from rowlock.analysis.hint import Hint, Hints, hints
from rowlock.analysis.review import Chance, JudgedDecision, Review, Summary, review
from rowlock.analysis.totals import Total, totals
from rowlock.analysis.values import NoValues, OptionValue

__all__ = [
    "Chance",
    "Hint",
    "Hints",
    "JudgedDecision",
    "NoValues",
    "OptionValue",
    "Review",
    "Summary",
    "Total",
    "hints",
    "review",
    "totals",
]
