"""Draining: a server that is about to stop creates no tables, and stops when nobody plays or after a time."""

import asyncio
import logging
from collections.abc import Callable

from rowlock.server.table_registry import TableRegistry

CHECK_SECONDS = 0.5  # between two looks at who plays
AFTER_SECONDS = 10.0  # after the last game: its devices check the dice, and people look at the result

logger = logging.getLogger("rowlock.server")


class Drain:
    """Begins to drain on a signal or a command; calls `stop` a while after the last game that a device follows."""

    def __init__(
        self, registry: TableRegistry, stop: Callable[[], None], announce: Callable[[], None] = lambda: None
    ) -> None:
        """`announce` is called when it begins."""
        self._registry, self._stop, self._announce = registry, stop, announce
        self._ends_at = self._unused_at = 0.0  # in the time of the event loop

    def begin(self, minutes: float | None = None) -> None:
        """Create no more tables, and stop after so many minutes at the latest; called again, it sets another time."""
        minutes = self._registry.settings.drain_minutes if minutes is None else minutes
        self._ends_at = asyncio.get_running_loop().time() + 60 * minutes
        logger.info("draining: no new tables; %d games go on, for %g minutes at most", len(self.games), minutes)
        if not self._registry.draining:
            self._registry.draining = True
            self._check()
            self._announce()

    def begin_once(self) -> None:
        """Begin, unless it has begun: the time that was given stays."""
        if not self._registry.draining:
            self.begin()

    @property
    def games(self) -> list[str]:
        """The codes of the tables with a running game that a connected device follows."""
        sessions = self._registry.sessions.items()
        return [code for code, session in sessions if session.subscribers and session.table.state == "running"]

    def _check(self) -> None:
        loop = asyncio.get_running_loop()
        if self.games:
            self._unused_at = loop.time() + AFTER_SECONDS
        if loop.time() < min(self._unused_at, self._ends_at):
            loop.call_later(CHECK_SECONDS, self._check)
            return
        logger.info("drained: %d games are left; stopping", len(self.games))
        self._stop()
