"""Where solutions lie on this machine, and what a file tells of its own without being read as a whole."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock import places
from rowlock.rules import kernel
from rowlock.solver.space import Space

_MAGIC = b"rowlock solution 1\n"


@cache
def rules_version() -> str:
    """Changes with every edit of the rules or of the solver."""
    sources = (Path(kernel.__file__), Path(__file__).with_name("sweep.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]


def solution_path(space: Space, players: int) -> Path:
    """Where the solution of a game is kept: by its variant's data, lucky numbers, players and the rules' version."""
    key = hashlib.sha256(f"{space.variant.tables} {space.lucky} {rules_version()}".encode()).hexdigest()[:12]
    lucky = "-{}-{}".format(*space.lucky) if space.lucky else ""
    return places.cache_directory() / "solutions" / f"{space.variant.id}{lucky}-{players}p-{key}.solution"


@dataclass(frozen=True)
class Header:
    """What a file tells of the values after it."""

    told: dict[str, Any]
    offset: int  # where the values begin

    def values(self, path: Path, kind: type[Any]) -> NDArray[Any] | None:
        """The values, or None where they are damaged."""
        values = np.fromfile(path, kind, offset=self.offset)
        return values if hashlib.sha256(values.data).hexdigest() == self.told["checksum"] else None


def is_solved(space: Space, players: int) -> bool:
    """Whether the solution of a game lies on disk, as far as its file's size tells."""
    return read_header(solution_path(space, players)) is not None


def read_header(path: Path) -> Header | None:
    """None where there is no file, or one that is damaged at first sight."""
    try:
        with path.open("rb") as file:
            if file.readline() != _MAGIC:
                return None
            line = file.readline()
            told: dict[str, Any] = json.loads(line)
            size = path.stat().st_size
    except (OSError, ValueError):
        return None
    offset = len(_MAGIC) + len(line)
    return Header(told, offset) if size == offset + told.get("bytes", -1) else None


def write(path: Path, told: dict[str, Any], values: NDArray[Any]) -> None:
    """A file is there as a whole or not at all."""
    new = path.with_suffix(".new")
    told = {**told, "bytes": values.nbytes, "checksum": hashlib.sha256(values.data).hexdigest()}
    try:
        with new.open("wb") as file:
            file.write(_MAGIC + json.dumps(told).encode() + b"\n")
            file.write(values.data)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
