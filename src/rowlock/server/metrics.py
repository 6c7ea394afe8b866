"""What the server counts and measures, in the text format of Prometheus, at an address of its own.

Counters cost an addition, also if nobody reads them. The format is a few kinds of lines, so no library is needed.
"""

import asyncio
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from rowlock import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PATH = "/metrics"
REQUEST_SECONDS = 10.0  # within which the head of a request must arrive
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

Values = Mapping[str, float]  # by the value of the label, "" without one


class Histogram:
    """How many durations lie within each of the `BOUNDS`."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum}"
        yield f"{name}_count {total}"


# Of the whole process, which runs one server.
decisions: Counter[str] = Counter()  # by who decided: player, bot, time
decision_seconds = Histogram()
stored_events: Counter[str] = Counter()
commits: Counter[str] = Counter()  # by result: ok, failed
commit_seconds = Histogram()
refusals: Counter[str] = Counter()  # by code


def metrics_text(gauges: Mapping[str, tuple[str, str, Values]]) -> str:
    """All metrics; `gauges` are values of the server at this moment: by name, what it is, the label and the values."""
    lines = [
        *_metric("rowlock_info", "gauge", "The version of the server.", "version", {__version__: 1}),
        *(line for name, gauge in gauges.items() for line in _metric(f"rowlock_{name}", "gauge", *gauge)),
        *_metric("rowlock_decisions_total", "counter", "Decisions that were stored, by who decided.", "by", decisions),
        *_histogram(
            "rowlock_decision_seconds",
            "From the arrival of a decision at its table until it is stored and its views are queued.",
            decision_seconds,
        ),
        *_metric("rowlock_stored_events_total", "counter", "Events that were stored.", "", {"": 0, **stored_events}),
        *_metric("rowlock_commits_total", "counter", "Writes to the database, by result.", "result", commits),
        *_histogram("rowlock_commit_seconds", "Duration of a write to the database.", commit_seconds),
        *_metric("rowlock_refusals_total", "counter", "Refused requests and messages, by code.", "code", refusals),
        *_metric(
            "process_resident_memory_bytes", "gauge", "Resident memory of this process.", "", {"": resident_bytes()}
        ),
        *_metric("process_cpu_seconds_total", "counter", "Processor time of this process.", "", {"": _cpu_seconds()}),
    ]
    return "\n".join(lines) + "\n"


def _metric(name: str, kind: str, about: str, label: str, values: Values) -> Iterator[str]:
    yield from (f"# HELP {name} {about}", f"# TYPE {name} {kind}")
    # Values of labels are codes and versions: there is nothing to escape.
    yield from (f'{name}{{{label}="{text}"}} {value}' if label else f"{name} {value}" for text, value in values.items())


def _histogram(name: str, about: str, histogram: Histogram) -> Iterator[str]:
    yield from (f"# HELP {name} {about}", f"# TYPE {name} histogram")
    yield from histogram.lines(name)


def resident_bytes() -> int:
    """The resident memory of this process; 0 where the system does not tell it."""
    with suppress(OSError):
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  # a file of the kernel
            pages = int(file.read().split()[1])
        import resource

        return pages * resource.getpagesize()
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # the most so far, in bytes
    return 0


def _cpu_seconds() -> float:
    return round(time.process_time(), 3)


async def serve_metrics(host: str, port: int, make_text: Callable[[], str]) -> asyncio.Server:
    """Answer GET /metrics at this address; nothing else is there."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(REQUEST_SECONDS):
                method, path, *_ = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split(" ", 2)
                found = method == "GET" and path.partition("?")[0] == PATH
                status, body = ("200 OK", make_text()) if found else ("404 Not Found", f"See {PATH}\n")
                writer.write(_head(status, len(body.encode())) + body.encode())
                await writer.drain()
        writer.close()

    return await asyncio.start_server(answer, host, port)


def _head(status: str, length: int) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    ).encode()
