"""The features of a sheet: a short list of indices, the input of the champion's network.

A row is one feature: its next cell together with its marks, or its marks alone once it is closed. So the first layer of
a network is a sum of table rows, one per feature. Features of effects that a variant does not have never occur.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

ROW_STATES = 154  # 136 while a row is open, 18 once it is closed; 153 of a row of bonus fields
OPEN_STATES = 136
EFFECTS = frozenset({"lucky", "bar", "bar_boxes", "pairs", "fields", "cards"})  # those that have features
F_ROW = 0
F_MISTHROWS = F_ROW + (kernel.ROWS + kernel.MAX_FIELDS) * ROW_STATES
F_BAR = F_MISTHROWS + kernel.MISTHROWS_TO_END + 1
F_PAIR = F_BAR + kernel.MAX_BAR + 1  # by gift: the pair is complete
F_CELL = F_PAIR + 8  # by cell: marked, and still needed for a pair or a bonus field
F_LUCKY = F_CELL + kernel.ROWS * kernel.MAX_CELLS
FEATURES = F_LUCKY + 2 * kernel.SUMS
MAX_FEATURES = kernel.ROWS + kernel.MAX_FIELDS + 2 + 8 + kernel.ROWS * kernel.MAX_CELLS + 2

# A seating, relative to a player's seat: number of players, who rolls next, which other player.
SEATINGS = (kernel.MAX_PLAYERS + 1) * kernel.MAX_PLAYERS * kernel.MAX_PLAYERS


def seating_index(players: int, next_roll: int, other: int) -> int:
    return (players * kernel.MAX_PLAYERS + next_roll) * kernel.MAX_PLAYERS + other


def features(state: Ints, tables: Ints, sheet: int, found: Ints, begin: int) -> int:
    """Write the features of a sheet from index `begin` on; returns the index after the last one."""
    count = begin
    for row in range(kernel.ROWS + tables[kernel.T_FIELDS]):
        cell = state[sheet + kernel.NEXT + row]
        marks = state[sheet + kernel.COUNT + row]
        if row < kernel.ROWS and cell == tables[kernel.T_CELLS + row]:
            row_state = OPEN_STATES + marks
        else:
            row_state = cell * (cell + 1) // 2 + marks
        found[count] = F_ROW + row * ROW_STATES + row_state
        count += 1
    found[count] = F_MISTHROWS + state[sheet + kernel.MISTHROWS]
    count += 1
    if tables[kernel.T_CHAINS] != 0:
        found[count] = F_BAR + state[sheet + kernel.BAR_USED]
        count += 1
        for gift in range(1, kernel.BAR):
            found[count] = F_PAIR + gift
            count += (state[sheet + kernel.PAIRS] >> gift) & 1
    if tables[kernel.T_CHAINS] != 0 or tables[kernel.T_FIELDS] > 0:
        count = cell_features(state, tables, sheet, found, count)
    if tables[kernel.T_LUCKY] != 0:
        found[count] = F_LUCKY + state[sheet + kernel.LUCKY_LOW]
        found[count + 1] = F_LUCKY + kernel.SUMS + state[sheet + kernel.LUCKY_HIGH]
        count += 2
    return count


def cell_features(state: Ints, tables: Ints, sheet: int, found: Ints, count: int) -> int:
    """Add marked halves of incomplete pairs, and marked cells next to bonus fields that can still be marked."""
    for row in range(kernel.ROWS):
        marks = state[sheet + kernel.MARKS + row]
        for cell in range(tables[kernel.T_CELLS + row]):
            code = row * kernel.MAX_CELLS + cell
            matters = (tables[kernel.T_PAIR + code] > 0) & (
                (state[sheet + kernel.PAIRS] >> tables[kernel.T_PAIR + code]) & 1 == 0
            )
            for field in range(tables[kernel.T_FIELDS]):
                if row == tables[kernel.T_UPPER + field] or row == tables[kernel.T_LOWER + field]:
                    place = tables[kernel.T_AT + (kernel.ROWS + field) * kernel.SUMS + tables[kernel.T_NUMBER + code]]
                    matters |= place >= state[sheet + kernel.NEXT + kernel.ROWS + field]
            found[count] = F_CELL + code
            count += matters & ((marks >> cell) & 1 == 1)
    return count
