"""Page object for tests: a player who uses the page only by what it shows, taps and keys."""

import json
import re
import time
from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, StorageState, WebSocketRoute, expect

from tests.server.serving import Server

PHONE = {"width": 360, "height": 740}
TIMEOUT = 30_000  # milliseconds; long, because the machine may be busy
expect.set_options(timeout=TIMEOUT)
Scheme = Literal["light", "dark"]

DECIDING = '.actions[data-state="deciding"]'

# The next action on the page: confirm, choose a joker's colour, mark a cell, choose a swap field or a card, ask
# for a misthrow and confirm it, or pass.
NEXT = """() => {
  if (document.querySelector('.table.over')) return 'over';
  if (document.querySelector('.confirm-misthrow')) return 'misthrow';
  if (document.querySelector('.actions .primary.wide')) return 'confirm';
  if (document.querySelector('.joker-colours .button')) return 'joker';
  if (document.querySelector('button.cell.selectable')) return 'cell';
  if (document.querySelector('button.swap.selectable')) return 'swap';
  if (document.querySelector('button.playing-card.selectable')) return 'card';
  const buttons = document.querySelectorAll('.actions .buttons .button, .actions .warning');
  if (document.querySelector('.actions').dataset.state !== 'deciding' || buttons.length !== 1) return 'wait';
  return buttons[0].classList.contains('warning') ? 'ask' : 'pass';
}"""

# Taps the first selectable cell or card and confirms, or passes if there is none, until the game is over.
AUTOPLAY = """() => {
  window.autoplay = setInterval(() => {
    const find = (selector) => document.querySelector(selector);
    if (find('.table.over')) return clearInterval(window.autoplay);
    (find('.handover') ?? find('.show-hand'))?.click();
    if (find('.actions')?.dataset.state !== 'deciding') return;
    const button = find('.confirm-misthrow') ?? find('.actions .primary.wide') ?? find('.joker-colours .button')
      ?? find('button.cell.selectable') ?? find('button.swap.selectable') ?? find('button.playing-card.selectable')
      ?? find('.actions .buttons .button, .actions .wide');
    button?.click();
  }, 10);
}"""


class Person:
    """A player with a browser context; errors of its pages are collected in `errors`."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        language: str = "en-GB",
        *,
        scheme: Scheme = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
        size: dict[str, int] | None = None,
        storage: StorageState | None = None,
        service_workers: Literal["allow", "block"] = "block",
        any_certificate: bool = False,
    ) -> None:
        self.browser, self.url, self.language, self.scheme = browser, url, language, scheme
        size = size or PHONE
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            locale=language,
            color_scheme=scheme,
            reduced_motion=motion,
            has_touch=size["width"] < 600,
            storage_state=storage,
            accept_downloads=True,
            service_workers=service_workers,
            ignore_https_errors=any_certificate,
        )
        self.context.set_default_timeout(TIMEOUT)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._on_console)

    def _on_console(self, message: Any) -> None:
        # The browser also logs failed requests and refusals, which the page handles; axe those that fail offline.
        ignored = ("ERR_", "status of 4", "blocked by Playwright", "load preload assets")
        if message.type in ("error", "warning") and not any(text in message.text for text in ignored):
            self.errors.append(message.text)

    def close(self) -> None:
        self.context.close()

    # Navigation

    def open(self, path: str = "/") -> "Person":
        self.page.goto(self.url + path)
        self.page.wait_for_selector("h1, .loading")
        return self

    def sit_down(self, table: str, *names: str) -> "Person":
        """Open a table and take seats there."""
        return self.open(f"/t/{table}").sit_down_here(*names)

    def sit_down_here(self, *names: str) -> "Person":
        for index, name in enumerate(names):
            if index:
                self.page.locator("form .more").click()
            self.page.locator(f"#name-{index}").fill(name)
        self.page.locator("form button[type=submit]").click()
        self.page.wait_for_selector("form", state="detached")
        return self

    def watch(self, server: Server, table: str) -> "Person":
        """Open the invite link of a game that has started."""
        return self.open(f"/t/{table}#{server.invites[table]}").wait_for_table()

    def wait_for_table(self) -> "Person":
        self.page.wait_for_selector(".table")
        return self

    # Playing

    @property
    def next(self) -> str:
        found: str = self.page.evaluate(NEXT)
        return found

    @property
    def over(self) -> bool:
        return self.page.locator(".table.over").count() > 0

    def act(self) -> str:
        """Make the next tap, if there is one; return which."""
        todo = self.next
        if todo == "cell":
            self.page.locator("button.cell.selectable").first.click()
        elif todo == "swap":
            self.page.locator("button.swap.selectable").first.click()
        elif todo == "card":
            self.page.locator("button.playing-card.selectable").first.click()
        elif todo == "joker":
            self.page.locator(".joker-colours .button").first.click()
        elif todo == "confirm":
            self.page.locator(".actions .primary.wide").click()
        elif todo == "ask":
            self.page.locator(".actions .warning").click()
            if not self.page.locator(".confirm-misthrow").count():  # nothing else was possible
                return "misthrow"
        elif todo == "misthrow":
            self.page.locator(".confirm-misthrow").click()
        elif todo == "pass":
            self.page.locator(".actions .buttons .button").first.click()
        return todo

    def is_deciding(self) -> bool:
        return self.page.locator(DECIDING).count() > 0

    def decide(self) -> None:
        """Make exactly one decision, tap by tap."""
        self.wait_to_decide()
        self.page.wait_for_timeout(500)  # the page ignores taps shortly after a decision
        while self.act() not in ("confirm", "misthrow", "pass"):
            pass

    def wait_to_decide(self) -> None:
        self.page.wait_for_selector(f"{DECIDING}, .handover")
        if self.page.locator(".handover").count():  # another person at this device has to decide
            self.page.locator(".handover").click()
            self.page.wait_for_selector(DECIDING)

    def autoplay(self) -> None:
        """Let a script play until the game is over."""
        self.page.evaluate(AUTOPLAY)

    def wait_until(self, condition: Callable[[], Any], seconds: float = TIMEOUT / 1000) -> Any:
        """Process page events until the condition holds; returns what it found."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            assert time.monotonic() < end
            self.page.wait_for_timeout(20)
        return found

    def wait_for_end(self, seconds: float = 180) -> None:
        self.page.wait_for_selector(".table.over", timeout=1000 * seconds)

    # Keyboard

    def tab_to(self, pattern: str, limit: int = 60) -> None:
        """Press Tab until an element whose name matches has the focus."""
        for _ in range(limit):
            name = self.page.evaluate(
                "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
            )
            if re.search(pattern, name):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {pattern!r}")

    # What is shown

    @property
    def status(self) -> Locator:
        return self.page.locator(".status")

    def sees(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()


def refuse_first_hello(one: Person) -> None:
    """Answer the next `hello` of the page as a server of another protocol version would."""
    refused: list[str] = []

    def intercept(route: WebSocketRoute) -> None:
        if refused:
            route.connect_to_server()
            return

        def refuse(message: str | bytes) -> None:
            refused.append(json.loads(message)["id"])
            route.send(json.dumps({"type": "error", "id": refused[0], "code": "version", "values": {}}))

        route.on_message(refuse)

    one.page.route_web_socket(re.compile("/api/socket"), intercept)


def box_of(one: Locator) -> FloatRect:
    """Where an element is on the screen."""
    box = one.bounding_box()
    assert box
    return box


def overlap(one: FloatRect, other: FloatRect) -> bool:
    across = one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
    down = one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
    return across and down
