"""Progress on standard error: progress bars, and the function that is being compiled."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rich import progress
from rich.console import Console
from rich.table import Column

LOG = "rowlock.compile"  # the logger of rowlock.fast, which is not imported here because the import starts to compile


class ProgressDisplay(logging.Handler):
    """Progress bars in a terminal; if the output is not a terminal, only one line when something is compiled."""

    def __init__(self) -> None:
        super().__init__()
        self.console = Console(stderr=True, highlight=False)
        text = progress.TextColumn("{task.description}", markup=False, table_column=Column(ratio=1, no_wrap=True))
        bar, remaining = progress.BarColumn(bar_width=12), progress.TimeRemainingColumn()
        columns = (progress.SpinnerColumn(), bar, progress.TaskProgressColumn(), remaining, text)
        hidden = not self.console.is_interactive  # otherwise Rich prints an empty line at the end
        self._bars = progress.Progress(*columns, console=self.console, transient=True, expand=True, disable=hidden)
        self._compiling: progress.TaskID | None = None
        self._function_count = 0  # functions whose compilation has started
        self._depth = 0  # functions being compiled now; one compiles those that it calls

    @contextmanager
    def bar(self, text: str, total: float | None = 1.0, completed: int = 0) -> Iterator[Callable[..., None]]:
        """Show a bar within the context; yield a function that updates its `completed` and `description`."""
        task = self._add(text, total, completed)
        try:
            yield partial(self._bars.update, task)
        finally:
            self._remove(task)

    def emit(self, record: logging.LogRecord) -> None:
        """Handle the message `compiling NAME` or `compiled NAME`."""
        started = record.msg.startswith("compiling")
        self._depth = max(0, self._depth + (1 if started else -1))
        self._function_count += started
        if self._function_count == 1 and started and self._bars.disable:
            self.console.print("compiling the rules, once ...")
        if self._depth:
            if self._compiling is None:
                self._compiling = self._add("", None)
            text = f"compiling, once: function {self._function_count}, {record.getMessage().split()[-1]}"
            self._bars.update(self._compiling, description=text)
        elif self._compiling is not None:
            self._remove(self._compiling)
            self._compiling = None

    def close(self) -> None:
        """Remove the bars that are still shown after an interruption."""
        self._bars.stop()
        super().close()

    def _add(self, text: str, total: float | None, completed: int = 0) -> progress.TaskID:
        task = self._bars.add_task(text, total=total, completed=completed)
        self._bars.start()
        return task

    def _remove(self, task: progress.TaskID) -> None:
        self._bars.remove_task(task)
        if not self._bars.tasks:
            self._bars.stop()


@contextmanager
def show_progress() -> Iterator[ProgressDisplay]:
    """Show progress within the context, and remove it at the end."""
    log, display = logging.getLogger(LOG), ProgressDisplay()
    level = log.level
    log.addHandler(display)
    log.setLevel(logging.DEBUG)
    try:
        yield display
    finally:
        log.removeHandler(display)
        log.setLevel(level)
        display.close()
