"""Limits per address: rates of requests, numbers of connections."""

import ipaddress
import time
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from rowlock.server.refusal import Refused
from rowlock.server.settings import Settings

MAX_KEYS = 10_000  # with more, full buckets are dropped
NEVER_SECONDS = 3600  # the wait that is reported for a bucket that is never refilled
WRONG_GUESS = ("no-table", "secret", "invite", "handover")  # codes of refusals


class RateLimit:
    """A token bucket per key: `per_second` tokens on average, up to `burst` at once."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._buckets: dict[str, tuple[float, float]] = {}  # by key: tokens, time of their count
        self.set(per_second, burst)

    def set(self, per_second: float, burst: float) -> None:
        self.per_second, self.burst = per_second, max(1.0, burst)

    def count(self, key: str = "", cost: float = 1.0) -> None:
        """Take `cost` tokens, or refuse if there are not enough."""
        now = time.monotonic()
        tokens = self._tokens(key, now)
        if len(self._buckets) > MAX_KEYS:
            self._drop_full_buckets(now)
        if tokens >= cost:
            self._buckets[key] = (tokens - cost, now)
        else:
            self._buckets[key] = (tokens, now)
            self._check(tokens, cost)

    def check(self, key: str) -> None:
        """Refuse if there is no token, without taking one."""
        self._check(self._tokens(key, time.monotonic()), 1.0)

    def _tokens(self, key: str, now: float) -> float:
        tokens, counted_at = self._buckets.get(key, (self.burst, now))
        return min(self.burst, tokens + (now - counted_at) * self.per_second)

    def _check(self, tokens: float, cost: float) -> None:
        if tokens < cost:
            wait = max(1, round((cost - tokens) / self.per_second)) if self.per_second else NEVER_SECONDS
            raise Refused("too-fast", seconds=wait)

    def _drop_full_buckets(self, now: float) -> None:
        """Drop buckets that are full again, since a new bucket is full, too."""
        self._buckets = {
            key: (tokens, counted_at)
            for key, (tokens, counted_at) in self._buckets.items()
            if tokens + (now - counted_at) * self.per_second < self.burst
        }


class AddressLimits:
    """The limits of requests, new tables and wrong guesses per address."""

    def __init__(self, settings: Settings) -> None:
        self.requests, self._tables, self._wrong_guesses = (RateLimit(0.0, 0.0) for _ in range(3))
        self.update(settings)

    def update(self, settings: Settings) -> None:
        """Use the limits of these settings from now on; what was counted stays counted."""
        # At once, an address may send the requests of five seconds, and use the tables and wrong guesses of an hour.
        self.requests.set(settings.requests_per_second, 5 * settings.requests_per_second)
        self._tables.set(settings.tables_per_hour / 3600, settings.tables_per_hour)
        self._wrong_guesses.set(settings.failed_tries_per_hour / 3600, settings.failed_tries_per_hour)

    def count_request(self, connection: HTTPConnection, cost: float = 1.0) -> None:
        """Count a request or a new connection; refuse it if its address has made too many."""
        key = address_key(connection)
        if connection.url.path in ("/health", "/ready"):
            key += " health"  # counted separately: a busy server is healthy
        self.requests.count(key, cost)

    @contextmanager
    def new_table(self, connection: HTTPConnection) -> Iterator[None]:
        """Count a new table, unless it is refused; refuse it if its address has created too many."""
        key = address_key(connection)
        self._tables.count(key)
        try:
            yield
        except Refused:
            self._tables.count(key, -1.0)
            raise

    @contextmanager
    def guess(self, connection: HTTPConnection, *, secret: bool = False) -> Iterator[None]:
        """Count wrong table codes and secrets; after too many, refuse all codes of the address.

        With `secret`, the request has a secret: a right one is accepted always, since it cannot be found by guessing.
        If it is wrong and the code alone would do, call `check_guesses`.
        """
        if not secret:
            self.check_guesses(connection)
        try:
            yield
        except Refused as refused:
            if refused.code in WRONG_GUESS:
                self._wrong_guesses.count(address_key(connection))
            raise

    def check_guesses(self, connection: HTTPConnection) -> None:
        """Refuse the request if its address has made too many wrong guesses."""
        self._wrong_guesses.check(address_key(connection))


class ConnectionLimit:
    """Counts open connections, per key and in total."""

    def __init__(self, settings: Settings, factor: int = 1, most: int | None = None) -> None:
        """`factor` connections count as one for the limit per key; `most` is another limit of the total."""
        self._settings, self._factor, self._most = settings, factor, most
        self._counts: dict[str, int] = {}
        self.open = 0

    def acquire(self, key: str) -> bool:
        # Read every time: limits can change while the server runs.
        total = self._settings.connections if self._most is None else min(self._settings.connections, self._most)
        if self.open >= total or self._counts.get(key, 0) >= self._factor * self._settings.connections_per_address:
            return False
        self._counts[key] = self._counts.get(key, 0) + 1
        self.open += 1
        return True

    def release(self, key: str) -> None:
        self.open -= 1
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]


def address_key(connection: HTTPConnection) -> str:
    """The key of a client for limits."""
    return network_of(connection.client.host if connection.client else "")


def network_of(address: str) -> str:
    """An IPv4 address, or the /64 network of an IPv6 address, which a household shares."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
