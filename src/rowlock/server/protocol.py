"""The protocol: all messages, requests and responses."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rowlock.rules.kernel import MAX_PLAYERS
from rowlock.rules.sheet import BoxState, CellState, SwapState
from rowlock.server import events

VERSION = 2  # of the protocol

TableCode = Annotated[str, Meta(min_length=1, max_length=16, description="The short code of a table.")]
Secret = Annotated[str, Meta(min_length=1, max_length=64, description="The secret of a seat; sent in bodies only.")]
NewSecret = Annotated[str, Meta(min_length=32, max_length=64, description="256 random bits, made by the client.")]
CommandId = Annotated[str, Meta(min_length=1, max_length=64, description="Chosen by the client, a new one each time.")]
RequestId = Annotated[
    str, Meta(min_length=16, max_length=64, description="Random; requests with the same id create one table.")
]
Invite = Annotated[str, Meta(min_length=1, max_length=64, description="The secret of the table's invite link.")]
Pause = Annotated[int, Meta(ge=0, le=5, description="Seconds between the end of a turn and the next roll.")]
Seconds = Annotated[int, Meta(ge=5, le=86400, description="Per decision; without it there is no limit.")]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
SeatNumber = Annotated[
    int, Meta(ge=0, le=MAX_PLAYERS - 1, description="In turn order once the game has started, from 0.")
]
SheetLetter = Annotated[
    str, Meta(max_length=1, description="The letter of a sheet, in games that have several; null: it is dealt.")
]
Option = Annotated[str, Meta(max_length=64, description="An option in the record's notation.")]
PhaseName = Annotated[
    str, Meta(max_length=16, description="`white` or `colour`; in card games `take`, `white` or `play`.")
]


ShareSecret = Annotated[
    str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", description="32 random bytes in hexadecimal.")
]
Commitment = Annotated[
    str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", description="The SHA-256 hash of a share.")
]
RollText = Annotated[str, Meta(max_length=16, description="Dice in the record's notation: `41-3256`.")]
VariantName = Annotated[str, Meta(max_length=40)]
DiceSource = Annotated[
    events.DiceSource,
    Meta(description="`entered`, `entered-by-anybody`: real dice are entered; `none`: the table has sheets only."),
]


class SeatRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A seat for the named bot or, if none is named, for a person."""

    bot: Annotated[str, Meta(max_length=64)] | None = None
    lucky: Annotated[list[Number], Meta(min_length=2, max_length=2)] | None = None
    sheet: SheetLetter | None = None


SeatRequests = Annotated[list[SeatRequest], Meta(min_length=1, max_length=MAX_PLAYERS)]


# Messages of clients


class Message(msgspec.Struct, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True):
    """A message to the server."""


class Hello(Message):
    """Follow a table, with the secrets of the seats this device holds there.

    `last_seq` is the `seq` of the last view or answer: the server reads at least so far before it answers.
    """

    version: int
    table: TableCode
    secrets: Annotated[list[Secret], Meta(max_length=MAX_PLAYERS)] = []
    invite: Invite | None = None
    last_seq: Annotated[int, Meta(ge=0, le=2**31)] = 0
    id: CommandId | None = None


class Decide(Message):
    """Decide for a seat; a message with the same `id` is executed once and answered every time."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    phase: PhaseName
    option: Option
    id: CommandId
    dice: RollText | None = None  # the dice it is meant for, where people enter them: refused if they were corrected


class Roll(Message):
    """Enter the dice that a person has rolled for this turn, or others in place of those that it `corrects`."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    dice: RollText
    id: CommandId
    corrects: RollText | None = None


class Withdraw(Message):
    """Take back a decision that has not been revealed."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    phase: PhaseName
    id: CommandId


class Takeback(Message):
    """Ask to take back a decision that has been revealed, until the next roll; all other people must agree."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    phase: PhaseName
    id: CommandId


class Agree(Message):
    """Answer the request of the player `asker` to take back the decision of this turn and phase."""

    table: TableCode
    seat: SeatNumber
    asker: SeatNumber
    turn: Number
    phase: PhaseName
    agree: bool
    id: CommandId


