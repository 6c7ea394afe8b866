"""Random games at tables of the server, for a comparison with tables in the browser: python -m tests.local_games FILE

The file has a game per line: how it was opened, and for every step what was done, the words of chance, the events, the
view of a device with all people's seats, and the record.
"""

import random
import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from rowlock.rules.game import Game
from rowlock.rules.kernel import MAX_PLAYERS
from rowlock.rules.score_notation import write
from rowlock.rules.variant import ROW_NAMES, Variant, find_variant, parse_custom, variant_ids
from rowlock.server import commands, events, protocol
from rowlock.server.local import local_variant
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Table
from rowlock.server.views import Presence, ViewBuilder, replay_of

NOW = 1_800_000_000_000
OWN_VARIANTS = (
    """
format = 1
id = "brief"
sheet = "classic"
misthrows_to_end = 2
misthrow_cost = 3
swaps = [[8, 5], [7, 4]]
name = { en = "Brief" }
about = { en = "Two misthrows end it." }
""",
    """
format = 1
id = "mixed"
sheet = "bonus-b"
swaps = [[8, 5], [9, 7], [11, 3]]
lucky = [[2, 12], [3, 7], [4, 8], [5, 9], [6, 10]]
rows_to_end = 3
name = { de = "Gemischt" }
about = { de = "Paare, Tauschfelder und Glückszahlen." }
""",
)
RANDOM_FIELDS = ("command", "invite", "hash_key", "secret_hash", "asked_by")  # of events


class Everybody(Presence):
    """All are connected."""

    def connected(self, secret_hash: str) -> bool:
        return True

    def absent(self, secret_hash: str) -> bool:
        return False


def _start_at_once(dice: str, seats: Sequence[int], command: str | None = None) -> list[events.AnyEvent]:
    """As a device starts a game: without shares of its chance, which nobody else would check."""
    first = 0 if dice == "none" else secrets.randbelow(len(seats))
    return [events.Started((*seats[first:], *seats[:first]), command)]


