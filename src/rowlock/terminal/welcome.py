"""The welcome text of `rowlock`: the server's addresses for this machine and for phones on the network."""

import io
import os
import socket
import sys
import threading
import webbrowser
from urllib.parse import urlsplit

import segno

from rowlock.locale import t
from rowlock.server.links import ALL_INTERFACES, local_network_address
from rowlock.server.settings import Settings

LOOPBACK = "127.0.0.1"


def accepts_others(address: str) -> bool:
    """Whether a server that listens at `address` accepts connections from other machines, on all networks."""
    return urlsplit(address).hostname in ALL_INTERFACES


def local_address(address: str, settings: Settings) -> str:
    """The address to use on this machine for a server that listens at `address`."""
    if settings.base_url or not accepts_others(address):
        return address
    return f"http://{LOOPBACK}:{urlsplit(address).port}/"


def network_address(address: str, settings: Settings) -> str | None:
    """The address for phones on the same network, or None if the server does not accept them."""
    if settings.base_url:
        return settings.base_url
    host = local_network_address() if accepts_others(address) else None
    return f"http://{host}:{urlsplit(address).port}/" if host else None


def welcome_text(address: str, settings: Settings, *, already_running: bool = False) -> str:
    """The server's addresses with a QR code; `already_running` says that another process runs the server."""
    lines = [
        t("terminal.already-open" if already_running else "terminal.open"),
        "",
        f"  {t('terminal.this-machine'):14}  {local_address(address, settings)}",
    ]
    phone_address = network_address(address, settings)
    if phone_address:
        lines += [f"  {t('terminal.local-network'):14}  {phone_address}", "", qr_code(phone_address)]
    if accepts_others(address):
        lines += ["", t("terminal.accepts-others")]
    elif not settings.base_url:
        lines += ["", t("terminal.this-machine-only")]
    return "\n".join(lines if already_running else [*lines, "", t("terminal.ends")])


def qr_code(text: str) -> str:
    """A QR code drawn with half blocks, or an empty text if the output cannot show Unicode."""
    if "utf" not in (sys.stdout.encoding or "").lower():
        return ""
    output = io.StringIO()
    # The lowest level of error correction gives the smallest code.
    segno.make(text, error="l", micro=False).terminal(output, compact=True, border=2)
    return output.getvalue().rstrip("\n")


def free_port(settings: Settings) -> int:
    """The configured port, or 0 (which means any free port) if it is in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK if settings.host in ALL_INTERFACES else settings.host, settings.port))
        except OSError:
            return 0
    return settings.port


def open_browser(address: str) -> None:
    """Open the page in the background if the machine has a screen."""
    has_screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_screen or os.environ.get("BROWSER"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
