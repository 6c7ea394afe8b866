"""Reviews and hints: values along a game, what decisions cost, and the commands that print them."""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from benchmarks import review as measured
from benchmarks.review import CurveValues
from rowlock import Game, find_variant, parse
from rowlock.analysis.hint import consequences_of, hints
from rowlock.analysis.review import (
    RATING_LIMITS,
    RATINGS,
    SOLO_RATING_LIMITS,
    Chance,
    JudgedDecision,
    Review,
    Summary,
    rating_of,
    review,
)
from rowlock.analysis.totals import Total, totals
from rowlock.analysis.values import ExactValues, NetworkValues, NoValues, grade, values_for
from rowlock.bots import data_of, find_bot
from rowlock.bots.champion import Champion
from rowlock.fast import workspace
from rowlock.locale import LANGUAGES, set_language
from rowlock.networks import option_values, playout
from rowlock.networks.option_values import GRADES
from rowlock.networks.values import node_value, values_of_options
from rowlock.rules import consequences, kernel
from rowlock.rules.variant import game_names
from rowlock.solver.exact_values import option_values as exact_options
from rowlock.solver.solve import solve
from rowlock.solver.space import Space
from rowlock.terminal import hint as hint_words
from rowlock.terminal import words
from rowlock.terminal.records import ReadGame, record_files
from rowlock.terminal.review import decision_lines, show_review, show_totals
from rowlock.terminal.review_page import review_page
from tests import command
from tests.effort import EFFORT
from tests.positions import EMPTY, position, table
from tests.test_cli import MY_VARIANT
from tests.test_solver import small

GAMES = {"quick": 1, "full": 2, "soak": 1000}[EFFORT]
# Every variant and number of players; in quick runs one number of players for each.
EVERY_GAME = [
    (name, players)
    for index, name in enumerate(game_names())
    for players in range(1, kernel.MAX_PLAYERS + 1)
    if EFFORT != "quick" or (index + players) % kernel.MAX_PLAYERS == 0
]
LUCK_GAMES = {"quick": 50, "full": 200, "soak": 10_000}[EFFORT]


def random_game(name: str, players: int, seed: int, turns: int = 1000) -> Game:
    """A game of random decisions, to its end or until so many turns are completed."""
    game, rng = Game(name, players, seed=seed), random.Random(seed)
    while not game.over and game.turns_completed < turns:
        if not game.to_act:
            game.chance()
        for seat in game.to_act:
            game.play(seat, rng.choice(game.options(seat)))
    return game


@pytest.fixture
def change_language() -> Iterator[Callable[[str], None]]:
    yield set_language
    set_language("en")


# What adds up


def check_sums(found: Review) -> None:
    """Start, luck, own and others' decisions add up to the result; each change belongs to one event."""
    game = found.game
    players = range(len(game.players))
    if game.winners is not None:
        shares = [float(p in game.winners) / len(game.winners) for p in players]
        assert found.curve[-1] == pytest.approx([game.scores[0]] if len(players) == 1 else shares, abs=1e-6)
    for value in found.curve:
        assert len(players) == 1 or sum(value) == pytest.approx(1, abs=1e-5)
    for one in found.summary:
        assert one.start + one.luck + one.own + one.others == pytest.approx(one.result, abs=1e-6)
        assert (one.start, one.result) == (found.curve[0][one.player], found.curve[-1][one.player])
        changes = {"luck": 0.0, "own": 0.0, "others": 0.0}
        for event, before in zip(found.events, found.curve, strict=False):
            cause = "luck" if isinstance(event, Chance) else "own" if event.player == one.player else "others"
            changes[cause] += event.value[one.player] - before[one.player]
        assert changes == pytest.approx({"luck": one.luck, "own": one.own, "others": one.others}, abs=1e-6)
    made = [(moment.turn, moment.phase, player) for moment, decisions in game.decision_points() for player in decisions]
    judged = [(event.turn, event.phase, event.player) for event in found.decisions]
    assert sorted(judged) == sorted(made)


@pytest.mark.parametrize(("name", "players"), EVERY_GAME)
def test_every_change_belongs_to_one_event(name: str, players: int) -> None:
    """Random games of every variant and number of players, on network values."""
    for seed in range(GAMES):
        game = random_game(name, players, seed)
        check_sums(review(game, values=(NetworkValues if seed == 0 else CurveValues)(game, "network")))


@pytest.mark.parametrize(("name", "players"), [("classic", 2), ("longo", 1), ("cards+jokers", 2)])
def test_values_of_roll_outs_add_up_too(name: str, players: int) -> None:
    game = random_game(name, players, 5, turns=2)
    check_sums(review(game, "round"))


def test_simultaneous_decisions_come_in_seat_order_from_the_active_player_on() -> None:
    game = random_game("classic", 3, 1, turns=3)
    found = review(game, "network")
    for turn, order in ((1, [0, 1, 2]), (2, [1, 2, 0]), (3, [2, 0, 1])):
        white = [event.player for event in found.decisions if event.turn == turn and event.phase == "white"]
        assert white == order


