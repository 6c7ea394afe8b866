"""Drives the Firefox that is installed on the machine, over WebDriver BiDi: Playwright needs a Firefox of its own."""

import base64
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
TIMEOUT = 60  # seconds; long, because the machine may be busy
# Firefox asks Mozilla's servers for nothing.
PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "intl.accept_languages": "en-GB",
}


def find_firefox() -> str | None:
    return os.environ.get("ROWLOCK_FIREFOX") or next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """A tab; errors of its pages are collected in `errors`."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._commands = 0
        self.errors: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._tab = self._send("browsingContext.create", type="tab")["context"]
        self._send("browsingContext.setViewport", context=self._tab, viewport={"width": 360, "height": 740})

    def _send(self, method: str, **parameters: object) -> Any:
        """Send a command and return its result; events that come before it are handled."""
        self._commands += 1
        self._connection.send(json.dumps({"id": self._commands, "method": method, "params": parameters}))
        while (answer := json.loads(self._connection.recv(TIMEOUT))).get("id") != self._commands:
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(answer["params"]["text"])
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url: str) -> None:
        self._send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression; a promise's after it is resolved."""
        target = {"context": self._tab}
        answer = self._send("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + TIMEOUT
        while not self.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < end, f"{condition}: not so after {TIMEOUT} s"
            time.sleep(0.05)

    def tap(self, selector: str) -> None:
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait_for(f"{found} && !{found}.disabled")
        self.evaluate(f"{found}.click()")

    def fill(self, selector: str, text: str) -> None:
        self.tap(selector)
        self.evaluate(f"""(() => {{
          const input = document.querySelector({json.dumps(selector)});
          input.value = {json.dumps(text)};
          input.dispatchEvent(new Event('input', {{bubbles: true}}));
        }})()""")

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._send("browsingContext.captureScreenshot", context=self._tab)["data"]))

    def close(self) -> None:
        self._send("browser.close")


@contextmanager
def open_firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """Start Firefox with an empty profile."""
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("".join(lines))
    command = [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(profile)]
    log = profile / "firefox.log"
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        try:
            with connect(f"{_address(log, process)}/session", max_size=None) as connection:
                firefox = Firefox(connection)
                yield firefox
                firefox.close()
            process.wait(TIMEOUT)
        finally:
            process.kill()


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    """The address that Firefox prints when it listens."""
    end = time.monotonic() + TIMEOUT
    while (found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace"))) is None:
        assert process.poll() is None, log.read_text(errors="replace")
        assert time.monotonic() < end, "Firefox does not listen"
        time.sleep(0.05)
    return found[1]
