"""Draws the icons of web/public from icon.svg, and the picture of link previews: python -m tests.browser.icons"""

import base64
import re
from pathlib import Path

from playwright.sync_api import Browser

from rowlock.server.previews import PICTURE, PICTURE_SIZE
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


def preview() -> str:
    """Four half-filled rows beside the name."""
    rows = [("#d43b2a", "#9c2316", range(2, 11)), ("#f2b62c", "#7a5200", range(2, 11))]
    rows += [("#1f8550", "#115a35", range(12, 3, -1)), ("#3265d4", "#1f449e", range(12, 3, -1))]
    marked = [(0, 3, 5, 8), (1, 4, 6), (0, 2, 5, 7), (1, 3, 6, 8)]
    cells = []
    for row, (fill, ink, numbers) in enumerate(rows):
        for place, number in enumerate(numbers):
            cross = place in marked[row]
            inner = f'<path d="m28 28 38 38m0-38-38 38" stroke="{ink}" stroke-width="11" stroke-linecap="round"/>'
            white = "#1f2330" if fill == "#f2b62c" else "#fff"
            text = f'<text x="47" y="62" font-size="44" text-anchor="middle" fill="{white}">{number}</text>'
            cells.append(
                f'<g transform="translate({95 + 28 * row + 106 * place} {232 + 94 * row})">'
                f'<rect width="94" height="84" rx="22" fill="{"#fff" if cross else fill}"/>'
                f"{inner if cross else text}</g>"
            )
    return (
        '<svg viewBox="0 0 1200 630"><rect width="1200" height="630" fill="#25324b"/>'
        '<text x="90" y="150" font-size="124" fill="#fff">Rowlock</text>'
        f"{''.join(cells)}</svg>"
    )


def draw_preview(browser: Browser) -> None:
    font = base64.b64encode((PUBLIC.parent / "node_modules" / ".rowlock" / "nunito.woff2").read_bytes()).decode()
    page = browser.new_page(viewport={"width": PICTURE_SIZE[0], "height": PICTURE_SIZE[1]})
    page.set_content(preview())
    face = f"@font-face {{ font-family: Nunito; src: url(data:font/woff2;base64,{font}); font-weight: 200 1000 }}"
    page.add_style_tag(
        content=f"{face} body {{ margin: 0 }} svg {{ display: block }} text {{ font-family: Nunito; font-weight: 800 }}"
    )
    page.evaluate("document.fonts.ready")
    page.screenshot(path=PUBLIC / PICTURE)
    page.close()


def main() -> None:
    with open_browser() as browser:
        draw_preview(browser)
        for name, size, kind in ICONS:
            draw(browser, name, size, kind)


if __name__ == "__main__":
    main()
