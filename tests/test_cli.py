"""The command line, mostly as a process: what it prints where, and its exit status."""

import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rowlock import __version__, bots, variant_ids
from rowlock.rules.variant import find_variant
from rowlock.terminal import solving
from tests.command import run
from tests.effort import QUICK
from tests.positions import deck

UNFINISHED = """\
[Variant "classic"]
[Players "Anna; Ben; Chloe"]
[Date "2026-11-15"]
[Result "*"]

1. 41-3256 R5 Y5 - / B10
2. 66-1234 - - - / G9
3. 12-6611 - R3 Y3 / -
4. 11-1111 - - - / x
"""
FINISHED = """\
[Variant "classic"]
[Players "Zoë"]
[Result "-20"]

1. 41-3256 - / x
2. 41-3256 - / x
3. 41-3256 - / x
4. 41-3256 - / x
"""
BROKEN = UNFINISHED.replace("2. 66-1234 - - - / G9", "2. 66-1234 - R7 - / G9")
MY_VARIANT = """\
format = 1
id = "tiny"
closing = 1
needed = 1
cap = 5
dice = { white = 3, R = 3, Y = 3, G = 3, B = 3 }
rows = { R = { numbers = [2, 3, 4, 5, 6] }, Y = { numbers = [2, 3, 4, 5, 6] }, \
G = { numbers = [6, 5, 4, 3, 2] }, B = { numbers = [6, 5, 4, 3, 2] } }
name = { en = "Tiny", de = "Winzig", nl = "Piepklein" }
about = { en = "A game for the queue.", de = "Ein Spiel für die Warteschlange.", nl = "Een spel voor in de rij." }
"""
COMMAND = [sys.executable, "-m", "rowlock"]


def environment(**changes: str) -> dict[str, str]:
    """A minimal environment, independent of the terminal that runs the tests."""
    names = ("PATH", "HOME", "SYSTEMROOT", "PYTHONPATH", "ROWLOCK_HOME")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**kept, "PYTHONWARNINGS": "error", **changes}


