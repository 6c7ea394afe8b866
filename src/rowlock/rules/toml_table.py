"""Reading a variant's file: tables whose fields are checked one by one, and errors that name the field."""

from collections.abc import Callable, Iterable
from typing import Any

from rowlock.rules.error_text import quote

ROW_NAMES = "RYGB"


class VariantError(ValueError):
    """An unknown variant, or a file that does not describe one."""


class TomlTable:
    """A table of the file: `take` returns a field that passes a check, `end` rejects fields that were not taken."""

    def __init__(self, data: object, path: str, file: str) -> None:
        self.path, self.file = path, file
        if not isinstance(data, dict):
            raise VariantError(f"{file}: {path or 'the file'} must be a table")
        self.untaken: dict[str, Any] = dict(data)

    def name(self, key: str) -> str:
        return f"{self.path}.{quote(key)}" if self.path else quote(key)

    def error(self, key: str, allowed: str) -> VariantError:
        return VariantError(f"{self.file}: {self.name(key)} must be {allowed}")

    def take(self, key: str, allowed: str, is_valid: Callable[[Any], bool], default: Any = None) -> Any:
        value = self.untaken.pop(key, default)
        if value is None:
            raise VariantError(f"{self.file}: {self.name(key)} is missing; it must be {allowed}")
        if not is_valid(value):
            raise self.error(key, f"{allowed}, not {_quote_value(value)}")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value: int = self.take(key, f"a whole number from {low} to {high}", integer(low, high), default)
        return value

    def table(self, key: str) -> "TomlTable":
        return TomlTable(self.take(key, "a table", lambda _: True), self.name(key), self.file)

    def tables(self, key: str) -> list["TomlTable"]:
        items = self.take(key, "an array of tables", lambda value: isinstance(value, list), [])
        return [TomlTable(item, f"{self.name(key)}[{i + 1}]", self.file) for i, item in enumerate(items)]

    def has(self, key: str) -> bool:
        """Whether the field is there and not empty; one that is empty counts as taken."""
        if self.untaken.get(key) in ([], {}):
            del self.untaken[key]
        return key in self.untaken

    def end(self, known: str) -> None:
        for key in self.untaken:
            raise VariantError(f"{self.file}: {self.name(key)} is not known here; there are {known}")


def _quote_value(value: object) -> str:
    try:
        return quote(repr(value))
    except (ValueError, RecursionError):  # an integer with thousands of digits, tables in tables in tables
        return "one that is too long"


# Checks of values


def integer(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def distinct(is_valid: Callable[[Any], bool], shortest: int, longest: int) -> Callable[[Any], bool]:
    """A check for a list of `shortest` to `longest` distinct values that are all valid."""
    return lambda value: (
        isinstance(value, list)
        and shortest <= len(value) <= longest
        and all(map(is_valid, value))
        and not any(item in value[:i] for i, item in enumerate(value))
    )


def one_of(names: Iterable[str]) -> Callable[[Any], bool]:
    allowed = set(names)
    return lambda value: isinstance(value, str) and value in allowed


def are_row_names(value: object, shortest: int, longest: int) -> bool:
    return isinstance(value, str) and set(value) <= set(ROW_NAMES) and shortest <= len(value) <= longest


def is_text(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= 200
