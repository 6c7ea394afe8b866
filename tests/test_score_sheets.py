"""Sheets without dice: the kernel's marking, closing and scoring, and their records."""

import json
import random
from pathlib import Path

import pytest

from rowlock import Game, find_variant, parse
from rowlock.bots import Stream, find_bot
from rowlock.rules import free_marks, kernel
from rowlock.rules.explain import Illegal
from rowlock.rules.notation import RecordError
from rowlock.rules.score_notation import read_records, write
from rowlock.rules.score_sheets import ScoreSheets
from rowlock.rules.variant import Variant, game_names, parse_variant
from tests.command import run
from tests.effort import EFFORT
from tests.local_games import OWN_VARIANTS
from tests.test_cli import MY_VARIANT

GAMES = {"quick": 1, "full": 1, "soak": 100}[EFFORT]
OWN = parse_variant(MY_VARIANT)
OWN_EFFECTS = [parse_variant(text) for text in OWN_VARIANTS]


def marks_of(option: str) -> list[str]:
    """What is marked on the sheet with an option of a game: `R3` and `R8` for `r3,r8 = R3 R8`, none for a pass."""
    marks = option.partition(" = ")[2].split() if " = " in option else [option]
    return [mark for mark in marks if mark != "-"]


def follow(variant: str | Variant, players: int, seed: int) -> tuple[ScoreSheets, int]:
    """Play a game with dice or cards, and make its marks on sheets without; return these, and how often they asked."""
    rng, bot, asked = random.Random(seed), find_bot("greedy"), 0
    game = Game(variant, players, seed=seed)
    sheets = ScoreSheets(game.variant, players)
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        chosen, turns = {}, game.turns_completed
        for player in game.to_act:
            view = game.view(player)
            at_random = rng.random() < 0.05
            options = list(view.options)
            chosen[player] = rng.choice(options) if at_random else bot.decide(view, options, Stream.of(game, view))
        for player, option in chosen.items():
            for mark in [] if game.phase == "take" else marks_of(option):
                first = mark.partition("+")[0]
                same = [one for one in sheets.options(player) if one.partition("+")[0] == first]
                rows = {row for one in same for row in sheets.questions(player, one)}
                asked += bool(rows)
                sheets.mark(player, mark, "".join(row for row in "RYGB" if row in rows & {*game.sheets[player].closed}))
        for player, option in chosen.items():
            game.play(player, option)
        if game.turns_completed > turns:
            sheets.new_roll()
            assert [*map(str, sheets.sheets)] == [*map(str, game.sheets)]
            assert [(one.closed, one.locks) for one in sheets.sheets] == [
                (one.closed, one.locks) for one in game.sheets
            ]
            assert (sheets.scores, sheets.over, sheets.winners) == (game.scores, game.over, game.winners)
    return sheets, asked


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("variant", [*game_names(), OWN, *OWN_EFFECTS], ids=str)
def test_the_marks_of_a_game_make_the_same_sheets(variant: str | Variant, players: int) -> None:
    for seed in range(players, players + GAMES):
        sheets, _ = follow(variant, players, seed)
        text = write(sheets)
        [again] = read_records(text.encode().splitlines(True), "record", [OWN, *OWN_EFFECTS])
        assert isinstance(again, ScoreSheets), again
        assert write(again) == text


@pytest.mark.parametrize(
    ("variant", "players", "seed", "closed"),
    [("bonus-a", 5, 13, False), ("bonus-b", 5, 32, False), ("bonus-a", 2, 115, True)],
)
def test_whether_a_row_is_closed_already_is_asked(variant: str, players: int, seed: int, *, closed: bool) -> None:
    """A bonus meets a row that another player has locked in the same white action, or in the one before."""
    sheets, asked = follow(variant, players, seed)
    assert asked
    assert any(mark.closed for marks in sheets.rolls for mark in marks) is closed
    assert sheets.over


# By hand


def with_marks(variant: str, *marks: str, players: int = 2) -> ScoreSheets:
    """Sheets with marks such as `0:R5`, before the next roll."""
    sheets = ScoreSheets(variant, players)
    for mark in marks:
        player, _, option = mark.partition(":")
        sheets.mark(int(player), option)
    return sheets


LOCKABLE = [f"{player}:R{number}" for player in (0, 1) for number in (2, 3, 4, 5, 6)]


def test_two_players_lock_a_row_before_the_next_roll() -> None:
    sheets = with_marks("classic", *LOCKABLE, "0:R12#")
    assert sheets.locks == {"R": (0,)}
    sheets.mark(1, "R12#")
    assert sheets.locks == {"R": (0, 1)}
    sheets.new_roll()
    assert [sheet.locks for sheet in sheets.sheets] == [["R"], ["R"]]
    assert sheets.locks == {}