def rowlock(*arguments: str | Path, stdin: str = "", **changes: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a process; in quick runs within this one, unless it needs its own environment."""
    if QUICK and not changes:
        return run(*arguments, stdin=stdin)
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=environment(**changes),
        timeout=300,
        check=False,
    )


def objects(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def record(folder: Path, text: str, name: str = "game.rlk") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# The command itself


def test_version() -> None:
    found = rowlock("--version")
    assert (found.returncode, found.stdout, found.stderr) == (0, f"rowlock {__version__}\n", "")


def test_help_shows_how_to_begin() -> None:
    found = rowlock("--help")
    assert found.returncode == 0
    assert "rowlock replay game.rlk" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["reply"], "reply"),
        (["--colour"], "--colour"),
        (["replay"], "FILE"),
        (["replay", "--each", "game.rlk"], "--json"),
        (["replay", "--variant-file", "nowhere.toml", "-"], "nowhere.toml"),
        (["show"], "VARIANT"),
        (["show", "clasic"], "clasic"),
        (["show", "nowhere.toml"], "nowhere.toml"),
        (["play", "clasic"], "clasic"),
        (["play", "classic+jokers"], "classic"),
        (["show", "longo+jokers"], "longo"),
        (["play", "nowhere.rlk"], "nowhere.rlk"),
        (["play", "--players", "A,B,C,D,E,F"], "6"),
        (["play", "--players", "Anna,Anna"], "Anna"),
        (["play", "--players", "An\nna,Ben"], "An\\nna"),
        (["play", "--players", "Anna,,Ben"], "0"),
        (["play", "--bots", "grumpy"], "grumpy"),
        (["play", "--seed", "-1"], "--seed"),
        (["play", "--seed", "many"], "--seed"),
        (["play", "--save", "nowhere/game.rlk"], "nowhere/game.rlk"),
        (["play", "--bots", "champion", "--think", "0"], "86,400 seconds, not 0"),
        (["play", "--think", "-1"], "86,400 seconds, not -1"),
        (["play", "--think", "1"], "looks ahead, such as champion, not greedy"),
        (["play", "--bots", "none", "--think", "1"], "no bot plays here"),
        (["play", "--bots", "champion", "--think", "1e300"], "at most 86,400 seconds, not 1e+300"),
        (["show", "clasic"], "did you mean classic?"),
        (["play", "--bots", "greddy"], "did you mean greedy?"),
        (["arean", "greedy"], "did you mean arena? (see rowlock --help"),
        (["clasic"], "did you mean rowlock play classic?"),
        (["cards+joker"], "did you mean rowlock play cards+jokers?"),
        (["arena"], "(see rowlock arena --help)"),
        (["arena", "random", "--gmaes", "1"], "(see rowlock arena --help)"),
        (["train", "classic", "--steps", "0"], "(see rowlock train --help)"),
        (["serve", "--setting", "keep_day=1"], "did you mean keep_days?"),
        (["serve", "--setting", "keep_days=1e30"], "1000000000 or less, not 1e30"),
        (["arena", "random", "--game", f"{10**20}"], "--game"),
        (["arena", "random", "--games", f"{10**20}"], "--games"),
        (["arena", "random", "--seed", f"{10**20}"], "--seed"),
        (["arena", "random", "--workers", f"{10**20}"], "--workers"),
        (["arena", "random", "--variant", "clasic"], "did you mean classic?"),
        (["arena", "randon"], "did you mean random?"),
        (["arena", "greedy", "random", "--think", "1"], "such as champion, not greedy, random"),
        (["train", "classic", "--bot", "champoin", "--out", "a.npz"], "did you mean champion?"),
        (["train", "classic", "--steps", f"{10**20}", "--out", "a.npz"], "--steps"),
        (["train", "classic", "--gpu", "--threads", "2", "--out", "a.npz"], "--threads"),
        (["train", "classic", "--out", "nowhere/a.npz"], "there is no folder nowhere"),
        (["train", "classic", "--out", "weights"], "weights: a weights file must end in .npz"),
        (["train", "classic", "--out", "/"], "/: a weights file must end in .npz"),
        (["train", "classic", "--out", __file__], ".npz"),
    ],
)
def test_wrong_usage_gives_one_line(arguments: list[str], named: str, home: Path) -> None:
    found = run(*arguments)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.count("\n") == 1
    assert named in found.stderr
    assert not [*home.rglob("*.rlk")]


def test_a_name_of_invalid_bytes_is_refused(tmp_path: Path) -> None:
    found = rowlock("play", "--players", "An\udcffna", "--save", tmp_path / "game.rlk")
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert not (tmp_path / "game.rlk").exists()


def test_output_that_cannot_be_written() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("w") as full:
        found = subprocess.run([*COMMAND, "variants"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (found.returncode, found.stderr.count(b"\n")) == (2, 1)


def test_a_folder_for_compiled_code_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    found = rowlock("arena", "random", ROWLOCK_HOME=str(tmp_path))
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert found.stderr.startswith(f"rowlock: {tmp_path}/cache/compiled/")
    assert "output" not in found.stderr


# Looking at games


def test_variants_are_listed_one_line_each() -> None:
    found = rowlock("variants")
    assert [line.split()[0] for line in found.stdout.splitlines()] == list(variant_ids())


@pytest.mark.parametrize("variant", variant_ids())
def test_a_sheet_reads_without_colours(variant: str) -> None:
    found = run("show", variant)
    assert (found.returncode, found.stderr) == (0, "")
    assert "\x1b" not in found.stdout
    for row in "RYGB":
        assert re.search(rf"^ {row} .* # *$", found.stdout, re.MULTILINE)


@pytest.mark.parametrize("variant", variant_ids())
def test_a_sheet_needs_nothing_but_ascii(variant: str) -> None:
    found = run("show", variant, encoding="ascii")
    assert found.returncode == 0
    assert found.stdout.isascii()


def test_a_sheet_in_colour() -> None:
    colourful, plain = (
        rowlock("show", "mixx-a", FORCE_COLOR="1"),
        rowlock("show", "mixx-a", FORCE_COLOR="1", NO_COLOR="1"),
    )
    assert "\x1b[" in colourful.stdout
    assert "2y  3y  4y  5b" in re.sub(r"\x1b\[[0-9;]*m", "", plain.stdout)
    assert "48;" not in plain.stdout


def test_a_users_variant_is_shown(tmp_path: Path) -> None:
    found = rowlock("show", record(tmp_path, MY_VARIANT, "tiny.toml"))
    assert found.returncode == 0
    assert "Tiny (tiny)" in found.stdout
    assert "1 or more marks in that row" in " ".join(found.stdout.split())


# Replaying


def test_replay_prints_the_status_of_a_game(tmp_path: Path) -> None:
    path = record(tmp_path, UNFINISHED + FINISHED)
    found = rowlock("replay", path)
    assert (found.returncode, found.stderr) == (0, "")
    assert f"{path}, game 1: classic, 4 turns, not over, Ben is to roll in turn 5" in found.stdout
    assert "Leader: Ben, 3 points" in found.stdout
    assert "game 2: classic, 4 turns, over, Zoë marked the last misthrow" in found.stdout
    assert "  Zoë: -20 points\n" in found.stdout


CARDS = """\
[Variant "cards"]
[Players "Anna; Ben"]
[Jokers "yes"]
[Deck "{deck}"]

1. {first}
"""


@pytest.mark.parametrize(
    ("first", "standing"),
    [
        ("", "0 turns, not over, Anna is to take cards in turn 1"),
        ("b9 8:", "0 turns, not over, everybody may mark the 8 of turn 1 (Anna)"),
        ("b9 8: Y8 -", "0 turns, not over, Anna is to play cards in turn 1"),
        ("b9 8: Y8 - / r4,j5r = R4 R5", "1 turn, not over, Ben is to begin turn 2"),
    ],
)
def test_replay_prints_the_status_of_a_card_game(first: str, standing: str) -> None:
    cards = deck("r4 g2 j5 g3 y2 g4 y3 g5 b9 b10 b11 b12 y9 y8", jokers=True)
    found = rowlock("replay", "-", stdin=CARDS.format(deck=cards, first=first))
    assert (found.returncode, found.stderr) == (0, "")
    assert f"-, game 1: cards+jokers, {standing}\n" in found.stdout


def test_a_card_game_is_shown_with_jokers_and_without() -> None:
    plain, jokers = rowlock("show", "cards-mixx-a").stdout, rowlock("show", "cards-mixx-a+jokers").stdout
    assert plain.startswith("Card game on Mixx A (cards-mixx-a)\n")
    assert jokers.startswith("Card game on Mixx A with jokers (cards-mixx-a+jokers)\n")
    assert "one player has closed 2 rows" in " ".join(plain.split())
    assert "44 cards: every number from 2 to 12 once in red, yellow, green and blue." in " ".join(plain.split())
    assert "55 cards: every number from 2 to 12 once in red, yellow, green, blue and as a joker." in " ".join(
        jokers.split()
    )


def test_replay_as_json() -> None:
    found = rowlock("replay", "--json", "-", stdin=UNFINISHED + FINISHED)
    assert (found.returncode, found.stderr) == (0, "")
    unfinished, finished = objects(found.stdout)
    empty: dict[str, list[int]] = {"R": [], "Y": [], "G": [], "B": []}
    nothing = {"R": 0, "Y": 0, "G": 0, "B": 0, "bonus": 0, "misthrows": 0}
    assert unfinished == {
        "variant": "classic",
        "players": ["Anna", "Ben", "Chloe"],
        "turns": 4,
        "over": False,
        "reason": None,
        "closed": [],
        "sheets": [
            {
                "rows": {**empty, "R": [5], "B": [10]},
                "locks": [],
                "misthrows": 1,
                "points": {**nothing, "R": 1, "B": 1, "misthrows": -5},
                "total": -3,
            },
            {
                "rows": {**empty, "R": [3], "Y": [5], "G": [9]},
                "locks": [],
                "misthrows": 0,
                "points": {**nothing, "R": 1, "Y": 1, "G": 1},
                "total": 3,
            },
            {
                "rows": {**empty, "Y": [3]},
                "locks": [],
                "misthrows": 0,
                "points": {**nothing, "Y": 1},
                "total": 1,
            },
        ],
        "scores": [-3, 3, 1],
        "winners": None,
        "options": None,
    }
    assert (finished["over"], finished["reason"], finished["winners"]) == (True, "misthrows", [0])


def test_each_decision_is_shown_with_the_state_before_it() -> None:
    found = rowlock("replay", "--json", "--each", "-", stdin=FINISHED + UNFINISHED + "5. 12-3456 - - -\n")
    moments = objects(found.stdout)
    assert [list(moment["options"]) for moment in moments] == [["white"], ["colour"]] * (4 + 5)
    assert [moment["turns"] for moment in moments[:8]] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert not any(moment["over"] for moment in moments)
    assert moments[1]["options"] == {"colour": ["B10", "B7", "G6", "G9", "R4", "R7", "Y3", "Y6", "x"]}


def test_a_game_without_a_roll_has_no_decision() -> None:
    found = rowlock("replay", "--json", "--each", "-", stdin='[Variant "classic"]\n[Players "Anna"]\n')
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_a_broken_record_does_not_hide_the_others(tmp_path: Path) -> None:
    path = record(tmp_path, FINISHED + BROKEN + UNFINISHED)
    found = rowlock("replay", "--json", path)
    assert found.returncode == 1
    assert found.stderr == f"{path}:15: turn 2, Ben: R7: the white sum is 12 [sum]\n"
    assert [one["turns"] for one in objects(found.stdout)] == [4, 4]


def test_files_that_cannot_be_opened_do_not_hide_the_others(tmp_path: Path) -> None:
    good, broken = record(tmp_path, FINISHED), record(tmp_path, BROKEN, "broken.rlk")
    missing = tmp_path / "missing.rlk"
    found = rowlock("replay", "--json", missing, broken, tmp_path, good)
    assert found.returncode == 2
    assert len(objects(found.stdout)) == 1
    lines = found.stderr.splitlines()
    assert [line.split(":")[0] for line in lines] == [str(missing), str(broken), str(tmp_path)]


def test_a_binary_file_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "noise.rlk"
    path.write_bytes(bytes(range(256)) * 50)
    found = rowlock("replay", "--json", path)
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (1, "", 1)
    assert found.stderr.endswith("[syntax]\n")


def test_a_file_without_a_game(tmp_path: Path) -> None:
    path = record(tmp_path, "; nothing yet\n\n")
    found = rowlock("replay", "--json", path)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
    assert rowlock("replay", path).stdout == f"{path}: no game\n"


def test_an_error_stays_on_its_line_whatever_it_quotes(tmp_path: Path) -> None:
    path = record(tmp_path, FINISHED.replace("Zoë", "An\x1b[31mna\x85"))
    found = rowlock("replay", path)
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "\x1b" not in found.stderr


@pytest.mark.parametrize("locale", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "latin-1"}])
def test_output_is_utf_8_whatever_the_locale(locale: dict[str, str], tmp_path: Path) -> None:
    found = rowlock("replay", "--json", "-", stdin=FINISHED, PYTHONCOERCECLOCALE="0", **locale)
    assert '"players":["Zoë"]' in found.stdout
    path = record(tmp_path, FINISHED.replace("1. 41-3256 - / x", "1. 41-3256 - / -"))
    found = rowlock("replay", path, PYTHONCOERCECLOCALE="0", **locale)
    assert "turn 1, Zoë: no mark was made" in found.stderr


def test_a_record_of_a_users_variant(tmp_path: Path) -> None:
    variant = record(tmp_path, MY_VARIANT, "tiny.toml")
    game = '[Variant "tiny"]\n[Players "Anna"]\n\n1. 33-1111 R6# / -\n'
    found = rowlock("replay", "--json", "-", stdin=game)
    assert (found.returncode, found.stderr.count("[variant]")) == (1, 1)
    game = game.replace("33-1111 R6# / -", "12-1111 R3 / -") + "2. 33-1111 R6# / Y4\n"
    found = rowlock("replay", "--json", "--variant-file", variant, "-", stdin=game)
    assert (found.returncode, found.stderr) == (0, "")
    assert objects(found.stdout)[0]["sheets"][0]["locks"] == ["R"]


def test_two_variants_with_one_name(tmp_path: Path) -> None:
    one, two = record(tmp_path, MY_VARIANT, "one.toml"), record(tmp_path, MY_VARIANT, "two.toml")
    found = rowlock("replay", "--variant-file", one, "--variant-file", two, "-")
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)


# Streams, signals and imports


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_standard_streams_that_are_closed(tmp_path: Path) -> None:
    path = record(tmp_path, FINISHED)
    for line, status, lines in (
        ("replay --json - <&-", 2, 1),
        (f"replay --json {path} >&-", 0, 0),
        (f"play --save {tmp_path}/new.rlk <&-", 0, 0),
    ):
        found = subprocess.run(
            ["sh", "-c", f'"{sys.executable}" -m rowlock {line}'], capture_output=True, env=environment(), check=False
        )
        assert (found.returncode, found.stderr.count(b"\n")) == (status, lines)


def test_replay_stops_quietly_when_its_output_is_closed(tmp_path: Path) -> None:
    path = record(tmp_path, FINISHED * 2000)
    with subprocess.Popen(
        [*COMMAND, "replay", "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(300) == 128 + signal.SIGPIPE


def test_games_come_out_one_by_one() -> None:
    with subprocess.Popen(
        [*COMMAND, "replay", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(FINISHED + UNFINISHED)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["over"]
        process.stdin.close()
        assert not json.loads(process.stdout.readline())["over"]


def test_control_c_is_no_error_message() -> None:
    with subprocess.Popen(
        [*COMMAND, "replay", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(FINISHED + UNFINISHED)
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
        assert process.stderr.read() == ""


@pytest.mark.parametrize("module", ["typer", "rowlock.rules.variant", "rowlock.rules.game", "rowlock.terminal.errors"])
def test_control_c_while_the_command_is_imported(module: str) -> None:
    code = """
import signal, sys

class Interrupting:
    def find_spec(name, path, target=None):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting)
