"""A client for the server: reconnects, repeats commands until they are answered, converts views into games."""

import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from threading import Event
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import msgspec
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from rowlock.locale import t
from rowlock.rules.cards import SeenCards
from rowlock.rules.determinization import card_state, determinize
from rowlock.rules.game import Game
from rowlock.rules.variant import Setup, VariantError, find_setup, parse_custom
from rowlock.server import protocol
from rowlock.server.refusal import CODES
from rowlock.server.secret import new_id
from rowlock.server.shares import ShareGiver, Verdict

RECONNECT_SECONDS = 60.0  # how long the client tries to open a lost connection again
RECONNECT_DELAY = 0.5  # seconds between two tries
TIMEOUT_SECONDS = 10.0  # for an HTTP request or for opening a WebSocket
MAX_RETRY_SECONDS = 10.0  # the longest wait before a refused command is sent again
RETRY_CODES = ("too-fast", "storage")  # a command refused with one of these is sent again


class ServerError(Exception):
    """The server refused something (`code` is a code of the protocol) or cannot be reached (`code` is empty)."""

    def __init__(self, text: str, code: str = "", values: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code, self.values = code, values or {}


def split_address(address: str) -> tuple[str, str]:
    """The server and the table code of an address such as `http://host:8000/t/ABC234` or `host:8000/ABC234`."""
    example = "such as http://127.0.0.1:8000/ABC234"
    try:
        parts = urlsplit(address if "//" in address else f"http://{address}")
    except ValueError:
        raise ServerError(f"{address} is not the address of a server, {example}") from None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ServerError(f"{address} is not the address of a server, {example}")
    # The table may also be named as in `http://host:8000/?table=ABC234`.
    fields = dict(field.partition("=")[::2] for field in (parts.query or parts.fragment).split("&"))
    segments = [segment for segment in parts.path.split("/") if segment]
    # A server may be at a path of a site: what is before the table belongs to its address.
    if "t" in segments:
        path, [table, *_] = segments[: segments.index("t")], [*segments[segments.index("t") + 1 :], ""]
    elif "table" in fields:
        path, table = segments, fields["table"]
    else:
        path, table = segments[:-1], "".join(segments[-1:])
    table = unquote(table)
    if not table:
        raise ServerError(f"{address} names no table: its code is missing, {example}")
    return "/".join([f"{parts.scheme}://{parts.netloc}", *path]), quote(table, safe="", errors="replace")


def send_request(server: str, path: str, body: object = None, secret: str | None = None) -> Any:
    """Send an HTTP request, POST if there is a body, and return the JSON of the response."""
    try:
        return json.loads(_request(server, path, body, secret))
    except ValueError as error:
        raise ServerError(f"{server} cannot be reached: {error}") from None


def _request(server: str, path: str, body: object = None, secret: str | None = None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    request = urllib.request.Request(server + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            content: bytes = response.read()
            return content
    except urllib.error.HTTPError as error:
        with error:
            content = error.read()
        raise _http_error(server, content) from None
    except OSError as error:
        raise ServerError(f"{server} cannot be reached: {getattr(error, 'reason', error)}") from None


def _http_error(server: str, body: bytes) -> ServerError:
    try:
        return server_error(msgspec.json.decode(body, type=protocol.Problem))
    except msgspec.MsgspecError:
        return ServerError(f"{server} is not a Rowlock server")


def server_error(refused: protocol.Problem | protocol.Error) -> ServerError:
    """A refusal of the server as an exception with a text in the user's language."""
    text = t(f"error.{refused.code}", **refused.values) if refused.code in CODES else None
    return ServerError(text or t("error.other", code=refused.code), refused.code, refused.values)


def _is_permanent(error: Exception) -> bool:
    """Whether reconnecting is useless; statuses 429 (too fast) and 5xx (the server restarts) are temporary."""
    return isinstance(error, InvalidStatus) and (status := error.response.status_code) < 500 and status != 429


class Client:
    """A device at one table. Commands may be sent from another thread than the one that reads `events`."""

    def __init__(
        self, server: str, table: str, seat_secrets: list[str], seq: int = 0, invite: str | None = None
    ) -> None:
        """`seq` is the number of the event with which this device joined; the server must know it to answer.

        A spectator of a running game needs the secret of the invite link.
        """
        self.server, self.table, self.secrets, self._invite = server, table, seat_secrets, invite
        self._joined_seq = seq
        self._setup: Setup | None = None  # of a variant that is not built in
        self.view: protocol.View | None = None
        self._socket: ClientConnection | None = None
        self._exit_stack = ExitStack()
        self._unanswered: dict[str, protocol.Command] = {}
        self.share_giver = ShareGiver(table)
        self._closed = Event()

    @classmethod
    def join(cls, address: str, people: Mapping[str, str], sheet: str | None = None) -> "Client":
        """Take seats at the table of an address; `people` maps names to secrets, `sheet` is the letter they choose.

        People who already have a seat with the same secret keep it, with its sheet.
        """
        server, table = split_address(address)
        more = {"sheet": sheet, "shares": True}
        body = {"people": [{"name": name, "secret": secret, **more} for name, secret in people.items()]}
        taken = send_request(server, f"/api/tables/{table}/seats", body)
        return cls(server, taken["table"], list(people.values()), taken["seq"])

    def game_of(self, view: protocol.View) -> Game:
        """The game of a view of this table; the file of a variant that is not built in is requested once."""
        if view.variant_hash and self._setup is None:
            secret = next(iter(self.secrets), self._invite)
            file = send_request(self.server, f"/api/tables/{self.table}/variant", secret=secret)["file"]
            try:
                self._setup = find_setup(view.variant, custom=[parse_custom(file, view.variant)])
            except VariantError as error:
                raise ServerError(str(error)) from None
        return game_of(view, self._setup)

    def verify_chance(self) -> Verdict:
        """Request the record of the finished game and judge its chance by what this device was shown and promised."""
        secret = next(iter(self.secrets), self._invite)
        record = _request(self.server, f"/api/tables/{self.table}/record", secret=secret).decode("utf-8", "replace")
        return self.share_giver.verify(record, [self._setup.variant] if self._setup else ())

    def close(self) -> None:
        """Stop following the table."""
        self._closed.set()
        self._disconnect()

    def _disconnect(self) -> None:
        self._socket = None
        self._exit_stack.close()

    def views(self) -> Iterator[protocol.View]:
        """Yield a view after every change, until the game is over; raise if a command is refused."""
        for event in self.events():
            if isinstance(event, protocol.Error):
                raise server_error(event)
            if event is not None:
                yield event
                if event.state == "over":
                    self.close()
                    return

    def events(self) -> Iterator[protocol.View | protocol.Error | None]:
        """Yield views, refusals of commands, and None when the connection is lost; then open it again."""
        last_reply_at = time.monotonic()
        while not self._closed.is_set():
            try:
                socket = self._socket or self._connect()
                reply: protocol.AnyReply = protocol.reply_decoder.decode(socket.recv())
                if isinstance(reply, protocol.Error) and reply.id is None and reply.code in RETRY_CODES:
                    raise ConnectionError(reply.code)  # the hello was refused: send it again
                last_reply_at = time.monotonic()
            except (OSError, WebSocketException) as error:
                if self._closed.is_set():
                    return
                yield None
                self._disconnect()
                if _is_permanent(error) or time.monotonic() - last_reply_at > RECONNECT_SECONDS:
                    raise ServerError(f"the connection to {self.server} is lost") from None
                time.sleep(RECONNECT_DELAY)
                continue
            if isinstance(reply, protocol.Error):
                if self._handle_refusal(reply):
                    yield reply
            elif isinstance(reply, protocol.Ack):
                self._unanswered.pop(reply.id or "", None)  # a hello has no id
            elif isinstance(reply, protocol.View):
                self.view = reply
                for command in self.share_giver.commands(reply):
                    self._submit(command)
                yield reply

    def _connect(self) -> ClientConnection:
        url = self.server.replace("http", "ws", 1) + "/api/socket"
        socket = connect(url, open_timeout=TIMEOUT_SECONDS, close_timeout=1)
        self._exit_stack.enter_context(socket)
        last_seq = self.view.seq if self.view else self._joined_seq
        _send(socket, protocol.Hello(protocol.VERSION, self.table, self.secrets, self._invite, last_seq))
        self._socket = socket
        for command in list(self._unanswered.values()):
            _send(socket, command)
        return socket

    def _handle_refusal(self, error: protocol.Error) -> bool:
        """Send a refused command again or drop it; return whether to report the refusal to the user.

        The refusal of a hello is raised.
        """
        command = self._unanswered.get(error.id or "")
        if command is None:
            raise server_error(error)
        if error.code in RETRY_CODES:
            time.sleep(min(MAX_RETRY_SECONDS, float(error.values.get("seconds", 1))))
            self._try_send(command)
            return False
        del self._unanswered[command.id]
        # Not reported if the phase or the start is over or the decision was made before: the next view shows that.
        if isinstance(command, protocol.Commit | protocol.Share):
            return False
        return error.code not in ("past", "decided") or not isinstance(command, protocol.Decide)

    # Commands: repeated after a lost connection; the server executes each only once

    def decide(self, view: protocol.View, seat: int, option: str) -> None:
        assert view.position
        # Dice that people enter may be corrected meanwhile.
        dice = view.position.dice.roll if view.position.dice and view.dice != "rolled" else None
        where = (view.position.turn, view.position.phase)
        self._submit(protocol.Decide(self.table, seat, *where, option, new_id(), dice))

    def roll(self, view: protocol.View, seat: int, dice: str) -> None:
        """Enter the dice that a person has rolled, or correct those of the view."""
        assert view.position
        before = view.position.dice.roll if view.position.dice else None
        self._submit(protocol.Roll(self.table, seat, view.position.turn, dice, new_id(), before))

    def withdraw(self, view: protocol.View, seat: int) -> None:
        assert view.position
        self._submit(protocol.Withdraw(self.table, seat, view.position.turn, view.position.phase, new_id()))

    def ask_takeback(self, view: protocol.View, seat: int) -> None:
        """Ask to take back the last revealed decision of a seat."""
        own = next(own for own in view.own if own.seat == seat)
        phase, turn = own.takeback[0], len(view.log)  # the latest ones: before a roll the position is in the next turn
        self._submit(protocol.Takeback(self.table, seat, turn, phase, new_id()))

    def answer_takeback(self, view: protocol.View, seat: int, *, agree: bool) -> None:
        """Answer the request to take back that the view shows."""
        if (request := view.takeback) is not None:
            where = (request.seat, request.turn, request.phase)
            self._submit(protocol.Agree(self.table, seat, *where, agree, new_id()))

    def answer_rematch(self, seat: int, *, agree: bool) -> None:
        self._submit(protocol.Rematch(self.table, seat, agree, new_id()))

    def come_back(self, seat: int) -> None:
        """Play again on a seat for which the others let a bot play."""
        self._submit(protocol.Return(self.table, seat, new_id()))

    def start(self) -> None:
        self._submit(protocol.Start(self.table, new_id()))

    def replace(self, seat: int, bot: str) -> None:
        self._submit(protocol.Replace(self.table, seat, bot, new_id()))

    def _submit(self, command: protocol.Command) -> None:
        self._unanswered[command.id] = command
        self._try_send(command)

    def _try_send(self, command: protocol.Command) -> None:
        if (socket := self._socket) is not None:
            # If sending fails, `events` reconnects and sends all unanswered commands again.
            with suppress(OSError, WebSocketException):
                _send(socket, command)


def _send(socket: ClientConnection, message: protocol.AnyMessage) -> None:
    socket.send(protocol.encoder.encode(message).decode())


def game_of(view: protocol.View, setup: Setup | None = None) -> Game:
    """The game of a view, made by playing its log; `setup` is that of a variant that is not built in.

    A card game is made from its position instead, without past turns; cards hidden from this device are sampled.
    """
    assert view.position
    setup = setup or find_setup(view.variant)
    if view.position.cards:
        return _card_game_of(view, setup, view.position, view.position.cards)
    players = [seat.name or "" for seat in view.seats]
    lucky = [sheet.lucky for sheet in view.position.sheets if sheet.lucky]
    letters = [sheet.letter for sheet in view.position.sheets if sheet.letter]
    # The seed is not used: the log has all rolls.
    game = Game(setup, players, seed=0, lucky=lucky or None, sheets=letters or None)
    for turn in view.log:
        assert turn.dice
        game.roll(turn.dice.roll)
        for player, choice in enumerate(turn.white or ()):
            game.play(player, choice.option)
        if turn.colour is not None:
            game.play(game.active, turn.colour.option)
    return game


def _card_game_of(view: protocol.View, setup: Setup, position: protocol.Position, cards: protocol.Cards) -> Game:
    own_hands = {own.seat: own.hand for own in view.own}
    hands = tuple(tuple(own_hands.get(seat_number) or backs) for seat_number, backs in enumerate(cards.hands))
    white_choices = view.log[-1].white if view.log else None
    state = card_state(
        setup,
        SeenCards(hands, tuple(cards.display), cards.top, cards.pile, tuple(cards.discards)),
        position.sheets,
        turn=position.turn,
        phase=position.phase,
        active=position.active,
        closed=position.closed,
        marked=bool(white_choices and white_choices[position.active].marks),
        reason=view.result.reason if view.result else None,
    )
    return determinize(setup.variant, [seat.name or "" for seat in view.seats], state, random.Random())