def test_luck_is_zero_on_average_and_most_of_the_variance() -> None:
    """Champion against greedy: 0 within four standard errors; without luck at most a third of the variance is left."""
    luck, result = np.array([*measured.lucks(LUCK_GAMES)]).T
    assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    assert (result - luck).var() <= result.var() / 3


def test_an_unfinished_game_is_reviewed_as_far_as_it_goes() -> None:
    """The review of the first turns is the beginning of the review of all."""
    whole = review(random_game("classic", 2, 3), "network")
    for turns in (0, 1, 4):
        begun = random_game("classic", 2, 3, turns=turns)
        found = review(begun, "network")
        assert found.events == whole.events[: len(found.events)]
        assert [one.result for one in found.summary] == found.curve[-1]
        assert found.as_json()["winners"] is None
        begun.roll("11-2345")
        rolled = review(begun, "network")
        assert len(rolled.events) == len(found.events) + 1
        assert isinstance(rolled.events[-1], Chance)
    check_sums(found)


def test_the_json_has_the_fields_of_the_documentation() -> None:
    found = review(random_game("classic", 2, 1), "network").as_json()
    assert list(found) == ["variant", "players", "scores", "winners", "source", "start", "events", "summary"]
    assert (found["variant"], found["players"]) == ("classic", ["Player 1", "Player 2"])
    first, second = found["events"][:2]
    assert list(first) == ["turn", "kind", "what", "value"]
    assert (first["turn"], first["kind"], len(first["what"])) == (1, "chance", 7)
    fields = ["turn", "kind", "phase", "player", "played", "best", "loss", "error", "grade", "options", "value"]
    assert list(second) == fields
    assert (second["kind"], second["phase"], second["player"]) == ("decision", "white", 0)
    assert second["best"] == second["options"][0]["option"]
    assert list(second["options"][0]) == ["option", "value", "error"]
    played = next(one for one in second["options"] if one["option"] == second["played"])
    assert second["loss"] == pytest.approx(second["options"][0]["value"] - played["value"], abs=1e-6)
    fields = ["player", "decisions", "loss", "grades", "rating", "start", "luck", "own", "others", "result"]
    assert list(found["summary"][0]) == fields
    assert list(found["summary"][0]["grades"]) == list(GRADES[1:])


# What is hidden


def swapped(game: Game, one: str, other: str) -> Game:
    """The same game with two cards exchanged wherever its record names them."""
    return parse(re.sub(rf"\b({one}|{other})\b", lambda found: other if found[0] == one else one, game.record()))


def test_a_spectator_does_not_know_cards_that_are_never_revealed() -> None:
    """Two cards with the same number are exchanged that nobody plays: the values along the game stay the same."""
    game = table("cards", ["r2 y3 g4 b5", "y2 g3 b4 r5"], "r9 y10 g11 b12", "g9 b9 r10 y11")
    game.play(0, "?9")
    for player in (0, 1):
        game.play(player, "-")
    game.play(0, "y3 = Y3")
    game.deal()
    other = swapped(game, "r9", "g9")
    assert other.hands != game.hands
    found, expected = review(other, "network"), review(game, "network")
    assert found.curve == expected.curve
    assert found.events != expected.events  # the player knows the card


@pytest.mark.parametrize("depth", ["network", "round"])
def test_the_values_of_options_do_not_depend_on_cards_of_others(depth: str) -> None:
    game = table("cards", ["r2 y3 g4 b5", "y2 g3 b4 r5"], "r9 y10 g11 b12", "g9 b9 r10 y11")
    other = table("cards", ["r2 y3 g4 b5", "g2 b3 r4 y5"], "b9 g10 y11 r12", "r9 g9 y10 r11")
    values = NetworkValues(game, depth)
    assert values.of_options(other, 0) == values.of_options(game, 0)
    for dealt in (game, other):
        dealt.play(0, "?10")
    assert values.of_options(other, 1) != values.of_options(game, 1)


def test_cards_that_look_alike_are_worth_the_same() -> None:
    game = table("cards", ["r2 y3 g4 b5", "y2 g3 b4 r5"], "r9 y9 g11 b12", "g9")
    values = {one.option: one for one in NetworkValues(game).of_options(game, 0)}
    assert (values["?9"].value, values["?9"].error) == (values["?9'"].value, values["?9'"].error)


def test_played_cards_are_known_to_a_spectator() -> None:
    """The play that ends the game decides it, although the hand was hidden before."""
    sheets = ["R2,3,4,5,6,7,12# Y2,3,4,5,6,7 G- B- x0", EMPTY]
    game = table("cards", ["y12 y3 g4 b5", "y2 g3 b4 r5"], "r9 y10 g11 b12", "g9", sheets)
    game.play(0, "?9")
    for player in (0, 1):
        game.play(player, "-")
    game.play(0, "y12 = Y12#")
    assert game.over
    values = NetworkValues(game, "network")
    *_, (moment, decisions) = game.decision_points()
    assert values.of_node(moment, decisions) == [1.0, 0.0]
    assert values.of_node(moment, {}) != [1.0, 0.0]


