"""Limits on raw connections, counted before any request or frame is handled.

uvicorn parses and queues whatever arrives. These subclasses of its protocols count connections per address from the
accept, give a request a deadline and a size, and count WebSocket frames and bytes, control frames included.
"""

import asyncio
import struct
import sys
from contextlib import suppress
from typing import Any

from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN
from websockets.utils import apply_mask

from rowlock.server.limits import ConnectionLimit, RateLimit, network_of
from rowlock.server.refusal import Refused
from rowlock.server.settings import Settings

# The setting `connections_per_address` limits WebSockets. Here all connections count, and a browser opens up to six
# others for a short time when it loads the page.
CONNECTIONS_PER_SOCKET = 4
RESERVED_FILES = 100  # file descriptors for the database, bots and static files
SEND_SECONDS = 30.0  # a device that does not accept a frame in this time is disconnected
ENOUGH_FILES = 1 << 16  # file descriptors; the limit where the system sets none
MAX_WAITING = 8  # messages of a client that may wait before no more are read
POLICY_VIOLATION = 1008  # a close code of WebSockets
LENGTH_BYTES = {126: 2, 127: 8}  # in a frame header: these lengths say that the real one follows in so many bytes


class OpenConnections:
    """Counts the connections of a server, per address and in total."""

    def __init__(self, settings: Settings) -> None:
        # The same parser that decides whose X-Forwarded headers are trusted.
        app: Any = None
        self._proxies = ProxyHeadersMiddleware(app, settings.trusted_proxies).trusted_hosts
        self._limit = ConnectionLimit(settings, CONNECTIONS_PER_SOCKET, max(1, raise_file_limit() - RESERVED_FILES))

    def acquire(self, client: tuple[str, int] | None) -> bool:
        """Count a connection, unless it comes from a trusted proxy: all its clients have the proxy's address."""
        key = self._key(client)
        return key is None or self._limit.acquire(key)

    def release(self, client: tuple[str, int] | None) -> None:
        key = self._key(client)
        if key is not None:
            self._limit.release(key)

    def _key(self, client: tuple[str, int] | None) -> str | None:
        return None if client is None or client[0] in self._proxies else network_of(client[0])


def trust_proxies(app: Any, settings: Settings) -> ProxyHeadersMiddleware:
    """The application, with the client's address taken from the X-Forwarded-For of trusted proxies.

    That is the rightmost address that is no trusted proxy; if all are trusted, the one that the nearest proxy has
    added. The client itself may have written the addresses left of it.
    """
    proxies = ProxyHeadersMiddleware(app, settings.trusted_proxies)
    trusted: Any = proxies.trusted_hosts
    if trusted.always_trust:
        find_leftmost = trusted.get_trusted_client_address
        trusted.get_trusted_client_address = lambda addresses: find_leftmost(addresses.rpartition(",")[2])
    return proxies


def raise_file_limit() -> int:
    """Raise the limit of open files as far as the system allows; returns the new limit."""
    if sys.platform == "win32":
        return ENOUGH_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH_FILES if hard == resource.RLIM_INFINITY else hard
    if soft < wanted:
        with suppress(OSError, ValueError):  # macOS refuses more than a limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return soft


