"""What the Makefile promises."""

import subprocess
from pathlib import Path


def test_every_part_of_the_soak_ends_within_an_hour() -> None:
    command = ["make", "--no-print-directory", "--dry-run", "soak"]
    printed = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True).stdout
    runs = [line for line in printed.splitlines() if "-m pytest" in line]
    assert len(runs) == 5
    assert [line for line in runs if "timeout --foreground --signal=INT --kill-after=60 60m " not in line] == []
