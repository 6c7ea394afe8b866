"""Batches as environments: observations, masks, steps, positions; and the spaces that name their numbers."""

import random

import numpy as np
import pytest

from rowlock import Game, Sheet, fast
from rowlock.arena.engine import CompiledEngine
from rowlock.arena.match import make_config
from rowlock.fast.batch import WAIT
from rowlock.fast.fields import fields_of
from rowlock.fast.results import BOTS, PER_BOT
from rowlock.rules import kernel, observation
from rowlock.rules.hidden_cards import sample
from rowlock.rules.spaces import Spaces
from rowlock.rules.variant import find_variant, game_names
from tests.effort import EFFORT

# Every game with every number of players in soak tests, with two in full tests, with one in quick tests.
NUMBERS = {"soak": 5, "full": 2, "quick": 1}[EFFORT]
TABLES = [(name, 1 + (number + i) % 5) for number, name in enumerate(game_names()) for i in range(NUMBERS)]
CARD_GAMES = [name for name in game_names() if find_variant(name.removesuffix("+jokers")).cards]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_batch_observes_what_spaces_say(name: str, players: int) -> None:
    """Observations and masks, compiled and interpreted, are the same and within bounds, to the end of a game."""
    batch, game = fast.Batch(name, players, 2, seed=3, first=7), Game(name, players, seed=3, number=7)
    spaces = batch.spaces
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        batch.observe()
        state, _ = game.full_state()
        assert batch.states[0].tolist() == state
        choices = batch.random_choices()
        for player in range(players):
            codes = list(game.actions(player).values())
            assert batch.masks[0, player].tolist() == spaces.mask(codes)
            assert batch.masks[0, player].sum() == len(codes)  # every option has an index of its own
            expected = spaces.observe(state, player) if codes else [0] * spaces.size
            assert batch.observations[0, player].tolist() == expected
            assert observation.observe(state, spaces.variant.tables, player, [0] * spaces.size) == spaces.size
            assert all(low <= n <= high for low, n, high in zip(spaces.low, expected, spaces.high, strict=True))
        for player in game.to_act:
            code = spaces.actions[choices[0, player]]
            game.play(player, next(option for option, action in game.actions(player).items() if action == code))
        batch.step(choices)
    batch.observe()
    assert batch.finished[0]
    assert not batch.masks[0].any()
    final = [spaces.observe(game.full_state()[0], player) for player in range(players)]
    assert batch.observations[0].tolist() == final
    assert tuple(batch.totals[0]) == game.scores
    assert game.winners == tuple(map(int, np.flatnonzero(batch.winners[0])))


def as_documented(game: Game, seat: int) -> dict[str, list[int]]:
    """The fields of an observation with the meanings that the page gives them, from what a seat sees of a game."""
    view, numbers = game.view(seat), range(2, 13)
    seats = [(seat + distance) % len(game.players) for distance in range(len(game.players))]
    played = view.phase in ("colour", "play")
    misthrow_due = any(option.split(" ")[-1] == "x" for option in game.options(game.active))
    found: dict[str, list[int]] = {
        "white": [view.phase == "white"],
        "colour": [played],
        "active": [player == game.active for player in seats],
        "marked": [played and not misthrow_due],
    }
    if view.cards:
        backs = [[card.strip("rygbj?'") for card in view.cards.hands[player]] for player in seats]
        every = [f"{colour}{number}" for colour in "rygbj"[: 4 + view.jokers] for number in numbers]
        found |= {
            "number": [view.cards.top or 0],
            "take": [view.phase == "take"],
            "pile": [view.cards.pile],
            "display": [int(card.strip("?'")) for card in view.cards.display],
            "hand": [card in view.cards.hands[seat] for card in every],
            "discards": [card in view.cards.discards for card in every],
            "backs": [hand.count(str(number)) for hand in backs for number in numbers],
        }
    else:
        shown = "000000" if game.over or not view.dice else view.dice.replace("-", "").replace(".", "0")
        dice = [0 if row in view.closed else int(face) for row, face in zip("..RYGB", shown, strict=True)]
        found |= {"dice": dice, "number": [dice[0] + dice[1]]}
    for player in seats:
        for name, values in sheet_as_documented(view.sheets[player]).items():
            found.setdefault(name, []).extend(values)
    return found


