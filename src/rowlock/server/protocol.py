"""Everything on the wire: what clients send and what they are sent."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rowlock.rules.kernel import MAX_PLAYERS
from rowlock.rules.sheet import BoxState, CellState

VERSION = 1

TableCode = Annotated[str, Meta(min_length=1, max_length=16, description="The short code of a table.")]
Secret = Annotated[str, Meta(min_length=1, max_length=64, description="What a seat belongs to; sent in bodies only.")]
NewSecret = Annotated[str, Meta(min_length=32, max_length=64, description="256 random bits, made by the client.")]
CommandId = Annotated[str, Meta(min_length=1, max_length=64, description="Chosen by the client, a new one each time.")]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
SeatNumber = Annotated[
    int, Meta(ge=0, le=MAX_PLAYERS - 1, description="In turn order once the game has started, from 0.")
]
Option = Annotated[str, Meta(max_length=64, description="An option in the record's notation.")]
PhaseName = Annotated[
    str, Meta(max_length=16, description="`white` or `colour`; in card games `take`, `white` or `play`.")
]


# What a socket is sent by a client


class Message(msgspec.Struct, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True):
    """A message to the server."""


class Hello(Message):
    """Follow a table, with the secrets of the seats this device holds there; `last_seq` is the last view seen."""

    version: int
    table: TableCode
    secrets: Annotated[list[Secret], Meta(max_length=MAX_PLAYERS)] = []
    last_seq: Annotated[int, Meta(ge=0, le=2**31)] = 0
    id: CommandId | None = None


class Decide(Message):
    """Decide for a seat; the same `id` again is answered as the first time and done once."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    phase: PhaseName
    option: Option
    id: CommandId


class Withdraw(Message):
    """Take a decision back that the others have not seen yet."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    phase: PhaseName
    id: CommandId


class Start(Message):
    """Begin without those who have not come: free seats are taken away."""

    table: TableCode
    id: CommandId


class Leave(Message):
    """Give a seat free before the game has started."""

    table: TableCode
    seat: SeatNumber
    id: CommandId


class Replace(Message):
    """Let a bot play for an absent player until they return."""

    table: TableCode
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=64)]
    id: CommandId


class Bye(Message):
    """Follow a table no more."""

    table: TableCode
    id: CommandId | None = None


class Ping(Message):
    """Ask whether the connection is still there."""

    id: CommandId | None = None


AnyMessage = Hello | Decide | Withdraw | Start | Leave | Replace | Bye | Ping


# What a client is sent


class Sheet(msgspec.Struct):
    """A sheet as it stands; numbers marked and states of cells and boxes from left to right."""

    rows: dict[str, list[int]]
    fields: dict[str, list[int]]
    cells: dict[str, list[CellState]]  # of rows and bonus fields
    closed: list[str]
    locks: list[str]
    misthrows: int
    points: dict[str, int]
    total: int
    lucky: tuple[int, int] | None = None
    bar_used: int = 0
    bar: list[BoxState] = []
    pairs: list[str] = []
    pair_boxes: list[int] = []  # how many are marked, by pair


class Cards(msgspec.Struct):
    """The cards on the table: `r5`, or `?5` where only the number on the back is to be seen."""

    hands: list[list[str]]
    display: list[str]
    top: int | None  # the number on top of the pile, which is announced
    pile: int  # how many cards are left in it
    discards: list[str]


class Dice(msgspec.Struct):
    """A roll, in the record's notation and taken apart: the white dice, and the coloured ones that are in the game."""

    roll: str
    white: tuple[int, int]
    coloured: dict[str, int]


class Choice(msgspec.Struct, omit_defaults=True):
    """An option and what it does: the cards it takes or plays, the marks it makes in order, the rows it locks."""

    option: str
    marks: list[str]
    locks: list[str] = []
    lucky: bool = False
    misthrow: bool = False
    cards: list[str] = []


class Position(msgspec.Struct):
    """What lies open on the table."""

    turn: int
    phase: str
    active: int
    dice: Dice | None
    closed: list[str]
    sheets: list[Sheet]
    scores: list[int]
    cards: Cards | None  # of a card game


class Turn(msgspec.Struct, omit_defaults=True):
    """A turn as the record tells it, without what has not been revealed. One with dice has no cards, and so on."""

    active: int
    dice: Dice | None = None
    white: list[Choice] | None = None
    colour: Choice | None = None
    taken: list[str] | None = None  # by their numbers, until the game is over
    renewed: bool = False  # whether the discards became a new pile
    number: int | None = None  # announced
    played: Choice | None = None  # cards and marks


class Seat(msgspec.Struct):
    """Who sits where."""

    name: str | None
    kind: Literal["person", "bot"]
    bot: str | None  # who decides there: the bot of the seat, or one that plays for an absent player
    connected: bool
    absent: bool
    trouble: str | None = None  # why its bot last passed: error, slow, illegal


class Own(msgspec.Struct):
    """What only the holder of a seat sees: its decision until the reveal, its options, its hand."""

    seat: int
    decision: Choice | None
    options: list[Choice]
    hand: list[str] = []


class Result(msgspec.Struct):
    """How the game ended."""

    reason: str | None
    scores: list[int]
    winners: list[int]
    ended_by: list[int] = []  # whose own sheet ended it


class View(msgspec.Struct, tag_field="type", tag="view"):
    """A table as one device may see it, complete; one with a higher `seq` is newer."""

    table: str
    seq: int
    now: int  # the server's clock, milliseconds
    state: Literal["waiting", "running", "over"]
    variant: str
    seconds: int | None
    seats: list[Seat]
    position: Position | None
    log: list[Turn]
    to_act: list[int]
    decided: list[int]
    deadline: int | None  # by the server's clock, milliseconds
    own: list[Own]
    result: Result | None
    rematch: str | None


