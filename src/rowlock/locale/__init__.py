"""Translated messages: gettext catalogues shared by the terminal, the server and the browser."""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "de", "nl")
_FOLDER = Path(__file__).parent
_language = LANGUAGES[0]


def set_language(language: str) -> None:
    """Set the language of all messages."""
    global _language
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; the languages are {', '.join(LANGUAGES)}")
    _language = language


def detect_language(environment: Mapping[str, str]) -> str:
    """The language set in the environment, in gettext's order of precedence."""
    set_to = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    wanted = [*environment.get("LANGUAGE", "").split(":"), set_to]
    return next((tag[:2] for tag in wanted if re.split("[_.@-]", tag)[0] in LANGUAGES), LANGUAGES[0])


def t(name: str, /, **values: object) -> str:
    """Translate a message and fill in its values."""
    return catalogue(_language)[name][-1].format(**values)


def n(name: str, count: int, /, **values: object) -> str:
    """Translate a message with a count, in the singular or plural."""
    forms = catalogue(_language)[name]
    return forms[0 if count == 1 else -1].format(count=count, **values)


def localized(texts: Mapping[str, str]) -> str:
    """A variant's text in the current language, or else in English or its first language."""
    return texts.get(_language) or texts.get("en") or next(iter(texts.values()))


def format_list(words: Iterable[str], last: str = "and") -> str:
    """`R, Y and G`, or with `or`."""
    *first, end = words
    return t(f"list.{last}", first=", ".join(first), last=end) if first else end


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def catalogue(language: str) -> dict[str, list[str]]:
    """The forms of every message by its id: one, or singular and plural."""
    text = (_FOLDER / language / "LC_MESSAGES" / "rowlock.po").read_text(encoding="utf-8")
    messages = {}
    for block in text.split("\n\n"):
        entry: dict[str, str] = {}
        field = ""
        for line in block.splitlines():
            start = re.fullmatch(r'(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")', line)
            if start:
                field = start[1]
                entry[field] = ast.literal_eval(start[2])
            elif line.startswith('"'):
                entry[field] += ast.literal_eval(line)
        forms = [value for field, value in entry.items() if field.startswith("msgstr")]
        if entry.get("msgid"):
            messages[entry["msgid"]] = forms
    return messages
