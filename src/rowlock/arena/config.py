"""What is played in a match."""

from dataclasses import dataclass

from rowlock.bots import Bot
from rowlock.fast.games import seat_orders
from rowlock.rules.variant import Setup, Variant


@dataclass(frozen=True)
class MatchConfig:
    """The same config and game number give the same game everywhere."""

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
        """Which bot sits where."""
        orders = seat_orders(len(self.bots))
        return orders[game % len(orders)]
