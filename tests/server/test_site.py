"""`rowlock site`: a static web site with everything that needs no server."""

import json
import re
from pathlib import Path

import pytest

from rowlock.rules.variant import game_names, variant_ids
from rowlock.server import files, site
from rowlock.server.files import Contents
from rowlock.server.local import local_files
from rowlock.server.site import LIST, SiteError, site_files, write_site
from tests.command import run

PAGE = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <base href="/" />
    <link rel="icon" href="./icon.svg" type="image/svg+xml" />
    <title>Rowlock</title>
    <script type="module" crossorigin src="./assets/index-abc.js"></script>
    <link rel="stylesheet" crossorigin href="./assets/index-def.css">
  </head>
  <body></body>
</html>
"""
BUILT = {"index.html": PAGE.encode(), "sw.js": b"start();", "assets/index-abc.js": b"script", "icon.svg": b"icon"}
LOCAL = {"local/games.json": b"{}", "local/weights/classic.bin": b"weights"}


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The files of a small client instead of the built one."""
    content = dict(BUILT)
    monkeypatch.setattr(site, "read_built", lambda: contents(content))
    monkeypatch.setattr(site, "local_files", lambda: contents(LOCAL))
    return content


def contents(given: dict[str, bytes]) -> Contents:
    return {name: content.__bytes__ for name, content in given.items()}


def files_of(client: dict[str, bytes]) -> dict[str, bytes]:
    """The files of the site made from these files, and from LOCAL."""
    return site_files(contents({**client, **LOCAL}))


FIXED = ("new", "local", "replay", "rules", "learn", "settings", "history", "statistics", "challenge")


def base_of(page: bytes) -> str:
    [base] = re.findall(r'<base href="([^"]*)" />', page.decode())
    return str(base)


def test_pages_have_a_preview_and_with_an_address_a_picture() -> None:
    page = files_of(BUILT)["rules/index.html"].decode()
    assert '<meta property="og:title" content="Rowlock" />' in page
    assert "og:image" not in page  # it needs a whole address
    page = site_files(contents(BUILT), "https://example.org/games/")["index.html"].decode()
    assert '<meta property="og:image" content="https://example.org/games/link-preview.png" />' in page


def test_every_fixed_page_is_a_file_whose_base_is_the_site() -> None:
    found = files_of(BUILT)
    bases = {name: base_of(page) for name, page in found.items() if name.endswith("index.html")}
    assert bases == {
        "index.html": "./",
        **{f"{page}/index.html": "../" for page in FIXED},
        **{f"rules/{game}/index.html": "../../" for game in game_names()},
        **{f"learn/{game}/index.html": "../../" for game in variant_ids()},
    }


def test_pages_say_that_there_is_no_server() -> None:
    page = files_of(BUILT)["index.html"].decode()
    assert '<meta name="rowlock-server" content="none" />' in page
    assert '<meta name="referrer" content="no-referrer" />' in page


def test_pages_set_a_content_security_policy() -> None:
    """A page cannot say who may put it into a frame; browsers would report that as an error."""
    page = files_of(BUILT)["rules/classic/index.html"].decode()
    [policy] = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)" />', page)
    assert policy.startswith("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; ")
    assert "frame-ancestors" not in policy
    assert page.index(policy) < page.index("<base") < page.index("<link") < page.index("<script")


def test_the_page_for_unknown_addresses_needs_no_other_file() -> None:
    """A host shows it at any address, where relative addresses lead anywhere."""
    page = files_of(BUILT)["404.html"].decode()
    assert "This page does not exist." in page
    assert re.findall("<base|<link|<script|src=|href=", page) == []


def test_the_service_worker_lists_the_files_of_the_site() -> None:
    found = files_of(BUILT)
    listed = json.loads(found["sw.js"].partition(b"\n")[0].removeprefix(b"self.clientFiles = ").removesuffix(b";"))
    assert listed == {
        "precached": {
            ".": files.content_hash(found["index.html"]),
            "assets/index-abc.js": None,
            "icon.svg": files.content_hash(b"icon"),
            "local/games.json": files.content_hash(b"{}"),
        },
        "kept": ["local/weights/classic.bin"],
    }


def test_all_games_can_be_played_without_a_server() -> None:
    found = local_files()
    assert {"local/rowlock.wasm", "local/games.json", *(f"local/{name}.json" for name in variant_ids())} <= found.keys()


def test_a_client_that_is_not_built_is_an_error() -> None:
    with pytest.raises(SiteError, match="not built"):
        files_of({})


def written(directory: Path) -> dict[str, bytes]:
    found = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}


def test_the_site_is_written(tmp_path: Path, built: dict[str, bytes]) -> None:
    directory = tmp_path / "new" / "site"
    done = run("site", directory)
    expected = files_of(built)
    assert (done.returncode, done.stderr) == (0, "")
    size = sum(map(len, expected.values())) / 1e6
    assert done.stdout == f"{directory}: a site of {len(expected)} files, {size:.1f} MB\n"
    found = written(directory)
    assert found.pop(LIST).decode().splitlines() == sorted(expected)
    assert found == expected


def test_an_earlier_site_is_replaced(tmp_path: Path, built: dict[str, bytes]) -> None:
    """What it had and the new one has not is removed; other files stay."""
    write_site(tmp_path)
    (tmp_path / "CNAME").write_text("games.test")
    del built["assets/index-abc.js"]
    built["assets/index-new.js"] = b"newer script"
    write_site(tmp_path)
    found = written(tmp_path)
    assert found["CNAME"] == b"games.test"
    assert found["assets/index-new.js"] == b"newer script"
    assert "assets/index-abc.js" not in found
    assert {*found} - {"CNAME", LIST} == {*files_of(built)}


def test_a_site_that_was_written_in_part_is_replaced(
    tmp_path: Path, built: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space")

    with monkeypatch.context() as failing:
        failing.setattr(Path, "write_bytes", fail)
        with pytest.raises(OSError, match="no space"):
            write_site(tmp_path)
    write_site(tmp_path)
    assert {*written(tmp_path)} - {LIST} == {*files_of(built)}


def test_other_directories_are_refused(tmp_path: Path, built: dict[str, bytes]) -> None:
    (tmp_path / "letter.txt").write_text("Dear Anna")
    done = run("site", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"rowlock: {tmp_path} is not empty and has no site of Rowlock; name a new or an empty directory\n"
    )
    assert [*written(tmp_path)] == ["letter.txt"]


def test_a_file_is_no_directory(tmp_path: Path, built: dict[str, bytes]) -> None:
    (tmp_path / "letter.txt").write_text("Dear Anna")
    done = run("site", tmp_path / "letter.txt")
    assert (done.returncode, done.stderr) == (2, f"rowlock: {tmp_path / 'letter.txt'}: Not a directory\n")


def test_only_files_of_the_site_are_removed(tmp_path: Path, built: dict[str, bytes]) -> None:
    """Whatever a list says that somebody has changed."""
    directory, letter = tmp_path / "site", tmp_path / "letter.txt"
    letter.write_text("Dear Anna")
    write_site(directory)
    (directory / LIST).write_text(f"../letter.txt\n{letter}\n\n")
    write_site(directory)
    assert letter.exists()
