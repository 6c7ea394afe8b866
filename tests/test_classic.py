"""Classic, the base of the family: every rule and every ruling of docs/rules/classic.md.

The other games keep what is tested here unless their own tests say otherwise.
"""

import pytest

from rowlock import Game, Illegal, Sheet, find_variant
from tests.positions import EMPTY, NAMES, play, position

FIVE_RED = "R2,3,4,5,6 Y- G- B- x0"
FIVE_YELLOW = "R- Y2,3,4,5,6 G- B- x0"
GREEN_LOCKED = "R- Y- G12,11,10,9,8,2# B- x0"

LAYOUT = {
    "R": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    "Y": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    "G": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
    "B": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
}


# Players, dice, sheet


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_one_to_five_players(players: int) -> None:
    """Two to five play, one may practise (docs/rules/classic.md, Players; the English leaflet's head stops at four)."""
    assert len(Game("classic", players).players) == players


@pytest.mark.parametrize("players", [0, 6])
def test_no_other_number_of_players(players: int) -> None:
    """Not none, not six (docs/rules/classic.md, Players)."""
    with pytest.raises(ValueError, match="1 to 5 players"):
        Game("classic", players)


def test_solo_player_is_active_in_every_turn() -> None:
    """Who practises alone is active every time, and pays for every misthrow (docs/rules/classic.md, Players)."""
    game = position("classic", [EMPTY])
    for turn in (1, 2, 3):
        assert (game.turn, game.active) == (turn, 0)
        game.roll("11-1111")
        play(game, "-")
        play(game, "x")
    assert game.sheets[0].misthrows == 3


def test_dice() -> None:
    """Two white dice and one of each colour, six faces (docs/rules/classic.md, Dice)."""
    assert find_variant("classic").dice == (6, 6, 6, 6, 6)
    game = Game("classic", 1)
    for wrong in ("71-1111", "17-1111", "11-7111", "11-1711", "11-1171", "11-1117", "01-1111", "11-111.", "11-111"):
        with pytest.raises(Illegal) as illegal:
            game.roll(wrong)
        assert illegal.value.code == "dice"
    assert game.roll("66-6666") == "66-6666"


def test_rolled_dice_stay_within_their_faces() -> None:
    """Dice are rolled by chance, all six of them, every face comes up (docs/rules/classic.md, Dice)."""
    rolls = [Game("classic", 1, seed=seed).roll() for seed in range(200)]
    for die in (0, 1, 3, 4, 5, 6):
        assert {roll[die] for roll in rolls} == set("123456")


@pytest.mark.parametrize("row", "RYGB")
def test_layout(row: str) -> None:
    """R and Y rise from 2 to 12, G and B fall from 12 to 2, each in its own colour (docs/rules/classic.md, Sheet)."""
    variant = find_variant("classic")
    assert [one.name for one in variant.rows] == ["R", "Y", "G", "B"]
    cells = variant.rows["RYGB".index(row)]
    assert list(cells.numbers) == LAYOUT[row]
    assert cells.colours == row * 11
    assert [number for number in LAYOUT[row] if variant.closes(variant.codes[f"{row}{number}"])] == LAYOUT[row][-1:]


# A turn


def test_white_action_is_for_everyone_in_any_row() -> None:
    """Everybody may take the white sum, in a row they choose (docs/rules/classic.md, Turn)."""
    game = position("classic", [EMPTY] * 3, "41-3256")
    assert game.phase == "white"
    assert game.to_act == (0, 1, 2)
    for player in range(3):
        assert game.options(player) == ["-", "B5", "G5", "R5", "Y5"]


def test_colour_action_is_for_the_active_player() -> None:
    """One white die, either one, with one coloured die, in that colour's row (docs/rules/classic.md, Turn)."""
    game = position("classic", [EMPTY] * 2, "41-3256", white=["-", "-"])
    assert game.phase == "colour"
    assert game.to_act == (0,)
    assert game.options(0) == ["B10", "B7", "G6", "G9", "R4", "R7", "Y3", "Y6", "x"]
    assert game.options(1) == []
    with pytest.raises(Illegal, match="Ben is not to act"):
        game.play(1, "R4")


