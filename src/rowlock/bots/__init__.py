"""Bots: the base classes, and the registry that finds a bot by its name."""

from rowlock.bots.bot import Bot, BotError, CompiledBot, KernelBot, Stream, compiled_form, data_of
from rowlock.bots.registry import LEVELS, bot_names, find_bot, ready_bots

memory_of = data_of  # its name before 1.0

__all__ = [
    "LEVELS", "Bot", "BotError", "CompiledBot", "KernelBot", "Stream", "bot_names", "compiled_form", "data_of",
    "find_bot", "memory_of", "ready_bots",
]  # fmt: skip