class Mark(Message):
    """At a table without dice: make a mark in the roll `turn` with all that it sets off, or take a misthrow, `x`."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    option: Option
    id: CommandId
    closed: Annotated[
        str, Meta(pattern="^R?Y?G?B?$", description="The rows of `closed` of the option, without spaces: `RY`.")
    ] = ""


class Undo(Message):
    """At a table without dice: undo the last mark of a seat in the roll `turn`, which is `option`."""

    table: TableCode
    seat: SeatNumber
    turn: Number
    option: Option
    id: CommandId


class NewRoll(Message):
    """At a table without dice: say that the dice are rolled again, after the roll with this number."""

    table: TableCode
    turn: Number
    id: CommandId


class Finish(Message):
    """At a table without dice: end the game in the roll `turn`."""

    table: TableCode
    turn: Number
    id: CommandId


class Rematch(Message):
    """Agree to a rematch or decline it; it starts when every connected player has answered."""

    table: TableCode
    seat: SeatNumber
    agree: bool
    id: CommandId


class Remove(Message):
    """Remove a person from a seat before the game starts; only for the host."""

    table: TableCode
    seat: SeatNumber
    id: CommandId


class Access(Message):
    """Open the table to spectators and strangers or close it to them; only for the host."""

    table: TableCode
    open: bool
    id: CommandId


class Plan(Message):
    """Change game, seats and options before the game starts; only for the host.

    People keep their seats, so theirs have no bot. The own variant of a table can be kept; others need a new table.
    """

    table: TableCode
    variant: VariantName
    seats: SeatRequests
    id: CommandId
    seconds: Seconds | None = None
    pause: Pause = 1
    hints: bool = False
    dice: DiceSource = "rolled"


class Start(Message):
    """Start the game; free seats are removed."""

    table: TableCode
    id: CommandId


class Commit(Message):
    """Commit to the share of a seat in the chance of a game that is about to start."""

    table: TableCode
    seat: SeatNumber
    commitment: Commitment
    id: CommandId


class Share(Message):
    """Give the share of a seat, once all have committed to theirs."""

    table: TableCode
    seat: SeatNumber
    share: ShareSecret
    id: CommandId


class Leave(Message):
    """Free a seat before the game starts."""

    table: TableCode
    seat: SeatNumber
    id: CommandId


class Return(Message):
    """Play again on a seat for which the others let a bot play."""

    table: TableCode
    seat: SeatNumber
    id: CommandId


class Replace(Message):
    """Let a bot play for an absent player until they return, or vote for that if the player does not decide."""

    table: TableCode
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=64)]
    id: CommandId


class Why(Message):
    """Ask why a cell, box or field cannot be marked now; nothing is stored."""

    table: TableCode
    seat: SeatNumber
    spot: Annotated[
        str, Meta(max_length=8, description="A cell or bonus field, `R5` or `RY7`, or a swap field, `8/5`.")
    ]
    id: CommandId
    swap: Annotated[str, Meta(max_length=8, description="The swap field chosen before.")] | None = None
    chosen: Annotated[str, Meta(max_length=64, description="The play of cards chosen so far, an option.")] | None = None


class Bye(Message):
    """Stop following a table."""

    table: TableCode
    id: CommandId | None = None


class Ping(Message):
    """Check that the connection works."""

    id: CommandId | None = None


SeatCommand = Commit | Share | Decide | Roll | Withdraw | Takeback | Agree | Mark | Undo | Rematch | Leave | Return
Command = SeatCommand | Plan | Start | Remove | Access | Replace | NewRoll | Finish
AnyMessage = Hello | Command | Why | Bye | Ping


# Messages of the server


class Sheet(msgspec.Struct):
    """A sheet: marked numbers, and the states of cells and boxes from left to right."""

    rows: dict[str, list[int]]
    fields: dict[str, list[int]]
    cells: dict[str, list[CellState]]  # by row or row of bonus fields
    closed: list[str]
    locks: list[str]
    to_lock: dict[str, int]  # how many more marks each row needs before it can be locked
    misthrows: int
    points: dict[str, int]
    total: int
    lucky: tuple[int, int] | None = None
    bar_used: int = 0
    bar: list[BoxState] = []
    pairs: list[str] = []
    pair_boxes: list[int] = []  # how many boxes of each pair of bonus boxes are marked
    letter: str | None = None  # of this kind of sheet, if players may have different ones
    steps: list[str] = []  # cells
    joined: list[tuple[str, str]] = []  # pairs of cells
    swaps: list[str] = []  # the swap fields used: `8/5`
    swap_states: list[SwapState] = []
    second: dict[str, list[int]] = {}  # the numbers whose second box is marked, by row
    second_states: dict[str, list[CellState]] = {}  # of the boxes, by row; closing cells have none


class Cards(msgspec.Struct):
    """The cards on the table: `r5`, or `?5` where only the number on the back is visible."""

    hands: list[list[str]]
    display: list[str]
    top: int | None  # the number on top of the pile
    pile: int  # how many cards are left in it
    discards: list[str]


class Dice(msgspec.Struct):
    """A roll in the record's notation, and as numbers: the white dice, and the coloured dice still in the game."""

    roll: str
    white: tuple[int, int]
    coloured: dict[str, int]


