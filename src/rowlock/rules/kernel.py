"""The rules of the family, stated once, over plain integers.

CPython runs these functions on lists, Numba compiles the very same source for flat int64 arrays (`rowlock.fast`). So
the code keeps to named offsets into flat sequences: no slices, no objects, computed conditions rather than branches.


Three sequences meet here. The *tables* are a variant's data (`rowlock.rules.variant` fills them in). The *state* is a
game: a head and a sheet per player. An *action* is a decision as one integer: what is marked, plus `PICK` times
(row + 1) where rows tie for a bonus and the player picks one of them; in the card game also which cards are taken, or
which are played and which of them mark. `docs/actions.md` lists all codes.
"""

from typing import Protocol


class Ints(Protocol):
    """What the kernel reads and writes: a list of int, or an int64 array."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


ROWS = 4  # R Y G B
MAX_PLAYERS = 5
MAX_CELLS = 16
CELL_BITS, CELL_MASK = 4, 15
MAX_FIELDS = 3  # rows of bonus fields, each between two neighbouring rows
MAX_BAR = 32
MAX_GIFT = 8  # marks that a pair gives
SUMS = 19  # two dice of nine faces give 18 at the most
MISTHROWS_TO_END = 4
MISTHROW_COST = 5
ROWS_TO_END = 2
MAX_LUCKY = 99  # pairs of lucky numbers that a variant has
LOWEST_TOTAL, MAX_TOTAL = -MISTHROW_COST * MISTHROWS_TO_END, 4000
MAX_NUMBERS = 12  # of the cards of one colour
JOKER = ROWS  # the colour of a joker until it is played
MAX_CARDS = (ROWS + 1) * MAX_NUMBERS
DISPLAYED = 4
HAND_DEALT, HAND_FULL = 4, 5
MOST_PLAYED = 3

# Phases: what the game waits for. A turn begins with chance: the dice are rolled, or the cards lie ready. With cards
# it goes on with TAKE, DRAW (chance fills the display up), WHITE (the announced number) and COLOUR (cards are played).
ROLL, WHITE, COLOUR, OVER, TAKE, DRAW = 0, 1, 2, 3, 4, 5
# Reasons why a game is over.
RUNNING, BY_ROWS, BY_MISTHROWS = 0, 1, 2

# Actions. A cell is marked with CELL + its code (16 * row + place in the row).
PASS = 0
CELL = 1
LUCKY = CELL + ROWS * MAX_CELLS  # + row: that row's next cell
FIELD = LUCKY + ROWS  # + 16 * field row + place: a bonus field
PICK_BITS = 8
PICK, WHAT_MASK = 1 << PICK_BITS, (1 << PICK_BITS) - 1  # codes from FIELD + 48 up to here are free for further effects
TAKE_CARDS = PICK * (ROWS + 1)  # + bit set of places in the display
PLAY_CARDS = TAKE_CARDS + (1 << DISPLAYED)  # + bit sets of places in the hand, played and marking, and the colour
MARKING, PLAYED_COLOUR = HAND_FULL, 2 * HAND_FULL  # where the second bit set and the colour begin
HAND_MASK = (1 << HAND_FULL) - 1
ACTIONS = PLAY_CARDS + (ROWS << PLAYED_COLOUR)
MAX_OPTIONS = 520  # five jokers in the hand: 5 x 2 + 10 x 4 + 10 x 8 ways in each of four colours
SCRATCH = 8192  # fractions that a bot may note down while it thinks
THOUGHTS = 4 * MAX_OPTIONS  # room for options, several times over
WISHES = 4 * MAX_PLAYERS  # and for decisions

# Bonuses: what a pair of boxes gives (a variant has each gift at most once), and the bar.
FEWEST, EACH, DOUBLE, POINTS, SHIELD, BAR = 1, 2, 3, 4, 5, 6

# Tables.
T_FACES = 0  # white, R, Y, G, B
T_CELLS = T_FACES + 5  # cells per row, field rows included
T_CLOSING = T_CELLS + ROWS + MAX_FIELDS  # place of the first cell that closes, per row
T_NEEDED = T_CLOSING + ROWS
T_CAP = T_NEEDED + 1
T_LUCKY = T_CAP + 1  # how many pairs of lucky numbers there are
T_CHAINS = T_LUCKY + 1  # whether a mark can set off others
T_BAR_LENGTH = T_CHAINS + 1
T_FIELDS = T_BAR_LENGTH + 1
T_GIFT = T_FIELDS + 1  # how much a gift gives: marks, or points
T_NUMBER = T_GIFT + 8  # by cell code, field rows included
T_COLOUR = T_NUMBER + (ROWS + MAX_FIELDS) * MAX_CELLS  # by cell code
T_AT = T_COLOUR + ROWS * MAX_CELLS  # place of a number in a row (field rows included), or -1
T_FIRST = T_AT + (ROWS + MAX_FIELDS) * SUMS  # code of the first cell with a colour and a number, or -1
T_AFTER = T_FIRST + ROWS * SUMS  # code of the next such cell, or -1
T_BOX = T_AFTER + ROWS * MAX_CELLS  # 1 where a cell uses up a box of the bonus bar
T_PAIR = T_BOX + ROWS * MAX_CELLS  # the gift a cell is one half of, or 0
T_MATE = T_PAIR + ROWS * MAX_CELLS  # code of the other half
T_BAR = T_MATE + ROWS * MAX_CELLS  # the row each box of the bar names
T_UPPER = T_BAR + MAX_BAR  # the rows above and below each row of bonus fields
T_LOWER = T_UPPER + MAX_FIELDS
T_CARDS = T_LOWER + MAX_FIELDS  # how many cards there are; 0 in a game of dice
T_LOWEST = T_CARDS + 1  # the lowest number of a card, and how many numbers there are
T_NUMBERS = T_LOWEST + 1
T_GAP = T_NUMBERS + 1  # how many cells may be left out between marks made with cards
T_LUCKY_PAIRS = T_GAP + 1  # the pairs of lucky numbers, two numbers each
TABLES_SIZE = T_LUCKY_PAIRS + 2 * (MAX_LUCKY + MAX_PLAYERS)  # those of a game may come before the printed ones

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
# of cards. What everybody sees of hands is packed as three bits per number, how many cards of it there are.
PILE = DICE + 6  # cards left in the pile
DRAWN = PILE + 1  # cards drawn from the pile since it was shuffled
DISCARDS = DRAWN + 1
DISPLAY = DISCARDS + 1  # a card + 1 in each place, 0 for none or hidden
SHOWN = DISPLAY + DISPLAYED  # the numbers on their backs
HAND = SHOWN + DISPLAYED  # per player; 0 where hidden
HELD = HAND + MAX_PLAYERS  # the numbers on the backs of a hand
SHEETS = HELD + MAX_PLAYERS

# A sheet. Rows 4 to 6 are bonus fields. A closed row has no next cell: NEXT is its number of cells.
MARKS = 0  # bit set of places
NEXT = MARKS + ROWS + MAX_FIELDS
COUNT = NEXT + ROWS + MAX_FIELDS  # marks, the lock's included
LOCKS = COUNT + ROWS + MAX_FIELDS  # bit set of rows locked by this player
MISTHROWS = LOCKS + 1
BAR_USED = MISTHROWS + 1
PAIRS = BAR_USED + 1  # bit set of gifts whose pair is complete
LUCKY_LOW = PAIRS + 1
LUCKY_HIGH = LUCKY_LOW + 1
SHEET_SIZE = LUCKY_HIGH + 1

SPARE_SHEETS = ROWS * SHEET_SIZE
SPARE_HAND = SPARE_SHEETS + ROWS * MAX_CELLS + 1
SPARE_SIZE = SPARE_HAND + HAND_FULL + 1  # room for sheets to try things on, then for a trail of marks, then for a hand


def state_size(players: int) -> int:
    return SHEETS + players * SHEET_SIZE


def sheet_at(player: int) -> int:
    """Where a player's sheet begins in the state."""
    return SHEETS + player * SHEET_SIZE


