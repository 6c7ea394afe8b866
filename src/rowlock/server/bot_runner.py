"""Bots decide in processes of their own; the server only waits for them."""

import asyncio
import logging
import sys
from contextlib import suppress

import msgspec

from rowlock.rules.game import View
from rowlock.server.bot_process import HEAD, READY, Question, Reply, frame, write_view

logger = logging.getLogger("rowlock.server")
START_SECONDS = 20.0  # what a process may take to start, on a busy machine


class _BotProcess:
    """One process; started when it is first needed, and again after it had to be stopped."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None

    async def ask(self, question: Question) -> Reply:
        """What a bot decides; `TimeoutError` where that takes too long."""
        if self.process is None or self.process.returncode is not None:
            async with asyncio.timeout(START_SECONDS):
                await self._start()
        assert self.process is not None
        sink, source = self.process.stdin, self.process.stdout
        assert sink is not None
        assert source is not None
        async with asyncio.timeout(question.seconds):
            sink.write(frame(question))
            await sink.drain()
            head = await source.readexactly(HEAD.size)
            return msgspec.msgpack.decode(await source.readexactly(HEAD.unpack(head)[0]), type=Reply)

    async def _start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "rowlock.server.bot_process"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert self.process.stdout is not None
        await self.process.stdout.readexactly(len(READY))

    async def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class BotRunner:
    """A few processes that bots share."""

    def __init__(self, processes: int, seconds: float) -> None:
        self.seconds = seconds
        self._free: asyncio.LifoQueue[_BotProcess] = asyncio.LifoQueue()
        self._asking: set[asyncio.Task[tuple[str | None, str | None]]] = set()
        self._all = [_BotProcess() for _ in range(processes)]
        for thinker in self._all:
            self._free.put_nowait(thinker)

    async def decide(self, bot: str, view: View) -> tuple[str | None, str | None]:
        """The option a bot takes; or none, and what the trouble was: `error`, `slow` or `illegal`."""
        asking = asyncio.create_task(self._ask(Question(bot, write_view(view), self.seconds)))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)
        return await asyncio.shield(asking)  # cut off, a process would answer the next question with this one's option

    async def _ask(self, question: Question) -> tuple[str | None, str | None]:
        thinker = await self._free.get()
        try:
            reply = await thinker.ask(question)
        except TimeoutError:
            await thinker.stop()
            return self._failed(question, "slow", f"no decision in {question.seconds} s")
        except (OSError, asyncio.IncompleteReadError):
            await thinker.stop()
            return self._failed(question, "error", "its process has died")
        finally:
            self._free.put_nowait(thinker)
        return (reply.option, None) if reply.trouble is None else self._failed(question, reply.trouble, reply.told)

    @staticmethod
    def _failed(question: Question, trouble: str, told: str) -> tuple[None, str]:
        # Whatever a bot says stays on one line.
        logger.warning("the bot %s passes: %s: %s", question.bot, trouble, ascii(told)[1:-1])
        return None, trouble

    async def close(self) -> None:
        for asking in tuple(self._asking):
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        for thinker in self._all:
            await thinker.stop()
