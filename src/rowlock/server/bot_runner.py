"""Runs bots in separate processes."""

import asyncio
import logging
import sys
from contextlib import suppress

import msgspec

from rowlock.rules.game import View
from rowlock.server.bot_process import HEADER, READY, BotReply, BotRequest, encode_frame, write_view

logger = logging.getLogger("rowlock.server")
START_SECONDS = 20.0  # enough to start a process on a busy machine


class _BotProcess:
    """One process; the first request after its creation or after `stop` starts it."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None

    async def decide(self, request: BotRequest) -> BotReply:
        """The reply to a request; raises `TimeoutError` after its time limit."""
        if self.process is None or self.process.returncode is not None:
            async with asyncio.timeout(START_SECONDS):
                await self._start()
        assert self.process is not None
        writer, reader = self.process.stdin, self.process.stdout
        assert writer is not None
        assert reader is not None
        async with asyncio.timeout(request.seconds):
            writer.write(encode_frame(request))
            await writer.drain()
            header = await reader.readexactly(HEADER.size)
            (length,) = HEADER.unpack(header)
            return msgspec.msgpack.decode(await reader.readexactly(length), type=BotReply)

    async def _start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "rowlock.server.bot_process",
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
    """A pool of processes that run bots; a bot has `seconds` for a decision."""

    def __init__(self, process_count: int, seconds: float) -> None:
        self.seconds = seconds
        # Last in, first out: with few requests, the other processes are never started.
        self._idle_processes: asyncio.LifoQueue[_BotProcess] = asyncio.LifoQueue()
        self._request_tasks: set[asyncio.Task[tuple[str | None, str | None]]] = set()
        self._processes = [_BotProcess() for _ in range(process_count)]
        for process in self._processes:
            self._idle_processes.put_nowait(process)

    async def decide(self, bot: str, view: View) -> tuple[str | None, str | None]:
        """The option that a bot chooses, or None and the kind of failure: `error`, `slow` or `illegal`."""
        task = asyncio.create_task(self._request(BotRequest(bot, write_view(view), self.seconds)))
        self._request_tasks.add(task)
        task.add_done_callback(self._request_tasks.discard)
        return await asyncio.shield(task)  # a cancelled request would leave its reply for the next one to read

    async def _request(self, request: BotRequest) -> tuple[str | None, str | None]:
        process = await self._idle_processes.get()
        try:
            reply = await process.decide(request)
        except TimeoutError:
            await process.stop()
            return self._log_failure(request, "slow", f"no decision in {request.seconds} s")
        except (OSError, asyncio.IncompleteReadError):
            await process.stop()
            return self._log_failure(request, "error", "its process has died")
        finally:
            self._idle_processes.put_nowait(process)
        return (reply.option, None) if reply.trouble is None else self._log_failure(request, reply.trouble, reply.error)

    @staticmethod
    def _log_failure(request: BotRequest, trouble: str, error: str) -> tuple[None, str]:
        # Escaped and without quotes: a message with line breaks stays one line of the log.
        logger.warning("the bot %s passes: %s: %s", request.bot, trouble, ascii(error)[1:-1])
        return None, trouble

    async def close(self) -> None:
        for task in tuple(self._request_tasks):
            task.cancel()
        await asyncio.gather(*self._request_tasks, return_exceptions=True)
        for process in self._processes:
            await process.stop()
