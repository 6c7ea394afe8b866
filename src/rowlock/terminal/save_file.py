"""Where games are kept, and how a record is written so that it is never lost."""

import itertools
import os
import shutil
from datetime import datetime
from pathlib import Path

from rowlock.paths import data_directory


class SaveFile:
    """A file that holds one game's record, whole at every moment."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path) -> "SaveFile":
        """Claim a name that is still free."""
        path.open("x").close()
        return cls(path)

    @classmethod
    def create_by_date(cls, variant: str, now: datetime) -> "SaveFile":
        """Claim a name of its own in the data directory."""
        games = data_directory() / "games"
        games.mkdir(parents=True, exist_ok=True)
        stem = f"{variant}-{now:%Y-%m-%d-%H%M%S}"
        for count in itertools.count(2):
            try:
                return cls.create(games / f"{stem}.rlk")
            except FileExistsError:
                stem = f"{variant}-{now:%Y-%m-%d-%H%M%S}-{count}"
        raise AssertionError("there is always a free name")

    @property
    def holds_game(self) -> bool:
        return self.path.stat().st_size > 0

    def discard(self) -> None:
        """Give the name back if there is no game yet."""
        if self.path.exists() and not self.holds_game:
            self.path.unlink()

    @property
    def argument(self) -> str:
        """The file as `rowlock play` takes it for a record, not for the name of a game."""
        name = str(self.path)
        return name if name.endswith(".rlk") or self.path.is_absolute() else os.path.join(os.curdir, name)  # noqa: PTH118

    def write(self, record: str) -> None:
        """Replace the record in one step: whoever is killed in the middle leaves the old one."""
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
