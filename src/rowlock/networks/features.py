"""The features of a sheet: a short list of indices, the input of the champion's network.

Each row gives one feature: its next cell and its number of marks together, or only the marks once it is closed. The
first layer of the network adds up one row of weights per feature. Features of effects that a variant lacks never occur.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

OPEN_STATES = kernel.MAX_CELLS * (kernel.MAX_CELLS + 1) // 2  # of an open row: its next cell, and at most so many marks
ROW_STATES = OPEN_STATES + kernel.MAX_CELLS + 2  # with a state per number of marks once the row is closed
EFFECTS = frozenset({"lucky", "bar", "bar_boxes", "pairs", "fields", "cards"})  # a variant's effects with features
F_ROW = 0
F_MISTHROWS = F_ROW + (kernel.ROWS + kernel.MAX_FIELDS) * ROW_STATES
F_BAR = F_MISTHROWS + kernel.MISTHROWS_TO_END + 1
F_PAIR = F_BAR + kernel.MAX_BAR + 1  # one per bonus (there are fewer than 8): its pair is complete
F_CELL = F_PAIR + 8  # one per cell: it is marked, and still needed for a pair or a bonus field
F_LUCKY = F_CELL + kernel.ROWS * kernel.MAX_CELLS
FEATURES = F_LUCKY + 2 * kernel.SUMS
MAX_FEATURES = kernel.ROWS + kernel.MAX_FIELDS + 2 + 8 + kernel.ROWS * kernel.MAX_CELLS + 2

# A seating is the number of players, and the distances from a player to the active player and to another.
SEATINGS = (kernel.MAX_PLAYERS + 1) * kernel.MAX_PLAYERS * kernel.MAX_PLAYERS


def seating_index(players: int, active_distance: int, other_distance: int) -> int:
    """The index of a seating; distances are counted in seats."""
    return (players * kernel.MAX_PLAYERS + active_distance) * kernel.MAX_PLAYERS + other_distance


def features(state: Ints, tables: Ints, sheet: int, out: Ints, begin: int) -> int:
    """Write the features of a sheet from index `begin` on; returns the index after the last one."""
    end = begin
    for row in range(kernel.ROWS + tables[kernel.T_FIELDS]):
        cell = state[sheet + kernel.NEXT + row]
        marks = state[sheet + kernel.COUNT + row]
        if row < kernel.ROWS and cell == tables[kernel.T_CELLS + row]:
            row_state = OPEN_STATES + marks
        else:
            row_state = cell * (cell + 1) // 2 + marks
        out[end] = F_ROW + row * ROW_STATES + row_state
        end += 1
    out[end] = F_MISTHROWS + state[sheet + kernel.MISTHROWS]
    end += 1
    if tables[kernel.T_CHAINS] != 0:
        out[end] = F_BAR + state[sheet + kernel.BAR_USED]
        end += 1
        for bonus in range(1, kernel.BAR):
            out[end] = F_PAIR + bonus
            end += (state[sheet + kernel.PAIRS] >> bonus) & 1  # else the next feature overwrites this one
    if tables[kernel.T_CHAINS] != 0 or tables[kernel.T_FIELDS] > 0:
        end = cell_features(state, tables, sheet, out, end)
    if tables[kernel.T_LUCKY] != 0:
        out[end] = F_LUCKY + state[sheet + kernel.LUCKY_LOW]
        out[end + 1] = F_LUCKY + kernel.SUMS + state[sheet + kernel.LUCKY_HIGH]
        end += 2
    return end


def cell_features(state: Ints, tables: Ints, sheet: int, out: Ints, end: int) -> int:
    """Append marked halves of incomplete pairs, and marked cells next to bonus fields that can still be marked."""
    for row in range(kernel.ROWS):
        marks = state[sheet + kernel.MARKS + row]
        for cell in range(tables[kernel.T_CELLS + row]):
            code = row * kernel.MAX_CELLS + cell
            needed = (tables[kernel.T_PAIR + code] > 0) & (
                (state[sheet + kernel.PAIRS] >> tables[kernel.T_PAIR + code]) & 1 == 0
            )
            for field in range(tables[kernel.T_FIELDS]):
                if row == tables[kernel.T_UPPER + field] or row == tables[kernel.T_LOWER + field]:
                    index = tables[kernel.T_AT + (kernel.ROWS + field) * kernel.SUMS + tables[kernel.T_NUMBER + code]]
                    needed |= index >= state[sheet + kernel.NEXT + kernel.ROWS + field]
            out[end] = F_CELL + code
            end += needed & ((marks >> cell) & 1 == 1)  # else the next feature overwrites this one
    return end
