"""The time of the server: taken from the machine's clock at the start, then measured by one that never jumps."""

import time


def steady_ns() -> int:
    """Nanoseconds since a fixed moment, including the time that the machine slept, where the system can tell."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


class Clock:
    """Milliseconds since 1970, as events store them."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Set this clock to the time of the machine."""
        self._offset = time.time_ns() - steady_ns()  # nanoseconds

    def now(self) -> int:
        return (self._offset + steady_ns()) // 1_000_000


server_clock = Clock()
now = server_clock.now
