"""A game at one keyboard: people, bots, or both."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from rowlock.bots import Bot, BotError, Stream, find_bot
from rowlock.locale import capital, t
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game, View, unique_name
from rowlock.rules.variant import ROW_NAMES, Setup, variant_ids
from rowlock.terminal import words
from rowlock.terminal.errors import BROKEN_RULE, INTERRUPTED, Failure
from rowlock.terminal.menu import menu_of, narrow, numbered

BOTS_TAG = "Bots"


class Quit(Exception):
    """Somebody wants to stop here."""


class Screen(Protocol):
    """What the game needs of a terminal."""

    def rolled(self, view: View) -> None:
        """Show whose turn it is and the dice."""

    def position(self, view: View, menu: Sequence[str]) -> None:
        """Show sheets and cards to a player who is to decide, with the options."""

    def options(self, view: View, menu: Sequence[str]) -> None:
        """Show the options alone."""

    def alone(self, view: View) -> AbstractContextManager[None]:
        """What is shown in here does not stay on the screen."""

    def sheets(self, view: View) -> None:
        """Show every sheet in full."""

    def scores(self, game: Game) -> None:
        """Show the score table."""

    def say(self, text: str, *, unbroken: bool = False) -> None:
        """Tell something; an unbroken line is left to the terminal to wrap, so that it can be copied."""

    def ask(self, prompt: str, *, secret: bool) -> str:
        """Read a line; a secret one does not stay on the screen. `EOFError` when there are no more."""


def complaint(error: ValueError) -> str:
    """What is wrong with what was typed, as a sentence."""
    text = error.text if isinstance(error, Illegal) else str(error)
    return f"{text if re.match('[rygbj][0-9]', text) else capital(text)}."  # r3 is a card, R3 is a cell


# Seats


def seat_bots(people: Sequence[str], bots: Sequence[str]) -> tuple[list[str], list[str]]:
    """The players' names and, seat by seat, the bot that plays there (empty for a person)."""
    names = list(people)
    for bot in bots:
        names.append(unique_name(bot, names))
    return names, [""] * len(people) + list(bots)


def bots_of(game: Game) -> dict[int, Bot]:
    """The bots that a game's record names, by seat."""
    seats = game.tags.get(BOTS_TAG, "; " * (len(game.players) - 1)).split("; ")
    if len(seats) != len(game.players):
        raise BotError(f"the tag {BOTS_TAG} names {len(seats)} seats, there are {len(game.players)} players")
    return {seat: find_bot(name) for seat, name in enumerate(seats) if name}


# The table


def tell_outcome(screen: Screen, game: Game) -> None:
    screen.scores(game)
    screen.say(f"{capital(words.standing(game))}. {words.winners(game)}.")


