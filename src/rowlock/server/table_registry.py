"""All tables of this server; those in use are kept in memory."""

import asyncio
import itertools
import logging
from contextlib import suppress
from datetime import UTC, datetime
from typing import cast
from zlib import crc32

from rowlock.rules.variant import Variant
from rowlock.server import commands, protocol
from rowlock.server.bot_runner import BotRunner
from rowlock.server.clock import server_clock
from rowlock.server.events import Created
from rowlock.server.history import History
from rowlock.server.limits import ConnectionLimit
from rowlock.server.load import Load
from rowlock.server.notifications import EVERY_TABLE, Notification, Notifications, PostgresNotifications
from rowlock.server.refusal import Refused
from rowlock.server.secret import ALPHABET, TABLE_CODE_LENGTH, new_code, normalize_code, table_code_of
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, Storage, StorageFailure, now
from rowlock.server.table import Table
from rowlock.server.table_session import Services, TableSession, append, apply_rows, refusing_unreadable
from rowlock.server.variants import parse_file, read_directory

GRACE_SECONDS = 10  # after a restart players have at least this time to decide
IDLE_SECONDS = 60.0  # after which an unused session is closed
CLEANUP_SECONDS = 3600.0  # between deletions of old tables
DAY = 86_400_000  # milliseconds
MAX_SUDDEN_DELETIONS = 5  # all tables, or more than half and more than these, are deleted only after `DELETION_DELAY`
DELETION_DELAY = 7 * DAY  # since the start of the server

logger = logging.getLogger("rowlock.server")


