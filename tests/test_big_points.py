"""Big Points: two rows of bonus fields (docs/rules/big-points.md). What is not said there is Classic."""

import pytest

from rowlock import Illegal, Sheet, find_variant
from tests.positions import kernel_count, play, position

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
LAYOUT = {"R": UP, "Y": UP, "G": DOWN, "B": DOWN}
FIELDS = {"RY": UP, "GB": DOWN}

EMPTY = "R- Y- G- B- RY- GB- x0"
RED_LOCKED = "R2,3,4,5,6,12# Y- G- B- RY- GB- x0"


def fields(options: list[str]) -> list[str]:
    return [option for option in options if option[:2] in FIELDS]


@pytest.mark.parametrize("row", "RYGB")
def test_rows_as_in_classic(row: str) -> None:
    """The square cells are those of Classic, the dice too (docs/rules/big-points.md, Sheet)."""
    cells = find_variant("big-points").rows["RYGB".index(row)]
    assert (cells.name, list(cells.numbers), cells.colours) == (row, LAYOUT[row], row * 11)
    assert find_variant("big-points").dice == (6, 6, 6, 6, 6)


@pytest.mark.parametrize(("number", "name"), list(enumerate(FIELDS)), ids=FIELDS)
def test_rows_of_bonus_fields(number: int, name: str) -> None:
    """Eleven fields between R and Y, rising, eleven between G and B, falling (docs/rules/big-points.md, Sheet)."""
    variant = find_variant("big-points")
    assert len(variant.fields) == 2
    assert (variant.fields[number].name, list(variant.fields[number].numbers)) == (name, FIELDS[name])
    assert not any(variant.closes(variant.codes[f"{name}{one}"]) for one in FIELDS[name])


# Which fields


@pytest.mark.parametrize(
    ("sheet", "found"),
    [
        (EMPTY, []),
        ("R5 Y- G- B- RY- GB- x0", ["RY5"]),
        ("R- Y5 G- B- RY- GB- x0", ["RY5"]),
        ("R5 Y5 G- B- RY- GB- x0", ["RY5"]),
        ("R- Y- G5 B- RY- GB- x0", ["GB5"]),
        ("R- Y- G- B5 RY- GB- x0", ["GB5"]),
        ("R5 Y- G- B5 RY- GB- x0", ["GB5", "RY5"]),
        ("R6 Y4 G6 B4 RY- GB- x0", []),
    ],
)
def test_the_white_sum_beside_either_neighbour(sheet: str, found: list[str]) -> None:
    """One of the two cells with that number must be marked (docs/rules/big-points.md, Bonus fields)."""
    game = position("big-points", [sheet], "14-6666")
    assert fields(game.options(0)) == found


def test_a_field_without_a_marked_neighbour_is_refused() -> None:
    """R6 is marked, but not the 5 of R or Y (docs/rules/big-points.md, Bonus fields)."""
    game = position("big-points", ["R6 Y- G5 B- RY- GB- x0"], "14-1111")
    with pytest.raises(Illegal, match="RY5: no 5 beside it is marked") as illegal:
        game.play(0, "RY5")
    assert illegal.value.code == "beside"


@pytest.mark.parametrize(
    ("row", "dice", "found"),
    [
        ("R", "14-4666", ["RY5"]),
        ("R", "14-6466", []),
        ("Y", "14-6466", ["RY5"]),
        ("Y", "14-4666", []),
        ("G", "14-6646", ["GB5"]),
        ("G", "14-6664", []),
        ("B", "14-6664", ["GB5"]),
        ("B", "14-6646", []),
    ],
)
def test_the_colour_sum_beside_the_neighbour_of_that_colour(row: str, dice: str, found: list[str]) -> None:
    """A red 5 needs R5, a yellow 5 needs Y5, and so on (docs/rules/big-points.md, Bonus fields)."""
    sheet = " ".join(f"{name}5" if name == row else f"{name}-" for name in ("R", "Y", "G", "B", "RY", "GB"))
    game = position("big-points", [sheet], dice, white=["-"])
    assert fields(game.options(0)) == found
    if not found:
        with pytest.raises(Illegal) as illegal:
            game.play(0, "RY5" if row in "RY" else "GB5")
        assert illegal.value.code == "beside"


def test_a_colour_sum_of_another_number_gives_nothing() -> None:
    """The dice must make the field's number (docs/rules/big-points.md, Bonus fields)."""
    game = position("big-points", ["R5 Y5 G- B- RY- GB- x0"], "11-2366", white=["-"])
    with pytest.raises(Illegal, match="RY5: red makes 3, yellow makes 4") as illegal:
        game.play(0, "RY5")
    assert illegal.value.code == "sum"


def test_two_ways_to_a_field_are_one_option() -> None:
    """Red and yellow both make 5 (docs/rules/big-points.md, Bonus fields)."""
    game = position("big-points", ["R5 Y5 G- B- RY- GB- x0"], "14-4466", white=["-"])
    assert game.options(0) == ["B10", "B7", "G10", "G7", "R8", "RY5", "Y8", "x"]
    assert kernel_count(game, 0) == 8


