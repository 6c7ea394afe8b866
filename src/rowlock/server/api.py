"""The HTTP interface: creates tables, takes and hands over seats, returns records and replays."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from types import NoneType
from typing import Any, cast, get_type_hints

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from rowlock import __version__
from rowlock.rules.game import Game
from rowlock.rules.notation import RecordError, read
from rowlock.rules.score_notation import write as write_sheets
from rowlock.server import commands, forgetting, links, metrics, protocol, views
from rowlock.server.limits import AddressLimits, address_key
from rowlock.server.local import local_variant, printed_sheets
from rowlock.server.refusal import MAX_REASON_LENGTH, Refused
from rowlock.server.secret import HANDOVER_CODE_LENGTH, hash_of, new_code, normalize_code
from rowlock.server.security import origin_allowed
from rowlock.server.storage import StorageFailure, now
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession
from rowlock.server.variants import parse_upload

BODY_SECONDS = 20.0  # the time limit for receiving a body
REPLAY_COST = 0.005  # each byte of a replayed record counts as this many requests
PRINT_COST = 5.0  # printing sheets counts as this many requests
RECORD_TYPE = "text/plain; charset=utf-8"
PDF_TYPE = "application/pdf"


class RequestContext:
    """What all request handlers share: the registry and the rate limits per address."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry, self.settings, self.limits = registry, registry.settings, AddressLimits(registry.settings)
        self._replay_lock = asyncio.Lock()

    async def replay(self, request: Request, size: int, games: Iterable[Game], code: str | None = None) -> list[Any]:
        """The encoded replays of the games of a record of `size` bytes; `code` is that of the table, if there is one.

        Raises a refusal if they exceed the size limit of an answer. Games are replayed in a thread, one at a time for
        the whole server; between two games of a record, other requests get their turn.
        """
        requests = self.limits.requests
        # At most half of the burst, so that even the longest record can be paid for.
        requests.count(address_key(request), min(size * REPLAY_COST, requests.burst / 2))
        encoded = (msgspec.Raw(protocol.encoder.encode(views.replay_of(game, code))) for game in games)
        replays: list[msgspec.Raw] = []
        bytes_left = self.settings.replay_bytes
        while True:
            async with self._replay_lock:
                replay = await asyncio.to_thread(next, encoded, None)
            if replay is None:
                return replays
            bytes_left -= len(bytes(replay))
            if replays and bytes_left < 0:  # the first game is answered whatever its size
                raise Refused("too-large", most=self.settings.replay_bytes)
            replays.append(replay)

    async def find_session(self, request: Request) -> TableSession:
        return await self.registry.find(request.path_params["table"])

    async def find_visible(self, request: Request) -> tuple[TableSession, set[str]]:
        """The table, if the request may see it, and the hash of the secret in its header `Authorization: Bearer`."""
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        secret = secret.strip() if scheme.lower() == "bearer" else ""
        hashes = {hash_of(secret)} if secret else set()
        with self.limits.guess(request, secret=bool(secret)):
            session = await self.find_session(request)
            await session.read_before_refusing(hashes, secret)
            # The secret may be that of a seat or of the invite link.
            if not commands.knows_secret(session.table, hashes, secret):
                self.limits.check_guesses(request)
            commands.check_access(session.table, hashes, secret)
        return session, hashes


Handler = Callable[[RequestContext, Request, Any], Awaitable[Any]]


@dataclass(frozen=True)
class Operation:
    """An HTTP endpoint; the routes and the OpenAPI document are made from these."""

    method: str
    path: str
    summary: str
    handler: Handler
    response_type: type | None  # None if it is not JSON
    body_type: type | None
    status: int
    refusals: tuple[str, ...]  # codes
    media_type: str

    async def __call__(self, request: Request) -> Response:
        context: RequestContext = request.app.state.context
        limit = context.settings.record_bytes if self.body_type is protocol.RecordText else context.settings.body_bytes
        body = None if self.body_type is None else await _read_body(request, self.body_type, limit)
        result = await self.handler(context, request, body)
        if isinstance(result, Response):
            return result
        return Response(protocol.encoder.encode(result), self.status, media_type="application/json")


