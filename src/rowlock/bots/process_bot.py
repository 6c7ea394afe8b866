"""Bots in any language: a process that speaks the line protocol over its standard input and output."""

import os
import queue
import random
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from rowlock.bots import line_protocol
from rowlock.bots.bot import Bot, BotError, LostDecision
from rowlock.rules import kernel
from rowlock.rules.error_text import quote
from rowlock.rules.game import View
from rowlock.rules.variant import Variant

START_SECONDS = 30.0  # a process may take so long until it is ready
MAX_LINE = 65_536  # bytes of a line that a process prints
MAX_UNREAD = 10_000  # lines that are read ahead
ERROR_LINES = 20  # of standard error that are kept for a report
COMMENTS = ("info", "name", "")  # words of lines that are ignored


class ProcessBot(Bot):
    """A program that plays by the line protocol; it is started for its first decision, and again after a failure."""

    offered = False
    keeps_time = True

    def __init__(self, command: str, seconds: float = 10.0) -> None:
        """`seconds` is the time limit per decision."""
        self.command, self.seconds = command, seconds
        self._process: _Process | None = None
        self._game: object = None  # what stays the same in the current game
        self._moment: tuple[int, bool, int] = (0, False, 0)  # of the last decision

    def __reduce__(self) -> tuple[type["ProcessBot"], tuple[str, float]]:
        return ProcessBot, (self.command, self.seconds)  # without the process

    def limited(self, seconds: float) -> Bot:
        return ProcessBot(self.command, seconds)

    def prepare(
        self, variant: Variant, players: int, progress: Callable[[float], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self.check()

    def check(self) -> None:
        """Raise `BotError` unless the program starts and speaks the protocol."""
        try:
            _Process(self.command).close()
        except LostDecision as error:
            raise BotError(f"cmd:{self.command}: {error}", error.details) from None

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        try:
            if self._process is None:
                self._process, self._game = _Process(self.command), None
            return self._ask(self._process, view, options, rng.getrandbits(32))
        except BaseException:
            self.close()
            raise

    def _ask(self, process: "_Process", view: View, options: Sequence[str], word: int) -> str:
        process.skip_unasked()
        game = line_protocol.new_game(view)
        # Grows during a game; the kernel numbers the phase with which the turns of card games begin last.
        moment = (view.turn, view.phase != "take", view.state[kernel.PHASE])
        if game != self._game or moment <= self._moment:
            process.send(line_protocol.line("newgame", game))
        self._game, self._moment = game, moment
        process.send(line_protocol.line("position", line_protocol.position(view, word, self.seconds)))
        process.send(line_protocol.line("decide", list(options)))
        deadline = time.monotonic() + self.seconds
        while True:
            answer, option = process.read(("choose", "after"), deadline, self.seconds)
            if option not in options:
                raise LostDecision(f"'{quote(option)}' is not an option; there are {quote(', '.join(options))}")
            if answer == "choose":
                return option
            process.send(line_protocol.line("sheet", line_protocol.sheet(view.after(option))))

    def close(self) -> None:
        if self._process:
            self._process.close()
        self._process = None


class _Process:
    """A running program, after the handshake; every failure is a `LostDecision`."""

    def __init__(self, command: str) -> None:
        try:
            words = shlex.split(command)
            pipe = subprocess.PIPE
            # In a session of its own the program and what it starts can be ended together.
            self._process = subprocess.Popen(
                words or [""], stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise LostDecision(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._input: IO[bytes] = self._process.stdin
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=ERROR_LINES)
        closed = threading.Event()
        self._threads = [
            threading.Thread(target=_read_lines, args=(self._process.stdout, self._lines, closed), daemon=True),
            threading.Thread(target=_keep_last, args=(self._process.stderr, self._errors), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self.close = weakref.finalize(self, _end, self._process, self._threads, closed)
        try:
            self.send(f"rowlock {line_protocol.VERSION}\n")
            self.read(("ready",), time.monotonic() + START_SECONDS, START_SECONDS)
        except LostDecision as error:
            self.close()
            text = f"{error}; its first line must be ready, and be written without delay"
            raise LostDecision(text, error.details) from None

    def send(self, line: str) -> None:
        try:
            self._input.write(line.encode())
            self._input.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def read(self, words: Sequence[str], deadline: float, seconds: float) -> tuple[str, str]:
        """The next line that begins with one of these words, as the word and the rest."""
        while True:
            try:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise queue.Empty
                line = self._lines.get(timeout=left)
            except queue.Empty:
                raise LostDecision(f"no answer within {seconds:g} s", self._details()) from None
            if not line:
                raise self._ended()
            text, word, rest = _words(line)
            if word in words:
                return word, rest
            if word not in COMMENTS:
                expected = " or ".join(f"{one} OPTION" if one != "ready" else one for one in words)
                raise LostDecision(f"it printed '{quote(text)}' instead of {expected}", self._details())

    def skip_unasked(self) -> None:
        """Skip comments printed since the last answer; anything else would pass for the answer to what comes next."""
        with suppress(queue.Empty):
            while line := self._lines.get_nowait():
                text, word, _ = _words(line)
                if word not in COMMENTS:
                    raise LostDecision(f"it printed '{quote(text)}' without being asked", self._details())
            raise self._ended()

    def _ended(self) -> LostDecision:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._threads[1].join(1)  # until its last words are read
        status = self._process.returncode
        how = "" if status is None else f" with status {status}" if status >= 0 else f" by {_signal_name(-status)}"
        why = f": {quote(self._errors[-1])}" if self._errors else ""
        return LostDecision(f"its process ended{how}{why}", self._details())

    def _details(self) -> str:
        return "".join(f"{line}\n" for line in self._errors)


def _words(line: bytes) -> tuple[str, str, str]:
    """A line that a program has printed: the whole, its first word, and the rest."""
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    word, _, rest = text.partition(" ")
    return text, word, rest.strip(" ")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _read_lines(stream: IO[bytes], lines: "queue.SimpleQueue[bytes]", closed: threading.Event) -> None:
    """Put the lines of a stream into a queue, and an empty one at its end."""
    with stream:
        while line := stream.readline(MAX_LINE):
            lines.put(line)
            while lines.qsize() >= MAX_UNREAD and not closed.wait(0.01):
                pass  # the program has to wait, too
    lines.put(b"")


def _keep_last(stream: IO[bytes], lines: "deque[str]") -> None:
    with stream:
        while line := stream.readline(MAX_LINE):
            lines.append(line.decode("utf-8", "replace").rstrip("\r\n"))


def _end(process: "subprocess.Popen[bytes]", threads: Sequence[threading.Thread], closed: threading.Event) -> None:
    """End a program and what it has started."""
    closed.set()
    with suppress(OSError):
        if process.stdin:
            process.stdin.close()
    if process.returncode is None:  # else its number may belong to another process by now
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
    for thread in threads:
        thread.join(1)
