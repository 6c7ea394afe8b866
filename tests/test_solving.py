"""Solving: the commands, files on disk, plots, and the bot that plays solutions."""

import json
import os
import resource
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from rowlock import Game, arena, find_variant, parse, read, testing
from rowlock.bots import BotError, Stream, find_bot, ready_bots
from rowlock.rules import kernel
from rowlock.rules.variant import Variant
from rowlock.server import commands, protocol
from rowlock.server.refusal import Refused
from rowlock.server.views import available_bots
from rowlock.solver import solution_cache, solution_file
from rowlock.solver.exact_values import option_values
from rowlock.solver.first_roll import first_roll_values
from rowlock.solver.solution_cache import Interrupted, load, solve_cached
from rowlock.solver.solution_file import solution_path
from rowlock.solver.solve import solve
from rowlock.solver.space import NotSolvable, Space, row_states
from tests import command
from tests.effort import EFFORT
from tests.test_cli import MY_VARIANT
from tests.test_solver import BAR, JOINED, LUCKY, STEPS, WIDE, small, small_text

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def rowlock(home: Path) -> Command:
    def run(*arguments: str | Path) -> tuple[int, str, str]:
        done = command.run(*arguments)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def tiny(home: Path) -> Path:
    path = home / "tiny.toml"
    path.write_text(MY_VARIANT)
    return path


# The commands


def test_a_custom_variant_is_solved_once(rowlock: Command, tiny: Path) -> None:
    status, out, _ = rowlock("solve", tiny, "--json")
    answer = json.loads(out)
    assert status == 0
    assert set(answer) == {"variant", "players", "wait", "lucky", "sheet", "value", "states", "seconds", "cached"}
    assert answer["sheet"] is None
    assert (answer["variant"], answer["players"], answer["wait"], answer["lucky"], answer["cached"]) == (
        "tiny",
        1,
        0,
        None,
        False,
    )
    assert answer["value"] == solve(Space(find_variant(tiny), None)).value()  # to the last bit of float64
    again = json.loads(rowlock("solve", tiny, "--json")[1])
    assert again == {**answer, "cached": True}
    value, states = f"{answer['value']:.4f}", f"{answer['states']:,}"
    assert rowlock("solve", tiny)[1] == f"{value} points expected ({states} states, from disk)\n"


