"""How often somebody may do something."""

import ipaddress
import time

from starlette.requests import HTTPConnection

from rowlock.server.refusal import Refused

MOST_KEYS = 10_000


class Rate:
    """So many times a second on average, a few more at a time."""

    def __init__(self, per_second: float, burst: float) -> None:
        self.per_second, self.burst = per_second, max(1.0, burst)
        self._left: dict[str, tuple[float, float]] = {}

    def count(self, key: str = "", cost: float = 1.0) -> None:
        """Do it once more, or something that counts for more; where that is too often, it is refused."""
        now = time.monotonic()
        left, at = self._left.get(key, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.per_second)
        if len(self._left) > MOST_KEYS:
            self._forget(now)
        self._left[key] = (left - cost if left >= cost else left, now)
        if left < cost:
            wait = max(1, round((cost - left) / self.per_second)) if self.per_second else 3600
            raise Refused("too-fast", seconds=wait)

    def _forget(self, now: float) -> None:
        """Drop those who have not been seen for so long that they may do everything again."""
        self._left = {
            key: (left, at)
            for key, (left, at) in self._left.items()
            if left + (now - at) * self.per_second < self.burst
        }


class Count:
    """How many there are at a time, by key and in all."""

    def __init__(self, most: int, most_in_all: int) -> None:
        self.most, self.most_in_all = most, most_in_all
        self._counts: dict[str, int] = {}
        self._total = 0

    def enter(self, key: str) -> bool:
        if self._total >= self.most_in_all or self._counts.get(key, 0) >= self.most:
            return False
        self._counts[key] = self._counts.get(key, 0) + 1
        self._total += 1
        return True

    def leave(self, key: str) -> None:
        self._total -= 1
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]


def address_key(asked: HTTPConnection) -> str:
    """Who counts as one: an IPv4 address, or the network that a household's IPv6 addresses share."""
    address = asked.client.host if asked.client else ""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
