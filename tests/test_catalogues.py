"""The catalogues: three languages, complete, and in step with the code that uses them."""

import ast
import json
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from rowlock.analysis.review import RATINGS
from rowlock.bots import bot_names
from rowlock.bots.registry import BUILT_IN
from rowlock.locale import LANGUAGES, catalogue
from rowlock.networks.option_values import GRADES
from rowlock.rules import consequences, notation
from rowlock.rules.obstacles import OBSTACLES
from rowlock.rules.variant import ROW_NAMES, find_variant, variant_ids
from rowlock.server.refusal import CODES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "rowlock"
LOCALE, TERMINAL = PACKAGE / "locale", PACKAGE / "terminal"
CLIENT = ROOT / "web" / "src"

# How a message is named in the client, 'home.play' or `error.${code}`, and in Python, "home.play" or f"error.{code}".
NAME = re.compile(r"""['"]([a-z][\w-]*(?:\.[\w-]+)+)['"]""")
FAMILY = re.compile(r"""(?:`|\bf["'])([a-z][\w-]*(?:\.[\w-]+)*[.-])\$?\{[^}]*\}[\w.-]*[`"']""")
HOLE = re.compile(r"\{(\w+)\}")

# Families of messages whose last part is a word of the game or of the protocol.
COLOURS = set(ROW_NAMES)
PAIR_BONUSES = {"fewest", "each", "double", "points", "shield"}
CLIENT_ERRORS = {"offline", "unsupported", "blocked", "link", "no-game"} | {
    "lost-seat", "seat-refused", "removed", "takeback-declined", "outdated", "no-undo", "other"
}  # fmt: skip
LOGGED = {"marks", "marks-colour", "misthrow", "plays", "plays-only", "plays-misthrow"}
PREFERENCES = {"vibration", "notify", "tapToRoll", "oneTap", "autoPass", "handover", "shortcuts"}
STATES = {"open", "selectable", "chosen", "sets-off", "pencilled", "marked", "lost", "closed"}
FAMILIES = {
    "colour.": COLOURS,
    "card.": {"selectable", "chosen", "incompatible"},
    "cell.": STATES,
    "bonus.box-": {"free", "used", "struck"},
    "fair.": {"checked", "published", "wrong", "none", "offline"},
    "log.": LOGGED,
    "log.you.": LOGGED,
    "gives.short.": PAIR_BONUSES,
    "gives.long.": PAIR_BONUSES,
    "list.": {"and", "or"},
    "print.effect-": {"lucky", "bar", "fields", "steps", "joined", "swaps", "second"},
    "terminal.chance-": {"checked", "published", "wrong", "none", "unread"},
    "terminal.action-": {"white", "colour", "take", "announced", "play"},
    "terminal.values-": {"network", "round", "game", "exact"},
    "terminal.review-": {"luck", "decisions", "loss", "event", "judged"},
    "terminal.": {"white-action", "colour-action"},
    "terminal.help-": {"white", "colour", "take", "announced", "play"},
    "terminal.open-": {"white", "colour", "roll", "deal", "take", "play"},
    "settings.theme.": {"auto", "light", "dark"},
    "preferences.": {name + part for name in PREFERENCES for part in ("", ".about")},
    "preferences.pace.": {"slow", "normal", "quick"},
    "statistics.goal.": {"levels", "games", "score", "wins", "clean", "challenge"},
    "end.column.": {"bonus", "misthrows"},
    "error.": {*CODES, *CLIENT_ERRORS},
    "record.": {*notation.CODES, "illegal", "no-dice", "none"} - {"to-act"},  # no record can show that one
    "why.": {name for name, _ in OBSTACLES},
    "consequence.": set(consequences.NAMES),
    "grade.": set(GRADES),
    "rating.": set(RATINGS),
    "bot.": {f"{bot}.{part}" for bot in BUILT_IN for part in ("name", "about")},
}


