"""The terminal game: with scripted players, and whole games as processes."""

import logging
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from rowlock import Game, Sheet, View, parse, rules, variant_ids
from rowlock.analysis.hint import Hints, hints
from rowlock.bots import Bot, BotError, find_bot
from rowlock.locale import LANGUAGES, detect_language, set_language
from rowlock.paths import data_directory
from rowlock.rules.effects import EFFECTS
from rowlock.rules.game import Turn
from rowlock.rules.variant import Setup, find_setup, parse_variant
from rowlock.terminal import draw, words
from rowlock.terminal.errors import CommandError
from rowlock.terminal.menu import make_menu, match_options, numbered, parse_choice
from rowlock.terminal.play import LocalGame, bots_of, play_game, seat_bots
from rowlock.terminal.progress import show_progress
from rowlock.terminal.save_file import SaveFile
from rowlock.terminal.screen import TerminalScreen
from tests import command
from tests.effort import QUICK
from tests.positions import EMPTY, position, table
from tests.test_cli import COMMAND, MY_VARIANT, UNFINISHED, environment, record, rowlock
from tests.test_variant import BRIDGE

PLAIN = draw.Terminal(colour=False, unicode=True)


class Script:
    """A screen that records its output and reads scripted lines, then reports the end of the input."""

    def __init__(self, *typed: str) -> None:
        self.typed = iter(typed)
        self.output: list[str] = []
        self.secrets: list[bool] = []
        self.hidden: list[tuple[str, list[str]]] = []

    def show_turn(self, view: View) -> None:
        self.output.append(f"turn {view.turn} {view.dice}")

    def show_position(self, view: View, menu: Sequence[str]) -> None:
        assert view.seat is not None
        if view.cards:
            self.output.append(f"{view.players[view.seat]} holds {' '.join(view.cards.hands[view.seat])}")
        self.show_options(view, menu)

    def show_options(self, view: View, menu: Sequence[str]) -> None:
        assert view.seat is not None
        offered = [option for _, option in sorted(numbered(menu))] or menu
        self.output.append(f"{view.players[view.seat]}? {' '.join(offered)}")

    def show_hints(self, game: Game, hints: Hints, menu: Sequence[str]) -> None:
        self.output.append(f"hints {game.players[hints.player]}: {hints.options[0].option.option}")

    @contextmanager
    def private(self, view: View) -> Iterator[None]:
        """Move the output within the context to `hidden`."""
        assert view.seat is not None
        shown, self.output = self.output, []
        try:
            yield
        finally:
            self.hidden.append((view.players[view.seat], self.output))
            self.output = shown

    def show_sheets(self, view: View) -> None:
        self.output.append("sheets")

    def show_scores(self, game: Game) -> None:
        self.output.append("scores")

    def print_line(self, text: str, *, soft_wrap: bool = False) -> None:
        self.output.append(text)

    def read_line(self, prompt: str, *, secret: bool) -> str:
        self.secrets.append(secret)
        try:
            return next(self.typed)
        except StopIteration:
            raise EOFError from None


@pytest.fixture
def change_language() -> Iterator[Callable[[str], None]]:
    """Set the language; after the test it is English again."""
    yield set_language
    set_language("en")


def play(game: Game, *typed: str, bots: dict[int, Bot] | None = None) -> tuple[Script, list[str]]:
    """Play until the script ends; return the screen and every saved record."""
    screen, saved = Script(*typed), list[str]()
    assert play_game(LocalGame(game, bots or {}, screen, saved.append), "rowlock play game.rlk") == 0
    return screen, saved


# Deciding


def test_options_are_chosen_by_number_or_in_notation() -> None:
    menu = ["-", "R12#", "!G16", "Y11+R7+R8", "Y11", "B5+G4"]
    assert parse_choice("0", menu) == "-"
    assert parse_choice("1", menu) == "R12#"
    assert parse_choice("r12#", menu) == "R12#"
    assert parse_choice("r12", menu) == "R12#"
    assert parse_choice("g16", menu) == "!G16"
    assert parse_choice("y11", menu) == "Y11"
    assert parse_choice("b5", menu) == "B5+G4"
    assert parse_choice("X", menu) == "x"


def test_joined_cells_swaps_and_second_boxes_are_chosen_in_notation() -> None:
    menu = ["-", "R8", "R5*", "Y6+G8", "G8+Y6", "8>R5", "8>Y5"]
    assert parse_choice("r8", menu) == "R8"
    assert parse_choice("8>y5", menu) == "8>Y5"
    assert parse_choice("y5", menu) == "8>Y5"
    assert parse_choice("r5*", menu) == "R5*"
    assert parse_choice("y6+g8", menu) == parse_choice("y6", menu) == "Y6+G8"
    assert parse_choice("g8", menu) == "G8+Y6"
    with pytest.raises(ValueError, match=r"R5\* or 8>R5"):
        parse_choice("r5", menu)


def test_swaps_stand_after_the_marks_of_the_white_sum() -> None:
    game = position("x-change", ["R- Y7 G- B4 x0"], "44-1111")
    menu = make_menu(game.view(0))
    assert menu == ["-", "R8", "Y8", "G8", "8>R5", "8>R6", "8>G6", "8>G5"]


@pytest.mark.parametrize(
    ("variant", "sheet", "dice", "typed", "error"),
    [
        ("connected-b", "R- Y- G- B- x0 @A", "33-1111", "r6+y7", "R6+Y7 is written R6+Y6 here."),
        ("x-change", "R- Y- G- B- x0", "44-1111", "9>r7", "9>R7: the white sum is 8."),
        ("x-change", "R- Y- G- B- x0", "44-1111", "8>r7", "No swap field shows 8 and 7."),
        ("x-change", "R- Y- G- B- x0 >8/6", "44-1111", "8>r5", "The swap field 8/5 is left of 8/6, which is used."),
        ("double-a", "R5,6 Y- G- B- x0", "23-1111", "r5*", "R5 is not the rightmost mark of its row."),
        ("double-a", "R5* Y- G- B- x0", "23-1111", "r5*", "The second box of R5 is marked already."),
    ],
)
def test_a_wrong_pair_swap_or_box_is_explained(variant: str, sheet: str, dice: str, typed: str, error: str) -> None:
    screen, _ = play(position(variant, [sheet], dice), typed)
    assert error in screen.output


@pytest.mark.parametrize("typed", ["", "6", "99999999999999999999999", "y11"])
def test_unknown_and_ambiguous_input_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r"type|there is no|several options"):
        parse_choice(typed, ["-", "R12#", "G5", "G6", "Y11+R7", "Y11+B4"])


def test_marks_stand_in_the_order_of_the_sheet() -> None:
    game = position("classic", ["R- Y- G- B- x0"], "12-5432")
    assert make_menu(game.view(0)) == ["-", "R3", "Y3", "G3", "B3"]
    game.play(0, "-")
    assert make_menu(game.view(0)) == ["x", "R6", "R7", "Y5", "Y6", "G5", "G4", "B4", "B3"]


def test_a_wrong_mark_is_explained_and_asked_for_again() -> None:
    screen, _ = play(position("classic", ["R5 Y- G- B- x0"], "12-5432"), "r3", "hello", "", "77", "1")
    assert "R3 is left of R5." in screen.output
    assert any(text.startswith("HELLO is not a mark") for text in screen.output)
    assert "White action: Anna Y3." in screen.output


def test_nobody_is_asked_where_there_is_no_choice() -> None:
    """Declining is all that is left: the white action passes, the colour action is a misthrow."""
    game = position("classic", ["R12# Y11 G3 B3 x0".replace("R12#", "R2,3,4,5,6,12#")], "66-.666")
    screen, _ = play(game)
    assert screen.output[1:6] == [
        "Anna: nothing to mark.",
        "White action: Anna -.",
        "Anna: nothing to mark.",
        "Colour action: Anna x, a misthrow.",
        screen.output[5],
    ]


def test_a_lock_is_reported() -> None:
    game = position("classic", ["R2,3,4,5,6 Y- G- B- x0", "R- Y- G- B- x0"], "66-1234")
    screen, _ = play(game, "r12", "0")
    assert "Row R is locked: closed for everybody, the red die leaves the game." in screen.output


