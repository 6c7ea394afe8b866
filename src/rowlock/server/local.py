"""The files with which the browser client plays without a server: `rowlock.wasm`, the games and the champion's weights.

A server offers them under `/local/`; `rowlock site` writes them to a folder.
"""

from collections.abc import Iterable, Mapping

from rowlock.bots import find_bot
from rowlock.networks.weights import missing_weights, mode_of, read_weights, weights_path
from rowlock.rules.variant import Variant, find_variant, variant_ids
from rowlock.server import protocol
from rowlock.server.variants import parse_file
from rowlock.server.views import bots_info, variant_info
from rowlock.wasm import BOTS, MODULE

FOLDER = "local/"


def local_variant(variant: Variant, file: str | None = None) -> protocol.LocalVariant:
    """What a table on a device needs of a variant; `file` is that of a variant that is not built in."""
    identity = None if file is None else variant.identity
    return protocol.LocalVariant(variant_info(variant), list(variant.tables), identity, file)


def local_files(offered: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """The contents of all files by path; `offered` has the files of variants that are not built in, by id."""
    own_files = offered or {}
    variants = [*map(find_variant, variant_ids()), *map(parse_file, own_files.values())]
    files = {f"{FOLDER}rowlock.wasm": MODULE.read_bytes()}
    weights: dict[str, dict[str, str]] = {}
    for variant in variants:
        local = local_variant(variant, own_files.get(variant.id))
        files[f"{FOLDER}{variant.id}.json"] = protocol.encoder.encode(local)
        for mode, content in _champion_weights(variant).items():
            path = f"{FOLDER}weights/{variant.identity[:12]}-{mode}.bin"
            files[path] = content
            weights.setdefault(variant.id, {})[mode] = path
    games = protocol.LocalGames([variant_info(variant) for variant in variants], local_bots(variants), weights)
    files[f"{FOLDER}games.json"] = protocol.encoder.encode(games)
    return files


def _champion_weights(variant: Variant) -> dict[str, bytes]:
    """The champion's weights by mode, in half precision."""
    modes = {mode_of(players): players for players in (1, 2)}
    if find_bot("champion").needs(variant, 1) and find_bot("champion").needs(variant, 2):
        return {}
    arrays = read_weights(weights_path("champion", variant))
    found = {mode: arrays[mode] for mode, players in modes.items() if not missing_weights("champion", variant, players)}
    return {mode: array.astype("<f2").tobytes() for mode, array in found.items()}


def local_bots(variants: Iterable[Variant]) -> protocol.Bots:
    """The bots that can play on a device."""
    return bots_info(variants, lambda variant, players: [bot for bot in BOTS if _is_ready(bot, variant, players)])


def _is_ready(bot: str, variant: Variant, players: int) -> bool:
    return find_bot(bot).needs(variant, players) is None
