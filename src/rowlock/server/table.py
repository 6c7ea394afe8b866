"""The state of a table, computed from its events. No input, no output, no clock."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from rowlock.rules.game import Game, unique_name
from rowlock.server import events


@dataclass(frozen=True)
class Seat:
    """A seat and who decides there."""

    bot: str | None
    lucky: tuple[int, int] | None = None
    name: str | None = None
    secret_hash: str | None = None
    replaced_by: str | None = None
    trouble: str | None = None
    handover_hash: str | None = None  # kept after the code is used: the same claim may be sent again
    handover_until: int = 0

    @property
    def free(self) -> bool:
        return self.bot is None and self.secret_hash is None

    @property
    def decided_by(self) -> str | None:
        """The bot that decides for this seat now; None if a person does."""
        return self.bot or self.replaced_by


class ProcessedCommand(NamedTuple):
    """The content of a command and the number of its event; the same command sent again is answered with it."""

    seq: int
    content: tuple[object, ...]


@dataclass
class Table:
    """A table after its first `seq` events; `apply` adds the next one."""

    code: str
    seq: int = 0
    created: events.Created | None = None
    variant: str = ""
    seats: list[Seat] = field(default_factory=list)
    seconds: int | None = None
    created_at: int = 0
    game: Game | None = None
    opened_at: int = 0  # when the current phase began
    earliest_deadline: int = 0  # gives players some time to decide after a restart
    pending: dict[int, str] = field(default_factory=dict)  # decisions that are not revealed yet, by seat
    pending_troubles: dict[int, str | None] = field(default_factory=dict)  # why bots passed, hidden until the reveal
    past_phases: set[tuple[int, str]] = field(default_factory=set)  # (turn, phase)
    rematch: str | None = None
    # By issuer and command id. The issuer is a seat, ("leave", seat) or "start".
    processed: dict[tuple[object, str], ProcessedCommand] = field(default_factory=dict)

    @property
    def state(self) -> Literal["waiting", "running", "over"]:
        if self.game is None:
            return "waiting"
        return "over" if self.game.over else "running"

    @property
    def deadline(self) -> int | None:
        """When players who have not decided pass, in milliseconds."""
        if self.seconds is None or self.game is None or not self.game.to_act:
            return None
        return max(self.opened_at + 1000 * self.seconds, self.earliest_deadline)

    def seat_of(self, secret_hash: str) -> int | None:
        """The seat whose secret has this hash."""
        return next((number for number, seat in enumerate(self.seats) if seat.secret_hash == secret_hash), None)

    def copy(self) -> "Table":
        """An independent copy."""
        return replace(
            self,
            seats=self.seats.copy(),
            game=self.game and self.game.copy(),
            pending=self.pending.copy(),
            pending_troubles=self.pending_troubles.copy(),
            past_phases=self.past_phases.copy(),
            processed=self.processed.copy(),
        )

    def apply(self, event: events.AnyEvent, at: int) -> None:
        """Change the table as an event says."""
        self.seq += 1
        match event:
            case events.Created():
                self._create(event, at)
            case events.Seated():
                self._update_seat(event.seat, name=event.name, secret_hash=event.secret_hash)
            case events.Left():
                self.seats[event.seat] = Seat(None, self.seats[event.seat].lucky)  # without its handover code
                self._store_command(("leave", event.seat), event.command, ("leave",))
            case events.Started():
                self._start(event)
                self._store_command("start", event.command, ("start",))
            case events.Rolled(drawn) | events.Dealt(drawn):
                self._started_game().chance(drawn or None)
                self.opened_at = at
            case events.Decided():
                self._decide(event, at)
            case events.Withdrawn():
                self._started_game().take_back(event.seat)
                del self.pending[event.seat]
                self.pending_troubles.pop(event.seat, None)
                self._store_command(event.seat, event.command, ("withdraw", event.turn, event.phase))
            case events.Replaced():
                self._update_seat(event.seat, replaced_by=event.bot)
                self._store_command(event.asked_by, event.command, ("replace", event.seat, event.bot))
            case events.Returned():
                self._update_seat(event.seat, replaced_by=None, trouble=None)
                self.pending_troubles.pop(event.seat, None)
            case events.Offered():
                self._update_seat(event.seat, handover_hash=event.handover_hash, handover_until=event.until)
            case events.Handed():
                self._update_seat(event.seat, secret_hash=event.secret_hash, handover_until=0)
            case events.Rematched():
                self.rematch = event.table
            case events.Ended():
                pass  # follows from the decisions; the storage finds finished games by this event

    def draw_chance(self, seed: int, at: int) -> events.Rolled | events.Dealt:
        """Roll the dice or shuffle the cards with a seed; the event holds the outcome."""
        game = self._started_game()
        game.seed = seed
        drawn = game.chance()
        self.seq += 1
        self.opened_at = at
        return events.Dealt(drawn) if game.variant.cards else events.Rolled(drawn)

    def _update_seat(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    def _started_game(self) -> Game:
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
        game = self._started_game()
        before = (game.turn, game.phase)
        game.play(event.seat, event.option)
        self.pending[event.seat] = event.option
        if event.by == "bot":
            self.pending_troubles[event.seat] = event.trouble
        if (game.turn, game.phase) != before:
            self.past_phases.add(before)
            self._reveal(at)
        self._store_command(event.seat, event.command, ("decide", event.turn, event.phase, event.option))

    def _reveal(self, at: int) -> None:
        for seat, trouble in self.pending_troubles.items():
            if trouble != self.seats[seat].trouble:
                self._update_seat(seat, trouble=trouble)
        self.opened_at, self.pending, self.pending_troubles = at, {}, {}

    def _store_command(self, issuer: object, command: str | None, content: tuple[object, ...]) -> None:
        if command is not None:
            self.processed[issuer, command] = ProcessedCommand(self.seq, content)
