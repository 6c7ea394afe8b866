"""`rowlock play --dice entered`: real dice are rolled, and what they show is typed."""

import re
from pathlib import Path

import pytest

from rowlock import Game, parse
from rowlock.bots import find_bot
from rowlock.rules.game import DICE_TAG, ENTERED
from tests import command
from tests.positions import position
from tests.test_terminal import play


def game(*players: str, variant: str = "classic") -> Game:
    new = Game(variant, list(players))
    new.tags[DICE_TAG] = ENTERED
    return new


def dice(saved: str) -> list[str]:
    assert parse(saved).record() == saved
    return re.findall(r"^\d+\. (\S+)", saved, re.MULTILINE)


@pytest.mark.parametrize("typed", ["413256", "41-3256", "4 1 3 2 5 6", "4,1,3,2,5,6"])
def test_dice_are_typed_in_several_ways(typed: str) -> None:
    _, saved = play(game("Anna", "Ben"), typed)
    assert dice(saved[-1]) == ["41-3256"]


@pytest.mark.parametrize("typed", ["31-.256", "31256", "31-256"])
def test_a_die_that_has_left_may_be_left_out(typed: str) -> None:
    closed = position("classic", ["R2,3,4,5,6,12# Y- G- B- x0", "R- Y- G- B- x0"], None)
    closed.tags[DICE_TAG] = ENTERED
    assert closed.closed == ("R",)
    screen, _ = play(closed, typed)
    assert "turn 1 31-.256" in screen.output


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("41-3.56", "41-3.56: the red die has left the game, . stands for it."),
        ("413256", "41-3256: the red die has left the game, . stands for it."),
        ("41329", "41-.329: the blue die shows 1 to 6, not 9."),
    ],
)
def test_a_die_that_has_left_shows_nothing(typed: str, error: str) -> None:
    closed = position("classic", ["R2,3,4,5,6,12# Y- G- B- x0", "R- Y- G- B- x0"], None)
    closed.tags[DICE_TAG] = ENTERED
    screen, _ = play(closed, typed)
    assert screen.output[0] == error


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("713256", "71-3256: the white die shows 1 to 6, not 7."),
        ("41-325", "41-325 is not a roll; it is written like 41-3256, a . for a die that has left."),
        ("41-.256", "41-.256: the red die is still in the game."),
        ("R5", "R5 is not a roll; it is written like 41-3256, a . for a die that has left."),
        ("abc", "abc is not a roll; it is written like 41-3256, a . for a die that has left."),
        ("", "Type what the dice show in this order"),
        ("h", "Type what the dice show in this order"),
    ],
)
def test_impossible_dice_are_asked_for_again(typed: str, error: str) -> None:
    screen, saved = play(game("Anna", "Ben"), typed, "413256")
    assert screen.output[0].startswith(error)
    assert dice(saved[-1]) == ["41-3256"]


def test_dice_can_be_corrected_until_a_person_has_decided() -> None:
    """The bot decides anew."""
    screen, saved = play(game("Anna", "Bot"), "663256", "u", "113256", "-", "u", bots={1: find_bot("eager")})
    assert [line for line in screen.output if line.startswith("turn")] == ["turn 1 66-3256", "turn 1 11-3256"]
    assert dice(saved[-1]) == ["11-3256"]
    assert "White action: Anna -, Bot R2." in screen.output
    assert "There is nothing to take back." in screen.output


def test_dice_that_left_nobody_a_choice_can_be_corrected_too() -> None:
    """Anna has passed without being asked: the next dice are asked for, and `u` goes back."""
    full = position("classic", ["R11 Y11 G3 B3 x0", "R11 Y11 G3 B3 x0"], None)
    full.tags[DICE_TAG] = ENTERED
    screen, saved = play(full, "441111", "x", "441111", "u", "661111", bots={1: find_bot("eager")})
    assert [line for line in screen.output if line.startswith("turn")] == [
        "turn 1 44-1111",
        "turn 2 44-1111",
        "turn 2 66-1111",
    ]
    assert dice(saved[-1])[-1] == "66-1111"


def test_decisions_can_be_taken_back_until_the_next_dice() -> None:
    """Anna marks another number with the coloured dice."""
    screen, saved = play(game("Anna", "Ben"), "413256", "Y5", "-", "R4", "u", "R7", "663256")
    assert "Anna decides again." in screen.output
    assert saved[-1].splitlines()[-2:] == ["1. 41-3256 Y5 - / R7", "2. 66-3256"]
    _, saved = play(game("Anna", "Ben"), "413256", "Y5", "-", "R4", "u")
    assert saved[-1].splitlines()[-1] == "1. 41-3256 Y5 -"  # the decision that was taken back is not saved


def test_a_bot_decides_anew_after_a_decision_was_taken_back() -> None:
    """The bot marked with the colours after Anna's white mark, which is taken back at the next dice."""
    screen, saved = play(game("Bot", "Anna"), "113256", "R2", "u", "-", "663256", bots={0: find_bot("eager")})
    assert "White action: Bot R2, Anna -." in screen.output
    assert dice(saved[-1]) == ["11-3256", "66-3256"]


def test_the_first_dice_have_none_before_them() -> None:
    screen, _ = play(game("Anna", "Ben"), "u")
    assert screen.output[0].startswith("There is nothing to take back")


def test_rolled_dice_cannot_be_taken_back() -> None:
    screen, _ = play(Game("classic", ["Anna", "Ben"], seed=1), "u")
    assert "There is nothing to take back." in screen.output


def test_a_game_is_resumed_with_entered_dice(tmp_path: Path) -> None:
    file = tmp_path / "game.rlk"
    started = command.run("play", "--players", "Anna,Ben", "--dice", "entered", "--save", file, stdin="413256\n-\n-\n")
    assert started.returncode == 0, started.stderr
    assert '[Dice "entered"]' in file.read_text()
    resumed = command.run("play", file, stdin="R4\nu\nR4\n663256\n")
    assert "(white, white, red, yellow, green, blue)>" in resumed.stdout
    assert dice(file.read_text())[-1] == "66-3256"
    rolled = command.run("play", file, "--dice", "rolled", stdin="-\n-\n")
    assert rolled.returncode == 0, rolled.stderr
    assert "Dice" not in file.read_text()


@pytest.mark.parametrize(("typed", "again"), [("413256\n-\nq\n", True), ("413256\n-\n-\nq\n", False)])
def test_stopping_says_which_decisions_are_asked_again(typed: str, again: bool, tmp_path: Path) -> None:
    stopped = command.run(
        "play", "--players", "Anna,Ben", "--dice", "entered", "--save", tmp_path / "g.rlk", stdin=typed
    )
    assert ("Saved. The decisions of this action will be asked again." in stopped.stdout) is again


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--dice", "thrown"], "rowlock: --dice is rolled or entered, not thrown\n"),
        (["cards", "--dice", "entered"], "rowlock: cards has no dice to enter\n"),
    ],
)
def test_bad_input(arguments: list[str], error: str, home: Path) -> None:
    found = command.run("play", *arguments)
    assert (found.returncode, found.stderr) == (2, error)
