"""Fixtures: a browser and a server per module. The client has to be built."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from rowlock.server.files import PAGE, STATIC
from tests.browser.chromium import open_browser
from tests.server.serving import Server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert (STATIC / PAGE).is_file(), "the client is not built: python web/bundle.py"
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running
