"""A static web site: the client with everything that needs no server, for any web host and any folder of it."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path, PurePosixPath

from rowlock.locale import LANGUAGES, translate
from rowlock.rules.variant import game_names, variant_ids
from rowlock.server.files import BASE, PAGE, SERVICE_WORKER, Contents, list_files, read_built
from rowlock.server.local import local_files
from rowlock.server.previews import site_preview, with_preview
from rowlock.server.security import CONTENT_SECURITY_POLICY

# The names of all files of the site, one per line: what an earlier site has left can be removed.
LIST = ".rowlock-site"
NOT_FOUND = "404.html"
# Web hosts find a page by its folder. Pages of games on the device have their game in the query.
PAGES = ("new", "local", "replay", "rules", "learn", "settings", "history", "statistics", "challenge")


class SiteError(Exception):
    """The site cannot be written; the text is one line."""


def write_site(directory: Path, url: str | None = None) -> dict[str, int]:
    """Write the site to a directory that is new, empty or has an earlier site; return the sizes of its files.

    `url` is the site's address: previews of links to it have a picture, which needs a whole address.
    """
    files = site_files({**read_built(), **local_files()}, url)
    before = _earlier_files(directory)
    directory.mkdir(parents=True, exist_ok=True)
    _write_list(directory, {*before, *files})  # if this is interrupted, the next time removes the rest
    for name in sorted(files, key=_writing_order):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name])
    for name in before - files.keys():
        (directory / name).unlink(missing_ok=True)
    _write_list(directory, files)
    return {name: len(content) for name, content in files.items()}


def _writing_order(name: str) -> int:
    """What names other files is written after them, as the site may be in use."""
    return 2 if name == SERVICE_WORKER else 1 if name.endswith(".html") else 0


def _write_list(directory: Path, names: Iterable[str]) -> None:
    (directory / LIST).write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")


def _earlier_files(directory: Path) -> set[str]:
    """The names of the files of an earlier site in this directory."""
    if not directory.exists() or not any(directory.iterdir()):
        return set()
    if not (directory / LIST).is_file():
        raise SiteError(f"{directory} is not empty and has no site of Rowlock; name a new or an empty directory")
    names = (directory / LIST).read_text(encoding="utf-8").splitlines()
    return {name for name in names if name and not PurePosixPath(name).is_absolute() and ".." not in name.split("/")}


def site_files(client: Contents, url: str | None = None) -> dict[str, bytes]:
    """The files of the site by name, made from those of the client."""
    if PAGE not in client:
        raise SiteError("the browser client is not built (make install builds it)")
    page = with_preview(_without_server(client[PAGE]().decode()), site_preview(), url)
    listed = list_files({**client, PAGE: _page_at("", page).__bytes__})
    files = {name: make_content() for name, make_content in listed.items()}
    for path in (*PAGES, *(f"rules/{name}" for name in game_names()), *(f"learn/{name}" for name in variant_ids())):
        files[f"{path}/{PAGE}"] = _page_at(path, page)
    files[NOT_FOUND] = _not_found(page)
    return files


def _without_server(page: str) -> str:
    """The page marked as one without a server, with what a server's headers would say, as far as a page can."""
    policy = "; ".join(one for one in CONTENT_SECURITY_POLICY.split("; ") if not one.startswith("frame-ancestors"))
    if BASE not in page:
        raise SiteError(f"the page of the client has no {BASE}")
    return page.replace(
        BASE,
        f"""<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="rowlock-server" content="none" />
    {BASE}""",
    )


def _page_at(path: str, page: str) -> bytes:
    """The page for a folder of the site; its base is the site."""
    depth = len(PurePosixPath(path).parts)
    return page.replace(BASE, f'<base href="{"../" * depth or "./"}" />').encode()


def _not_found(page: str) -> bytes:
    """A page of its own: web hosts show it at any address, from which it cannot know where the site is."""
    head = re.sub(r"\n *<(base|link|script)[^>]*>(</script>)?", "", page).partition("<body>")[0]
    lines = (f"    <p>{escape(translate(language, 'not-found.text'))}</p>\n" for language in LANGUAGES)
    return f"{head}<body>\n{''.join(lines)}  </body>\n</html>\n".encode()
