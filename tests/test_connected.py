"""Connected: steps that score as a fifth row (A), cells joined in pairs (B). What is not said here is Classic."""

import json

import pytest

from rowlock import Game, Illegal, RecordError, Sheet, find_variant, parse
from rowlock.rules.notation import outcome
from tests.positions import EMPTY, play, position

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
LAYOUT = {"R": UP, "Y": UP, "G": DOWN, "B": DOWN}
WHITES = {2: "11", 3: "12", 4: "13", 5: "14", 6: "15", 7: "16", 8: "26", 9: "36", 10: "46", 11: "56", 12: "66"}
STEPS = {
    "A": "Y2 G11 B10 G9 Y6 R7 Y8 G5 B4 G3 Y12",
    "B": "B12 G11 Y4 R5 Y6 G7 B6 G5 Y10 R11 Y12",
    "C": "G12 B11 G10 Y5 R6 Y7 G6 B5 G4 Y11 R12",
    "D": "Y2 R3 Y4 G9 B8 G7 Y8 R9 Y10 G3 B2",
    "E": "R2 Y3 G10 B9 G8 Y7 R8 Y9 G4 B3 G2",
}
PAIRS = {
    "A": "R6-Y6 R11-Y11 Y3-G11 Y8-G6 G9-B9 G4-B4",
    "B": "R4-Y4 R9-Y9 Y6-G8 Y11-G3 G11-B11 G6-B6",
    "C": "R3-Y3 R8-Y8 Y6-G8 Y11-G3 G10-B10 G5-B5",
    "D": "R5-Y5 R10-Y10 Y3-G11 Y8-G6 G8-B8 G3-B3",
    "E": "R6-Y6 R9-Y9 Y3-G11 Y11-G3 G9-B9 G6-B6",
}
EVERY_CELL = [f"{row}{number}" for row in "RYGB" for number in LAYOUT[row]]
RED_LOCKED = "R2,3,4,5,7,12# Y- G- B- x0 @A"


def with_cells(cells: list[str]) -> str:
    """A sheet with these cells marked, in the order of the rows."""
    return " ".join(row + (",".join(cell[1:] for cell in cells if cell[0] == row) or "-") for row in "RYGB")


def pairs_of(letter: str) -> list[tuple[str, str]]:
    return [(pair.split("-")[0], pair.split("-")[1]) for pair in PAIRS[letter].split()]


def column(cell: str) -> int:
    return LAYOUT[cell[0]].index(int(cell[1:])) + 1


# Both versions: the sheets


@pytest.mark.parametrize("row", "RYGB")
@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_classic_except_for_the_sheet(variant: str, row: str) -> None:
    """Rows, colours, dice and the five marks before a lock are those of Classic."""
    cells = find_variant(variant).rows["RYGB".index(row)]
    assert (cells.name, list(cells.numbers), cells.colours) == (row, LAYOUT[row], row * 11)
    assert find_variant(variant).dice == (6, 6, 6, 6, 6)
    assert find_variant(variant).needed_in("RYGB".index(row)) == 5


@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_five_sheets(variant: str) -> None:
    """There are five sheets, A to E, and they may differ from player to player (docs/rules/connected.md, Sheets)."""
    assert "".join(find_variant(variant).sheet_letters) == "ABCDE"
    game = Game(variant, 5)
    assert len({(sheet.steps, sheet.joined) for sheet in game.sheets}) == 5


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_dealt_in_the_order_of_the_players(variant: str, players: int) -> None:
    """The first player gets A, the second B and so on (docs/rules/connected.md, Sheets)."""
    assert Game(variant, players).sheet_letters == "ABCDE"[:players]


@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_unless_somebody_chooses_otherwise(variant: str) -> None:
    """Any sheet can be chosen for any player."""
    assert Game(variant, 3, sheets="ECA").sheet_letters == "ECA"


@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_two_players_may_have_the_same_sheet(variant: str) -> None:
    """A letter may be chosen more than once (docs/rules/connected.md, Sheets)."""
    assert Game(variant, 3, sheets="BDB").sheet_letters == "BDB"


def test_sheets_that_are_not_chosen_are_dealt() -> None:
    """In the order of the players, as if no sheet had been chosen."""
    assert Game("connected-a", 5, sheets=["C", None, "A", None, None]).sheet_letters == "CBADE"