from rowlock.cli import main
main()
"""
    found = subprocess.run([sys.executable, "-c", code, module], capture_output=True, encoding="utf-8", check=False)
    assert (found.returncode, found.stderr) == (130, "")


def test_another_control_c_while_the_first_one_stops_the_command_changes_nothing() -> None:
    code = """
import atexit, signal, sys
from rowlock.cli import main
from rowlock.terminal import replay
replay.replay = lambda *_, **__: signal.raise_signal(signal.SIGINT)
atexit.register(signal.raise_signal, signal.SIGINT)
sys.argv = ["rowlock", "replay", "-"]
main()
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (found.returncode, found.stderr) == (130, "")


def test_a_game_against_greedy_needs_no_compiler(tmp_path: Path) -> None:
    code = """
import sys
from rowlock.cli import main
sys.argv = ["rowlock", "play", "--save", sys.argv[1]]
try:
    main()
except SystemExit as end:
    print(end.code, sorted({"numba", "rowlock.solver.solve"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", code, str(tmp_path / "game.rlk")]
    found = subprocess.run(command, input="q\n", capture_output=True, encoding="utf-8", check=True)
    assert found.stdout.splitlines()[-1] == "0 []"


def test_replay_needs_no_numbers_library() -> None:
    code = """
import sys
from rowlock.cli import main
sys.argv = ["rowlock", "replay", "--json", "-"]
try:
    main()
