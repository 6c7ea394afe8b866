"""A game on one keyboard, with people, bots or both."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from rowlock.bots import Bot, BotError, LostDecision, Stream
from rowlock.bots.loading import describe, own_traceback
from rowlock.locale import capitalize, t
from rowlock.rules.explain import Illegal
from rowlock.rules.game import BOTS_TAG, DICE_TAG, ENTERED, Game, View, unique_name
from rowlock.rules.variant import ROW_NAMES, Setup, variant_ids
from rowlock.terminal import words
from rowlock.terminal.errors import BROKEN_RULE, INTERRUPTED, CommandError
from rowlock.terminal.menu import make_menu, match_options, numbered
from rowlock.terminal.progress import show_progress

if TYPE_CHECKING:
    from rowlock.analysis.hint import Hints


class Quit(Exception):
    """A player stops the game."""


class Screen(Protocol):
    """The output and input that a game needs."""

    def show_turn(self, view: View) -> None:
        """Show whose turn it is and the dice."""

    def show_position(self, view: View, menu: Sequence[str]) -> None:
        """Show the sheets, cards and options to a player who has to decide."""

    def show_options(self, view: View, menu: Sequence[str]) -> None:
        """Show only the options."""

    def show_hints(self, game: Game, hints: "Hints", menu: Sequence[str]) -> None:
        """Show the best options with their values and with reasons."""

    def private(self, view: View) -> AbstractContextManager[None]:
        """Remove everything that was shown within the context from the screen when it ends."""

    def show_sheets(self, view: View) -> None:
        """Show every sheet in full."""

    def show_scores(self, game: Game) -> None:
        """Show all sheets and the score table."""

    def print_line(self, text: str, *, soft_wrap: bool = False) -> None:
        """Print a line; with `soft_wrap` the terminal wraps it, so that it can be copied as a whole."""

    def read_line(self, prompt: str, *, secret: bool) -> str:
        """Read a line and erase it from the screen if it is secret; raise `EOFError` at the end of the input."""


def error_sentence(error: ValueError) -> str:
    """The text of an error as a sentence."""
    text = error.text if isinstance(error, Illegal) else str(error)
    return f"{text if re.match('[rygbj][0-9]', text) else capitalize(text)}."  # r3 is a card, R3 is a cell


# Seats


def seat_bots(people: Sequence[str], bots: Sequence[str]) -> tuple[list[str], list[str]]:
    """The name of the player and the name of the bot in each seat; a person has an empty bot name."""
    names = list(people)
    for bot in bots:
        names.append(unique_name(bot, names))
    return names, [""] * len(people) + list(bots)


def bots_of(game: Game) -> dict[int, str]:
    """The names of the bots that a game's record has, by seat."""
    no_bots = "; " * (len(game.players) - 1)  # an empty name for each seat
    bot_names = game.tags.get(BOTS_TAG, no_bots).split("; ")
    if len(bot_names) != len(game.players):
        raise BotError(f"the tag {BOTS_TAG} names {len(bot_names)} seats, there are {len(game.players)} players")
    return {seat: name for seat, name in enumerate(bot_names) if name}


# The game


def print_outcome(screen: Screen, game: Game) -> None:
    screen.show_scores(game)
    screen.print_line(f"{capitalize(words.game_status(game))}. {words.winners_text(game)}.")


def ask_bot(bot: Bot, view: View, rng: random.Random, screen: Screen) -> str:
    """The decision of a bot; if it is lost, a line says why, and the first option is played."""
    assert view.seat is not None
    name = view.players[view.seat]
    try:
        return bot.decide(view, list(view.options), rng)
    except LostDecision as error:
        option = next(iter(view.options))
        screen.print_line(t("terminal.decision-lost", name=name, option=option, reason=error), soft_wrap=True)
        return option
    except Exception as error:
        raise BotError(f"the bot {name} failed in turn {view.turn}: {describe(error)}", own_traceback(error)) from error


