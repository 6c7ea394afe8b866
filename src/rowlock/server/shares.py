"""What a device does for the chance of a game: it commits to shares, gives them, and checks all chance at the end."""

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from rowlock.rules import fairness
from rowlock.rules.game import Game, Turn
from rowlock.rules.notation import parse
from rowlock.rules.variant import Variant
from rowlock.server import protocol
from rowlock.server.secret import new_id

# What a check has found: all chance follows from what this device was promised; from the published secrets, none of
# which is this device's; it does not follow; there are no secrets.
Verdict = Literal["checked", "published", "wrong", "none"]


class KeptStart(msgspec.Struct):
    """A start of a game for which this device has made shares."""

    commitment: str  # of the table to its seed
    shares: dict[str, str]  # of this device, by name
    # The name and the commitment of every seat, as shown when this device gave its shares; None before that.
    promised: list[tuple[str, str | None]] | None = None


class Kept(msgspec.Struct):
    """What a device keeps of a table until the end of the game."""

    starts: list[KeptStart] = []
    shown: list[str] = []  # lines of `_shown_lines`: the players, dice and cards that were shown
    played: bool = False  # whether this device has had a seat in the game, not only before it


class ShareGiver:
    """A device's part in the chance of a game at a table."""

    def __init__(self, table: str, saved: str | None = None, save: Callable[[str], None] | None = None) -> None:
        """`save` stores what has to survive a restart of the program, which then passes it as `saved`."""
        self.table, self._save = table, save
        self._kept = msgspec.json.decode(saved, type=Kept) if saved else Kept()
        self._saved = saved
        self._sent: set[tuple[str, int, str]] = set()  # by this program: the start, the seat, and what
        self._own: list[str] = []  # the names of this device's seats
        self.without_share: list[str] = []  # the names in the record that was verified, with those of bots

    @property
    def gives(self) -> bool:
        """Whether this device has made a share for a start of the table."""
        return bool(self._kept.starts)

    def commands(self, view: protocol.View) -> list[protocol.Command]:
        """What to send for a game that is about to start: commitments; once all have committed, the shares.

        Every view is to pass here: it keeps the chance that the view shows.
        """
        self._own = [view.seats[own.seat].name or "" for own in view.own]
        self._kept.shown += [line for line in _shown_lines(view) if line not in self._kept.shown]
        self._kept.played |= bool(view.position and view.own)
        commands = self._start_commands(view, view.start) if view.start else []
        saved = msgspec.json.encode(self._kept).decode()
        if self._save and saved != self._saved:
            self._save(saved)  # before anything is sent
        self._saved = saved
        return commands

    def _start_commands(self, view: protocol.View, start: protocol.StartState) -> list[protocol.Command]:
        names = {seat.seat: view.seats[seat.seat].name or "" for seat in start.seats}
        kept = next((one for one in self._kept.starts if one.commitment == start.commitment), None)
        if kept is None:
            made = [names[seat.seat] for seat in start.seats if seat.shares and names[seat.seat] in self._own]
            kept = KeptStart(start.commitment, {name: fairness.new_secret() for name in made})
            if made:
                self._kept.starts.append(kept)
        own = [(seat, kept.shares[names[seat.seat]]) for seat in start.seats if names[seat.seat] in kept.shares]
        commands: list[protocol.Command] = []
        if not all(seat.commitment for seat in start.seats if seat.shares):
            promises = [(seat.seat, fairness.commitment(share)) for seat, share in own if not seat.commitment]
            commands += [protocol.Commit(self.table, seat, promise, new_id()) for seat, promise in promises]
        else:
            # What is promised at first counts: if the same start comes again, its shares are known already.
            kept.promised = kept.promised or [(names[seat.seat], seat.commitment) for seat in start.seats]
            due = [(seat.seat, share) for seat, share in own if not seat.shared]
            commands += [protocol.Share(self.table, seat, share, new_id()) for seat, share in due]
        commands = [one for one in commands if self._key(start, one) not in self._sent]
        self._sent.update(self._key(start, one) for one in commands)
        return commands

    def _key(self, start: protocol.StartState, command: protocol.Command) -> tuple[str, int, str]:
        assert isinstance(command, protocol.Commit | protocol.Share)
        return start.commitment, command.seat, type(command).__name__

    def verify(self, record: str, variants: Iterable[Variant] = ()) -> Verdict:
        """Judge the record of the finished game by what this device was shown and promised."""
        try:
            game = parse(record, variants=variants)
            fair = fairness.FairSeed.of_tags(game.tags)
        except ValueError:
            return "wrong"
        if fair is None:
            return "wrong" if self._kept.starts else "none"
        self.without_share = [name for name, share in fair.shares if share is None]
        follows = fair.table == self.table and fairness.first_difference(game, fair) is None
        if not follows or not self._was_shown(game):
            return "wrong"
        if not self._kept.played or not self._kept.starts:
            return "published"
        return "checked" if self._is_promised(fair) else "wrong"

    def _is_promised(self, fair: fairness.FairSeed) -> bool:
        """Whether the secrets fit the last start, and all starts for which this device has given shares are counted."""
        start = self._kept.starts[-1]
        promised = start.promised or []
        given = sum(one.promised is not None for one in self._kept.starts)
        return (
            start.commitment == fairness.commitment(fair.seed)
            and fair.void_starts >= given - 1
            and _same_people([name for name, _ in promised], [name for name, _ in fair.shares], self._own)
            and all(
                (share and fairness.commitment(share)) == promise and start.shares.get(name, share) == share
                for (name, promise), (_, share) in zip(promised, fair.shares, strict=True)
            )
        )

    def _was_shown(self, game: Game) -> bool:
        """Whether the game has the players, dice and cards that were shown."""
        lines = set(lines_of(game))
        for line in self._kept.shown:
            if line.startswith(_PLAYERS):
                if not _same_people(line.removeprefix(_PLAYERS).split("; "), game.players, self._own):
                    return False
            elif line not in lines:
                return False
        return True


