"""The registry: all tables of this server, those in use kept at hand."""

import asyncio
import itertools
import logging
from contextlib import suppress

from rowlock.server import commands, protocol
from rowlock.server.bot_runner import BotRunner
from rowlock.server.events import AnyEvent, Rematched
from rowlock.server.notifications import EVERY_TABLE, Notification, Notifications, PostgresNotifications
from rowlock.server.refusal import Refused
from rowlock.server.secret import ALPHABET, TABLE_CODE, new_code, read_code, table_code_of
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, Entry, Storage, StorageFailure, Unreadable, now
from rowlock.server.table import Table
from rowlock.server.table_session import Services, TableSession

GRACE_SECONDS = 10  # what players have at least to decide after a restart
IDLE_SECONDS = 60.0
FORGET_SECONDS = 3600.0
DAY = 86_400_000

logger = logging.getLogger("rowlock.server")


class TableRegistry:
    """Where tables are created and found."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.storage = Storage(settings.database_url, full=settings.sync == "full", announce=self._announce)
        self.notifications = PostgresNotifications(self.storage.url) if self.storage.shared else Notifications()
        self.bot_runner = BotRunner(settings.bot_processes, settings.bot_seconds)
        self.services = Services(settings, self.storage, self.notifications, self.bot_runner)
        self.sessions: dict[str, TableSession] = {}
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self._opened_at = 0

    async def open(self) -> None:
        try:
            await self.storage.open()
            self._opened_at = now()
            await self.notifications.open(self._heard)
        except BaseException:
            await self.close()
            raise
        self.services.spawn(self._resume())
        self.services.spawn(self._tidy())

    async def close(self) -> None:
        for session in self.sessions.values():
            session.close()
        await self.services.stop_tasks()
        await self.notifications.close()
        await self.bot_runner.close()
        await self.storage.close()

    # Tables

    async def find(self, code: str) -> TableSession:
        """A table by its code, as people type it."""
        code = read_code(code)
        session = self.sessions.get(code)
        if session is None:
            if len(code) != TABLE_CODE or not set(code) <= set(ALPHABET):
                raise Refused("no-table")
            if code not in self._loading:
                self._loading[code] = task = self.services.spawn(self._load(code))
                task.add_done_callback(lambda _: self._loading.pop(code, None))
            session = await asyncio.shield(self._loading[code])
        session.used_at = asyncio.get_running_loop().time()
        return session

    async def _load(self, code: str) -> TableSession:
        try:
            entries = await self.storage.read(code)
            if not entries:
                raise Refused("no-table")
            table = Table(code)
            for entry in entries:
                table.apply(entry.event, entry.at)
            return self._seat_at(table)
        except Refused:
            raise
        except Exception as error:  # noqa: BLE001
            # Whatever is wrong with its log is this table's trouble: it is refused, the others go on.
            if isinstance(error, Unreadable) or not isinstance(error, StorageFailure):
                logger.error("table %s cannot be read: %s: %s", code, type(error).__name__, error)
            raise Refused("storage") from None

    def _seat_at(self, table: Table) -> TableSession:
        if table.code in self.sessions:  # somebody else was looking for it, too
            return self.sessions[table.code]
        table.not_before = self._opened_at + 1000 * min(GRACE_SECONDS, table.seconds or 0)
        session = self.sessions[table.code] = TableSession(self.services, table)
        self.notifications.tell(Notification("who", table.code))
        return session

    async def create(self, wish: protocol.TableWish) -> TableSession:
        """A new table, or the one that the same command has created before."""
        events = commands.create(wish)
        for attempt in itertools.count():
            code = new_code(TABLE_CODE) if wish.id is None else table_code_of(wish.id, attempt)
            table = Table(code)
            try:
                await self.storage.append(_begin(table, events, now()))
            except Conflict:  # the code is taken
                found = await self._created_by(wish.id, code)
                if found is None:
                    continue
                if found.table.created != events[0]:
                    raise Refused("id-reused") from None
                return found
            except StorageFailure:
                raise Refused("storage") from None
            return self._seat_at(table)
        raise AssertionError("there is always a free code")

    async def _created_by(self, command: str | None, code: str) -> TableSession | None:
        """A table, if it was this command that created it."""
        if command is None:
            return None
        try:
            session = await self.find(code)
        except Refused as refused:
            if refused.code == "no-table":
                return None
            raise  # whose it is cannot be told now
        return session if session.table.created and session.table.created.command == command else None

    async def rematch(self, session: TableSession, secret: str) -> str:
        """The table of the rematch; whoever asks first creates it."""
        beside: list[Entry] = []

        def act(table: Table, at: int) -> commands.Answer:
            events = commands.rematch(table, secret)
            if table.rematch is not None:
                return table.seq
            code = new_code(TABLE_CODE)
            beside[:] = _begin(Table(code), events, at)
            return [Rematched(code)]

        await session.submit(act, beside)
        assert session.table.rematch is not None
        await self.find(session.table.rematch)
        return session.table.rematch

    # What happens by itself

    async def _resume(self) -> None:
        """After a restart every game goes on: bots decide, clocks run."""
        with suppress(StorageFailure):
            for code in await self.storage.running():
                with suppress(Refused):
                    await self.find(code)
                await asyncio.sleep(0)

    async def _tidy(self) -> None:
        """Drop tables that nobody uses from memory, delete old ones, tell other servers who is connected."""
        forget_at = 0.0
        loop = asyncio.get_running_loop()
        while True:
            if loop.time() >= forget_at:
                forget_at = loop.time() + FORGET_SECONDS
                await self._forget()
            await asyncio.sleep(self.settings.news_seconds)
            self._drop_idle()
            if self.storage.shared:
                for session in self.sessions.values():
                    session.tell_present()
                await self._catch_up()

    async def _forget(self) -> None:
        try:
            ended, left = (int(days * DAY) for days in (self.settings.keep_days, self.settings.keep_unfinished_days))
            count = await self.storage.forget(now() - ended, now() - left, self.sessions)
        except StorageFailure as failure:
            logger.warning("old tables cannot be deleted now: %s", type(failure.__cause__).__name__)
            return
        if count:
            logger.info("%d old tables deleted", count)

    async def _catch_up(self) -> None:
        """Look for events that no news have told of: a connection for news can break without a word."""
        with suppress(StorageFailure):
            for code, seq in (await self.storage.last(self.sessions)).items():
                if code in self.sessions:
                    with suppress(Refused):
                        await self.sessions[code].read_on(seq)

    def _drop_idle(self) -> None:
        latest = asyncio.get_running_loop().time() - IDLE_SECONDS
        for code, session in list(self.sessions.items()):
            if session.idle and session.used_at <= latest:
                session.close()
                del self.sessions[code]

    def _announce(self, table: str, seq: int) -> str:
        return self.notifications.write(Notification("events", table, seq=seq))

    async def _heard(self, item: Notification) -> None:
        """Notifications from another server."""
        if item.about == "events" and item.table == EVERY_TABLE:
            for session in list(self.sessions.values()):
                with suppress(Refused):
                    await session.read_on()
        found = self.sessions.get(item.table)
        if found is None:
            return
        if item.about == "present":
            found.hear_present(item.sender, set(item.present))
        elif item.about == "who":
            found.tell_present()
        else:
            with suppress(Refused):
                await found.read_on(item.seq)


def _begin(table: Table, events: list[AnyEvent], at: int) -> list[Entry]:
    """The first entries of a new table."""
    return [Entry(table.code, seq, event, at) for seq, event in enumerate(commands.carry_out(table, events, at), 1)]
