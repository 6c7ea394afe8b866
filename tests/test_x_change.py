"""X-Change: swap fields, which exchange the white sum for another number. What is not said here is Classic."""

from dataclasses import replace

import pytest

from rowlock import Game, Illegal, Sheet, Variant, find_variant, parse
from rowlock.rules.notation import outcome
from tests.positions import EMPTY, play, position

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
LAYOUT = {"R": UP, "Y": UP, "G": DOWN, "B": DOWN}
WHITES = {2: "11", 3: "12", 4: "13", 5: "14", 6: "15", 7: "16", 8: "26", 9: "36", 10: "46", 11: "56", 12: "66"}
FIELDS = ((8, 5), (9, 7), (11, 3), (7, 4), (10, 3), (8, 6), (10, 5), (11, 9), (6, 4))
CLOSED_RED = "R2,3,4,6,7,12# Y- G- B- x0"


def swap_options(game: Game, player: int = 0) -> list[str]:
    return [option for option in game.options(player) if ">" in option]


@pytest.mark.parametrize("row", "RYGB")
def test_rows_as_in_classic(row: str) -> None:
    """The four rows, their colours, the dice and the five marks before a lock are those of Classic."""
    variant = find_variant("x-change")
    cells = variant.rows["RYGB".index(row)]
    assert (cells.name, list(cells.numbers), cells.colours) == (row, LAYOUT[row], row * 11)
    assert (variant.dice, variant.needed_in("RYGB".index(row))) == ((6, 6, 6, 6, 6), 5)


def test_nine_swap_fields() -> None:
    """A fifth row, left to right: 8/5, 9/7, 11/3, 7/4, 10/3, 8/6, 10/5, 11/9, 6/4.

    See docs/rules/x-change.md, Swap fields.
    """
    assert find_variant("x-change").swaps == FIELDS


def test_every_player_has_a_swap_row_of_their_own() -> None:
    """Anna has used 8/5, Ben has not (docs/rules/x-change.md, Swap fields)."""
    game = position("x-change", [f"{EMPTY} >8/5", EMPTY], "44-1111")
    assert "8>R5" not in game.options(0)
    assert "8>R5" in game.options(1)
    play(game, "8>R6", "8>R5")
    assert [sheet.swaps for sheet in game.sheets] == [["8/5", "8/6"], ["8/5"]]


def test_instead_of_marking_the_white_sum() -> None:
    """8 was rolled and swapped for 5: R5 is marked and no 8 (docs/rules/x-change.md, Swapping)."""
    game = position("x-change", [EMPTY], "44-1111", white=["8>R5"])
    assert str(game.sheets[0]) == "R5 Y- G- B- x0 >8/5"
    assert game.phase == "colour"


def test_the_white_sum_itself_can_still_be_marked() -> None:
    """A plain mark or none uses no swap field."""
    for option in ("R8", "-"):
        assert position("x-change", [EMPTY], "44-1111", white=[option]).sheets[0].swaps == []


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("side", [0, 1])
def test_on_either_side(field: tuple[int, int], side: int) -> None:
    """Either number of a field can be the white sum; the other one is marked, and the field is used.

    See docs/rules/x-change.md, Swapping.
    """
    rolled, marked = field[side], field[1 - side]
    game = position("x-change", [EMPTY], f"{WHITES[rolled]}-1111")
    assert [option for option in swap_options(game) if option.startswith(f"{rolled}>R{marked}")]
    play(game, f"{rolled}>R{marked}")
    assert game.sheets[0].rows["R"] == [marked]
    assert game.sheets[0].swaps == ["{}/{}".format(*field)]


def test_in_one_row_of_their_choice() -> None:
    """The other number may be marked in any row: 8 is 5 or 6 in R, Y, G or B."""
    game = position("x-change", [EMPTY], "44-1111")
    assert swap_options(game) == ["8>B5", "8>B6", "8>G5", "8>G6", "8>R5", "8>R6", "8>Y5", "8>Y6"]


def test_a_later_field_costs_those_before_it() -> None:
    """With 6 for 8 Anna uses the sixth field, and the five before it are lost (docs/rules/x-change.md, example 1)."""
    game = position("x-change", [EMPTY], "44-1111")
    play(game, "8>R6")
    assert [state for _, state in game.sheets[0].swap_fields] == ["lost"] * 5 + ["used"] + ["free"] * 3


@pytest.mark.parametrize("total", [2, 12])
def test_a_sum_that_no_field_shows(total: int) -> None:
    """2 and 12 cannot be swapped."""
    game = position("x-change", [EMPTY], f"{WHITES[total]}-1111")
    assert swap_options(game) == []
    with pytest.raises(Illegal, match=f"no swap field shows {total} and 5") as illegal:
        game.play(0, f"{total}>R5")
    assert illegal.value.code == "swap"


@pytest.mark.parametrize("option", ["7>R8", "7>R7", "7>R5"])
def test_numbers_that_no_field_shows_together(option: str) -> None:
    """7 is swapped for 9 or 4 only."""
    game = position("x-change", [EMPTY], "34-1111")
    with pytest.raises(Illegal, match="no swap field shows 7 and ") as illegal:
        game.play(0, option)
    assert illegal.value.code == "swap"


