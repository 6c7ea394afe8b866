"""Marks on one sheet: what can be marked, which bonuses a mark sets off, and the points."""

from rowlock.rules.layout import *


def closes(tables: Ints, row: int, cell: int) -> bool:
    """Whether marking a cell locks its row; no bonus field does."""
    return cell >= tables[T_CLOSING + row]


def code_closes(tables: Ints, code: int) -> bool:
    """What `closes` returns, for the code of a cell or bonus field."""
    return closes(tables, row_of(code), place_in_row(code))


def closing_cells(tables: Ints, row: int, cells: int) -> int:
    """Of a bit set of cells of a row, those for which `closes` is true; the first closing cell is bit 0."""
    return cells >> tables[T_CLOSING + row]


def enough_to_close(sheets: Ints, sheet: int, tables: Ints, row: int, more: int) -> bool:
    """Whether a row has the marks that a closing cell needs, after `more` further marks."""
    return sheets[sheet + COUNT + row] + more >= tables[T_NEEDED + row]


def marks_to_lock(sheets: Ints, sheet: int, tables: Ints, row: int) -> int:
    """How many more marks a row needs before a closing cell can be marked; 0 in a closed row."""
    missing = max(0, tables[T_NEEDED + row] - sheets[sheet + COUNT + row])
    return 0 if row_is_closed(sheets, sheet, tables, row) else missing


def can_mark(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int) -> bool:
    """Whether a cell can be marked: in an open row, right of all marks, and a closing cell only after enough marks."""
    allowed = (not closes(tables, row, cell)) | enough_to_close(sheets, sheet, tables, row, 0)
    return (cell >= sheets[sheet + NEXT + row]) & allowed


def can_mark_next(sheets: Ints, sheet: int, tables: Ints, row: int) -> bool:
    cell = sheets[sheet + NEXT + row]
    return (cell < tables[T_CELLS + row]) & can_mark(sheets, sheet, tables, row, cell)


def can_mark_second(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int) -> bool:
    """Whether the second box of a cell can be marked: under the rightmost mark of an open row, which locks nothing."""
    rightmost = (cell >= 0) & (cell == sheets[sheet + NEXT + row] - 1) & (not closes(tables, row, cell))
    return rightmost and not second_is_marked(sheets, sheet, row * MAX_CELLS + cell)


def second_is_marked(sheets: Ints, sheet: int, code: int) -> bool:
    """Whether the second box of a cell is marked."""
    return (sheets[sheet + SECONDS] >> code) & 1 == 1


def is_marked(sheets: Ints, sheet: int, row: int, cell: int) -> bool:
    return cell >= 0 and (sheets[sheet + MARKS + row] >> cell) & 1 == 1


def code_is_marked(sheets: Ints, sheet: int, code: int) -> bool:
    return is_marked(sheets, sheet, row_of(code), place_in_row(code))


def row_is_closed(sheets: Ints, sheet: int, tables: Ints, row: int) -> bool:
    """Whether nothing can be marked in a row any more: it is locked, or closed by another player."""
    return sheets[sheet + NEXT + row] == tables[T_CELLS + row]


def close_row(sheets: Ints, sheet: int, tables: Ints, row: int) -> None:
    """Close a row on one sheet."""
    sheets[sheet + NEXT + row] = tables[T_CELLS + row]


def fewest_rows(sheets: Ints, sheet: int) -> int:
    """The bit set of rows with the fewest marks; closed rows and lock marks count."""
    fewest = sheets[sheet + COUNT]
    for row in range(1, ROWS):
        fewest = min(fewest, sheets[sheet + COUNT + row])
    rows = 0
    for row in range(ROWS):
        rows |= (sheets[sheet + COUNT + row] == fewest) << row
    return rows


def is_lucky(action: int) -> bool:
    """Whether an action marks with a lucky number."""
    first = action & MARK_MASK
    return (first >= LUCKY) & (first < FIELD)


def is_swap(action: int) -> bool:
    """Whether an action marks with a swap field."""
    first = action & MARK_MASK
    return (first >= SWAP) & (first < SECOND)


