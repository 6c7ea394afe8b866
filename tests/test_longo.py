"""Longo: longer rows, two closing cells, lucky numbers (docs/rules/longo.md). What is not said there is Classic."""

from itertools import product

import pytest

from rowlock import Game, Illegal, Sheet, find_variant
from tests.positions import EMPTY, play, position

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
DOWN = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
LAYOUT = {"R": UP, "Y": UP, "G": DOWN, "B": DOWN}

SIX = {"R": "R2,3,4,5,6,7", "Y": "Y2,3,4,5,6,7", "G": "G16,15,14,13,12,11", "B": "B16,15,14,13,12,11"}
WHITES = {2: "11", 3: "12", 15: "78", 16: "88"}


def only(row: str, marks: str) -> str:
    """A sheet with marks in one row."""
    return " ".join(marks if name == row else f"{name}-" for name in "RYGB")


# Sheet and dice


@pytest.mark.parametrize("row", "RYGB")
def test_layout(row: str) -> None:
    """R and Y rise from 2 to 16, G and B fall from 16 to 2; the last two cells close (docs/rules/longo.md, Sheet)."""
    variant = find_variant("longo")
    cells = variant.rows["RYGB".index(row)]
    assert cells.name == row
    assert list(cells.numbers) == LAYOUT[row]
    assert cells.colours == row * 15
    assert [n for n in LAYOUT[row] if variant.closes(variant.codes[f"{row}{n}"])] == LAYOUT[row][-2:]


def test_eight_faces() -> None:
    """All six dice show 1 to 8 (docs/rules/longo.md, Dice)."""
    assert find_variant("longo").dice == (8, 8, 8, 8, 8)
    assert Game("longo", 1).roll("88-8888") == "88-8888"
    with pytest.raises(Illegal, match="the white die shows 1 to 8, not 9"):
        Game("longo", 1).roll("19-1111")


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_two_to_five_players(players: int) -> None:
    """As in Classic (docs/rules/longo.md, Players; the English leaflet's head stops at four)."""
    assert len(Game("longo", players).lucky) == players


@pytest.mark.parametrize(
    ("row", "left"),
    [("R5,7", "R8"), ("Y3,4,8,10,11,13", "Y14"), ("G16,13,11", "G10"), ("B14", "B13")],
)
def test_marks_go_from_left_to_right(row: str, left: str) -> None:
    """The rows of the leaflets' first picture go on right of their last mark (docs/rules/longo.md, Sheet)."""
    number = int(left[1:])
    game = position("longo", [only(row[0], row)], f"{number // 2}{number - number // 2}-1111")
    assert left in game.options(0)


def test_only_14_15_and_16_are_left_in_yellow() -> None:
    """With 13 marked and six marks in the row (docs/rules/longo.md, example 1)."""
    yellow = only("Y", "Y3,4,8,10,11,13")
    found = []
    for first, second in product(range(1, 9), repeat=2):
        game = position("longo", [yellow], f"{first}{second}-1111")
        found += [option for option in game.options(0) if option.startswith("Y")]
    assert set(found) == {"Y14", "Y15#", "Y16#"}


def test_a_turn_as_in_classic() -> None:
    """5+1 is announced: Max R6, Emma Y6; then Max takes B13 with 5+8 (docs/rules/longo.md, example 2)."""
    game = position("longo", [EMPTY] * 4, "51-1118", white=["R6", "Y6", "-", "-"])
    play(game, "B13")
    assert [str(sheet)[:-1] for sheet in game.sheets[:2]] == ["R6 Y- G- B13 x", "R- Y6 G- B- x"]


# Closing

CLOSING = [("R", 15), ("R", 16), ("Y", 15), ("Y", 16), ("G", 3), ("G", 2), ("B", 3), ("B", 2)]


@pytest.mark.parametrize(("row", "number"), CLOSING)
def test_either_of_the_last_two_cells_closes(row: str, number: int) -> None:
    """With six marks before it, lock included (docs/rules/longo.md, Closing)."""
    option = f"{row}{number}#"
    game = position("longo", [only(row, SIX[row]), EMPTY], f"{WHITES[number]}-1111")
    assert option in game.options(0)
    play(game, option, "-")
    assert game.closed == (row,)
    assert game.sheets[0].locks == [row]
    assert game.sheets[0].points[row] == 36  # six marks, the closing cell, the lock


