"""A game at one keyboard: people, bots, or both."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rowlock.bots import Bot, BotError, Stream, find_bot
from rowlock.locale import capital, listed, t
from rowlock.rules import kernel as k
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game, View
from rowlock.rules.variant import variant_ids
from rowlock.terminal import words

BOTS_TAG = "Bots"
INTERRUPTED = 130


class Quit(Exception):
    """Somebody wants to stop here."""


class Screen(Protocol):
    """What the game needs of a terminal."""

    def rolled(self, view: View) -> None:
        """Show whose turn it is and the dice."""

    def position(self, view: View, menu: Sequence[str]) -> None:
        """Show the sheets to a player who is to decide, with the options."""

    def sheets(self, view: View) -> None:
        """Show every sheet in full."""

    def scores(self, game: Game) -> None:
        """Show the score table."""

    def say(self, text: str, *, unbroken: bool = False) -> None:
        """Tell something; an unbroken line is left to the terminal to wrap, so that it can be copied."""

    def ask(self, prompt: str, *, secret: bool) -> str:
        """Read a line; a secret one does not stay on the screen. `EOFError` when there are no more."""


# Seats


def seat_bots(people: Sequence[str], bots: Sequence[str]) -> tuple[list[str], list[str]]:
    """The players' names and, seat by seat, the bot that plays there (empty for a person)."""
    names = list(people)
    for bot in bots:
        name, count = bot, 1
        while name in names:
            count += 1
            name = f"{bot} {count}"
        names.append(name)
    return names, [""] * len(people) + list(bots)


def bots_of(game: Game) -> dict[int, Bot]:
    """The bots that a game's record names, by seat."""
    seats = game.tags.get(BOTS_TAG, "; " * (len(game.players) - 1)).split("; ")
    if len(seats) != len(game.players):
        raise BotError(f"the tag {BOTS_TAG} names {len(seats)} seats, there are {len(game.players)} players")
    return {seat: find_bot(name) for seat, name in enumerate(seats) if name}


# The table


