"""The installed app: it starts without a connection, and new versions take over when the player wants them to."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from rowlock.server import site
from rowlock.server.files import read_built
from rowlock.server.site import write_site
from tests.browser.hosting import Host, next_version
from tests.browser.people import Person, refuse_first_hello
from tests.server.serving import Server

GAMES = 14
CONTROLLED = "() => navigator.serviceWorker.controller?.state === 'activated'"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host(tmp_path) as running:
        write_site(running.directory)
        yield running


def visit(browser: Browser, url: str, language: str = "en-GB") -> Person:
    """A first visit; returns when the app is on the device."""
    one = Person(browser, url, language, service_workers="allow").open("/")
    one.page.wait_for_function(CONTROLLED)
    return one


def start_again(one: Person, path: str = "/") -> Page:
    """Close the app and start it again."""
    one.page.close()
    one.page = one.context.new_page()
    one.page.on("pageerror", lambda error: one.errors.append(str(error)))
    one.page.on("console", one._on_console)
    one.page.goto(one.url + path)
    return one.page


def test_the_app_can_be_installed_and_is_on_the_device_after_one_visit(browser: Browser, server: Server) -> None:
    one = visit(browser, server.url)
    manifest = one.page.evaluate("fetch('manifest.webmanifest').then((answer) => answer.json())")
    icons = [(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]]
    assert icons == [
        ("any", "any"),
        ("192x192", "any"),
        ("512x512", "any"),
        ("192x192", "maskable"),
        ("512x512", "maskable"),
    ]
    for icon in manifest["icons"]:
        size = one.page.evaluate(
            """async (url) => {
              const image = new Image();
              image.src = url;
              await image.decode();
              return image.naturalWidth + 'x' + image.naturalHeight;
            }""",
            icon["src"],
        )
        assert icon["sizes"] in ("any", size)
    errors = one.context.new_cdp_session(one.page).send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors] in ([], ["in-incognito"])
    assert one.errors == []
    one.close()


def test_the_app_starts_without_a_connection(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        one = visit(browser, server.url, "de-DE")
    one.context.set_offline(True)
    page = start_again(one)
    expect(page.locator("h3")).to_have_count(GAMES)
    page.get_by_role("link", name="Regeln", exact=True).click()
    expect(page.locator("main li")).to_have_count(GAMES)
    page = start_again(one, "/rules/longo")
    expect(page.get_by_role("heading", level=1)).to_have_text("Regeln: Longo")
    page = start_again(one, "/settings")
    page.get_by_label("Sprache").select_option("nl")
    expect(page.get_by_role("heading", level=1)).to_have_text("Instellingen")
    assert one.errors == []
    one.close()


def test_requests_to_the_server_are_never_answered_from_the_device(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        one = visit(browser, server.url)
        assert one.page.evaluate("fetch('api/bots').then((answer) => answer.status)") == 200
    for path in ("api/bots", "health", "openapi.json"):
        assert one.page.evaluate("(path) => fetch(path).catch(() => 'no answer')", path) == "no answer"
    cached = one.page.evaluate("""async () => {
      const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      return (await Promise.all(caches_.map((one) => one.keys()))).flat().map(({url}) => new URL(url).pathname);
    }""")
    assert "/local/rowlock.wasm" in cached
    assert [path for path in cached if path.startswith("/api")] == []
    one.close()


def test_weights_are_kept_when_a_game_has_fetched_them(browser: Browser, host: Host) -> None:
    one = visit(browser, host.url)
    first, second = sorted((host.directory / "local" / "weights").iterdir())[:2]
    read = "(name) => fetch('local/weights/' + name).then(async (answer) => (await answer.arrayBuffer()).byteLength)"
    assert one.page.evaluate(read, first.name) == first.stat().st_size
    one.page.wait_for_function("(name) => caches.match(name, {ignoreSearch: true})", arg=f"local/weights/{first.name}")
    host.stop()
    assert one.page.evaluate(read, first.name) == first.stat().st_size
    assert one.page.evaluate(f"(name) => ({read})(name).catch(() => 'no answer')", second.name) == "no answer"
    one.close()


def publish_next_version(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    built = next_version({name: make_content() for name, make_content in read_built().items()})
    monkeypatch.setattr(site, "read_built", lambda: {name: content.__bytes__ for name, content in built.items()})
    write_site(host.directory)


PLAY = re.compile("Play at once|Play now")  # in the new version, in the old one


def tap_reload(page: Page) -> None:
    """On the first page; once more if the old version did not end within 20 s and was loaded again."""
    for _ in range(5):
        with page.expect_navigation(timeout=100_000):
            page.get_by_role("button", name="Reload").click()
        if page.get_by_text(PLAY).inner_text() == "Play at once":
            return


def test_a_new_version_is_used_after_a_tap(browser: Browser, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    one = visit(browser, host.url)
    page = start_again(one)
    notice = page.get_by_text("A new version is ready.")
    expect(page.get_by_text("Play now")).to_be_visible()
    publish_next_version(host, monkeypatch)
    page.reload()
    expect(notice).to_be_visible()
    expect(page.get_by_text("Play now")).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    expect(notice).to_be_visible()
    page.get_by_role("link", name="Back").click()
    tap_reload(page)
    expect(page.get_by_text("Play at once")).to_be_visible()
    expect(notice).to_have_count(0)
    assert one.errors == []
    one.close()


def test_without_a_tap_a_new_version_is_used_from_the_next_start_on(
    browser: Browser, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = visit(browser, host.url)
    publish_next_version(host, monkeypatch)
    page = start_again(one)
    expect(page.get_by_text("A new version is ready.")).to_be_visible()
    expect(page.get_by_text("Play now")).to_be_visible()
    # The old version takes a moment to end, on a busy machine a long one.
    one.wait_until(lambda: start_again(one).get_by_text(PLAY).inner_text() == "Play at once", 240)
    expect(one.page.get_by_text("A new version is ready.")).to_have_count(0)
    one.close()


def test_other_pages_go_on_when_a_new_version_takes_over(
    browser: Browser, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = visit(browser, host.url)
    other = one.context.new_page()
    other.goto(f"{host.url}/rules/longo")
    other.wait_for_selector("table, h2")
    other.evaluate("window.sameDocument = true")
    publish_next_version(host, monkeypatch)
    one.page.reload()
    tap_reload(one.page)
    expect(one.page.get_by_text("Play at once")).to_be_visible()
    assert other.evaluate("window.sameDocument")
    other.get_by_role("link", name="Back").click()
    expect(other.locator("main li")).to_have_count(GAMES)
    assert one.errors == []
    one.close()


def test_a_page_older_than_the_server_is_loaded_again(browser: Browser, server: Server) -> None:
    """From the service worker, if it has nothing newer."""
    one = visit(browser, server.url)
    refuse_first_hello(one)
    one.sit_down(server.create([None, "greedy"]), "Uma").wait_to_decide()
    assert one.errors == []
    one.close()


def test_installing_is_offered_until_it_is_declined(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open()
    offer = """() => {
      const offer = new Event('beforeinstallprompt', {cancelable: true});
      offer.prompt = () => { document.documentElement.dataset.asked = 'yes'; return Promise.resolve(); };
      dispatchEvent(offer);
    }"""
    hint = one.page.get_by_text("Install Rowlock on this device")
    expect(hint).to_have_count(0)
    one.page.evaluate(offer)
    one.page.get_by_role("button", name="Install", exact=True).click()
    one.page.wait_for_selector("html[data-asked=yes]")
    expect(hint).to_have_count(0)
    one.page.evaluate(offer)
    one.page.get_by_role("button", name="Do not show this again").click()
    expect(hint).to_have_count(0)
    one.page.reload()
    one.page.wait_for_selector("h3")
    one.page.evaluate(offer)
    expect(hint).to_have_count(0)
    one.close()
