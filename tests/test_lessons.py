"""The lessons of the browser client: every game has one, and each can be walked through to its end."""

import json
from pathlib import Path
from typing import Any

import pytest

from rowlock import parse
from rowlock.rules.variant import variant_ids
from rowlock.server.local import local_files
from rowlock.wasm import MODULE
from tests.test_wasm import WEB, node

FOLDER = WEB / "src" / "learn" / "lessons"
FIRST = "classic"


def lesson(variant: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{variant}.json").read_text(encoding="utf-8"))
    return found


def test_every_game_has_a_lesson() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(variant_ids())


@pytest.mark.parametrize("variant", variant_ids())
def test_the_records_of_a_lesson(variant: str) -> None:
    """Every position is reached by a record, and the learner decides there; the first game has some turns more."""
    data = lesson(variant)
    steps = data["steps"]
    assert data["variant"] == variant
    turns = sum("record" in step or "roll" in step for step in steps)
    assert 5 <= turns <= 8 if variant == FIRST else 2 <= len(steps) <= 5
    tags = {"Variant": variant, "Players": "You; random", **data.get("tags", {})}
    head = [f'[{name} "{value}"]' for name, value in tags.items()]
    for step in steps:
        if "record" in step:
            assert 0 in parse("\n".join([*head, "", *step["record"], ""])).to_act
    assert "record" in steps[0]


def test_all_ways_through_the_lessons(tmp_path: Path) -> None:
    """In `rowlock.wasm`: every choice that moves on is legal, and so are the decisions of the other player."""
    for name, content in local_files().items():
        if name.endswith(".json"):
            (tmp_path / Path(name).name).write_bytes(content())
    files = sorted(FOLDER.iterdir())
    lines = node("lessons.ts", MODULE, tmp_path, *files)
    assert lines == [line for line in lines if line.endswith(" ways")]
    assert [line.partition(":")[0] for line in lines] == [file.stem for file in files]