@pytest.mark.parametrize("number", range(2, 13))
@pytest.mark.parametrize("row", "RYGB")
def test_every_field_beside_every_cell(row: str, number: int) -> None:
    """With white and with its colour, from the first field to the last (docs/rules/big-points.md, Bonus fields)."""
    marks = f"{row}{number}"
    if number == LAYOUT[row][-1]:
        marks = row + ",".join(map(str, LAYOUT[row][:5])) + f",{number}#"
    sheet = " ".join(marks if name == row else f"{name}-" for name in ("R", "Y", "G", "B", "RY", "GB"))
    white, other = max(1, number - 6), min(6, number - 1)
    gone = "#" in marks
    dice = "".join("." if gone and name == row else str(other) for name in "RYGB")
    field = ("RY" if row in "RY" else "GB") + str(number)
    game = position("big-points", [sheet], f"{white}{other}-{dice}")
    assert fields(game.options(0)) == [field]
    play(game, field)
    assert game.sheets[0].fields[field[:2]] == [number]
    game = position("big-points", [sheet], f"{white}{white}-{dice}", white=["-"])
    assert fields(game.options(0)) == ([] if gone else [field])


def test_sarah_rolls_3_and_5_again() -> None:
    """Y3 and R5 are marked: yellow 3, red 5, white 3 and white 5 give fields (docs/rules/big-points.md, example 1)."""
    sheet = "R5 Y3 G- B- RY- GB- x0"
    assert fields(position("big-points", [sheet], "12-6166", white=["-"]).options(0)) == ["RY3"]
    assert fields(position("big-points", [sheet], "14-1666", white=["-"]).options(0)) == ["RY5"]
    other = position("big-points", [EMPTY, sheet], "12-6666")
    assert fields(other.options(1)) == ["RY3"]
    assert fields(position("big-points", [EMPTY, sheet], "14-6666").options(1)) == ["RY5"]


def test_one_mark_per_action() -> None:
    """A field is marked instead of a cell, not beside it (docs/rules/big-points.md, Bonus fields)."""
    game = position("big-points", ["R5 Y- G- B- RY- GB- x0"], "14-6666")
    assert game.options(0) == ["-", "B5", "G5", "RY5", "Y5"]
    with pytest.raises(Illegal, match="RY5# is written RY5 here"):
        game.play(0, "RY5#")
    play(game, "RY5")
    assert str(game.sheets[0]) == "R5 Y- G- B- RY5 GB- x0"


# Left to right, closing, misthrows


@pytest.mark.parametrize(
    ("sheet", "dice", "found"),
    [
        ("R5,6,8 Y- G- B- RY6 GB- x0", "14-6666", []),
        ("R5,6,8 Y- G- B- RY6 GB- x0", "15-6666", []),
        ("R5,6,8 Y- G- B- RY6 GB- x0", "26-6666", ["RY8"]),
        ("R- Y- G8,7,5 B- RY- GB7 x0", "26-6666", []),
        ("R- Y- G8,7,5 B- RY- GB7 x0", "14-6666", ["GB5"]),
    ],
)
def test_bonus_rows_run_from_left_to_right(sheet: str, dice: str, found: list[str]) -> None:
    """What was skipped is lost, what is marked is used (docs/rules/big-points.md, Bonus fields)."""
    assert fields(position("big-points", [sheet], dice).options(0)) == found


def test_a_field_to_the_left_is_refused_by_name() -> None:
    """Bonus rows too run from left to right (docs/rules/big-points.md, Bonus fields)."""
    game = position("big-points", ["R5,6 Y- G- B- RY6 GB- x0"], "14-6666")
    with pytest.raises(Illegal, match="RY5 is left of RY6") as illegal:
        game.play(0, "RY5")
    assert illegal.value.code == "order"


def test_bonus_fields_do_not_hold_up_the_rows() -> None:
    """A field further right leaves the cells of the rows as they were (docs/rules/big-points.md, Bonus fields)."""
    game = position("big-points", ["R8 Y- G- B- RY8 GB- x0"], "14-6666")
    assert "Y5" in game.options(0)


def test_bonus_marks_do_not_help_to_close() -> None:
    """Four marks in R and four beside it are not five (docs/rules/big-points.md, Closing)."""
    game = position("big-points", ["R2,3,4,5 Y- G- B- RY2,3,4,5 GB- x0"], "66-1111")
    assert "R12#" not in game.options(0)
    with pytest.raises(Illegal, match="R12 needs 5 marks before it, there are 4"):
        game.play(0, "R12#")
    assert "R12#" in position("big-points", ["R2,3,4,5,6 Y- G- B- RY- GB- x0"], "66-1111").options(0)


