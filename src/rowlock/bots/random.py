"""`random` takes any option, all with the same chance."""

from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules.kernel import Ints


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: BotBuffers, memory: BotData
) -> int:
    return word * count >> 32


class Random(KernelBot):
    """Any option, uniformly."""

    choose = staticmethod(choose)
