"""The commands of a table: each returns the events that it causes, or raises a refusal."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from rowlock.bots import ready_bots
from rowlock.rules.explain import Illegal
from rowlock.rules.fairness import commitment, new_secret
from rowlock.rules.game import Game, checked_lucky
from rowlock.rules.score_sheets import ScoreSheets, first_mark
from rowlock.rules.variant import Variant, variant_id
from rowlock.server import protocol
from rowlock.server.events import (
    ENTERED_DICE,
    VERSION,
    Access,
    AnyEvent,
    Committed,
    Created,
    Dealt,
    Decided,
    DiceSource,
    Ended,
    Finished,
    Forgotten,
    Handed,
    Left,
    Marked,
    NewRoll,
    Offered,
    Planned,
    RematchAnswered,
    Removed,
    Replaced,
    ReplaceVoted,
    Returned,
    Rolled,
    Seated,
    SeatPlan,
    Shared,
    Started,
    Starting,
    TakebackAnswered,
    TakebackAsked,
    TakenBack,
    Undone,
    Voided,
    Withdrawn,
)
from rowlock.server.names import check_name, skeleton
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import TAKEBACK_SECONDS, Issuer, Start, Table, plan_content
from rowlock.server.variants import requested_file, setup_of

MAX_WITHDRAWALS = 20  # per seat and phase
MAX_EVENTS = 10_000  # per table; beyond that only events that its game needs are stored
MAX_TAKEBACKS = 5  # requests per seat and turn
MAX_CORRECTIONS = 20  # of the dice of a turn
MAX_PLANS = 200  # changes of a table before its game

# New events, or the number of the event that the same command has caused before.
Outcome = list[AnyEvent] | int


def apply_events(table: Table, events: Sequence[AnyEvent], at: int) -> list[AnyEvent]:
    """Apply events, then the roll, deal, take-back or end that follows from them; return all events.

    If a decision is refused, some events may already have been applied: pass a copy of the table.
    """
    all_events = list(events)
    for event in events:
        try:
            table.apply(event, at)
        except Illegal as error:
            if isinstance(event, Rolled) and event.seat is not None:
                raise Refused("dice", reason=error.text) from None
            if table.game is None or not isinstance(event, Decided | Marked | Undone):
                raise
            raise _illegal(table, event.seat, error.code) from None
    if table.start and not table.start.missing:
        all_events.append(table.started())
        table.apply(all_events[-1], at)
    game = table.game
    if game is not None and isinstance(all_events[-1], Started | Decided | NewRoll | Finished):
        if game.over:
            all_events.append(Ended(game.scores))
            table.apply(all_events[-1], at)
        elif (
            table.dice == "rolled" and not game.to_act and not (game.between_turns and (table.pause or table.takeback))
        ):
            all_events.append(table.draw_chance(_new_seed(), at))
    request = table.takeback
    if request and at <= request.until and set(table.people) <= {request.seat, *request.agreed}:
        all_events.append(TakenBack(request.seat, request.turn, request.phase))
        table.apply(all_events[-1], at)
    return all_events


def begin_turn(table: Table, now: int) -> list[AnyEvent]:
    """Roll or deal for the next turn once the pause is over."""
    due = table.roll_at is not None and now >= table.roll_at
    # On a copy: the event is applied to the table when it is stored.
    return [table.copy().draw_chance(_new_seed(), now)] if due else []


def _new_seed() -> int:
    """A new seed for each roll of a table whose chance follows from nothing else."""
    return secrets.randbits(63)


def check_size(table: Table, events: Sequence[AnyEvent]) -> None:
    """Refuse events that the game does not need if the table has many, and all but the game's if it has very many."""
    if table.seq < MAX_EVENTS:
        return
    of_players = (Planned, Starting, Seated, Left, Removed, Access, Offered, Handed)
    unneeded = (*of_players, Withdrawn, TakebackAsked, TakebackAnswered, Undone, NewRoll)
    starting = (Committed, Shared, Voided, Started)
    game_events = (*starting, Rolled, Dealt, Decided, Replaced, Marked, Finished, Ended, Forgotten)
    again = any(
        (isinstance(event, Replaced) and table.seats[event.seat].replaced_by)
        or (isinstance(event, Rolled) and table.game and table.game.dice)
        for event in events
    )
    if (again or any(isinstance(event, unneeded) for event in events)) or (
        table.seq >= 2 * MAX_EVENTS and not any(isinstance(event, game_events) for event in events)
    ):
        raise Refused("limit", most=MAX_EVENTS)


