"""A table: what its events make of it. No input, no output, no clock."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from rowlock.rules.game import Game, unique_name
from rowlock.server import events


@dataclass(frozen=True)
class Seat:
    """A place at the table."""

    bot: str | None
    lucky: tuple[int, int] | None = None
    name: str | None = None
    secret_hash: str | None = None
    replaced_by: str | None = None
    trouble: str | None = None
    handover_hash: str | None = None  # kept when the code is spent: who used it may ask again
    handover_until: int = 0

    @property
    def free(self) -> bool:
        return self.bot is None and self.secret_hash is None

    @property
    def decided_by(self) -> str | None:
        """The bot that decides here at present; None where a person does."""
        return self.bot or self.replaced_by


class Done(NamedTuple):
    """A command that was carried out, and the number of its event."""

    seq: int
    content: tuple[object, ...]


@dataclass
class Table:
    """A table at one moment; `apply` takes it to the next."""

    code: str
    seq: int = 0
    created: events.Created | None = None
    variant: str = ""
    seats: list[Seat] = field(default_factory=list)
    seconds: int | None = None
    created_at: int = 0
    game: Game | None = None
    opened_at: int = 0  # when the decisions that are open became so
    not_before: int = 0  # no deadline is earlier: a server that was away leaves its players some time
    pending: dict[int, str] = field(default_factory=dict)  # decisions that wait for the reveal, by seat
    troubles: dict[int, str | None] = field(default_factory=dict)  # what bots had while deciding, as hidden as that
    passed: set[tuple[int, str]] = field(default_factory=set)  # turns and phases that are decided
    rematch: str | None = None
    # By whose command it was and its id: a seat's, `leave` and a seat's that is given free, or `start`.
    done: dict[tuple[object, str], Done] = field(default_factory=dict)

    @property
    def state(self) -> Literal["waiting", "running", "over"]:
        if self.game is None:
            return "waiting"
        return "over" if self.game.over else "running"

    @property
    def deadline(self) -> int | None:
        """When open decisions are taken as a pass, in milliseconds."""
        if self.seconds is None or self.game is None or not self.game.to_act:
            return None
        return max(self.opened_at + 1000 * self.seconds, self.not_before)

    def seat_of(self, secret_hash: str) -> int | None:
        """The seat that belongs to a secret."""
        return next((number for number, seat in enumerate(self.seats) if seat.secret_hash == secret_hash), None)

    def copy(self) -> "Table":
        """A table of its own that stands where this one does."""
        return replace(
            self,
            seats=self.seats.copy(),
            game=self.game and self.game.copy(),
            pending=self.pending.copy(),
            troubles=self.troubles.copy(),
            passed=self.passed.copy(),
            done=self.done.copy(),
        )

    def apply(self, event: events.AnyEvent, at: int) -> None:
        """Let an event happen."""
        self.seq += 1
        match event:
            case events.Created():
                self._create(event, at)
            case events.Seated():
                self._change(event.seat, name=event.name, secret_hash=event.secret_hash)
            case events.Left():
                self.seats[event.seat] = Seat(None, self.seats[event.seat].lucky)  # a handover code goes, too
                self._note(("leave", event.seat), event.command, ("leave",))
            case events.Started():
                self._start(event)
                self._note("start", event.command, ("start",))
            case events.Rolled(drawn) | events.Dealt(drawn):
                self._playing().chance(drawn or None)
                self.opened_at = at
            case events.Decided():
                self._decide(event, at)
            case events.Withdrawn():
                self._playing().take_back(event.seat)
                del self.pending[event.seat]
                self.troubles.pop(event.seat, None)
                self._note(event.seat, event.command, ("withdraw", event.turn, event.phase))
            case events.Replaced():
                self._change(event.seat, replaced_by=event.bot)
                self._note(event.asked_by, event.command, ("replace", event.seat, event.bot))
            case events.Returned():
                self._change(event.seat, replaced_by=None, trouble=None)
                self.troubles.pop(event.seat, None)
            case events.Offered():
                self._change(event.seat, handover_hash=event.handover_hash, handover_until=event.until)
            case events.Handed():
                self._change(event.seat, secret_hash=event.secret_hash, handover_until=0)
            case events.Rematched():
                self.rematch = event.table
            case events.Ended():
                pass  # the game says so itself; this event lets the storage know

    def draw(self, seed: int, at: int) -> events.Rolled | events.Dealt:
        """Let chance act as a seed has it; the event says what came of it."""
        game = self._playing()
        game.seed = seed
        drawn = game.chance()
        self.seq += 1
        self.opened_at = at
        return events.Dealt(drawn) if game.variant.cards else events.Rolled(drawn)

    def _change(self, seat: int, **what: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **what)

    def _playing(self) -> Game:
        assert self.game is not None
        return self.game

    def _create(self, event: events.Created, at: int) -> None:
        self.created, self.created_at = event, at
        self.variant, self.seconds = event.variant, event.seconds
        names: list[str] = []
        for plan in event.seats:
            name = None if plan.bot is None else unique_name(plan.bot, names)
            self.seats.append(Seat(plan.bot, plan.lucky, name))
            names += [name] if name else []

    def _start(self, event: events.Started) -> None:
        self.seats = [self.seats[number] for number in event.order]
        names = [seat.name or "" for seat in self.seats]
        lucky = [seat.lucky for seat in self.seats if seat.lucky]
        self.game = Game(self.variant, names, seed=0, lucky=lucky or None)
        self.game.tags["Date"] = f"{datetime.fromtimestamp(self.created_at / 1000, UTC):%Y-%m-%d}"
        if any(seat.bot for seat in self.seats):
            self.game.tags["Bots"] = "; ".join(seat.bot or "" for seat in self.seats)

    def _decide(self, event: events.Decided, at: int) -> None:
        game = self._playing()
        before = (game.turn, game.phase)
        game.play(event.seat, event.option)
        self.pending[event.seat] = event.option
        if event.by == "bot":
            self.troubles[event.seat] = event.trouble
        if (game.turn, game.phase) != before:
            self.passed.add(before)
            self._reveal(at)
        self._note(event.seat, event.command, ("decide", event.turn, event.phase, event.option))

    def _reveal(self, at: int) -> None:
        for seat, trouble in self.troubles.items():
            if trouble != self.seats[seat].trouble:
                self._change(seat, trouble=trouble)
        self.opened_at, self.pending, self.troubles = at, {}, {}

    def _note(self, whose: object, command: str | None, content: tuple[object, ...]) -> None:
        if command is not None:
            self.done[whose, command] = Done(self.seq, content)
