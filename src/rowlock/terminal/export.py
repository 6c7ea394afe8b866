"""Exports games as rows for other programs: a row per game, or per decision."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rowlock.rules import kernel
from rowlock.rules.game import Game
from rowlock.rules.notation import outcome

Row = dict[str, Any]


def game_row(game: Game, file: str, number: int) -> Row:
    """A game as `rowlock replay --json` prints it, with its file and its tags."""
    return {"file": file, "number": number, **outcome(game), "variant": str(game.setup), "tags": dict(game.tags)}


def flat_game_row(game: Game, file: str, number: int) -> Row:
    """A game with as many columns as a game of five players has."""
    row: Row = {
        "file": file,
        "number": number,
        "variant": str(game.setup),
        "date": game.tags.get("Date", ""),
        "players": len(game.players),
        "turns": game.turns_completed,
        "over": game.over,
        "reason": game.reason or "",
        "closed": "".join(game.closed),
    }
    for seat in range(kernel.MAX_PLAYERS):
        there = seat < len(game.players)
        sheet = game.sheets[seat] if there else None
        row |= {
            f"name_{seat + 1}": game.players[seat] if there else "",
            f"points_{seat + 1}": sheet.total if sheet else "",
            f"share_{seat + 1}": game.shares[seat] if there and game.shares else "",
            f"misthrows_{seat + 1}": sheet.misthrows if sheet else "",
            f"locks_{seat + 1}": "".join(sheet.locks) if sheet else "",
        }
    return row


def decision_rows(game: Game, file: str, number: int) -> Iterator[Row]:
    """A row per decision, with what was known before it and how the game ended."""
    for moment, decisions in game.decision_points():
        for player, decision in sorted(decisions.items()):
            view = moment.view(player)
            yield {
                "file": file,
                "number": number,
                "variant": str(game.setup),
                "players": len(game.players),
                "turn": moment.turn,
                "phase": moment.phase,
                "active": moment.active,
                "player": player,
                "name": game.players[player],
                "dice": moment.dice,
                "cards": view.cards._asdict() if view.cards else None,
                "sheet": str(view.sheets[player]),
                "others": [str(sheet) for seat, sheet in enumerate(view.sheets) if seat != player],
                "scores": list(view.scores),
                "options": list(view.options),
                "actions": list(view.options.values()),
                "option": decision.option,
                "action": decision.action,
                "over": game.over,
                "final": game.scores[player],
                "share": game.shares[player] if game.shares else None,
            }


def json_lines(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def csv_lines() -> Callable[[Iterable[Row]], Iterator[str]]:
    """A function that writes rows; the first row comes after a line of headings. Lists are joined by ` | `."""
    headed = False

    def write(rows: Iterable[Row]) -> Iterator[str]:
        nonlocal headed
        for row in rows:
            out = io.StringIO()
            writer = csv.writer(out, lineterminator="\n")
            if not headed:
                writer.writerow(row)
                headed = True
            writer.writerow(map(_cell, row.values()))
            yield out.getvalue()

    return write


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " | ".join(map(str, value))
    return json.dumps(value) if isinstance(value, dict) else value