# Access


def check_access(table: Table, hashes: Collection[str], invite: str | None) -> None:
    """Refuse a device that may not see the table: `hashes` are of its seats' secrets, `invite` is its link's secret."""
    if _holds_seat(table, hashes):
        return
    if not table.open:
        raise Refused("closed")
    if table.game is None or table.invite is None:  # tables of version 1 have no invite secret
        return
    if not _knows_invite(table, invite):
        raise Refused("invite")


def knows_secret(table: Table, hashes: Collection[str], invite: str | None) -> bool:
    """Whether a device has the secret of a seat or of the invite link, not only the code of the table."""
    return _holds_seat(table, hashes) or _knows_invite(table, invite)


def _holds_seat(table: Table, hashes: Collection[str]) -> bool:
    return any(table.seat_number_of(secret_hash) is not None for secret_hash in hashes)


def _knows_invite(table: Table, invite: str | None) -> bool:
    return bool(invite and table.invite and secrets.compare_digest(invite.encode(), table.invite.encode()))


def _check_host(table: Table, own_seats: Sequence[int], present: Collection[int]) -> int:
    """The seat number of the host; raise a refusal if it is not among the seats of the sender."""
    host = table.host(present)
    if host is None or host not in own_seats:
        raise Refused("not-host")
    return host


def set_access(
    table: Table, message: protocol.Access, own_seats: Sequence[int], present: Collection[int] = ()
) -> Outcome:
    """Open the table to spectators and strangers, or close it to them; `present` are people who are not absent."""
    content = ("access", message.open)
    if (seq := _processed_by(table, own_seats, message.id, content)) is not None:
        return seq
    return [Access(message.open, message.id, _check_host(table, own_seats, present))]


def remove(table: Table, message: protocol.Remove, own_seats: Sequence[int], present: Collection[int] = ()) -> Outcome:
    """Remove a person from a seat before the game starts; `present` are people who are not absent."""
    if (seq := _processed_by(table, own_seats, message.id, ("remove", message.seat))) is not None:
        return seq
    host = _check_host(table, own_seats, present)
    if table.begun:
        raise Refused("started")
    if message.seat >= len(table.seats) or table.seats[message.seat].secret_hash is None:
        raise Refused("no-person", seat=message.seat)
    return [Removed(message.seat, message.id, host)]


def _illegal(table: Table, seat_number: int, rule: str) -> Refused:
    assert table.game is not None
    options = table.sheets.options(seat_number) if table.sheets else table.game.seen_actions(seat_number)
    return Refused("illegal", rule=rule, options=sorted(options))


# Before the game


def create(request: protocol.TableRequest, offered: Mapping[str, str] = MappingProxyType({})) -> list[AnyEvent]:
    """Create a table; if every seat has a bot, the game starts at once. `offered` are the server's variants' files."""
    variant_file = requested_file(request.variant, request.variant_file, offered)
    plans = _seat_plans(request.seats, setup_of(request.variant, variant_file).variant, request.dice)
    pause = request.pause if any(plan.bot is None for plan in plans) else 0  # bots need no pause
    created = Created(
        request.variant,
        plans,
        request.seconds,
        VERSION,
        None,
        request.id,
        pause,
        _new_secret(),
        _new_secret(),
        variant_file,
        request.hints,
        request.dice,
    )
    return [created, *(_start_events(created.dice, range(len(plans))) if all(plan.bot for plan in plans) else [])]


def _seat_plans(seats: Sequence[protocol.SeatRequest], variant: Variant, dice: DiceSource) -> tuple[SeatPlan, ...]:
    """The seats of a table; raise a refusal if the variant cannot be played there. Bots need dice."""
    if dice == "none" and any(seat.bot for seat in seats):
        raise Refused("bot", bots=[])
    if dice in ENTERED_DICE and (variant.cards or all(seat.bot for seat in seats)):
        raise Refused("dice", reason=f"{variant} has no dice" if variant.cards else "nobody can roll the dice")
    lucky = _lucky_numbers(seats, variant)
    for seat in seats:
        _check_sheet(variant, seat.sheet)
    _check_bots([(seat.bot, seat.sheet) for seat in seats], variant, lucky)
    return tuple(SeatPlan(seat.bot, pair, seat.sheet) for seat, pair in zip(seats, lucky, strict=True))


