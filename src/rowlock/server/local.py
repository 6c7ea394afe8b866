"""The files with which the browser client needs no server: the kernel, the games, weights and sheets to print.

A server offers them under `/local/`; `rowlock site` writes them to a folder.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from rowlock.bots.registry import is_ready
from rowlock.locale import LANGUAGES
from rowlock.networks.weights import read_weights, weights_path
from rowlock.rules.variant import Variant, find_variant, variant_ids
from rowlock.server import protocol
from rowlock.server.variants import parse_file
from rowlock.server.views import bots_info, variant_info
from rowlock.wasm import BOTS, LAYOUT, MODULE

NETWORK = "champion"
FOLDER = "local/"
WEIGHTS_FOLDER = f"{FOLDER}weights/"
PAPERS = ("a4", "letter")
Content = Callable[[], bytes]


def local_variant(variant: Variant, file: str | None = None) -> protocol.LocalVariant:
    """What a table on a device needs of a variant; `file` is that of a variant that is not built in."""
    identity = None if file is None else variant.identity
    return protocol.LocalVariant(variant_info(variant), list(variant.tables), LAYOUT, identity, file)


def local_files(offered: Mapping[str, str] | None = None) -> dict[str, Content]:
    """Functions that make the contents of all files, by path; `offered` are the server's variants' files by id."""
    own_files = offered or {}
    variants = [*map(find_variant, variant_ids()), *map(parse_file, own_files.values())]

    def variant_content(variant: Variant) -> Content:
        return lambda: protocol.encoder.encode(local_variant(variant, own_files.get(variant.id)))

    weights = _weights_files(variants)
    # The weights are not read before a game needs them.
    return {
        f"{FOLDER}rowlock.wasm": MODULE.read_bytes,
        f"{FOLDER}games.json": lambda: protocol.encoder.encode(_games(variants, weights)),
        **{f"{FOLDER}{variant.id}.json": variant_content(variant) for variant in variants},
        **{path: partial(_weights, variant, mode) for path, (variant, mode) in weights.items()},
        **{
            f"{FOLDER}sheets/{variant.id}-{language}-{paper}.pdf": partial(printed_sheets, variant, language, paper)
            for variant in variants
            for language in LANGUAGES
            for paper in PAPERS
        },
    }


def printed_sheets(variant: Variant, language: str, paper: str) -> bytes:
    """A PDF file with sheets to print."""
    from rowlock.sheets import make_pdf  # most servers are never asked for one

    return make_pdf(variant, language=language, paper=paper)


WeightsFiles = dict[str, tuple[Variant, str]]  # by path: variant and mode


def _weights_files(variants: Sequence[Variant]) -> WeightsFiles:
    """The files with the champion's weights; a hash in the name allows browsers to keep them."""
    return {
        f"{WEIGHTS_FOLDER}{variant.id}-{mode}-{_weights_hash(weights_path(NETWORK, variant))}.bin": (variant, mode)
        for variant in variants
        for mode, players in (("solo", 1), ("several", 2))
        if is_ready(NETWORK, variant, players)
    }


@lru_cache(64)
def _weights_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10]


def _weights(variant: Variant, mode: str) -> bytes:
    """The champion's weights, in half precision."""
    return read_weights(weights_path(NETWORK, variant))[mode].astype("<f2").tobytes()


def _games(variants: Sequence[Variant], weights_files: WeightsFiles) -> protocol.LocalGames:
    weights: dict[str, dict[str, str]] = {}
    for path, (variant, mode) in weights_files.items():
        weights.setdefault(variant.id, {})[mode] = path
    return protocol.LocalGames([variant_info(variant) for variant in variants], local_bots(variants), weights)


def local_bots(variants: Iterable[Variant]) -> protocol.Bots:
    """The bots that can play on a device."""
    return bots_info(variants, lambda variant, players: [bot for bot in BOTS if is_ready(bot, variant, players)])
