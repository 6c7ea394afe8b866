"""What every option of a game for one is worth: the expected final score, exactly."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowlock.rules.game import Game
from rowlock.rules.notation import read
from rowlock.rules.variant import Variant
from rowlock.solver.space import NotSolvable, Space

if TYPE_CHECKING:
    from rowlock.solver.solve import Solution  # its import compiles the solver


def read_decision(file: str, variants: Sequence[Variant] = ()) -> Game:
    """The last game of a record, which waits for a decision of its one player."""
    try:
        games = list(read(file, variants=variants))
    except OSError as error:
        raise NotSolvable(f"{file}: cannot be read: {error.strerror}") from None
    if not games:
        raise NotSolvable(f"{file}: there is no game in it")
    game = games[-1]
    space_of(game)
    if game.over:
        raise NotSolvable(f"{file}: the game is over")
    if not game.to_act:
        raise NotSolvable(f"{file}: the game waits for no decision; end its record after the dice or the white mark")
    return game


def space_of(game: Game) -> Space:
    """The space in which a game's player plays."""
    if len(game.players) != 1:
        raise NotSolvable(f"exact values are for one player, this game has {len(game.players)}")
    return Space(game.variant, game.lucky[0] if game.lucky else None)


def expected_score(game: Game, solution: "Solution") -> float:
    """The mean final score of perfect play from here on."""
    if game.over:
        return game.scores[0]
    if game.phase == "roll":
        return game.scores[0] + solution.value(game.sheets[0].ints)
    return max(value for _, value in option_values(game, solution))


def option_values(game: Game, solution: "Solution") -> list[tuple[str, float]]:
    """Every legal option with the expected final score after it, best first."""
    found = []
    for option in game.options(0):
        after = game.copy()
        after.play(0, option)
        found.append((option, expected_score(after, solution)))
    return sorted(found, key=lambda one: (-one[1], one[0]))
