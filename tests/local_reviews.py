"""Reviews and hints by Python, for a comparison with those in the browser: python -m tests.local_reviews FOLDER

For each game, the folder gets the weights and a file with the variant, the record, the review at each depth, and the
hints for a player who is to act.
"""

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from rowlock import Game
from rowlock.analysis.hint import consequences_of
from rowlock.analysis.review import review
from rowlock.analysis.values import NetworkValues
from rowlock.networks.weights import mode_of, read_weights, weights_path
from rowlock.rules.variant import find_setup
from rowlock.server.local import local_variant


class Reviewed(NamedTuple):
    """A game of random decisions that is reviewed: how many turns are played, and how its values are made."""

    variant: str
    players: int
    turns: int
    depths: Sequence[str] = ("network", "round")


FEW = (Reviewed("classic", 2, 100), Reviewed("cards+jokers", 3, 1))
MORE = (
    *FEW,
    Reviewed("classic", 1, 100),
    Reviewed("longo", 3, 4),
    Reviewed("bonus-b", 5, 1),
    Reviewed("connected-a", 2, 8),
    Reviewed("x-change", 4, 2),
    Reviewed("double-a", 2, 100, ["network"]),
    Reviewed("cards-mixx-a", 3, 30, ["network"]),
)


def random_game(variant: str, players: int, turns: int) -> Game:
    """So many turns with random decisions; then all but one player have decided, unless the game is over."""
    rng = random.Random(f"{variant} {players}")
    game = Game(variant, players, seed=players)
    while not game.over and game.turn <= turns:
        if game.to_act:
            seat = game.to_act[0]
            game.play(seat, rng.choice(list(game.seen_actions(seat))))
        else:
            game.chance()
    if not game.over:
        game.chance()
    return game


def reviewed(case: Reviewed) -> dict[str, Any]:
    game = random_game(case.variant, case.players, case.turns)
    reviews = [review(game, depth, values=NetworkValues(game, depth)).as_json() for depth in case.depths]
    found = []
    for seat in game.to_act[:1]:
        values = NetworkValues(game, "round").of_options(game, seat)
        # A hint has one of the options that take cards with the same numbers, `?4` and `?4'`.
        distinct = {one.option.replace("'", ""): one for one in reversed(values)}.values()
        hints = [{**one._asdict(), "consequences": consequences_of(game, seat, one.action)} for one in distinct]
        found = [{"player": seat, "hints": hints}]
    return {"variant": local_variant(game.variant, None), "record": game.record(), "reviews": reviews, "hints": found}


def write_reviews(folder: Path, cases: Sequence[Reviewed]) -> None:
    for number, case in enumerate(cases):
        weights = read_weights(weights_path("champion", find_setup(case.variant).variant))
        (folder / f"{number}.bin").write_bytes(weights[mode_of(case.players)].astype(np.float16).tobytes())
        (folder / f"{number}.json").write_text(json.dumps(msgspec.to_builtins(reviewed(case))))


if __name__ == "__main__":
    write_reviews(Path(sys.argv[1]), MORE)