except SystemExit as end:
    print(end.code, sorted({"numpy", "numba", "rich"} & set(sys.modules)))
"""
    found = subprocess.run(
        [sys.executable, "-c", code], input=FINISHED, capture_output=True, encoding="utf-8", check=True
    )
    assert found.stdout.splitlines()[-1] == "0 []"


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["solve", "bonus-a", "--wait", "1"], "--wait must be less than --players (1)"),
        (["solve", "bonus-b"], "bonus pairs"),
    ],
)
def test_what_cannot_be_solved_is_refused_before_anything_is_compiled(arguments: list[str], refusal: str) -> None:
    code = """
import sys
from rowlock.cli import main
try:
    main()
except SystemExit as end:
    print(end.code, "numba" in sys.modules)
"""
    command = [sys.executable, "-c", code, *arguments]
    found = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert found.stdout == "2 False\n"
    assert refusal in found.stderr


def test_an_arena_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling is reported once, no line is empty, and lines are not cut to the width of a terminal."""
    import_module("rowlock.arena.match")  # not while find_bot is replaced
    log, find_bot, prepare_bots = logging.getLogger("rowlock.compile"), bots.find_bot, solving.prepare_bots

    def compiling(function: Callable[..., Any]) -> Callable[..., Any]:
        def compile_and_call(*arguments: Any) -> Any:
            log.debug("compiling %s", function.__name__)
            log.debug("compiled %s", function.__name__)
            return function(*arguments)

        return compile_and_call

    monkeypatch.setattr(bots, "find_bot", compiling(find_bot))
    monkeypatch.setattr(solving, "prepare_bots", compiling(prepare_bots))
    found = run("arena", "champion", "champion", "champion", "evolved", "--games", "1", "--seed", "1")
    assert (found.returncode, found.stderr) == (0, "compiling the rules, once ...\n")
    assert "…" not in found.stdout
    assert found.stdout.splitlines()[0].endswith("  misthrows  locked")
    assert "\n1 game of classic, seed 1" in found.stdout


