"""`eager` always marks when it can: what skips the fewest cells, then the row with more marks, then R Y G B.

With cards it takes the numbers that would skip the fewest cells in the row that suits them best. It plays what skips
the fewest cells in all, then what makes the most marks, then the row with more marks (that of the first mark), then
R Y G B, then with the fewest cards; where nothing can be marked one card, the one that would skip the most.
"""

from rowlock.bots.bot import KernelBot, Room
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints

# How options compare, as one number, smaller is better: cells skipped, marks the row lacks, row (bonus fields
# come after B), and where a bonus leaves a pick the row picked.
SKIP = 1 << 12
PLACES = 1024  # more than there are options
NEVER = 1 << 20  # declining, for whoever always marks
USELESS = 32  # cells skipped by a number that cannot be marked


def rank(state: Ints, tables: Ints, seat: int, action: int, declining: int, room: Room) -> int:
    if action == k.PASS:
        return declining
    if action >= k.PLAY_CARDS:
        return rank_of_play(state, tables, seat, action, declining, room)
    if action >= k.TAKE_CARDS:
        return skipped_by_taken(state, tables, seat, action)
    what = action & k.WHAT_MASK
    sheet = k.sheet_at(seat)
    skip = 0
    if what >= k.FIELD:
        row = k.ROWS + ((what - k.FIELD) >> k.CELL_BITS)
    elif what >= k.LUCKY:
        row = what - k.LUCKY
    else:
        row = (what - k.CELL) >> k.CELL_BITS
        skip = ((what - k.CELL) & k.CELL_MASK) - state[sheet + k.NEXT + row]
    return skip * SKIP + (31 - state[sheet + k.COUNT + row]) * 64 + row * 8 + (action >> k.PICK_BITS)


def skipped(state: Ints, tables: Ints, seat: int, row: int, cell: int) -> int:
    """The cells that a mark would skip."""
    sheet = k.sheet_at(seat)
    if cell < 0 or not k.can_mark(state, sheet, tables, row, cell):
        return USELESS
    return cell - state[sheet + k.NEXT + row]


def skipped_by_taken(state: Ints, tables: Ints, seat: int, action: int) -> int:
    total = 0
    for place in range(k.DISPLAYED):
        if ((action - k.TAKE_CARDS) >> place) & 1 == 1:
            number = state[k.SHOWN + place]
            least = USELESS
            for row in range(k.ROWS):
                least = min(least, skipped(state, tables, seat, row, tables[k.T_AT + row * k.SUMS + number]))
            total += least
    return total


def rank_of_play(state: Ints, tables: Ints, seat: int, action: int, declining: int, room: Room) -> int:
    spare = room[0]
    sheet = k.sheet_at(seat)
    made = k.mark_on_copy(state, sheet, tables, action, spare, 0)
    played = (action - k.PLAY_CARDS) & k.HAND_MASK
    if made == 0:
        return declining + (k.bits(played) - 1) * 64 + 63 - skipped_by_played(state, tables, seat, action, room)
    skip = 0
    before = -1
    for mark in range(made):
        code = spare[k.SPARE_SHEETS + mark]
        row = code >> k.CELL_BITS
        begin = before + 1 if before >> k.CELL_BITS == row else row * k.MAX_CELLS + state[sheet + k.NEXT + row]
        skip += code - begin
        before = code
    first = spare[k.SPARE_SHEETS] >> k.CELL_BITS
    lacks = (k.MOST_PLAYED - made) * 1024 + (31 - state[sheet + k.COUNT + first]) * 32
    return skip * SKIP + lacks + first * 8 + k.bits(played)


def skipped_by_played(state: Ints, tables: Ints, seat: int, action: int, room: Room) -> int:
    """The cells that a single card would skip in the colour it is played as."""
    spare = room[0]
    place = 0
    k.lay_out(state[k.HAND + seat], spare)
    while ((action - k.PLAY_CARDS) >> place) & 1 == 0:
        place += 1
    number = tables[k.T_LOWEST] + spare[k.SPARE_HAND + place] % k.MAX_NUMBERS
    code = tables[k.T_FIRST + ((action - k.PLAY_CARDS) >> k.PLAYED_COLOUR) * k.SUMS + number]
    return skipped(state, tables, seat, code >> k.CELL_BITS, code & k.CELL_MASK) if code >= 0 else USELESS


def best(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, declining: int, room: Room) -> int:
    """The place of the best option, with what declining ranks as."""
    found = rank(state, tables, seat, actions[0], declining, room) * PLACES
    for option in range(1, count):
        found = min(found, rank(state, tables, seat, actions[option], declining, room) * PLACES + option)
    return found & (PLACES - 1)


def choose(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room) -> int:
    return best(state, tables, seat, actions, count, NEVER, room)


class Eager(KernelBot):
    """Marks whenever it can, as far left as it can."""

    choose = staticmethod(choose)