def plan(
    table: Table,
    message: protocol.Plan,
    own_seats: Sequence[int],
    present: Collection[int] = (),
    offered: Mapping[str, str] = MappingProxyType({}),
) -> Outcome:
    """Change game, seats and options before the game starts; `present` are people who are not absent."""
    same = variant_id(message.variant) == variant_id(table.variant)
    file = requested_file(message.variant, table.variant_file if same else None, offered)
    plans = _seat_plans(message.seats, setup_of(message.variant, file).variant, message.dice)
    planned = Planned(message.variant, plans, message.seconds, message.pause, file, message.hints, dice=message.dice)
    if (seq := _processed_by(table, own_seats, message.id, plan_content(planned))) is not None:
        return seq
    host = _check_host(table, own_seats, present)
    if table.begun:
        raise Refused("started")
    taken = [number for number, seat in enumerate(table.seats) if seat.secret_hash]
    if any(number >= len(plans) or plans[number].bot for number in taken):
        free = [number for number, seat in enumerate(table.seats) if seat.free]
        raise Refused("seat-taken", free=free)
    if table.plans >= MAX_PLANS:
        raise Refused("limit", most=MAX_PLANS)
    return [msgspec.structs.replace(planned, command=message.id, asked_by=host)]


def _new_secret() -> str:
    return secrets.token_urlsafe(16)


def same_request(created: Created, other: Created) -> bool:
    """Whether the same request creates both tables, apart from their random secrets."""
    return created == msgspec.structs.replace(other, invite=created.invite, hash_key=created.hash_key)


# The bot of a seat (None for a person) and the sheet chosen for the seat (None if it is dealt).
BotSheet = tuple[str | None, str | None]


def _check_bots(bots: Sequence[BotSheet], variant: Variant, lucky: Sequence[tuple[int, int] | None]) -> None:
    """Refuse bots that cannot play this variant; `lucky` has an entry for every player, None without lucky numbers."""
    requested = {bot for bot, _ in bots if bot is not None}
    if requested and not requested <= set(ready := _ready_bots(bots, variant, lucky)):
        raise Refused("bot", bots=list(ready))


def _ready_bots(bots: Sequence[BotSheet], variant: Variant, lucky: Sequence[tuple[int, int] | None]) -> Sequence[str]:
    """The bots that can play, with the sheets of these seats, against players with these lucky numbers."""
    players = len(lucky)
    # The order of the players is drawn later, so a sheet that is dealt can be any of the first ones.
    letters = {letter for bot, sheet in bots if bot for letter in sheet or variant.sheet_letters[:players]}
    return ready_bots(variant.with_lucky([pair for pair in lucky if pair]).with_sheets(letters), players)


def _lucky_numbers(seats: Sequence[protocol.SeatRequest], variant: Variant) -> Sequence[tuple[int, int] | None]:
    """The lucky numbers of every seat: those of the request, or those of the variant if the request has none."""
    pairs = [(seat.lucky[0], seat.lucky[1]) for seat in seats if seat.lucky]
    if not pairs:
        return variant.lucky_pairs[: len(seats)] or [None] * len(seats)
    try:
        return checked_lucky(variant, pairs, len(seats))
    except ValueError as error:
        raise Refused("lucky", reason=str(error)) from None


def _check_sheet(variant: Variant, letter: str | None) -> None:
    """Refuse the letter of a sheet that the game does not have."""
    letters = list(variant.sheet_letters)
    if letter is not None and letter not in letters:
        raise Refused("sheet", sheets=letters)


def _start_events(dice: DiceSource, seat_numbers: Sequence[int], command_id: str | None = None) -> list[AnyEvent]:
    """Start the game: the first player is drawn by lot, and the others follow in seating order.

    A table that rolls waits for the shares of the chance; `apply_events` goes on without any. Without dice the players
    decide who begins.
    """
    if dice == "rolled":
        return [Starting(tuple(seat_numbers), new_secret(), command_id)]
    first = 0 if dice == "none" else secrets.randbelow(len(seat_numbers))
    return [Started((*seat_numbers[first:], *seat_numbers[:first]), command_id)]


