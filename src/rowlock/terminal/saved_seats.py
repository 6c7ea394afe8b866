"""The secrets of seats at servers' tables, saved on this machine until the game is over."""

import hashlib
import secrets

from rowlock.paths import data_directory
from rowlock.server.secret import normalize_code
from rowlock.terminal.errors import CommandError


class SavedSeat:
    """The saved secret of one seat; its file is named after a hash of the server, the table and the player's name."""

    def __init__(self, server: str, table: str, name: str) -> None:
        self.name = name
        key = "\n".join((server, normalize_code(table), name))
        self._path = data_directory() / "seats" / hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()

    def load(self) -> str | None:
        """The saved secret; None if there is none or the file is empty."""
        return (self._path.read_text() or None) if self._path.is_file() else None

    def load_or_create(self) -> str:
        """Return the saved secret, or create a new one and save it before it is sent to the server."""
        secret = self.load() or secrets.token_hex(32)
        self.save(secret)
        return secret

    def save(self, secret: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            self._path.write_text(secret)
        except OSError as error:
            raise CommandError(f"the seat cannot be saved: {self._path.parent}: {error.strerror}") from None

    def delete(self) -> None:
        self._path.unlink(missing_ok=True)
