"""What is played in a match."""

from dataclasses import dataclass
from itertools import permutations

from rowlock.bots import Bot
from rowlock.rules.variant import Setup, Variant


@dataclass(frozen=True)
class Setting:
    """The same setting and game number give the same game everywhere."""

    setup: Setup
    bots: tuple[Bot, ...]
    names: tuple[str, ...]
    seed: int
    records: bool = False
    move_timeout: float = 10.0

    @property
    def variant(self) -> Variant:
        return self.setup.variant

    def seats(self, game: int) -> tuple[int, ...]:
        """Which bot sits where: game g uses order g mod n!, so that nobody profits from starting."""
        orders = list(permutations(range(len(self.bots))))
        return orders[game % len(orders)]