OPERATIONS: list[Operation] = []
TABLE_PATH = "/api/tables/{table}"
# Codes of refusals that several operations share
TABLE_REFUSALS = ("no-table", "history", "storage")
NEW_TABLE_REFUSALS = ("variant", "variant-file", "bot", "lucky", "sheet")
VISIBLE_REFUSALS = ("invite", "closed", *TABLE_REFUSALS)
SEAT_REFUSALS = ("sheet", "name", "name-taken", "full", "seat-taken", "started", "closed", "secret")


def operation(
    method: str, path: str, *refusals: str, status: int = 200, media_type: str = "application/json"
) -> Callable[[Handler], Handler]:
    """Register a function as an operation: its docstring is the summary, its type hints those of body and response."""

    def register(handler: Handler) -> Handler:
        hints = list(get_type_hints(handler).values())[-2:]  # of the body, the last parameter, and of the response
        body_type, response_type = (None if hint in (NoneType, Response) else hint for hint in hints)
        summary = (handler.__doc__ or "").rstrip(".")
        OPERATIONS.append(
            Operation(method, path, summary, handler, response_type, body_type, status, refusals, media_type)
        )
        return handler

    return register


async def _read_body(request: Request, body_type: type, limit: int) -> Any:
    if not origin_allowed(request.headers, request.url.scheme, request.app.state.context.settings):
        raise Refused("origin")
    # CORS: pages of other origins can send JSON only after a preflight request, which this server does not allow.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused("message", reason="the body must be JSON, with Content-Type: application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > limit:
                    raise Refused("too-large", most=limit)
        return msgspec.json.decode(bytes(body), type=body_type)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Refused("message", reason=str(error)[:MAX_REASON_LENGTH]) from None
    except (ClientDisconnect, TimeoutError):
        raise Refused("message", reason="the body is incomplete") from None


def refusal_response(refused: Refused) -> Response:
    metrics.refusals[refused.code] += 1
    headers = {}
    if refused.code == "too-fast":
        headers["Retry-After"] = str(refused.values["seconds"])
    body = protocol.encoder.encode(protocol.Problem(refused.code, refused.values))
    return Response(body, refused.status, headers, media_type="application/json")


# Operations


@operation("GET", "/health", "storage")
async def health(context: RequestContext, request: Request, _: None) -> protocol.Health:
    """Check that the server can write to its database and read from it."""
    return await _check_storage(context)


@operation("GET", "/ready", "draining", "busy", "storage")
async def ready(context: RequestContext, request: Request, _: None) -> protocol.Health:
    """Check that the server is healthy and takes new tables: not before a planned stop, nor with too much to do."""
    if context.registry.draining:
        raise Refused("draining")
    context.registry.load.check()
    return await _check_storage(context)


async def _check_storage(context: RequestContext) -> protocol.Health:
    try:
        await context.registry.storage.check()
    except StorageFailure:
        raise Refused("storage") from None
    return protocol.Health("ok", __version__, protocol.VERSION)


@operation("GET", "/api/variants")
async def variants(context: RequestContext, request: Request, _: None) -> protocol.Variants:
    """The games that can be played."""
    found = views.all_variants(context.registry.offered_variants)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return found
    # No other answer is compressed: they are short, or their length could reveal something of a secret.
    body, headers = gzip.compress(protocol.encoder.encode(found), 6), {"Content-Encoding": "gzip"}
    return cast("protocol.Variants", Response(body, headers=headers, media_type="application/json"))


@operation("POST", "/api/variants", "variant-file")
async def check_variant(
    context: RequestContext, request: Request, body: protocol.VariantFile
) -> protocol.CheckedVariant:
    """Check the file of an own variant; the answer has what is needed to draw its sheet, and who can play it."""
    variant = parse_upload(body.file)
    playable = await asyncio.to_thread(views.available_bots, [variant])
    return protocol.CheckedVariant(views.variant_info(variant), playable, local_variant(variant, body.file))


@operation("POST", "/api/sheets", "variant-file", media_type=PDF_TYPE)
async def print_sheets(context: RequestContext, request: Request, body: protocol.SheetsRequest) -> Response:
    """Print sheets of an own variant; those of other games are files of the client."""
    variant = parse_upload(body.file)
    context.limits.requests.count(address_key(request), PRINT_COST)
    pdf = await asyncio.to_thread(printed_sheets, variant, body.language, body.paper)
    return Response(pdf, media_type=PDF_TYPE)