class TableRegistry:
    """Creates tables, finds them by their codes and keeps those in use in memory."""

    def __init__(self, settings: Settings, share: int | None = None) -> None:
        """`share` is which of as many shares as there are workers this one resumes; None for all running games."""
        self.settings, self._share = settings, share
        self.storage = Storage(settings.database_url, full_sync=settings.sync == "full")
        self.notifications = PostgresNotifications(self.storage.url) if self.storage.shared else Notifications()
        self.storage.sender = self.notifications.sender
        self.bot_runner = BotRunner(settings.bot_processes, settings.bot_seconds)
        self.services = Services(settings, self.storage, self.notifications, self.bot_runner)
        self.offered = read_directory(settings.variants)  # files of own variants, by id
        self.sessions: dict[str, TableSession] = {}
        self.connections = ConnectionLimit(settings)  # of WebSockets
        self.load = Load(settings)
        self.draining = False  # the server is about to stop: it creates no tables
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self._started_at = 0
        self._clock_suspicious = False

    async def open(self) -> None:
        try:
            server_clock.start()
            await self.storage.open()
            self._started_at = now()
            await self.notifications.open(self._receive)
        except BaseException:
            await self.close()
            raise
        self.services.spawn(self._resume())
        self.services.spawn(self._maintain())
        self.services.spawn(self.load.watch())

    async def close(self) -> None:
        for session in self.sessions.values():
            session.close()
        await self.services.stop_tasks()
        await self.notifications.close()
        await self.bot_runner.close()
        await self.storage.close()

    # Tables

    @property
    def offered_variants(self) -> list[Variant]:
        """The variants of the server's directory."""
        return [parse_file(text) for text in self.offered.values()]

    async def find(self, code: str) -> TableSession:
        """The table with this code, in any spelling that `normalize_code` accepts."""
        code = normalize_code(code)
        session = self.sessions.get(code)
        if session is None:
            if len(code) != TABLE_CODE_LENGTH or not set(code) <= set(ALPHABET):
                raise Refused("no-table")
            if code not in self._loading:
                self._loading[code] = task = self.services.spawn(self._load(code))
                task.add_done_callback(lambda _: self._loading.pop(code, None))
            session = await asyncio.shield(self._loading[code])
        if session.deleted:
            raise Refused("no-table")
        session.last_used = asyncio.get_running_loop().time()
        return session

    async def _load(self, code: str) -> TableSession:
        with refusing_unreadable(code):
            rows = await self.storage.read(code)
            if not rows:
                raise Refused("no-table")
            table, history = Table(code), History(code)
            await apply_rows(table, history, rows)
            table.resume(rows[-1].at, now(), self.settings.handover_seconds, stopped=not self.storage.shared)
            return self._open_session(table, history)

    def _open_session(self, table: Table, history: History) -> TableSession:
        if table.code in self.sessions:  # loaded by another request meanwhile
            return self.sessions[table.code]
        table.earliest_deadline = now() + 1000 * min(GRACE_SECONDS, table.seconds or 0)
        session = self.sessions[table.code] = TableSession(self.services, table, history)
        self.notifications.send(Notification("who", table.code))
        return session

    def check_capacity(self) -> None:
        """Refuse another table if the server has too many or is about to stop."""
        if self.draining:
            raise Refused("draining")
        if self.storage.table_count >= self.settings.max_tables:
            raise Refused("server-full", most=self.settings.max_tables)

    async def create(self, request: protocol.TableRequest) -> TableSession:
        """Create a table, or return the one that a request with the same id has created before."""
        events = commands.create(request, self.offered)
        for attempt in itertools.count():
            code = new_code(TABLE_CODE_LENGTH) if request.id is None else table_code_of(request.id, attempt)
            table, history = Table(code), History(code)
            try:
                self.check_capacity()
                self.load.check()  # not for rematches: the players are here already
                await self.storage.append(append(table, history, events, now()))
            except StorageFailure:
                raise Refused("storage") from None
            except (Conflict, Refused) as error:  # the code is taken, or the server is full
                existing = await self._find_created_by(request.id, code)
                if existing is None:
                    if isinstance(error, Refused):
                        raise
                    continue
                created = existing.table.created
                if created is None or not commands.same_request(created, cast("Created", events[0])):
                    raise Refused("id-reused") from None
                return existing
            return self._open_session(table, history)
        raise AssertionError("there is always a free code")

    async def _find_created_by(self, request_id: str | None, code: str) -> TableSession | None:
        """The table with this code, if the request with this id created it."""
        if request_id is None:
            return None
        try:
            session = await self.find(code)
        except Refused as refused:
            if refused.code == "no-table":
                return None
            raise  # the storage fails: which request created the table is not known
        return session if session.table.created and session.table.created.command == request_id else None

    async def delete(self, code: str) -> bool:
        """Delete a table at once, even if people play there; return whether it existed."""
        code = normalize_code(code)
        try:
            session = await self.find(code)
        except Refused as refused:
            if refused.code == "no-table":
                return False
            await self.storage.delete([code])  # it cannot be read: nobody plays there
            return True
        await session.delete()
        self.sessions.pop(code, None)
        return True

    # Background tasks

    async def _resume(self) -> None:
        """Load running games after a restart, so that their bots and deadlines continue: all, or a worker's share."""
        with suppress(StorageFailure):
            for code in await self.storage.running_tables():
                if self._share in (None, crc32(code.encode()) % self.settings.workers):
                    with suppress(Refused):
                        await self.find(code)
                await asyncio.sleep(0)  # lets other tasks run

    async def _maintain(self) -> None:
        """Repeat for ever: delete old tables, close idle sessions, exchange presence and events with other servers."""
        cleanup_at = 0.0
        loop = asyncio.get_running_loop()
        while True:
            if loop.time() >= cleanup_at:
                cleanup_at = loop.time() + CLEANUP_SECONDS
                await self._delete_old_tables()
            await asyncio.sleep(self.settings.news_seconds)
            self._close_idle_sessions()
            if self.storage.shared:
                for session in self.sessions.values():
                    session.send_presence()
                    session.drop_old_presence()
                await self._poll_events()

    async def _delete_old_tables(self) -> None:
        try:
            ended_before = now() - int(self.settings.keep_days * DAY)
            inactive_before = now() - int(self.settings.keep_unfinished_days * DAY)
            old_tables = await self.storage.old_tables(ended_before, inactive_before)
            await self.storage.count_tables()
            # Tables that were created since the start have the time of the same clock: they say nothing about it.
            earlier_tables = await self.storage.tables_created_before(self._started_at)
            if self._reports_clock_error(len(earlier_tables.intersection(old_tables)), len(earlier_tables)):
                return
            old_tables = [code for code in old_tables if code not in self.sessions]
            await self.storage.delete(old_tables)
        except StorageFailure as failure:
            logger.warning("old tables cannot be deleted now: %s", type(failure.__cause__).__name__)
            return
        if old_tables:
            logger.info("%d old tables deleted", len(old_tables))

    def _reports_clock_error(self, old_count: int, count: int) -> bool:
        """Log an error and return True if so many of `count` tables are or were old that the clock may be wrong.

        When the server has run for `DELETION_DELAY`, the clock is trusted.
        """
        if 0 < old_count == count or old_count > max(MAX_SUDDEN_DELETIONS, count / 2):
            self._clock_suspicious = True
        if not old_count or not self._clock_suspicious or now() - self._started_at >= DELETION_DELAY:
            return False
        logger.error(
            "%d of %d tables are old enough to be deleted. Is the clock right? It says %s. If not, correct it and start"
            " the server again; otherwise they are deleted when the server has run for %d days",
            old_count,
            count,
            f"{datetime.fromtimestamp(now() / 1000, UTC):%Y-%m-%d %H:%M} UTC",
            DELETION_DELAY // DAY,
        )
        return True

    async def _poll_events(self) -> None:
        """Read events for which no notification came, and end tables that are deleted.

        A broken connection is not always noticed, and other servers delete old tables that are in use here.
        """
        with suppress(StorageFailure):
            known = dict(self.sessions)
            seqs = await self.storage.last_seqs(known)
            for code, session in known.items():
                if self.sessions.get(code) is not session:
                    continue
                if code in seqs:
                    with suppress(Refused):
                        await session.catch_up(seqs[code])
                else:
                    await self._end_deleted(code, session)

    async def _end_deleted(self, code: str, session: TableSession) -> None:
        """End a table that another server has deleted; if the storage fails, the next poll tries again."""
        with suppress(StorageFailure):
            await session.end_deleted()
            if self.sessions.get(code) is session:
                del self.sessions[code]

    def _close_idle_sessions(self) -> None:
        idle_since = asyncio.get_running_loop().time() - IDLE_SECONDS
        for code, session in list(self.sessions.items()):
            if session.idle and session.last_used <= idle_since:
                session.close()
                del self.sessions[code]

    async def _receive(self, notification: Notification) -> None:
        """Handle a notification of another server."""
        if notification.about == "events" and notification.table == EVERY_TABLE:
            await self._poll_events()
        known_session = self.sessions.get(notification.table)
        if known_session is None:
            return
        if notification.about == "present":
            known_session.receive_presence(notification.sender, set(notification.present))
        elif notification.about == "who":
            known_session.send_presence()
        elif notification.about == "deleted":
            await self._end_deleted(notification.table, known_session)
        else:
            with suppress(Refused):
                await known_session.catch_up(notification.seq, notification.rows)
