"""`network`, a yardstick: a network of the size that was published, trained anew by games against itself.

It looks at the same options as the champion and ranks them by the probability of winning, but judges by 25 numbers.
"""

from typing import Any

from rowlock.bots import champion, gauss
from rowlock.bots.bot import KernelBot, Memory, Room
from rowlock.bots.weights import load_weights, missing_weights
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    spare, imagined, found, decisions, notes = room[0]
    _, weights = memory[0]
    desk = (spare, imagined, found, decisions, notes, weights, champion.PUBLISHED)
    return champion.decide(state, tables, seat, actions, count, desk)


class Published(KernelBot):
    """A small network that looks at 25 numbers and plays to win."""

    choose = staticmethod(choose)
    heavy = True

    def needs(self, variant: Variant, players: int) -> str | None:
        return missing_weights("network", variant, players)

    @staticmethod
    def memory(variant: Variant, players: int) -> tuple[Any, Any]:
        return (), load_weights("network", variant, players, gauss.WEIGHTS)
