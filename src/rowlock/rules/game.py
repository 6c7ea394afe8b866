"""Games: who is to act, which options are legal, decisions and rolls, and what each seat may see."""

import re
import secrets
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from rowlock.rules import fairness, kernel, obstacles
from rowlock.rules.cards import SeenCards
from rowlock.rules.chance import MAX_SEED, game_key, game_salt, throw
from rowlock.rules.effects.lucky import can_be_lucky
from rowlock.rules.error_text import quote
from rowlock.rules.explain import COLOURS, Illegal, Obstacle, explain, read_obstacle
from rowlock.rules.option import write_no_mark
from rowlock.rules.sheet import Sheet, sheet_of
from rowlock.rules.variant import ROW_NAMES, Setup, Variant, find_setup

if TYPE_CHECKING:
    from rowlock.rules.card_game import CardTurn

REASONS = (None, "rows", "misthrows")  # the index is the kernel's `REASON`
DICE_TAG, ENTERED = "Dice", "entered"  # a tag of games whose dice people rolled and entered
BOTS_TAG = "Bots"  # the tag of a record that names the bot of each seat

Letter = TypeVar("Letter", str, str | None)  # of a sheet; None for a sheet that is dealt


class Decision(NamedTuple):
    """A player's decision: an option in notation, and the kernel's integer for it (see `docs/actions.md`)."""

    action: int
    option: str


class Turn(NamedTuple):
    """A turn as a record writes it, and its active player; an action that has not happened yet is None."""

    active: int
    dice: str
    white: tuple[str, ...] | None = None
    colour: str | None = None

    def __str__(self) -> str:
        words = [self.dice, *(self.white or ())]
        return " ".join(words if self.colour is None else [*words, "/", self.colour])


Snapshot = tuple[list[int], dict[int, Decision]]  # a state, and the decisions of the players in it


@dataclass(frozen=True)
class View:
    """The game as one seat may see it (`seat` is None for a spectator), without secret decisions and hidden cards."""

    variant: Variant
    players: tuple[str, ...]
    seat: int | None
    turn: int
    phase: str
    active: int
    dice: str | None
    closed: tuple[str, ...]  # rows
    sheets: tuple[Sheet, ...]
    to_act: tuple[int, ...]
    decided: tuple[int, ...]  # the players who have decided
    decision: str | None  # the option that this seat has chosen
    options: dict[str, int]  # the options of this seat, each with the kernel's action, in the kernel's order
    over: bool
    reason: str | None
    scores: tuple[int, ...]
    winners: tuple[int, ...] | None
    cards: SeenCards | None  # None in a game of dice
    jokers: bool
    state: tuple[int, ...] = field(repr=False)

    def after(self, option: str) -> Sheet:
        """The sheet of this seat after one of its options, as if all other players passed.

        Taking cards changes nothing on a sheet.
        """
        if self.seat is None or option not in self.options:
            raise ValueError(f"{option!r} is not an option; there are {', '.join(self.options) or 'none'}")
        action = self.options[option]
        if kernel.takes_cards(action):
            return self.sheets[self.seat]
        after, decisions, scratch = [0] * len(self.state), [0] * kernel.MAX_PLAYERS, [0] * kernel.SCRATCH_SIZE
        kernel.act_alone(list(self.state), self.variant.tables, self.seat, action, after, decisions, scratch)
        return sheet_of(self.variant, after, self.seat)