@pytest.mark.parametrize(
    ("letters", "wrong"),
    [
        ("AF", "has the sheets A, B, C, D, E, not 'F'"),
        ("Ab", "has the sheets A, B, C, D, E, not 'b'"),
        ("A", "each of the 2 players needs the letter of a sheet, there are 1"),
        ("ABC", "each of the 2 players needs the letter of a sheet, there are 3"),
    ],
)
def test_letters_that_cannot_be_chosen(letters: str, wrong: str) -> None:
    """One letter per player, and only those of the five sheets."""
    with pytest.raises(ValueError, match=wrong):
        Game("connected-a", 2, sheets=letters)


@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_a_record_names_the_sheets(variant: str) -> None:
    """A writer always writes the tag; a reader deals the sheets in order where it is left out."""
    game = Game(variant, ["Anna", "Ben"], sheets="CC")
    assert '[Sheets "C; C"]' in game.record()
    assert '[Sheets "A; B"]' in Game(variant, ["Anna", "Ben"]).record()
    assert parse(game.record()).sheet_letters == "CC"
    assert parse(f'[Variant "{variant}"]\n[Players "Anna; Ben; Chloe"]\n').sheet_letters == "ABC"


@pytest.mark.parametrize("value", ["A", "A; B; C", "A; F", "A; b", "A;B", "A, B", ""])
def test_sheets_tags_that_are_wrong(value: str) -> None:
    """One known letter per player, separated by a semicolon and a space."""
    with pytest.raises(RecordError) as error:
        parse(f'[Variant "connected-a"]\n[Players "Anna; Ben"]\n[Sheets "{value}"]\n')
    assert error.value.code == "sheets"


def test_no_sheets_tag_where_there_is_one_sheet_only() -> None:
    """It is an error in games that do not have several sheets."""
    with pytest.raises(RecordError, match="classic has no Sheets") as error:
        parse('[Variant "classic"]\n[Players "Anna; Ben"]\n[Sheets "A; B"]\n')
    assert error.value.code == "tag"


@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_the_outcome_names_the_sheet(variant: str) -> None:
    """Its letter stands beside the rows."""
    found = json.loads(json.dumps(outcome(Game(variant, 2, sheets="DB"))))
    assert [sheet["sheet"] for sheet in found["sheets"]] == ["D", "B"]


# Version A: the steps


@pytest.mark.parametrize("letter", "ABCDE")
def test_eleven_steps_one_in_each_column(letter: str) -> None:
    """Eleven cells of a sheet are steps, one in each of its columns."""
    steps = Game("connected-a", 1, sheets=letter).sheets[0].steps
    assert sorted(map(column, steps)) == list(range(1, 12))


@pytest.mark.parametrize("letter", "ABCDE")
def test_the_steps_of_each_sheet(letter: str) -> None:
    """Columns 1 to 11 of each sheet (docs/rules/connected.md, Version A: the steps)."""
    steps = Game("connected-a", 1, sheets=letter).sheets[0].steps
    assert sorted(steps, key=column) == STEPS[letter].split()


@pytest.mark.parametrize("letter", "ABCDE")
def test_a_marked_step_scores_once_more(letter: str) -> None:
    """A mark on a step is a point more, a mark on another cell is not."""
    for cell in EVERY_CELL:
        if column(cell) == 11:
            continue  # a last cell needs marks before it
        sheet = Sheet.parse(f"{with_cells([cell])} x0 @{letter}", "connected-a")
        assert sheet.points["bonus"] == (1 if cell in STEPS[letter].split() else 0)
        assert sheet.points[cell[0]] == 1


@pytest.mark.parametrize(
    ("count", "points"),
    [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, 28), (8, 36), (9, 45), (10, 55)],
)
@pytest.mark.parametrize("letter", "ABCDE")
def test_a_fifth_row_by_the_same_table(letter: str, count: int, points: int) -> None:
    """So many marked steps are worth as much as so many marks in a row."""
    cells = sorted(STEPS[letter].split()[:count], key=column)
    assert Sheet.parse(f"{with_cells(cells)} x0 @{letter}", "connected-a").points["bonus"] == points


@pytest.mark.parametrize("letter", "ABCDE")
def test_eleven_steps_are_66(letter: str) -> None:
    """The last step is the last cell of its row, which five marks and a lock go with.

    See docs/rules/connected.md, Version A: the steps.
    """
    last = STEPS[letter].split()[-1]
    rows = {row: [cell for cell in STEPS[letter].split() if cell[0] == row] for row in "RYGB"}
    others = [f"{last[0]}{number}" for number in LAYOUT[last[0]][:-1]]
    rows[last[0]] = [*others, f"{last}#"]
    cells = [cell for row in "RYGB" for cell in rows[row]]
    sheet = Sheet.parse(f"{with_cells(cells)} x0 @{letter}", "connected-a")
    assert sheet.points["bonus"] == 66
    assert sheet.points[last[0]] == 78


