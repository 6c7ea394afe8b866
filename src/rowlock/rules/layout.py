"""The layout of the kernel's data: what its sequences of integers hold at which index.

The *tables* are a variant's data (`rowlock.rules.variant` fills them in). The *state* is a game: a head and a sheet per
player. An *action* is a decision as one integer: the mark, plus `PICK` times (row + 1) if rows tie for a bonus and the
player picks one of them; in card games, the cards taken, or the cards played and those of them that mark.
`docs/actions.md` lists all actions. In the kernel, `sheet` is the index at which a sheet begins, `cell` is the place of
a cell in its row (0 is leftmost), and `code` is its cell code: 16 * row + cell. Rows 4 to 6 are rows of bonus fields.
"""

from typing import Protocol


class Ints(Protocol):
    """A list of int or an int64 array, which the kernel reads and writes."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


ROWS = 4  # R Y G B
MAX_PLAYERS = 5
MAX_CELLS = 16
CELL_BITS, CELL_MASK = 4, 15
MAX_FIELDS = 3  # rows of bonus fields, each between two neighbouring rows
MAX_BAR = 32
MAX_BONUS_MARKS = 8  # marks that a pair of boxes gives
MAX_FACES = 9  # faces of a die: a record writes each die as one digit
SUMS = 2 * MAX_FACES + 1  # length of a table with an entry for every sum of two dice, 0 included
MAX_SHEETS = 8  # kinds of sheets in a variant
MAX_SWAPS = 10  # swap fields
MAX_MISTHROWS = 8  # misthrows of one player that end the game
MAX_MISTHROW_COST = 20
MAX_CAP = 99  # marks of a row that count
MAX_TURNS = (2 * ROWS + MAX_FIELDS) * MAX_CELLS + MAX_MISTHROWS  # of one player: each turn makes a mark or a misthrow
MAX_LUCKY = 99  # pairs of lucky numbers in a variant
LOWEST_TOTAL, MAX_TOTAL = -MAX_MISTHROW_COST * MAX_MISTHROWS, 4000
MAX_NUMBERS = 12  # different numbers on cards
JOKER = ROWS  # the colour of a joker until it is played
MAX_CARDS = (ROWS + 1) * MAX_NUMBERS
DISPLAYED = 4  # cards in the display
HAND_DEALT, HAND_FULL = 4, 5  # cards in a hand after the deal, and after taking
MOST_PLAYED = 3  # cards that may be played in a turn

# Phases: what the game waits for. A turn begins with ROLL: the dice are rolled, or the turn of a card game begins. In a
# game of dice WHITE and COLOUR follow; in a card game TAKE, DRAW (the display is filled up), WHITE and COLOUR (a play).
ROLL, WHITE, COLOUR, OVER, TAKE, DRAW = 0, 1, 2, 3, 4, 5
# Reasons why a game is over.
BY_ROWS, BY_MISTHROWS = 1, 2

# States of cells and boxes.
IS_OPEN, IS_MARKED, IS_LOST, IS_CLOSED = 0, 1, 2, 3

# Actions. CELL + code marks the cell with that code.
PASS = 0
CELL = 1
LUCKY = CELL + ROWS * MAX_CELLS  # + row: marks the next cell of that row
FIELD = LUCKY + ROWS  # + 16 * (row - 4) + cell: marks a bonus field
SWAP = (
    FIELD + MAX_FIELDS * MAX_CELLS
)  # + 8 * swap field + 4 * side of the white sum + row: marks the other side's number
SECOND = SWAP + 2 * ROWS * MAX_SWAPS  # + row: marks the second box of the rightmost marked cell
PICK_BITS = 8
PICK, MARK_MASK = 1 << PICK_BITS, (1 << PICK_BITS) - 1  # action & MARK_MASK is an action without its pick
TAKE_CARDS = PICK * (ROWS + 1)  # + bit set of the places in the display
PLAY_CARDS = TAKE_CARDS + (1 << DISPLAYED)  # + bit set of cards played + that of cards that mark + colour
MARKING_SHIFT, COLOUR_SHIFT = HAND_FULL, 2 * HAND_FULL  # where the second bit set and the colour begin
HAND_MASK = (1 << HAND_FULL) - 1
ACTIONS = PLAY_CARDS + (ROWS << COLOUR_SHIFT)
MAX_OPTIONS = 520  # with five jokers: 5 x 2 + 10 x 4 + 10 x 8 ways to play in each of four colours

# Bonuses. Pairs of boxes give the first five, and a variant has each at most once. FEWEST: marks in the row with the
# fewest marks. EACH: a mark in every row. DOUBLE: a row with the fewest marks counts twice. POINTS: points. SHIELD:
# misthrows cost nothing. BAR: a mark in the row of the next box of the bonus bar.
FEWEST, EACH, DOUBLE, POINTS, SHIELD, BAR = 1, 2, 3, 4, 5, 6

# Tables.
T_FACES = 0  # faces of each die: white, R, Y, G, B
T_CELLS = T_FACES + 5  # cells per row, bonus fields included
T_CLOSING = T_CELLS + ROWS + MAX_FIELDS  # the first closing cell of each row; of bonus fields, how many there are
T_NEEDED = T_CLOSING + ROWS + MAX_FIELDS  # by row: marks needed before a closing cell
T_CAP = T_NEEDED + ROWS  # the largest number of marks of a row that count
T_MISTHROW_COST = T_CAP + 1
T_MISTHROWS_TO_END = T_MISTHROW_COST + 1  # misthrows of one player that end the game
T_ROWS_TO_END = T_MISTHROWS_TO_END + 1  # closed rows that end the game
T_POINTS = T_ROWS_TO_END + 1  # by number of marks: the points of a row
T_SHEETS = T_POINTS + MAX_CAP + 1  # how many kinds of sheets there are
T_STEPPED = T_SHEETS + 1  # whether sheets have steps
T_JOINS = T_STEPPED + 1  # whether cells are joined
T_SWAPS = T_JOINS + 1  # how many swap fields there are
T_SECOND = T_SWAPS + 1  # whether cells have a second box
T_LUCKY = T_SECOND + 1  # how many pairs of lucky numbers there are
T_MORE_OPTIONS = T_LUCKY + 1  # whether there are options other than cells: lucky numbers, fields, swaps, second boxes
T_MORE_MARKS = (
    T_MORE_OPTIONS + 1
)  # whether an action can do more than mark one cell: chains, joined cells, swaps, boxes
T_CHAINS = T_MORE_MARKS + 1  # whether a mark can set off a chain of bonuses
T_BAR_LENGTH = T_CHAINS + 1
T_FIELDS = T_BAR_LENGTH + 1  # how many rows of bonus fields there are
T_BONUS = T_FIELDS + 1  # how many marks or points each bonus gives
T_NUMBER = T_BONUS + 8  # by code: number of the cell, bonus fields included
T_COLOUR = T_NUMBER + (ROWS + MAX_FIELDS) * MAX_CELLS  # by code: colour of the cell
T_AT = T_COLOUR + ROWS * MAX_CELLS  # by row and number: the cell with that number, or -1
T_FIRST = T_AT + (ROWS + MAX_FIELDS) * SUMS  # by colour and number: code of the first such cell, or -1
T_AFTER = T_FIRST + ROWS * SUMS  # by code: code of the next cell with the same colour and number, or -1
T_BOX = T_AFTER + ROWS * MAX_CELLS  # by code: 1 if marking the cell uses up a box of the bonus bar
T_PAIR = T_BOX + ROWS * MAX_CELLS  # by code: the bonus that the cell's pair gives, or 0
T_MATE = T_PAIR + ROWS * MAX_CELLS  # by code: the code of the other cell of the pair
T_BAR = T_MATE + ROWS * MAX_CELLS  # the row of each box of the bar
T_UPPER = T_BAR + MAX_BAR  # the row above each row of bonus fields
T_LOWER = T_UPPER + MAX_FIELDS  # the row below each
T_CARDS = T_LOWER + MAX_FIELDS  # how many cards there are without jokers; 0 in a game of dice
T_LOWEST = T_CARDS + 1  # the lowest number of a card
T_NUMBERS = T_LOWEST + 1  # how many different numbers cards have
T_GAP = T_NUMBERS + 1  # how many cells may be left out between the marks of one play
T_STEPS = T_GAP + 1  # by kind of sheet and row: bit set of cells that are steps
T_JOINED = T_STEPS + MAX_SHEETS * ROWS  # by kind of sheet and code: the code of the cell joined to it, or -1
T_SWAP = T_JOINED + MAX_SHEETS * ROWS * MAX_CELLS  # two numbers of each swap field
T_LUCKY_PAIRS = T_SWAP + 2 * MAX_SWAPS  # two numbers each; the pairs that `Variant.with_lucky` adds are first
TABLES_SIZE = T_LUCKY_PAIRS + 2 * (MAX_LUCKY + MAX_PLAYERS)

# State.
PLAYERS = 0
TURN = 1  # turns completed
PHASE = 2
CLOSED = 3  # bit set of rows
REASON = 4
ACTIVE = 5  # the active player; turn order is the seating order
MARKED = 6  # 1 if the active player marked in the white action of this turn; without dice see `free_marks`
NUMBER = 7  # all players may mark it in the white action: the sum of the white dice, or the number on top of the pile
DICE = 8  # white, white, R, Y, G, B; 0 for a die that has left the game
DICE_COUNT = 2 + ROWS
# Cards. A card is an integer: MAX_NUMBERS * colour + its number - the lowest number. A hand and the discards are bit
# sets of cards. The numbers on the backs of a hand are packed: three bits per number count the cards that have it.
PILE = DICE + DICE_COUNT  # cards left in the pile
DRAWN = PILE + 1  # cards drawn from the pile since it was shuffled
DISCARDS = DRAWN + 1
DISPLAY = DISCARDS + 1  # by place: the card + 1, or 0 if there is none or it is hidden
DISPLAY_NUMBERS = DISPLAY + DISPLAYED  # by place: the number on the card's back, or 0 if there is none
HAND = DISPLAY_NUMBERS + DISPLAYED  # by player; 0 if hidden
HAND_NUMBERS = HAND + MAX_PLAYERS  # by player: the numbers on the backs, which all players see
JOKERS = HAND_NUMBERS + MAX_PLAYERS  # 1 if the game is played with jokers
SHEETS = JOKERS + 1

# A sheet.
MARKS = 0  # by row: bit set of marked cells
NEXT = MARKS + ROWS + MAX_FIELDS  # by row: the leftmost cell still open; in a closed row, how many cells it has
COUNT = NEXT + ROWS + MAX_FIELDS  # by row: how many marks it has, the lock included
LOCKS = COUNT + ROWS + MAX_FIELDS  # bit set of rows locked by this player
MISTHROWS = LOCKS + 1
BAR_USED = MISTHROWS + 1  # boxes of the bonus bar that are used up or struck out
PAIRS = BAR_USED + 1  # bit set of bonuses whose pair is complete
LUCKY_LOW = PAIRS + 1
LUCKY_HIGH = LUCKY_LOW + 1
KIND = LUCKY_HIGH + 1  # the kind of sheet: 0 is A
SWAPS = KIND + 1  # bit set of swap fields used
SECONDS = SWAPS + 1  # bit set of codes whose second box is marked; bit 63, the sign, is that of a closing cell
SHEET_SIZE = SECONDS + 1

# A scratch buffer: copies of a sheet to try marks on, then a trail (the codes of the marks made), then a hand.
SCRATCH_TRAIL = ROWS * SHEET_SIZE
SCRATCH_HAND = SCRATCH_TRAIL + ROWS * MAX_CELLS + 1
SCRATCH_SIZE = SCRATCH_HAND + HAND_FULL + 1
SPARE_SIZE = SCRATCH_SIZE  # the name in version 0.1


def state_size(players: int) -> int:
    return SHEETS + players * SHEET_SIZE


def sheet_at(player: int) -> int:
    """The index in the state at which a player's sheet begins."""
    return SHEETS + player * SHEET_SIZE


def player_of(sheet: int) -> int:
    """The player whose sheet begins at an index of the state."""
    return (sheet - SHEETS) // SHEET_SIZE


def copy_state(source: Ints, source_begin: int, target: Ints, target_begin: int) -> None:
    """Copy the state that begins at one index of `source` to another index of `target`."""
    for index in range(state_size(source[source_begin + PLAYERS])):
        target[target_begin + index] = source[source_begin + index]


def row_of(code: int) -> int:
    """The row of a cell or bonus field."""
    return code >> CELL_BITS


def place_in_row(code: int) -> int:
    """The `cell` of a code: the place of a cell or bonus field in its row."""
    return code & CELL_MASK


def bits(number: int) -> int:
    """How many bits of a number >= 0 are set. LLVM compiles this loop to one instruction."""
    count = 0
    while number != 0:
        number &= number - 1
        count += 1
    return count


def last_bit(number: int) -> int:
    """The index of the highest bit that is set, or -1."""
    index = -1
    while number > 0:
        number >>= 1
        index += 1
    return index


def lowest_bit(number: int) -> int:
    """The index of the lowest bit that is set, or -1."""
    return last_bit(number & -number)
