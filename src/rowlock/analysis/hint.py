"""Hints: the best options of a player, with their values and with reasons from the position."""

from dataclasses import dataclass
from typing import Any

from rowlock.analysis.values import OptionValue, values_for
from rowlock.rules import consequences, kernel
from rowlock.rules.game import Game
from rowlock.rules.variant import ROW_NAMES


@dataclass(frozen=True)
class Hint:
    """An option, its value, and what it brings about: names of `consequences`, each with two values."""

    option: OptionValue
    consequences: list[tuple[str, int, int]]

    def as_json(self) -> dict[str, Any]:
        return {**self.option.as_json(), "consequences": [_as_json(*one) for one in self.consequences]}


def _as_json(name: str, *values: int) -> dict[str, Any]:
    """A consequence with the names of its values; rows and sets of numbers are written out."""
    fields: dict[str, Any] = dict(zip(dict(consequences.CONSEQUENCES)[name], values, strict=False))
    if "row" in fields:
        fields["row"] = ROW_NAMES[fields["row"]]
    if "numbers" in fields:
        fields["numbers"] = [
            number for number in range(fields["numbers"].bit_length()) if fields["numbers"] >> number & 1
        ]
    return {"what": name, **fields}


@dataclass(frozen=True)
class Hints:
    """The options of a player, the best one first."""

    player: int
    source: str  # where the values come from, see `Values.source`
    options: list[Hint]

    def as_json(self, game: Game) -> dict[str, Any]:
        """The object that `rowlock hint --json` prints."""
        head = {"variant": str(game.setup), "turn": game.turn, "phase": game.phase, "player": self.player}
        return {**head, "source": self.source, "options": [hint.as_json() for hint in self.options]}


def hints(game: Game, player: int, depth: str = "round") -> Hints:
    """Hints for a player who is to act, from what the player knows."""
    values = values_for(game, depth)
    options = [Hint(one, consequences_of(game, player, one.action)) for one in values.of_options(game, player)]
    return Hints(player, values.source, options)


def consequences_of(game: Game, player: int, action: int) -> list[tuple[str, int, int]]:
    """What an option brings about if all others pass."""
    return _consequences(game, player, action)[0]


def cells_left(game: Game, player: int, action: int) -> list[tuple[int, int]]:
    """The rows in which an option makes marks, each with the number of cells behind its last mark."""
    _, after = _consequences(game, player, action)
    if not any(after):
        return []  # cards are taken
    marks = kernel.sheet_at(player) + kernel.MARKS
    before = game.view(player).state
    rows = ((row, len(game.variant.rows[row].numbers)) for row in range(kernel.ROWS))
    return [(r, cells - after[marks + r].bit_length()) for r, cells in rows if after[marks + r] != before[marks + r]]


def _consequences(game: Game, player: int, action: int) -> tuple[list[tuple[str, int, int]], list[int]]:
    """The consequences of an option, and the state after it."""
    state, after = list(game.view(player).state), [0] * kernel.state_size(len(game.players))
    out, decisions = [0] * (consequences.CONSEQUENCE * consequences.MAX_CONSEQUENCES), [0] * kernel.MAX_PLAYERS
    scratch = [0] * kernel.SCRATCH_SIZE
    count = consequences.write_consequences(state, game.variant.tables, player, action, after, decisions, scratch, out)
    triples = (out[i : i + consequences.CONSEQUENCE] for i in range(0, count * consequences.CONSEQUENCE, 3))
    return [(consequences.NAMES[code], first, second) for code, first, second in triples], after