class FrameCounter:
    """Counts the frames that begin in a stream of bytes, by their headers alone (RFC 6455, section 5.2).

    A header has two bytes, then the length if it does not fit into the second byte, then 4 bytes if that byte's highest
    bit says that the payload is masked.
    """

    def __init__(self) -> None:
        self._header = b""  # of the current frame, as far as it has come
        self._payload_left = 0  # bytes of the current frame that have not come yet

    @property
    def between_frames(self) -> bool:
        return not (self._header or self._payload_left)

    def feed(self, data: bytes) -> int:
        """The number of frames whose headers become complete with this data."""
        count, position = 0, 0
        while position < len(data):
            if self._payload_left:
                skipped = min(self._payload_left, len(data) - position)
                self._payload_left -= skipped
                position += skipped
                continue
            missing = self._missing_in_header()
            self._header += data[position : position + missing]
            position += missing
            if not self._missing_in_header():
                count += 1
                length = self._header[1] & 0x7F
                length_bytes = LENGTH_BYTES.get(length, 0)
                self._payload_left = int.from_bytes(self._header[2 : 2 + length_bytes]) if length_bytes else length
                self._header = b""
        return count

    def _missing_in_header(self) -> int:
        """How many bytes of the header have not come yet, as far as that is known."""
        if len(self._header) < 2:
            return 2 - len(self._header)
        length, masked = self._header[1] & 0x7F, self._header[1] >> 7
        return 2 + LENGTH_BYTES.get(length, 0) + 4 * masked - len(self._header)


