"""The champion: features, decisions, look-ahead, weights and training."""

import os
import random
import subprocess
import sys
from dataclasses import dataclass, fields, replace
from functools import partialmethod
from pathlib import Path

import numpy as np
import pytest

from rowlock import Game, arena, find_variant, parse, testing, variant_ids
from rowlock.bots import BotError, data_of, find_bot
from rowlock.bots.champion import Champion, LookaheadChampion, choose
from rowlock.fast.workspace import FLOATS, make_buffers
from rowlock.networks import card_features, features, network, rollout, weights
from rowlock.networks.evaluation import state_value
from rowlock.networks.weights import WeightsError
from rowlock.rules import chance, hidden_cards, kernel
from rowlock.rules.determinization import determinize
from rowlock.rules.game import View
from rowlock.rules.variant import Variant, find_setup, game_names
from rowlock.train import gpu
from rowlock.train.run import output_path
from rowlock.train.training import Training, TrainingConfig, TrainingError, row_symmetries
from tests.effort import QUICK
from tests.positions import EMPTY, position

CARDS = [name for name in game_names() if find_setup(name).variant.cards]
CLASSIC_SIZE = network.weights_size(find_variant("classic").tables)


def decision(game: Game, seat: int) -> str:
    view = game.view(seat)
    return find_bot("champion").decide(view, list(view.options), random.Random(1))


def played(variant: str, players: int, seed: int, bot: str = "greedy") -> list[View]:
    """What the players of a game saw before their decisions."""
    views, player = [], find_bot(bot)
    game = Game(variant, players, seed=seed)
    while not game.over:
        if not game.to_act:
            game.chance()
        for seat in game.to_act:
            views.append(game.view(seat))
            game.play(seat, player.decide(views[-1], list(views[-1].options), random.Random(game.turn)))
    return views


@pytest.mark.parametrize("variant", game_names())
def test_features_are_different_numbers_in_range(variant: str) -> None:
    for view in played(variant, 3, seed=2):
        found = [0] * features.MAX_FEATURES
        count = features.features(list(view.state), view.variant.tables, kernel.sheet_at(view.seat or 0), found, 0)
        assert len(set(found[:count])) == count
        assert all(0 <= feature < features.ALL_FEATURES for feature in found[:count])


