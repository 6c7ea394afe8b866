"""The HTTP interface: creating tables, sitting down, handing seats over, records and replays."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from rowlock import __version__
from rowlock.rules.game import Game
from rowlock.rules.notation import RecordError, read
from rowlock.server import commands, links, views
from rowlock.server import protocol as p
from rowlock.server.hall import Hall
from rowlock.server.limits import Rate, address_key
from rowlock.server.live import LiveTable
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of, new_handover_code, read_code
from rowlock.server.storage import StorageFailure, now

BODY_SECONDS = 20.0  # in which a body must have come
REPLAY_COST = 0.005  # requests that a byte of a replayed record counts as
RECORD_TYPE = "text/plain; charset=utf-8"


T = TypeVar("T")


class Desk:
    """What a request is answered with: the hall, and how often an address may ask."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.settings = hall, hall.settings
        self.requests = Rate(self.settings.requests_per_second, 5 * self.settings.requests_per_second)
        self.tables = Rate(self.settings.tables_per_hour / 3600, self.settings.tables_per_hour)
        self._replaying = asyncio.Lock()

    def admit(self, asked: HTTPConnection) -> None:
        """Count a request or a new connection; too many of an address are refused."""
        key = address_key(asked)
        if asked.url.path == "/health":
            key += " health"  # counted apart: a server that is busy is not ill
        if not self.requests.take(key):
            raise Refused("too-fast", seconds=self.requests.wait(key))

    def count_table(self, request: Request) -> None:
        """Count a table that is to be created."""
        key = address_key(request)
        if not self.tables.take(key):
            raise Refused("too-fast", seconds=self.tables.wait(key))

    async def replay(self, request: Request, size: int, make: Callable[[], T]) -> T:
        """Make a replay of so many bytes of record: that takes a while, so it is done aside, one after the other."""
        key, cost = address_key(request), min(size * REPLAY_COST, self.requests.burst / 2)
        if not self.requests.take(key, cost):
            raise Refused("too-fast", seconds=self.requests.wait(key, cost))
        async with self._replaying:
            return await asyncio.to_thread(make)

    async def table(self, request: Request) -> LiveTable:
        return await self.hall.find(request.path_params["table"])


Handler = Callable[[Desk, Request, Any], Awaitable[Any]]


@dataclass(frozen=True)
class Operation:
    """An address, how it is asked and what it answers; routes and the OpenAPI page are made from these."""

    method: str
    path: str
    about: str
    answer: Handler
    gives: type | None  # None for text
    takes: type | None = None
    status: int = 200
    refusals: tuple[str, ...] = ()

    async def __call__(self, desk: Desk, request: Request) -> Response:
        """Answer a request, or refuse it with a code."""
        most = desk.settings.record_bytes if self.takes is p.RecordShown else desk.settings.body_bytes
        body = None if self.takes is None else await _read_body(request, self.takes, most)
        found = await self.answer(desk, request, body)
        if isinstance(found, Response):
            return found
        return Response(p.encoder.encode(found), self.status, media_type="application/json")


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
    body = p.encoder.encode(p.Problem(refused.code, refused.values))
    return Response(body, refused.status, headers, media_type="application/json")


# Answers


async def health(desk: Desk, request: Request, _: None) -> p.Health:
    try:
        await desk.hall.storage.check()
    except StorageFailure:
        raise Refused("storage") from None
    return p.Health("ok", __version__, p.VERSION)


async def variants(desk: Desk, request: Request, _: None) -> p.Variants:
    return views.variants()


async def bots(desk: Desk, request: Request, _: None) -> p.Bots:
    return await asyncio.to_thread(views.bots)


async def create(desk: Desk, request: Request, wish: p.TableWish) -> p.TableMade:
    desk.count_table(request)
    live = await desk.hall.create(wish)
    return p.TableMade(live.table.code)


async def look(desk: Desk, request: Request, _: None) -> Response:
    live = await desk.table(request)
    return Response(live.view(set()), media_type="application/json")


async def join(desk: Desk, request: Request, wish: p.JoinWish) -> p.SeatsTaken:
    live = await desk.table(request)
    names, hashes = [one.name for one in wish.people], [hash_of(one.secret) for one in wish.people]
    seats = [one.seat for one in wish.people]
    await live.submit(lambda table, _: commands.join(table, names, hashes, seats))
    return p.SeatsTaken(live.table.code, [_taken(live, one.secret) for one in wish.people])


def _taken(live: LiveTable, secret: str) -> p.SeatTaken:
    seat = live.table.seat_of(hash_of(secret))
    if seat is None:  # handed over or left in this very moment
        raise Refused("secret")
    return p.SeatTaken(seat, live.table.seats[seat].name or "")


async def hand_over(desk: Desk, request: Request, shown: p.SecretShown) -> p.Handover:
    live = await desk.table(request)
    code, until = new_handover_code(), now() + int(1000 * desk.settings.handover_seconds)
    await live.submit(lambda table, _: commands.offer(table, shown.secret, code, until))
    return p.Handover(code, until)