def join(
    table: Table,
    names: Sequence[str],
    hashes: Sequence[str],
    wanted_seats: Sequence[int | None] | None = None,
    sheets: Sequence[str | None] | None = None,
    shares: Sequence[bool] | None = None,
) -> Outcome:
    """Give people the seats they want, or else the first free ones; when no free seat is left, the game starts.

    `sheets` has the letters of the sheets that they have chosen, None for those who have not. `shares` says whose
    device gives a share of the chance: a game with such people starts when they are connected, see `start_full`.
    """
    held_seats = [table.seat_number_of(secret_hash) for secret_hash in hashes]
    if [None if number is None else table.seats[number].name for number in held_seats] == list(names):
        return table.seq  # the same request again
    if len(set(hashes)) < len(hashes) or any(number is not None for number in held_seats):
        raise Refused("secret")
    if table.begun:
        raise Refused("started")
    if not table.open:
        raise Refused("closed")
    taken = {skeleton(seat.name) for seat in table.seats if seat.name}
    for name in names:
        check_name(name)
        if skeleton(name) in taken:
            raise Refused("name-taken", name=name)
        taken.add(skeleton(name))
    free_seats = [number for number, seat in enumerate(table.seats) if seat.free]
    if len(free_seats) < len(names):
        raise Refused("full", free=len(free_seats))
    assigned_seats = _assign_seats(free_seats, wanted_seats or [None] * len(names))
    sheets = sheets or [None] * len(names)
    for letter in sheets:
        _check_sheet(table.setup.variant, letter)
    shares = shares or [False] * len(names)
    people = zip(assigned_seats, names, hashes, sheets, shares, strict=True)
    events: list[AnyEvent] = [Seated(*person) for person in people]
    if len(free_seats) == len(names) and not _waits(table.dice, (*shares, *(seat.shares for seat in table.seats))):
        events += _start_events(table.dice, range(len(table.seats)))
    return events


def start_full(table: Table, connected: Collection[int]) -> list[AnyEvent]:
    """Start the game of a table whose last free seat was taken once all devices that give a share are connected.

    After a void start somebody has to start it by hand, as after a bot was put into the last free seat.
    """
    if table.begun or not table.complete or any(seat.free for seat in table.seats):
        return []
    sharing = {number for number, seat in enumerate(table.seats) if seat.shares}
    return _start_events(table.dice, range(len(table.seats))) if sharing and sharing <= set(connected) else []


def _waits(dice: DiceSource, shares: Iterable[bool]) -> bool:
    """Whether a table without a free seat waits for devices that give a share of the chance."""
    return dice == "rolled" and any(shares)


def _assign_seats(free_seats: Sequence[int], wanted_seats: Sequence[int | None]) -> list[int]:
    """The number of a seat for every person: the wanted seat, or the first remaining one if the person wants none."""
    chosen = [number for number in wanted_seats if number is not None]
    if len(set(chosen) & set(free_seats)) < len(chosen):
        raise Refused("seat-taken", free=list(free_seats))
    remaining = iter([number for number in free_seats if number not in chosen])
    return [next(remaining) if number is None else number for number in wanted_seats]


def start(table: Table, message: protocol.Start) -> Outcome:
    """Start the game; seats that are still free are removed."""
    if (seq := _processed_seq(table, "start", message.id, ("start",))) is not None:
        return seq
    if table.begun:
        raise Refused("started")
    taken = {number: seat for number, seat in enumerate(table.seats) if not seat.free}
    bots = [(seat.bot, seat.sheet) for seat in taken.values()]
    _check_bots(bots, table.setup.variant, [seat.lucky for seat in taken.values()])
    return _start_events(table.dice, list(taken), message.id)


def commit(table: Table, message: protocol.Commit) -> Outcome:
    """Commit to the share of a seat."""
    if (seq := _processed_seq(table, message.seat, message.id, ("commit", message.commitment))) is not None:
        return seq
    start = _start_with_share(table, message.seat)
    if message.seat in start.commitments:
        raise Refused("share")
    return [Committed(message.seat, message.commitment, message.id)]


