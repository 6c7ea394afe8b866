"""Dice, shuffles and random words as functions of seed, game, turn and slot, independent of all decisions.

They come from a counter-based hash of 32-bit words. Each product is masked, so that CPython and compiled code agree.
`mix` is the hash function lowbias32; `draw` is the same with a salt. The other hexadecimal numbers are arbitrary.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

MASK = 0xFFFFFFFF  # of the 32 bits of a word
MAX_SEED = 2**63 - 1

# A turn has SLOTS words: two for the dice, then one per phase and seat for the decisions of bots. A shuffle uses the
# words of a turn of its own, one word per card.
DICE_SLOTS = 2
SLOTS = 64
SHUFFLE_TURNS = 1 << 20  # added to the turn in shuffles; more turns than a game can have


def mix(word: int) -> int:
    """Hash a word to another word, without collisions."""
    word ^= word >> 16
    word = (word * 0x7FEB352D) & MASK
    word ^= word >> 15
    word = (word * 0x846CA68B) & MASK
    return word ^ (word >> 16)


def game_key(seed: int, number: int) -> int:
    """One half of the 64-bit key of game `number`: different for each of the first 2**32 games of a seed."""
    return mix((mix(mix(seed & MASK) ^ (seed >> 32)) + number) & MASK) ^ mix(number >> 32)


def game_salt(seed: int, number: int) -> int:
    """The other half of the key, so that no two games have overlapping sequences of words."""
    return mix((mix((seed & MASK) ^ 0x9E3779B9) + mix((number & MASK) ^ 0x85EBCA6B) + (seed >> 32)) & MASK)


def random_word(key: int, salt: int, turn: int, slot: int) -> int:
    """The random word of a slot: 32 bits."""
    word = (key + (turn * SLOTS + slot) * 0x9E3779B1) & MASK
    word ^= word >> 16
    word = ((word + salt) * 0x7FEB352D) & MASK
    word ^= word >> 15
    word = ((word ^ salt) * 0x846CA68B) & MASK
    return word ^ (word >> 16)


def decision_slot(phase: int, seat: int) -> int:
    return DICE_SLOTS + phase * 8 + seat  # 8: at least MAX_PLAYERS


def throw(key: int, salt: int, turn: int, tables: Ints, dice: Ints) -> None:
    """Write the six dice of a turn to `dice`; each of two words gives three dice."""
    for half in range(DICE_SLOTS):
        word = random_word(key, salt, turn, half)
        for die in range(3 * half, 3 * half + 3):
            scaled = word * tables[kernel.T_FACES + max(0, die - 1)]  # both white dice are alike
            dice[die] = 1 + (scaled >> 32)
            word = scaled & MASK  # the remaining bits are for the next die


def shuffle(key: int, salt: int, turn: int, cards: Ints, count: int) -> None:
    """Shuffle the first `count` cards in place, with words that depend on the turn."""
    for last in range(count - 1, 0, -1):
        other = random_word(key, salt, SHUFFLE_TURNS + turn, last) * (last + 1) >> 32
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


def draw(state: Ints, tables: Ints, key: int, salt: int, drawn: Ints) -> int:
    """Write the dice that come next, or the cards shuffled, to `drawn`; return how many, 0 if there are none."""
    turn = state[kernel.TURN]
    if tables[kernel.T_CARDS] == 0:
        throw(key, salt, turn, tables, drawn)
        return 6
    cards = kernel.cards_to_shuffle(state, tables)
    if cards == 0:
        return 0
    count = kernel.list_cards(cards, drawn, 0)
    shuffle(key, salt, turn, drawn, count)
    return count


def act(state: Ints, tables: Ints, key: int, salt: int, drawn: Ints) -> None:
    """Roll or deal in a game that waits for it; `drawn` receives the dice, or the pile, which later calls read."""
    if tables[kernel.T_CARDS] == 0:  # what follows would do, but games of `random` would be 5 % slower
        throw(key, salt, state[kernel.TURN], tables, drawn)
        kernel.roll(state, drawn)
        return
    kernel.draw_after_taking(state, tables, drawn)
    if kernel.waits_for_chance(state):
        draw(state, tables, key, salt, drawn)
        kernel.let_chance_act(state, tables, drawn)