def checked_players(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the players; raise an error for the first name that a record cannot contain."""
    if isinstance(players, str):
        raise ValueError(f"players are a list of names, not {players!r}")
    if not 1 <= len(players) <= kernel.MAX_PLAYERS:
        raise ValueError(f"there are 1 to {kernel.MAX_PLAYERS} players, not {len(players)}")
    for i, name in enumerate(players):
        if not 1 <= len(name) <= 40:
            shown = name[:45]  # the beginning is enough to recognize a long name
            raise ValueError(f"a name has 1 to 40 characters, {shown!r} has {len(name)}")
        if name != name.strip(" "):
            raise ValueError(f"a name has no space at either end: {name!r}")
        # Delimiters of the record format, control characters, line separators and lone surrogates.
        if bad := re.search(r'[;"\[\]\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]', name):
            raise ValueError(f"a name has no {bad[0]!r} in it: {name!r}")
        if name in players[:i]:
            raise ValueError(f"two players are called {name}")
    return tuple(players)


def unique_name(name: str, others: Collection[str]) -> str:
    """Append a number to a name that others have: `greedy 2` if `greedy` is taken."""
    unique, count = name, 1
    while unique in others:
        count += 1
        unique = f"{name} {count}"
    return unique


def checked_lucky(variant: Variant, lucky: Sequence[tuple[int, int]], players: int) -> tuple[tuple[int, int], ...]:
    """Return the lucky numbers; raise an error if they are not one possible pair for each player, all different."""
    if not variant.lucky:
        raise ValueError(f"{variant} has no lucky numbers")
    if len(lucky) != players:
        raise ValueError(f"each of the {players} players needs one pair of lucky numbers, there are {len(lucky)}")
    highest = variant.highest_white_sum
    for i, (low, high) in enumerate(lucky):
        if not can_be_lucky(low, high, highest):
            raise ValueError(f"lucky numbers are two different numbers from 2 to {highest}, low/high: {low}/{high}")
        if (low, high) in lucky[:i]:
            raise ValueError(f"two players share the lucky numbers {low}/{high}")
    return tuple(lucky)


def checked_sheets(variant: Variant, sheets: Sequence[Letter], players: int) -> Sequence[Letter]:
    """Return the letters of the players' sheets, None for a dealt one; raise an error if one is wrong or missing."""
    if not variant.sheet_letters:
        raise ValueError(f"{variant} has one kind of sheet only")
    if len(sheets) != players:
        raise ValueError(f"each of the {players} players needs the letter of a sheet, there are {len(sheets)}")
    for letter in sheets:
        if letter not in (None, *variant.sheet_letters):
            raise ValueError(f"{variant} has the sheets {', '.join(variant.sheet_letters)}, not {quote(str(letter))!r}")
    return sheets


class Game:
    """A game of any variant for 1 to 5 players; the first player begins. `Game()` of a card game is a `CardGame`."""

    PHASES: ClassVar[tuple[str, ...]] = ("roll", "white", "colour", "over")  # the index is the kernel's `PHASE`
    CHANCE_FIRST = "the dice are to be rolled first"

    def __new__(cls, variant: str | Path | Variant | Setup = "classic", *_: object, **__: object) -> "Game":
        from rowlock.rules.card_game import CardGame

        setup = find_setup(variant)
        game = object.__new__(CardGame if cls is Game and setup.variant.cards else cls)
        game._requested = setup  # so that `__init__` does not read the file again
        return game

    _requested: Setup

    def __init__(
        self,
        variant: str | Path | Variant | Setup = "classic",
        players: Sequence[str] | int = 2,
        *,
        seed: int | None = None,
        number: int = 0,
        lucky: Sequence[tuple[int, int]] | None = None,
        sheets: Sequence[str | None] | None = None,
        jokers: bool = False,
        deck: str | None = None,
    ) -> None:
        """Set up a game; without a seed, the operating system provides a random one.

        The seed and `number`, the place of the game in a series, determine the dice or the deck. `lucky` sets the pairs
        of lucky numbers, and `sheets` the letters of the sheets, such as `ACB`, in games that have several; without
        these arguments, or with None for a sheet, they are dealt in the variant's order. `jokers=True` adds jokers to a
        card game, as the name `cards+jokers` does. `deck` lists all cards of a card game, the top card first.
        """
        self.variant, self.jokers = find_setup(self._requested, jokers=jokers)
        names = [f"Player {i + 1}" for i in range(players)] if isinstance(players, int) else players
        self.players = checked_players(names)
        if lucky is not None:
            self.variant = self.variant.with_lucky(checked_lucky(self.variant, lucky, len(self.players)))
        self.tags: dict[str, str] = {}
        self.seed = secrets.randbits(63) if seed is None else seed
        for name, value in (("seed", self.seed), ("number", number)):
            if type(value) is not int or not 0 <= value <= MAX_SEED:
                raise ValueError(f"{name} must be a whole number from 0 to {MAX_SEED}, not {value}")
        self.number = number
        self.fair_key: bytes | None = None  # if it is set, dice and shuffles follow from it instead of the seed
        self._size = kernel.state_size(len(self.players))
        self._state = [0] * self._size
        kernel.start(self._state, self.variant.tables, len(self.players))
        for p, pair in enumerate(lucky or ()):
            kernel.set_lucky(self._state, p, *pair)
        if sheets is not None:
            for p, letter in enumerate(checked_sheets(self.variant, sheets, len(self.players))):
                if letter is not None:
                    self._state[kernel.sheet_at(p) + kernel.KIND] = self.variant.sheet_letters.index(letter)
        self._history: list[Snapshot] = []  # the state before each roll, deal and action
        self._decisions: dict[int, Decision] = {}  # by player, in the current state
        self._legal: dict[int, dict[str, int]] = {}  # by player: what `actions` has computed for the current state
        self._init_cards(deck)

    def _init_cards(self, deck: str | None) -> None:
        if deck is not None:
            raise ValueError(f"{self.variant} has no cards")

    def __repr__(self) -> str:
        return f"<Game {self.setup} turn {self.turn} {self.phase} {' '.join(map(str, self.scores))}>"

    def __eq__(self, other: object) -> bool:
        """Whether both games have the same setup, players, state and history; tags are not compared."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._comparison_key() == other._comparison_key()

    def _comparison_key(self) -> tuple[object, ...]:
        return self.setup, self.players, self._state, self._decisions, self._history

    @property
    def setup(self) -> Setup:
        """The variant, and whether it is played with jokers."""
        return Setup(self.variant, self.jokers)

    __hash__ = None  # type: ignore[assignment]  # games change

    # Who is to act

    @property
    def phase(self) -> str:
        """What the game waits for: `roll`, `white` or `colour`; `over` after the end.

        A card game waits for `deal` (when a turn begins, and when the pile is empty), `take`, `white` or `play`.
        """
        return self.PHASES[self._state[kernel.PHASE]]

    @property
    def to_act(self) -> tuple[int, ...]:
        """The players who have to decide; empty while the game waits for a roll or a deal."""
        return tuple(p for p in self._players(kernel.to_act(self._state)) if p not in self._decisions)

    @property
    def active(self) -> int:
        """The active player; after the game, the active player of the last turn."""
        return self._state[kernel.ACTIVE]

    @property
    def turn(self) -> int:
        """The number of the current turn, counting from 1; after the game, the number of the last turn."""
        return self._state[kernel.TURN] + (0 if self.over else 1)

    @property
    def turns_completed(self) -> int:
        return self._state[kernel.TURN]

    @property
    def between_turns(self) -> bool:
        """Whether the next turn waits for its roll or deal."""
        return self._state[kernel.PHASE] == kernel.ROLL and bool(self._history)

    @property
    def over(self) -> bool:
        return self._state[kernel.PHASE] == kernel.OVER

    @property
    def reason(self) -> str | None:
        """Why the game is over: `rows` or `misthrows`; None before the end."""
        return REASONS[self._state[kernel.REASON]]

    @property
    def last_row(self) -> bool:
        """Whether one more closed row ends the game; in a card game, one more row that a single player locks."""
        return kernel.last_row(self._state, self.variant.tables)

    @property
    def last_misthrow(self) -> tuple[int, ...]:
        """The players whose next misthrow ends the game."""
        return self._players(kernel.last_misthrow(self._state, self.variant.tables))

    def _players(self, bits: int) -> tuple[int, ...]:
        return tuple(p for p in range(len(self.players)) if bits >> p & 1)

    # What is legal

    def options(self, player: int) -> list[str]:
        """Every legal option of a player in notation, sorted; empty if the player is not to act."""
        if not 0 <= player < len(self.players):
            raise self._not_to_act(player)
        return sorted(self.actions(player))

    def actions(self, player: int) -> dict[str, int]:
        """The legal options of a player, each with the kernel's integer for it, in the kernel's order."""
        if player not in self.to_act:
            return {}
        if player not in self._legal:
            actions, scratch = [0] * kernel.MAX_OPTIONS, [0] * kernel.SCRATCH_SIZE
            count = kernel.options(self._state, self.variant.tables, player, actions, scratch)
            self._legal[player] = {self._write_option(player, action, scratch): action for action in actions[:count]}
        return self._legal[player].copy()

    def _write_option(self, player: int, action: int, scratch: list[int]) -> str:
        if action == kernel.PASS:
            return write_no_mark(self._state)
        tables, sheet = self.variant.tables, kernel.sheet_at(player)
        sign = "!" if kernel.is_lucky(action) else f"{self._state[kernel.NUMBER]}>" if kernel.is_swap(action) else ""
        if kernel.is_second(action):
            return self._write_mark(kernel.marked_first(self._state, sheet, tables, action)) + "*"
        if not (tables[kernel.T_CHAINS] or tables[kernel.T_JOINS]):
            return sign + self._write_mark(kernel.marked_first(self._state, sheet, tables, action))
        return sign + "+".join(self._write_marks(player, action, scratch))

    def _write_marks(self, player: int, action: int, scratch: list[int]) -> list[str]:
        """Every mark that an action makes, in the order in which the marks are made."""
        made = kernel.mark_on_copy(self._state, kernel.sheet_at(player), self.variant.tables, action, scratch, 0)
        return list(map(self._write_mark, scratch[kernel.SCRATCH_TRAIL : kernel.SCRATCH_TRAIL + made]))

    def _write_mark(self, cell_code: int) -> str:
        return self.variant.cells[cell_code] + ("#" if self.variant.closes(cell_code) else "")

    def why_not(self, player: int, spot: str, swap: str | None = None, chosen: str | None = None) -> Obstacle | None:
        """Why a player cannot mark a cell, its second box or a bonus field now, or use a swap field such as `8/5`.

        `swap` is the swap field chosen before, `chosen` the play of cards chosen so far. None if nothing prevents it.
        """
        code, field = self.spot_code(spot), self.spot_code(swap) - obstacles.SWAP_SPOT if swap else -1
        if swap and field < 0:
            raise ValueError(f"there is no swap field {quote(swap)} on the {self.variant} sheet")
        action = self.actions(player).get(chosen, kernel.PASS) if chosen else kernel.PASS
        values, scratch = [0] * obstacles.MAX_VALUES, [0] * kernel.SCRATCH_SIZE
        found = obstacles.why_not(
            self._state,
            self.variant.tables,
            player,
            code,
            field,
            action,
            int(player in self._decisions),
            scratch,
            values,
        )
        return None if found < 0 else read_obstacle(self.variant, found, values)

    def spot_code(self, spot: str) -> int:
        """What a player points at, as `obstacles.why_not` has it: a cell, bonus field or swap field."""
        swaps = {name: obstacles.SWAP_SPOT + field for field, name in enumerate(self.variant.swap_names)}
        spots = {**self.variant.codes, **swaps}
        if spot not in spots:
            raise ValueError(f"there is no {quote(spot)} on the {self.variant} sheet")
        return spots[spot]

    # Acting

    def play(self, player: int, option: str) -> None:
        """Make a player's decision; in the white action decisions are secret until all players have decided."""
        if player not in self.to_act:
            raise self._not_to_act(player)
        legal = self.actions(player)
        normalized = self._normalize(legal, option)
        action = legal.get(normalized)
        if action is None:
            error_code, text = self._explain(player, option, list(legal))
            raise Illegal(error_code, text, self.turn, self.players[player])
        self._decisions[player] = Decision(action, normalized)
        if not self.to_act:
            self._act()

    def _normalize(self, legal: dict[str, int], option: str) -> str:
        """Convert an option to the spelling of `legal`; card games accept several spellings."""
        return option

    def _explain(self, player: int, option: str, legal: list[str]) -> tuple[str, str]:
        return explain(self.variant, self._state, player, option, legal)

    def _not_to_act(self, player: int) -> Illegal:
        if not 0 <= player < len(self.players):
            return Illegal("to-act", f"there is no player {player}, players are numbered from 0", self.turn, None)
        if self.over:
            return Illegal("over", "the game is over", self.turn, self.players[player])
        if not self.to_act:
            return Illegal("to-act", self.CHANCE_FIRST, self.turn, self.players[player])
        why = "has decided already" if player in self._decisions else "is not to act"
        return Illegal("to-act", f"{self.players[player]} {why}", self.turn, self.players[player])

    def _act(self) -> None:
        state = self._state.copy()
        passing = Decision(kernel.PASS, "-")  # for players who are not to act
        actions = [self._decisions.get(p, passing).action for p in range(len(self.players))]
        kernel.act(state, self.variant.tables, actions, [0] * kernel.SCRATCH_SIZE)
        self._after_action(state)
        self._push(state)

    def _after_action(self, state: list[int]) -> None:
        """Complete the state after an action; a card game fills the display up here."""

    def _push(self, state: list[int]) -> None:
        self._history.append((self._state, self._decisions))
        self._state, self._decisions, self._legal = state, {}, {}

    def take_back(self, player: int) -> None:
        """Withdraw the decision of a player while other players still have to decide."""
        if player not in self._decisions:
            name = self.players[player] if 0 <= player < len(self.players) else None
            raise Illegal("to-act", "there is no decision to take back", self.turn, name)
        del self._decisions[player]

    def undo(self) -> None:
        """Undo the last roll, deal or decision, even if all players have seen it."""
        if not self._decisions:
            if not self._history:
                raise Illegal("to-act", "nothing has happened yet", self.turn, None)
            self._state, decisions = self._history.pop()
            self._decisions, self._legal = decisions.copy(), {}
            if not self._decisions:
                return  # it was a roll or a deal
        self._decisions.popitem()  # the last decision made

    def reopenable(self, player: int) -> list[str]:
        """The phases of this turn in which `reopen` can take back a player's revealed decision, the latest first."""
        return [self.PHASES[self._history[i][0][kernel.PHASE]] for i in self._reopenable_snapshots(player)]

    def reopen(self, player: int, phase: str) -> dict[int, str]:
        """Take back a revealed decision: others' decisions in this phase stand and are returned, later ones are lost.

        Possible until the next roll or shuffle. A card that was taken stays taken, since its colour has been seen.
        """
        for i in self._reopenable_snapshots(player):
            state, decisions = self._history[i]
            if self.PHASES[state[kernel.PHASE]] == phase:
                del self._history[i:]
                self._state, self._legal = state, {}
                self._decisions = {p: decision for p, decision in decisions.items() if p != player}
                return {p: decision.option for p, decision in self._decisions.items()}
        raise Illegal("to-act", "there is no decision to take back", self.turn, self.players[player])

    def _reopenable_snapshots(self, player: int) -> Iterator[int]:
        """The indices of their snapshots in the history, the latest first."""
        for i in range(len(self._history) - 1, -1, -1):
            state, decisions = self._history[i]
            if self.over or kernel.waits_for_chance(state) or state[kernel.PHASE] == kernel.TAKE:
                return
            if player in decisions:
                yield i

    # Chance

    def chance(self, drawn: str | None = None) -> str:
        """Roll the dice or deal the cards, and return them; `drawn` sets the dice or the order of the cards."""
        return self.deal(drawn) if self.variant.cards else self.roll(drawn)

    def _check_chance(self, dice_or_cards: str, rolled_or_dealt: str) -> None:
        if self.over:
            raise Illegal("over", "the game is over", self.turn, None)
        if self.to_act or self._decisions:
            text = f"the {dice_or_cards} of turn {self.turn} are {rolled_or_dealt} already"
            raise Illegal("to-act", text, self.turn, None)

    def deal(self, deck: str | None = None) -> str:
        """Deal the cards of a card game; see `CardGame.deal`."""
        raise Illegal("to-act", f"{self.variant} has no cards to deal, its dice are rolled", self.turn, None)

    def roll(self, dice: str | None = None) -> str:
        """Roll the dice, or set them: white, white, `-`, red, yellow, green, blue; `.` for a die that is gone."""
        self._check_chance("dice", "rolled")
        faces = [0] * kernel.DICE_COUNT
        if dice is not None:
            faces = self._read_dice(dice)
        elif self.fair_key is not None:
            faces = fairness.roll(
                self.fair_key, self.turn, [self.variant.faces_of(die) for die in range(kernel.DICE_COUNT)]
            )
        else:
            key, salt = game_key(self.seed, self.number), game_salt(self.seed, self.number)
            throw(key, salt, self._state[kernel.TURN], self.variant.tables, faces)
        state = self._state.copy()
        kernel.roll(state, faces)
        self._push(state)
        return write_dice(state)

    def _read_dice(self, dice: str) -> list[int]:
        def error(text: str) -> Illegal:
            return Illegal("dice", text, self.turn, self.players[self.active])

        if not re.fullmatch(r"[0-9]{2}-[0-9.]{4}", dice):
            raise error(f"{quote(dice)} is not a roll; it is written like 41-3256, a . for a die that has left")
        faces = []
        for die, digit in enumerate(dice.replace("-", "")):
            name = ("white", "white", *COLOURS.values())[die]
            gone = die not in self.dice_left
            highest = self.variant.faces_of(die)
            if gone and digit != ".":
                raise error(f"{dice}: the {name} die has left the game, . stands for it")
            if not gone and digit == ".":
                raise error(f"{dice}: the {name} die is still in the game")
            if digit != "." and not 1 <= int(digit) <= highest:
                raise error(f"{dice}: the {name} die shows 1 to {highest}, not {digit}")
            faces.append(0 if gone else int(digit))
        return faces

    @property
    def dice_left(self) -> tuple[int, ...]:
        """The dice that are still in the game: 0 and 1 are white, 2 to 5 those of the rows; in a game of dice only."""
        return 0, 1, *(2 + row for row in range(kernel.ROWS) if not self._state[kernel.CLOSED] >> row & 1)

    def write_roll(self, faces: Iterable[object]) -> str:
        """The faces of the dice in `dice_left` as records write a roll."""
        shown = dict(zip(self.dice_left, faces, strict=True))
        return write_faces([shown.get(die, 0) for die in range(kernel.DICE_COUNT)])

    def take_back_roll(self) -> None:
        """Take back the dice of this turn, with all decisions that were made on them."""
        while self.phase != "roll":
            self.undo()

    @property
    def dice(self) -> str | None:
        """The dice of this turn as they were rolled; None before the roll, and in a card game."""
        if self._state[kernel.PHASE] == kernel.ROLL:
            return None
        # Dice that leave the game are 0 after the white action, so the state before it is used: the current one, or
        # one or two steps back in the history.
        states = [self._state, *(state for state, _ in reversed(self._history[-2:]))]
        return write_dice(next((state for state in states if state[kernel.PHASE] == kernel.WHITE), self._state))

    # Properties

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        return tuple(sheet_of(self.variant, self._state, p) for p in range(len(self.players)))

    @property
    def lucky(self) -> tuple[tuple[int, int], ...]:
        """The pair of lucky numbers of each player; empty if the variant has none."""
        return tuple(sheet.lucky for sheet in self.sheets if sheet.lucky)

    @property
    def sheet_letters(self) -> str:
        """The letter of each player's sheet; empty if the variant has one kind only."""
        return "".join(sheet.letter for sheet in self.sheets if sheet.letter)

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The hand of each player, with the colours that `view` hides from the others; empty in a game of dice."""
        return ((),) * len(self.players)

    @property
    def display(self) -> tuple[str, ...]:
        """The cards on display, with their colours; empty in a game of dice."""
        return ()

    @property
    def pile(self) -> tuple[str, ...]:
        """The cards of the pile, the top one first; empty in a game of dice."""
        return ()

    @property
    def discards(self) -> tuple[str, ...]:
        """The cards played since the last shuffle; empty in a game of dice."""
        return ()

    @property
    def closed(self) -> tuple[str, ...]:
        """The rows that are closed; in a card game, the rows that all players have locked."""
        return tuple(name for r, name in enumerate(ROW_NAMES) if self._state[kernel.CLOSED] >> r & 1)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of every player so far."""
        tables = self.variant.tables
        return tuple(kernel.total(self._state, kernel.sheet_at(p), tables) for p in range(len(self.players)))

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The players with the highest total; None until the game is over."""
        return self.leaders if self.over else None

    @property
    def shares(self) -> tuple[float, ...] | None:
        """Every player's share of the win, which equal totals share; None until the game is over."""
        winners = self.winners
        return winners and tuple((p in winners) / len(winners) for p in range(len(self.players)))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The players with the highest total so far."""
        return self._players(kernel.winners(self._state, self.variant.tables))

    @property
    def turns(self) -> Sequence["Turn | CardTurn"]:
        """The turns so far; the last one may be unfinished."""
        return self.turns_after(0)

    def turns_after(self, completed: int) -> Sequence["Turn | CardTurn"]:
        """The turns so far without the first `completed` ones."""
        history = self._history[bisect_left(self._history, completed, key=lambda snapshot: snapshot[0][kernel.TURN]) :]
        return self._turns([*history, (self._state, self._decisions)])

    def _turns(self, snapshots: Iterable[Snapshot]) -> Sequence["Turn | CardTurn"]:
        turns: list[Turn] = []
        for state, decisions in snapshots:
            revealed = state is not self._state
            options = tuple(decisions[p].option for p in sorted(decisions)) if revealed else None
            if state[kernel.PHASE] == kernel.WHITE:
                turns.append(Turn(state[kernel.ACTIVE], write_dice(state), options))
            elif state[kernel.PHASE] == kernel.COLOUR and options and turns:  # `determinize` can begin within a turn
                turns[-1] = turns[-1]._replace(colour=options[0])
        return turns

    def view(self, seat: int | None = None) -> View:
        """What a seat may see of the game; without `seat`, what a spectator may see."""
        if seat is not None and not 0 <= seat < len(self.players):
            raise ValueError(f"there is no player {seat}, players are numbered from 0")
        own_decision = None if seat is None else self._decisions.get(seat)
        state, seen = self._visible(seat)
        return View(
            variant=self.variant,
            players=self.players,
            seat=seat,
            turn=self.turn,
            phase=self.phase,
            active=self.active,
            dice=self.dice,
            closed=self.closed,
            sheets=self.sheets,
            to_act=self.to_act,
            decided=tuple(sorted(self._decisions)),
            decision=own_decision.option if own_decision else None,
            options=self.seen_actions(seat) if seat is not None else {},
            over=self.over,
            reason=self.reason,
            scores=self.scores,
            winners=self.winners,
            cards=seen,
            jokers=self.jokers,
            state=tuple(state),
        )

    def _visible(self, seat: int | None) -> tuple[list[int], SeenCards | None]:
        """The state without the cards that are hidden from a seat, and the cards that this seat sees."""
        return self._state, None

    def full_state(self) -> tuple[list[int], list[int]]:
        """The kernel's state with all secrets, and the cards of the pile in the order in which they are drawn."""
        return self._state[: self._size], self._state[self._size :]

    def seen_actions(self, seat: int) -> dict[str, int]:
        """The same as `actions`, but a card to be taken is named by the number on its back, which the seat sees."""
        return self.actions(seat)

    # Copies and moments

    def copy(self) -> "Game":
        """An independent copy."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.tags, copy._history = self.tags.copy(), self._history.copy()
        copy._state, copy._decisions, copy._legal = self._state.copy(), self._decisions.copy(), self._legal.copy()
        return copy

    def moments(self) -> Iterator["Game"]:
        """A copy of the game for every decision point so far, the current one included, before the decisions there."""
        for moment, _ in self.decision_points():
            yield moment
        if self.to_act or self._decisions:
            yield self._moment(self._state, len(self._history))

    def decision_points(self) -> Iterator[tuple["Game", dict[int, Decision]]]:
        """Every decision point that is past: a copy of the game before its decisions, and the decision per player."""
        for i, (state, decisions) in enumerate(self._history):
            if kernel.to_act(state):
                yield self._moment(state, i), decisions.copy()

    def chance_points(self) -> Iterator[tuple["Game", str]]:
        """Every roll, deal and shuffle so far: a copy of the game before it, and what was drawn."""
        states = [*(state for state, _ in self._history), self._state]
        for i, (before, after) in enumerate(pairwise(states)):
            if kernel.waits_for_chance(before):
                yield self._moment(before, i), self._drawn(before, after)

    def _drawn(self, before: list[int], after: list[int]) -> str:
        """What `chance` has returned between two states."""
        return write_dice(after)

    def _moment(self, state: list[int], past: int) -> "Game":
        """A copy of the game in a state, after the first `past` snapshots of its history."""
        game = self.copy()
        game._state, game._history = state.copy(), self._history[:past]
        game._decisions, game._legal = {}, {}
        return game

    def record(self) -> str:
        """The game in notation: its tags, in the order in which they were read, then one line per turn."""
        from rowlock.rules.notation import write

        return write(self)


def write_dice(state: Sequence[int]) -> str:
    return write_faces(state[kernel.DICE : kernel.DICE + kernel.DICE_COUNT])


def write_faces(faces: Sequence[object]) -> str:
    """The faces of all dice as records write a roll; 0 for a die that has left the game."""
    white, coloured = faces[:2], faces[2:]
    return f"{''.join(map(str, white))}-{''.join(str(face or '.') for face in coloured)}"


def read_dice(dice: str) -> tuple[tuple[int, int], dict[str, int]]:
    """The faces of a roll as `write_faces` writes it: the white dice, and by row those that are in the game."""
    white, colour = dice.split("-")
    faces = {name: int(face) for name, face in zip(ROW_NAMES, colour, strict=True) if face != "."}
    return (int(white[0]), int(white[1])), faces
