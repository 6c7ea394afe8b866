"""`eager` always marks when it can: what skips the fewest cells, then the row with more marks, then R Y G B.

With cards it takes the numbers that would skip the fewest cells in the row that suits them best. It plays what skips
the fewest cells in all, then what makes the most marks, then the row with more marks (that of the first mark), then
R Y G B, then with the fewest cards; where nothing can be marked one card, the one that would skip the most.
"""

from rowlock.bots.bot import BotBuffers, BotData, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

# How options compare, as one number, smaller is better: cells skipped, marks the row lacks, row (bonus fields
# come after B), and where a bonus leaves a pick the row picked. Declining compares as a number of its own.
SKIP = 1 << 12
PLACES = 1024  # more than there are options
NEVER = 1 << 20  # declining, for whoever always marks
USELESS = 32  # cells skipped by a number that cannot be marked


def rank(state: Ints, seat: int, action: int) -> int:
    sheet = kernel.sheet_at(seat)
    code = kernel.marked_first(state, sheet, action)
    row = kernel.row_of(code)
    skip = (kernel.place_in_row(code) - state[sheet + kernel.NEXT + row]) * (row < kernel.ROWS)
    return skip * SKIP + (31 - state[sheet + kernel.COUNT + row]) * 64 + row * 8 + (action >> kernel.PICK_BITS)


def best(state: Ints, seat: int, actions: Ints, count: int, declining: int) -> int:
    """The place of the best option; the first one declines."""
    found = declining * PLACES
    for option in range(1, count):
        found = min(found, rank(state, seat, actions[option]) * PLACES + option)
    return found & (PLACES - 1)


def best_cards(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, declining: int, spare: Ints) -> int:
    """The place of the best option of whoever takes or plays cards."""
    size = kernel.list_hand(state[kernel.HAND + seat], spare)
    found = 1 << 60
    for option in range(count):
        if actions[option] < kernel.PLAY_CARDS:
            value = skipped_by_taken(state, tables, seat, actions[option] - kernel.TAKE_CARDS)
        else:
            value = rank_of_play(state, tables, seat, actions[option] - kernel.PLAY_CARDS, size, declining, spare)
        found = min(found, value * PLACES + option)
    return found & (PLACES - 1)


def skipped(state: Ints, tables: Ints, seat: int, row: int, cell: int) -> int:
    """The cells that a mark would skip."""
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


def rank_of_play(state: Ints, tables: Ints, seat: int, play: int, size: int, declining: int, spare: Ints) -> int:
    played = play & kernel.HAND_MASK
    marking = (play >> kernel.MARKING) & kernel.HAND_MASK
    colour = play >> kernel.PLAYED_COLOUR
    if marking == 0:
        cells = kernel.cells_of(tables, spare, size, played, played & -played, colour)
        return declining + (kernel.bits(played) - 1) * 64 + 63 - skipped_by_card(state, tables, seat, cells)
    cells = kernel.cells_of(tables, spare, size, played, marking, colour)
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
    """The cells that the mark of a card would skip, given as a bit set of one."""
    if cell <= 0:
        return USELESS
    code = kernel.last_bit(cell)
    return skipped(state, tables, seat, kernel.row_of(code), kernel.place_in_row(code))


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: BotBuffers, memory: BotData
) -> int:
    if actions[0] >= kernel.TAKE_CARDS:
        return best_cards(state, tables, seat, actions, count, NEVER, room[0][0])
    return best(state, seat, actions, count, NEVER)


class Eager(KernelBot):
    """Marks whenever it can, as far left as it can."""

    choose = staticmethod(choose)