def test_a_question_mark_gives_a_hint_to_the_player_to_act() -> None:
    """Alone, against bots and among several people; the game goes on as if nothing had been asked."""
    for players, bots in ((1, {}), (2, {1: find_bot("random")}), (2, {})):
        screen, _ = play(position("classic", [EMPTY] * players, "12-5432"), "?", "0", bots=bots)
        assert [line.partition(":")[0] for line in screen.output if line.startswith("hints")] == ["hints Anna"]
    screen, _ = play(position("classic", [EMPTY] * 2, "12-5432"), "0", "hint", "0")
    assert [line.partition(":")[0] for line in screen.output if line.startswith("hints")] == ["hints Ben"]


def test_a_hint_without_weights_says_what_is_missing(home: Path) -> None:
    screen, _ = play(position(parse_variant(MY_VARIANT), [EMPTY] * 2, "12-3123"), "?", "0")
    assert any("no weights for tiny" in line for line in screen.output)


@pytest.mark.parametrize("width", [40, 80])
def test_hints_on_the_screen(width: int) -> None:
    """Each option with its number in the menu, the value and the reasons, in narrow terminals on lines of its own."""
    game = position("classic", [EMPTY, EMPTY], "12-5432")
    out = StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    screen = TerminalScreen(console, hints=True)
    screen.show_hints(game, hints(game, 0), make_menu(game.view(0)))
    screen.show_options(game.view(0), make_menu(game.view(0)))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert max(map(len, lines)) <= width
    assert " ".join(lines[0:2] if width == 40 else lines[0:1]).startswith("Anna: chance to win (estimated with short")
    text = " ".join(out.getvalue().split())
    assert re.search(r"1 R3 .*skips 1 cell" if width == 40 else r"1 \d+\.\d % .*R3 skips 1 cell", text)
    assert "?=hint h=help" in text


def test_help_says_what_the_options_mean() -> None:
    screen, _ = play(position("classic", ["R- Y- G- B- x0"], "12-5432"), "h", "s", "help")
    assert "  1  R3  3 in row R, gives up 2" in screen.output
    assert "sheets" in screen.output


# The white action is simultaneous


def test_nobody_sees_a_decision_before_everybody_has_decided() -> None:
    game = Game("classic", ["Anna", "Ben"], seed=1)
    game.roll("23-4455")
    bots = {1: find_bot("greedy")}
    screen, _ = play(game, "y5", bots=bots)
    assert screen.output[1] == "Anna? - R5 Y5 G5 B5"
    assert screen.output[2].startswith("White action: Anna Y5, Ben ")


def test_people_at_one_keyboard_type_white_decisions_in_secret() -> None:
    game = Game("classic", ["Anna", "Ben"], seed=1)
    game.roll("23-4455")
    screen, _ = play(game, "y5", "r5")
    assert screen.secrets == [True, True, False]
    assert screen.output[2:5] == ["Anna has decided.", "Ben? - R5 Y5 G5 B5", "White action: Anna Y5, Ben R5."]


def test_a_decision_can_be_taken_back_until_everybody_has_decided() -> None:
    game = Game("classic", ["Anna", "Ben", "Chloe"], seed=1)
    game.roll("23-4455")
    screen, _ = play(game, "y5", "r5", "u", "u", "g5", "b5", "-", "u")
    assert "White action: Anna G5, Ben B5, Chloe -." in screen.output
    assert screen.output[-2].startswith("There is nothing to take back")


def test_taking_back_passes_over_those_who_had_no_choice() -> None:
    empty, full = "R- Y- G- B- x0", "R11 Y11 G3 B3 x0"
    screen, _ = play(position("classic", [empty, full, empty], "23-4455"), "y5", "u", "r5", "0")
    assert screen.output.count("Ben: nothing to mark.") == 1
    assert "White action: Anna R5, Ben -, Chloe -." in screen.output


# Saving


def test_every_event_is_saved_and_no_white_action_is_saved_by_half() -> None:
    game = Game("longo", ["Anna", "greedy"], seed=4)
    _, saved = play(game, *["1"] * 500, bots={1: find_bot("greedy")})
    assert game.over
    assert saved[-1] == game.record()
    assert len(saved) == sum(2 + (isinstance(turn, Turn) and turn.colour is not None) for turn in game.turns)
    for text, previous in zip(saved[1:], saved, strict=False):
        assert text.startswith(previous.split("\n\n")[0][:40])
        assert parse(text).record() == text


def test_stopping_leaves_the_game_where_it_stands() -> None:
    for typed in ("q", "QUIT"):
        game = Game("classic", ["Anna", "Ben"], seed=1)
        game.roll("23-4455")
        screen, saved = play(game, "y5", typed)
        again = "The decisions of this action will be asked again."
        assert screen.output[-1] == f"Saved. {again} Go on with: rowlock play game.rlk"
        assert saved == []
        assert game.record().endswith("\n1. 23-4455\n")


def test_a_game_that_cannot_be_saved_goes_on() -> None:
    def full_disk(text: str) -> None:
        raise OSError(28, "No space left on device")

    screen = Script("0", "0")
    play_game(LocalGame(Game("classic", 1, seed=1), {}, screen, full_disk), "rowlock play game.rlk")
    assert any("No space left on device" in text for text in screen.output)
    assert "Colour action: Player 1 x, a misthrow." in screen.output
    assert screen.output[-1].startswith("The last events could not be saved.")


