"""What the server reads in the records of the conformance suite, for a comparison with the browser.

python -m tests.local_records FILE
"""

import sys
from pathlib import Path

import msgspec

from conformance import suite
from rowlock.rules.notation import RecordError, read_all
from rowlock.rules.variant import find_variant, variant_ids
from rowlock.server import protocol
from rowlock.server.local import local_variant
from rowlock.server.views import replay_of


class Case(msgspec.Struct):
    """The record of one game, and its replay or the place and the code of its error."""

    name: str
    record: str
    replay: protocol.Replay | None
    error: tuple[int, str] | None


def cases() -> list[Case]:
    """Files with one game, since the client splits those with several, in UTF-8, as browsers read them."""
    found = []
    for path in (case.record for case in suite.cases()):
        text, results = path.read_bytes().decode(errors="replace"), list(read_all(path))
        if len(results) != 1 or "\ufffd" in text:
            continue
        (result,) = results
        if isinstance(result, RecordError):
            found.append(Case(path.stem, text, None, (result.line, result.code)))
        else:
            found.append(Case(path.stem, text, replay_of(result), None))
    return found


def write_records(path: Path) -> int:
    """Write the cases and the variants; return how many cases there are."""
    found = cases()
    variants = [local_variant(find_variant(name)) for name in variant_ids()]
    path.write_bytes(protocol.encoder.encode({"variants": variants, "cases": found}))
    return len(found)


if __name__ == "__main__":
    write_records(Path(sys.argv[1]))