@operation("GET", "/api/bots")
async def bots(context: RequestContext, request: Request, _: None) -> protocol.Bots:
    """The bots that can sit at a table."""
    return await asyncio.to_thread(views.available_bots, context.registry.offered_variants)


@operation(
    "POST",
    "/api/tables",
    *(*NEW_TABLE_REFUSALS, "id-reused", "server-full", "busy", "draining", "storage"),
    status=201,
)
async def create(context: RequestContext, request: Request, body: protocol.TableRequest) -> protocol.TableCreated:
    """Create a table."""
    with context.limits.new_table(request):
        table = (await context.registry.create(body)).table
    return protocol.TableCreated(table.code, table.invite or "", table.seq)  # new tables always have an invite secret


@operation("GET", TABLE_PATH, *VISIBLE_REFUSALS)
async def view(context: RequestContext, request: Request, _: None) -> protocol.View:
    """A table as the holder of the secret sees it, or as a spectator sees it."""
    session, hashes = await context.find_visible(request)
    return cast("protocol.View", msgspec.Raw(session.view(hashes)))


@operation("POST", f"{TABLE_PATH}/seats", *SEAT_REFUSALS, *TABLE_REFUSALS, status=201)
async def join(context: RequestContext, request: Request, body: protocol.JoinRequest) -> protocol.SeatsTaken:
    """Take seats for one or several people, with secrets that the client makes."""
    names, hashes = [person.name for person in body.people], [hash_of(person.secret) for person in body.people]
    wanted_seats, sheets = [person.seat for person in body.people], [person.sheet for person in body.people]
    shares = [person.shares for person in body.people]
    with context.limits.guess(request, secret=body.invite is not None):
        session = await context.find_session(request)
        if not commands.knows_secret(session.table, hashes, body.invite):
            context.limits.check_guesses(request)
        await session.submit(lambda table, _: commands.join(table, names, hashes, wanted_seats, sheets, shares))
    seats = [protocol.SeatTaken(*_seat_of(session, person.secret)) for person in body.people]
    return protocol.SeatsTaken(session.table.code, seats, session.table.seq)


def _seat_of(session: TableSession, secret: str) -> tuple[int, str]:
    """The number of the seat with this secret, and the name of its player."""
    seat_number = session.table.seat_number_of(hash_of(secret))
    if seat_number is None:  # handed over or left meanwhile
        raise Refused("secret")
    return seat_number, session.table.seats[seat_number].name or ""


@operation("POST", f"{TABLE_PATH}/handover", "secret", *TABLE_REFUSALS, status=201)
async def hand_over(context: RequestContext, request: Request, body: protocol.SeatSecret) -> protocol.Handover:
    """Create a one-time code with which another device can take over a seat."""
    code, until = new_code(HANDOVER_CODE_LENGTH), now() + int(1000 * context.settings.handover_seconds)
    with context.limits.guess(request, secret=True):
        session = await context.find_session(request)
        await session.submit(lambda table, _: commands.offer_handover(table, body.secret, code, until))
    return protocol.Handover(code, until)


@operation("POST", f"{TABLE_PATH}/claim", "handover", "secret", *TABLE_REFUSALS, status=201)
async def claim(context: RequestContext, request: Request, body: protocol.Claim) -> protocol.SeatClaimed:
    """Take over a seat with a handover code."""
    code = normalize_code(body.handover)
    with context.limits.guess(request):
        session = await context.find_session(request)
        await session.submit(lambda table, at: commands.claim(table, code, body.secret, at, shares=body.shares))
    return protocol.SeatClaimed(*_seat_of(session, body.secret), session.table.seq)


@operation("POST", f"{TABLE_PATH}/forget", "secret", "limit", *TABLE_REFUSALS)
async def forget(context: RequestContext, request: Request, body: protocol.SeatSecret) -> protocol.SeatForgotten:
    """Forget the person on a seat: name and secrets are erased, and the seat belongs to nobody."""
    secret_hash = hash_of(body.secret)
    with context.limits.guess(request, secret=True):
        session = await context.find_session(request)
        # The table of the request is the last one: while it has the secret, the request can be sent again.
        for rematch in reversed(await _rematches_with(context, session, secret_hash)):
            await forgetting.forget(rematch, forgetting.with_secret(secret_hash))
        return protocol.SeatForgotten(await forgetting.forget(session, forgetting.with_secret(secret_hash)))