@pytest.mark.parametrize(("row", "number"), CLOSING)
def test_five_marks_are_not_enough(row: str, number: int) -> None:
    """Neither closing cell can be marked with fewer than six marks (docs/rules/longo.md, Closing)."""
    five = SIX[row].rpartition(",")[0]
    game = position("longo", [only(row, five)], f"{WHITES[number]}-1111")
    assert f"{row}{number}#" not in game.options(0)
    with pytest.raises(Illegal, match=f"{row}{number} needs 6 marks before it, there are 5") as illegal:
        game.play(0, f"{row}{number}#")
    assert illegal.value.code == "needed"


def test_the_other_closing_cell_is_gone() -> None:
    """R15 has closed the row, R16 cannot follow, not even in the same turn (docs/rules/longo.md, Closing)."""
    game = position("longo", [only("R", SIX["R"])], "78-8111", white=["R15#"])
    assert not any(option.startswith("R") for option in game.options(0))


def test_too_few_marks_when_somebody_else_closes() -> None:
    """Nobody profits from another's lock (docs/rules/classic.md, ruling 6)."""
    game = position("longo", [only("R", SIX["R"]), only("R", "R2,3,4,5,6")], "78-1111")
    game.play(0, "R15#")
    assert game.options(1) == ["-", "B15", "G15"]


def test_both_closing_cells_in_one_moment() -> None:
    """Anna closes G with the sum, Ben with a lucky number on the other cell (docs/rules/classic.md, ruling 1)."""
    lucky = "R2,3,4,5,6,7,8 Y2,3,4,5,6,7,8 G16,15,14,13,12,4 B16,15,14,13,12,11,10 x0 !2/5"
    game = position("longo", [only("G", SIX["G"]), lucky], "11-1111", white=["G2#", "!G3#"])
    assert game.closed == ("G",)
    assert [sheet.locks for sheet in game.sheets] == [["G"], ["G"]]


def test_emma_closes_green_with_its_3() -> None:
    """G3 and the lock are marked, the green die leaves (docs/rules/longo.md, Closing)."""
    game = position("longo", [only("G", SIX["G"])], "21-1111", white=["G3#"])
    assert str(game.sheets[0]) == "R- Y- G16,15,14,13,12,11,3# B- x0"
    play(game, "-")
    with pytest.raises(Illegal, match="the green die has left the game"):
        game.roll("11-1111")


def test_red_and_yellow_close_with_green_closed() -> None:
    """8+8: Max locks R16, Linus Y16, G was closed before (docs/rules/longo.md, example 4)."""
    sheets = ["R- Y- G16,15,14,13,12,11,3# B- x0", only("R", SIX["R"]), only("Y", SIX["Y"])]
    game = position("longo", sheets, "88-11.1", white=["-", "R16#", "Y16#"])
    assert (game.over, game.reason, game.closed) == (True, "rows", ("R", "Y", "G"))


def test_four_rows_close_at_once() -> None:
    """Two players lock with the sum, two with a lucky number (docs/rules/classic.md, ruling 1)."""
    sheets = [
        only("R", SIX["R"]),
        only("Y", SIX["Y"]),
        "R2,3,4,5,6,7,8 Y2,3,4,5,6,7,8 G16,15,14,13,12,4 B16,15,14,13,12,11,10 x0 !5/16",
        "R2,3,4,5,6,7,8 Y2,3,4,5,6,7,8 G16,15,14,13,12,11,10 B16,15,14,13,12,4 x0 !6/16",
    ]
    game = position("longo", sheets, "88-1111", white=["R16#", "Y16#", "!G3#", "!B3#"])
    assert game.closed == ("R", "Y", "G", "B")
    assert game.over


# Score


