"""Bonus: the bonus bar (A) and pairs of bonus boxes (B), docs/rules/bonus.md. What is not said there is Classic."""

from dataclasses import replace

import pytest

from rowlock import Illegal, Sheet, find_variant
from tests.positions import EMPTY, kernel_count, play, position

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
LAYOUT = {"R": UP, "Y": UP, "G": DOWN, "B": DOWN}
BOXES = ["R3", "R6", "R9", "Y5", "Y8", "Y11", "G11", "G7", "G4", "B10", "B8", "B5"]
BAR = "RYGBGRBYRYBG"
PAIRS = {
    "circle": ("Y11", "G9"),
    "notched": ("Y7", "B7"),
    "square": ("R8", "B10"),
    "octagon": ("R6", "B4"),
    "star": ("Y3", "G5"),
}
WHITES = {2: "11", 3: "12", 4: "13", 5: "14", 6: "15", 7: "16", 8: "26", 9: "36", 10: "46", 11: "56", 12: "66"}


def with_cells(*cells: str) -> str:
    """A sheet with these cells marked."""
    return " ".join(row + (",".join(cell[1:] for cell in cells if cell[0] == row) or "-") for row in "RYGB")


@pytest.mark.parametrize("row", "RYGB")
@pytest.mark.parametrize("variant", ["bonus-a", "bonus-b"])
def test_rows_as_in_classic(variant: str, row: str) -> None:
    """Both sheets have the rows of Classic, their colours and dice too (docs/rules/bonus.md, Sheet)."""
    cells = find_variant(variant).rows["RYGB".index(row)]
    assert (cells.name, list(cells.numbers), cells.colours) == (row, LAYOUT[row], row * 11)
    assert find_variant(variant).dice == (6, 6, 6, 6, 6)


# Version A: the bonus bar


@pytest.mark.parametrize("cell", [f"{row}{number}" for row in "RYGB" for number in LAYOUT[row][:-1]])
def test_twelve_bonus_boxes(cell: str) -> None:
    """Twelve cells use up the first box of the bar, a red one; the others nothing (docs/rules/bonus.md, Version A)."""
    row, number = cell[0], int(cell[1:])
    game = position("bonus-a", [EMPTY], f"{WHITES[number]}-1111")
    forced = f"R{number + 1}" if row == "R" else "R2"
    option = f"{cell}+{forced}" if cell in BOXES else cell
    assert option in game.options(0)
    play(game, option)
    assert game.sheets[0].bar_used == (1 if cell in BOXES else 0)


@pytest.mark.parametrize("used", range(12))
def test_the_bar_from_left_to_right(used: int) -> None:
    """Each box of the bar names a row and gives its next cell (docs/rules/bonus.md, Version A)."""
    forced = {"R": "R2", "Y": "Y2", "G": "G10", "B": "B12"}[BAR[used]]
    game = position("bonus-a", [f"{EMPTY} +{used}"], "56-1111")
    assert f"G11+{forced}" in game.options(0)
    play(game, f"G11+{forced}")
    assert game.sheets[0].bar_used == used + 1


def test_tim_marks_g11_and_r5() -> None:
    """The bar begins with red and his red row stands at 4 (docs/rules/bonus.md, example 1)."""
    game = position("bonus-a", ["R4 Y- G- B- x0 +0"], "56-1111", white=["G11+R5"])
    assert str(game.sheets[0]) == "R4,5 Y- G11 B- x0 +1"


def test_sarah_marks_a_chain() -> None:
    """R9, then blue: B5, a bonus box again, then yellow: Y10 (docs/rules/bonus.md, example 2)."""
    game = position("bonus-a", ["R8 Y9 G- B6 x0 +6"], "36-1111", white=["R9+B5+Y10"])
    assert str(game.sheets[0]) == "R8,9 Y9,10 G- B6,5 x0 +8"


def test_a_longer_chain() -> None:
    """As long as marks land on bonus boxes it goes on (docs/rules/bonus.md, Version A)."""
    game = position("bonus-a", ["R2 Y4 G- B- x0 +0"], "56-1111")
    assert "G11+R3+Y5+G10" in game.options(0)
    play(game, "G11+R3+Y5+G10")
    assert game.sheets[0].bar_used == 3


