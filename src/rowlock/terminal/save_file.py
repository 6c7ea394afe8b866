"""The file in which a game is saved, written atomically."""

import itertools
import os
import shutil
from datetime import datetime
from pathlib import Path

from rowlock.paths import data_directory


class SaveFile:
    """A file that holds the record of one game; a reader never sees a half-written record."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path) -> "SaveFile":
        """Create a new, empty file."""
        path.open("x").close()
        return cls(path)

    @classmethod
    def create_by_date(cls, variant: str, now: datetime) -> "SaveFile":
        """Create a file with a unique name in the data directory."""
        directory = data_directory() / "games"
        directory.mkdir(parents=True, exist_ok=True)
        stem = f"{variant}-{now:%Y-%m-%d-%H%M%S}"
        for suffix in itertools.count(2):
            try:
                return cls.create(directory / f"{stem}.rlk")
            except FileExistsError:
                stem = f"{variant}-{now:%Y-%m-%d-%H%M%S}-{suffix}"
        raise AssertionError("there is always a free name")

    @property
    def holds_game(self) -> bool:
        return self.path.stat().st_size > 0

    def discard(self) -> None:
        """Delete the file if no game has been saved to it."""
        if self.path.exists() and not self.holds_game:
            self.path.unlink()

    @property
    def argument(self) -> str:
        """The path as an argument that `rowlock play` does not take for a variant's name."""
        name = str(self.path)
        if name.endswith(".rlk") or self.path.is_absolute():
            return name
        return os.path.join(os.curdir, name)  # noqa: PTH118  # a Path would drop the ./

    def write(self, record: str) -> None:
        """Replace the record atomically: after a crash the file still holds the old record."""
        target = self.path.resolve()
        draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            with draft.open("w", encoding="utf-8", newline="\n") as file:
                file.write(record)
                file.flush()
                os.fsync(file.fileno())
            shutil.copymode(target, draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