@pytest.mark.parametrize(
    ("row", "points"),
    [
        ("R2,3,4,5,6,7,8,9,10,11,12,13", 78),
        ("R2,3,4,5,6,7,8,9,10,11,12,13,14", 91),
        ("R2,3,4,5,6,7,8,9,10,11,12,13,15#", 105),
        ("R2,3,4,5,6,7,8,9,10,11,12,13,14,15#", 120),
        ("R2,3,4,5,6,7,8,9,10,11,12,13,14,16#", 120),
    ],
)
def test_points_run_to_fifteen_marks(row: str, points: int) -> None:
    """Thirteen cells, one closing cell and the lock: 15 marks, 120 points (docs/rules/longo.md, Score)."""
    assert Sheet.parse(f"{row} Y- G- B- x0", "longo").points["R"] == points


def test_a_row_never_has_sixteen_marks() -> None:
    """Only one of the two closing cells can be marked (docs/rules/longo.md, Score)."""
    with pytest.raises(ValueError, match="R16 stands too far left"):
        Sheet.parse("R2,3,4,5,6,7,8,9,10,11,12,13,14,15#,16# Y- G- B- x0", "longo")


def test_emma_has_87_points() -> None:
    """10 + 6 + 45 + 36 - 10 = 87 (docs/rules/longo.md, example 5; the marks are those of the German Longo leaflet)."""
    sheet = Sheet.parse("R2,5,6,10 Y3,5,7 G15,14,11,10,9,7,5,3# B15,14,12,11,9,7,6,5 x2 !5/8", "longo")
    assert sheet.points == {"R": 10, "Y": 6, "G": 45, "B": 36, "bonus": 0, "misthrows": -10}
    assert sheet.total == 87


# Lucky numbers


def test_the_pairs() -> None:
    """Five pairs for five players, all different (docs/rules/longo.md, ruling 5)."""
    assert find_variant("longo").lucky == ((5, 8), (5, 10), (6, 11), (4, 9), (7, 12))
    assert Game("longo", 5).lucky == ((5, 8), (5, 10), (6, 11), (4, 9), (7, 12))
    assert Game("longo", 2, lucky=[(6, 11), (2, 16)]).lucky == ((6, 11), (2, 16))


@pytest.mark.parametrize("pair", [(5, 8), (5, 10), (6, 11), (4, 9), (7, 12)])
def test_every_pair_has_the_same_chance(pair: tuple[int, int]) -> None:
    """11 of the 64 rolls of two white dice (docs/rules/longo.md, ruling 5)."""
    assert sum(one + other in pair for one, other in product(range(1, 9), repeat=2)) == 11


@pytest.mark.parametrize(
    ("lucky", "wrong"),
    [
        ([(5, 8)], "each of the 2 players needs one pair"),
        ([(5, 8), (5, 8)], "two players share the lucky numbers 5/8"),
        ([(5, 8), (8, 5)], "low/high: 8/5"),
        ([(5, 8), (6, 6)], "low/high: 6/6"),
        ([(5, 8), (1, 6)], "two different numbers from 2 to 16"),
        ([(5, 8), (6, 17)], "two different numbers from 2 to 16"),
    ],
)
def test_pairs_that_cannot_be_dealt(lucky: list[tuple[int, int]], wrong: str) -> None:
    """Two different numbers each, and no two players the same (docs/rules/longo.md, Lucky numbers)."""
    with pytest.raises(ValueError, match=wrong):
        Game("longo", 2, lucky=lucky)


def test_laura_marks_g16() -> None:
    """6 is announced and is lucky, G is empty: its first cell, G16 (docs/rules/longo.md, example 3).

    The German leaflets print G16. The English Longo leaflet, action 1, prints G15, which would leave a cell out.
    """
    game = position("longo", ["R2 Y2 G- B16 x0 !6/11"], "51-1111")
    assert game.options(0) == ["!G16", "-", "B6", "G6", "R6", "Y6"]
    play(game, "!G16")
    assert game.sheets[0].rows["G"] == [16]
    with pytest.raises(Illegal) as illegal:
        position("longo", ["R2 Y2 G- B16 x0 !6/11"], "51-1111").play(0, "!G15")
    assert (illegal.value.code, illegal.value.text) == ("lucky", "G15 is not the next cell of row G")


