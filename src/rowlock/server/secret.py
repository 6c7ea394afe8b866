"""Codes and secrets: drawn from the system's randomness, kept only as hashes."""

import hashlib
import secrets

# No look-alikes: no 0 O, 1 I L.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
TABLE_CODE, HANDOVER_CODE = 6, 8


def new_secret() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def new_table_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(TABLE_CODE))


def new_handover_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(HANDOVER_CODE))


def read_code(text: str) -> str:
    """A code as people type it: small letters and hyphens or spaces in it do not matter."""
    return text.upper().replace("-", "").replace(" ", "")