def test_waiting_brings_points_at_a_friendly_table(rowlock: Command, tiny: Path) -> None:
    values = [json.loads(rowlock("solve", tiny, "--players", "3", "--wait", w, "--json")[1])["value"] for w in "012"]
    assert values == sorted(values)
    assert values[0] > solve(Space(find_variant(tiny), None)).value()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["connected-a", "--sheet", "F"], "rowlock: connected-a has the sheets A, B, C, D, E, not 'F'"),
        (["classic", "--sheet", "A"], "rowlock: classic has one kind of sheet only"),
        (["double-a"], "rowlock: double-a is not solvable exactly: with second boxes a row has 192 states"),
        (["bonus-b"], "rowlock: bonus-b is not solvable exactly: with bonus pairs the points to come depend on"),
        (
            ["big-points"],
            "rowlock: big-points is not solvable exactly: with bonus fields the points to come depend",
        ),
        (["classic", "--lucky", "5/8"], "rowlock: classic has no lucky numbers"),
        (["longo", "--lucky", "5"], "rowlock: lucky numbers are written like 5/8, not 5"),
        (["longo", "--lucky", "8/5"], "rowlock: lucky numbers are two different numbers from 2 to 16, low/high: 8/5"),
        (["classic", "--players", "6"], "rowlock: Invalid value for '--players'"),
        (["classic", "--players", "0"], "rowlock: Invalid value for '--players'"),
        (["classic", "--wait", "-1"], "rowlock: Invalid value for '--wait'"),
        (["classic", "--players", "2", "--wait", "2"], "rowlock: --wait must be less than --players (2), not 2"),
        (["classic", "--plot", "picture.txt"], "rowlock: picture.txt: a plot is a .png or .svg file"),
        (["chess"], "rowlock: "),
    ],
)
def test_unsolvable_input_is_reported_in_one_line(rowlock: Command, arguments: list[str], line: str) -> None:
    status, out, err = rowlock("solve", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1


def test_hints_are_sorted_and_lead_to_the_value(rowlock: Command, tiny: Path) -> None:
    record = tiny.with_name("solo.rlk")
    record.write_text('[Variant "tiny"]\n[Players "Ann"]\n\n1. 12-3123\n')
    status, out, _ = rowlock("hint", record, "--variant-file", tiny, "--json")
    answer = json.loads(out)
    assert (status, answer["variant"], answer["phase"]) == (0, "tiny", "white")
    values = [one["value"] for one in answer["options"]]
    assert values == sorted(values, reverse=True)
    assert {one["option"] for one in answer["options"]} == {"-", "R3", "Y3", "G3", "B3"}
    assert answer["source"] == "exact"
    heading, first_line, *_ = rowlock("hint", record, "--variant-file", tiny)[1].splitlines()
    assert heading == "Ann: expected points (exact):"
    assert first_line.split()[:4] == [f"{values[0]:.2f}", "no", "mark", "keeps"]


def test_each_sheet_has_a_solution_of_its_own(rowlock: Command, home: Path) -> None:
    file = home / "own.toml"
    file.write_text(small_text(bar=STEPS))
    variant = find_variant(file)
    values = {letter: solve(Space(variant, None, letter)).value() for letter in "AB"}
    assert values["A"] != values["B"]
    for options, letter in (([], "A"), (["--sheet", "A"], "A"), (["--sheet", "b"], "B")):
        answer = json.loads(rowlock("solve", file, "--json", *options)[1])
        assert (answer["sheet"], answer["value"]) == (letter, values[letter])
    record = home / "solo.rlk"
    record.write_text('[Variant "small"]\n[Players "Ann"]\n[Sheets "B"]\n\n1. 12-1111\n')
    hints = json.loads(rowlock("hint", record, "--variant-file", file, "--json")[1])["options"]
    game = next(read(record, variants=[variant]))
    best = option_values(game, solve(Space(variant, None, "B")))[0]
    assert (hints[0]["option"], hints[0]["value"]) == (best[0], pytest.approx(best[1], abs=1e-4))


def test_the_solution_of_another_sheet_is_refused(home: Path) -> None:
    variant = small(bar=STEPS)
    solution = solve_cached(Space(variant, None, "A"), 1, lambda _: None)
    assert load(Space(variant, None, "B"), 1) is None
    game = Game(variant, 1, seed=1, sheets="B")
    with pytest.raises(ValueError, match="the solution is for sheet A, not for B"):
        solution.value(game.sheets[0].ints)
    game.roll()
    with pytest.raises(BotError, match="rowlock solve small --players 1 --sheet B"):
        find_bot("optimal").decide(game.view(0), game.options(0), Stream(1, 0, 0, 1, 0))


# The first roll


@pytest.mark.parametrize("lucky", [None, (3, 4)])
def test_the_mean_of_all_first_rolls_is_the_value(lucky: tuple[int, int] | None) -> None:
    solution = solve(Space(small(lucky=LUCKY if lucky else "", white=3, red=3), lucky), players=2)
    rolls = [one.mean() for some in first_roll_values(solution).values() for one in some]
    assert np.mean(rolls) == pytest.approx(solution.value(), abs=1e-12)


@pytest.mark.parametrize("sheets", [STEPS, JOINED], ids=["steps", "joined cells"])
def test_the_mean_of_all_first_rolls_is_the_value_of_the_sheet(sheets: str) -> None:
    solution = solve(Space(small(bar=sheets), None, "B"))
    rolls = [one.mean() for some in first_roll_values(solution).values() for one in some]
    assert np.mean(rolls) == pytest.approx(solution.value(), abs=1e-12)


def test_a_solution_is_drawn(rowlock: Command, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rowlock.arena.solution_plot.GAMES", 500)
    for name, more in (("alone.svg", []), ("table.png", ["--players", "2"])):
        picture = tiny.with_name(name)
        assert rowlock("solve", tiny, "--plot", picture, *more)[0] == 0
        assert picture.stat().st_size > 10_000


# On disk


def levels(space: Space, stop_after: int) -> Iterator[float]:
    """Solve, and stop after so many levels as if killed: only checkpoints remain."""

    class Killed(Exception):
        pass

    shares: list[float] = []

    def follow(share: float) -> None:
        shares.append(share)
        if len(shares) == stop_after:
            raise Killed

    with pytest.raises(Killed):
        solve_cached(space, 1, follow)
    return iter(shares)


def test_a_killed_solve_continues_from_its_checkpoint(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "_CHECKPOINT_SECONDS", 0.0)
    space = Space(small(), None)
    before = list(levels(space, 3))
    shares: list[float] = []
    solution = solve_cached(space, 1, shares.append)
    assert shares[0] == before[2]  # the level that was lost is done again, the others are not
    assert solution.value() == solve(space).value()
    assert not list(home.rglob("*.part"))


def test_ctrl_c_saves_a_checkpoint(rowlock: Command, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bool:
        os.kill(os.getpid(), signal.SIGINT)
        return False

    run = solve_cached
    with monkeypatch.context() as patch:
        patch.setattr(
            solution_cache,
            "solve_cached",
            lambda s, n, progress, stop: run(s, n, progress, lambda: interrupted() or stop()),
        )
        status, out, err = rowlock("solve", tiny)
    assert (status, out) == (2, "")
    assert "stopped at" in err
    assert "the same command continues from there" in err
    assert rowlock("solve", tiny)[0] == 0


@pytest.mark.parametrize("place", [0, 30, -1])
def test_a_damaged_file_is_solved_again(home: Path, place: int) -> None:
    space = Space(small(), None)
    first = solve_cached(space, 1, lambda _: None)
    path = solution_path(space, 1)
    data = path.read_bytes()
    for at in [place % len(data), *range(data.index(b"{") + 60)]:  # the values, and every byte before them
        for bit in (1, 4, 255):
            path.write_bytes(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])
            assert load(space, 1) is None
    again = solve_cached(space, 1, lambda _: None)
    assert np.array_equal(first.values, again.values)
    assert load(space, 1) is not None
    path.write_bytes(path.read_bytes()[:-1])
    assert load(space, 1) is None


def test_a_damaged_file_is_reported(rowlock: Command, tiny: Path) -> None:
    first = rowlock("solve", tiny, "--json")
    path = solution_path(Space(find_variant(tiny), None), 1)
    path.write_bytes(path.read_bytes()[:-1])
    status, out, err = rowlock("solve", tiny, "--json")
    assert (status, err) == (0, "the saved solution of tiny is damaged; solving it again\n")
    assert json.loads(out)["value"] == json.loads(first[1])["value"]


def test_a_full_disk_is_reported_in_one_line(rowlock: Command, tiny: Path) -> None:
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, usual[1]))
    try:
        status, out, err = rowlock("solve", tiny)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        signal.signal(signal.SIGXFSZ, before)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.endswith("the solution cannot be saved: File too large\n")
    assert not list(tiny.parent.rglob("*.new"))


