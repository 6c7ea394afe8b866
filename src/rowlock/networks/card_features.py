"""The features of a player's cards: which of the next cells of every row they could mark.

For each row and each kind of card there is a bit set of the row's next cells. The kinds are known cards of the own
hand, jokers, cards of which only the number is known, and the display for the player who takes from it next. Of another
player's hand only numbers are known. A number counts unless the card for the cell has been played or is in the own
hand. `features` reads only what the player may know; for another player's hand, only what everybody knows.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

AHEAD = 6  # cells of a row in a bit set
CELL_SETS = 1 << AHEAD
# Kinds of cards; the last two are of another player.
KNOWN, JOKERS, NUMBERS, DISPLAY, OTHER_NUMBERS, OTHER_DISPLAY, KINDS = range(7)
# Four features: cards are taken; they will be played without a mark made, or with one; jokers are in the game.
F_STAGE = KINDS * kernel.ROWS * CELL_SETS
F_SIZE = F_STAGE + 4  # number of cards in the own hand
F_FAR = F_SIZE + kernel.HAND_FULL + 1  # how many of them are in no bit set of known cards
FEATURES = F_FAR + kernel.HAND_FULL + 1
MAX_FEATURES = 4 * kernel.ROWS + 4


def features(state: Ints, tables: Ints, player: int, own: bool, found: Ints, begin: int) -> int:
    """Write the features of a player's cards, as seen by the player (`own`) or by others; returns the end index."""
    sheet = kernel.sheet_at(player)
    hand = state[kernel.HAND + player] if own else 0
    seen = state[kernel.DISCARDS] | hand
    numbers = hidden_numbers(state, tables, player, own)
    shown = numbers_to_take(state, tables, player)
    first = NUMBERS if own else OTHER_NUMBERS
    far = kernel.bits(hand)
    count = begin
    for row in range(kernel.ROWS):
        known = 0
        jokers = 0
        hidden = 0
        display = 0
        place = state[sheet + kernel.NEXT + row]
        for ahead in range(min(AHEAD, tables[kernel.T_CELLS + row] - place)):
            code = row * kernel.MAX_CELLS + place + ahead
            number = tables[kernel.T_NUMBER + code] - tables[kernel.T_LOWEST]
            card = tables[kernel.T_COLOUR + code] * kernel.MAX_NUMBERS + number
            possible = 1 - ((seen >> card) & 1)
            known |= ((hand >> card) & 1) << ahead
            jokers |= ((hand >> (kernel.JOKER * kernel.MAX_NUMBERS + number)) & 1) << ahead
            hidden |= ((numbers >> number) & possible) << ahead
            display |= ((shown >> number) & possible) << ahead
        far -= kernel.bits(known)
        count = add(found, count, KNOWN, row, known)
        count = add(found, count, JOKERS, row, jokers)
        count = add(found, count, first, row, hidden)
        count = add(found, count, first + 1, row, display)
    if own:
        count = own_features(state, tables, kernel.bits(hand), far, found, count)
    return count


def add(found: Ints, count: int, kind: int, row: int, cells: int) -> int:
    """Append the feature of a bit set of cells, unless it is empty."""
    found[count] = (kind * kernel.ROWS + row) * CELL_SETS + cells
    return count + (cells != 0)


def own_features(state: Ints, tables: Ints, size: int, far: int, found: Ints, count: int) -> int:
    found[count] = F_SIZE + size
    found[count + 1] = F_FAR + far
    found[count + 2] = F_STAGE + (1 + state[kernel.MARKED] if state[kernel.PHASE] == kernel.COLOUR else 0)
    count += 2 + (state[kernel.PHASE] != kernel.ROLL)
    found[count] = F_STAGE + 3
    return count + state[kernel.JOKERS]


def hidden_numbers(state: Ints, tables: Ints, player: int, own: bool) -> int:
    """The numbers of cards with hidden colours, as a bit set: another player's, or those just taken."""
    if own and (state[kernel.PHASE] != kernel.DRAW or state[kernel.ACTIVE] != player):
        return 0
    numbers = 0
    for number in range(tables[kernel.T_NUMBERS]):
        known = 0
        if own:
            for colour in range(kernel.ROWS + 1):
                known += (state[kernel.HAND + player] >> (colour * kernel.MAX_NUMBERS + number)) & 1
        numbers |= (((state[kernel.HAND_NUMBERS + player] >> (3 * number)) & 7) > known) << number
    return numbers


def numbers_to_take(state: Ints, tables: Ints, player: int) -> int:
    """The numbers on display, as a bit set, if the player takes cards next."""
    taker = state[kernel.ACTIVE]
    if state[kernel.PHASE] != kernel.ROLL:
        taker = kernel.next_player(taker, state[kernel.PLAYERS])
    numbers = 0
    for place in range(kernel.DISPLAYED):
        shown = state[kernel.DISPLAY_NUMBERS + place]
        if taker == player and shown > 0:
            numbers |= 1 << (shown - tables[kernel.T_LOWEST])
    return numbers


def swap_rows(feature: int, order: Ints) -> int:
    """The same feature after the rows were reordered."""
    if feature >= F_STAGE:
        return feature
    row = feature // CELL_SETS % kernel.ROWS
    return feature + (order[row] - row) * CELL_SETS
