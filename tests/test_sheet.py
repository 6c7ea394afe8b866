"""A sheet as one line: what is written is read, what does not describe a sheet is refused with a reason."""

import re

import pytest

from rowlock import Game, Sheet, parse
from rowlock.rules.sheet import SheetError

LINES = [
    ("classic", "R- Y- G- B- x0"),
    ("classic", "R2,5,7 Y- G12,11 B- x1"),
    ("classic", "R2,3,4,5,6,12# Y2,3,4,5,6,7,8,9,10,11,12# G12,11,10,9,8,2# B12,11,10,9,3,2# x4"),
    ("longo", "R2,3,4,5,6,7,15# Y2,3,4,5,6,7,16# G16,15,14,13,12,11,3# B- x0 !5/8"),
    ("longo", "R- Y- G- B- x0"),
    ("mixx-a", "R2,11 Y3 G6,3 B10 x2"),
    ("mixx-b", "R10,6,2,8,3,11# Y9,12,3 G8,2,11 B5,6 x0"),
    ("bonus-a", "R3,4 Y- G- B- x0 +1"),
    ("bonus-a", "R- Y- G- B- x0 +12"),
    ("bonus-b", "R6,8 Y3,7,11 G9,5 B10,7,4 x3"),
    ("big-points", "R5,6,7,9 Y3,6,8,9,11 G12,10,8,7,5,2# B11,9,6,4 RY5,6,8 GB11,7,5,4 x1"),
]


@pytest.mark.parametrize(("variant", "line"), LINES)
def test_read_and_written(variant: str, line: str) -> None:
    assert str(Sheet.parse(line, variant)) == line


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("R- Y- G- B-", "R- Y- G- B- x0"),
        ("  R2,5   Y-\tG12 B- x1 ", "R2,5 Y- G12 B- x1"),
    ],
)
def test_optional_parts_and_white_space(line: str, written: str) -> None:
    """`x0` may be left out, and any white space separates the parts."""
    assert str(Sheet.parse(line)) == written


def test_the_order_of_the_last_parts_is_free() -> None:
    assert str(Sheet.parse("R- Y- G- B- !5/8 x2", "longo")) == "R- Y- G- B- x2 !5/8"


def test_properties_of_a_classic_sheet() -> None:
    sheet = Sheet.parse("R2,3,4,5,6,12# Y3 G- B- x2")
    assert sheet.rows == {"R": [2, 3, 4, 5, 6, 12], "Y": [3], "G": [], "B": []}
    assert sheet.locks == ["R"]
    assert sheet.misthrows == 2
    assert sheet.lucky is None
    assert (sheet.fields, sheet.pairs, sheet.bar_used) == ({}, [], 0)
    assert sheet.points == {"R": 28, "Y": 1, "G": 0, "B": 0, "bonus": 0, "misthrows": -10}
    assert sheet.total == 19


def test_properties_of_other_sheets() -> None:
    assert Sheet.parse("R- Y- G- B- x0 !6/11", "longo").lucky == (6, 11)
    assert Sheet.parse("R3,4 Y- G- B- x0 +1", "bonus-a").bar_used == 1
    assert Sheet.parse("R6 Y- G9 B4 x0", "bonus-b").pairs == ["octagon"]
    assert Sheet.parse("R5 Y- G- B- RY5 GB- x0", "big-points").fields == {"RY": [5], "GB": []}


def test_rows_are_listed_from_left_to_right() -> None:
    """Not by size: G falls, the rows of Mixx B jump."""
    assert Sheet.parse("R- Y- G12,9,4 B- x0").rows["G"] == [12, 9, 4]
    assert Sheet.parse("R10,2,12 Y- G- B- x0", "mixx-b").rows["R"] == [10, 2, 12]


def test_sheets_of_a_game() -> None:
    """A sheet never changes; a game returns new ones."""
    game = Game("classic", 1, seed=0)
    before = game.sheets[0]
    game.roll("41-3256")
    game.play(0, "R5")
    assert str(before) == "R- Y- G- B- x0"
    assert str(game.sheets[0]) == "R5 Y- G- B- x0"
    assert game.sheets[0] == Sheet.parse("R5 Y- G- B- x0")
    assert game.sheets[0] != before


