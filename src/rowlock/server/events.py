"""The events of a table, as they are stored. The state of a table follows from its events alone."""

from typing import Literal

import msgspec

VERSION = 2  # of the event format; the event `created` stores the version for its table
READABLE_VERSIONS = (1, 2)

# Who rolls: the table; the players, of whom the active one or anybody enters the dice; the players, who only mark on
# the sheets of the table.
DiceSource = Literal["rolled", "entered", "entered-by-anybody", "none"]
ENTERED_DICE: tuple[DiceSource, ...] = ("entered", "entered-by-anybody")  # people roll real dice and enter them


class Event(
    msgspec.Struct,
    tag_field="kind",
    tag=lambda name: name.lower(),
    omit_defaults=True,
    frozen=True,
    forbid_unknown_fields=True,
):
    """The base of all events. `seat` is a seat number (from `started` on in turn order), `command` a command id.

    A field of a newer version is refused: without it the table would be another one.
    """


class SeatPlan(msgspec.Struct, omit_defaults=True, frozen=True, forbid_unknown_fields=True):
    """A seat of a new table: for a bot or for a person who joins, with lucky numbers if the game has them.

    `sheet` is the letter of a sheet; None if it is dealt or the game has one kind of sheet.
    """

    bot: str | None = None
    lucky: tuple[int, int] | None = None
    sheet: str | None = None


class Created(Event, frozen=True):
    variant: str
    seats: tuple[SeatPlan, ...]
    seconds: int | None = None  # per decision
    version: int = 1  # of the event format
    before: str | None = None  # the code of the table of which this one is the rematch
    command: str | None = None
    pause: int = 0  # seconds between the end of a turn and the next roll
    invite: str | None = None  # the secret of invite links; tables of version 1 have none
    hash_key: str = ""  # for the hashes of the history, which clients receive; no client receives the key
    variant_file: str | None = None  # of a variant that is not built in
    hints: bool = False  # people may ask for hints although others play, too
    dice: DiceSource = "rolled"


class Planned(Event, frozen=True):
    """The host has changed the game, the seats or the options before the start; people keep their seats."""

    variant: str
    seats: tuple[SeatPlan, ...]
    seconds: int | None = None
    pause: int = 0
    variant_file: str | None = None
    hints: bool = False
    command: str | None = None
    asked_by: int | None = None  # the seat of the host
    dice: DiceSource = "rolled"


class Seated(Event, frozen=True):
    seat: int
    name: str
    secret_hash: str
    sheet: str | None = None  # the letter of a sheet that the person has chosen
    shares: bool = False  # the device of the person gives a share of the chance
    erased: str | None = None  # the hash of this event before the person was forgotten


class Left(Event, frozen=True):
    seat: int
    command: str | None = None


class Removed(Event, frozen=True):
    """The host has removed a person from a seat before the start."""

    seat: int
    command: str | None = None
    asked_by: int | None = None  # the seat of the host


class Access(Event, frozen=True):
    """The host has opened or closed the table to spectators and strangers."""

    open: bool
    command: str | None = None
    asked_by: int | None = None  # the seat of the host


class Starting(Event, frozen=True):
    """The game is about to start: everybody commits to a share of its chance, and then gives it."""

    seats: tuple[int, ...]  # that play
    seed: str  # the table's own share; nobody receives it before the end of the game
    command: str | None = None  # None if the game starts because no seat is free


class Committed(Event, frozen=True):
    seat: int
    commitment: str
    command: str | None = None


class Shared(Event, frozen=True):
    seat: int
    share: str
    command: str | None = None


class Voided(Event, frozen=True):
    """The start is void, since these seats have not given their shares in time."""

    seats: tuple[int, ...]


class Started(Event, frozen=True):
    order: tuple[int, ...]  # the seats that play, in turn order; the first was drawn by lot
    command: str | None = None  # None if the game started because no seat was free, or after `starting`