def start(state: Ints, tables: Ints, players: int) -> None:
    """Lay out empty sheets, with the first pairs of lucky numbers where there are any."""
    for place in range(state_size(players)):
        state[place] = 0
    state[PLAYERS] = players
    deal_lucky(state, tables, 0)


def deal_lucky(state: Ints, tables: Ints, first: int) -> None:
    """Deal pairs of lucky numbers in the variant's order, beginning with this one."""
    if tables[T_LUCKY] > 0:
        for player in range(state[PLAYERS]):
            pair = T_LUCKY_PAIRS + 2 * ((first + player) % tables[T_LUCKY])
            set_lucky(state, player, tables[pair], tables[pair + 1])


def set_lucky(state: Ints, player: int, low: int, high: int) -> None:
    state[sheet_at(player) + LUCKY_LOW] = low
    state[sheet_at(player) + LUCKY_HIGH] = high


# Who is to act


def to_act(state: Ints) -> int:
    """The bit set of players whose decision the game waits for."""
    if state[PHASE] == WHITE:
        return (1 << state[PLAYERS]) - 1
    if state[PHASE] == COLOUR or state[PHASE] == TAKE:
        return 1 << state[ACTIVE]
    return 0


def waits_for_chance(state: Ints) -> bool:
    return (state[PHASE] == ROLL) | (state[PHASE] == DRAW)


