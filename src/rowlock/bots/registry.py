"""Finds bots by name; packages register theirs in the entry point group `rowlock.bots`."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from rowlock.bots.bot import Bot, BotError
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import Variant

GROUP = "rowlock.bots"
BUILT_IN = ("random", "eager", "rush", "optimal", "greedy", "evolved", "scholar", "champion")  # weakest first
LEVELS = ("eager", "rush", "greedy", "evolved", "champion")  # the opponents of levels 1 to 5


@cache
def _registered() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def bot_names() -> tuple[str, ...]:
    """The names of all registered bots: the built-in ones, weakest first, then the others by name."""
    return (*BUILT_IN, *sorted(name for name in _registered() if name not in BUILT_IN))


def ready_bots(variant: Variant, players: int) -> tuple[str, ...]:
    """The names of the bots that a server can offer now for a game of this variant and size."""
    return tuple(name for name in bot_names() if is_ready(name, variant, players))


def is_ready(name: str, variant: Variant, players: int) -> bool:
    """Whether a server can offer this bot now."""
    try:
        return _cached_bot(name).offered and _cached_bot(name).needs(variant, players) is None
    except Exception:  # noqa: BLE001  # a bot may be third-party code
        return False


@cache
def _cached_bot(name: str) -> Bot:
    """A bot to call `needs` on; every game gets a new bot."""
    return find_bot(name)


def find_bot(name: str) -> Bot:
    """A new bot, by the name with which it is registered."""
    try:
        bot = find_class(name)()
    except BotError:
        raise
    except Exception as error:
        raise BotError(f"the bot {name!r} cannot be loaded: {error}") from error
    if not isinstance(bot, Bot):
        raise BotError(f"the bot {name!r} must be a rowlock.bots.Bot, not {type(bot).__name__}")
    return bot


def find_class(name: str) -> Any:
    """What makes a registered bot, usually its class."""
    entry = _registered().get(name)
    if entry is None:
        hint = did_you_mean(name, bot_names()) or f"; there are {', '.join(bot_names())}"
        raise BotError(f"there is no bot {name!r}{hint}")
    try:
        return entry.load()
    except Exception as error:
        raise BotError(f"the bot {name!r} cannot be loaded: {error}") from error
