"""The exact value of every option in a solo game: the expected final score."""

from typing import TYPE_CHECKING

from rowlock.rules.game import Game
from rowlock.solver.space import NotSolvable, Space

if TYPE_CHECKING:
    from rowlock.solver.solve import Solution  # importing it compiles the solver


def space_of(game: Game) -> Space:
    """The state space of a solo game."""
    if len(game.players) != 1:
        raise NotSolvable(f"exact values are for solo games, but this game has {len(game.players)} players")
    return Space(game.variant, game.lucky[0] if game.lucky else None, game.sheet_letters)


def expected_score(game: Game, solution: "Solution") -> float:
    """The expected final score of a solo game with perfect play from now on."""
    if game.over:
        return game.scores[0]
    if game.phase == "roll":
        return game.scores[0] + solution.value(game.sheets[0].ints)
    return max(value for _, value in option_values(game, solution))


def option_values(game: Game, solution: "Solution") -> list[tuple[str, float]]:
    """The options of a solo game, each with the expected final score after it, the best one first."""
    values = []
    for option in game.options(0):
        after = game.copy()
        after.play(0, option)
        values.append((option, expected_score(after, solution)))
    return sorted(values, key=lambda pair: (-pair[1], pair[0]))