def misthrow_due(state: Ints) -> bool:
    """Whether the active player takes a misthrow by marking nothing now."""
    return (state[PHASE] == COLOUR) & (state[MARKED] == 0)


def next_player(player: int, players: int) -> int:
    """Turn order is the seating order."""
    return 0 if player + 1 == players else player + 1


def next_turn(state: Ints) -> None:
    """The turn is over, the next roll is open."""
    state[PHASE] = ROLL
    state[TURN] += 1
    state[ACTIVE] = next_player(state[ACTIVE], state[PLAYERS])


def roll(state: Ints, dice: Ints) -> None:
    """Chance acts: the dice still in the game are rolled."""
    state[DICE] = dice[0]
    state[DICE + 1] = dice[1]
    state[NUMBER] = dice[0] + dice[1]
    for row in range(ROWS):
        state[DICE + 2 + row] = dice[2 + row] * (1 - ((state[CLOSED] >> row) & 1))
    state[PHASE] = WHITE
    state[MARKED] = 0


def can_mark(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int) -> bool:
    """Marks go from left to right; a closing cell needs enough marks before it; a closed row has no next cell."""
    early = cell < tables[T_CLOSING + row]
    return (cell >= sheets[sheet + NEXT + row]) & (early | (sheets[sheet + COUNT + row] >= tables[T_NEEDED]))


def can_mark_next(sheets: Ints, sheet: int, tables: Ints, row: int) -> bool:
    cell = sheets[sheet + NEXT + row]
    return (cell < tables[T_CELLS + row]) & can_mark(sheets, sheet, tables, row, cell)


def row_of(code: int) -> int:
    """The row of a cell or bonus field."""
    return code >> CELL_BITS


def place_in_row(code: int) -> int:
    return code & CELL_MASK


def is_marked(sheets: Ints, sheet: int, row: int, cell: int) -> bool:
    return cell >= 0 and (sheets[sheet + MARKS + row] >> cell) & 1 == 1


def fewest_rows(sheets: Ints, sheet: int) -> int:
    """The bit set of rows with the fewest marks; closed rows and lock marks count."""
    fewest = sheets[sheet + COUNT]
    for row in range(1, ROWS):
        fewest = min(fewest, sheets[sheet + COUNT + row])
    rows = 0
    for row in range(ROWS):
        rows |= (sheets[sheet + COUNT + row] == fewest) << row
    return rows


# What is legal


def options(state: Ints, tables: Ints, player: int, found: Ints, spare: Ints) -> int:
    """List every legal action of a player who is to act and return how many there are.

    Passing comes first; whoever must take or play cards finds a choice there that marks nothing.
    """
    sheet = sheet_at(player)
    found[0] = PASS
    if state[PHASE] == WHITE:
        count = white_options(state, tables, sheet, found)
    elif state[PHASE] == TAKE:
        return take_options(state, player, found)
    elif tables[T_CARDS] > 0:
        return play_options(state, tables, player, found, spare)
    else:
        count = colour_options(state, tables, sheet, found)
    if tables[T_GIFT + FEWEST] > 0:
        count = split_by_pick(state, tables, sheet, found, count, spare)
    return count


