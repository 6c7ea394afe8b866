"""Loads bots as commands name them: `greedy`, `my_bot.py:Patient(limit=2)` or `cmd:./bot`."""

import ast
import copyreg
import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from rowlock.bots.bot import Bot, BotError
from rowlock.bots.process_bot import ProcessBot
from rowlock.bots.registry import find_class
from rowlock.rules.error_text import did_you_mean, quote

COMMAND = "cmd:"
_PACKAGE = Path(__file__).parents[1]
_NAME = re.compile(r"(?P<what>[^(]*?(?:\.py)?(?::\w+)?)(?:\((?P<parameters>.*)\))?", re.DOTALL)


def split_bots(text: str) -> list[str]:
    """The bots of a list such as `greedy,my_bot.py:Patient(limit=2, rows=3)`."""
    return _split(text)


def _split(text: str) -> list[str]:
    """The parts between commas; commas in brackets and quotes do not separate."""
    parts, depth, quotes = [""], 0, ""
    for char in text:
        if quotes or char in "\"'":
            quotes = "" if char == quotes else quotes or char
        depth += 0 if quotes else (char in "([{") - (char in ")]}")
        if char == "," and depth <= 0 and not quotes:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip(" ") for part in parts]


def is_code(name: str) -> bool:
    """Whether a name makes the machine run a file or a command; a name of a registered bot does not."""
    return name.startswith(COMMAND) or ".py" in name.partition("(")[0]


def short_name(name: str) -> str:
    """What a bot is called in reports and records, where a name has at most 40 characters and no quotes."""
    if name.startswith(COMMAND):
        program, _, arguments = name.removeprefix(COMMAND).strip().partition(" ")
        name = f"{Path(program).name} {arguments}"
    elif is_code(name):
        file, _, what = name.partition(".py")
        name = what.removeprefix(":") or Path(file).name
    name = tag_name(name).strip(" ")
    return name if len(name) <= 36 else name[:35] + "…"  # leaves room for a number


def tag_name(name: str) -> str:
    """The name of a bot without the characters that cannot stand in a record."""
    return re.sub(r'[;"\[\]\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]', "'", name)


def load_bots(bots: Sequence[str | Bot], weights: str | Path | None = None) -> list[Bot]:
    """New bots for names; `weights` is a file for all those that have a network and name no file of their own."""
    loaded = [load_bot(bot, weights=weights) if isinstance(bot, str) else bot for bot in bots]
    for bot in loaded:
        if not isinstance(bot, Bot):
            raise BotError(f"a bot is a name or an instance of rowlock.bots.Bot, not {bot!r}")
    if weights is not None and not any(getattr(bot, "weights_file", None) for bot in loaded):
        raise BotError("a file of weights needs a bot with a network, such as champion")
    return loaded


def load_bot(name: str, weights: str | Path | None = None) -> Bot:
    """A new bot: a registered one, one of a Python file, or a command that speaks the line protocol.

    Parameters in brackets go to the class of the bot. `think=SECONDS` is known to every bot that looks ahead.
    """
    if name.startswith(COMMAND):
        if not (command := name.removeprefix(COMMAND).strip()):
            raise BotError("cmd: names no command; it is written like cmd:./bot")
        return ProcessBot(command)
    found = _NAME.fullmatch(name)
    if not found:
        raise BotError(f"{quote(name)!r} is not a bot; it is written like greedy, my_bot.py:Bot(limit=2) or cmd:./bot")
    parameters = read_parameters(found["parameters"] or "", name)
    bot_class = _class_in_file(found["what"]) if is_code(found["what"]) else find_class(found["what"])
    try:
        known = inspect.signature(bot_class).parameters
    except (TypeError, ValueError):
        known = {}  # type: ignore[assignment]
    seconds = parameters.pop("think") if "think" in parameters and "think" not in known else None
    takes_all = any(one.kind is one.VAR_KEYWORD for one in known.values())
    unknown = [] if takes_all else [key for key in parameters if key not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known) or f"; it has {', '.join(known) or 'none'}"
        raise BotError(f"{name}: the bot has no parameter {unknown[0]!r}{hint}")
    if weights is not None and "weights" in known:
        parameters.setdefault("weights", weights)
    bot = _call(name, lambda: bot_class(**parameters))
    if not isinstance(bot, Bot):
        raise BotError(f"the bot {name!r} must be a rowlock.bots.Bot, not {type(bot).__name__}")
    if seconds is None:
        return bot
    if not isinstance(seconds, int | float):
        raise BotError(f"{name}: think is a number of seconds, not {seconds!r}")
    thinking = bot.thinking(seconds)
    if thinking is bot:
        raise BotError(f"{name}: a think time needs a bot that looks ahead, such as champion")
    return thinking


