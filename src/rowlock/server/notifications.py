"""Notifications between servers that share a database: which table has new events, which seats are connected where."""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from rowlock.server.history import Row

CHANNEL = "rowlock"
NOTIFY = "SELECT pg_notify('{}', item) FROM unnest(CAST({} AS text[])) AS item"
MAX_BYTES = 7999  # of a notification; PostgreSQL refuses longer ones
EVERY_TABLE = ""  # in the field `table`
RETRY_SECONDS = 1.0
logger = logging.getLogger("rowlock.server")


class Notification(msgspec.Struct, omit_defaults=True):
    """Reports new events of a table up to `seq`, its deletion, or the connections at the sender.

    `who` asks others for their connections. Events that fit are in `rows`, so that nobody has to read them.
    """

    about: Literal["events", "present", "who", "deleted"]
    table: str
    sender: str = ""
    seq: int = 0
    present: list[str] = []  # hashes of the secrets of connected devices
    rows: list[Row] = []


def encode_notification(notification: Notification) -> str:
    data = msgspec.json.encode(notification)
    if len(data) > MAX_BYTES:
        data = msgspec.json.encode(msgspec.structs.replace(notification, rows=[]))
    return data.decode()


def encode_events(sender: str, table: str, rows: Sequence[Row]) -> str:
    """The notification of new events of a table."""
    return encode_notification(Notification("events", table, sender, rows[-1].seq, rows=list(rows)))


class Notifications:
    """Sends and receives nothing, for a server that shares its database with no other server."""

    def __init__(self) -> None:
        self.sender = secrets.token_hex(8)

    async def open(self, receive: Callable[[Notification], Awaitable[None]]) -> None:
        """Start to listen; every notification of another server is passed to `receive`."""

    async def close(self) -> None:
        """Stop listening."""

    def send(self, notification: Notification) -> None:
        """Send to all other servers. Notifications of events are sent by the transaction that stores them."""


class PostgresNotifications(Notifications):
    """LISTEN and NOTIFY over a separate connection, which is opened again when it breaks."""

    def __init__(self, url: sa.URL) -> None:
        super().__init__()
        self.dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        # By what they are about: without a connection the newest one replaces those that wait.
        self._outgoing: dict[tuple[str, str], Notification] = {}
        self._outgoing_added = asyncio.Event()
        self._incoming: dict[str, deque[Notification]] = {}  # that wait, by table
        self._task: asyncio.Task[None] | None = None
        self._deliveries: set[asyncio.Task[None]] = set()  # one for each table in `_incoming`
        self._listening = asyncio.Event()

    async def open(self, receive: Callable[[Notification], Awaitable[None]]) -> None:
        self._receive = receive
        self._task = asyncio.create_task(self._run(), name="notifications")
        await self._listening.wait()

    async def close(self) -> None:
        tasks = [*self._deliveries, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def send(self, notification: Notification) -> None:
        self._outgoing[notification.about, notification.table] = notification
        self._outgoing_added.set()

    async def _run(self) -> None:
        import asyncpg

        while True:
            try:
                connection = await asyncpg.connect(self.dsn)
                try:
                    await self._run_connection(connection)
                finally:
                    await connection.close(timeout=2)
            except Exception as error:  # noqa: BLE001  # asyncpg raises errors that it does not document
                logger.warning("the connection for notifications broke (%s); connecting again", type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    async def _run_connection(self, connection: Any) -> None:
        def listener(_connection: object, _pid: int, _channel: str, text: str) -> None:
            notification = msgspec.json.decode(text, type=Notification)
            if notification.sender != self.sender:
                self._enqueue(notification)

        broken = asyncio.Event()
        connection.add_termination_listener(lambda _: broken.set())
        await connection.add_listener(CHANNEL, listener)
        if self._listening.is_set():
            self._enqueue(Notification("events", EVERY_TABLE))  # some may have been missed meanwhile
        self._listening.set()
        sending = asyncio.create_task(self._send_outgoing(connection), name="outgoing notifications")
        watching = asyncio.create_task(broken.wait(), name="notifications broken")
        try:
            await asyncio.wait((sending, watching), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, watching):
                task.cancel()
            send_outcome, _ = await asyncio.gather(sending, watching, return_exceptions=True)
        # Here the connection is broken; if sending did not fail, it was only cancelled.
        raise send_outcome if isinstance(send_outcome, Exception) else ConnectionError()

    async def _send_outgoing(self, connection: Any) -> None:
        while True:
            self._outgoing_added.clear()
            if waiting := self._outgoing.copy():
                for notification in waiting.values():
                    notification.sender = self.sender
                await connection.execute(NOTIFY.format(CHANNEL, "$1"), [*map(encode_notification, waiting.values())])
                # If that fails, they are sent over the next connection.
                for key, notification in waiting.items():
                    if self._outgoing[key] is notification:
                        del self._outgoing[key]
            await self._outgoing_added.wait()

    def _enqueue(self, notification: Notification) -> None:
        """Deliver a notification after those of the same table; other tables do not wait for it."""
        if waiting := self._incoming.get(notification.table):
            waiting.append(notification)
            return
        self._incoming[notification.table] = deque([notification])
        task = asyncio.create_task(self._deliver(notification.table), name="incoming notifications")
        self._deliveries.add(task)
        task.add_done_callback(self._deliveries.discard)

    async def _deliver(self, table: str) -> None:
        waiting = self._incoming[table]
        while waiting:
            try:
                await self._receive(waiting[0])
            except Exception:
                logger.exception("a notification of table %s could not be handled", table)
            waiting.popleft()
        del self._incoming[table]
