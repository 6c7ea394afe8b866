"""A table that is in use: commands become events one after the other, everybody is shown what came of them."""

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
ROUNDS = 2.5  # for how many rounds of news another server's word on who is connected there holds

T = TypeVar("T")
Act = Callable[[Table, int], commands.Answer]


class Subscriber(Protocol):
    """Somebody who is shown a table."""

    def changed(self, session: "TableSession") -> None:
        """There is a new view."""


class Services:
    """What tables need of the server around them."""

    def __init__(
        self, settings: Settings, storage: Storage, notifications: Notifications, bot_runner: BotRunner
    ) -> None:
        self.settings, self.storage, self.notifications, self.bot_runner = settings, storage, notifications, bot_runner
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Begin something that goes on whoever waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def stop_tasks(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class TableSession(Presence):
    """A table with those who follow it, its bots and its clock."""

    def __init__(self, services: Services, table: Table) -> None:
        self.services, self.table = services, table
        self.subscribers: dict[Subscriber, set[str]] = {}
        self._here: set[str] = set()  # the hashes of all subscribers
        self.used_at = self._time()
        self._elsewhere: dict[str, tuple[set[str], float]] = {}
        self._last_seen: dict[str, float] = {}
        self._view_builder = ViewBuilder()
        self._lock = asyncio.Lock()
        self._stale = False
        self._thinking: dict[int, tuple[tuple[int, str], asyncio.Task[None]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._closed = self._returning = False
        self._look_ahead()

    @staticmethod
    def _time() -> float:
        return asyncio.get_running_loop().time()

    # Events

    async def submit(self, act: Act, beside: Sequence[Entry] = ()) -> int:
        """Do what a command asks for and return the number of its event; the command may be cut off, its event not.

        `beside` are events of other tables that stand or fall with it; `act` may fill them in.
        """
        answer = await asyncio.shield(self.services.spawn(self._answer(act, beside)))
        if isinstance(answer, Refused):
            raise answer
        return answer

    async def _answer(self, act: Act, beside: Sequence[Entry]) -> int | Refused:
        """A refusal is an answer too; where nobody waits for it any more, that is no error."""
        try:
            return await self._submit(act, beside)
        except Refused as refused:
            return refused

    async def _submit(self, act: Act, beside: Sequence[Entry]) -> int:
        async with self._lock:
            self.used_at = self._time()
            while True:
                await self._read_if_stale()
                at = now()
                answer = act(self.table, at)
                if isinstance(answer, int):
                    return answer
                if not answer:
                    return self.table.seq
                # On a copy: what cannot happen is never stored, what is not stored is never seen.
                first, after = self.table.seq + 1, self.table.copy()
                events = commands.carry_out(after, answer, at)
                entries = [Entry(after.code, seq, event, at) for seq, event in enumerate(events, first)]
                try:
                    await self.services.storage.append([*entries, *beside])
                except Conflict:
                    self._stale = True  # another server was first: see what it wrote, then try again
                    continue
                except StorageFailure:
                    self._stale = True
                    raise Refused("storage") from None
                self.table = after
                self.show()
                return first

    async def read_on(self, seq: int | None = None) -> None:
        """Take in what other servers have written, unless all up to `seq` is known."""
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
            self.table.apply(entry.event, entry.at)
        if entries:
            self.show()

    # Showing

    def show(self) -> None:
        """Let everybody see the table as it is now."""
        for subscriber in self.subscribers:
            subscriber.changed(self)
        self._look_ahead()

    def view(self, own: set[str]) -> bytes:
        return self._view_builder.draw(self.table, self, own, now())

    def follow(self, subscriber: Subscriber, hashes: set[str]) -> None:
        """Show the table to somebody."""
        given_up = self.subscribers.get(subscriber, set()) - hashes
        self.subscribers[subscriber] = hashes
        self._presence_changed(given_up, hashes)

    def unfollow(self, subscriber: Subscriber) -> None:
        self._presence_changed(self.subscribers.pop(subscriber, set()))

    def _presence_changed(self, gone: set[str], come: Collection[str] = ()) -> None:
        self.used_at = self._time()
        self._last_seen.update(dict.fromkeys(gone, self.used_at))
        self._here = set().union(*self.subscribers.values())
        if gone or come:
            self.tell_present()
            self.show()

    # Who is there

    def connected(self, secret_hash: str) -> bool:
        if secret_hash in self._here:
            return True
        fresh = self._time() - ROUNDS * self.services.settings.news_seconds
        return any(secret_hash in held and heard > fresh for held, heard in self._elsewhere.values())

    def absent(self, secret_hash: str) -> bool:
        last_seen = self._last_seen.get(secret_hash, self._time())
        return not self.connected(secret_hash) and self._time() >= last_seen + self.services.settings.absent_seconds

    def tell_present(self) -> None:
        """Let other servers know who is connected here."""
        self.services.notifications.tell(Notification("present", self.table.code, present=sorted(self._here)))

    def hear_present(self, sender: str, hashes: set[str]) -> None:
        before, _ = self._elsewhere.get(sender, (set(), 0.0))
        self._elsewhere[sender] = (hashes, self._time())
        for one in before - hashes:
            self._last_seen[one] = self._time()
        if before != hashes:
            self.show()

    # What happens by itself

    @property
    def idle(self) -> bool:
        """Whether nobody follows the table and nothing will happen to it by itself."""
        waits = self.subscribers or self._thinking or self._lock.locked() or self.table.deadline is not None
        return not waits

    def close(self) -> None:
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for _, task in self._thinking.values():
            task.cancel()

    def _look_ahead(self) -> None:
        """Let players who are back play, and bots think that are to decide; set the clock for what comes next."""
        if self._closed:
            return
        time = self._time()
        for seat in self.table.seats:
            if seat.secret_hash is not None:
                self._last_seen.setdefault(seat.secret_hash, time)
        if commands.come_back(self.table, self._here) and not self._returning:
            self._returning = True
            self.services.spawn(self._let_return())
        self._let_bots_think()
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due = self._next_due()
        if due is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, due), self._clock_struck)

    def _next_due(self) -> float | None:
        """The seconds until a deadline, or until somebody has been away for so long that they are absent."""
        waits = []
        if self.table.deadline is not None:
            waits.append((self.table.deadline - now()) / 1000)
        if self.table.state == "running" and self.subscribers:
            for seat in self.table.seats:
                one = seat.secret_hash
                if one and not self.connected(one) and not self.absent(one):
                    gone = self._time() - self._last_seen[one]
                    waits.append(self.services.settings.absent_seconds - gone + 0.01)
        return min(waits, default=None)

    def _clock_struck(self) -> None:
        self._timer = None
        if self.table.deadline is not None and now() >= self.table.deadline:
            self.services.spawn(self._insist(commands.decide_by_time))
        else:
            self.show()

    async def _let_return(self) -> None:
        await self._insist(lambda table, _: commands.come_back(table, self._here))
        self._returning = False

    def _let_bots_think(self) -> None:
        game = self.table.game
        moment = (game.turn, game.phase) if game else (0, "")
        to_act = game.to_act if game else ()
        for seat, (begun, task) in list(self._thinking.items()):
            if begun != moment or seat not in to_act or self.table.seats[seat].decided_by is None:
                task.cancel()
                del self._thinking[seat]
        for seat in to_act:
            if self.table.seats[seat].decided_by is not None and seat not in self._thinking:
                self._thinking[seat] = (moment, self.services.spawn(self._think(seat, *moment)))

    async def _think(self, seat: int, turn: int, phase: str) -> None:
        bot, game = self.table.seats[seat].decided_by, self.table.game
        assert bot is not None
        assert game is not None
        view = game.view(seat)
        await asyncio.sleep(self.services.settings.bot_pause * random.uniform(0.5, 1.5))
        option, trouble = await self.services.bot_runner.decide(bot, view)
        deciding = self._insist(lambda table, _: commands.decide_by_bot(table, seat, turn, phase, option, trouble))
        # What follows from the decision ends this thinking: it must not be cut off by that.
        await asyncio.shield(self.services.spawn(deciding))

    async def _insist(self, act: Act) -> None:
        """Submit what nobody would ask for again."""
        while not self._closed:
            try:
                await self.submit(act)
                return
            except Refused as refused:
                if refused.code != "storage":
                    return
                await asyncio.sleep(RETRY_SECONDS)
