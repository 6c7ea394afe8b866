"""A process that runs bots: reads requests with the view of a seat, writes the bot's decisions.

Bots run outside of the server process, so that one that is slow, hangs or crashes does not stop the server.
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
from rowlock.rules.variant import Variant, find_variant, variant_ids

HEADER = struct.Struct("!I")  # the length of a message
READY = b"!"  # written once, when the process has started
MAX_ERROR_LENGTH = 300
COMPILE_AFTER = 20  # decisions; for a bot that decides rarely, compiled code is not worth the compiler's memory
ALARM_DELAY = 5  # seconds after the time limit; normally the server ends the process at the limit


class BotRequest(msgspec.Struct, array_like=True):
    """Which bot is to decide, the pickled view that it gets, and its time limit."""

    bot: str
    view: bytes
    seconds: float


class BotReply(msgspec.Struct, array_like=True):
    """The option that a bot chose, or None with the kind of failure and its description in one line."""

    option: str | None
    trouble: str | None = None  # the kind of failure: error or illegal
    error: str = ""


class _Pickler(pickle.Pickler):
    """Writes a built-in variant as its name and its dealt lucky numbers, since the other process knows the rest."""

    def persistent_id(self, value: Any) -> tuple[str, Any] | None:
        return (str(value), value.dealt) if isinstance(value, Variant) and value.id in variant_ids() else None


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


def encode_frame(message: BotRequest | BotReply) -> bytes:
    body = msgspec.msgpack.encode(message)
    return HEADER.pack(len(body)) + body


class LoadedBots:
    """The bots of this process: interpreted until their compiled code is ready."""

    def __init__(self) -> None:
        self._bots: dict[str, Bot] = {}
        self._decisions: Counter[str] = Counter()

    def __getitem__(self, name: str) -> Bot:
        """The bot for its next decision; after enough decisions, a thread begins to compile it."""
        if name not in self._bots:
            self._bots[name] = find_bot(name)
        self._decisions[name] += 1
        if self._decisions[name] == COMPILE_AFTER:
            Thread(target=self._compile, args=(name,), daemon=True).start()
        return self._bots[name]

    def decide(self, name: str, view: View) -> object:
        bot, options, rng = self[name], list(view.options), random.SystemRandom()
        if isinstance(bot, KernelBot) and type(bot).decide is KernelBot.decide:
            return bot.interpret(view, options, rng)  # `KernelBot.decide` may wait for the compiler
        return bot.decide(view, options, rng)

    def _compile(self, name: str) -> None:
        with suppress(Exception):  # a bot that cannot be compiled stays interpreted
            self._bots[name] = CompiledBot(self._bots[name])


def handle(request: BotRequest, bots: LoadedBots) -> BotReply:
    """Let the bot decide; if it raises an exception or chooses an illegal option, the reply describes the failure."""
    try:
        view = read_view(request.view)
        option = bots.decide(request.bot, view)
    except Exception as error:  # noqa: BLE001  # bots are third-party code
        frame = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}: {error}"
        return BotReply(None, "error", text[:MAX_ERROR_LENGTH])
    if not isinstance(option, str) or option not in view.options:
        return BotReply(None, "illegal", f"{option!r} is no option"[:MAX_ERROR_LENGTH])
    return BotReply(option)


def handle_requests(reader: IO[bytes], writer: IO[bytes]) -> None:
    """Write that the process is ready, then handle one request after the other."""
    writer.write(READY)
    writer.flush()
    bots = LoadedBots()
    while header := reader.read(HEADER.size):
        (length,) = HEADER.unpack(header)
        request = msgspec.msgpack.decode(reader.read(length), type=BotRequest)
        # The signal SIGALRM ends this process if the bot hangs and the server has been killed.
        _set_alarm(request.seconds + ALARM_DELAY)
        writer.write(encode_frame(handle(request, bots)))
        writer.flush()
        _set_alarm(0)  # off


def _set_alarm(seconds: float) -> None:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Serve over standard input and output; what a bot prints goes to the null device."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes the pipe
    writer = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    handle_requests(sys.stdin.buffer, writer)


if __name__ == "__main__":
    main()
