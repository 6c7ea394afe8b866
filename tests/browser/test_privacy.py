"""Forget me: a person and their device are forgotten, here and at the server."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.browser.test_fairness import CHECKED
from tests.server.serving import Server
from tests.server.test_privacy import stored_bytes


def test_a_device_forgets_everything(browser: Browser, server: Server) -> None:
    table = server.create(2)
    one = Person(browser, server.url).sit_down(table, "Zaphod")
    page = one.page
    expect(page.get_by_text("Zaphod").first).to_be_visible()
    assert [seat["name"] for seat in server.ask(f"/api/tables/{table}").json["seats"]] == ["Zaphod", None]

    one.open("/settings")
    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget me").click()
    expect(page).to_have_url(f"{server.url}/")
    assert [seat["name"] for seat in server.ask(f"/api/tables/{table}").json["seats"]] == [None, None]
    expect(page.get_by_text("Zaphod")).to_have_count(0)
    assert "Zaphod" not in page.evaluate("JSON.stringify(localStorage)")
    assert one.errors == []
    one.close()


def test_a_device_forgets_a_game_that_is_over(browser: Browser, tmp_path: Path) -> None:
    """The name is gone from every byte of the database; the others see another name, and their dice stay fair."""
    with Server(tmp_path) as server:
        table = server.create(2)
        zaphod, ben = (Person(browser, server.url).sit_down(table, name) for name in ("Zaphod", "Ben"))
        for one in (zaphod, ben):
            one.wait_for_table().autoplay()
        for one in (zaphod, ben):
            one.wait_for_end()
            one.sees(CHECKED)
        assert b"Zaphod" in stored_bytes(tmp_path)
        zaphod.open("/settings")
        zaphod.page.get_by_role("button", name="Forget me").click()
        zaphod.page.get_by_role("dialog").get_by_role("button", name="Forget me").click()
        expect(zaphod.page).to_have_url(f"{server.url}/")
        assert b"Zaphod" not in stored_bytes(tmp_path)
        ben.page.reload()
        ben.sees(re.compile("Player [12]"))
        ben.sees(CHECKED)
        expect(ben.page.get_by_text("Zaphod")).to_have_count(0)
        assert zaphod.errors == ben.errors == []
        for one in (zaphod, ben):
            one.close()