class Choice(msgspec.Struct, omit_defaults=True):
    """An option: the marks it makes in order, the rows it locks, the cards it takes or plays."""

    option: str
    marks: list[str]
    locks: list[str] = []
    lucky: bool = False
    misthrow: bool = False
    cards: list[str] = []
    swap: str | None = None  # the swap field that it uses: `8/5`
    swapped: int | None = None  # the white sum that this field exchanges
    second: bool = False  # whether it marks the second box of the cell
    closed: list[str] = []  # without dice: rows that others have locked since the last roll, if closed already for it


class Position(msgspec.Struct):
    """The public position of a game."""

    turn: int
    phase: str
    active: int
    dice: Dice | None
    closed: list[str]
    sheets: list[Sheet]
    scores: list[int]
    cards: Cards | None  # only in card games
    last_row: bool = False  # whether one more row ends the game
    last_misthrow: list[int] = []  # the seats of the players whose next misthrow ends it


class Turn(msgspec.Struct, omit_defaults=True):
    """A turn as in the record. Fields that are not revealed yet or not part of the game are left out."""

    active: int
    dice: Dice | None = None
    white: list[Choice] | None = None
    colour: Choice | None = None
    taken: list[str] | None = None  # cards; only their numbers until the game is over
    renewed: bool = False  # whether the discards became a new pile
    number: int | None = None  # the announced number
    played: Choice | None = None  # the cards and the marks made with them


class Seat(msgspec.Struct):
    """A seat and its player."""

    name: str | None
    kind: Literal["person", "bot"]
    bot: str | None  # the bot that decides: the player itself, or one that plays for a person
    connected: bool
    absent: bool
    trouble: str | None = None  # why its bot last passed: error, slow, illegal
    sheet: str | None = None  # the letter of the sheet that was chosen for it; null: dealt in the order of the players
    shares: bool = False  # whether its device gives a share of the chance


class Own(msgspec.Struct):
    """What only the holder of a seat receives: its unrevealed decision, its options, its hand.

    `takeback` lists the phases of this turn whose decision the player may ask to take back. `state` is sent to a seat
    that is to act in a card game with hints: the kernel's state without what is hidden from the seat, as integers after
    the name of their layout.
    """

    seat: int
    decision: Choice | None
    options: list[Choice]
    hand: list[str] = []
    takeback: list[str] = []
    state: str | msgspec.UnsetType = msgspec.UNSET


class StartingSeat(msgspec.Struct):
    """A seat of a game that is about to start."""

    seat: int
    shares: bool  # whether its device gives a share of the chance
    commitment: str | None
    shared: bool


class StartState(msgspec.Struct):
    """A game that is about to start waits for shares of its chance; without them it is void at the time `until`."""

    commitment: str  # of the table to its seed
    seats: list[StartingSeat]  # in the order in which the shares are combined
    until: int  # by the server's clock, milliseconds


class Result(msgspec.Struct):
    """How the game ended."""

    reason: str | None
    scores: list[int]
    winners: list[int]
    ended_by: list[int] = []  # the seat numbers of the players whose sheets ended it


class SeatMark(msgspec.Struct):
    """A mark of a player at a table without dice."""

    seat: int
    mark: Choice


class SinceRoll(msgspec.Struct):
    """At a table without dice: the marks since the last roll in order, the rows that were locked, with the players."""

    marks: list[SeatMark]
    locks: dict[str, list[int]]
    ending: bool  # whether the game is over with the next roll


class TakebackRequest(msgspec.Struct):
    """A request to take back a decision, and who has agreed."""

    seat: int
    turn: int
    phase: str
    agreed: list[int]
    until: int  # by the server's clock, milliseconds


class Votes(msgspec.Struct):
    """The players who want a bot to play for a connected player who does not decide."""

    seat: int
    bot: str
    voters: list[int]


class RematchState(msgspec.Struct):
    """Who has agreed to a rematch and who has declined, and the code of its table once it exists."""

    agreed: list[int]
    declined: list[int]
    table: str | None


