"""Sampling the cards that are hidden from a seat: every possible distribution is equally likely."""

from rowlock.rules import chance, kernel
from rowlock.rules.kernel import Ints

# The turns of two shuffles, of all hidden cards and then of the pile: no shuffle of a game has the same random words.
CHOICE_TURN, PILE_TURN = chance.SHUFFLE_TURNS, chance.SHUFFLE_TURNS + 1


def sample(state: Ints, tables: Ints, key: int, salt: int, pile: Ints) -> None:
    """Sample a card for every visible number: in hands, on the display, on top of the pile; the rest goes to `pile`."""
    visible = state[kernel.DISCARDS]
    for player in range(state[kernel.PLAYERS]):
        visible |= state[kernel.HAND + player]
    count = kernel.list_cards(kernel.all_cards(state, tables) & ~visible, pile, 0)
    chance.shuffle(key, salt, CHOICE_TURN, pile, count)
    for player in range(state[kernel.PLAYERS]):
        if state[kernel.HAND + player] == 0:  # the hand is hidden
            for offset in range(tables[kernel.T_NUMBERS]):
                for _ in range(kernel.cards_with(state, player, offset)):
                    state[kernel.HAND + player] |= 1 << take_card(offset, pile, count)
                    count -= 1
    for place in range(kernel.DISPLAYED):
        number = state[kernel.DISPLAY_NUMBERS + place]
        if number > 0:
            state[kernel.DISPLAY + place] = 1 + take_card(number - tables[kernel.T_LOWEST], pile, count)
            count -= 1
    if state[kernel.NUMBER] > 0:
        top = take_card(state[kernel.NUMBER] - tables[kernel.T_LOWEST], pile, count)
        chance.shuffle(key, salt, PILE_TURN, pile, count - 1)
        pile[count - 1] = pile[0]  # index `count - 1` is free since `top` was taken
        pile[0] = top
    state[kernel.DRAWN] = 0


def take_card(offset: int, cards: Ints, count: int) -> int:
    """Remove and return the first card with the lowest number + `offset`; the last of `count` cards moves there."""
    index = 0
    while cards[index] % kernel.MAX_NUMBERS != offset:
        index += 1
    card = cards[index]
    cards[index] = cards[count - 1]
    return card
