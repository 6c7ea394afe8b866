"""Playing at a server's table from the terminal, as a person or with a bot."""

import os
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar

from rowlock.bots import Bot
from rowlock.locale import format_list, n, t
from rowlock.rules import cards
from rowlock.rules.card_game import CardTurn
from rowlock.rules.game import Game, Turn
from rowlock.rules.game import View as SeatView
from rowlock.rules.variant import VariantError, find_setup
from rowlock.server import protocol
from rowlock.server.client import Client, ServerError, send_request, server_error, split_address
from rowlock.terminal import words
from rowlock.terminal.errors import as_command_error, one_line
from rowlock.terminal.menu import make_menu, match_options, numbered
from rowlock.terminal.play import (
    COMMANDS,
    Quit,
    Screen,
    ask_bot,
    dice_prompt,
    error_sentence,
    print_outcome,
    written_dice,
)
from rowlock.terminal.saved_seats import SavedSeat
from rowlock.terminal.screen import TerminalScreen

DEFAULT_BOT = "greedy"  # replaces absent players if the command names no bot
RECENT = 4  # number of past decisions that are printed to a player who returns


def create_table(address: str, variant: str, seats: int | None, bots: Sequence[str]) -> tuple[str, str]:
    """Open a table at the server of an address; return the table's address, and the link for others."""
    server, table = split_address(f"{address.rstrip('/')}/new")
    if table != "new":
        raise ServerError(f"{address} names a table; --open takes the address of a server, such as {server}")
    count = seats or max(2, 1 + len(bots))
    if count < 1 + len(bots):
        raise ServerError(f"{len(bots)} bots and you need {1 + len(bots)} seats, not {count}")
    with as_command_error(VariantError):
        setup = find_setup(variant)
    body: dict[str, Any] = {"variant": str(setup), "seats": [{}] * (count - len(bots)) + [{"bot": bot} for bot in bots]}
    if variant != str(setup):
        body["variant_file"] = Path(variant).read_text(encoding="utf-8")
    created = send_request(server, "/api/tables", body)
    return f"{server}/{created['table']}", f"{server}/t/{created['table']}#{created['invite']}"


def join_table(address: str, name: str, sheet: str | None = None) -> tuple[Client, SavedSeat]:
    """Take a seat, with this sheet if a letter is given, or return to the seat that is saved under this name."""
    server, table = split_address(address)
    saved_seat = SavedSeat(server, table, name)
    try:
        view = send_request(server, f"/api/tables/{table}", secret=saved_seat.load())
        if view["dice"] == "none":
            raise ServerError(t("terminal.sheets-only", address=f"{server}/t/{table}"))
        if any(seat["name"] == name and seat["connected"] for seat in view["seats"]):
            raise ServerError(t("terminal.there-already", name=name))
        if sheet and any(sheet != _sheet_letter(view, own["seat"]) for own in view["own"]):
            raise ServerError(t("terminal.sheet-late"))
        client = Client.join(address, {name: saved_seat.load_or_create()}, sheet)
        client.share_giver = saved_seat.share_giver(client.table)
        return client, saved_seat
    except ServerError as error:
        if error.code == "sheet" and (letters := error.values.get("sheets")):
            known = t("terminal.sheet-letters", letters=format_list(letters))
            raise ServerError(f"{error} {known}", error.code) from None
        if error.code in ("started", "invite"):
            raise ServerError(t("terminal.started", address=f"{server}/t/{table}"), error.code) from None
        raise


def _sheet_letter(view: dict[str, Any], seat: int) -> str | None:
    """The letter of a player's sheet; before the start, of the sheet that was chosen."""
    letter: str | None = view["seats"][seat]["sheet"]
    return view["position"]["sheets"][seat]["letter"] if view["position"] else letter


