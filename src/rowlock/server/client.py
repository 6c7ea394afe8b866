"""Playing at a server's table from Python: a connection that comes back, views as games, decisions that arrive once."""

import json
import random
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import msgspec
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from rowlock.locale import t
from rowlock.rules.cards import SeenCards
from rowlock.rules.determinization import card_state, determinize
from rowlock.rules.game import Game
from rowlock.rules.variant import find_setup
from rowlock.server import protocol
from rowlock.server.refusal import CODES

PATIENCE = 60.0  # for how long a lost connection is tried again
SECONDS = 10.0
LATER = ("too-fast", "storage")  # what is refused so is sent again


class ServerError(Exception):
    """What the server refused, or that it cannot be reached; `code` is of the protocol's closed list, or empty."""

    def __init__(self, text: str, code: str = "", values: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code, self.values = code, values or {}


def split_address(address: str) -> tuple[str, str]:
    """The server and the table of an address: `http://host:8000/t/ABC234` as in browsers, or `host:8000/ABC234`."""
    example = "such as http://127.0.0.1:8000/ABC234"
    try:
        parts = urlsplit(address if "//" in address else f"http://{address}")
    except ValueError:
        raise ServerError(f"{address} is not the address of a server, {example}") from None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ServerError(f"{address} is not the address of a server, {example}")
    fields = dict(field.partition("=")[::2] for field in (parts.query or parts.fragment).split("&"))
    path = [part for part in parts.path.split("/") if part]
    if path[:1] == ["t"]:
        path = path[1:2]
    table = unquote(fields.get("table") or "/".join(path))
    if not table:
        raise ServerError(f"{address} names no table: its code is missing, {example}")
    return f"{parts.scheme}://{parts.netloc}", quote(table, safe="")


def ask(server: str, path: str, body: object = None) -> Any:
    """Ask the server, by POST where there is a body; what it refuses raises."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            found = error.read()
        raise _in_words(server, found) from None
    except (OSError, ValueError) as error:
        raise ServerError(f"{server} cannot be reached: {getattr(error, 'reason', error)}") from None


def _in_words(server: str, body: bytes) -> ServerError:
    try:
        return in_words(msgspec.json.decode(body, type=protocol.Problem))
    except msgspec.MsgspecError:
        return ServerError(f"{server} is no server of this game")


def in_words(refused: protocol.Problem | protocol.Error) -> ServerError:
    """What the server refused, in plain words."""
    known = t(f"error.{refused.code}", **refused.values) if refused.code in CODES else None
    return ServerError(known or t("error.other", code=refused.code), refused.code, refused.values)


def _final(error: Exception) -> bool:
    """Whether a server does not want the connection; one that restarts, or is asked too often, may do so later."""
    if not isinstance(error, InvalidStatus):
        return False
    status = error.response.status_code
    return status < 500 and status != 429


Command = protocol.Decide | protocol.Withdraw | protocol.Start | protocol.Replace


class Client:
    """A device at one table; what it sends may come from another thread than the one that follows the table."""

    def __init__(self, server: str, table: str, held: list[str]) -> None:
        self.server, self.table, self.secrets = server, table, held
        self.view: protocol.View | None = None
        self._socket: ClientConnection | None = None
        self._opened = ExitStack()
        self._open_commands: dict[str, Command] = {}

    @classmethod
    def join(cls, address: str, people: Mapping[str, str]) -> "Client":
        """Sit down at the table an address names: names, each with the secret that the seat is to belong to.

        Whoever sits there already, with the same secret, keeps the seat.
        """
        server, table = split_address(address)
        wish = [{"name": name, "secret": secret} for name, secret in people.items()]
        taken = ask(server, f"/api/tables/{table}/seats", {"people": wish})
        return cls(server, taken["table"], list(people.values()))

    def rematch(self) -> "Client":
        """The same people at a new table."""
        made = ask(self.server, f"/api/tables/{self.table}/rematch", {"secret": self.secrets[0]})
        return Client(self.server, made["table"], self.secrets)

    def close(self) -> None:
        """Close the socket, if it is open."""
        self._socket = None
        self._opened.close()

    def views(self) -> Iterator[protocol.View]:
        """The table whenever something has changed, to the end of the game; a command that is refused raises."""
        for event in self.events():
            if isinstance(event, protocol.Error):
                raise in_words(event)
            if event is not None:
                yield event

    def events(self) -> Iterator[protocol.View | protocol.Error | None]:
        """Views, commands that were refused, and None for a connection that was lost; it is made anew."""
        lost_at = time.monotonic()
        while True:
            try:
                if self._socket is None:
                    self._open()
                assert self._socket
                reply: protocol.AnyReply = protocol.reply_decoder.decode(self._socket.recv())
                if isinstance(reply, protocol.Error) and reply.id is None and reply.code in LATER:
                    raise ConnectionError(reply.code)  # no view will come of this hello
                lost_at = time.monotonic()
            except (OSError, WebSocketException) as error:
                yield None
                self.close()
                if _final(error) or time.monotonic() - lost_at > PATIENCE:
                    raise ServerError(f"the connection to {self.server} is lost") from None
                time.sleep(0.5)
                continue
            if isinstance(reply, protocol.Error):
                if self._is_news(reply):
                    yield reply
            elif isinstance(reply, protocol.Ack):
                self._open_commands.pop(reply.id or "", None)
            elif isinstance(reply, protocol.View):
                self.view = reply
                yield reply
                if reply.state == "over":
                    self.close()
                    return

    def _open(self) -> None:
        socket = connect(self.server.replace("http", "ws", 1) + "/api/socket", open_timeout=SECONDS, close_timeout=1)
        self._opened.enter_context(socket)
        last = self.view.seq if self.view else 0
        _send(socket, protocol.Hello(protocol.VERSION, self.table, self.secrets, last))
        self._socket = socket
        for command in list(self._open_commands.values()):
            _send(socket, command)

    def _is_news(self, error: protocol.Error) -> bool:
        """Whether a refusal is to be told: not of what is sent again, nor of races that the next view settles."""
        command = self._open_commands.get(error.id or "")
        if command is None:
            raise in_words(error)
        if error.code in LATER:
            time.sleep(min(SECONDS, float(error.values.get("seconds", 1))))
            self._try_to_send(command)
            return False
        del self._open_commands[command.id]
        return error.code not in ("past", "decided") or not isinstance(command, protocol.Decide)

    # Commands: each is sent again after a lost connection and done once

    def decide(self, view: protocol.View, seat: int, option: str) -> None:
        assert view.position
        self._do(protocol.Decide(self.table, seat, view.position.turn, view.position.phase, option, _new_id()))

    def withdraw(self, view: protocol.View, seat: int) -> None:
        assert view.position
        self._do(protocol.Withdraw(self.table, seat, view.position.turn, view.position.phase, _new_id()))

    def start(self) -> None:
        self._do(protocol.Start(self.table, _new_id()))

    def replace(self, seat: int, bot: str) -> None:
        self._do(protocol.Replace(self.table, seat, bot, _new_id()))

    def _do(self, command: Command) -> None:
        self._open_commands[command.id] = command
        self._try_to_send(command)

    def _try_to_send(self, command: Command) -> None:
        socket = self._socket
        if socket is not None:
            # Where it fails, whoever receives notices, and all that is open is sent again.
            with suppress(OSError, WebSocketException):
                _send(socket, command)


def _new_id() -> str:
    return secrets.token_hex(8)


def _send(socket: ClientConnection, message: protocol.AnyMessage) -> None:
    socket.send(protocol.encoder.encode(message).decode())


def game_of(view: protocol.View) -> Game:
    """The game of a view, so that whatever reads games reads views: its public log played through.

    Of a card game not all is known: it is one that looks the same to the seats of this device, without its past turns.
    """
    assert view.position
    if view.position.cards:
        return _card_game_of(view, view.position, view.position.cards)
    players = [seat.name or "" for seat in view.seats]
    lucky = [sheet.lucky for sheet in view.position.sheets if sheet.lucky]
    game = Game(view.variant, players, seed=0, lucky=lucky or None)
    for turn in view.log:
        assert turn.dice
        game.roll(turn.dice.roll)
        for player, mark in enumerate(turn.white or ()):
            game.play(player, mark.option)
        if turn.colour is not None:
            game.play(game.active, turn.colour.option)
    return game


def _card_game_of(view: protocol.View, position: protocol.Position, cards: protocol.Cards) -> Game:
    setup = find_setup(view.variant)
    own = {own.seat: own.hand for own in view.own}
    hands = tuple(tuple(own.get(seat) or backs) for seat, backs in enumerate(cards.hands))
    white = view.log[-1].white if view.log else None
    state = card_state(
        setup,
        SeenCards(hands, tuple(cards.display), cards.top, cards.pile, tuple(cards.discards)),
        position.sheets,
        turn=position.turn,
        phase=position.phase,
        active=position.active,
        closed=position.closed,
        marked=bool(white and white[position.active].marks),
        reason=view.result.reason if view.result else None,
    )
    return determinize(setup.variant, [seat.name or "" for seat in view.seats], state, random.Random())
