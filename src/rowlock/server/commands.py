"""The commands of a table: each returns the events that it causes, or raises a refusal."""

import secrets
import unicodedata
from collections.abc import Collection, Sequence

from rowlock.bots import ready_bots
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game, checked_lucky, checked_players
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
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Table

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # invisible, though Unicode counts them as letters and symbols

# New events, or the number of the event that the same command has caused before.
Outcome = list[AnyEvent] | int


def apply_events(table: Table, events: Sequence[AnyEvent], at: int) -> list[AnyEvent]:
    """Apply events and those that follow from them, a roll or the end; return all of them.

    When a decision is refused some events may have been applied: pass a copy of the table.
    """
    applied = list(events)
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
            applied.append(Ended(game.scores))
            table.apply(applied[-1], at)
        elif not game.to_act:
            # A new seed each time, from the operating system's randomness.
            applied.append(table.draw_chance(secrets.randbits(63), at))
    return applied


def _illegal(game: Game, seat: int, rule: str) -> Refused:
    return Refused("illegal", rule=rule, options=sorted(game.seen_actions(seat)))


# Before the game


def create(request: protocol.TableWish) -> list[AnyEvent]:
    """Create a table; a game of bots only starts at once."""
    if request.variant not in game_names():
        raise Refused("variant", variants=list(game_names()))
    lucky = _lucky_numbers(request)
    _check_bots([seat.bot for seat in request.seats], request.variant, lucky)
    plans = tuple(SeatPlan(seat.bot, pair) for seat, pair in zip(request.seats, lucky, strict=True))
    created = Created(request.variant, plans, request.seconds, command=request.id)
    return [created, *(_start_events(range(len(plans))) if all(seat.bot for seat in plans) else [])]


def _check_bots(bots: Sequence[str | None], variant: str, lucky: Sequence[tuple[int, int] | None]) -> None:
    """Refuse bots that cannot play this variant with these lucky numbers and so many players."""
    wanted = {bot for bot in bots if bot is not None}
    played = find_setup(variant).variant.with_lucky([pair for pair in lucky if pair])
    if wanted and not wanted <= set(ready := ready_bots(played, len(lucky))):
        raise Refused("bot", bots=list(ready))


def _lucky_numbers(request: protocol.TableWish) -> Sequence[tuple[int, int] | None]:
    """A pair for every seat: from the request, where all seats or none have one, or from the variant."""
    variant = find_setup(request.variant).variant
    pairs = [(seat.lucky[0], seat.lucky[1]) for seat in request.seats if seat.lucky]
    if not pairs:
        return variant.lucky_pairs[: len(request.seats)] or [None] * len(request.seats)
    try:
        return checked_lucky(variant, pairs, len(request.seats))
    except ValueError as error:
        raise Refused("lucky", reason=str(error)) from None


def _start_events(seats: Sequence[int], command: str | None = None) -> list[AnyEvent]:
    """Start the game: the first player is drawn by lot, turn order is the seating order."""
    first = secrets.randbelow(len(seats))
    return [Started((*seats[first:], *seats[:first]), command)]


def join(
    table: Table, names: Sequence[str], hashes: Sequence[str], wanted: Sequence[int | None] | None = None
) -> Outcome:
    """Seat people on the seats they want, else on the first free ones; taking the last seat starts the game."""
    held = [table.seat_of(secret_hash) for secret_hash in hashes]
    if [None if seat is None else table.seats[seat].name for seat in held] == list(names):
        return table.seq  # the same request again
    if len(set(hashes)) < len(hashes) or any(seat is not None for seat in held):
        raise Refused("secret")
    if table.game is not None:
        raise Refused("started")
    for place, name in enumerate(names):
        _check_name(name)
        if name in names[:place] or any(seat.name == name for seat in table.seats):
            raise Refused("name-taken", name=name)
    free = [number for number, seat in enumerate(table.seats) if seat.free]
    if len(free) < len(names):
        raise Refused("full", free=len(free))
    seats = _assign_seats(free, wanted or [None] * len(names))
    events: list[AnyEvent] = [
        Seated(seat, name, secret_hash) for seat, name, secret_hash in zip(seats, names, hashes, strict=True)
    ]
    if len(free) == len(names):
        events += _start_events(range(len(table.seats)))
    return events


