"""Mixx: mixed colours (A) and mixed numbers (B), docs/rules/mixx.md. What is not said there is Classic."""

from collections import Counter
from itertools import product

import pytest

from rowlock import Illegal, Sheet, find_variant
from tests.positions import EMPTY, play, position

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
NUMBERS_A = {"R": UP, "Y": UP, "G": DOWN, "B": DOWN}
COLOURS_A = {"R": "YYYBBBGGGRR", "Y": "RRGGGGBBYYY", "G": "BBBYYYRRRGG", "B": "GGRRRRYYBBB"}
NUMBERS_B = {
    "R": [10, 6, 2, 8, 3, 4, 12, 5, 9, 7, 11],
    "Y": [9, 12, 4, 6, 7, 2, 5, 8, 11, 3, 10],
    "G": [8, 2, 10, 12, 6, 9, 7, 4, 5, 11, 3],
    "B": [5, 7, 11, 9, 12, 3, 8, 10, 2, 6, 4],
}


def whites(number: int) -> str:
    """Two white dice that make a sum."""
    return f"{max(1, number - 6)}{min(6, number - 1)}"


# Version A: mixed colours


@pytest.mark.parametrize("row", "RYGB")
def test_layout_a(row: str) -> None:
    """Numbers as in Classic, colours in segments, the last cell in the row's own (docs/rules/mixx.md, Version A)."""
    cells = find_variant("mixx-a").rows["RYGB".index(row)]
    assert cells.name == row
    assert list(cells.numbers) == NUMBERS_A[row]
    assert cells.colours == COLOURS_A[row]


def test_every_colour_has_every_number_once() -> None:
    """A coloured die and a white one always point to one cell (docs/rules/mixx.md, Version A)."""
    cells = [cell for row in find_variant("mixx-a").rows for cell in zip(row.colours, row.numbers, strict=True)]
    assert Counter(cells) == Counter(product("RYGB", range(2, 13)))


def test_the_white_sum_goes_into_any_row() -> None:
    """Colours do not matter in the white action (docs/rules/mixx.md, Version A)."""
    assert position("mixx-a", [EMPTY], "41-1111").options(0) == ["-", "B5", "G5", "R5", "Y5"]


def test_the_colour_sum_goes_where_its_colour_stands() -> None:
    """Whites 4 and 1: red 7 is B7, red 4 is G4, yellow 6 is B6, and so on (docs/rules/mixx.md, example 1)."""
    game = position("mixx-a", [EMPTY], "41-3256", white=["-"])
    assert game.options(0) == ["B6", "B7", "G10", "G4", "R3", "R7", "R9", "Y6", "x"]
    with pytest.raises(Illegal, match="R4: yellow makes 3 or 6") as illegal:
        game.play(0, "R4")
    assert illegal.value.code == "sum"


@pytest.mark.parametrize("row", "RYGB")
def test_every_cell_with_the_die_of_its_colour(row: str) -> None:
    """Its colour's die marks a cell, the three others do not (docs/rules/mixx.md, Version A)."""
    for number, colour in list(zip(NUMBERS_A[row], COLOURS_A[row], strict=True))[:-1]:
        white, right = max(1, number - 6), min(6, number - 1)
        wrong = right - 1 or 2
        for die, makes in (("RYGB".index(colour), True), *((n, False) for n in range(4) if "RYGB"[n] != colour)):
            dice = "".join(str(right if n == die else wrong) for n in range(4))
            game = position("mixx-a", [EMPTY], f"{white}{white}-{dice}", white=["-"])
            assert (f"{row}{number}" in game.options(0)) == makes


def test_marks_go_from_left_to_right_whatever_their_colour() -> None:
    """After R5 the yellow R3 is lost (docs/rules/classic.md, Marking)."""
    game = position("mixx-a", ["R5 Y- G- B- x0"], "22-1111", white=["-"])
    assert "R3" not in game.options(0)
    with pytest.raises(Illegal, match="R3 is left of R5"):
        game.play(0, "R3")


def test_closing_the_top_row_takes_the_red_die() -> None:
    """R12 with five marks before it: red leaves, the row is closed (docs/rules/mixx.md, Version A)."""
    game = position("mixx-a", ["R2,3,4,5,6 Y- G- B- x0", EMPTY], "66-1111", white=["R12#", "-"])
    assert game.closed == ("R",)
    play(game, "-")
    assert game.roll("25-.111") == "25-.111"
    assert game.options(1) == ["-", "B7", "G7", "Y7"]


@pytest.mark.parametrize(
    ("row", "marks", "dice", "option"),
    [
        ("R", "R2,3,4,5,6", "16-6111", "R12#"),
        ("Y", "Y2,3,4,5,6", "16-1611", "Y12#"),
        ("G", "G12,11,10,9,8", "16-1111", "G2#"),
        ("B", "B12,11,10,9,8", "16-1111", "B2#"),
    ],
)
def test_the_last_cell_has_the_colour_of_its_lock(row: str, marks: str, dice: str, option: str) -> None:
    """Rows R, Y, G, B are closed in red, yellow, green, blue (docs/rules/mixx.md, Version A)."""
    sheet = " ".join(marks if name == row else f"{name}-" for name in "RYGB")
    game = position("mixx-a", [sheet], dice, white=["-"])
    play(game, option)
    assert game.closed == (row,)
    assert game.roll()[3 + "RYGB".index(row)] == "."


