"""The log of the server: lines of text, or of JSON for programs that collect logs. It goes to standard error."""

import logging
import sys
from datetime import UTC, datetime

import msgspec

# At lower levels these libraries log frames, and frames hold secrets.
QUIET = ("websockets", "uvicorn.error", "alembic", "asyncio", "sqlalchemy")


class JsonFormatter(logging.Formatter):
    """A line with time, level, logger and message, and `exception` with the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": f"{datetime.fromtimestamp(record.created, UTC):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(fields).decode()


class _NoiseFilter(logging.Filter):
    """Drops messages with which strangers could fill the log: refused WebSockets, invalid requests and frames."""

    TEXTS = ("without completing handshake", "Invalid HTTP request", "Invalid UTF-8 sequence")

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        # uvloop raises this when an answer is written to a client that has just disconnected.
        disconnected = isinstance(error, RuntimeError) and "the handler is closed" in str(error)
        return not disconnected and not any(text in record.getMessage() for text in self.TEXTS)


def set_up_log(style: str) -> None:
    """Write the log as `plain` text or as `json`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else logging.Formatter("%(levelname)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_NoiseFilter())
