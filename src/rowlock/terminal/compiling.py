"""A line that shows what is being compiled, while somebody waits for it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

LOG = "rowlock.compile"  # where rowlock.fast tells what it compiles; importing that package compiles already


class _Shown(logging.Handler):
    """The function at hand, in a terminal; elsewhere a single line says that something is compiled."""

    def __init__(self) -> None:
        super().__init__()
        self.console = Console(stderr=True, highlight=False)
        self.status: Status | None = None
        self.count = self.depth = 0

    def emit(self, record: logging.LogRecord) -> None:
        began = record.msg.startswith("compiling")
        self.depth = max(0, self.depth + (1 if began else -1))
        self.count += began
        if self.count == 1 and began and not self.console.is_terminal:
            self.console.print("compiling the rules, once ...")
        if not self.console.is_terminal:
            return
        if self.status is None and began:
            self.status = self.console.status("")
            self.status.start()
        if self.status and self.depth:
            self.status.update(f"compiling, once: function {self.count}, {record.getMessage().split()[-1]}")
        elif self.status:
            self.stop()

    def stop(self) -> None:
        if self.status:
            self.status.stop()
        self.status = None


@contextmanager
def compiling_shown() -> Iterator[None]:
    """Show what is compiled in here; nothing where all of it has been compiled before."""
    log, shown = logging.getLogger(LOG), _Shown()
    level = log.level
    log.addHandler(shown)
    log.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        log.removeHandler(shown)
        log.setLevel(level)
        shown.stop()
