"""`greedy` chooses like `eager` but declines to skip more than one cell, unless declining costs a misthrow.

In card games it declines by playing one card without a mark, the card that would skip the most cells.
"""

from rowlock.bots import eager
from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

DECLINING = 2 * eager.SKIP - 1024  # rank of a pass: worse than a mark that skips one cell, better than two cells


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    declining = eager.NEVER if kernel.misthrow_due(state) else DECLINING
    return eager.best(state, tables, seat, actions, count, declining, buffers)


class Greedy(KernelBot):
    """Makes marks that skip at most one cell."""

    choose = staticmethod(choose)
