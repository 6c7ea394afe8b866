"""Playing at a server's table from the terminal, oneself or through a bot."""

import os
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import ClassVar

from rowlock.bots import Bot
from rowlock.locale import listed, n, t
from rowlock.rules import cards
from rowlock.rules.card_game import CardTurn
from rowlock.rules.game import Game, Turn
from rowlock.rules.game import View as Seen
from rowlock.server import protocol
from rowlock.server.client import Client, ServerError, game_of, send_request, server_error, split_address
from rowlock.terminal import words
from rowlock.terminal.errors import one_line
from rowlock.terminal.menu import menu_of, narrow, numbered
from rowlock.terminal.play import COMMANDS, Quit, Screen, complaint, tell_outcome
from rowlock.terminal.saved_seats import KeptSeat
from rowlock.terminal.screen import TerminalScreen

BOT = "greedy"  # who plays for absent people unless another is named
RECENT = 4  # what is told, of all that was decided, to whoever comes back


def sit_down(address: str, name: str) -> tuple[Client, KeptSeat]:
    """Take a seat, or come back to the one that was taken from here under this name."""
    server, table = split_address(address)
    view = send_request(server, f"/api/tables/{table}")
    if any(seat["name"] == name and seat["connected"] for seat in view["seats"]):
        raise ServerError(t("terminal.there-already", name=name))
    seat = KeptSeat(server, table, name)
    try:
        return Client.join(address, {name: seat.find()}), seat
    except ServerError as error:
        if error.code == "started":
            raise ServerError(t("terminal.started", address=f"{server}/t/{table}"), error.code) from None
        raise


class Report:
    """What happens at somebody else's table, as it is told on the screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._waiting = ""
        self._told: int | None = None
        self._rolled = 0

    def tell(self, view: protocol.View) -> Game | None:
        """What is new: who is waited for, what has been revealed, the dice of a new turn."""
        if view.position is None:
            free = sum(seat.name is None for seat in view.seats)
            text = n("terminal.waiting", free, table=view.table)
            if text != self._waiting:
                self.screen.say(text)
            self._waiting = text
            return None
        game = game_of(view)
        sentences = list(_revealed(view, game.players))
        told = max(0, len(sentences) - RECENT) if self._told is None else self._told
        for sentence in sentences[told:]:
            self.screen.say(sentence)
        self._told = len(sentences)
        if game.phase in ("take", "white") and self._rolled != game.turn:
            self._rolled = game.turn
            self.screen.rolled(game.view())
        if game.over:
            tell_outcome(self.screen, game)
        return game


def _revealed(view: protocol.View, players: Sequence[str]) -> Iterator[str]:
    for one in view.log:
        white = None if one.white is None else tuple(choice.option for choice in one.white)
        turn: Turn | CardTurn
        if one.dice is not None:
            turn = Turn(one.active, one.dice.roll, white, one.colour.option if one.colour else None)
        else:
            taken, renewed = ",".join(one.taken or ()), cards.HIDDEN if one.renewed else None
            played = one.played.option if one.played else None
            turn = CardTurn(one.active, taken, renewed, one.number, white, played)
        done = {"take": one.taken, "white": one.white, "colour": one.colour, "play": one.played}
        for phase, decided in done.items():
            if decided is not None:
                yield from words.decisions(players, turn, phase)


def let_play(bot: Bot, client: Client, screen: Screen) -> None:
    """Let a bot play to the end."""
    report, decided = Report(screen), (0, "")
    for view in client.views():
        game = report.tell(view)
        for own in view.own:
            if game and own.options and decided != (game.turn, game.phase):
                decided = (game.turn, game.phase)
                seen = game.view(own.seat)
                client.decide(view, own.seat, bot.decide(seen, list(seen.options), random.SystemRandom()))


class Typed:
    """What is typed, line by line, while other things happen; None when there is no more."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()

    def read_into(self, events: "SimpleQueue[Event]") -> None:
        """Read on in the background."""
        Thread(target=self._read, args=(events,), daemon=True).start()

    def _read(self, events: "SimpleQueue[Event]") -> None:
        rest = b""
        # Not through sys.stdin: a thread that waits in there holds the interpreter up when it ends.
        while sys.stdin is not None and (found := os.read(sys.stdin.fileno(), 4096)):
            *lines, rest = (rest + found).split(b"\n")
            for line in lines:
                events.put(one_line(line.decode("utf-8", "replace")).strip())
        events.put(None)


