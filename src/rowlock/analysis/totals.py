"""What the reviews of several games add up to, per player."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rowlock.analysis.review import Review, Summary, rating_of
from rowlock.networks.option_values import GRADES


@dataclass
class Total:
    """The sums of the games of one player; solo games, which count points, have totals of their own."""

    name: str
    solo: bool
    games: int = 0
    decisions: int = 0
    loss: float = 0.0
    luck: float = 0.0
    result: float = 0.0
    grades: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GRADES[1:], 0))

    def add(self, summary: Summary) -> None:
        self.games += 1
        self.decisions += summary.decisions
        self.loss += summary.loss
        self.luck += summary.luck
        self.result += summary.result
        for grade, count in summary.grades.items():
            self.grades[grade] += count

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of a decision with a choice."""
        return self.loss / self.decisions if self.decisions else None

    @property
    def rating(self) -> str | None:
        return None if self.mean_loss is None else rating_of(self.mean_loss, 1 if self.solo else 2)


def totals(reviews: Iterable[Review]) -> list[list[Total]]:
    """The totals of every player, in the order in which they appear: of games with others, then of solo games."""
    found: dict[tuple[bool, str], Total] = {}
    for review in reviews:
        names = review.game.players
        solo = len(names) == 1
        for name, summary in zip(names, review.summary, strict=True):
            found.setdefault((solo, name), Total(name, solo)).add(summary)
    return [group for group in ([one for one in found.values() if one.solo is solo] for solo in (False, True)) if group]