# Exact values


def test_the_loss_in_a_solved_game_is_exact(home: Path) -> None:
    """A small game is solved at once; what a decision costs there is the difference of two exact values."""
    variant = small()
    game = Game(variant, 1, seed=2)
    rng = random.Random(2)
    while not game.over:
        if not game.to_act:
            game.chance()
        game.play(0, rng.choice(game.options(0)))
    found, solution = review(game), solve(Space(variant, None))
    assert found.source == "exact"
    check_sums(found)
    assert found.start == [pytest.approx(solution.value(), abs=1e-6)]
    for event, (moment, _) in zip(found.decisions, game.decision_points(), strict=True):
        exact = dict(exact_options(moment, solution))
        assert event.loss == pytest.approx(max(exact.values()) - exact[event.played], abs=2e-6)
        assert event.error == 0
    (summary,) = found.summary
    assert summary.own == pytest.approx(-sum(event.loss for event in found.decisions), abs=1e-5)
    assert summary.loss > 0


def test_values_are_exact_where_a_solution_is_at_hand(home: Path) -> None:
    assert isinstance(values_for(Game(small(), 1, seed=1)), ExactValues)
    classic = values_for(Game("classic", 1, seed=1))  # its solution takes longer than seconds, and is not on this disk
    assert (type(classic), classic.source) == (NetworkValues, "round")


def test_a_game_without_weights_has_no_values(home: Path) -> None:
    with pytest.raises(NoValues, match="no weights"):
        review(Game(small(), 2, seed=1))


# Roll-outs


def test_roll_outs_of_whole_games_use_no_evaluation() -> None:
    """Every such roll-out ends with a win, a shared win or a loss; the others end with an evaluation by the network."""
    late = ["R2,3,4,5,6,7 Y2,3,4,5,6 G12,11,10 B12,11 x2", "R2,3,4 Y2,3,4,5,6,7 G12,11 B12,11,10,9 x2"]
    view = position("classic", late, "34-1456").view(0)
    _, weights = data_of(Champion, view.variant, 2)
    actions = list(view.options.values())
    whole = []
    for depth in (playout.NETWORK, playout.ROUND, playout.GAME):
        found = values_of_options(view.variant, view.state, 0, actions, weights, depth, 7)
        rolled_out = found.errors > 0  # all candidates but the best one
        assert bool(rolled_out.any()) == bool(found.samples) == (depth != playout.NETWORK)
        doubled = 2 * found.samples * found.values[rolled_out]
        whole.append(bool(found.samples) and np.allclose(doubled, np.round(doubled), atol=1e-2))
    assert whole == [False, False, True]


@pytest.mark.parametrize("name", ["classic", "cards"])
def test_what_was_played_is_rolled_out(name: str) -> None:
    """Most random decisions are far behind the best one. Every loss has a standard error, the best option has none."""
    for one in review(random_game(name, 2, 1, turns=2)).decisions:
        assert one.options[0].error == 0
        assert (one.error > 0) == (one.loss > 0)


# Whoever locks a row ends the game.
MAY_LOCK = "R2,3,6,9,10,11 Y5,6,7,8,9 G12,11,7,5 B10,9,8,5,4 x0"
MAY_LOCK_FIRST = "R3,4,5,7,9 Y3,4,6 G11,9,7,6,5,3,2# B11,10 x0"


def test_what_others_decide_at_the_same_time_is_not_known() -> None:
    """Anna wins if she locks, and also if both pass; Ben may lock first: passing costs much, but not all for sure."""
    game = position("classic", [MAY_LOCK, MAY_LOCK_FIRST], "66-63.5")
    found = {one.option: one for one in NetworkValues(game).of_options(game, 0, game.actions(0)["-"])}
    assert found["R12#"].value == 1
    assert 0.02 < found["-"].value < 0.6
    assert found["-"].error > 0.01
    both = position("classic", [MAY_LOCK, MAY_LOCK_FIRST], "66-63.5", ["-", "-"])
    assert NetworkValues(both).of_options(both, 0)[0].value == 1


def test_the_error_of_a_loss_is_small_or_a_tenth_of_it() -> None:
    """Unless all samples are used up."""
    for one in review(random_game("classic", 2, 1, turns=3)).decisions:
        assert one.error <= max(option_values.ENOUGH, one.loss / option_values.CLEAR_LOSS, 0.01)


def test_the_option_that_was_played_comes_before_its_equals() -> None:
    """Two locks end the game, and Anna wins with both."""
    game = position("classic", [MAY_LOCK, MAY_LOCK_FIRST], "66-63.5")
    for option in ("R12#", "Y12#"):
        first, second, *_ = NetworkValues(game).of_options(game, 0, game.actions(0)[option])
        assert (first.option, first.value, second.value) == (option, 1, 1)


def test_the_same_game_gives_the_same_values() -> None:
    game = random_game("classic", 2, 4, turns=2)
    assert review(game).as_json() == review(game).as_json()


