"""Why a player cannot mark a cell, second box, bonus field or swap field: obstacles, as integers.

The functions are written like the kernel's. Most return a bit set of obstacles. Obstacles are numbered in the order in
which one of them is reported to a player: first whose turn it is, then what lasts, then what the next roll changes.
Records report them in another order (`rowlock.rules.explain`). `W_` are the numbers of obstacles.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

W_OVER = 0
W_ROLL = 1
W_TURN = 2
W_DECIDED = 3
W_TAKE = 4
W_MARKED = 5
W_SECOND_MARKED = 6
W_CLOSED = 7
W_LEFT = 8
W_NOT_RIGHTMOST = 9
W_SWAP_USED = 10
W_SWAP_LEFT = 11
W_SWAP_COLOUR = 12
W_SWAP_SUM = 13
W_SWAP_NUMBER = 14
W_SWAP_NONE = 15
W_NO_CARD = 16
W_CARD = 17
W_PLAYED_AS = 18
W_NEEDED = 19
W_GAP = 20
W_TOGETHER = 21
W_BESIDE = 22
W_LUCKY_ROW = 23
W_LUCKY_NEXT = 24
W_SUM = 25
W_ANNOUNCED = 26
W_COLOUR_SUM = 27
W_DIE_GONE = 28
W_FIELD_SUM = 29
W_BESIDE_COLOUR = 30
# Only records can name a second box that is not there, or that of a cell without a mark.
W_NO_SECOND = 31
W_UNMARKED = 32

# What can be reported to a player, by number: the name of the obstacle and those of its values.
OBSTACLES = (
    ("over", ()),
    ("roll", ()),  # the dice are not rolled, or the cards not dealt
    ("turn", ("player",)),  # another player decides
    ("decided", ()),
    ("take", ()),  # cards must be taken first
    ("marked", ()),
    ("second-marked", ()),
    ("closed", ("row", "players")),
    ("left", ("cell",)),  # left of this cell, the rightmost mark
    ("not-rightmost", ("cell",)),  # the second box of this cell, the rightmost mark, could be marked
    ("swap-used", ()),
    ("swap-left", ("field",)),
    ("swap-colour", ()),  # swap fields are used in the white action only
    ("swap-sum", ("number",)),  # the field does not show this white sum
    ("swap-number", ("number",)),  # the field allows this number only
    ("swap-none", ("number",)),  # this number of the field can be marked in no row
    ("no-card", ("colour", "number")),  # no card of the hand has this colour and number
    ("card", ("card",)),  # this card must be chosen first
    ("played-as", ("colour",)),  # the colour of the cards chosen
    ("needed", ("needed", "marks")),
    ("gap", ("count", "allowed")),  # numbers left out between the marks of a play
    ("together", ()),  # not with the other marks of the play
    ("beside", ()),  # no neighbour of a bonus field is marked
    ("lucky-row", ("number",)),
    ("lucky-next", ("number", "cell")),
    ("sum", ("number",)),
    ("announced", ("number",)),
    ("colour-sum", ("colour", "low", "high")),
    ("die-gone", ("colour",)),
    ("field-sum", ("colour", "other")),
    ("beside-colour", ()),  # no marked neighbour of a bonus field has a colour that makes the sum
)
MAX_VALUES = 3

# What a player points at: the code of a cell or bonus field, or SWAP_SPOT + a swap field.
SWAP_SPOT = (kernel.ROWS + kernel.MAX_FIELDS) * kernel.MAX_CELLS


def why_not(
    state: Ints, tables: Ints, player: int, spot: int, swap: int, chosen: int, decided: int, scratch: Ints, out: Ints
) -> int:
    """The obstacle reported to a player who points at `spot`, or -1 if it can be marked; `out` receives its values.

    `swap` is the swap field chosen before, or -1. `chosen` is the action with the cards and marks of the play so far,
    or PASS. `decided` is 1 if the player has made a decision that is not revealed yet.
    """
    sheet = kernel.sheet_at(player)
    found = turn_obstacles(state, player, decided)
    if found == 0:
        if spot >= SWAP_SPOT:
            found = swap_obstacles(state, sheet, tables, spot - SWAP_SPOT)
        elif state[kernel.PHASE] == kernel.COLOUR and tables[kernel.T_CARDS] > 0:
            found = play_obstacles(state, tables, player, spot, chosen, scratch)
        elif swap >= 0:
            found = swapped_obstacles(state, sheet, tables, swap, spot)
        elif kernel.code_is_marked(state, sheet, spot) and has_second(tables, spot):
            found = second_obstacles(state, sheet, tables, spot)
        else:
            found = mark_obstacles(state, sheet, tables, spot)
            if found != 0 and white_sum_is_lucky(state, sheet, tables):
                number = tables[kernel.T_NUMBER + spot]
                if kernel.row_of(spot) < kernel.ROWS and number != state[kernel.NUMBER]:
                    found = lucky_obstacles(state, sheet, tables, spot)
    obstacle = kernel.lowest_bit(found)
    write_values(state, tables, player, spot, swap, chosen, obstacle, scratch, out)
    return obstacle


def turn_obstacles(state: Ints, player: int, decided: int) -> int:
    """Why the player cannot mark anything now."""
    phase = state[kernel.PHASE]
    if phase == kernel.OVER:
        return 1 << W_OVER
    if kernel.waits_for_chance(state):
        return 1 << W_ROLL
    if (kernel.to_act(state) >> player) & 1 == 0:
        return 1 << W_TURN
    return (decided << W_DECIDED) | (int(phase == kernel.TAKE) << W_TAKE)


def mark_obstacles(state: Ints, sheet: int, tables: Ints, code: int) -> int:
    """Why the dice or the announced number do not allow to mark a cell or bonus field."""
    found = place_obstacles(state, sheet, tables, code) | sum_obstacles(state, tables, code)
    if kernel.row_of(code) >= kernel.ROWS:
        found |= beside_obstacles(state, sheet, tables, code)
    return found


def place_obstacles(sheets: Ints, sheet: int, tables: Ints, code: int) -> int:
    """Why a cell or bonus field cannot be marked, whatever the dice or cards are."""
    row = kernel.row_of(code)
    cell = kernel.place_in_row(code)
    found = int(kernel.is_marked(sheets, sheet, row, cell)) << W_MARKED
    if row < kernel.ROWS:
        if kernel.row_is_closed(sheets, sheet, tables, row):
            return found | (1 << W_CLOSED)
        few = kernel.closes(tables, row, cell) & (not kernel.enough_to_close(sheets, sheet, tables, row, 0))
        found |= int(few) << W_NEEDED
    return found | (int(kernel.cell_state(sheets, sheet, row, cell) == kernel.IS_LOST) << W_LEFT)


def sum_obstacles(state: Ints, tables: Ints, code: int) -> int:
    """Whether a number is not the announced one or, in the colour action, no sum of its colour."""
    number = tables[kernel.T_NUMBER + code]
    if state[kernel.PHASE] == kernel.WHITE:
        return int(number != state[kernel.NUMBER]) << (W_ANNOUNCED if tables[kernel.T_CARDS] > 0 else W_SUM)
    if kernel.row_of(code) >= kernel.ROWS:
        for side in range(2):
            neighbour = neighbour_of(tables, code, side)
            if neighbour >= 0 and kernel.makes_sum(state, tables[kernel.T_COLOUR + neighbour], number):
                return 0
        return 1 << W_FIELD_SUM
    colour = tables[kernel.T_COLOUR + code]
    gone = state[kernel.DICE + 2 + colour] == 0
    return int(not kernel.makes_sum(state, colour, number)) << (W_DIE_GONE if gone else W_COLOUR_SUM)


def neighbour_of(tables: Ints, code: int, side: int) -> int:
    """The code of the cell with the same number above (0) or below (1) a bonus field, or -1."""
    field = kernel.row_of(code) - kernel.ROWS
    row = tables[(kernel.T_LOWER if side else kernel.T_UPPER) + field]
    cell = tables[kernel.T_AT + row * kernel.SUMS + tables[kernel.T_NUMBER + code]]
    return row * kernel.MAX_CELLS + cell if cell >= 0 else -1


def beside_obstacles(state: Ints, sheet: int, tables: Ints, code: int) -> int:
    """Whether no neighbour of a bonus field is marked; in the colour action, none whose colour makes the sum."""
    found = W_BESIDE
    for side in range(2):
        neighbour = neighbour_of(tables, code, side)
        if neighbour >= 0 and kernel.code_is_marked(state, sheet, neighbour):
            number = tables[kernel.T_NUMBER + code]
            white = state[kernel.PHASE] == kernel.WHITE
            if white or kernel.makes_sum(state, tables[kernel.T_COLOUR + neighbour], number):
                return 0
            found = W_BESIDE_COLOUR
    return 1 << found


def has_second(tables: Ints, code: int) -> bool:
    """Whether a cell has a second box."""
    return (tables[kernel.T_SECOND] != 0) & (kernel.row_of(code) < kernel.ROWS) & (not kernel.code_closes(tables, code))


def second_obstacles(state: Ints, sheet: int, tables: Ints, code: int) -> int:
    """Why the second box of a cell cannot be marked."""
    row = kernel.row_of(code)
    cell = kernel.place_in_row(code)
    if not has_second(tables, code):
        return 1 << W_NO_SECOND
    found = (place_obstacles(state, sheet, tables, code) & (1 << W_CLOSED)) | sum_obstacles(state, tables, code)
    if kernel.second_is_marked(state, sheet, code):
        return found | (1 << W_SECOND_MARKED)
    if not kernel.code_is_marked(state, sheet, code):
        return found | (1 << W_UNMARKED)
    return found | (int(cell != state[sheet + kernel.NEXT + row] - 1) << W_NOT_RIGHTMOST)


def white_sum_is_lucky(state: Ints, sheet: int, tables: Ints) -> bool:
    lucky = kernel.is_lucky_sum(state, sheet, tables, state[kernel.NUMBER])
    return (state[kernel.PHASE] == kernel.WHITE) & lucky


def lucky_obstacles(state: Ints, sheet: int, tables: Ints, code: int) -> int:
    """Why a lucky white sum does not allow to mark a cell."""
    row = kernel.row_of(code)
    fewest = (kernel.fewest_rows(state, sheet) >> row) & 1
    is_next = kernel.place_in_row(code) == state[sheet + kernel.NEXT + row]
    found = ((1 - fewest) << W_LUCKY_ROW) | (int(not is_next) << W_LUCKY_NEXT)
    return found | place_obstacles(state, sheet, tables, code)


def swap_obstacles(state: Ints, sheet: int, tables: Ints, field: int) -> int:
    """Why a swap field cannot be used."""
    found = field_obstacles(state, sheet, tables, field)
    if found == 0:
        number = swap_number(state, tables, field)
        for row in range(kernel.ROWS):
            if kernel.can_mark(state, sheet, tables, row, tables[kernel.T_AT + row * kernel.SUMS + number]):
                return 0
        found = 1 << W_SWAP_NONE
    return found


def field_obstacles(state: Ints, sheet: int, tables: Ints, field: int) -> int:
    """Why a swap field cannot be used, whatever it would mark."""
    found = int(state[kernel.PHASE] != kernel.WHITE) << W_SWAP_COLOUR
    used = kernel.swap_state(state, sheet, field)
    found |= (int(used == kernel.IS_MARKED) << W_SWAP_USED) | (int(used == kernel.IS_LOST) << W_SWAP_LEFT)
    return found | (int(swap_number(state, tables, field) < 0) << W_SWAP_SUM)


def swap_number(state: Ints, tables: Ints, field: int) -> int:
    """The number that a swap field gives for the white sum, or -1."""
    for side in range(2):
        if tables[kernel.T_SWAP + 2 * field + side] == state[kernel.NUMBER]:
            return tables[kernel.T_SWAP + 2 * field + 1 - side]
    return -1


def swapped_obstacles(state: Ints, sheet: int, tables: Ints, field: int, code: int) -> int:
    """Why a cell cannot be marked with a swap field."""
    found = field_obstacles(state, sheet, tables, field) | place_obstacles(state, sheet, tables, code)
    other = tables[kernel.T_NUMBER + code] != swap_number(state, tables, field)
    return found | (int(other | (kernel.row_of(code) >= kernel.ROWS)) << W_SWAP_NUMBER)


def play_obstacles(state: Ints, tables: Ints, player: int, code: int, chosen: int, scratch: Ints) -> int:
    """Why a cell cannot be marked with the cards chosen so far, in addition to the marks chosen so far."""
    sheet = kernel.sheet_at(player)
    found = place_obstacles(state, sheet, tables, code) & ~(1 << W_NEEDED)
    place = card_for(state, tables, player, code, chosen, scratch)
    if place < 0:
        return found | (1 << W_NO_CARD)
    if not is_chosen(chosen, place):
        return found | (1 << W_CARD)
    if kernel.colour_played(chosen) != tables[kernel.T_COLOUR + code]:
        return found | (1 << W_PLAYED_AS)
    cells = kernel.cells_played(state, tables, player, chosen, scratch) | (1 << code)
    row = kernel.row_of(code)
    marks = kernel.bits(kernel.cells_in_row(cells, row))
    locks = kernel.closing_cells(tables, row, kernel.cells_in_row(cells, row)) != 0
    if locks and not kernel.enough_to_close(state, sheet, tables, row, marks - 1):
        found |= 1 << W_NEEDED
    found |= int(kernel.left_out(kernel.cells_in_row(cells, row)) > tables[kernel.T_GAP]) << W_GAP
    return found | (int(not kernel.can_mark_cells(state, sheet, tables, cells)) << W_TOGETHER)


def is_chosen(chosen: int, place: int) -> bool:
    """Whether the play chosen so far has the card at a place in the hand."""
    return kernel.plays_cards(chosen) and (kernel.cards_played(chosen) >> place) & 1 == 1


def card_for(state: Ints, tables: Ints, player: int, code: int, chosen: int, scratch: Ints) -> int:
    """The place in the hand of a card that can mark a cell, if possible of one that is chosen already, or -1."""
    colour = tables[kernel.T_COLOUR + code]
    number = tables[kernel.T_NUMBER + code]
    size = kernel.list_cards(state[kernel.HAND + player], scratch, kernel.SCRATCH_HAND)
    found = -1
    if tables[kernel.T_FIRST + colour * kernel.SUMS + number] != code:
        return found
    for place in range(size):
        card = scratch[kernel.SCRATCH_HAND + place]
        same_colour = (card // kernel.MAX_NUMBERS == colour) | (card // kernel.MAX_NUMBERS == kernel.JOKER)
        fits = same_colour and tables[kernel.T_LOWEST] + card % kernel.MAX_NUMBERS == number
        if fits and (found < 0 or is_chosen(chosen, place)):
            found = place
    return found


def write_values(
    state: Ints, tables: Ints, player: int, spot: int, swap: int, chosen: int, obstacle: int, scratch: Ints, out: Ints
) -> None:
    """Write the values of an obstacle to `out`, in the order in which `OBSTACLES` names them."""
    sheet = kernel.sheet_at(player)
    for index in range(MAX_VALUES):
        out[index] = 0
    if obstacle == W_TURN:
        out[0] = state[kernel.ACTIVE]
    elif obstacle == W_SWAP_LEFT:
        out[0] = kernel.next_swap(state, sheet) - 1
    elif (obstacle == W_SWAP_NUMBER) | (obstacle == W_SWAP_NONE):
        out[0] = swap_number(state, tables, spot - SWAP_SPOT if spot >= SWAP_SPOT else swap)
    elif obstacle == W_PLAYED_AS:
        out[0] = kernel.colour_played(chosen)
    elif obstacle == W_CARD:
        place = card_for(state, tables, player, spot, chosen, scratch)
        out[0] = scratch[kernel.SCRATCH_HAND + place]
    elif obstacle == W_GAP:
        cells = kernel.cells_played(state, tables, player, chosen, scratch) | (1 << spot)
        out[0] = kernel.left_out(kernel.cells_in_row(cells, kernel.row_of(spot)))
        out[1] = tables[kernel.T_GAP]
    elif (obstacle == W_SUM) | (obstacle == W_ANNOUNCED) | (obstacle == W_SWAP_SUM) | (obstacle == W_LUCKY_ROW):
        out[0] = state[kernel.NUMBER]
    elif obstacle >= 0 and spot < SWAP_SPOT:
        write_cell_values(state, tables, sheet, spot, obstacle, out)


def write_cell_values(state: Ints, tables: Ints, sheet: int, code: int, obstacle: int, out: Ints) -> None:
    """Write the values of an obstacle that are about a cell or bonus field and its row."""
    row = kernel.row_of(code)
    if obstacle == W_CLOSED:
        out[0] = row
        if tables[kernel.T_CARDS] > 0:
            out[1] = 1 << kernel.player_of(sheet)
        else:
            for player in range(state[kernel.PLAYERS]):
                out[1] |= ((state[kernel.sheet_at(player) + kernel.LOCKS] >> row) & 1) << player
    elif obstacle == W_LEFT:
        out[0] = row * kernel.MAX_CELLS + kernel.last_bit(state[sheet + kernel.MARKS + row])
    elif obstacle == W_NOT_RIGHTMOST:
        out[0] = row * kernel.MAX_CELLS + state[sheet + kernel.NEXT + row] - 1
    elif obstacle == W_NEEDED:
        out[0] = tables[kernel.T_NEEDED + row]
        out[1] = state[sheet + kernel.COUNT + row]
    elif obstacle == W_LUCKY_NEXT:
        out[0] = state[kernel.NUMBER]
        out[1] = row * kernel.MAX_CELLS + state[sheet + kernel.NEXT + row]
    elif obstacle == W_NO_CARD:
        out[0] = tables[kernel.T_COLOUR + code]
        out[1] = tables[kernel.T_NUMBER + code]
    elif obstacle == W_DIE_GONE:
        out[0] = tables[kernel.T_COLOUR + code]
    elif obstacle == W_COLOUR_SUM:
        write_sums(state, tables[kernel.T_COLOUR + code], out)
    elif obstacle == W_FIELD_SUM:
        upper = neighbour_of(tables, code, 0)
        lower = neighbour_of(tables, code, 1)
        out[0] = tables[kernel.T_COLOUR + (upper if upper >= 0 else lower)]
        out[1] = tables[kernel.T_COLOUR + (lower if lower >= 0 else upper)]


def write_sums(state: Ints, colour: int, out: Ints) -> None:
    """Write a colour and the two sums, the lower one first, of its die with the white dice."""
    die = state[kernel.DICE + 2 + colour]
    out[0] = colour
    out[1] = die + min(state[kernel.DICE], state[kernel.DICE + 1])
    out[2] = die + max(state[kernel.DICE], state[kernel.DICE + 1])