def _assign_seats(free: Sequence[int], wanted: Sequence[int | None]) -> list[int]:
    """The wanted seats; where none is wanted, the first that remains."""
    named = [seat for seat in wanted if seat is not None]
    if len(set(named) & set(free)) < len(named):
        raise Refused("seat-taken", free=list(free))
    remaining = iter([seat for seat in free if seat not in named])
    return [next(remaining) if seat is None else seat for seat in wanted]


def _check_name(name: str) -> None:
    """Refuse a name that a record cannot hold or that is invisible."""
    try:
        checked_players([name])
    except ValueError:
        length, edges = 1 <= len(name) <= 40, name == name.strip(" ")
        raise Refused("name", reason="length" if not length else "space" if not edges else "character") from None
    if not any(unicodedata.category(char)[0] in "LNPS" and char not in BLANKS for char in name):
        raise Refused("name", reason="invisible")


def start(table: Table, message: protocol.Start) -> Outcome:
    """Start the game without the free seats."""
    if (seq := _processed(table, "start", message.id, ("start",))) is not None:
        return seq
    if table.game is not None:
        raise Refused("started")
    taken = [number for number, seat in enumerate(table.seats) if not seat.free]
    seats = [table.seats[seat] for seat in taken]
    _check_bots([seat.bot for seat in seats], table.variant, [seat.lucky for seat in seats])
    return _start_events(taken, message.id)


def leave(table: Table, message: protocol.Leave) -> Outcome:
    """Free a seat before the game starts."""
    if table.game is not None:
        raise Refused("started")
    return [Left(message.seat, message.id)]


def already_left(table: Table, message: protocol.Leave) -> int | None:
    """The number of the event, if this command has freed the seat before; its sender no longer holds the seat."""
    return _processed(table, ("leave", message.seat), message.id, ("leave",))


# Decisions


def decide(table: Table, message: protocol.Decide) -> Outcome:
    """Decide for a person."""
    seq = _processed(table, message.seat, message.id, ("decide", message.turn, message.phase, message.option))
    if seq is not None:
        return seq
    game = _game_in_phase(table, message.turn, message.phase)
    if message.seat not in game.to_act:
        if message.seat in table.pending:
            raise Refused("decided")
        raise Refused("not-to-act", to_act=list(game.to_act))
    if game.phase == "take" and message.option not in game.seen_actions(message.seat):
        raise _illegal(game, message.seat, "cards")  # the same text whether a guessed colour is right or wrong
    return [Decided(message.seat, message.turn, message.phase, message.option, message.id)]


def withdraw(table: Table, message: protocol.Withdraw, now: int) -> Outcome:
    """Withdraw a decision before the reveal."""
    if (seq := _processed(table, message.seat, message.id, ("withdraw", message.turn, message.phase))) is not None:
        return seq
    _game_in_phase(table, message.turn, message.phase)
    if message.seat not in table.pending:
        raise Refused("not-decided")
    if table.deadline is not None and now > table.deadline:
        raise Refused("late")
    return [Withdrawn(message.seat, message.turn, message.phase, message.id)]


def decide_by_bot(
    table: Table, seat: int, turn: int, phase: str, option: str | None, trouble: str | None
) -> list[AnyEvent]:
    """Decide for a bot, unless its decision is no longer needed; without an option it passes."""
    game = table.game
    if game is None or (game.turn, game.phase) != (turn, phase) or seat not in game.to_act:
        return []
    if table.seats[seat].decided_by is None:
        return []
    return [Decided(seat, turn, phase, option or default_option(game, seat), by="bot", trouble=trouble)]


