"""`eager` always marks if it can: the fewest skipped cells first, then the row with more marks, then R Y G B.

With cards it takes the numbers that would skip the fewest cells, each in its best row. It plays the cards that skip
the fewest cells in all, then those that make the most marks, then the row with more marks (of the first mark), then
R Y G B, then the fewest cards. If it can mark nothing it plays the one card that would skip the most cells.
"""

from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

# Options are ranked by one number, smaller is better: cells skipped, marks missing in the row, row (bonus fields
# come after B), and the row picked where a bonus offers a pick. The rank of declining is a parameter.
SKIP = 1 << 12
INDICES = 1024  # more than there are options
NEVER = 1 << 20  # the rank of declining for a bot that always marks
USELESS = 32  # stands for the cells skipped by a number that cannot be marked


def rank(state: Ints, seat: int, action: int) -> int:
    sheet = kernel.sheet_at(seat)
    code = kernel.marked_first(state, sheet, action)
    row = kernel.row_of(code)
    skip = (kernel.place_in_row(code) - state[sheet + kernel.NEXT + row]) * (row < kernel.ROWS)
    return skip * SKIP + (31 - state[sheet + kernel.COUNT + row]) * 64 + row * 8 + (action >> kernel.PICK_BITS)


def best(state: Ints, seat: int, actions: Ints, count: int, declining: int) -> int:
    """The index of the best option; option 0 declines."""
    found = declining * INDICES
    for option in range(1, count):
        found = min(found, rank(state, seat, actions[option]) * INDICES + option)
    return found & (INDICES - 1)


def best_cards(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, declining: int, scratch: Ints) -> int:
    """The index of the best option when cards are taken or played."""
    size = kernel.list_hand(state[kernel.HAND + seat], scratch)
    found = 1 << 60
    for option in range(count):
        if actions[option] < kernel.PLAY_CARDS:
            value = skipped_by_taken(state, tables, seat, actions[option] - kernel.TAKE_CARDS)
        else:
            value = rank_of_play(state, tables, seat, actions[option] - kernel.PLAY_CARDS, size, declining, scratch)
        found = min(found, value * INDICES + option)
    return found & (INDICES - 1)


def skipped(state: Ints, tables: Ints, seat: int, row: int, cell: int) -> int:
    """How many cells a mark would skip."""
    sheet = kernel.sheet_at(seat)
    if cell < 0 or not kernel.can_mark(state, sheet, tables, row, cell):
        return USELESS
    return cell - state[sheet + kernel.NEXT + row]


def skipped_by_taken(state: Ints, tables: Ints, seat: int, places: int) -> int:
    total = 0
    for place in range(kernel.DISPLAYED):
        if (places >> place) & 1 == 1:
            number = state[kernel.DISPLAY_NUMBERS + place]
            least = USELESS
            for row in range(kernel.ROWS):
                least = min(least, skipped(state, tables, seat, row, tables[kernel.T_AT + row * kernel.SUMS + number]))
            total += least
    return total


def rank_of_play(state: Ints, tables: Ints, seat: int, play: int, size: int, declining: int, scratch: Ints) -> int:
    played = play & kernel.HAND_MASK
    marking = (play >> kernel.MARKING) & kernel.HAND_MASK
    colour = play >> kernel.PLAYED_COLOUR
    if marking == 0:
        cells = kernel.cells_of(tables, scratch, size, played, played & -played, colour)
        return declining + (kernel.bits(played) - 1) * 64 + 63 - skipped_by_card(state, tables, seat, cells)
    cells = kernel.cells_of(tables, scratch, size, played, marking, colour)
    sheet = kernel.sheet_at(seat)
    skip = 0
    first = -1
    for row in range(kernel.ROWS):
        here = (cells >> (row * kernel.MAX_CELLS)) & ((1 << kernel.MAX_CELLS) - 1)
        if here > 0:
            first = row if first < 0 else first
            skip += kernel.last_bit(here) + 1 - state[sheet + kernel.NEXT + row] - kernel.bits(here)
    lacks = (kernel.MOST_PLAYED - kernel.bits(marking)) * 1024 + (31 - state[sheet + kernel.COUNT + first]) * 32
    return skip * SKIP + lacks + first * 8 + kernel.bits(played)


def skipped_by_card(state: Ints, tables: Ints, seat: int, cell: int) -> int:
    """How many cells the mark of a card would skip; the cell is a bit set with one element."""
    if cell <= 0:
        return USELESS
    code = kernel.last_bit(cell)
    return skipped(state, tables, seat, kernel.row_of(code), kernel.place_in_row(code))


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    if actions[0] >= kernel.TAKE_CARDS:
        return best_cards(state, tables, seat, actions, count, NEVER, buffers[0][0])
    return best(state, seat, actions, count, NEVER)


class Eager(KernelBot):
    """Marks whenever it can and skips the fewest cells."""

    choose = staticmethod(choose)