@pytest.mark.parametrize(("name", "players"), [("classic", 2), ("bonus-a", 1), ("cards", 2)])
def test_interpreted_and_compiled_values_are_the_same(name: str, players: int) -> None:
    """The functions run on lists and in compiled code."""
    game = random_game(name, players, 2, turns=1)
    game.chance()
    seat, tables = game.to_act[0], game.variant.tables
    view = game.view(seat)
    actions = list(view.options.values())[:4]
    _, weights = data_of(Champion, game.variant, players)
    work, (buffers,) = [0] * workspace.WORK, workspace.make_buffers()
    sizes = (workspace.STATE_SIZE, workspace.STATE_SIZE, kernel.MAX_CARDS, kernel.MAX_OPTIONS, kernel.MAX_PLAYERS)
    state, for_seat, drawn, options, chosen = ([0] * size for size in sizes)
    interpreted: Any = (state, for_seat, drawn, options, chosen)
    network: Any = (*buffers, weights)
    floats: Any = buffers[-1]
    playout.node_value(list(game.view().state), tables, 0, playout.NETWORK, 3, work, interpreted, network)
    values = [float(one) for one in floats[workspace.VALUES : workspace.VALUES + players]]
    assert values == pytest.approx(
        node_value(game.variant, game.view().state, {}, weights, playout.NETWORK, 3), abs=1e-4
    )
    option_values.write_values(
        list(view.state), tables, seat, actions, len(actions), -1, playout.NETWORK, 3, work, interpreted, network
    )
    values = [float(one) for one in floats[workspace.VALUES : workspace.VALUES + len(actions)]]
    found = values_of_options(game.variant, view.state, seat, actions, weights, playout.NETWORK, 3)
    assert values == pytest.approx(list(found.values), abs=1e-4)


def test_the_buffers_hold_all_values() -> None:
    assert workspace.REPLY_CHANCES + kernel.MAX_PLAYERS * kernel.MAX_OPTIONS <= workspace.FLOATS


# Words


def test_grades_and_ratings() -> None:
    assert [grade(loss, 0.0, 2) for loss in option_values.LIMITS] == list(GRADES)
    assert [grade(loss, 0.0, 1) for loss in option_values.SOLO_LIMITS] == list(GRADES)
    assert grade(option_values.LIMITS[2] - 1e-6, 0.0, 2) == "doubtful"
    assert (rating_of(0.0, 2), rating_of(1.0, 2), rating_of(100.0, 1)) == (RATINGS[0], RATINGS[-1], RATINGS[-1])


def test_a_grade_counts_only_the_loss_that_is_sure() -> None:
    """The loss less twice its standard error."""
    assert [grade(0.058, error, 2) for error in (0.0, 0.01, 0.026, 0.03)] == ["blunder", "mistake", "doubtful", "fine"]
    game = Game("classic", ["Anna", "Ben"])
    losses = [(0.09, 0.04, "doubtful"), (0.03, 0.002, "mistake")]
    judged = [JudgedDecision(1, "white", 0, "-", "R5", loss, error, grade, [], []) for loss, error, grade in losses]
    assert [one.loss for one in Review(game, "round", [], [*judged], []).worst()] == [0.03, 0.09]


def test_limits_fall_with_what_is_at_stake() -> None:
    """In an even game with more players each has a smaller share of the win to lose."""
    for players, stakes in enumerate(option_values.STAKES[2:], 2):
        assert stakes == pytest.approx(4 / players * (1 - 1 / players), abs=0.002)
        assert rating_of(0.0135 * stakes, players) == "strong"
        assert grade(0.0201 * stakes, 0.0, players) == "mistake"
    assert (rating_of(0.0135, 4), grade(0.018, 0.0, 4)) == ("steady", "mistake")


def test_totals_of_games_with_other_numbers_of_players() -> None:
    """The rating counts what is at stake in each game, the mean loss does not; results are those of finished games."""
    parts = {"player": 0, "decisions": 10, "grades": {}, "rating": None, "start": 0.5, "luck": 0.0, "own": 0.0}
    summary = Summary(**parts, others=0.0, loss=0.13, result=0.6)  # type: ignore[arg-type]
    total = Total("Anna", solo=False)
    total.add(summary, 2, finished=False)
    assert (total.rating, total.games, total.result) == ("strong", 1, 0.0)
    total.add(summary, 5, finished=True)
    assert (total.rating, total.games, total.result) == ("steady", 2, 0.6)
    assert total.mean_loss == pytest.approx(0.013)


