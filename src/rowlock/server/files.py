"""The files of the browser client: read and compressed once, served with cache headers."""

import asyncio
import gzip
import hashlib
from collections.abc import Callable, Mapping
from mimetypes import guess_type
from pathlib import Path, PurePath
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(__file__).with_name("static")

# The file names in these folders contain a hash of the content, so browsers may cache the files for ever.
HASHED_FOLDERS = ("assets/", "local/weights/")
PAGE = "index.html"
TYPES = {
    ".js": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
}
MIN_COMPRESSED_SIZE = 512  # bytes; smaller files gain too little


class File(NamedTuple):
    """A file with its headers."""

    media_type: str
    cache_control: str
    etag: str
    plain: bytes
    compressed: bytes | None


NOT_BUILT = File("text/plain", "no-store", '""', b"The browser client is not built. Run: make install\n", None)


class Files:
    """The files of a folder. If the client is not built, its page is a text that says so."""

    def __init__(self, folder: Path = STATIC, made: Mapping[str, Callable[[], bytes]] | None = None) -> None:
        """`made` has files that are not in the folder: by name, functions that make their contents when needed."""
        self.made = made or {}
        self.files = {
            path.relative_to(folder).as_posix(): _file(path.relative_to(folder).as_posix(), path.read_bytes())
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }
        self.files.setdefault(PAGE, NOT_BUILT)

    async def load(self, name: str) -> None:
        """Make a file that `made` has, before its first response; other requests go on meanwhile."""
        if name in self.made and name not in self.files:
            self.files[name] = await asyncio.to_thread(lambda: _file(name, self.made[name]()))

    def response(self, name: str, request: Request, status: int = 200) -> Response | None:
        """The response with a file, or None if there is no such file."""
        file = self.files.get(name)
        if file is None:
            return None
        headers = {"Cache-Control": file.cache_control, "ETag": file.etag, "Vary": "Accept-Encoding"}
        if status == 200 and file.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = file.plain
        if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = file.compressed, "gzip"
        return Response(body, status, headers, media_type=file.media_type)


def _file(name: str, plain: bytes) -> File:
    suffix = PurePath(name).suffix
    media_type = TYPES.get(suffix) or guess_type(name)[0] or "application/octet-stream"
    compressed = gzip.compress(plain, 9, mtime=0) if len(plain) >= MIN_COMPRESSED_SIZE else None
    if compressed is not None and len(compressed) >= len(plain):
        compressed = None
    # One year, or ask the server every time whether the file has changed.
    cache_control = "public, max-age=31536000, immutable" if name.startswith(HASHED_FOLDERS) else "no-cache"
    return File(media_type, cache_control, f'"{hashlib.sha256(plain).hexdigest()[:20]}"', plain, compressed)
