"""The client's types are those of the protocol."""

import json
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parents[1] / "web"


def test_the_client_speaks_the_protocol() -> None:
    made = subprocess.run([sys.executable, WEB / "protocol.py"], capture_output=True, text=True, check=True).stdout
    assert (WEB / "src" / "protocol.ts").read_text() == made, "python web/protocol.py > web/src/protocol.ts"


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    assert "registry=" not in (WEB / ".npmrc").read_text()