def test_two_equal_white_dice_make_one_sum_with_a_colour() -> None:
    """Whites that show the same give every colour one sum only (docs/rules/classic.md, Turn)."""
    game = position("classic", [EMPTY], "33-1234", white=["-"])
    assert game.options(0) == ["B7", "G6", "R4", "Y5", "x"]


def test_max_and_emma() -> None:
    """Whites 4+1, blue 6: Max takes R5 and then B10, Emma Y5, two nothing (docs/rules/classic.md, example 2)."""
    game = position("classic", [EMPTY] * 4, "41-3256", white=["R5", "Y5", "-", "-"])
    play(game, "B10")
    assert [str(sheet) for sheet in game.sheets] == ["R5 Y- G- B10 x0", "R- Y5 G- B- x0", EMPTY, EMPTY]
    assert (game.turn, game.active, game.phase) == (2, 1, "roll")


def test_one_mark_per_action() -> None:
    """An action marks one cell (docs/rules/classic.md, Turn)."""
    game = position("classic", [EMPTY], "41-3256")
    with pytest.raises(Illegal, match="not a mark") as illegal:
        game.play(0, "R5,Y5")
    assert illegal.value.code == "syntax"


def test_misthrow_for_no_mark_in_either_action() -> None:
    """An active player who marks nothing in a turn marks a misthrow (docs/rules/classic.md, Turn)."""
    game = position("classic", [EMPTY] * 2, "41-3256", white=["-", "-"])
    play(game, "x")
    assert [sheet.misthrows for sheet in game.sheets] == [1, 0]


@pytest.mark.parametrize(("white", "colour"), [("R5", "-"), ("-", "B10"), ("R5", "B10")])
def test_no_misthrow_after_a_mark_in_one_action(white: str, colour: str) -> None:
    """A mark in either action is enough (docs/rules/classic.md, Turn)."""
    game = position("classic", [EMPTY] * 2, "41-3256", white=[white, "-"])
    play(game, colour)
    assert game.sheets[0].misthrows == 0


def test_declining_is_written_after_what_it_costs() -> None:
    """`x` is offered where declining is a misthrow, `-` where it is free (docs/rules/classic.md, Turn)."""
    costs = position("classic", [EMPTY], "41-3256", white=["-"])
    assert "x" in costs.options(0)
    assert "-" not in costs.options(0)
    free = position("classic", [EMPTY], "41-3256", white=["R5"])
    assert "-" in free.options(0)
    assert "x" not in free.options(0)
    with pytest.raises(Illegal, match="no mark was made: write x"):
        costs.play(0, "-")
    with pytest.raises(Illegal, match="a mark was made before: write -"):
        free.play(0, "x")


def test_the_others_never_mark_a_misthrow() -> None:
    """Whoever is not active may pass for nothing, turn after turn (docs/rules/classic.md, Turn)."""
    game = position("classic", [EMPTY] * 3)
    for colour in ("R2", "Y2", "x"):
        game.roll("11-1111")
        with pytest.raises(Illegal) as illegal:
            game.play((game.active + 1) % 3, "x")
        assert illegal.value.code == "misthrow"
        play(game, "-", "-", "-")
        play(game, colour)
    assert [sheet.misthrows for sheet in game.sheets] == [0, 0, 1]


# Marks from left to right


@pytest.mark.parametrize(
    ("row", "gone", "left"),
    [
        ("R5,7", [2, 3, 4, 5, 6, 7], [8, 9, 10, 11]),
        ("Y3,4,7,8,10", [2, 3, 4, 5, 6, 7, 8, 9, 10], [11, 12]),
        ("G12,10,6", [12, 11, 10, 9, 8, 7, 6], [5, 4, 3]),
        ("B10", [12, 11, 10], [9, 8, 7, 6, 5, 4, 3]),
    ],
)
def test_marks_go_from_left_to_right(row: str, gone: list[int], left: list[int]) -> None:
    """What was skipped is lost, what is marked is used (docs/rules/classic.md, Marking and example 1)."""
    name = row[0]
    sheet = " ".join(row if other == name else f"{other}-" for other in "RYGB")
    for number in gone + left:
        white = f"{max(1, number - 6)}{min(6, number - 1)}"
        game = position("classic", [sheet], f"{white}-1111")
        assert any(option.startswith(f"{name}{number}") for option in game.options(0)) == (number in left)