def test_the_colour_action_sets_off_chains_too() -> None:
    """Any mark on a bonus box does (docs/rules/bonus.md, Version A)."""
    game = position("bonus-a", ["R4 Y- G- B- x0 +0"], "56-1151", white=["-"])
    assert "G11+R5" in game.options(0)
    play(game, "G11+R5")
    assert str(game.sheets[0]) == "R4,5 Y- G11 B- x0 +1"


def test_the_mark_is_forced() -> None:
    """Nobody marks a bonus box without what it gives (docs/rules/bonus.md, Version A)."""
    game = position("bonus-a", [EMPTY], "56-1111")
    assert game.options(0) == ["-", "B11", "G11+R2", "R11", "Y11+R2"]
    for wrong in ("G11", "G11+R3", "G11+R2+R3", "G11#"):
        with pytest.raises(Illegal, match=r"is written G11\+R2 here") as illegal:
            game.play(0, wrong)
        assert illegal.value.code == "written"


@pytest.mark.parametrize(
    ("sheet", "option", "after"),
    [
        ("R11 Y- G- B- x0 +0", "G11", "R11 Y- G11 B- x0 +1"),
        ("R2,3,4,11 Y- G- B- x0 +0", "G11", "R2,3,4,11 Y- G11 B- x0 +1"),
        ("R2,3,4,5,11 Y- G- B- x0 +0", "G11+R12#", "R2,3,4,5,11,12# Y- G11 B- x0 +1"),
    ],
)
def test_a_forced_mark_on_the_closing_cell(sheet: str, option: str, after: str) -> None:
    """It locks the row after five marks; with fewer it is lost, its bar box too (docs/rules/bonus.md, ruling 1)."""
    game = position("bonus-a", [sheet], "56-1111")
    assert [one for one in game.options(0) if one.startswith("G11")] == [option]
    play(game, option)
    assert str(game.sheets[0]) == after


def test_a_lost_mark_uses_up_its_box_only() -> None:
    """The bonus box after the lost mark takes the box after it (docs/rules/bonus.md, ruling 1)."""
    game = position("bonus-a", ["R11 Y- G- B- x0 +0"], "56-1111", white=["G11"])
    play(game, "-")
    game.roll("16-1111")
    assert "G7+Y2" in game.options(0)


def test_boxes_of_a_closed_row_are_skipped() -> None:
    """Chloe has closed Y: for everybody the yellow boxes are gone (docs/rules/bonus.md, Version A)."""
    chloe = "R- Y2,3,4,6,7,12# G- B- x0 +0"
    game = position("bonus-a", ["R- Y- G- B- x0 +1", "R- Y- G- B- x0 +7", chloe], "56-1.11")
    assert "G11+G10" in game.options(0)
    assert "G11+R2" in game.options(1)
    play(game, "G11+G10", "G11+R2", "-")
    assert [sheet.bar_used for sheet in game.sheets] == [3, 9, 0]


def test_skipped_boxes_at_the_end_of_the_bar() -> None:
    """The last box is green and G is closed: nothing is left to give (docs/rules/bonus.md, Version A)."""
    green = "R- Y- G12,10,9,8,6,2# B- x0"
    game = position("bonus-a", ["R- Y- G- B- x0 +11", green], "12-11.1")
    assert "R3" in game.options(0)
    play(game, "R3", "-")
    assert game.sheets[0].bar_used == 12


def test_a_row_locked_in_a_chain_is_closed_for_the_rest_of_it() -> None:
    """The boxes of that row are skipped at once (docs/rules/bonus.md, ruling 2).

    On the printed sheet no lock stands on a bonus box, so a sheet that has one there shows it.
    """
    variant = replace(find_variant("bonus-a"), bar="RRYG", bar_boxes=("G11", "R12"))
    game = position(variant, ["R2,3,4,5,11 Y- G- B- x0 +0", EMPTY], "56-1111")
    assert "G11+R12#+Y2" in game.options(0)
    play(game, "G11+R12#+Y2", "-")
    assert game.sheets[0].bar_used == 3
    assert game.closed == ("R",)


