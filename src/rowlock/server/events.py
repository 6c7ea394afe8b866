"""What happens at a table, as it is stored: append-only, and all there is."""

from typing import Literal

import msgspec

VERSION = 1  # of these events; `created` says which one a table's log is written in


class Event(msgspec.Struct, tag_field="kind", tag=lambda name: name.lower(), omit_defaults=True, frozen=True):
    """Something that happened; seats count in turn order once the game has started."""


class SeatPlan(msgspec.Struct, omit_defaults=True, frozen=True):
    """A seat as it was asked for: for a bot, or for a person who joins; lucky numbers where the game has them."""

    bot: str | None = None
    lucky: tuple[int, int] | None = None


class Created(Event, frozen=True):
    variant: str
    seats: tuple[SeatPlan, ...]
    seconds: int | None = None  # per decision
    version: int = VERSION
    before: str | None = None  # the table this one is the rematch of
    command: str | None = None


class Seated(Event, frozen=True):
    seat: int
    name: str
    secret_hash: str


class Left(Event, frozen=True):
    seat: int
    command: str | None = None


class Started(Event, frozen=True):
    order: tuple[int, ...]  # the seats that play, in turn order; the first was drawn by lot
    command: str | None = None  # that of a player who would not wait


class Rolled(Event, frozen=True):
    dice: str


class Dealt(Event, frozen=True):
    """A turn of a card game has begun, or its pile was empty: the deck or the discards in their new order, if any."""

    cards: str = ""


class Decided(Event, frozen=True):
    seat: int
    turn: int
    phase: str
    option: str
    command: str | None = None
    by: Literal["player", "bot", "time"] = "player"
    trouble: str | None = None  # why a bot passed: error, slow, illegal


class Withdrawn(Event, frozen=True):
    seat: int
    turn: int
    phase: str
    command: str | None = None


class Replaced(Event, frozen=True):
    seat: int
    bot: str
    command: str | None = None
    asked_by: int | None = None  # the seat whose command it was


class Returned(Event, frozen=True):
    seat: int


class Offered(Event, frozen=True):
    seat: int
    handover_hash: str
    until: int


class Handed(Event, frozen=True):
    seat: int
    secret_hash: str  # of the new one


class Ended(Event, frozen=True):
    scores: tuple[int, ...]


class Rematched(Event, frozen=True):
    table: str


OfSeats = Seated | Left | Replaced | Returned | Offered | Handed
AnyEvent = OfSeats | Created | Started | Rolled | Dealt | Decided | Withdrawn | Ended | Rematched

_decoder = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def kind_of(event: AnyEvent) -> str:
    return type(event).__name__.lower()


def write_event(event: AnyEvent) -> str:
    return _encoder.encode(event).decode()


def read_event(data: str) -> AnyEvent:
    """An event as it was stored; one that this version does not know raises a MsgspecError."""
    event: AnyEvent = _decoder.decode(data)
    if isinstance(event, Created) and event.version != VERSION:
        raise msgspec.ValidationError(f"written in version {event.version} of the events, not {VERSION}")
    return event
