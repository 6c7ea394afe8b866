"""`random` takes any option, all with the same chance."""

from rowlock.bots.bot import KernelBot, Memory, Room
from rowlock.rules.kernel import Ints


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    return word * count >> 32


class Random(KernelBot):
    """Any option, uniformly."""

    choose = staticmethod(choose)