def give_share(table: Table, message: protocol.Share) -> Outcome:
    """Give the share of a seat, once all have committed to theirs."""
    if (seq := _processed_seq(table, message.seat, message.id, ("share", message.share))) is not None:
        return seq
    start = _start_with_share(table, message.seat)
    fits = start.commitments.get(message.seat) == commitment(message.share)
    if not start.committed or not fits or message.seat in start.shares:
        raise Refused("share")
    return [Shared(message.seat, message.share, message.id)]


def _start_with_share(table: Table, seat_number: int) -> Start:
    """The start that waits for the share of a seat."""
    if table.game is not None:
        raise Refused("started")
    if table.start is None or seat_number not in table.start.sharing:
        raise Refused("not-starting")
    return table.start


def void_start(table: Table, now: int) -> list[AnyEvent]:
    """Give up a start for which shares are missing when its time is over."""
    return [Voided(table.start.missing)] if table.start and now >= table.start.until else []


def leave(table: Table, message: protocol.Leave) -> Outcome:
    """Free a seat before the game starts."""
    if table.begun:
        raise Refused("started")
    return [Left(message.seat, message.id)]


def already_left(table: Table, message: protocol.Leave) -> int | None:
    """The number of the event if this command has already freed the seat: then its sender no longer holds the seat."""
    return _processed_seq(table, ("leave", message.seat), message.id, ("leave",))


# Decisions


def decide(table: Table, message: protocol.Decide) -> Outcome:
    """Decide for the person on a seat."""
    seq = _processed_seq(table, message.seat, message.id, ("decide", message.turn, message.phase, message.option))
    if seq is not None:
        return seq
    if table.game and message.turn == table.game.turn and message.dice not in (None, table.game.dice):
        raise Refused("dice-changed")  # then the phase may be another one, too
    game = _game_in_phase(table, message.turn, message.phase)
    if message.seat not in game.to_act:
        if message.seat in table.pending:
            raise Refused("decided")
        raise Refused("not-to-act", to_act=list(game.to_act))
    if game.phase == "take" and message.option not in game.seen_actions(message.seat):
        raise _illegal(table, message.seat, "cards")  # does not reveal whether a guessed colour is right
    return [Decided(message.seat, message.turn, message.phase, message.option, message.id)]


def roll(table: Table, message: protocol.Roll) -> Outcome:
    """Enter the dice that a person has rolled, or correct them; they stand once a person has chosen an option."""
    if (seq := _processed_seq(table, message.seat, message.id, ("roll", message.turn, message.dice))) is not None:
        return seq
    game = table.game
    if game is None:
        raise Refused("not-started")
    if message.turn != game.turn or game.over:
        raise Refused("early" if message.turn > game.turn else "past", turn=game.turn, phase=game.phase)
    if game.dice is not None and message.dice == game.dice:
        return table.seq  # somebody else has entered the same
    if game.dice != message.corrects or (game.dice is not None and table.choices):
        raise Refused("dice-stand")
    if message.seat not in table.entering:
        raise Refused("not-to-roll", seats=table.entering)
    if game.dice is not None and table.corrections >= MAX_CORRECTIONS:
        raise Refused("limit", most=MAX_CORRECTIONS)
    return [Rolled(message.dice, message.seat, message.id)]


def why_not(table: Table, message: protocol.Why) -> protocol.Obstacle:
    """Why the person on a seat cannot mark a cell, box or field now."""
    if table.game is None:
        raise Refused("not-started")
    try:
        if table.sheets:
            found = table.sheets.why_not(message.seat, message.spot)
        else:
            found = table.game.why_not(message.seat, message.spot, message.swap, message.chosen)
    except ValueError as error:
        raise Refused("message", reason=str(error)) from None
    name, values = found or (None, {})
    return protocol.Obstacle(message.id, table.code, name, values)


def withdraw(table: Table, message: protocol.Withdraw, now: int) -> Outcome:
    """Withdraw a decision before the reveal."""
    if (seq := _processed_seq(table, message.seat, message.id, ("withdraw", message.turn, message.phase))) is not None:
        return seq
    _game_in_phase(table, message.turn, message.phase)
    if message.seat not in table.pending:
        raise Refused("not-decided")
    if message.seat in table.final_decisions:
        raise Refused("no-takeback")
    if table.deadline is not None and now > table.deadline:
        raise Refused("late")
    if table.withdrawals.get(message.seat, 0) >= MAX_WITHDRAWALS:
        raise Refused("limit", most=MAX_WITHDRAWALS)
    return [Withdrawn(message.seat, message.turn, message.phase, message.id)]


