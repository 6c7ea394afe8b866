"""The files of the browser client: read and compressed once, served with cache headers."""

import gzip
import hashlib
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(__file__).with_name("static")

# The file names in this folder contain a hash of the content, so browsers may cache the files for ever.
HASHED_FOLDER = "assets/"
PAGE = "index.html"
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
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

    def __init__(self, folder: Path = STATIC) -> None:
        self.files = {
            path.relative_to(folder).as_posix(): _read(path, path.relative_to(folder).as_posix())
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }
        self.files.setdefault(PAGE, NOT_BUILT)

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


def _read(path: Path, name: str) -> File:
    plain = path.read_bytes()
    media_type = TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
    compressed = gzip.compress(plain, 9, mtime=0) if len(plain) >= MIN_COMPRESSED_SIZE else None
    if compressed is not None and len(compressed) >= len(plain):
        compressed = None
    # One year, or ask the server every time whether the file has changed.
    cache_control = "public, max-age=31536000, immutable" if name.startswith(HASHED_FOLDER) else "no-cache"
    return File(media_type, cache_control, f'"{hashlib.sha256(plain).hexdigest()[:20]}"', plain, compressed)
