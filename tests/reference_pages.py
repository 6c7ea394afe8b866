"""Writes the pages of docs/reference that are generated: python -m tests.reference_pages"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from rowlock.cli.commands import app
from rowlock.rules.spaces import Spaces
from rowlock.rules.variant import game_names

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"
HEAD = """\
# Commands

`rowlock COMMAND --help` shows the same in the terminal. This page is generated from the commands (`make docs`).
"""

OBSERVATIONS_PAGE = PAGE.with_name("observations.md")
OBSERVATIONS_HEAD = """\
# Observations

What a player observes in a [batch](../arena.md#arrays) and in the [environments](../environments.md), as whole numbers:
where each field is, for two players. Fields about players have a line per player: the observing player first, the
others in turn order.
For other numbers of players `Spaces` says the same:

```python
from rowlock.rules.spaces import Spaces

spaces = Spaces("classic", 3)
print(spaces.table())                # as below
spaces.size, len(spaces.actions)     # 187 numbers, 45 actions
spaces.action_name(7)                # R8
```

An observation holds nothing that is hidden from the player. The number of an action is its place in `spaces.actions`:
the [action codes](../actions.md) that can occur in the game. This page is generated (`make docs`).
"""


def observations_page() -> str:
    """The fields of the observations of every game; games with the same fields share a table."""
    games: dict[str, list[str]] = {}
    for name in game_names():
        spaces = Spaces(name, 2)
        heading = f"{spaces.size} numbers, {len(spaces.actions)} actions.\n\n{spaces.table()}\n"
        games.setdefault(heading, []).append(name)
    return "\n".join([OBSERVATIONS_HEAD, *(f"## {', '.join(names)}\n\n{text}" for text, names in games.items())])


def commands_page() -> str:
    """Every command with its arguments, options and examples."""
    root: Any = typer.main.get_command(app)
    shown = {f"rowlock {name}": command for name, command in commands()}
    listed = [
        f"| [`{name}`](#{name.replace(' ', '-')}) | {_cell(_about(command)[0])} |" for name, command in shown.items()
    ]
    parts = [HEAD, "| command | what it does |\n|---|---|\n" + "\n".join(listed) + "\n", _section("rowlock", root)]
    parts += [_section(name, command) for name, command in shown.items()]
    return "\n".join(parts)


def commands(path: str = "", group: Any = None) -> Iterator[tuple[str, Any]]:
    """The commands of a group, and of the groups in it, by name; without a group, all."""
    root: Any = group or typer.main.get_command(app)
    for command in root.commands.values():
        name = f"{path}{command.name}"
        if hasattr(command, "commands"):
            yield from commands(f"{name} ", command)
        elif not command.hidden:
            yield name, command


def _section(name: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = [name, "[OPTIONS]" if options else "", *map(_argument, arguments)]
    examples = [one for one in _about(command) if one.startswith("\b")]
    lines = [f"## {name}", "", "```text", " ".join(filter(None, usage)), "```", ""]
    for paragraph in _about(command):
        if paragraph not in examples and not paragraph.startswith("[bold]"):
            lines += [_plain(paragraph), ""]
    rows = [(_argument(one), one) for one in arguments] + [(_option(one), one) for one in options]
    if rows:
        lines += ["| option | what it does |", "|---|---|"]
        lines += [f"| {_code(shown)} | {_cell(one.help or '')}{_default(one)} |" for shown, one in rows]
        lines.append("")
    for example in examples:
        lines += ["```text", *example.splitlines()[1:], "```", ""]
    return "\n".join(lines)


def _about(command: Any) -> list[str]:
    return inspect.cleandoc(command.help).split("\n\n")


def _plain(text: str) -> str:
    """A paragraph of the help, which is Rich's markup, as Markdown."""
    return " ".join(text.split()).replace("\\[", "[")


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _code(text: str) -> str:
    # Renderers disagree about an escaped bar in a code span of a table.
    return f"<code>{text.replace('|', '&#124;')}</code>" if "|" in text else f"`{text}`"


def _argument(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return f"{name}{'...' if argument.nargs == -1 else ''}" if argument.required else f"[{name}]"


def _option(option: Any) -> str:
    names = "/".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    return f"{names} {option.metavar or option.name.upper()}"


def _default(option: Any) -> str:
    if option.default in (None, "", False, True) or option.required:
        return ""
    return f" Default: `{option.default}`."


if __name__ == "__main__":
    PAGE.write_text(commands_page(), encoding="utf-8")
    OBSERVATIONS_PAGE.write_text(observations_page(), encoding="utf-8")