class Table:
    """A game with those who play it."""

    def __init__(self, game: Game, bots: Mapping[int, Bot], screen: Screen, save: Callable[[str], None]) -> None:
        self.game, self.bots, self.screen, self._save = game, bots, screen, save
        self.people = [seat for seat in range(len(game.players)) if seat not in bots]
        self.saved = True
        self.shown = 0  # the turn whose dice are on the screen
        self.chosen: list[int] = []  # who has chosen in this action, in this order

    def save(self) -> None:
        """Keep the game as it stands; decisions of a white action that is still open are not in it."""
        try:
            self._save(self.game.record())
        except OSError as error:
            self.saved = False
            self.screen.say(t("terminal.not-saved", reason=error.strerror))
        else:
            self.saved = True

    def play(self) -> None:
        """Play the game to its end; `Quit`, `EOFError` and `KeyboardInterrupt` leave it where it stands."""
        while not self.game.over:
            if self.game.phase == "roll":
                self.game.roll()
                self.save()
            if self.shown != self.game.turn:
                self.shown = self.game.turn
                self.screen.rolled(self.game.view())
            self._act()
        self.tell_outcome()

    def tell_outcome(self) -> None:
        self.screen.scores(self.game)
        self.screen.say(f"{capital(words.standing(self.game))}. {words.winners(self.game)}.")

    def _act(self) -> None:
        """Everybody who is to act decides, then it is told what came of it."""
        game, phase, closed, turns = self.game, self.game.phase, self.game.closed, self.game.turns_completed
        self.chosen = []
        for seat in game.to_act:
            if seat in self.bots:
                self._let_decide(seat)
        while game.to_act and (game.phase, game.turns_completed) == (phase, turns):
            self._ask(game.to_act[0])
        self.save()
        self._tell(phase, closed)

    def _let_decide(self, seat: int) -> None:
        game = self.game
        view = game.view(seat)
        number = k.WHITE if game.phase == "white" else k.COLOUR
        rng = Stream(game.seed, game.number, game.turns_completed, number, seat)
        try:
            option = self.bots[seat].decide(view, list(view.options), rng)
            game.play(seat, option)
        except Exception as error:
            raise BotError(f"the bot {game.players[seat]} failed in turn {game.turn}: {error}") from error

    def _tell(self, phase: str, closed: Sequence[str]) -> None:
        game = self.game
        turn = game.turns[-1]
        if phase == "white":
            self.screen.say(words.white_decisions(game.players, turn.white or ()))
        else:
            self.screen.say(words.colour_decision(game.players, len(game.turns), turn.colour or ""))
        for row in game.closed:
            if row not in closed:
                self.screen.say(t("terminal.locked", row=row, colour=t(f"colour.{row}")))

    # Asking people

    def _ask(self, seat: int) -> None:
        """Let a person decide, or take back what another has decided."""
        view = self.game.view(seat)
        menu = menu_of(view)
        if len(menu) == 1:
            self.screen.say(t("terminal.nothing", name=view.players[seat]))
            self.game.play(seat, menu[0])
            return
        self.screen.position(view, menu)
        while True:
            secret = view.phase == "white" and len(self.people) > 1
            typed = self.screen.ask(f"{view.players[seat]}> ", secret=secret).strip()
            command = COMMANDS.get(typed.lower())
            if command == "undo":
                if self._take_back():
                    return
            elif command:
                self._obey(command, view, menu)
            elif self._decide(seat, typed, menu):
                return

    def _decide(self, seat: int, typed: str, menu: Sequence[str]) -> bool:
        try:
            self.game.play(seat, understand(typed, menu))
        except Illegal as error:
            self.screen.say(f"{capital(error.text)}.")
            return False
        except ValueError as error:
            self.screen.say(f"{capital(str(error))}.")
            return False
        self.chosen.append(seat)
        if self.game.phase == "white" and seat not in self.game.to_act:
            self.screen.say(t("terminal.decided", name=self.game.players[seat]))
        return True

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
        self.screen.say(t(f"terminal.help-{view.phase}"))
        widest = max(map(len, menu))
        for number, option in numbered(menu):
            self.screen.say(f"{number:>3}  {option:<{widest}}  {words.meaning(view, option)}")
        undo = [t("terminal.help-undo")] if len(self.people) > 1 else []
        self.screen.say(" ".join([t("terminal.help-keys"), *undo]))
        if view.variant.id in variant_ids():
            self.screen.say(t("terminal.help-rules", command=f"rowlock show {view.variant}"))


COMMANDS = {
    "q": "quit",
    "quit": "quit",
    "u": "undo",
    "undo": "undo",
    "s": "sheets",
    "sheets": "sheets",
    "?": "help",
    "h": "help",
    "help": "help",
}


def menu_of(view: View) -> list[str]:
    """The options of a seat: declining first, then marks in the order of the sheet."""
    codes = view.variant.codes
    return sorted(view.options, key=lambda option: (codes.get(words.cell_of(option) or "", -1), option))


def numbered(menu: Sequence[str]) -> list[tuple[int, str]]:
    """The options with the numbers they can be called by, declining last as 0."""
    return [*enumerate(menu[1:], 1), (0, menu[0])]


def understand(typed: str, menu: Sequence[str]) -> str:
    """The option meant: by its number, or in notation, where case and the parts `!`, `#` and `+` may be left out."""
    if not typed:
        raise ValueError(t("terminal.type"))
    if typed.isdecimal():
        if int(typed) < len(menu):
            return menu[int(typed)]
        raise ValueError(t("terminal.no-number", typed=typed[:20], most=len(menu) - 1))
    meant = typed.casefold()
    for same in (str.casefold, lambda option: (words.cell_of(option) or option).casefold()):
        found = [option for option in menu if same(option) == meant]
        if len(found) == 1:
            return found[0]
        if found:
            raise ValueError(t("terminal.say-which", options=listed(found, "or")))
    return "x" if meant == "x" else typed.upper()


def run(table: Table, resume: str) -> int:
    """Play on until the game is over or somebody stops; return the exit status."""
    try:
        if table.game.over:
            table.tell_outcome()
        else:
            table.play()
    except (Quit, EOFError):
        status = 0
    except KeyboardInterrupt:
        status = INTERRUPTED
    else:
        return 0
    saved = "terminal.saved" if table.saved else "terminal.saved-not"
    table.screen.say(t(saved, command=resume), unbroken=True)
    return status
