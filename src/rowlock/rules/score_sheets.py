"""Sheets for a game with real dice that nobody enters: everybody marks, and the sheets keep the rules that sheets can.

A row that is locked closes for everybody with the next roll, which somebody announces; until then others may lock it
too. Marks can be undone until then.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from rowlock.rules import free_marks, kernel, obstacles
from rowlock.rules.error_text import quote
from rowlock.rules.explain import Illegal, Obstacle, explain_without_dice, read_obstacle
from rowlock.rules.game import Game
from rowlock.rules.sheet import Sheet
from rowlock.rules.toml_table import ROW_NAMES
from rowlock.rules.variant import Variant

MISTHROW = "x"


def first_mark(option: str) -> str:
    """The mark itself, without those that it sets off."""
    return option.partition("+")[0]


@dataclass(frozen=True)
class Mark:
    """A mark, with those it sets off, or a misthrow (`x`)."""

    player: int
    option: str
    closed: str = ""  # rows that others have locked since the last roll and that were closed already

    @property
    def first(self) -> str:
        """The mark itself, without those that it sets off."""
        return first_mark(self.option)


def row_set(names: Collection[str]) -> int:
    """The bit set of rows, by their names."""
    return sum(1 << ROW_NAMES.index(name) for name in names)


class ScoreSheets:
    """The sheets of all players, the marks in the order in which they were made, and the rolls between them."""

    def __init__(
        self,
        variant: str | Variant = "classic",
        players: Sequence[str] | int = 2,
        *,
        lucky: Sequence[tuple[int, int]] | None = None,
        sheets: Sequence[str | None] | None = None,
    ) -> None:
        self.game = Game(variant, players, seed=0, lucky=lucky, sheets=sheets)
        self.variant, self.players = self.game.variant, self.game.players
        self.tags: dict[str, str] = {}
        self.rolls: list[list[Mark]] = [[]]  # the marks after each announced roll
        self._start = self._state  # after the last roll

    @property
    def _state(self) -> list[int]:
        return self.game._state

    @_state.setter
    def _state(self, state: list[int]) -> None:
        self.game._state = state

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        return self.game.sheets

    @property
    def scores(self) -> tuple[int, ...]:
        return self.game.scores

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def declared(self) -> bool:
        """Whether somebody has ended the game, not rows or misthrows."""
        return self.over and self.game.reason is None

    @property
    def leaders(self) -> tuple[int, ...]:
        """The players with the highest total."""
        return self.game.leaders

    @property
    def winners(self) -> tuple[int, ...] | None:
        return self.game.winners

    @property
    def locks(self) -> dict[str, tuple[int, ...]]:
        """The rows that were locked since the last roll, with the players who did it."""
        before = [self._start[kernel.sheet_at(player) + kernel.LOCKS] for player in range(len(self.players))]
        now = [self._state[kernel.sheet_at(player) + kernel.LOCKS] for player in range(len(self.players))]
        new = {
            name: tuple(p for p in range(len(now)) if (now[p] & ~before[p]) >> r & 1)
            for r, name in enumerate(ROW_NAMES)
        }
        return {name: players for name, players in new.items() if players}

    @property
    def ending(self) -> bool:
        """Whether the game is over with the next roll."""
        state = self._state.copy()
        free_marks.new_roll(state, self.variant.tables)
        return state[kernel.PHASE] == kernel.OVER

    def copy(self) -> "ScoreSheets":
        """An independent copy."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.game, copy.tags, copy.rolls = self.game.copy(), self.tags.copy(), [*self.rolls[:-1], self.rolls[-1].copy()]
        return copy

    # Marking

    def options(self, player: int, closed: str = "") -> dict[str, int]:
        """What a player can mark, with the kernel's integers; `closed` are locked rows that were closed already."""
        game = self._with_closed(player, closed)
        actions, scratch = [0] * (kernel.MAX_OPTIONS + 1), [0] * kernel.SCRATCH_SIZE
        count = free_marks.free_options(game._state, self.variant.tables, player, actions, scratch)
        return {self._write(game, player, action, scratch): action for action in actions[:count]}

    def last_mark(self, player: int) -> Mark | None:
        """The last mark of a player since the last roll."""
        return next((mark for mark in reversed(self.rolls[-1]) if mark.player == player), None)

    def _write(self, game: Game, player: int, action: int, scratch: list[int]) -> str:
        if action == kernel.PASS:
            return MISTHROW
        free_marks.show_swap(game._state, self.variant.tables, action)
        return game._write_option(player, action, scratch)

    def choices(self, player: int) -> list[Mark]:
        """Every mark that a player can make, also those for which a row that others have locked was closed already."""
        found = [Mark(player, option) for option in self.options(player)]
        locked = free_marks.locked_by_others(self._state, self.variant.tables, player)
        if not locked or self.over:
            return found
        asked: dict[str, str] = {}  # by the first mark
        for mark in found:
            asked[mark.first] = asked.get(mark.first, "") + self.questions(player, mark.option)
        rows = [name for row, name in enumerate(ROW_NAMES) if locked >> row & 1]
        for count in range(1, len(rows) + 1):
            for closed in combinations(rows, count):
                marks = (Mark(player, option, "".join(closed)) for option in self.options(player, "".join(closed)))
                found += [mark for mark in marks if set(closed) <= set(asked.get(mark.first, ""))]
        return found

    def why_not(self, player: int, spot: str) -> Obstacle | None:
        """Why a player cannot mark a cell, its second box or a bonus field, or use a swap field; None if they can."""
        values, scratch = [0] * obstacles.MAX_VALUES, [0] * kernel.SCRATCH_SIZE
        code, tables = self.game.spot_code(spot), self.variant.tables
        found = free_marks.why_not(self._state, tables, player, code, scratch, values)
        return None if found < 0 else read_obstacle(self.variant, found, values)

    def _with_closed(self, player: int, closed: Collection[str]) -> Game:
        """A copy of the game in which these rows are closed for a player."""
        rows = row_set(closed)
        if rows & ~free_marks.locked_by_others(self._state, self.variant.tables, player):
            raise Illegal(
                "closed",
                f"{closed}: only a row that others have locked since the last roll can be closed already",
                self.roll,
                self.players[player],
            )
        game = self.game.copy()
        free_marks.close_on_sheet(game._state, self.variant.tables, player, rows)
        return game

    def questions(self, player: int, option: str) -> str:
        """The rows that others have locked, if what this mark sets off depends on whether they are closed already."""
        action = self._find(player, option, "")
        copy, scratch = self._state.copy(), [0] * kernel.SCRATCH_SIZE
        rows = free_marks.doubtful_rows(self._state, self.variant.tables, player, action, copy, scratch)
        return "".join(name for row, name in enumerate(ROW_NAMES) if rows >> row & 1)

    def _find(self, player: int, option: str, closed: str) -> int:
        options = self.options(player, closed)
        if option not in options:
            raise Illegal(*self._reason(player, option, closed, options), self.roll, self.players[player])
        return options[option]

    def _reason(self, player: int, option: str, closed: str, options: Collection[str]) -> tuple[str, str]:
        """The error code and the text that say why a player cannot mark this."""
        if self.over:
            return "over", "the game is over"
        if free_marks.has_misthrow(self._state, player):
            return "misthrow", f"{quote(option)}: the player has taken a misthrow in this roll"
        if option == MISTHROW and self.rolls[-1]:
            return "misthrow", "a roll has one misthrow at the most, of a player who marks nothing in it"
        if option == MISTHROW:
            return "misthrow", "there is no box left for a misthrow"
        state = self._with_closed(player, closed)._state
        return explain_without_dice(self.variant, state, player, option, list(options))

    def mark(self, player: int, option: str, closed: str = "") -> None:
        """Make a mark with all that it sets off, or take a misthrow (`x`)."""
        self._apply(Mark(player, option, closed))
        self.rolls[-1].append(Mark(player, option, closed))

    def _apply(self, mark: Mark) -> None:
        action, state = self._find(mark.player, mark.option, mark.closed), self._state.copy()
        closed, scratch = row_set(mark.closed), [0] * kernel.SCRATCH_SIZE
        free_marks.mark(state, self.variant.tables, mark.player, action, closed, scratch)
        self._state = state

    @property
    def roll(self) -> int:
        """How many rolls there have been, the first one included, which nobody announces."""
        return len(self.rolls)

    def new_roll(self) -> None:
        """Announce a roll: locked rows close for everybody, and earlier marks stand."""
        if self.over:
            raise Illegal("over", "the game is over", self.roll, None)
        state = self._state.copy()
        free_marks.new_roll(state, self.variant.tables)
        self._start = self._state = state
        if not self.over:
            self.rolls.append([])

    def undo(self, player: int) -> Mark:
        """Undo the last mark of a player since the last roll; the marks of others stand.

        Refused if one of them would not be possible then: without a lock, bonuses may mark elsewhere.
        """
        marks = self.rolls[-1]
        place = next((i for i in reversed(range(len(marks))) if marks[i].player == player), None)
        if self.over or place is None:
            text = "the game is over" if self.over else "there is nothing to undo since the last roll"
            raise Illegal("to-act", text, self.roll, self.players[player])
        without = self.copy()
        without._state, without.rolls[-1] = self._start, []
        for mark in marks[:place] + marks[place + 1 :]:
            locked = free_marks.locked_by_others(without._state, self.variant.tables, mark.player)
            still = "".join(name for name in mark.closed if locked >> ROW_NAMES.index(name) & 1)
            without.mark(mark.player, without._respelled(mark, still), still)
        self._state, self.rolls[-1] = without._state, without.rolls[-1]
        return marks[place]

    def _respelled(self, mark: Mark, closed: str) -> str:
        """The same first mark as it is written now: without a lock that was undone, bonuses may mark in its row."""
        options = self.options(mark.player, closed)
        same = (one for one in options if Mark(mark.player, one).first == mark.first)
        return mark.option if mark.option in options else next(same, mark.option)

    def end(self) -> None:
        """End the game now; if it ends with the next roll anyway, for that reason."""
        if self.ending:
            self.new_roll()
            return
        state = self._state.copy()
        free_marks.end(state)
        self._state = state