def test_the_documentation_has_the_limits() -> None:
    """The tables of grades and ratings in docs/howto/review.md."""
    page = (Path(__file__).parents[1] / "docs" / "howto" / "review.md").read_text(encoding="utf-8")
    for name, share, points in zip(GRADES[1:], option_values.LIMITS[1:], option_values.SOLO_LIMITS[1:], strict=True):
        assert f"| {name} | {100 * share:g} % | {points:g} points |" in page
    limits = zip(RATINGS[1:-1], RATING_LIMITS[1:], SOLO_RATING_LIMITS[1:], strict=True)
    for name, share, points in limits:
        assert f"| {name} | {100 * share:g} % | {points:g} points |" in page
    assert f"| champion level | {100 * RATING_LIMITS[0]:g} % | {SOLO_RATING_LIMITS[0]:g} points |" in page
    assert f"below {100 * option_values.ENOUGH:g} percentage points" in page
    assert f"{100 * option_values.MARGIN:g} percentage points worse" in page
    assert f"a {option_values.CLEAR_LOSS:g}th of the loss" in page
    assert f"{option_values.CLEAR:g} times its standard error" in page
    assert f"less {option_values.SURE:g} standard errors" in page
    for players, stakes in enumerate(option_values.STAKES[3:], 3):
        assert f"{players} players {stakes:g}" in page
    assert f"{100 * playout.ANY_REPLY:g} %" in page
    for name, depths in (("classic", "six-sided dice"), ("cards", "cards")):
        tables = find_variant(name).tables
        batch = playout.samples_per_batch(tables)
        most = [batch * playout.most_batches(tables, playout.ROUND, players, hint=True) for players in (2, 3, 4, 5)]
        deep = batch * playout.most_batches(tables, playout.GAME, 5, hint=True)
        assert f"| {depths} | {most[0]:,} | {', '.join(map(str, most[1:]))} | {deep:,} |" in page
        assert batch * playout.most_batches(tables, playout.ROUND, 5, hint=False) == most[0]


def reasons(game: Game, option: str, player: int = 0) -> list[str]:
    return [hint_words.reason(*one) for one in consequences_of(game, player, game.view(player).options[option])]


def test_reasons_say_what_an_option_brings_about() -> None:
    game = position("classic", [EMPTY, EMPTY], "12-5432")
    assert reasons(game, "R3") == ["skips 1 cell", "keeps 6, 7 and 8 open in 4 rows"]
    assert reasons(game, "G3") == ["skips 9 cells", "keeps 6, 7 and 8 open in 3 rows"]
    assert reasons(game, "-") == ["keeps 6, 7 and 8 open in 4 rows"]
    game = position("classic", [EMPTY, EMPTY], "12-5432", ["-", "-"])
    assert reasons(game, "x") == ["a misthrow: 5 points off", "keeps 6, 7 and 8 open in 4 rows"]
    assert reasons(game, "R6") == ["avoids a misthrow", "skips 4 cells", "keeps 7 and 8 open in 4 rows"]


def test_reasons_for_taking_cards_are_their_numbers() -> None:
    sheets = ["R2,3,9 Y2,3,10 G- B- x0", EMPTY]
    game = table("cards", ["r2 y3 g4 b5", "y2 g3 b4 r5"], "r9 y9 g11 b12", "g9", sheets)
    assert reasons(game, "?9") == reasons(game, "?9'") == ["9 is open in 2 rows"]
    assert reasons(game, "?11") == ["11 is open in 4 rows"]


def test_reasons_that_all_options_have_are_left_out() -> None:
    one, other = [("skips", 2, 0), ("open", 448, 3)], [("skips-none", 0, 0), ("open", 448, 3)]
    assert hint_words.reasons([one, other]) == ["skips 2 cells", "skips nothing"]
    assert hint_words.reasons([one]) == ["skips 2 cells; keeps 6, 7 and 8 open in 3 rows"]
    assert hint_words.reasons([one, one[1:]]) == ["skips 2 cells", ""]
    assert hint_words.reasons_of_hints([one, one[1:]]) == ["skips 2 cells", "keeps 6, 7 and 8 open in 3 rows"]


def test_reasons_about_locks_and_the_end() -> None:
    almost = "R2,3,4,5,6 Y- G- B- x0"
    game = position("classic", [almost, EMPTY], "66-1234")
    assert reasons(game, "R12#") == ["locks the R row", "skips 5 cells", "keeps 6, 7 and 8 open in 3 rows"]
    near = position("classic", ["R2,3 Y2,3,4,5 G- B- x0", EMPTY], "22-1111")
    assert "the R row needs 2 more marks for its lock" in reasons(near, "R4")
    near = position("classic", ["R2,3 Y2,3,4,5 G- B- x0", EMPTY], "33-1111")
    assert "the Y row can then be locked" in reasons(near, "Y6")
    ending = "R2,3,4,5,6 Y2,3,4,5,6,12# G- B- x0"
    others = {
        EMPTY: "ends the game while you lead by 56 points",
        "R- Y- G12,11,10,9,8,7,6,5,4,3 B12 x0": "ends the game with a shared win",
        "R- Y- G12,11,10,9,8,7,6,5,4,3 B12,11 x0": "ends the game while you are 2 points behind",
    }
    for other, end in others.items():
        assert reasons(position("classic", [ending, other], "66-1.34"), "R12#") == ["locks the R row", end]
    assert reasons(position("classic", [ending], "66-1.34"), "R12#") == [
        "locks the R row",
        "ends the game with 56 points",
    ]