class Rolled(Event, frozen=True):
    """The dice of a turn; a second event in the same turn corrects them and withdraws what was decided on them."""

    dice: str  # in the record's notation
    seat: int | None = None  # who entered them; None if the server has rolled
    command: str | None = None


class Dealt(Event, frozen=True):
    """A turn of a card game begins; `cards` is the new order of the deck or of the discards, if they were shuffled."""

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


class TakebackAsked(Event, frozen=True):
    """A person asks to take back a revealed decision."""

    seat: int
    turn: int
    phase: str
    until: int  # when the request expires, in milliseconds
    command: str | None = None


class TakebackAnswered(Event, frozen=True):
    seat: int
    agree: bool
    command: str | None = None


class TakenBack(Event, frozen=True):
    """All other people have agreed: the decision is open again, the others' decisions in this phase stand."""

    seat: int
    turn: int
    phase: str


class ReplaceVoted(Event, frozen=True):
    """The player of the seat `asked_by` wants a bot to play for a connected player who does not decide."""

    seat: int
    bot: str
    asked_by: int
    command: str | None = None


class Replaced(Event, frozen=True):
    seat: int
    bot: str
    command: str | None = None
    asked_by: int | None = None  # the seat of the sender
    voted: bool = False  # the player may be connected and returns by a command


class Returned(Event, frozen=True):
    seat: int
    command: str | None = None


class Offered(Event, frozen=True):
    seat: int
    handover_hash: str  # of the code with which another device can take over the seat
    until: int  # when the code expires, in milliseconds
    erased: str | None = None  # the hash of this event before the person was forgotten


class Handed(Event, frozen=True):
    seat: int
    secret_hash: str  # of the new secret, which replaces the old one
    shares: bool = False  # as in `seated`
    erased: str | None = None  # the hash of this event before the person was forgotten


class Forgotten(Event, frozen=True):
    """A person has asked to be forgotten: the seat has another name now and belongs to nobody, or is free."""

    seat: int
    name: str


class Marked(Event, frozen=True):
    """At a table without dice: a mark with all that it sets off, or a misthrow."""

    seat: int
    option: str
    closed: str = ""  # rows that others have locked since the last roll and that were closed already
    command: str | None = None


class Undone(Event, frozen=True):
    """At a table without dice: a player's last mark since the last roll is undone."""

    seat: int
    command: str | None = None


class NewRoll(Event, frozen=True):
    """At a table without dice: the players have rolled again."""

    turn: int  # the number of the roll before
    command: str | None = None
    asked_by: int | None = None  # the seat of the sender


class Finished(Event, frozen=True):
    """At a table without dice: somebody has ended the game."""

    command: str | None = None
    asked_by: int | None = None  # the seat of the sender


class Ended(Event, frozen=True):
    scores: tuple[int, ...]


class RematchAnswered(Event, frozen=True):
    seat: int
    agree: bool
    command: str | None = None


class Rematched(Event, frozen=True):
    table: str  # the code of the new table
    seats: tuple[int, ...] | None = None  # of those who play there; version 1 does not say


SeatEvent = Seated | Left | Removed | ReplaceVoted | Replaced | Returned | Offered | Handed | Forgotten
StartEvent = Starting | Committed | Shared | Voided | Started
GameEvent = Rolled | Dealt | Decided | Withdrawn | TakebackAsked | TakebackAnswered | TakenBack | Ended
SheetsEvent = Marked | Undone | NewRoll | Finished
AnyEvent = SeatEvent | StartEvent | GameEvent | SheetsEvent | Created | Planned | Access | RematchAnswered | Rematched

_decoder = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def kind_of(event: AnyEvent) -> str:
    return type(event).__name__.lower()


def write_event(event: AnyEvent) -> str:
    return _encoder.encode(event).decode()


def read_event(data: str) -> AnyEvent:
    """Decode a stored event; raise a MsgspecError if this version does not know it."""
    event: AnyEvent = _decoder.decode(data)
    if isinstance(event, Created) and event.version not in READABLE_VERSIONS:
        raise msgspec.ValidationError(f"the events have version {event.version}, not {VERSION}")
    return event