def test_a_lock_is_no_step() -> None:
    """Y12 is a step of sheet A, the lock beside it is not: one step, seven marks.

    See docs/rules/connected.md, Version A: the steps.
    """
    game = position("connected-a", ["R- Y3,4,5,7,9 G- B- x0 @A"], "66-1111", white=["Y12#"])
    assert game.sheets[0].points == {"R": 0, "Y": 28, "G": 0, "B": 0, "bonus": 1, "misthrows": 0}


def test_a_last_cell_that_is_no_step() -> None:
    """R12 of sheet A gives no point for steps, and neither does its lock."""
    game = position("connected-a", ["R2,3,4,5,6 Y- G- B- x0 @A"], "66-1111", white=["R12#"])
    assert game.sheets[0].points["bonus"] == 0


def test_steps_count_in_the_total() -> None:
    """R7, Y6 and Y8 are steps of sheet A: 1 + 3 for the rows, 6 for the steps, 5 for the misthrow.

    See docs/rules/connected.md, example 1.
    """
    sheet = Sheet.parse("R7 Y6,8 G- B- x1 @A", "connected-a")
    assert sheet.points == {"R": 1, "Y": 3, "G": 0, "B": 0, "bonus": 6, "misthrows": -5}
    assert sheet.total == 5


def test_everybody_scores_the_steps_of_their_own_sheet() -> None:
    """R7 is a step of sheet A only."""
    game = position("connected-a", [f"{EMPTY} @{letter}" for letter in "ABCDE"], "34-1111", white=["R7"] * 5)
    assert [sheet.points["bonus"] for sheet in game.sheets] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("dice", ["34-1111", "11-1111", "66-3456"])
def test_nothing_else_changes(dice: str) -> None:
    """The options are those of Classic, and a step sets nothing off."""
    marks = "R2,3,4,5,8 Y2 G12 B-"
    connected = position("connected-a", [f"{marks} x0 @A"], dice)
    classic = position("classic", [f"{marks} x0"], dice)
    assert connected.options(0) == classic.options(0)
    play(connected, "-")
    play(classic, "-")
    assert connected.options(0) == classic.options(0)


def test_a_step_does_not_count_towards_closing() -> None:
    """Five marks are needed in the row itself; R7 is one mark, also as a step."""
    game = position("connected-a", ["R2,3,4,7 Y6,8 G11,9 B- x0 @A"], "66-1111")
    with pytest.raises(Illegal, match="R12 needs 5 marks before it, there are 4"):
        game.play(0, "R12#")


# Version B: the chain


@pytest.mark.parametrize("letter", "ABCDE")
def test_six_pairs_are_joined(letter: str) -> None:
    """The pairs of each sheet (docs/rules/connected.md, Version B: the chain)."""
    joined = Game("connected-b", 1, sheets=letter).sheets[0].joined
    assert {frozenset(pair) for pair in joined} == {frozenset(pair) for pair in pairs_of(letter)}
    assert len(joined) == 6


@pytest.mark.parametrize("letter", "ABCDE")
def test_marking_one_cell_marks_the_other(letter: str) -> None:
    """Either cell of a pair marks both; a cell in no pair is marked alone.

    See docs/rules/connected.md, Version B: the chain.
    """
    mates = {one: other for pair in pairs_of(letter) for one, other in (pair, pair[::-1])}
    for cell in EVERY_CELL:
        if column(cell) == 11:
            continue
        game = position("connected-b", [f"{EMPTY} @{letter}"], f"{WHITES[int(cell[1:])]}-1111")
        option = f"{cell}+{mates[cell]}" if cell in mates else cell
        assert option in game.options(0)
        play(game, option)
        marked = [f"{row}{number}" for row, numbers in game.sheets[0].rows.items() for number in numbers]
        assert sorted(marked) == sorted(option.split("+"))


def test_in_the_colour_action_too() -> None:
    """A cell marked with a coloured die takes the joined cell along, whatever that cell's colour."""
    game = position("connected-b", [f"{EMPTY} @A"], "15-5111", white=["-"])
    assert "R6+Y6" in game.options(0)
    play(game, "R6+Y6")
    assert str(game.sheets[0]) == "R6 Y6 G- B- x0 @A"


