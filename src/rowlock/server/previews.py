"""Link previews (Open Graph): what messengers and social networks show of a link, in the head of the client's page."""

from html import escape
from typing import NamedTuple

from rowlock.locale import LANGUAGES, localized, translate
from rowlock.server.table import Table

PICTURE = "link-preview.png"  # drawn by tests/browser/icons.py
PICTURE_SIZE = (1200, 630)
ANCHOR = "<title>Rowlock</title>"


class Preview(NamedTuple):
    title: str
    text: str


def site_preview(language: str = "en") -> Preview:
    return Preview("Rowlock", translate(language, "home.about"))


def table_preview(table: Table, language: str) -> Preview | None:
    """The preview of a table that waits for people: its game and its host. None if nobody sits there."""
    host = table.host()
    if host is None:
        return None
    setup = table.setup
    game = localized(setup.variant.name, language)
    if setup.jokers:
        game = translate(language, "games.with-jokers", game=game)
    title = translate(language, "preview.invites", name=table.seats[host].name or "", game=game)
    return Preview(title, translate(language, "preview.join"))


def with_preview(page: str, preview: Preview, site: str | None) -> str:
    """The client's page with a preview; `site` is the URL of the site, without which there is no picture."""
    tags = {"og:type": "website", "og:site_name": "Rowlock", "og:title": preview.title, "og:description": preview.text}
    if site is not None:
        width, height = map(str, PICTURE_SIZE)
        image = f"{site.rstrip('/')}/{PICTURE}"
        tags |= {"og:image": image, "og:image:width": width, "og:image:height": height, "og:image:alt": "Rowlock"}
    lines = [
        f'<meta name="description" content="{escape(preview.text)}" />',
        *(f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()),
        f'<meta name="twitter:card" content="{"summary" if site is None else "summary_large_image"}" />',
    ]
    return page.replace(ANCHOR, "\n    ".join([*lines, ANCHOR]), 1)


def preferred_language(accepted: str) -> str:
    """The first language of a header `Accept-Language` that has a catalogue, else English."""
    tags = [part.strip()[:2].lower() for part in accepted.split(",")]
    return next((tag for tag in tags if tag in LANGUAGES), LANGUAGES[0])
