"""`greedy` chooses as `eager` does but declines to skip more than one cell, unless declining costs a misthrow.

With cards it declines by playing one card without a mark, the one that would skip the most cells.
"""

from rowlock.bots import eager
from rowlock.bots.bot import KernelBot, Memory, Room
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints

DECLINING = 2 * eager.SKIP - 1024  # worse than whatever skips one cell, better than what skips two


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    declining = eager.NEVER if k.misthrow_due(state) else DECLINING
    if actions[0] >= k.TAKE_CARDS:
        return eager.best_cards(state, tables, seat, actions, count, declining, room[0][0])
    return eager.best(state, seat, actions, count, declining)


class Greedy(KernelBot):
    """Marks what skips one cell at the most."""

    choose = staticmethod(choose)
