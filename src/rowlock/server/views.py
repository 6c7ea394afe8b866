"""The view of a table that a device receives: what is public, and the decisions and options of its own seats."""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from itertools import zip_longest
from typing import Literal, Protocol, cast

import msgspec

from rowlock.bots import LEVELS, bot_names, ready_bots
from rowlock.rules import kernel
from rowlock.rules import sheet as rules_sheet
from rowlock.rules.card_game import CardTurn
from rowlock.rules.fairness import commitment
from rowlock.rules.game import Game, Turn, read_dice
from rowlock.rules.option import read_option
from rowlock.rules.score_sheets import Mark, ScoreSheets
from rowlock.rules.variant import ROW_NAMES, Variant, find_variant, variant_ids
from rowlock.server import protocol
from rowlock.server.refusal import Refused
from rowlock.server.table import Seat, Start, Table
from rowlock.wasm import LAYOUT

Swaps = tuple[tuple[int, int], ...]  # the swap fields of a variant


def position_of(
    game: Game, *, reveal_cards: bool, sheets: list[protocol.Sheet] | None = None, rolled: bool = True
) -> protocol.Position:
    """The public position of a game, with hands and display if `reveal_cards`.

    It has no dice and no cards if none are `rolled` or dealt.
    """
    return protocol.Position(
        turn=game.turn,
        phase=game.phase,
        active=game.active,
        dice=_dice(game.dice) if rolled and game.dice else None,
        closed=list(game.closed),
        sheets=sheets or [_sheet(sheet) for sheet in game.sheets],
        scores=list(game.scores),
        last_row=game.last_row,
        last_misthrow=list(game.last_misthrow),
        cards=_cards(game, reveal_cards=reveal_cards) if game.variant.cards and rolled else None,
    )


def _dice(roll: str) -> protocol.Dice:
    """The dice of a roll such as `41-32.6`, where the green die is gone."""
    return protocol.Dice(roll, *read_dice(roll))


def _cards(game: Game, *, reveal_cards: bool) -> protocol.Cards:
    cards = game.view().cards
    assert cards
    if reveal_cards:
        cards = cards._replace(hands=game.hands, display=game.display)
    return protocol.Cards(
        [list(hand) for hand in cards.hands], list(cards.display), cards.top, cards.pile, list(cards.discards)
    )


def _sheet(sheet: rules_sheet.Sheet) -> protocol.Sheet:
    return msgspec.convert(sheet, protocol.Sheet, from_attributes=True)


def log_of(game: Game, skipped: int = 0) -> list[protocol.Turn]:
    """The revealed turns of a game, without the first `skipped` ones."""
    turns = game.turns_after(skipped)
    swaps = game.variant.swaps
    return [_turn(turn if game.over or isinstance(turn, Turn) else turn.hidden(), swaps) for turn in turns]


def _turn(turn: Turn | CardTurn, swaps: Swaps) -> protocol.Turn:
    white = [_choice(option, swaps) for option in turn.white] if turn.white else None
    if isinstance(turn, Turn):
        return protocol.Turn(turn.active, _dice(turn.dice), white, _choice(turn.colour, swaps) if turn.colour else None)
    taken = turn.taken.split(",") if turn.taken else None
    played = _choice(turn.played, swaps) if turn.played else None
    return protocol.Turn(turn.active, None, white, None, taken, bool(turn.renewed), turn.number, played)


def result_of(game: Game) -> protocol.Result | None:
    if not game.over:
        return None
    ended_by = [seat_number for seat_number, sheet in enumerate(game.sheets) if sheet.ends_game]
    return protocol.Result(game.reason, list(game.scores), list(game.winners or ()), ended_by)


@lru_cache(4096)
def _choice(option: str, swaps: Swaps) -> protocol.Choice:
    parts = read_option(option)
    marks, locks, cards = list(parts.marks), list(parts.locks), list(parts.cards)
    choice = protocol.Choice(option, marks, locks, parts.lucky, parts.misthrow, cards, second=parts.second)
    if parts.swapped is not None:
        choice.swap, choice.swapped = parts.swap_field(swaps), parts.swapped
    return choice


