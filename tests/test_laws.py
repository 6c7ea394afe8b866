"""The laws of the family as properties: they hold at every moment of every game of every variant."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rowlock import Game, find_variant, testing
from rowlock.rules.variant import find_setup, game_names
from tests.effort import EFFORT, QUICK

FEW = settings(
    max_examples={"soak": 1000, "full": 25, "quick": 4}[EFFORT],
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=EFFORT != "soak",
)
VARIANTS = pytest.mark.parametrize("variant", game_names())


def played(variant: str, players: int, seed: int, events: int) -> Game:
    """A random game after so many events, or at its end."""
    game = Game(variant, players, seed=seed)
    rng = random.Random(seed)
    for _ in range(events):
        if not game.over:
            testing.step(game, rng)
    return game


@VARIANTS
@FEW
@given(players=st.integers(1, 5), seed=st.integers(0, 2**63 - 1), events=st.integers(0, 200))
def test_laws_of_a_moment(variant: str, players: int, seed: int, events: int) -> None:
    game = played(variant, players, seed, events)
    for law in testing.MOMENT_LAWS:
        testing.check_law(law, game)


@VARIANTS
@FEW
@given(players=st.integers(1, 5), seed=st.integers(0, 2**63 - 1))
def test_laws_of_a_step(variant: str, players: int, seed: int) -> None:
    game = Game(variant, players, seed=seed)
    rng = random.Random(seed)
    while not game.over:
        before = game.copy()
        testing.step(game, rng)
        for law in testing.STEP_LAWS:
            testing.check_law(law, before, game)


@VARIANTS
@FEW
@given(players=st.integers(1, 5), seed=st.integers(0, 2**63 - 1))
def test_game_always_ends(variant: str, players: int, seed: int) -> None:
    """Every turn marks a cell or a misthrow for the active player: four misthrows or full sheets end it."""
    game = Game(variant, players, seed=seed)
    rng = random.Random(seed)
    played = find_setup(variant).variant
    rows = played.rows + played.fields
    most = players * (sum(map(len, rows)) + 4)
    while not game.over:
        assert game.turn <= most
        testing.step(game, rng)
    alone = [sheet.locks for sheet in game.sheets] if game.variant.cards else [game.closed]
    assert game.reason == ("rows" if max(map(len, alone)) >= 2 else "misthrows")
    assert game.reason == "rows" or max(sheet.misthrows for sheet in game.sheets) == 4


@VARIANTS
def test_undo_leads_back_to_the_start(variant: str) -> None:
    game = Game(variant, 3, seed=5)
    path = []
    rng = random.Random(5)
    while not game.over:
        path.append(game.copy())
        testing.step(game, rng)
    while path:
        game.undo()
        assert game == path.pop()
    with pytest.raises(ValueError, match="nothing has happened yet"):
        game.undo()


@VARIANTS
def test_the_kit_passes_built_in_variants(variant: str) -> None:
    testing.check_variant(variant, games={"soak": 20, "full": 2, "quick": 1}[EFFORT])


def test_the_kit_names_the_law_that_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has the law, the variant, what was wrong, and the record up to that point."""
    monkeypatch.setattr(Game, "winners", property(lambda game: (9,)))
    with pytest.raises(AssertionError) as broken:
        testing.check_variant("cards+jokers", games=1)
    assert str(broken.value).splitlines()[:3] == [
        "the law 'totals are sums' fails at cards+jokers: A total is the sum of its parts, and the score is the total.",
        "assert game.winners == (tuple(best) if game.over else None)",
        '[Variant "cards"]',
    ]


@pytest.mark.parametrize(("verb", "law"), [("chance", "the game goes on"), ("play", "options can be played")])
def test_the_kit_names_the_variant_whose_game_stops(verb: str, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise IndexError("out of range")

    monkeypatch.setattr(Game, verb, fail)
    with pytest.raises(AssertionError, match=f"the law '{law}' fails at longo: ") as broken:
        testing.check_variant("longo", games=1)
    assert 'IndexError: out of range\n[Variant "longo"]' in str(broken.value)


def test_the_kit_reads_records_of_the_variant_it_plays() -> None:
    """Also where a built-in game has the same name."""
    classic = find_variant("classic")
    testing.check_variant(replace(classic, rows=find_variant("mixx-b").rows), games=2)


@VARIANTS
def test_turns_after_the_first_ones(variant: str) -> None:
    """`turns_after` returns the same turns as `turns`, without the first ones."""
    game, rng = Game(variant, 3, seed=1), random.Random(1)
    while not game.over:
        testing.step(game, rng)
        for completed in range(0, game.turns_completed + 1, 7 if QUICK else 1):
            assert list(game.turns_after(completed)) == list(game.turns)[completed:]
