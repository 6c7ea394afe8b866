"""Many games as NumPy arrays. In compiled functions `tables_` is an array, and `tables` is a pointer to it."""

from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rowlock.fast.compiled import compiled
from rowlock.fast.fields import fields_of
from rowlock.fast.pointer import keep_alive, pointer, slice_pointer
from rowlock.fast.results import Array
from rowlock.fast.rules import chance as chance_rules
from rowlock.fast.rules import kernel, observation
from rowlock.rules import kernel as interpreted_kernel
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.game import Game
from rowlock.rules.spaces import Spaces
from rowlock.rules.variant import Setup, Variant

WAIT = -1  # as a choice: the game waits

_Item = TypeVar("_Item", bound=np.generic)
Observations = NDArray[np.int16]
Masks = NDArray[np.bool_]


def _let_chance_act(states: Array, tables_: Array, seed: int, numbers: Array, drawn: Array) -> None:
    """Roll or deal in every game that waits for it; `drawn` has a row per game, as `chance.act` needs it."""
    tables = pointer(tables_)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        if kernel.waits_for_chance(state):
            key, salt = chance_rules.game_key(seed, numbers[game]), chance_rules.game_salt(seed, numbers[game])
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


def _observe(states: Array, tables_: Array, index_of_: Array, observations: Any, masks: Any) -> None:
    """Write masks, and observations of the players to act; of all players once a game is over, of others zeros."""
    players, size, actions_size = observations.shape[1], observations.shape[2], masks.shape[2]
    scratch_, actions_ = np.zeros(kernel.SCRATCH_SIZE, np.int64), np.zeros(kernel.MAX_OPTIONS, np.int64)
    tables, index_of, scratch, actions = pointer(tables_), pointer(index_of_), pointer(scratch_), pointer(actions_)
    all_observations, all_masks = pointer(observations), pointer(masks)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        to_act = kernel.to_act(state)
        to_observe = to_act if state[kernel.PHASE] != kernel.OVER else (1 << players) - 1
        for player in range(players):
            line = game * players + player
            out = slice_pointer(all_observations, line * size, size)
            count = 0
            if (to_act >> player) & 1 == 1:
                count = kernel.options(state, tables, player, actions, scratch)
            mask = slice_pointer(all_masks, line * actions_size, actions_size)
            observation.write_mask(mask, actions_size, index_of, actions, count)
            if (to_observe >> player) & 1 == 1:
                observation.observe(state, tables, player, out)
            else:
                for index in range(size):
                    out[index] = 0
    keep_alive((states, tables_, index_of_, observations, masks, scratch_, actions_))


def _choose_randomly(states: Array, tables_: Array, index_of: Array, seed: int, numbers: Array, choices: Array) -> None:
    """Write a random choice for each player to act: that of the bot `random` in the same game."""
    scratch_, actions_ = np.zeros(kernel.SCRATCH_SIZE, np.int64), np.zeros(kernel.MAX_OPTIONS, np.int64)
    tables, scratch, actions = pointer(tables_), pointer(scratch_), pointer(actions_)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        to_act = kernel.to_act(state)
        key, salt = chance_rules.game_key(seed, numbers[game]), chance_rules.game_salt(seed, numbers[game])
        for player in range(choices.shape[1]):
            choices[game, player] = 0
            if (to_act >> player) & 1 == 1:
                count = kernel.options(state, tables, player, actions, scratch)
                slot = chance_rules.decision_slot(state[kernel.PHASE], player)
                word = chance_rules.random_word(key, salt, state[kernel.TURN], slot)
                choices[game, player] = index_of[actions[word * count >> 32]]
    keep_alive((states, tables_, scratch_, actions_))


def _step(states: Array, tables_: Array, codes: Array, masks: Any, choices: Array, rewards: Array) -> int:
    """Carry out choices in every game that waits for decisions, and write the points that each player gained.

    Nothing happens if a player to act has a choice that the mask forbids: return game * players + player, else -1.
    Without masks nothing is checked.
    """
    players: int = choices.shape[1]
    for game in range(masks.shape[0]):
        to_act = kernel.to_act(pointer(states[game]))
        for player in range(players):
            choice = choices[game, player]
            if (to_act >> player) & 1 == 1 and choice != WAIT:
                if choice < 0 or choice >= masks.shape[2] or masks[game, player, choice] == 0:
                    return game * players + player
    scratch_, decisions_ = np.zeros(kernel.SCRATCH_SIZE, np.int64), np.zeros(kernel.MAX_PLAYERS, np.int64)
    tables, scratch, decisions = pointer(tables_), pointer(scratch_), pointer(decisions_)
    for game in range(states.shape[0]):
        state = pointer(states[game])
        to_act = kernel.to_act(state)
        acts = to_act != 0
        for player in range(players):
            rewards[game, player] = 0
            acts = acts and ((to_act >> player) & 1 == 0 or choices[game, player] >= 0)
        if acts:
            for player in range(players):
                is_to_act = (to_act >> player) & 1 == 1
                decisions[player] = codes[choices[game, player]] if is_to_act else kernel.PASS
                rewards[game, player] = -kernel.total(state, kernel.sheet_at(player), tables)
            kernel.act(state, tables, decisions, scratch)
            for player in range(players):
                rewards[game, player] += kernel.total(state, kernel.sheet_at(player), tables)
    keep_alive((states, tables_, scratch_, decisions_))
    return -1