def test_a_swap_of_a_number_that_was_not_rolled() -> None:
    """The number swapped is this turn's white sum."""
    game = position("x-change", [EMPTY], "34-1111")
    with pytest.raises(Illegal, match="8>R5: the white sum is 7") as illegal:
        game.play(0, "8>R5")
    assert illegal.value.code == "sum"


def test_for_themselves_alone() -> None:
    """Anna swaps 8 for 5; for Ben the white sum is still 8, and 5 is no sum (docs/rules/x-change.md, Swapping)."""
    game = position("x-change", [EMPTY, EMPTY], "44-1111")
    game.play(0, "8>R5")
    assert "R8" in game.options(1)
    with pytest.raises(Illegal, match="R5: the white sum is 8"):
        game.play(1, "R5")


def test_everybody_may_swap_in_the_same_white_action() -> None:
    """Also those who are not active, each with a field of their own."""
    game = position("x-change", [EMPTY, EMPTY, EMPTY], "44-1111", white=["R8", "8>R5", "8>G6"])
    assert [sheet.swaps for sheet in game.sheets] == [[], ["8/5"], ["8/6"]]


def test_one_swap_field() -> None:
    """One mark in the white action: no second number and no second field."""
    game = position("x-change", [EMPTY], "44-1111")
    with pytest.raises(Illegal) as illegal:
        game.play(0, "8>R5>R8")
    assert illegal.value.code == "syntax"


@pytest.mark.parametrize(
    ("sheet", "option", "code"),
    [
        ("R7 Y- G- B- x0", "8>R5", "order"),
        ("R5 Y- G- B- x0", "8>R5", "order"),
        ("R- Y- G4 B- x0", "8>G5", "order"),
    ],
)
def test_marks_go_from_left_to_right(sheet: str, option: str, code: str) -> None:
    """All rules of marking hold for that mark: what was skipped is lost."""
    game = position("x-change", [sheet], "44-1111")
    assert option not in game.options(0)
    with pytest.raises(Illegal) as illegal:
        game.play(0, option)
    assert illegal.value.code == code


def test_a_closed_row_takes_no_swapped_mark() -> None:
    """All rules of marking hold for that mark: R is closed."""
    game = position("x-change", [CLOSED_RED, EMPTY], "44-.111")
    for player in (0, 1):
        assert not any(option.startswith("8>R") for option in game.options(player))
    with pytest.raises(Illegal, match="row R is closed") as illegal:
        game.play(1, "8>R5")
    assert illegal.value.code == "closed"


def test_from_left_to_right() -> None:
    """Swap fields are used from left to right: after 7/4 come 10/3 and those right of it.

    See docs/rules/x-change.md, Swapping.
    """
    game = position("x-change", [f"{EMPTY} >7/4"], "44-1111")
    assert swap_options(game) == ["8>B6", "8>G6", "8>R6", "8>Y6"]


def test_what_was_skipped_is_lost() -> None:
    """Nobody goes back to 8/5 after 9/7 (docs/rules/x-change.md, Swapping)."""
    game = position("x-change", [f"{EMPTY} >9/7"], "44-1111")
    with pytest.raises(Illegal, match="8/5 is left of 9/7") as illegal:
        game.play(0, "8>R5")
    assert illegal.value.code == "swap"


@pytest.mark.parametrize(("dice", "option"), [("44-1111", "8>R5"), ("23-1111", "5>R8")])
def test_a_field_is_used_once(dice: str, option: str) -> None:
    """From neither side a second time."""
    game = position("x-change", [f"{EMPTY} >8/5"], dice)
    with pytest.raises(Illegal, match="8/5 is used already") as illegal:
        game.play(0, option)
    assert illegal.value.code == "swap"


@pytest.mark.parametrize("total", range(2, 13))
def test_after_the_last_field_there_is_no_swap(total: int) -> None:
    """6/4 is the last field; using it skips all others."""
    game = position("x-change", [f"{EMPTY} >6/4"], f"{WHITES[total]}-1111")
    assert swap_options(game) == []


def test_all_nine_fields_one_after_the_other() -> None:
    """Nobody has to skip a field."""
    game = Game("x-change", 1)
    for rolled, marked, row in [
        (5, 8, "G"),
        (9, 7, "G"),
        (11, 3, "R"),
        (7, 4, "R"),
        (10, 3, "Y"),
        (8, 6, "R"),
        (10, 5, "Y"),
        (11, 9, "R"),
        (4, 6, "G"),
    ]:
        game.roll(f"{WHITES[rolled]}-1111")
        play(game, f"{rolled}>{row}{marked}")
        play(game, "-")
    assert game.sheets[0].swaps == ["{}/{}".format(*field) for field in FIELDS]


def test_swap_fields_score_nothing() -> None:
    """Only the marks count, one row at a time (docs/rules/x-change.md, Score)."""
    sheet = Sheet.parse("R3,5 Y- G- B- x0 >8/5,11/3", "x-change")
    assert sheet.points == {"R": 3, "Y": 0, "G": 0, "B": 0, "bonus": 0, "misthrows": 0}
    assert sheet.total == 3


