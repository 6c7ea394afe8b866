"""The features of a player's cards: which of the next cells of every row they could mark.

For each row and each kind of card there is a bit set of the row's next cells. The kinds are known cards of the player's
own hand, jokers, cards of which only the number is known, and the display if the player takes from it next. Of other
hands only numbers are known: each stands for all cards with that number that were not played and are not in the
player's own hand. Here numbers count from 0, the lowest number of a card.
`features` reads only what the player may know; for another player's hand, only what everybody knows.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

AHEAD = 6  # how many of a row's next cells a bit set covers
CELL_SETS = 1 << AHEAD  # how many different bit sets there are
# Kinds of cards, the last two for another player's cards, and the number of kinds.
KNOWN, JOKERS, NUMBERS, DISPLAY, OTHER_NUMBERS, OTHER_DISPLAY, KINDS = range(7)
# Four features: the turn has begun, but cards are not played yet; cards are played next, without or with a white mark
# before; the game has jokers.
F_STAGE = KINDS * kernel.ROWS * CELL_SETS
F_SIZE = F_STAGE + 4  # one per number of cards in the player's own hand
F_UNLISTED = F_SIZE + kernel.HAND_FULL + 1  # one per number of these cards that are in no KNOWN bit set
FEATURES = F_UNLISTED + kernel.HAND_FULL + 1
MAX_FEATURES = 4 * kernel.ROWS + 4  # four kinds of cards in each row; hand size, unlisted cards, stage, jokers


def features(state: Ints, tables: Ints, player: int, own: bool, out: Ints, begin: int) -> int:
    """Write the features of a player's cards, as the player (`own`) or others see them; returns the end index."""
    sheet = kernel.sheet_at(player)
    hand = state[kernel.HAND + player] if own else 0
    excluded = state[kernel.DISCARDS] | hand
    numbers = hidden_numbers(state, tables, player, own)
    to_take = numbers_to_take(state, tables, player)
    numbers_kind = NUMBERS if own else OTHER_NUMBERS
    display_kind = DISPLAY if own else OTHER_DISPLAY
    unlisted = kernel.bits(hand)
    end = begin
    for row in range(kernel.ROWS):
        known = jokers = hidden = display = 0
        next_cell = state[sheet + kernel.NEXT + row]
        for ahead in range(min(AHEAD, tables[kernel.T_CELLS + row] - next_cell)):
            code = row * kernel.MAX_CELLS + next_cell + ahead
            number = tables[kernel.T_NUMBER + code] - tables[kernel.T_LOWEST]
            card = tables[kernel.T_COLOUR + code] * kernel.MAX_NUMBERS + number
            possible = 1 - ((excluded >> card) & 1)
            known |= ((hand >> card) & 1) << ahead
            jokers |= ((hand >> (kernel.JOKER * kernel.MAX_NUMBERS + number)) & 1) << ahead
            hidden |= ((numbers >> number) & possible) << ahead
            display |= ((to_take >> number) & possible) << ahead
        unlisted -= kernel.bits(known)
        end = add_cells(out, end, KNOWN, row, known)
        end = add_cells(out, end, JOKERS, row, jokers)
        end = add_cells(out, end, numbers_kind, row, hidden)
        end = add_cells(out, end, display_kind, row, display)
    if own:
        end = own_features(state, kernel.bits(hand), unlisted, out, end)
    return end


def add_cells(out: Ints, end: int, kind: int, row: int, cells: int) -> int:
    """Append the feature of a bit set of cells, unless it is empty."""
    out[end] = (kind * kernel.ROWS + row) * CELL_SETS + cells
    return end + (cells != 0)  # the next feature overwrites that of an empty set


def own_features(state: Ints, hand_size: int, unlisted: int, out: Ints, end: int) -> int:
    """Append the hand size, the number of unlisted cards, the stage of a turn that has begun, and the joker feature."""
    out[end] = F_SIZE + hand_size
    out[end + 1] = F_UNLISTED + unlisted
    out[end + 2] = F_STAGE + (1 + state[kernel.MARKED] if state[kernel.PHASE] == kernel.COLOUR else 0)
    end += 2 + (state[kernel.PHASE] != kernel.ROLL)
    out[end] = F_STAGE + 3
    return end + state[kernel.JOKERS]


def hidden_numbers(state: Ints, tables: Ints, player: int, own: bool) -> int:
    """The numbers of cards with hidden colours, as a bit set: cards of another player, or cards just taken."""
    if own and (state[kernel.PHASE] != kernel.DRAW or state[kernel.ACTIVE] != player):
        return 0  # the player has taken no cards just now, and so knows the whole hand
    numbers = 0
    for number in range(tables[kernel.T_NUMBERS]):
        known = 0
        if own:
            for colour in range(kernel.ROWS + 1):
                known += (state[kernel.HAND + player] >> (colour * kernel.MAX_NUMBERS + number)) & 1
        numbers |= (kernel.cards_with(state, player, number) > known) << number
    return numbers


def numbers_to_take(state: Ints, tables: Ints, player: int) -> int:
    """The numbers on display, as a bit set, if the player takes cards next."""
    taker = state[kernel.ACTIVE]
    if state[kernel.PHASE] != kernel.ROLL:
        taker = kernel.player_after(taker, 1, state[kernel.PLAYERS])
    numbers = 0
    for i in range(kernel.DISPLAYED):
        number = state[kernel.DISPLAY_NUMBERS + i]
        if taker == player and number > 0:
            numbers |= 1 << (number - tables[kernel.T_LOWEST])
    return numbers


def swap_rows(feature: int, order: Ints) -> int:
    """The same feature after each row was moved to index order[row]."""
    if feature >= F_STAGE:
        return feature
    row = feature // CELL_SETS % kernel.ROWS
    return feature + (order[row] - row) * CELL_SETS