def test_bonuses_set_off_more_marks() -> None:
    game = position("bonus-a", [EMPTY], "34-1234")
    option = next(one for one in game.options(0) if "+" in one)
    assert "sets off 1 more mark" in reasons(game, option)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_a_sentence_in_every_language(language: str, change_language: Callable[[str], None]) -> None:
    change_language(language)
    for name in set(consequences.NAMES) - {*hint_words.WITH_ROW, "open", "card-open"}:
        for count in (1, 5):
            assert "{" not in hint_words.reason(name, count, 0)
    for name in hint_words.WITH_ROW:
        assert "R" in hint_words.reason(name, 0, 2)
    assert "7" in hint_words.reason("open", 1 << 7, 2)
    assert "7" in hint_words.reason("card-open", 7, 2)


# Hints


def test_hints_are_for_the_player_and_the_best_comes_first() -> None:
    game = position("classic", ["R2,3,4,5,6 Y2,3,4,5,6,12# G- B- x0", EMPTY], "66-1.34")
    found = hints(game, 0)
    assert (found.player, found.source, found.options[0].option.option) == (0, "round", "R12#")
    assert found.options[0].option.value == 1
    assert ("ends-ahead", 56, 0) in found.options[0].consequences
    assert hints(game, 1).options[0].option.value < 0.1


UNFINISHED = '[Variant "classic"]\n[Players "Anna; Ben"]\n\n1. 41-3256\n'


def test_hint_command(tmp_path: Path, home: Path) -> None:
    """All who are to act get hints: a line of JSON each, or a table each."""
    path = tmp_path / "game.rlk"
    path.write_text(UNFINISHED)
    found = command.run("hint", "--json", path)
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    assert (found.returncode, [line["player"] for line in lines]) == (0, [0, 1])
    assert (lines[0]["variant"], lines[0]["turn"], lines[0]["phase"]) == ("classic", 1, "white")
    assert {one["option"] for one in lines[0]["options"]} == {"-", "R5", "Y5", "G5", "B5"}
    assert list(lines[0]["options"][0]) == ["option", "value", "error", "consequences"]
    marked = next(one for one in lines[0]["options"] if one["option"] == "G5")
    kept = {"what": "open", "numbers": [6, 7, 8], "rows": 3}
    assert marked["consequences"] == [{"what": "skips", "cells": 7}, kept]
    assert command.run("hint", "--json", "-", stdin=UNFINISHED).stdout == found.stdout
    shown = command.run("hint", path).stdout
    assert shown.startswith("Anna: chance to win (estimated with short roll-outs):\n")
    assert "\nBen: chance to win" in shown
    assert "skips 3 cells" in shown


