import pytest

from rowlock import variant_ids
from tests import golden


@pytest.mark.parametrize("variant", variant_ids())
def test_playthrough_is_what_it_was(variant: str) -> None:
    """A change in behaviour shows as a readable diff; if it is meant, run `make golden`."""
    assert golden.playthrough(variant) == (golden.FOLDER / f"{variant}.txt").read_text(encoding="utf-8")


def test_every_variant_has_one() -> None:
    assert {path.stem for path in golden.FOLDER.iterdir()} == set(variant_ids())
