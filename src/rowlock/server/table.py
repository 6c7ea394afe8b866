"""The state of a table, computed from its events. No input, no output, no clock."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace as replace_fields

from rowlock.rules.fairness import FairSeed
from rowlock.rules.game import BOTS_TAG, DICE_TAG, ENTERED, Game, unique_name
from rowlock.rules.score_sheets import ScoreSheets
from rowlock.rules.variant import Setup
from rowlock.server import events
from rowlock.server.variants import setup_of

START_SECONDS = 15  # in which all devices have to give their shares of the chance
FORGOTTEN = "forgotten"  # in the place of the hash of a secret: no secret has it
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
    shares: bool = False  # the device of the person gives a share of the chance

    @property
    def free(self) -> bool:
        return self.bot is None and self.secret_hash is None

    @property
    def deciding_bot(self) -> str | None:
        """The bot that decides for this seat now; None if a person decides."""
        return self.bot or self.replaced_by


class Start(NamedTuple):
    """A start that waits for the shares of some seats."""

    seats: tuple[int, ...]  # that play
    seed: str
    sharing: frozenset[int]  # the seats of `seats` that give a share
    until: int  # when it is void, in milliseconds
    commitments: Mapping[int, str] = MappingProxyType({})  # by seat number, as are the shares
    shares: Mapping[int, str] = MappingProxyType({})

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats for which the start waits: for their commitments, then for their shares."""
        return tuple(sorted(self.sharing - set(self.shares if self.committed else self.commitments)))

    @property
    def committed(self) -> bool:
        """Whether all have committed, so that the shares may be given."""
        return set(self.commitments) == self.sharing


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


def plan_content(event: events.Planned) -> tuple[object, ...]:
    """The content of the command that has caused the event."""
    return ("plan", replace_fields(event, command=None, asked_by=None))


