"""Positions for the rule tests: sheets in notation, then the dice, then the white marks."""

from collections.abc import Sequence

from rowlock import Game, Sheet, Variant, find_variant
from rowlock.rules import kernel

NAMES = ("Anna", "Ben", "Chloe", "David", "Emma")
EMPTY = "R- Y- G- B- x0"


def position(
    variant: str | Variant, sheets: Sequence[str], dice: str | None = None, white: Sequence[str] | None = None
) -> Game:
    """A game with these sheets, the first player active; a row that a player has locked is closed."""
    variant = find_variant(variant)
    game = Game(variant, NAMES[: len(sheets)], seed=0)
    for player, text in enumerate(sheets):
        at = kernel.sheet_at(player)
        game._state[at : at + kernel.SHEET_SIZE] = Sheet.parse(text, variant).ints
    kernel.close_rows(game._state, variant.tables)
    if dice is not None:
        game.roll(dice)
    if white is not None:
        play(game, *white)
    return game


def kernel_count(game: Game, player: int) -> int:
    """How many options the kernel lists; `Game.options` would not show duplicates."""
    found, scratch = [0] * kernel.MAX_OPTIONS, [0] * kernel.SCRATCH_SIZE
    return kernel.options(game._state, game.variant.tables, player, found, scratch)


def play(game: Game, *options: str) -> None:
    """The decisions of everybody who is to act, in seating order."""
    for player, option in zip(game.to_act, options, strict=True):
        game.play(player, option)


def deck(first: str, jokers: bool = False) -> str:
    """A whole deck: these cards on top, then all others by colour and number."""
    named = first.split()
    every = [f"{colour}{number}" for colour in ("rygbj" if jokers else "rygb") for number in range(2, 13)]
    return " ".join([*named, *(card for card in every if card not in named)])


def table(variant: str, hands: Sequence[str], display: str, pile: str, sheets: Sequence[str] = ()) -> Game:
    """A card game just dealt, the first player to take: hands and display of four, and what is on top of the pile."""
    game = Game(variant, NAMES[: len(hands)], seed=0)
    for player, text in enumerate(sheets):
        at = kernel.sheet_at(player)
        game._state[at : at + kernel.SHEET_SIZE] = Sheet.parse(text, game.variant).ints
    kernel.close_rows(game._state, game.variant.tables)
    in_turn = [card for cards in zip(*map(str.split, hands), strict=True) for card in cards]
    game.deal(deck(" ".join([*in_turn, display, pile]), jokers=game.jokers))
    return game


def shorten(game: Game, left: int) -> Game:
    """Leave so many cards in the pile and move the others to the discards."""
    first = game._size + game._state[kernel.DRAWN]
    for card in game._state[first + left : first + game._state[kernel.PILE]]:
        game._state[kernel.DISCARDS] |= 1 << card
    game._state[kernel.PILE] = left
    return game
