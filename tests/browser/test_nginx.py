"""The sample for nginx in a browser: a game over TLS, at the root and at a path of a site."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.server.serving import Server
from tests.server.test_deploy import NGINX, OPENSSL, free_ports, nginx


@pytest.mark.skipif(not NGINX or not OPENSSL, reason="needs nginx and openssl (apt install nginx-light openssl)")
@pytest.mark.parametrize("path", ["/", "/games/rowlock/"])
def test_a_game_in_the_browser_through_nginx(browser: Browser, tmp_path: Path, path: str) -> None:
    """From the first page to the check of the dice, with a reload in the middle; the link for others has the path."""
    http_port, https_port = free_ports(2)
    site = f"https://localhost:{https_port}{path}"
    with (
        Server(tmp_path, base_url=site, trusted_proxies="127.0.0.1") as server,
        nginx(tmp_path, server.port, [http_port, https_port], path),
    ):
        anna = Person(browser, site.rstrip("/"), any_certificate=True)
        anna.open("/").page.get_by_role("link", name="Learn").first.wait_for()
        table = server.create([None, "random"])
        anna.sit_down(table, "Anna").wait_for_table()
        anna.page.reload()
        anna.wait_for_table().autoplay()
        anna.wait_for_end()
        anna.sees("follow from the secrets of all players")
        anna.page.get_by_role("link", name="Replay").click()
        expect(anna.page).to_have_url(f"{site}t/{table}/replay")
        assert anna.errors == []
        anna.close()
