"""The files of the browser client: read once, served with cache headers, compressed when they are asked for."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from rowlock.server.local import FOLDER, local_files

STATIC = Path(__file__).with_name("static")

# The file names in this folder contain a hash of the content, so browsers may cache the files for ever.
HASHED_FOLDER = "assets/"
PAGE = "index.html"
SERVICE_WORKER = "sw.js"
WEIGHTS_FOLDER = f"{FOLDER}weights/"  # kept on a device when a game needs them
TYPES = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
MIN_COMPRESSED_SIZE = 512  # bytes; smaller files gain too little
NOT_BUILT = b"The browser client is not built. Run: make install\n"


def read_built(folder: Path = STATIC) -> dict[str, bytes]:
    """The files of the client that Vite has built, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def list_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same files with their list in the service worker.

    Any change of a file changes the service worker, by which browsers find a new version.
    """
    if SERVICE_WORKER not in files:  # the client is not built
        return dict(files)
    # Icons are read by the device when the app is installed, not by the app.
    wanted = [name for name in files if name != SERVICE_WORKER and not name.endswith(".png")]
    precached = {_url(name): _revision(name, files[name]) for name in wanted if not name.startswith(WEIGHTS_FOLDER)}
    kept = {name: content_hash(files[name]) for name in wanted if name.startswith(WEIGHTS_FOLDER)}
    line = f"self.clientFiles = {json.dumps({'precached': precached, 'kept': kept})};\n"
    return {**files, SERVICE_WORKER: line.encode() + files[SERVICE_WORKER]}


def _url(name: str) -> str:
    return "." if name == PAGE else name


def _revision(name: str, content: bytes) -> str | None:
    return None if name.startswith(HASHED_FOLDER) else content_hash(content)


def content_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]


class File:
    """A file with its headers."""

    def __init__(self, name: str, plain: bytes) -> None:
        self.plain, self.etag = plain, f'"{content_hash(plain)}"'
        self.media_type = TYPES.get(PurePosixPath(name).suffix) or guess_type(name)[0] or "application/octet-stream"
        # One year, or ask the server every time whether the file has changed.
        self.cache_control = "public, max-age=31536000, immutable" if name.startswith(HASHED_FOLDER) else "no-cache"

    @cached_property
    def compressed(self) -> bytes | None:
        """The file as gzip, or None if that gains too little."""
        if len(self.plain) < MIN_COMPRESSED_SIZE:
            return None
        compressed = gzip.compress(self.plain, 9, mtime=0)
        return compressed if len(compressed) < len(self.plain) else None


class Files:
    """The files of the client, and those with which it plays without a server, with the variants that are `offered`.

    If the client is not built, its page is a text that says so.
    """

    def __init__(self, folder: Path = STATIC, offered: Mapping[str, str] = MappingProxyType({})) -> None:
        self._content, self._offered = read_built(folder), offered
        self._built = {name: File(name, content) for name, content in self._content.items()}
        if PAGE not in self._built:
            self._built[PAGE] = File("not-built.txt", NOT_BUILT)
            self._built[PAGE].cache_control = "no-store"

    @cached_property
    def _all(self) -> dict[str, File]:
        """All files; read when the first of them is asked for, which takes a moment."""
        complete = list_files(self._content | local_files(self._offered))
        return {name: File(name, content) for name, content in complete.items()}

    def _find(self, name: str) -> File | None:
        return self._all.get(name) if name == SERVICE_WORKER or name.startswith(FOLDER) else self._built.get(name)

    def response(self, name: str, request: Request, status: int = 200) -> Response | None:
        """The response with a file, or None if there is no such file."""
        file = self._find(name)
        if file is None:
            return None
        headers = {"Cache-Control": file.cache_control, "ETag": file.etag, "Vary": "Accept-Encoding"}
        if status == 200 and file.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = file.plain
        if "gzip" in request.headers.get("accept-encoding", "") and file.compressed is not None:
            body, headers["Content-Encoding"] = file.compressed, "gzip"
        return Response(body, status, headers, media_type=file.media_type)