def test_the_rules_are_compiled_in_advance() -> None:
    assert rowlock("warm").returncode == 0
    found = rowlock("warm")
    assert (found.returncode, found.stderr) == (0, ""), "nothing is left to compile"


def test_turns_after_the_end_of_a_game_are_an_error(tmp_path: Path) -> None:
    """Four misthrows end a game for one; the game after it is still read."""
    turns = "".join(f"{turn}. 11-1111 - / x\n" for turn in range(1, 100_001))
    good = '[Variant "classic"]\n[Players "Ben"]\n'
    path = record(tmp_path, f'[Variant "classic"]\n[Players "Anna"]\n{turns}{good}')
    found = rowlock("replay", "--json", path)
    assert (found.returncode, found.stderr) == (1, f"{path}:7: turn 5, Anna: the game is over since turn 4 [over]\n")
    assert [game["players"] for game in objects(found.stdout)] == [["Ben"]]


def test_a_cut_off_record_is_an_error_where_it_ends(tmp_path: Path) -> None:
    """Cut in the middle of a mark, of the dice and of a tag; what is whole before it is kept."""
    whole = '[Variant "classic"]\n[Players "Anna; Ben"]\n1. 41-3256 R5 - / B10\n'
    for cut, where in (("1. 41-3256 R5 - / B", 6), ("1. 41-32", 6), ('[Players "An', 5)):
        text = whole + '[Variant "classic"]\n' + ('[Players "Anna; Ben"]\n' if cut[0] == "1" else "") + cut
        path = record(tmp_path, text)
        found = rowlock("replay", "--json", path)
        assert found.returncode == 1
        assert found.stderr.startswith(f"{path}:{where}: ")
        assert found.stderr.count("\n") == len(objects(found.stdout)) == 1