def test_a_mark_to_the_left_is_refused_by_name() -> None:
    """Marks go from left to right (docs/rules/classic.md, Marking)."""
    game = position("classic", ["R7 Y- G5 B- x0"], "41-1111")
    with pytest.raises(Illegal, match=r"^turn 1, Anna: R5 is left of R7$") as illegal:
        game.play(0, "R5")
    assert illegal.value.code == "order"
    with pytest.raises(Illegal, match="G5 is marked already"):
        game.play(0, "G5")


# Closing a row


@pytest.mark.parametrize(
    ("row", "dice", "option"),
    [
        ("R2,3,4,5,6", "66-1111", "R12#"),
        ("Y2,3,4,5,6", "66-1111", "Y12#"),
        ("G12,11,10,9,8", "11-1111", "G2#"),
        ("B12,11,10,9,8", "11-1111", "B2#"),
    ],
)
def test_the_last_cell_locks_its_row(row: str, dice: str, option: str) -> None:
    """With five marks before it the last cell may be marked, and the lock with it (docs/rules/classic.md, Closing)."""
    name = row[0]
    sheet = " ".join(row if other == name else f"{other}-" for other in "RYGB")
    game = position("classic", [sheet, EMPTY], dice)
    assert option in game.options(0)
    play(game, option, "-")
    assert game.sheets[0].locks == [name]
    assert game.sheets[0].points[name] == 28  # five marks, the last cell, the lock
    assert game.closed == (name,)


def test_four_marks_are_not_enough_to_lock() -> None:
    """The last cell needs five marks before it, in its own row (docs/rules/classic.md, Closing)."""
    game = position("classic", ["R2,3,4,5 Y2,3,4,5,6,7 G- B- x0"], "66-1111")
    assert game.options(0) == ["-", "B12", "G12", "Y12#"]
    with pytest.raises(Illegal, match="R12 needs 5 marks before it, there are 4") as illegal:
        game.play(0, "R12")
    assert illegal.value.code == "needed"


def test_the_last_cell_but_one_locks_nothing() -> None:
    """Only the last cell closes (docs/rules/classic.md, Closing)."""
    game = position("classic", [FIVE_RED], "56-1111", white=["R11"])
    assert game.sheets[0].locks == []


def test_a_colour_sum_locks_too() -> None:
    """Laura marks G2 and the lock, the green die leaves (docs/rules/classic.md, Closing)."""
    game = position("classic", ["R- Y- G12,11,10,9,8 B- x0", EMPTY], "16-1111", white=["-", "-"])
    play(game, "G2#")
    assert game.closed == ("G",)
    assert game.roll() == game.dice
    assert game.dice is not None
    assert game.dice[5] == "."


def test_a_closed_row_is_closed_for_everybody_and_its_die_leaves() -> None:
    """Nobody marks in a closed row, its die is rolled no more (docs/rules/classic.md, Closing)."""
    game = position("classic", [FIVE_RED, "R7 Y- G- B- x0"], "66-1111", white=["R12#", "-"])
    play(game, "-")
    with pytest.raises(Illegal, match="the red die has left the game") as illegal:
        game.roll("44-1111")
    assert illegal.value.code == "dice"
    game.roll("44-.111")
    for player in (0, 1):
        assert game.options(player) == ["-", "B8", "G8", "Y8"]
    with pytest.raises(Illegal, match="R8: row R is closed") as illegal:
        game.play(1, "R8")
    assert illegal.value.code == "closed"
    play(game, "-", "-")
    assert game.options(1) == ["B5", "G5", "Y5", "x"]
    with pytest.raises(Illegal, match="row R is closed"):
        game.play(1, "R5")


