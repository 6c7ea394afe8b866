"""The rules that only card games have: dealing, taking and playing cards, and the marks that cards make."""

from rowlock.rules.layout import *
from rowlock.rules.marking import closing_cells, enough_to_close, mark_cell


def all_cards(state: Ints, tables: Ints) -> int:
    """The deck as a bit set."""
    cards = 0
    for colour in range(ROWS + state[JOKERS]):
        cards |= ((1 << tables[T_NUMBERS]) - 1) << (colour * MAX_NUMBERS)
    return cards


def list_cards(cards: int, target: Ints, begin: int) -> int:
    """Write the cards of a bit set from index `begin` on, by colour and number, jokers last; return how many."""
    count = 0
    for card in range(MAX_CARDS):
        target[begin + count] = card  # if the set does not have this card, the next one overwrites it
        count += (cards >> card) & 1
    return count


def cards_to_shuffle(state: Ints, tables: Ints) -> int:
    """The cards that are shuffled next, as a bit set: at first the deck, the discards if the pile is empty, or none."""
    if state[PHASE] == DRAW:
        return state[DISCARDS]
    return all_cards(state, tables) if state[TURN] == 0 else 0


def deal(state: Ints, tables: Ints, deck: Ints) -> None:
    """Deal the deck: one card at a time to each hand, then the display; the rest is the pile."""
    drawn = 0
    for _ in range(HAND_DEALT):
        for player in range(state[PLAYERS]):
            add_to_hand(state, player, deck[drawn])
            drawn += 1
    state[DRAWN] = drawn
    state[PILE] = bits(all_cards(state, tables)) - drawn
    draw(state, tables, deck)
    begin_turn(state)


def begin_turn(state: Ints) -> None:
    """Begin a turn of a card game: the active player takes cards."""
    state[PHASE] = TAKE
    state[MARKED] = 0


def add_to_hand(state: Ints, player: int, card: int) -> None:
    state[HAND + player] |= 1 << card
    state[HAND_NUMBERS + player] += one_back(card % MAX_NUMBERS)


def one_back(number: int) -> int:
    """What one card adds to the numbers on the backs of a hand; `number` counts from 0, the lowest number of a card."""
    return 1 << (3 * number)


def cards_with(state: Ints, player: int, number: int) -> int:
    """How many cards of a hand have a number, which counts from 0."""
    return (state[HAND_NUMBERS + player] >> (3 * number)) & 7


def draw(state: Ints, tables: Ints, pile: Ints) -> None:
    """Fill the display up from the pile. If that empties the pile, the game waits for `renew_pile`."""
    for place in range(DISPLAYED):
        if state[DISPLAY_NUMBERS + place] == 0 and state[PILE] > 0:
            card = pile[state[DRAWN]]
            state[DISPLAY + place] = card + 1
            state[DISPLAY_NUMBERS + place] = tables[T_LOWEST] + card % MAX_NUMBERS
            state[DRAWN] += 1
            state[PILE] -= 1
    state[NUMBER] = 0
    if state[PILE] > 0:
        state[NUMBER] = tables[T_LOWEST] + pile[state[DRAWN]] % MAX_NUMBERS
        state[PHASE] = WHITE


def draw_after_taking(state: Ints, tables: Ints, pile: Ints) -> None:
    """Fill the display up if cards have just been taken; `act` cannot, since the state does not hold the pile."""
    if (state[PHASE] == DRAW) & (state[PILE] > 0):
        draw(state, tables, pile)


def renew_pile(state: Ints, tables: Ints, pile: Ints) -> None:
    """Replace the empty pile by the shuffled discards and go on drawing."""
    state[PILE] = bits(state[DISCARDS])
    state[DISCARDS] = 0
    state[DRAWN] = 0
    draw(state, tables, pile)


# Decisions about cards: `layout` says how an action holds them.


def takes_cards(action: int) -> bool:
    return (action >= TAKE_CARDS) & (action < PLAY_CARDS)


def plays_cards(action: int) -> bool:
    return action >= PLAY_CARDS


def uses_cards(action: int) -> bool:
    """Whether an action takes or plays cards."""
    return action >= TAKE_CARDS


def play_action(played: int, marking: int, colour: int) -> int:
    """The action that plays cards, a bit set of places in the hand, and marks with those in `marking`."""
    return PLAY_CARDS + played + (marking << MARKING_SHIFT) + (colour << COLOUR_SHIFT)


def places_taken(action: int) -> int:
    """The bit set of places in the display from which an action takes cards."""
    return action - TAKE_CARDS


def cards_played(action: int) -> int:
    """The cards that an action plays, as a bit set of places in the hand."""
    return (action - PLAY_CARDS) & HAND_MASK


def cards_marking(action: int) -> int:
    """Those of the cards played that make a mark."""
    return ((action - PLAY_CARDS) >> MARKING_SHIFT) & HAND_MASK


def colour_played(action: int) -> int:
    return (action - PLAY_CARDS) >> COLOUR_SHIFT


def take_options(state: Ints, player: int, actions: Ints) -> int:
    """Write to `actions` every choice of cards from the display that fills the hand; return how many there are."""
    count = 0
    missing = HAND_FULL - bits(state[HAND + player])
    for places in range(1 << DISPLAYED):
        actions[count] = TAKE_CARDS + places
        count += bits(places) == missing
    return count