def test_train_makes_weights_for_a_users_variant(tmp_path: Path, home: Path) -> None:
    own, curves = tmp_path / "tiny.toml", tmp_path / "curves.png"
    own.write_text(MY_VARIANT, encoding="utf-8")
    done = rowlock("train", own, "--steps", "2", "--plot", curves)
    assert done.returncode == 0, done.stderr
    assert "step 2: wins" in done.stderr
    assert curves.stat().st_size > 0
    (weights,) = (home / "weights").glob("champion-*.npz")
    assert done.stdout == f"trained tiny for games with opponents: {weights}\n"
    assert not list((home / "trainings").iterdir())


def test_a_game_that_cannot_begin_leaves_no_file(tmp_path: Path, home: Path) -> None:
    own = tmp_path / "tiny.toml"
    own.write_text(MY_VARIANT, encoding="utf-8")
    done = rowlock("play", own, "--bots", "champion")
    assert done.returncode == 2
    assert done.stderr == "rowlock: champion has no weights for tiny yet: rowlock train FILE.toml\n"
    assert not list((home / "games").iterdir())


def test_train_refuses_what_it_cannot_do() -> None:
    for variant in ("classic", "cards"):
        done = run("train", variant)
        assert done.returncode == 2
        why = f"{variant} is built in; choose a file for the weights with --out FILE.npz"
        assert done.stderr == f"rowlock: {why}\n"
    done = run("train", "classic", "--bot", "scholar", "--gpu", "--out", "scholar.npz")
    assert done.returncode == 2
    assert done.stderr == "rowlock: scholar cannot be trained on a GPU; leave out --gpu to train it on the CPU\n"


def test_an_interrupted_training_belongs_to_its_settings_and_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rowlock.train.run import open_run
    from rowlock.train.training import TrainingConfig

    monkeypatch.setenv("ROWLOCK_HOME", str(tmp_path))
    variant, one, other = find_variant("classic"), tmp_path / "a.npz", tmp_path / "b.npz"
    begun = open_run("champion", variant, TrainingConfig(steps=20), one)
    begun.training.step = 7
    begun.unfinished.parent.mkdir()
    begun.training.save(begun.unfinished)
    assert open_run("champion", variant, TrainingConfig(steps=20), one).training.step == 7
    assert open_run("champion", variant, TrainingConfig(steps=20), other).training.step == 0
    assert open_run("champion", variant, TrainingConfig(steps=21), one).training.step == 0


def test_weights_are_not_written_over_another_file(tmp_path: Path) -> None:
    path = record(tmp_path, "a letter", "letter.npz")
    done = rowlock("train", "classic", "--out", path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"rowlock: {path}: cannot be read as weights")
    assert path.read_text() == "a letter"