def test_hint_command_for_cards_and_alone(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "game.rlk"
    path.write_text(table("cards", ["r2 y3 g4 b5", "y2 g3 b4 r5"], "r9 y9 g11 b12", "g9").record())
    shown = command.run("hint", path).stdout.splitlines()
    assert len(shown) == 4  # two cards look the same
    assert any("take 9 " in line and line.rstrip().endswith(" 9 is open in 4 rows") for line in shown)
    path.write_text(path.read_text().replace("\n1.\n", "\n"))  # the cards are not dealt yet, but known
    assert command.run("hint", path).stdout.splitlines() == shown
    path.write_text(UNFINISHED.replace("; Ben", ""))
    found = json.loads(command.run("hint", "--json", path).stdout)
    assert (found["source"], found["player"]) == ("round", 0)


@pytest.mark.parametrize(
    ("text", "status", "error"),
    [
        ("", 2, "the file contains no game"),
        ('[Variant "classic"]\n[Players "Anna; Ben"]\n', 2, "the game waits for the dice; end its record after"),
        ('[Variant "chess"]\n[Players "Anna"]\n', 1, "chess"),
        (UNFINISHED + "2. 11-1111\n", 1, "[unfinished]"),
    ],
)
def test_hint_command_with_bad_input(tmp_path: Path, text: str, status: int, error: str) -> None:
    path = tmp_path / "game.rlk"
    path.write_text(text)
    found = command.run("hint", path)
    assert (found.returncode, found.stdout) == (status, "")
    assert error in found.stderr
    assert found.stderr.count("\n") == 1


def test_hint_command_without_values(tmp_path: Path, home: Path) -> None:
    """A finished game, a missing file, and a game that the champion has no weights for."""
    path, variant = tmp_path / "game.rlk", tmp_path / "tiny.toml"
    path.write_text(random_game("classic", 2, 1).record())
    assert "the game is over" in command.run("hint", path).stderr
    assert "cannot be read" in command.run("hint", tmp_path / "none.rlk").stderr
    variant.write_text(MY_VARIANT)
    path.write_text('[Variant "tiny"]\n[Players "Anna; Ben"]\n\n1. 12-3123\n')
    found = command.run("hint", path, "--variant-file", variant)
    assert (found.returncode, found.stdout) == (2, "")
    assert "no weights for tiny" in found.stderr


# The review command


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """Short games: the champion needs long for long ones."""
    return [random_game("classic", 2, seed) for seed in (1, 2)]


def test_review_command(tmp_path: Path, home: Path, games: list[Game]) -> None:
    for number, game in enumerate(games):
        (tmp_path / f"{number}.rlk").write_text(game.record())
    found = command.run("review", "--json", tmp_path)
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    assert (found.returncode, found.stderr, len(lines)) == (0, "", 2)
    assert lines[0] == json.loads(json.dumps(review(parse(games[0].record())).as_json()))
    shown = command.run("review", tmp_path / "0.rlk", tmp_path / "1.rlk").stdout
    assert shown.count("chance to win\n") == 2
    assert shown.count("The most expensive decisions:") == 2
    assert "\n2 games\n" in shown
    assert "rating" in shown


def test_review_command_goes_on_after_errors(tmp_path: Path, home: Path) -> None:
    """A broken record, a missing file, an unknown variant and one without weights give a line each."""
    variant = tmp_path / "tiny.toml"
    variant.write_text(MY_VARIANT)
    texts = {
        "broken": UNFINISHED + "2. 11-1111\n",
        "tiny": '[Variant "tiny"]\n[Players "Anna; Ben"]\n\n1. 12-3123\n',
        "unknown": '[Variant "chess"]\n[Players "Anna"]\n',
        "good": UNFINISHED,
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.rlk").write_text(text)
    found = command.run("review", "--json", tmp_path, tmp_path / "none.rlk", "--variant-file", variant)
    assert found.returncode == 2
    (line,) = found.stdout.splitlines()
    assert json.loads(line)["players"] == ["Anna", "Ben"]
    errors = found.stderr.splitlines()
    for word, error in zip(("[unfinished]", "no weights for tiny", "[variant]", "cannot be read"), errors, strict=True):
        assert word in error
    found = command.run("review", tmp_path / "broken.rlk", tmp_path / "good.rlk")
    assert found.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--html", "nowhere/a.html"], "there is no folder nowhere"),
        (["--html", "game.rlk"], "a page is a .html file, not game.rlk"),
        (["--plot", "a.txt"], "a plot is a .png or .svg file"),
    ],
)
def test_review_command_checks_its_files_first(tmp_path: Path, arguments: list[str], error: str) -> None:
    path = tmp_path / "game.rlk"
    path.write_text(UNFINISHED)
    found = command.run("review", path, *arguments)
    assert (found.returncode, found.stdout) == (2, "")
    assert error in found.stderr


def test_a_folder_without_records_is_an_error(tmp_path: Path) -> None:
    found = command.run("review", tmp_path, "--html", tmp_path / "review.html")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == f"rowlock: {tmp_path}: the folder contains no .rlk file\n"
    assert [*tmp_path.iterdir()] == []


