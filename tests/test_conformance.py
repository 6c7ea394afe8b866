"""The conformance suite, run against this very package in process."""

import sys

import pytest

from conformance import suite
from rowlock.rules.game import Game
from rowlock.rules.notation import CODES, RecordError, outcome, read_all

CASES = {case.name: case for case in suite.cases()}
# What no record can bring about.
NOT_IN_RECORDS = {"to-act"}

each_case = pytest.mark.parametrize("name", CASES)


def read(case: suite.Case) -> list[Game | RecordError]:
    return list(read_all(case.record))


@each_case
def test_answers(name: str) -> None:
    """The outcome of each game and of each decision point; errors with line, turn, player and our own code."""
    case, answers = CASES[name], read(CASES[name])
    games = [game for game in answers if isinstance(game, Game)]
    assert suite.difference(case.outcomes or [], [outcome(game) for game in games]) is None
    if case.each is not None:
        found = [outcome(moment) for game in games for moment in game.moments()]
        assert suite.difference(case.each, found) is None
    expected, wrong = case.errors or [], [error for error in answers if isinstance(error, RecordError)]
    reported = [{"line": one.line, "turn": one.turn, "player": one.player, "code": one.code} for one in wrong]
    assert suite.difference(expected, reported) is None
    for error, one in zip(expected, wrong, strict=True):
        assert suite.error_difference(error, str(one), str(case.record)) is None


@each_case
def test_games_are_consistent(name: str) -> None:
    """A game that waits for a decision has that decision as its last moment, and its record reads the same."""
    for game in read(CASES[name]):
        if isinstance(game, Game):
            if options := outcome(game)["options"]:
                assert outcome(list(game.moments())[-1])["options"] == options
            (again,) = read_all(game.record().encode())
            assert isinstance(again, Game)
            assert outcome(again) == outcome(game)


def test_every_case_states_its_rule() -> None:
    for name, case in CASES.items():
        about, _, rule = case.rule.partition(": ")
        assert about, f"{name}: the first line is a comment: what part of the rules, a colon, the rule"
        assert rule, name
        assert case.outcomes is not None or case.errors, f"{name}: every record has a file with its expected outcome"


def test_rules_are_stated_once() -> None:
    assert len({case.rule for case in CASES.values()}) == len(CASES)


def test_index_lists_every_case() -> None:
    """`python conformance/suite.py --index` writes it again."""
    assert suite.INDEX.read_text(encoding="utf-8") == suite.index()


def test_nothing_is_orphaned() -> None:
    known = {f"{name}{suffix}" for name in CASES for suffix in (".rlk", ".json", ".each.json", ".error.json")}
    for folder in suite.FOLDERS:
        found = {f"{folder}/{path.name}" for path in (suite.FOLDER / folder).iterdir()}
        assert found <= known
    folders = {path.name for path in suite.FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(suite.FOLDERS)


def test_every_code_is_shown() -> None:
    """A new error code needs a case that shows it."""
    shown = {error["code"] for case in CASES.values() for error in case.errors or []}
    assert shown == set(CODES) - NOT_IN_RECORDS


# The runner for other implementations


@pytest.mark.parametrize("name", ["classic/two-actions", "notation/error-between-games", "notation/turn-numbers"])
def test_runner_is_content_with_the_command(name: str) -> None:
    assert list(suite.answer([sys.executable, "-m", "rowlock", "replay", "--json"], CASES[name])) == []


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("pass", "the answer is [], not "),
        ("print('{')", "the output is not JSON"),
        ("import sys; sys.exit('no')", "1 errors are reported, not 0"),
    ],
)
def test_runner_reports_what_differs(script: str, message: str) -> None:
    found = list(suite.answer([sys.executable, "-c", script], CASES["classic/solo"]))
    assert any(message in one for one in found)


@pytest.mark.parametrize(
    ("expected", "found", "message"),
    [
        ({"turns": 1}, {"turns": 1, "more": 0}, None),
        ({"turns": 1}, {}, ".turns is missing"),
        ({"points": {"R": 1}}, {"points": {"R": 1, "Y": 0}}, ".points.Y is not expected"),
        ({"over": False}, {"over": 0}, ".over is 0, not false"),
        ([1, 2], [1], "the answer is [1], not [1, 2]"),
        ({"scores": [1, 2]}, {"scores": [1, 3]}, ".scores[1] is 3, not 2"),
    ],
)
def test_difference(expected: object, found: object, message: str | None) -> None:
    """More keys are welcome, except where an object is a list of names."""
    assert suite.difference(expected, found) == message
