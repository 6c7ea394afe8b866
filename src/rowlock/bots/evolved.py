"""`evolved` weighs sheets with coefficients that were found by evolution: the best published heuristic.

The worth of a sheet is 0.4909 * (sum over open rows of the chance that the row's next number is the white sum, times
its marks + 1) - 0.8692 * misthrows + 0.01846 * (sum of the squares of the rows' marks) - 0.0560 * cells skipped. The
active player picks the best pair of actions; with three misthrows it takes the fourth when that wins; it locks
whenever it can, except where that would end the game while behind.

A next cell that cannot be marked yet counts nothing. Carried over to the other games: the chance is that of the
variant's white dice; a mark is weighed after all that it sets off; bonus fields count as marks of both rows beside
them, up to the cap; misthrows that cost nothing are not weighed; points that bonuses bring at the end are not foreseen.
With cards every number is announced with the same chance, two locks of its own are what ends the game, and it takes
cards as `eager` does.

All weights are integers here, so that interpreted and compiled decisions are equal to the last bit.
"""

from rowlock.bots import eager
from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

CHANCE, MISTHROW, SQUARE, SKIPPED = 49090, 86920, 1846, 5600
LOCK = 1 << 50  # whatever locks goes before whatever does not
NEVER = -(1 << 60)


def worth(sheets: Ints, sheet: int, tables: Ints) -> int:
    """The worth of a sheet, times 100,000 and the ways in which a number can be announced."""
    faces = tables[kernel.T_FACES]
    all_ways = tables[kernel.T_NUMBERS] if tables[kernel.T_CARDS] > 0 else faces * faces
    value = MISTHROW // kernel.MISTHROW_COST * kernel.misthrow_points(sheets, sheet)
    chance = 0
    for row in range(kernel.ROWS):
        marks = sheets[sheet + kernel.COUNT + row]
        cell = sheets[sheet + kernel.NEXT + row]
        locked = (sheets[sheet + kernel.LOCKS] >> row) & 1
        if cell < tables[kernel.T_CELLS + row]:
            value -= SKIPPED * (cell - marks)
            if kernel.can_mark(sheets, sheet, tables, row, cell):
                ways = max(0, faces - abs(tables[kernel.T_NUMBER + row * kernel.MAX_CELLS + cell] - faces - 1))
                chance += (1 if tables[kernel.T_CARDS] > 0 else ways) * (marks + 1)
        elif locked == 1:
            last = tables[kernel.T_CELLS + row] - 1
            while not kernel.is_marked(sheets, sheet, row, last):
                last -= 1
            value -= SKIPPED * (last + 2 - marks)
        counted = kernel.counted_marks(sheets, sheet, tables, row)
        value += SQUARE * counted * counted
    return value * all_ways + CHANCE * chance


def lock_worth(state: Ints, tables: Ints, seat: int, after: Ints, sheet: int) -> int:
    """Locking is what it wants, unless that ends the game while behind."""
    new = after[sheet + kernel.LOCKS] & ~(state[kernel.CLOSED] | state[kernel.sheet_at(seat) + kernel.LOCKS])
    if new == 0:
        return 0
    closed = after[sheet + kernel.LOCKS] | state[kernel.CLOSED]
    if kernel.rows_end_game(closed) and kernel.total(after, sheet, tables) < kernel.best_of_others(state, tables, seat):
        return -LOCK
    return LOCK


def single_worth(state: Ints, tables: Ints, seat: int, action: int, room: BotBuffers) -> int:
    """The worth of the sheet after one more action of this turn."""
    spare = room[0][0]
    made = kernel.mark_on_copy(state, kernel.sheet_at(seat), tables, action, spare, 0)
    value = lock_worth(state, tables, seat, spare, 0)
    if made == 0 and kernel.misthrow_due(state):
        spare[kernel.MISTHROWS] += 1
        last = kernel.misthrows_end_game(spare[kernel.MISTHROWS])
        if last and kernel.total(spare, 0, tables) > kernel.best_of_others(state, tables, seat):
            value += 2 * LOCK
    return value + worth(spare, 0, tables)


def pair_worth(state: Ints, tables: Ints, seat: int, action: int, room: BotBuffers) -> int:
    """The worth of the sheet after a white action and the best colour action that can follow it."""
    spare, imagined, found, decisions, _ = room[0]
    kernel.act_alone(state, tables, seat, action, imagined, decisions, spare)
    sheet = kernel.sheet_at(seat)
    value = lock_worth(state, tables, seat, imagined, sheet)
    if imagined[kernel.PHASE] == kernel.OVER:
        return value + worth(imagined, sheet, tables)
    best = NEVER
    for option in range(kernel.options(imagined, tables, seat, found, spare)):
        best = max(best, single_worth(imagined, tables, seat, found[option], room))
    return value + best


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: BotBuffers, memory: BotData
) -> int:
    if state[kernel.PHASE] == kernel.TAKE:
        return eager.best_cards(state, tables, seat, actions, count, eager.NEVER, room[0][0])
    both = state[kernel.PHASE] == kernel.WHITE and state[kernel.ACTIVE] == seat
    choice = 0
    best = NEVER
    for option in range(count):
        if both:
            value = pair_worth(state, tables, seat, actions[option], room)
        else:
            value = single_worth(state, tables, seat, actions[option], room)
        if value > best:
            best = value
            choice = option
    return choice


class Evolved(KernelBot):
    """Weighs every sheet it could make and takes the best, locking whenever that is wise."""

    choose = staticmethod(choose)
