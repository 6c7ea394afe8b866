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


def language() -> str:
    """The language of all messages."""
    return _language


def detect_language(environment: Mapping[str, str]) -> str:
    """The first supported language of the environment, in gettext's order of precedence; English if there is none."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    languages = [re.split("[_.@-]", name)[0] for name in (*environment.get("LANGUAGE", "").split(":"), locale)]
    return next((language for language in languages if language in LANGUAGES), LANGUAGES[0])


def t(message: str, /, **values: object) -> str:
    """Translate the message with this id, in the plural if it has one, and fill in its values."""
    return catalogue(_language)[message][-1].format(**values)


def n(message: str, count: int, /, **values: object) -> str:
    """Translate the message with this id in the singular or plural, and fill in the count and other values."""
    return translate(_language, message, count=count, **values)


def translate(language: str, message: str, /, **values: object) -> str:
    """Translate a message to a given language; it is in the singular if `count` is 1."""
    return catalogue(language)[message][0 if values.get("count") == 1 else -1].format(**values)


def localized(texts: Mapping[str, str], language: str = "") -> str:
    """A variant's text in a language, by default the current one; else in English, else in its first language."""
    return texts.get(language or _language) or texts.get("en") or next(iter(texts.values()))


def format_list(words: Iterable[str], conjunction: str = "and") -> str:
    """The words as they are listed in a sentence: `R, Y and G`, or `R, Y or G` with the conjunction `or`."""
    *first, last = words
    return t(f"list.{conjunction}", first=", ".join(first), last=last) if first else last


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def catalogue(language: str) -> dict[str, list[str]]:
    """All messages of a language by id; each is a list of one form, or of the singular and the plural."""
    text = (_FOLDER / language / "LC_MESSAGES" / "rowlock.po").read_text(encoding="utf-8")
    messages = {}
    for block in text.split("\n\n"):
        entry: dict[str, str] = {}
        field = ""
        for line in block.splitlines():
            match = re.fullmatch(r'(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")', line)
            if match:
                field = match[1]
                entry[field] = ast.literal_eval(match[2])
            elif line.startswith('"'):  # the text goes on
                entry[field] += ast.literal_eval(line)
        if entry.get("msgid"):  # the file's header has an empty id
            messages[entry["msgid"]] = [value for name, value in entry.items() if name.startswith("msgstr")]
    return messages
