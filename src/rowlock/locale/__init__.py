"""The words of Rowlock in the languages it speaks: gettext catalogues, one set for all surfaces."""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "de", "nl")
_FOLDER = Path(__file__).parent
_spoken = LANGUAGES[0]


def speak(language: str) -> None:
    """Change to a language."""
    global _spoken
    if language not in LANGUAGES:
        raise ValueError(f"there is no {language!r}, the languages are {', '.join(LANGUAGES)}")
    _spoken = language


def language_of(environment: Mapping[str, str]) -> str:
    """The language that somebody's environment asks for, in the order gettext looks for it."""
    set_to = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    wanted = [*environment.get("LANGUAGE", "").split(":"), set_to]
    return next((tag[:2] for tag in wanted if re.split("[_.@-]", tag)[0] in LANGUAGES), LANGUAGES[0])


def t(name: str, /, **values: object) -> str:
    """A message with its values filled in."""
    return catalogue(_spoken)[name][-1].format(**values)


def n(name: str, count: int, /, **values: object) -> str:
    """A message about a number of things."""
    forms = catalogue(_spoken)[name]
    return forms[0 if count == 1 else -1].format(count=count, **values)


def own(texts: Mapping[str, str]) -> str:
    """A text of a variant's own file, which comes in the languages its author speaks."""
    return texts.get(_spoken) or texts.get("en") or next(iter(texts.values()))


def listed(words: Iterable[str], last: str = "and") -> str:
    """`R, Y and G`, or with `or`."""
    *first, end = words
    return t(f"list.{last}", first=", ".join(first), last=end) if first else end


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def catalogue(language: str) -> dict[str, list[str]]:
    """Every message by its name: one form, or one for a single thing and one for others."""
    text = (_FOLDER / language / "LC_MESSAGES" / "rowlock.po").read_text(encoding="utf-8")
    found = {}
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
            found[entry["msgid"]] = forms
    return found