def is_second(action: int) -> bool:
    """Whether an action marks a second box."""
    return action & MARK_MASK >= SECOND


def row_by_effect(action: int) -> int:
    """The row in which an action marks with a lucky number, a swap field or a second box."""
    first = action & MARK_MASK
    if first < FIELD:
        return first - LUCKY
    return (first - SWAP) % ROWS if first < SECOND else first - SECOND


def swap_field(action: int) -> int:
    """The swap field that an action uses."""
    return ((action & MARK_MASK) - SWAP) // (2 * ROWS)


def swap_side(action: int) -> int:
    """The side of the swap field that shows the white sum: 0 or 1."""
    return ((action & MARK_MASK) - SWAP) // ROWS % 2


def row_picked(action: int) -> int:
    """The row, counted from 1, that an action picks for a bonus for which rows tie; 0 if it picks none."""
    return action >> PICK_BITS


def next_swap(sheets: Ints, sheet: int) -> int:
    """The leftmost swap field that can still be used."""
    return last_bit(sheets[sheet + SWAPS]) + 1


def marked_first(sheets: Ints, sheet: int, tables: Ints, action: int) -> int:
    """The code of the cell or bonus field that an action marks first, before the marks that this sets off.

    For a second box, it is the code of its cell.
    """
    first = action & MARK_MASK
    return first - CELL if first < LUCKY else marked_by_effect(sheets, sheet, tables, action)


def marked_by_effect(sheets: Ints, sheet: int, tables: Ints, action: int) -> int:
    """What `marked_first` returns for actions that only effects allow."""
    first = action & MARK_MASK
    if first >= FIELD and first < SWAP:
        return ROWS * MAX_CELLS + first - FIELD
    row = row_by_effect(action)
    if first < FIELD:
        return row * MAX_CELLS + sheets[sheet + NEXT + row]
    if first < SECOND:
        number = tables[T_SWAP + 2 * swap_field(action) + 1 - swap_side(action)]
        return row * MAX_CELLS + tables[T_AT + row * SUMS + number]
    return row * MAX_CELLS + sheets[sheet + NEXT + row] - 1


def mark(sheets: Ints, sheet: int, tables: Ints, action: int, trail: Ints, begin: int) -> int:
    """Make an action's mark and those it sets off; write their codes to `trail` from index `begin` on; return how many.

    If rows tie for a bonus and the action picks none of them, marking stops and the result is minus the bit set of
    these rows.
    """
    if action & MARK_MASK == PASS:
        return 0
    code = marked_first(sheets, sheet, tables, action)
    trail[begin] = code
    if tables[T_MORE_MARKS] != 0:
        return mark_with_effects(sheets, sheet, tables, action, code, trail, begin)
    mark_cell(sheets, sheet, tables, row_of(code), place_in_row(code))
    return 1


def mark_with_effects(sheets: Ints, sheet: int, tables: Ints, action: int, code: int, trail: Ints, begin: int) -> int:
    """What `mark` does in variants with chains of bonuses, joined cells, swap fields or second boxes."""
    row = row_of(code)
    cell = place_in_row(code)
    if is_second(action):
        mark_second(sheets, sheet, code)
        return 1
    if is_swap(action):
        sheets[sheet + SWAPS] |= 1 << swap_field(action)
    if tables[T_CHAINS] != 0 and row < ROWS:
        return mark_chain(sheets, sheet, tables, row, cell, row_picked(action), trail, begin)
    mark_cell(sheets, sheet, tables, row, cell)
    if tables[T_JOINS] != 0 and row < ROWS:
        return 1 + mark_joined(sheets, sheet, tables, code, trail, begin + 1)
    return 1


def mark_cell(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int) -> None:
    """Mark one cell. With a closing cell, also mark the lock and close the row on this sheet."""
    sheets[sheet + MARKS + row] |= 1 << cell
    sheets[sheet + NEXT + row] = cell + 1
    sheets[sheet + COUNT + row] += 1
    if closes(tables, row, cell):
        sheets[sheet + COUNT + row] += 1
        sheets[sheet + LOCKS] |= 1 << row
        close_row(sheets, sheet, tables, row)