def test_a_game_that_was_never_saved_cannot_be_resumed() -> None:
    def full_disk(text: str) -> None:
        raise OSError(28, "No space left on device")

    screen = Script("q")
    play_game(LocalGame(Game("classic", 1, seed=1), {}, screen, full_disk, has_save=False), "rowlock play game.rlk")
    assert screen.output[-1] == "The game could not be saved and cannot be resumed."


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on the size of files")
def test_a_full_disk_leaves_no_empty_game_behind(tmp_path: Path) -> None:
    """The limit on file sizes is 0 bytes."""
    shell = f'ulimit -f 0; exec "{sys.executable}" -m rowlock play --save {tmp_path}/game.rlk'
    found = subprocess.run(
        ["sh", "-c", shell], input="q\n", capture_output=True, encoding="utf-8", env=environment(), check=False
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert "The game could not be saved" in found.stdout
    assert "Go on" not in found.stdout
    assert not list(tmp_path.iterdir())


def test_a_record_is_replaced_in_one_step(tmp_path: Path) -> None:
    file = SaveFile.create(tmp_path / "game.rlk")
    file.write("first")
    file.path.chmod(0o600)
    file.write("second")
    assert file.path.read_text() == "second"
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["game.rlk"]
    with pytest.raises(FileExistsError):
        SaveFile.create(file.path)


def test_a_link_to_a_record_stays_a_link(tmp_path: Path) -> None:
    file = SaveFile.create(tmp_path / "game.rlk")
    (tmp_path / "link.rlk").symlink_to("game.rlk")
    SaveFile(tmp_path / "link.rlk").write("new")
    assert (tmp_path / "link.rlk").is_symlink()
    assert file.path.read_text() == "new"


def test_games_of_the_same_second_get_different_file_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLOCK_HOME", str(tmp_path / "deep" / "home"))
    now = datetime(2026, 11, 15, 18, 30, tzinfo=UTC)
    names = [SaveFile.create_by_date("classic", now).path.name for _ in range(3)]
    assert names == [f"classic-2026-11-15-183000{end}.rlk" for end in ("", "-2", "-3")]


def test_the_default_data_directory_is_that_of_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROWLOCK_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_directory() == Path("/data/rowlock")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_directory() == Path.home() / ".local" / "share" / "rowlock"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_directory() == Path.home() / "Library" / "Application Support" / "rowlock"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert data_directory() == Path("/local/rowlock")


# Seats


def test_bots_get_unique_names() -> None:
    assert seat_bots(["greedy", "Anna"], ["greedy", "greedy"]) == (
        ["greedy", "Anna", "greedy 2", "greedy 3"],
        ["", "", "greedy", "greedy"],
    )


def test_a_record_says_which_seats_are_bots() -> None:
    game = Game("classic", ["Anna", "Ben", "greedy"], seed=1)
    assert bots_of(game) == {}
    game.tags["Bots"] = "; ; greedy"
    assert list(bots_of(parse(game.record()))) == [2]
    game.tags["Bots"] = "; greedy"
    with pytest.raises(BotError, match="2 seats"):
        bots_of(game)


def test_a_bot_that_breaks_the_rules_is_named() -> None:
    class Cheat(Bot):
        def decide(self, view: View, options: Sequence[str], rng: object) -> str:
            return "R12#"

    with pytest.raises(CommandError, match=r"Player 1 failed in turn 1: .*R12"):
        play(Game("classic", 1, seed=1), bots={0: Cheat()})


# Cards


HAND, OTHERS, DISPLAY, PILE = "r4 r5 r7 y5", "b2 b3 b4 b6", "g9 y9 g2 g12", "b12 y8"


def to_play(hand: str = HAND, display: str = DISPLAY, variant: str = "cards", sheet: str = EMPTY) -> Game:
    """Anna is to play; she has taken the first card of the display and marked nothing."""
    game = table(variant, [hand, OTHERS], display, PILE, [sheet])
    game.play(0, display.split()[0])
    for seat in (0, 1):
        game.play(seat, "-")
    return game


BEN = {1: find_bot("random")}


def test_cards_are_taken_by_their_numbers() -> None:
    """Of two cards with the same number either is taken: they look the same from the back."""
    game = table("cards", [HAND, OTHERS], DISPLAY, PILE)
    screen, _ = play(game, "7", "9,2", "g9", "", "9", bots=BEN)
    assert screen.output[1:8] == [
        "Anna holds r4 r5 r7 y5",
        "Anna? ?9 ?2 ?12",
        "7 is not in the display, there are 2, 9 and 12.",
        "Take one card by its number, like 9.",
        "Take one card by its number, like 9.",
        "Type a number or a mark, h for help.",
        "Taken: Anna 9; the pile shows 8.",
    ]
    assert game.hands[0] == ("r4", "r5", "r7", "y5", "g9")


def test_several_cards_are_taken_in_any_order() -> None:
    game = to_play()
    game.play(0, "r4,r5,r7 = R4 R5 R7")
    game.deal()
    game.play(1, "?2")
    for seat in (0, 1):
        game.play(seat, "-")
    game.play(1, "b6 = B6")
    game.deal()
    menu = make_menu(game.view(0))
    numbers = [str(number) for number in words.numbers_of(menu[0])]
    assert len(numbers) == 3
    for typed in (",".join(numbers), " ".join(reversed(numbers)), "?" + ", ?".join(numbers)):
        assert match_options(typed, menu) == [menu[0]]
    with pytest.raises(ValueError, match="take 3 cards by their numbers"):
        match_options(numbers[0], menu)


def test_typing_a_colour_does_not_reveal_hidden_colours() -> None:
    """A card of the display cannot be taken by its colour, whether the colour is right or wrong."""
    menu = make_menu(table("cards", [HAND, OTHERS], DISPLAY, PILE).view(0))
    messages = set()
    for typed in ("g12", "r12", "hello"):
        with pytest.raises(ValueError, match="take one card") as wrong:
            match_options(typed, menu)
        messages.add(str(wrong.value))
    assert messages == {"take one card by its number, like 9"}


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        (["1"], "r4,r5,r7 = R4 R5 R7"),
        (["r4,r5,r7", "1"], "r4,r5,r7 = R4 R5 R7"),
        (["r7 r5", "r7 r5"], "r5,r7 = R5 R7"),
        (["R4, R5", "R5"], "r4,r5 = R5"),
        (["r4,r5", "0"], "r4,r5 = x"),
        (["r7,r5=r5 r7"], "r5,r7 = R5 R7"),
        (["y5 = x"], "y5 = x"),
        (["y5", "u", "r4", "1"], "r4 = R4"),
    ],
)
def test_cards_are_played_by_name_and_their_marks_chosen(typed: list[str], played: str) -> None:
    screen, _ = play(to_play(), *typed, bots=BEN)
    cards, _, marks = played.partition(" = ")
    assert f"Played: Anna {cards}: {'x, a misthrow' if marks == 'x' else marks}." in screen.output


def test_plays_with_most_marks_are_offered_first() -> None:
    screen, _ = play(to_play("r4 r6 r11 y5"), "r4,r6,r11", bots=BEN)
    assert screen.output[2] == "Anna? r4,r6 = R4 R6 r4 = R4 r6 = R6 r11 = R11 y5 = Y5 g9 = G9"
    assert screen.output[3] == "Anna? " + " ".join(
        f"r4,r6,r11 = {marks}" for marks in ("x", "R4 R6", "R4", "R6", "R11")
    )


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("b3", "b3 is not in the hand."),
        ("r4,y5", "r4,y5 are of 2 colours, cards played together are of one."),
        ("r4,r4", "r4 is played twice."),
        ("r4,r11 = R4 R11", "R4 R11 leaves out 6 numbers in between, 1 may be left out."),
        ("r4 = r5", "R5 is a red 5, no card played is one."),
        ("r4 = -", "No mark was made: write x."),
        ("hello", "Hello is no play; cards are played like g9 = G9, g9 = x, r11 = R11."),
        ("= r4", "= r4 is no play; cards are played like g9 = G9, g9 = x, r11 = R11."),
        ("0", "There is no option 0; options are numbered from 1 to 6."),
        ("٣٣", "There is no option ٣٣; options are numbered from 1 to 6."),
        ("9" * 5000, f"There is no option {'9' * 20}; options are numbered from 1 to 6."),
        ("", "Type a number or a mark, h for help."),
    ],
)
def test_a_wrong_play_is_explained(typed: str, message: str) -> None:
    screen, _ = play(to_play("r4 r5 r11 y5"), typed, bots=BEN)
    assert screen.output[3] == message


def test_playing_without_a_mark_by_mistake_gives_a_warning() -> None:
    """An avoidable misthrow needs to be typed in full; an unavoidable one does not."""
    game = to_play()
    game.play(0, "r7 = R7")
    game.deal()
    game.play(1, "?2")
    for seat in (0, 1):
        game.play(seat, "-")
    game.play(1, "b6 = B6")
    game.deal()
    screen, _ = play(game, "12", "0", "r4", "r4 = x", bots=BEN)
    warning = "That marks nothing and is a misthrow. To play it anyway, type r4 = x."
    assert screen.output[screen.output.index(warning) + 1] == "Played: Anna r4: x, a misthrow."
    full = to_play("y3 y4 y6 y5", "y2 g9 g2 g12", sheet="R- Y11 G- B- x0")
    screen, _ = play(full, "h", "2", bots=BEN)
    assert screen.output[2] == "Anna? y2 = x y3 = x y4 = x y5 = x y6 = x"
    assert "Played: Anna y3: x, a misthrow." in screen.output


def test_cards_without_a_mark_may_be_played_once_one_was_made() -> None:
    game = table("cards", [HAND, OTHERS], DISPLAY, PILE)
    screen, _ = play(game, "9", "y8", "y5", bots=BEN)
    assert "Played: Anna y5: no mark." in screen.output


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        (["j7", "g7"], "j7g: G7"),
        (["j7", "0"], "j7b: x, a misthrow"),
        (["j7b", "1"], "j7b: B7"),
        (["j7 = y7"], "j7y: Y7"),
        (["j7y = Y7"], "j7y: Y7"),
        (["j7g = x"], "j7g: x, a misthrow"),
        (["j7,r5", "1"], "r5,j7r: R5 R7"),
        (["r5,j7g", "j7b = g7", "r5,j7 = r7"], "r5,j7r: R7"),
    ],
)
def test_a_joker_takes_the_colour_of_what_it_marks(typed: list[str], played: str) -> None:
    screen, _ = play(to_play("r4 r5 j7 y5", variant="cards+jokers"), *typed, bots=BEN)
    assert f"Played: Anna {played}." in screen.output


def test_a_card_marks_in_whichever_row_its_cell_stands() -> None:
    screen, _ = play(to_play("r3 r8 y5 y6", variant="cards-mixx-a"), "h", "r3,r8", "1", bots=BEN)
    assert "  1  r3,r8 = Y3 B8  3 in row Y, gives up 2, 8 in row B, gives up 12, 11, 10 and 9" in screen.output
    assert "Played: Anna r3,r8: Y3 B8." in screen.output


