"""People with phones: they look at the page, tap and type, and know nothing else."""

import re
import time
from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, StorageState, expect

PHONE = {"width": 360, "height": 740}
PATIENCE = 30_000  # milliseconds, for whatever is to come: a busy machine is no fault
expect.set_options(timeout=PATIENCE)
Scheme = Literal["light", "dark"]

DECIDING = '.actions[data-state="deciding"]'

# What a player sees to do next: the confirming button, a joker's colour, the sheet's cells, cards, the passing button.
NEXT = """() => {
  if (document.querySelector('.table.over')) return 'over';
  if (document.querySelector('.actions .main.wide')) return 'confirm';
  if (document.querySelector('.asks .button')) return 'joker';
  if (document.querySelector('button.cell.can')) return 'cell';
  if (document.querySelector('button.playing-card.can')) return 'card';
  if (document.querySelector('.actions .warn.wide')) return 'misthrow';
  const buttons = document.querySelectorAll('.actions .buttons .button');
  if (document.querySelector('.actions').dataset.state === 'deciding' && buttons.length === 1) return 'pass';
  return 'wait';
}"""

# A player in a hurry: taps the first cell or card that can be had, confirms, passes where there is none.
HURRY = """() => {
  window.hurry = setInterval(() => {
    const find = (selector) => document.querySelector(selector);
    if (find('.table.over')) return clearInterval(window.hurry);
    find('.held .open')?.click();
    if (find('.actions')?.dataset.state !== 'deciding') return;
    const button = find('.actions .main.wide') ?? find('.asks .button') ?? find('button.cell.can')
      ?? find('button.playing-card.can') ?? find('.actions .buttons .button, .actions .wide');
    button?.click();
  }, 10);
}"""


class Person:
    """Somebody at a device of their own; what goes wrong on its pages is kept."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        language: str = "en-GB",
        *,
        scheme: Scheme = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
        size: dict[str, int] | None = None,
        memory: StorageState | None = None,
    ) -> None:
        self.browser, self.url, self.language, self.scheme = browser, url, language, scheme
        size = size or PHONE
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            locale=language,
            color_scheme=scheme,
            reduced_motion=motion,
            has_touch=size["width"] < 600,
            storage_state=memory,
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        # A server that is away or says no is told by the browser, too; the page has to deal with it.
        if message.type == "error" and "ERR_" not in message.text and "status of 4" not in message.text:
            self.errors.append(message.text)

    def close(self) -> None:
        self.context.close()

    # Going somewhere

    def open(self, path: str = "/") -> "Person":
        self.page.goto(self.url + path)
        self.page.wait_for_selector("h1, .wait")
        return self

    def sit_down(self, table: str, *names: str) -> "Person":
        """Open the link of a table and take a seat there."""
        return self.open(f"/t/{table}").sit_down_here(*names)

    def sit_down_here(self, *names: str) -> "Person":
        for index, name in enumerate(names):
            if index:
                self.page.locator("form .button.plain").click()
            self.page.locator(f"#name-{index}").fill(name)
        self.page.locator("form button[type=submit]").click()
        self.page.wait_for_selector("form", state="detached")
        return self

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
        """One tap, if there is one to make."""
        todo = self.next
        if todo == "cell":
            self.page.locator("button.cell.can").first.click()
        elif todo == "card":
            self.page.locator("button.playing-card.can").first.click()
        elif todo == "joker":
            self.page.locator(".asks .button").first.click()
        elif todo == "confirm":
            self.page.locator(".actions .main.wide").click()
        elif todo == "misthrow":
            self.page.locator(".actions .warn.wide").click()
        elif todo == "pass":
            self.page.locator(".actions .buttons .button").first.click()
        return todo

    def is_deciding(self) -> bool:
        return self.page.locator(DECIDING).count() > 0

    def decide(self) -> None:
        """Make one decision, tap by tap; where nobody else is waited for the next one may be open at once."""
        self.wait_to_decide()
        self.page.wait_for_timeout(500)  # a tap so soon after the last decision would not count
        while self.act() not in ("confirm", "misthrow", "pass"):
            pass

    def wait_to_decide(self) -> None:
        self.page.wait_for_selector(DECIDING)

    def hurry(self) -> None:
        """Play on alone and fast from here."""
        self.page.evaluate(HURRY)

    def wait_until(self, found: Callable[[], object]) -> None:
        """Let the page go on until something outside of it is so."""
        end = time.monotonic() + PATIENCE / 1000
        while not found():
            assert time.monotonic() < end
            self.page.wait_for_timeout(20)

    def wait_for_end(self, seconds: float = 180) -> None:
        self.page.wait_for_selector(".table.over", timeout=1000 * seconds)

    # By keyboard

    def reach(self, pattern: str, most: int = 60) -> None:
        """Tab until something of that name has the focus."""
        for _ in range(most):
            name = self.page.evaluate(
                "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
            )
            if re.search(pattern, name):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {pattern!r}")

    # Looking

    @property
    def sentence(self) -> Locator:
        return self.page.locator(".sentence")

    def sees(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()