@pytest.mark.parametrize(("dice", "lucky"), [("33-1111", True), ("65-1111", True), ("34-1111", False)])
def test_both_numbers_of_the_pair_are_lucky_and_no_other(dice: str, lucky: bool) -> None:
    """Your two numbers count, no others (docs/rules/longo.md, Lucky numbers)."""
    game = position("longo", ["R2 Y2 G- B16 x0 !6/11"], dice)
    assert ("!G16" in game.options(0)) == lucky


def test_the_pair_of_another_player_is_not_yours() -> None:
    """Everybody has their own numbers, and uses them in anybody's turn (docs/rules/longo.md, Lucky numbers)."""
    row = "R2 Y2 G- B16 x0"
    game = position("longo", [f"{row} !5/8", f"{row} !6/11"], "51-1111")
    assert "!G16" not in game.options(0)
    assert "!G16" in game.options(1)
    with pytest.raises(Illegal, match="the white sum is 6, the lucky numbers are 5 and 8") as illegal:
        game.play(0, "!G16")
    assert illegal.value.code == "lucky"


def test_the_next_cell_stands_right_after_the_last_mark() -> None:
    """Not the cell after the last one left out (docs/rules/longo.md, Lucky numbers)."""
    game = position("longo", ["R2,3 Y2,3 G12 B16,15 x0 !6/11"], "51-1111")
    assert [option for option in game.options(0) if option.startswith("!")] == ["!G11"]


def test_any_of_the_rows_that_tie() -> None:
    """With several rows at the fewest marks the player chooses (docs/rules/longo.md, Lucky numbers)."""
    game = position("longo", ["R- Y- G- B- x0 !6/11"], "51-1111")
    assert [option for option in game.options(0) if option.startswith("!")] == ["!B16", "!G16", "!R2", "!Y2"]
    game = position("longo", ["R4 Y2,3 G9 B16,15 x0 !6/11"], "51-1111")
    assert [option for option in game.options(0) if option.startswith("!")] == ["!G8", "!R5"]


def test_a_row_with_more_marks_gets_nothing() -> None:
    """Only the row with the fewest marks (docs/rules/longo.md, Lucky numbers)."""
    game = position("longo", ["R2 Y2 G- B16 x0 !6/11"], "51-1111")
    with pytest.raises(Illegal, match="row R is not a row with the fewest marks"):
        game.play(0, "!R3")


def test_it_is_instead_of_the_sum_and_a_mark() -> None:
    """One mark in the white action, and no misthrow after it (docs/rules/longo.md, Lucky numbers)."""
    game = position("longo", ["R2 Y2 G- B16 x0 !6/11"], "51-1111", white=["!G16"])
    assert game.phase == "colour"
    play(game, "-")
    assert str(game.sheets[0]) == "R2 Y2 G16 B16 x0 !6/11"


def test_every_time_it_comes_up() -> None:
    """Lucky numbers never wear off (docs/rules/longo.md, Lucky numbers)."""
    game = position("longo", ["R2,3,4 Y2,3,4 G- B16,15,14 x0 !6/11"])
    for option in ("!G16", "!G15", "!G14"):
        game.roll("51-1111")
        play(game, option)
        play(game, "-")
    assert game.sheets[0].rows["G"] == [16, 15, 14]


def test_not_in_the_colour_action() -> None:
    """A white and a coloured die that make 6 are no lucky number (docs/rules/longo.md, Lucky numbers)."""
    game = position("longo", ["R2 Y2 G- B16 x0 !6/11"], "12-5555", white=["-"])
    assert not any(option.startswith("!") for option in game.options(0))
    with pytest.raises(Illegal, match="white action only"):
        game.play(0, "!G16")


def test_lock_marks_count() -> None:
    """R has seven cells and the lock, eight marks, as many as Y: Y10 is to be had (docs/rules/longo.md, ruling 1)."""
    sheet = "R2,3,4,5,6,7,15# Y2,3,4,5,6,7,8,9 G16,15,14,13,12,11,10,9,8 B16,15,14,13,12,11,10,9,8 x0 !5/8"
    game = position("longo", [sheet], "14-.111")
    assert [option for option in game.options(0) if option.startswith("!")] == ["!Y10"]


