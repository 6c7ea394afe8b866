"""Draws the icons of web/public from icon.svg: python -m tests.browser.icons"""

import re
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.chromium import open_browser

PUBLIC = Path(__file__).parents[2] / "web" / "public"
# Devices cut maskable icons into any shape: the drawing is inside the circle with 80% of the width.
MASKABLE_SCALE = 0.8
ICONS = (
    ("icon-192.png", 192, "any"),
    ("icon-512.png", 512, "any"),
    ("icon-maskable-192.png", 192, "maskable"),
    ("icon-maskable-512.png", 512, "maskable"),
    ("icon-180.png", 180, "square"),  # iOS rounds the corners itself
)


def drawing(kind: str) -> str:
    """The drawing with rounded corners (any), without them (square), or smaller (maskable)."""
    text = (PUBLIC / "icon.svg").read_text()
    if kind == "any":
        return text
    found = re.fullmatch(r"(?s)(<svg[^>]*>)\s*(<rect[^>]*/>)(.*)</svg>\s*", text)
    assert found
    start, background, rest = found.groups()
    scale = MASKABLE_SCALE if kind == "maskable" else 1
    moved = f'<g transform="translate(32 32) scale({scale}) translate(-32 -32)">{rest}</g>'
    return f"{start}{re.sub(' rx=.[0-9]+.', '', background)}{moved}</svg>"


def draw(browser: Browser, name: str, size: int, kind: str) -> None:
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(drawing(kind))
    page.add_style_tag(content="body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }")
    page.screenshot(path=PUBLIC / name, omit_background=True)
    page.close()


def main() -> None:
    with open_browser() as browser:
        for name, size, kind in ICONS:
            draw(browser, name, size, kind)


if __name__ == "__main__":
    main()