def test_after_the_next_roll_the_row_is_closed() -> None:
    sheets = with_marks("classic", *LOCKABLE, "0:R12#")
    assert sheets.sheets[1].closed == []
    sheets.new_roll()
    assert sheets.sheets[1].closed == ["R"]
    with pytest.raises(Illegal, match="R12: row R is closed"):
        sheets.mark(1, "R12#")


def test_a_lock_is_undone_and_the_row_opens_again() -> None:
    sheets = with_marks("classic", *LOCKABLE, "0:R12#", "1:Y2")
    assert sheets.undo(0).option == "R12#"
    assert sheets.locks == {}
    sheets.new_roll()
    assert sheets.sheets[1].closed == []
    assert sheets.sheets[1].rows["Y"] == [2]


def test_marks_before_the_last_roll_cannot_be_undone() -> None:
    sheets = with_marks("classic", "0:R5")
    sheets.new_roll()
    with pytest.raises(Illegal, match="nothing to undo since the last roll"):
        sheets.undo(0)


def test_the_answer_goes_with_the_lock_that_is_undone() -> None:
    """Ben's box gave yellow its mark, as red was closed by Anna; without her lock it gives red one."""
    sheets = with_marks("bonus-a", "0:R2", "0:R4", "0:R5", "0:R7", "0:R8", "0:R12#")
    assert sheets.questions(1, "G11+R2") == "R"
    sheets.mark(1, "G11+Y2", "R")
    sheets.undo(0)
    assert [mark.option for mark in sheets.rolls[-1]][-1] == "G11+R2"
    assert (sheets.sheets[1].rows["R"], sheets.sheets[1].rows["Y"]) == ([2], [])


def test_only_a_row_that_was_locked_now_can_be_closed_already() -> None:
    with pytest.raises(Illegal, match="only a row that others have locked since the last roll"):
        with_marks("classic").mark(0, "R5", "Y")


@pytest.mark.parametrize(
    ("variant", "mark", "code", "reason"),
    [
        ("classic", "R4", "order", "R4 is left of R5"),
        ("classic", "R5", "order", "R5 is marked already"),
        ("classic", "R12#", "needed", "R12 needs 5 marks before it, there are 1"),
        ("classic", "R13", "cell", "there is no R13 on the classic sheet"),
        ("classic", "RY5", "cell", "there is no RY5 on the classic sheet"),
        ("classic", "R5*", "second", "R5 has no second box"),
        ("classic", "8>R6", "swap", "classic has no swap fields"),
        ("classic", "!R6", "lucky", "classic has no lucky numbers"),
        ("longo", "!G15", "lucky", "G15 is not the next cell of row G"),
        ("longo", "!R6", "lucky", "row R is not a row with the fewest marks"),
        ("longo", "!G16#", "written", "!G16# is written G16 or !G16 here"),
        ("classic", "R6#", "written", "R6# is written R6 here"),
        ("classic", "r5", "syntax", "r5 is not a mark; marks are written like R5"),
        ("big-points", "RY6", "beside", "RY6: no 6 beside it is marked"),
        ("double-a", "R6*", "second", "R6 is not marked yet"),
        ("bonus-a", "G11", "written", "G11 is written G11+R6+Y2 here"),
        ("x-change", "8>Y5", "swap", "the swap field 8/5 is left of 9/7, which is used"),
        ("x-change", "8>Y9", "swap", "no swap field shows 8 and 9"),
    ],
)
def test_what_the_sheet_does_not_allow_is_refused(variant: str, mark: str, code: str, reason: str) -> None:
    sheets = with_marks(variant, "0:R5", *(["0:9>G7"] if variant == "x-change" else []))
    before = write(sheets)
    with pytest.raises(Illegal) as illegal:
        sheets.mark(0, mark)
    assert (illegal.value.code, illegal.value.text) == (code, reason)
    assert write(sheets) == before


def test_misthrows_end_the_game_with_the_next_roll() -> None:
    sheets = ScoreSheets()
    for _ in range(3):
        sheets.mark(0, "x")
        sheets.new_roll()
    sheets.mark(0, "x")
    assert (sheets.ending, sheets.over) == (True, False)
    with pytest.raises(Illegal, match="misthrow"):
        sheets.mark(0, "x")
    sheets.mark(1, "R5")
    sheets.new_roll()
    assert (sheets.over, sheets.scores, sheets.winners) == (True, (-20, 1), (1,))
    with pytest.raises(Illegal, match="the game is over"):
        sheets.new_roll()


@pytest.mark.parametrize("marks", [["0:x", "0:x"], ["0:x", "1:x"], ["0:x", "0:R5"], ["0:R5", "0:x"]])
def test_a_roll_has_one_misthrow_of_a_player_who_marks_nothing(marks: list[str]) -> None:
    """Only the active player takes a misthrow, and only without a mark."""
    with pytest.raises(Illegal, match="misthrow"):
        with_marks("classic", *marks)
    sheets = with_marks("classic", marks[0])
    sheets.new_roll()
    player, _, option = marks[1].partition(":")
    sheets.mark(int(player), option)


