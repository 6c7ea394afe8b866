"""What decisions and rolls were worth: reviews of games, hints, grades."""

from rowlock.analysis.hint import Hint, hints
from rowlock.analysis.review import Review, review
from rowlock.analysis.values import NoValues

__all__ = ["Hint", "NoValues", "Review", "hints", "review"]