def sheet_as_documented(sheet: Sheet) -> dict[str, list[int]]:
    rows, variant = sheet.cells, sheet.variant
    marks = {name: states.count("marked") for name, states in rows.items()}
    fields: dict[str, list[int]] = {
        "marks": [state == "marked" for states in rows.values() for state in states],
        "next": [[*states, "open"].index("open") for states in rows.values()],
        "counts": [n + (name in sheet.locks) + len(sheet.second.get(name, [])) for name, n in marks.items()],
        "locks": [name in sheet.locks for name in "RYGB"],
        "misthrows": [sheet.misthrows],
        "points": [sheet.total],
    }
    if variant.bar or variant.pairs:
        complete = {pair.gives for pair in variant.pairs if pair.name in sheet.pairs}
        pairs = ("fewest", "each", "double", "points", "shield")
        fields |= {"bar": [sheet.bar_used], "pairs": [bonus in complete for bonus in pairs]}
    if sheet.lucky:
        fields["lucky"] = [*sheet.lucky]
    if sheet.letter:
        fields["kind"] = [letter == sheet.letter for letter in variant.sheet_letters]
    if sheet.swap_states:
        fields["swaps"] = [state == "used" for state in sheet.swap_states]
    if variant.second:
        fields["seconds"] = [n in sheet.second[row.name] for row in variant.rows for n in row.numbers]
    return fields


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_number_is_what_the_page_says(name: str, players: int) -> None:
    """Worked out from views and sheets, in the words of docs/reference/observations.md."""
    game, spaces, rng = Game(name, players, seed=5), Spaces(name, players), random.Random(5)
    while True:
        for seat in game.to_act or (range(players) if game.over else ()):
            numbers = np.array(spaces.observe(game.full_state()[0], seat))
            found = {field: part.reshape(-1).tolist() for field, part in fields_of(spaces, numbers).items()}
            assert found == as_documented(game, seat)
        if game.over:
            break
        if game.to_act:
            game.play(game.to_act[0], rng.choice(game.options(game.to_act[0])))
        else:
            game.chance()


def test_random_choices_are_those_of_the_bot_random() -> None:
    batch, engine = (
        fast.Batch("classic", 2, 40, seed=9),
        CompiledEngine(make_config(["random"] * 2, "classic", seed=9), 1),
    )
    gained = np.zeros((40, 2), np.int64)
    while not batch.over:
        batch.observe()
        gained += batch.step(batch.random_choices())
    results = engine.play(0, 40).results[:, [BOTS, BOTS + PER_BOT]]
    assert (np.sort(batch.totals) == np.sort(results)).all()  # the arena changes seats
    assert (gained == batch.totals).all()


def test_fields_have_names() -> None:
    batch = fast.Batch("classic", 3, 4, seed=1)
    fields = batch.observe()
    assert fields["dice"].shape == (4, 3, 6)
    assert fields["marks"].shape == (4, 3, 3, 44)
    assert (fields["dice"] == batch.states[:, None, kernel.DICE : kernel.DICE + 6]).all()
    assert (fields["number"][..., 0] == fields["dice"][..., :2].sum(-1)).all()
    assert (fields["active"] == [[[1, 0, 0], [0, 0, 1], [0, 1, 0]]]).all()  # counted from the observing player
    mark = batch.spaces.actions.index(kernel.CELL + kernel.MAX_CELLS)  # Y2, which needs a sum of 2
    assert batch.spaces.action_name(mark) == "Y2"
    game = Game("classic", 3, seed=1)
    game.roll("11-3456")
    batch.set_position(game)
    batch.observe()
    batch.step(np.where(np.arange(3) == 1, mark, 0) + np.zeros((4, 1), np.int64))
    batch.observe()
    assert (fields["marks"][:, 0, 1].nonzero()[1] == 11).all()  # player 1, as player 0 sees the sheets
    assert (fields["next"][:, 0, 1] == [0, 1, 0, 0]).all()
    assert (fields["points"][:, 0, :, 0] == [0, 1, 0]).all()
    numbers = np.arange(batch.spaces.size)
    indices = np.concatenate([part.reshape(-1) for part in fields_of(batch.spaces, numbers).values()])
    assert sorted(indices) == numbers.tolist()  # each number belongs to one field
    with pytest.raises(ValueError, match="read-only"):
        batch.masks[0, 0, 0] = True


@pytest.mark.parametrize("name", CARD_GAMES)
def test_nothing_hidden_leaks(name: str) -> None:
    """With any other hidden cards, which have the same backs, a player's observations and masks are the same."""
    games, steps = {"soak": (200, 60), "full": (30, 30), "quick": (20, 12)}[EFFORT]
    batch, changed = fast.Batch(name, 3, games, seed=4), 0
    for step in range(steps):
        batch.observe()
        for player in range(3):
            other = fast.Batch(name, 3, len(batch), seed=5)
            views = batch.views(player)
            assert not views[:, kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED].any()
            for row, state in enumerate(views.tolist()):
                if state[kernel.PILE] and state[kernel.PHASE] != kernel.OVER:
                    sample(state, batch.variant.tables, row, step, [0] * kernel.MAX_CARDS)
                other.states[row] = state
            changed += (other.states != batch.states).any(1).sum()
            other._write()
            to_act = batch.masks[:, player].any(1)
            assert (other.observations[to_act, player] == batch.observations[to_act, player]).all()
            assert (other.masks[:, player] == batch.masks[:, player]).all()
        batch.step(batch.random_choices())
    assert changed > 100


