"""Why a cell, box or field cannot be marked: every obstacle in a position, with its values."""

from collections.abc import Callable

import pytest

from rowlock import Game
from rowlock.rules.obstacles import OBSTACLES
from rowlock.rules.variant import parse_custom
from tests.positions import EMPTY, deck, play, position, table

RED_LOCKED = "R2,3,4,5,6,12# Y- G- B- x0"
CARDS = ["r5 r8 r12 y3", "b2 b3 b4 b5"]


def over() -> Game:
    """Two rows are locked."""
    return position("classic", ["R2,3,4,5,6,12# Y2,3,4,5,6,12# G- B- x0"])


def decided() -> Game:
    game = position("classic", [EMPTY, EMPTY], "44-1111")
    game.play(0, "-")
    return game


def colour(sheet: str, dice: str, variant: str = "classic") -> Game:
    """The colour action of a game for one."""
    return position(variant, [sheet], dice, ["-"])


def playing(sheet: str = EMPTY, hand: str = "r5 r8 r12 y3", variant: str = "cards", taken: str = "g7") -> Game:
    """Cards are played by the first player: the hand and the card taken."""
    game = table(variant, [hand, CARDS[1]], f"{taken} g9 g10 g11", "b12", [sheet, EMPTY])
    game.play(0, taken)
    play(game, "-", "-")
    return game


def together() -> Game:
    """Each of the last two cells of a row locks it."""
    file = 'format = 1\nid = "two"\nsheet = "cards"\nclosing = 2\nneeded = 0\nname = {en = "2"}\nabout = {en = "2"}'
    game = Game(parse_custom(file, "the file"), 2, seed=0)
    game.deal(deck("r11 b2 r12 b3 y3 b4 y4 b5 g7 g9 g10 g11 b12"))
    game.play(0, "g7")
    play(game, "-", "-")
    return game