def read(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "rowlock.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def messages(language: str) -> dict[str, tuple[str, ...]]:
    """Every message with its forms."""
    found = {}
    for message in read(language):
        if message.id:
            name = message.id if isinstance(message.id, str) else message.id[0]
            found[name] = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
    return found


def used() -> set[str]:
    """Every message that the client, the terminal, printed sheets or a link preview asks for."""
    found: set[str] = set()
    places = {name.partition(".")[0] for name in messages("en")}
    folders = (TERMINAL, PACKAGE / "cli", PACKAGE / "sheets")
    surfaces = (*(path for folder in folders for path in folder.rglob("*.py")), PACKAGE / "server" / "previews.py")
    for path in (*CLIENT.rglob("*"), *surfaces, LOCALE / "__init__.py"):
        if path.suffix not in (".ts", ".svelte", ".py"):
            continue
        text = path.read_text(encoding="utf-8")
        found.update(name for name in NAME.findall(text) if name.partition(".")[0] in places)
        for family in FAMILY.findall(text):
            assert family in FAMILIES or family.partition(".")[0] not in places, f"{path.name}: {family}"
    for path in (CLIENT / "learn" / "lessons").glob("*.json"):
        steps = json.loads(path.read_text(encoding="utf-8"))["steps"]
        found.update(step[part] for step in steps for part in ("text", "hint") if part in step)
    for family, members in FAMILIES.items():
        found.update(family + member for member in members)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_what_is_asked_for_and_nothing_else(language: str) -> None:
    have = set(messages(language))
    assert (used() - have, have - used()) == (set(), set())


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_untranslated(language: str) -> None:
    assert [name for name, forms in messages(language).items() if not all(forms)] == []
    assert not any(message.fuzzy for message in read(language) if message.id)


@pytest.mark.parametrize("language", ["de", "nl"])
def test_translations_have_the_same_values_and_forms(language: str) -> None:
    english, other = messages("en"), messages(language)
    for name, forms in english.items():
        holes = set(HOLE.findall(" ".join(forms)))
        assert set(HOLE.findall(" ".join(other[name]))) == holes, name
        assert len(other[name]) == len(forms), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_package_reads_its_catalogues_as_gettext_does(language: str) -> None:
    assert {name: tuple(forms) for name, forms in catalogue(language).items()} == messages(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_compiles(language: str, tmp_path: Path) -> None:
    with (tmp_path / "rowlock.mo").open("wb") as file:
        write_mo(file, read(language))
    assert (tmp_path / "rowlock.mo").stat().st_size > 10_000


def test_every_bot_has_a_name_and_a_sentence() -> None:
    assert set(bot_names()) <= {name.split(".")[1] for name in messages("en") if name.startswith("bot.")}


def test_every_bonus_of_a_pair_has_a_message() -> None:
    bonuses = {pair.gives for name in variant_ids() for pair in find_variant(name).pairs}
    assert bonuses <= PAIR_BONUSES


def test_variants_have_texts_in_every_language() -> None:
    for name in variant_ids():
        variant = find_variant(name)
        assert set(LANGUAGES) <= set(variant.name), name
        assert set(LANGUAGES) <= set(variant.about), name


def test_the_terminal_prints_only_messages_of_the_catalogues() -> None:
    """Words come from the catalogues; spaces and signs around them do not."""
    for path in sorted(TERMINAL.glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "print_line":
                text = call.args[0]
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                said = [part.value for part in parts if isinstance(part, ast.Constant)]
                assert not re.search("[A-Za-z]", "".join(map(str, said))), f"{path.name}:{call.lineno}: {said}"


def test_there_is_no_text_in_the_client_itself() -> None:
    """Words between tags or in labels belong into the catalogues; the name of the game and signs do not."""
    allowed = {"Rowlock", "−", "–", "×", "● ", "·"}
    for path in sorted(CLIENT.rglob("*.svelte")):
        markup = re.sub(r"<(script|style)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        markup = re.sub(r"<!--.*?-->", "", markup, flags=re.DOTALL)
        while (bare := re.sub(r"\{[^{}]*\}", "", markup)) != markup:
            markup = bare
        for attribute in re.findall(r'(?:aria-label|placeholder|title|alt)="([^"]*)"', markup):
            assert not attribute.strip(), f"{path.name}: {attribute}"
        for text in re.findall(r">([^<>]*)<", re.sub(r"=>", "", markup)):
            words = text.strip()
            assert not re.search(r"[A-Za-z]{2,}", words) or words in allowed, f"{path.name}: {words!r}"