def test_a_row_is_one_feature_and_a_closed_row_counts_its_marks() -> None:
    own, found = "R5 Y- G- B- x0", [0] * features.MAX_FEATURES
    for other, row in (
        (EMPTY, 4 * 5 // 2 + 1),  # the next cell of R is the fifth, one mark
        ("R2,3,4,5,6,12# Y- G- B- x0", features.OPEN_STATES + 1),
    ):
        view = position("classic", [own, other]).view(0)
        assert features.features(list(view.state), view.variant.tables, kernel.sheet_at(0), found, 0) == 5
        assert found[:4] == [row, features.ROW_STATES, 2 * features.ROW_STATES, 3 * features.ROW_STATES]


def hand_features(view: View, player: int, *, own: bool) -> list[int]:
    found = [0] * card_features.MAX_FEATURES
    return found[: card_features.features(list(view.state), view.variant.tables, player, own, found, 0)]


@pytest.mark.parametrize("variant", CARDS)
def test_features_of_hands_are_different_numbers_in_range(variant: str) -> None:
    for view in played(variant, 3, seed=2):
        for player in range(3):
            for own in (True, False):
                found = hand_features(view, player, own=own)
                assert len(set(found)) == len(found)
                assert all(0 <= feature < card_features.FEATURES for feature in found)


def cell_sets(kind: int, *rows: int) -> list[int]:
    return [(kind * kernel.ROWS + row) * card_features.CELL_SETS + cells for row, cells in enumerate(rows) if cells]


def test_cards_are_seen_as_the_next_cells_that_they_could_mark() -> None:
    """Ann has r2 r4 b12 y9 and has taken g3; 2, 5, 11 and 12 lie beside the pile with its 7, which Ben takes next."""
    first = "r2 r3 r4 g12 b12 b7 y9 y6 g3 g5 y11 y12 y2 r7"
    rest = [f"{colour}{number}" for colour in "rygb" for number in range(2, 13)]
    deck = " ".join([*first.split(), *(card for card in rest if card not in first.split())])
    game = parse(f'[Variant "cards"]\n[Players "Ann; Ben"]\n[Deck "{deck}"]\n1. g3 7: - -')
    found = hand_features(game.view(0), 0, own=True)
    own = [
        *cell_sets(card_features.KNOWN, 0b101, 0, 0, 0b1),
        card_features.F_SIZE + 5,
        card_features.F_UNLISTED + 2,
        card_features.F_STAGE + 1,
    ]
    assert sorted(found) == sorted(own)
    numbers = {number: 1 << number - 2 for number in range(2, 13)}
    held = numbers[3] | numbers[6] | numbers[7]  # of r3 g12 b7 y6, in rows that begin with 2; 12 is too far away
    assert cell_sets(card_features.OTHER_NUMBERS, held, held)[0] in hand_features(game.view(0), 1, own=False)
    assert cell_sets(card_features.OTHER_DISPLAY, numbers[2] | numbers[5])[0] in hand_features(
        game.view(0), 1, own=False
    )


@pytest.mark.parametrize("variant", CARDS)
def test_hidden_colours_change_nothing(variant: str) -> None:
    """Any deal of the cards that a seat does not see gives the same evaluation and the same decision."""
    rng, played_variant = random.Random(1), find_setup(variant).variant
    tables, network_weights = played_variant.tables, data_of(Champion, played_variant, 2)[1]
    views = played(variant, 2, seed=6)
    for view in views[:: len(views) // 9]:
        seat = view.seat or 0
        deals = [determinize(view.variant, view.players, view.state, rng) for _ in range(4)]
        assert len({game.hands[1 - seat] for game in deals}) > 1
        assert len({decision(game, seat) for game in deals}) == 1
        values = {
            network.evaluate(
                game._state,
                tables,
                seat,
                network.ODDS,
                make_buffers()[0][2],
                network_weights,
                np.zeros(FLOATS, np.float32),
            )
            for game in deals
        }
        assert len(values) == 1


CASES = [("classic", 2), ("bonus-b", 3), ("longo", 1), ("big-points", 2), *((name, 2) for name in CARDS), ("cards", 1)]


@pytest.mark.parametrize(("variant", "players"), CASES)
def test_interpreted_and_compiled_decisions_are_the_same(variant: str, players: int) -> None:
    views = played(variant, players, seed=3)
    for view in views[:: max(1, len(views) // 8)]:
        assert view.seat is not None
        options = list(view.options)
        actions = [view.options[option] for option in options]
        memory = data_of(Champion, view.variant, players)
        place = choose(
            list(view.state), view.variant.tables, view.seat, actions, len(actions), 0, make_buffers(), (memory,)
        )
        assert options[place] == find_bot("champion").decide(view, options, random.Random(1))


def test_hidden_decisions_of_others_change_nothing() -> None:
    """A view is all a bot gets; the open decision of another seat is not in it."""
    for seed in range(5):
        game = Game("classic", 2, seed=seed)
        game.roll()
        before = decision(game, 1)
        game.play(0, list(game.view(0).options)[-1])
        assert decision(game, 1) == before


def test_it_ends_the_game_when_that_wins_and_not_when_that_loses() -> None:
    """Ann can lock a second row with R12: worth it when ahead, not when far behind."""
    ann = "R2,3,4,5,6,7 Y2,3,4,5,6,7 G- B- x0"
    for rest, ahead in (("G- B-", True), ("G12,11,10,9,8,7,6,5,4 B12,11,10,9,8,7,6,5,4", False)):
        game = position("classic", [ann, f"R- Y2,3,4,5,6,7,12# {rest} x0"], "66-1.11")
        assert (game.scores[0] > game.scores[1]) == ahead
        assert "R12#" in game.options(0)
        assert (decision(game, 0) == "R12#") == ahead


def test_it_beats_greedy_and_evolved() -> None:
    for other, least in (("greedy", 0.72), ("evolved", 0.58)):
        result = arena.match(["champion", other], games=2000, seed=1)
        assert result.path == "compiled"
        assert result.bots[0].win_rate > least


@pytest.mark.parametrize("variant", CARDS)
def test_with_cards_it_beats_greedy(variant: str) -> None:
    result = arena.match(["champion", "greedy"], variant, games=200 if QUICK else 1000, seed=1)
    assert result.path == "compiled"
    assert result.bots[0].win_rate > 0.65


def test_alone_it_plays_for_points() -> None:
    assert (arena.match(["champion"], games=1000, seed=1).bots[0].mean or 0) > 112


@pytest.mark.parametrize("variant", ["classic", "cards"])
def test_look_ahead_is_reproducible_with_the_same_samples(variant: str) -> None:
    views = [view for view in played(variant, 2, seed=4) if len(view.options) > 2][:6]
    for view in views:
        options = list(view.options)
        first, second = (LookaheadChampion(9, samples=32).decide(view, options, random.Random(5)) for _ in range(2))
        assert first == second
        assert first in options


def test_look_ahead_needs_what_the_champion_needs() -> None:
    for variant in map(find_variant, ("classic", "cards")):
        for one in (variant, replace(variant, id="mine")):
            assert LookaheadChampion(1).needs(one, 2) == find_bot("champion").needs(one, 2)


def unclear(views: list[View], phase: str) -> list[View]:
    return [view for view in views if view.phase == phase and len(view.options) > 1]


def pile_left(view: View) -> int:
    assert view.cards
    return view.cards.pile


def played_on(view: View, option: str, turns: int, seed: int, sample: int) -> Game:
    """A sampled game of a view, some turns after its seat took an option; all play as the champion."""
    state, pile = list(view.state), [0] * kernel.MAX_CARDS
    hidden_cards.sample(state, view.variant.tables, chance.game_key(seed, sample), chance.game_salt(seed, sample), pile)
    game = Game(view.variant, view.players, seed=seed, number=sample, jokers=view.jokers)
    game._state = state + pile
    for player in game.to_act:
        game.play(player, option if player == view.seat else decision(game, player))
    while not game.over and not (game.phase == "deal" and game.turn > view.turn + turns):
        testing.cards_are_somewhere_once(game)
        if not game.to_act:
            game.chance()
        for player in game.to_act:
            game.play(player, decision(game, player))
    return game


def position_value(game: Game, seat: int) -> float:
    network_weights = data_of(Champion, game.variant, len(game.players))[1]
    found = state_value(game._state, game.variant.tables, seat, (*make_buffers()[0], network_weights), None)
    return float(rollout.win_chance_or_points(found, len(game.players)))


def test_roll_outs_with_cards_are_games_among_champions() -> None:
    """Hidden cards are sampled, every option gets the same cards, and an empty pile is shuffled again."""
    turns, renewed = 6, False
    for variant, players in (("cards", 2), ("cards-mixx-b+jokers", 5), ("cards-mixx-a", 1)):
        views = played(variant, players, seed=4)
        for phase in ("take", "white", "play"):
            among = unclear(views, phase)
            for view in (among[len(among) // 3], min(among, key=pile_left)):
                options = list(view.options)[:2]
                actions = np.array([view.options[option] for option in options], np.int64)
                starts = rollout.rollout_starts(view, actions)
                _, network_weights = data_of(Champion, view.variant, players)
                found = rollout.roll_out(view, starts, actions, network_weights, turns, 2, 7, first_sample=5)
                games = [[played_on(view, option, turns, 7, sample) for option in options] for sample in (5, 6)]
                expected = [[position_value(game, view.seat or 0) for game in row] for row in games]
                assert found == pytest.approx(np.array(expected), abs=1e-6)
                renewed |= any("~" in str(turn) for row in games for game in row for turn in game.turns)
    assert renewed


def test_a_think_time_is_checked_and_causes_no_forfeit() -> None:
    for seconds in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(BotError, match=f"86,400 seconds, not {seconds:g}"):
            arena.match(["greedy", "eager"], games=1, think=seconds)
    for variant in ("classic", "cards+jokers"):
        names = ["champion", "greedy", "greedy"]
        result = arena.match(names, variant, games=1, seed=1, think=0.001, move_timeout=120)  # on a busy machine
        assert result.path == "plain"
        assert not result.forfeits
    assert find_bot("greedy").thinking(1.0).__class__.__name__ == "Greedy"


def test_all_weights_are_there_and_small() -> None:
    files = sorted(weights.SHIPPED.glob("*.npz"))
    assert sum(file.stat().st_size for file in files) < 5_000_000
    for variant in map(find_variant, variant_ids()):
        for players in (1, 2):
            found = weights.load_weights("champion", variant, players, network.weights_size(variant.tables))
            assert found.dtype == np.float32


def test_damaged_weights_are_an_error_of_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setenv("ROWLOCK_HOME", str(tmp_path))
    classic = find_variant("classic")
    path = weights.weights_path("champion", classic)

    def load(players: int = 2) -> None:
        weights.load_weights("champion", classic, players, CLASSIC_SIZE)

    with pytest.raises(WeightsError, match=r"^champion has no weights for classic yet: rowlock train classic$"):
        load()
    path.parent.mkdir()
    path.write_bytes(b"PK\3\4 nonsense")
    with pytest.raises(WeightsError, match=r"champion-classic-b4b7d70f8a5a.npz: the weights are damaged: .*"):
        load()
    path.unlink()
    weights.save_weights(path, "several", np.zeros(7, np.float32))
    with pytest.raises(WeightsError, match=r"finite numbers are needed"):
        load()
    with pytest.raises(WeightsError, match=r"rowlock train classic --solo$"):
        load(players=1)
    whole = np.zeros(CLASSIC_SIZE, np.float32)
    weights.save_weights(path, "several", whole)
    load()
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(WeightsError, match=r"damaged"):
        load()


def test_weights_belong_to_the_data_of_a_variant(home: Path) -> None:
    """After a change of the rules old weights are not used; a new name alone changes nothing."""
    own = replace(find_variant("classic"), id="mine", needed=4)
    with pytest.raises(BotError, match="champion has no weights for mine yet"):
        arena.match(["champion", "greedy"], own, games=1, seed=1)
    weights.save_weights(weights.weights_path("champion", own), "several", np.zeros(CLASSIC_SIZE, np.float32))
    assert arena.match(["champion", "greedy"], own, games=1, seed=1).games == 1
    assert arena.match(["champion", "greedy"], replace(own, id="renamed"), games=1, seed=1).games == 1
    with pytest.raises(BotError, match="champion has no weights for mine yet"):
        arena.match(["champion", "greedy"], replace(own, needed=3), games=1, seed=1)
    assert weights.weights_path("champion", replace(own, needed=5)).parent == weights.SHIPPED


def test_a_copy_of_a_built_in_game_plays_its_weights_and_never_writes_them(home: Path) -> None:
    copy = replace(find_variant("classic"), id="mine")
    assert weights.weights_path("champion", copy).parent == weights.SHIPPED
    assert output_path("champion", copy, None, gpu=False).parent == home / "weights"


def test_effects_without_features_are_refused(home: Path) -> None:
    @dataclass(frozen=True)
    class Later(Variant):
        ladders: tuple[str, ...] = ()

    classic = find_variant("classic")
    later = Later(**{one.name: getattr(classic, one.name) for one in fields(classic)}, ladders=("R5",))
    error = f"champion cannot play games with ladders; it can play or be trained for {', '.join(variant_ids())}"
    assert find_bot("champion").needs(later, 2) == error
    with pytest.raises(TrainingError, match=error):
        Training.begin(later, TrainingConfig(steps=1))
    dice_games = "classic, mixx-a, mixx-b, bonus-a, bonus-b, big-points"
    error = f"scholar cannot play games with cards; it can play or be trained for {dice_games}"
    assert find_bot("scholar").needs(find_variant("cards"), 2) == error


def test_weights_of_earlier_versions_are_named_in_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their names have no identity of the rules."""
    monkeypatch.setenv("ROWLOCK_HOME", str(tmp_path))
    own = replace(find_variant("classic"), id="mine", needed=4)
    weights.save_weights(tmp_path / "weights/champion-mine.npz", "several", np.zeros(CLASSIC_SIZE, np.float32))
    new = weights.weights_path("champion", own)
    with pytest.raises(
        WeightsError, match=rf"champion-mine.npz was trained for the same rules, rename it to {new.name}"
    ):
        weights.load_weights("champion", own, 2, CLASSIC_SIZE)
    (tmp_path / "weights/champion-mine.npz").rename(new)
    assert weights.load_weights("champion", own, 2, CLASSIC_SIZE).size == CLASSIC_SIZE


def test_row_symmetries() -> None:
    assert len(row_symmetries(find_variant("classic"))) == len(row_symmetries(find_variant("cards"))) == 8
    assert len(row_symmetries(find_variant("longo"))) == 4
    assert row_symmetries(find_variant("bonus-b")).tolist() == [[0, 1, 2, 3]]


@pytest.mark.parametrize("name", ["classic", "cards"])
def test_a_continued_training_run_gives_the_same_weights(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if QUICK:
        monkeypatch.setattr(Training, "strength", partialmethod(Training.strength, count=100))
    variant, config = find_variant(name), TrainingConfig(steps=4)
    whole = Training.begin(variant, config)
    assert [point.step for point in whole.run(2, threads=2)] == [2, 4]
    begun = Training.begin(variant, config)
    next(begun.run(2, threads=1))
    begun.save(tmp_path / "training.npz")
    later = Training.load(tmp_path / "training.npz", variant, config)
    assert [point.step for point in later.run(2, threads=1)] == [4]
    assert (later.weights == whole.weights).all()
    assert later.curve == whole.curve
    with pytest.raises(TrainingError, match="belongs to another training run"):
        Training.load(tmp_path / "training.npz", variant, TrainingConfig(steps=5))
    (tmp_path / "training.npz").write_bytes(b"?")
    with pytest.raises(TrainingError, match="cannot be read"):
        Training.load(tmp_path / "training.npz", variant, config)


@pytest.mark.slow
def test_a_gpu_trains_like_the_cpu() -> None:
    command = [sys.executable, "-m", "tests.simulated_gpu"]
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=env, check=False)
    assert done.returncode == 0, done.stderr


def test_a_missing_gpu_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "find_spec", lambda _: None)
    with pytest.raises(TrainingError, match=r"install the extra rowlock\[gpu\]"):
        gpu.make_ready()
    monkeypatch.setattr(gpu, "find_spec", lambda name: name)
    monkeypatch.setattr(gpu.cuda, "is_available", lambda: False)
    with pytest.raises(TrainingError, match="no GPU was found"):
        gpu.make_ready()


@pytest.mark.slow
def test_training_makes_it_stronger() -> None:
    training = Training.begin(find_variant("classic"), TrainingConfig("solo", steps=120))
    first, *_, last = training.run(40)
    assert last.strength[0] > first.strength[0] + 5
