"""A table in use: runs commands one by one, stores their events, notifies subscribers, runs bots and timers."""

import asyncio
import random
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from rowlock.server import commands
from rowlock.server.bot_runner import BotRunner
from rowlock.server.notifications import Notification, Notifications
from rowlock.server.refusal import Refused
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, Entry, Storage, StorageFailure, now
from rowlock.server.table import Table
from rowlock.server.views import Presence, ViewBuilder

RETRY_SECONDS = 1.0
PRESENCE_INTERVALS = 2.5  # another server's report of its connections is valid for this many notification intervals

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


class TableSession(Presence):
    """A table in memory with its subscribers, its bots and its timer."""

    def __init__(self, services: Services, table: Table) -> None:
        self.services, self.table = services, table
        self.subscribers: dict[Subscriber, set[str]] = {}  # with the hashes of the secrets that each holds
        self._connected_here: set[str] = set()  # all hashes in `subscribers`
        self._connected_elsewhere: dict[str, tuple[set[str], float]] = {}  # by server: hashes, time of its report
        self.last_used = self._loop_time()
        self._last_seen: dict[str, float] = {}  # by hash: when its last connection was lost, or this session began
        self._view_builder = ViewBuilder()
        self._lock = asyncio.Lock()
        self._stale = False  # whether the database may have newer events
        self._bot_tasks: dict[int, tuple[tuple[int, str], asyncio.Task[None]]] = {}  # by seat number, for (turn, phase)
        self._timer: asyncio.TimerHandle | None = None
        self._closed = self._returning_seats = False
        self._schedule()

    @staticmethod
    def _loop_time() -> float:
        return asyncio.get_running_loop().time()

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
        async with self._lock:
            self.last_used = self._loop_time()
            while True:
                await self._read_if_stale()
                at = now()
                outcome = handler(self.table, at)
                if isinstance(outcome, int):
                    return outcome
                if not outcome:
                    return self.table.seq
                # On a copy: events that cannot be applied are not stored, events that are not stored are not shown.
                first_seq, changed_table = self.table.seq + 1, self.table.copy()
                events = commands.apply_events(changed_table, outcome, at)
                entries = [Entry(self.table.code, seq, event, at) for seq, event in enumerate(events, first_seq)]
                try:
                    await self.services.storage.append([*entries, *extra_entries])
                except Conflict:
                    self._stale = True  # another server has written first: read its events and try again
                    continue
                except StorageFailure:
                    self._stale = True
                    raise Refused("storage") from None
                self.table = changed_table
                self.publish()
                return first_seq

    async def catch_up(self, seq: int | None = None) -> None:
        """Read events of other servers, unless this table already has all events up to `seq`."""
        async with self._lock:
            self._stale = self._stale or seq is None or seq > self.table.seq
            await self._read_if_stale()

    async def _read_if_stale(self) -> None:
        if not self._stale:
            return
        try:
            entries = await self.services.storage.read(self.table.code, self.table.seq)
        except StorageFailure:
            raise Refused("storage") from None
        self._stale = False
        for entry in entries:
            self.table.apply(entry.event, now())  # not `entry.at`: the clocks of servers differ
        if entries:
            self.publish()

    # Subscribers

    def publish(self) -> None:
        """Notify all subscribers, then schedule bots and the timer for the new state."""
        for subscriber in self.subscribers:
            subscriber.on_change(self)
        self._schedule()

    def view(self, hashes: set[str]) -> bytes:
        return self._view_builder.build(self.table, self, hashes, now())

    def subscribe(self, subscriber: Subscriber, hashes: set[str]) -> None:
        """Add a subscriber, or replace the hashes of a known one."""
        lost = self.subscribers.get(subscriber, set()) - hashes
        self.subscribers[subscriber] = hashes
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
        oldest_valid = self._loop_time() - PRESENCE_INTERVALS * self.services.settings.news_seconds
        return any(secret_hash in hashes and at > oldest_valid for hashes, at in self._connected_elsewhere.values())

    def absent(self, secret_hash: str) -> bool:
        last_seen = self._last_seen.get(secret_hash, self._loop_time())
        absent_at = last_seen + self.services.settings.absent_seconds
        return not self.connected(secret_hash) and self._loop_time() >= absent_at

    def send_presence(self) -> None:
        """Report the connections of this server to other servers."""
        self.services.notifications.send(Notification("present", self.table.code, present=sorted(self._connected_here)))

    def receive_presence(self, sender: str, hashes: set[str]) -> None:
        """Store which connections another server has."""
        old_hashes, _ = self._connected_elsewhere.get(sender, (set(), 0.0))
        self._connected_elsewhere[sender] = (hashes, self._loop_time())
        self._last_seen.update(dict.fromkeys(old_hashes - hashes, self._loop_time()))
        if old_hashes != hashes:
            self.publish()

    # Bots and timer

    @property
    def idle(self) -> bool:
        """Whether the table has no subscriber, no command that is running, no bot to decide and no deadline."""
        busy = self.subscribers or self._bot_tasks or self._lock.locked() or self.table.deadline is not None
        return not busy

    def close(self) -> None:
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for _, task in self._bot_tasks.values():
            task.cancel()

    def _schedule(self) -> None:
        """Give seats back to returned players, start the bots that are to decide and set the timer."""
        if self._closed:
            return
        for seat in self.table.seats:
            if seat.secret_hash is not None:
                self._last_seen.setdefault(seat.secret_hash, self._loop_time())
        if commands.return_seats(self.table, self._connected_here) and not self._returning_seats:
            self._returning_seats = True
            self.services.spawn(self._return_seats())
        self._update_bot_tasks()
        if self._timer:
            self._timer.cancel()
            self._timer = None
        delay = self._seconds_to_timeout()
        if delay is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, delay), self._on_timeout)

    def _seconds_to_timeout(self) -> float | None:
        """The seconds until the deadline or until a disconnected player counts as absent, whichever comes first."""
        delays = []
        if self.table.deadline is not None:
            delays.append((self.table.deadline - now()) / 1000)
        if self.table.state == "running" and self.subscribers:
            for seat in self.table.seats:
                secret_hash = seat.secret_hash
                if secret_hash and not self.connected(secret_hash) and not self.absent(secret_hash):
                    seconds_away = self._loop_time() - self._last_seen[secret_hash]
                    delays.append(self.services.settings.absent_seconds - seconds_away + 0.01)  # not too early
        return min(delays, default=None)

    def _on_timeout(self) -> None:
        self._timer = None
        if self.table.deadline is not None and now() >= self.table.deadline:
            self.services.spawn(self._submit_with_retry(commands.decide_by_timeout))
        else:
            self.publish()

    async def _return_seats(self) -> None:
        await self._submit_with_retry(lambda table, _: commands.return_seats(table, self._connected_here))
        self._returning_seats = False

    def _update_bot_tasks(self) -> None:
        """Cancel bots whose decision is no longer needed, and start those that are to decide."""
        game = self.table.game
        turn_and_phase = (game.turn, game.phase) if game else (0, "")
        to_act = game.to_act if game else ()
        bots = {number: seat.deciding_bot for number, seat in enumerate(self.table.seats) if seat.deciding_bot}
        for seat_number, (started_in, task) in list(self._bot_tasks.items()):
            if started_in != turn_and_phase or seat_number not in to_act or seat_number not in bots:
                task.cancel()
                del self._bot_tasks[seat_number]
        for seat_number in to_act:
            if seat_number in bots and seat_number not in self._bot_tasks:
                task = self.services.spawn(self._run_bot(bots[seat_number], seat_number, *turn_and_phase))
                self._bot_tasks[seat_number] = (turn_and_phase, task)

    async def _run_bot(self, bot: str, seat_number: int, turn: int, phase: str) -> None:
        game = self.table.game
        assert game is not None
        view = game.view(seat_number)
        await asyncio.sleep(self.services.settings.bot_pause * random.uniform(0.5, 1.5))
        option, trouble = await self.services.bot_runner.decide(bot, view)
        submit = self._submit_with_retry(
            lambda table, _: commands.decide_by_bot(table, seat_number, turn, phase, option, trouble)
        )
        # The decision leads to `_update_bot_tasks`, which cancels this task: that must not cancel the decision.
        await asyncio.shield(self.services.spawn(submit))

    async def _submit_with_retry(self, handler: CommandHandler) -> None:
        """Submit a command of the server itself, repeatedly while the storage fails."""
        while not self._closed:
            try:
                await self.submit(handler)
                return
            except Refused as refused:
                if refused.code != "storage":
                    return
                await asyncio.sleep(RETRY_SECONDS)
