"""The messages of the line protocol, by which a program in any language plays (docs/reference/line-protocol.md)."""

import json
from typing import Any

from rowlock.rules.game import View
from rowlock.rules.notation import sheet_object
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import Variant

VERSION = 1


def line(word: str, value: object) -> str:
    """A message: a word and a JSON value."""
    return f"{word} {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n"


def new_game(view: View) -> dict[str, Any]:
    """What stays the same during a game."""
    return {
        "variant": _variant(view.variant),
        "jokers": view.jokers,
        "players": list(view.players),
        "seat": view.seat,
    }


def _variant(variant: Variant) -> dict[str, Any]:
    return {
        "id": variant.id,
        "dice": list(variant.dice),
        "rows": {row.name: list(row.numbers) for row in variant.rows},
        "colours": {row.name: row.colours for row in variant.rows},
        "closing": variant.closing,
        "needed": {row.name: variant.needed_in(r) for r, row in enumerate(variant.rows)},
        "points": [variant.row_points(marks) for marks in range(variant.cap + 1)],
        "misthrow_cost": variant.misthrow_cost,
        "misthrows_to_end": variant.misthrows_to_end,
        "rows_to_end": variant.rows_to_end,
        "effects": sorted(variant.effects),
    }


def position(view: View, word: int, seconds: float) -> dict[str, Any]:
    """What the seat may know before a decision; `word` is 32 random bits, `seconds` the time limit."""
    return {
        "turn": view.turn,
        "phase": view.phase,
        "active": view.active,
        "dice": view.dice,
        "closed": list(view.closed),
        "scores": list(view.scores),
        "sheets": [sheet(one) for one in view.sheets],
        "cards": view.cards._asdict() if view.cards else None,
        "random": word,
        "seconds": seconds,
    }


def sheet(sheet: Sheet) -> dict[str, Any]:
    """A sheet as `rowlock replay --json` prints it, and the state of every cell."""
    return {
        **sheet_object(sheet),
        "cells": sheet.cells,
        "to_lock": sheet.to_lock,
        "lucky": sheet.lucky,
        "notation": str(sheet),
    }
