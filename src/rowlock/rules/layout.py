"""The layout of the kernel's data: what its sequences of integers hold at which index.

The *tables* are a variant's data (`rowlock.rules.variant` fills them in). The *state* is a game: a head and a sheet per
player. An *action* is a decision as one integer: the mark, plus `PICK` times (row + 1) if rows tie for a bonus and the
player picks one of them. In the card game it says which cards are taken, or which are played and which of them mark.
`docs/actions.md` lists all codes.
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
MAX_FACES = 9  # of a die: a record has one digit for each
SUMS = 2 * MAX_FACES + 1  # of two dice, from 0 on
MISTHROWS_TO_END = 4
MISTHROW_COST = 5
ROWS_TO_END = 2
MAX_TURNS = (ROWS + MAX_FIELDS) * MAX_CELLS + MISTHROWS_TO_END  # of a player: each marks a cell or a misthrow
MAX_LUCKY = 99  # pairs of lucky numbers of a variant
LOWEST_TOTAL, MAX_TOTAL = -MISTHROW_COST * MISTHROWS_TO_END, 4000
MAX_NUMBERS = 12  # of the cards of one colour
JOKER = ROWS  # the colour of a joker until it is played
MAX_CARDS = (ROWS + 1) * MAX_NUMBERS
DISPLAYED = 4
HAND_DEALT, HAND_FULL = 4, 5
MOST_PLAYED = 3

# Phases: what the game waits for. A turn begins with ROLL, where chance acts. With dice WHITE and COLOUR follow, with
# cards TAKE, DRAW (chance fills the display up), WHITE (the announced number) and COLOUR (cards are played).
ROLL, WHITE, COLOUR, OVER, TAKE, DRAW = 0, 1, 2, 3, 4, 5
# Reasons why a game is over.
BY_ROWS, BY_MISTHROWS = 1, 2

# Actions. A cell is marked with CELL + its code (16 * row + place in the row).
PASS = 0
CELL = 1
LUCKY = CELL + ROWS * MAX_CELLS  # + row: that row's next cell
FIELD = LUCKY + ROWS  # + 16 * field row + place: a bonus field
PICK_BITS = 8
PICK, WHAT_MASK = 1 << PICK_BITS, (1 << PICK_BITS) - 1  # codes from FIELD + 48 to here are unused
TAKE_CARDS = PICK * (ROWS + 1)  # + bit set of places in the display
PLAY_CARDS = TAKE_CARDS + (1 << DISPLAYED)  # + bit sets of places in the hand, played and marking, and the colour
MARKING, PLAYED_COLOUR = HAND_FULL, 2 * HAND_FULL  # where the second bit set and the colour begin
HAND_MASK = (1 << HAND_FULL) - 1
ACTIONS = PLAY_CARDS + (ROWS << PLAYED_COLOUR)
MAX_OPTIONS = 520  # five jokers in the hand: 5 x 2 + 10 x 4 + 10 x 8 ways in each of four colours

# Bonuses: what a pair of boxes gives (a variant has each bonus at most once), and the bar.
FEWEST, EACH, DOUBLE, POINTS, SHIELD, BAR = 1, 2, 3, 4, 5, 6

# Tables.
T_FACES = 0  # white, R, Y, G, B
T_CELLS = T_FACES + 5  # cells per row, field rows included
T_CLOSING = T_CELLS + ROWS + MAX_FIELDS  # place of the first closing cell, per row
T_NEEDED = T_CLOSING + ROWS
T_CAP = T_NEEDED + 1
T_LUCKY = T_CAP + 1  # how many pairs of lucky numbers there are
T_CHAINS = T_LUCKY + 1  # whether a mark can set off others
T_BAR_LENGTH = T_CHAINS + 1
T_FIELDS = T_BAR_LENGTH + 1
T_BONUS = T_FIELDS + 1  # how many marks or points each bonus gives
T_NUMBER = T_BONUS + 8  # by cell code, field rows included
T_COLOUR = T_NUMBER + (ROWS + MAX_FIELDS) * MAX_CELLS  # by cell code
T_AT = T_COLOUR + ROWS * MAX_CELLS  # place of a number in a row (field rows included), or -1
T_FIRST = T_AT + (ROWS + MAX_FIELDS) * SUMS  # code of the first cell with a colour and a number, or -1
T_AFTER = T_FIRST + ROWS * SUMS  # code of the next such cell, or -1
T_BOX = T_AFTER + ROWS * MAX_CELLS  # 1 where a cell uses up a box of the bonus bar
T_PAIR = T_BOX + ROWS * MAX_CELLS  # the bonus that the pair of a cell gives, or 0
T_MATE = T_PAIR + ROWS * MAX_CELLS  # code of the other cell of the pair
T_BAR = T_MATE + ROWS * MAX_CELLS  # the row each box of the bar names
T_UPPER = T_BAR + MAX_BAR  # the rows above and below each row of bonus fields
T_LOWER = T_UPPER + MAX_FIELDS
T_CARDS = T_LOWER + MAX_FIELDS  # how many cards there are without jokers; 0 in a game of dice
T_LOWEST = T_CARDS + 1  # the lowest number of a card, and how many numbers there are
T_NUMBERS = T_LOWEST + 1
T_GAP = T_NUMBERS + 1  # how many cells may be left out between marks made with cards
T_LUCKY_PAIRS = T_GAP + 1  # the pairs of lucky numbers, two numbers each
TABLES_SIZE = T_LUCKY_PAIRS + 2 * (MAX_LUCKY + MAX_PLAYERS)  # first those that a game gives its players

# State.
PLAYERS = 0
TURN = 1  # turns completed
PHASE = 2
CLOSED = 3  # bit set of rows
REASON = 4
ACTIVE = 5  # the active player; turn order is the seating order
MARKED = 6  # the active player marked in the white action of this turn
NUMBER = 7  # what everybody may mark in the white action: the sum of the white dice, or the number on top of the pile
DICE = 8  # white, white, R, Y, G, B; 0 for a die that has left the game
# Cards. A card is one number: MAX_NUMBERS * colour + its number - the lowest one. A hand and the discards are bit sets
# of cards. The numbers on the backs of a hand are packed: three bits per number, how many of its cards have it.
PILE = DICE + 6  # cards left in the pile
DRAWN = PILE + 1  # cards drawn from the pile since it was shuffled
DISCARDS = DRAWN + 1
DISPLAY = DISCARDS + 1  # a card + 1 in each place, 0 for none or hidden
DISPLAY_NUMBERS = DISPLAY + DISPLAYED  # the number on the back of each, 0 for none
HAND = DISPLAY_NUMBERS + DISPLAYED  # per player; 0 where hidden
HAND_NUMBERS = HAND + MAX_PLAYERS  # the numbers on the backs of each hand, which everybody sees
JOKERS = HAND_NUMBERS + MAX_PLAYERS  # 1 where jokers are among the cards
SHEETS = JOKERS + 1

# A sheet. Rows 4 to 6 are bonus fields. A closed row has no next cell: NEXT is its number of cells.
MARKS = 0  # bit set of places
NEXT = MARKS + ROWS + MAX_FIELDS
COUNT = NEXT + ROWS + MAX_FIELDS  # marks, the lock's included
LOCKS = COUNT + ROWS + MAX_FIELDS  # bit set of rows locked by this player
MISTHROWS = LOCKS + 1
BAR_USED = MISTHROWS + 1
PAIRS = BAR_USED + 1  # bit set of bonuses whose pair is complete
LUCKY_LOW = PAIRS + 1
LUCKY_HIGH = LUCKY_LOW + 1
SHEET_SIZE = LUCKY_HIGH + 1

# A scratch buffer: sheets to try marks on, then a trail (the codes of the marks made), then a hand.
SCRATCH_TRAIL = ROWS * SHEET_SIZE
SCRATCH_HAND = SCRATCH_TRAIL + ROWS * MAX_CELLS + 1
SCRATCH_SIZE = SCRATCH_HAND + HAND_FULL + 1
SPARE_SIZE = SCRATCH_SIZE  # the name in version 0.1


def state_size(players: int) -> int:
    return SHEETS + players * SHEET_SIZE


def sheet_at(player: int) -> int:
    """The index in the state at which a player's sheet begins."""
    return SHEETS + player * SHEET_SIZE


def copy_state(state: Ints, begin: int, copy: Ints, at: int) -> None:
    """Copy the state at `state[begin]` to `copy[at]`."""
    for place in range(state_size(state[begin + PLAYERS])):
        copy[at + place] = state[begin + place]


def row_of(code: int) -> int:
    """The row of a cell or bonus field."""
    return code >> CELL_BITS


def place_in_row(code: int) -> int:
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
    place = -1
    while number > 0:
        number >>= 1
        place += 1
    return place
