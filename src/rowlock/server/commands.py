"""Which events a command leads to at a table, or why it is refused."""

import secrets
import unicodedata
from collections.abc import Collection, Sequence

from rowlock.bots import ready_bots
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game, check_lucky, check_players
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

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs, by their category, that are drawn as nothing

# Events to come, or the number of the event that the same command has led to before.
Answer = list[AnyEvent] | int


def carry_out(table: Table, events: Sequence[AnyEvent], at: int) -> list[AnyEvent]:
    """Let events happen, and what follows from them at once: chance, or the end. All of them are returned.

    Where a decision is refused the table is of no use any more: give it a copy.
    """
    happened = list(events)
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
            happened.append(Ended(game.scores))
            table.apply(happened[-1], at)
        elif not game.to_act:
            # From the operating system's randomness: each time a seed of its own.
            happened.append(table.draw(secrets.randbits(63), at))
    return happened


def _illegal(game: Game, seat: int, rule: str) -> Refused:
    return Refused("illegal", rule=rule, options=sorted(game.seen_actions(seat)))


# Before the game


def create(wish: protocol.TableWish) -> list[AnyEvent]:
    """A new table; one for bots only starts at once."""
    if wish.variant not in game_names():
        raise Refused("variant", variants=list(game_names()))
    lucky = _lucky(wish)
    _check_bots([seat.bot for seat in wish.seats], wish.variant, lucky)
    plans = tuple(SeatPlan(seat.bot, pair) for seat, pair in zip(wish.seats, lucky, strict=True))
    created = Created(wish.variant, plans, wish.seconds, command=wish.id)
    return [created, *(_start(range(len(plans))) if all(seat.bot for seat in plans) else [])]


def _check_bots(bots: Sequence[str | None], variant: str, lucky: Sequence[tuple[int, int] | None]) -> None:
    """Bots sit down where they are ready to play such a game; every player has lucky numbers, or none has."""
    named = {bot for bot in bots if bot is not None}
    played = find_setup(variant).variant.with_lucky([pair for pair in lucky if pair])
    if named and not named <= set(ready := ready_bots(played, len(lucky))):
        raise Refused("bot", bots=list(ready))


def _lucky(wish: protocol.TableWish) -> Sequence[tuple[int, int] | None]:
    """A pair for every seat: those asked for, all or none, or the variant's own in their order."""
    variant = find_setup(wish.variant).variant
    asked = [(seat.lucky[0], seat.lucky[1]) for seat in wish.seats if seat.lucky]
    if not asked:
        return variant.lucky_pairs[: len(wish.seats)] or [None] * len(wish.seats)
    try:
        return check_lucky(variant, asked, len(wish.seats))
    except ValueError as error:
        raise Refused("lucky", reason=str(error)) from None


def _start(seats: Sequence[int], command: str | None = None) -> list[AnyEvent]:
    """Who begins is drawn by lot; turn order is the seating order."""
    first = secrets.randbelow(len(seats))
    return [Started((*seats[first:], *seats[:first]), command)]


def join(
    table: Table, names: Sequence[str], hashes: Sequence[str], wishes: Sequence[int | None] | None = None
) -> Answer:
    """Seat people where they wish, else on the first free seats; the last one to come starts the game."""
    held = [table.seat_of(one) for one in hashes]
    if [None if seat is None else table.seats[seat].name for seat in held] == list(names):
        return table.seq  # asked again: they sit already
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
    seats = _seats(free, wishes or [None] * len(names))
    events: list[AnyEvent] = [
        Seated(seat, name, secret_hash) for seat, name, secret_hash in zip(seats, names, hashes, strict=True)
    ]
    if len(free) == len(names):
        events += _start(range(len(table.seats)))
    return events


def _seats(free: Sequence[int], wishes: Sequence[int | None]) -> list[int]:
    """The seats wished for; who wishes none takes the first that is left."""
    wished = [seat for seat in wishes if seat is not None]
    if len(set(wished) & set(free)) < len(wished):
        raise Refused("seat-taken", free=list(free))
    left = iter([seat for seat in free if seat not in wished])
    return [next(left) if seat is None else seat for seat in wishes]


def _check_name(name: str) -> None:
    """A name that a record can hold, and that people can see."""
    try:
        check_players([name])
    except ValueError:
        length, edges = 1 <= len(name) <= 40, name == name.strip(" ")
        raise Refused("name", reason="length" if not length else "space" if not edges else "character") from None
    if not any(unicodedata.category(char)[0] in "LNPS" and char not in BLANKS for char in name):
        raise Refused("name", reason="invisible")


def start(table: Table, message: protocol.Start) -> Answer:
    """Begin with those who are there."""
    if (done := _done(table, "start", message.id, ("start",))) is not None:
        return done
    if table.game is not None:
        raise Refused("started")
    there = [number for number, seat in enumerate(table.seats) if not seat.free]
    seats = [table.seats[seat] for seat in there]
    _check_bots([seat.bot for seat in seats], table.variant, [seat.lucky for seat in seats])
    return _start(there, message.id)


def leave(table: Table, message: protocol.Leave) -> Answer:
    """Whoever sits there goes."""
    if table.game is not None:
        raise Refused("started")
    return [Left(message.seat, message.id)]


def has_left(table: Table, message: protocol.Leave) -> int | None:
    """Whether this very command has given the seat free before: whoever sent it does not hold the seat any more."""
    return _done(table, ("leave", message.seat), message.id, ("leave",))