def test_stored_values_are_rounded_by_less_than_a_thousandth(home: Path) -> None:
    """A float32 has 24 bits: rounding changes a value below 1,024 by at most 2**-15."""
    space = Space(small(lucky=LUCKY, white=3), (3, 4))
    exact, stored = solve(space, 3).values, solve_cached(space, 3, lambda _: None).values
    assert stored.dtype == np.float32
    assert 0 < np.abs(exact - stored).max() <= 2**-15 < 0.001
    marks = kernel.MAX_CELLS + 1  # every cell and the lock
    assert kernel.ROWS * marks * (marks + 1) // 2 < 1024


# The bot


def optimal_plays_best(variant: Variant, lucky: tuple[int, int] | None, games: int, letter: str = "") -> None:
    """Check that every decision of the bot has the best value of all hints."""
    bot = find_bot("optimal")
    pairs = [lucky] if lucky else None
    bot.prepare(Game(variant, 1, lucky=pairs).variant.with_sheets(letter), 1)
    solution = load(Space(variant, lucky, letter), 1)
    assert solution
    for number in range(games):
        game = Game(variant, 1, seed=5, number=number, lucky=pairs, sheets=letter or None)
        while not game.over:
            if game.phase == "roll":
                game.roll()
                continue
            view = game.view(0)
            option = bot.decide(
                view, list(view.options), Stream(5, number, game.turn, game.PHASES.index(game.phase), 0)
            )
            known = dict(option_values(game, solution))
            assert known[option] == pytest.approx(max(known.values()), abs=1e-5), game.record()
            game.play(0, option)