def ask_takeback(table: Table, message: protocol.Takeback, own_seats: Sequence[int], now: int) -> Outcome:
    """Ask to take back a revealed decision; it happens at once if nobody else has to agree."""
    if (seq := _processed_seq(table, message.seat, message.id, ("takeback", message.turn, message.phase))) is not None:
        return seq
    game = table.game
    if game is None:
        raise Refused("not-started")
    last_turn = game.turn - int(game.between_turns)
    possible = message.seat in table.people and message.phase in game.reopenable(message.seat)
    if message.turn != last_turn or not possible:
        raise Refused("no-takeback")
    if table.takeback_requests.get(message.seat, 0) >= MAX_TAKEBACKS:
        raise Refused("limit", most=MAX_TAKEBACKS)
    if table.takeback and now < table.takeback.until:
        raise Refused("no-takeback")  # one request at a time
    until = now + int(1000 * TAKEBACK_SECONDS)
    asked = TakebackAsked(message.seat, message.turn, message.phase, until, message.id)
    # People who share the device with the player agree without being asked.
    agreed = [number for number in table.people if number in own_seats and number != message.seat]
    return [asked, *(TakebackAnswered(number, agree=True) for number in agreed)]


def answer_takeback(table: Table, message: protocol.Agree, now: int) -> Outcome:
    """Agree to the request of another player to take a decision back, or decline it."""
    if (seq := _processed_seq(table, message.seat, message.id, ("agree", message.agree))) is not None:
        return seq
    request = table.takeback
    open_request = request and now <= request.until and message.seat in table.people and message.seat != request.seat
    if not request or not open_request or (message.asker, message.turn, message.phase) != request[:3]:
        raise Refused("no-request")
    return [TakebackAnswered(message.seat, message.agree, message.id)]


def decide_by_bot(
    table: Table, seat_number: int, asked_in: tuple[int, int, str], option: str | None, trouble: str | None
) -> list[AnyEvent]:
    """Decide for a bot, which passes if `option` is None; return no event if its decision is no longer needed.

    `asked_in` is the (takebacks, turn, phase) in which it was asked: dice may have been corrected since.
    """
    game = table.game
    if game is None or (table.takebacks, game.turn, game.phase) != asked_in or seat_number not in game.to_act:
        return []
    _, turn, phase = asked_in
    if table.seats[seat_number].deciding_bot is None:
        return []
    option = option or default_option(game, seat_number)
    return [Decided(seat_number, turn, phase, option, by="bot", trouble=trouble)]


def decide_by_timeout(table: Table, now: int) -> list[AnyEvent]:
    """After the deadline, pass for all players who have not decided."""
    game = table.game
    if game is None or table.deadline is None or now < table.deadline:
        return []
    return [Decided(player, game.turn, game.phase, default_option(game, player), by="time") for player in game.to_act]


def default_option(game: Game, seat_number: int) -> str:
    """The option of a player who passes: it makes no mark, even if that is a misthrow."""
    return next(iter(game.seen_actions(seat_number)))  # the kernel lists this option first


def _processed_seq(table: Table, issuer: Issuer, command_id: str, content: tuple[object, ...]) -> int | None:
    """The number of the event that this command has caused before; None for a new command."""
    processed = table.processed.get((issuer, command_id))
    if processed is None:
        return None
    if processed.content != content:
        raise Refused("id-reused")
    return processed.seq


def _processed_by(table: Table, own_seats: Sequence[int], command_id: str, content: tuple[object, ...]) -> int | None:
    """The same as `_processed_seq`, for a command that any seat of a device may have sent."""
    seqs = (_processed_seq(table, own_seat, command_id, content) for own_seat in own_seats)
    return next((seq for seq in seqs if seq is not None), None)


def _game_in_phase(table: Table, turn: int, phase: str) -> Game:
    """The game; raise a refusal if it is not in this turn and phase."""
    game = table.game
    if game is None:
        raise Refused("not-started")
    if (turn, phase) != (game.turn, game.phase):
        past = game.over or turn < game.turn or (turn, phase) in table.past_phases
        raise Refused("past" if past else "early", turn=game.turn, phase=game.phase)
    return game


