"""Sampling the cards that are hidden from a seat: every possible distribution is equally likely."""

from rowlock.rules import chance, kernel
from rowlock.rules.kernel import Ints

# The shuffles that choose the cards of hands and display and order the pile use words of turns that no game reaches.
CHOICE_TURN, PILE_TURN = chance.SHUFFLE_TURNS, chance.SHUFFLE_TURNS + 1


def sample(state: Ints, tables: Ints, key: int, salt: int, pile: Ints) -> None:
    """Sample a card for every visible number: in hands, on the display, on top of the pile; the rest goes to `pile`."""
    seen = state[kernel.DISCARDS]
    for player in range(state[kernel.PLAYERS]):
        seen |= state[kernel.HAND + player]
    count = kernel.list_cards(kernel.all_cards(state, tables) & ~seen, pile, 0)
    chance.shuffle(key, salt, CHOICE_TURN, pile, count)
    for player in range(state[kernel.PLAYERS]):
        if state[kernel.HAND + player] == 0:
            for number in range(tables[kernel.T_NUMBERS]):
                for _ in range(kernel.cards_with(state, player, number)):
                    state[kernel.HAND + player] |= 1 << take_card(number, pile, count)
                    count -= 1
    for place in range(kernel.DISPLAYED):
        number = state[kernel.DISPLAY_NUMBERS + place]
        if number > 0:
            state[kernel.DISPLAY + place] = 1 + take_card(number - tables[kernel.T_LOWEST], pile, count)
            count -= 1
    if state[kernel.NUMBER] > 0:
        top = take_card(state[kernel.NUMBER] - tables[kernel.T_LOWEST], pile, count)
        chance.shuffle(key, salt, PILE_TURN, pile, count - 1)
        pile[count - 1] = pile[0]
        pile[0] = top
    state[kernel.DRAWN] = 0


def take_card(number: int, cards: Ints, count: int) -> int:
    """Remove the first card with a number (0 is the lowest) and return it; the last card moves to its index."""
    index = 0
    while cards[index] % kernel.MAX_NUMBERS != number:
        index += 1
    card = cards[index]
    cards[index] = cards[count - 1]
    return card
