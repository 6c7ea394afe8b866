"""`greedy` chooses as `eager` does but declines to skip more than one cell, unless declining costs a misthrow."""

from rowlock.bots import eager
from rowlock.bots.bot import KernelBot
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints


def choose(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, spare: Ints) -> int:
    choice = eager.choose(state, tables, seat, actions, count, word, spare)
    if choice == k.PASS or eager.rank(state, seat, choice) < 2 * eager.SKIP:
        return choice
    costs_misthrow = state[k.PHASE] == k.COLOUR and state[k.MARKED] == 0
    return choice if costs_misthrow else k.PASS


class Greedy(KernelBot):
    """Marks what skips one cell at the most."""

    choose = staticmethod(choose)