# Sheets without dice


def _sheets_in_roll(table: Table, turn: int) -> ScoreSheets:
    """The sheets of a table without dice; raise a refusal if it has dice or they are not in this roll."""
    if table.dice != "none":
        raise Refused("message", reason="this table has dice")
    if table.sheets is None:
        raise Refused("not-started")
    sheets = table.sheets
    if sheets.over or turn != sheets.roll:
        past = sheets.over or turn < sheets.roll
        raise Refused("past" if past else "early", turn=sheets.roll, phase=sheets.game.phase)
    return sheets


def mark(table: Table, message: protocol.Mark) -> Outcome:
    """Make a mark, or take a misthrow."""
    content = ("mark", message.turn, message.option, message.closed)
    if (seq := _processed_seq(table, message.seat, message.id, content)) is not None:
        return seq
    _sheets_in_roll(table, message.turn)
    return [Marked(message.seat, message.option, message.closed, message.id)]


def undo(table: Table, message: protocol.Undo) -> Outcome:
    """Undo the last mark of a player since the last roll, if it is the one that is named."""
    first = first_mark(message.option)
    if (seq := _processed_seq(table, message.seat, message.id, ("undo", message.turn, first))) is not None:
        return seq
    sheets = _sheets_in_roll(table, message.turn)
    last = sheets.last_mark(message.seat)
    if last is None or last.first != first:  # another device has undone it
        raise Refused("past", turn=sheets.roll, phase=sheets.game.phase)
    return [Undone(message.seat, message.id)]


def new_roll(table: Table, message: protocol.NewRoll, own_seats: Sequence[int]) -> Outcome:
    """Say that the dice are rolled again; of two people who say it at the same time, one is enough."""
    if (seq := _processed_by(table, own_seats, message.id, ("new-roll", message.turn))) is not None:
        return seq
    _sheets_in_roll(table, message.turn)
    return [NewRoll(message.turn, message.id, own_seats[0])]


def finish(table: Table, message: protocol.Finish, own_seats: Sequence[int]) -> Outcome:
    """End the game."""
    if (seq := _processed_by(table, own_seats, message.id, ("finish", message.turn))) is not None:
        return seq
    _sheets_in_roll(table, message.turn)
    return [Finished(message.id, own_seats[0])]


# Seats


def replace(
    table: Table,
    message: protocol.Replace,
    own_seats: Sequence[int],
    *,
    absent: bool,
    undecided: bool = False,
    connected: Collection[int] = (),
) -> Outcome:
    """Let a bot play for a player who is absent, or for one who is `undecided` if all other connected people vote.

    `own_seats` are the seat numbers of the device that sent the command, `connected` those of connected people.
    """
    seat_number, bot = message.seat, message.bot
    if (seq := _processed_by(table, own_seats, message.id, ("replace", seat_number, bot))) is not None:
        return seq
    if table.game is None:
        raise Refused("not-started")
    if seat_number >= len(table.seats) or table.seats[seat_number].bot is not None:
        raise Refused("no-person", seat=seat_number)
    if table.seats[seat_number].replaced_by == bot:
        return table.seq
    if not absent and (not undecided or seat_number in own_seats):
        raise Refused("not-absent", seat=seat_number)
    if table.sheets:
        raise Refused("bot", bots=[])
    sheet = table.game.sheets[seat_number].letter
    _check_bots([(bot, sheet)], table.setup.variant, table.game.lucky or [None] * len(table.game.players))
    if absent:
        return [Replaced(seat_number, bot, message.id, own_seats[0])]
    voted: list[AnyEvent] = [ReplaceVoted(seat_number, bot, number, message.id) for number in own_seats]
    missing = set(connected) - {seat_number} - table.voters_for(seat_number, bot) - set(own_seats)
    return voted if missing else [*voted, Replaced(seat_number, bot, voted=True)]


def replace_by_votes(table: Table, present: Collection[int]) -> list[AnyEvent]:
    """Let a bot play for an undecided player if all others who are `present`, at least one, have voted for it."""
    votes = table.replace_votes
    if votes is None or votes.seat not in table.awaited:
        return []
    others = set(present) - {votes.seat}
    return [Replaced(votes.seat, votes.bot, voted=True)] if others and others <= votes.voters else []


