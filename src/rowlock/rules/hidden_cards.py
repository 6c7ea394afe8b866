"""Cards that a seat does not see, laid at random: every way in which they can lie is equally likely."""

from rowlock.rules import chance, kernel
from rowlock.rules.kernel import Ints

# Two orders of the unseen cards, those of turns far beyond any: which of them the numbers are, and how the pile lies.
CHOSEN, PILED = chance.DECKS, chance.DECKS + 1


def lay(state: Ints, tables: Ints, key: int, salt: int, pile: Ints) -> None:
    """Give a card to every number in a hidden hand, on the display and on the pile; the others lie below that one."""
    count = gather(state, tables, pile)
    chance.shuffle(key, salt, CHOSEN, pile, count)
    for player in range(state[kernel.PLAYERS]):
        if state[kernel.HAND + player] == 0:
            for number in range(tables[kernel.T_NUMBERS]):
                for _ in range((state[kernel.HELD + player] >> (3 * number)) & 7):
                    state[kernel.HAND + player] |= 1 << pick(number, pile, count)
                    count -= 1
    for place in range(kernel.DISPLAYED):
        if state[kernel.SHOWN + place] > 0:
            state[kernel.DISPLAY + place] = 1 + pick(state[kernel.SHOWN + place] - tables[kernel.T_LOWEST], pile, count)
            count -= 1
    if state[kernel.NUMBER] > 0:
        top = pick(state[kernel.NUMBER] - tables[kernel.T_LOWEST], pile, count)
        chance.shuffle(key, salt, PILED, pile, count - 1)
        pile[count - 1] = pile[0]
        pile[0] = top
    state[kernel.DRAWN] = 0


def gather(state: Ints, tables: Ints, unseen: Ints) -> int:
    """Write down the cards that are in no hand one sees and have not been played; return how many there are."""
    known = state[kernel.DISCARDS]
    for player in range(state[kernel.PLAYERS]):
        known |= state[kernel.HAND + player]
    chance.sort_deck(state, tables, unseen)
    count = 0
    for place in range(kernel.deck_size(state, tables)):
        card = unseen[place]
        unseen[count] = card
        count += 1 - ((known >> card) & 1)
    return count


def pick(number: int, cards: Ints, count: int) -> int:
    """Take the first card with a number out of some; the last one takes its place."""
    place = 0
    while cards[place] % kernel.MAX_NUMBERS != number:
        place += 1
    card = cards[place]
    cards[place] = cards[count - 1]
    return card
