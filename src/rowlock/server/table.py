"""The state of a table, computed from its events. No input, no output, no clock."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from rowlock.rules.game import Game, unique_name
from rowlock.rules.variant import Setup
from rowlock.server import events
from rowlock.server.variants import setup_of

TAKEBACK_SECONDS = 30  # after which an unanswered request to take a decision back expires

# The sender of a command: a seat number, ("leave", number) for a player who leaves that seat, "start" for any device.
Issuer = int | tuple[Literal["leave"], int] | Literal["start"] | None  # None if it is not stored


@dataclass(frozen=True)
class Seat:
    """A seat and who decides there; its number is its index in `Table.seats`."""

    bot: str | None
    lucky: tuple[int, int] | None = None
    sheet: str | None = None  # the letter of a sheet; None if it is dealt or the game has one kind of sheet
    name: str | None = None
    secret_hash: str | None = None
    replaced_by: str | None = None  # the bot that plays for a person
    trouble: str | None = None  # why its bot last passed: error, slow, illegal
    handover_hash: str | None = None  # kept after the code is used: the same claim may be sent again
    handover_until: int = 0  # in milliseconds; 0 if no code is valid
    joined: int = 0  # the number of the event with which the person took the seat
    bot_must_decide: bool = False  # the bot for which the others voted has not decided yet
    returning: bool = False  # the player returns as soon as this bot has decided
    returns_by_command: bool = False  # the others voted for the bot: a connection alone does not end it

    @property
    def free(self) -> bool:
        return self.bot is None and self.secret_hash is None

    @property
    def deciding_bot(self) -> str | None:
        """The bot that decides for this seat now; None if a person decides."""
        return self.bot or self.replaced_by


class Takeback(NamedTuple):
    """A request to take back a revealed decision."""

    seat: int
    turn: int
    phase: str
    until: int  # when it expires, in milliseconds
    agreed: frozenset[int] = frozenset()  # seat numbers


class ReplaceVotes(NamedTuple):
    """The players who want a bot to play for a connected player."""

    seat: int
    bot: str
    voters: frozenset[int]  # seat numbers


class ProcessedCommand(NamedTuple):
    """An executed command; if the same content is sent again, the answer is the number of the event it caused."""

    seq: int
    content: tuple[object, ...]


@dataclass
class Table:
    """A table after its first `seq` events; `apply` adds the next one."""

    code: str
    seq: int = 0
    created: events.Created | None = None
    variant: str = ""  # its id, with the suffix +jokers if they are used
    seats: list[Seat] = field(default_factory=list)
    seconds: int | None = None  # per decision
    pause: int = 0  # seconds before the next roll
    invite: str | None = None  # the secret of invite links; without one the code is enough
    open: bool = True  # to spectators and to people without a seat
    created_at: int = 0  # this and all other times are in milliseconds
    game: Game | None = None
    phase_began_at: int = 0
    earliest_deadline: int = 0  # gives players some time to decide after a restart
    pending: dict[int, str] = field(default_factory=dict)  # unrevealed options by seat number
    pending_troubles: dict[int, str | None] = field(default_factory=dict)  # becomes `Seat.trouble` with the reveal
    withdrawals: dict[int, int] = field(default_factory=dict)  # in this phase, by seat number
    final_decisions: frozenset[int] = frozenset()  # seat numbers: revealed before another decision was taken back
    takeback_requests: dict[int, int] = field(default_factory=dict)  # in this turn, by seat number
    takebacks: int = 0  # how many decisions have been taken back
    past_phases: set[tuple[int, str]] = field(default_factory=set)  # (turn, phase)
    takeback: Takeback | None = None
    replace_votes: ReplaceVotes | None = None
    rematch: str | None = None  # the code of the table of the rematch
    rematch_seats: tuple[int, ...] | None = None  # the numbers of the seats here whose people play there
    rematch_answers: dict[int, bool] = field(default_factory=dict)  # by seat number
    processed: dict[tuple[Issuer, str], ProcessedCommand] = field(default_factory=dict)  # by issuer and command id

    @property
    def state(self) -> Literal["waiting", "running", "over"]:
        if self.game is None:
            return "waiting"
        return "over" if self.game.over else "running"

    @property
    def variant_file(self) -> str | None:
        """The file of a variant that is not built in."""
        return self.created.variant_file if self.created else None

    @property
    def hints(self) -> bool:
        """Whether players may ask for hints: the host allows them, or one person plays, at most."""
        people = sum(seat.bot is None for seat in self.seats)
        return people <= 1 or (self.created is not None and self.created.hints)

    @property
    def setup(self) -> Setup:
        """The variant, and whether it is played with jokers."""
        return setup_of(self.variant, self.variant_file)

    @property
    def deadline(self) -> int | None:
        """When players who have not decided pass; None without a time limit or if nobody is to decide."""
        if self.seconds is None or self.game is None or not self.game.to_act:
            return None
        return max(self.phase_began_at + 1000 * self.seconds, self.earliest_deadline)

    @property
    def roll_at(self) -> int | None:
        """When the next turn begins; None unless the table pauses between two turns."""
        if self.game is None or not self.game.between_turns:
            return None
        return max(self.phase_began_at + 1000 * self.pause, self.takeback.until if self.takeback else 0)

    @property
    def people(self) -> list[int]:
        """The numbers of the seats with people, without those for whom a bot plays."""
        return [number for number, seat in enumerate(self.seats) if seat.secret_hash and not seat.replaced_by]

    def host(self, present: Collection[int] = ()) -> int | None:
        """The seat number of the person who joined first, of those who are `present` if there are any."""
        people = [number for number in self.people if number in present] or self.people
        return min(people, key=lambda number: self.seats[number].joined, default=None)

    def seat_number_of(self, secret_hash: str) -> int | None:
        """The number of the seat whose secret has this hash; None if there is no such seat."""
        return next((number for number, seat in enumerate(self.seats) if seat.secret_hash == secret_hash), None)

    def holds(self, hashes: Collection[str]) -> bool:
        """Whether every secret with one of these hashes belongs to a seat."""
        return all(self.seat_number_of(secret_hash) is not None for secret_hash in hashes)

    def resume(self, last_event_at: int, now: int, handover_seconds: float, *, stopped: bool) -> None:
        """Go on after loading. With `stopped` no server had the table: the time since its last event does not count.

        Otherwise another server may let the time run. The clock may have been set back: no time becomes longer.
        """
        passed = now - last_event_at
        self.phase_began_at = min(self.phase_began_at + passed * stopped, now)
        if self.takeback:
            until = self.takeback.until
            # Between two turns the table waits for the request, so it was still open when the server stopped.
            if stopped and (until > now or (self.game and self.game.between_turns)):
                until += passed
            self.takeback = self.takeback._replace(until=min(until, now + 1000 * TAKEBACK_SECONDS))
        for number, seat in enumerate(self.seats):
            self._update_seat(number, handover_until=min(seat.handover_until, now + int(1000 * handover_seconds)))

    def copy(self) -> "Table":
        """An independent copy."""
        return replace(
            self,
            seats=self.seats.copy(),
            game=self.game and self.game.copy(),
            pending=self.pending.copy(),
            pending_troubles=self.pending_troubles.copy(),
            withdrawals=self.withdrawals.copy(),
            takeback_requests=self.takeback_requests.copy(),
            rematch_answers=self.rematch_answers.copy(),
            past_phases=self.past_phases.copy(),
            processed=self.processed.copy(),
        )

    def apply(self, event: events.AnyEvent, at: int) -> None:
        """Apply the next event, which happened at the time `at`."""
        self.seq += 1
        match event:
            case events.Created():
                self._create(event, at)
            case events.Seated():
                sheet = event.sheet or self.seats[event.seat].sheet
                changes = {"name": event.name, "secret_hash": event.secret_hash, "joined": self.seq}
                self._update_seat(event.seat, sheet=sheet, **changes)
            case events.Left():
                self._free_seat(event.seat)
                self._store_command(("leave", event.seat), event.command, ("leave",))
            case events.Removed():
                self._free_seat(event.seat)
                self._store_command(event.asked_by, event.command, ("remove", event.seat))
            case events.Access():
                self.open = event.open
                self._store_command(event.asked_by, event.command, ("access", event.open))
            case events.Started():
                self._start(event)
                self._store_command("start", event.command, ("start",))
            case events.Rolled(drawn) | events.Dealt(drawn):
                self._started_game().chance(drawn or None)  # a deal without a shuffle has no cards
                self._begin_turn(at)
            case events.Decided():
                self._decide(event, at)
            case events.Withdrawn():
                self._started_game().take_back(event.seat)
                del self.pending[event.seat]
                self.pending_troubles.pop(event.seat, None)
                self.withdrawals[event.seat] = self.withdrawals.get(event.seat, 0) + 1
                self._store_command(event.seat, event.command, ("withdraw", event.turn, event.phase))
            case events.TakebackAsked():
                self.takeback = Takeback(event.seat, event.turn, event.phase, event.until)
                self.takeback_requests[event.seat] = self.takeback_requests.get(event.seat, 0) + 1
                self._store_command(event.seat, event.command, ("takeback", event.turn, event.phase))
            case events.TakebackAnswered():
                self._answer_takeback(event)
            case events.TakenBack():
                self._take_back(event, at)
            case events.ReplaceVoted():
                self._vote(event)
            case events.Replaced():
                self._update_seat(
                    event.seat, replaced_by=event.bot, returns_by_command=event.voted, bot_must_decide=event.voted
                )
                self.replace_votes = None
                self._store_command(event.asked_by, event.command, ("replace", event.seat, event.bot))
            case events.Returned():
                self._return(event.seat)
                self._store_command(event.seat, event.command, ("return",))
            case events.Offered():
                self._update_seat(event.seat, handover_hash=event.handover_hash, handover_until=event.until)
            case events.Handed():
                self._update_seat(event.seat, secret_hash=event.secret_hash, handover_until=0)
            case events.RematchAnswered():
                self.rematch_answers[event.seat] = event.agree
                self._store_command(event.seat, event.command, ("rematch", event.agree))
            case events.Rematched():
                self.rematch, self.rematch_seats = event.table, event.seats
            case events.Ended():
                pass  # follows from the decisions; the storage finds finished games by this event

    def draw_chance(self, seed: int, at: int) -> events.Rolled | events.Dealt:
        """Begin a turn: roll the dice or shuffle the cards with a seed; return the event, which is already applied."""
        game = self._started_game()
        game.seed = seed
        drawn = game.chance()
        self.seq += 1
        self._begin_turn(at)
        return events.Dealt(drawn) if game.variant.cards else events.Rolled(drawn)

    def _begin_turn(self, at: int) -> None:
        self.phase_began_at, self.takeback, self.takeback_requests = at, None, {}

    def _return(self, seat_number: int) -> None:
        """Give a seat back to its player; a bot that must decide first does so, or the vote for it could be undone."""
        if self.seats[seat_number].bot_must_decide and seat_number in self._started_game().to_act:
            self._update_seat(seat_number, returning=True)
            return
        changes = {"returns_by_command": False, "bot_must_decide": False, "returning": False}
        self._update_seat(seat_number, replaced_by=None, trouble=None, **changes)
        self.pending_troubles.pop(seat_number, None)

    def _free_seat(self, seat_number: int) -> None:
        assert self.created is not None
        plan = self.created.seats[seat_number]
        self.seats[seat_number] = Seat(None, plan.lucky, plan.sheet)  # its handover code is dropped

    def _update_seat(self, seat_number: int, **changes: Any) -> None:
        self.seats[seat_number] = replace(self.seats[seat_number], **changes)

    def _started_game(self) -> Game:
        assert self.game is not None
        return self.game

    def _create(self, event: events.Created, at: int) -> None:
        self.created, self.created_at = event, at
        self.variant, self.seconds = event.variant, event.seconds
        self.pause, self.invite = event.pause, event.invite
        names: list[str] = []
        for plan in event.seats:
            name = None if plan.bot is None else unique_name(plan.bot, names)
            self.seats.append(Seat(plan.bot, plan.lucky, plan.sheet, name))
            if name:
                names.append(name)

    def _start(self, event: events.Started) -> None:
        # The seats get new numbers, and so do the senders of earlier commands.
        numbers = {old: new for new, old in enumerate(event.order)}
        self.processed = {
            (numbers.get(issuer, -1) if isinstance(issuer, int) else issuer, command_id): command
            for (issuer, command_id), command in self.processed.items()
        }
        self.seats = [self.seats[seat_number] for seat_number in event.order]
        names = [seat.name or "" for seat in self.seats]  # no seat is free: all have names
        lucky = [seat.lucky for seat in self.seats if seat.lucky]
        self.game = Game(self.setup, names, seed=0, lucky=lucky or None, sheets=self._sheets())
        self.game.tags["Date"] = f"{datetime.fromtimestamp(self.created_at / 1000, UTC):%Y-%m-%d}"
        if any(seat.bot for seat in self.seats):
            self.game.tags["Bots"] = "; ".join(seat.bot or "" for seat in self.seats)

    def _sheets(self) -> list[str] | None:
        """The letters of the players' sheets, those that were not chosen dealt in the order of the players."""
        letters = self.setup.variant.sheet_letters
        chosen = [seat.sheet or letters[number % len(letters)] for number, seat in enumerate(self.seats) if letters]
        return chosen or None

    def _decide(self, event: events.Decided, at: int) -> None:
        game = self._started_game()
        phase_before = (game.turn, game.phase)
        game.play(event.seat, event.option)
        self.pending[event.seat] = event.option
        if event.by == "bot":
            self.pending_troubles[event.seat] = event.trouble
            seat = self.seats[event.seat]
            if seat.bot_must_decide:
                self._update_seat(event.seat, bot_must_decide=False)
            if seat.returning:
                self._return(event.seat)
        if (game.turn, game.phase) != phase_before:
            self.past_phases.add(phase_before)
            self._reveal(at)
        if game.over:
            self.takeback = None
        self._store_command(event.seat, event.command, ("decide", event.turn, event.phase, event.option))

    def _reveal(self, at: int) -> None:
        """Begin a phase: publish the troubles of the decisions before it, and clear what was pending."""
        for seat_number, trouble in self.pending_troubles.items():
            if trouble != self.seats[seat_number].trouble:
                self._update_seat(seat_number, trouble=trouble)
        self.phase_began_at, self.pending, self.pending_troubles = at, {}, {}
        self.withdrawals, self.final_decisions, self.replace_votes = {}, frozenset(), None

    def _answer_takeback(self, event: events.TakebackAnswered) -> None:
        if self.takeback and event.agree:
            self.takeback = self.takeback._replace(agreed=self.takeback.agreed | {event.seat})
        else:
            self.takeback = None
        self._store_command(event.seat, event.command, ("agree", event.agree))

    def _take_back(self, event: events.TakenBack, at: int) -> None:
        game = self._started_game()
        self._reveal(at)  # drops the pending decisions of the phase that is left
        self.pending = game.reopen(event.seat, event.phase)
        self.final_decisions = frozenset(self.pending)
        self.takeback = None
        self.takebacks += 1
        # This phase and those after it are to come again. `colour` and `play` are the last phases of a turn.
        self.past_phases -= {(event.turn, event.phase), (event.turn, "colour"), (event.turn, "play")}

    def _vote(self, event: events.ReplaceVoted) -> None:
        votes = self.replace_votes
        earlier_voters = votes.voters if votes and (votes.seat, votes.bot) == (event.seat, event.bot) else frozenset()
        self.replace_votes = ReplaceVotes(event.seat, event.bot, earlier_voters | {event.asked_by})
        self._store_command(event.asked_by, event.command, ("replace", event.seat, event.bot))

    def _store_command(self, issuer: Issuer, command_id: str | None, content: tuple[object, ...]) -> None:
        if command_id is not None:
            self.processed[issuer, command_id] = ProcessedCommand(self.seq, content)
