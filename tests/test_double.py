"""Double A: a second box under every cell but the last of its row. What is not said here is Classic."""

import pytest

from rowlock import Illegal, Sheet, find_variant, parse
from rowlock.rules.notation import outcome
from tests.positions import EMPTY, play, position

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
LAYOUT = {"R": UP, "Y": UP, "G": DOWN, "B": DOWN}
WHITES = {2: "11", 3: "12", 4: "13", 5: "14", 6: "15", 7: "16", 8: "26", 9: "36", 10: "46", 11: "56", 12: "66"}
CLOSED_RED = "R2,3,4,5,6,7,8,12# Y- G- B- x0"


def only(row: str, marks: str) -> str:
    """A sheet with marks in one row."""
    return " ".join(f"{name}{marks}" if name == row else f"{name}-" for name in "RYGB") + " x0"


@pytest.mark.parametrize("row", "RYGB")
def test_rows_as_in_classic(row: str) -> None:
    """Rows, colours and dice are those of Classic (docs/rules/double.md, Sheet)."""
    cells = find_variant("double-a").rows["RYGB".index(row)]
    assert (cells.name, list(cells.numbers), cells.colours) == (row, LAYOUT[row], row * 11)
    assert find_variant("double-a").dice == (6, 6, 6, 6, 6)


# The boxes


@pytest.mark.parametrize(("row", "number"), [(row, number) for row in "RYGB" for number in LAYOUT[row][:-1]])
def test_a_box_under_every_cell_but_the_last(row: str, number: int) -> None:
    """With the white sum the box under the rightmost mark can be marked, in any row (docs/rules/double.md, Sheet)."""
    game = position("double-a", [only(row, str(number))], f"{WHITES[number]}-1111")
    assert f"{row}{number}*" in game.options(0)
    play(game, f"{row}{number}*")
    assert game.sheets[0].second[row] == [number]
    assert game.sheets[0].rows[row] == [number]


@pytest.mark.parametrize(("row", "marks"), [("R", "2,3,4,5,6,7,8,12#"), ("G", "12,11,10,9,8,7,6,2#")])
def test_no_box_under_the_last_cell(row: str, marks: str) -> None:
    """The last cell is marked once, with the lock."""
    last = LAYOUT[row][-1]
    die = {"R": ".111", "G": "11.1"}[row]
    game = position("double-a", [only(row, marks)], f"{WHITES[last]}-{die}")
    assert not any("*" in option for option in game.options(0))
    with pytest.raises(Illegal, match=f"{row}{last} has no second box") as illegal:
        game.play(0, f"{row}{last}*")
    assert illegal.value.code == "second"
    with pytest.raises(ValueError, match=f"{row}{last} locks the row"):
        Sheet.parse(only(row, marks.replace("#", "*")), "double-a")


def test_while_a_marked_cell_is_the_rightmost_mark_of_its_row() -> None:
    """R7 is, R5 is not any more (docs/rules/double.md, Boxes)."""
    assert "R7*" in position("double-a", ["R5,7 Y- G- B- x0"], "34-1111").options(0)
    game = position("double-a", ["R5,7 Y- G- B- x0"], "23-1111")
    assert "R5*" not in game.options(0)
    with pytest.raises(Illegal, match="R5 is not the rightmost mark of its row") as illegal:
        game.play(0, "R5*")
    assert illegal.value.code == "second"


def test_no_box_of_a_cell_that_is_not_marked() -> None:
    """The cell comes first."""
    game = position("double-a", [EMPTY], "23-1111")
    assert game.options(0) == ["-", "B5", "G5", "R5", "Y5"]
    with pytest.raises(Illegal, match="R5 is not marked yet"):
        game.play(0, "R5*")


def test_when_its_number_comes_up_again() -> None:
    """7 is no 5, and R5 stays without its box."""
    game = position("double-a", ["R5 Y- G- B- x0"], "34-1111")
    with pytest.raises(Illegal, match="R5: the white sum is 7") as illegal:
        game.play(0, "R5*")
    assert illegal.value.code == "sum"


def test_with_the_white_sum_in_any_row() -> None:
    """5 stands rightmost in all four rows (docs/rules/double.md, Boxes)."""
    game = position("double-a", ["R5 Y2,5 G10,5 B5 x0"], "23-1111")
    assert game.options(0) == ["-", "B5*", "G5*", "R5*", "Y5*"]


def test_every_player_in_the_white_action() -> None:
    """Also those who are not active."""
    game = position("double-a", ["R5 Y- G- B- x0", "R- Y5 G- B- x0"], "23-1111", white=["R5*", "Y5*"])
    assert [str(sheet) for sheet in game.sheets] == ["R5* Y- G- B- x0", "R- Y5* G- B- x0"]


def test_with_a_colour_sum_in_that_colour() -> None:
    """Red makes 5: the box under R5, not the one under Y5 (docs/rules/double.md, Boxes)."""
    game = position("double-a", ["R5 Y5 G- B- x0"], "23-2111", white=["-"])
    found = [option for option in game.options(0) if "*" in option]
    assert found == ["R5*"]
    with pytest.raises(Illegal, match="Y5: yellow makes 3 or 4") as illegal:
        game.play(0, "Y5*")
    assert illegal.value.code == "sum"