def test_help_of_a_card_game_says_what_plays_mean() -> None:
    screen, _ = play(to_play(), "h", bots=BEN)
    assert "  1  r4,r5,r7 = R4 R5 R7  4, 5 and 7 in row R, gives up 2, 3 and 6" in screen.output
    assert any("no more than one number may be left out" in text for text in screen.output)
    assert not any("joker" in text for text in screen.output)


@pytest.mark.parametrize("variant", ["cards", "cards-mixx-a+jokers"])
def test_every_option_with_cards_can_be_typed(variant: str) -> None:
    """A law over a whole game: takes by their numbers; plays as they are written, or cards first, then marks."""
    game, bot = Game(variant, 2, seed=3), find_bot("random")
    LocalGame(game, {0: bot, 1: bot}, Script(), lambda text: None).play()
    for moment in list(game.moments())[::3]:
        view = moment.view(moment.to_act[0])
        menu = make_menu(view)
        for option in view.options:
            if view.phase == "take":
                (found,) = match_options(",".join(map(str, words.numbers_of(option))), menu)
                assert words.numbers_of(found) == words.numbers_of(option)
            elif view.phase == "play":
                assert match_options(option, menu) == [option]
                cards, _, marks = option.partition(" = ")
                if words.cells_of(option):
                    assert match_options(marks, match_options(cards, menu)) == [option]
        assert len(numbered(menu)) <= 9 or view.phase == "white"


# Hands are private


def test_people_at_one_screen_see_only_their_own_cards() -> None:
    game = table("cards", [HAND, OTHERS], DISPLAY, PILE)
    screen, _ = play(game, "", "9", "y8", "", "0", "", "r4", "1")
    assert [(name, lines[0]) for name, lines in screen.hidden] == [
        ("Anna", "Anna holds r4 r5 r7 y5"),
        ("Anna", "Anna holds r4 r5 r7 y5 g9"),
        ("Ben", "Ben holds b2 b3 b4 b6"),
        ("Anna", "Anna holds r4 r5 r7 y5 g9"),
    ]
    assert screen.output[:4] == [
        "turn 1 None",
        "Taken: Anna 9; the pile shows 8.",
        "Anna has decided.",
        "Number 8: Anna Y8, Ben -.",
    ]
    assert screen.output[4] == "Played: Anna r4: R4."


def test_each_player_is_asked_once_per_turn_to_look_at_their_cards() -> None:
    """Also the player who was the last to look in the turn before."""
    game = table("cards", [HAND, OTHERS, "g3 g4 g5 g6"], DISPLAY, f"{PILE} r9")
    typed = ["", "9", "y8", "", "0", "", "r4", "1", "", "0", ""]
    screen, _ = play(game, *typed, bots={1: find_bot("random")})
    asked = [name for name, _ in screen.hidden]
    assert asked == ["Anna", "Anna", "Chloe", "Anna", "Anna", "Chloe"]


def test_a_player_may_stop_before_seeing_their_cards() -> None:
    screen, _ = play(table("cards", [HAND, OTHERS], DISPLAY, PILE), "q")
    assert screen.hidden == []
    assert screen.output[-1].startswith("Saved.")


def test_a_decision_about_the_announced_number_can_be_taken_back() -> None:
    game = table("cards", [HAND, OTHERS], DISPLAY, PILE)
    screen, _ = play(game, "", "9", "y8", "", "u", "", "g8", "", "0")
    assert "Number 8: Anna G8, Ben -." in screen.output


@pytest.mark.parametrize("variant", ["cards+jokers", "cards-mixx-b"])
def test_the_log_reveals_no_hidden_colour(variant: str) -> None:
    """Over whole games: cards are named with their colour where they are played, and nowhere else."""
    for seed in range(5):
        game, bot = Game(variant, 3, seed=seed), find_bot("greedy")
        screen = Script()
        LocalGame(game, dict.fromkeys(range(3), bot), screen, lambda text: None).play()
        named = [text for text in screen.output if re.search(r"\b[rygbj][0-9]", text)]
        assert named
        assert all(text.startswith("Played: ") for text in named)


def test_a_row_closes_for_one_player() -> None:
    game = to_play("r11 r12 y3 y4", sheet="R2,3,4,5 Y- G- B- x0")
    screen, _ = play(game, "r11,r12", "1", bots=BEN)
    assert "Row R is locked: closed for Anna alone." in screen.output