def test_a_die_that_is_in_the_game_is_rolled() -> None:
    """Only dice of closed rows leave (docs/rules/classic.md, Closing)."""
    with pytest.raises(Illegal, match="the yellow die is still in the game"):
        Game("classic", 1).roll("11-1.11")


# The end


def test_two_closed_rows_end_the_game() -> None:
    """The game is over the moment a second row closes, whoever closed the first (docs/rules/classic.md, End)."""
    game = position("classic", [GREEN_LOCKED, FIVE_RED, EMPTY], "66-11.1", white=["-", "R12#", "-"])
    assert (game.over, game.reason, game.closed) == (True, "rows", ("R", "G"))
    assert game.turns_completed == 1
    assert game.to_act == ()


def test_one_closed_row_does_not_end_it() -> None:
    """One row is not enough (docs/rules/classic.md, End)."""
    game = position("classic", [FIVE_RED], "66-1111", white=["R12#"])
    assert not game.over
    assert game.reason is None
    assert game.winners is None


def test_the_fourth_misthrow_ends_the_game() -> None:
    """Four misthrows of one player, not of all together (docs/rules/classic.md, End)."""
    game = position("classic", ["R- Y- G- B- x2", "R- Y- G- B- x3"], "11-1111", white=["-", "-"])
    play(game, "x")
    assert not game.over
    game.roll("11-1111")
    play(game, "-", "R2")
    play(game, "-")
    assert not game.over
    game = position("classic", ["R- Y- G- B- x3", "R- Y- G- B- x0"], "11-1111", white=["-", "-"])
    play(game, "x")
    assert (game.over, game.reason) == (True, "misthrows")
    assert game.winners == (1,)


def test_nothing_is_played_after_the_end() -> None:
    """The end is the end (docs/rules/classic.md, End)."""
    game = position("classic", [GREEN_LOCKED, FIVE_RED], "66-11.1", white=["-", "R12#"])
    for what in (lambda: game.play(0, "-"), game.roll):
        with pytest.raises(Illegal, match="the game is over") as illegal:
            what()
        assert illegal.value.code == "over"


# The score


@pytest.mark.parametrize(
    ("row", "points"),
    [
        ("R-", 0),
        ("R2", 1),
        ("R2,3", 3),
        ("R2,3,4", 6),
        ("R2,3,4,5", 10),
        ("R2,3,4,5,6", 15),
        ("R2,3,4,5,6,7", 21),
        ("R2,3,4,5,6,12#", 28),
        ("R2,3,4,5,6,7,12#", 36),
        ("R2,3,4,5,6,7,8,12#", 45),
        ("R2,3,4,5,6,7,8,9,12#", 55),
        ("R2,3,4,5,6,7,8,9,10,12#", 66),
        ("R2,3,4,5,6,7,8,9,10,11,12#", 78),
    ],
)
def test_points_of_a_row(row: str, points: int) -> None:
    """k marks, the lock's included, are worth k(k+1)/2 (docs/rules/classic.md, Score)."""
    assert Sheet.parse(f"{row} Y- G- B- x0").points["R"] == points


@pytest.mark.parametrize("misthrows", range(5))
def test_points_of_misthrows(misthrows: int) -> None:
    """A misthrow costs five (docs/rules/classic.md, Score)."""
    assert Sheet.parse(f"R- Y- G- B- x{misthrows}").total == -5 * misthrows


def test_laura_has_70_points() -> None:
    """10 + 6 + 28 + 36 - 10 = 70 (docs/rules/classic.md, example 3; the marks are the Dutch leaflet's)."""
    sheet = Sheet.parse("R2,3,6,8 Y3,5,8 G11,10,5,4,3,2# B12,10,9,8,7,5,4,3 x2")
    assert sheet.points == {"R": 10, "Y": 6, "G": 28, "B": 36, "bonus": 0, "misthrows": -10}
    assert sheet.total == 70


