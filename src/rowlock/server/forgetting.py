"""Erases what identifies a person from the stored events of a table, when the person asks for it or has left.

An erased event keeps the hash that it had before, so that the hashes of all later events stay valid.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from rowlock.rules.game import unique_name
from rowlock.server.events import Forgotten, Handed, Left, Offered, Removed, Seated, Started, write_event
from rowlock.server.history import History, Row
from rowlock.server.refusal import Refused
from rowlock.server.storage import StorageFailure
from rowlock.server.table import FORGOTTEN, Table
from rowlock.server.table_session import TableSession, refusing_unreadable

MOST_EVENTS = 500  # of a table at which people sit down and leave again and again; their names go with the table


class Change(NamedTuple):
    """What is stored in the place of an event."""

    seq: int
    data: str


async def forget(session: TableSession, find_seat: Callable[[Table], int | None]) -> int:
    """Forget the person on a seat: it loses its name and belongs to nobody. Return the number of the event.

    The same request again completes what a crash has interrupted.
    """
    code, storage = session.table.code, session.services.storage
    try:
        seq, refused = await session.submit(lambda table, _: [forgotten(table, find_seat(table))]), None
    except Refused as error:
        if error.code != "secret":
            raise
        seq, refused = session.table.seq, error
    with refusing_unreadable(code):
        changes = erased_events(code, await storage.read(code))
    if refused and not changes:
        raise refused
    try:
        await storage.replace(code, changes)
    except StorageFailure:
        raise Refused("storage") from None
    return seq


async def erase_left(session: TableSession) -> None:
    """Erase the people who have left the table before its game; if this fails, the next time does it."""
    code, storage = session.table.code, session.services.storage
    if session.table.seq <= MOST_EVENTS:
        with suppress(StorageFailure, Refused), refusing_unreadable(code):
            await storage.replace(code, erased_events(code, await storage.read(code)))


def with_secret(secret_hash: str) -> Callable[[Table], int | None]:
    """Finds the seat with this secret."""
    return lambda table: table.seat_number_of(secret_hash)


def with_name(name: str) -> Callable[[Table], int | None]:
    """Finds the person with this name, for people who have lost the secret."""

    def find(table: Table) -> int | None:
        people = [number for number, seat in enumerate(table.seats) if seat.secret_hash not in (None, FORGOTTEN)]
        return next((number for number in people if table.seats[number].name == name), None)

    return find


def forgotten(table: Table, number: int | None) -> Forgotten:
    if number is None:
        raise Refused("secret")
    others = [seat.name or "" for other, seat in enumerate(table.seats) if other != number]
    return Forgotten(number, unique_name(_other_name(number), others))


def erased_events(code: str, rows: Sequence[Row]) -> list[Change]:
    """The events of the people who were forgotten or left, without names and secrets, if they still have these."""
    history = History(code)
    seats: dict[int, list[int]] = {}  # by seat number: the numbers of the events about the person there
    personal: dict[int, tuple[Seated | Offered | Handed, str]] = {}  # by number: the event and its hash
    changes: list[Change] = []
    for row in rows:
        event = history.read(row).event
        match event:
            case Seated() | Offered() | Handed():
                seats[event.seat] = [row.seq] if isinstance(event, Seated) else [*seats.get(event.seat, []), row.seq]
                personal[row.seq] = (event, history.hash)
            case Left() | Removed():
                changes += _erase(_other_name(event.seat), seats.pop(event.seat, []), personal)
            case Started():
                seats = {new: seats.get(old, []) for new, old in enumerate(event.order)}
            case Forgotten():
                changes += _erase(event.name, seats.pop(event.seat, []), personal)
    return changes


def _other_name(seat: int) -> str:
    return f"Player {seat + 1}"


def _erase(name: str, seqs: Sequence[int], personal: dict[int, tuple[Seated | Offered | Handed, str]]) -> list[Change]:
    changes = []
    for seq in seqs:
        event, hash = personal[seq]
        if event.erased is not None:
            continue
        match event:
            case Seated():
                erased = write_event(replace(event, name=name, secret_hash=FORGOTTEN, erased=hash))
            case Handed():
                erased = write_event(replace(event, secret_hash=FORGOTTEN, erased=hash))
            case Offered():
                erased = write_event(replace(event, handover_hash=FORGOTTEN, erased=hash))
        changes.append(Change(seq, erased))
    return changes