def read_parameters(text: str, name: str) -> dict[str, Any]:
    """The values of `limit=2, rows=[1, 2], file=weights.npz`: Python's literals, and words as they are."""
    parameters: dict[str, Any] = {}
    for part in _split(text) if text.strip() else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value or not key.isidentifier():
            raise BotError(f"{name}: parameters are written like (limit=2, depth=3), not {part!r}")
        if key in parameters:
            raise BotError(f"{name}: the parameter {key} is given twice")
        try:
            parameters[key] = ast.literal_eval({"true": "True", "false": "False"}.get(value, value))
        except (ValueError, SyntaxError):
            parameters[key] = value
    return parameters


# Bots in files


def _class_in_file(where: str) -> Any:
    """The class that `FILE.py:CLASS` names; `FILE.py` is enough if there is only one."""
    file, _, name = where.partition(".py")
    path, name = Path(f"{file}.py"), name.removeprefix(":")
    if not path.is_file():
        raise BotError(f"{path}: there is no such file")
    module = _load_file(path.resolve())
    classes = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    }
    if not name and len(classes) == 1:
        return next(iter(classes.values()))
    if not name:
        found = f"one of {', '.join(classes)}" if classes else "and it has no class that is a rowlock.bots.Bot"
        raise BotError(f"{path}: name the class of the bot, {path}:CLASS; {found}")
    # The class from which bots are derived is usually in the file, too.
    if not hasattr(module, name) or (name not in classes and inspect.isabstract(getattr(module, name))):
        hint = did_you_mean(name, classes) or (f"; there is {', '.join(classes)}" if classes else "")
        raise BotError(f"{path}: has no class {name}{hint}")
    return getattr(module, name)


def _load_file(path: Path) -> ModuleType:
    """The module of a file; files of the same name in several folders are several modules."""
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # for other modules that it imports
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    loader = spec.loader
    assert loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        _call(str(path), lambda: loader.exec_module(module))
    except BotError:
        del sys.modules[name]
        raise
    for value in list(vars(module).values()):
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == name:
            copyreg.pickle(value, _reduce)
    return module


def _reduce(bot: Bot) -> tuple[Any, ...]:
    """How a bot of a file is pickled: other processes load the file themselves."""
    reduced: Any = object.__reduce_ex__(bot, 2)
    _, (bot_class, *arguments), *state = reduced
    file = sys.modules[bot_class.__module__].__file__
    return _restore, (file, bot_class.__qualname__, *arguments), *state


def _restore(file: str, name: str, *arguments: Any) -> Any:
    bot_class = getattr(_load_file(Path(file)), name)
    return bot_class.__new__(bot_class, *arguments)


def _call(name: str, function: Callable[[], Any]) -> Any:
    """Call code of a bot's author; an error names its file and line."""
    try:
        return function()
    except Exception as error:
        raise BotError(f"the bot {name!r} cannot be loaded: {describe(error)}", own_traceback(error)) from error


# Errors in the code of bots


def describe(error: BaseException) -> str:
    """An exception in one line, with the file and line of the bot's own code where it was raised."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        return text  # names them itself
    frames = _own_frames(error)
    return f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else text


def own_traceback(error: BaseException) -> str:
    """The traceback of an exception from the first line of the bot's own code on; empty if there is none."""
    frames = _own_frames(error)
    if not frames and not isinstance(error, SyntaxError):
        return ""
    lines = traceback.format_list(frames) + traceback.format_exception_only(error)
    return "Traceback (most recent call last):\n" + "".join(lines)


def _own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)]
    return frames[frames.index(own[0]) :] if own else []


def _is_own(file: str) -> bool:
    return not file.startswith("<") and _PACKAGE not in Path(file).parents
