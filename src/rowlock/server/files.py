"""The files of the browser client: served with cache headers, made and compressed when they are first asked for."""

import asyncio
import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from mimetypes import guess_type
from pathlib import Path, PurePosixPath

from starlette.requests import Request
from starlette.responses import Response

from rowlock.server.local import WEIGHTS_FOLDER, local_files
from rowlock.server.previews import Preview, site_preview, with_preview

STATIC = Path(__file__).with_name("static")

# The file names in these folders contain a hash of the content, so browsers may cache the files for ever.
HASHED_FOLDERS = ("assets/", WEIGHTS_FOLDER)
PAGE = "index.html"
BASE = '<base href="/" />'  # in the page: the path of the site
SERVICE_WORKER = "sw.js"
TYPES = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
MAX_PAGES = 64  # pages that are kept; each has its own preview or address
MIN_COMPRESSED_SIZE = 512  # bytes; smaller files gain too little
NOT_BUILT = b"The browser client is not built. Run: make install\n"

Contents = dict[str, Callable[[], bytes]]  # by the name of a file: a function that makes its content


def read_built(folder: Path = STATIC) -> Contents:
    """The files of the client that Vite has built."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    return {path.relative_to(folder).as_posix(): path.read_bytes().__bytes__ for path in paths}


def list_files(files: Contents) -> Contents:
    """The same files with their list in the service worker.

    Any change of a file changes the service worker, by which browsers find a new version.
    """
    if SERVICE_WORKER not in files:
        return files

    def with_list() -> bytes:
        # Icons are read by the device when the app is installed, not by the app; printed sheets are saved by people.
        wanted = [name for name in files if name != SERVICE_WORKER and not name.endswith((".png", ".pdf"))]
        kept = [name for name in wanted if name.startswith(WEIGHTS_FOLDER)]
        precached = {_url(name): _revision(name, files[name]) for name in wanted if name not in kept}
        line = f"self.clientFiles = {json.dumps({'precached': precached, 'kept': kept})};\n"
        return line.encode() + files[SERVICE_WORKER]()

    return {**files, SERVICE_WORKER: with_list}


def _url(name: str) -> str:
    return "." if name == PAGE else name


def _revision(name: str, make_content: Callable[[], bytes]) -> str | None:
    return None if name.startswith(HASHED_FOLDERS) else content_hash(make_content())


def content_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]


class File:
    """A file with its headers."""

    def __init__(self, name: str, make_content: Callable[[], bytes]) -> None:
        self._make_content = make_content
        self.media_type = TYPES.get(PurePosixPath(name).suffix) or guess_type(name)[0] or "application/octet-stream"
        # One year, or ask the server every time whether the file has changed.
        self.cache_control = "public, max-age=31536000, immutable" if name.startswith(HASHED_FOLDERS) else "no-cache"

    @cached_property
    def plain(self) -> bytes:
        return self._make_content()

    @cached_property
    def etag(self) -> str:
        return f'"{content_hash(self.plain)}"'

    @cached_property
    def compressed(self) -> bytes | None:
        """The file as gzip, or None if that gains too little."""
        if len(self.plain) < MIN_COMPRESSED_SIZE:
            return None
        compressed = gzip.compress(self.plain, 9, mtime=0)
        return compressed if len(compressed) < len(self.plain) else None


class Files:
    """The files of the client, and those with which it plays without a server, with the variants that are `offered`.

    `path` is that of the site, to which all links of the client are relative. If the client is not built, its page is
    a text that says so.
    """

    def __init__(self, folder: Path = STATIC, offered: Mapping[str, str] | None = None, path: str = "/") -> None:
        contents = list_files({**read_built(folder), **local_files(offered)})
        self.files = {name: File(name, make) for name, make in contents.items()}
        if PAGE not in self.files:
            self.files[PAGE] = File("not-built.txt", NOT_BUILT.__bytes__)
            self.files[PAGE].cache_control = "no-store"
        else:
            page = self.files[PAGE].plain.replace(BASE.encode(), f'<base href="{path}" />'.encode())
            self.files[PAGE] = File(PAGE, page.__bytes__)
        self._pages: dict[tuple[Preview, str], File] = {}

    async def response(self, name: str, request: Request, status: int = 200) -> Response | None:
        """The response with a file, or None if there is no such file; other requests go on while it is made."""
        file = self.files.get(name)
        return None if file is None else await self._respond(file, request, status)

    async def page(self, request: Request, site: str, preview: Preview | None = None, status: int = 200) -> Response:
        """The response with the client's page and a preview of its link; `site` is the URL of the site."""
        return await self._respond(self._page(preview or site_preview(), site), request, status)

    def _page(self, preview: Preview, site: str) -> "File":
        built = self.files[PAGE]
        if built.cache_control == "no-store":  # it is not built
            return built
        if len(self._pages) >= MAX_PAGES:
            self._pages.clear()
        key = (preview, site)
        if key not in self._pages:
            self._pages[key] = File(PAGE, with_preview(built.plain.decode(), preview, site).encode().__bytes__)
        return self._pages[key]

    @staticmethod
    async def _respond(file: "File", request: Request, status: int) -> Response:
        etag = file.etag if "etag" in vars(file) else await asyncio.to_thread(lambda: file.etag)
        headers = {"Cache-Control": file.cache_control, "ETag": etag, "Vary": "Accept-Encoding"}
        if status == 200 and etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = file.plain
        if "gzip" in request.headers.get("accept-encoding", ""):
            known = "compressed" in vars(file)
            compressed = file.compressed if known else await asyncio.to_thread(lambda: file.compressed)
            if compressed is not None:
                body, headers["Content-Encoding"] = compressed, "gzip"
        return Response(body, status, headers, media_type=file.media_type)
