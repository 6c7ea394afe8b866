"""`rush` locks rows: it prefers a mark that locks, then the row with the most marks; it skips at most three cells.

In card games it plays like `eager`.
"""

from rowlock.bots import eager
from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

MAX_SKIPPED = 3
LOCK = 1 << 20  # the priority of a mark that locks a row


def priority(state: Ints, tables: Ints, seat: int, action: int) -> int:
    """The priority of an action; one below 0 is taken only to avoid a misthrow.

    Each mark in the row counts 16, more than the cells skipped can change.
    """
    sheet = kernel.sheet_at(seat)
    code = kernel.marked_first(state, sheet, tables, action)
    row = kernel.row_of(code)
    cell = kernel.place_in_row(code)
    if row >= kernel.ROWS:
        return 16  # bonus fields come after rows with marks and before empty rows
    skipped = cell - state[sheet + kernel.NEXT + row]
    if kernel.closes(tables, row, cell):
        return LOCK
    if skipped > MAX_SKIPPED:
        return -skipped
    return 1 + state[sheet + kernel.COUNT + row] * 16 + MAX_SKIPPED - skipped


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    if kernel.uses_cards(actions[0]):
        return eager.best_cards(state, tables, seat, actions, count, eager.NEVER, buffers)
    choice, best = 0, -(1 << 30) if kernel.misthrow_due(state) else 0  # the choice 0 is a pass
    for i in range(1, count):
        value = priority(state, tables, seat, actions[i])
        if value > best:
            best = value
            choice = i
    return choice


class Rush(KernelBot):
    """Fills its fullest row and locks every row that it can."""

    choose = staticmethod(choose)
