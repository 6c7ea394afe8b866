"""Marks on a sheet without dice: what a sheet allows, whatever was rolled. Written like the kernel's functions.

A roll has one misthrow at the most, of the active player, who marks nothing else in it. Who has marked since the roll
is in `MARKED`: a bit for each player, then a bit for each player who has taken a misthrow.
"""

from rowlock.rules import kernel, obstacles
from rowlock.rules.kernel import Ints

MAX_LOCKED_SETS = 1 << kernel.ROWS

# The obstacles that do not depend on dice.
LASTING = (
    (1 << obstacles.W_MARKED)
    | (1 << obstacles.W_SECOND_MARKED)
    | (1 << obstacles.W_CLOSED)
    | (1 << obstacles.W_LEFT)
    | (1 << obstacles.W_NOT_RIGHTMOST)
    | (1 << obstacles.W_SWAP_USED)
    | (1 << obstacles.W_SWAP_LEFT)
    | (1 << obstacles.W_NEEDED)
    | (1 << obstacles.W_BESIDE)
)


def free_options(state: Ints, tables: Ints, player: int, actions: Ints, scratch: Ints) -> int:
    """Write to `actions` every action of a player for some white sum; return how many there are.

    PASS is a misthrow. It is the last one, if it is there.
    """
    sheet = kernel.sheet_at(player)
    if (state[kernel.PHASE] == kernel.OVER) | has_misthrow(state, player):
        return 0
    count = 0
    for row in range(kernel.ROWS):
        for cell in range(tables[kernel.T_CELLS + row]):
            actions[count] = kernel.CELL + row * kernel.MAX_CELLS + cell
            count += kernel.can_mark(state, sheet, tables, row, cell)
    for number in range(kernel.SUMS):
        count = kernel.more_white_options(state, tables, sheet, number, actions, count)
    if tables[kernel.T_BONUS + kernel.FEWEST] > 0:
        count = kernel.split_by_pick(state, tables, sheet, actions, count, scratch)
    actions[count] = kernel.PASS
    has_marked = (state[kernel.MARKED] >> player) & 1 == 1
    is_full = kernel.misthrows_end_game(tables, state[sheet + kernel.MISTHROWS])
    return count + (not (has_marked | is_full | (misthrows_taken(state) != 0)))


def misthrows_taken(state: Ints) -> int:
    """The bit set of players who have taken a misthrow since the roll."""
    return state[kernel.MARKED] >> kernel.MAX_PLAYERS


def has_misthrow(state: Ints, player: int) -> bool:
    return (misthrows_taken(state) >> player) & 1 == 1


def show_swap(state: Ints, tables: Ints, action: int) -> None:
    """Let the white sum be the one that the swap field of an action exchanges: the notation names it."""
    if kernel.is_swap(action):
        side = 2 * kernel.swap_field(action) + kernel.swap_side(action)
        state[kernel.NUMBER] = tables[kernel.T_SWAP + side]


def locked_by_others(state: Ints, tables: Ints, player: int) -> int:
    """The bit set of rows that others have locked and that are still open on the sheet of a player.

    In a card game a row closes only for the player who locks it.
    """
    rows = 0
    if tables[kernel.T_CARDS] == 0:
        rows = kernel.locked_rows(state)
        for row in range(kernel.ROWS):
            if kernel.row_is_closed(state, kernel.sheet_at(player), tables, row):
                rows &= ~(1 << row)
    return rows


def close_on_sheet(state: Ints, tables: Ints, player: int, rows: int) -> None:
    """Close a bit set of rows on one sheet."""
    for row in range(kernel.ROWS):
        if (rows >> row) & 1 == 1:
            kernel.close_row(state, kernel.sheet_at(player), tables, row)