def _hide(states: Array, seat: int) -> None:
    """Remove the cards that are hidden from a seat in every game."""
    for game in range(states.shape[0]):
        kernel.hide(pointer(states[game]), seat)
    keep_alive((states,))


def _write_totals(states: Array, tables_: Array, totals: Array, winners: Any) -> None:
    """Write the points of every player in every game, and who has the most."""
    tables = pointer(tables_)
    for game in range(states.shape[0]):
        best = kernel.winners(pointer(states[game]), tables)
        for player in range(totals.shape[1]):
            totals[game, player] = kernel.total(pointer(states[game]), kernel.sheet_at(player), tables)
            winners[game, player] = (best >> player) & 1 == 1
    keep_alive((states, tables_))


_let_chance_act_compiled, _list_options_compiled, _observe_compiled, _choose_randomly_compiled = map(
    compiled, (_let_chance_act, _list_options, _observe, _choose_randomly)
)
_step_compiled, _hide_compiled, _write_totals_compiled = map(compiled, (_step, _hide, _write_totals))


class Batch:
    """The games of a seed from number `first` on; every method applies to all of them.

    `states` holds a row per game in the layout of `rowlock.rules.kernel` (`PHASE`, `sheet_at(player) + COUNT`, ...),
    with what is hidden from players; `observations`, `masks` and `views` hold what a player may know. `spaces` says
    what the numbers of an observation and the indices of actions mean. `numbers` are the numbers of the games.
    """

    def __init__(
        self, variant: str | Path | Variant | Setup, players: int, games: int, *, seed: int = 0, first: int = 0
    ) -> None:
        self.spaces = Spaces(variant, players)
        self.variant = self.spaces.variant
        if not 0 <= seed <= MAX_SEED:
            raise ValueError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed}")
        if first < 0 or games < 1:
            raise ValueError(f"a batch has 1 game or more, not {games}, from game 0 or later, not {first}")
        self.players, self.seed, self.first = players, seed, first
        self.tables = np.array(self.variant.tables, np.int64)
        self.numbers: Array = np.arange(first, first + games, dtype=np.int64)
        initial_state = [0] * kernel.state_size(players)
        interpreted_kernel.start(initial_state, self.variant.tables, players)
        initial_state[kernel.JOKERS] = int(self.spaces.jokers)
        self._initial_state: Array = np.array(initial_state, np.int64)
        self.states: Array = np.tile(self._initial_state, (games, 1))
        self._drawn: Array = np.zeros((games, kernel.MAX_CARDS), np.int64)
        self._codes: Array = np.array(self.spaces.actions, np.int64)
        self.index_of: Array = np.array(self.spaces.index_of, np.int64)
        self._observations: Observations = np.zeros((games, players, self.spaces.size), np.int16)
        self._masks: NDArray[np.int8] = np.zeros((games, players, len(self.spaces.actions)), np.int8)
        self._observed = False  # whether both are those of the present states
        self._fields = fields_of(self.spaces, self._observations)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def phases(self) -> Array:
        """The phase of each game, a constant of the kernel: ROLL, WHITE, COLOUR, OVER, TAKE or DRAW."""
        return self.states[:, kernel.PHASE]

    @property
    def finished(self) -> NDArray[np.bool_]:
        """Which games are over."""
        finished: NDArray[np.bool_] = self.phases == kernel.OVER
        return finished

    @property
    def over(self) -> bool:
        """Whether all games are over."""
        return bool(self.finished.all())

    # What players know and may do

    def observe(self) -> dict[str, Observations]:
        """Let chance act, write `observations` and `masks`, and return the fields of the observations by name.

        The arrays of fields are parts of `observations`: the next call overwrites them. Their first two axes are games
        and players. A player who is not to act has an observation of zeros, until the game is over.
        """
        self.chance()
        self._write()
        return self._fields.copy()

    @property
    def observations(self) -> Observations:
        """The observation of each player in each game, as `observe` wrote it: games x players x numbers."""
        return _read_only(self._observations)

    @property
    def masks(self) -> Masks:
        """The legal actions of each player in each game, as `observe` wrote them: games x players x actions."""
        return _read_only(self._masks.view(np.bool_))

    def _write(self) -> None:
        _observe_compiled(self.states, self.tables, self.index_of, self._observations, self._masks)
        self._observed = True

    def views(self, player: int) -> Array:
        """A copy of `states` as a player sees them: without hidden cards."""
        self._check_player(player)
        states = self.states.copy()
        _hide_compiled(states, player)
        return states

    def options(self, player: int | None = None) -> tuple[Array, Array]:
        """Return for every game the action codes of a player's options (default: the active player) and their number.

        In games where the player is not to act, the number is 0.
        """
        if player is not None:
            self._check_player(player)
        actions, counts = np.zeros((len(self), kernel.MAX_OPTIONS), np.int64), np.zeros(len(self), np.int64)
        _list_options_compiled(self.states, self.tables, -1 if player is None else player, actions, counts)
        return actions, counts

    def _check_player(self, player: int) -> None:
        if not 0 <= player < self.players:
            raise ValueError(f"there is no player {player}: players are numbered from 0 to {self.players - 1}")

    # Acting

    def chance(self) -> None:
        """Let chance act in every game that waits for it: dice are rolled, or cards are dealt."""
        _let_chance_act_compiled(self.states, self.tables, self.seed, self.numbers, self._drawn)
        self._observed = False

    def random_choices(self) -> Array:
        """A random legal choice of each player to act: the one of the bot `random` in this game."""
        choices = np.zeros((len(self), self.players), np.int64)
        _choose_randomly_compiled(self.states, self.tables, self.index_of, self.seed, self.numbers, choices)
        return choices

    def step(self, choices: NDArray[np.integer[Any]]) -> Array:
        """Carry out the choices of all players who are to act, and return the points that each player gained.

        `choices[game, player]` is an index into `spaces.actions`, legal by `masks`. Choices of others are ignored. A
        game in which a player to act has the choice `WAIT` (-1) stays as it is.
        """
        return self._step(self._checked(choices, "choices"), self._current_masks())

    def act(self, decisions: NDArray[np.integer[Any]], *, checked: bool = True) -> None:
        """Carry out the decisions of all players who are to act: `decisions[game, player]` is an action code.

        Other decisions are ignored. `checked=False` is faster, but then illegal actions have undefined results.
        """
        codes = self._checked(decisions, "decisions")
        known = (codes >= 0) & (codes < kernel.ACTIONS)
        choices = self.index_of[np.where(known, codes, 0)]
        choices[~known | (choices < 0)] = len(self._codes)  # an index that no mask has
        self._step(choices, self._current_masks() if checked else self._masks[:0], codes)

    def _checked(self, given: NDArray[np.integer[Any]], what: str) -> Array:
        if not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"{what} are whole numbers, not {given.dtype}")
        if given.shape != (len(self), self.players):
            raise ValueError(f"{what} are {len(self)} x {self.players}, not {' x '.join(map(str, given.shape))}")
        return np.ascontiguousarray(given, np.int64)

    def _current_masks(self) -> NDArray[np.int8]:
        if not self._observed:
            self._write()
        return self._masks

    def _step(self, choices: Array, masks: NDArray[np.int8], codes: Array | None = None) -> Array:
        gained = np.zeros((len(self), self.players), np.int64)
        illegal = int(_step_compiled(self.states, self.tables, self._codes, masks, choices, gained))
        if illegal >= 0:
            game, player = divmod(illegal, self.players)
            action = (choices if codes is None else codes)[game, player]
            raise ValueError(f"game {self.numbers[game]}, player {player}: action {action} is not an option")
        self._observed = False
        return gained

    # Beginning again

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin new games in all rows, or in those where a mask is true.

        A row then has the game whose number is higher by the number of rows: what it plays depends on no other row.
        """
        rows = slice(None) if where is None else where
        self.numbers[rows] += len(self)
        self.states[rows] = self._initial_state
        self._observed = False

    def set_position(self, game: Game, where: NDArray[np.bool_] | None = None) -> None:
        """Put the position of a game into all rows, or into those where a mask is true.

        Later dice and shuffles are those of each row. Decisions of this phase that are still secret are left out.
        """
        if game.setup != self.spaces.setup or len(game.players) != self.players:
            here, there = f"{self.spaces.setup} with {self.players}", f"{game.setup} with {len(game.players)}"
            raise ValueError(f"the batch plays {here} players, the game is {there} players")
        rows = slice(None) if where is None else where
        state, pile = game.full_state()
        self.states[rows] = state
        self._drawn[rows, : len(pile)] = pile
        self._observed = False

    # Results

    @property
    def totals(self) -> Array:
        """The points of every player in every game so far."""
        return self._results()[0]

    @property
    def winners(self) -> NDArray[np.bool_]:
        """Which players have the most points in each game so far."""
        return self._results()[1]

    def _results(self) -> tuple[Array, NDArray[np.bool_]]:
        totals = np.zeros((len(self), self.players), np.int64)
        winners = np.zeros((len(self), self.players), np.bool_)
        _write_totals_compiled(self.states, self.tables, totals, winners)
        return totals, winners


def _read_only(array: NDArray[_Item]) -> NDArray[_Item]:
    view = array[...]
    view.flags.writeable = False
    return view