def test_the_kernel_knows_who_has_marked_since_the_roll() -> None:
    """So that clients on its compiled form need no rule of their own."""
    tables, scratch = find_variant("classic").tables, [0] * kernel.SCRATCH_SIZE
    state, actions = [0] * kernel.state_size(3), [0] * (kernel.MAX_OPTIONS + 1)
    kernel.start(state, tables, 3)

    def can_misthrow(player: int) -> bool:
        count = free_marks.free_options(state, tables, player, actions, scratch)
        return kernel.PASS in actions[:count]

    assert [can_misthrow(player) for player in range(3)] == [True, True, True]
    free_marks.mark(state, tables, 1, kernel.CELL, 0, scratch)
    assert [can_misthrow(player) for player in range(3)] == [True, False, True]
    free_marks.mark(state, tables, 2, kernel.PASS, 0, scratch)
    assert [can_misthrow(player) for player in range(3)] == [False, False, False]
    assert [free_marks.free_options(state, tables, player, actions, scratch) for player in (0, 2)] == [40, 0]
    free_marks.new_roll(state, tables)
    assert [can_misthrow(player) for player in range(3)] == [True, True, True]


def test_the_end_can_be_declared() -> None:
    sheets = with_marks("classic", "0:R5")
    sheets.end()
    assert (sheets.over, sheets.winners, sheets.options(0)) == (True, (0,), {})


# Records

RECORD = """\
[ScoreSheets "classic"]
[Players "Anna; Ben"]
[Event "Sunday"]
[Result "4 -4"]

1. 1:R5 2:R5 1:B10
2. 2:x
3. 1:Y6
= R5 Y6 G- B10 x0
= R5 Y- G- B- x1
"""


def test_a_record_is_written_as_it_was_read() -> None:
    [found] = read_records(RECORD.replace("4 -4", "3 -4").encode().splitlines(True), "record", [])
    assert isinstance(found, ScoreSheets)
    assert (found.over, found.declared) == (True, True)
    assert write(found) == RECORD.replace("4 -4", "3 -4")


@pytest.mark.parametrize(
    ("before", "after", "error"),
    [
        ("1:Y6", "1:R4", ":8: turn 3, Anna: R4 is left of R5 [order]"),
        (
            "2:x",
            "2:x 1:x",
            ":7: turn 2, Anna: a roll has one misthrow at the most, of a player who marks nothing in it",
        ),
        ("1:Y6", "3:Y6", ":8: a mark is written like 1:R5, with the number of a player, not 3:Y6 [syntax]"),
        ("3. 1", "4. 1", ":8: roll 3 is due here, not 4 [turn]"),
        (
            "= R5 Y- G- B- x1",
            "= R5 Y- G- B- x0",
            ":10: turn 3, Ben: the sheet is R5 Y- G- B- x1, not R5 Y- G- B- x0 [result]",
        ),
        ("4 -4", "3 -3", ":4: the result is 3 -4, not 3 -3 [result]"),
        ("= R5 Y6 G- B10 x0\n", "", ":9: turn 3, Anna: the sheet is R5 Y6 G- B10 x0, not R5 Y- G- B- x1 [result]"),
        ("[Players", "[Player", ":1: the tag Players is missing [tag]"),
        ('"classic"', '"clasic"', ":1: there is no variant 'clasic'"),
        ('"classic"', '"cards+jokers"', ':1: cards+jokers is written [ScoreSheets "cards"] [variant]'),
        ("[Event", '[Jokers "yes"]\n[Event', ":3: sheets have no Jokers [tag]"),
        ("= R5 Y- G- B- x1\n", "", ":9: 2 sheets are due at the end, not 1 [marks]"),
    ],
)
def test_errors_name_the_line(before: str, after: str, error: str) -> None:
    text = RECORD.replace("4 -4", "3 -4") if before != "4 -4" else RECORD
    [found] = read_records(text.replace(before, after).encode().splitlines(True), "record", [])
    assert isinstance(found, RecordError)
    assert error in str(found)


def test_it_never_passes_as_a_game() -> None:
    with pytest.raises(RecordError, match=r"record:1: these are sheets without dice, not a game \[tag\]"):
        parse(RECORD)


def test_replay_says_that_there_were_no_dice(tmp_path: Path) -> None:
    file = tmp_path / "sunday.rlk"
    file.write_text(RECORD.replace("4 -4", "3 -4"))
    shown = run("replay", file)
    assert shown.returncode == 0, shown.stderr
    assert "Sheets without dice: marks, locks and totals were checked, dice could not be." in shown.stdout
    assert "Anna" in shown.stdout
    [line] = run("replay", "--json", file).stdout.splitlines()
    found = json.loads(line)
    assert (found["score_sheets"], found["scores"], found["winners"]) == ("classic", [3, -4], [0])
    assert "variant" not in found
    for command in ("review", "hint"):
        refused = run(command, file)
        assert refused.returncode == 1
        assert "these are sheets without dice, not a game [tag]" in refused.stderr
