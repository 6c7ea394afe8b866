"""Determinized games: the view of the seat is the same as in the real game."""

import random
from dataclasses import replace

import pytest

from rowlock import Game, View, testing
from rowlock.rules import kernel
from rowlock.rules.determinization import determinize


def seen(view: View) -> View:
    """A view without the decisions of others and without the count of cards drawn since a shuffle."""
    state = tuple(0 if place == kernel.DRAWN else value for place, value in enumerate(view.state))
    return replace(view, state=state, to_act=(), decided=(), decision=None, options={}, dice=None)


@pytest.mark.parametrize("variant", ["classic", "longo", "cards", "cards+jokers", "cards-mixx-a+jokers"])
@pytest.mark.parametrize("players", [1, 2, 5])
def test_a_determinized_game_has_the_same_view(variant: str, players: int) -> None:
    game, rng = Game(variant, players, seed=players), random.Random(players)
    while not game.over:
        testing.step(game, rng)
        if game.to_act:
            for seat in range(players):
                view = game.view(seat)
                sampled = determinize(game.variant, game.players, view.state, rng)
                assert seen(sampled.view(seat)) == seen(view)
                testing.cards_are_somewhere_once(sampled)


def test_a_determinized_game_can_be_continued() -> None:
    game, rng = Game("cards+jokers", 3, seed=2), random.Random(2)
    for _ in range(40):
        testing.step(game, rng)
    game = determinize(game.variant, game.players, game.view(1).state, rng)
    while not game.over:
        testing.step(game, rng)


def test_hidden_cards_are_sampled_uniformly() -> None:
    """Each card with a visible number is equally often the one in the other hand."""
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


def test_the_only_unseen_card_of_a_number_is_that_card() -> None:
    """A player who counts the other cards knows it."""
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


def test_the_order_of_the_pile_is_independent_of_the_hands() -> None:
    """Cards whose numbers are visible in hands and on display are as often near the top of the pile as others."""
    game, rng = Game("cards+jokers", 2, seed=1), random.Random(1)
    game.deal()
    view = game.view(0)
    shown = {card[1:] for card in (*game.hands[1], *game.display)}
    piles = [determinize(game.variant, game.players, view.state, rng).pile[1:] for _ in range(1000)]
    places = [place for pile in piles for place, card in enumerate(pile) if card[1:] in shown]
    middle = (len(piles[0]) - 1) / 2
    assert abs(sum(places) / len(places) - middle) < 0.5