def mark_second(sheets: Ints, sheet: int, code: int) -> None:
    """Mark the second box of a cell; it counts as a mark of the row."""
    sheets[sheet + SECONDS] |= 1 << code
    sheets[sheet + COUNT + row_of(code)] += 1


def mark_joined(sheets: Ints, sheet: int, tables: Ints, code: int, trail: Ints, begin: int) -> int:
    """Mark the cell that is joined to a marked one, wherever it lies; return how many marks were made."""
    joined = tables[T_JOINED + sheets[sheet + KIND] * ROWS * MAX_CELLS + code]
    if joined < 0 or code_is_marked(sheets, sheet, joined):
        return 0
    mark_joined_cell(sheets, sheet, row_of(joined), place_in_row(joined))
    trail[begin] = joined
    return 1


def mark_joined_cell(sheets: Ints, sheet: int, row: int, cell: int) -> None:
    """Mark a cell as the other one of its pair.

    Right of all marks of an open row it is the rightmost mark from then on. A joined cell never locks its row.
    """
    sheets[sheet + MARKS + row] |= 1 << cell
    sheets[sheet + COUNT + row] += 1
    sheets[sheet + NEXT + row] = max(cell + 1, sheets[sheet + NEXT + row])


def bonuses_of(sheets: Ints, sheet: int, tables: Ints, code: int) -> int:
    """The bonuses that marking a cell sets off, packed into three bits each, the next one in the lowest bits."""
    bonuses = BAR * tables[T_BOX + code]
    pair = tables[T_PAIR + code]
    if pair > 0 and code_is_marked(sheets, sheet, tables[T_MATE + code]):
        bonuses = bonuses * 8 + pair
    return bonuses


def mark_chain(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int, pick: int, trail: Ints, begin: int) -> int:
    """Mark a cell and carry out its bonuses in a queue: those that a bonus's marks set off go to the end of the queue.

    `pick` is the row that the player picks, + 1, or 0. Return what `mark` returns.
    The queue is packed into one integer, three bits per bonus, the next one in the lowest bits. It has space for 20,
    which is enough for all that `MAX_BONUS_MARKS` marks of one bonus and one round of the other bonuses set off.
    """
    queue = bonuses_of(sheets, sheet, tables, row * MAX_CELLS + cell)
    mark_cell(sheets, sheet, tables, row, cell)
    made = 1
    while queue > 0:
        bonus = queue & 7
        queue >>= 3
        first = 0  # the bonus marks in the rows from `first` to `last`: in none, unless these are set below
        last = -1
        if bonus == BAR:
            first = next_bar_row(sheets, sheet, tables)
            last = first if first >= 0 else -2  # -2: the bar has no free box, so no row is marked
        elif bonus == EACH:
            last = ROWS - 1
        elif bonus == FEWEST:
            ties = fewest_rows(sheets, sheet)
            if bits(ties) == 1:
                while (ties >> first) & 1 == 0:
                    first += 1
            elif pick == 0:
                return -ties
            else:
                first = pick - 1
            last = first
        if bonus < BAR:
            sheets[sheet + PAIRS] |= 1 << bonus
        for bonus_row in range(first, last + 1):
            for _ in range(tables[T_BONUS + bonus]):
                if can_mark_next(sheets, sheet, tables, bonus_row):
                    cell = sheets[sheet + NEXT + bonus_row]
                    code = bonus_row * MAX_CELLS + cell
                    set_off = bonuses_of(sheets, sheet, tables, code)
                    end = 1  # becomes the power of 8 at which the queue ends
                    while queue >= end:
                        end *= 8
                    queue += set_off * end
                    mark_cell(sheets, sheet, tables, bonus_row, cell)
                    trail[begin + made] = code
                    made += 1
    return made


def next_bar_row(sheets: Ints, sheet: int, tables: Ints) -> int:
    """Use the next free box of the bonus bar and return its row, -1 if there is none; skip boxes of closed rows."""
    row = -1
    box = sheets[sheet + BAR_USED]
    while box < tables[T_BAR_LENGTH] and row < 0:
        row = tables[T_BAR + box]
        if row_is_closed(sheets, sheet, tables, row):
            row = -1
        box += 1
    sheets[sheet + BAR_USED] = box
    return row


