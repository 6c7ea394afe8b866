"""`rowlock stats`, `rowlock games` and `rowlock export`: many records at once, broken ones among them."""

import csv
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

import rowlock
from rowlock import Game, arena
from rowlock.arena.statistics import statistics
from rowlock.bots import Stream, find_bot
from rowlock.terminal.report import print_table
from tests.command import run

UNFINISHED = '[Variant "classic"]\n[Players "Mia; Noah"]\n\n1. 23-4516 R5 - / B9\n'
BROKEN = '[Variant "classic"]\n[Players "Mia; Noah"]\n\n1. 23-4516 R5 - / B13\n'


def finished(players: list[str], number: int) -> str:
    game = Game("classic", players, seed=4, number=number)
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        seat = game.to_act[0]
        view = game.view(seat)
        bot = find_bot("greedy" if game.players[seat] == "Ann" else "random")
        game.play(seat, bot.decide(view, list(view.options), Stream.of(game, view)))
    return game.record() + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six games of Ann and Bob, two alone, an unfinished one, and records that cannot be read."""
    (tmp_path / "games" / "deep").mkdir(parents=True)
    for number in range(6):
        players = ["Ann", "Bob"] if number % 2 else ["Bob", "Ann"]
        (tmp_path / "games" / f"{number}.rlk").write_text(finished(players, number))
    (tmp_path / "games" / "deep" / "solo.rlk").write_text(finished(["Ann"], 7) + "\n" + finished(["Ann"], 8))
    (tmp_path / "games" / "unfinished.rlk").write_text(UNFINISHED)
    (tmp_path / "games" / "broken.rlk").write_text(BROKEN)
    (tmp_path / "games" / "rubbish.rlk").write_bytes(b"\xff\xfe not a record")
    (tmp_path / "games" / "gone.rlk").symlink_to(tmp_path / "nowhere")
    return tmp_path / "games"


def test_statistics_are_those_of_the_games() -> None:
    games = [game for number in range(6) for game in rowlock.read(finished(["Ann", "Bob"], number).encode())]
    [found] = statistics(games)
    assert (found.variant, found.players, found.games) == ("classic", 2, 6)
    ann = next(player for player in found.by_player if player.name == "Ann")
    scores = [game.scores[0] for game in games]
    assert ann.mean == pytest.approx(sum(scores) / 6)
    assert (ann.lowest, ann.highest, ann.games) == (min(scores), max(scores), 6)
    assert sum(ann.points.values()) == 6
    shares = [(0 in (game.winners or ())) / len(game.winners or ()) for game in games]
    assert ann.win_rate == ann.win_rate_first == found.seats[0].win_rate == pytest.approx(sum(shares) / 6)
    assert ann.misthrows == pytest.approx(sum(game.sheets[0].misthrows for game in games) / 6)
    assert ann.rows_locked == pytest.approx(sum(len(game.sheets[0].locks) for game in games) / 6)
    assert found.turns_mean == pytest.approx(sum(game.turns_completed for game in games) / 6)
    ahead = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in (game.scores for game in games))
    assert found.head_to_head["Ann"]["Bob"] == pytest.approx((6, ahead / 6))
    assert sum(rate.win_rate for rate in found.seats) == pytest.approx(1)


def test_statistics_agree_with_the_arena(tmp_path: Path) -> None:
    result = arena.match(["greedy", "random", "eager"], games=60, seed=1, records=tmp_path / "games.rlk")
    [found] = statistics(rowlock.read(tmp_path / "games.rlk"))
    for bot in result.bots:
        one = next(player for player in found.by_player if player.name == bot.name)
        assert (one.win_rate, one.mean, one.sd) == pytest.approx((bot.win_rate, bot.mean, bot.sd))
        assert (one.p05, one.median, one.p95) == (bot.p05, bot.median, bot.p95)
        assert (one.misthrows, one.rows_locked) == pytest.approx((bot.misthrows, bot.rows_locked))


def test_a_folder_with_broken_records_reports_each_and_goes_on(folder: Path) -> None:
    done = run("stats", folder)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert [
        name for name in ("broken.rlk:4", "rubbish.rlk", "gone.rlk") if not any(name in line for line in lines)
    ] == []
    assert len(lines) == 3
    assert "classic, 2 players, 6 games" in done.stdout
    assert "classic, solo, 2 games" in done.stdout
    assert "games left out: 1 unfinished" in done.stdout
    assert "Mia" not in done.stdout


def test_statistics_as_values(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("stats", "--csv", folder).stdout)))
    assert [(row["players"], row["name"], row["games"]) for row in rows] == [
        ("2", "Ann", "6"), ("2", "Bob", "6"), ("1", "Ann", "2"),
    ]  # fmt: skip
    answer = json.loads(run("stats", "--json", folder).stdout)
    assert answer["left_out"] == {"unfinished": 1, "without dice": 0, "not reviewed": 0}
    first = answer["statistics"][0]
    assert float(rows[0]["win_rate"]) == first["by_player"][0]["win_rate"]
    assert first["head_to_head"]["Ann"]["Bob"][0] == 6
    assert answer["statistics"][1]["by_player"][0]["win_rate"] is None


def test_reviews_add_losses_and_luck(folder: Path) -> None:
    done = run("stats", "--review", "--json", folder / "0.rlk")
    for player in json.loads(done.stdout)["statistics"][0]["by_player"]:
        assert player["mean_loss"] >= 0
        assert player["rating"]
    shown = run("stats", "--review", folder / "0.rlk").stdout
    assert "mean loss" in shown
    losses = {one["name"]: one["mean_loss"] for one in json.loads(done.stdout)["statistics"][0]["by_player"]}
    assert losses["Ann"] < losses["Bob"], "greedy decides better than random"


def test_statistics_can_be_plotted(folder: Path, tmp_path: Path) -> None:
    assert run("stats", "--plot", tmp_path / "points.svg", folder).returncode == 2  # because of the broken records
    assert (tmp_path / "points.svg").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["stats", "--csv", "--json", "x.rlk"], "--csv and --json exclude each other"),
        (["stats", "--plot", "points.gif", "x.rlk"], "points.gif: a plot is a .png or .svg file"),
        (["stats", "nowhere.rlk"], "nowhere.rlk: cannot be read: No such file or directory"),
        (["export", "x.rlk"], "choose one of --csv and --jsonl"),
        (["export", "--csv", "--jsonl", "x.rlk"], "choose one of --csv and --jsonl"),
        (["games", "nowhere"], "nowhere: there is no such folder"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], text: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert text in done.stderr


def test_nothing_saved_yet(home: Path) -> None:
    assert run("games").stdout == f"No saved game in {home / 'games'}.\n"
    assert f"no game is saved in {home / 'games'}" in run("stats").stderr


def test_saved_games_are_listed_with_the_command_that_resumes_them(home: Path, folder: Path) -> None:
    assert run("play", "--players", "Zoe", "--seed", "1", stdin="0\nq\n").returncode == 0
    shown = run("games").stdout
    [file] = (home / "games").glob("*.rlk")
    assert f"rowlock play {file}\n" in shown
    assert "classic: Zoe 0, greedy" in shown
    assert "games left out: 1 unfinished" in run("stats").stdout
    listed = run("games", folder, "--unfinished")
    assert listed.returncode == 2
    assert listed.stdout.count("rowlock play ") == 1
    assert "Mia 2, Noah 0" in listed.stdout
    lines = run("games", folder, "--json").stdout.splitlines()
    assert len(lines) == 9
    assert {"file", "number", "date", "players", "scores", "over"} <= json.loads(lines[0]).keys()
    (folder / "unfinished.rlk").unlink()
    assert run("games", folder, "--unfinished").stdout == f"All games in {folder} are over.\n"


def test_a_row_per_game(folder: Path) -> None:
    done = run("export", "--csv", folder)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 3
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 9
    for row in rows[:6]:
        [game] = rowlock.read(Path(row["file"]))
        assert (row["name_1"], int(row["points_1"])) == (game.players[0], game.scores[0])
        assert float(row["share_1"]) + float(row["share_2"]) == 1
        assert row["name_3"] == ""
    objects = [json.loads(line) for line in run("export", "--jsonl", folder).stdout.splitlines()]
    assert [one["scores"][0] for one in objects] == [int(row["points_1"]) for row in rows]


def test_a_row_per_decision_is_enough_to_play_the_game_again(folder: Path) -> None:
    lines = run("export", "--jsonl", "--decisions", folder / "3.rlk").stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    [expected] = rowlock.read(folder / "3.rlk")
    game = Game("classic", expected.players)
    for row in rows:
        if not game.to_act:
            game.roll(row["dice"])
        view = game.view(row["player"])
        assert (row["sheet"], row["options"]) == (str(view.sheets[row["player"]]), list(view.options))
        assert row["actions"][row["options"].index(row["option"])] == row["action"]
        assert row["final"] == expected.scores[row["player"]]
        game.play(row["player"], row["option"])
    assert game.turns == expected.turns
    table = list(csv.DictReader(io.StringIO(run("export", "--csv", "--decisions", folder / "3.rlk").stdout)))
    assert [row["option"] for row in table] == [row["option"] for row in rows]
    assert table[0]["options"] == " | ".join(rows[0]["options"])


def test_sheets_without_dice_are_left_out_and_are_no_error(tmp_path: Path) -> None:
    (tmp_path / "game.rlk").write_text(finished(["Ann", "Bob"], 1))
    sheets = '[ScoreSheets "classic"]\n[Players "Ann"]\n\n1. 1:R5\n= R5 Y- G- B- x0\n'
    (tmp_path / "sheets.rlk").write_text(sheets)
    for words in (["export", "--jsonl"], ["games", "--json"], ["stats", "--json"]):
        done = run(*words, tmp_path)
        assert done.returncode == 0
        assert len(done.stdout.splitlines()) == 1
        named = f"{tmp_path / 'sheets.rlk'}, 1: sheets without dice are left out\n"
        assert done.stderr == ("" if words[0] == "stats" else named)
    assert json.loads(run("stats", "--json", tmp_path).stdout)["left_out"]["without dice"] == 1
    (tmp_path / "sheets.rlk").write_text(sheets.replace("= R5", "= R6"))
    assert "the sheet is R5" in run("export", "--csv", tmp_path).stderr


def test_cards_are_exported_as_their_player_sees_them(tmp_path: Path) -> None:
    arena.match(["greedy", "random"], "cards", games=1, seed=1, records=tmp_path / "cards.rlk")
    for line in run("export", "--jsonl", "--decisions", tmp_path / "cards.rlk").stdout.splitlines():
        row = json.loads(line)
        other = row["cards"]["hands"][1 - row["player"]]
        assert all(card.startswith("?") for card in other)


def test_a_table_is_a_list_in_a_narrow_terminal() -> None:
    """No figure is cut off: every cell has a line of its own, without empty ones."""
    rows = [["Ann", "90.0 (69.9-97.2)", ""], ["Bob", "10.0 (2.8-30.1)", "x"]]
    for width, expected in ((80, 3), (26, 5)):
        console = Console(width=width, file=io.StringIO(), markup=False, highlight=False)
        print_table(console, ["player", "wins %", "note"], rows)
        assert isinstance(console.file, io.StringIO)
        lines = console.file.getvalue().splitlines()
        assert len(lines) == expected
        assert all(cell in "\n".join(lines) for row in rows for cell in row)
