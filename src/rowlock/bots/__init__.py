"""Bots: the base classes, the registry that finds a bot by its name, and bots of files and commands."""

from rowlock.bots.bot import Bot, BotError, CompiledBot, KernelBot, LostDecision, compiled_form, data_of
from rowlock.bots.loading import load_bot
from rowlock.bots.process_bot import ProcessBot
from rowlock.bots.registry import LEVELS, bot_names, find_bot, ready_bots
from rowlock.bots.stream import Stream

memory_of = data_of  # its name before 1.0

__all__ = [
    "LEVELS", "Bot", "BotError", "CompiledBot", "KernelBot", "LostDecision", "ProcessBot", "Stream", "bot_names",
    "compiled_form", "data_of", "find_bot", "load_bot", "memory_of", "ready_bots",
]  # fmt: skip