def replay_of(game: Game, table: str | None = None) -> protocol.Replay:
    positions = [position_of(past_game, reveal_cards=True) for past_game in game.moments()]
    if not game.to_act:  # then the current position is no decision, and `moments` lacks it
        positions.append(position_of(game, reveal_cards=True))
    variant_hash = None if game.variant.id in variant_ids() else game.variant.identity
    players, log = list(game.players), log_of(game)
    return protocol.Replay(table, str(game.setup), players, positions, log, result_of(game), variant_hash)


class Presence(Protocol):
    """Knows which players are connected and which count as absent, by the hashes of their secrets."""

    def connected(self, secret_hash: str) -> bool: ...
    def absent(self, secret_hash: str) -> bool: ...


class ViewBuilder:
    """Builds the views of a table; what all devices see is encoded once and reused."""

    def __init__(self) -> None:
        # The (takebacks, turn, phase) of what is cached here; without dice the number of the last event is the first.
        self._cached_phase: tuple[int, int, str] | None = None
        self._position, self._log = msgspec.Raw(b"null"), msgspec.Raw(b"[]")
        self._sheets: list[tuple[rules_sheet.Sheet, msgspec.Raw]] = []  # and how it is encoded
        self._completed_turns: list[msgspec.Raw] = []
        self._options: dict[int, tuple[msgspec.Raw, str | msgspec.UnsetType]] = {}  # with `state`, by seat number
        self._hands: dict[int, list[str]] = {}  # by seat number
        self._view: protocol.View | None = None
        self._version: int | None = None  # of `seats` and `host` in `_view`

    def build(
        self,
        table: Table,
        presence: Presence,
        hashes: Collection[str],
        now: int,
        history_hash: str = "",
        version: int | None = None,
    ) -> bytes:
        """The encoded view of a device that holds the seats whose secrets have these hashes.

        With the same `version` the seats and what `presence` says of them are the same as before.
        """
        view = self._view
        if view is None or view.seq != table.seq:
            self._view = view = self._spectator_view(table)
            self._version = None
        if version is None or version != self._version:
            self._version = version
            view.seats = [_seat(seat, presence) for seat in table.seats]
            view.host = table.host([number for number in table.people if not view.seats[number].absent])
        view.now, view.hash = now, history_hash
        own_seats = (number for number, seat in enumerate(table.seats) if seat.secret_hash in hashes)
        view.own = [self._own(table, number, to_act=number in view.to_act) for number in own_seats]
        view.invite = table.invite if view.own else None
        view.takeback = _takeback(table, now)
        return protocol.encoder.encode(view)

    def _spectator_view(self, table: Table) -> protocol.View:
        """The view without `now`, `seats`, `hash`, `own`, `invite`, `takeback` and `host`, which `build` fills in."""
        game = table.game
        if game is not None:
            self._refresh(game, table)
        return protocol.View(
            table=table.code,
            seq=table.seq,
            now=0,
            state=table.state,
            variant=table.variant,
            seconds=table.seconds,
            seats=[],
            position=cast("protocol.Position", self._position),  # already encoded, as is the log
            log=cast("list[protocol.Turn]", self._log),
            to_act=list(game.to_act) if game else [],
            decided=sorted(table.pending),
            final=sorted(table.final_decisions),
            deadline=table.deadline,
            own=[],
            result=result_of(game) if game else None,
            pause=table.pause,
            roll_at=table.roll_at,
            host=None,
            open=table.open,
            invite=None,
            hash="",
            takeback=None,
            votes=_votes(table),
            rematch=_rematch(table) if table.state == "over" else None,
            variant_hash=table.setup.variant.identity if table.variant_file else None,
            hints=table.hints,
            dice=table.dice,
            entering=table.entering,
            awaited=list(table.awaited),
            since_roll=_since_roll(table.sheets) if table.sheets else None,
            start=_start(table.start) if table.start else None,
            voided=list(table.voided),
            void_starts=table.void_starts or msgspec.UNSET,
        )

    def _refresh(self, game: Game, table: Table) -> None:
        """Update the cached position, log and sheets if the phase has changed or, without dice, anything."""
        takebacks = table.seq if table.sheets else table.takebacks
        phase = (takebacks, game.turn, game.phase)
        if phase != self._cached_phase:
            if self._cached_phase and self._cached_phase[0] != takebacks:
                self._completed_turns = []  # one of them may have been played again
            self._cached_phase, self._options, self._hands = phase, {}, {}
            self._sheets = [
                cached if cached and cached[0] == sheet else (sheet, _raw(_sheet(sheet)))
                for sheet, cached in zip_longest(game.sheets, self._sheets)
            ]
            sheets = cast("list[protocol.Sheet]", [encoded for _, encoded in self._sheets])
            rolled = table.sheets is None
            self._position = _raw(position_of(game, reveal_cards=game.over, sheets=sheets, rolled=rolled))
            cached_turns = [] if game.over else self._completed_turns  # the end reveals which cards were taken
            turns = [*cached_turns, *map(_raw, log_of(game, len(cached_turns)))]
            self._completed_turns = turns[: game.turns_completed]
            self._log = _raw(turns)

    def _own(self, table: Table, seat_number: int, *, to_act: bool) -> protocol.Own:
        game = table.game
        if game is None:
            return protocol.Own(seat_number, None, [])
        if seat_number not in self._hands:
            self._hands[seat_number] = list(game.hands[seat_number]) if game.variant.cards else []
        hand, takeback = self._hands[seat_number], game.reopenable(seat_number)
        if table.sheets:
            marks = table.sheets.choices(seat_number)
            return protocol.Own(seat_number, None, [_seat_mark(table.sheets, mark).mark for mark in marks])
        if not to_act:
            decision = table.pending.get(seat_number)
            return protocol.Own(
                seat_number, _choice(decision, game.variant.swaps) if decision else None, [], hand, takeback
            )
        if seat_number not in self._options:
            swaps = game.variant.swaps
            choices = _raw([_choice(option, swaps) for option in game.seen_actions(seat_number)])
            with_state = table.hints and game.variant.cards
            self._options[seat_number] = choices, _seen_state(game, seat_number) if with_state else msgspec.UNSET
        options, state = self._options[seat_number]
        return protocol.Own(seat_number, None, cast("list[protocol.Choice]", options), hand, takeback, state)