@pytest.mark.parametrize("locker", [0, 1])
def test_a_row_that_others_lock_closes_after_the_chain(locker: int) -> None:
    """On a white 8 one locks Y in a chain, the other still gets Y2 in theirs (docs/rules/bonus.md, ruling 3)."""
    sheets, marks = ["R- Y2,3,4,6,11 G- B- x0 +1", "R- Y- G- B- x0 +1"], ["B8+Y12#", "B8+Y2"]
    if locker:
        sheets, marks = sheets[::-1], marks[::-1]
    game = position("bonus-a", sheets, "26-1111", white=marks)
    assert game.closed == ("Y",)
    assert [sheet.rows["Y"] for sheet in game.sheets][1 - locker] == [2]


def test_an_empty_bar_gives_nothing() -> None:
    """After twelve boxes a bonus box is a cell like others (docs/rules/bonus.md, ruling 4)."""
    game = position("bonus-a", [f"{EMPTY} +12"], "56-1111")
    assert game.options(0) == ["-", "B11", "G11", "R11", "Y11"]


def test_a_chain_stops_where_the_bar_ends() -> None:
    """The last box gives G4, a bonus box, and there is no box left for it (docs/rules/bonus.md, ruling 4)."""
    game = position("bonus-a", ["R- Y- G5 B- x0 +11"], "12-1111")
    assert "R3+G4" in game.options(0)


def test_a_forced_lock_may_end_the_game() -> None:
    """The second closed row ends it, also by a bonus (docs/rules/bonus.md, Version A)."""
    sheets = ["R2,3,4,5,11 Y- G- B- x0 +0", "R- Y- G- B12,11,9,7,6,2# x0"]
    game = position("bonus-a", sheets, "56-111.", white=["G11+R12#", "-"])
    assert (game.over, game.reason, game.closed) == (True, "rows", ("R", "B"))


def test_four_rows_close_at_once_in_version_a() -> None:
    """Four players lock four rows in chains of one white action (docs/rules/classic.md, ruling 1)."""
    sheets = [
        "R2,3,4,5,11 Y- G- B- x0 +0",
        "R- Y2,3,4,6,11 G- B- x0 +1",
        "R- Y- G12,10,9,8,3 B- x0 +2",
        "R- Y- G- B12,11,9,7,3 x0 +3",
    ]
    game = position("bonus-a", sheets, "26-1111", white=["Y8+R12#", "B8+Y12#", "Y8+G2#", "Y8+B2#"])
    assert (game.over, game.closed) == (True, ("R", "Y", "G", "B"))


def test_version_a_scores_as_classic() -> None:
    """The bar itself is worth nothing (docs/rules/bonus.md, Version A)."""
    sheet = Sheet.parse("R3,4 Y- G11 B- x1 +2", "bonus-a")
    assert sheet.points == {"R": 3, "Y": 0, "G": 1, "B": 0, "bonus": 0, "misthrows": -5}


# Version B: pairs


def test_five_kinds_two_of_each() -> None:
    """The ten bonus boxes (docs/rules/bonus.md, Version B)."""
    assert {pair.name: pair.boxes for pair in find_variant("bonus-b").pairs} == PAIRS


@pytest.mark.parametrize("cell", [cell for pair in PAIRS.values() for cell in pair])
def test_one_of_a_kind_gives_nothing(cell: str) -> None:
    """Only both together do (docs/rules/bonus.md, Version B)."""
    game = position("bonus-b", [EMPTY], f"{WHITES[int(cell[1:])]}-1111")
    assert cell in game.options(0)
    play(game, cell)
    assert game.sheets[0].pairs == []
    assert game.sheets[0].total == 1


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("first", [0, 1])
def test_both_of_a_kind_in_either_order(kind: str, first: int) -> None:
    """Which box comes first does not matter (docs/rules/bonus.md, Version B)."""
    marked, cell = PAIRS[kind][first], PAIRS[kind][1 - first]
    game = position("bonus-b", [with_cells(marked)], f"{WHITES[int(cell[1:])]}-1111")
    options = [one for one in game.options(0) if one.partition("+")[0] == cell]
    assert all("+" in one for one in options) == (kind in ("circle", "notched"))
    play(game, options[0])
    assert game.sheets[0].pairs == [kind]