@pytest.mark.slow
def test_optimal_takes_the_option_with_the_highest_value(home: Path) -> None:
    optimal_plays_best(small(**WIDE), None, 40)
    for pair in ((2, 3), (2, 5)):  # the first of the variant's own, and another
        optimal_plays_best(small(**WIDE, lucky=LUCKY), pair, 40)
    optimal_plays_best(small(**WIDE, bar=BAR), None, 40)
    for sheets in (STEPS, JOINED):
        for letter in "AB":
            optimal_plays_best(small(**WIDE, bar=sheets), None, 20, letter)


@pytest.mark.parametrize(
    "more",
    [{}, {"bar": BAR}, {"lucky": LUCKY}, {"bar": STEPS}, {"bar": JOINED}],
    ids=["plain", "bonus bar", "lucky", "steps", "joined cells"],
)
def test_games_of_optimal_bring_the_value(home: Path, more: dict[str, str]) -> None:
    variant = small(**WIDE, **more)
    result = arena.match(["optimal"], variant, 40_000, seed=3)
    value = solve(Space(variant, variant.lucky[0] if variant.lucky else None, variant.sheet_letters[:1])).value()
    one = result.bots[0]
    assert one.mean is not None
    assert abs(one.mean - value) < 4 * (one.standard_error or 0)
    assert result.path == "compiled"


@pytest.mark.slow
def test_optimal_keeps_to_the_rules_at_tables(home: Path) -> None:
    more: tuple[dict[str, str], ...] = ({}, {"bar": BAR}, {"lucky": LUCKY}, {"bar": STEPS}, {"bar": JOINED})
    for variant in (small(**WIDE, **one) for one in more):
        for players in range(1, 6):
            find_bot("optimal").prepare(variant, players)
        testing.check_bot(find_bot("optimal"), [variant], games=5)


@pytest.mark.slow
def test_the_value_of_classic_is_the_published_one() -> None:
    """115.4831, found independently; games in the arena agree within four standard errors."""
    games = 1_000_000 if EFFORT == "soak" else 20_000
    result = arena.match(["optimal"], "classic", games, seed=1)
    solution = load(Space(find_variant("classic"), None), 1)
    assert solution
    assert solution.value() == pytest.approx(115.4831, abs=5e-5)
    assert solution.states == 5_455_128
    one = result.bots[0]
    assert one.mean is not None
    assert abs(one.mean - solution.value()) < 4 * (one.standard_error or 0)


def test_what_bots_need_is_counted_once() -> None:
    """A server is asked for its bots whenever somebody opens the page: it enumerates no states for that again."""
    bots = available_bots()
    before = row_states.cache_info()
    assert available_bots() == bots
    after = row_states.cache_info()
    assert (after.misses, after.currsize) == (before.misses, before.currsize)
    assert before.currsize


