"""How long `import rowlock` takes, and reading and checking 1,000 four-player records per variant, interpreted."""

import random
import subprocess
import sys
import time

from rowlock import Game, testing, variant_ids
from rowlock.rules import notation

GAMES = 1_000


def import_seconds() -> float:
    """The fastest of ten imports in new processes, minus the start of the interpreter."""

    def fastest(code: str) -> float:
        best = 9.0
        for _ in range(10):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            best = min(best, time.perf_counter() - begin)
        return best

    return fastest("import rowlock") - fastest("pass")


def records(variant: str) -> bytes:
    """Records of games of four players who mostly mark as far left as possible."""
    text = []
    for number in range(GAMES):
        game, rng = Game(variant, 4, seed=1, number=number), random.Random(number)
        while not game.over:
            testing.step(game, rng)
        text.append(game.record())
    return "\n".join(text).encode()


def main() -> None:
    print(f"import rowlock: {import_seconds() * 1000:.0f} ms (bound: 100 ms)")
    for variant in variant_ids():
        text = records(variant)
        begin = time.perf_counter()
        games = sum(1 for game in notation.read_all(text) if isinstance(game, Game))
        seconds = time.perf_counter() - begin
        assert games == GAMES
        print(f"{variant:10} {games} four-player records read and checked in {seconds:.1f} s (bound: 15 s)")


if __name__ == "__main__":
    main()
