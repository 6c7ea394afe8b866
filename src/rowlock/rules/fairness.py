"""Chance that can be checked: all dice and shuffles of a game follow from a seed of its table and its players' shares.

Each of these secrets is 32 bytes in hexadecimal. Before the start everybody publishes the hash of theirs, its
commitment; after the game the secrets are published, and everybody can compute all dice again.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from rowlock.rules.layout import MAX_PLAYERS

if TYPE_CHECKING:
    from rowlock.rules.game import Game

VERSION = "rowlock chance 1"
SECRET = "[0-9a-f]{64}"
NO_SHARE = "-"  # of a bot, or of a person whose client has committed to none


def new_secret() -> str:
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """The SHA-256 hash of a secret: it can be published without telling anything about the secret."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def numbers(key: bytes, label: str, limits: Sequence[int]) -> list[int]:
    """Independent numbers, each from 0 to below its limit (at most 256) and all equally likely."""
    stream = _bytes(key, label)
    # A byte from the last, incomplete run of `limit` values would make small numbers more likely.
    return [next(byte for byte in stream if byte < 256 - 256 % limit) % limit for limit in limits]


def _bytes(key: bytes, label: str) -> Iterator[int]:
    for block in count():
        yield from hmac.digest(key, f"{label} {block}".encode(), "sha256")


def roll(key: bytes, turn: int, sides: Sequence[int]) -> list[int]:
    """The dice of a turn. Dice that have left the game are rolled, too, so that nobody can change later dice."""
    return [1 + number for number in numbers(key, f"roll {turn}", sides)]


def shuffle(key: bytes, turn: int, cards: list[int]) -> None:
    """Shuffle the deck, or in a later turn the discards, in place; at first they are in the order of records."""
    places = range(len(cards) - 1, 0, -1)
    for last, other in zip(places, numbers(key, f"shuffle {turn}", [last + 1 for last in places]), strict=True):
        cards[last], cards[other] = cards[other], cards[last]


@dataclass(frozen=True)
class FairSeed:
    """The secrets of a table: its seed, and the name and the share of every seat in the order of the seats."""

    table: str
    seed: str
    shares: tuple[tuple[str, str | None], ...]
    void_starts: int = 0  # how many starts of the table were void before this one

    @cached_property
    def key(self) -> bytes:
        """What all chance follows from. The code of the table keeps the secrets from being used a second time."""
        lines = [VERSION, self.table, self.seed, *(share or NO_SHARE for _, share in self.shares)]
        return hashlib.sha256("\n".join(lines).encode()).digest()

    @property
    def first(self) -> int:
        """The number of the seat that begins; the others follow in seating order."""
        return numbers(self.key, "first", [len(self.shares)])[0]

    @property
    def players(self) -> tuple[str, ...]:
        """The names in the order in which they play."""
        names = tuple(name for name, _ in self.shares)
        return names[self.first :] + names[: self.first]

    def tags(self) -> dict[str, str]:
        """The secrets as tags of a record."""
        shares = "; ".join(f"{share or NO_SHARE} {name}" for name, share in self.shares)
        void = {"FairVoid": str(self.void_starts)} if self.void_starts else {}
        return {"FairTable": self.table, "FairSeed": self.seed, "FairShares": shares, **void}

    @classmethod
    def of_tags(cls, tags: Mapping[str, str]) -> "FairSeed | None":
        """The secrets in the tags of a record; None if it has none. Raise a ValueError if they are damaged."""
        if not any(name in tags for name in ("FairTable", "FairSeed", "FairShares")):
            return None
        table, seed, listed = (tags.get(name, "") for name in ("FairTable", "FairSeed", "FairShares"))
        void = tags.get("FairVoid", "0")
        shares = [share.partition(" ") for share in listed.split("; ")]
        if not table or not re.fullmatch(SECRET, seed):
            raise ValueError("the tags FairTable and FairSeed need the code of a table and 64 hexadecimal digits")
        if not all(name and re.fullmatch(f"{SECRET}|{NO_SHARE}", share) for share, _, name in shares):
            raise ValueError("the tag FairShares needs 64 hexadecimal digits or -, and a name, for every seat")
        if len(shares) > MAX_PLAYERS:
            raise ValueError(f"the tag FairShares has {len(shares)} seats, {MAX_PLAYERS} at most can play")
        if not re.fullmatch("[0-9]{1,9}", void):
            raise ValueError("the tag FairVoid needs the number of starts that were void")
        given = tuple((name, None if share == NO_SHARE else share) for share, _, name in shares)
        return cls(table, seed, given, int(void))


class Difference(NamedTuple):
    """Chance of a record that does not follow from its secrets: of a turn, or with turn 0 the order of the players."""

    turn: int
    recorded: str
    expected: str


def first_difference(game: "Game", fair: FairSeed) -> Difference | None:
    """The first chance of a game that does not follow from the secrets; None if all of it does."""
    if fair.players != game.players:
        return Difference(0, "; ".join(game.players), "; ".join(fair.players))
    for before, drawn in game.chance_points():
        before.fair_key = fair.key
        if (expected := before.chance()) != drawn:
            return Difference(before.turn, drawn, expected)
    return None
