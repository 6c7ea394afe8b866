"""The variants that tables can play: built in, from the server's directory, or from an uploaded file."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from rowlock.rules.variant import Setup, Variant, VariantError, find_setup, game_names, parse_custom, variant_id
from rowlock.server.refusal import Refused
from rowlock.server.settings import SettingError

UPLOADED = "the file"  # stands for the name of an uploaded file in errors


@lru_cache(maxsize=256)
def parse_file(text: str) -> Variant:
    """The variant that a table's own file describes."""
    return parse_custom(text, UPLOADED)


def setup_of(name: str, variant_file: str | None) -> Setup:
    """The setup of a table: its own variant if it has a file, else a built-in one."""
    if variant_file is None:
        return find_setup(name)
    variant = parse_file(variant_file)
    if variant_id(name) != variant.id:
        raise VariantError(f"the file describes {variant}, not {name!r}")
    return find_setup(name, custom=[variant])


def read_directory(directory: str) -> dict[str, str]:
    """The text of every variant's file in a directory, by id."""
    found: dict[str, str] = {}
    for path in sorted(Path(directory).glob("*.toml")) if directory else []:
        try:
            text = path.read_text(encoding="utf-8")
            variant = parse_custom(text, str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(f"variants: {path} cannot be read: {error}") from None
        except VariantError as error:
            raise SettingError(f"variants: {error}") from None
        if variant.id in found:
            raise SettingError(f"variants: {path}: another file in {directory} has the id {variant.id}")
        found[variant.id] = text
    if directory and not Path(directory).is_dir():
        raise SettingError(f"variants must be a directory, {directory} is none")
    return found


def parse_upload(text: str) -> Variant:
    """The variant that an uploaded file describes; raise a refusal if it describes none."""
    try:
        return parse_file(text)
    except VariantError as error:
        raise Refused("variant-file", reason=str(error).removeprefix(f"{UPLOADED}: ")) from None


def requested_file(name: str, uploaded: str | None, offered: Mapping[str, str]) -> str | None:
    """The file of the variant that a request names, None if it is built in; raise a refusal if there is no such one."""
    if uploaded is not None:
        parse_upload(uploaded)
    file = uploaded if uploaded is not None else offered.get(variant_id(name))
    try:
        if file is None and name not in game_names():
            raise VariantError("a table names no path")
        setup_of(name, file)
    except VariantError:
        raise Refused("variant", variants=[*game_names(), *offered]) from None
    return file