class Ack(msgspec.Struct, tag_field="type", tag="ack"):
    """A command is done, and stored: with the event `seq`."""

    id: str | None
    table: str
    seq: int


class Error(msgspec.Struct, tag_field="type", tag="error"):
    """A message that was refused: a code of the closed list, with values."""

    code: str
    values: dict[str, Any]
    id: str | None = None
    table: str | None = None


class Pong(msgspec.Struct, tag_field="type", tag="pong"):
    """The connection is still there."""

    id: str | None
    now: int


AnyReply = View | Ack | Error | Pong


# HTTP


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """A seat: for the named bot, or without one for a person who joins."""

    bot: Annotated[str, Meta(max_length=64)] | None = None
    lucky: Annotated[list[Number], Meta(min_length=2, max_length=2)] | None = None


class TableWish(msgspec.Struct, forbid_unknown_fields=True):
    """A table to create."""

    variant: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=MAX_PLAYERS)]
    seconds: Annotated[int, Meta(ge=5, le=86400, description="Per decision; without it nobody is hurried.")] | None = (
        None
    )
    id: (
        Annotated[
            str, Meta(min_length=16, max_length=64, description="Random; asked again with it, the table is made once.")
        ]
        | None
    ) = None


class TableMade(msgspec.Struct):
    """A table that has been created."""

    table: str


class Person(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody who sits down, the secret that the seat is to belong to, and which seat, where that matters."""

    name: Annotated[str, Meta(max_length=200)]
    secret: NewSecret
    seat: Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)] | None = None


class JoinWish(msgspec.Struct, forbid_unknown_fields=True):
    """Those who sit down, all of them at this device; asked again, they keep their seats."""

    people: Annotated[list[Person], Meta(min_length=1, max_length=MAX_PLAYERS)]


class SeatTaken(msgspec.Struct):
    """A seat that belongs to the secret it was asked for with."""

    seat: int
    name: str


class SeatsTaken(msgspec.Struct):
    """The seats of those who sat down."""

    table: str
    seats: list[SeatTaken]


class SecretShown(msgspec.Struct, forbid_unknown_fields=True):
    """The secret of a seat, to act for it."""

    secret: Secret


class Handover(msgspec.Struct):
    """A code with which another device takes the seat over, once."""

    handover: str
    until: int


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """The code under which a seat is handed over, and the secret that it is to belong to."""

    handover: Annotated[str, Meta(min_length=1, max_length=32)]
    secret: NewSecret


class LinkWish(msgspec.Struct, forbid_unknown_fields=True):
    """A page of this server that another device is to open."""

    path: Annotated[str, Meta(min_length=1, max_length=100, pattern="^/[!-~]*$")]


class Link(msgspec.Struct):
    """An address for another device, and its QR code line by line: 1 is dark."""

    address: str
    qr: list[str]


class RecordShown(msgspec.Struct, forbid_unknown_fields=True):
    """The text of a record file."""

    record: str


class Problem(msgspec.Struct):
    """Why a request was refused."""

    code: str
    values: dict[str, Any]


class RowInfo(msgspec.Struct):
    """A row of cells or bonus fields from left to right, with the cells' colours."""

    name: str
    numbers: list[int]
    colours: str


class PairInfo(msgspec.Struct):
    """Two bonus boxes and what they give together."""

    name: str
    boxes: list[str]
    gives: str
    amount: int


class CardsInfo(msgspec.Struct):
    """The cards of a card game, which can be played with jokers too: `+jokers` behind its id."""

    lowest: int
    highest: int
    gap: int | None  # cells that may be left out between the marks of one play in a row; null for any number


class VariantInfo(msgspec.Struct):
    """A game of the family, with all that is needed to draw its sheet."""

    id: str
    name: dict[str, str]
    about: dict[str, str]
    most_players: int
    dice: dict[str, int]  # faces of the white ones and of each colour
    rows: list[RowInfo]
    closing: int
    needed: int
    cap: int
    lucky: list[tuple[int, int]]
    bar: str
    bar_boxes: list[str]
    pairs: list[PairInfo]
    fields: list[RowInfo]
    cards: CardsInfo | None
    points: list[int]  # of a row with one mark, two marks, ... up to the cap
    misthrow_cost: int
    misthrows_to_end: int
    rows_to_end: int


class Variants(msgspec.Struct):
    """The games that can be played here."""

    variants: list[VariantInfo]


class Bots(msgspec.Struct):
    """The bots that can sit at every table, from the weakest up; others only at some, by variant and players.

    Five of them are levels for people, 1 to 5.
    """

    bots: list[str]
    only: dict[str, dict[str, list[int]]]
    levels: dict[str, int]


class Health(msgspec.Struct):
    """Whether the server is well."""

    status: Literal["ok"]
    version: str
    protocol: int


class Replay(msgspec.Struct):
    """A game as it stood at every decision it has passed, and as it stands; one from a file has no table."""

    table: str | None
    variant: str
    players: list[str]
    positions: list[Position]
    log: list[Turn]
    result: Result | None


class Replays(msgspec.Struct):
    """The games of a record file."""

    games: list[Replay]


encoder = msgspec.json.Encoder()
message_decoder = msgspec.json.Decoder(AnyMessage)
reply_decoder = msgspec.json.Decoder(AnyReply)
