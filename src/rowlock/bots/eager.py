"""`eager` always marks when it can: what skips the fewest cells, then the row with more marks, then R Y G B."""

from rowlock.bots.bot import KernelBot, Memory, Room
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints

# How options compare, as one number, smaller is better: cells skipped, marks the row lacks, row (bonus fields
# come after B), and where a bonus leaves a pick the row picked.
SKIP = 1 << 12
PLACES = 256  # more than there are options
NOTHING = 1 << 40


def rank(state: Ints, seat: int, action: int) -> int:
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


def best(state: Ints, seat: int, actions: Ints, count: int) -> int:
    """The best rank times PLACES plus the place of its option; NOTHING where there is only the pass, at place 0."""
    found = NOTHING
    for option in range(1, count):
        found = min(found, rank(state, seat, actions[option]) * PLACES + option)
    return found


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    return best(state, seat, actions, count) & (PLACES - 1)


class Eager(KernelBot):
    """Marks whenever it can, as far left as it can."""

    choose = staticmethod(choose)
