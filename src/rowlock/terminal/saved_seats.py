"""Seats at servers' tables that were taken from here: their secrets, kept until the game is over."""

import hashlib
import secrets

from rowlock.paths import data_directory
from rowlock.server.secret import normalize_code
from rowlock.terminal.errors import Failure


class KeptSeat:
    """A seat of this machine, by server, table and name; whoever comes back finds it again."""

    def __init__(self, server: str, table: str, name: str) -> None:
        self.name = name
        seat = "\n".join((server, normalize_code(table), name))
        self._path = data_directory() / "seats" / hashlib.sha256(seat.encode("utf-8", "replace")).hexdigest()

    def find(self) -> str:
        """The secret of the seat: the one that is kept, else a new one, kept before anybody is told."""
        if not (self._path.is_file() and self._path.stat().st_size):
            self.keep(secrets.token_hex(32))
        return self._path.read_text()

    def keep(self, secret: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            self._path.write_text(secret)
        except OSError as error:
            raise Failure(f"the seat cannot be kept: {self._path.parent}: {error.strerror}") from None

    def forget(self) -> None:
        self._path.unlink(missing_ok=True)
