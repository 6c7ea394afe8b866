"""Tournaments: ratings, resuming, bots that cannot play."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rowlock import arena
from rowlock.arena import tournament
from rowlock.arena.tournament import fit_elo
from rowlock.bots import Bot
from rowlock.rules.variant import Variant
from tests.command import run
from tests.test_own_bots import PATIENT, program

BOTS = ["random", "eager", "greedy"]


def test_ratings_recover_the_strengths_that_made_the_results() -> None:
    """With win rates as the model predicts them, whoever has 1000."""
    elo = np.array([700.0, 1000.0, 1250.0, 1100.0])
    for players in (2, 4):
        results = []
        for a in range(4):
            for b in range(4):
                if a != b and (players > 2 or a < b):
                    odds = 10 ** ((elo[b] - elo[a]) / 400)
                    results.append((a, b, 1 / (1 + (players - 1) * odds)))
        for anchor in (0, 1):
            fitted, errors = fit_elo(4, results, players, 100_000, anchor)
            assert fitted - fitted[anchor] == pytest.approx(elo - elo[anchor], abs=0.1)
            assert fitted[anchor] == 1000
            assert errors[anchor] == 0
            assert all(0 < error < 3 for index, error in enumerate(errors) if index != anchor)


def test_a_bot_that_always_wins_has_a_finite_rating() -> None:
    few, more = (fit_elo(2, [(0, 1, 1.0)], 2, games, 1) for games in (10, 1000))
    assert 1300 < few[0][0] < more[0][0] < 3000
    assert 100 < few[1][0] < 600


def test_matches_are_those_of_the_arena() -> None:
    result = tournament(BOTS, players=[2, 3], games=60, seed=5, workers=1)
    two, three = result.standings
    pair = arena.match(["eager", "greedy"], games=60, seed=5).bots[0]
    assert (two.rates[1][2], two.intervals[1][2]) == (pair.win_rate, pair.win_rate_interval)
    assert two.rates[2][1] == 1 - pair.win_rate
    copies = arena.match(["greedy", "eager", "eager"], games=60, seed=5).bots[0]
    assert three.rates[2][1] == copies.win_rate
    assert [two.bots[index] for index in two.ranked()] == ["greedy", "eager", "random"]
    assert two.elo[2] == 1000
    assert tournament(["random", "eager"], games=20).standings[0].elo[0] == 1000, "without greedy it is the first"


def test_a_tournament_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches in the file are not played again; the result is that of a tournament without a break."""
    module: Any = __import__("rowlock.arena.tournament", fromlist=["match"])
    played: list[list[str]] = []

    def interrupted(bots: list[str], *arguments: Any, **options: Any) -> arena.Result:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(bots)
        return arena.match(bots, *arguments, **options)

    file = tmp_path / "ratings.json"
    monkeypatch.setattr(module, "match", interrupted)
    first = tournament(BOTS, games=20, file=file, workers=1)
    assert not first.complete
    assert first.standings[0].rates[1][2] is None
    assert played == [["random", "eager"], ["random", "greedy"]]
    played.clear()
    assert tournament(BOTS, games=20, file=file, workers=1).complete
    assert played == [["eager", "greedy"]]
    monkeypatch.setattr(module, "match", arena.match)
    resumed = tournament(BOTS, games=20, file=file, workers=1)
    assert resumed.standings == tournament(BOTS, games=20, workers=1).standings
    content = json.loads(file.read_text())
    assert len(content["matches"]) == 3
    assert content["standings"][0]["bots"] == BOTS
    assert [path.name for path in tmp_path.iterdir()] == ["ratings.json"]


def test_bots_that_cannot_play_are_left_out() -> None:
    result = tournament(["scholar", "eager", "random"], ["longo"], games=10, workers=1)
    assert result.standings[0].bots == ("eager", "random")
    assert result.left_out[0].startswith("scholar, longo, 2 players: scholar cannot play games with lucky numbers")


def test_a_bot_is_prepared_once_for_each_game() -> None:
    seen = []

    def prepare(bot: Bot, variant: Variant, players: int) -> None:
        seen.append((type(bot).__name__, variant.id, players))

    tournament(["random", "eager"], ["classic", "longo"], games=2, prepare=prepare)
    assert seen == [(bot, game, 2) for game in ("classic", "longo") for bot in ("Random", "Eager")]


def test_own_bots_take_part_and_their_failures_are_named(tmp_path: Path) -> None:
    names = [PATIENT, program(tmp_path, "cheats"), "random"]
    done = run("tournament", *names, "--games", "2", "--workers", "1", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["standings"][0]["bots"][0] == "patient"
    failed = [text for text in answer["failures"] if "'R99' is not an option" in text]
    assert failed[0].startswith("classic, 2 players, patient against ")


def test_the_command_shows_tables_and_plots(tmp_path: Path) -> None:
    words = ["tournament", *BOTS, "--players", "2,3", "--games", "20", "--out", str(tmp_path / "ratings.json")]
    done = run(*words, "--plot", str(tmp_path / "ratings.svg"))
    assert done.returncode == 0, done.stderr
    assert "classic, 2 players\n" in done.stdout
    assert "vs 2 greedy" in done.stdout
    assert "20 games each, seed 1" in done.stdout
    assert (tmp_path / "ratings.svg").stat().st_size > 10_000
    assert run(*words).stdout == done.stdout


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["greedy"], "a tournament needs two bots or more, not 1"),
        (["greedy", "greedy"], "the bot greedy is named twice"),
        (["greedy", "nobody"], "there is no bot 'nobody'"),
        (["greedy", "random", "--players", "1"], "2 to 5 players take part in a game of a tournament, not 1"),
        (["greedy", "random", "--players", "two"], "--players are numbers from 2 to 5, such as 2,3, not two"),
        (["greedy", "random", "--players", "2,2"], "the number of players 2 is named twice"),
        (["greedy", "random", "--variants", "chess"], "there is no variant 'chess'"),
        (["greedy", "random", "--out", "/nowhere/ratings.json"], "there is no folder /nowhere"),
        (["greedy", "random", "--plot", "ratings.gif"], "a plot is a .png or .svg file"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], text: str) -> None:
    done = run("tournament", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert text in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("content", ["not JSON", "[]", '{"format": 2, "matches": []}', '{"format": 1}'])
def test_another_file_is_not_overwritten(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(content)
    done = run("tournament", "greedy", "random", "--games", "2", "--out", file)
    assert done.returncode == 2
    assert "is not the file of a tournament" in done.stderr
    assert file.read_text() == content