def test_the_highest_total_wins() -> None:
    """Not the most marks, not whoever ended the game: the highest total (docs/rules/classic.md, Score)."""
    game = position("classic", ["R2,3,4,5,6,7,8 Y- G- B- x3", "R- Y2 G- B- x0"], "11-1111", white=["-", "-"])
    play(game, "x")
    assert game.scores == (28 - 20, 1)
    assert game.winners == (0,)


def test_equal_totals_share_the_win() -> None:
    """Nothing breaks a tie (docs/rules/classic.md, Score)."""
    sheets = ["R2 Y- G- B- x3", "R- Y2,3 G- B- x0", "R2,3 Y- G- B- x0"]
    game = position("classic", sheets, "11-1111", white=["-", "-", "-"])
    play(game, "x")
    assert game.scores == (-19, 3, 3)
    assert game.winners == (1, 2)


# Ruling 1: white marks are made at one stroke


def test_several_players_lock_the_same_row() -> None:
    """Whoever may lock a row in the same white action does, each with a lock mark (docs/rules/classic.md, ruling 1)."""
    game = position("classic", [FIVE_RED, FIVE_RED, FIVE_RED], "66-1111", white=["R12#", "-", "R12#"])
    assert [sheet.locks for sheet in game.sheets] == [["R"], [], ["R"]]
    assert game.closed == ("R",)
    assert game.scores == (28, 15, 28)


def test_two_rows_close_at_once() -> None:
    """Rows close after all marks are made, so two may go together (docs/rules/classic.md, ruling 1)."""
    game = position("classic", [FIVE_RED, FIVE_YELLOW], "66-1111", white=["R12#", "Y12#"])
    assert (game.over, game.reason, game.closed) == (True, "rows", ("R", "Y"))


@pytest.mark.parametrize(
    ("sheets", "last_row", "last_misthrow"),
    [
        (["R- Y- G- B- x2", EMPTY], False, ()),
        ([GREEN_LOCKED, "R- Y- G- B- x3"], True, (1,)),
        ([GREEN_LOCKED, "R2,3,4,5,6,12# Y- G- B- x3"], False, ()),  # the game is over
    ],
)
def test_what_would_end_the_game(sheets: list[str], last_row: bool, last_misthrow: tuple[int, ...]) -> None:
    """A second row or a fourth misthrow (docs/rules/classic.md, End)."""
    game = position("classic", sheets)
    assert (game.last_row, game.last_misthrow) == (last_row, last_misthrow)


def test_three_rows_closed_with_green_closed_before() -> None:
    """G is closed; on 6+6 Max locks R, Linus Y: three rows closed, game over (docs/rules/classic.md, example 4)."""
    game = position("classic", [GREEN_LOCKED, FIVE_RED, FIVE_YELLOW], "66-11.1", white=["-", "R12#", "Y12#"])
    assert (game.over, game.reason, game.closed) == (True, "rows", ("R", "Y", "G"))
    assert game.scores == (28, 28, 28)


@pytest.mark.parametrize("first", [0, 1])
def test_a_lock_does_not_stop_a_mark_of_the_same_moment(first: int) -> None:
    """The order in which players happen to decide changes nothing (docs/rules/classic.md, ruling 1)."""
    game = position("classic", [FIVE_RED, FIVE_RED], "66-1111")
    game.play(first, "R12#")
    assert game.closed == ()
    assert game.options(1 - first) == ["-", "B12", "G12", "R12#"]
    game.play(1 - first, "R12#")
    assert game.scores == (28, 28)


@pytest.mark.parametrize("seat", [1, 2, None])
def test_nobody_sees_a_decision_before_all_have_decided(seat: int | None) -> None:
    """What Anna decides makes no difference to what others can know (docs/rules/classic.md, ruling 1)."""
    views = []
    for option in ("-", "R12#", "G12"):
        game = position("classic", [FIVE_RED, EMPTY, EMPTY], "66-1111")
        game.play(0, option)
        assert game.view(0).decision == option
        views.append(game.view(seat))
    assert views[0] == views[1] == views[2]
    assert views[0].decision is None
    assert views[0].decided == (0,)
    assert views[0].closed == ()
    assert views[0].sheets[0].rows["R"] == [2, 3, 4, 5, 6]


