"""Games on the device itself: without a connection, kept in the browser, in several tabs."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from rowlock import read
from rowlock.server.site import write_site
from tests import command
from tests.browser.hosting import Host
from tests.browser.people import Person
from tests.browser.test_offline import publish_next_version, start_again, tap_reload, visit
from tests.local_games import OWN_VARIANTS
from tests.server.serving import Server

# What a browser does that refuses storage, and one whose storage is full.
REFUSED = "Object.defineProperty(self, 'indexedDB', {get() { throw new DOMException('', 'SecurityError'); }});"
FULL = "IDBObjectStore.prototype.add = () => { throw new DOMException('', 'QuotaExceededError'); };"


def play_now(person: Person) -> Person:
    person.open().page.get_by_role("button", name=re.compile("Play now")).click()
    return person.wait_for_table()


def download_record(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Record").first.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def check_record(path: Path) -> None:
    """`rowlock replay` accepts it, and the game is over."""
    (game,) = read(path)
    assert game.over
    checked = command.run("replay", path)
    assert checked.returncode == 0, checked.stderr


@pytest.fixture(params=["server", "site"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a server, and of the site of `rowlock site` in a folder of a web host."""
    if request.param == "server":
        with Server(tmp_path) as server:
            yield server.url
    else:
        with Host(tmp_path) as host:
            write_site(host.directory)
            yield host.url


def set_up(person: Person, game: str, *names: str) -> Person:
    """Open a game of several people at this device, without pauses between turns."""
    person.page.goto(f"{person.url}/new?game={quote(game)}")
    person.page.locator("#name-0").fill(names[0])
    for index, name in enumerate(names[1:], 1):
        if person.page.locator(f"#player-{index}").count() == 0:
            person.page.get_by_role("button", name="One more seat").click()
        person.page.locator(f"#player-{index}").select_option("here")
        person.page.locator(f"#name-{index}").fill(name)
    person.page.locator("details summary").click()
    person.page.locator("#pause").select_option("0")
    person.page.locator("button[type=submit]").click()
    return person.wait_for_table()


@pytest.mark.parametrize(("game", "decisions", "turn"), [("classic", 3, "Turn 2"), ("cards", 1, "Turn 1")])
def test_whole_games_without_a_connection(
    browser: Browser, place: str, game: str, decisions: int, turn: str, tmp_path: Path
) -> None:
    """From a cold start; the app is closed in the middle and started again: the game goes on from its events."""
    family = visit(browser, place)
    family.context.set_offline(True)
    start_again(family)
    set_up(family, game, "Anna", "Ben")
    assert "/local" in family.page.url
    for _ in range(decisions):
        family.decide()
    expect(family.page.locator("h1 span")).to_contain_text(turn)
    before = family.page.locator("h1 span").inner_text()
    start_again(family)
    family.page.locator("a[href^='local?game=']").click()
    expect(family.wait_for_table().page.locator("h1 span")).to_have_text(before)
    family.autoplay()
    family.wait_for_end()
    record = download_record(family.page, tmp_path)
    check_record(record)
    family.page.goto(f"{family.url}/replay")
    family.page.locator("input[type=file]").set_input_files(record)
    expect(family.page.locator(".sheet")).to_have_count(2)
    assert family.errors == []
    family.close()


