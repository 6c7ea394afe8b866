"""A process in which bots think: reads what a bot sees, writes what it decides.

It lives beside the server so that a bot that computes for long, hangs or crashes stops nobody else.
"""

import io
import os
import pickle
import random
import signal
import struct
import sys
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import IO, Any

import msgspec

from rowlock.bots import Bot, CompiledBot, KernelBot, find_bot
from rowlock.rules.game import View
from rowlock.rules.variant import Variant, find_variant

HEAD = struct.Struct("!I")
READY = b"!"
MOST = 300  # characters of a failure that are told
WORTH_COMPILING = 20  # decisions of a bot: a compiler in memory is much for one that is hardly asked


class Question(msgspec.Struct, array_like=True):
    """Which bot is to decide, what it sees, and how long it may take."""

    bot: str
    view: bytes
    seconds: float


class Reply(msgspec.Struct, array_like=True):
    """What the bot decided; without an option it failed: the kind of trouble, and what it was in a line."""

    option: str | None
    trouble: str | None = None
    told: str = ""


class _Pickler(pickle.Pickler):
    """Variants go by name, both sides know them, and by the lucky numbers of the game."""

    def persistent_id(self, value: Any) -> tuple[str, Any] | None:
        return (str(value), value.dealt) if isinstance(value, Variant) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Variant:
        name, dealt = pid
        return replace(find_variant(name), dealt=dealt) if dealt else find_variant(name)


def write_view(view: View) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, protocol=5).dump(view)
    return buffer.getvalue()


def read_view(data: bytes) -> View:
    view = _Unpickler(io.BytesIO(data)).load()
    assert isinstance(view, View)
    return view


def frame(message: Question | Reply) -> bytes:
    body = msgspec.msgpack.encode(message)
    return HEAD.pack(len(body)) + body


class Bots:
    """The bots of this process: interpreted until compiled code is ready."""

    def __init__(self) -> None:
        self._found: dict[str, Bot] = {}
        self._asked: Counter[str] = Counter()

    def __getitem__(self, name: str) -> Bot:
        if name not in self._found:
            self._found[name] = find_bot(name)
        self._asked[name] += 1
        if self._asked[name] == WORTH_COMPILING:
            Thread(target=self._compile, args=(name,), daemon=True).start()
        return self._found[name]

    def decide(self, name: str, view: View) -> object:
        bot, options, rng = self[name], list(view.options), random.SystemRandom()
        if isinstance(bot, KernelBot) and type(bot).decide is KernelBot.decide:
            return bot.interpret(view, options, rng)
        return bot.decide(view, options, rng)

    def _compile(self, name: str) -> None:
        with suppress(Exception):  # one that cannot be compiled goes on as it is
            self._found[name] = CompiledBot(self._found[name])


def answer(question: Question, bots: Bots) -> Reply:
    """Let the bot decide; whatever goes wrong in it is its own failure."""
    try:
        view = read_view(question.view)
        option = bots.decide(question.bot, view)
    except Exception as error:  # noqa: BLE001  # a bot is somebody else's code
        last = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}: {error}"
        return Reply(None, "error", told[:MOST])
    if not isinstance(option, str) or option not in view.options:
        return Reply(None, "illegal", f"{option!r} is no option"[:MOST])
    return Reply(option)


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Say that the process is ready, then answer question after question."""
    sink.write(READY)
    sink.flush()
    bots = Bots()
    while head := source.read(HEAD.size):
        question = msgspec.msgpack.decode(source.read(HEAD.unpack(head)[0]), type=Question)
        # Should the server be gone by then, nobody else ends a bot that hangs.
        _set_alarm(question.seconds + 5)
        sink.write(frame(answer(question, bots)))
        sink.flush()
        _set_alarm(0)


def _set_alarm(seconds: float) -> None:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Speak over standard input and output; what a bot prints must not get in between."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes the pipe
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