class TablePrinter:
    """Prints what changes from one view of a table to the next."""

    def __init__(self, screen: Screen, client: Client) -> None:
        self.screen, self.client = screen, client
        self._waiting_text = ""
        self._printed: int | None = None  # number of decisions that have been printed
        self._shown: tuple[int, str | None] | None = None  # the last turn that was shown, and its dice

    def print_changes(self, view: protocol.View) -> Game | None:
        """Print free seats, or new decisions and the dice of a new turn; return the game if it has started."""
        if view.position is None:
            free = sum(seat.name is None for seat in view.seats)
            text = n("terminal.waiting", free, table=view.table)
            if view.void_starts and not view.start:
                text = f"{n('fair.void-starts', view.void_starts)} {text}"
            people = (seat for seat in view.seats if seat.kind == "person" and not seat.shares)
            without = [seat.name for seat in people if seat.name]
            if without and view.dice == "rolled":
                text = f"{text} {t('fair.no-share', names=format_list(without))}"
            if text != self._waiting_text:
                self.screen.print_line(text)
            self._waiting_text = text
            return None
        game = self.client.game_of(view)
        sentences = list(_revealed_decisions(view, game.players))
        printed = max(0, len(sentences) - RECENT) if self._printed is None else self._printed
        for sentence in sentences[printed:]:
            self.screen.print_line(sentence)
        self._printed = len(sentences)
        if game.phase in ("take", "white") and self._shown != (game.turn, game.dice):
            self._shown = (game.turn, game.dice)
            self.screen.show_turn(game.view())
        if game.over:
            print_outcome(self.screen, game)
            if view.dice == "rolled" or self.client.share_giver.gives:
                self._print_verdict(view)
        return game

    def _print_verdict(self, view: protocol.View) -> None:
        """Say whether the chance of the game is what the devices had agreed on."""
        try:
            verdict: str = self.client.verify_chance()
        except ServerError:
            verdict = "unread"
        self.screen.print_line(t(f"terminal.chance-{verdict}"))
        given = self.client.share_giver.without_share
        if without := [seat.name for seat in view.seats if seat.kind == "person" and seat.name in given]:
            self.screen.print_line(t("fair.no-share", names=format_list(without)))
        if view.void_starts:
            self.screen.print_line(n("fair.void-starts", view.void_starts))


def _revealed_decisions(view: protocol.View, players: Sequence[str]) -> Iterator[str]:
    """The revealed decisions of all turns, as sentences."""
    for entry in view.log:
        white = None if entry.white is None else tuple(choice.option for choice in entry.white)
        turn: Turn | CardTurn
        if entry.dice is not None:
            turn = Turn(entry.active, entry.dice.roll, white, entry.colour.option if entry.colour else None)
        else:
            taken = ",".join(entry.taken or ())
            renewed = cards.HIDDEN if entry.renewed else None  # stands for the new pile, whose cards are hidden
            played = entry.played.option if entry.played else None
            turn = CardTurn(entry.active, taken, renewed, entry.number, white, played)
        decisions = {"take": entry.taken, "white": entry.white, "colour": entry.colour, "play": entry.played}
        for phase, decision in decisions.items():
            if decision is not None:
                yield from words.describe_decisions(players, turn, phase)


Moment = tuple[int, str, str | None]  # turn, phase and dice, which people who enter them may correct
_NOWHERE: Moment = (0, "", None)


def _moment(game: Game) -> Moment:
    return game.turn, game.phase, game.dice


def play_bot(bot: Bot, client: Client, screen: Screen) -> None:
    """Let a bot play a game to its end."""
    printer, last_decided = TablePrinter(screen, client), _NOWHERE
    for event in client.events():
        # A request may end before its answer, and dice may be corrected before a decision on them.
        if isinstance(event, protocol.Error) and event.code not in ("no-request", "dice-changed"):
            raise server_error(event)
        if not isinstance(event, protocol.View):
            continue
        game = printer.print_changes(event)
        for own in event.own:
            if not own.options:
                last_decided = _NOWHERE  # after a take-back the same phase comes again
            elif game and last_decided != _moment(game):
                last_decided = _moment(game)
                seat_view = game.view(own.seat)
                client.decide(event, own.seat, ask_bot(bot, seat_view, random.SystemRandom(), screen))
            if event.takeback and own.seat not in (event.takeback.seat, *event.takeback.agreed):
                client.answer_takeback(event, own.seat, agree=True)
        if event.state == "over":
            client.close()


