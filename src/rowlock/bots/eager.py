"""`eager` always marks if it can: it prefers the fewest skipped cells, then the row with more marks, then R Y G B.

In card games it takes the numbers that would skip the fewest cells, each in its best row. It prefers to play cards that
skip the fewest cells in all, then that make the most marks, then (for the first mark) the row with more marks, then R Y
G B, then the fewest cards. If it can mark nothing, it plays the one card that would skip the most cells.
"""

from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

# Actions have a rank, of which the smallest is the best. It is made of the cells skipped, the marks missing in the row,
# the row (bonus fields come after B), and the row picked if a bonus offers a choice. `declining` is the rank of a pass.
# Each part is multiplied by a number that is larger than all that later parts can add up to.
SKIP = 1 << 12  # the factor of the cells skipped
INDICES = 1024  # more than any number of actions: rank * INDICES + index puts an action's index after its rank
NEVER = 1 << 20  # the rank of a pass for a bot that always marks
USELESS = 32  # stands for the cells skipped by a number that cannot be marked


def rank(state: Ints, tables: Ints, seat: int, action: int) -> int:
    """The rank of a mark; marks missing in its row are counted up to 31. A second box skips one cell less than none."""
    sheet = kernel.sheet_at(seat)
    code = kernel.marked_first(state, sheet, tables, action)
    row = kernel.row_of(code)
    skip = (kernel.place_in_row(code) - state[sheet + kernel.NEXT + row]) * (row < kernel.ROWS)
    return skip * SKIP + (31 - state[sheet + kernel.COUNT + row]) * 64 + row * 8 + kernel.row_picked(action)


def best(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, declining: int, buffers: BotBuffers) -> int:
    """The index of the best action; index 0 is a pass, except where cards are taken or played."""
    if kernel.uses_cards(actions[0]):
        return best_cards(state, tables, seat, actions, count, declining, buffers)
    smallest = declining * INDICES
    for i in range(1, count):
        smallest = min(smallest, rank(state, tables, seat, actions[i]) * INDICES + i)
    return smallest & (INDICES - 1)  # the index that was put after the rank


def best_cards(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, declining: int, buffers: BotBuffers
) -> int:
    """The index of the best action when cards are taken or played."""
    scratch, _, _, _, _ = buffers[0]
    hand_size = kernel.list_cards(state[kernel.HAND + seat], scratch, kernel.SCRATCH_HAND)
    smallest = 1 << 60  # above every rank
    for i in range(count):
        if kernel.takes_cards(actions[i]):
            value = skipped_by_taken(state, tables, seat, kernel.places_taken(actions[i]))
        else:
            value = rank_of_play(state, tables, seat, actions[i], hand_size, declining, scratch)
        smallest = min(smallest, value * INDICES + i)
    return smallest & (INDICES - 1)


def skipped(state: Ints, tables: Ints, seat: int, row: int, cell: int) -> int:
    """How many cells a mark would skip; USELESS if the mark is impossible."""
    sheet = kernel.sheet_at(seat)
    if cell < 0 or not kernel.can_mark(state, sheet, tables, row, cell):
        return USELESS
    return cell - state[sheet + kernel.NEXT + row]


def skipped_by_taken(state: Ints, tables: Ints, seat: int, taken: int) -> int:
    """How many cells the numbers taken from the display would skip; `taken` is a bit set of indices."""
    total = 0
    for i in range(kernel.DISPLAYED):
        if (taken >> i) & 1 == 1:
            number = state[kernel.DISPLAY_NUMBERS + i]
            least = USELESS
            for row in range(kernel.ROWS):
                least = min(least, skipped(state, tables, seat, row, tables[kernel.T_AT + row * kernel.SUMS + number]))
            total += least
    return total


def rank_of_play(
    state: Ints, tables: Ints, seat: int, action: int, hand_size: int, declining: int, scratch: Ints
) -> int:
    """The rank of playing cards; the scratch buffer has the hand from SCRATCH_HAND on."""
    played, marking, colour = kernel.cards_played(action), kernel.cards_marking(action), kernel.colour_played(action)
    if marking == 0:  # the fewest cards are the best, then the most cells that the first card would skip
        first_card = played & -played  # the lowest bit of the set
        cells = kernel.cells_of(tables, scratch, hand_size, played, first_card, colour)
        return declining + (kernel.bits(played) - 1) * 64 + 63 - skipped_by_card(state, tables, seat, cells)
    cells = kernel.cells_of(tables, scratch, hand_size, played, marking, colour)
    sheet = kernel.sheet_at(seat)
    skip, first_row = 0, -1  # cells skipped, row of the first mark
    for row in range(kernel.ROWS):
        in_row = kernel.cells_in_row(cells, row)
        if in_row > 0:
            first_row = row if first_row < 0 else first_row
            skip += kernel.last_bit(in_row) + 1 - state[sheet + kernel.NEXT + row] - kernel.bits(in_row)
    missing_in_play = kernel.MOST_PLAYED - kernel.bits(marking)
    missing_in_row = 31 - state[sheet + kernel.COUNT + first_row]
    return skip * SKIP + missing_in_play * 1024 + missing_in_row * 32 + first_row * 8 + kernel.bits(played)


def skipped_by_card(state: Ints, tables: Ints, seat: int, cell: int) -> int:
    """How many cells a card's mark would skip; `cell` is a bit set with one cell, or 0 or less if there is none."""
    if cell <= 0:
        return USELESS
    code = kernel.last_bit(cell)
    return skipped(state, tables, seat, kernel.row_of(code), kernel.place_in_row(code))


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    return best(state, tables, seat, actions, count, NEVER, buffers)


class Eager(KernelBot):
    """Marks whenever it can and skips the fewest cells."""

    choose = staticmethod(choose)
