"""A web host for static sites: Python's http.server, with the sites in folders."""

from collections.abc import Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

FOLDER = "games/rowlock"


class _Handler(SimpleHTTPRequestHandler):
    """Remembers which paths were asked for, and logs nothing."""

    def send_head(self) -> Any:
        assert isinstance(self.server, _Server)
        self.server.paths.append(self.path)
        return super().send_head()

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    paths: list[str]


class Host:
    """A web host with a site in the folder `games/rowlock`; `paths` are those that browsers have asked for."""

    def __init__(self, root: Path) -> None:
        self.directory = root / FOLDER
        self.directory.mkdir(parents=True)
        self._server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(root)))
        self.paths = self._server.paths = []
        self.url = f"http://127.0.0.1:{self._server.server_port}/{FOLDER}"

    def __enter__(self) -> "Host":
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def next_version(built: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the client as another build would make them, with another word on a button of the home page."""
    catalogue = next(name for name in built if name.startswith("assets/en-") and "coach" not in name)
    scripts = [name for name in built if name.startswith("assets/") and name.endswith(".js")]
    files = {**built, catalogue: built[catalogue].replace(b'"Play now"', b'"Play at once"')}
    assert files[catalogue] != built[catalogue]
    renamed = {name.removeprefix("assets/"): f"next-{name.removeprefix('assets/')}" for name in (catalogue, *scripts)}
    found = {}
    for name, content in files.items():
        if name.endswith((".js", ".html")):
            for old, new in renamed.items():
                content = content.replace(old.encode(), new.encode())
        folder, slash, file = name.rpartition("/")
        found[f"{folder}{slash}{renamed.get(file, file) if folder == 'assets' else file}"] = content
    return found