def test_sarah_completes_the_star() -> None:
    """Y3 is marked, G5 follows (docs/rules/bonus.md, example 3; the leaflets call these two boxes jagged)."""
    game = position("bonus-b", ["R- Y3 G- B- x1"], "14-1111", white=["G5"])
    assert game.sheets[0].pairs == ["star"]
    assert game.sheets[0].points["misthrows"] == 0


# Circle


def test_circle_gives_two_marks_in_the_row_with_the_fewest() -> None:
    """The next two cells (docs/rules/bonus.md, Version B)."""
    game = position("bonus-b", ["R- Y2 G9 B12 x0"], "56-1111")
    assert [one for one in game.options(0) if one.startswith("Y11")] == ["Y11+R2+R3"]
    play(game, "Y11+R2+R3")
    assert str(game.sheets[0]) == "R2,3 Y2,11 G9 B12 x0"


def test_circle_in_the_colour_action() -> None:
    """Any mark that completes the pair (docs/rules/bonus.md, Version B)."""
    game = position("bonus-b", ["R- Y2 G9 B12 x0"], "56-1511", white=["-"])
    assert "Y11+R2+R3" in game.options(0)


def test_circle_on_a_tie() -> None:
    """Of several rows with the fewest marks the player picks one (docs/rules/bonus.md, ruling 7 and example 4)."""
    game = position("bonus-b", ["R- Y- G9 B- x0"], "56-1111")
    assert game.options(0) == ["-", "B11", "R11", "Y11+B12+B11", "Y11+R2+R3"]
    assert kernel_count(game, 0) == 5
    play(game, "Y11+B12+B11")
    assert str(game.sheets[0]) == "R- Y11 G9 B12,11 x0"


def test_circle_is_forced() -> None:
    """With no tie there is one way to mark Y11 (docs/rules/bonus.md, ruling 5)."""
    game = position("bonus-b", ["R- Y2 G9 B12 x0"], "56-1111")
    for wrong in ("Y11", "Y11+R2", "Y11+B11+B10"):
        with pytest.raises(Illegal, match=r"is written Y11\+R2\+R3 here") as illegal:
            game.play(0, wrong)
        assert illegal.value.code == "written"


def test_the_fewest_are_counted_when_the_marks_are_made() -> None:
    """Y had none but has Y11 by now: all four rows tie (docs/rules/bonus.md, rulings 6 and 7)."""
    game = position("bonus-b", ["R2 Y- G9 B12 x0"], "56-1111")
    options = [one for one in game.options(0) if one.startswith("Y11")]
    assert options == ["Y11", "Y11+B11+B10", "Y11+G8+G7", "Y11+R3+R4"]


@pytest.mark.parametrize(
    ("sheet", "option"),
    [
        ("R11 Y2,3 G12,9 B12,11 x0", "Y11"),
        ("R10 Y2,3 G12,9 B12,11 x0", "Y11+R11"),
        ("R9 Y2,3 G12,9 B12,11 x0", "Y11+R10+R11"),
    ],
)
def test_circle_marks_that_cannot_be_made_are_lost(sheet: str, option: str) -> None:
    """R12 needs five marks; they do not go to another row (docs/rules/bonus.md, Version B)."""
    game = position("bonus-b", [sheet], "56-1111")
    assert [one for one in game.options(0) if one.startswith("Y11")] == [option]


def test_circle_with_a_closed_row() -> None:
    """R is closed and has the fewest marks alone: both marks are lost (docs/rules/bonus.md, Version B and ruling 6)."""
    ben = "R2,3,4,5,7,12# Y- G- B- x0"
    game = position("bonus-b", ["R- Y2 G9 B12 x0", ben], "56-.111")
    assert [one for one in game.options(0) if one.startswith("Y11")] == ["Y11"]


