"""Where solutions lie on this machine, and what a file tells of its own without being read as a whole."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock import paths
from rowlock.solver.space import Space

_MAGIC = b"rowlock solution 2\n"  # then a checksum of all that follows, a line of JSON, and the values


VERSION = 1  # of the values and of how states are numbered: one more whenever either changes


def solution_path(space: Space, players: int) -> Path:
    """Where the solution of a game is kept: by its variant's identity, lucky numbers, players and the version."""
    lucky = "-{}-{}".format(*space.lucky) if space.lucky else ""
    name = f"{space.variant.identity[:12]}{lucky}-{players}p-v{VERSION}.solution"
    return paths.cache_directory() / "solutions" / name


@dataclass(frozen=True)
class Header:
    """What a file tells of the values after it."""

    told: dict[str, Any]
    line: bytes
    checksum: bytes

    def values(self, path: Path, kind: type[Any]) -> NDArray[Any] | None:
        """The values, or None where they or what is told of them is damaged."""
        values = np.fromfile(path, kind, offset=len(_MAGIC) + len(self.checksum) + len(self.line))
        return values if _checksum(self.line, values) == self.checksum else None


def _checksum(line: bytes, values: NDArray[Any]) -> bytes:
    digest = hashlib.sha256(line)
    digest.update(values.data)
    return digest.hexdigest().encode() + b"\n"


def is_solved(space: Space, players: int) -> bool:
    """Whether the solution of a game lies on disk, as far as its file's size tells."""
    return read_header(solution_path(space, players)) is not None


def read_header(path: Path) -> Header | None:
    """None where there is no file, or one that is damaged at first sight."""
    try:
        with path.open("rb") as file:
            if file.readline() != _MAGIC:
                return None
            header = Header({}, checksum=file.readline(), line=file.readline())
            header.told.update(json.loads(header.line))
            begin = file.tell()
            return header if path.stat().st_size == begin + header.told["bytes"] else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(path: Path, told: dict[str, Any], values: NDArray[Any]) -> None:
    """A file is there as a whole or not at all."""
    new = path.with_suffix(f".new{os.getpid()}")
    line = json.dumps({**told, "bytes": values.nbytes}).encode() + b"\n"
    try:
        with new.open("wb") as file:
            file.write(_MAGIC + _checksum(line, values) + line)
            file.write(values.data)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