def test_a_step_refuses_what_is_no_option() -> None:
    """Nothing happens then, and the message says which action of whom."""
    batch = fast.Batch("classic", 2, 3, seed=1, first=10)
    batch.observe()
    before, choices = batch.states.copy(), np.zeros((3, 2), np.int64)
    illegal = int(np.flatnonzero(~batch.masks[2, 1])[0])
    for wrong in (illegal, -2, 45):
        choices[2, 1] = wrong
        with pytest.raises(ValueError, match=f"game 12, player 1: action {wrong} is not an option"):
            batch.step(choices)
        assert (batch.states == before).all()
    with pytest.raises(ValueError, match="choices are 3 x 2, not 3"):
        batch.step(choices[:, 0])
    with pytest.raises(ValueError, match="choices are whole numbers, not float64"):
        batch.step(choices.astype(float))


def test_a_game_waits() -> None:
    batch = fast.Batch("classic", 2, 2, seed=1)
    batch.observe()
    before = batch.states.copy()
    gained = batch.step(np.array([[0, WAIT], [0, 0]]))
    assert (batch.states[0] == before[0]).all()
    assert batch.phases.tolist() == [kernel.WHITE, kernel.COLOUR]
    assert not gained.any()


def test_a_row_plays_its_own_games_again() -> None:
    """The games of a row depend on the seed and the row alone."""

    def play(batch: fast.Batch, rows: int) -> list[list[list[int]]]:
        totals: list[list[list[int]]] = [[] for _ in range(rows)]
        while min(map(len, totals)) < 3:
            batch.observe()
            batch.step(batch.random_choices())
            for row in np.flatnonzero(batch.finished)[:rows]:
                totals[row].append(batch.totals[row].tolist())
            batch.reset(batch.finished)
        return [games[:3] for games in totals]

    first = play(fast.Batch("classic", 2, 5, seed=2), 5)
    assert first == play(fast.Batch("classic", 2, 5, seed=2), 5)
    assert first != play(fast.Batch("classic", 2, 5, seed=3), 5)
    alone = fast.Batch("classic", 2, 1, seed=2, first=8)  # the second game of row 3
    while not alone.over:
        alone.observe()
        alone.step(alone.random_choices())
    assert first[3][1] == alone.totals[0].tolist()
    alone.reset()
    assert alone.numbers.tolist() == [9]
    assert not alone.over


@pytest.mark.parametrize("name", ["classic", "bonus-b", "cards+jokers"])
def test_a_position_is_set(name: str) -> None:
    game, rng = Game(name, 3, seed=6), random.Random(6)
    while game.turns_completed < 4 or not game.to_act:
        if game.to_act:
            game.play(game.to_act[0], rng.choice(game.options(game.to_act[0])))
        else:
            game.chance()
    batch = fast.Batch(name, 3, 4, seed=1)
    batch.set_position(game, np.array([True, False, True, True]))
    batch.observe()
    assert tuple(batch.totals[0]) == game.scores
    assert not batch.totals[1].any()
    player = game.to_act[0]
    assert batch.masks[2, player].tolist() == batch.spaces.mask([*game.actions(player).values()])
    while not batch.over:
        batch.observe()
        batch.step(batch.random_choices())
    assert len({tuple(totals) for totals in batch.totals}) > 2  # every row has chance of its own
    with pytest.raises(ValueError, match=r"the batch plays \S+ with 3 players, the game is longo with 2 players"):
        batch.set_position(Game("longo", 2))


def test_views_have_no_secrets() -> None:
    batch = fast.Batch("cards", 2, 3, seed=1)
    batch.observe()
    views = batch.views(1)
    assert (views[:, kernel.HAND + 1] == batch.states[:, kernel.HAND + 1]).all()
    assert not views[:, kernel.HAND].any()
    assert batch.states[:, kernel.HAND].all()
    with pytest.raises(ValueError, match="there is no player 2"):
        batch.views(2)


@pytest.mark.parametrize("name", game_names())
def test_actions_have_names(name: str) -> None:
    spaces = Spaces(name, 2)
    names = [spaces.action_name(index) for index in range(len(spaces.actions))]
    assert names[0] == "pass"
    assert len({*names}) == len(names)
    with pytest.raises(ValueError, match=f"there is no {len(names)}"):
        spaces.action_name(len(names))
    with pytest.raises(ValueError, match="1 to 5 players, not 0"):
        Spaces(name, 0)