class View(msgspec.Struct, tag_field="type", tag="view"):
    """The complete view of a table for one device; a higher `seq` is newer."""

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
    final: list[int]  # of those who decided: their decision has been revealed and cannot be withdrawn
    deadline: int | None  # by the server's clock, milliseconds
    own: list[Own]
    result: Result | None
    pause: int  # seconds before the next roll
    roll_at: int | None  # when the next turn begins, by the server's clock; null unless the table pauses
    host: int | None  # a seat number
    open: bool  # to spectators and people without a seat
    invite: str | None  # the secret of the invite link; only for those who have a seat
    hash: str  # of the last event; it depends on all events before
    takeback: TakebackRequest | None
    votes: Votes | None
    rematch: RematchState | None  # null until the game is over
    variant_hash: str | None = None  # the identity of a variant that is not built in
    hints: bool = False  # whether players may ask for hints: the host allows them, or one person plays
    dice: DiceSource = "rolled"
    entering: list[int] = []  # the seats whose players may enter the dice now, or correct them
    awaited: list[int] = []  # the seats that the game waits for: to act, or alone to enter the dice
    since_roll: SinceRoll | None = None  # only at a table without dice
    start: StartState | None = None  # while the game is about to start
    voided: list[int] = []  # the seats whose share was missing, if the last start was void
    void_starts: int | msgspec.UnsetType = msgspec.UNSET  # how many starts of this table were void, if there were any


class Ack(msgspec.Struct, tag_field="type", tag="ack"):
    """A command was executed and stored; `seq` is the number of its event.

    In the answer to a `hello`, `hash` is that of the event `last_seq`, if it is known.
    """

    id: str | None
    table: str
    seq: int
    hash: str | None = None


class Error(msgspec.Struct, tag_field="type", tag="error"):
    """A message was refused; `code` is a code of the list, `values` belong to this code."""

    code: str
    values: dict[str, Any]
    id: str | None = None
    table: str | None = None


class Pong(msgspec.Struct, tag_field="type", tag="pong"):
    """The answer to a ping."""

    id: str | None
    now: int


class Obstacle(msgspec.Struct, tag_field="type", tag="obstacle"):
    """The answer to `why`: why the spot cannot be marked now; null if nothing prevents it."""

    id: str
    table: str
    obstacle: str | None
    values: dict[str, Any]


AnyReply = View | Ack | Error | Pong | Obstacle


# HTTP


# The text of the file of an own variant; with JSON around it, it fits into the largest body of a request.
VariantText = Annotated[str, Meta(max_length=12_000)]


class TableRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A table to create."""

    variant: VariantName
    seats: SeatRequests
    seconds: Seconds | None = None
    id: RequestId | None = None
    pause: Pause = 1
    variant_file: VariantText | None = None  # of a variant that the server does not offer
    hints: bool = False  # whether people may ask for hints although others play, too
    dice: DiceSource = "rolled"


class TableCreated(msgspec.Struct):
    """The code of a new table, the secret of its invite link and the number of its last event."""

    table: str
    invite: str
    seq: int


class Person(msgspec.Struct, forbid_unknown_fields=True):
    """A person who takes a seat, and a secret for the seat; if `seat` is null, any free seat is taken."""

    name: Annotated[str, Meta(max_length=200)]
    secret: NewSecret
    seat: Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)] | None = None
    sheet: SheetLetter | None = None
    shares: bool = False  # whether this device gives a share of the chance when the game starts


class JoinRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The people of one device who take seats; the same request again keeps the seats."""

    people: Annotated[list[Person], Meta(min_length=1, max_length=MAX_PLAYERS)]
    invite: Invite | None = None


class SeatTaken(msgspec.Struct):
    """A seat that a person has taken."""

    seat: int
    name: str


class SeatClaimed(SeatTaken):
    """A seat that was handed over; a `hello` with `last_seq` set to `seq` is not answered before that is known."""

    seq: int


class SeatsTaken(msgspec.Struct):
    """The seats that were taken; a `hello` with `last_seq` set to `seq` is not answered before they are known."""

    table: str
    seats: list[SeatTaken]
    seq: int


class SeatSecret(msgspec.Struct, forbid_unknown_fields=True):
    """The secret of a seat."""

    secret: Secret


class Handover(msgspec.Struct):
    """A one-time code with which another device can take over the seat."""

    handover: str
    until: int


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """The handover code of a seat, and the new secret for the seat."""

    handover: Annotated[str, Meta(min_length=1, max_length=32)]
    secret: NewSecret
    shares: bool = False  # as in the request for a seat


class FairSeat(msgspec.Struct):
    """The share of a seat: its commitment, and after the game the share itself; null for a seat without one."""

    name: str
    commitment: str | None
    share: str | None


class Fairness(msgspec.Struct):
    """What the chance of a game follows from; the secrets are null until it is over."""

    table: str
    commitment: str  # of the table to its seed
    seed: str | None
    seats: list[FairSeat]  # in the order in which the shares are combined
    void_starts: int  # how many starts of the table were void before


