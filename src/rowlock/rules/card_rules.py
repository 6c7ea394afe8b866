"""The card game's own rules: dealing, taking and playing cards, and what they mark."""

from rowlock.rules.layout import *
from rowlock.rules.marking import cross


def deck_size(state: Ints, tables: Ints) -> int:
    return tables[T_CARDS] + state[JOKERS] * tables[T_NUMBERS]


def deal(state: Ints, tables: Ints, deck: Ints) -> None:
    """Chance acts: a card at a time to every hand, then the display; the rest of the deck is the pile."""
    drawn = 0
    for _ in range(HAND_DEALT):
        for player in range(state[PLAYERS]):
            hold(state, player, deck[drawn])
            drawn += 1
    state[DRAWN] = drawn
    state[PILE] = deck_size(state, tables) - drawn
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


def take_options(state: Ints, player: int, found: Ints) -> int:
    """Every choice of cards from the display that makes the hand full."""
    count = 0
    lacks = HAND_FULL - bits(state[HAND + player])
    for places in range(1 << DISPLAYED):
        found[count] = TAKE_CARDS + places
        count += bits(places) == lacks
    return count


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


def discard(state: Ints, player: int, played: int, spare: Ints) -> None:
    size = lay_out(state[HAND + player], spare)
    for place in range(size):
        if (played >> place) & 1 == 1:
            card = spare[SPARE_HAND + place]
            state[HAND + player] -= 1 << card
            state[HELD + player] -= 1 << (3 * (card % MAX_NUMBERS))
            state[DISCARDS] |= 1 << card


def show(state: Ints, seat: int, seen: Ints) -> None:
    """Copy a state as a seat may know it."""
    copy_state(state, 0, seen, 0)
    hide(seen, seat)


def hide(state: Ints, seat: int) -> None:
    """Leave what a seat may know (nobody's: -1): of the display and of the others' hands their numbers only."""
    for place in range(DISPLAYED):
        state[DISPLAY + place] = 0
    for player in range(MAX_PLAYERS):
        if player != seat:
            state[HAND + player] = 0
