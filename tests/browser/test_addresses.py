"""Addresses of pages: links relative to the base of the site, the query, and the link that skips to the content."""

from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.server.serving import Server


def test_links_lead_from_any_page_to_any_other(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open("/rules/longo")
    page = one.page
    page.get_by_role("link", name="Play it").click()
    expect(page).to_have_url(f"{server.url}/new?game=longo")
    expect(page.get_by_role("radio", name="Longo")).to_be_checked()  # the rules have a link back, too
    page.get_by_role("link", name="Back").click()
    expect(page).to_have_url(f"{server.url}/")
    page.go_back()
    expect(page.get_by_role("radio", name="Longo")).to_be_checked()
    assert one.errors == []
    one.close()


def test_another_query_is_another_page(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open("/new?game=longo")
    longo, double = one.page.get_by_role("radio", name="Longo"), one.page.get_by_role("radio", name="Double A")
    expect(longo).to_be_checked()
    one.page.evaluate("""() => {
      const link = document.body.appendChild(document.createElement('a'));
      link.href = 'new?game=double-a';
      link.click();
    }""")
    expect(double).to_be_checked()
    expect(one.page.locator("main")).to_be_focused()
    one.page.go_back()
    expect(longo).to_be_checked()
    one.close()


def test_the_first_link_skips_to_the_content_of_this_page(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open("/rules/longo")
    one.page.wait_for_selector("h1")
    one.page.keyboard.press("Tab")
    expect(one.page.get_by_text("Skip to the content")).to_be_focused()
    one.page.keyboard.press("Enter")
    expect(one.page.locator("main")).to_be_focused()
    expect(one.page).to_have_url(f"{server.url}/rules/longo")
    one.close()


def test_a_page_that_cannot_be_loaded_can_be_tried_again(browser: Browser, server: Server) -> None:
    """At once and after a link: the page says so, and the others go on working."""
    one = Person(browser, server.url)
    page, heading = one.page, one.page.get_by_role("heading", level=1)
    page.route("**/assets/Settings*.js", lambda route: route.abort())
    one.open("/settings")
    expect(heading).to_have_text("The server cannot be reached right now.")
    page.get_by_role("link", name="Home").click()
    expect(heading).to_have_text("Rowlock")
    page.get_by_role("link", name="Settings").click()
    expect(heading).to_have_text("The server cannot be reached right now.")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(heading).to_have_text("Settings")
    one.close()
