"""Many games as NumPy arrays, for simulations and training code."""

from pathlib import Path

import numpy as np

from rowlock.fast.compiled import compiled
from rowlock.fast.games import Array
from rowlock.fast.pointer import keep_alive, pointer
from rowlock.fast.rules import chance as chance_rules
from rowlock.fast.rules import kernel
from rowlock.rules import kernel as rules
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.variant import Variant, find_setup


def _chance(states: Array, tables_: Array, seed: int, first: int, drawn: Array) -> None:
    """Let chance act in every game that waits for it."""
    tables = pointer(tables_)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        if kernel.waits_for_chance(state):
            key, salt = chance_rules.game_key(seed, first + game), chance_rules.game_salt(seed, first + game)
            chance_rules.act(state, tables, key, salt, pointer(drawn[game]))
    keep_alive((states, tables_, drawn))


def _options(states: Array, tables_: Array, player: int, found: Array, counts: Array) -> None:
    """Write the options of a player (-1: the active one) in every game where that player is to act."""
    scratch_ = np.zeros(kernel.SCRATCH_SIZE, np.int64)
    tables, scratch = pointer(tables_), pointer(scratch_)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        seat = state[kernel.ACTIVE] if player < 0 else player
        counts[game] = 0
        if (kernel.to_act(state) >> seat) & 1 == 1:
            counts[game] = kernel.options(state, tables, seat, pointer(found[game]), scratch)
    keep_alive((states, tables_, found, scratch_))


def _first_illegal(states: Array, tables_: Array, decisions: Array) -> int:
    """The index (game * players + player) of the first decision of a player to act that is not an option, or -1."""
    scratch_, found_ = np.zeros(kernel.SCRATCH_SIZE, np.int64), np.zeros(kernel.MAX_OPTIONS, np.int64)
    tables, scratch, found = pointer(tables_), pointer(scratch_), pointer(found_)
    illegal = -1
    for game in range(states.shape[0]):
        state = pointer(states[game])
        for player in range(decisions.shape[1]):
            if illegal < 0 and (kernel.to_act(state) >> player) & 1 == 1:
                legal = False
                for option in range(kernel.options(state, tables, player, found, scratch)):
                    legal = legal or found[option] == decisions[game, player]
                if not legal:
                    illegal = game * decisions.shape[1] + player
    keep_alive((states, tables_, found_, scratch_))
    return illegal


def _act(states: Array, tables_: Array, decisions: Array) -> None:
    """Carry out the decisions in every game that waits for decisions."""
    scratch_ = np.zeros(kernel.SCRATCH_SIZE, np.int64)
    tables, scratch = pointer(tables_), pointer(scratch_)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        if kernel.to_act(state) != 0:
            kernel.act(state, tables, pointer(decisions[game]), scratch)
    keep_alive((states, tables_, decisions, scratch_))


def _totals(states: Array, tables_: Array, totals: Array) -> None:
    tables = pointer(tables_)
    for game in range(states.shape[0]):
        for player in range(totals.shape[1]):
            totals[game, player] = kernel.total(pointer(states[game]), kernel.sheet_at(player), tables)
    keep_alive((states, tables_))


_chance_compiled, _options_compiled, _first_illegal_compiled, _act_compiled, _totals_compiled = map(
    compiled, (_chance, _options, _first_illegal, _act, _totals)
)


class Batch:
    """Games `first`, `first + 1`, ... of a seed, with the kernel's operations applied to all of them at once.

    `states` holds a row per game in the layout of `rowlock.rules.kernel` (`PHASE`, `sheet_at(player) + COUNT`, ...).
    """

    def __init__(
        self, variant: str | Path | Variant, players: int, games: int, *, seed: int = 0, first: int = 0
    ) -> None:
        self.variant, jokers = find_setup(variant)
        if not 1 <= players <= kernel.MAX_PLAYERS:
            raise ValueError(f"there are 1 to {kernel.MAX_PLAYERS} players, not {players}")
        if not 0 <= seed <= MAX_SEED or first < 0:
            raise ValueError(f"a seed is a whole number from 0 to {MAX_SEED}, games count from 0: {seed}, {first}")
        if games < 1:
            raise ValueError(f"a batch has 1 game or more, not {games}")
        self.players, self.seed, self.first = players, seed, first
        self.tables = np.array(self.variant.tables, np.int64)
        self.states: Array = np.zeros((games, kernel.state_size(players)), np.int64)
        start = [0] * kernel.state_size(players)
        rules.start(start, self.variant.tables, players)
        start[kernel.JOKERS] = int(jokers)
        self.states[:] = start
        self._drawn: Array = np.zeros((games, kernel.MAX_CARDS), np.int64)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def phases(self) -> Array:
        """What each game waits for: ROLL, WHITE, COLOUR, OVER, TAKE or DRAW of the kernel."""
        return self.states[:, kernel.PHASE]

    @property
    def over(self) -> bool:
        """Whether all games are over."""
        return bool((self.phases == kernel.OVER).all())

    def chance(self) -> None:
        """Let chance act in every game that waits for it: dice are rolled, cards dealt."""
        _chance_compiled(self.states, self.tables, self.seed, self.first, self._drawn)

    def options(self, player: int | None = None) -> tuple[Array, Array]:
        """The legal actions of a player (default: the active one) and their counts, 0 if the player is not to act."""
        if player is not None and not 0 <= player < self.players:
            raise ValueError(f"there is no player {player}, they count from 0")
        found, counts = np.zeros((len(self), kernel.MAX_OPTIONS), np.int64), np.zeros(len(self), np.int64)
        _options_compiled(self.states, self.tables, -1 if player is None else player, found, counts)
        return found, counts

    def act(self, decisions: Array, *, checked: bool = True) -> None:
        """Carry out decisions, an action per game and player; those of players who are not to act are ignored.

        `checked=False` is faster, for decisions taken from `options`; with any other action the result is undefined.
        """
        if not np.issubdtype(decisions.dtype, np.integer):
            raise ValueError(f"decisions are whole numbers, not {decisions.dtype}")
        if decisions.shape != (len(self), self.players):
            raise ValueError(f"decisions are {len(self)} x {self.players}, not {' x '.join(map(str, decisions.shape))}")
        decisions = np.ascontiguousarray(decisions, np.int64)
        if checked:
            place = int(_first_illegal_compiled(self.states, self.tables, decisions))
            if place >= 0:
                game, player = divmod(place, self.players)
                wrong = int(decisions[game, player])
                raise ValueError(f"game {self.first + game}, player {player}: action {wrong} is not an option")
        _act_compiled(self.states, self.tables, decisions)

    @property
    def totals(self) -> Array:
        """The points of every player so far."""
        totals = np.zeros((len(self), self.players), np.int64)
        _totals_compiled(self.states, self.tables, totals)
        return totals
