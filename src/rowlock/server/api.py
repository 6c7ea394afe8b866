"""The HTTP interface: creating tables, sitting down, handing seats over, records and replays."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import NoneType
from typing import Any, TypeVar, cast, get_type_hints

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from rowlock import __version__
from rowlock.rules.game import Game
from rowlock.rules.notation import RecordError, read
from rowlock.server import commands, links, protocol, views
from rowlock.server.limits import Rate, address_key
from rowlock.server.refusal import Refused
from rowlock.server.secret import HANDOVER_CODE, hash_of, new_code, read_code
from rowlock.server.storage import StorageFailure, now
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession

BODY_SECONDS = 20.0  # in which a body must have come
REPLAY_COST = 0.005  # requests that a byte of a replayed record counts as
RECORD_TYPE = "text/plain; charset=utf-8"


T = TypeVar("T")


class RequestContext:
    """What a request is answered with: the registry, and how often an address may ask."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry, self.settings = registry, registry.settings
        self.requests = Rate(self.settings.requests_per_second, 5 * self.settings.requests_per_second)
        self.tables = Rate(self.settings.tables_per_hour / 3600, self.settings.tables_per_hour)
        self._replaying = asyncio.Lock()

    def admit(self, asked: HTTPConnection) -> None:
        """Count a request or a new connection; too many of an address are refused."""
        key = address_key(asked)
        if asked.url.path == "/health":
            key += " health"  # counted apart: a server that is busy is not ill
        self.requests.count(key)

    def count_table(self, request: Request) -> None:
        """Count a table that is to be created."""
        self.tables.count(address_key(request))

    async def replay(self, request: Request, size: int, make: Callable[[], T]) -> T:
        """Make a replay of so many bytes of record: that takes a while, so it is done aside, one after the other."""
        self.requests.count(address_key(request), min(size * REPLAY_COST, self.requests.burst / 2))
        async with self._replaying:
            return await asyncio.to_thread(make)

    async def table(self, request: Request) -> TableSession:
        return await self.registry.find(request.path_params["table"])


Handler = Callable[[RequestContext, Request, Any], Awaitable[Any]]


@dataclass(frozen=True)
class Operation:
    """An address, how it is asked and what it answers; routes and the OpenAPI page are made from these."""

    method: str
    path: str
    about: str
    answer: Handler
    gives: type | None  # None for text
    takes: type | None
    status: int
    refusals: tuple[str, ...]

    async def __call__(self, request: Request) -> Response:
        """Answer a request, or refuse it with a code."""
        context: RequestContext = request.app.state.context
        most = context.settings.record_bytes if self.takes is protocol.RecordShown else context.settings.body_bytes
        body = None if self.takes is None else await _read_body(request, self.takes, most)
        found = await self.answer(context, request, body)
        if isinstance(found, Response):
            return found
        return Response(protocol.encoder.encode(found), self.status, media_type="application/json")


OPERATIONS: list[Operation] = []
TABLE = "/api/tables/{table}"
NO_TABLE = ("no-table", "storage")
CANNOT_SIT = ("name", "name-taken", "full", "seat-taken", "started", "secret")


def operation(method: str, path: str, *refusals: str, status: int = 200) -> Callable[[Handler], Handler]:
    """The function below answers there: its docstring and its types say what it is about, takes and gives."""

    def register(answer: Handler) -> Handler:
        types = list(get_type_hints(answer).values())[-2:]
        takes, gives = (None if one in (NoneType, Response) else one for one in types)
        about = (answer.__doc__ or "").rstrip(".")
        OPERATIONS.append(Operation(method, path, about, answer, gives, takes, status, refusals))
        return answer

    return register


