"""`evolved` values sheets by coefficients that an evolutionary search found: the best published heuristic.

The value of a sheet is 0.4909 * (sum over open rows of: the chance that the row's next number is the white sum, times
the row's marks + 1) - 0.8692 * misthrows + 0.01846 * (sum of the squares of the rows' marks) - 0.0560 * cells skipped.
The active player picks the best pair of actions. With three misthrows it takes the fourth if that wins. It locks
whenever it can, unless that would end the game while it is behind.

A next cell that cannot be marked yet counts nothing. In games other than Classic, the chance is that of the variant's
white dice. A sheet is valued with all bonuses that a mark triggers. Bonus fields count as marks of both adjacent rows,
up to the cap. Misthrows that cost nothing are ignored, and so are points that bonuses give at the end. In card games
all numbers are equally likely, two locks of one player end the game, and cards are taken as `eager` takes them.

All coefficients are integers here, so that interpreted and compiled decisions are exactly equal.
"""

from rowlock.bots import eager
from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

CHANCE, MISTHROW, SQUARE, SKIPPED = 49090, 86920, 1846, 5600  # the coefficients above, times 100,000
LOST_POINT = MISTHROW // 5  # a misthrow of Classic costs five
LOCK = 1 << 50  # larger than the value of any sheet
WORST = -(1 << 60)  # below every value


def sheet_value(sheets: Ints, sheet: int, tables: Ints) -> int:
    """The value of a sheet, times 100,000, times the number of equally likely announcements."""
    faces = tables[kernel.T_FACES]
    all_ways = tables[kernel.T_NUMBERS] if tables[kernel.T_CARDS] > 0 else faces * faces
    value = LOST_POINT * kernel.misthrow_points(sheets, sheet, tables)  # these points are at most 0
    weighted_ways = 0  # ways in which a row's next number can come up, times the row's marks + 1
    for row in range(kernel.ROWS):
        marks = sheets[sheet + kernel.COUNT + row]
        cell = sheets[sheet + kernel.NEXT + row]
        locked = (sheets[sheet + kernel.LOCKS] >> row) & 1
        if cell < tables[kernel.T_CELLS + row]:
            value -= SKIPPED * (cell - kernel.bits(sheets[sheet + kernel.MARKS + row]))
            if kernel.can_mark(sheets, sheet, tables, row, cell):
                ways = max(0, faces - abs(tables[kernel.T_NUMBER + row * kernel.MAX_CELLS + cell] - faces - 1))
                weighted_ways += (1 if tables[kernel.T_CARDS] > 0 else ways) * (marks + 1)
        elif locked == 1:
            last = tables[kernel.T_CELLS + row] - 1
            while not kernel.is_marked(sheets, sheet, row, last):
                last -= 1
            value -= SKIPPED * (last + 1 - kernel.bits(sheets[sheet + kernel.MARKS + row]))
        counted = kernel.counted_marks(sheets, sheet, tables, row)
        value += SQUARE * counted * counted
    return value * all_ways + CHANCE * weighted_ways


def lock_value(state: Ints, tables: Ints, seat: int, after: Ints, sheet: int) -> int:
    """LOCK if the action locks a row, -LOCK if that also ends the game while the player is behind, else 0."""
    new_locks = after[sheet + kernel.LOCKS] & ~(state[kernel.CLOSED] | state[kernel.sheet_at(seat) + kernel.LOCKS])
    if new_locks == 0:
        return 0
    closed = after[sheet + kernel.LOCKS] | state[kernel.CLOSED]
    if kernel.rows_end_game(tables, closed) and kernel.total(after, sheet, tables) < kernel.best_of_others(
        state, tables, seat
    ):
        return -LOCK
    return LOCK


def single_value(state: Ints, tables: Ints, seat: int, action: int, buffers: BotBuffers) -> int:
    """The value of the sheet after one more action of this turn."""
    scratch, _, _, _, _ = buffers[0]
    marks_made = kernel.mark_on_copy(state, kernel.sheet_at(seat), tables, action, scratch, 0)
    value = lock_value(state, tables, seat, scratch, 0)
    if kernel.misthrow_taken(state, marks_made):
        scratch[kernel.MISTHROWS] += 1
        ends_game = kernel.misthrows_end_game(tables, scratch[kernel.MISTHROWS])
        if ends_game and kernel.total(scratch, 0, tables) > kernel.best_of_others(state, tables, seat):
            value += 2 * LOCK  # better than any lock
    return value + sheet_value(scratch, 0, tables)


def pair_value(state: Ints, tables: Ints, seat: int, action: int, buffers: BotBuffers) -> int:
    """The value of the sheet after a white action and the best colour action that can follow it."""
    scratch, simulated, options, decisions, _ = buffers[0]
    kernel.act_alone(state, tables, seat, action, simulated, decisions, scratch)
    sheet = kernel.sheet_at(seat)
    value = lock_value(state, tables, seat, simulated, sheet)
    if simulated[kernel.PHASE] == kernel.OVER:
        return value + sheet_value(simulated, sheet, tables)
    best = WORST
    for i in range(kernel.options(simulated, tables, seat, options, scratch)):
        best = max(best, single_value(simulated, tables, seat, options[i], buffers))
    return value + best


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    if state[kernel.PHASE] == kernel.TAKE:
        return eager.best_cards(state, tables, seat, actions, count, eager.NEVER, buffers)
    two_actions = state[kernel.PHASE] == kernel.WHITE and state[kernel.ACTIVE] == seat
    choice, best = 0, WORST
    for i in range(count):
        if two_actions:
            value = pair_value(state, tables, seat, actions[i], buffers)
        else:
            value = single_value(state, tables, seat, actions[i], buffers)
        if value > best:
            best = value
            choice = i
    return choice


class Evolved(KernelBot):
    """Takes the best of all sheets that it can make by a heuristic value, and locks unless that loses the game."""

    choose = staticmethod(choose)
