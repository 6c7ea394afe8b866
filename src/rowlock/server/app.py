"""The server as an application: HTTP, the socket and the page."""

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route, WebSocketRoute
from starlette.websockets import WebSocket

from rowlock.server.api import OPERATIONS, RequestContext, refusal
from rowlock.server.connection import Connection
from rowlock.server.files import PAGE, Files
from rowlock.server.limits import Count, address_key
from rowlock.server.openapi import document
from rowlock.server.refusal import Refused
from rowlock.server.security import SecurityHeaders, origin_allowed
from rowlock.server.table_registry import TableRegistry

Endpoint = Callable[[Request], Awaitable[Response]]

# The pages of the client, all of them one file that looks at its own address.
PAGES = ("/", "/new", "/t/{table}", "/t/{table}/replay", "/replay", "/rules", "/rules/{variant}", "/settings")


def make_app(registry: TableRegistry) -> Starlette:
    """The application over an open registry."""
    app = Starlette(
        routes=[
            *(Route(one.path, _admitted(one), methods=[one.method], name=one.about) for one in OPERATIONS),
            Route("/openapi.json", _admitted(openapi)),
            WebSocketRoute("/api/socket", socket),
            *(Route(path, _admitted(page)) for path in PAGES),
            Route("/{name:path}", _admitted(file)),
        ],
        middleware=[Middleware(SecurityHeaders, settings=registry.settings)],
        exception_handlers={Refused: _refused, HTTPException: _http_error},
    )
    app.state.registry, app.state.context, app.state.files = registry, RequestContext(registry), Files()
    app.state.connections = Count(registry.settings.connections_per_address, registry.settings.connections)
    return app


def _admitted(endpoint: Endpoint) -> Endpoint:
    """Whatever is asked for, nobody may ask too often."""

    async def admitted(request: Request) -> Response:
        request.app.state.context.admit(request)
        return await endpoint(request)

    return admitted


async def openapi(request: Request) -> Response:
    return JSONResponse(document())


async def page(request: Request) -> Response:
    files: Files = request.app.state.files
    found = files.answer(PAGE, request)
    assert found
    return found


async def file(request: Request) -> Response:
    """A file of the client; people who have come to no page at all get the page that tells them so."""
    _check_method(request)
    files: Files = request.app.state.files
    name = request.path_params["name"]
    found = files.answer(name, request) if name != PAGE else None
    if found is None and "text/html" in request.headers.get("accept", "") and not name.startswith("api/"):
        found = files.answer(PAGE, request, 404)
    if found is None:
        raise Refused("not-found")
    return found


def _check_method(request: Request) -> None:
    """An address of the interface that is asked in the wrong way is not looked for among the files."""
    for route in request.app.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is Match.PARTIAL:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(route.methods or ()))})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method"}.get(error.status_code, "message")
    values = {"reason": error.detail} if code == "message" else {}
    response = refusal(Refused(code, **values))
    response.headers.update(error.headers or {})
    return response


async def socket(websocket: WebSocket) -> None:
    """A device's connection, once it is clear that it may have one."""
    registry: TableRegistry = websocket.app.state.registry
    context: RequestContext = websocket.app.state.context
    connections: Count = websocket.app.state.connections
    key = address_key(websocket)
    try:
        if not origin_allowed(websocket.headers, websocket.url.scheme, registry.settings):
            raise Refused("origin")
        context.admit(websocket)
        if not connections.enter(key):
            raise Refused("connections", most=registry.settings.connections_per_address)
    except Refused as refused:
        await websocket.send_denial_response(refusal(refused))
        return
    try:
        await websocket.accept()
        await Connection(websocket, registry).run()
    finally:
        connections.leave(key)