def test_an_update_of_the_site_in_the_middle_of_a_game(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on in the page that is open, and in the new version from where it was."""
    with Host(tmp_path) as host:
        write_site(host.directory)
        anna = visit(browser, host.url)
        play_now(anna).decide()
        publish_next_version(host, monkeypatch)
        anna.page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        anna.decide()
        address = anna.page.url.removeprefix(host.url)
        anna.open()
        tap_reload(anna.page)
        anna.sees("Play at once")
        anna.page.goto(host.url + address)
        anna.wait_for_table().decide()
        assert anna.errors == []
        anna.close()


def test_the_champion_plays_without_a_connection(browser: Browser, server: Server) -> None:
    anna = visit(browser, server.url)
    anna.page.goto(f"{server.url}/new?bot=champion")
    anna.page.locator("button[type=submit]").click()
    anna.wait_for_table().context.set_offline(True)
    for _ in range(4):
        anna.decide()
    anna.wait_to_decide()
    assert anna.errors == []
    anna.close()


def test_a_card_game_of_several_people_at_one_device(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Home lists it while it runs; the end offers a replay and a rematch, all without a connection."""
    family = set_up(Person(browser, server.url), "cards+jokers", "Anna", "Ben")
    # Without a service worker the page loads what comes later while it is idle.
    for later in ("GameOver", "Moments", "EndNote", "Replay"):
        family.page.wait_for_function(f"() => performance.getEntries().some((one) => one.name.includes('{later}-'))")
    family.page.locator("header a.button").click()
    family.context.set_offline(True)
    family.page.locator("a[href^='local?game=']").click()
    family.wait_for_table().autoplay()
    family.wait_for_end()
    check_record(download_record(family.page, tmp_path))
    family.page.get_by_role("link", name="Replay").click()
    family.page.wait_for_selector(".sheet")
    family.page.go_back()
    over = family.page.url
    family.page.get_by_role("button", name=re.compile("rematch|again", re.IGNORECASE)).first.click()
    family.page.wait_for_function("over => location.href !== over", arg=over)
    family.wait_for_table()
    assert family.errors == []
    family.close()


def test_two_tabs_show_the_same_game(browser: Browser, server: Server) -> None:
    anna = play_now(Person(browser, server.url))
    other = anna.context.new_page()
    other.goto(anna.page.url)
    other.wait_for_selector(".table")
    anna.decide()
    anna.wait_to_decide()
    expect(other.locator("h1 span")).to_have_text(anna.page.locator("h1 span").inner_text())
    expect(other.locator(".status")).to_have_text(anna.status.inner_text())
    anna.close()


@pytest.mark.parametrize("script", [REFUSED, FULL], ids=["refused", "full"])
def test_without_storage_the_game_goes_on(browser: Browser, server: Server, script: str, tmp_path: Path) -> None:
    anna = Person(browser, server.url)
    # Init scripts do not run in workers: the script of the worker gets the line in front.
    anna.context.route(
        re.compile(r"/assets/worker-.*\.js"),
        lambda route: route.fulfill(response=(found := route.fetch()), body=f"{script}\n{found.text()}"),
    )
    set_up(anna, "classic", "Anna", "Ben")
    expect(anna.page.locator(".notice")).to_contain_text("cannot store the game")
    anna.autoplay()
    anna.wait_for_end()
    check_record(download_record(anna.page, tmp_path))
    anna.close()


@pytest.mark.parametrize("missing", ["WebAssembly", "Worker"])
def test_a_browser_that_cannot_play_here_plays_on_the_server(browser: Browser, server: Server, missing: str) -> None:
    anna = Person(browser, server.url)
    anna.context.add_init_script(f"delete globalThis.{missing}")
    play_now(anna)
    assert re.search(r"/t/[A-Z0-9]+$", anna.page.url)
    anna.open().sees(re.compile("games run on the server"))
    anna.close()


def test_on_a_site_without_a_server_such_a_browser_is_told_so(browser: Browser, tmp_path: Path) -> None:
    with Host(tmp_path) as host:
        write_site(host.directory)
        anna = Person(browser, host.url)
        anna.context.add_init_script("delete globalThis.WebAssembly")
        anna.open().sees(re.compile("This browser cannot play here"))
        anna.page.goto(f"{host.url}/new")
        anna.page.locator("button[type=submit]").click()
        expect(anna.page.get_by_role("alert")).to_contain_text("This browser cannot play here")
        anna.close()


def test_a_connection_that_carries_nothing(browser: Browser, server: Server) -> None:
    """As on a train: requests are not refused, but never answered."""
    anna = visit(browser, server.url)
    anna.context.route("**/api/**", lambda route: None)
    play_now(anna).decide()
    assert "/local" in anna.page.url
    anna.close()


def test_inviting_somebody_opens_a_table_on_the_server(browser: Browser, server: Server) -> None:
    """The menu of a game on the device leads to the set-up with the same choices and a seat by link."""
    family = Person(browser, server.url).open("/new?game=connected-a&bot=rush")
    family.page.locator("#name-0").fill("Anna")
    family.page.locator("#sheet-0").select_option("C")
    family.page.get_by_role("button", name="One more seat").click()
    family.page.locator("#player-2").select_option("here")
    family.page.locator("#name-2").fill("Ben")
    family.page.locator("details summary").click()
    family.page.locator("#pause").select_option("3")
    family.page.locator("button[type=submit]").click()
    family.wait_for_table().page.get_by_role("button", name="Menu").click()
    family.page.get_by_role("button", name="Play with others by link").click()
    page = family.page
    expect(page.locator("input[name=game]:checked")).to_have_value("connected-a")
    people = {"Anna": "C", "Ben": ""}  # in the order of the game
    for index in range(2):
        expect(page.locator(f"#player-{index}")).to_have_value("here")
        assert page.locator(f"#sheet-{index}").input_value() == people.pop(page.locator(f"#name-{index}").input_value())
    expect(page.locator("#player-2")).to_have_value("rush")
    expect(page.locator("#player-3")).to_have_value("link")
    page.locator("details summary").click()
    expect(page.locator("#pause")).to_have_value("3")
    page.locator("button[type=submit]").click()
    page.wait_for_url(re.compile(r"/t/[A-Z0-9]+$"))
    assert family.errors == []
    family.close()


def test_an_own_variant_goes_along_when_somebody_is_invited(browser: Browser, server: Server, tmp_path: Path) -> None:
    (tmp_path / "brief.toml").write_text(OWN_VARIANTS[0])
    anna = Person(browser, server.url).open("/new?bot=rush")
    anna.page.locator("input[type=file]").set_input_files(tmp_path / "brief.toml")
    expect(anna.page.locator("input[name=game]:checked")).to_have_value("brief")
    anna.page.locator("button[type=submit]").click()
    anna.wait_for_table().page.reload()  # so that the set-up has forgotten the file
    anna.wait_for_table().page.get_by_role("button", name="Menu").click()
    anna.page.get_by_role("button", name="Play with others by link").click()
    expect(anna.page.locator("input[name=game]:checked")).to_have_value("brief")
    anna.page.locator("button[type=submit]").click()
    anna.page.wait_for_url(re.compile(r"/t/[A-Z0-9]+$"))
    assert anna.errors == []
    anna.close()


def test_games_are_kept_exported_and_deleted_after_a_question_only(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    anna = Person(browser, server.url)
    anna.context.add_init_script("navigator.storage.persist = async () => localStorage.persistAsked = 'yes'")
    for _ in range(2):
        play_now(anna)
    assert anna.page.evaluate("localStorage.persistAsked") == "yes"
    anna.open("/settings").sees(re.compile("It may still delete them"))
    with anna.page.expect_download() as download:
        anna.page.get_by_role("button", name="Download all records").click()
    download.value.save_as(tmp_path / "rowlock.rlk")
    assert len(list(read(tmp_path / "rowlock.rlk"))) == 2
    anna.open()
    anna.page.get_by_role("button", name=re.compile("Remove table")).first.click()
    anna.page.locator("summary", has_text="1 removed table").click()
    delete = anna.page.get_by_role("button", name=re.compile("Delete table"))
    delete.click()
    anna.sees(re.compile("The game and its record are lost"))
    anna.page.get_by_role("button", name="Delete", exact=True).click()
    expect(delete).to_have_count(0)
    expect(anna.page.locator("a[href^='local?game=']")).to_have_count(1)
    assert anna.errors == []
    anna.close()
