"""The configuration of a match."""

from dataclasses import dataclass

from rowlock.bots import Bot
from rowlock.fast.games import seat_orders
from rowlock.rules.variant import Setup, Variant


@dataclass(frozen=True)
class MatchConfig:
    """All that a match depends on: the same config and game number give the same game everywhere."""

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
        """The bot in each seat, in a given game."""
        orders = seat_orders(len(self.bots))
        return orders[game % len(orders)]