class Recorder:
    """Plays a random game at a table and records every step."""

    dice: events.DiceSource = "rolled"

    def __init__(self, variant: Variant, file: str | None, players: int, seed: int) -> None:
        self.rng = random.Random(f"{variant.id} {players} {seed}")
        self.variant, self.file, self.players = variant, file, players
        self.table, self.at, self.seeds = Table("ABC234"), NOW, list[list[int]]()
        self.steps: list[dict[str, Any]] = []
        self.builder = ViewBuilder()
        self.correcting = True  # dice that are entered, until that is refused since it has been done too often

    def game(self) -> dict[str, Any]:
        """The whole game; one in four ends early."""
        with patch.object(commands, "_new_seed", self._seed), patch.object(commands, "_start_events", _start_at_once):
            plan = self._open()
            most = self.rng.choice((20, 10_000, 10_000, 10_000))
            while len(self.steps) < most and self.table.state == "running":
                self._step()
            if self.table.state == "over":
                self._rematch()
        game = self.table.game
        assert game
        local, replay = local_variant(self.variant, self.file), replay_of(game, self.table.code)
        return {"variant": local, "plan": plan, "steps": self.steps, "replay": replay}

    def _seed(self) -> int:
        seed = self.rng.getrandbits(63)
        self.seeds.append([seed >> 32, seed & 0xFFFFFFFF])
        return seed

    def _open(self) -> dict[str, Any]:
        bots = [self.rng.random() < 0.3 and self.dice == "rolled" for _ in range(self.players)]
        letters = self.variant.sheet_letters
        sheets = [self.rng.choice([*letters, None]) if letters else None for _ in bots]
        kinds = zip(bots, sheets, strict=True)
        seats = [protocol.SeatRequest("greedy" if bot else None, None, sheet) for bot, sheet in kinds]
        name = self.variant.id + ("+jokers" if self.variant.cards and self.rng.random() < 0.5 else "")
        pause, hints = self.rng.choice((0, 1)), self.rng.random() < 0.5
        dice = self.dice
        if dice == "rolled" and not self.variant.cards and not all(bots) and self.rng.random() < 0.3:
            dice = self.rng.choice(("entered", "entered-by-anybody"))
        created = commands.create(protocol.TableRequest(name, seats, None, None, pause, self.file, hints, dice))
        names = [f"Person {i}" for i in range(bots.count(False))]
        first = self._execute(created)
        if names:
            first += self._execute(commands.join(self.table, names, list(map(hash_of, names))))
        started = next(event for event in first if isinstance(event, events.Started))
        self._record({"type": "open", "first": started.order[0]}, first)
        plan = {"variant": name, "seats": msgspec.to_builtins(seats), "names": names, "pause": pause}
        return {**plan, "hints": hints, "dice": dice}

    def _execute(self, outcome: commands.Outcome) -> list[events.AnyEvent]:
        assert isinstance(outcome, list)
        return commands.apply_events(self.table, outcome, self.at)

    def _record(self, done: dict[str, Any], caused: list[events.AnyEvent]) -> None:
        written = [
            {name: value for name, value in msgspec.to_builtins(event).items() if name not in RANDOM_FIELDS}
            for event in caused
        ]
        game, view = self.table.game, msgspec.Raw(self._view())
        assert game
        step = {
            "do": done,
            "at": self.at,
            "seeds": self.seeds,
            "events": written,
            "view": view,
            "record": write(self.table.sheets) if self.table.sheets else game.record(),
            "why": self._why(game),
        }
        self.steps.append(step)
        self.seeds = []
        self.at += 100

    def _why(self, game: Game) -> list[dict[str, Any]]:
        """Some questions why something cannot be marked, with their answers."""
        swaps = ["{}/{}".format(*field) for field in self.variant.swaps]
        asked = []
        for _ in range(3):
            seat = self.rng.randrange(len(game.players))
            chosen = self.rng.choice([None, *game.seen_actions(seat)]) if game.phase == "play" else None
            swap = self.rng.choice(swaps) if swaps and self.rng.random() < 0.2 else None
            spot = self.rng.choice([*self.variant.codes, *swaps])
            question = protocol.Why("ABC234", seat, spot, "w", swap, chosen)
            asked.append({"ask": question, "answer": commands.why_not(self.table, question)})
        return asked

    def _view(self) -> bytes:
        hashes = {seat.secret_hash for seat in self.table.seats if seat.secret_hash}
        return self.builder.build(self.table, Everybody(), hashes, self.at)

    def _step(self) -> None:
        game = self.table.game
        assert game
        if self.table.dice != "rolled" and self._enter(0.8 if game.between_turns else 0.1 if game.dice else 1):
            while self.correcting and self.table.game and self.table.game.dice and self.table.entering:
                self._enter(1)
                self.correcting = self.steps[-1]["do"].get("refused") != "limit"
            return
        if game.between_turns and not self._takeback(0.1):
            self.at = max(self.at, self.table.roll_at or 0)
            rolled = commands.begin_turn(self.table, self.at)
            for event in rolled:
                self.table.apply(event, self.at)
            self._record({"type": "begin"}, rolled)
        elif not game.between_turns and not self._withdraw(0.05) and not self._takeback(0.05):
            seat = self.rng.choice(game.to_act)
            option = self.rng.choice(list(game.seen_actions(seat)))
            if self.table.seats[seat].bot:
                asked_in = (self.table.takebacks, game.turn, game.phase)
                caused = commands.decide_by_bot(self.table, seat, asked_in, option, None)
                self._record({"type": "bot", "seat": seat, "option": option}, self._execute(caused))
            else:
                message = protocol.Decide("ABC234", seat, game.turn, game.phase, option, f"c{self.table.seq}")
                self._record(msgspec.to_builtins(message), self._execute(commands.decide(self.table, message)))

    def _enter(self, probability: float) -> bool:
        """Enter dice, or correct them; some are refused, since a person has decided or the dice are impossible."""
        game = self.table.game
        assert game
        if self.rng.random() > probability:
            return False
        faces = [self.rng.randint(1, 6 if self.rng.random() < 0.98 else 9) for _ in range(6)]
        left = [name in game.closed and self.rng.random() < 0.98 for name in ROW_NAMES]
        colours = "".join("." if gone else str(face) for gone, face in zip(left, faces[2:], strict=True))
        dice, anybody = f"{faces[0]}{faces[1]}-{colours}", range(len(game.players))
        seat = self.rng.choice(self.table.entering or anybody if self.rng.random() < 0.8 else anybody)
        message = protocol.Roll("ABC234", seat, game.turn, dice, f"c{self.table.seq}", game.dice)
        table = self.table.copy()
        try:
            caused = self._execute(commands.roll(self.table, message))
        except Refused as refused:
            self.table = table
            self._record({**msgspec.to_builtins(message), "refused": refused.code}, [])
        else:
            self._record(msgspec.to_builtins(message), caused)
        return True

    def _withdraw(self, probability: float) -> bool:
        people = [seat for seat in self.table.pending if self.table.seats[seat].bot is None]
        if not people or self.rng.random() > probability:
            return False
        game, seat = self.table.game, self.rng.choice(people)
        assert game
        message = protocol.Withdraw("ABC234", seat, game.turn, game.phase, f"c{self.table.seq}")
        try:
            caused = self._execute(commands.withdraw(self.table, message, self.at))
        except Refused:
            return False
        self._record(msgspec.to_builtins(message), caused)
        return True

    def _takeback(self, probability: float) -> bool:
        game, people = self.table.game, self.table.people
        assert game
        if not people or self.rng.random() > probability:
            return False
        seat = self.rng.choice(people)
        if not (phases := game.reopenable(seat)):
            return False
        turn = game.turn - int(game.between_turns)
        message = protocol.Takeback("ABC234", seat, turn, self.rng.choice(phases), f"c{self.table.seq}")
        try:
            caused = self._execute(commands.ask_takeback(self.table, message, people, self.at))
        except Refused:
            return False
        self._record(msgspec.to_builtins(message), caused)
        return True

    def _rematch(self) -> None:
        """All answer; then the table of the rematch begins, which is compared by its first events."""
        for seat in self.table.people:
            agree = self.rng.random() < 0.8
            message = protocol.Rematch("ABC234", seat, agree, f"r{seat}")
            caused = self._execute(commands.answer_rematch(self.table, message))
            self._record(msgspec.to_builtins(message), caused)
        if commands.rematch_due(self.table, self.table.people):
            seats = commands.rematch_seats(self.table, self.table.people)
            rematch = commands.rematch_table(self.table, seats)
            started = next(event for event in rematch if isinstance(event, events.Started))
            self._record({"type": "new", "first": started.order[0]}, rematch)


