"""Golden playthroughs: one game per variant, event by event. `make golden` writes them again; read the diff."""

import random
from pathlib import Path

from rowlock import Game, testing, variant_ids

FOLDER = Path(__file__).with_name("golden")


def playthrough(variant: str) -> str:
    """A seeded game of three players as text: the options, the decisions, and the sheets after each."""
    game = Game(variant, ["Anna", "Ben", "Chloe"], seed=4)
    rng = random.Random(4)
    lines = [f"# {variant}: a playthrough"]
    while not game.over:
        if not game.to_act:
            drawn = game.chance()
            verb = "deals" if game.variant.cards else "rolls"
            lines += ["", f"turn {game.turn}, {game.players[game.active]} {verb} {drawn}".rstrip()]
            continue
        phase, closed, active = game.phase, game.closed, game.active
        options = {player: game.options(player) for player in game.to_act}
        while game.to_act and game.phase == phase:
            testing.step(game, rng)
        turn = game.turns[-1]
        own = {"colour": "colour", "take": "taken", "play": "played"}
        decided = dict(enumerate(turn.white or ())) if phase == "white" else {active: getattr(turn, own[phase])}
        for player, choices in options.items():
            chosen = " ".join(f"[{one}]" if one == decided[player] else one for one in choices)
            lines.append(f"  {phase:6} {game.players[player]:5} {chosen}")
        for name, sheet in zip(game.players, game.sheets, strict=True):
            lines.append(f"    {name:5} {sheet}  = {sheet.total}")
        if game.closed != closed:
            lines.append(f"    closed: {' '.join(game.closed)}")
    lines += ["", f"over: {game.reason}, points {' '.join(map(str, game.scores))}", "", game.record()]
    return "\n".join(lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for variant in variant_ids():
        (FOLDER / f"{variant}.txt").write_text(playthrough(variant), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
