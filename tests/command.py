"""Runs the command in this process, which is faster than starting a process for every call."""

import io
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from rowlock import cli


def run(*arguments: str | Path, stdin: str = "", encoding: str = "utf-8") -> "subprocess.CompletedProcess[str]":
    """The exit status and output of the command, without a terminal and in English."""
    words = [str(argument) for argument in arguments]
    source = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, newline="\n") for _ in range(2))
    handler = signal.getsignal(signal.SIGINT)
    with (
        mock.patch.multiple(sys, argv=["rowlock", *words], stdin=source, stdout=out, stderr=err),
        mock.patch.dict("os.environ", LANGUAGE="en", COLUMNS="80"),
        pytest.raises(SystemExit) as ended,
    ):
        cli.main()
    signal.signal(signal.SIGINT, handler)
    outputs = []
    for stream in (out, err):
        stream.flush()
        outputs.append(stream.buffer.getvalue().decode())
    return subprocess.CompletedProcess(words, int(ended.value.code or 0), *outputs)
