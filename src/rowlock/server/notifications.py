"""Notifications between the servers that share a database: which table has new events, and who is connected where."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

CHANNEL = "rowlock"
EVERY_TABLE = ""
RETRY_SECONDS = 1.0
logger = logging.getLogger("rowlock.server")


class Notification(msgspec.Struct, omit_defaults=True):
    """A piece of news: new events up to `seq`, the hashes of secrets connected to a table, or a question for those."""

    about: Literal["events", "present", "who"]
    table: str
    sender: str = ""
    seq: int = 0
    present: list[str] = []


class Notifications:
    """Notifications for a server that is alone with its database: there are none."""

    def __init__(self) -> None:
        self.sender = secrets.token_hex(8)

    async def open(self, heard: Callable[[Notification], Awaitable[None]]) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Listen no more."""

    def tell(self, item: Notification) -> None:
        """Let the other servers know who is here; of events the commit that stores them tells."""

    def write(self, item: Notification) -> str:
        """An item as it travels."""
        item.sender = self.sender
        return msgspec.json.encode(item).decode()


class PostgresNotifications(Notifications):
    """LISTEN and NOTIFY over a connection of its own, opened again when it breaks."""

    def __init__(self, url: sa.URL) -> None:
        super().__init__()
        self.dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._to_tell: asyncio.Queue[Notification] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    async def open(self, heard: Callable[[Notification], Awaitable[None]]) -> None:
        self._heard = heard
        self._task = asyncio.create_task(self._run(), name="news")
        await self._listening.wait()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def tell(self, item: Notification) -> None:
        self._to_tell.put_nowait(item)

    async def _run(self) -> None:
        import asyncpg

        heard: asyncio.Queue[Notification] = asyncio.Queue()
        listener = asyncio.create_task(self._pass_on(heard), name="news heard")
        try:
            while True:
                try:
                    connection = await asyncpg.connect(self.dsn)
                    try:
                        await self._talk(connection, heard)
                    finally:
                        await connection.close(timeout=2)
                except Exception as error:  # noqa: BLE001  # a connection breaks in many ways, not all of them documented
                    logger.warning("the news between servers broke off (%s); trying again", type(error).__name__)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            listener.cancel()

    async def _talk(self, connection: Any, heard: "asyncio.Queue[Notification]") -> None:
        def receive(_: object, __: int, ___: str, text: str) -> None:
            item = msgspec.json.decode(text, type=Notification)
            if item.sender != self.sender:
                heard.put_nowait(item)

        broken = asyncio.Event()
        connection.add_termination_listener(lambda _: broken.set())
        await connection.add_listener(CHANNEL, receive)
        if self._listening.is_set():
            heard.put_nowait(Notification("events", EVERY_TABLE))  # what was told in between has been missed
        self._listening.set()
        telling = asyncio.create_task(self._tell_on(connection), name="news to tell")
        breaking = asyncio.create_task(broken.wait(), name="news broken")
        try:
            await asyncio.wait((telling, breaking), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (telling, breaking):
                task.cancel()
            outcome, _ = await asyncio.gather(telling, breaking, return_exceptions=True)
        raise outcome if isinstance(outcome, Exception) else ConnectionError()

    async def _tell_on(self, connection: Any) -> None:
        while True:
            item = await self._to_tell.get()
            await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, self.write(item))

    async def _pass_on(self, heard: "asyncio.Queue[Notification]") -> None:
        while True:
            item = await heard.get()
            try:
                await self._heard(item)
            except Exception:
                logger.exception("news of table %s were not taken in", item.table)
