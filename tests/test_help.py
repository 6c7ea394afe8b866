"""`--help` of every command."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from rowlock.cli.commands import app


def commands(command: Any, *path: str) -> Iterator[Any]:
    """A command and all commands below it."""
    yield pytest.param(command, path, id=" ".join(("rowlock", *path)))
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, *path, name)


@pytest.mark.parametrize(("command", "path"), [*commands(typer.main.get_command(app))])
def test_help(command: Any, path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows the usage, what the command does, every argument and the purpose of every option."""
    monkeypatch.setenv("COLUMNS", "80")
    found = CliRunner().invoke(app, [*path, "--help"], prog_name="rowlock")
    assert found.exit_code == 0, found.output
    assert " ".join(("Usage: rowlock", *path)) in found.output
    assert command.help
    assert inspect.cleandoc(command.help).splitlines()[0] in " ".join(found.output.split())
    for parameter in command.params:
        if parameter.name == "help":
            continue
        names = parameter.opts if parameter.param_type_name == "option" else [parameter.metavar or parameter.name]
        assert all(name in found.output for name in names)
        assert parameter.param_type_name == "argument" or parameter.help, names
        assert parameter.param_type_name == "argument" or parameter.is_flag or parameter.metavar, names
    lines = found.output.splitlines()[1:]
    assert not [line for line in lines if len(line) > 80 or line.endswith("...")], "cut off"
    assert not re.search(r"<\w|<=|>=|\d{8}|\\", found.output), "types of Python, limits of 19 digits, markup"