def _same_people(before: list[str], now: Iterable[str], own: list[str]) -> bool:
    """Whether the names are the same in the same order; other people may have been forgotten and renamed since."""
    names = list(now)
    return len(before) == len(names) and all(
        old == new or (old not in own and new not in (*own, *before)) for old, new in zip(before, names, strict=True)
    )


_PLAYERS = "players "


def _shown_lines(view: protocol.View) -> list[str]:
    """The players, dice and cards that a view shows, in lines such as `7 41-3256` and `7 white 0 r5,g7`."""
    position = view.position
    if position is None:
        return []
    lines = [_PLAYERS + "; ".join(seat.name or "" for seat in view.seats)]
    lines += [f"{number} {turn.dice.roll}" for number, turn in enumerate(view.log, 1) if turn.dice]
    if position.dice:
        lines.append(f"{position.turn} {position.dice.roll}")
    if position.cards and position.phase in _CARD_PHASES:
        moment = f"{position.turn} {position.phase}"
        lines.append(_display_line(moment, position.cards.display, position.cards.top))
        lines.append(_discards_line(moment, position.cards.discards))
        lines += [_hand_line(moment, own.seat, own.hand) for own in view.own]
    return lines


# What was shown in these phases follows from chance and decisions that nobody can take back any more.
_CARD_PHASES = ("take", "white")


def lines_of(game: Game) -> Iterable[str]:
    """All lines that views of a game may have."""
    for number, turn in enumerate(game.turns, 1):
        if isinstance(turn, Turn):
            yield f"{number} {turn.dice}"
    for point, _ in game.decision_points():
        if (cards := point.view().cards) and point.phase in _CARD_PHASES:
            moment = f"{point.turn} {point.phase}"
            yield _display_line(moment, cards.display, cards.top)
            yield _discards_line(moment, cards.discards)
            for seat, hand in enumerate(point.hands):
                yield _hand_line(moment, seat, hand)


def _display_line(moment: str, display: Iterable[str], top: int | None) -> str:
    numbers = (card.strip("?'") for card in display)  # of two cards with the same number the second has a '
    return f"{moment} display {','.join(numbers)} {top or '-'}"


def _discards_line(moment: str, discards: Iterable[str]) -> str:
    return f"{moment} discards {','.join(discards) or '-'}"


def _hand_line(moment: str, seat: int, hand: Iterable[str]) -> str:
    return f"{moment} {seat} {','.join(hand)}"
