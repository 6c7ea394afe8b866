"""The commands of a table: each returns the events that it causes, or raises a refusal."""

import secrets
from collections.abc import Collection, Sequence

from rowlock.bots import ready_bots
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game, checked_lucky
from rowlock.rules.variant import find_setup, game_names
from rowlock.server import protocol
from rowlock.server.events import (
    AnyEvent,
    Created,
    Decided,
    Ended,
    Handed,
    Left,
    Offered,
    Replaced,
    Returned,
    Seated,
    SeatPlan,
    Started,
    Withdrawn,
)
from rowlock.server.names import check_name, skeleton
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Issuer, Table

# New events, or the number of the event that the same command has caused before.
Outcome = list[AnyEvent] | int


def apply_events(table: Table, events: Sequence[AnyEvent], at: int) -> list[AnyEvent]:
    """Apply events, then the roll, deal or end that follows from them; return all events.

    If a decision is refused, some events may already have been applied: pass a copy of the table.
    """
    all_events = list(events)
    for event in events:
        try:
            table.apply(event, at)
        except Illegal as error:
            if table.game is None or not isinstance(event, Decided):
                raise
            raise _illegal(table.game, event.seat, error.code) from None
    game = table.game
    if game is not None and isinstance(events[-1], Started | Decided):
        if game.over:
            all_events.append(Ended(game.scores))
            table.apply(all_events[-1], at)
        elif not game.to_act:
            # A new seed each time, from the operating system's randomness.
            all_events.append(table.draw_chance(secrets.randbits(63), at))
    return all_events


def _illegal(game: Game, seat_number: int, rule: str) -> Refused:
    return Refused("illegal", rule=rule, options=sorted(game.seen_actions(seat_number)))


# Before the game


def create(request: protocol.TableWish) -> list[AnyEvent]:
    """Create a table; if every seat has a bot, the game starts at once."""
    if request.variant not in game_names():
        raise Refused("variant", variants=list(game_names()))
    lucky = _lucky_numbers(request)
    _check_bots([seat.bot for seat in request.seats], request.variant, lucky)
    plans = tuple(SeatPlan(seat.bot, pair) for seat, pair in zip(request.seats, lucky, strict=True))
    created = Created(request.variant, plans, request.seconds, command=request.id)
    return [created, *(_start_events(range(len(plans))) if all(plan.bot for plan in plans) else [])]


def _check_bots(bots: Sequence[str | None], variant_id: str, lucky: Sequence[tuple[int, int] | None]) -> None:
    """Refuse bots that cannot play this variant; `lucky` has an entry for every player, None without lucky numbers."""
    requested = {bot for bot in bots if bot is not None}
    variant = find_setup(variant_id).variant.with_lucky([pair for pair in lucky if pair])
    if requested and not requested <= set(ready := ready_bots(variant, len(lucky))):
        raise Refused("bot", bots=list(ready))


def _lucky_numbers(request: protocol.TableWish) -> Sequence[tuple[int, int] | None]:
    """The lucky numbers of every seat: those of the request, or those of the variant if the request has none."""
    variant = find_setup(request.variant).variant
    pairs = [(seat.lucky[0], seat.lucky[1]) for seat in request.seats if seat.lucky]
    if not pairs:
        return variant.lucky_pairs[: len(request.seats)] or [None] * len(request.seats)
    try:
        return checked_lucky(variant, pairs, len(request.seats))
    except ValueError as error:
        raise Refused("lucky", reason=str(error)) from None


def _start_events(seat_numbers: Sequence[int], command_id: str | None = None) -> list[AnyEvent]:
    """Start the game: the first player is drawn by lot, and the others follow in seating order."""
    first = secrets.randbelow(len(seat_numbers))
    return [Started((*seat_numbers[first:], *seat_numbers[:first]), command_id)]


def join(
    table: Table, names: Sequence[str], hashes: Sequence[str], wanted_seats: Sequence[int | None] | None = None
) -> Outcome:
    """Give people the seats they want, or else the first free ones; when no free seat is left, the game starts."""
    held_seats = [table.seat_number_of(secret_hash) for secret_hash in hashes]
    if [None if number is None else table.seats[number].name for number in held_seats] == list(names):
        return table.seq  # the same request again
    if len(set(hashes)) < len(hashes) or any(number is not None for number in held_seats):
        raise Refused("secret")
    if table.game is not None:
        raise Refused("started")
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
    events: list[AnyEvent] = [Seated(*person) for person in zip(assigned_seats, names, hashes, strict=True)]
    if len(free_seats) == len(names):
        events += _start_events(range(len(table.seats)))
    return events


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
    if table.game is not None:
        raise Refused("started")
    taken = {number: seat for number, seat in enumerate(table.seats) if not seat.free}
    _check_bots([seat.bot for seat in taken.values()], table.variant, [seat.lucky for seat in taken.values()])
    return _start_events(list(taken), message.id)