class Lost:
    """The connection is gone, and made anew."""


Event = protocol.View | protocol.Error | Lost | Exception | str | None


class Visit:
    """A person at somebody else's table: the table changes and lines are typed, in whatever order."""

    def __init__(self, client: Client, seat: KeptSeat, screen: TerminalScreen) -> None:
        self.client, self.seat, self.screen = client, seat, screen
        self.typed, self.events = Typed(), SimpleQueue[Event]()
        self._begin()

    def _begin(self) -> None:
        self.report = Report(self.screen)
        self.view: protocol.View | None = None
        self.game: Game | None = None
        self.menu: list[str] = []  # the options while there is something to decide
        self.left: list[str] = []  # those that are left once cards are chosen
        self.early: deque[str | None] = deque()  # typed, not at a terminal, before there was something to decide
        self._asked: tuple[int, str] | None = None  # the turn and phase for which it was asked, perhaps decided
        self._waits: tuple[int, str, str] | None = None
        self._absent: list[str] = []
        self._lost = False

    def play(self) -> None:
        """Play to the end, and again as long as people want to; `Quit` leaves the table where it stands."""
        self.typed.read_into(self.events)
        while True:
            Thread(target=self._follow, args=(self.client,), daemon=True).start()
            while not (self.game and self.game.over):
                self._take(self.events.get())
                while self.early and self.menu:
                    self._line(self.early.popleft())
            self.seat.forget()
            if not self._again():
                return

    def _follow(self, client: Client) -> None:
        try:
            for event in client.events():
                self.events.put(Lost() if event is None else event)
        except Exception as error:  # noqa: BLE001  # raised where the game is played
            self.events.put(error)

    def _again(self) -> bool:
        self.screen.say(t("terminal.rematch"))
        typed: Event = self.early.popleft() if self.early else Lost()
        while not isinstance(typed, str | None):
            typed = self.events.get()
        if typed is None or typed.lower() not in ("r", "rematch"):
            return False
        self.client = self.client.rematch()
        name, secret = self.seat.name, self.client.secrets[0]
        self.seat = KeptSeat(self.client.server, self.client.table, name)
        self.seat.keep(secret)
        self._begin()
        return True

    # What comes

    def _take(self, event: Event) -> None:
        match event:
            case protocol.View():
                self._see(event)
            case protocol.Error():
                self._interrupt(str(server_error(event)))
                self._asked = self._asked if self.menu else None
            case Lost() if not self._lost:
                self._lost = True
                self._interrupt(t("terminal.lost"))
            case Exception():
                raise event
            case str() | None:
                self._line(event)

    def _see(self, view: protocol.View) -> None:
        if self.menu and view.seconds and view.position and self._asked != (view.position.turn, view.position.phase):
            self.menu = self.left = []
            self.screen.prompt("\n")
            self.screen.say(t("terminal.too-late"))
        self.view, self._lost = view, False
        self.game = self.report.tell(view)
        if not view.own:
            self.seat.forget()
            raise ServerError(t("error.secret"))
        self._tell_absent(view)
        own = view.own[0]
        if self.game is None:
            return
        moment = (self.game.turn, self.game.phase)
        if not own.options or self._asked != moment:
            self.menu = self.left = []
        if own.options and self._asked != moment:
            self._asked = moment
            self._ask()
        elif own.decision and self._waits != (*moment, own.decision.option):
            self._waits = (*moment, own.decision.option)
            others = listed(self.game.players[seat] for seat in view.to_act)
            self.screen.say(t("terminal.waits", option=own.decision.option, names=others))

    def _tell_absent(self, view: protocol.View) -> None:
        absent = [seat.name or "" for seat in view.seats if seat.absent and seat.bot is None]
        if absent and absent != self._absent and view.state == "running":
            self._interrupt(t("terminal.absent", names=listed(absent)))
        self._absent = absent

    def _seen(self) -> Seen:
        assert self.game
        assert self.view
        return self.game.view(self.view.own[0].seat)

    def _interrupt(self, text: str) -> None:
        """Tell something, perhaps while somebody types."""
        if self.menu:
            self.screen.prompt("\n")
        self.screen.say(text)
        self._prompt()

    def _prompt(self) -> None:
        if self.menu:
            self.screen.prompt(f"{self.seat.name}> ")

    def _ask(self) -> None:
        seen = self._seen()
        menu = menu_of(seen)
        if len(menu) == 1:
            if seen.phase != "take":
                self.screen.say(t("terminal.nothing", name=self.seat.name))
            self._decide(menu[0])
        else:
            self.menu = self.left = menu
            self.screen.position(seen, menu)
            if self.view and self.view.deadline:
                seconds = -((self.view.now - self.view.deadline) // 1000)
                self.screen.say(n("terminal.time", seconds))
            self._prompt()

    def _decide(self, option: str) -> None:
        assert self.view
        self.menu = self.left = []
        self.client.decide(self.view, self.view.own[0].seat, option)

    # What is typed

    def _line(self, typed: str | None) -> None:
        if not self.typed.is_terminal:
            if not self.menu:
                self.early.append(typed)
                return
            self.screen.say(typed or "")
        if typed is None:
            raise EOFError
        word, _, rest = typed.partition(" ")
        command = COMMANDS.get(word.lower(), word.lower())
        if command in self._commands:
            self._commands[command](self, rest.strip())
        elif self.menu:
            self._choose(typed)
        elif typed:
            self.screen.say(t("terminal.not-now"))
        self._prompt()

    def _choose(self, typed: str) -> None:
        seen = self._seen()
        assert self.game
        assert seen.seat is not None
        try:
            found = narrow(typed, self.left)
            if len(found) == 1:
                self.game.copy().play(seen.seat, found[0])
        except ValueError as error:
            self.screen.say(complaint(error))
            return
        if len(found) == 1:
            self._decide(found[0])
        else:
            self.left = found
            self.screen.options(seen, found)

    def _quit(self, _: str) -> None:
        raise Quit

    def _sheets(self, _: str) -> None:
        if self.game:
            self.screen.sheets(self._seen())

    def _take_back(self, _: str) -> None:
        if self.left != self.menu:
            self.left = self.menu
            self.screen.options(self._seen(), self.menu)
            return
        if self.view is None or not self.view.own[0].decision:
            self.screen.say(t("terminal.nothing-to-take-back"))
            return
        self._asked = self._waits = None
        self.client.withdraw(self.view, self.view.own[0].seat)

    def _start(self, _: str) -> None:
        self.client.start()

    def _replace(self, bot: str) -> None:
        absent = [n for n, seat in enumerate(self.view.seats) if seat.absent and not seat.bot] if self.view else []
        if not absent:
            self.screen.say(t("terminal.nobody-absent"))
        for seat in absent:
            self.client.replace(seat, bot or BOT)

    def _help(self, _: str) -> None:
        if self.menu:
            seen = self._seen()
            self.screen.say(words.help_of(seen))
            for number, option in numbered(self.left):
                self.screen.say(f"{number:>3}  {option}  {words.meaning(seen, option)}")
        self.screen.say(t("terminal.help-visit"))

    _commands: ClassVar[dict[str, Callable[["Visit", str], None]]] = {
        "quit": _quit,
        "sheets": _sheets,
        "undo": _take_back,
        "help": _help,
        "start": _start,
        "bot": _replace,
    }
