"""Many games as NumPy arrays. In compiled functions `tables_` is an array, and `tables` is a pointer to it."""

from pathlib import Path

import numpy as np

from rowlock.fast.compiled import compiled
from rowlock.fast.pointer import keep_alive, pointer
from rowlock.fast.results import Array
from rowlock.fast.rules import chance as chance_rules
from rowlock.fast.rules import kernel
from rowlock.rules import kernel as interpreted_kernel
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.variant import Variant, find_setup


def _let_chance_act(states: Array, tables_: Array, seed: int, first_game: int, drawn: Array) -> None:
    """Roll or deal in every game that waits for it; `drawn` has a row per game, as `chance.act` needs it."""
    tables = pointer(tables_)
    for game in range(states.shape[0]):
        state, number = pointer(states[game]), first_game + game
        if kernel.waits_for_chance(state):
            key, salt = chance_rules.game_key(seed, number), chance_rules.game_salt(seed, number)
            chance_rules.act(state, tables, key, salt, pointer(drawn[game]))
    keep_alive((states, tables_, drawn))


def _list_options(states: Array, tables_: Array, player: int, actions: Array, counts: Array) -> None:
    """Write a player's options (-1: the active player's) in every game and their number, 0 for a player not to act."""
    scratch_ = np.zeros(kernel.SCRATCH_SIZE, np.int64)
    tables, scratch = pointer(tables_), pointer(scratch_)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        seat = state[kernel.ACTIVE] if player < 0 else player
        counts[game] = 0
        if (kernel.to_act(state) >> seat) & 1 == 1:
            counts[game] = kernel.options(state, tables, seat, pointer(actions[game]), scratch)
    keep_alive((states, tables_, actions, scratch_))


def _first_illegal(states: Array, tables_: Array, decisions: Array) -> int:
    """Return game * players + player of the first player to act whose decision is not an option, or -1."""
    scratch_, actions_ = np.zeros(kernel.SCRATCH_SIZE, np.int64), np.zeros(kernel.MAX_OPTIONS, np.int64)
    tables, scratch, actions = pointer(tables_), pointer(scratch_), pointer(actions_)
    illegal = -1
    for game in range(states.shape[0]):
        state = pointer(states[game])
        for player in range(decisions.shape[1]):
            if illegal < 0 and (kernel.to_act(state) >> player) & 1 == 1:
                legal = False
                for option in range(kernel.options(state, tables, player, actions, scratch)):
                    legal = legal or actions[option] == decisions[game, player]
                if not legal:
                    illegal = game * decisions.shape[1] + player
    keep_alive((states, tables_, actions_, scratch_))
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


def _write_totals(states: Array, tables_: Array, totals: Array) -> None:
    """Write the points of every player in every game."""
    tables = pointer(tables_)
    for game in range(states.shape[0]):
        for player in range(totals.shape[1]):
            totals[game, player] = kernel.total(pointer(states[game]), kernel.sheet_at(player), tables)
    keep_alive((states, tables_))


_let_chance_act_compiled, _list_options_compiled, _first_illegal_compiled, _act_compiled, _write_totals_compiled = map(
    compiled, (_let_chance_act, _list_options, _first_illegal, _act, _write_totals)
)


class Batch:
    """The games of a seed from number `first` on; every method applies to all of them.

    `states` holds a row per game in the layout of `rowlock.rules.kernel` (`PHASE`, `sheet_at(player) + COUNT`, ...).
    """

    def __init__(
        self, variant: str | Path | Variant, players: int, games: int, *, seed: int = 0, first: int = 0
    ) -> None:
        self.variant, jokers = find_setup(variant)
        if not 1 <= players <= kernel.MAX_PLAYERS:
            raise ValueError(f"a game has 1 to {kernel.MAX_PLAYERS} players, not {players}")
        if not 0 <= seed <= MAX_SEED:
            raise ValueError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed}")
        if first < 0 or games < 1:
            raise ValueError(f"a batch has 1 game or more, not {games}, from game 0 or later, not {first}")
        self.players, self.seed, self.first = players, seed, first
        self.tables = np.array(self.variant.tables, np.int64)
        self.states: Array = np.zeros((games, kernel.state_size(players)), np.int64)
        initial_state = [0] * kernel.state_size(players)
        interpreted_kernel.start(initial_state, self.variant.tables, players)
        initial_state[kernel.JOKERS] = int(jokers)
        self.states[:] = initial_state
        self._drawn: Array = np.zeros((games, kernel.MAX_CARDS), np.int64)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def phases(self) -> Array:
        """The phase of each game, a constant of the kernel: ROLL, WHITE, COLOUR, OVER, TAKE or DRAW."""
        return self.states[:, kernel.PHASE]

    @property
    def over(self) -> bool:
        """Whether all games are over."""
        return bool((self.phases == kernel.OVER).all())

    def chance(self) -> None:
        """Let chance act in every game that waits for it: dice are rolled, or cards are dealt."""
        _let_chance_act_compiled(self.states, self.tables, self.seed, self.first, self._drawn)

    def options(self, player: int | None = None) -> tuple[Array, Array]:
        """Return for every game the action codes of a player's options (default: the active player) and their number.

        In games where the player is not to act, the number is 0.
        """
        if player is not None and not 0 <= player < self.players:
            raise ValueError(f"there is no player {player}: players are numbered from 0 to {self.players - 1}")
        actions, counts = np.zeros((len(self), kernel.MAX_OPTIONS), np.int64), np.zeros(len(self), np.int64)
        _list_options_compiled(self.states, self.tables, -1 if player is None else player, actions, counts)
        return actions, counts

    def act(self, decisions: Array, *, checked: bool = True) -> None:
        """Carry out the decisions of all players who are to act: `decisions[game, player]` is an action code.

        Other decisions are ignored. `checked=False` is faster, but then illegal actions have undefined results.
        """
        if not np.issubdtype(decisions.dtype, np.integer):
            raise ValueError(f"decisions are whole numbers, not {decisions.dtype}")
        if decisions.shape != (len(self), self.players):
            raise ValueError(f"decisions are {len(self)} x {self.players}, not {' x '.join(map(str, decisions.shape))}")
        decisions = np.ascontiguousarray(decisions, np.int64)
        if checked:
            illegal = int(_first_illegal_compiled(self.states, self.tables, decisions))
            if illegal >= 0:
                game, player = divmod(illegal, self.players)
                text = f"action {decisions[game, player]} is not an option"
                raise ValueError(f"game {self.first + game}, player {player}: {text}")
        _act_compiled(self.states, self.tables, decisions)

    @property
    def totals(self) -> Array:
        """The points of every player in every game so far."""
        totals = np.zeros((len(self), self.players), np.int64)
        _write_totals_compiled(self.states, self.tables, totals)
        return totals
