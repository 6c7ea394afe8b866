"""Own variants in a browser: a file is chosen when the table is opened."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests import command
from tests.browser.people import Person
from tests.browser.test_played import share
from tests.server.serving import Server
from tests.server.test_own_variants import OWN


def test_an_uploaded_variant_is_played_by_two_people(browser: Browser, tmp_path: Path) -> None:
    """The server restarts in the middle; record and file are downloaded, and replayed on the command line and here."""
    file = tmp_path / "mine.toml"
    with Server(tmp_path) as server:
        eva, finn = Person(browser, server.url), Person(browser, server.url, "de-DE")
        eva.open("/new").page.get_by_text("More", exact=True).click()
        chooser = eva.page.locator("input[type=file]")
        file.write_text(OWN.replace("cost = 3", "cost = 300"), encoding="utf-8")
        chooser.set_input_files(file)
        alert = eva.page.get_by_role("alert")
        expect(alert).to_contain_text("mine.toml: This file cannot be played: misthrow_cost must be a whole")
        file.write_text(OWN, encoding="utf-8")
        chooser.set_input_files(file)
        expect(eva.page.get_by_role("radio", name="Brief")).to_be_checked()
        expect(alert).to_have_count(0)
        eva.page.get_by_label("Name on seat 1").fill("Eva")
        eva.page.get_by_role("button", name="Open the table").click()
        eva.page.wait_for_url("**/t/*")
        table = eva.page.url.rsplit("/", 1)[1]
        finn.sit_down(table, "Finn")
        for person in (eva, finn):
            person.wait_to_decide()
        server.stop()
        server.start()
        for person in (eva, finn):
            expect(person.page.locator(".notice")).to_have_count(0)
            person.autoplay()
        for person in (eva, finn):
            person.wait_for_end()
            assert person.errors == []
        files = []
        for name in ("Download the record", "Download the game's file"):
            with eva.page.expect_download() as downloading:
                eva.page.get_by_role("button", name=name).click()
            files.append(tmp_path / downloading.value.suggested_filename)
            downloading.value.save_as(files[-1])
        record, own = files
        assert own.name == "brief.toml"
        shown = command.run("replay", "--variant-file", own, record)
        assert shown.returncode == 0, shown.stderr
        assert "Eva" in shown.stdout
        eva.open("/replay")
        eva.page.locator("input[type=file]").set_input_files([record, own])
        expect(eva.page.locator(".controls")).to_contain_text("Brief")
        for person in (eva, finn):
            person.close()


def test_sheets_and_seats_of_an_uploaded_variant_are_chosen(browser: Browser, tmp_path: Path) -> None:
    """What depends on the game is shown for a game that was not there when the page was opened."""
    file = tmp_path / "mine.toml"
    file.write_text(OWN + '[sheets.A]\nsteps = ["R4"]\n[sheets.B]\nsteps = ["R8"]\n', encoding="utf-8")
    with Server(tmp_path) as server:
        eva = Person(browser, server.url).open("/new")
        eva.page.locator("input[type=file]").set_input_files(file)
        expect(eva.page.get_by_role("radio", name="Brief")).to_be_checked()
        eva.page.get_by_role("button", name="One more seat").click()
        expect(eva.page.get_by_label("Sheet on seat 3")).to_have_value("")
        for seat in (2, 3):
            eva.page.get_by_label(f"Seat {seat}", exact=True).select_option("greedy")
        eva.page.get_by_label("Sheet on seat 1").select_option("B")
        eva.page.get_by_role("button", name="Open the table").click()
        expect(eva.page.locator(".own-sheet .letter")).to_have_text("Sheet B")
        assert eva.errors == []
        eva.close()


def test_a_link_carries_the_rules_of_an_own_game(browser: Browser, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(OWN, encoding="utf-8")
    eva = Person(browser, server.url).open("/new")
    eva.context.grant_permissions(["clipboard-read", "clipboard-write"])
    eva.page.locator("input[type=file]").set_input_files(file)
    expect(eva.page.get_by_role("radio", name="Brief")).to_be_checked()
    eva.page.get_by_role("button", name="Take seat 2 away").click()
    eva.page.get_by_role("button", name="Open the table").click()
    eva.wait_for_table().autoplay()
    eva.wait_for_end()
    result, link = share(eva)
    assert result.startswith("Brief: Player: ")  # she has given no name
    finn = Person(browser, server.url, "de-DE")
    finn.page.goto(link)
    expect(finn.page.get_by_role("heading", level=2).first).to_have_text(re.compile("^Spieler"))
    expect(finn.page.locator(".controls")).to_contain_text("Brief")
    expect(finn.page.locator(".sheet")).to_have_count(1)
    assert eva.errors + finn.errors == []
    eva.close()
    finn.close()
