"""Today's challenge: the same game and the same dice for everybody on a day, for ever."""

import random
from datetime import date, timedelta

import pytest

from rowlock import challenge, find_variant
from rowlock.rules.challenge import GAMES

# The same days are in web/src/challenge.test.ts. These values never change.
DAYS = [
    ("2026-11-18", "mixx-b", ["62-3626", "32-2231", "42-5325"]),
    ("2026-11-19", "x-change", ["46-6366", "14-2664", "25-5124"]),
    ("2026-12-31", "double-a", ["43-3112", "45-6241", "63-1424"]),
    ("2027-01-01", "mixx-b", ["53-3111", "12-4523", "31-6366"]),
    ("2028-02-29", "big-points", ["33-6561", "53-4441", "51-1663"]),
    ("2099-12-31", "longo", ["55-2571", "21-6235", "31-6865"]),
]


@pytest.mark.parametrize(("day", "variant", "rolls"), DAYS)
def test_the_game_and_the_dice_of_a_day_never_change(day: str, variant: str, rolls: list[str]) -> None:
    game = challenge(date.fromisoformat(day))
    assert game.variant.id == variant
    for roll in rolls:
        assert game.roll() == roll
        game.play(0, "-")
        game.play(0, "x")


def test_the_dice_do_not_depend_on_decisions() -> None:
    """Of the dice that are still in the game."""
    passing, marking = challenge(date(2026, 11, 19)), challenge(date(2026, 11, 19))
    rng = random.Random(1)
    while not passing.over and not marking.over:
        pairs = zip(passing.roll(), marking.roll(), strict=True)
        assert all(one == other or "." in (one, other) for one, other in pairs)
        passing.play(0, "-")
        passing.play(0, "x")
        for _ in range(2):
            if marking.to_act:
                marking.play(0, rng.choice(marking.options(0)))


def test_every_built_in_dice_game_of_the_list_comes_in_turn() -> None:
    days = [date(2027, 2, 20) + timedelta(number) for number in range(2 * len(GAMES))]
    played = [challenge(day).variant.id for day in days]
    assert played[: len(GAMES)] == played[len(GAMES) :]
    assert set(played) == set(GAMES)
    assert not any(find_variant(name).cards for name in GAMES)


def test_challenges_are_played_alone() -> None:
    assert challenge(date(2026, 11, 18), "Anna").players == ("Anna",)
