"""The cases of the conformance suite, and a runner for any implementation; needs nothing but Python.

`python3 conformance/suite.py rowlock replay --json` runs every case against that command.
`python3 conformance/suite.py --index` writes index.json again.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
INDEX = FOLDER / "index.json"
VARIANTS = (
    *("classic", "longo", "mixx-a", "mixx-b", "bonus-a", "bonus-b", "big-points"),
    *("connected-a", "connected-b", "x-change", "double-a"),
    *("cards", "cards-mixx-a", "cards-mixx-b"),
)
FOLDERS = (*VARIANTS, "notation")
# Answers may have more keys than expected, but not in these objects.
CLOSED_OBJECTS = ("rows", "bonus", "second", "points", "options")


@dataclass(frozen=True)
class Case:
    """A record and its expected outcome."""

    name: str

    @property
    def record(self) -> Path:
        return FOLDER / f"{self.name}.rlk"

    @cached_property
    def rule(self) -> str:
        """The rule that the case shows, as its record's first line says."""
        first = self.record.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")[0].decode().rstrip("\r")
        return first.removeprefix("; ") if first.startswith("; ") else ""

    @cached_property
    def variant(self) -> str | None:
        """The variant of the first game; None if there is no game, or no variant of that name."""
        text = self.record.read_text(encoding="utf-8", errors="replace")
        named = re.search(r'^[ \t]*\[Variant[ \t]+"([^"]*)"\]', text, re.MULTILINE)
        return named[1] if named and named[1] in VARIANTS else None

    @cached_property
    def outcomes(self) -> list[Any] | None:
        return self._expected(".json")

    @cached_property
    def each(self) -> list[Any] | None:
        return self._expected(".each.json")

    @cached_property
    def errors(self) -> list[Any] | None:
        return self._expected(".error.json")

    @property
    def kind(self) -> str:
        """`outcome`, `options` (a decision is open), `error`, or `mixed` (several games, some with an error)."""
        if self.errors is not None:
            return "error" if self.outcomes is None else "mixed"
        return "options" if any(one["options"] for one in self.outcomes or []) else "outcome"

    def _expected(self, suffix: str) -> list[Any] | None:
        """The objects of a file beside the record, one on each line; None where there is no such file."""
        path = FOLDER / f"{self.name}{suffix}"
        if not path.exists():
            return None
        return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def cases() -> list[Case]:
    """Every case, variant by variant."""
    return [Case(f"{folder}/{name}") for folder in FOLDERS for name in _names(FOLDER / folder)]


def _names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.rlk"))


def index() -> str:
    """What index.json holds: every case with its variant, rule and kind, one on each line."""
    entries = [
        json.dumps(
            {"name": case.name, "variant": case.variant, "kind": case.kind, "rule": case.rule}, ensure_ascii=False
        )
        for case in cases()
    ]
    return "[\n" + ",\n".join(entries) + "\n]\n"


# Comparing


def difference(expected: Any, found: Any, where: str = "") -> str | None:
    """The first place where an answer is not what is expected, as a text; None if there is none."""
    if isinstance(expected, dict) and isinstance(found, dict):
        closed = where.rpartition(".")[2] in CLOSED_OBJECTS
        for key in [*expected, *(key for key in found if closed and key not in expected)]:
            if key not in expected or key not in found:
                return f"{where}.{key} is {'missing' if key in expected else 'not expected'}"
            if found_difference := difference(expected[key], found[key], f"{where}.{key}"):
                return found_difference
        return None
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, (one, other) in enumerate(zip(expected, found, strict=True)):
            if found_difference := difference(one, other, f"{where}[{i}]"):
                return found_difference
        return None
    if type(expected) is type(found) and expected == found:
        return None
    here, there = (json.dumps(one, ensure_ascii=False) for one in (found, expected))
    return f"{where or 'the answer'} is {here}, not {there}"


def error_difference(expected: dict[str, Any], line: str, file: str) -> str | None:
    """How a line on standard error differs; only its beginning is compared, not the text and the code of the error."""
    where = f"{file}:{expected['line']}: "
    if expected["turn"] is not None:
        where += f"turn {expected['turn']}"
        if "player" in expected:
            where += f", {expected['player']}: " if expected["player"] is not None else ": "
    return None if line.startswith(where) else f"{line!r} should begin with {where!r}"


# Running


def answer(command: Sequence[str], case: Case) -> Iterable[str]:
    """The problems of a command's answers to a case; empty if all are right."""
    run = _run(command, case)
    yield from _compare(case.outcomes or [], run.stdout)
    if case.each is not None:
        yield from _compare(case.each, _run([*command, "--each"], case).stdout)
    lines, errors = run.stderr.splitlines(), case.errors or []
    if len(lines) != len(errors):
        yield f"{len(lines)} errors are reported, not {len(errors)}: {lines}"
        return
    for error, line in zip(errors, lines, strict=True):
        if wrong := error_difference(error, line, str(case.record)):
            yield wrong
    if run.returncode != bool(errors):
        yield f"the exit status is {run.returncode}, not {int(bool(errors))}"


def _run(command: Sequence[str], case: Case) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, str(case.record)], capture_output=True, encoding="utf-8", check=False)


def _compare(expected: list[Any], output: str) -> Iterable[str]:
    try:
        found = [json.loads(line) for line in output.split("\n") if line]
    except ValueError as error:
        yield f"the output is not JSON: {error}"
        return
    if found_difference := difference(expected, found):
        yield found_difference


def main(arguments: Sequence[str]) -> int:
    if arguments == ["--index"]:
        INDEX.write_text(index(), encoding="utf-8", newline="\n")
        return 0
    if not arguments:
        sys.stderr.write(__doc__ or "")
        return 2
    wrong = 0
    for case in cases():
        problems = list(answer(arguments, case))
        wrong += bool(problems)
        for text in problems:
            sys.stdout.write(f"{case.name}: {text}\n    {case.rule}\n")
    sys.stdout.write(f"{len(cases())} cases, {wrong} differ\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
