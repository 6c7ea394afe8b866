"""Playing at a server's table from Python: a connection that comes back, views as games, decisions that arrive once."""

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import msgspec
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from rowlock.rules.game import Game
from rowlock.server import protocol as p

PATIENCE = 60.0  # for how long a lost connection is tried again
SECONDS = 10.0


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


def ask(server: str, path: str, body: object) -> Any:
    """POST to the server; what it refuses raises."""
    request = urllib.request.Request(server + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            problem = _problem(error.read())
        raise ServerError(f"the server refused: {problem.code}", problem.code, problem.values) from None
    except (OSError, ValueError) as error:
        raise ServerError(f"{server} cannot be reached: {getattr(error, 'reason', error)}") from None


def _problem(body: bytes) -> p.Problem:
    try:
        return msgspec.json.decode(body, type=p.Problem)
    except msgspec.MsgspecError:
        return p.Problem("no server of this game", {})


def _final(error: Exception) -> bool:
    """Whether a server does not want the connection; one that restarts, or is asked too often, may do so later."""
    if not isinstance(error, InvalidStatus):
        return False
    status = error.response.status_code
    return status < 500 and status != 429


class Client:
    """A device at one table."""

    def __init__(self, server: str, table: str, held: list[str]) -> None:
        self.server, self.table, self.secrets = server, table, held
        self.view: p.View | None = None
        self._socket: ClientConnection | None = None
        self._opened = ExitStack()
        self._open_commands: dict[str, p.Decide] = {}

    @classmethod
    def join(cls, address: str, *names: str) -> "Client":
        """Sit down at the table an address names."""
        server, table = split_address(address)
        people = [{"name": name, "secret": secrets.token_hex(32)} for name in names]
        taken = ask(server, f"/api/tables/{table}/seats", {"people": people})
        return cls(server, taken["table"], [one["secret"] for one in people])

    def close(self) -> None:
        """Close the socket, if it is open."""
        self._socket = None
        self._opened.close()

    def views(self) -> Iterator[p.View]:
        """The table whenever something has changed, to the end of the game; lost connections are made anew."""
        lost_at = time.monotonic()
        while True:
            try:
                if self._socket is None:
                    self._open()
                assert self._socket
                reply: p.AnyReply = p.reply_decoder.decode(self._socket.recv())
                lost_at = time.monotonic()
            except (OSError, WebSocketException) as error:
                self.close()
                if _final(error) or time.monotonic() - lost_at > PATIENCE:
                    raise ServerError(f"the connection to {self.server} is lost") from None
                time.sleep(0.5)
                continue
            if isinstance(reply, p.Error):
                self._refused(reply)
            elif isinstance(reply, p.Ack):
                self._open_commands.pop(reply.id or "", None)
            elif isinstance(reply, p.View):
                self.view = reply
                yield reply
                if reply.state == "over":
                    self.close()
                    return

    def _open(self) -> None:
        socket = connect(self.server.replace("http", "ws", 1) + "/api/socket", open_timeout=SECONDS, close_timeout=1)
        self._socket = self._opened.enter_context(socket)
        last = self.view.seq if self.view else 0
        self._send(p.Hello(p.VERSION, self.table, self.secrets, last))
        for command in self._open_commands.values():
            self._send(command)

    def _send(self, message: p.AnyMessage) -> None:
        assert self._socket
        self._socket.send(p.encoder.encode(message).decode())

    def _refused(self, error: p.Error) -> None:
        if error.code == "too-fast":
            self._send_later(error)
            return
        self._open_commands.pop(error.id or "", None)
        if error.code not in ("past", "decided"):  # these are races, and settled by the next view
            raise ServerError(f"the server refused: {error.code}", error.code, error.values)

    def decide(self, view: p.View, seat: int, option: str) -> None:
        """Send a decision; it is sent again after a lost connection and done once."""
        assert view.position
        command = p.Decide(self.table, seat, view.position.turn, view.position.phase, option, secrets.token_hex(8))
        self._open_commands[command.id] = command
        self._try_to_send(command)

    def _send_later(self, error: p.Error) -> None:
        """A command that came too fast is sent again; it was not done."""
        command = self._open_commands.get(error.id or "")
        if command is not None:
            time.sleep(min(SECONDS, float(error.values.get("seconds", 1))))
            self._try_to_send(command)

    def _try_to_send(self, command: p.Decide) -> None:
        if self._socket is not None:
            try:
                self._send(command)
            except (OSError, WebSocketException):
                self.close()


def game_of(view: p.View) -> Game:
    """The game of a view: its public log played through, so that whatever reads games reads views."""
    assert view.position
    lucky = [sheet.lucky for sheet in view.position.sheets if sheet.lucky]
    game = Game(view.variant, [seat.name or "" for seat in view.seats], seed=0, lucky=lucky or None)
    for turn in view.log:
        game.roll(turn.dice)
        for player, mark in enumerate(turn.white or ()):
            game.play(player, mark)
        if turn.colour is not None:
            game.play(game.active, turn.colour)
    return game