def test_a_closed_row_does_not_stop_its_fields() -> None:
    """Ben has closed R; Anna's R7 still opens RY7 to the white dice (docs/rules/big-points.md, Closing)."""
    game = position("big-points", ["R7 Y- G- B- RY- GB- x0", RED_LOCKED], "34-.666")
    assert game.options(0) == ["-", "B7", "G7", "RY7", "Y7"]
    play(game, "RY7", "-")
    assert game.sheets[0].points["R"] == 3


def test_the_die_of_a_closed_row_is_gone_for_fields_too() -> None:
    """No red 7 any more; a yellow 7 does where Y7 is marked (docs/rules/big-points.md, Closing)."""
    game = position("big-points", ["R3,4,7 Y- G- B- RY- GB- x0", RED_LOCKED], "34-.344", white=["-", "-"])
    assert fields(game.options(0)) == []
    game = position("big-points", ["R7 Y7 G- B- RY- GB- x0", RED_LOCKED], "34-.344", white=["-", "-"])
    assert fields(game.options(0)) == ["RY7"]


def test_the_last_field_locks_nothing_and_needs_no_marks() -> None:
    """Bonus rows have no lock (docs/rules/big-points.md, Sheet)."""
    game = position("big-points", [RED_LOCKED], "66-.111")
    assert "RY12" in game.options(0)
    play(game, "RY12")
    assert game.closed == ("R",)
    assert game.sheets[0].locks == ["R"]


@pytest.mark.parametrize("action", ["white", "colour"])
def test_a_field_alone_saves_from_a_misthrow(action: str) -> None:
    """It is a mark (docs/rules/big-points.md, Misthrows)."""
    white, colour = ("RY5", "-") if action == "white" else ("-", "RY5")
    game = position("big-points", ["R5 Y- G- B- RY- GB- x0"], "14-4666", white=[white])
    assert colour in game.options(0)
    play(game, colour)
    assert game.sheets[0].misthrows == 0
    assert game.sheets[0].fields == {"RY": [5], "GB": []}


def test_a_white_mark_counts_for_the_colour_action_of_its_turn() -> None:
    """R5 with white, then RY5 with a red 5 (docs/rules/big-points.md, ruling 1)."""
    before = position("big-points", [EMPTY], "14-4666", white=["-"])
    assert fields(before.options(0)) == []
    game = position("big-points", [EMPTY], "14-4666", white=["R5"])
    assert fields(game.options(0)) == ["RY5"]
    yellow = position("big-points", [EMPTY], "14-4666", white=["Y5"])
    assert fields(yellow.options(0)) == []


def test_not_in_the_action_that_marks_the_cell() -> None:
    """The neighbour counts only from the next action on (docs/rules/big-points.md, ruling 1)."""
    game = position("big-points", [EMPTY], "14-6666")
    for wrong, code in (("R5+RY5", "syntax"), ("RY5", "beside")):
        with pytest.raises(Illegal) as illegal:
            game.play(0, wrong)
        assert illegal.value.code == code


# Score


def test_sarah_has_161_points() -> None:
    """28 + 36 + 66 + 36 - 5 = 161 (docs/rules/big-points.md, example 2)."""
    sheet = Sheet.parse("R5,6,7,9 Y3,6,8,9,11 G12,10,8,7,5,2# B11,9,6,4 RY5,6,8 GB11,7,5,4 x1", "big-points")
    assert sheet.points == {"R": 28, "Y": 36, "G": 66, "B": 36, "bonus": 0, "misthrows": -5}
    assert sheet.total == 161


def test_bonus_marks_count_for_both_neighbours_and_not_for_the_others() -> None:
    """RY for R and Y, GB for G and B (docs/rules/big-points.md, Score)."""
    sheet = Sheet.parse("R5 Y- G- B- RY5 GB- x0", "big-points")
    assert sheet.points == {"R": 3, "Y": 1, "G": 0, "B": 0, "bonus": 0, "misthrows": 0}
    sheet = Sheet.parse("R- Y- G5 B- RY- GB5 x0", "big-points")
    assert sheet.points == {"R": 0, "Y": 0, "G": 3, "B": 1, "bonus": 0, "misthrows": 0}


@pytest.mark.parametrize(
    ("red", "beside", "points"),
    [
        ("R2,3,4,5,6,7,8,9,10,11,12#", "RY2", 91),
        ("R2,3,4,5,6,7,8,9,10,11,12#", "RY2,3", 105),
        ("R2,3,4,5,6,7,8,9,10,11,12#", "RY2,3,4", 120),
        ("R2,3,4,5,6,7,8,9,10,11,12#", "RY2,3,4,5", 120),
        ("R2,3,4,5,6,7,8,9,10,11,12#", "RY2,3,4,5,6,7,8,9,10,11,12", 120),
    ],
)
def test_fifteen_marks_count_at_the_most(red: str, beside: str, points: int) -> None:
    """More may be marked but not counted: 120 points (docs/rules/big-points.md, Score)."""
    assert Sheet.parse(f"{red} Y- G- B- {beside} GB- x0", "big-points").points["R"] == points
