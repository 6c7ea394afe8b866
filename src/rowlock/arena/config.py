"""The configuration of a match."""

from dataclasses import dataclass

from rowlock.bots import Bot
from rowlock.fast.results import order_index, seat_orders
from rowlock.rules.game import Game
from rowlock.rules.variant import Setup, Variant


@dataclass(frozen=True)
class MatchConfig:
    """Everything that a match depends on: a config and a game number determine the game on every machine."""

    setup: Setup
    bots: tuple[Bot, ...]
    names: tuple[str, ...]  # of the bots, all different
    seed: int
    with_records: bool = False
    move_timeout: float = 10.0  # seconds per decision of a plain Python bot

    @property
    def variant(self) -> Variant:
        return self.setup.variant

    def bots_by_seat(self, number: int) -> tuple[int, ...]:
        """The index of the bot in each seat, in the game with this number."""
        orders = seat_orders(len(self.bots))
        return orders[order_index(number, len(orders))]

    def new_game(self, number: int) -> Game:
        names = [self.names[bot] for bot in self.bots_by_seat(number)]
        return Game(self.setup, names, seed=self.seed, number=number)
