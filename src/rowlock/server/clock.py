"""The time of the server: that of the machine at the start, then measured by a clock that never jumps."""

import time


def steady_ns() -> int:
    """Nanoseconds since some moment; the time that the machine sleeps counts where the system measures it."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


class Clock:
    """Milliseconds since 1970, as events store them."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Take over the time of the machine."""
        self._offset = time.time_ns() - steady_ns()

    def now(self) -> int:
        return (self._offset + steady_ns()) // 1_000_000


server_clock = Clock()
now = server_clock.now
