"""`eager` always marks when it can: what skips the fewest cells, then the row with more marks, then R Y G B.

With cards it takes the numbers that would skip the fewest cells in the row that suits them best. It plays what skips
the fewest cells in all, then what makes the most marks, then the row with more marks (that of the first mark), then
R Y G B, then with the fewest cards; where nothing can be marked one card, the one that would skip the most.
"""

from rowlock.bots.bot import KernelBot, Memory, Room
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints

# How options compare, as one number, smaller is better: cells skipped, marks the row lacks, row (bonus fields
# come after B), and where a bonus leaves a pick the row picked. Declining compares as a number of its own.
SKIP = 1 << 12
PLACES = 1024  # more than there are options
NEVER = 1 << 20  # declining, for whoever always marks
USELESS = 32  # cells skipped by a number that cannot be marked


def rank(state: Ints, seat: int, action: int) -> int:
    sheet = k.sheet_at(seat)
    code = k.marked_first(state, sheet, action)
    row = k.row_of(code)
    skip = (k.place_in_row(code) - state[sheet + k.NEXT + row]) * (row < k.ROWS)
    return skip * SKIP + (31 - state[sheet + k.COUNT + row]) * 64 + row * 8 + (action >> k.PICK_BITS)


def best(state: Ints, seat: int, actions: Ints, count: int, declining: int) -> int:
    """The place of the best option; the first one declines."""
    found = declining * PLACES
    for option in range(1, count):
        found = min(found, rank(state, seat, actions[option]) * PLACES + option)
    return found & (PLACES - 1)


def best_cards(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, declining: int, spare: Ints) -> int:
    """The place of the best option of whoever takes or plays cards."""
    size = k.lay_out(state[k.HAND + seat], spare)
    found = 1 << 60
    for option in range(count):
        if actions[option] < k.PLAY_CARDS:
            value = skipped_by_taken(state, tables, seat, actions[option] - k.TAKE_CARDS)
        else:
            value = rank_of_play(state, tables, seat, actions[option] - k.PLAY_CARDS, size, declining, spare)
        found = min(found, value * PLACES + option)
    return found & (PLACES - 1)


def skipped(state: Ints, tables: Ints, seat: int, row: int, cell: int) -> int:
    """The cells that a mark would skip."""
    sheet = k.sheet_at(seat)
    if cell < 0 or not k.can_mark(state, sheet, tables, row, cell):
        return USELESS
    return cell - state[sheet + k.NEXT + row]


def skipped_by_taken(state: Ints, tables: Ints, seat: int, places: int) -> int:
    total = 0
    for place in range(k.DISPLAYED):
        if (places >> place) & 1 == 1:
            number = state[k.SHOWN + place]
            least = USELESS
            for row in range(k.ROWS):
                least = min(least, skipped(state, tables, seat, row, tables[k.T_AT + row * k.SUMS + number]))
            total += least
    return total


def rank_of_play(state: Ints, tables: Ints, seat: int, play: int, size: int, declining: int, spare: Ints) -> int:
    played = play & k.HAND_MASK
    marking = (play >> k.MARKING) & k.HAND_MASK
    colour = play >> k.PLAYED_COLOUR
    if marking == 0:
        cells = k.cells_of(tables, spare, size, played, played & -played, colour)
        return declining + (k.bits(played) - 1) * 64 + 63 - skipped_by_card(state, tables, seat, cells)
    cells = k.cells_of(tables, spare, size, played, marking, colour)
    sheet = k.sheet_at(seat)
    skip = 0
    first = -1
    for row in range(k.ROWS):
        here = (cells >> (row * k.MAX_CELLS)) & ((1 << k.MAX_CELLS) - 1)
        if here > 0:
            first = row if first < 0 else first
            skip += k.last_bit(here) + 1 - state[sheet + k.NEXT + row] - k.bits(here)
    lacks = (k.MOST_PLAYED - k.bits(marking)) * 1024 + (31 - state[sheet + k.COUNT + first]) * 32
    return skip * SKIP + lacks + first * 8 + k.bits(played)


def skipped_by_card(state: Ints, tables: Ints, seat: int, cell: int) -> int:
    """The cells that the mark of a card would skip, given as a bit set of one."""
    if cell <= 0:
        return USELESS
    code = k.last_bit(cell)
    return skipped(state, tables, seat, k.row_of(code), k.place_in_row(code))


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    if actions[0] >= k.TAKE_CARDS:
        return best_cards(state, tables, seat, actions, count, NEVER, room[0][0])
    return best(state, seat, actions, count, NEVER)


class Eager(KernelBot):
    """Marks whenever it can, as far left as it can."""

    choose = staticmethod(choose)