def white_options(state: Ints, tables: Ints, sheet: int, found: Ints) -> int:
    """The announced number, in one row of the player's choice."""
    total = state[NUMBER]
    count = 1
    for row in range(ROWS):
        cell = tables[T_AT + row * SUMS + total]
        found[count] = CELL + row * MAX_CELLS + cell
        count += can_mark(state, sheet, tables, row, cell)
    if tables[T_LUCKY] != 0 and (total == state[sheet + LUCKY_LOW] or total == state[sheet + LUCKY_HIGH]):
        count = lucky_options(state, tables, sheet, total, found, count)
    for field in range(tables[T_FIELDS]):
        row = ROWS + field
        upper = tables[T_UPPER + field]
        lower = tables[T_LOWER + field]
        cell = tables[T_AT + row * SUMS + total]
        beside = is_marked(state, sheet, upper, tables[T_AT + upper * SUMS + total])
        beside |= is_marked(state, sheet, lower, tables[T_AT + lower * SUMS + total])
        found[count] = FIELD + field * MAX_CELLS + cell
        count += beside & (cell >= state[sheet + NEXT + row])
    return count


def lucky_options(state: Ints, tables: Ints, sheet: int, total: int, found: Ints, count: int) -> int:
    """Instead of a lucky sum, the next cell of the row with the fewest marks; the sum's own cell is a plain mark."""
    rows = fewest_rows(state, sheet)
    for row in range(ROWS):
        plain = tables[T_AT + row * SUMS + total] == state[sheet + NEXT + row]
        found[count] = LUCKY + row
        count += ((rows >> row) & 1 == 1) & (not plain) & can_mark_next(state, sheet, tables, row)
    return count


def colour_options(state: Ints, tables: Ints, sheet: int, found: Ints) -> int:
    """One white die and one coloured die: their sum, in a cell of that colour."""
    count = 1
    ways = 1 + (state[DICE] != state[DICE + 1])
    for colour in range(ROWS):
        die = state[DICE + 2 + colour]
        if die > 0:
            for white in range(ways):
                total = die + state[DICE + white]
                code = tables[T_FIRST + colour * SUMS + total]
                while code >= 0:
                    found[count] = CELL + code
                    count += can_mark(state, sheet, tables, row_of(code), place_in_row(code))
                    code = tables[T_AFTER + code]
    for field in range(tables[T_FIELDS]):
        count = field_options(state, tables, sheet, field, ways, found, count)
    return count


def field_options(state: Ints, tables: Ints, sheet: int, field: int, ways: int, found: Ints, count: int) -> int:
    """A bonus field, with a colour sum whose cell of that colour beside it is marked."""
    row = ROWS + field
    seen = 0
    for side in range(2):
        beside = tables[(T_LOWER if side else T_UPPER) + field]
        for colour in range(ROWS):
            die = state[DICE + 2 + colour]
            for white in range(ways):
                total = die + state[DICE + white]
                cell = tables[T_AT + row * SUMS + total]
                neighbour = tables[T_AT + beside * SUMS + total]
                if (
                    die > 0
                    and cell >= state[sheet + NEXT + row]
                    and is_marked(state, sheet, beside, neighbour)
                    and tables[T_COLOUR + beside * MAX_CELLS + neighbour] == colour
                    and (seen >> cell) & 1 == 0
                ):
                    seen |= 1 << cell
                    found[count] = FIELD + field * MAX_CELLS + cell
                    count += 1
    return count


def split_by_pick(state: Ints, tables: Ints, sheet: int, found: Ints, count: int, spare: Ints) -> int:
    """Where rows tie for the fewest marks a player picks one: an option for every pick with a result of its own."""
    for option in range(count):
        what = found[option]
        if what >= FIELD or what == PASS or gifts(state, sheet, tables, marked_first(state, sheet, what)) == 0:
            continue
        ties = -mark_on_copy(state, sheet, tables, what, spare, 0)
        tried = 0
        for row in range(ROWS):
            if ties > 0 and (ties >> row) & 1 == 1:
                pick = what + PICK * (row + 1)
                mark_on_copy(state, sheet, tables, pick, spare, tried * SHEET_SIZE)
                new = True
                for earlier in range(tried):
                    new = new and not same_marks(spare, earlier * SHEET_SIZE, tried * SHEET_SIZE)
                if new:
                    found[option if tried == 0 else count] = pick
                    count += tried > 0
                    tried += 1
    return count