async def claim(desk: Desk, request: Request, shown: p.Claim) -> p.SeatTaken:
    live = await desk.table(request)
    code = read_code(shown.handover)
    await live.submit(lambda table, at: commands.claim(table, code, shown.secret, at))
    return _taken(live, shown.secret)


async def rematch(desk: Desk, request: Request, shown: p.SecretShown) -> p.TableMade:
    live = await desk.table(request)
    if live.table.rematch is None:
        desk.count_table(request)
    return p.TableMade(await desk.hall.rematch(live, shown.secret))


async def record(desk: Desk, request: Request, _: None) -> Response:
    live = await desk.table(request)
    headers = {"Content-Disposition": f'attachment; filename="{live.table.code}.rlk"'}
    return Response(_open_game(live).record(), media_type=RECORD_TYPE, headers=headers)


async def replay(desk: Desk, request: Request, _: None) -> p.Replay:
    live = await desk.table(request)
    game, code = _open_game(live).copy(), live.table.code
    return await desk.replay(request, len(game.record()), lambda: views.replay_of(game, code))


async def replay_record(desk: Desk, request: Request, shown: p.RecordShown) -> p.Replays:
    text = shown.record.encode("utf-8", "replace")

    def replays() -> list[msgspec.Raw]:
        # Written one by one: writing many at once would hold everybody up.
        return [msgspec.Raw(p.encoder.encode(views.replay_of(game))) for game in read(text)]

    try:
        games = await desk.replay(request, len(text), replays)
    except RecordError as error:
        raise Refused("record", line=error.line, error=error.code, reason=error.text) from None
    if not games:
        raise Refused("record", line=0, error="syntax", reason="there is no game in it")
    return p.Replays(cast("list[p.Replay]", games))


async def link(desk: Desk, request: Request, wish: p.LinkWish) -> p.Link:
    address = links.open_to_others(str(request.base_url), desk.settings) + wish.path
    if len(address) > links.MOST_CHARACTERS:
        raise Refused("message", reason=f"an address of more than {links.MOST_CHARACTERS} characters")
    return p.Link(address, links.qr_rows(address))


def _open_game(live: LiveTable) -> Game:
    """The game, where nothing in it is hidden any more: cards are so until it is over."""
    if live.table.game is None:
        raise Refused("not-started")
    if live.table.game.variant.cards and not live.table.game.over:
        raise Refused("not-over")
    return live.table.game


TABLE = "/api/tables/{table}"
NO_TABLE = ("no-table", "storage")
OPERATIONS = (
    Operation("GET", "/health", "Whether the server is well", health, p.Health, refusals=("storage",)),
    Operation("GET", "/api/variants", "The games that can be played", variants, p.Variants),
    Operation("GET", "/api/bots", "The bots that can sit at a table", bots, p.Bots),
    Operation(
        "POST",
        "/api/tables",
        "Create a table",
        create,
        p.TableMade,
        p.TableWish,
        201,
        ("variant", "bot", "lucky", "id-reused", "storage"),
    ),
    Operation("GET", TABLE, "A table as a spectator sees it", look, p.View, refusals=NO_TABLE),
    Operation(
        "POST",
        f"{TABLE}/seats",
        "Sit down, several people at one device if need be, with secrets of one's own making",
        join,
        p.SeatsTaken,
        p.JoinWish,
        201,
        ("name", "name-taken", "full", "seat-taken", "started", "secret", *NO_TABLE),
    ),
    Operation(
        "POST",
        f"{TABLE}/handover",
        "A one-time code with which another device takes a seat over",
        hand_over,
        p.Handover,
        p.SecretShown,
        201,
        ("secret", *NO_TABLE),
    ),
    Operation(
        "POST",
        f"{TABLE}/claim",
        "Take a seat over with such a code",
        claim,
        p.SeatTaken,
        p.Claim,
        201,
        ("handover", "secret", *NO_TABLE),
    ),
    Operation(
        "POST",
        f"{TABLE}/rematch",
        "A new table with the same players, who keep their secrets; whoever asks first creates it",
        rematch,
        p.TableMade,
        p.SecretShown,
        201,
        ("secret", "not-over", *NO_TABLE),
    ),
    Operation(
        "GET",
        f"{TABLE}/record",
        "What has been revealed, as a record; of a card game once it is over",
        record,
        None,
        refusals=("not-started", "not-over", *NO_TABLE),
    ),
    Operation(
        "GET",
        f"{TABLE}/replay",
        "The game as it stood at every decision; a card game once it is over",
        replay,
        p.Replay,
        refusals=("not-started", "not-over", *NO_TABLE),
    ),
    Operation(
        "POST",
        "/api/replay",
        "The games of a record file as they stood at every decision",
        replay_record,
        p.Replays,
        p.RecordShown,
        refusals=("record",),
    ),
    Operation("POST", "/api/links", "A page as another device opens it, with its QR code", link, p.Link, p.LinkWish),
)
