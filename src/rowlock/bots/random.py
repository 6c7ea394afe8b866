"""`random` takes each of its options with the same probability."""

from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules.kernel import Ints


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    return word * count >> 32  # `word` is below 2**32, so this is below `count`


class Random(KernelBot):
    """Takes an option at random."""

    choose = staticmethod(choose)