def test_a_box_is_marked_once() -> None:
    """The second box is the last one."""
    game = position("double-a", ["R5* Y- G- B- x0"], "23-1111")
    assert not any(option.startswith("R5") for option in game.options(0))
    with pytest.raises(Illegal, match="the second box of R5 is marked already") as illegal:
        game.play(0, "R5*")
    assert illegal.value.code == "second"


def test_one_mark_per_action() -> None:
    """The cell and its box are not marked in one action (docs/rules/double.md, Boxes)."""
    game = position("double-a", [EMPTY], "23-1111", white=["R5"])
    assert game.sheets[0].second["R"] == []
    assert game.phase == "colour"
    other = position("double-a", [EMPTY], "23-1111")
    with pytest.raises(Illegal) as illegal:
        other.play(0, "R5+R5*")
    assert illegal.value.code == "syntax"


def test_a_box_or_a_cell() -> None:
    """Ben rolls a white 5: Anna marks the box of R5, or G5, but not both (docs/rules/double.md, example 1)."""
    game = position("double-a", ["R5 Y6 G- B3 x0", EMPTY], "23-1111")
    assert game.options(0) == ["-", "G5", "R5*"]


def test_the_cell_and_its_box_in_one_turn() -> None:
    """The cell in the white action and its box in the colour action is allowed (docs/rules/double.md, Boxes)."""
    game = position("double-a", [EMPTY], "23-2111", white=["R5"])
    assert "R5*" in game.options(0)
    play(game, "R5*")
    assert str(game.sheets[0]) == "R5* Y- G- B- x0"


def test_the_box_and_a_cell_in_one_turn() -> None:
    """The box in the white action, then a cell further right."""
    game = position("double-a", ["R5 Y- G- B- x0"], "23-4111", white=["R5*"])
    play(game, "R7")
    assert str(game.sheets[0]) == "R5*,7 Y- G- B- x0"


def test_a_box_may_be_declined() -> None:
    """It is a mark like any other; without a mark in either action a misthrow is due."""
    game = position("double-a", ["R5 Y- G- B- x0"], "23-1111", white=["-"])
    play(game, "x")
    assert str(game.sheets[0]) == "R5 Y- G- B- x1"


def test_a_box_avoids_a_misthrow() -> None:
    """In either action."""
    white = position("double-a", ["R5 Y- G- B- x0"], "23-1111", white=["R5*"])
    assert "x" not in white.options(0)
    colour = position("double-a", ["R5 Y- G- B- x0"], "23-2111", white=["-"])
    play(colour, "R5*")
    assert colour.sheets[0].misthrows == 0


# What a box counts


@pytest.mark.parametrize(("marks", "points"), [("5", 1), ("5*", 3), ("5*,7", 6), ("5*,7*", 10), ("2,5*,7", 10)])
def test_a_box_counts_as_a_mark_for_points(marks: str, points: int) -> None:
    """Two marks for a cell with its box."""
    assert Sheet.parse(only("R", marks), "double-a").points["R"] == points


@pytest.mark.parametrize("marks", ["2,3,4,5,6,7,8", "2*,3,4,5,6,7", "2*,3*,4*,5", "8,9*,10*,11*"])
def test_a_box_counts_towards_closing(marks: str) -> None:
    """Seven marks, whether cells or boxes, and R12 locks (docs/rules/double.md, Closing)."""
    game = position("double-a", [only("R", marks)], "66-1111")
    assert "R12#" in game.options(0)
    play(game, "R12#")
    assert game.closed == ("R",)
    assert game.sheets[0].points["R"] == 45  # seven marks, the last cell, the lock


@pytest.mark.parametrize("marks", ["2,3,4,5,6,7", "2*,3,4,5,6", "2*,3*,4*", "9*,10*,11*"])
def test_the_last_cell_needs_seven_marks(marks: str) -> None:
    """Six are not enough, whether cells or boxes (docs/rules/double.md, Closing and example 2)."""
    game = position("double-a", [only("R", marks)], "66-1111")
    assert "R12#" not in game.options(0)
    with pytest.raises(Illegal, match="R12 needs 7 marks before it, there are 6") as illegal:
        game.play(0, "R12#")
    assert illegal.value.code == "needed"


def test_the_seventh_mark_may_be_a_box_of_the_same_turn() -> None:
    """The box in the white action, the lock in the colour action."""
    game = position("double-a", [only("R", "2,3,4,5,6,8")], "26-6111", white=["R8*"])
    assert "R12#" in game.options(0)


def test_marks_of_other_rows_do_not_count_towards_closing() -> None:
    """Seven marks in that row."""
    game = position("double-a", ["R2*,3*,4* Y2*,3*,4* G12* B12* x0"], "66-1111")
    assert not any("#" in option for option in game.options(0))


def test_once_a_cell_further_right_is_marked_the_box_is_lost() -> None:
    """R7 in the white action, and R5's box is gone in the colour action (docs/rules/double.md, Boxes)."""
    game = position("double-a", ["R5 Y- G- B- x0"], "34-2111", white=["R7"])
    assert not any(option.startswith("R5") for option in game.options(0))
    with pytest.raises(Illegal) as illegal:
        game.play(0, "R5*")
    assert illegal.value.code == "second"