@dataclass
class Table:
    """A table after its first `seq` events; `apply` adds the next one."""

    code: str
    seq: int = 0
    created: events.Created | None = None
    plan: events.Created | events.Planned | None = None  # the latest choice of game, seats and options
    plans: int = 0  # how often it was changed
    variant: str = ""  # its id, with the suffix +jokers if they are used
    seats: list[Seat] = field(default_factory=list)
    seconds: int | None = None  # per decision
    pause: int = 0  # seconds before the next roll
    invite: str | None = None  # the secret of invite links; without one the code is enough
    open: bool = True  # to spectators and to people without a seat
    created_at: int = 0  # this and all other times are in milliseconds
    complete: bool = False  # a person has taken the last free seat: the game starts when all devices are connected
    start: Start | None = None  # until the game starts or the start is void
    voided: tuple[int, ...] = ()  # the seats because of which the last start was void
    void_starts: int = 0  # how many starts were void
    fair: FairSeed | None = None  # what the chance of the game follows from; older tables have none
    game: Game | None = None
    sheets: ScoreSheets | None = None  # at a table without dice; `game` is then theirs, and nobody is to decide in it
    phase_began_at: int = 0
    earliest_deadline: int = 0  # gives players some time to decide after a restart
    pending: dict[int, str] = field(default_factory=dict)  # unrevealed options by seat number
    pending_troubles: dict[int, str | None] = field(default_factory=dict)  # becomes `Seat.trouble` with the reveal
    withdrawals: dict[int, int] = field(default_factory=dict)  # in this phase, by seat number
    final_decisions: frozenset[int] = frozenset()  # seat numbers: revealed before another decision was taken back
    takeback_requests: dict[int, int] = field(default_factory=dict)  # in this turn, by seat number
    takebacks: int = 0  # how often a phase has come again: decisions were taken back, or dice corrected
    choices: set[tuple[int, str]] = field(default_factory=set)  # of people in this turn: (seat number, phase)
    corrections: int = 0  # of the dice of this turn
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
    def begun(self) -> bool:
        """Whether the game has started or is about to."""
        return self.game is not None or self.start is not None

    @property
    def variant_file(self) -> str | None:
        """The file of a variant that is not built in."""
        return self.plan.variant_file if self.plan else None

    @property
    def hints(self) -> bool:
        """Whether players may ask for hints: the host allows them, or one person plays, at most."""
        people = sum(seat.bot is None for seat in self.seats)
        return people <= 1 or (self.plan is not None and self.plan.hints)

    @property
    def dice(self) -> events.DiceSource:
        """Who rolls."""
        return self.plan.dice if self.plan else "rolled"

    @property
    def enters_dice(self) -> bool:
        """Whether people roll real dice and enter them."""
        return self.dice in events.ENTERED_DICE

    @property
    def entering(self) -> list[int]:
        """The numbers of the seats whose players may enter or correct the dice now.

        A player for whom a bot decides enters nothing: then any person does. Dice stand once a person has chosen.
        """
        game = self.game
        if not self.enters_dice or game is None or game.over or (game.dice and self.choices):
            return []
        return [game.active] if self.dice == "entered" and game.active in self.people else self.people

    @property
    def awaited(self) -> Collection[int]:
        """The numbers of the seats that the game waits for: they decide, or nobody else may enter the dice."""
        if self.game is None:
            return ()
        alone = self.entering if not self.game.dice and len(self.entering) == 1 else []
        return self.game.to_act or alone

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
        if self.game is None or not self.game.between_turns or self.dice != "rolled":
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

    def voters_for(self, seat_number: int, bot: str) -> frozenset[int]:
        """The numbers of the seats whose players want this bot to play for this player."""
        votes = self.replace_votes
        return votes.voters if votes and (votes.seat, votes.bot) == (seat_number, bot) else frozenset()

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
        if self.start:
            until = self.start.until + passed * stopped
            self.start = self.start._replace(until=min(until, now + 1000 * START_SECONDS))
        for number, seat in enumerate(self.seats):
            self._update_seat(number, handover_until=min(seat.handover_until, now + int(1000 * handover_seconds)))

    def copy(self) -> "Table":
        """An independent copy."""
        sheets = self.sheets and self.sheets.copy()
        copy = object.__new__(Table)
        copy.__dict__.update(self.__dict__)  # `replace` would take several times longer
        copy.__dict__.update(
            seats=self.seats.copy(),
            game=sheets.game if sheets else self.game and self.game.copy(),
            sheets=sheets,
            pending=self.pending.copy(),
            pending_troubles=self.pending_troubles.copy(),
            withdrawals=self.withdrawals.copy(),
            takeback_requests=self.takeback_requests.copy(),
            rematch_answers=self.rematch_answers.copy(),
            past_phases=self.past_phases.copy(),
            choices=self.choices.copy(),
            processed=self.processed.copy(),
        )
        return copy

    # Long because every kind of event has its case here; what is more than a few lines is in a method of its own.
    def apply(self, event: events.AnyEvent, at: int) -> None:
        """Apply the next event, which happened at the time `at`."""
        self.seq += 1
        match event:
            case events.Created():
                self._create(event, at)
            case events.Planned():
                self._apply_plan(event)
                self.plans += 1
                self.complete = False
                self._store_command(event.asked_by, event.command, plan_content(event))
            case events.Seated():
                sheet = event.sheet or self.seats[event.seat].sheet
                changes = {"name": event.name, "secret_hash": event.secret_hash, "joined": self.seq}
                self._update_seat(event.seat, sheet=sheet, shares=event.shares, **changes)
                self.complete = not any(seat.free for seat in self.seats)
            case events.Left():
                self._free_seat(event.seat)
                self._store_command(("leave", event.seat), event.command, ("leave",))
            case events.Removed():
                self._free_seat(event.seat)
                self._store_command(event.asked_by, event.command, ("remove", event.seat))
            case events.Access():
                self.open = event.open
                self._store_command(event.asked_by, event.command, ("access", event.open))
            case events.Starting():
                sharing = frozenset(number for number in event.seats if self.seats[number].shares)
                self.start = Start(event.seats, event.seed, sharing, at + 1000 * START_SECONDS)
                self.voided = ()
                self._store_command("start", event.command, ("start",))
            case events.Committed():
                self._update_start(commitments={**self._start().commitments, event.seat: event.commitment})
                self._store_command(event.seat, event.command, ("commit", event.commitment))
            case events.Shared():
                self._update_start(shares={**self._start().shares, event.seat: event.share})
                self._store_command(event.seat, event.command, ("share", event.share))
            case events.Voided():
                self._void(event)
            case events.Started():
                self._begin(event)
                self._store_command("start", event.command, ("start",))
            case events.Rolled():
                self._roll(event, at)
            case events.Dealt(drawn):
                self._started_game().chance(drawn or None)  # a deal without a shuffle has no cards
                self._begin_turn(at)
            case events.Decided():
                self._decide(event, at)
            case events.Marked(seat, option, closed):
                self._score_sheets().mark(seat, option, closed)
                self._store_command(seat, event.command, ("mark", self._score_sheets().roll, option, closed))
            case events.Undone(seat):
                undone = self._score_sheets().undo(seat)
                self._store_command(seat, event.command, ("undo", self._score_sheets().roll, undone.first))
            case events.NewRoll():
                self._score_sheets().new_roll()
                self._store_command(event.asked_by, event.command, ("new-roll", event.turn))
            case events.Finished():
                self._score_sheets().end()
                self._store_command(event.asked_by, event.command, ("finish", self._score_sheets().roll))
            case events.Withdrawn():
                self._started_game().take_back(event.seat)
                del self.pending[event.seat]
                self.choices.discard((event.seat, event.phase))
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
                self._update_seat(event.seat, secret_hash=event.secret_hash, shares=event.shares, handover_until=0)
            case events.Forgotten():
                self._forget(event)
            case events.RematchAnswered():
                self.rematch_answers[event.seat] = event.agree
                self._store_command(event.seat, event.command, ("rematch", event.agree))
            case events.Rematched():
                self.rematch, self.rematch_seats = event.table, event.seats
            case events.Ended():
                pass  # follows from the decisions; the storage finds finished games by this event

    def draw_chance(self, seed: int, at: int) -> events.Rolled | events.Dealt:
        """Begin a turn: roll the dice or shuffle the cards; return the event, which is already applied.

        The seed is for tables without a `FairSeed`.
        """
        game = self._started_game()
        game.seed = seed
        drawn = game.chance()
        self.seq += 1
        self._begin_turn(at)
        return events.Dealt(drawn) if game.variant.cards else events.Rolled(drawn)

    def _roll(self, event: events.Rolled, at: int) -> None:
        game, corrections = self._started_game(), 0
        if event.seat is not None and game.dice is not None:
            corrections = self.corrections + 1
            game.take_back_roll()
            self.pending_troubles = {}
            self._reveal(at)
            self.past_phases = {one for one in self.past_phases if one[0] != game.turn}
            self.takebacks += 1
        game.roll(event.dice)
        self._begin_turn(at)
        self.corrections = corrections
        self._store_command(event.seat, event.command, ("roll", game.turn, event.dice))

    def _begin_turn(self, at: int) -> None:
        self.phase_began_at, self.takeback, self.takeback_requests = at, None, {}
        self.choices, self.corrections = set(), 0

    def _return(self, seat_number: int) -> None:
        """Give a seat back to its player; a bot that must decide first does so, or the vote for it could be undone."""
        if self.seats[seat_number].bot_must_decide and seat_number in self._started_game().to_act:
            self._update_seat(seat_number, returning=True)
            return
        changes = {"returns_by_command": False, "bot_must_decide": False, "returning": False}
        self._update_seat(seat_number, replaced_by=None, trouble=None, **changes)
        self.pending_troubles.pop(seat_number, None)

    def _free_seat(self, seat_number: int) -> None:
        assert self.plan is not None
        plan = self.plan.seats[seat_number]
        self.seats[seat_number] = Seat(None, plan.lucky, plan.sheet)  # its handover code is dropped

    def _forget(self, event: events.Forgotten) -> None:
        if not self.begun:
            self._free_seat(event.seat)
            return
        names = {self.seats[event.seat].name: event.name}
        changes = {"name": event.name, "secret_hash": FORGOTTEN, "handover_hash": None, "handover_until": 0}
        self._update_seat(event.seat, **changes)
        if self.game is None:  # it is about to start
            return
        self.game.players = tuple(seat.name or "" for seat in self.seats)
        if self.sheets:
            self.sheets.players = self.game.players
        if self.fair:
            self.fair = replace(self.fair, shares=tuple((names.get(name, name), one) for name, one in self.fair.shares))
            self.game.tags.update(self.fair.tags() if self.game.over else {})

    def _void(self, event: events.Voided) -> None:
        self.start, self.complete, self.void_starts = None, False, self.void_starts + 1
        for number, seat in enumerate(self.seats):
            if seat.secret_hash == FORGOTTEN:
                self._free_seat(number)
        self.voided = tuple(number for number in event.seats if not self.seats[number].free)

    def _update_seat(self, seat_number: int, **changes: Any) -> None:
        self.seats[seat_number] = replace(self.seats[seat_number], **changes)

    def _started_game(self) -> Game:
        assert self.game is not None
        return self.game

    def _score_sheets(self) -> ScoreSheets:
        assert self.sheets is not None
        return self.sheets

    def _create(self, event: events.Created, at: int) -> None:
        self.created, self.created_at, self.invite = event, at, event.invite
        self._apply_plan(event)

    def _apply_plan(self, event: events.Created | events.Planned) -> None:
        self.plan = event
        self.variant, self.seconds, self.pause = event.variant, event.seconds, event.pause
        people = {number: seat for number, seat in enumerate(self.seats) if seat.secret_hash}
        names = [seat.name or "" for seat in people.values()]
        self.seats = []
        for number, plan in enumerate(event.seats):
            if number in people:
                self.seats.append(replace(people[number], lucky=plan.lucky, sheet=plan.sheet))
                continue
            name = None if plan.bot is None else unique_name(plan.bot, names)
            self.seats.append(Seat(plan.bot, plan.lucky, plan.sheet, name))
            if name:
                names.append(name)

    def _start(self) -> Start:
        assert self.start is not None
        return self.start

    def _update_start(self, **changes: Any) -> None:
        self.start = self._start()._replace(**changes)

    def started(self) -> events.Started:
        """The event that follows when all shares are given: the first player is drawn with them."""
        fair, seats = self._fair_seed(), self._start().seats
        return events.Started((*seats[fair.first :], *seats[: fair.first]))

    def _fair_seed(self) -> FairSeed:
        start = self._start()
        shares = tuple((self.seats[number].name or "", start.shares.get(number)) for number in start.seats)
        return FairSeed(self.code, start.seed, shares, self.void_starts)

    def _begin(self, event: events.Started) -> None:
        if self.start:
            self.fair, self.start = self._fair_seed(), None
        # The seats get new numbers, and so do the senders of earlier commands.
        numbers = {old: new for new, old in enumerate(event.order)}
        self.processed = {
            (numbers.get(issuer, -1) if isinstance(issuer, int) else issuer, command_id): command
            for (issuer, command_id), command in self.processed.items()
        }
        self.seats = [self.seats[seat_number] for seat_number in event.order]
        names = [seat.name or "" for seat in self.seats]  # no seat is free: all have names
        lucky = [seat.lucky for seat in self.seats if seat.lucky]
        letters = [seat.sheet for seat in self.seats] if self.setup.variant.sheet_letters else None
        if self.dice == "none":
            self.sheets = ScoreSheets(self.setup.variant, names, lucky=lucky or None, sheets=letters)
            self.game, self.sheets.tags = self.sheets.game, self.sheets.game.tags
        else:
            self.game = Game(self.setup, names, seed=0, lucky=lucky or None, sheets=letters)
        self.game.tags["Date"] = f"{datetime.fromtimestamp(self.created_at / 1000, UTC):%Y-%m-%d}"
        if self.fair:
            self.game.fair_key = self.fair.key
        if any(seat.bot for seat in self.seats):
            self.game.tags[BOTS_TAG] = "; ".join(seat.bot or "" for seat in self.seats)
        if self.enters_dice:
            self.game.tags[DICE_TAG] = ENTERED

    def _decide(self, event: events.Decided, at: int) -> None:
        game = self._started_game()
        phase_before = (game.turn, game.phase)
        # Who can only pass has not chosen.
        if self.enters_dice and event.by != "bot" and len(game.actions(event.seat)) > 1:
            self.choices.add((event.seat, event.phase))
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
            game.tags.update(self.fair.tags() if self.fair else {})
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
        # Decisions of a later phase are lost.
        kept = (one for one in self.choices if one[1] == "white" and one != (event.seat, event.phase))
        self.choices = set(kept)
        # This phase and those after it are to come again. `colour` and `play` are the last phases of a turn.
        self.past_phases -= {(event.turn, event.phase), (event.turn, "colour"), (event.turn, "play")}

    def _vote(self, event: events.ReplaceVoted) -> None:
        voters = self.voters_for(event.seat, event.bot)
        self.replace_votes = ReplaceVotes(event.seat, event.bot, voters | {event.asked_by})
        self._store_command(event.asked_by, event.command, ("replace", event.seat, event.bot))

    def _store_command(self, issuer: Issuer, command_id: str | None, content: tuple[object, ...]) -> None:
        if command_id is not None:
            self.processed[issuer, command_id] = ProcessedCommand(self.seq, content)