@pytest.mark.parametrize("wrong", ["R6", "R6+Y7", "R6+G6", "R6+Y6+Y6", "R6+Y6+Y8", "R6+R6", "R6#"])
def test_the_other_one_is_marked_always(wrong: str) -> None:
    """Nobody marks one cell of a pair alone, or together with another cell."""
    game = position("connected-b", [f"{EMPTY} @A"], "33-1111")
    with pytest.raises(Illegal, match=r"is written R6\+Y6 here") as illegal:
        game.play(0, wrong)
    assert illegal.value.code == "written"


def test_everybody_has_the_pairs_of_their_own_sheet() -> None:
    """R6 and Y6 are joined on sheets A and E only."""
    game = position("connected-b", [f"{EMPTY} @{letter}" for letter in "ABCDE"], "33-1111")
    found = [next(option for option in game.options(player) if option.startswith("R6")) for player in range(5)]
    assert found == ["R6+Y6", "R6", "R6", "R6", "R6+Y6"]


def test_also_left_of_marks() -> None:
    """Y6 is marked although Y9 is (docs/rules/connected.md, Version B: the chain)."""
    game = position("connected-b", ["R- Y9 G- B- x0 @A"], "33-1111", white=["R6+Y6"])
    assert game.sheets[0].rows["Y"] == [6, 9]


def test_also_in_a_row_closed_by_another_player() -> None:
    """Ben has locked Y: Anna's Y6 is marked with R6, and it counts (docs/rules/connected.md, Version B: the chain)."""
    ben = "R- Y2,3,4,5,7,12# G11 B- x0 @A"
    game = position("connected-b", [f"{EMPTY} @A", ben], "33-1.11", white=["R6+Y6", "-"])
    assert game.sheets[0].rows["Y"] == [6]
    assert game.sheets[0].points["Y"] == 1


def test_the_cell_in_the_closed_row_cannot_be_chosen() -> None:
    """A closed row takes joined marks only."""
    ben = "R- Y2,3,4,5,7,12# G11 B- x0 @A"
    game = position("connected-b", [f"{EMPTY} @A", ben], "33-1.11")
    with pytest.raises(Illegal, match="row Y is closed") as illegal:
        game.play(0, "Y6+R6")
    assert illegal.value.code == "closed"


def test_the_joined_mark_counts_for_points() -> None:
    """R6 and Y6 are a point each (docs/rules/connected.md, ruling 1)."""
    game = position("connected-b", [f"{EMPTY} @A"], "33-1111", white=["R6+Y6"])
    assert game.sheets[0].points == {"R": 1, "Y": 1, "G": 0, "B": 0, "bonus": 0, "misthrows": 0}


@pytest.mark.parametrize("yellow", ["Y2,4,5,7", "Y2,4,5,9"])
def test_the_joined_mark_counts_towards_the_five(yellow: str) -> None:
    """Y6 is the fifth mark of its row, though it lies left of the others' last (docs/rules/connected.md, ruling 1)."""
    before = position("connected-b", [f"R- {yellow} G- B- x0 @A"], "66-1111")
    assert "Y12#" not in before.options(0)
    game = position("connected-b", [f"R- {yellow} G- B- x0 @A"], "33-1611", white=["R6+Y6"])
    play(game, "-")
    game.roll("66-1111")
    play(game, "Y12#")
    assert game.closed == ("Y",)
    assert game.sheets[0].points["Y"] == 28


def test_right_of_the_rightmost_mark_it_is_the_rightmost_from_then_on() -> None:
    """Y6 was marked with R6: Y5 is lost, Y7 is next (docs/rules/connected.md, ruling 2)."""
    game = position("connected-b", ["R- Y2 G- B- x0 @A"], "33-1111", white=["R6+Y6"])
    play(game, "-")
    game.roll("23-1111")
    assert game.options(0) == ["-", "B5", "G5"]
    with pytest.raises(Illegal, match="Y5 is left of Y6"):
        game.play(0, "Y5")
    play(game, "-")
    play(game, "x")
    game.roll("34-1111")
    assert "Y7" in game.options(0)


def test_left_of_the_rightmost_mark_the_row_stands_as_it_stood() -> None:
    """Y6 was marked left of Y9: Y8 stays lost, Y10 is next (docs/rules/connected.md, ruling 3 and example 2)."""
    game = position("connected-b", ["R- Y9 G- B- x0 @A"], "33-1111", white=["R6+Y6"])
    play(game, "-")
    game.roll("44-1111")
    assert not any(option.startswith("Y") for option in game.options(0))
    play(game, "-")
    play(game, "x")
    game.roll("46-1111")
    assert "Y10" in game.options(0)


