"""Where the values of a review or a hint come from: the champion's network with roll-outs, or an exact solution."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from rowlock.bots import BotError, data_of
from rowlock.bots.champion import Champion
from rowlock.networks import option_values, playout
from rowlock.rules.game import Decision, Game
from rowlock.solver.solution_file import is_solved
from rowlock.solver.space import NotSolvable, Space

DEPTHS = {"network": playout.NETWORK, "round": playout.ROUND, "game": playout.GAME}
DECIMALS = 6  # of all values, so that their sums are exact to the last digit
QUICKLY_SOLVED = 300_000  # so many states are solved in a few seconds


class NoValues(ValueError):
    """There are no values for a game: the champion has no weights for its variant."""


class OptionValue(NamedTuple):
    """An option of a player, and its value: the player's share of the win after it, or the points of a solo game."""

    option: str
    action: int
    value: float
    error: float  # the standard error of the difference to the best option; 0 if it is exact or was not rolled out

    def as_json(self) -> dict[str, Any]:
        return {"option": self.option, "value": self.value, "error": self.error}


class Values(ABC):
    """Values of the nodes of a game (see `networks.playout`) and of the options of a player."""

    source: str  # `network`, `round` or `game`: how far roll-outs went; `exact`

    @abstractmethod
    def of_node(self, game: Game, decisions: Mapping[int, Decision]) -> list[float]:
        """The value for each player, as a spectator sees the game after the decisions of some players."""

    @abstractmethod
    def _of_options(self, game: Game, seat: int, played: int | None) -> list[OptionValue]: ...

    def of_options(self, game: Game, seat: int, played: int | None = None) -> list[OptionValue]:
        """The options of a player from what the player knows, the best one first.

        `played` is the action to judge, which comes before others with the same value.
        """
        found = self._of_options(game, seat, played)
        return sorted(found, key=lambda one: (-one.value, one.action != played, one.option))


class NetworkValues(Values):
    """Values by the champion's network and roll-outs of the champion."""

    def __init__(self, game: Game, depth: str = "round") -> None:
        try:
            if missing := Champion().needs(game.variant, len(game.players)):
                raise NoValues(missing)
            _, self._weights = data_of(Champion, game.variant, len(game.players))
        except BotError as error:
            raise NoValues(str(error)) from None
        self.source, self._depth = depth, DEPTHS[depth]

    def of_node(self, game: Game, decisions: Mapping[int, Decision]) -> list[float]:
        from rowlock.networks.values import node_value  # the import compiles it

        if game.phase == "play" and decisions:  # a spectator knows these cards from now on
            game, decisions = _after(game, decisions), {}
        actions = {player: decision.action for player, decision in decisions.items()}
        values = node_value(game.variant, game.view().state, actions, self._weights, self._depth, 0)
        return [round(value, DECIMALS) for value in values]

    def _of_options(self, game: Game, seat: int, played: int | None) -> list[OptionValue]:
        from rowlock.networks.values import values_of_options

        view = game.view(seat)
        options, actions = zip(*view.options.items(), strict=True)
        index = -1 if played is None else actions.index(played)
        found = values_of_options(game.variant, view.state, seat, actions, self._weights, self._depth, game.turn, index)
        numbers = [[round(float(one), DECIMALS) for one in column] for column in (found.values, found.errors)]
        return [OptionValue(*one) for one in zip(options, actions, *numbers, strict=True)]


class ExactValues(Values):
    """The expected final scores of a solo game with perfect play."""

    source = "exact"

    def __init__(self, space: Space) -> None:
        from rowlock.solver.solution_cache import solve_cached  # the import compiles the solver

        self._solution = solve_cached(space, 1, lambda _: None)

    def of_node(self, game: Game, decisions: Mapping[int, Decision]) -> list[float]:
        from rowlock.solver.exact_values import expected_score

        return [round(expected_score(_after(game, decisions), self._solution), DECIMALS)]

    def _of_options(self, game: Game, seat: int, played: int | None) -> list[OptionValue]:
        from rowlock.solver.exact_values import option_values

        actions = game.actions(seat)
        return [
            OptionValue(option, actions[option], round(value, DECIMALS), 0.0)
            for option, value in option_values(game, self._solution)
        ]


def _after(game: Game, decisions: Mapping[int, Decision]) -> Game:
    """A copy of the game after the decisions of some players."""
    after = game.copy()
    for player, decision in decisions.items():
        after.play(player, decision.option)
    return after


def exact_space(game: Game) -> Space | None:
    """The state space of a solo game whose exact values are at hand: solved before, or solved within seconds."""
    from rowlock.solver.exact_values import space_of

    try:
        space = space_of(game)
    except NotSolvable:
        return None
    return space if is_solved(space, 1) or prod(space.sizes) <= QUICKLY_SOLVED else None


def values_for(game: Game, depth: str = "round") -> Values:
    """The best values at hand for a game."""
    space = exact_space(game) if len(game.players) == 1 and depth != "network" else None
    return ExactValues(space) if space else NetworkValues(game, depth)


def sure_loss(loss: float, error: float) -> float:
    """What a decision cost at least, as far as its standard error tells."""
    return max(0.0, round(loss - option_values.SURE * error, DECIMALS))


def grade(loss: float, error: float, players: int) -> str:
    """The word for what a decision surely cost."""
    limits = option_values.SOLO_LIMITS if players == 1 else option_values.LIMITS
    sure = sure_loss(loss, error) / option_values.STAKES[players]
    return option_values.GRADES[max(i for i, limit in enumerate(limits) if sure >= limit)]