def test_every_event_of_a_card_game_is_saved_and_can_be_resumed() -> None:
    """Also where the pile is renewed in the middle of a turn."""
    game = Game("cards", 4, seed=1)
    _, saved = play(game, bots=dict.fromkeys(range(4), find_bot("greedy")))
    assert game.over
    assert saved[-1] == game.record()
    assert any(" ~" in line for line in saved[-1].splitlines())
    for text in saved:
        assert parse(text).record() == text
    for text in saved[:: len(saved) // 4]:
        again = parse(text)
        play(again, bots=dict.fromkeys(range(4), find_bot("greedy")))
        assert again.over
        assert again.record().startswith(text.split("Result")[0])


@pytest.mark.parametrize(
    ("end", "standing"),
    [
        ("", "not over, Anna is to take cards in turn 1"),
        ("9 8:", "not over, everybody may mark the 8 of turn 1 (Anna)"),
        ("9 8: - -", "not over, Anna is to play cards in turn 1"),
        ("9 8: - - / r4 = R4", "not over, Ben is to begin turn 2"),
    ],
)
def test_status_of_an_unfinished_card_game(end: str, standing: str) -> None:
    header = table("cards", [HAND, OTHERS], DISPLAY, PILE).record().split("\n\n")[0]
    game = parse(f"{header}\n\n1. {end.replace('9 8', 'g9 8')}\n")
    assert words.game_status(game) == standing


def test_status_names_the_player_who_ended_a_card_game() -> None:
    game = to_play("r11 r12 y3 y4", sheet="R2,3,4,5 Y- G- B8,7,6,5,4,2# x0")
    game.play(0, "r11,r12 = R11 R12#")
    assert words.game_status(game) == "over, rows R and B are closed for Anna"


# Words


@pytest.mark.parametrize(
    ("variant", "sheet", "dice", "white", "option", "meaning"),
    [
        ("classic", "R5 Y- G- B- x0", "33-1111", None, "-", "no mark"),
        ("classic", "R5 Y- G- B- x0", "33-1111", None, "R6", "6 in row R"),
        ("classic", "R5 Y- G- B- x0", "33-1111", None, "Y6", "6 in row Y, gives up 2, 3, 4 and 5"),
        (
            "classic",
            "R2,3,4,5,6 Y- G- B- x0",
            "66-1111",
            None,
            "R12#",
            "12 in row R, gives up 7, 8, 9, 10 and 11, locks row R",
        ),
        ("classic", "R2 Y2 G- B- x0", "41-1155", "-", "x", "no mark in your own turn: a misthrow, 5 points off"),
        ("classic", "R2 Y2 G- B- x0", "41-1266", "-", "Y3", "3 in row Y, white 1 + yellow 2"),
        ("mixx-a", "R- Y- G- B- x0", "41-1266", "-", "R7", "7 in row R, white 1 + blue 6, gives up 2, 3, 4, 5 and 6"),
        (
            "longo",
            "R2 Y2 G- B16 x0 !5/8",
            "44-1111",
            None,
            "!G16",
            "luck: the next cell of row G, one with your fewest marks",
        ),
        ("bonus-a", "R4 Y- G12 B- x0 +0", "56-1111", None, "G11+R5", "11 in row G, its bonus marks R5 at once"),
        (
            "big-points",
            "R6 Y- G- B- RY- GB- x0",
            "45-2222",
            "-",
            "RY6",
            "6 in the bonus fields between R and Y, white 4 + red 2, gives up 2, 3, 4 and 5",
        ),
        ("connected-a", "R6 Y- G- B- x0 @A", "34-1111", None, "R7", "7 in row R, a step"),
        (
            "connected-b",
            "R4,5 Y4 G- B- x0 @A",
            "33-1111",
            None,
            "R6+Y6",
            "6 in row R, marks Y6 too, which is joined to it, gives up 5",
        ),
        ("connected-b", "R- Y9 G- B- x0 @A", "12-1135", "-", "R2", "2 in row R, white 1 + red 1"),
        (
            "x-change",
            "R- Y4 G- B- x0",
            "44-1111",
            None,
            "8>Y5",
            "swaps 8 for 5 (field 8/5): 5 in row Y",
        ),
        (
            "x-change",
            "R- Y4 G- B- x0",
            "33-1111",
            None,
            "6>G8",
            "swaps 6 for 8 (field 8/6): 8 in row G, gives up 12, 11, 10 and 9, "
            "gives up the swap fields 8/5, 9/7, 11/3, 7/4 and 10/3",
        ),
        ("double-a", "R5 Y- G- B- x0", "23-1111", None, "R5*", "the second box of 5 in row R"),
        ("double-a", "R5 Y- G- B- x0", "23-3111", "-", "R5*", "the second box of 5 in row R, white 2 + red 3"),
        ("double-a", "R5 Y- G- B- x0", "33-1111", None, "R6", "6 in row R, gives up the second box of 5"),
        ("double-a", "R5* Y- G- B- x0", "33-1111", None, "R6", "6 in row R"),
    ],
)
def test_what_an_option_means(
    variant: str, sheet: str, dice: str, white: str | None, option: str, meaning: str
) -> None:
    game = position(variant, [sheet], dice, [white] if white else None)
    assert option in game.options(0)
    assert words.describe_option(game.view(0), option) == meaning


@pytest.mark.parametrize("variant", variant_ids())
def test_every_option_can_be_explained(variant: str) -> None:
    """A law over a whole game of random decisions."""
    game, bot = Game(variant, 2, seed=8), find_bot("random")
    table = LocalGame(game, {0: bot, 1: bot}, Script(), lambda text: None)
    table.play()
    for moment in game.moments():
        for seat in moment.to_act:
            view = moment.view(seat)
            assert all(words.describe_option(view, option) for option in view.options)


def test_the_rules_of_a_variant_are_made_from_its_data() -> None:
    said = {variant: dict(words.rule_texts(find_setup(variant))) for variant in variant_ids()}
    assert "Each of the last 2 cells" in said["longo"]["Closing a row"]
    assert "5/8, 5/10" in said["longo"]["Lucky numbers"]
    assert "Mixed colours" in said["mixx-a"]
    assert "an order of their own" in said["mixx-b"]["From left to right"]
    assert "The bonus boxes: R3, R6, R9" in said["bonus-a"]["The bonus bar"]
    assert "R6 and B4: 13 points at the end." in said["bonus-b"]["Pairs of bonus boxes"]
    assert "More than 15 marks do not count." in said["big-points"]["Points"]
    assert "the sheets A, B, C, D and E" in said["connected-a"]["Different sheets"]
    assert "as a fifth row" in said["connected-a"]["Steps"]
    assert "also when its row is closed" in said["connected-b"]["The chain"]
    assert "The fields: 8/5, 9/7, 11/3, 7/4, 10/3, 8/6, 10/5, 11/9, 6/4." in said["x-change"]["Swap fields"]
    assert "Once you mark a number further right" in said["double-a"]["Second boxes"]
    assert "7 or more marks" in said["double-a"]["Closing a row"]
    assert "More than 16 marks do not count." in said["double-a"]["Points"]
    assert set(said["classic"]) == {"The dice", "A turn", "From left to right", "Closing a row", "The end", "Points"}
    assert said["classic"]["A turn"].startswith("The active player rolls every die")
    assert "in the row of that colour" in said["classic"]["A turn"]
    assert "in whichever row it stands" in said["mixx-a"]["A turn"]


def test_the_rules_of_a_users_variant_are_made_from_its_data() -> None:
    text = (
        MY_VARIANT.replace("needed = 1", "needed = 0").replace("closing = 1", "closing = 3").replace("B = 3", "B = 9")
    )
    said = dict(words.rule_texts(Setup(parse_variant(text))))
    assert said["Closing a row"].startswith("Each of the last 3 cells of a row may be marked at any time;")
    assert "blue (1 to 9)" in said["The dice"]


def test_every_effect_has_its_rule() -> None:
    assert set(words.EFFECT_RULES) == {name for effect in EFFECTS for name in effect.names}
    assert set(words.EFFECT_HELP) | words.BONUS_EFFECTS <= set(words.EFFECT_RULES)
    assert set(draw.EFFECT_SIGNS) | set(draw.EFFECT_LINES) <= set(words.EFFECT_RULES)


def test_the_rules_say_what_a_variant_changes_of_the_end_and_the_points() -> None:
    text = MY_VARIANT.replace("needed = 1", "needed = { R = 1, Y = 0, G = 2, B = 1 }").replace(
        "closing = 1", "closing = 1\nmisthrow_cost = 1\nmisthrows_to_end = 3\nrows_to_end = 1\npoints = [2, 4, 9]"
    )
    setup = Setup(parse_variant(text.replace("cap = 5", "cap = 3")))
    said = dict(words.rule_texts(setup))
    assert "before one of its closing cells may be marked: R 1, Y 0, G 2, B 1." in said["Closing a row"]
    assert said["The end"] == "The game ends at once when 1 row is closed, or when a player has 3 misthrows."
    assert said["Points"] == "More than 3 marks do not count. Every misthrow costs 1. Equal totals share the win."
    assert "costs 1 point." in said["A turn"]
    shown = drawn(draw.variant_sheet(setup, PLAIN))
    assert "misthrows ☐☐☐  1 point off each" in shown
    assert "Points      2   4   9" in shown


def test_the_terminal_uses_the_language_of_its_environment(tmp_path: Path) -> None:
    assert rowlock("variants", LANG="de_DE.UTF-8").stdout.split()[1] == "Klassisch"
    found = rowlock("play", "--save", tmp_path / "game.rlk", stdin="h\n", LANGUAGE="nl", PYTHONIOENCODING="utf-8")
    assert "Beurt 1: Speler" in found.stdout
    assert "Typ een nummer of een kruisje." in found.stdout
    chosen = rowlock("--language", "de", "show", "longo", LANGUAGE="nl", PYTHONIOENCODING="utf-8")
    assert "Glückszahlen" in chosen.stdout
    unknown = rowlock("--language", "tlh", "variants")
    assert (unknown.returncode, unknown.stderr) == (
        2,
        "rowlock: unknown language 'tlh'; the languages are en, de, nl\n",
    )


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": "nl_BE"}, "nl"),
        ({"LANG": "de_AT.UTF-8", "LANGUAGE": "fr:nl"}, "nl"),
        ({"LANG": "den"}, "en"),
    ],
)
def test_language_of_an_environment(environment: dict[str, str], language: str) -> None:
    assert detect_language(environment) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_can_be_played_in_every_language(language: str, change_language: Callable[[str], None]) -> None:
    change_language(language)
    for variant in variant_ids():
        assert all(heading and sentence for heading, sentence in words.rule_texts(find_setup(variant)))
    for variant in ("bonus-b", "cards+jokers"):
        game = Game(variant, ["Anna", "Ben"], seed=4)
        screen, _ = play(game, *["h", *map(str, range(1, 13))] * 500, bots={1: find_bot("greedy")})
        assert game.over
        assert not [text for text in screen.output if "{" in text or "terminal." in text]


# Drawing


def drawn(*lines: object, terminal: draw.Terminal = PLAIN) -> str:
    out = StringIO()
    Console(
        file=out, width=100, force_terminal=terminal.colour, color_system="truecolor" if terminal.colour else None
    ).print(*lines)
    return out.getvalue()


def rows_of(variant: str, sheet: str, legal: Sequence[str] = (), terminal: draw.Terminal = PLAIN) -> list[str]:
    return [line.plain for line in draw.sheet_lines(Sheet.parse(sheet, variant), terminal, legal=legal)]