# What a player sees of a sheet


def cell_state(sheets: Ints, sheet: int, row: int, cell: int) -> int:
    """The state of a cell or bonus field: left of the last mark it is LOST unless it is marked."""
    if is_marked(sheets, sheet, row, cell):
        return IS_MARKED
    if sheets[sheet + MARKS + row] >> cell != 0:
        return IS_LOST
    return IS_CLOSED if cell < sheets[sheet + NEXT + row] else IS_OPEN


def second_state(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int) -> int:
    """The state of the second box of a cell: open until it cannot be marked any more."""
    if second_is_marked(sheets, sheet, row * MAX_CELLS + cell):
        return IS_MARKED
    state = cell_state(sheets, sheet, row, cell)
    if state == IS_MARKED:
        return IS_OPEN if can_mark_second(sheets, sheet, tables, row, cell) else IS_LOST
    return state


def swap_state(sheets: Ints, sheet: int, field: int) -> int:
    """The state of a swap field: open, marked (used) or lost (skipped)."""
    later = sheets[sheet + SWAPS] >> field
    return IS_MARKED if later & 1 == 1 else IS_LOST if later != 0 else IS_OPEN


def bar_state(sheets: Ints, sheet: int, tables: Ints, box: int) -> int:
    """The state of a box of the bonus bar: open, marked (used) or closed (struck out, as its row is closed)."""
    if box < sheets[sheet + BAR_USED]:
        return IS_MARKED
    return IS_CLOSED if row_is_closed(sheets, sheet, tables, tables[T_BAR + box]) else IS_OPEN


# Points


def counted_marks(sheets: Ints, sheet: int, tables: Ints, row: int) -> int:
    """How many marks count for a row: at most the cap, with the marks in neighbouring bonus fields."""
    count = sheets[sheet + COUNT + row]
    for field in range(tables[T_FIELDS]):
        if row == tables[T_UPPER + field] or row == tables[T_LOWER + field]:
            count += sheets[sheet + COUNT + ROWS + field]
    return min(count, tables[T_CAP])


def row_points(sheets: Ints, sheet: int, tables: Ints, row: int) -> int:
    return tables[T_POINTS + counted_marks(sheets, sheet, tables, row)]


def marked_steps(sheets: Ints, sheet: int, tables: Ints) -> int:
    """How many steps are marked."""
    steps = 0
    for row in range(ROWS):
        steps += bits(sheets[sheet + MARKS + row] & tables[T_STEPS + sheets[sheet + KIND] * ROWS + row])
    return steps


def step_points(tables: Ints, steps: int) -> int:
    """The points of this number of marked steps: those of a row with as many marks."""
    return tables[T_POINTS + min(steps, tables[T_CAP])]


def bonus_points(sheets: Ints, sheet: int, tables: Ints) -> int:
    """The points of the steps and of complete pairs: fixed points, a row with the fewest marks counted once more."""
    if tables[T_STEPPED] != 0:
        return step_points(tables, marked_steps(sheets, sheet, tables)) + pair_points(sheets, sheet, tables)
    return pair_points(sheets, sheet, tables)


def pair_points(sheets: Ints, sheet: int, tables: Ints) -> int:
    complete = sheets[sheet + PAIRS]
    points = tables[T_BONUS + POINTS] * ((complete >> POINTS) & 1)
    if (complete >> DOUBLE) & 1 == 1:
        row = 0
        while (fewest_rows(sheets, sheet) >> row) & 1 == 0:
            row += 1
        points += row_points(sheets, sheet, tables, row)
    return points


def misthrow_points(sheets: Ints, sheet: int, tables: Ints) -> int:
    shielded = (sheets[sheet + PAIRS] >> SHIELD) & 1
    return -tables[T_MISTHROW_COST] * sheets[sheet + MISTHROWS] * (1 - shielded)


def total(sheets: Ints, sheet: int, tables: Ints) -> int:
    points = bonus_points(sheets, sheet, tables) + misthrow_points(sheets, sheet, tables)
    for row in range(ROWS):
        points += row_points(sheets, sheet, tables, row)
    return points