def test_circle_with_a_closed_row_that_ties() -> None:
    """It may be picked, to mark nothing (docs/rules/bonus.md, ruling 7)."""
    ben = "R2,3,4,5,7,12# Y- G- B- x0"
    game = position("bonus-b", ["R- Y- G9 B- x0", ben], "56-.111")
    assert [one for one in game.options(0) if one.startswith("Y11")] == ["Y11", "Y11+B12+B11"]
    play(game, "Y11", "-")
    assert game.sheets[0].pairs == ["circle"]
    assert str(game.sheets[0]) == "R- Y11 G9 B- x0"


def test_picks_with_the_same_result_are_one_option() -> None:
    """R is closed, B2 is next and needs five marks: neither gives any (docs/rules/bonus.md, ruling 7)."""
    ben = "R2,3,4,5,7,12# Y- G- B- x0"
    game = position("bonus-b", ["R5 Y2,3 G12,9 B3 x0", ben], "56-.111")
    assert game.options(0) == ["-", "Y11"]
    assert kernel_count(game, 0) == 2


def test_lock_marks_count_for_the_fewest() -> None:
    """R has six cells and the lock, Y with Y11 has seven: a tie (docs/rules/bonus.md, ruling 6)."""
    sheet = "R2,3,4,5,7,12# Y2,4,5,6,8,9 G12,11,10,9,8,7,6,4 B12,11,10,9,8,6,5,3 x0"
    game = position("bonus-b", [sheet], "56-.111")
    assert [one for one in game.options(0) if one.startswith("Y11")] == ["Y11", "Y11+Y12#"]


def test_circle_may_close_a_row() -> None:
    """Five marks, the first of the two is the sixth, the second locks (docs/rules/bonus.md, Version B)."""
    game = position("bonus-b", ["R2,3,4,5,10 Y2,3,4,5,6 G12,11,10,9,8,7 B12,11,9,8,6,5 x0"], "56-1111")
    assert [one for one in game.options(0) if one.startswith("Y11")] == ["Y11+R11+R12#"]
    play(game, "Y11+R11+R12#")
    assert game.closed == ("R",)


def test_circle_may_end_the_game() -> None:
    """Two closed rows end it, also by a bonus (docs/rules/bonus.md, Version B)."""
    anna = "R2,3,4,5,10 Y2,3,4,5,6 G12,11,10,9,8,7 B12,11,9,8,6,5 x0"
    ben = "R- Y- G- B12,11,9,8,6,2# x0"
    game = position("bonus-b", [anna, ben], "56-111.", white=["Y11+R11+R12#", "-"])
    assert (game.over, game.reason, game.closed) == (True, "rows", ("R", "B"))


# Notched


def test_notched_gives_one_mark_in_each_row() -> None:
    """The next cells, in the order R, Y, G, B (docs/rules/bonus.md, Version B and ruling 8)."""
    game = position("bonus-b", ["R4 Y- G- B7 x0"], "16-1111")
    assert [one for one in game.options(0) if one.startswith("Y7")] == ["Y7+R5+Y8+G12+B6"]


def test_notched_is_forced() -> None:
    """All of its marks (docs/rules/bonus.md, ruling 5)."""
    game = position("bonus-b", ["R4 Y- G- B7 x0"], "16-1111")
    for wrong in ("Y7", "Y7+R5", "Y7+Y8+R5+G12+B6"):
        with pytest.raises(Illegal) as illegal:
            game.play(0, wrong)
        assert illegal.value.code == "written"


def test_notched_leaves_out_rows_that_cannot_be_marked() -> None:
    """B is closed, R12 needs five marks: neither gets one (docs/rules/bonus.md, ruling 8)."""
    ben = "R- Y- G- B12,11,9,8,6,2# x0"
    game = position("bonus-b", ["R11 Y- G- B7 x0", ben], "16-111.")
    assert [one for one in game.options(0) if one.startswith("Y7")] == ["Y7+Y8+G12"]


def test_notched_may_close_rows() -> None:
    """Three locks of one player in one action (docs/rules/bonus.md, Version B)."""
    sheet = "R2,3,4,5,11 Y4,5,6,7,11 G12,11,10,8,3 B- x0"
    game = position("bonus-b", [sheet, EMPTY], "16-1111", white=["B7+R12#+Y12#+G2#+B6", "-"])
    assert (game.over, game.closed) == (True, ("R", "Y", "G"))
    assert game.sheets[0].locks == ["R", "Y", "G"]


