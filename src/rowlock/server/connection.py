"""A device's socket: messages in, one after the other; the newest views out, as fast as the device takes them."""

import asyncio
from collections import deque
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from rowlock.server import commands, protocol
from rowlock.server.limits import Rate
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of, read_code
from rowlock.server.storage import now
from rowlock.server.table import Table
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession

HELLO_SECONDS = 60.0  # a connection that follows no table for so long is closed
SEND_SECONDS = 30.0  # one that takes nothing for so long, too
MOST_REPLIES = 64
MOST_REFUSALS = 50  # more messages that are unreadable or too many than others
POLICY_VIOLATION = 1008

Command = protocol.Decide | protocol.Withdraw | protocol.Start | protocol.Leave | protocol.Replace


class Connection:
    """Follows tables for a device that holds seats at some of them."""

    def __init__(self, socket: WebSocket, registry: TableRegistry) -> None:
        self.socket, self.registry, self.settings = socket, registry, registry.settings
        self.held: dict[TableSession, set[str]] = {}
        self._rate = Rate(self.settings.messages_per_second, 2 * self.settings.messages_per_second)
        self._replies: deque[bytes] = deque()
        self._to_show: dict[TableSession, None] = {}
        self._wake = asyncio.Event()
        self._refusals = 0
        self._alone_since = asyncio.get_running_loop().time()  # it has followed no table since then

    async def run(self) -> None:
        """Serve the device until it goes."""
        receiving = asyncio.create_task(self._receive())
        sending = asyncio.create_task(self._send())
        try:
            await asyncio.wait((receiving, sending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (receiving, sending):
                task.cancel()
            outcomes = await asyncio.gather(receiving, sending, return_exceptions=True)
            for session in list(self.held):
                session.unfollow(self)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, _Gone):
                raise outcome

    # Out

    def changed(self, session: TableSession) -> None:
        """Show the table again; a view that still waits to be sent is replaced, not followed, by the new one."""
        self._to_show[session] = None
        self._wake.set()

    def _reply(self, reply: protocol.Ack | protocol.Error | protocol.Pong) -> None:
        if len(self._replies) >= MOST_REPLIES:
            raise _Gone
        self._replies.append(protocol.encoder.encode(reply))
        self._wake.set()

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while data := self._next():
                await self._send_text(data.decode())

    def _next(self) -> bytes | None:
        if self._replies:
            return self._replies.popleft()
        while self._to_show:
            session = next(iter(self._to_show))
            del self._to_show[session]
            if session in self.held:
                return session.view(self.held[session])
        return None

    async def _send_text(self, text: str) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self.socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
            raise _Gone from None

    # In

    async def _receive(self) -> None:
        while True:
            try:
                async with asyncio.timeout_at(None if self.held else self._alone_since + HELLO_SECONDS):
                    message = await self.socket.receive()
            except TimeoutError:
                await self._close(POLICY_VIOLATION)
            if message["type"] == "websocket.disconnect":
                raise _Gone
            await self._take(message.get("text"))
            if self._refusals > MOST_REFUSALS:
                await self._close(POLICY_VIOLATION)

    async def _close(self, code: int) -> None:
        with suppress(RuntimeError, OSError, WebSocketDisconnect):
            await self.socket.close(code)
        raise _Gone

    async def _take(self, text: str | None) -> None:
        message: protocol.AnyMessage | None = None
        try:
            self._rate.count()
            message = self._read(text)
            self._refusals = max(0, self._refusals - 1)
            await self._obey(message)
        except Refused as refused:
            if message is None:
                self._refusals += 1
            names = _named(message) if message else _guess_names(text, self.settings.message_bytes)
            self._reply(protocol.Error(refused.code, refused.values, *names))

    def _read(self, text: str | None) -> protocol.AnyMessage:
        if text is None:
            raise Refused("message", reason="messages are text, not binary")
        # A character is four bytes at the most; only long messages are counted exactly.
        most = self.settings.message_bytes
        if len(text) * 4 > most and len(text.encode("utf-8", "replace")) > most:
            raise Refused("too-large", most=most)
        try:
            message: protocol.AnyMessage = protocol.message_decoder.decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise Refused("message", reason=str(error)[:200]) from None
        return message

    async def _obey(self, message: protocol.AnyMessage) -> None:
        match message:
            case protocol.Hello():
                await self._greet(message)
            case protocol.Bye():
                session = self._followed(message.table)
                del self.held[session]
                self._alone_since = asyncio.get_running_loop().time()
                session.unfollow(self)
                self._reply(protocol.Ack(message.id, session.table.code, session.table.seq))
            case protocol.Ping():
                self._reply(protocol.Pong(message.id, now()))
            case _:
                await self._submit(message)

    async def _greet(self, message: protocol.Hello) -> None:
        if message.version != protocol.VERSION:
            raise Refused("version", version=protocol.VERSION)
        session = await self.registry.find(message.table)
        if message.last_seq > session.table.seq:
            await session.read_on()  # the device has seen more than this server knows
        if session not in self.held and len(self.held) >= self.settings.tables_per_connection:
            raise Refused("tables", most=self.settings.tables_per_connection)
        hashes = {hash_of(secret) for secret in message.secrets}
        if any(session.table.seat_of(one) is None for one in hashes):
            raise Refused("secret")
        self.held[session] = hashes
        session.follow(self, hashes)
        self._reply(protocol.Ack(message.id, session.table.code, session.table.seq))
        self.changed(session)

    def _followed(self, code: str) -> TableSession:
        code = read_code(code)
        for session in self.held:
            if session.table.code == code:
                return session
        raise Refused("not-followed")

    async def _submit(self, message: Command) -> None:
        session = self._followed(message.table)
        seq = await session.submit(lambda table, at: self._act(session, message, table, at))
        self._reply(protocol.Ack(message.id, session.table.code, seq))

    def _act(self, session: TableSession, message: Command, table: Table, at: int) -> commands.Answer:
        """What a command leads to, where this device may give it."""
        if isinstance(message, protocol.Leave) and message.seat not in self._seats(session):
            done = commands.has_left(table, message)
            if done is not None:
                return done
        self._check_seat(session, None if isinstance(message, protocol.Start | protocol.Replace) else message.seat)
        match message:
            case protocol.Decide():
                return commands.decide(table, message)
            case protocol.Withdraw():
                return commands.withdraw(table, message, at)
            case protocol.Start():
                return commands.start(table, message)
            case protocol.Leave():
                return commands.leave(table, message)
            case protocol.Replace():
                secret_hash = table.seats[message.seat].secret_hash if message.seat < len(table.seats) else None
                absent = secret_hash is not None and session.absent(secret_hash)
                return commands.replace(table, message, self._seats(session), absent=absent)

    def _seats(self, session: TableSession) -> list[int]:
        """The seats this device holds."""
        found = (session.table.seat_of(one) for one in self.held.get(session, ()))
        return sorted(seat for seat in found if seat is not None)

    def _check_seat(self, session: TableSession, seat: int | None) -> None:
        """Whether this device holds the seat, or any where none is named."""
        seats = self._seats(session)
        if seat is None and not seats:
            raise Refused("secret")
        if seat is not None and seat not in seats:
            raise Refused("not-yours", seat=seat)


class _Gone(Exception):
    """The device is not there any more, or not worth talking to."""


def _named(message: protocol.AnyMessage) -> tuple[str | None, str | None]:
    """The id and the table that a reply to a message names."""
    return getattr(message, "id", None), getattr(message, "table", None)


class _Id(msgspec.Struct):
    id: protocol.CommandId


class _TableName(msgspec.Struct):
    table: protocol.TableCode


_id_decoder, _table_decoder = msgspec.json.Decoder(_Id), msgspec.json.Decoder(_TableName)


def _guess_names(text: str | None, most: int) -> tuple[str | None, str | None]:
    """The same of a message that was not read, or could not be, as far as it can be told."""
    if text is None or len(text) > most:
        return None, None
    names: list[str | None] = [None, None]
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        names[0] = _id_decoder.decode(text).id
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        names[1] = _table_decoder.decode(text).table
    return names[0], names[1]
