"""Decisions of the compiled champion, for a comparison with `rowlock.wasm`: python -m tests.local_decisions FOLDER

For each game, the folder gets the kernel's tables, the weights, and a line per decision: the state, the cards of the
pile are not part of it, the seat, and the index of the action that the compiled champion chooses.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np

from rowlock import Game
from rowlock.bots.bot import compiled_form, data_of
from rowlock.bots.champion import Champion
from rowlock.fast.decision import choose
from rowlock.networks.weights import mode_of, read_weights, weights_path
from rowlock.rules.variant import find_variant, variant_ids


def write_decisions(folder: Path, variant_id: str, count: int) -> None:
    """Write decisions of the champion in games in which every fourth one is random."""
    variant, rng, form = find_variant(variant_id), random.Random(variant_id), compiled_form(Champion())
    lines: dict[str, list[str]] = {"solo": [], "several": []}
    number = 0
    while sum(map(len, lines.values())) < count:
        players = 1 + number % 5
        game = Game(variant, players, seed=number, jokers=bool(variant.cards) and number % 2 == 1)
        data = data_of(Champion, variant, players)
        number += 1
        while not game.over:
            if not game.to_act:
                game.chance()
                continue
            seat = game.to_act[0]
            view = game.view(seat)
            actions = list(view.options.values())
            index = choose(form, data, view, actions, 0)
            if len(actions) > 1:
                lines[mode_of(players)].append(json.dumps([list(map(str, view.state)), seat, index]))
            chosen = rng.randrange(len(actions)) if rng.random() < 0.25 else index
            game.play(seat, list(view.options)[chosen])
    weights = read_weights(weights_path("champion", variant))
    for mode, decisions in lines.items():
        (folder / f"{variant_id}-{mode}.bin").write_bytes(weights[mode].astype(np.float16).tobytes())
        text = "\n".join([json.dumps(variant.tables), *decisions[:count]])
        (folder / f"{variant_id}-{mode}.jsonl").write_text(text + "\n")


if __name__ == "__main__":
    for name in variant_ids():
        write_decisions(Path(sys.argv[1]), name, int(sys.argv[2]) if len(sys.argv) > 2 else 500)