def test_a_record_does_not_tell_decisions_that_are_hidden() -> None:
    """While one decision is open the white part is not written (docs/rules/classic.md, ruling 1)."""
    game = position("classic", [EMPTY, EMPTY], "41-3256")
    game.play(1, "R5")
    assert game.record().endswith("\n1. 41-3256\n")
    assert game.turns[-1].white is None


def test_a_hidden_decision_can_be_taken_back() -> None:
    """Until all have decided everybody may think again (docs/rules/classic.md, ruling 1)."""
    game = position("classic", [EMPTY, EMPTY], "41-3256")
    game.play(0, "R5")
    with pytest.raises(Illegal, match="Anna has decided already"):
        game.play(0, "Y5")
    game.take_back(0)
    assert game.to_act == (0, 1)
    assert game.options(0) == ["-", "B5", "G5", "R5", "Y5"]
    play(game, "Y5", "-")
    assert game.sheets[0].rows == {"R": [], "Y": [5], "G": [], "B": []}


@pytest.mark.parametrize("player", [0, 1, 2, -1])
def test_a_decision_that_all_have_seen_is_not_taken_back(player: int) -> None:
    """Once all have decided the marks stand (docs/rules/classic.md, ruling 1)."""
    game = position("classic", [EMPTY, EMPTY], "41-3256", white=["R5", "-"])
    with pytest.raises(Illegal, match="no decision to take back") as illegal:
        game.take_back(player)
    assert illegal.value.code == "to-act"


def test_undo_goes_back_event_by_event() -> None:
    """A table that agrees may take back anything, in the opposite order of events."""
    game = Game("classic", NAMES[:2], seed=0)
    before = []

    def event(name: str, *what: str | int) -> None:
        before.append((game.record(), game.view(0), game.view(1)))
        getattr(game, name)(*what)

    event("roll", "66-1111")
    event("play", 1, "G12")
    event("play", 0, "-")
    event("play", 0, "x")
    event("roll", "12-3456")
    event("play", 0, "R3")
    event("play", 1, "-")
    event("play", 1, "x")
    for record, *views in reversed(before):
        game.undo()
        assert game.record() == record
        assert [game.view(0), game.view(1)] == views
    with pytest.raises(Illegal, match="nothing has happened yet"):
        game.undo()


# The other rulings


def test_a_row_closed_in_the_white_action_is_closed_for_the_colour_action() -> None:
    """Ben locks R, so Anna cannot lock it with red any more: its die is gone (docs/rules/classic.md, ruling 2)."""
    open_row = position("classic", [FIVE_RED, FIVE_RED], "66-6111", white=["-", "-"])
    assert open_row.options(0) == ["B7", "G7", "R12#", "Y7", "x"]
    game = position("classic", [FIVE_RED, FIVE_RED], "66-6111", white=["-", "R12#"])
    assert game.options(0) == ["B7", "G7", "Y7", "x"]
    with pytest.raises(Illegal, match="row R is closed"):
        game.play(0, "R12#")
    assert game.dice == "66-6111"  # the roll stays what it was


def test_no_colour_action_and_no_misthrow_when_the_white_action_ends_the_game() -> None:
    """Anna, active, has marked nothing and pays nothing (docs/rules/classic.md, ruling 3)."""
    game = position("classic", ["R- Y- G- B- x3", FIVE_RED, FIVE_YELLOW], "66-1111", white=["-", "R12#", "Y12#"])
    assert (game.over, game.reason) == (True, "rows")
    assert game.sheets[0].misthrows == 3
    assert game.options(0) == []
    assert game.record().endswith("1. 66-1111 - R12# Y12#\n")


