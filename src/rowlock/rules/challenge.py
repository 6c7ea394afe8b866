"""Today's challenge: a game for one whose dice follow from the date. None of this ever changes."""

from datetime import date

from rowlock.rules.game import Game

# The games in turn. A later game is never added: it would change the games of past days.
GAMES = (
    "classic",
    "mixx-a",
    "big-points",
    "connected-a",
    "bonus-a",
    "longo",
    "double-a",
    "mixx-b",
    "x-change",
    "bonus-b",
    "connected-b",
)
EPOCH = date(1970, 1, 1)


def challenge(day: date, player: str = "Player 1") -> Game:
    """The challenge of a day: a game for one player, with the dice that everybody has on this day."""
    variant = GAMES[(day - EPOCH).days % len(GAMES)]
    return Game(variant, [player], seed=int(day.strftime("%Y%m%d")))
