"""A table in use: runs commands one by one, stores their events, notifies subscribers, runs bots and timers."""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import msgspec

from rowlock.server import commands, metrics
from rowlock.server.bot_runner import BotRunner
from rowlock.server.events import AnyEvent, Decided, Offered, Rematched, TakebackAsked
from rowlock.server.history import ChangedHistory, Entry, History, Row
from rowlock.server.notifications import Notification, Notifications
from rowlock.server.refusal import Refused
from rowlock.server.secret import TABLE_CODE_LENGTH, new_code
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, Storage, StorageFailure, now
from rowlock.server.table import Table
from rowlock.server.views import Presence, ViewBuilder

RETRY_SECONDS = 1.0  # after which the server repeats its own commands while the storage fails
EVENTS_AT_ONCE = 200  # applied without letting other tasks run
PRESENCE_INTERVALS = 2.5  # another server's report of its connections is valid for this many notification intervals

logger = logging.getLogger("rowlock.server")

T = TypeVar("T")
CommandHandler = Callable[[Table, int], commands.Outcome]


class Subscriber(Protocol):
    """An object whose `on_change` is called whenever the view of a table may have changed."""

    def on_change(self, session: "TableSession") -> None: ...


class Services:
    """What all tables of a server share."""

    def __init__(
        self, settings: Settings, storage: Storage, notifications: Notifications, bot_runner: BotRunner
    ) -> None:
        self.settings, self.storage, self.notifications, self.bot_runner = settings, storage, notifications, bot_runner
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start a task that runs to its end, even if its caller is cancelled."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def stop_tasks(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def append(table: Table, history: History, events: Sequence[AnyEvent], at: int) -> list[Entry]:
    """Apply events and what follows from them; return the entries to be stored."""
    return [history.append(event, at) for event in commands.apply_events(table, events, at)]


async def apply_rows(table: Table, history: History, rows: Sequence[Row], at: int | None = None) -> None:
    """Apply stored events, as if they happened at the time `at` if it is given; other tasks run meanwhile."""
    for count, row in enumerate(rows, 1):
        entry = history.read(row)
        event = entry.event
        if at is not None and isinstance(event, TakebackAsked | Offered):
            event = msgspec.structs.replace(event, until=event.until - entry.at + at)
        table.apply(event, entry.at if at is None else at)
        if count % EVENTS_AT_ONCE == 0:
            await asyncio.sleep(0)


