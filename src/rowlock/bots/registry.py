"""Finds bots by name; packages register theirs in the entry point group `rowlock.bots`."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from rowlock.bots.bot import Bot, BotError
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import Variant

GROUP = "rowlock.bots"
BUILT_IN = ("random", "eager", "rush", "optimal", "greedy", "evolved", "scholar", "champion")  # from the weakest up
LEVELS = ("eager", "rush", "greedy", "evolved", "champion")  # to choose an opponent by: 1 to 5


@cache
def _registered() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def bot_names() -> tuple[str, ...]:
    """Every registered bot, the built-in ones first, from the weakest up."""
    return (*BUILT_IN, *sorted(name for name in _registered() if name not in BUILT_IN))


def ready_bots(variant: Variant, players: int) -> tuple[str, ...]:
    """The bots that a server can offer for such a table now."""
    return tuple(name for name in bot_names() if _is_ready(name, variant, players))


def _is_ready(name: str, variant: Variant, players: int) -> bool:
    try:
        return _cached_bot(name).offered and _cached_bot(name).needs(variant, players) is None
    except Exception:  # noqa: BLE001  # a bot may be third-party code
        return False


@cache
def _cached_bot(name: str) -> Bot:
    """A bot that is only asked what it needs; every game gets a new one."""
    return find_bot(name)


def find_bot(name: str) -> Bot:
    """A new bot, by its name."""
    entry = _registered().get(name)
    if entry is None:
        meant = did_you_mean(name, bot_names()) or f"; there are {', '.join(bot_names())}"
        raise BotError(f"there is no bot {name!r}{meant}")
    try:
        bot = entry.load()()
    except Exception as error:
        raise BotError(f"the bot {name!r} cannot be loaded: {error}") from error
    if not isinstance(bot, Bot):
        raise BotError(f"the bot {name!r} must be a rowlock.bots.Bot, not {type(bot).__name__}")
    return bot
