"""The button "Print sheets": a PDF file of every game, own variants included."""

from pathlib import Path

from playwright.sync_api import Browser
from pypdfium2 import PdfDocument

from rowlock.server.site import write_site
from tests.browser.hosting import Host
from tests.browser.people import Person
from tests.server.serving import Server
from tests.server.test_own_variants import OWN


def printed(person: Person) -> str:
    """The text of the sheets that the button of a page gives."""
    with person.page.expect_download() as download:
        person.page.get_by_role("button", name="Zettel drucken").click()
    assert download.value.suggested_filename.startswith("rowlock-")
    return str(PdfDocument(download.value.path())[0].get_textpage().get_text_range())


def test_sheets_of_a_game_of_the_server(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url, "de-DE").open("/rules/cards+jokers")
    text = printed(one)
    assert "Kartenspiel" in text
    assert "Summe" in text
    assert one.errors == []
    one.close()


def test_sheets_of_an_own_variant(browser: Browser, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(OWN, encoding="utf-8")
    one = Person(browser, server.url, "de-DE").open("/new")
    one.page.locator("input[type=file]").set_input_files(file)
    one.page.get_by_role("radio", name="Brief", checked=True).wait_for()
    one.page.get_by_text("Mehr", exact=True).click()
    assert "Brief" in printed(one)
    assert one.errors == []
    one.close()


def test_sheets_on_a_site_without_a_server(browser: Browser, tmp_path: Path) -> None:
    with Host(tmp_path) as host:
        write_site(host.directory)
        one = Person(browser, host.url, "de-DE").open("/rules/longo")
        assert "Longo" in printed(one)
        assert one.errors == []
        one.close()