def take_cards(state: Ints, tables: Ints, player: int, places: int) -> None:
    """Move cards from the display to a hand; of cards that are hidden in this state, move only the numbers."""
    for place in range(DISPLAYED):
        if (places >> place) & 1 == 1:
            if state[DISPLAY + place] > 0:
                add_to_hand(state, player, state[DISPLAY + place] - 1)
            else:
                state[HAND_NUMBERS + player] += one_back(state[DISPLAY_NUMBERS + place] - tables[T_LOWEST])
            state[DISPLAY + place] = 0
            state[DISPLAY_NUMBERS + place] = 0


def play_options(state: Ints, tables: Ints, player: int, actions: Ints, scratch: Ints) -> int:
    """Write to `actions` every way to play one to three cards of one colour and mark some of them; return how many."""
    sheet = sheet_at(player)
    size = list_cards(state[HAND + player], scratch, SCRATCH_HAND)
    count = 0
    for played in range(1, 1 << size):
        if bits(played) > MOST_PLAYED:
            continue
        first_colour = 0
        last_colour = ROWS - 1
        for place in range(size):
            colour = scratch[SCRATCH_HAND + place] // MAX_NUMBERS
            if (played >> place) & 1 == 1 and colour != JOKER:
                first_colour = max(first_colour, colour)
                last_colour = min(last_colour, colour)
        for colour in range(first_colour, last_colour + 1):  # no colour if the cards have different ones
            for marking in range(played + 1):
                if marking & ~played == 0:
                    cells = cells_of(tables, scratch, size, played, marking, colour)
                    actions[count] = play_action(played, marking, colour)
                    count += cells >= 0 and can_mark_cells(state, sheet, tables, cells)
    return count


def cells_of(tables: Ints, scratch: Ints, size: int, played: int, marking: int, colour: int) -> int:
    """The cells that played cards mark, as a bit set of codes; the scratch buffer has the hand from SCRATCH_HAND on.

    Return -1 if a marking card has no cell, or if an earlier card of the play has the same cell: a joker and a card
    with the same number make one mark, and the earlier of the two makes it.
    """
    cells = 0
    earlier = 0
    for place in range(size):
        if (played >> place) & 1 == 1:
            code = tables[T_FIRST + colour * SUMS + tables[T_LOWEST] + scratch[SCRATCH_HAND + place] % MAX_NUMBERS]
            bit = 1 << code if code >= 0 else 0
            if (marking >> place) & 1 == 1:
                if bit == 0 or earlier & bit != 0:
                    return -1
                cells |= bit
            earlier |= bit
    return cells


def cells_played(state: Ints, tables: Ints, player: int, action: int, scratch: Ints) -> int:
    """The cells that an action marks with cards, as a bit set of codes; taking cards marks none."""
    if not plays_cards(action):
        return 0
    size = list_cards(state[HAND + player], scratch, SCRATCH_HAND)
    return cells_of(tables, scratch, size, cards_played(action), cards_marking(action), colour_played(action))


def cells_in_row(cells: int, row: int) -> int:
    """The cells of one row, of a bit set of codes."""
    return (cells >> (row * MAX_CELLS)) & ((1 << MAX_CELLS) - 1)


def left_out(in_row: int) -> int:
    """How many cells between the first and the last one of a bit set of cells of a row are not in the set."""
    if in_row == 0:
        return 0
    return last_bit(in_row) - lowest_bit(in_row) + 1 - bits(in_row)


def can_mark_cells(sheets: Ints, sheet: int, tables: Ints, cells: int) -> bool:
    """Whether all cells of a bit set of codes can be marked in one play, with few enough cells left out in between."""
    for row in range(ROWS):
        in_row = cells_in_row(cells, row)
        marks = bits(in_row)
        if marks == 0:
            continue
        first = lowest_bit(in_row)
        closing = closing_cells(tables, row, in_row)
        enough = closing == 0 or enough_to_close(sheets, sheet, tables, row, marks - 1)
        if first < sheets[sheet + NEXT + row] or bits(closing) > 1 or not enough or left_out(in_row) > tables[T_GAP]:
            return False
    return True


def mark_cells(sheets: Ints, sheet: int, tables: Ints, cells: int, trail: Ints, begin: int) -> int:
    """Mark all cells of a bit set of codes; write the codes to `trail` from index `begin` on; return how many."""
    made = 0
    for code in range(ROWS * MAX_CELLS - 1):  # a row has at most MAX_NUMBERS cells: bit 63, the sign, is never set
        if (cells >> code) & 1 == 1:
            mark_cell(sheets, sheet, tables, row_of(code), place_in_row(code))
            trail[begin + made] = code
            made += 1
    return made


def discard(state: Ints, player: int, played: int, scratch: Ints) -> None:
    """Move the played cards, a bit set of places in the hand, to the discards."""
    size = list_cards(state[HAND + player], scratch, SCRATCH_HAND)
    for place in range(size):
        if (played >> place) & 1 == 1:
            card = scratch[SCRATCH_HAND + place]
            state[HAND + player] -= 1 << card
            state[HAND_NUMBERS + player] -= one_back(card % MAX_NUMBERS)
            state[DISCARDS] |= 1 << card


def copy_for_seat(state: Ints, seat: int, seen: Ints) -> None:
    """Copy a state to `seen`, without the cards that are hidden from a seat."""
    copy_state(state, 0, seen, 0)
    hide(seen, seat)


def hide(state: Ints, seat: int) -> None:
    """Remove the cards hidden from a seat (-1: a spectator): the display and other hands keep only their numbers."""
    for place in range(DISPLAYED):
        state[DISPLAY + place] = 0
    for player in range(MAX_PLAYERS):
        if player != seat:
            state[HAND + player] = 0
