"""What the reviews of several games add up to, per player."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rowlock.analysis.review import Review, Summary, rating_of
from rowlock.networks.option_values import GRADES, STAKES


@dataclass
class Total:
    """The sums of the games of one player."""

    name: str
    solo: bool
    games: int = 0
    finished: int = 0
    decisions: int = 0
    loss: float = 0.0
    rated_loss: float = 0.0  # what it would be in games of two
    luck: float = 0.0
    result: float = 0.0  # of finished games
    grades: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GRADES[1:], 0))

    def add(self, summary: Summary, players: int, *, finished: bool) -> None:
        self.games += 1
        self.finished += finished
        self.decisions += summary.decisions
        self.loss += summary.loss
        self.rated_loss += summary.loss / STAKES[players]
        self.luck += summary.luck
        self.result += summary.result if finished else 0.0
        for grade, count in summary.grades.items():
            self.grades[grade] += count

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of a decision with a choice."""
        return self.loss / self.decisions if self.decisions else None

    @property
    def mean_luck(self) -> float:
        """The mean luck in a game."""
        return self.luck / self.games

    @property
    def rating(self) -> str | None:
        return rating_of(self.rated_loss / self.decisions, 1 if self.solo else 2) if self.decisions else None


def totals(reviews: Iterable[Review]) -> dict[tuple[str, int], list[Total]]:
    """The totals of every player by variant and number of players, all in the order in which they appear."""
    found: dict[tuple[str, int], dict[str, Total]] = {}
    for review in reviews:
        names = review.game.players
        group = found.setdefault((str(review.game.setup), len(names)), {})
        for name, summary in zip(names, review.summary, strict=True):
            total = group.setdefault(name, Total(name, len(names) == 1))
            total.add(summary, len(names), finished=review.game.over)
    return {key: [*group.values()] for key, group in found.items()}
