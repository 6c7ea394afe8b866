"""Random codes and ids, and hashes of secrets and handover codes; the server stores only the hashes."""

import hashlib
import secrets

# Without characters that look alike: 0 O, 1 I L. New codes have no vowels either, so that they are no words.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
NEW_ALPHABET = "23456789BCDFGHJKMNPQRSTVWXZ"
TABLE_CODE_LENGTH, HANDOVER_CODE_LENGTH = 6, 8


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def new_id() -> str:
    """A new id of a command."""
    return secrets.token_hex(8)


def new_code(length: int) -> str:
    return "".join(secrets.choice(NEW_ALPHABET) for _ in range(length))


def table_code_of(request_id: str, attempt: int) -> str:
    """The code of the table that a request creates, derived from its id: the same request again finds the table.

    `attempt` counts the codes that belong to other tables. The code is the end of a hash, written in base 27.
    """
    number, base = int(hash_of(f"{attempt} {request_id}"), 16), len(NEW_ALPHABET)
    return "".join(NEW_ALPHABET[number // base**exponent % base] for exponent in range(TABLE_CODE_LENGTH))


def normalize_code(text: str) -> str:
    """A typed code in capitals, without hyphens and spaces."""
    return text.upper().replace("-", "").replace(" ", "")
