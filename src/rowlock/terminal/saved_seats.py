"""The secrets of seats at servers' tables and their shares of the chance, saved here until the game is over."""

import hashlib
import secrets
from pathlib import Path

from rowlock.paths import data_directory
from rowlock.server.secret import normalize_code
from rowlock.server.shares import ShareGiver
from rowlock.terminal.errors import CommandError


class SavedSeat:
    """The saved secret of one seat; its file is named after a hash of the server, the table and the player's name.

    Beside it is a file for the shares.
    """

    def __init__(self, server: str, table: str, name: str) -> None:
        self.name = name
        key = "\n".join((server, normalize_code(table), name))
        self._path = data_directory() / "seats" / hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
        self._shares_path = self._path.with_suffix(".shares")

    def load(self) -> str | None:
        """The saved secret; None if there is none or the file is empty."""
        return (self._path.read_text() or None) if self._path.is_file() else None

    def load_or_create(self) -> str:
        """Return the saved secret, or create a new one and save it before it is sent to the server."""
        secret = self.load() or secrets.token_hex(32)
        self.save(secret)
        return secret

    def save(self, secret: str) -> None:
        self._write(self._path, secret)

    def share_giver(self, table: str) -> ShareGiver:
        """Gives the shares of this seat: those that are saved, or new ones, which it saves."""
        saved = self._shares_path.read_text("utf-8") if self._shares_path.is_file() else None
        return ShareGiver(table, saved, lambda text: self._write(self._shares_path, text))

    def _write(self, path: Path, text: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_name(f"{path.name}.new")
            written.touch(mode=0o600)
            written.write_text(text, "utf-8")
            written.replace(path)  # a program that is killed here leaves the file whole
        except OSError as error:
            raise CommandError(f"the seat cannot be saved: {path.parent}: {error.strerror}") from None

    def delete(self) -> None:
        self._path.unlink(missing_ok=True)
        self._shares_path.unlink(missing_ok=True)