def test_a_sheet_shows_what_is_marked_lost_and_legal() -> None:
    red, yellow, green, blue = rows_of("classic", "R3,5 Y2,3,4,5,6,12# G- B- x0", ["R7", "G12"])
    assert red == " R   ·   X   ·   X   6  ▸7   8   9  10  11 │ 12  #    3"
    assert yellow == " Y   X   X   X   X   X   ·   ·   ·   ·   · │  X  X   28"
    assert green == " G ▸12  11  10   9   8   7   6   5   4   3 │  2  #    0"
    assert blue == " B  12  11  10   9   8   7   6   5   4   3 │  2  #    0"


def test_a_row_that_others_have_closed() -> None:
    game = position("classic", ["R2,3,4,5,6,12# Y- G- B- x0", "R4 Y- G- B- x0"])
    line = draw.sheet_lines(game.sheets[1], PLAIN)[0].plain
    assert line == " R   ·   ·   X   ·   ·   ·   ·   ·   ·   · │  ·  ·    1"


def test_a_bonus_bar_shows_what_is_used_up() -> None:
    *_, bar = rows_of("bonus-a", "R2,3,4,5,6,12# Y- G- B- x0 +2")
    assert bar == " +   X   X   G   B   G   ·   B   Y   ·   Y   B   G "


def test_pairs_and_bonus_fields() -> None:
    lines = rows_of("bonus-b", "R- Y11 G9 B- x0")
    assert "X○" in lines[1]
    assert "○ Y11 G9 ✓" in lines[-1]
    lines = rows_of("big-points", "R5,6 Y- G- B- RY5 GB- x0", ["RY6"])
    assert lines[1].startswith("RY ( ·)( ·)( ·)( X) ▸6)( 7)")


def test_steps_are_shown_with_their_points() -> None:
    lines = rows_of("connected-a", "R7 Y2 G11 B9 x0 @A", ["G9"])
    assert lines[0].startswith(" R   ·   ·   ·   ·   ·   X◣  8 ")
    assert lines[2].startswith(" G   ·   X◣ 10  ▸9◣  8   7 ")
    assert lines[4] == " ◣  3 of 11 steps, 6 points"
    ascii_only = rows_of("connected-a", "R7 Y2 G11 B9 x0 @A", [], draw.Terminal(colour=False, unicode=False))
    assert ascii_only[0].startswith(" R   .   .   .   .   .   X/  8 ")
    assert ascii_only[4] == " /  3 of 11 steps, 6 points"


def test_joined_cells_have_the_same_letter() -> None:
    """A joined mark may stand left of others."""
    lines = rows_of("connected-b", "R6 Y6,7 G- B- x0 @A")
    assert lines[0] == " R   ·   ·   ·   ·   Xa  7   8   9  10  11b│ 12  #    1"
    assert lines[1] == " Y   ·   ·c  ·   ·   Xa  X   8d  9  10  11b│ 12  #    3"
    assert lines[4] == "    a R6 Y6 ✓  b R11 Y11  c Y3 G11  d Y8 G6  e G9 B9  f G4 B4"
    assert "a R4 Y4" in rows_of("connected-b", "R- Y- G- B- x0 @B")[4]


def test_swap_fields_are_shown_as_used_lost_and_legal() -> None:
    game = position("x-change", ["R3,7 Y- G- B- x0 >9/7,7/4"], "44-1111")
    lines = drawn(draw.sheets(game.view(0), PLAIN, brief=False)).splitlines()
    assert lines[-1].rstrip() == " >    ·    X    ·     X   10/3 ▸8/6  10/5  11/9  6/4"
    assert "▸6" in lines[2]
    ascii_only = rows_of("x-change", "R3,7 Y- G- B- x0 >9/7,7/4", ["8/6"], draw.Terminal(False, False))
    assert ascii_only[-1] == " >    .    X    .     X   10/3 >8/6  10/5  11/9  6/4"


def test_second_boxes_are_shown_as_free_and_marked() -> None:
    lines = rows_of("double-a", "R2*,5 Y3,4* G- B- x0", ["R5", "Y7"])
    assert lines[0] == " R   X■  ·   · ▸5□  6   7   8   9  10  11 │ 12  #    6".replace("· ▸5", "·  ▸5")
    assert lines[1] == " Y   ·   X   X■  5   6  ▸7   8   9  10  11 │ 12  #    6"
    ascii_only = rows_of("double-a", "R2*,5 Y- G- B- x0", [], draw.Terminal(False, False))
    assert ascii_only[0].startswith(" R   X*  .   .   Xo  6 ")
    closed = position("double-a", ["R2,3,4,5,6,7,8,12# Y- G- B- x0", "R2 Y- G- B- x0"])
    assert draw.sheet_lines(closed.sheets[1], PLAIN)[0].plain.startswith(" R   X   ·   · ")


def test_effects_together() -> None:
    """Signs stand side by side; a kind of sheet without joined cells has no line for them."""
    variant = parse_variant(BRIDGE)
    game = Game(variant, ["Anna", "Ben"], sheets="BA")
    first, second = (draw.sheet_lines(sheet, PLAIN) for sheet in game.sheets)
    assert first[0].plain == " R   2 a   3     4     5     6     7     8◣    9    10    11   │ 12    #    0"
    assert [len(first), len(second)] == [8, 7]
    assert first[-1].plain == second[-1].plain == "    second box: □ open, ■ marked"
    for moment in played(game).moments():
        for seat in moment.to_act:
            view = moment.view(seat)
            menu = make_menu(view)
            assert all(words.describe_option(view, option) for option in menu)
            assert [parse_choice(option.lower(), menu) for option in menu] == menu


def played(game: Game) -> Game:
    """The game after random decisions to its end."""
    bots = dict.fromkeys(range(len(game.players)), find_bot("random"))
    LocalGame(game, bots, Script(), lambda text: None).play()
    return game


def test_the_letter_of_a_sheet_is_shown() -> None:
    game = Game("connected-b", ["Anna", "Ben"], sheets="DB")
    assert "Ben   sheet B   misthrows" in draw.sheet_title("Ben", game.sheets[1], PLAIN)[0].plain
    assert "@D" in draw.sheet_summary("Anna", game.sheets[0], PLAIN, 4)[0].plain
    shown = drawn(draw.variant_sheet(find_setup("connected-b"), PLAIN))
    assert re.findall("^Sheet (.)", shown, re.MULTILINE) == list("ABCDE")


def test_the_points_of_steps_are_a_column_of_the_scores() -> None:
    sheets = [Sheet.parse("R7 Y2 G11 B9 x0 @A", "connected-a")]
    assert ("Steps", [6]) in words.score_columns(sheets[0].variant, sheets)


@cache
def moments_of_a_game(variant: str, *players: str) -> list[Game]:
    """All moments of a random game; nobody may change them."""
    game, bot = Game(variant, players, seed=8), find_bot("random")
    LocalGame(game, dict.fromkeys(range(len(players)), bot), Script(), lambda text: None).play()
    return list(game.moments())


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("variant", variant_ids())
def test_every_position_can_be_drawn(variant: str, colour: bool, unicode: bool) -> None:
    terminal = draw.Terminal(colour, unicode)
    for moment in moments_of_a_game(variant, "Anna", "Ben", "Chloe")[:: 40 if QUICK else 5]:
        for brief in (True, False):
            seen = moment.view()
            text = drawn(
                draw.cards_on_table(seen, terminal) if seen.cards else draw.dice(seen, terminal, tall=brief),
                draw.sheets(moment.view(moment.to_act[0]), terminal, brief=brief),
                draw.scores(moment.players, moment.sheets, terminal),
                terminal=terminal,
            )
            assert terminal.unicode or text.isascii() or terminal.colour


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("variant", [*variant_ids(), "cards+jokers"])
def test_everything_fits_into_40_columns(variant: str, colour: bool) -> None:
    terminal, setup = draw.Terminal(colour, unicode=True, width=40), find_setup(variant)
    shown: list[RenderableType] = [draw.variant_sheet(setup, terminal), draw.variant_list([setup.variant], 40)]
    for moment in moments_of_a_game(variant, "Anna", "Ben with a long name")[:: 20 if QUICK else 5]:
        seen = moment.view(moment.to_act[0])
        shown.append(draw.dice(seen, terminal, tall=True) if seen.dice else draw.cards_on_table(seen, terminal))
        shown += [draw.sheets(seen, terminal, brief=brief) for brief in (True, False)]
        shown += [draw.hand(seen, terminal)] if seen.cards else []
        shown.append(draw.scores(moment.players, moment.sheets, terminal))
    out = StringIO()
    Console(file=out, width=40).print(*shown, crop=False)
    assert max(len(line.rstrip()) for line in out.getvalue().splitlines()) <= 40