class SheetsRecorder(Recorder):
    """Marks at random on the sheets of a table without dice."""

    dice = "none"

    def _step(self) -> None:
        message, table = self._message(self.rng.randrange(self.players), f"c{self.table.seq}"), self.table.copy()
        try:
            match message:
                case protocol.Mark():
                    caused = commands.mark(self.table, message)
                case protocol.Undo():
                    caused = commands.undo(self.table, message)
                case protocol.NewRoll():
                    caused = commands.new_roll(self.table, message, [0])
                case protocol.Finish():
                    caused = commands.finish(self.table, message, [0])
            done = self._execute(caused)
        except Refused as refused:
            self.table = table
            self._record({**msgspec.to_builtins(message), "refused": refused.code}, [])
        else:
            self._record(msgspec.to_builtins(message), done)

    def _message(self, seat: int, command: str) -> protocol.Mark | protocol.Undo | protocol.NewRoll | protocol.Finish:
        """Mostly a mark far left in a row, so that rows are locked; some are refused, since they are for another roll.

        Some undo a mark that is not the last one of the player, or take a misthrow that is not due.
        """
        sheets = self.table.sheets
        assert sheets
        marks, row, chance = sheets.choices(seat), self.rng.choice("RYGB"), self.rng.random()
        turn = sheets.roll + self.rng.choice((-1, 1)) * (self.rng.random() < 0.03)
        if chance < 0.1 or not marks:
            return protocol.NewRoll("ABC234", turn, command)
        if chance < 0.2:
            made = [mark.option for mark in sheets.rolls[-1] if mark.player == seat or self.rng.random() < 0.1]
            return protocol.Undo("ABC234", seat, turn, (made or ["x"])[-1], command)
        if chance < 0.205:
            return protocol.Finish("ABC234", turn, command)
        asked, near = [mark for mark in marks if mark.closed], [mark for mark in marks if row in mark.first][:3]
        mark = self.rng.choice(asked or near or marks)
        option = mark.option if self.rng.random() < 0.95 else "x"
        return protocol.Mark("ABC234", seat, turn, option, command, mark.closed)


def random_games(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Games of every built-in variant and of two own ones, with every number of players in turn; some without dice."""
    own = {parse_custom(text, "the file"): text for text in OWN_VARIANTS}
    games = [(variant, own.get(variant)) for variant in (*map(find_variant, variant_ids()), *own)]
    for index in range(count):
        variant, file = games[index % len(games)]
        players = 1 + (index // len(games)) % MAX_PLAYERS
        recorder = Recorder if index % 4 else SheetsRecorder
        yield recorder(variant, file, players, seed + index).game()


def write_games(path: Path, count: int, seed: int = 0) -> None:
    with path.open("wb") as file:
        for game in random_games(count, seed):
            file.write(protocol.encoder.encode(game) + b"\n")


if __name__ == "__main__":
    write_games(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
