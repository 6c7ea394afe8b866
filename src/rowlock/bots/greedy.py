"""`greedy` chooses as `eager` does but declines to skip more than one cell, unless declining costs a misthrow."""

from rowlock.bots import eager
from rowlock.bots.bot import KernelBot, Memory, Room
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    best = eager.best(state, seat, actions, count)
    skips = 2 * eager.SKIP * eager.PLACES <= best < eager.NOTHING
    costs_misthrow = state[k.PHASE] == k.COLOUR and state[k.MARKED] == 0
    return 0 if skips and not costs_misthrow else best & (eager.PLACES - 1)


class Greedy(KernelBot):
    """Marks what skips one cell at the most."""

    choose = staticmethod(choose)