def test_records_in_folders(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for name in ("b.rlk", "a.rlk", "more/c.rlk", "note.txt"):
        (tmp_path / name).write_text("")
    found = record_files([str(tmp_path), "x.rlk", "-"])
    assert found == [str(tmp_path / name) for name in ("a.rlk", "b.rlk", "more/c.rlk")] + ["x.rlk", "-"]


def test_page_needs_nothing_else(tmp_path: Path, home: Path, games: list[Game]) -> None:
    """One file without addresses, whose names are text and not markup."""
    path, page, plot = tmp_path / "game.rlk", tmp_path / "review.html", tmp_path / "review.svg"
    path.write_text(games[0].record().replace("Player 1", "<b>Anna</b>"))
    found = command.run("review", path, "--html", page, "--plot", plot)
    assert (found.returncode, found.stderr) == (0, f"Written: {page}\nWritten: {plot}\n")
    text = page.read_text(encoding="utf-8")
    assert "&lt;b&gt;Anna&lt;/b&gt;" in text
    assert "<b>" not in text
    assert not [word for word in ("http://", "https://", "<script", "src=", "url(", "@import") if word in text]
    assert "prefers-color-scheme: dark" in text
    assert text.count('<path d="M') == 4  # two curves, and two lines of the legend
    assert "white " in text
    assert plot.read_text(encoding="utf-8").count("<svg") == 1


def shown(found: Review, width: int, *, unicode: bool = True) -> list[str]:
    out = StringIO() if unicode else _Ascii()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    show_review(console, ReadGame("game.rlk", 1, found.game), found)
    return out.getvalue().splitlines()


class _Ascii(StringIO):
    encoding = "ascii"


@pytest.mark.parametrize(("name", "players"), [("classic", 1), ("classic", 2), ("longo", 3), ("cards", 2)])
def test_review_fits_into_forty_columns(name: str, players: int, change_language: Callable[[str], None]) -> None:
    found = review(random_game(name, players, 1, turns=4), "network")
    for language in LANGUAGES:
        change_language(language)
        for width in (40, 80):
            lines = shown(found, width)
            assert max(map(len, lines)) <= width
            assert any("█" in line or "▂▂" in line for line in lines)
    plain = "\n".join(shown(found, 40, unicode=False))
    assert plain.isascii()
    assert "###" in plain or "--" in plain


def test_review_of_a_game_that_has_not_begun() -> None:
    found = review(Game("classic", ["Anna", "Ben"], seed=1), "network")
    assert (found.events, found.summary[0].decisions, found.summary[0].rating) == ([], 0, None)
    assert "Anna" in "\n".join(shown(found, 80))
    assert review_page([(ReadGame("game.rlk", 1, found.game), found)]).endswith("</html>\n")


def test_totals_are_per_player_and_solo_games_apart(games: list[Game]) -> None:
    reviews = [review(game, "network") for game in (*games, random_game("classic", 1, 1))]
    groups = totals([*reviews, review(random_game("longo", 2, 1), "network")])
    assert [*groups] == [("classic", 2), ("classic", 1), ("longo", 2)]
    together, alone, _ = groups.values()
    assert [(one.name, one.games, one.solo) for one in together] == [("Player 1", 2, False), ("Player 2", 2, False)]
    assert [(one.name, one.games, one.solo) for one in alone] == [("Player 1", 1, True)]
    assert sum(one.result for one in together) == pytest.approx(2)
    assert together[0].loss == pytest.approx(sum(found.summary[0].loss for found in reviews[:2]))
    assert together[0].mean_loss == pytest.approx(together[0].loss / together[0].decisions)
    assert together[0].rating == rating_of(together[0].loss / together[0].decisions, 2)
    out = StringIO()
    show_totals(Console(file=out, width=80), reviews)
    lines = out.getvalue().splitlines()
    assert lines[0] == "3 games"
    assert [line for line in lines if line.startswith("classic")] == [
        "classic, 2 players: 2 games",
        "classic, 1 player: 1 game",
    ]
    assert lines[2].split()[0] == "wins"  # a table that fits: all have played all games, which the title counts
    assert "Luck is the mean per game, loss the mean per decision." in lines
    assert together[0].mean_luck == pytest.approx(sum(found.summary[0].luck for found in reviews[:2]) / 2)


@pytest.mark.parametrize(
    ("second", "better", "said"),
    [
        ("G3", "Y3", ["G3: 1 cell is left behind it in the G row", "Y3: 9 cells are left behind it in the Y row"]),
        ("R3", "Y3", ["R3", "Y3", "No single reason stands out; the difference shows only as the game goes on."]),
    ],
)
def test_a_decision_without_a_reason_of_its_own_has_a_sentence(second: str, better: str, said: list[str]) -> None:
    """Both marks skip a cell and keep the same numbers open."""
    turns = f"1. 14-2263 - G5 / R3\n2. 12-4266 Y3 {second} / R5\n"
    game = parse(f'[Variant "classic"]\n[Players "Anna; Ben"]\n\n{turns}')
    found = review(game, "network")
    decision = next(one for one in found.decisions if (one.turn, one.player, one.phase) == (2, 1, "white"))
    options = sorted(decision.options, key=lambda one: one.option != better)
    lines = decision_lines(found, replace(decision, played=second, options=options))
    assert [re.sub(r"^  (?:played: |better: )?|, [\d.]+ %", "", line) for line in lines[1:]] == said


def test_a_mistake_made_on_purpose_is_named() -> None:
    """The champion plays, but Anna makes the worst mark of all in turn 3."""
    game, champion = Game("classic", ["Anna", "Ben"], seed=1), find_bot("champion")
    while game.turns_completed < 4:
        if not game.to_act:
            game.chance()
        for seat in game.to_act:
            view = game.view(seat)
            option = champion.decide(view, list(view.options), random.Random(1))
            if (game.turn, game.phase, seat) == (3, "white", 0):
                option = NetworkValues(game, "network").of_options(game, 0)[-1].option
            game.play(seat, option)
    found = review(game)
    worst = found.worst()[0]
    assert (worst.turn, worst.phase, worst.player, worst.grade) == (3, "white", 0, "blunder")
    assert worst.played == worst.options[-1].option
    text = "\n".join(shown(found, 80))
    assert "Turn 3, Anna, white action: blunder, -" in text
    assert f"  played: {worst.played}, {100 * worst.options[-1].value:.1f} %: skips " in text
    assert f"  better: {words.option_text(worst.best)}, {100 * worst.options[0].value:.1f} %" in text


def test_the_decisions_of_people_are_listed_before_those_of_bots() -> None:
    game = Game("classic", ["Anna", "Ben"])
    losses = [(0, 0.01, "doubtful"), (1, 0.3, "blunder"), (0, 0.06, "blunder"), (0, 0.001, "fine")]
    judged = [JudgedDecision(1, "white", player, "-", "R5", loss, 0.0, grade, [], []) for player, loss, grade in losses]
    found = Review(game, "network", [], [*judged], [])
    assert [one.loss for one in found.worst()] == [0.3, 0.06, 0.01]
    game.tags["Bots"] = "; greedy"
    assert [one.loss for one in found.worst()] == [0.06, 0.01, 0.3]