async def _read_body(request: Request, wanted: type, most: int) -> Any:
    if not request.headers.get("content-type", "application/json").startswith("application/json"):
        raise Refused("message", reason="the body is JSON: Content-Type: application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise Refused("too-large", most=most)
        return msgspec.json.decode(bytes(body), type=wanted)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Refused("message", reason=str(error)[:200]) from None
    except (ClientDisconnect, TimeoutError):
        raise Refused("message", reason="the body broke off") from None


def refusal(refused: Refused) -> Response:
    headers = {}
    if refused.code == "too-fast":
        headers["Retry-After"] = str(refused.values["seconds"])
    body = protocol.encoder.encode(protocol.Problem(refused.code, refused.values))
    return Response(body, refused.status, headers, media_type="application/json")


# Answers


@operation("GET", "/health", "storage")
async def health(context: RequestContext, request: Request, _: None) -> protocol.Health:
    """Whether the server is well."""
    try:
        await context.registry.storage.check()
    except StorageFailure:
        raise Refused("storage") from None
    return protocol.Health("ok", __version__, protocol.VERSION)


@operation("GET", "/api/variants")
async def variants(context: RequestContext, request: Request, _: None) -> protocol.Variants:
    """The games that can be played."""
    return views.variants()


@operation("GET", "/api/bots")
async def bots(context: RequestContext, request: Request, _: None) -> protocol.Bots:
    """The bots that can sit at a table."""
    return await asyncio.to_thread(views.bots)


@operation("POST", "/api/tables", "variant", "bot", "lucky", "id-reused", "storage", status=201)
async def create(context: RequestContext, request: Request, wish: protocol.TableWish) -> protocol.TableMade:
    """Create a table."""
    context.count_table(request)
    session = await context.registry.create(wish)
    return protocol.TableMade(session.table.code)


@operation("GET", TABLE, *NO_TABLE)
async def look(context: RequestContext, request: Request, _: None) -> protocol.View:
    """A table as a spectator sees it."""
    session = await context.table(request)
    return cast("protocol.View", msgspec.Raw(session.view(set())))


@operation("POST", f"{TABLE}/seats", *CANNOT_SIT, *NO_TABLE, status=201)
async def join(context: RequestContext, request: Request, wish: protocol.JoinWish) -> protocol.SeatsTaken:
    """Sit down, several people at one device if need be, with secrets of one's own making."""
    session = await context.table(request)
    names, hashes = [one.name for one in wish.people], [hash_of(one.secret) for one in wish.people]
    seats = [one.seat for one in wish.people]
    await session.submit(lambda table, _: commands.join(table, names, hashes, seats))
    return protocol.SeatsTaken(session.table.code, [_taken(session, one.secret) for one in wish.people])


def _taken(session: TableSession, secret: str) -> protocol.SeatTaken:
    seat = session.table.seat_of(hash_of(secret))
    if seat is None:  # handed over or left in this very moment
        raise Refused("secret")
    return protocol.SeatTaken(seat, session.table.seats[seat].name or "")


@operation("POST", f"{TABLE}/handover", "secret", *NO_TABLE, status=201)
async def hand_over(context: RequestContext, request: Request, shown: protocol.SecretShown) -> protocol.Handover:
    """A one-time code with which another device takes a seat over."""
    session = await context.table(request)
    code, until = new_code(HANDOVER_CODE), now() + int(1000 * context.settings.handover_seconds)
    await session.submit(lambda table, _: commands.offer(table, shown.secret, code, until))
    return protocol.Handover(code, until)


@operation("POST", f"{TABLE}/claim", "handover", "secret", *NO_TABLE, status=201)
async def claim(context: RequestContext, request: Request, shown: protocol.Claim) -> protocol.SeatTaken:
    """Take a seat over with such a code."""
    session = await context.table(request)
    code = read_code(shown.handover)
    await session.submit(lambda table, at: commands.claim(table, code, shown.secret, at))
    return _taken(session, shown.secret)


@operation("POST", f"{TABLE}/rematch", "secret", "not-over", *NO_TABLE, status=201)
async def rematch(context: RequestContext, request: Request, shown: protocol.SecretShown) -> protocol.TableMade:
    """A new table with the same players, who keep their secrets; whoever asks first creates it."""
    session = await context.table(request)
    if session.table.rematch is None:
        context.count_table(request)
    return protocol.TableMade(await context.registry.rematch(session, shown.secret))


@operation("GET", f"{TABLE}/record", "not-started", "not-over", *NO_TABLE)
async def record(context: RequestContext, request: Request, _: None) -> Response:
    """What has been revealed, as a record; of a card game once it is over."""
    session = await context.table(request)
    headers = {"Content-Disposition": f'attachment; filename="{session.table.code}.rlk"'}
    return Response(_open_game(session).record(), media_type=RECORD_TYPE, headers=headers)


@operation("GET", f"{TABLE}/replay", "not-started", "not-over", *NO_TABLE)
async def replay(context: RequestContext, request: Request, _: None) -> protocol.Replay:
    """The game as it stood at every decision; a card game once it is over."""
    session = await context.table(request)
    game, code = _open_game(session).copy(), session.table.code
    return await context.replay(request, len(game.record()), lambda: views.replay_of(game, code))


@operation("POST", "/api/replay", "record")
async def replay_record(context: RequestContext, request: Request, shown: protocol.RecordShown) -> protocol.Replays:
    """The games of a record file as they stood at every decision."""
    text = shown.record.encode("utf-8", "replace")

    def replays() -> list[msgspec.Raw]:
        # Written one by one: writing many at once would hold everybody up.
        return [msgspec.Raw(protocol.encoder.encode(views.replay_of(game))) for game in read(text)]

    try:
        games = await context.replay(request, len(text), replays)
    except RecordError as error:
        raise Refused("record", line=error.line, error=error.code, reason=error.text) from None
    if not games:
        raise Refused("record", line=0, error="syntax", reason="there is no game in it")
    return protocol.Replays(cast("list[protocol.Replay]", games))


@operation("POST", "/api/links")
async def link(context: RequestContext, request: Request, wish: protocol.LinkWish) -> protocol.Link:
    """A page as another device opens it, with its QR code."""
    address = links.open_to_others(str(request.base_url), context.settings) + wish.path
    if len(address) > links.MOST_CHARACTERS:
        raise Refused("message", reason=f"an address of more than {links.MOST_CHARACTERS} characters")
    return protocol.Link(address, links.qr_rows(address))


def _open_game(session: TableSession) -> Game:
    """The game, where nothing in it is hidden any more: cards are so until it is over."""
    if session.table.game is None:
        raise Refused("not-started")
    if session.table.game.variant.cards and not session.table.game.over:
        raise Refused("not-over")
    return session.table.game