def test_a_closed_row_stands_as_it_stood() -> None:
    """A joined mark does not open a closed row: no yellow cell can be chosen, and its die stays out.

    See docs/rules/connected.md, ruling 3.
    """
    ben = "R- Y2,3,4,5,7,12# G11 B- x0 @A"
    game = position("connected-b", [f"{EMPTY} @A", ben], "33-1.11", white=["R6+Y6", "-"])
    play(game, "-")
    game.roll("34-1.11")
    assert not any(option.startswith("Y") for option in game.options(0))
    assert game.closed == ("Y",)
    assert game.sheets[0].locks == []


@pytest.mark.parametrize("letter", "ABCDE")
def test_every_cell_is_in_one_pair_at_most(letter: str) -> None:
    """So the cells of a pair are always marked together and a mark never sets off a second pair.

    See docs/rules/connected.md, ruling 4.
    """
    cells = [cell for pair in Game("connected-b", 1, sheets=letter).sheets[0].joined for cell in pair]
    assert len(set(cells)) == len(cells) == 12


def test_the_cells_of_a_pair_are_always_marked_together() -> None:
    """A sheet with one of them marked alone does not exist (docs/rules/connected.md, ruling 4)."""
    with pytest.raises(ValueError, match="R6 and Y6 are joined"):
        Sheet.parse("R6 Y- G- B- x0 @A", "connected-b")


@pytest.mark.parametrize("letter", "ABCDE")
def test_no_pair_holds_a_last_cell(letter: str) -> None:
    """So a joined mark never locks (docs/rules/connected.md, ruling 5)."""
    cells = [cell for pair in Game("connected-b", 1, sheets=letter).sheets[0].joined for cell in pair]
    assert 11 not in map(column, cells)


def test_a_joined_mark_never_locks() -> None:
    """Y11 is marked with R11 in a row of five marks; Y stays open (docs/rules/connected.md, ruling 5)."""
    game = position("connected-b", ["R- Y2,4,5,7,9 G- B- x0 @A"], "56-1111", white=["R11+Y11"])
    assert game.closed == ()
    assert game.sheets[0].locks == []


def test_a_locked_row_takes_joined_marks_too() -> None:
    """Anna has locked R; Y6 still marks R6 (docs/rules/connected.md, ruling 6)."""
    game = position("connected-b", [RED_LOCKED], "33-.111")
    assert "Y6+R6" in game.options(0)
    play(game, "Y6+R6")
    assert str(game.sheets[0]) == "R2,3,4,5,6,7,12# Y6 G- B- x0 @A"
    assert game.sheets[0].points["R"] == 36


def test_twelve_marks_with_the_lock_are_the_most() -> None:
    """All eleven cells of R and its lock, the last two by joined marks after locking: 78 points.

    See docs/rules/connected.md, ruling 6.
    """
    game = position("connected-b", ["R2,3,4,5,7,8,9,10,12# Y- G- B- x0 @A"])
    for dice, option in [("33-.111", "Y6+R6"), ("56-.111", "Y11+R11")]:
        game.roll(dice)
        play(game, option)
        play(game, "-")
    assert game.sheets[0].rows["R"] == UP
    assert game.sheets[0].points["R"] == 78


def test_where_both_cells_could_be_chosen_each_is_an_option() -> None:
    """R6 with Y6, or Y6 with R6; both come to the same sheet (docs/rules/connected.md, ruling 7)."""
    game = position("connected-b", [f"{EMPTY} @A"], "33-1111")
    assert game.options(0) == ["-", "B6", "G6+Y8", "R6+Y6", "Y6+R6"]
    other = position("connected-b", [f"{EMPTY} @A"], "33-1111", white=["Y6+R6"])
    play(game, "R6+Y6")
    assert game.sheets == other.sheets


def test_where_one_cell_could_be_chosen_the_other_is_no_option() -> None:
    """Y6 lies left of Y9 and comes with R6 only."""
    game = position("connected-b", ["R- Y9 G- B- x0 @A"], "33-1111")
    assert game.options(0) == ["-", "B6", "G6+Y8", "R6+Y6"]


def test_the_mark_avoids_a_misthrow_once() -> None:
    """Two cells, one mark of the white action: another mark may follow in the colour action, none has to."""
    game = position("connected-b", [f"{EMPTY} @A"], "33-4111", white=["R6+Y6"])
    assert game.options(0) == ["-", "B4+G4", "G4+B4", "R7"]