def come_back(table: Table, message: protocol.Return) -> Outcome:
    """Give a seat back to its player, who was connected when the others let a bot play."""
    if (seq := _processed_seq(table, message.seat, message.id, ("return",))) is not None:
        return seq
    seat = table.seats[message.seat]
    return [Returned(message.seat, message.id)] if seat.replaced_by and not seat.returning else table.seq


def return_seats(table: Table, hashes: Collection[str]) -> list[AnyEvent]:
    """Give seats back to replaced players whose secrets are among those of connected devices."""
    replaced = {number: seat for number, seat in enumerate(table.seats) if seat.replaced_by}
    return [
        Returned(number)
        for number, seat in replaced.items()
        if seat.secret_hash in hashes and not seat.returns_by_command
    ]


def offer_handover(table: Table, secret: str, handover_code: str, until: int) -> list[AnyEvent]:
    """Let a device that sends this handover code before `until` take over the seat with this secret."""
    seat_number = table.seat_number_of(hash_of(secret))
    if seat_number is None:
        raise Refused("secret")
    return [Offered(seat_number, hash_of(handover_code), until)]


def claim(table: Table, handover_code: str, secret: str, now: int, *, shares: bool = False) -> Outcome:
    """Take over a seat with a handover code; `secret` replaces the old secret of the seat."""
    handover_hash, secret_hash = hash_of(handover_code), hash_of(secret)
    for number, seat in enumerate(table.seats):
        if seat.handover_hash == handover_hash:
            if seat.secret_hash == secret_hash:
                return table.seq  # the same request again
            if table.seat_number_of(secret_hash) is not None:
                raise Refused("secret")
            if now <= seat.handover_until:
                return [Handed(number, secret_hash, shares)]
    raise Refused("handover")


# Rematch


def answer_rematch(table: Table, message: protocol.Rematch) -> Outcome:
    """Agree to a rematch or decline it."""
    if (seq := _processed_seq(table, message.seat, message.id, ("rematch", message.agree))) is not None:
        return seq
    if table.game is None or not table.game.over:
        raise Refused("not-over")
    if table.rematch is not None:
        return table.seq
    return [RematchAnswered(message.seat, message.agree, message.id)]


def rematch_due(table: Table, present: Collection[int]) -> bool:
    """Whether the rematch can start: `present` are the seat numbers of people who are not absent; all have answered."""
    answers = table.rematch_answers
    agreed = any(answers.get(number) for number in present)
    return table.rematch is None and agreed and set(present) <= set(answers)


def rematch_seats(table: Table, present: Collection[int]) -> tuple[int, ...]:
    """The seat numbers of the people who play the rematch: they have agreed and are not absent."""
    return tuple(number for number in present if table.rematch_answers.get(number))


def rematch_table(table: Table, seats: Collection[int]) -> list[AnyEvent]:
    """The first events of the rematch: with the people of these seats and with the bots."""
    playing = [seat for number, seat in enumerate(table.seats) if seat.bot or number in seats]
    bots = [(seat.bot, seat.sheet) for seat in playing]
    ready = _ready_bots(bots, table.setup.variant, [seat.lucky for seat in playing])  # some need a number of players
    playing = [seat for seat in playing if not seat.bot or seat.bot in ready]
    plans = tuple(SeatPlan(seat.bot, seat.lucky, seat.sheet) for seat in playing)
    # In the order in which they joined this table, so that the host stays the same.
    by_joining = sorted((seat.joined, number) for number, seat in enumerate(playing) if seat.secret_hash)
    people = [(number, playing[number]) for _, number in by_joining]
    seated = [Seated(number, seat.name or "", seat.secret_hash or "", shares=seat.shares) for number, seat in people]
    created = Created(
        table.variant,
        plans,
        table.seconds,
        VERSION,
        table.code,
        None,  # no command id: the server creates the rematch
        table.pause,
        table.invite or _new_secret(),  # who may watch this table may watch the rematch
        _new_secret(),
        table.variant_file,
        table.plan is not None and table.plan.hints,
        table.dice,
    )
    access = [] if table.open else [Access(open=False)]
    waits = _waits(table.dice, [seat.shares for _, seat in people])
    return [created, *seated, *access, *([] if waits else _start_events(table.dice, range(len(plans))))]
