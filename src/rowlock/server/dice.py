"""The server's dice: from the operating system's randomness, never from a seed."""

import secrets

from rowlock.rules.game import Game
from rowlock.rules.variant import ROW_NAMES


def throw(game: Game) -> str:
    """A roll of the dice that are still in the game, in notation."""
    white, *coloured = game.variant.dice
    whites = [str(1 + secrets.randbelow(white)) for _ in range(2)]
    rest = [
        "." if name in game.closed else str(1 + secrets.randbelow(faces))
        for name, faces in zip(ROW_NAMES, coloured, strict=True)
    ]
    return "".join(whites) + "-" + "".join(rest)
