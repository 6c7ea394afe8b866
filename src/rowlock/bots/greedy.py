"""`greedy` chooses like `eager` but declines to skip more than one cell, unless declining costs a misthrow.

In card games it declines by playing one card without a mark, the card that would skip the most cells.
"""

from rowlock.bots import eager
from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

# The rank of a pass: worse than any mark that skips one cell, better than any that skips two. The other parts of a rank
# add up to less than eager.SKIP - 1024.
DECLINING = 2 * eager.SKIP - 1024


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    declining = eager.NEVER if kernel.misthrow_due(state) else DECLINING
    return eager.best(state, tables, seat, actions, count, declining, buffers)


class Greedy(KernelBot):
    """Makes marks that skip at most one cell."""

    choose = staticmethod(choose)