def test_four_rows_close_at_once_in_version_b() -> None:
    """Anna locks three, Ben the fourth (docs/rules/classic.md, ruling 1)."""
    anna = "R2,3,4,5,11 Y4,5,6,7,11 G12,11,10,8,3 B- x0"
    ben = "R- Y- G- B12,11,9,7,3 x0"
    game = position("bonus-b", [anna, ben], "16-1111", white=["B7+R12#+Y12#+G2#+B6", "Y7+R2+Y8+G12+B2#"])
    assert (game.over, game.closed) == (True, ("R", "Y", "G", "B"))


@pytest.mark.parametrize("locker", [0, 1])
def test_locks_of_others_close_after_the_bonus(locker: int) -> None:
    """One locks R by a bonus, the other marks R2 by a bonus in the same moment (docs/rules/classic.md, ruling 1)."""
    sheets, marks = ["R2,3,4,5,11 Y7 G- B- x0", "R- Y7 G- B- x0"], ["B7+R12#+Y8+G12+B6", "B7+R2+Y8+G12+B6"]
    if locker:
        sheets, marks = sheets[::-1], marks[::-1]
    game = position("bonus-b", sheets, "16-1111", white=marks)
    assert game.closed == ("R",)
    assert game.sheets[1 - locker].rows["R"] == [2]


# Bonuses that follow from bonuses


def test_an_action_is_finished_though_the_second_row_is_locked_in_it() -> None:
    """R12 closes the second row, Y8 and B6 are marked all the same (docs/rules/classic.md, ruling 8)."""
    ben = "R- Y- G12,11,10,8,7,2# B- x0"
    game = position("bonus-b", ["R2,3,4,5,11 Y7 G12 B- x0", ben], "16-11.1", white=["B7+R12#+Y8+B6", "-"])
    assert (game.over, game.closed) == (True, ("R", "G"))
    assert str(game.sheets[0]) == "R2,3,4,5,11,12# Y7,8 G12 B7,6 x0"


def test_a_bonus_follows_though_the_second_row_is_locked() -> None:
    """R12 closes the second row, Y11 completes the circle, and its marks are made (docs/rules/classic.md, ruling 8)."""
    ben = "R- Y- G12,11,10,8,7,2# B- x0"
    anna = "R2,3,4,5,11 Y7,10 G12,11,10,9 B- x0"
    game = position("bonus-b", [anna, ben], "16-11.1", white=["B7+R12#+Y11+B6+B5+B4", "-"])
    assert (game.over, game.closed) == (True, ("R", "G"))
    assert game.sheets[0].pairs == ["circle", "notched"]


def test_notched_makes_all_its_marks_before_the_circle_it_completes() -> None:
    """Y11 completes the circle, G8 and B6 come first (docs/rules/bonus.md, ruling 9 and example 5)."""
    game = position("bonus-b", ["R- Y7,10 G9 B8 x0"], "16-1111")
    assert [one for one in game.options(0) if one.startswith("B7")] == ["B7+R2+Y11+G8+B6+R3+R4"]


def test_bonuses_that_wait_do_not_get_mixed_up() -> None:
    """While the circle waits the star is completed, and both are had (docs/rules/bonus.md, ruling 9)."""
    game = position("bonus-b", ["R- Y3,7,10 G9,6 B8 x1"], "16-1111", white=["B7+R2+Y11+G5+B6+R3+R4"])
    assert game.sheets[0].pairs == ["circle", "notched", "star"]
    assert game.sheets[0].points["misthrows"] == 0


def test_a_tie_after_notched_is_picked_from() -> None:
    """After R4, Y11, G8 and B6 rows R and B have two marks each (docs/rules/bonus.md, rulings 6, 7 and 9)."""
    game = position("bonus-b", ["R3 Y7,10 G10,9 B- x0"], "16-1111")
    options = [one for one in game.options(0) if one.startswith("B7")]
    assert options == ["B7+R4+Y11+G8+B6+B5+B4", "B7+R4+Y11+G8+B6+R5+R6"]


