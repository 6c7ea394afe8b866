"""Notices when the server has more to do than it can: then it opens no new tables, so that games go on."""

import asyncio
import logging
from collections import deque
from statistics import median

from rowlock.server.refusal import Refused
from rowlock.server.settings import Settings

INTERVAL = 0.25  # seconds between two measurements
TURNS = 8  # a decision waits so often for its turn in the event loop until its views are sent
MEASUREMENTS = 11  # of which the median counts: one long pause is no overload

logger = logging.getLogger("rowlock.server")


class Load:
    """How late the event loop does what is due and has as many steps as a decision: a decision is late by as much."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lags: deque[float] = deque(maxlen=MEASUREMENTS)
        self.busy = False

    @property
    def lag(self) -> float:
        """Seconds, over the last measurements."""
        return median(self._lags) if len(self._lags) == MEASUREMENTS else 0.0

    async def watch(self) -> None:
        """Measure for ever."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + INTERVAL
            await asyncio.sleep(INTERVAL)
            for _ in range(TURNS):
                await asyncio.sleep(0)
            self.add(max(0.0, loop.time() - due))

    def add(self, lag: float) -> None:
        """Add a measurement. The server is busy from the limit on, and until it is below half of it."""
        self._lags.append(lag)
        limit = self._settings.busy_seconds
        if self.busy != (self.lag >= (limit / 2 if self.busy else limit)):
            self.busy = not self.busy
            state = "busy: no new tables until it is less" if self.busy else "less busy: new tables are opened again"
            logger.warning("the server is late by %.0f ms and %s", 1000 * self.lag, state)

    def check(self) -> None:
        """Refuse another table while the server is busy."""
        if self.busy:
            raise Refused("busy")