@pytest.mark.parametrize(
    ("variant", "line", "wrong"),
    [
        ("classic", "", "a classic sheet begins with the rows R Y G B"),
        ("classic", "R- Y- G-", "a classic sheet begins with the rows R Y G B"),
        ("classic", "Y- R- G- B- x0", "a classic sheet begins with the rows R Y G B"),
        ("big-points", "R- Y- G- B- x0", "a big-points sheet begins with the rows R Y G B RY GB"),
        ("classic", "R Y- G- B- x0", "there is no R on the classic sheet"),
        ("classic", "R1 Y- G- B- x0", "R1: there is no R1 on the classic sheet"),
        ("classic", "R13 Y- G- B- x0", "there is no R13 on the classic sheet"),
        ("classic", "R05 Y- G- B- x0", "there is no R05 on the classic sheet"),
        ("classic", "R5,,6 Y- G- B- x0", "there is no R on the classic sheet"),
        ("classic", "R5- Y- G- B- x0", "there is no R5- on the classic sheet"),
        ("classic", "R7,5 Y- G- B- x0", "R7,5: R5 stands too far left; marks go from left to right, none twice"),
        ("classic", "R5,5 Y- G- B- x0", "R5 stands too far left"),
        ("classic", "R- Y- G5,7 B- x0", "G7 stands too far left"),
        ("classic", "R2,3,4,5,12# Y- G- B- x0", "R2,3,4,5,12#: R12 needs 5 marks before it"),
        ("longo", "R2,3,4,5,6,15# Y- G- B- x0", "R15 needs 6 marks before it"),
        ("longo", "R2,3,4,5,6,7,15#,16# Y- G- B- x0", "R16 stands too far left"),
        ("classic", "R2,3,4,5,6,12 Y- G- B- x0", "R12 locks the row"),
        ("classic", "R5# Y- G- B- x0", "R5 does not lock the row"),
        ("big-points", "R12 Y- G- B- RY- GB- x0", "R12 locks the row"),
        ("big-points", "R- Y- G- B- RY12# GB- x0", "RY12 does not lock the row"),
        ("classic", "R- Y- G- B- x5", "x5 cannot be read"),
        ("classic", "R- Y- G- B- x", "x cannot be read"),
        ("classic", "R- Y- G- B- x1 x1", "x1 cannot be read"),
        ("classic", "R- Y- G- B- hello", "hello cannot be read"),
        ("classic", "R- Y- G- B- x0 !5/8", "!5/8: classic has no lucky numbers"),
        ("longo", "R- Y- G- B- x0 !5", "!5 cannot be read"),
        ("longo", "R- Y- G- B- x0 !5/8 !6/11", "!6/11 cannot be read"),
        ("classic", "R- Y- G- B- x0 +1", "+1: the bar of classic has 0 boxes"),
        ("bonus-a", "R- Y- G- B- x0 +13", "+13: the bar of bonus-a has 12 boxes"),
    ],
)
def test_lines_that_are_no_sheet(variant: str, line: str, wrong: str) -> None:
    """The error names the part and says what would be right."""
    with pytest.raises(SheetError, match=re.escape(wrong)):
        Sheet.parse(line, variant)


@pytest.mark.parametrize("luck", ["!8/5", "!5/5", "!0/0", "!1/17", "!05/8"])
def test_lucky_numbers_of_a_sheet_are_checked(luck: str) -> None:
    with pytest.raises(SheetError, match="lucky numbers are two different numbers from 2 to 16"):
        Sheet.parse(f"R- Y- G- B- x0 {luck}", "longo")


def test_a_bar_where_there_is_none() -> None:
    with pytest.raises(SheetError, match="the bar of classic has 0 boxes"):
        Sheet.parse("R- Y- G- B- x0 +0")


def test_a_bonus_field_needs_a_marked_neighbour() -> None:
    with pytest.raises(SheetError, match="RY5: no 5 beside it is marked"):
        Sheet.parse("R- Y- G- B- RY5 GB- x0", "big-points")
    assert Sheet.parse("R- Y5 G- B- RY5 GB- x0", "big-points").fields == {"RY": [5], "GB": []}


def test_cells_have_states() -> None:
    # Section 2: what was skipped is lost; a row that somebody locks is closed for everybody.
    game = parse(
        '[Variant "classic"]\n[Players "Anna; Ben"]\n'
        "1. 11-1111 R2 - / -\n2. 12-1111 R3 - / x\n3. 13-1111 R4 - / -\n4. 14-1111 R5 R5 / -\n"
        "5. 15-1111 R6 - / -\n6. 66-1111 R12# - / x\n"
    )
    anna, ben = game.sheets
    assert anna.cells["R"] == ["marked"] * 5 + ["lost"] * 5 + ["marked"]
    assert ben.cells["R"] == ["lost"] * 3 + ["marked"] + ["closed"] * 7
    assert ben.cells["Y"] == ["open"] * 11
    assert anna.closed == ben.closed == ["R"]


def test_boxes_of_the_bonus_bar_have_states() -> None:
    # Section 5, the bonus bar: boxes are used from left to right; those of closed rows are struck out.
    sheet = Sheet.parse("R2,3,4,5,6,12# Y- G- B- x0 +2", "bonus-a")
    assert sheet.variant.bar == "RYGBGRBYRYBG"
    assert sheet.bar == ["used"] * 2 + ["free"] * 3 + ["struck"] + ["free"] * 2 + ["struck"] + ["free"] * 3
    assert Sheet.parse("R- Y- G- B- x0").bar == []


def test_reprs_of_sheets_and_views_are_short() -> None:
    assert repr(Sheet.parse("R2,5,7 Y- G12,11 B- x1")) == "<Sheet classic R2,5,7 Y- G12,11 B- x1>"
    view = repr(Game("bonus-b", 5, seed=1).view(0))
    assert "<Variant bonus-b>" in view
    assert len(view) < 800


def test_marked_boxes_are_counted_by_pair() -> None:
    # Bonus, version B: circle, notched, square, octagon, star.
    assert Sheet.parse("R6 Y3,11 G5 B- x0", "bonus-b").pair_boxes == [1, 0, 0, 1, 2]
    assert Sheet.parse("R6 Y3 G- B- x0").pair_boxes == []


def test_which_sheet_ends_a_game_by_itself() -> None:
    # The end: the fourth misthrow; with cards two rows of one player, with dice rows close for everybody.
    locked = "R2,3,4,5,6,12# Y2,3,4,5,6,12# G- B- x0"
    assert Sheet.parse("R- Y- G- B- x4").ends_game
    assert Sheet.parse(locked, "cards").ends_game
    assert not Sheet.parse(locked).ends_game
    assert not Sheet.parse("R2,3,4,5,6,12# Y- G- B- x3", "cards").ends_game