def test_a_closed_row_counts_and_gives_nothing() -> None:
    """Ben has closed R, where Anna has the fewest marks: no luck for her (docs/rules/longo.md, ruling 2)."""
    ben = "R2,3,4,5,6,7,15# Y- G- B- x0"
    game = position("longo", ["R- Y2 G16 B16 x0 !6/11", ben], "51-.111")
    assert not any(option.startswith("!") for option in game.options(0))
    with pytest.raises(Illegal, match="row R is closed"):
        game.play(0, "!R2")
    tied = position("longo", ["R- Y- G16 B16 x0 !6/11", ben], "51-.111")
    assert [option for option in tied.options(0) if option.startswith("!")] == ["!Y2"]


def test_a_closing_cell_without_six_marks_gives_nothing() -> None:
    """R14 is the only mark in R, and R15 needs six (docs/rules/longo.md, ruling 3)."""
    game = position("longo", ["R14 Y2,3 G16,15 B16,15 x0 !6/11"], "51-1111")
    assert not any(option.startswith("!") for option in game.options(0))
    with pytest.raises(Illegal, match="R15 needs 6 marks") as illegal:
        game.play(0, "!R15#")
    assert illegal.value.code == "needed"
    tied = position("longo", ["R14 Y2 G16,15 B16,15 x0 !6/11"], "51-1111")
    assert [option for option in tied.options(0) if option.startswith("!")] == ["!Y3"]


def test_a_lucky_number_may_close_a_row() -> None:
    """R14 is the sixth mark and R still has the fewest: R15 and the lock (docs/rules/longo.md, Lucky numbers)."""
    sheet = "R2,3,4,5,6,14 Y2,3,4,5,6,7,8 G16,15,14,13,12,11,10 B16,15,14,13,12,11,10 x0 !5/8"
    game = position("longo", [sheet, EMPTY], "14-1111")
    assert "!R15#" in game.options(0)
    play(game, "!R15#", "-")
    assert (game.closed, game.sheets[0].locks) == (("R",), ["R"])


def test_a_lucky_lock_may_end_the_game() -> None:
    """It is a lock like any other (docs/rules/classic.md, ruling 1)."""
    sheet = "R2,3,4,5,6,14 Y2,3,4,5,6,7,8 G16,15,14,13,12,11,10 B16,15,14,13,12,11,10 x0 !5/8"
    game = position("longo", [sheet, "R- Y- G16,15,14,13,12,11,3# B- x0"], "14-11.1", white=["!R15#", "-"])
    assert (game.over, game.closed) == (True, ("R", "G"))


@pytest.mark.parametrize(
    ("sheet", "dice", "plain", "lucky"),
    [
        ("R2 Y2 G- B16 x0 !5/16", "88-1111", "G16", "!G16"),
        ("R4 Y2,3 G16,15 B16,15 x0 !5/8", "14-1111", "R5", "!R5"),
    ],
)
def test_the_same_cell_is_a_plain_mark(sheet: str, dice: str, plain: str, lucky: str) -> None:
    """Where the next cell is the announced number's there is no lucky mark (docs/rules/longo.md, ruling 4)."""
    game = position("longo", [sheet], dice)
    assert plain in game.options(0)
    assert lucky not in game.options(0)
    with pytest.raises(Illegal, match=f"{lucky} is written {plain} here") as illegal:
        game.play(0, lucky)
    assert illegal.value.code == "written"


def test_a_game_knows_the_lucky_numbers_it_is_played_with() -> None:
    """Chosen pairs are dealt first, in any order; every player always gets a pair."""
    longo = find_variant("longo")
    assert Game(longo, 2, lucky=[(5, 10), (5, 8)]).variant == longo
    one, two = (Game(longo, 2, lucky=pairs) for pairs in ([(3, 10), (4, 9)], [(4, 9), (3, 10)]))
    assert one.variant == two.variant
    assert one.lucky == ((3, 10), (4, 9))
    assert one.variant.lucky_pairs == ((3, 10), (4, 9), (5, 8), (5, 10), (6, 11), (7, 12))
    assert Game(one.variant, 4).lucky == one.variant.lucky_pairs[:4]
    assert Game(one.variant, 2, lucky=[(5, 8), (5, 10)]).variant == longo