def test_optimal_reports_what_it_needs(home: Path) -> None:
    bot = find_bot("optimal")
    assert bot.needs(find_variant("classic"), 3) == ("optimal needs a solution: rowlock solve classic --players 3")
    assert str(bot.needs(find_variant("longo"), 1)).endswith("rowlock solve longo --players 1 --lucky 5/8")
    assert str(bot.needs(find_variant("bonus-b"), 2)).startswith("bonus-b is not solvable exactly")
    assert str(bot.needs(find_variant("connected-b"), 1)).endswith("rowlock solve connected-b --players 1 --sheet A")
    assert "would need" in str(bot.needs(find_variant("longo"), 5))
    game = parse('[Variant "classic"]\n[Players "Ann; Bob"]\n\n1. 12-3456')
    with pytest.raises(BotError, match="rowlock solve classic --players 2"):
        bot.decide(game.view(0), game.options(0), Stream(1, 0, 0, 1, 0))
    longo = Game("longo", 1, seed=1, lucky=[(3, 10)])
    longo.roll()
    with pytest.raises(BotError, match="rowlock solve longo --players 1 --lucky 3/10"):
        bot.decide(longo.view(0), longo.options(0), Stream(1, 0, 0, 1, 0))
    with pytest.raises(ValueError, match="bonus-b is not solvable exactly"):
        arena.match(["optimal", "random"], "bonus-b", 10)


def test_optimal_is_offered_if_its_solution_is_on_disk(home: Path) -> None:
    classic, request = (
        find_variant("classic"),
        protocol.TableRequest("classic", [protocol.SeatRequest(), protocol.SeatRequest(bot="optimal")]),
    )
    assert "optimal" not in ready_bots(classic, 2)
    with pytest.raises(Refused):
        commands.create(request)
    path = solution_path(Space(classic, None), 2)
    path.parent.mkdir(parents=True)
    solution_file.write(path, {}, np.zeros(8, np.float32))
    assert "optimal" in ready_bots(classic, 2)
    assert "optimal" not in ready_bots(classic, 3)
    assert commands.create(request)


def test_optimal_is_offered_for_solved_lucky_numbers(home: Path) -> None:
    longo = find_variant("longo")
    path = solution_path(Space(longo, (5, 8)), 1)
    path.parent.mkdir(parents=True)
    solution_file.write(path, {}, np.zeros(8, np.float32))
    assert commands.create(protocol.TableRequest("longo", [protocol.SeatRequest(bot="optimal")]))
    with pytest.raises(Refused):
        commands.create(protocol.TableRequest("longo", [protocol.SeatRequest(bot="optimal", lucky=[3, 10])]))


def test_optimal_is_offered_for_solved_sheets(home: Path) -> None:
    """Alone, the bot gets sheet A unless another is chosen; with two players it can get A or B."""
    connected = find_variant("connected-b")

    def write(letter: str, players: int) -> None:
        path = solution_path(Space(connected, None, letter), players)
        path.parent.mkdir(parents=True, exist_ok=True)
        solution_file.write(path, {}, np.zeros(8, np.float32))

    bot, person = protocol.SeatRequest(bot="optimal"), protocol.SeatRequest(sheet="D")
    write("A", 1)
    write("A", 2)
    assert commands.create(protocol.TableRequest("connected-b", [bot]))
    for seats in ([protocol.SeatRequest(bot="optimal", sheet="C")], [bot, person]):
        with pytest.raises(Refused):
            commands.create(protocol.TableRequest("connected-b", seats))
    write("B", 2)
    assert commands.create(protocol.TableRequest("connected-b", [bot, person]))


def test_a_bot_that_cannot_be_loaded_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rowlock.bots.registry.bot_names", lambda: ("random", "no such bot"))
    assert ready_bots(find_variant("classic"), 2) == ("random",)


def test_an_interrupted_preparation_is_reported(home: Path) -> None:
    with pytest.raises(BotError, match="the same command continues from there"):
        find_bot("optimal").prepare(small(), 1, stop=lambda: True)
    with pytest.raises(Interrupted):
        solve_cached(Space(small(), None), 1, lambda _: None, lambda: True)
    assert issubclass(NotSolvable, ValueError)
