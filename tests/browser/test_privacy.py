"""Forget me: a person and their device are forgotten, here and at the server."""

from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.server.serving import Server


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