def mark_on_copy(state: Ints, sheet: int, tables: Ints, action: int, spare: Ints, copy: int) -> int:
    for place in range(SHEET_SIZE):
        spare[copy + place] = state[sheet + place]
    if action >= TAKE_CARDS:
        cells = cells_played(state, tables, (sheet - SHEETS) // SHEET_SIZE, action, spare)
        return mark_cells(spare, copy, tables, cells, spare, SPARE_SHEETS)
    return mark(spare, copy, tables, action, spare, SPARE_SHEETS)


def same_marks(spare: Ints, one: int, other: int) -> bool:
    """Which row was picked is read from the marks: equal marks are one option."""
    for row in range(ROWS):
        if spare[one + MARKS + row] != spare[other + MARKS + row]:
            return False
    return True


def take_options(state: Ints, player: int, found: Ints) -> int:
    """Every choice of cards from the display that makes the hand full."""
    count = 0
    lacks = HAND_FULL - bits(state[HAND + player])
    for places in range(1 << DISPLAYED):
        found[count] = TAKE_CARDS + places
        count += bits(places) == lacks
    return count


def play_options(state: Ints, tables: Ints, player: int, found: Ints, spare: Ints) -> int:
    """One to three cards of one colour, and any of their numbers that can be marked; a joker takes any colour."""
    sheet = sheet_at(player)
    size = lay_out(state[HAND + player], spare)
    count = 0
    for played in range(1, 1 << size):
        if bits(played) > MOST_PLAYED:
            continue
        first = 0
        last = ROWS - 1
        for place in range(size):
            colour = spare[SPARE_HAND + place] // MAX_NUMBERS
            if (played >> place) & 1 == 1 and colour != JOKER:
                first = max(first, colour)
                last = min(last, colour)
        for colour in range(first, last + 1):
            for marking in range(played + 1):
                if marking & ~played == 0:
                    cells = cells_of(tables, spare, size, played, marking, colour)
                    found[count] = PLAY_CARDS + played + (marking << MARKING) + (colour << PLAYED_COLOUR)
                    count += cells >= 0 and can_mark_cells(state, sheet, tables, cells)
    return count


# Cards


def bits(number: int) -> int:
    """How many bits are set."""
    count = 0
    while number > 0:
        number &= number - 1
        count += 1
    return count


def last_bit(number: int) -> int:
    """The place of the highest bit that is set."""
    place = -1
    while number > 0:
        number >>= 1
        place += 1
    return place


def lay_out(hand: int, spare: Ints) -> int:
    """Write down the cards of a hand, by colour and number, jokers last; return how many there are."""
    size = 0
    for card in range(MAX_CARDS):
        spare[SPARE_HAND + size] = card
        size += (hand >> card) & 1
    return size


def cells_of(tables: Ints, spare: Ints, size: int, played: int, marking: int, colour: int) -> int:
    """The cells that the marking ones of the cards played in a colour mark, as a bit set of codes; the hand lies open.

    It is -1 where one has no cell on the sheet, or the same as a card before it: a joker and a card give one mark.
    """
    cells = 0
    seen = 0
    for place in range(size):
        if (played >> place) & 1 == 1:
            code = tables[T_FIRST + colour * SUMS + tables[T_LOWEST] + spare[SPARE_HAND + place] % MAX_NUMBERS]
            cell = 1 << code if code >= 0 else 0
            if (marking >> place) & 1 == 1:
                if cell == 0 or seen & cell != 0:
                    return -1
                cells |= cell
            seen |= cell
    return cells


def cells_played(state: Ints, tables: Ints, player: int, action: int, spare: Ints) -> int:
    """The cells that an action marks with cards; taking marks none."""
    if action < PLAY_CARDS:
        return 0
    size = lay_out(state[HAND + player], spare)
    played = (action - PLAY_CARDS) & HAND_MASK
    marking = ((action - PLAY_CARDS) >> MARKING) & HAND_MASK
    return cells_of(tables, spare, size, played, marking, (action - PLAY_CARDS) >> PLAYED_COLOUR)


def can_mark_cells(sheets: Ints, sheet: int, tables: Ints, cells: int) -> bool:
    """Whether all of these cells can be marked in one step, from left to right, leaving out few enough in between."""
    for row in range(ROWS):
        here = (cells >> (row * MAX_CELLS)) & ((1 << MAX_CELLS) - 1)
        marks = bits(here)
        if marks == 0:
            continue
        first = last_bit(here & -here)
        last = last_bit(here)
        closing = here >> tables[T_CLOSING + row]
        enough = closing == 0 or sheets[sheet + COUNT + row] + marks > tables[T_NEEDED]
        left_out = last - first + 1 - marks
        if first < sheets[sheet + NEXT + row] or bits(closing) > 1 or not enough or left_out > tables[T_GAP]:
            return False
    return True


def mark_cells(sheets: Ints, sheet: int, tables: Ints, cells: int, trail: Ints, begin: int) -> int:
    made = 0
    for code in range(ROWS * MAX_CELLS - 1):
        if (cells >> code) & 1 == 1:
            cross(sheets, sheet, tables, row_of(code), place_in_row(code))
            trail[begin + made] = code
            made += 1
    return made


def deal(state: Ints, tables: Ints, deck: Ints) -> None:
    """Chance acts: a card at a time to every hand, then the display; the rest of the deck is the pile."""
    drawn = 0
    for _ in range(HAND_DEALT):
        for player in range(state[PLAYERS]):
            hold(state, player, deck[drawn])
            drawn += 1
    state[DRAWN] = drawn
    state[PILE] = tables[T_CARDS] - drawn
    draw(state, tables, deck)
    begin(state)


def begin(state: Ints) -> None:
    """A turn with cards begins; chance has nothing to do."""
    state[PHASE] = TAKE
    state[MARKED] = 0


def hold(state: Ints, player: int, card: int) -> None:
    state[HAND + player] |= 1 << card
    state[HELD + player] += 1 << (3 * (card % MAX_NUMBERS))


def draw(state: Ints, tables: Ints, pile: Ints) -> None:
    """Fill the display up; while the pile is empty the game waits for the discards to be shuffled into a new one."""
    for place in range(DISPLAYED):
        if state[SHOWN + place] == 0 and state[PILE] > 0:
            card = pile[state[DRAWN]]
            state[DISPLAY + place] = card + 1
            state[SHOWN + place] = tables[T_LOWEST] + card % MAX_NUMBERS
            state[DRAWN] += 1
            state[PILE] -= 1
    state[NUMBER] = 0
    if state[PILE] > 0:
        state[NUMBER] = tables[T_LOWEST] + pile[state[DRAWN]] % MAX_NUMBERS
        state[PHASE] = WHITE


def renew(state: Ints, tables: Ints, pile: Ints) -> None:
    """Chance acts: the discards have been shuffled into a new pile."""
    state[PILE] = bits(state[DISCARDS])
    state[DISCARDS] = 0
    state[DRAWN] = 0
    draw(state, tables, pile)


def take_cards(state: Ints, tables: Ints, player: int, places: int) -> None:
    """Move cards from the display to a hand; of hidden ones whoever imagines this knows the numbers only."""
    for place in range(DISPLAYED):
        if (places >> place) & 1 == 1:
            if state[DISPLAY + place] > 0:
                hold(state, player, state[DISPLAY + place] - 1)
            else:
                state[HELD + player] += 1 << (3 * (state[SHOWN + place] - tables[T_LOWEST]))
            state[DISPLAY + place] = 0
            state[SHOWN + place] = 0


def discard(state: Ints, player: int, played: int, spare: Ints) -> None:
    size = lay_out(state[HAND + player], spare)
    for place in range(size):
        if (played >> place) & 1 == 1:
            card = spare[SPARE_HAND + place]
            state[HAND + player] -= 1 << card
            state[HELD + player] -= 1 << (3 * (card % MAX_NUMBERS))
            state[DISCARDS] |= 1 << card


def hide(state: Ints, seat: int) -> None:
    """Leave what a seat may know (nobody's: -1): of the display and of the others' hands their numbers only."""
    for place in range(DISPLAYED):
        state[DISPLAY + place] = 0
    for player in range(MAX_PLAYERS):
        if player != seat:
            state[HAND + player] = 0


# Acting


def act(state: Ints, tables: Ints, decisions: Ints, spare: Ints) -> None:
    """Carry out the decision of everybody who is to act; `decisions` holds an action per player."""
    player = state[ACTIVE]
    if state[PHASE] == TAKE:
        take_cards(state, tables, player, decisions[player] - TAKE_CARDS)
        state[PHASE] = DRAW
        return
    if state[PHASE] == WHITE:
        for each in range(state[PLAYERS]):
            mark(state, sheet_at(each), tables, decisions[each], spare, SPARE_SHEETS)
        state[MARKED] = int(decisions[player] != PASS)
        state[PHASE] = COLOUR
    else:
        sheet = sheet_at(player)
        due = misthrow_due(state)
        made = mark_own(state, tables, player, decisions[player], spare)
        state[sheet + MISTHROWS] += due & (made == 0)
        state[PHASE] = ROLL
        if misthrows_end_game(state[sheet + MISTHROWS]):
            state[PHASE] = OVER
            state[REASON] = BY_MISTHROWS
    close_rows(state, tables)
    if state[PHASE] == ROLL:
        next_turn(state)
    elif state[PHASE] == OVER:
        state[TURN] += 1


def mark_own(state: Ints, tables: Ints, player: int, action: int, spare: Ints) -> int:
    """The active player's own action, with the dice or with cards; return how many marks were made."""
    if action < PLAY_CARDS:
        return mark(state, sheet_at(player), tables, action, spare, SPARE_SHEETS)
    cells = cells_played(state, tables, player, action, spare)
    discard(state, player, (action - PLAY_CARDS) & HAND_MASK, spare)
    return mark_cells(state, sheet_at(player), tables, cells, spare, SPARE_SHEETS)


def close_rows(state: Ints, tables: Ints) -> None:
    """After the marks of an action: rows that were locked close for everybody, their dice leave, the end is tested."""
    locked = 0
    for player in range(state[PLAYERS]):
        locked |= state[sheet_at(player) + LOCKS]
    if tables[T_CARDS] > 0:
        close_alone(state)
    elif locked != state[CLOSED]:
        state[CLOSED] = locked
        for row in range(ROWS):
            if (locked >> row) & 1 == 1:
                state[DICE + 2 + row] = 0
                for player in range(state[PLAYERS]):
                    state[sheet_at(player) + NEXT + row] = tables[T_CELLS + row]
        end_by_rows(state, locked)


def close_alone(state: Ints) -> None:
    """With cards a row closes for whoever locks it; closed is what everybody has locked, two of one player end it."""
    state[CLOSED] = (1 << ROWS) - 1
    for player in range(state[PLAYERS]):
        locks = state[sheet_at(player) + LOCKS]
        state[CLOSED] &= locks
        end_by_rows(state, locks)


def rows_end_game(rows: int) -> bool:
    """Whether so many rows end the game, given as a bit set."""
    return bits(rows) >= ROWS_TO_END


def misthrows_end_game(count: int) -> bool:
    return count >= MISTHROWS_TO_END


def end_by_rows(state: Ints, rows: int) -> None:
    if rows_end_game(rows):
        state[PHASE] = OVER
        state[REASON] = BY_ROWS


def marked_first(sheets: Ints, sheet: int, action: int) -> int:
    """The code of the cell or bonus field that an action marks, before all that this sets off."""
    what = action & WHAT_MASK
    if what >= FIELD:
        return ROWS * MAX_CELLS + what - FIELD
    if what >= LUCKY:
        return (what - LUCKY) * MAX_CELLS + sheets[sheet + NEXT + what - LUCKY]
    return what - CELL


def mark(sheets: Ints, sheet: int, tables: Ints, action: int, trail: Ints, begin: int) -> int:
    """Make a mark and all that it sets off; return how many marks were made, their codes lie in the trail.

    Where rows tie for a bonus and the action picks none of them, nothing more is marked and the answer is minus the
    bit set of the rows that tie.
    """
    if action & WHAT_MASK == PASS:
        return 0
    code = marked_first(sheets, sheet, action)
    row = row_of(code)
    cell = place_in_row(code)
    trail[begin] = code
    if tables[T_CHAINS] == 0 or row >= ROWS:
        cross(sheets, sheet, tables, row, cell)
        return 1
    return mark_chain(sheets, sheet, tables, row, cell, action >> PICK_BITS, trail, begin)


def cross(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int) -> None:
    """Mark one cell; a closing cell marks the lock too, and the row is closed to this player."""
    sheets[sheet + MARKS + row] |= 1 << cell
    sheets[sheet + NEXT + row] = cell + 1
    sheets[sheet + COUNT + row] += 1
    if row < ROWS and cell >= tables[T_CLOSING + row]:
        sheets[sheet + COUNT + row] += 1
        sheets[sheet + LOCKS] |= 1 << row
        sheets[sheet + NEXT + row] = tables[T_CELLS + row]


def gifts(sheets: Ints, sheet: int, tables: Ints, code: int) -> int:
    """What marking a cell sets off or completes, three bits each."""
    found = BAR * tables[T_BOX + code]
    pair = tables[T_PAIR + code]
    mate = tables[T_MATE + code]
    if pair > 0 and is_marked(sheets, sheet, row_of(mate), place_in_row(mate)):
        found = found * 8 + pair
    return found


def mark_chain(sheets: Ints, sheet: int, tables: Ints, row: int, cell: int, pick: int, trail: Ints, begin: int) -> int:
    """A mark with its bonuses: each makes all its marks first, those it sets off follow in the order they came up.

    The waiting bonuses are a queue packed into one integer, three bits each, the next one lowest. It holds 20: at most
    `MAX_GIFT` marks of one bonus and what a round of the others sets off wait at the same time.
    """
    queue = gifts(sheets, sheet, tables, row * MAX_CELLS + cell)
    cross(sheets, sheet, tables, row, cell)
    made = 1
    while queue > 0:
        gift = queue & 7
        queue >>= 3
        first = 0
        last = -1
        if gift == BAR:
            first = next_bar_row(sheets, sheet, tables)
            last = first if first >= 0 else -2
        elif gift == EACH:
            last = ROWS - 1
        elif gift == FEWEST:
            ties = fewest_rows(sheets, sheet)
            if ties & (ties - 1) == 0:
                while (ties >> first) & 1 == 0:
                    first += 1
            elif pick == 0:
                return -ties
            else:
                first = pick - 1
            last = first
        if gift < BAR:
            sheets[sheet + PAIRS] |= 1 << gift
        for forced in range(first, last + 1):
            for _ in range(tables[T_GIFT + gift]):
                if can_mark_next(sheets, sheet, tables, forced):
                    cell = sheets[sheet + NEXT + forced]
                    code = forced * MAX_CELLS + cell
                    new = gifts(sheets, sheet, tables, code)
                    place = 1
                    while queue >= place:
                        place *= 8
                    queue += new * place
                    cross(sheets, sheet, tables, forced, cell)
                    trail[begin + made] = code
                    made += 1
    return made


def next_bar_row(sheets: Ints, sheet: int, tables: Ints) -> int:
    """Use up the next free box of the bonus bar and return its row, or -1; boxes of closed rows are skipped."""
    row = -1
    box = sheets[sheet + BAR_USED]
    while box < tables[T_BAR_LENGTH] and row < 0:
        row = tables[T_BAR + box]
        if sheets[sheet + NEXT + row] == tables[T_CELLS + row]:
            row = -1
        box += 1
    sheets[sheet + BAR_USED] = box
    return row


# Points


def row_points(sheets: Ints, sheet: int, tables: Ints, row: int) -> int:
    """k marks are worth k(k+1)/2; bonus fields beside the row count, up to the cap."""
    count = sheets[sheet + COUNT + row]
    for field in range(tables[T_FIELDS]):
        if row == tables[T_UPPER + field] or row == tables[T_LOWER + field]:
            count += sheets[sheet + COUNT + ROWS + field]
    count = min(count, tables[T_CAP])
    return count * (count + 1) // 2


def bonus_points(sheets: Ints, sheet: int, tables: Ints) -> int:
    """Complete pairs: fixed points, and one row with the fewest marks once more."""
    complete = sheets[sheet + PAIRS]
    points = tables[T_GIFT + POINTS] * ((complete >> POINTS) & 1)
    if (complete >> DOUBLE) & 1 == 1:
        row = 0
        while (fewest_rows(sheets, sheet) >> row) & 1 == 0:
            row += 1
        points += row_points(sheets, sheet, tables, row)
    return points


def misthrow_points(sheets: Ints, sheet: int) -> int:
    shielded = (sheets[sheet + PAIRS] >> SHIELD) & 1
    return -MISTHROW_COST * sheets[sheet + MISTHROWS] * (1 - shielded)


def total(sheets: Ints, sheet: int, tables: Ints) -> int:
    points = bonus_points(sheets, sheet, tables) + misthrow_points(sheets, sheet)
    for row in range(ROWS):
        points += row_points(sheets, sheet, tables, row)
    return points


def best_of_others(state: Ints, tables: Ints, seat: int) -> int:
    """The highest total of the other players; alone, one that is below any."""
    best = LOWEST_TOTAL - 1
    for player in range(state[PLAYERS]):
        if player != seat:
            best = max(best, total(state, sheet_at(player), tables))
    return best


def winners(state: Ints, tables: Ints) -> int:
    """The bit set of players with the highest total."""
    best = LOWEST_TOTAL - 1
    found = 0
    for player in range(state[PLAYERS]):
        points = total(state, sheet_at(player), tables)
        found = (found if points <= best else 0) | ((points >= best) << player)
        best = max(best, points)
    return found