class SeatForgotten(msgspec.Struct):
    """The number of the event with which a person was forgotten."""

    seq: int


class LinkRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The path of a page for another device."""

    path: Annotated[str, Meta(min_length=1, max_length=100, pattern="^/[!-~]*$")]


class Link(msgspec.Struct):
    """An address for another device, and the rows of its QR code; 1 is dark."""

    address: str
    qr: list[str]


class RecordText(msgspec.Struct, forbid_unknown_fields=True):
    """The text of a record file, and the file of its variant if that is not built in."""

    record: str
    variant_file: VariantText | None = None


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
    """Two bonus boxes and the bonus for both."""

    name: str
    boxes: list[str]
    gives: str
    amount: int


class SheetInfo(msgspec.Struct):
    """A kind of sheet: its steps and its pairs of joined cells; the only one of a variant has no letter."""

    letter: str | None
    steps: list[str]
    joined: list[tuple[str, str]]


class CardsInfo(msgspec.Struct):
    """The cards of a card game; `+jokers` after its id adds the jokers."""

    lowest: int
    highest: int
    gap: int | None  # how many cells the marks of one play in a row may skip; null for any number


class VariantInfo(msgspec.Struct):
    """A variant, with all that is needed to draw its sheet."""

    id: str
    name: dict[str, str]
    about: dict[str, str]
    most_players: int
    dice: dict[str, int]  # number of faces, by colour
    rows: list[RowInfo]
    closing: int
    needed: int | list[int]  # one number per row if they differ
    cap: int
    lucky: list[tuple[int, int]]
    bar: str
    bar_boxes: list[str]
    pairs: list[PairInfo]
    fields: list[RowInfo]
    cards: CardsInfo | None
    points: list[int]  # for one mark in a row, two marks, ... up to the cap
    misthrow_cost: int
    misthrows_to_end: int
    rows_to_end: int
    sheets: list[SheetInfo] = []  # in the order in which they are dealt; none if sheets have no steps or joined cells
    swaps: list[tuple[int, int]] = []  # swap fields, left to right
    second: bool = False  # whether cells, except closing ones, have a second box


class Variants(msgspec.Struct):
    """The variants that can be played."""

    variants: list[VariantInfo]


class VariantFile(msgspec.Struct, forbid_unknown_fields=True):
    """The text of the file of an own variant."""

    file: VariantText


class SheetsRequest(VariantFile, forbid_unknown_fields=True):
    """Sheets to print of an own variant."""

    language: Literal["en", "de", "nl"] = "en"
    paper: Literal["a4", "letter"] = "a4"


class OwnVariant(msgspec.Struct):
    """A variant that is not built in, and the text of its file."""

    variant: VariantInfo
    file: str


class Bots(msgspec.Struct):
    """The bots that can play at every table, weakest first; `only` has the others, by variant and numbers of players.

    Five bots are the levels 1 to 5 that people choose from.
    """

    bots: list[str]
    only: dict[str, dict[str, list[int]]]
    levels: dict[str, int]


class LocalVariant(msgspec.Struct):
    """What a table on the device itself needs of a variant: what the client draws, and the kernel's tables.

    `layout` names the layout of the tables: the client uses only tables of its own layout. A variant that is not built
    in has an identity, for records, and a file, with which a server can play it too.
    """

    info: VariantInfo
    tables: list[int]
    layout: str
    identity: str | None = None
    file: str | None = None


class LocalGames(msgspec.Struct):
    """The games that can be played without a server, and their bots; `weights` has the files of the champion.

    These are named by variant, and by `solo` or `several` for the number of players.
    """

    variants: list[VariantInfo]
    bots: Bots
    weights: dict[str, dict[str, str]]


class CheckedVariant(msgspec.Struct):
    """The variant that a file describes, also for a table on the device itself, and the bots that can play."""

    variant: VariantInfo
    bots: Bots
    local: LocalVariant


class Health(msgspec.Struct):
    """The state of the server."""

    status: Literal["ok"]
    version: str
    protocol: int


class Replay(msgspec.Struct):
    """The positions of a game at every decision and now; a game from a file has no table."""

    table: str | None
    variant: str
    players: list[str]
    positions: list[Position]
    log: list[Turn]
    result: Result | None
    variant_hash: str | None = None  # the identity of a variant that is not built in


class Replays(msgspec.Struct):
    """The games of a record file."""

    games: list[Replay]


encoder = msgspec.json.Encoder()
message_decoder = msgspec.json.Decoder(AnyMessage)
reply_decoder = msgspec.json.Decoder(AnyReply)