class Signal:
    """What is needed of an `asyncio.Event`, for one waiter, in a tenth of the memory."""

    __slots__ = ("_set", "_waiter")

    def __init__(self) -> None:
        self._set = False
        self._waiter: asyncio.Future[None] | None = None

    def set(self) -> None:
        self._set = True
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)

    def clear(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        return self._set

    async def wait(self) -> None:
        while not self._set:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None


class MessageQueue:
    """What uvicorn needs of an `asyncio.Queue`, for one reader, in a tenth of the memory."""

    __slots__ = ("_filled", "_messages")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._filled = Signal()

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        self._filled.set()

    async def get(self) -> Any:
        await self._filled.wait()
        message = self._messages.pop(0)
        if not self._messages:
            self._filled.clear()
        return message

    def empty(self) -> bool:
        return not self._messages

    def qsize(self) -> int:
        return len(self._messages)


def whole_text(data: bytes) -> bytes | None:
    """The text, if these bytes of a client are just one frame with a whole text: nearly all are, so that is fast."""
    if len(data) < 6 or data[0] != 0x81 or data[1] < 0x80:
        return None
    length, mask_at = data[1] & 0x7F, 2
    if length == 126:
        length, mask_at = int.from_bytes(data[2:4], "big"), 4
    if length == 127 or len(data) != mask_at + 4 + length:
        return None
    return apply_mask(data[mask_at + 4 :], data[mask_at : mask_at + 4])


def text_frame_header(length: int) -> bytes:
    """The header of the frame of a whole text."""
    if length < 126:
        return bytes((0x81, length))
    return struct.pack("!BBH", 0x81, 126, length) if length < 65536 else struct.pack("!BBQ", 0x81, 127, length)


def make_protocols(settings: Settings) -> tuple[type[HttpToolsProtocol], type[WebSocketsSansIOProtocol]]:
    """The HTTP and WebSocket protocols of a server with these settings.

    Long, because uvicorn makes the objects: only classes defined here can know the settings and the open connections.
    """
    connections = OpenConnections(settings)

    class LimitedHttp(HttpToolsProtocol):
        """A request head and a body have a deadline and a size."""

        _admitted = False
        _timer: asyncio.TimerHandle | None = None
        _unparsed = 0  # bytes that have come since the last complete head, part of a body or request
        _head_size = 0  # bytes of the URL and the headers of this request that are parsed

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._admitted = connections.acquire(self.client)
            if self._admitted:
                self._set_deadline()
            else:
                self._refuse("429 Too Many Requests", "connections")

        def connection_lost(self, exc: Exception | None) -> None:
            self._clear_deadline()
            if self._admitted:
                connections.release(self.client)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            self._unparsed += len(data)
            super().data_received(data)
            # The parser keeps a head until it is complete, however long it grows.
            if self._timer is not None and self._unparsed > settings.head_bytes and not self.transport.is_closing():
                self._refuse("431 Request Header Fields Too Large", "too-large")

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._head_size = 0
            self._set_deadline()

        def on_url(self, url: bytes) -> None:
            self._count_head(len(url))
            super().on_url(url)

        def on_header(self, name: bytes, value: bytes) -> None:
            self._count_head(len(name) + len(value))
            super().on_header(name, value)

        def on_headers_complete(self) -> None:
            self._unparsed = 0
            self._set_deadline()
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._unparsed = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._unparsed = 0
            self._clear_deadline()
            super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            self._clear_deadline()
            super().handle_websocket_upgrade()

        def _count_head(self, size: int) -> None:
            self._head_size += size
            if self._head_size > settings.head_bytes:
                raise ValueError("the head of the request is too long")

        def _set_deadline(self) -> None:
            self._clear_deadline()
            self._timer = self.loop.call_later(settings.request_seconds, self.transport.abort)

        def _clear_deadline(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _refuse(self, status: str, code: str) -> None:
            body = f'{{"code":"{code}","values":{{}}}}'
            self.transport.write(
                f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
                f"connection: close\r\n\r\n{body}".encode()
            )
            self.transport.close()

    class LimitedWebSocket(WebSocketsSansIOProtocol):
        """Counts frames and bytes; a client that sends too many is closed before they are parsed.

        Texts are written together, with one call of the system, once the tasks that run now have sent theirs.
        """

        def __init__(self, config: Config, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
            super().__init__(config, server_state, app_state, _loop)
            self.queue = MessageQueue()  # type: ignore[assignment]
            self._unwritten: list[bytes] = []
            rate = settings.messages_per_second
            self._counter = FrameCounter()
            # Above this it is closed: twice the messages that `Connection` accepts, and as many control frames.
            self._frames = RateLimit(4 * rate, 8 * rate + 100)
            self._bytes = RateLimit(
                2 * rate * settings.message_bytes, 8 * rate * settings.message_bytes + config.ws_max_size
            )

        def connection_lost(self, exc: Exception | None) -> None:
            connections.release(self.client)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            text = None
            if self.handshake_initiated:
                if self._counter.between_frames and not self.frames and self.conn.state is OPEN:
                    text = whole_text(data)
                try:
                    self._bytes.count(cost=len(data))
                    self._frames.count(cost=1 if text is not None else self._counter.feed(data))
                except Refused:
                    self._close_flooder()
                    return
            if text is None:
                super().data_received(data)
            else:
                self.frames, self.curr_msg_data_type = [text], "text"
                self.send_receive_event_to_app()

        def send_receive_event_to_app(self) -> None:
            # To stop reading for every message, as uvicorn does, costs as much as to handle one.
            few = not self.read_paused and self.queue.qsize() < MAX_WAITING
            self.read_paused = self.read_paused or few
            super().send_receive_event_to_app()
            self.read_paused = self.read_paused and not few

        async def send(self, message: Any) -> None:
            if not self.writable.is_set():
                await asyncio.wait_for(self.writable.wait(), SEND_SECONDS)
            text = message.get("text")
            if text is None or self.conn.state is not OPEN or self.close_sent or self.disconnected:
                self._write()
                await super().send(message)
                if message["type"] == "websocket.accept":  # what the handshake has left would stay in memory
                    self.request.headers.clear()  # the parser keeps the request
                    del self.request, self.response, self.scope
                return
            if not self._unwritten:
                self.loop.call_soon(self._write)
            payload = text.encode()
            self._unwritten += (text_frame_header(len(payload)), payload)

        def _write(self) -> None:
            frames, self._unwritten = self._unwritten, []
            if frames and not self.close_sent and not self.transport.is_closing():
                self.transport.write(b"".join(frames))

        def _close_flooder(self) -> None:
            if self.close_sent or self.transport.is_closing():
                return
            self.conn.fail(POLICY_VIOLATION, "too many frames")
            self.queue.put_nowait({"type": "websocket.disconnect", "code": POLICY_VIOLATION})
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()

    return LimitedHttp, LimitedWebSocket
