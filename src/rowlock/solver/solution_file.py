"""Files of solutions: their paths, headers and values. Headers are read without Numba and without the values."""

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

_MAGIC = b"rowlock solution 2\n"  # then a checksum of the rest, a line of JSON, and the values


VERSION = 1  # of the values and of the numbering of states


def solution_path(space: Space, players: int) -> Path:
    """The path of a solution, named after the variant's identity, lucky numbers, players and `VERSION`."""
    lucky = "-{}-{}".format(*space.lucky) if space.lucky else ""
    name = f"{space.variant.identity[:12]}{lucky}-{players}p-v{VERSION}.solution"
    return paths.cache_directory() / "solutions" / name


@dataclass(frozen=True)
class Header:
    """The header of a file: the JSON fields, their line, and the checksum."""

    fields: dict[str, Any]
    line: bytes
    checksum: bytes

    def values(self, path: Path, dtype: type[Any]) -> NDArray[Any] | None:
        """The values, or None if the file is damaged."""
        values = np.fromfile(path, dtype, offset=len(_MAGIC) + len(self.checksum) + len(self.line))
        return values if _checksum(self.line, values) == self.checksum else None


def _checksum(line: bytes, values: NDArray[Any]) -> bytes:
    digest = hashlib.sha256(line)
    digest.update(values.data)
    return digest.hexdigest().encode() + b"\n"


def is_solved(space: Space, players: int) -> bool:
    """Whether a solution file exists with the right size; its checksum is not tested."""
    return read_header(solution_path(space, players)) is not None


def read_header(path: Path) -> Header | None:
    """The header of a file; None if there is no file, or if its header or size is wrong."""
    try:
        with path.open("rb") as file:
            if file.readline() != _MAGIC:
                return None
            header = Header({}, checksum=file.readline(), line=file.readline())
            header.fields.update(json.loads(header.line))
            begin = file.tell()
            return header if path.stat().st_size == begin + header.fields["bytes"] else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(path: Path, fields: dict[str, Any], values: NDArray[Any]) -> None:
    """Write a file atomically."""
    new = path.with_suffix(f".new{os.getpid()}")
    line = json.dumps({**fields, "bytes": values.nbytes}).encode() + b"\n"
    try:
        with new.open("wb") as file:
            file.write(_MAGIC + _checksum(line, values) + line)
            file.write(values.data)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