class LocalGame:
    """A game played on this machine, with its bots, its screen and a function that saves it."""

    def __init__(
        self, game: Game, bots: Mapping[int, Bot], screen: Screen, save: Callable[[str], None], *, has_save: bool = True
    ) -> None:
        """`has_save` says whether the save file already holds a game."""
        self.game, self.bots, self.screen, self._save = game, bots, screen, save
        self.people = [seat for seat in range(len(game.players)) if seat not in bots]
        self.saved, self.has_save = True, has_save  # `saved` says whether the last attempt to save succeeded
        self.turn_shown = 0  # the last turn whose dice were shown
        self.decided_seats: list[int] = []  # people who have decided in this action, in order
        self.last_viewer: int | None = None  # the last seat that saw its cards in this turn
        self.choices: list[tuple[int, str]] = []  # seat and phase of people's decisions since the roll, if any choice
        self.dice_stand = False  # whether the dice before these were taken back and entered anew

    def save(self) -> None:
        """Save the game without the decisions of an unfinished white action."""
        try:
            self._save(self.game.record())
        except OSError as error:
            self.saved = False
            self.screen.print_line(t("terminal.not-saved", reason=error.strerror))
        else:
            self.saved = self.has_save = True

    def play(self) -> None:
        """Play to the end, or until `Quit`, `EOFError` or `KeyboardInterrupt`."""
        while not self.game.over:
            if not self.game.to_act:
                if self.game.tags.get(DICE_TAG) != ENTERED:
                    self.game.chance()
                elif not self._enter_dice():
                    continue
                self.choices, self.dice_stand = [], False
                self.save()
            if self.turn_shown != self.game.turn:
                self.turn_shown, self.last_viewer = self.game.turn, None
                self.screen.show_turn(self.game.view())
            self._act()
        print_outcome(self.screen, self.game)

    def _act(self) -> None:
        """Get the decisions of all seats to act, then print them."""
        game, phase, turns_before = self.game, self.game.phase, self.game.turns_completed
        locks_before = [sheet.locks for sheet in game.sheets]
        self.decided_seats = [seat for seat, made in self.choices if made == phase == "white"]  # it may be reopened
        for seat in game.to_act:
            if seat in self.bots:
                self._play_bot(seat)
        while game.to_act and (game.phase, game.turns_completed) == (phase, turns_before):
            self._ask(game.to_act[0])
        if game.phase == "roll" and game.turns_completed == turns_before:
            return  # the dice were entered wrongly
        if game.phase == "deal" and game.turns_completed == turns_before:
            game.chance()  # the pile is empty; a record cannot end before it is renewed
        self.save()
        self._print_decisions(phase, locks_before)

    def _play_bot(self, seat: int) -> None:
        game = self.game
        view = game.view(seat)
        try:
            option = ask_bot(self.bots[seat], view, Stream.of(game, view), self.screen)
            game.play(seat, option)
        except BotError:
            raise
        except Exception as error:
            raise BotError(f"the bot {game.players[seat]} failed in turn {game.turn}: {error}") from error

    def _print_decisions(self, phase: str, locks_before: Sequence[Sequence[str]]) -> None:
        game = self.game
        for sentence in words.describe_decisions(game.players, game.turns[-1], phase):
            self.screen.print_line(sentence)
        locks = ((seat, row) for seat, sheet in enumerate(game.sheets) for row in sheet.locks)
        new_locks = [(seat, row) for seat, row in locks if row not in locks_before[seat]]
        if game.variant.cards:
            for seat, row in new_locks:
                self.screen.print_line(t("terminal.locked-own", name=game.players[seat], row=row))
            return
        for row in sorted({row for _, row in new_locks}, key=ROW_NAMES.index):
            self.screen.print_line(t("terminal.locked", row=row, colour=t(f"colour.{row}")))

    # Entering dice

    def _enter_dice(self) -> bool:
        """Ask the active player what the dice show; return whether they were entered, and no decision taken back."""
        while True:
            game = self.game
            typed = self.screen.read_line(dice_prompt(game), secret=False).strip()
            command = COMMANDS.get(typed.lower())
            if command == "quit":
                raise Quit
            if command == "undo" and self.choices:
                self._reopen()
                return False
            if command == "undo":
                self._take_back_dice()
            elif command == "sheets":
                self.screen.show_sheets(game.view())
            elif command or not typed:
                self.screen.print_line(t("terminal.help-dice"))
            else:
                try:
                    game.roll(written_dice(game, typed))
                except Illegal as error:
                    self.screen.print_line(f"{error.text}.")  # it begins with what was typed
                else:
                    return True

    def _reopen(self) -> None:
        """Take back the last decision of the turn before, for which the next dice have not been entered yet."""
        seat, phase = self.choices.pop()
        self.game.reopen(seat, phase)
        self.turn_shown = 0
        self.save()
        self.screen.print_line(t("terminal.again", name=self.game.players[seat]))

    def _take_back_dice(self) -> bool:
        """Take back the last dice if they were entered, unless a person has decided since."""
        game = self.game
        if game.tags.get(DICE_TAG) != ENTERED or self.choices or self.dice_stand or not game.turns:
            self.screen.print_line(t("error.not-decided"))
            return False
        game.undo()
        game.take_back_roll()
        self.turn_shown, self.dice_stand = 0, True
        return True

    # Asking people

    def _ask(self, seat: int) -> None:
        """Ask a person for a decision, or let them take back an earlier decision."""
        view = self.game.view(seat)
        menu = make_menu(view)
        if len(menu) == 1:
            if view.phase != "take":
                self.screen.print_line(t("terminal.nothing", name=view.players[seat]))
            self.game.play(seat, menu[0])
            return
        with self._private(view):
            self.screen.show_position(view, menu)
            self._read_decision(view, menu)
        if view.phase == self.game.phase == "white" and seat in self.decided_seats:
            self.screen.print_line(t("terminal.decided", name=view.players[seat]))

    @contextmanager
    def _private(self, view: View) -> Iterator[None]:
        """Show a player's cards only to that player if several people share the screen."""
        if not view.cards or len(self.people) == 1:
            yield
            return
        assert view.seat is not None
        if self.last_viewer != view.seat:
            self.last_viewer = view.seat
            typed = self.screen.read_line(t("terminal.look", name=view.players[view.seat]), secret=True)
            if COMMANDS.get(typed.strip().lower()) == "quit":
                raise Quit
        with self.screen.private(view):
            yield

    def _read_decision(self, view: View, menu: Sequence[str]) -> None:
        assert view.seat is not None
        remaining = menu  # the options that match what was typed so far
        while True:
            secret = view.phase == "white" and len(self.people) > 1
            typed = self.screen.read_line(f"{view.players[view.seat]}> ", secret=secret).strip()
            command = COMMANDS.get(typed.lower())
            if command == "undo" and remaining is not menu:
                remaining = menu
                self.screen.show_options(view, remaining)
            elif command == "undo":
                if self._take_back():
                    return
            elif command:
                self._run_command(command, view, remaining)
            else:
                matches = self._decide(view.seat, typed, remaining)
                if not matches:
                    return
                if matches is not remaining:  # after an error they are the same, and are still on the screen
                    remaining = matches
                    self.screen.show_options(view, remaining)

    def _decide(self, seat: int, typed: str, menu: Sequence[str]) -> Sequence[str]:
        """Play the option that the typed text means, and return (); otherwise return the options that are left."""
        try:
            matches = match_options(typed, menu)
            if len(matches) > 1:
                return matches
            phase = self.game.phase
            self.game.play(seat, matches[0])
        except ValueError as error:
            self.screen.print_line(error_sentence(error))
            return menu
        self.decided_seats.append(seat)
        self.choices.append((seat, phase))
        return ()

    def _take_back(self) -> bool:
        if not self.decided_seats:
            return self._take_back_dice()
        seat = self.decided_seats.pop()
        self.choices.pop()
        self.game.take_back(seat)
        self.screen.print_line(t("terminal.again", name=self.game.players[seat]))
        return True

    def _run_command(self, command: str, view: View, menu: Sequence[str]) -> None:
        if command == "quit":
            raise Quit
        if command == "sheets":
            self.screen.show_sheets(view)
        elif command == "hint":
            self._show_hints(view, menu)
        else:
            self._show_help(view, menu)

    def _show_hints(self, view: View, menu: Sequence[str]) -> None:
        assert view.seat is not None
        with show_progress():  # the first hint may have to be compiled
            from rowlock.analysis.hint import hints
            from rowlock.analysis.values import NoValues

            try:
                found = hints(self.game, view.seat)
            except NoValues as error:
                self.screen.print_line(error_sentence(error))
                return
        self.screen.show_hints(self.game, found, menu)

    def _show_help(self, view: View, menu: Sequence[str]) -> None:
        self.screen.print_line(words.action_help(view))
        numbered_options = numbered(menu)
        widest = max((len(option) for _, option in numbered_options), default=0)
        for number, option in numbered_options:
            self.screen.print_line(f"{number:>3}  {option:<{widest}}  {words.describe_option(view, option)}")
        typing_help = [] if view.phase in ("take", "play") else [t("terminal.help-type")]
        undo_help = [t("terminal.help-undo")] if len(self.people) > 1 else []
        self.screen.print_line(" ".join([*typing_help, t("terminal.help-keys"), *undo_help]))
        if view.variant.id in variant_ids():
            self.screen.print_line(t("terminal.help-rules", command=f"rowlock show {Setup(view.variant, view.jokers)}"))