def doubtful_rows(state: Ints, tables: Ints, player: int, action: int, copy: Ints, scratch: Ints) -> int:
    """The bit set of rows that others have locked, if what an action marks depends on whether they are closed already.

    `copy` is another state, for trying it out.
    """
    locked = locked_by_others(state, tables, player) if action != kernel.PASS else 0
    doubtful = 0
    for closed in range(MAX_LOCKED_SETS):
        if closed & ~locked != 0:
            continue
        for row in range(kernel.ROWS):
            bit = 1 << row
            if locked & bit != 0 and closed & bit == 0:
                before = outcome(state, tables, player, action, closed, copy, scratch, 0)
                after = outcome(state, tables, player, action, closed | bit, copy, scratch, kernel.SHEET_SIZE)
                if before != after or not same_but_next(scratch, 0, kernel.SHEET_SIZE):
                    doubtful |= bit
    return doubtful


def outcome(
    state: Ints, tables: Ints, player: int, action: int, closed: int, copy: Ints, scratch: Ints, begin: int
) -> int:
    """Write the sheet after an action, with a bit set of rows closed, to `scratch`; return what `mark` returns."""
    kernel.copy_state(state, 0, copy, 0)
    close_on_sheet(copy, tables, player, closed)
    return kernel.mark_on_copy(copy, kernel.sheet_at(player), tables, action, scratch, begin)


def same_but_next(sheets: Ints, first: int, second: int) -> bool:
    """Whether two sheets have the same marks and bonuses; in which rows more can be marked does not matter."""
    for index in range(kernel.SHEET_SIZE):
        is_next = (index >= kernel.NEXT) & (index < kernel.COUNT)
        if not is_next and sheets[first + index] != sheets[second + index]:
            return False
    return True


def mark(state: Ints, tables: Ints, player: int, action: int, closed: int, scratch: Ints) -> None:
    """Make the marks of an action, with a bit set of rows closed before; PASS is a misthrow."""
    close_on_sheet(state, tables, player, closed)
    if action == kernel.PASS:
        state[kernel.sheet_at(player) + kernel.MISTHROWS] += 1
        state[kernel.MARKED] |= 1 << (kernel.MAX_PLAYERS + player)
    else:
        state[kernel.MARKED] |= 1 << player
        kernel.mark(state, kernel.sheet_at(player), tables, action, scratch, kernel.SCRATCH_TRAIL)


def new_roll(state: Ints, tables: Ints) -> None:
    """Close the locked rows for everybody, and end the game if enough rows are closed or misthrows taken."""
    for player in range(state[kernel.PLAYERS]):
        kernel.end_by_misthrows(state, tables, kernel.sheet_at(player))
    kernel.close_rows(state, tables)
    state[kernel.MARKED] = 0
    state[kernel.TURN] += 1


def end(state: Ints) -> None:
    """End the game for no other reason than that the players want it."""
    state[kernel.PHASE] = kernel.OVER
    state[kernel.TURN] += 1


def why_not(state: Ints, tables: Ints, player: int, spot: int, scratch: Ints, out: Ints) -> int:
    """The obstacle reported to a player who points at `spot`, whatever was rolled, or -1; `out` receives its values."""
    sheet = kernel.sheet_at(player)
    if state[kernel.PHASE] == kernel.OVER:
        found = 1 << obstacles.W_OVER
    elif spot >= obstacles.SWAP_SPOT:
        found = LASTING & obstacles.swap_obstacles(state, sheet, tables, spot - obstacles.SWAP_SPOT)
    elif kernel.code_is_marked(state, sheet, spot) and obstacles.has_second(tables, spot):
        found = LASTING & obstacles.second_obstacles(state, sheet, tables, spot)
    else:
        found = LASTING & obstacles.mark_obstacles(state, sheet, tables, spot)
    if found == 0:
        found = int(has_misthrow(state, player)) << obstacles.W_DECIDED
    obstacle = kernel.lowest_bit(found)
    obstacles.write_values(state, tables, player, spot, -1, kernel.PASS, obstacle, scratch, out)
    return obstacle
