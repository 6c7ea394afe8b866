"""What an option brings about, as integers: the reasons that a hint gives in words.

The functions are written like the kernel's; the client and the terminal translate the codes.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

# Consequences by their codes, with the names of their values. The names are those of the messages in the catalogues.
CONSEQUENCES = (
    ("misthrow", ("points",)),  # takes a misthrow, which costs so many points
    ("no-misthrow", ("points",)),  # a mark where passing would be a misthrow
    ("locks", ("row",)),
    ("ends-ahead", ("points",)),  # ends the game while the player leads by so many points
    ("ends-equal", ()),  # ends the game while nobody has more points, but another as many
    ("ends-behind", ("points",)),  # ends the game while another leads by so many points
    ("ends", ("points",)),  # ends a solo game with so many points
    ("more-marks", ("marks",)),  # sets off so many further marks
    ("skips", ("cells",)),
    ("skips-none", ()),
    ("lock-near", ("row", "marks")),  # a row can be locked after so many more marks
    ("lock-open", ("row",)),  # with its last number a row can be locked
    ("open", ("numbers", "rows")),  # the bit set of frequent numbers that stay open in most rows, and in how many
    ("card-open", ("number", "rows")),  # a number on cards that are taken, and in how many rows it is open
)
NAMES = tuple(name for name, _ in CONSEQUENCES)
MISTHROW, NO_MISTHROW, LOCKS, ENDS_AHEAD, ENDS_EQUAL, ENDS_BEHIND, ENDS = range(7)
MORE_MARKS, SKIPS, SKIPS_NONE, LOCK_NEAR, LOCK_OPEN, OPEN, CARD_OPEN = range(7, 14)
CONSEQUENCE = 3  # integers of each: code, two values
MAX_CONSEQUENCES = 12
NEAR = 2  # a lock is near if it needs so many more marks, or fewer


def add(out: Ints, count: int, code: int, first: int, second: int) -> int:
    """Append a consequence; return how many there are now."""
    begin = count * CONSEQUENCE
    out[begin] = code
    out[begin + 1] = first
    out[begin + 2] = second
    return count + 1


def skipped_cells(before: Ints, after: Ints, sheet: int, row: int) -> int:
    """How many cells of a row were lost by the marks that were made between two states."""
    begin = before[sheet + kernel.NEXT + row]
    new = (after[sheet + kernel.MARKS + row] & ~before[sheet + kernel.MARKS + row]) >> begin
    return kernel.last_bit(new) + 1 - kernel.bits(new)


def marks_made(before: Ints, after: Ints, sheet: int) -> int:
    """How many marks were made on a sheet between two states; locks do not count."""
    made = 0
    for row in range(kernel.ROWS + kernel.MAX_FIELDS):
        made += kernel.bits(after[sheet + kernel.MARKS + row] & ~before[sheet + kernel.MARKS + row])
    return made + kernel.bits(after[sheet + kernel.SECONDS] & ~before[sheet + kernel.SECONDS])


def write_consequences(
    state: Ints, tables: Ints, seat: int, action: int, after: Ints, decisions: Ints, scratch: Ints, out: Ints
) -> int:
    """Write the consequences of a legal action, if all others pass, to `out`; return how many there are.

    `after` receives the state after the action.
    """
    if kernel.takes_cards(action):
        return add_taken_numbers(state, tables, seat, action, out)
    kernel.act_alone(state, tables, seat, action, after, decisions, scratch)
    sheet = kernel.sheet_at(seat)
    made = marks_made(state, after, sheet)
    count = 0
    if after[sheet + kernel.MISTHROWS] > state[sheet + kernel.MISTHROWS]:
        count = add(out, count, MISTHROW, tables[kernel.T_MISTHROW_COST], 0)
    elif made > 0 and kernel.misthrow_due(state) and (seat == state[kernel.ACTIVE]):
        count = add(out, count, NO_MISTHROW, tables[kernel.T_MISTHROW_COST], 0)
    locked = after[sheet + kernel.LOCKS] & ~state[sheet + kernel.LOCKS]
    for row in range(kernel.ROWS):
        if (locked >> row) & 1 == 1:
            count = add(out, count, LOCKS, row, 0)
    if after[kernel.PHASE] == kernel.OVER:
        return add_end(after, tables, seat, out, count)
    if made > 1 and not kernel.uses_cards(action):
        count = add(out, count, MORE_MARKS, made - 1, 0)
    skipped = 0
    for row in range(kernel.ROWS):
        skipped += skipped_cells(state, after, sheet, row)
    if made > 0:
        count = add(out, count, SKIPS if skipped > 0 else SKIPS_NONE, skipped, 0)
    for row in range(kernel.ROWS):
        missing = kernel.marks_to_lock(after, sheet, tables, row)
        marked = after[sheet + kernel.COUNT + row] > state[sheet + kernel.COUNT + row]
        if marked and missing <= NEAR and not kernel.row_is_closed(after, sheet, tables, row):
            count = add(out, count, LOCK_NEAR if missing > 0 else LOCK_OPEN, row, missing)
    return add_open_numbers(after, sheet, tables, out, count)


def add_end(after: Ints, tables: Ints, seat: int, out: Ints, count: int) -> int:
    """Append who leads at the end of the game."""
    points = kernel.total(after, kernel.sheet_at(seat), tables)
    if after[kernel.PLAYERS] == 1:
        return add(out, count, ENDS, points, 0)
    lead = points - kernel.best_of_others(after, tables, seat)
    code = ENDS_AHEAD if lead > 0 else ENDS_BEHIND if lead < 0 else ENDS_EQUAL
    return add(out, count, code, max(lead, -lead), 0)


def rows_open(state: Ints, sheet: int, tables: Ints, number: int) -> int:
    """In how many rows a number can still be marked."""
    rows = 0
    for row in range(kernel.ROWS):
        cell = tables[kernel.T_AT + row * kernel.SUMS + number]
        rows += (cell >= 0) & (cell >= state[sheet + kernel.NEXT + row])
    return rows


def add_taken_numbers(state: Ints, tables: Ints, seat: int, action: int, out: Ints) -> int:
    """List the numbers on the cards that are taken: nothing else of them is known."""
    count = 0
    for place in range(kernel.DISPLAYED):
        number = state[kernel.DISPLAY_NUMBERS + place]
        listed = (kernel.places_taken(action) >> place) & 1 == 0
        for earlier in range(count):
            listed |= out[earlier * CONSEQUENCE + 1] == number
        if not listed:
            count = add(out, count, CARD_OPEN, number, rows_open(state, kernel.sheet_at(seat), tables, number))
    return count


def add_open_numbers(after: Ints, sheet: int, tables: Ints, out: Ints, count: int) -> int:
    """Append which of the three most frequent white sums stay open in most rows."""
    most = 0
    numbers = 0
    for number in range(tables[kernel.T_FACES], tables[kernel.T_FACES] + 3):
        rows = rows_open(after, sheet, tables, number)
        numbers = (numbers if rows <= most else 0) | ((rows >= most) << number)
        most = max(most, rows)
    if tables[kernel.T_CARDS] == 0 and most > 0:
        return add(out, count, OPEN, numbers, most)
    return count