def test_a_box_leaves_the_rightmost_mark_where_it_is() -> None:
    """After R5 and its box R6 is next."""
    assert "R6" in position("double-a", ["R5* Y- G- B- x0"], "33-1111").options(0)


# Sixteen marks


@pytest.mark.parametrize(
    ("marks", "points"),
    [
        ("2*,3*,4*,5*,6*,7*,8*,9", 120),
        ("2*,3*,4*,5*,6*,7*,8*,9*", 136),
        ("2*,3*,4*,5*,6*,7*,8*,9*,10", 136),
        ("2*,3*,4*,5*,6*,7*,8*,9*,10*,11*", 136),
    ],
)
def test_sixteen_marks_count_at_most(marks: str, points: int) -> None:
    """136 points are the most of a row (docs/rules/double.md, Score)."""
    assert Sheet.parse(only("R", marks), "double-a").points["R"] == points


@pytest.mark.parametrize(
    ("marks", "points"),
    [
        ("2*,3*,4*,5*,6*,7*,8", 120),
        ("2*,3*,4*,5*,6*,7*,8*", 136),
        ("2*,3*,4*,5*,6*,7*,8*,9", 136),
        ("2*,3*,4*,5*,6*,7*,8*,9*,10*,11*", 136),
    ],
)
def test_the_mark_of_the_lock_is_among_them(marks: str, points: int) -> None:
    """R12 and the lock are two of the sixteen; a row with 22 marks has 136 points, too."""
    game = position("double-a", [only("R", marks)], "66-1111", white=["R12#"])
    assert game.sheets[0].points["R"] == points


@pytest.mark.parametrize(
    ("marks", "option"), [("2*,3*,4*,5*,6*,7*,8*,9*", "R10"), ("2*,3*,4*,5*,6*,7*,8*,9*,10", "R10*")]
)
def test_further_marks_may_be_made(marks: str, option: str) -> None:
    """They avoid a misthrow and score nothing (docs/rules/double.md, Score)."""
    game = position("double-a", [only("R", marks)], "46-1111", white=[option])
    assert "x" not in game.options(0)
    play(game, "-")
    assert game.sheets[0].misthrows == 0
    assert game.sheets[0].points["R"] == 136


# Closed rows


def test_a_closed_row_takes_no_more_boxes() -> None:
    """Anna has locked R, so Ben's R5 stays without its box (docs/rules/double.md, Boxes)."""
    game = position("double-a", [CLOSED_RED, "R5 Y- G- B- x0"], "23-.111")
    assert not any("*" in option for option in game.options(1))
    with pytest.raises(Illegal, match="R5: row R is closed") as illegal:
        game.play(1, "R5*")
    assert illegal.value.code == "closed"


def test_a_row_that_one_locked_oneself_takes_no_more_boxes() -> None:
    """R8 has no box in a row that was locked with R12."""
    game = position("double-a", [CLOSED_RED], "44-.111")
    assert not any("*" in option for option in game.options(0))
    with pytest.raises(Illegal, match="R8: row R is closed") as illegal:
        game.play(0, "R8*")
    assert illegal.value.code == "closed"


def test_a_row_closed_in_the_white_action_takes_no_box_in_the_colour_action() -> None:
    """Ben locks R in Anna's turn: her red die makes 11, and R11 keeps one mark."""
    game = position("double-a", ["R11 Y- G- B- x0", only("R", "2,3,4,5,6,7,8")], "66-5111", white=["-", "R12#"])
    assert game.closed == ("R",)
    assert not any(option.startswith("R") for option in game.options(0))


# Notation

RECORD = """[Variant "double-a"]
[Players "Anna"]

1. 23-2111 R5 / R5*
2. 34-1111 R7 / -
"""


def test_the_outcome_lists_the_boxes() -> None:
    """The numbers with a marked box, left to right; `rows` list such a number once."""
    game = parse(RECORD)
    sheet = outcome(game)["sheets"][0]
    assert sheet["second"] == {"R": [5], "Y": [], "G": [], "B": []}
    assert sheet["rows"] == {"R": [5, 7], "Y": [], "G": [], "B": []}
    assert parse(game.record()) == game


def test_the_star_is_not_optional() -> None:
    """R5 is marked already, and its box is another mark."""
    with pytest.raises(ValueError, match="R5 is "):
        parse(RECORD.replace("R5*", "R5"))
    with pytest.raises(ValueError, match="R7 is not marked yet"):
        parse(RECORD.replace("R7", "R7*"))


def test_a_sheet_line_shows_the_boxes() -> None:
    """A star after the number."""
    line = "R5*,7 Y- G12* B- x0"
    sheet = Sheet.parse(line, "double-a")
    assert str(sheet) == line
    assert sheet.second == {"R": [5], "Y": [], "G": [12], "B": []}
    with pytest.raises(ValueError, match="R5 has no second box on the classic sheet"):
        Sheet.parse(line, "classic")