@pytest.mark.parametrize(
    ("sheet", "option"),
    [
        ("R2,3,4,5 Y7,11 G12,11,10 B9 x0", "G9+B8+B7+R6+G8+B6"),
        ("R2,3,4,5 Y7,11 G12,11,10 B8 x0", "G9+B7+B6+R6+G8+B5"),
    ],
)
def test_circle_makes_both_its_marks_before_the_notched_it_completes(sheet: str, option: str) -> None:
    """B7 completes notched, as the second or as the first of two (docs/rules/bonus.md, ruling 9)."""
    game = position("bonus-b", [sheet], "36-1111")
    assert [one for one in game.options(0) if one.startswith("G9")] == [option]


def test_bonus_marks_complete_pairs_that_count_at_the_end() -> None:
    """Notched marks R6 and B4 is there: thirteen points (docs/rules/bonus.md, ruling 9)."""
    game = position("bonus-b", ["R5 Y- G- B7,4 x0"], "16-1111", white=["Y7+R6+Y8+G12+B3"])
    assert game.sheets[0].pairs == ["notched", "octagon"]
    assert game.sheets[0].points["bonus"] == 13


# Square, octagon, star


@pytest.mark.parametrize(
    ("sheet", "bonus", "total"),
    [
        ("R8 Y2,4 G12,11,10 B10,9 x0", 1, 1 + 3 + 6 + 3 + 1),
        ("R8,9 Y2,4 G12,11 B10,9 x0", 3, 3 + 3 + 3 + 3 + 3),
        ("R8 Y- G12 B10 x0", 0, 1 + 0 + 1 + 1),
        ("R3,4,5,7,8,12# Y2,4,5,6,7,8 G12,11,10,8,7,6,4,3 B12,11,10,9,8,6,5,3 x0", 21, 28 + 21 + 36 + 36 + 21),
    ],
    ids=["one row", "a tie counts one row", "an empty row", "lock marks count"],
)
def test_square_doubles_the_row_with_the_fewest_marks(sheet: str, bonus: int, total: int) -> None:
    """One row counts once more at the end (docs/rules/bonus.md, Version B)."""
    parsed = Sheet.parse(sheet, "bonus-b")
    assert parsed.pairs == ["square"]
    assert (parsed.points["bonus"], parsed.total) == (bonus, total)


def test_square_doubles_a_row_that_others_have_closed() -> None:
    """Closed or not, it is the row with the fewest marks (docs/rules/bonus.md, Version B)."""
    game = position("bonus-b", ["R8 Y2,4 G12,11,10 B10,9 x0", "R2,3,4,5,7,12# Y- G- B- x0"])
    assert game.sheets[0].points["bonus"] == 1


def test_octagon_is_worth_thirteen_points() -> None:
    """R6 and B4 (docs/rules/bonus.md, Version B and example 6)."""
    sheet = Sheet.parse("R6 Y- G- B4 x0", "bonus-b")
    assert sheet.points == {"R": 1, "Y": 0, "G": 0, "B": 1, "bonus": 13, "misthrows": 0}
    assert sheet.total == 15


def test_square_and_octagon_together() -> None:
    """Both stand in the bonus points (docs/rules/bonus.md, Version B)."""
    assert Sheet.parse("R6,8 Y2 G12 B10,4 x0", "bonus-b").points["bonus"] == 14


@pytest.mark.parametrize(("sheet", "cost"), [("R- Y3 G5 B- x3", 0), ("R- Y3 G6 B- x3", -15)])
def test_star_makes_misthrows_free(sheet: str, cost: int) -> None:
    """With both boxes they cost nothing at the end (docs/rules/bonus.md, Version B)."""
    assert Sheet.parse(sheet, "bonus-b").points["misthrows"] == cost


def test_the_fourth_misthrow_ends_the_game_in_spite_of_the_star() -> None:
    """It costs nothing, but it ends the game (docs/rules/bonus.md, ruling 10)."""
    game = position("bonus-b", ["R- Y3 G5 B- x3", EMPTY], "11-1111", white=["-", "-"])
    play(game, "x")
    assert (game.over, game.reason) == (True, "misthrows")
    assert game.scores == (2, 0)