async def _rematches_with(context: RequestContext, session: TableSession, secret_hash: str) -> list[TableSession]:
    """The rematches in which the person with this secret has a seat; their device may not have opened them."""
    found: list[TableSession] = []
    with suppress(Refused):  # a rematch may be deleted
        while code := session.table.rematch:
            session = await context.registry.find(code)
            if session.table.seat_number_of(secret_hash) is None:
                break
            found.append(session)
    return found


@operation("GET", f"{TABLE_PATH}/record", "not-started", "not-over", *VISIBLE_REFUSALS, media_type="text/plain")
async def record(context: RequestContext, request: Request, _: None) -> Response:
    """The record of the revealed part of a game; in card games only after the end."""
    session, _hashes = await context.find_visible(request)
    headers = {"Content-Disposition": f'attachment; filename="{session.table.code}.rlk"'}
    sheets = session.table.sheets
    text = write_sheets(sheets) if sheets else _public_game(session).record()
    return Response(text, media_type=RECORD_TYPE, headers=headers)


@operation("GET", f"{TABLE_PATH}/fairness", "not-started", "no-secrets", *VISIBLE_REFUSALS)
async def fairness(context: RequestContext, request: Request, _: None) -> protocol.Fairness:
    """The commitments from which the chance of a game follows, and after its end the secrets."""
    session, _hashes = await context.find_visible(request)
    return views.fairness_of(session.table)


@operation("GET", f"{TABLE_PATH}/variant", "variant", *VISIBLE_REFUSALS)
async def own_variant(context: RequestContext, request: Request, _: None) -> protocol.OwnVariant:
    """The variant of a table that is not built in: what is needed to draw its sheet, and its file."""
    session, _hashes = await context.find_visible(request)
    file = session.table.variant_file
    if file is None:
        raise Refused("variant", variants=[])
    return protocol.OwnVariant(views.variant_info(session.table.setup.variant), file)


@operation("GET", f"{TABLE_PATH}/replay", "not-started", "not-over", "record", *VISIBLE_REFUSALS)
async def replay(context: RequestContext, request: Request, _: None) -> protocol.Replay:
    """The positions of a game at every decision; in card games only after the end."""
    session, _hashes = await context.find_visible(request)
    game, code = _public_game(session).copy(), session.table.code
    [encoded] = await context.replay(request, len(game.record()), [game], code)
    return cast("protocol.Replay", encoded)


@operation("POST", "/api/replay", "record", "variant-file")
async def replay_record(context: RequestContext, request: Request, body: protocol.RecordText) -> protocol.Replays:
    """The positions of the games of a record file at every decision."""
    text = body.record.encode("utf-8", "replace")
    own = [parse_upload(body.variant_file)] if body.variant_file is not None else []
    try:
        replays = await context.replay(
            request, len(text), read(text, variants=[*context.registry.offered_variants, *own])
        )
    except RecordError as error:
        raise Refused("record", line=error.line, error=error.code, reason=error.text) from None
    if not replays:
        raise Refused("record", line=0, error="syntax", reason="the record has no game")
    return protocol.Replays(replays)


@operation("POST", "/api/links")
async def link(context: RequestContext, request: Request, body: protocol.LinkRequest) -> protocol.Link:
    """The address of a page for another device, with its QR code."""
    address = links.public_url(str(request.base_url), context.settings) + body.path
    if len(address) > links.MAX_CHARACTERS:
        raise Refused("message", reason=f"the address has more than {links.MAX_CHARACTERS} characters")
    return protocol.Link(address, links.qr_rows(address))


def _public_game(session: TableSession) -> Game:
    """The game; raise a refusal if there are sheets only, or hidden cards, as card games have until they are over."""
    if session.table.game is None:
        raise Refused("not-started")
    if session.table.sheets:
        raise Refused("record", line=0, error="no-dice", reason="these are sheets without dice, not a game")
    if session.table.game.variant.cards and not session.table.game.over:
        raise Refused("not-over")
    return session.table.game