def test_both_actions_in_the_same_row() -> None:
    """The second mark may stand in the row of the first, further right only (docs/rules/classic.md, ruling 4)."""
    game = position("classic", [EMPTY], "23-2111", white=["R5"])
    assert game.options(0) == ["-", "B3", "B4", "G3", "G4", "Y3", "Y4"]
    game = position("classic", [EMPTY], "23-4111", white=["R5"])
    assert [option for option in game.options(0) if option.startswith("R")] == ["R6", "R7"]


def test_a_lock_in_each_action() -> None:
    """The active player may lock one row with white and another with colour (docs/rules/classic.md, ruling 4)."""
    game = position("classic", ["R2,3,4,5,6 Y2,3,4,5,6 G- B- x0", EMPTY], "66-1611", white=["R12#", "-"])
    assert not game.over
    play(game, "Y12#")
    assert (game.over, game.reason, game.closed) == (True, "rows", ("R", "Y"))
    assert game.sheets[0].locks == ["R", "Y"]


def test_the_white_mark_counts_towards_a_lock_in_the_colour_action() -> None:
    """R7 in the white action is the fifth mark that R12 needs (docs/rules/classic.md, ruling 4)."""
    four = "R2,3,4,5 Y- G- B- x0"
    assert "R12#" not in position("classic", [four], "16-6111", white=["-"]).options(0)
    assert "R12#" in position("classic", [four], "16-6111", white=["R7"]).options(0)


def test_the_misthrow_is_marked_after_the_colour_action() -> None:
    """Passing the white action costs nothing yet; the end is tested right after (docs/rules/classic.md, ruling 5)."""
    game = position("classic", ["R- Y- G- B- x3", EMPTY], "11-1111", white=["-", "-"])
    assert (game.sheets[0].misthrows, game.phase) == (3, "colour")
    play(game, "x")
    assert (game.sheets[0].misthrows, game.phase) == (4, "over")
    with pytest.raises(Illegal, match="the game is over"):
        game.roll()


def test_too_few_marks_never_lock() -> None:
    """Ben locks R; Anna, with four marks in it, may not mark its last cell (docs/rules/classic.md, ruling 6)."""
    game = position("classic", ["R2,3,4,5 Y- G- B- x0", FIVE_RED], "66-1111")
    game.play(1, "R12#")
    assert game.options(0) == ["-", "B12", "G12"]
    with pytest.raises(Illegal, match="needs 5 marks"):
        game.play(0, "R12#")


def test_turn_order_is_the_seating_order() -> None:
    """The first player begins, whoever sits next follows; the lot is drawn before (docs/rules/classic.md, ruling 7)."""
    game = Game("classic", NAMES[:3])
    seen = []
    for _ in range(7):
        seen.append(game.players[game.active])
        game.roll("11-1111")
        play(game, "-", "-", "-")
        play(game, "x")
    assert seen == ["Anna", "Ben", "Chloe", "Anna", "Ben", "Chloe", "Anna"]


def test_an_action_is_finished_before_the_end_is_tested() -> None:
    """Chloe's mark is made though the other two have closed two rows (docs/rules/classic.md, ruling 8)."""
    game = position("classic", [FIVE_RED, FIVE_YELLOW, EMPTY], "66-1111", white=["R12#", "Y12#", "G12"])
    assert game.over
    assert game.scores == (28, 28, 1)


@pytest.mark.parametrize(
    ("sheet", "white", "colour"),
    [
        ("R11 Y11 G3 B3 x0", ["-"], ["x"]),
        ("R- Y- G- B- x0", ["-", "B12", "G12"], ["B7", "G7", "R7", "Y7", "x"]),
    ],
    ids=["nothing possible", "declined"],
)
def test_a_misthrow_is_for_not_marking(sheet: str, white: list[str], colour: list[str]) -> None:
    """Whether a mark was possible does not matter (docs/rules/classic.md, ruling 9).

    The English Longo leaflet, action 2, speaks of being unable; both German leaflets of not marking.
    """
    game = position("classic", [sheet, EMPTY], "66-1111")
    assert game.options(0) == white
    play(game, "-", "-")
    assert game.options(0) == colour
    play(game, "x")
    assert [sheet.misthrows for sheet in game.sheets] == [1, 0]