Case = tuple[str, Callable[[], Game], dict[str, str], dict[str, object]]
CASES: list[Case] = [
    ("over", over, {"spot": "R5"}, {}),
    ("roll", lambda: position("classic", [EMPTY]), {"spot": "R5"}, {}),
    ("roll", lambda: Game("cards", 2, seed=0), {"spot": "R5"}, {}),
    (
        "turn",
        lambda: position("classic", [EMPTY, EMPTY], "44-1111", ["-", "-"]),
        {"spot": "R5", "player": "1"},
        {"player": 0},
    ),
    ("decided", decided, {"spot": "R8"}, {}),
    ("take", lambda: table("cards", CARDS, "g7 g8 g9 g10", "g11"), {"spot": "R5"}, {}),
    ("turn", lambda: table("cards", CARDS, "g7 g8 g9 g10", "g11"), {"spot": "R5", "player": "1"}, {"player": 0}),
    ("marked", lambda: position("classic", ["R5 Y- G- B- x0"], "41-1111"), {"spot": "R5"}, {}),
    ("marked", lambda: position("double-a", ["R2,3,4,5,6,7,8,12# Y- G- B- x0"], "66-.111"), {"spot": "R12"}, {}),
    ("second-marked", lambda: position("double-a", ["R5* Y- G- B- x0"], "41-1111"), {"spot": "R5"}, {}),
    # Closed by another player, by both at once, or on the own sheet of a card game.
    (
        "closed",
        lambda: position("classic", [EMPTY, RED_LOCKED], "41-.111"),
        {"spot": "R5"},
        {"row": "R", "players": [1]},
    ),
    (
        "closed",
        lambda: position("classic", [RED_LOCKED, RED_LOCKED], "43-.111"),
        {"spot": "R7"},
        {"row": "R", "players": [0, 1]},
    ),
    ("closed", lambda: playing(RED_LOCKED), {"spot": "R8"}, {"row": "R", "players": [0]}),
    # What lasts is told before what the dice change.
    ("left", lambda: position("classic", ["R5,7 Y- G- B- x0"], "44-1111"), {"spot": "R6"}, {"cell": "R7"}),
    ("left", lambda: position("big-points", ["R5 Y- G- B- RY5 GB- x0"], "22-1111"), {"spot": "RY4"}, {"cell": "RY5"}),
    ("not-rightmost", lambda: position("double-a", ["R5,7 Y- G- B- x0"], "41-1111"), {"spot": "R5"}, {"cell": "R7"}),
    ("swap-used", lambda: position("x-change", [f"{EMPTY} >8/5"], "44-1111"), {"spot": "8/5"}, {}),
    ("swap-left", lambda: position("x-change", [f"{EMPTY} >9/7"], "44-1111"), {"spot": "8/5"}, {"field": "9/7"}),
    ("swap-colour", lambda: colour(EMPTY, "44-1111", "x-change"), {"spot": "8/5"}, {}),
    ("swap-sum", lambda: position("x-change", [EMPTY], "41-1111"), {"spot": "9/7"}, {"number": 5}),
    ("swap-number", lambda: position("x-change", [EMPTY], "44-1111"), {"spot": "R8", "swap": "8/5"}, {"number": 5}),
    (
        "swap-none",
        lambda: position("x-change", ["R6 Y6 G4 B4 x0"], "44-1111"),
        {"spot": "8/5"},
        {"number": 5},
    ),
    ("no-card", playing, {"spot": "Y8"}, {"colour": "Y", "number": 8}),
    ("card", playing, {"spot": "R8"}, {"card": "r8"}),
    ("card", playing, {"spot": "Y3", "chosen": "r5 = R5"}, {"card": "y3"}),
    ("card", lambda: playing(hand="j8 r5 r12 y3", variant="cards+jokers"), {"spot": "G8"}, {"card": "j8"}),
    (
        "played-as",
        lambda: playing(hand="j8 r5 r12 y3", variant="cards+jokers"),
        {"spot": "Y8", "chosen": "j8r = R8"},
        {"colour": "R"},
    ),
    # The marks of the same play count.
    ("needed", playing, {"spot": "R12", "chosen": "r12 = x"}, {"needed": 5, "marks": 0}),
    (
        "needed",
        lambda: position("classic", ["R2,3,4 Y- G- B- x0"], "66-1111"),
        {"spot": "R12"},
        {"needed": 5, "marks": 3},
    ),
    ("gap", playing, {"spot": "R8", "chosen": "r5,r8 = R5"}, {"count": 2, "allowed": 1}),
    ("together", together, {"spot": "R12", "chosen": "r11,r12 = R11#"}, {}),
    ("beside", lambda: position("big-points", ["R5 Y- G- B- RY- GB- x0"], "44-1111"), {"spot": "RY8"}, {}),
    (
        "beside-colour",
        lambda: colour("R- Y8 G- B- RY- GB- x0", "44-4111", "big-points"),
        {"spot": "RY8"},
        {},
    ),
    (
        "field-sum",
        lambda: colour("R- Y8 G- B- RY- GB- x0", "44-1111", "big-points"),
        {"spot": "RY8"},
        {"colour": "R", "other": "Y"},
    ),
    ("lucky-row", lambda: position("longo", ["R3 Y- G- B- x0 !5/8"], "44-1111"), {"spot": "R4"}, {"number": 8}),
    (
        "lucky-next",
        lambda: position("longo", ["R3 Y- G- B- x0 !5/8"], "44-1111"),
        {"spot": "Y4"},
        {"number": 8, "cell": "Y2"},
    ),
    ("sum", lambda: position("classic", [EMPTY], "44-1111"), {"spot": "R5"}, {"number": 8}),
    ("announced", lambda: _announced(), {"spot": "R5"}, {"number": 12}),
    ("colour-sum", lambda: colour(EMPTY, "63-2111"), {"spot": "R7"}, {"colour": "R", "low": 5, "high": 8}),
    (
        "die-gone",
        lambda: colour(RED_LOCKED, "63-.111", "mixx-a"),
        {"spot": "Y3"},
        {"colour": "R"},
    ),
]


def _announced() -> Game:
    game = table("cards", CARDS, "g7 g9 g10 g11", "g8 b12")
    game.play(0, "g7")
    return game


def ask(game: Game, question: dict[str, str]) -> tuple[str, dict[str, object]] | None:
    words = dict(question)
    return game.why_not(int(words.pop("player", 0)), **words)


@pytest.mark.parametrize(("name", "make", "question", "values"), CASES, ids=[case[0] for case in CASES])
def test_an_obstacle(name: str, make: Callable[[], Game], question: dict[str, str], values: dict[str, object]) -> None:
    assert ask(make(), question) == (name, values)


def test_every_obstacle_has_a_case() -> None:
    assert {case[0] for case in CASES} == {name for name, _ in OBSTACLES}
