"""The features of a sheet: a short list of indices, the input of the champion's network.

Each row gives one feature: its next cell and its number of marks together, or only the marks once it is closed. The
first layer of the network adds up one row of weights per feature. Features of effects that a variant lacks never occur.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

OPEN_STATES = kernel.MAX_CELLS * (kernel.MAX_CELLS + 1) // 2  # of an open row: its next cell, and at most so many marks
ROW_STATES = OPEN_STATES + kernel.MAX_CELLS + 2  # with a state per number of marks once the row is closed
# The effects of a variant that have features.
EFFECTS = frozenset({"lucky", "bar", "pairs", "fields", "cards", "steps", "joined", "swaps", "second"})
MISTHROW_STATES = 5  # a variant that allows more misthrows has features of its own for them
F_ROW = 0
F_MISTHROWS = F_ROW + (kernel.ROWS + kernel.MAX_FIELDS) * ROW_STATES
F_BAR = F_MISTHROWS + MISTHROW_STATES
F_PAIR = F_BAR + kernel.MAX_BAR + 1  # one per bonus (there are fewer than 8): its pair is complete
F_CELL = F_PAIR + 8  # one per cell: it is marked, and still needed for a pair or a bonus field
F_LUCKY = F_CELL + kernel.ROWS * kernel.MAX_CELLS
FEATURES = F_LUCKY + 2 * kernel.SUMS
# Features of later effects. Only the networks of variants that have such effects have weights for them.
F_STEP_ROW = FEATURES  # by kind of sheet, row and next cell: the steps that are still ahead follow from these
F_STEPS = F_STEP_ROW + kernel.MAX_SHEETS * kernel.ROWS * (kernel.MAX_CELLS + 1)  # steps marked, up to 31
F_JOINED = F_STEPS + 32  # by kind of sheet and code: a joined cell is marked
F_JOINED_OPEN = F_JOINED + kernel.MAX_SHEETS * kernel.ROWS * kernel.MAX_CELLS  # it is not, and can be marked itself
F_SWAP = F_JOINED_OPEN + kernel.MAX_SHEETS * kernel.ROWS * kernel.MAX_CELLS  # the next swap field
F_MORE_MISTHROWS = F_SWAP + kernel.MAX_SWAPS + 1
F_SECOND_ROW = F_MORE_MISTHROWS + kernel.MAX_MISTHROWS + 1  # by row, next cell, marks and the rightmost second box
SECOND_MARKS = 2 * kernel.MAX_CELLS + 2  # numbers of marks of a row with second boxes
ALL_FEATURES = F_SECOND_ROW + kernel.ROWS * (kernel.MAX_CELLS + 1) * SECOND_MARKS * 2
MAX_FEATURES = kernel.ROWS + kernel.MAX_FIELDS + 2 + 8 + kernel.ROWS * kernel.MAX_CELLS + 2 + kernel.ROWS + 2 + 64

# A seating is the number of players, and the distances from a player to the active player and to another.
SEATINGS = (kernel.MAX_PLAYERS + 1) * kernel.MAX_PLAYERS * kernel.MAX_PLAYERS


def seating_index(players: int, active_distance: int, other_distance: int) -> int:
    """The index of a seating; distances are counted in seats."""
    return (players * kernel.MAX_PLAYERS + active_distance) * kernel.MAX_PLAYERS + other_distance


def later_features(tables: Ints) -> int:
    """How many features of later effects the network of a variant has weights for."""
    if tables[kernel.T_SECOND] != 0:
        return ALL_FEATURES - FEATURES
    later = tables[kernel.T_STEPPED] + tables[kernel.T_JOINS] + tables[kernel.T_SWAPS]
    more_misthrows = tables[kernel.T_MISTHROWS_TO_END] >= MISTHROW_STATES
    return F_SECOND_ROW - FEATURES if later > 0 or more_misthrows else 0


def features(state: Ints, tables: Ints, sheet: int, out: Ints, begin: int) -> int:
    """Write the features of a sheet from index `begin` on; returns the index after the last one."""
    end = begin
    for row in range(kernel.ROWS + tables[kernel.T_FIELDS]):
        cell = state[sheet + kernel.NEXT + row]
        marks = state[sheet + kernel.COUNT + row]
        if row < kernel.ROWS and kernel.row_is_closed(state, sheet, tables, row):
            row_state = OPEN_STATES + marks
        else:
            row_state = cell * (cell + 1) // 2 + marks
        out[end] = F_ROW + row * ROW_STATES + row_state
        if tables[kernel.T_SECOND] != 0 and row < kernel.ROWS:
            out[end] = second_row_feature(state, tables, sheet, row)
        end += 1
    more_misthrows = tables[kernel.T_MISTHROWS_TO_END] >= MISTHROW_STATES
    out[end] = (F_MORE_MISTHROWS if more_misthrows else F_MISTHROWS) + state[sheet + kernel.MISTHROWS]
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
    if tables[kernel.T_STEPPED] != 0:
        end = step_features(state, tables, sheet, out, end)
    if tables[kernel.T_JOINS] != 0:
        end = joined_features(state, tables, sheet, out, end)
    if tables[kernel.T_SWAPS] > 0:
        out[end] = F_SWAP + kernel.next_swap(state, sheet)
        end += 1
    return end


def second_row_feature(state: Ints, tables: Ints, sheet: int, row: int) -> int:
    """The feature of a row with second boxes: its next cell, its marks, and whether the rightmost box is marked."""
    cell = state[sheet + kernel.NEXT + row]
    boxed = cell > 0 and kernel.second_is_marked(state, sheet, row * kernel.MAX_CELLS + cell - 1)
    marks = min(state[sheet + kernel.COUNT + row], SECOND_MARKS - 1)
    return F_SECOND_ROW + ((row * (kernel.MAX_CELLS + 1) + cell) * SECOND_MARKS + marks) * 2 + boxed


def step_features(state: Ints, tables: Ints, sheet: int, out: Ints, end: int) -> int:
    """Append how many steps are marked, and the kind of sheet with the next cell of each row."""
    out[end] = F_STEPS + min(kernel.marked_steps(state, sheet, tables), 31)
    for row in range(kernel.ROWS):
        line = state[sheet + kernel.KIND] * kernel.ROWS + row
        out[end + 1 + row] = F_STEP_ROW + line * (kernel.MAX_CELLS + 1) + state[sheet + kernel.NEXT + row]
    return end + 1 + kernel.ROWS


def joined_features(state: Ints, tables: Ints, sheet: int, out: Ints, end: int) -> int:
    """Append the joined cells that are marked, and those that can be marked themselves."""
    kind = state[sheet + kernel.KIND] * kernel.ROWS * kernel.MAX_CELLS
    for row in range(kernel.ROWS):
        for cell in range(tables[kernel.T_CLOSING + row]):
            code = row * kernel.MAX_CELLS + cell
            if tables[kernel.T_JOINED + kind + code] >= 0:
                marked = kernel.is_marked(state, sheet, row, cell)
                out[end] = (F_JOINED if marked else F_JOINED_OPEN) + kind + code
                end += marked | (cell >= state[sheet + kernel.NEXT + row])  # else the next feature overwrites this one
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