def decide_by_timeout(table: Table, now: int) -> list[AnyEvent]:
    """After the deadline, pass for all who have not decided."""
    game = table.game
    if game is None or table.deadline is None or now < table.deadline:
        return []
    return [Decided(seat, game.turn, game.phase, default_option(game, seat), by="time") for seat in game.to_act]


def default_option(game: Game, seat: int) -> str:
    """The option of a pass: no mark, even if that is a misthrow."""
    return next(iter(game.seen_actions(seat)))


def _processed(table: Table, issuer: object, command: str, content: tuple[object, ...]) -> int | None:
    """The number of the event that this command has caused before; None for a new command."""
    processed = table.processed.get((issuer, command))
    if processed is None:
        return None
    if processed.content != content:
        raise Refused("id-reused")
    return processed.seq


def _game_in_phase(table: Table, turn: int, phase: str) -> Game:
    """The game, if it is in this turn and phase; else a refusal."""
    game = table.game
    if game is None:
        raise Refused("not-started")
    if (turn, phase) != (game.turn, game.phase):
        past = game.over or turn < game.turn or (turn, phase) in table.past_phases
        raise Refused("past" if past else "early", turn=game.turn, phase=game.phase)
    return game


# Seats


def replace(table: Table, message: protocol.Replace, own_seats: Sequence[int], *, absent: bool) -> Outcome:
    """Let a bot play for an absent player; `own_seats` are the seats of the device that sent the command."""
    seat, bot = message.seat, message.bot
    for own in own_seats:
        if (seq := _processed(table, own, message.id, ("replace", seat, bot))) is not None:
            return seq
    if table.game is None:
        raise Refused("not-started")
    if seat >= len(table.seats) or table.seats[seat].bot is not None:
        raise Refused("no-person", seat=seat)
    if table.seats[seat].replaced_by == bot:
        return table.seq
    if not absent:
        raise Refused("not-absent", seat=seat)
    _check_bots([bot], table.variant, table.game.lucky or [None] * len(table.game.players))
    return [Replaced(seat, bot, message.id, own_seats[0])]


def return_seats(table: Table, hashes: Collection[str]) -> list[AnyEvent]:
    """Give seats back to players who have connected again."""
    seats = enumerate(table.seats)
    return [Returned(number) for number, seat in seats if seat.replaced_by and seat.secret_hash in hashes]


def offer_handover(table: Table, secret: str, handover: str, until: int) -> list[AnyEvent]:
    """Let the device that sends this code before `until` take over the seat."""
    seat = table.seat_of(hash_of(secret))
    if seat is None:
        raise Refused("secret")
    return [Offered(seat, hash_of(handover), until)]


def claim(table: Table, handover: str, secret: str, now: int) -> Outcome:
    """Take over a seat with a handover code: the new secret replaces the old one."""
    handover_hash, secret_hash = hash_of(handover), hash_of(secret)
    for number, seat in enumerate(table.seats):
        if seat.handover_hash == handover_hash:
            if seat.secret_hash == secret_hash:
                return table.seq  # the same request again
            if table.seat_of(secret_hash) is not None:
                raise Refused("secret")
            if now <= seat.handover_until:
                return [Handed(number, secret_hash)]
    raise Refused("handover")


def rematch(table: Table, secret: str) -> list[AnyEvent]:
    """The events of a new table with the same people, bots, seating order and secrets."""
    if table.seat_of(hash_of(secret)) is None:
        raise Refused("secret")
    if table.game is None or not table.game.over:
        raise Refused("not-over")
    plans = tuple(SeatPlan(seat.bot, seat.lucky) for seat in table.seats)
    seated = [
        Seated(number, seat.name or "", seat.secret_hash) for number, seat in enumerate(table.seats) if seat.secret_hash
    ]
    created = Created(table.variant, plans, table.seconds, before=table.code)
    return [created, *seated, *_start_events(range(len(plans)))]