def test_a_row_is_compact_in_a_narrow_terminal() -> None:
    narrow = draw.Terminal(colour=False, unicode=True, width=40)
    red, yellow, *_ = rows_of("classic", "R3,5 Y2,3,4,5,6,12# G- B- x0", ["R7", "G12"], narrow)
    assert red == "R   ·  X  ·  X  6 ▸7  8  9 10 11│ 12#  3"
    assert yellow == "Y   X  X  X  X  X  ·  ·  ·  ·  ·│  XX 28"


def test_effects_in_a_narrow_terminal() -> None:
    narrow = draw.Terminal(colour=False, unicode=True, width=40)
    lines = rows_of("double-a", "R2*,5 Y- G- B- x0", ["R6"], narrow)
    assert lines[:2] == ["R   X■  ·   ·   X□ ▸6   7 ", "    8   9  10  11 │ 12 #  6"]
    *_, fields, more_fields = rows_of("x-change", "R3,7 Y- G- B- x0 >9/7,7/4", ["8/6"], narrow)
    assert fields == " >    ·    X    ·     X   10/3 ▸8/6"
    assert more_fields == "    10/5  11/9  6/4"


def test_a_row_that_is_too_long_breaks_between_cells() -> None:
    narrow = draw.Terminal(colour=False, unicode=True, width=40)
    lines = rows_of("longo", "R3,5 Y- G- B- x0", ["R7"], narrow)
    assert lines[0] == "R   ·  X  ·  X  6 ▸7  8  9"
    assert lines[1] == "   10 11 12 13 14│ 15 16#  3"


