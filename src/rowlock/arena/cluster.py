"""Many machines: stretches of games as Ray tasks. A task whose worker is lost is played again by another."""

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from rowlock.arena.engine import Engine, engine_for
from rowlock.arena.plain import Played
from rowlock.arena.setting import Setting


@lru_cache(maxsize=4)
def _engine(packed: bytes) -> Engine:
    """The engine of a setting, kept by a worker between its tasks."""
    import pickle

    return engine_for(pickle.loads(packed))


def _play(packed: bytes, first: int, count: int) -> Played:
    return _engine(packed).play(first, count)


class RayEngine:
    """Plays on a Ray cluster, or on one started here for the occasion (`local`)."""

    def __init__(self, setting: Setting, address: str) -> None:
        import pickle

        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        import ray

        self.ray: Any = ray
        if address == "local":
            ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        else:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        self._local = engine_for(setting)
        self.path, self.batch = self._local.path, self._local.batch
        self.task = ray.remote(max_retries=-1)(_play)
        self.setting = ray.put(pickle.dumps(setting))
        self.threads = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def play(self, first: int, count: int) -> Played:
        played: Played = self.ray.get(self.task.remote(self.setting, first, count))
        return played

    def records(self, first: int, played: Played) -> Iterator[str]:
        return self._local.records(first, played)

    def close(self) -> None:
        self._local.close()
        self.ray.shutdown()
