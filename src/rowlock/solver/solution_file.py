"""Files of solutions and checkpoints: paths, headers and values. This module reads headers without importing Numba."""

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

# The first line of a file, with the version of its format. Then come a line with the checksum of the rest, a line of
# JSON, and the values.
_MAGIC = b"rowlock solution 2\n"
VERSION = 1  # of the contents: changes with the values or the numbering of states


def solution_path(space: Space, players: int) -> Path:
    """The path of a solution; its name has the variant's identity, lucky numbers, sheet, players and `VERSION`."""
    lucky = "-{}-{}".format(*space.lucky) if space.lucky else ""
    sheet = f"-{space.sheet}" if space.sheet else ""
    name = f"{space.variant.identity[:12]}{lucky}{sheet}-{players}p-v{VERSION}.solution"
    return paths.cache_directory() / "solutions" / name


@dataclass(frozen=True)
class Header:
    """The header of a file."""

    fields: dict[str, Any]
    line: bytes  # the fields as a line of JSON
    checksum: bytes

    def values(self, path: Path, dtype: type[Any]) -> NDArray[Any] | None:
        """Read the values; return None if the file is damaged."""
        values = np.fromfile(path, dtype, offset=len(_MAGIC) + len(self.checksum) + len(self.line))
        return values if _checksum(self.line, values) == self.checksum else None


def _checksum(line: bytes, values: NDArray[Any]) -> bytes:
    digest = hashlib.sha256(line)
    digest.update(values.data)
    return digest.hexdigest().encode() + b"\n"


def is_solved(space: Space, players: int) -> bool:
    """Whether the file of a solution exists and has the right size; its checksum is not tested."""
    return read_header(solution_path(space, players)) is not None


def read_header(path: Path) -> Header | None:
    """Read the header of a file; return None if the file is missing, or its header or size is wrong."""
    try:
        with path.open("rb") as file:
            if file.readline() != _MAGIC:
                return None
            checksum, line = file.readline(), file.readline()
            header = Header(json.loads(line), line, checksum)
            header_size = file.tell()
            return header if path.stat().st_size == header_size + header.fields["bytes"] else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(path: Path, fields: dict[str, Any], values: NDArray[Any]) -> None:
    """Write a file atomically: a reader sees the old file or the whole new one."""
    temporary = path.with_suffix(f".new{os.getpid()}")
    line = json.dumps({**fields, "bytes": values.nbytes}).encode() + b"\n"
    try:
        with temporary.open("wb") as file:
            file.write(_MAGIC + _checksum(line, values) + line)
            file.write(values.data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