def _since_roll(sheets: ScoreSheets) -> protocol.SinceRoll:
    marks = [_seat_mark(sheets, mark) for mark in sheets.rolls[-1]]
    return protocol.SinceRoll(marks, {row: list(seats) for row, seats in sheets.locks.items()}, sheets.ending)


def _seat_mark(sheets: ScoreSheets, mark: Mark) -> protocol.SeatMark:
    choice = _choice(mark.option, sheets.variant.swaps)
    return protocol.SeatMark(mark.player, msgspec.structs.replace(choice, closed=list(mark.closed)))


def _seen_state(game: Game, seat_number: int) -> str:
    return " ".join(map(str, (LAYOUT, *game.view(seat_number).state)))


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(protocol.encoder.encode(value))


def _seat(seat: Seat, presence: Presence) -> protocol.Seat:
    secret_hash = seat.secret_hash
    connected = secret_hash is not None and presence.connected(secret_hash)
    absent = secret_hash is not None and not connected and presence.absent(secret_hash)
    kind: Literal["person", "bot"] = "bot" if seat.bot else "person"
    return protocol.Seat(seat.name, kind, seat.deciding_bot, connected, absent, seat.trouble, seat.sheet, seat.shares)


def _start(start: Start) -> protocol.StartState:
    seats = [
        protocol.StartingSeat(number, number in start.sharing, start.commitments.get(number), number in start.shares)
        for number in start.seats
    ]
    return protocol.StartState(commitment(start.seed), seats, start.until)


