"""Bots: the base classes, and the registry that finds a bot by its name."""

from rowlock.bots.bot import Bot, BotError, CompiledBot, KernelBot, Stream, compiled_form, data_of
from rowlock.bots.registry import LEVELS, bot_names, find_bot, ready_bots

__all__ = [
    "LEVELS", "Bot", "BotError", "CompiledBot", "KernelBot", "Stream", "bot_names", "compiled_form", "data_of",
    "find_bot", "ready_bots",
]  # fmt: skip
