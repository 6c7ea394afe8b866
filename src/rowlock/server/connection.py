"""The WebSocket of a device: handles its messages one after the other and sends it replies and the newest views."""

import asyncio
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import NamedTuple, Never

import msgspec
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from rowlock.server import commands, forgetting, metrics, protocol
from rowlock.server.limits import AddressLimits, RateLimit
from rowlock.server.refusal import MAX_REASON_LENGTH, Refused
from rowlock.server.secret import hash_of, normalize_code
from rowlock.server.storage import now
from rowlock.server.table import Table
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession
from rowlock.server.transport import Signal

HELLO_SECONDS = 60.0  # a connection that follows no table for this time is closed
MAX_REPLIES = 64  # replies that may wait to be sent; with more, the device is disconnected
MAX_BAD_MESSAGES = 50  # unreadable or too frequent ones; each good message cancels one of them
POLICY_VIOLATION = 1008  # a close code of WebSockets


class Credentials(NamedTuple):
    """What a device has sent for a table: the hashes of the secrets of its seats, and the secret of the invite link."""

    hashes: set[str]
    invite: str | None


class Connection:
    """The connection of one device, subscribed to tables at which it may hold seats."""

    def __init__(self, socket: WebSocket, registry: TableRegistry, limits: AddressLimits) -> None:
        self.socket, self.registry, self.limits, self.settings = socket, registry, limits, registry.settings
        self.subscriptions: dict[TableSession, Credentials] = {}
        self._rate = RateLimit(self.settings.messages_per_second, 2 * self.settings.messages_per_second)
        self._replies: list[bytes] = []
        self._changed_sessions: dict[TableSession, None] = {}  # an ordered set
        self._wake = Signal()
        self._bad_messages = 0
        self._unsubscribed_since = asyncio.get_running_loop().time()

    async def run(self) -> None:
        """Serve the device until it disconnects."""
        receiving = asyncio.create_task(self._receive())
        sending = asyncio.create_task(self._send())
        try:
            await asyncio.wait((receiving, sending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (receiving, sending):
                task.cancel()
            outcomes = await asyncio.gather(receiving, sending, return_exceptions=True)
            for session in list(self.subscriptions):
                session.unsubscribe(self)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, _Disconnected):
                raise outcome

    # Sending

    def on_change(self, session: TableSession) -> None:
        """Send the newest view as soon as possible; older views that were not sent are skipped."""
        self._changed_sessions[session] = None
        self._wake.set()

    def _reply(self, reply: protocol.Ack | protocol.Error | protocol.Pong | protocol.Obstacle) -> None:
        if len(self._replies) >= MAX_REPLIES:
            raise _Disconnected
        self._replies.append(protocol.encoder.encode(reply))
        self._wake.set()

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while data := self._next_frame():
                await self._send_text(data.decode())

    def _next_frame(self) -> bytes | None:
        """The next reply or view to send; unsubscribes from a table that the device may no longer see."""
        if self._replies:
            return self._replies.pop(0)
        while self._changed_sessions:
            session = next(iter(self._changed_sessions))
            del self._changed_sessions[session]
            if (credentials := self.subscriptions.get(session)) is None:
                continue
            try:
                if session.deleted:
                    raise Refused("no-table")
                commands.check_access(session.table, *credentials)
            except Refused as refused:  # the game has started without the spectator, or the host has closed the table
                self._unsubscribe(session)
                return protocol.encoder.encode(protocol.Error(refused.code, refused.values, None, session.table.code))
            return session.view(credentials.hashes)
        return None

    async def _send_text(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
            raise _Disconnected from None

    # Receiving

    async def _receive(self) -> None:
        while True:
            if self.subscriptions:
                message = await self.socket.receive()
            else:
                message = await self._receive_in_time()
            if message["type"] == "websocket.disconnect":
                raise _Disconnected
            await self._handle_text(message.get("text"))
            if self._bad_messages > MAX_BAD_MESSAGES:
                await self._close(POLICY_VIOLATION)

    async def _receive_in_time(self) -> Message:
        try:
            async with asyncio.timeout_at(self._unsubscribed_since + HELLO_SECONDS):
                return await self.socket.receive()
        except TimeoutError:
            return await self._close(POLICY_VIOLATION)

    async def _close(self, code: int) -> Never:
        with suppress(RuntimeError, OSError, WebSocketDisconnect):
            await self.socket.close(code)
        raise _Disconnected

    async def _handle_text(self, text: str | None) -> None:
        message: protocol.AnyMessage | None = None
        try:
            self._rate.count()
            message = self._decode(text)
            self._bad_messages = max(0, self._bad_messages - 1)
            await self._dispatch(message)
        except Refused as refused:
            metrics.refusals[refused.code] += 1
            if message is None:
                self._bad_messages += 1
            ids = _ids(message) if message else _extract_ids(text, self.settings.message_bytes)
            self._reply(protocol.Error(refused.code, refused.values, *ids))

    def _decode(self, text: str | None) -> protocol.AnyMessage:
        if text is None:
            raise Refused("message", reason="messages must be text, not binary")
        # A character has at most four bytes in UTF-8: only long texts need to be encoded to know their size.
        limit = self.settings.message_bytes
        if len(text) * 4 > limit and len(text.encode("utf-8", "replace")) > limit:
            raise Refused("too-large", most=limit)
        try:
            message: protocol.AnyMessage = protocol.message_decoder.decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            _check_version(text)
            raise Refused("message", reason=str(error)[:MAX_REASON_LENGTH]) from None
        return message

    async def _dispatch(self, message: protocol.AnyMessage) -> None:
        match message:
            case protocol.Hello():
                await self._subscribe(message)
            case protocol.Bye():
                session = self._subscribed_session(message.table)
                self._unsubscribe(session)
                self._reply(protocol.Ack(message.id, session.table.code, session.table.seq))
            case protocol.Ping():
                self._reply(protocol.Pong(message.id, now()))
            case protocol.Why():
                session = self._subscribed_session(message.table)
                self._check_seat(self._own_seats(session), message.seat)
                self._reply(commands.why_not(session.table, message))
            case _:
                await self._submit(message)

    async def _subscribe(self, message: protocol.Hello) -> None:
        if message.version != protocol.VERSION:
            raise Refused("version", version=protocol.VERSION)
        hashes = {hash_of(secret) for secret in message.secrets}
        with self.limits.guess(self.socket, secret=bool(hashes or message.invite)):
            session = await self.registry.find(message.table)
            await session.read_before_refusing(hashes, message.invite, message.last_seq)
            if not commands.knows_secret(session.table, hashes, message.invite):
                self.limits.check_guesses(self.socket)
            if not session.table.holds(hashes):
                raise Refused("secret")
            commands.check_access(session.table, hashes, message.invite)
        if session not in self.subscriptions and len(self.subscriptions) >= self.settings.tables_per_connection:
            raise Refused("tables", most=self.settings.tables_per_connection)
        last_hash = await session.hash_of(message.last_seq)
        self.subscriptions[session] = Credentials(hashes, session.table.invite if hashes else message.invite)
        session.subscribe(self, hashes)
        self._reply(protocol.Ack(message.id, session.table.code, session.table.seq, last_hash))
        self.on_change(session)

    def _unsubscribe(self, session: TableSession) -> None:
        del self.subscriptions[session]
        self._unsubscribed_since = asyncio.get_running_loop().time()
        session.unsubscribe(self)

    def _subscribed_session(self, code: str) -> TableSession:
        code = normalize_code(code)
        for session in self.subscriptions:
            if session.table.code == code:
                return session
        raise Refused("not-followed")

    async def _submit(self, message: protocol.Command) -> None:
        session = self._subscribed_session(message.table)
        limit: AbstractContextManager[None] = nullcontext()
        if isinstance(message, protocol.Rematch) and message.agree and not any(session.table.rematch_answers.values()):
            # A rematch is a new table; it counts for the device that is the first to agree to it.
            self.registry.check_capacity()
            limit = self.limits.new_table(self.socket)
        with limit:
            seq = await session.submit(lambda table, at: self._handle_command(session, message, table, at))
        if isinstance(message, protocol.Leave | protocol.Remove):
            await forgetting.erase_left(session)
        self._reply(protocol.Ack(message.id, session.table.code, seq))

    def _handle_command(
        self, session: TableSession, message: protocol.Command, table: Table, at: int
    ) -> commands.Outcome:
        """Run a command if this device may send it."""
        own_seats = self._own_seats(session)
        if isinstance(message, protocol.Leave) and message.seat not in own_seats:
            seq = commands.already_left(table, message)
            if seq is not None:
                return seq
        self._check_seat(own_seats, message.seat if isinstance(message, protocol.SeatCommand) else None)
        match message:
            case protocol.Decide():
                return commands.decide(table, message)
            case protocol.Roll():
                return commands.roll(table, message)
            case protocol.Withdraw():
                return commands.withdraw(table, message, at)
            case protocol.Plan():
                present, offered = session.present_people(), self.registry.offered
                return commands.plan(table, message, own_seats, present, offered)
            case protocol.Start():
                return commands.start(table, message)
            case protocol.Commit():
                return commands.commit(table, message)
            case protocol.Share():
                return commands.give_share(table, message)
            case protocol.Leave():
                return commands.leave(table, message)
            case protocol.Takeback():
                return commands.ask_takeback(table, message, own_seats, at)
            case protocol.Agree():
                return commands.answer_takeback(table, message, at)
            case protocol.Mark():
                return commands.mark(table, message)
            case protocol.Undo():
                return commands.undo(table, message)
            case protocol.NewRoll():
                return commands.new_roll(table, message, own_seats)
            case protocol.Finish():
                return commands.finish(table, message, own_seats)
            case protocol.Rematch():
                return commands.answer_rematch(table, message)
            case protocol.Remove():
                return commands.remove(table, message, own_seats, session.present_people())
            case protocol.Access():
                return commands.set_access(table, message, own_seats, session.present_people())
            case protocol.Return():
                return commands.come_back(table, message)
            case protocol.Replace():
                return commands.replace(
                    table,
                    message,
                    own_seats,
                    absent=session.is_absent(message.seat),
                    undecided=session.is_undecided(message.seat),
                    connected=session.connected_people(),
                )

    def _own_seats(self, session: TableSession) -> list[int]:
        """The numbers of the seats that this device holds."""
        credentials = self.subscriptions.get(session)
        hashes = credentials.hashes if credentials else ()
        return [number for number, seat in enumerate(session.table.seats) if seat.secret_hash in hashes]

    @staticmethod
    def _check_seat(own_seats: list[int], seat_number: int | None) -> None:
        """Refuse the command if this device does not hold this seat, or holds no seat if `seat_number` is None."""
        if seat_number is None and not own_seats:
            raise Refused("secret")
        if seat_number is not None and seat_number not in own_seats:
            raise Refused("not-yours", seat=seat_number)


class _Disconnected(Exception):
    """The connection is closed, or must be closed."""


def _ids(message: protocol.AnyMessage) -> tuple[str | None, str | None]:
    """The id and the table code of a message, for the reply."""
    return getattr(message, "id", None), getattr(message, "table", None)


class _Greeting(msgspec.Struct, tag_field="type", tag="hello"):
    version: int


def _check_version(text: str) -> None:
    """Refuse a `hello` of another version, which may have fields that this version does not know."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        if _greeting_decoder.decode(text).version != protocol.VERSION:
            raise Refused("version", version=protocol.VERSION)


class _Id(msgspec.Struct):
    id: protocol.CommandId


class _TableCode(msgspec.Struct):
    table: protocol.TableCode


_id_decoder, _table_decoder = msgspec.json.Decoder(_Id), msgspec.json.Decoder(_TableCode)
_greeting_decoder = msgspec.json.Decoder(_Greeting)


def _extract_ids(text: str | None, limit: int) -> tuple[str | None, str | None]:
    """The id and the table code of a message that could not be decoded; None for what is unreadable."""
    if text is None or len(text) > limit:
        return None, None
    command_id: str | None = None
    table_code: str | None = None
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        command_id = _id_decoder.decode(text).id
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        table_code = _table_decoder.decode(text).table
    return command_id, table_code
