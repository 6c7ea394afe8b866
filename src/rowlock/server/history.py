"""The history of a table: numbered events, each with the hash of the one before.

Clients receive the hashes, so that they notice a changed history. Events hold hidden decisions and cards, and a client
could try all of them until the hash fits: therefore the hashes of each table have a secret key. An event from which
personal data was erased holds the hash that it had before.
"""

import hmac
from typing import NamedTuple

import msgspec

from rowlock.server.events import AnyEvent, Created, read_event, write_event


class ChangedHistory(Exception):
    """A stored event is not the one that was written."""


class UnreadableEvent(Exception):
    """An event that this version cannot read."""


class Row(NamedTuple):
    """An event as the database returns it."""

    seq: int
    data: str
    at: int
    previous: str | None  # None for events of versions without hashes


class Entry(NamedTuple):
    """A stored event of a table."""

    table: str  # its code
    seq: int  # its number at the table, from 1
    event: AnyEvent
    at: int  # when it happened, in milliseconds since 1970
    data: str  # the event as it is stored
    previous: str  # the hash of the entry before, "" for the first one

    @property
    def row(self) -> Row:
        return Row(self.seq, self.data, self.at, self.previous)

    def hash(self, key: str) -> str:
        """The hash of this entry, which depends on all entries before."""
        text = f"{self.previous}\n{self.table}\n{self.seq}\n{self.at}\n{self.data}"
        return hmac.digest(key.encode(), text.encode(), "sha256").hex()


class History:
    """The end of a table's history: the number and the hash of the last entry."""

    def __init__(self, table: str, seq: int = 0, hash: str = "", key: str = "") -> None:
        self.table, self.seq, self.hash, self._key = table, seq, hash, key
        self._hashed = False  # whether the next entry must have a hash; tables of version 1 begin without hashes

    def copy(self) -> "History":
        copy = History(self.table, self.seq, self.hash, self._key)
        copy._hashed = self._hashed
        return copy

    @property
    def public_hash(self) -> str:
        """The hash that clients may see; "" for a table of version 1, whose hashes have no key."""
        return self.hash if self._key else ""

    def append(self, event: AnyEvent, at: int) -> Entry:
        """Add a new event."""
        self._hashed = True
        return self._add(event, at, write_event(event))

    def read(self, row: Row) -> Entry:
        """Add a stored event; raise an error if it does not belong here or cannot be decoded."""
        try:
            event = read_event(row.data)
        except msgspec.MsgspecError as error:
            raise UnreadableEvent(f"event {row.seq}: {error}") from None
        if row.previous is not None or (isinstance(event, Created) and event.version > 1):
            self._hashed = True
        if row.seq != self.seq + 1 or (self._hashed and row.previous != self.hash):
            raise ChangedHistory(f"event {self.seq + 1} does not follow from the one before")
        return self._add(event, row.at, row.data)

    def _add(self, event: AnyEvent, at: int, data: str) -> Entry:
        if isinstance(event, Created):
            self._key = event.hash_key
        entry = Entry(self.table, self.seq + 1, event, at, data, self.hash)
        self.seq, self.hash = entry.seq, getattr(event, "erased", None) or entry.hash(self._key)
        return entry
