"""Links that other devices can open, and their QR codes."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

import segno

from rowlock.server.settings import Settings

MAX_CHARACTERS = 300  # longer addresses make QR codes that are hard to scan
ALL_INTERFACES = ("0.0.0.0", "::")


def local_network_address() -> str | None:
    """The address of this machine on the local network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # any outside address: UDP sends nothing, it only selects the interface
            address: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if ip_address(address).is_loopback or ip_address(address).is_unspecified else address


def public_url(base: str, settings: Settings) -> str:
    """The URL of the server for other devices, without a trailing slash; this device has reached it at `base`."""
    if settings.base_url:
        return settings.base_url.rstrip("/")
    parts = urlsplit(base)
    if settings.host in ALL_INTERFACES and _is_this_machine(parts.hostname or ""):
        address = local_network_address()
        if address is not None:
            port = f":{parts.port}" if parts.port else ""
            return f"{parts.scheme}://{address}{port}"
    return base.rstrip("/")


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def qr_rows(text: str) -> list[str]:
    """The rows of a QR code, where 1 is a dark module and 0 a light one."""
    return ["".join("1" if dark else "0" for dark in row) for row in segno.make(text, error="m", micro=False).matrix]
