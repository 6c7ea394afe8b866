"""Exact solutions: states, time and memory of every game that can be solved, each in its own process.

CPU seconds are reported too, because on a shared machine the clock also measures other processes.

    python -m benchmarks.solve [classic ...]
"""

import json
import os
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.simulate import table
from rowlock import find_variant
from rowlock.solver.solve import SolverRun, solve
from rowlock.solver.space import Space

RESULTS = Path(__file__).parents[1] / "docs/results" / "solve.md"
# Variant, lucky numbers, sheet, players, bound in seconds on two free cores.
GAMES = (
    ("classic", None, "", 1, 15),
    *(("classic", None, "", players, 20) for players in (2, 3, 4, 5)),
    ("mixx-a", None, "", 1, 240),
    ("mixx-b", None, "", 1, 240),
    ("longo", None, "", 1, 2400),
    ("longo", (5, 8), "", 1, 2400),
    ("bonus-a", None, "", 1, 7200),
    ("x-change", None, "", 1, 1800),
    ("connected-a", None, "A", 1, 1800),
    ("connected-b", None, "A", 1, 1800),
)


def measure(variant: str, lucky: tuple[int, int] | None, sheet: str, players: int) -> dict[str, float]:
    """Solve a game, in this process."""
    SolverRun(Space(find_variant("classic"), None), 1).solve_levels(stop=lambda: True)  # loads compiled code
    clock, cpu = time.perf_counter(), time.process_time()
    solution = solve(Space(find_variant(variant), lucky, sheet), players)
    return {
        "value": solution.value(),
        "states": solution.states,
        "seconds": time.perf_counter() - clock,
        "cpu": time.process_time() - cpu,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def row(variant: str, lucky: tuple[int, int] | None, sheet: str, players: int, bound: int) -> list[str]:
    arguments = json.dumps([variant, lucky, sheet, players])
    output = subprocess.run(
        [sys.executable, "-m", "benchmarks.solve", "--one", arguments], check=True, stdout=subprocess.PIPE
    ).stdout
    one = json.loads(output)
    name = f"{variant} {lucky[0]}/{lucky[1]}" if lucky else f"{variant} {sheet}".strip()
    cells = [f"{one['value']:.4f}", f"{one['states']:,}", f"{one['seconds']:.1f}", f"{one['cpu']:.1f}", str(bound)]
    return [name, str(players), *cells, f"{one['states'] / one['seconds']:,.0f}", f"{one['memory']:,.0f}"]


def main() -> None:
    wanted = [game for game in GAMES if not sys.argv[1:] or game[0] in sys.argv[1:]]
    rows = []
    for game in wanted:
        rows.append(row(*game))
        print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    cores, load = os.cpu_count() or 1, os.getloadavg()[2]
    text = [
        "# Solving",
        "",
        f"`python -m benchmarks.solve`, {datetime.now(UTC):%Y-%m-%d}, {cores} cores, Python {sys.version.split()[0]}, "
        f"load of the machine {load:.1f}. Bounds are for two free cores. States count a value for each number of "
        "misthrows and of turns to wait; memory is the most that the process had, in MB.",
        "",
        table(["game", "players", "value", "states", "s", "CPU s", "bound s", "states/s", "MB"], rows),
    ]
    print("\n".join(text))
    if wanted == list(GAMES):
        RESULTS.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        variant, lucky, sheet, players = json.loads(sys.argv[2])
        print(json.dumps(measure(variant, tuple(lucky) if lucky else None, sheet, players)))
    else:
        main()
