"""The security headers of every response, and which origins may use the server."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rowlock.server.settings import Settings

# Pages may load only files of this server; `wasm-unsafe-eval` allows WebAssembly, and no other code from text.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Browsers read these with a page only; with all files of the first load they would be a kilobyte of it.
PAGE_HEADERS = {
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
NO_PAGES = ("text/javascript", "text/css", "font/woff2")


class SecurityHeaders:
    """Adds security headers to every HTTP response, and `no-store` to those without a cache header."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.headers = dict(HEADERS)
        if settings.base_url.startswith("https:"):
            self.headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                no_page = headers.get("Content-Type", "").startswith(NO_PAGES)
                for name, value in (self.headers if no_page else self.headers | PAGE_HEADERS).items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)


def origin_allowed(headers: Headers, scheme: str, settings: Settings) -> bool:
    """Whether a page of the request's origin may open the WebSocket or send a body; only browsers send an origin.

    `scheme` is that of the connection, or the one that a trusted proxy reports.
    """
    origin = headers.get("origin")
    if origin is None or origin.rstrip("/") in settings.origins.split():
        return True
    try:
        parsed = urlsplit(origin)
        if settings.base_url:
            base = urlsplit(settings.base_url)
            return (parsed.scheme, parsed.netloc) == (base.scheme, base.netloc)
    except ValueError:  # not a URL
        return False
    # Behind a trusted proxy the scheme is not compared, since not all proxies report it.
    secure = scheme in ("https", "wss")
    return parsed.netloc == headers.get("host") and (
        bool(settings.trusted_proxies) or parsed.scheme == ("https" if secure else "http")
    )