class LineReader:
    """Reads standard input in a thread and puts its lines into a queue; None stands for the end of the input."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()

    def start(self, events: "SimpleQueue[Event]") -> None:
        Thread(target=self._read, args=(events,), daemon=True).start()

    def _read(self, events: "SimpleQueue[Event]") -> None:
        unfinished = b""  # the part of a line that was read so far
        # sys.stdin.readline is not used, because a thread that waits in it would block the interpreter's exit.
        while sys.stdin is not None and (data := os.read(sys.stdin.fileno(), 4096)):
            *lines, unfinished = (unfinished + data).split(b"\n")
            for line in lines:
                events.put(one_line(line.decode("utf-8", "replace")).strip())
        events.put(None)


class ConnectionLost:
    """The event that the connection was lost; the client reconnects."""


Event = protocol.View | protocol.Error | ConnectionLost | Exception | str | None


class RemoteGame:
    """A person's game at a server's table: handles views from the server and typed lines in any order."""

    def __init__(self, client: Client, saved_seat: SavedSeat, screen: TerminalScreen) -> None:
        self.client, self.saved_seat, self.screen = client, saved_seat, screen
        self.reader, self.events = LineReader(), SimpleQueue[Event]()
        self._reset()

    def _reset(self) -> None:
        self.printer = TablePrinter(self.screen, self.client)
        self.view: protocol.View | None = None
        self.game: Game | None = None
        self.menu: list[str] = []  # the options, empty if there is nothing to decide
        self.remaining: list[str] = []  # the options that match the chosen cards
        self.queued_lines: deque[str | None] = deque()  # piped input that arrived when there was nothing to decide
        self._asked: Moment | None = None  # the last moment for which the player was asked
        self._dice_due = False  # whether this player is asked for the dice
        self._rolling_shown = 0  # the last turn for which the player who rolls was named
        self._wait_shown: tuple[int, str, str] | None = None  # the last turn, phase and option shown as waiting
        self._absent: list[str] = []  # the absent players who were reported
        self._takeback_shown: tuple[int, int] | None = None  # the last request to take back, by seat and time
        self._replaced = False  # whether a bot plays for this player
        self._disconnected = False

    def play(self) -> None:
        """Play a game and as many rematches as the player wants; `Quit` is raised if the player stops."""
        self.reader.start(self.events)
        while True:
            Thread(target=self._receive, args=(self.client,), daemon=True).start()
            while not (self.game and self.game.over):
                self._handle(self.events.get())
                while self.queued_lines and (self.menu or self._dice_due):
                    self._handle_line(self.queued_lines.popleft())
            self.saved_seat.delete()
            plays_again = self._offer_rematch()
            self.client.close()
            if not plays_again:
                return
            self._join_rematch()

    def _receive(self, client: Client) -> None:
        try:
            for event in client.events():
                self.events.put(ConnectionLost() if event is None else event)
        except Exception as error:  # noqa: BLE001  # raised again by the main thread
            self.events.put(error)

    def _offer_rematch(self) -> bool:
        """Ask for a rematch and wait for the others; return whether it has started with this player."""
        self.screen.print_line(t("terminal.rematch"))
        answered = False
        while True:
            event: Event = self.queued_lines.popleft() if self.queued_lines else self.events.get()
            if isinstance(event, protocol.View):
                self.view = event
            elif isinstance(event, Exception):
                raise event
            elif not answered and isinstance(event, str | None):
                answered = True
                if event is None or event.lower() not in ("r", "rematch"):
                    return False
                self.client.answer_rematch(self._own_seat(), agree=True)
                self.screen.print_line(t("terminal.rematch-waits"))
            rematch = self.view.rematch if self.view else None
            if answered and rematch and rematch.table:
                agreed = self._own_seat() in rematch.agreed
                if not agreed:
                    self.screen.print_line(t("terminal.rematch-without"))
                return agreed

    def _own_seat(self) -> int:
        assert self.view
        return self.view.own[0].seat

    def _join_rematch(self) -> None:
        assert self.view
        assert self.view.rematch
        assert self.view.rematch.table
        self.client = Client(self.client.server, self.view.rematch.table, self.client.secrets)
        self.saved_seat = SavedSeat(self.client.server, self.client.table, self.saved_seat.name)
        self.saved_seat.save(self.client.secrets[0])
        self.client.share_giver = self.saved_seat.share_giver(self.client.table)
        self._reset()

    # Events

    def _handle(self, event: Event) -> None:
        match event:
            case protocol.View():
                self._show_view(event)
            case protocol.Error():
                if self.view and self.game and self.game.phase == "roll":
                    self._dice_due = self._own_seat() in self.view.entering  # the dice were refused
                self._print_above_prompt(str(server_error(event)))
                if not self.menu:
                    self._asked = None  # a decision was refused: the next view asks for it again
            case ConnectionLost() if not self._disconnected:
                self._disconnected = True
                self._print_above_prompt(t("terminal.lost"))
            case Exception():
                raise event
            case str() | None:
                self._handle_line(event)

    def _show_view(self, view: protocol.View) -> None:
        # The game goes on without a player who has not decided in time, and goes back after a take-back.
        dice = view.position.dice.roll if view.position and view.position.dice else None
        if self.menu and view.position and self._asked != (view.position.turn, view.position.phase, dice):
            self.menu = self.remaining = []
            self.screen.prompt("\n")
            if self.view and self.view.deadline and view.now >= self.view.deadline:
                self.screen.print_line(t("terminal.too-late"))
        self.view, self._disconnected = view, False
        self.game = self.printer.print_changes(view)
        if not view.own:  # the server no longer accepts the secret of the seat
            self.saved_seat.delete()
            raise ServerError(t("error.secret"))
        self._report_absent(view)
        self._report_takeback(view)
        own = view.own[0]
        was_replaced, self._replaced = self._replaced, view.seats[own.seat].bot is not None
        if self._replaced and not was_replaced:
            self._print_above_prompt(t("terminal.bot-plays"))
        if self.game is None:
            return
        self._ask_dice(view)
        turn_and_phase = (self.game.turn, self.game.phase)
        if own.decision is None:
            self._wait_shown = None
        if not own.options:
            self.menu = self.remaining = []
            self._asked = None  # after a take-back the same phase comes again
        if own.options and self._asked != _moment(self.game):
            self._asked = _moment(self.game)
            self._ask()
        elif own.decision and self._wait_shown != (*turn_and_phase, own.decision.option):
            self._wait_shown = (*turn_and_phase, own.decision.option)
            others = format_list(self.game.players[seat] for seat in view.to_act)
            self.screen.print_line(t("terminal.waits", option=own.decision.option, names=others))

    def _ask_dice(self, view: protocol.View) -> None:
        """Where people roll real dice: ask for them, or say who enters them."""
        assert self.game
        self._dice_due = self.game.phase == "roll" and self._own_seat() in view.entering
        if self.game.phase == "roll" and view.entering and self._rolling_shown != self.game.turn:
            self._rolling_shown = self.game.turn
            if not self._dice_due:
                self.screen.print_line(t("enter.by", name=self.game.players[self.game.active]))
            self._prompt()

    def _report_absent(self, view: protocol.View) -> None:
        absent = [seat.name or "" for seat in view.seats if seat.absent and seat.bot is None]
        if absent and absent != self._absent and view.state == "running":
            self._print_above_prompt(t("terminal.absent", names=format_list(absent)))
        self._absent = absent

    def _report_takeback(self, view: protocol.View) -> None:
        request = view.takeback
        shown = (request.seat, request.until) if request else None
        if request and shown != self._takeback_shown:
            name = view.seats[request.seat].name or ""
            own = request.seat == view.own[0].seat
            self._print_above_prompt(t("terminal.takeback-waits" if own else "terminal.takeback-asked", name=name))
        self._takeback_shown = shown

    def _own_view(self) -> SeatView:
        assert self.game
        assert self.view
        return self.game.view(self.view.own[0].seat)

    def _print_above_prompt(self, text: str) -> None:
        """Print a line and repeat the prompt if a decision or the dice are expected."""
        if self.menu or self._dice_due:
            self.screen.prompt("\n")
        self.screen.print_line(text)
        self._prompt()

    def _prompt(self) -> None:
        if self.menu:
            self.screen.prompt(f"{self.saved_seat.name}> ")
        elif self._dice_due and self.game:
            self.screen.prompt(dice_prompt(self.game))

    def _ask(self) -> None:
        seat_view = self._own_view()
        menu = make_menu(seat_view)
        if len(menu) == 1:
            if seat_view.phase != "take":
                self.screen.print_line(t("terminal.nothing", name=self.saved_seat.name))
            self._decide(menu[0])
        else:
            self.menu = self.remaining = menu
            self.screen.show_position(seat_view, menu)
            if self.view and self.view.deadline:
                seconds = -((self.view.now - self.view.deadline) // 1000)  # from milliseconds, rounded up
                self.screen.print_line(n("terminal.time", seconds))
            self._prompt()

    def _decide(self, option: str) -> None:
        assert self.view
        self.menu = self.remaining = []
        self.client.decide(self.view, self.view.own[0].seat, option)

    # Typed lines

    def _handle_line(self, typed: str | None) -> None:
        if not self.reader.is_terminal:
            if not self.menu and not self._dice_due:
                self.queued_lines.append(typed)
                return
            self.screen.print_line(typed or "")  # a terminal shows typed lines itself; None is the end of the input
        if typed is None:
            raise EOFError
        word, _, argument = typed.partition(" ")
        command = "help" if word == "?" else COMMANDS.get(word.lower(), word.lower())
        if command in self._commands:
            self._commands[command](self, argument.strip())
        elif self.menu:
            self._choose(typed)
        elif self._dice_due:
            self._enter_dice(typed)
        elif typed:
            self.screen.print_line(t("terminal.not-now"))
        self._prompt()

    def _choose(self, typed: str) -> None:
        seat_view = self._own_view()
        assert self.game
        assert seat_view.seat is not None
        try:
            matches = match_options(typed, self.remaining)
            if len(matches) == 1:
                self.game.copy().play(seat_view.seat, matches[0])  # raises an error if the option is illegal
        except ValueError as error:
            self.screen.print_line(error_sentence(error))
            return
        if len(matches) == 1:
            self._decide(matches[0])
        else:
            self.remaining = matches
            self.screen.show_options(seat_view, matches)

    def _enter_dice(self, typed: str) -> None:
        """Enter the dice of this turn, or correct them."""
        if not self.view or not self.game or self._own_seat() not in self.view.entering:
            self.screen.print_line(t("terminal.not-now"))
            return
        before = self.game.copy()
        before.take_back_roll()
        try:
            dice = before.roll(written_dice(before, typed))
        except ValueError as error:
            self.screen.print_line(error_sentence(error))
        else:
            self._dice_due, self.menu, self.remaining = False, [], []
            self.client.roll(self.view, self._own_seat(), dice)

    def _quit(self, _: str) -> None:
        raise Quit

    def _sheets(self, _: str) -> None:
        if self.game:
            self.screen.show_sheets(self._own_view())

    def _take_back(self, _: str) -> None:
        if self.remaining != self.menu:
            self.remaining = self.menu
            self.screen.show_options(self._own_view(), self.menu)
            return
        own = self.view.own[0] if self.view else None
        if self.view and own and own.decision:
            self.client.withdraw(self.view, own.seat)
        elif self.view and own and own.takeback:
            self.client.ask_takeback(self.view, own.seat)
        else:
            self.screen.print_line(t("error.not-decided"))

    def _answer_takeback(self, *, agree: bool) -> None:
        if self.view and self.view.takeback:
            self.client.answer_takeback(self.view, self._own_seat(), agree=agree)
        else:
            self.screen.print_line(t("error.no-request"))

    def _replace_absent(self, bot: str) -> None:
        seats = self.view.seats if self.view else []
        own = self.view.own[0].seat if self.view else None
        people = [number for number, seat in enumerate(seats) if seat.kind == "person" and not seat.bot]
        absent = [number for number in people if seats[number].absent]
        awaited = self.view.awaited if self.view else []
        undecided = [number for number in awaited if number in people and number != own]
        if not absent and not undecided:
            self.screen.print_line(t("terminal.nobody-absent"))
        for number in absent or undecided:  # the server refuses if they are not absent or undecided for long
            self.client.replace(number, bot or DEFAULT_BOT)

    def _help(self, _: str) -> None:
        if self.menu:
            seat_view = self._own_view()
            self.screen.print_line(words.action_help(seat_view))
            for number, option in numbered(self.remaining):
                self.screen.print_line(f"{number:>3}  {option}  {words.describe_option(seat_view, option)}")
        self.screen.print_line(t("terminal.help-visit"))

    _commands: ClassVar[dict[str, Callable[["RemoteGame", str], None]]] = {
        "quit": _quit,
        "sheets": _sheets,
        "undo": _take_back,
        "help": _help,
        "dice": _enter_dice,
        "start": lambda self, _: self.client.start(),
        "bot": _replace_absent,
        "agree": lambda self, _: self._answer_takeback(agree=True),
        "decline": lambda self, _: self._answer_takeback(agree=False),
        "back": lambda self, _: self.client.come_back(self._own_seat()),
    }