def test_cards_on_the_table_and_in_the_hand() -> None:
    game = to_play("r4 r5 j7 y5", variant="cards+jokers")
    game.play(0, "r4,r5 = R4 R5")
    game.deal()
    lines = drawn(draw.cards_on_table(game.view(0), PLAIN), draw.hand(game.view(0), PLAIN)).splitlines()
    assert [line.rstrip() for line in lines] == [
        "display  [12] [9] [2] [12]    pile  [8]  42 cards",
        "discards  r4,5",
        "Ben  [2] [3] [4] [6]",
        "your hand  y5 g9 j7",
    ]
    coloured = drawn(draw.hand(game.view(0), draw.Terminal(True, True)), terminal=draw.Terminal(True, True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).split() == ["your", "hand", "y5", "g9", "j7"]


@pytest.mark.parametrize("width", [80, 200])
def test_lines_do_not_break_within_an_option(width: int) -> None:
    out = StringIO()
    view = to_play("r4 r5 r7 r8", "r9 g9 g2 g12").view(0)
    TerminalScreen(Console(file=out, width=width, height=24)).show_options(view, make_menu(view))
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= width
    assert all(f"{number} {option}" in text for number, option in numbered(make_menu(view)))
    assert len(numbered(make_menu(view))) == 9


def test_lucky_numbers_are_shown_on_the_sheet() -> None:
    sheet = Game("longo", 2, seed=1).sheets[1]
    assert "lucky 5/10" in draw.sheet_title("Ben", sheet, PLAIN)[0].plain


# Whole games, as processes


def test_a_game_to_its_end_with_a_seed(tmp_path: Path) -> None:
    games = []
    for name in ("one.rlk", "two.rlk"):
        found = command.run("play", "bonus-b", "--seed", "3", "--save", tmp_path / name, stdin="1\n" * 200)
        assert (found.returncode, found.stderr) == (0, "")
        assert "Winner" in found.stdout
        games.append((tmp_path / name).read_text())
    assert games[0] == games[1]
    assert '[Players "Player; greedy"]\n' in games[0]
    assert '[Bots "; greedy"]\n' in games[0]
    again = command.run("play", tmp_path / "one.rlk")
    assert (again.returncode, again.stderr) == (0, "")
    assert "Winner" in again.stdout


def test_sheets_are_chosen_by_their_letters(tmp_path: Path) -> None:
    """Their letters stand in turn order, those of bots after those of people, and are kept in the record."""
    path = tmp_path / "game.rlk"
    found = rowlock(
        "play", "connected-b", "--players", "Anna,Ben", "--bots", "greedy", "--sheets", "c, A,C", "--save", path
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert '[Sheets "C; A; C"]' in path.read_text()
    resumed = rowlock("play", path)
    assert resumed.returncode == 0
    assert "Anna   sheet C" in resumed.stdout
    assert rowlock("play", path, "--sheets", "A,A,A").stderr == (
        f"rowlock: --players, --bots and --sheets are for new games; {path} already has its players\n"
    )


@pytest.mark.parametrize(
    ("variant", "sheets", "error"),
    [
        ("connected-a", "A", "each of the 2 players needs the letter of a sheet, there are 1"),
        ("connected-a", "A,F", "connected-a has the sheets A, B, C, D, E, not 'F'"),
        ("connected-a", "A,", "connected-a has the sheets A, B, C, D, E, not ''"),
        ("classic", "A,B", "classic has one kind of sheet only"),
    ],
)
def test_wrong_letters_of_sheets(variant: str, sheets: str, error: str) -> None:
    found = rowlock("play", variant, "--sheets", sheets)
    assert (found.returncode, found.stdout, found.stderr) == (2, "", f"rowlock: {error}\n")


def test_end_of_input_loses_nothing(tmp_path: Path) -> None:
    """Dice depend only on the seed and the turn, so a resumed game continues as it would have without a stop."""
    whole, pieces = tmp_path / "whole.rlk", tmp_path / "pieces.rlk"
    command.run("play", "longo", "--seed", "5", "--save", whole, stdin="1\n" * 500)
    found = command.run("play", "longo", "--seed", "5", "--save", pieces, stdin="1\n1\n1\n")
    assert found.stdout.splitlines()[-1] == f"Saved. Go on with: rowlock play {pieces}"
    while '[Result "*"]' in pieces.read_text():
        found = command.run("play", pieces, "--seed", "5", stdin="1\n" * 40)
        assert (found.returncode, found.stderr) == (0, "")
    assert pieces.read_text() == whole.read_text()


def test_a_resumed_game_rolls_new_dice(tmp_path: Path) -> None:
    start = tmp_path / "start.rlk"
    command.run("play", "--players", "Anna,Ben", "--seed", "5", "--save", start, stdin="")
    copies = [record(tmp_path, start.read_text(), f"{number}.rlk") for number in range(2)]
    for copy in copies:
        command.run("play", copy, stdin="0\n" * 200)
    assert copies[0].read_text() != copies[1].read_text()


class Player(Script):
    """A screen on which valid options are typed; it records them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def show_options(self, view: View, menu: Sequence[str]) -> None:
        self.menu = menu

    def read_line(self, prompt: str, *, secret: bool) -> str:
        numbers = words.numbers_of(self.menu[0])
        self.lines.append(",".join(map(str, numbers)) if self.menu[0].startswith("?") else "1")
        return self.lines[-1]


def test_a_card_game_to_its_end_with_a_seed_and_in_pieces(tmp_path: Path) -> None:
    """The deck depends only on the seed, a new pile on the seed and the turn, so a resumed game continues unchanged."""
    person = Player()
    game = Game("cards-mixx-a+jokers", ["You", "greedy"], seed=5)
    LocalGame(game, {1: find_bot("greedy")}, person, lambda text: None).play()
    whole, pieces = tmp_path / "whole.rlk", tmp_path / "pieces.rlk"
    typed = "\n".join(person.lines) + "\n"
    found = command.run("play", "cards-mixx-a+jokers", "--seed", "5", "--save", whole, stdin=typed)
    assert (found.returncode, found.stderr) == (0, "")
    assert "Winner" in found.stdout
    turns = game.record().split("\n\n")[1]
    assert whole.read_text().split("\n\n")[1] == turns
    command.run(
        "play", "cards-mixx-a+jokers", "--seed", "5", "--save", pieces, stdin="\n".join(person.lines[:7]) + "\n"
    )
    assert '[Jokers "yes"]' in pieces.read_text()
    found = command.run("play", pieces, "--seed", "5", stdin="\n".join(person.lines[7:]) + "\n")
    assert (found.returncode, found.stderr) == (0, "")
    assert pieces.read_text().split("\n\n")[1] == turns


def test_without_a_name_a_game_is_saved_in_the_data_directory(tmp_path: Path) -> None:
    found = rowlock("play", ROWLOCK_HOME=str(tmp_path / "home"))
    (saved,) = (tmp_path / "home" / "games").iterdir()
    assert found.stdout.splitlines()[-1] == f"Saved. Go on with: rowlock play {saved}"
    assert re.fullmatch(r"classic-[0-9-]+\.rlk", saved.name)
    assert not (tmp_path / "home" / "cache").exists()  # nothing was compiled


def test_a_data_directory_that_cannot_be_written(tmp_path: Path) -> None:
    home = record(tmp_path, "a file, not a directory", "home")
    found = rowlock("play", ROWLOCK_HOME=str(home))
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert "--save" in found.stderr


def test_a_saved_game_is_not_overwritten_by_a_new_one(tmp_path: Path) -> None:
    path = record(tmp_path, UNFINISHED)
    found = command.run("play", "--save", path)
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)
    assert path.read_text() == UNFINISHED
    found = command.run("play", path, "--players", "Anna")
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)


def test_a_resumed_game_can_be_saved_elsewhere(tmp_path: Path) -> None:
    path, other = record(tmp_path, UNFINISHED), tmp_path / "other.rlk"
    command.run("play", path, "--save", other)
    assert path.read_text() == UNFINISHED
    assert other.read_text().startswith(UNFINISHED)


def test_a_record_that_breaks_a_rule_is_not_played(tmp_path: Path) -> None:
    path = record(tmp_path, UNFINISHED.replace("R5 Y5 -", "R6 Y5 -"))
    found = command.run("play", path)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == f"{path}:6: turn 1, Anna: R6: the white sum is 5 [sum]\n"
    path = record(tmp_path, UNFINISHED.replace("[Date", '[Bots "; grumpy; "]\n[Date'))
    found = command.run("play", path)
    assert (found.returncode, found.stderr.count("\n")) == (1, 1)
    assert "grumpy" in found.stderr


def test_a_file_with_many_games_or_none_is_not_played(tmp_path: Path) -> None:
    for text in ("", UNFINISHED * 2):
        found = command.run("play", record(tmp_path, text))
        assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)


def test_a_users_card_variant_is_resumed_with_jokers(tmp_path: Path) -> None:
    cards = Path(rules.__file__).with_name("variants").joinpath("cards.toml").read_text()
    variant, path = record(tmp_path, cards.replace('id = "cards"', 'id = "mine"'), "mine.toml"), tmp_path / "game.rlk"
    found = command.run("play", f"{variant}+jokers", "--save", path, stdin="1\n")
    more = found.stdout.splitlines()[-1].removeprefix("Saved. Go on with: rowlock ")
    found = command.run(*more.split(), stdin="q\n")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines()[-1].endswith(more)


def test_a_users_variant_is_played_and_resumed(tmp_path: Path) -> None:
    variant, path = record(tmp_path, MY_VARIANT, "tiny.toml"), tmp_path / "game.rlk"
    found = command.run("play", variant, "--save", path, stdin="1\n")
    more = found.stdout.splitlines()[-1].removeprefix("Saved. Go on with: rowlock ")
    assert more == f"play {path} --variant-file {variant}"
    found = command.run(*more.split(), stdin="1\n" * 100)
    assert (found.returncode, found.stderr) == (0, "")
    assert "Winner" in found.stdout


def test_an_ascii_terminal_plays_too(tmp_path: Path) -> None:
    found = rowlock(
        "play",
        "big-points",
        "--players",
        "Zoë,Ben",
        "--save",
        tmp_path / "g.rlk",
        stdin="1\n" * 300,
        PYTHONIOENCODING="ascii",
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.isascii()
    assert "Zoë" in (tmp_path / "g.rlk").read_text(encoding="utf-8")


# A real terminal


class Terminal:
    """The command in a pseudo-terminal."""

    def __init__(self, *arguments: str | Path) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=environment(TERM="xterm-256color"),
        )
        os.close(slave)
        self.text = ""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(120)
        os.close(self.master)

    def type(self, line: str) -> None:
        os.write(self.master, line.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C once the process reads its input: the prompt is printed a moment before.

        Between the two Python would notice the signal only after the next line of input.
        """
        if not sys.platform.startswith("linux"):
            time.sleep(0.5)
        # The system call that the process waits in, and its first argument: 0 is standard input.
        call = Path(f"/proc/{self.process.pid}/syscall")
        while call.exists() and call.read_text().split()[1:2] != ["0x0"]:
            time.sleep(0.01)
        self.process.send_signal(signal.SIGINT)

    def wait_for(self, text: str) -> str:
        """Wait for a text; return the output before it."""
        end = time.monotonic() + 120
        while text not in self.text:
            assert time.monotonic() < end, self.text
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.master, 65536).decode(errors="replace")
                except OSError:  # Linux raises it when the other end is closed
                    assert text in self.text, self.text
        before, self.text = self.text.split(text, 1)
        return before


def test_control_c_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    saved = tmp_path / "game.rlk"
    with Terminal("play", "--players", "Anna,Ben", "--seed", "5", "--save", saved) as terminal:
        terminal.wait_for("Anna> ")
        terminal.type("1\r")
        terminal.wait_for("Ben> ")
        terminal.interrupt()
        terminal.wait_for(f"asked again. Go on with: rowlock play {saved}")
        assert terminal.process.wait(120) == 130
    assert parse(saved.read_text()).phase == "white"
    with Terminal("play", saved, "--seed", "5") as again:
        for prompt in ("Anna> ", "Ben> "):
            again.wait_for(prompt)
            again.type("1\r")
        again.wait_for("White action: Anna")
        again.wait_for("Anna> ")
        again.type("\x04")
        again.wait_for("Saved. Go on with")
        assert again.process.wait(120) == 0
    assert parse(saved.read_text()).phase == "colour"


def test_a_killed_game_is_on_the_disk(tmp_path: Path) -> None:
    saved = tmp_path / "game.rlk"
    with Terminal("play", "--seed", "5", "--save", saved) as terminal:
        terminal.wait_for("Player> ")
        terminal.type("1\r")
        terminal.wait_for("Colour action:")
    game = parse(saved.read_text())
    assert (game.phase, game.turns_completed, list(bots_of(game))) == ("colour", 0, [1])


def test_a_secret_line_is_erased_from_the_screen(tmp_path: Path) -> None:
    with Terminal("play", "--players", "Anna,Ben", "--seed", "5", "--save", tmp_path / "game.rlk") as terminal:
        terminal.wait_for("Anna> ")
        terminal.type("1\r")
        assert "\x1b[1A\x1b[2K" in terminal.wait_for("Anna has decided.")


def test_a_hand_is_erased_from_the_screen(tmp_path: Path) -> None:
    """Coloured cards are shown only on the alternate screen."""
    with Terminal("play", "cards", "--players", "Anna,Ben", "--seed", "5", "--save", tmp_path / "game.rlk") as terminal:
        terminal.wait_for("Anna, press Enter to see your cards. ")
        terminal.type("\r")
        assert "your hand" not in terminal.wait_for("\x1b[?1049h")
        hand = terminal.wait_for("Anna> ")
        assert all(f" {card} " in hand for card in Game("cards", 2, seed=5).hands[0])
        assert "\x1b[?1049l" not in hand
        terminal.interrupt()
        assert "your hand" not in terminal.wait_for("\x1b[?1049l")
        assert "your hand" not in terminal.wait_for("Saved.")


def test_without_a_terminal_compiling_is_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("rowlock.compile")
    with show_progress() as display:
        for name in ("kernel.options", "kernel.act"):
            log.debug("compiling %s", name)
            log.debug("compiled %s", name)
        with display.bar("playing", 2) as update:
            update(completed=1)
    log.debug("compiling %s", "games.play")
    assert capsys.readouterr().err == "compiling the rules, once ...\n"