def fairness_of(table: Table) -> protocol.Fairness:
    """The commitments of a game, and the secrets once it is over."""
    if table.game is None:
        raise Refused("not-started")
    if (fair := table.fair) is None:
        raise Refused("no-secrets")
    over = table.game.over
    seats = [
        protocol.FairSeat(name, commitment(share) if share else None, share if over else None)
        for name, share in fair.shares
    ]
    return protocol.Fairness(fair.table, commitment(fair.seed), fair.seed if over else None, seats, fair.void_starts)


def _takeback(table: Table, now: int) -> protocol.TakebackRequest | None:
    if table.takeback is None or now > table.takeback.until:
        return None
    seat_number, turn, phase, until, agreed = table.takeback
    return protocol.TakebackRequest(seat_number, turn, phase, sorted(agreed), until)


def _votes(table: Table) -> protocol.Votes | None:
    votes = table.replace_votes
    return protocol.Votes(votes.seat, votes.bot, sorted(votes.voters)) if votes else None


def _rematch(table: Table) -> protocol.RematchState:
    answers = table.rematch_answers
    agreed = table.rematch_seats
    if agreed is None:
        agreed = tuple(number for number, agree in answers.items() if agree)
    declined = [number for number, agree in answers.items() if not agree]
    return protocol.RematchState(list(agreed), declined, table.rematch)


def available_bots(offered: Iterable[Variant] = ()) -> protocol.Bots:
    """The bots that can play now, by variant and number of players: some need files that may be missing here.

    `offered` are variants that are not built in.
    """
    return bots_info((*map(find_variant, variant_ids()), *offered), ready_bots)


def bots_info(variants: Iterable[Variant], find_ready: Callable[[Variant, int], Collection[str]]) -> protocol.Bots:
    """The bots by variant and number of players; `find_ready` returns those that can play such a game."""
    unrestricted: list[str] = []
    restricted: dict[str, dict[str, list[int]]] = {}
    ready = {
        (variant.id, players): find_ready(variant, players)
        for variant in variants
        for players in range(1, kernel.MAX_PLAYERS + 1)
    }
    for bot in bot_names():
        playable = [key for key, bots in ready.items() if bot in bots]
        if len(playable) == len(ready):
            unrestricted.append(bot)
            continue
        for variant_id, players in playable:
            restricted.setdefault(bot, {}).setdefault(variant_id, []).append(players)
    levels = {bot: level for level, bot in enumerate(LEVELS, 1) if bot in (*unrestricted, *restricted)}
    return protocol.Bots(unrestricted, restricted, levels)


def all_variants(offered: Iterable[Variant] = ()) -> protocol.Variants:
    return protocol.Variants([variant_info(variant) for variant in (*map(find_variant, variant_ids()), *offered)])


def variant_info(variant: Variant) -> protocol.VariantInfo:
    cards = variant.cards
    data = {
        **vars(variant),
        "dice": dict(zip(("white", *ROW_NAMES), variant.dice, strict=False)),  # card games have no dice
        "cards": cards and protocol.CardsInfo(cards.lowest, cards.highest, cards.largest_gap),
        "points": [variant.row_points(marks) for marks in range(1, variant.cap + 1)],
        "most_players": kernel.MAX_PLAYERS,
        "sheets": _sheet_infos(variant),
    }
    return msgspec.convert(data, protocol.VariantInfo, from_attributes=True)


def _sheet_infos(variant: Variant) -> list[protocol.SheetInfo]:
    kinds = zip_longest(variant.steps, variant.joined, fillvalue=())
    return [
        protocol.SheetInfo(variant.sheet_letters[i] if variant.sheet_letters else None, list(steps), list(joined))
        for i, (steps, joined) in enumerate(kinds)
    ]
