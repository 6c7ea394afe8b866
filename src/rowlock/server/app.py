"""The server as an ASGI application: HTTP operations, the WebSocket and the files of the client."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from rowlock.server import commands, links, previews
from rowlock.server.api import OPERATIONS, RequestContext, refusal_response
from rowlock.server.connection import Connection
from rowlock.server.files import PAGE, Files
from rowlock.server.limits import ConnectionLimit, address_key
from rowlock.server.openapi import document
from rowlock.server.refusal import Refused
from rowlock.server.security import SecurityHeaders, origin_allowed
from rowlock.server.table_registry import TableRegistry

Endpoint = Callable[[Request], Awaitable[Response]]

# The paths of the client's pages. All get the same file, whose script then shows the page of the path.
PAGES = (
    "/",
    "/new",
    "/local",
    "/t/{table}/replay",
    "/replay",
    "/rules",
    "/rules/{variant}",
    "/learn",
    "/learn/{variant}",
    "/settings",
    "/history",
    "/statistics",
    "/challenge",
)

# A file counts as a fifth of a request: it is sent from memory, and a service worker fetches dozens at once.
FILE_COST = 0.2
FILE_PATH = "/{name:path}"
SOCKET_PATH = "/api/socket"


class Application(Starlette):
    """WebSockets go past the middleware and the router, which would stay in memory for each of them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == SOCKET_PATH:
            scope["app"] = self
            await socket(WebSocket(scope, receive, send))
        else:
            await super().__call__(scope, receive, send)


def make_app(registry: TableRegistry) -> Starlette:
    """The application that serves the tables of a registry."""
    app = Application(
        routes=[
            *(Route(one.path, _rate_limited(one), methods=[one.method], name=one.summary) for one in OPERATIONS),
            Route("/openapi.json", _rate_limited(openapi)),
            Route("/t/{table}", _rate_limited(table_page, FILE_COST)),
            *(Route(path, _rate_limited(page, FILE_COST)) for path in PAGES),
            Route(FILE_PATH, _rate_limited(file, FILE_COST)),
        ],
        middleware=[Middleware(SecurityHeaders, settings=registry.settings)],
        exception_handlers={Refused: _refused, HTTPException: _http_error},
    )
    app.state.registry, app.state.context = registry, RequestContext(registry)
    app.state.files = Files(offered=registry.offered, path=registry.settings.base_path)
    app.state.connections = registry.connections
    return app


def _rate_limited(endpoint: Endpoint, cost: float = 1.0) -> Endpoint:
    """The endpoint, with its requests counted against the limit per address."""

    async def counted(request: Request) -> Response:
        request.app.state.context.limits.count_request(request, cost)
        return await endpoint(request)

    return counted


async def openapi(request: Request) -> Response:
    return JSONResponse(document())


async def page(request: Request) -> Response:
    return await _page(request)


async def table_page(request: Request) -> Response:
    """The page of a table, with a preview if everybody with its code may see it."""
    context: RequestContext = request.app.state.context
    preview = None
    with suppress(Refused):
        with context.limits.guess(request):
            session = await context.find_session(request)
        commands.check_access(session.table, (), None)
        if session.table.game is None:
            language = previews.preferred_language(request.headers.get("accept-language", ""))
            preview = previews.table_preview(session.table, language)
    return await _page(request, preview)


async def _page(request: Request, preview: previews.Preview | None = None, status: int = 200) -> Response:
    files: Files = request.app.state.files
    site = links.public_url(str(request.base_url), request.app.state.context.settings)
    return await files.page(request, site, preview, status)


async def file(request: Request) -> Response:
    """A file of the client; if it does not exist, browsers get the client's page, with status 404, to say so."""
    if _allowed_methods(request):
        raise HTTPException(405)
    files: Files = request.app.state.files
    name = request.path_params["name"]
    response = await files.response(name, request) if name != PAGE else None  # the page is only at `PAGES`
    if response is None and "text/html" in request.headers.get("accept", "") and not name.startswith("api/"):
        response = await _page(request, status=404)
    if response is None:
        raise Refused("not-found")
    return response


def _allowed_methods(request: Request) -> list[str]:
    """The methods with which an operation or a page exists, if it does not with that of the request."""
    routes = [route for route in request.app.routes if isinstance(route, Route) and route.path != FILE_PATH]
    partial = [route for route in routes if route.matches(request.scope)[0] is Match.PARTIAL]
    return sorted({method for route in partial for method in route.methods or ()})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal_response(error)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method"}.get(error.status_code, "message")
    values = {"reason": error.detail} if code == "message" else {}
    response = refusal_response(Refused(code, **values))
    response.headers.update(error.headers or {})
    if error.status_code == 405 and (methods := _allowed_methods(request)):
        response.headers["Allow"] = ", ".join(methods)
    return response


async def socket(websocket: WebSocket) -> None:
    """Accept the WebSocket of a device, unless its origin or a limit forbids that."""
    registry: TableRegistry = websocket.app.state.registry
    context: RequestContext = websocket.app.state.context
    connections: ConnectionLimit = websocket.app.state.connections
    key = address_key(websocket)
    try:
        if not origin_allowed(Headers(scope=websocket.scope), websocket.url.scheme, registry.settings):
            raise Refused("origin")
        context.limits.count_request(websocket)
        if not connections.acquire(key):
            raise Refused("connections", most=registry.settings.connections_per_address)
    except Refused as refused:
        await websocket.send_denial_response(refusal_response(refused))
        return
    try:
        await websocket.accept()
        websocket.scope["headers"] = []  # they are not needed any more
        await Connection(websocket, registry, context.limits).run()
    finally:
        connections.release(key)