# Decisions


def decide(table: Table, message: protocol.Decide) -> Answer:
    """A person decides."""
    done = _done(table, message.seat, message.id, ("decide", message.turn, message.phase, message.option))
    if done is not None:
        return done
    game = _open_game(table, message.turn, message.phase)
    if message.seat not in game.to_act:
        if message.seat in table.pending:
            raise Refused("decided")
        raise Refused("not-to-act", to_act=list(game.to_act))
    if game.phase == "take" and message.option not in game.seen_actions(message.seat):
        raise _illegal(game, message.seat, "cards")  # whoever guesses colours learns nothing
    return [Decided(message.seat, message.turn, message.phase, message.option, message.id)]


def withdraw(table: Table, message: protocol.Withdraw, now: int) -> Answer:
    """A person takes a decision back before the reveal."""
    if (done := _done(table, message.seat, message.id, ("withdraw", message.turn, message.phase))) is not None:
        return done
    _open_game(table, message.turn, message.phase)
    if message.seat not in table.pending:
        raise Refused("not-decided")
    if table.deadline is not None and now > table.deadline:
        raise Refused("late")
    return [Withdrawn(message.seat, message.turn, message.phase, message.id)]


def decide_by_bot(
    table: Table, seat: int, turn: int, phase: str, option: str | None, trouble: str | None
) -> list[AnyEvent]:
    """A bot decides, unless things have moved on meanwhile; one that fails passes."""
    game = table.game
    if game is None or (game.turn, game.phase) != (turn, phase) or seat not in game.to_act:
        return []
    if table.seats[seat].decided_by is None:
        return []
    return [Decided(seat, turn, phase, option or passing(game, seat), by="bot", trouble=trouble)]


def decide_by_time(table: Table, now: int) -> list[AnyEvent]:
    """When the time has run out, everybody who is still to decide passes."""
    game = table.game
    if game is None or table.deadline is None or now < table.deadline:
        return []
    return [Decided(seat, game.turn, game.phase, passing(game, seat), by="time") for seat in game.to_act]


def passing(game: Game, seat: int) -> str:
    """The default decision: no mark, also where that is a misthrow."""
    return next(iter(game.seen_actions(seat)))


def _done(table: Table, whose: object, command: str, content: tuple[object, ...]) -> int | None:
    done = table.done.get((whose, command))
    if done is None:
        return None
    if done.content != content:
        raise Refused("id-reused")
    return done.seq


def _open_game(table: Table, turn: int, phase: str) -> Game:
    """The game, where it waits for decisions of this turn and phase."""
    game = table.game
    if game is None:
        raise Refused("not-started")
    if (turn, phase) != (game.turn, game.phase):
        past = game.over or turn < game.turn or (turn, phase) in table.passed
        raise Refused("past" if past else "early", turn=game.turn, phase=game.phase)
    return game


# Seats


def replace(table: Table, message: protocol.Replace, askers: Sequence[int], *, absent: bool) -> Answer:
    """A bot plays for an absent player; `askers` are the seats of the device that asks."""
    seat, bot = message.seat, message.bot
    for asker in askers:
        if (done := _done(table, asker, message.id, ("replace", seat, bot))) is not None:
            return done
    if table.game is None:
        raise Refused("not-started")
    if seat >= len(table.seats) or table.seats[seat].bot is not None:
        raise Refused("no-person", seat=seat)
    if table.seats[seat].replaced_by == bot:
        return table.seq
    if not absent:
        raise Refused("not-absent", seat=seat)
    _check_bots([bot], table.variant, table.game.lucky or [None] * len(table.game.players))
    return [Replaced(seat, bot, message.id, askers[0])]


def come_back(table: Table, hashes: Collection[str]) -> list[AnyEvent]:
    """Players who are back decide for themselves again."""
    seats = enumerate(table.seats)
    return [Returned(number) for number, seat in seats if seat.replaced_by and seat.secret_hash in hashes]


def offer(table: Table, secret: str, handover: str, until: int) -> list[AnyEvent]:
    """Whoever shows the code within the time gets the seat."""
    seat = table.seat_of(hash_of(secret))
    if seat is None:
        raise Refused("secret")
    return [Offered(seat, hash_of(handover), until)]


def claim(table: Table, handover: str, secret: str, now: int) -> Answer:
    """The seat changes hands: the old secret is worth nothing from here on."""
    handover_hash, secret_hash = hash_of(handover), hash_of(secret)
    for number, seat in enumerate(table.seats):
        if seat.handover_hash == handover_hash:
            if seat.secret_hash == secret_hash:
                return table.seq  # asked again: it is theirs already
            if table.seat_of(secret_hash) is not None:
                raise Refused("secret")
            if now <= seat.handover_until:
                return [Handed(number, secret_hash)]
    raise Refused("handover")


def rematch(table: Table, secret: str) -> list[AnyEvent]:
    """The same people and bots at a new table, seated in the same order, with the secrets they have."""
    if table.seat_of(hash_of(secret)) is None:
        raise Refused("secret")
    if table.game is None or not table.game.over:
        raise Refused("not-over")
    plans = tuple(SeatPlan(seat.bot, seat.lucky) for seat in table.seats)
    seated = [
        Seated(number, seat.name or "", seat.secret_hash) for number, seat in enumerate(table.seats) if seat.secret_hash
    ]
    created = Created(table.variant, plans, table.seconds, before=table.code)
    return [created, *seated, *_start(range(len(plans)))]
