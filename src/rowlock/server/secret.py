"""Random codes, and hashes of secrets and handover codes; the server stores only the hashes."""

import hashlib
import secrets

# Without characters that look alike: 0 O, 1 I L.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
TABLE_CODE, HANDOVER_CODE = 6, 8


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def new_code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def table_code_of(command: str, attempt: int) -> str:
    """The code of the table that a command creates, derived from its id, so that repeating it finds the table."""
    number = int(hash_of(f"{attempt} {command}"), 16)
    return "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(TABLE_CODE))


def normalize_code(text: str) -> str:
    """A typed code in capitals, without hyphens and spaces."""
    return text.upper().replace("-", "").replace(" ", "")
