"""Descriptions: what a view shows of a state or an option, as integers in one flat sequence.

The browser client turns these integers into views and notation (`web/src/local`), so that it contains no rule. The
functions are written like the kernel's. `S_` are offsets in the description of a sheet, `D_` in that of a state, `O_`
in that of an option.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

# A sheet.
S_TOTAL = 0
S_POINTS = S_TOTAL + 1  # by row, then those of bonuses and of misthrows
S_MISTHROWS = S_POINTS + kernel.ROWS + 2
S_LOCKS = S_MISTHROWS + 1  # bit set of rows
S_CLOSED = S_LOCKS + 1  # bit set of rows in which nothing can be marked any more
S_TO_LOCK = S_CLOSED + 1  # by row: how many more marks it needs before it can be locked
S_LUCKY = S_TO_LOCK + kernel.ROWS  # two numbers; 0 if there are none
S_KIND = S_LUCKY + 2
S_BAR_USED = S_KIND + 1
S_ENDS_GAME = S_BAR_USED + 1
S_PAIRS = S_ENDS_GAME + 1  # bit set of bonuses whose pair is complete
S_PAIR_BOXES = S_PAIRS + 1  # by bonus: how many boxes of its pair are marked
S_CELLS = S_PAIR_BOXES + kernel.BAR  # by code: the state of the cell or bonus field
S_SECOND = S_CELLS + (kernel.ROWS + kernel.MAX_FIELDS) * kernel.MAX_CELLS  # by code: the state of the second box
S_SWAPS = S_SECOND + kernel.ROWS * kernel.MAX_CELLS  # by swap field: its state
S_BAR = S_SWAPS + kernel.MAX_SWAPS  # by box of the bonus bar: its state
SHEET_DESCRIPTION = S_BAR + kernel.MAX_BAR

# A state. A hand is its size and its cards. A hidden card is -1 - the number on its back.
D_PHASE = 0
D_TURN = D_PHASE + 1  # turns completed
D_ACTIVE = D_TURN + 1
D_CLOSED = D_ACTIVE + 1  # bit set of rows
D_REASON = D_CLOSED + 1
D_TO_ACT = D_REASON + 1  # bit set of players
D_WAITS_FOR_CHANCE = D_TO_ACT + 1
D_WINNERS = D_WAITS_FOR_CHANCE + 1  # bit set of the players with the highest total so far
D_LAST_ROW = D_WINNERS + 1  # 1 if one more row ends the game
D_LAST_MISTHROW = D_LAST_ROW + 1  # bit set of the players whose next misthrow ends it
D_NUMBER = D_LAST_MISTHROW + 1
D_DICE = D_NUMBER + 1
D_PILE = D_DICE + 6
D_DRAWN = D_PILE + 1
D_DISPLAY = D_DRAWN + 1  # by place: the card; a hidden card or `D_EMPTY`
D_DISCARDS = D_DISPLAY + kernel.DISPLAYED  # how many, then the cards
D_HANDS = D_DISCARDS + 1 + kernel.MAX_CARDS
HAND_DESCRIPTION = 1 + kernel.HAND_FULL
D_SHEETS = D_HANDS + kernel.MAX_PLAYERS * HAND_DESCRIPTION
STATE_DESCRIPTION = D_SHEETS + kernel.MAX_PLAYERS * SHEET_DESCRIPTION
D_EMPTY = -100  # a place of the display without a card

# An option.
O_LUCKY = 0
O_MISTHROW = 1
O_SECOND = 2
O_SWAP = 3  # the swap field, or -1
O_SWAPPED = 4  # the white sum that it exchanges
O_TAKEN = 5  # bit set of places in the display
O_COLOUR = 6  # the colour of the cards played
O_CARDS = 7  # how many cards are played, then the cards; one more is scratch
O_MARKS = O_CARDS + 2 + kernel.HAND_FULL  # how many marks are made, then their codes
O_LOCKS = O_MARKS + 1 + kernel.ROWS * kernel.MAX_CELLS  # bit set of the marks that lock a row, by place in that list
OPTION_DESCRIPTION = O_LOCKS + 1

DESCRIPTION = STATE_DESCRIPTION  # the longest


def describe_sheet(sheets: Ints, sheet: int, tables: Ints, out: Ints, begin: int) -> None:
    """Describe the sheet at index `sheet`, from index `begin` of `out` on."""
    out[begin + S_TOTAL] = kernel.total(sheets, sheet, tables)
    out[begin + S_CLOSED] = 0
    for row in range(kernel.ROWS):
        out[begin + S_POINTS + row] = kernel.row_points(sheets, sheet, tables, row)
        out[begin + S_CLOSED] |= kernel.row_is_closed(sheets, sheet, tables, row) << row
        out[begin + S_TO_LOCK + row] = kernel.marks_to_lock(sheets, sheet, tables, row)
    out[begin + S_POINTS + kernel.ROWS] = kernel.bonus_points(sheets, sheet, tables)
    out[begin + S_POINTS + kernel.ROWS + 1] = kernel.misthrow_points(sheets, sheet, tables)
    out[begin + S_MISTHROWS] = sheets[sheet + kernel.MISTHROWS]
    out[begin + S_LOCKS] = sheets[sheet + kernel.LOCKS]
    out[begin + S_LUCKY] = sheets[sheet + kernel.LUCKY_LOW]
    out[begin + S_LUCKY + 1] = sheets[sheet + kernel.LUCKY_HIGH]
    out[begin + S_KIND] = sheets[sheet + kernel.KIND]
    out[begin + S_BAR_USED] = sheets[sheet + kernel.BAR_USED]
    out[begin + S_ENDS_GAME] = int(kernel.sheet_ends_game(sheets, sheet, tables))
    out[begin + S_PAIRS] = sheets[sheet + kernel.PAIRS]
    for bonus in range(kernel.BAR):
        out[begin + S_PAIR_BOXES + bonus] = 0
    for row in range(kernel.ROWS + tables[kernel.T_FIELDS]):
        for cell in range(tables[kernel.T_CELLS + row]):
            code = row * kernel.MAX_CELLS + cell
            out[begin + S_CELLS + code] = kernel.cell_state(sheets, sheet, row, cell)
            if row < kernel.ROWS:
                out[begin + S_SECOND + code] = kernel.second_state(sheets, sheet, tables, row, cell)
                out[begin + S_PAIR_BOXES + tables[kernel.T_PAIR + code]] += kernel.is_marked(sheets, sheet, row, cell)
    for field in range(tables[kernel.T_SWAPS]):
        out[begin + S_SWAPS + field] = kernel.swap_state(sheets, sheet, field)
    for box in range(tables[kernel.T_BAR_LENGTH]):
        out[begin + S_BAR + box] = kernel.bar_state(sheets, sheet, tables, box)


def describe_state(state: Ints, tables: Ints, revealed: bool, out: Ints) -> None:
    """Describe a state for spectators; with `revealed`, the colours of all cards are shown."""
    out[D_PHASE] = state[kernel.PHASE]
    out[D_TURN] = state[kernel.TURN]
    out[D_ACTIVE] = state[kernel.ACTIVE]
    out[D_CLOSED] = state[kernel.CLOSED]
    out[D_REASON] = state[kernel.REASON]
    out[D_TO_ACT] = kernel.to_act(state)
    out[D_WAITS_FOR_CHANCE] = int(kernel.waits_for_chance(state))
    out[D_WINNERS] = kernel.winners(state, tables)
    out[D_LAST_ROW] = int(kernel.last_row(state, tables))
    out[D_LAST_MISTHROW] = kernel.last_misthrow(state, tables)
    out[D_NUMBER] = state[kernel.NUMBER]
    out[D_PILE] = state[kernel.PILE]
    out[D_DRAWN] = state[kernel.DRAWN]
    for die in range(kernel.DICE_COUNT):
        out[D_DICE + die] = state[kernel.DICE + die]
    for place in range(kernel.DISPLAYED):
        number = state[kernel.DISPLAY_NUMBERS + place]
        out[D_DISPLAY + place] = D_EMPTY if number == 0 else -1 - number
        if revealed and number > 0:
            out[D_DISPLAY + place] = state[kernel.DISPLAY + place] - 1
    out[D_DISCARDS] = kernel.list_cards(state[kernel.DISCARDS], out, D_DISCARDS + 1)
    for player in range(state[kernel.PLAYERS]):
        describe_hand(state, tables, player, revealed, out, D_HANDS + player * HAND_DESCRIPTION)
        begin = D_SHEETS + player * SHEET_DESCRIPTION
        describe_sheet(state, kernel.sheet_at(player), tables, out, begin)


def describe_hand(state: Ints, tables: Ints, player: int, revealed: bool, out: Ints, begin: int) -> None:
    """Describe a hand: how many cards it has, and these, sorted."""
    count = 0
    if revealed:
        for card in range(kernel.MAX_CARDS):
            if (state[kernel.HAND + player] >> card) & 1 == 1:
                out[begin + 1 + count] = card
                count += 1
    else:
        for number in range(tables[kernel.T_NUMBERS]):
            for _ in range(kernel.cards_with(state, player, number)):
                out[begin + 1 + count] = -1 - (tables[kernel.T_LOWEST] + number)
                count += 1
    out[begin] = count


def describe_option(state: Ints, tables: Ints, player: int, action: int, scratch: Ints, out: Ints) -> None:
    """Describe a legal option of a player: its marks in the order in which they are made, and its cards."""
    for index in range(O_CARDS + 1):
        out[index] = 0
    out[O_SWAP] = -1
    out[O_LOCKS] = 0
    out[O_MARKS] = 0
    sheet = kernel.sheet_at(player)
    if kernel.plays_cards(action):
        out[O_COLOUR] = kernel.colour_played(action)
        size = kernel.list_cards(state[kernel.HAND + player], scratch, kernel.SCRATCH_HAND)
        for place in range(size):
            if (kernel.cards_played(action) >> place) & 1 == 1:
                out[O_CARDS + 1 + out[O_CARDS]] = scratch[kernel.SCRATCH_HAND + place]
                out[O_CARDS] += 1
    elif kernel.takes_cards(action):
        out[O_TAKEN] = kernel.places_taken(action)
        return
    else:
        out[O_LUCKY] = int(kernel.is_lucky(action))
        out[O_SECOND] = int(kernel.is_second(action))
        if kernel.is_swap(action):
            out[O_SWAP] = kernel.swap_field(action)
            out[O_SWAPPED] = state[kernel.NUMBER]
    made = kernel.mark_on_copy(state, sheet, tables, action, scratch, 0)
    out[O_MARKS] = made
    out[O_MISTHROW] = int(kernel.misthrow_taken(state, made))
    for index in range(made):
        code = scratch[kernel.SCRATCH_TRAIL + index]
        out[O_MARKS + 1 + index] = code
        out[O_LOCKS] |= kernel.code_closes(tables, code) << index