class Table:
    """A game with those who play it."""

    def __init__(
        self, game: Game, bots: Mapping[int, Bot], screen: Screen, save: Callable[[str], None], *, kept: bool = True
    ) -> None:
        """`kept` says whether there is a saved game already."""
        self.game, self.bots, self.screen, self._save = game, bots, screen, save
        self.people = [seat for seat in range(len(game.players)) if seat not in bots]
        self.saved, self.kept = True, kept
        self.shown = 0  # the turn whose dice are on the screen
        self.chosen: list[int] = []  # who has chosen in this action, in this order
        self.looking: int | None = None  # who was the last to see their own cards in this turn

    def save(self) -> None:
        """Keep the game as it stands; decisions of a white action that is still open are not in it."""
        try:
            self._save(self.game.record())
        except OSError as error:
            self.saved = False
            self.screen.say(t("terminal.not-saved", reason=error.strerror))
        else:
            self.saved = self.kept = True

    def play(self) -> None:
        """Play the game to its end; `Quit`, `EOFError` and `KeyboardInterrupt` leave it where it stands."""
        while not self.game.over:
            if not self.game.to_act:
                self.game.chance()
                self.save()
            if self.shown != self.game.turn:
                self.shown, self.looking = self.game.turn, None
                self.screen.rolled(self.game.view())
            self._act()
        tell_outcome(self.screen, self.game)

    def _act(self) -> None:
        """Everybody who is to act decides, then it is told what came of it."""
        game, phase, turns = self.game, self.game.phase, self.game.turns_completed
        locks = [sheet.locks for sheet in game.sheets]
        self.chosen = []
        for seat in game.to_act:
            if seat in self.bots:
                self._let_decide(seat)
        while game.to_act and (game.phase, game.turns_completed) == (phase, turns):
            self._ask(game.to_act[0])
        if game.phase == "deal" and game.turns_completed == turns:
            game.chance()  # the pile is empty, and no record ends before it is renewed
        self.save()
        self._tell(phase, locks)

    def _let_decide(self, seat: int) -> None:
        game = self.game
        view = game.view(seat)
        try:
            option = self.bots[seat].decide(view, list(view.options), Stream.of(game, view))
            game.play(seat, option)
        except Exception as error:
            raise BotError(f"the bot {game.players[seat]} failed in turn {game.turn}: {error}") from error

    def _tell(self, phase: str, before: Sequence[Sequence[str]]) -> None:
        game = self.game
        for sentence in words.decisions(game.players, game.turns[-1], phase):
            self.screen.say(sentence)
        new = [(seat, row) for seat, sheet in enumerate(game.sheets) for row in sheet.locks if row not in before[seat]]
        for seat, row in new if game.variant.cards else ():
            self.screen.say(t("terminal.locked-own", name=game.players[seat], row=row))
        for row in () if game.variant.cards else sorted({row for _, row in new}, key=ROW_NAMES.index):
            self.screen.say(t("terminal.locked", row=row, colour=t(f"colour.{row}")))

    # Asking people

    def _ask(self, seat: int) -> None:
        """Let a person decide, or take back what another has decided."""
        view = self.game.view(seat)
        menu = menu_of(view)
        if len(menu) == 1:
            if view.phase != "take":
                self.screen.say(t("terminal.nothing", name=view.players[seat]))
            self.game.play(seat, menu[0])
            return
        with self._alone(view):
            self.screen.position(view, menu)
            self._let_choose(view, menu)
        if view.phase == self.game.phase == "white" and seat in self.chosen:
            self.screen.say(t("terminal.decided", name=view.players[seat]))

    @contextmanager
    def _alone(self, view: View) -> Iterator[None]:
        """Where several people share the screen, nobody else sees the cards of whoever is to act."""
        if not view.cards or len(self.people) == 1:
            yield
            return
        if self.looking != view.seat:
            self.looking = view.seat
            typed = self.screen.ask(t("terminal.look", name=view.players[view.seat or 0]), secret=True)
            if COMMANDS.get(typed.strip().lower()) == "quit":
                raise Quit
        with self.screen.alone(view):
            yield

    def _let_choose(self, view: View, menu: Sequence[str]) -> None:
        assert view.seat is not None
        left = menu  # what is left to choose from
        while True:
            secret = view.phase == "white" and len(self.people) > 1
            typed = self.screen.ask(f"{view.players[view.seat]}> ", secret=secret).strip()
            command = COMMANDS.get(typed.lower())
            if command == "undo" and left is not menu:
                left = menu
                self.screen.options(view, left)
            elif command == "undo":
                if self._take_back():
                    return
            elif command:
                self._obey(command, view, left)
            else:
                found = self._decide(view.seat, typed, left)
                if not found:
                    return
                if found is not left:
                    left = found
                    self.screen.options(view, left)

    def _decide(self, seat: int, typed: str, menu: Sequence[str]) -> Sequence[str]:
        """What is left to choose from after what was typed: nothing once it is decided."""
        try:
            found = narrow(typed, menu)
            if len(found) > 1:
                return found
            self.game.play(seat, found[0])
        except ValueError as error:
            self.screen.say(complaint(error))
            return menu
        self.chosen.append(seat)
        return ()

    def _take_back(self) -> bool:
        if not self.chosen:
            self.screen.say(t("terminal.nothing-to-take-back"))
            return False
        seat = self.chosen.pop()
        self.game.take_back(seat)
        self.screen.say(t("terminal.again", name=self.game.players[seat]))
        return True

    def _obey(self, command: str, view: View, menu: Sequence[str]) -> None:
        if command == "quit":
            raise Quit
        if command == "sheets":
            self.screen.sheets(view)
            return
        self.screen.say(words.help_of(view))
        offered = numbered(menu)
        widest = max((len(option) for _, option in offered), default=0)
        for number, option in offered:
            self.screen.say(f"{number:>3}  {option:<{widest}}  {words.meaning(view, option)}")
        typed = [] if view.phase in ("take", "play") else [t("terminal.help-type")]
        undo = [t("terminal.help-undo")] if len(self.people) > 1 else []
        self.screen.say(" ".join([*typed, t("terminal.help-keys"), *undo]))
        if view.variant.id in variant_ids():
            self.screen.say(t("terminal.help-rules", command=f"rowlock show {Setup(view.variant, view.jokers)}"))


COMMANDS = {name[:1]: name for name in ("quit", "undo", "sheets", "help")}
COMMANDS |= {name: name for name in COMMANDS.values()} | {"?": "help"}


def run(table: Table, resume: str) -> int:
    """Play on until the game is over or somebody stops; return the exit status."""
    try:
        if table.game.over:
            tell_outcome(table.screen, table.game)
        else:
            table.play()
    except (Quit, EOFError):
        status = 0
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BotError as error:
        raise Failure(f"{error}. {_where_saved(table, resume)}", BROKEN_RULE) from error
    else:
        return 0
    table.screen.say(_where_saved(table, resume), unbroken=True)
    return status


def _where_saved(table: Table, resume: str) -> str:
    if not table.kept:
        return t("terminal.saved-nothing")
    return t("terminal.saved" if table.saved else "terminal.saved-not", command=resume)