# What can be typed for a command: its first letter or its name; a question mark for a hint.
COMMANDS = {name[:1]: name for name in ("quit", "undo", "sheets", "help")}
COMMANDS |= {name: name for name in COMMANDS.values()} | {"?": "hint", "hint": "hint"}


def dice_prompt(game: Game) -> str:
    """The question for the dice that are still in the game."""
    names = [t("terminal.white-die")] * 2 + [t(f"colour.{row}") for row in ROW_NAMES]
    dice = ", ".join(names[die] for die in game.dice_left)
    return t("terminal.enter-dice", name=game.players[game.active], dice=dice)


def written_dice(game: Game, typed: str) -> str:
    """The dice as records write them; spaces and dice that have left the game may be left out."""
    faces = re.sub(r"[\s,-]", "", typed)
    if faces.isdecimal() and len(faces) == len(game.dice_left):
        return game.write_roll(faces)
    return f"{faces[:2]}-{faces[2:]}" if re.fullmatch(r"\d{2}[\d.]{4}", faces) else typed


def play_game(local: LocalGame, resume_command: str) -> int:
    """Play until the game is over or a player stops; return the exit status."""
    try:
        if local.game.over:
            print_outcome(local.screen, local.game)
        else:
            local.play()
    except (Quit, EOFError):
        status = 0
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BotError as error:
        text = f"{error}. {_resume_message(local, resume_command)}"
        raise CommandError(text, BROKEN_RULE, error.details) from error
    else:
        return 0
    local.screen.print_line(_resume_message(local, resume_command), soft_wrap=True)
    return status


def _resume_message(local: LocalGame, resume_command: str) -> str:
    if not local.has_save:
        return t("terminal.never-saved")
    if not local.saved:
        return t("terminal.saved-earlier", command=resume_command)
    asked_again = local.game.phase == "white" and local.decided_seats
    return t("terminal.saved-but" if asked_again else "terminal.saved", command=resume_command)
