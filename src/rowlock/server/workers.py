"""Several processes, the workers, that serve the same address and share a PostgreSQL database.

This process opens the listening sockets, starts the workers, which inherit them, and starts another one when one ends.
It does nothing else, so that nothing of the server can stop it.
"""

import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from glob import escape
from pathlib import Path
from typing import IO

from rowlock.server.settings import Settings

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
RESTART_SECONDS = 1.0  # before another worker begins in the place of one that ended within this time
MAX_REPORT = 1000  # bytes of the reason for which a worker cannot start

# Serves with these settings on these sockets. Further arguments: which share of the running games to resume, None for
# all; a pipe that ends with this process; and what to call when ready. Returns the exit status, `DRAINED` if no other
# worker is to be started.
ServeWorker = Callable[[Settings, Sequence[socket.socket], int | None, int, Callable[[], None]], int]
DRAINED, STOPPED = 0, 3

logger = logging.getLogger("rowlock.server")


class WorkerFailed(Exception):
    """A worker cannot start; the text is one line."""


class Supervisor:
    """Keeps the workers running until it is told to stop, or until they have drained."""

    def __init__(self, settings: Settings, sockets: Sequence[socket.socket], serve_worker: ServeWorker) -> None:
        self._settings, self._sockets, self._serve_worker = settings, sockets, serve_worker
        self._workers: dict[int, tuple[int, float]] = {}  # by process id: the worker's number, when it was started
        self._ending = False  # nothing is started any more
        self._signals = {*STOP_SIGNALS, signal.SIGUSR1, signal.SIGCHLD}

    def run(self, ready: Callable[[], None]) -> None:
        """Start the workers, call `ready` when all serve, and return when all have ended."""
        gc.collect()
        gc.freeze()  # shared with the workers: pages of objects that are never examined are never copied
        signal.signal(signal.SIGCHLD, lambda *_: None)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, self._signals)
        # The workers end when the writing end is closed, also by kill -9 of this process.
        self._alive, self._living = os.pipe()
        try:
            reports = [self._start(number, number) for number in range(self._settings.workers)]
            failure = next((text for text in map(_read_report, reports) if text), None)
            if failure:
                self._signal_all(signal.SIGTERM)
            else:
                ready()
            self._watch()
            if failure:
                raise WorkerFailed(failure)
        finally:
            os.close(self._living)
            os.close(self._alive)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _watch(self) -> None:
        while self._workers:
            number = signal.sigwait(self._signals)
            if number == signal.SIGCHLD:
                self._reap()
            elif number in STOP_SIGNALS:
                self._signal_all(signal.SIGTERM)
            elif not self._ending:  # afterwards every worker reports that it drains
                self._signal_all(signal.Signals(number))

    def _signal_all(self, number: signal.Signals) -> None:
        self._ending = True
        for process in self._workers:
            os.kill(process, number)  # it exists until it is waited for

    def _reap(self) -> None:
        """Start a worker for each that has ended, unless it has drained: then all do."""
        for process, (number, started_at) in list(self._workers.items()):
            found, status = os.waitpid(process, os.WNOHANG)
            if not found:
                continue
            del self._workers[process]
            code = os.waitstatus_to_exitcode(status)
            self._ending = self._ending or code == DRAINED
            if not self._ending:
                reason = f"signal {-code}" if code < 0 else f"status {code}"
                logger.warning("worker %d has ended with %s; another one starts", number + 1, reason)
                # It resumes all running games, since any may have been at the one that has ended.
                early = time.monotonic() - started_at < RESTART_SECONDS
                os.close(self._start(number, None, RESTART_SECONDS if early else 0.0))

    def _start(self, number: int, share: int | None, delay: float = 0.0) -> int:
        """Start a worker; return a file descriptor from which its report can be read: nothing, or why it cannot."""
        report, reporting = os.pipe()
        process = os.fork()
        if process:
            os.close(reporting)
            self._workers[process] = number, time.monotonic()
            return report
        status = 1
        try:
            for descriptor in (report, self._living):
                os.close(descriptor)
            with os.fdopen(reporting, "wb") as file:
                status = self._work(number, share, delay, file)
        finally:
            os._exit(status)

    def _work(self, number: int, share: int | None, delay: float, report: IO[bytes]) -> int:
        """What a worker does: it returns its exit status."""
        for one in self._signals:
            signal.signal(one, signal.default_int_handler if one == signal.SIGINT else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, self._signals)
        try:
            time.sleep(delay)
            settings = worker_settings(self._settings, number)
            return self._serve_worker(settings, self._sockets, share, self._alive, report.close)
        except KeyboardInterrupt:
            return STOPPED
        except WorkerFailed as failed:
            with suppress(OSError, ValueError):  # nobody waits for the report, or it has served
                report.write(str(failed).encode()[:MAX_REPORT])
                report.flush()
                return 1
            logger.error("worker %d cannot serve: %s", number + 1, failed)
        except BaseException:
            logger.exception("worker %d has failed", number + 1)
        return 1


def _read_report(descriptor: int) -> str:
    with os.fdopen(descriptor, "rb") as report:
        return report.read().decode(errors="replace")


def worker_settings(settings: Settings, number: int) -> Settings:
    """The settings of a worker: each has its own admin socket and, at the next ports, its own metrics."""
    path, metrics = settings.admin_path, settings.metrics
    if metrics:
        host, _, port = metrics.rpartition(":")
        metrics = f"{host}:{int(port) + number}" if int(port) else metrics
    return replace(settings, metrics=metrics, admin_socket=str(worker_path(path, number)) if path else "off")


def worker_path(path: Path, number: int) -> Path:
    """The admin socket of a worker, where `path` is that of the server."""
    return path.with_name(f"{path.name}.{number + 1}") if number else path


def worker_paths(path: Path) -> list[Path]:
    """The admin sockets of all workers, and perhaps of some that have been killed."""
    return [path, *sorted(path.parent.glob(f"{escape(path.name)}.[0-9]*"))]
