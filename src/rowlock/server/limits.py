"""Limits per address: rates of requests, numbers of connections."""

import ipaddress
import time

from starlette.requests import HTTPConnection

from rowlock.server.refusal import Refused

MAX_KEYS = 10_000


class RateLimit:
    """A token bucket per key: `per_second` on average, up to `burst` at once."""

    def __init__(self, per_second: float, burst: float) -> None:
        self.per_second, self.burst = per_second, max(1.0, burst)
        self._buckets: dict[str, tuple[float, float]] = {}  # by key: tokens, time of their count

    def count(self, key: str = "", cost: float = 1.0) -> None:
        """Take `cost` tokens, or refuse if there are not enough."""
        now = time.monotonic()
        tokens, counted_at = self._buckets.get(key, (self.burst, now))
        tokens = min(self.burst, tokens + (now - counted_at) * self.per_second)
        if len(self._buckets) > MAX_KEYS:
            self._drop_full_buckets(now)
        self._buckets[key] = (tokens - cost if tokens >= cost else tokens, now)
        if tokens < cost:
            wait = max(1, round((cost - tokens) / self.per_second)) if self.per_second else 3600
            raise Refused("too-fast", seconds=wait)

    def _drop_full_buckets(self, now: float) -> None:
        """Drop buckets that are full again, since a new bucket is full, too."""
        self._buckets = {
            key: (tokens, counted_at)
            for key, (tokens, counted_at) in self._buckets.items()
            if tokens + (now - counted_at) * self.per_second < self.burst
        }


class ConnectionLimit:
    """Counts open connections, per key and in total."""

    def __init__(self, per_key: int, total: int) -> None:
        self.per_key, self.total = per_key, total
        self._counts: dict[str, int] = {}
        self._open = 0

    def acquire(self, key: str) -> bool:
        if self._open >= self.total or self._counts.get(key, 0) >= self.per_key:
            return False
        self._counts[key] = self._counts.get(key, 0) + 1
        self._open += 1
        return True

    def release(self, key: str) -> None:
        self._open -= 1
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