@pytest.mark.parametrize("option", ["8>", "8>-", "8/5"])
def test_without_a_mark_no_field_is_used(option: str) -> None:
    """A field cannot be crossed off alone (docs/rules/x-change.md, Swapping)."""
    game = position("x-change", [EMPTY], "44-1111")
    with pytest.raises(Illegal) as illegal:
        game.play(0, option)
    assert illegal.value.code == "syntax"
    play(game, "-")
    assert game.sheets[0].swaps == []


def test_no_field_is_used_where_its_number_cannot_be_marked() -> None:
    """5 and 6 are lost in every row, so 8 can be marked or not, and not be swapped."""
    game = position("x-change", ["R7 Y7 G4 B4 x0"], "44-1111")
    assert game.options(0) == ["-", "R8", "Y8"]


def test_no_misthrow_is_due_after_a_swap() -> None:
    """A mark so made is a mark of the white action (docs/rules/x-change.md, Swapping)."""
    game = position("x-change", [EMPTY], "44-1111", white=["8>R5"])
    assert "-" in game.options(0)
    assert "x" not in game.options(0)
    play(game, "-")
    assert game.sheets[0].misthrows == 0


def test_the_colour_action_knows_no_swaps() -> None:
    """4 and 4 make a red 8, which stays an 8 (docs/rules/x-change.md, Swapping)."""
    game = position("x-change", [EMPTY], "44-4111", white=["-"])
    assert swap_options(game) == []
    with pytest.raises(Illegal, match="swap fields are used in the white action only") as illegal:
        game.play(0, "8>R5")
    assert illegal.value.code == "swap"


def test_a_colour_mark_may_follow_a_swap() -> None:
    """Also in the same row, if it lies further right."""
    game = position("x-change", [EMPTY], "44-4111", white=["8>R5"])
    assert game.options(0) == ["-", "B5", "G5", "R8", "Y5"]


def test_the_fields_show_3_to_11() -> None:
    """So on this sheet a swap never locks a row: the last cells are 12 and 2 (docs/rules/x-change.md, ruling 1)."""
    numbers = {number for field in find_variant("x-change").swaps for number in field}
    assert (min(numbers), max(numbers)) == (3, 11)
    last = "R2,3,4,5,6 Y2,3,4,5,6 G12,11,10,9,8 B12,11,10,9,8 x0"
    for total in range(3, 12):
        game = position("x-change", [last], f"{WHITES[total]}-1111")
        assert not any("#" in option for option in swap_options(game))


@pytest.fixture
def with_12() -> Variant:
    """X-Change with fields that show a last cell's number."""
    return replace(find_variant("x-change"), swaps=((8, 12), (7, 2)))


def test_on_other_sheets_a_swap_may_lock(with_12: Variant) -> None:
    """8 swapped for 12 locks R after five marks, and not after four (docs/rules/x-change.md, ruling 1)."""
    game = position(with_12, ["R2,3,4,5,6 Y2,3,4,5 G- B- x0", EMPTY], "44-1111")
    assert swap_options(game) == ["8>B12", "8>G12", "8>R12#"]
    play(game, "8>R12#", "-")
    assert (game.closed, game.sheets[0].locks) == (("R",), ["R"])
    assert game.sheets[0].points["R"] == 28


def test_a_lock_by_swap_needs_the_marks_too(with_12: Variant) -> None:
    """All rules of marking hold for that mark."""
    game = position(with_12, ["R2,3,4,5 Y- G- B- x0"], "44-1111")
    with pytest.raises(Illegal, match="R12 needs 5 marks before it, there are 4") as illegal:
        game.play(0, "8>R12#")
    assert illegal.value.code == "needed"


# Notation

RECORD = """[Variant "x-change"]
[Players "Anna; Ben"]

1. 44-1111 8>R5 8>R6 / -
"""


def test_the_outcome_lists_the_fields_used() -> None:
    """As printed and left to right, from whichever side they were used."""
    game = parse('[Variant "x-change"]\n[Players "Anna"]\n\n1. 23-1111 5>R8 / -\n2. 33-1111 6>G8 / -\n')
    assert outcome(game)["sheets"][0]["swaps"] == ["8/5", "8/6"]
    assert parse(game.record()) == game


def test_the_parts_of_a_swap_are_not_optional() -> None:
    """R5 without the 8 it was swapped for is no mark of a white sum 8."""
    assert [sheet.swaps for sheet in parse(RECORD).sheets] == [["8/5"], ["8/6"]]
    with pytest.raises(ValueError, match="R5: the white sum is 8"):
        parse(RECORD.replace("8>R5", "R5"))


def test_a_sheet_line_lists_the_fields_used() -> None:
    """Written after the misthrows, left to right; other lines are rejected."""
    line = "R5 Y- G- B- x0 >8/5,8/6"
    assert str(Sheet.parse(line, "x-change")) == line
    for wrong in (">8/6,8/5", ">8/5,8/5", ">5/8", ">"):
        with pytest.raises(ValueError, match="swap field"):
            Sheet.parse(f"{EMPTY} {wrong}", "x-change")
