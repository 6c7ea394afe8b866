"""Imagined games: whoever looks at one from a seat sees what that seat sees of the real one."""

import random
from dataclasses import replace

import pytest

from rowlock import Game, View, testing
from rowlock.rules import kernel
from rowlock.rules.determinization import determinize


def seen(view: View) -> View:
    """A view without what others have decided meanwhile, and without what counts the cards drawn since a shuffle."""
    state = tuple(0 if place == kernel.DRAWN else value for place, value in enumerate(view.state))
    return replace(view, state=state, to_act=(), decided=(), decision=None, options={}, dice=None)


@pytest.mark.parametrize("variant", ["classic", "longo", "cards", "cards+jokers", "cards-mixx-a+jokers"])
@pytest.mark.parametrize("players", [1, 2, 5])
def test_an_imagined_game_looks_like_the_real_one(variant: str, players: int) -> None:
    game, rng = Game(variant, players, seed=players), random.Random(players)
    while not game.over:
        testing.step(game, rng)
        if game.to_act:
            for seat in range(players):
                view = game.view(seat)
                imagined = determinize(game.variant, game.players, view.state, rng)
                assert seen(imagined.view(seat)) == seen(view)
                testing.cards_are_somewhere_once(imagined)


def test_it_can_be_played_on() -> None:
    game, rng = Game("cards+jokers", 3, seed=2), random.Random(2)
    for _ in range(40):
        testing.step(game, rng)
    game = determinize(game.variant, game.players, game.view(1).state, rng)
    while not game.over:
        testing.step(game, rng)


def test_hidden_cards_lie_in_every_possible_way() -> None:
    """Of the cards that could be meant by a number, each is equally often the one in the other hand."""
    game = Game("cards", 2, seed=1)
    game.deal()
    view, rng = game.view(0), random.Random(1)
    number = game.hands[1][0][1:]
    possible = [f"{colour}{number}" for colour in "rygb" if f"{colour}{number}" not in game.hands[0]]
    held = [determinize(game.variant, game.players, view.state, rng).hands[1] for _ in range(2000)]
    times = sum(card[1:] == number for card in game.hands[1])
    for card in possible:
        share = sum(card in hand for hand in held) / len(held)
        assert abs(share - times / len(possible)) < 0.06, card


def test_the_last_card_that_a_number_can_be_is_that_card() -> None:
    """Who has counted the others knows it."""
    game, rng, determined = Game("cards", 2, seed=3), random.Random(3), 0
    while not game.over:
        testing.step(game, rng)
        if game.to_act:
            unseen = {*game.hands[1], *game.display, *game.pile}
            for card in game.hands[1]:
                if sum(other[1:] == card[1:] for other in unseen) == 1:
                    determined += 1
                    assert card in determinize(game.variant, game.players, game.view(0).state, rng).hands[1]
    assert determined


def test_a_pile_is_not_sorted_by_what_lies_elsewhere() -> None:
    """Cards of the numbers that show in hands and on display are as often high up in the pile as the others."""
    game, rng = Game("cards+jokers", 2, seed=1), random.Random(1)
    game.deal()
    view = game.view(0)
    shown = {card[1:] for card in (*game.hands[1], *game.display)}
    piles = [determinize(game.variant, game.players, view.state, rng).pile[1:] for _ in range(1000)]
    places = [place for pile in piles for place, card in enumerate(pile) if card[1:] in shown]
    middle = (len(piles[0]) - 1) / 2
    assert abs(sum(places) / len(places) - middle) < 0.5
