"""`rush` locks rows: a mark that locks comes first, then the row with the most marks; it skips at most three cells.

With cards it takes and plays as `eager` does.
"""

from rowlock.bots import eager
from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

SKIPS = 3
LOCK = 1 << 20


def priority(state: Ints, tables: Ints, seat: int, action: int) -> int:
    """The priority of an option, higher is better; below 0 it is taken only to avoid a misthrow."""
    sheet = kernel.sheet_at(seat)
    code = kernel.marked_first(state, sheet, action)
    row = kernel.row_of(code)
    cell = kernel.place_in_row(code)
    if row >= kernel.ROWS:
        return 16
    skipped = cell - state[sheet + kernel.NEXT + row]
    if cell >= tables[kernel.T_CLOSING + row]:
        return LOCK
    if skipped > SKIPS:
        return -skipped
    return 1 + state[sheet + kernel.COUNT + row] * 16 + SKIPS - skipped


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    if actions[0] >= kernel.TAKE_CARDS:
        return eager.best_cards(state, tables, seat, actions, count, eager.NEVER, buffers[0][0])
    choice = 0
    best = -(1 << 30) if kernel.misthrow_due(state) else 0
    for option in range(1, count):
        value = priority(state, tables, seat, actions[option])
        if value > best:
            best = value
            choice = option
    return choice


class Rush(KernelBot):
    """Fills its fullest row and locks every row that it can."""

    choose = staticmethod(choose)