@contextmanager
def refusing_unreadable(code: str) -> Iterator[None]:
    """Refuse a table whose stored events cannot be read or applied; the other tables are not affected."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:  # noqa: BLE001
        if not isinstance(error, StorageFailure):
            _log_unreadable(code, f"{type(error).__name__}: {getattr(error, 'text', error)}")  # without the player
        raise Refused("history" if isinstance(error, ChangedHistory) else "storage") from None


@lru_cache(1000)
def _log_unreadable(code: str, reason: str) -> None:
    """Log why a table cannot be read: once, though it is tried again and again."""
    logger.error("table %s cannot be read: %s", code, reason)


def _count_decisions(entries: Sequence[Entry], seconds: float) -> None:
    for entry in entries:
        if isinstance(entry.event, Decided):
            metrics.decisions[entry.event.by] += 1
            metrics.decision_seconds.observe(seconds)


class TableSession(Presence):
    """A table in memory with its subscribers, its bots and its timer."""

    def __init__(self, services: Services, table: Table, history: History) -> None:
        self.services, self.table, self.history = services, table, history
        self.subscribers: dict[Subscriber, set[str]] = {}  # with the hashes of the secrets that each holds
        self._connected_here: set[str] = set()  # all hashes in `subscribers`
        self._connected_elsewhere: dict[str, tuple[set[str], float]] = {}  # by server: hashes, time of its report
        self._loop_time = asyncio.get_running_loop().time
        self.last_used = self._opened_at = self._loop_time()
        self._last_seen: dict[str, float] = {}  # by hash: when its last connection was lost, or this session began
        self._view_builder = ViewBuilder()
        self._version = 0  # of what devices see; increased when it may have changed
        self._lock = asyncio.Lock()
        self._stale = False  # whether the database may have newer events
        # By seat number, with the (takebacks, turn, phase) in which it was started.
        self._bot_tasks: dict[int, tuple[tuple[int, int, str], asyncio.Task[None]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._closed = self._changing_seats = self._creating_rematch = self._starting = False
        self.deleted = False  # from the database: the table exists no more
        self._schedule()

    # Events

    async def submit(self, handler: CommandHandler, extra_entries: Sequence[Entry] = ()) -> int:
        """Run a command and return the number of its event; cancelling the caller does not cancel the command.

        `extra_entries` are events of other tables, stored in the same transaction; the handler may fill them in.
        """
        outcome = await asyncio.shield(self.services.spawn(self._try_submit(handler, extra_entries)))
        if isinstance(outcome, Refused):
            raise outcome
        return outcome

    async def _try_submit(self, handler: CommandHandler, extra_entries: Sequence[Entry]) -> int | Refused:
        """Return a refusal instead of raising it: asyncio logs exceptions of tasks that nobody awaits."""
        try:
            return await self._submit(handler, extra_entries)
        except Refused as refused:
            return refused

    async def _submit(self, handler: CommandHandler, extra_entries: Sequence[Entry]) -> int:
        began_at = time.perf_counter()
        async with self._lock:
            if self.deleted:
                raise Refused("no-table")
            self.last_used = self._loop_time()
            fresh = not self.services.storage.shared  # else another server may have written events
            while True:
                await self._read_if_stale()
                at = now()
                try:
                    outcome = handler(self.table, at)
                except Refused:
                    if fresh:
                        raise
                    fresh = self._stale = True
                    continue
                if isinstance(outcome, int):
                    return outcome
                if not outcome:
                    return self.table.seq
                commands.check_size(self.table, outcome)
                # On a copy: events that cannot be applied are not stored, events that are not stored are not shown.
                first_seq, changed_table, history = self.table.seq + 1, self.table.copy(), self.history.copy()
                entries = append(changed_table, history, outcome, at)
                try:
                    await self.services.storage.append([*entries, *extra_entries])
                except Conflict:
                    self._stale = True  # another server has written first: read its events and try again
                    continue
                except StorageFailure:
                    self._stale = True
                    raise Refused("storage") from None
                self.table, self.history = changed_table, history
                self.publish()
                _count_decisions(entries, time.perf_counter() - began_at)
                return first_seq

    async def delete(self) -> None:
        """Delete the table, between two commands; every device at it is told that there is no such table."""
        async with self._lock:
            await self.services.storage.delete([self.table.code])
            self.end()
        self.services.notifications.send(Notification("deleted", self.table.code))

    async def end_deleted(self) -> None:
        """End a table that another server has deleted, with what this one may have stored since then."""
        self.end()
        async with self._lock:  # a command may be being stored
            await self.services.storage.delete_rest(self.table.code)

    def end(self) -> None:
        """The table has been deleted: run no more commands, bots and timers."""
        self.deleted = True
        self.close()
        self.publish()

    async def catch_up(self, seq: int | None = None, rows: Sequence[Row] = ()) -> None:
        """Apply events of other servers, unless this table already has all events up to `seq`.

        They are read from the database if `rows` are not the next ones.
        """
        async with self._lock:
            rows = [row for row in rows if row.seq > self.table.seq]
            if not self._stale and rows and rows[0].seq == self.table.seq + 1:
                with refusing_unreadable(self.table.code):
                    await self._apply_rows(rows)
                return
            self._stale = self._stale or seq is None or seq > self.table.seq
            await self._read_if_stale()

    async def read_before_refusing(self, hashes: set[str], invite: str | None, last_seq: int = 0) -> None:
        """Read events of other servers if without them a device would be refused, or misses what it knows of."""
        with suppress(Refused):
            commands.check_access(self.table, hashes, invite)
            if last_seq <= self.table.seq and self.table.holds(hashes):
                return
        await self.catch_up()

    async def _read_if_stale(self) -> None:
        if not self._stale:
            return
        with refusing_unreadable(self.table.code):
            await self._apply_rows(await self.services.storage.read(self.table.code, self.table.seq))
        self._stale = False

    async def _apply_rows(self, rows: Sequence[Row]) -> None:
        """Apply events of other servers that follow upon those of this table."""
        if rows:
            # On copies: views are sent while a long history is applied.
            changed_table, history = self.table.copy(), self.history.copy()
            await apply_rows(changed_table, history, rows, now())  # the clocks of servers differ
            self.table, self.history = changed_table, history
            self.publish()

    async def hash_of(self, seq: int) -> str | None:
        """The hash of the event with this number; None if it is not stored."""
        if seq == self.table.seq:
            return self.history.public_hash or None
        try:
            public = seq and self.history.public_hash
            return await self.services.storage.hash_of(self.table.code, seq) if public else None
        except StorageFailure:
            raise Refused("storage") from None

    # Subscribers

    def publish(self) -> None:
        """Notify all subscribers, then schedule bots and the timer for the new state."""
        self._version += 1
        for subscriber in self.subscribers:
            subscriber.on_change(self)
        self._schedule()

    def view(self, hashes: set[str]) -> bytes:
        return self._view_builder.build(self.table, self, hashes, now(), self.history.public_hash, self._version)

    def subscribe(self, subscriber: Subscriber, hashes: set[str]) -> None:
        """Add a subscriber, or replace the hashes of a known one."""
        lost = self.subscribers.get(subscriber, set()) - hashes
        self.subscribers[subscriber] = hashes
        self._version += 1  # while nobody watched, players may have become absent
        self._update_presence(lost, hashes)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self._update_presence(self.subscribers.pop(subscriber, set()))

    def _update_presence(self, lost: set[str], held: Collection[str] = ()) -> None:
        self.last_used = self._loop_time()
        self._last_seen.update(dict.fromkeys(lost, self.last_used))
        self._connected_here = set().union(*self.subscribers.values())
        if lost or held:
            self.send_presence()
            self.publish()

    # Presence

    def connected(self, secret_hash: str) -> bool:
        if secret_hash in self._connected_here:
            return True
        return any(secret_hash in hashes for hashes, _ in self._connected_elsewhere.values())

    def absent(self, secret_hash: str) -> bool:
        last_seen = self._last_seen.get(secret_hash, self._loop_time())
        absent_at = last_seen + self.services.settings.absent_seconds
        return not self.connected(secret_hash) and self._loop_time() >= absent_at

    def connected_people(self) -> list[int]:
        """The seat numbers of the people who are connected and play themselves."""
        seats = self.table.seats
        return [number for number in self.table.people if self.connected(seats[number].secret_hash or "")]

    def present_people(self) -> list[int]:
        """The seat numbers of the people who play themselves and are not absent; short disconnections do not count."""
        return [number for number in self.table.people if not self.is_absent(number)]

    def is_absent(self, seat_number: int) -> bool:
        """Whether a person has this seat and counts as absent."""
        seats = self.table.seats
        secret_hash = seats[seat_number].secret_hash if seat_number < len(seats) else None
        return secret_hash is not None and self.absent(secret_hash)

    def is_undecided(self, seat_number: int) -> bool:
        """Whether the player of a seat has been to decide for so long that the others may let a bot play."""
        began_at = self.table.phase_began_at
        waited = min((now() - began_at) / 1000, self._loop_time() - self._opened_at)  # not while the server was stopped
        long_enough = waited >= self.services.settings.undecided_seconds
        return seat_number in self.table.awaited and long_enough

    def send_presence(self) -> None:
        """Report to other servers which seats have connections here, without those of people who have left."""
        held = sorted(one for one in self._connected_here if self.table.seat_number_of(one) is not None)
        self.services.notifications.send(Notification("present", self.table.code, present=held))

    def receive_presence(self, sender: str, hashes: set[str]) -> None:
        """Store which connections another server has."""
        old_hashes, _ = self._connected_elsewhere.get(sender, (set(), 0.0))
        self._connected_elsewhere[sender] = (hashes, self._loop_time())
        self._last_seen.update(dict.fromkeys(old_hashes - hashes, self._loop_time()))
        if old_hashes != hashes:
            self.publish()

    def drop_old_presence(self) -> None:
        """Drop the reports of servers that send none any more: who was connected there is not connected now."""
        oldest = self._loop_time() - PRESENCE_INTERVALS * self.services.settings.news_seconds
        old = [sender for sender, (_, at) in self._connected_elsewhere.items() if at <= oldest]
        reports = [self._connected_elsewhere.pop(sender) for sender in old]
        for hashes, at in reports:
            self._last_seen.update({one: max(at, self._last_seen.get(one, at)) for one in hashes})
        if any(hashes for hashes, _ in reports):
            self.publish()

    # Bots and timer

    @property
    def idle(self) -> bool:
        """Whether the table has no subscriber, no command that is running, no bot to decide and no deadline."""
        timed = self.table.deadline is not None or self.table.roll_at is not None or self.table.start is not None
        return not (self.subscribers or self._bot_tasks or self._lock.locked() or timed)

    def close(self) -> None:
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for _, task in self._bot_tasks.values():
            task.cancel()

    def _schedule(self) -> None:
        """Let players return and bots take over, start the bots that are to decide and set the timer."""
        if self._closed:
            return
        at = self._loop_time()
        for seat in self.table.seats:
            if seat.secret_hash is not None:
                self._last_seen.setdefault(seat.secret_hash, at)
        if self._seat_changes(self.table) and not self._changing_seats:
            self._changing_seats = True
            self.services.spawn(self._change_seats())
        startable = not self.table.begun and commands.start_full(self.table, self.connected_people())
        if startable and not self._starting:
            self._starting = True
            self.services.spawn(self._start_full())
        answered = bool(self.table.rematch_answers) and not self._creating_rematch
        if answered and commands.rematch_due(self.table, self.present_people()):
            self._creating_rematch = True
            self.services.spawn(self._create_rematch())
        self._update_bot_tasks()
        if self._timer:
            self._timer.cancel()
            self._timer = None
        delay = self._seconds_to_timeout()
        if delay is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, delay), self._on_timeout)

    def _seconds_to_timeout(self) -> float | None:
        """The seconds until the first of these: deadline, next roll, end of a request, a player counts as absent."""
        takeback = self.table.takeback
        expiry = takeback.until + 1 if takeback and takeback.until >= now() else None
        void = self.table.start.until if self.table.start else None
        times = (self.table.deadline, self.table.roll_at, expiry, void)
        delays = [(time - now()) / 1000 for time in times if time is not None]
        if self.table.rematch is None and self.subscribers:
            for seat in self.table.seats:
                secret_hash = seat.secret_hash
                if secret_hash and not self.connected(secret_hash) and not self.absent(secret_hash):
                    seconds_away = self._loop_time() - self._last_seen[secret_hash]
                    # 10 ms later, so that the player then counts as absent
                    delays.append(self.services.settings.absent_seconds - seconds_away + 0.01)
        return min(delays, default=None)

    def _on_timeout(self) -> None:
        self._timer = None
        if self.table.deadline is not None and now() >= self.table.deadline:
            self.services.spawn(self._submit_with_retry(commands.decide_by_timeout))
        elif self.table.roll_at is not None and now() >= self.table.roll_at:
            self.services.spawn(self._submit_with_retry(commands.begin_turn))
        elif self.table.start and now() >= self.table.start.until:
            self.services.spawn(self._submit_with_retry(commands.void_start))
        else:
            self.publish()  # a player counts as absent now, or a request has expired

    def _seat_changes(self, table: Table) -> list[AnyEvent]:
        """Players who return, and bots for which all others have voted."""
        returned = commands.return_seats(table, self._connected_here)
        return returned + (commands.replace_by_votes(table, self.present_people()) if table.replace_votes else [])

    async def _change_seats(self) -> None:
        accepted = await self._submit_with_retry(lambda table, _: self._seat_changes(table))
        self._changing_seats = False
        if accepted:
            self._schedule()  # another change may have become due meanwhile

    async def _start_full(self) -> None:
        await self._submit_with_retry(lambda table, _: commands.start_full(table, self.connected_people()))
        self._starting = False

    async def _create_rematch(self) -> None:
        """Create the table of the rematch in the same transaction as the event that names it."""
        extra_entries: list[Entry] = []

        def handler(table: Table, at: int) -> commands.Outcome:
            present = self.present_people()
            if not commands.rematch_due(table, present):
                return table.seq
            code, seats = new_code(TABLE_CODE_LENGTH), commands.rematch_seats(table, present)
            extra_entries[:] = append(Table(code), History(code), commands.rematch_table(table, seats), at)
            return [Rematched(code, seats)]

        await self._submit_with_retry(handler, extra_entries)
        self._creating_rematch = False

    def _update_bot_tasks(self) -> None:
        """Cancel bots whose decision is no longer needed, and start those that are to decide."""
        game = self.table.game
        # A phase comes again after a decision is taken back or dice are corrected.
        now_in = (self.table.takebacks, *((game.turn, game.phase) if game else (0, "")))
        to_act = game.to_act if game else ()
        bots = {number: seat.deciding_bot for number, seat in enumerate(self.table.seats) if seat.deciding_bot}
        for seat_number, (started_in, task) in list(self._bot_tasks.items()):
            if started_in != now_in or seat_number not in to_act or seat_number not in bots:
                task.cancel()
                del self._bot_tasks[seat_number]
        for seat_number in to_act:
            if seat_number in bots and seat_number not in self._bot_tasks:
                task = self.services.spawn(self._run_bot(bots[seat_number], seat_number, now_in))
                self._bot_tasks[seat_number] = (now_in, task)

    async def _run_bot(self, bot: str, seat_number: int, asked_in: tuple[int, int, str]) -> None:
        game = self.table.game
        assert game is not None
        view = game.view(seat_number)
        await asyncio.sleep(self.services.settings.bot_pause * random.uniform(0.5, 1.5))
        option, trouble = await self.services.bot_runner.decide(bot, view)
        submit = self._submit_with_retry(
            lambda table, _: commands.decide_by_bot(table, seat_number, asked_in, option, trouble)
        )
        # The decision leads to `_update_bot_tasks`, which cancels this task: that must not cancel the decision.
        await asyncio.shield(self.services.spawn(submit))

    async def _submit_with_retry(self, handler: CommandHandler, extra_entries: Sequence[Entry] = ()) -> bool:
        """Submit a command of the server itself, repeatedly while the storage fails; return whether it was accepted."""
        while not self._closed:
            try:
                await self.submit(handler, extra_entries)
                return True
            except Refused as refused:
                if refused.code != "storage":
                    return False
                await asyncio.sleep(RETRY_SECONDS)
        return False
