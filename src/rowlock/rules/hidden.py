"""Cards that a seat does not see, laid at random: every way in which they can lie is equally likely."""

from rowlock.rules import chance as c
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints

# Two orders of the unseen cards, those of turns far beyond any: which of them the numbers are, and how the pile lies.
CHOSEN, PILED = c.DECKS, c.DECKS + 1


def lay(state: Ints, tables: Ints, key: int, salt: int, pile: Ints) -> None:
    """Give a card to every number in a hidden hand, on the display and on the pile; the others lie below that one."""
    count = gather(state, tables, pile)
    c.shuffle(key, salt, CHOSEN, pile, count)
    for player in range(state[k.PLAYERS]):
        if state[k.HAND + player] == 0:
            for number in range(tables[k.T_NUMBERS]):
                for _ in range((state[k.HELD + player] >> (3 * number)) & 7):
                    state[k.HAND + player] |= 1 << pick(number, pile, count)
                    count -= 1
    for place in range(k.DISPLAYED):
        if state[k.SHOWN + place] > 0:
            state[k.DISPLAY + place] = 1 + pick(state[k.SHOWN + place] - tables[k.T_LOWEST], pile, count)
            count -= 1
    if state[k.NUMBER] > 0:
        top = pick(state[k.NUMBER] - tables[k.T_LOWEST], pile, count)
        c.shuffle(key, salt, PILED, pile, count - 1)
        pile[count - 1] = pile[0]
        pile[0] = top
    state[k.DRAWN] = 0


def gather(state: Ints, tables: Ints, unseen: Ints) -> int:
    """Write down the cards that are in no hand one sees and have not been played; return how many there are."""
    known = state[k.DISCARDS]
    for player in range(state[k.PLAYERS]):
        known |= state[k.HAND + player]
    c.sort_deck(state, tables, unseen)
    count = 0
    for place in range(k.deck_size(state, tables)):
        card = unseen[place]
        unseen[count] = card
        count += 1 - ((known >> card) & 1)
    return count


def pick(number: int, cards: Ints, count: int) -> int:
    """Take the first card with a number out of some; the last one takes its place."""
    place = 0
    while cards[place] % k.MAX_NUMBERS != number:
        place += 1
    card = cards[place]
    cards[place] = cards[count - 1]
    return card
