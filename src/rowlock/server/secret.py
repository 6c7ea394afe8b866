"""Codes, drawn from the system's randomness, and hashes: of secrets and handover codes nothing else is kept."""

import hashlib
import secrets

# No look-alikes: no 0 O, 1 I L.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
TABLE_CODE, HANDOVER_CODE = 6, 8


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def new_code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def table_code_of(command: str, attempt: int) -> str:
    """The code of the table that a command creates: always the same one, so that it is created once."""
    number = int(hash_of(f"{attempt} {command}"), 16)
    return "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(TABLE_CODE))


def read_code(text: str) -> str:
    """A code as people type it: small letters and hyphens or spaces in it do not matter."""
    return text.upper().replace("-", "").replace(" ", "")