def test_red_cells_of_other_rows_stay_open_to_white() -> None:
    """Red has left, Y3, G5 and B9 are red and may be marked with white (docs/rules/mixx.md, example 2)."""
    locked = "R2,3,4,5,6,12# Y- G- B- x0"
    assert position("mixx-a", [locked], "12-.111").options(0) == ["-", "B3", "G3", "Y3"]
    assert "G5" in position("mixx-a", [locked], "23-.111").options(0)
    assert "B9" in position("mixx-a", [locked], "45-.111").options(0)


def test_red_cells_of_other_rows_need_white_once_red_has_left() -> None:
    """In the colour action nothing red can be marked any more (docs/rules/mixx.md, Version A)."""
    before = position("mixx-a", [EMPTY], "12-1666", white=["-"])
    assert {"Y2", "Y3"} <= set(before.options(0))
    game = position("mixx-a", ["R2,3,4,5,6,12# Y- G- B- x0"], "12-.666", white=["-"])
    assert not {"Y2", "Y3"} & set(game.options(0))
    with pytest.raises(Illegal, match="Y2: the red die has left the game"):
        game.play(0, "Y2")


def test_a_closed_row_is_closed_whatever_the_colour_of_the_cell() -> None:
    """Blue is still rolled, but the blue R7 stands in a closed row (docs/rules/mixx.md, Version A)."""
    locked = "R2,3,4,5,6,12# Y- G- B- x0"
    assert "R7" in position("mixx-a", [EMPTY], "11-1116", white=["-"]).options(0)
    game = position("mixx-a", [EMPTY, locked], "11-.116", white=["-", "-"])
    assert "R7" not in game.options(0)
    with pytest.raises(Illegal, match="R7: row R is closed") as illegal:
        game.play(0, "R7")
    assert illegal.value.code == "closed"


def test_rows_score_row_by_row() -> None:
    """Four marks of four colours in row R are four marks in R (docs/rules/mixx.md, example 3)."""
    sheet = Sheet.parse("R2,5,8,11 Y- G- B- x0", "mixx-a")
    assert sheet.points == {"R": 10, "Y": 0, "G": 0, "B": 0, "bonus": 0, "misthrows": 0}


# Version B: mixed numbers


@pytest.mark.parametrize("row", "RYGB")
def test_layout_b(row: str) -> None:
    """Every row has the numbers 2 to 12 in an order of its own, in its own colour (docs/rules/mixx.md, Version B)."""
    cells = find_variant("mixx-b").rows["RYGB".index(row)]
    assert cells.name == row
    assert list(cells.numbers) == NUMBERS_B[row]
    assert sorted(cells.numbers) == UP
    assert cells.colours == row * 11


@pytest.mark.parametrize("row", "RYGB")
def test_left_to_right_is_by_place_not_by_number(row: str) -> None:
    """After a mark exactly the cells that stand right of it are left (docs/rules/mixx.md, Version B)."""
    for place, marked in enumerate(NUMBERS_B[row][:-1]):
        sheet = " ".join(f"{name}{marked}" if name == row else f"{name}-" for name in "RYGB")
        left = {
            number
            for number in range(2, 13)
            if f"{row}{number}" in position("mixx-b", [sheet], f"{whites(number)}-1111").options(0)
        }
        assert left == set(NUMBERS_B[row][place + 1 : -1])


@pytest.mark.parametrize(
    ("row", "marks", "closing"),
    [
        ("R", "R10,6,2,8,3", 11),
        ("Y", "Y9,12,4,6,7", 10),
        ("G", "G8,2,10,12,6", 3),
        ("B", "B5,7,11,9,12", 4),
    ],
)
def test_closing_numbers(row: str, marks: str, closing: int) -> None:
    """R closes with 11, Y with 10, G with 3, B with 4, after five marks (docs/rules/mixx.md, example 4)."""
    four = marks.rpartition(",")[0]
    sheets = [" ".join(one if name == row else f"{name}-" for name in "RYGB") for one in (marks, four)]
    game = position("mixx-b", sheets, f"{whites(closing)}-1111")
    assert f"{row}{closing}#" in game.options(0)
    assert f"{row}{closing}#" not in game.options(1)
    play(game, f"{row}{closing}#", "-")
    assert game.closed == (row,)
    assert game.sheets[0].points[row] == 28


@pytest.mark.parametrize("number", [12, 2])
def test_the_numbers_that_close_in_classic_close_nothing(number: int) -> None:
    """R12 and G2 stand in the middle (docs/rules/mixx.md, Version B)."""
    game = position("mixx-b", [EMPTY], f"{whites(number)}-1111")
    assert game.options(0) == ["-", f"B{number}", f"G{number}", f"R{number}", f"Y{number}"]


def test_the_colour_action_keeps_to_the_rows() -> None:
    """Rows keep their colour, so a die marks in its own row (docs/rules/mixx.md, Version B)."""
    game = position("mixx-b", [EMPTY], "41-3256", white=["-"])
    assert game.options(0) == ["B10", "B7", "G6", "G9", "R4", "R7", "Y3", "Y6", "x"]