def leave(table: Table, message: protocol.Leave) -> Outcome:
    """Free a seat before the game starts."""
    if table.game is not None:
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
    game = _game_in_phase(table, message.turn, message.phase)
    if message.seat not in game.to_act:
        if message.seat in table.pending:
            raise Refused("decided")
        raise Refused("not-to-act", to_act=list(game.to_act))
    if game.phase == "take" and message.option not in game.seen_actions(message.seat):
        raise _illegal(game, message.seat, "cards")  # does not reveal whether a guessed colour is right
    return [Decided(message.seat, message.turn, message.phase, message.option, message.id)]


def withdraw(table: Table, message: protocol.Withdraw, now: int) -> Outcome:
    """Withdraw a decision before the reveal."""
    if (seq := _processed_seq(table, message.seat, message.id, ("withdraw", message.turn, message.phase))) is not None:
        return seq
    _game_in_phase(table, message.turn, message.phase)
    if message.seat not in table.pending:
        raise Refused("not-decided")
    if table.deadline is not None and now > table.deadline:
        raise Refused("late")
    return [Withdrawn(message.seat, message.turn, message.phase, message.id)]


def decide_by_bot(
    table: Table, seat_number: int, turn: int, phase: str, option: str | None, trouble: str | None
) -> list[AnyEvent]:
    """Decide for a bot, which passes if `option` is None; return no event if its decision is no longer needed."""
    game = table.game
    if game is None or (game.turn, game.phase) != (turn, phase) or seat_number not in game.to_act:
        return []
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


def _game_in_phase(table: Table, turn: int, phase: str) -> Game:
    """The game; raise a refusal if it is not in this turn and phase."""
    game = table.game
    if game is None:
        raise Refused("not-started")
    if (turn, phase) != (game.turn, game.phase):
        past = game.over or turn < game.turn or (turn, phase) in table.past_phases
        raise Refused("past" if past else "early", turn=game.turn, phase=game.phase)
    return game


# Seats


def replace(table: Table, message: protocol.Replace, own_seats: Sequence[int], *, absent: bool) -> Outcome:
    """Let a bot play for an absent player; `own_seats` are the seat numbers of the device that sent the command."""
    seat_number, bot = message.seat, message.bot
    for own_seat in own_seats:
        if (seq := _processed_seq(table, own_seat, message.id, ("replace", seat_number, bot))) is not None:
            return seq
    if table.game is None:
        raise Refused("not-started")
    if seat_number >= len(table.seats) or table.seats[seat_number].bot is not None:
        raise Refused("no-person", seat=seat_number)
    if table.seats[seat_number].replaced_by == bot:
        return table.seq
    if not absent:
        raise Refused("not-absent", seat=seat_number)
    _check_bots([bot], table.variant, table.game.lucky or [None] * len(table.game.players))
    return [Replaced(seat_number, bot, message.id, own_seats[0])]


def return_seats(table: Table, hashes: Collection[str]) -> list[AnyEvent]:
    """Give seats back to replaced players whose secrets are among those of connected devices."""
    replaced = {number: seat for number, seat in enumerate(table.seats) if seat.replaced_by}
    return [Returned(number) for number, seat in replaced.items() if seat.secret_hash in hashes]


def offer_handover(table: Table, secret: str, handover_code: str, until: int) -> list[AnyEvent]:
    """Let a device that sends this handover code before `until` take over the seat with this secret."""
    seat_number = table.seat_number_of(hash_of(secret))
    if seat_number is None:
        raise Refused("secret")
    return [Offered(seat_number, hash_of(handover_code), until)]


def claim(table: Table, handover_code: str, secret: str, now: int) -> Outcome:
    """Take over a seat with a handover code; `secret` replaces the old secret of the seat."""
    handover_hash, secret_hash = hash_of(handover_code), hash_of(secret)
    for number, seat in enumerate(table.seats):
        if seat.handover_hash == handover_hash:
            if seat.secret_hash == secret_hash:
                return table.seq  # the same request again
            if table.seat_number_of(secret_hash) is not None:
                raise Refused("secret")
            if now <= seat.handover_until:
                return [Handed(number, secret_hash)]
    raise Refused("handover")


def rematch(table: Table, secret: str) -> list[AnyEvent]:
    """The events of a new table with the same people, bots, seating order and secrets."""
    if table.seat_number_of(hash_of(secret)) is None:
        raise Refused("secret")
    if table.game is None or not table.game.over:
        raise Refused("not-over")
    plans = tuple(SeatPlan(seat.bot, seat.lucky) for seat in table.seats)
    seated = [
        Seated(number, seat.name or "", seat.secret_hash) for number, seat in enumerate(table.seats) if seat.secret_hash
    ]
    created = Created(table.variant, plans, table.seconds, before=table.code)
    return [created, *seated, *_start_events(range(len(plans)))]
