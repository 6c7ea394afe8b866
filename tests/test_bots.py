"""Each bot decides as its description says, interpreted and compiled alike."""

import importlib
import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from rowlock import Game, View, arena, find_variant, parse, testing, variant_ids
from rowlock.arena.engine import CompiledEngine
from rowlock.arena.match import make_config
from rowlock.arena.worker import play_games
from rowlock.bots import (
    LEVELS,
    Bot,
    BotError,
    CompiledBot,
    KernelBot,
    Stream,
    bot_names,
    compiled_form,
    data_of,
    find_bot,
    memory_of,
    ready_bots,
    registry,
)
from rowlock.bots.bot import BotBuffers, BotData, lookahead_bots
from rowlock.fast.compiled import _user_sources
from rowlock.fast.workspace import FLOATS
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant
from rowlock.terminal.errors import warn_if_think_is_ignored
from tests.effort import QUICK
from tests.positions import position

ALWAYS_READY = [name for name in bot_names() if name != "optimal"]  # which plays in test_solving.py


def out_of_range(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    return count + 3


def passing(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    return 0


def by_data(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    ints, floats = data[0]
    notes = buffers[0][4]
    notes[FLOATS - 1] = 2 * floats[0]
    return int(notes[FLOATS - 1]) * (count - 1) * (ints[0] == 7) * (ints[1] == state[kernel.PLAYERS])


def decide(bot: str, variant: str, dice: str, *before: str) -> str:
    """What a bot does as the first of two players; `before` are earlier turns with dice and marks."""
    text = f'[Variant "{variant}"]\n[Players "Ann; Bob"]\n'
    if variant == "longo":
        text += '[Lucky "5/8; 6/11"]\n'
    turns = "\n".join(f"{number}. {turn}" for number, turn in enumerate([*before, dice], 1))
    game = parse(text + turns)
    player = 0 if 0 in game.to_act else 1
    return find_bot(bot).decide(game.view(player), list(game.view(player).options), random.Random(1))


@pytest.mark.parametrize("name", ALWAYS_READY)
def test_compiled_bots_decide_alike_in_a_game_played_in_python(name: str) -> None:
    bot = find_bot(name)
    compiled = CompiledBot(bot)
    for variant in variant_ids():
        if bot.needs(find_variant(variant), 3):
            continue
        game = Game(variant, 3, seed=5)
        while not game.over:
            if not game.to_act:
                game.chance()
            for seat in game.to_act:
                view = game.view(seat)
                option = bot.decide(view, list(view.options), random.Random(game.turn))
                assert compiled.decide(view, list(view.options), random.Random(game.turn)) == option
                game.play(seat, option)


def test_a_plain_bot_has_no_compiled_form() -> None:
    class Plain(Bot):
        def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
            return options[0]

    with pytest.raises(BotError, match="Plain is written in plain Python"):
        CompiledBot(Plain())


@pytest.mark.parametrize("name", ALWAYS_READY)
def test_bots_keep_to_the_rules(name: str) -> None:
    if QUICK:  # every other variant, the others with the next bot
        testing.check_bot(find_bot(name), variant_ids()[ALWAYS_READY.index(name) % 2 :: 2], games=1)
    else:
        testing.check_bot(find_bot(name), games=3)


def test_eager_skips_the_fewest_cells() -> None:
    assert decide("eager", "classic", "11-3456") == "R2"
    assert decide("eager", "classic", "66-3456") == "G12"
    # 5 skips three cells in R and Y, seven in G and B.
    assert decide("eager", "classic", "41-3456") == "R5"


def test_eager_prefers_the_row_with_more_marks() -> None:
    """R4 and Y4 both skip none; Y has two marks, R has one."""
    before = ("11-1121 Y2 - / -", "12-1111 Y3 - / x", "11-2111 - - / R3")
    assert decide("eager", "classic", "13-1111", *before) == "Y4"


def test_greedy_declines_to_skip_more_than_one_cell() -> None:
    assert decide("greedy", "classic", "41-3456") == "-"
    assert decide("greedy", "classic", "12-3456") == "R3"


def test_greedy_skips_rather_than_take_a_misthrow() -> None:
    """In the colour action, with no mark made, the pass is written x."""
    assert decide("greedy", "classic", "41-3333 - -") == "R4"
    assert decide("greedy", "classic", "12-6666 R3 -") == "-"


def test_a_lucky_mark_skips_none() -> None:
    assert decide("greedy", "longo", "41-3456") == "!R2"


def test_a_bonus_field_skips_none_and_comes_after_rows_with_as_many_marks() -> None:
    assert decide("eager", "big-points", "41-3456", "41-1111 R5 - / -", "66-1111 - - / x") == "RY5"


class Stubborn(Bot):
    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        return "R2"


class Fickle(Bot):
    def __init__(self) -> None:
        self.calls = 0

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        self.calls += 1
        return options[self.calls % len(options)]


class Failing(Bot):
    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        raise IndexError("out of range")


def test_the_kit_finds_a_bot_that_breaks_the_rules() -> None:
    with pytest.raises(AssertionError, match="'R2' is not an option"):
        testing.check_bot(Stubborn())
    with pytest.raises(AssertionError, match="the same random numbers gave"):
        testing.check_bot(Fickle())


def test_a_think_time_needs_a_bot_that_looks_ahead(capsys: pytest.CaptureFixture[str]) -> None:
    bots = {name: find_bot(name) for name in ("champion", "greedy")}
    thinking = lookahead_bots(bots, 1.0)
    assert list(thinking) == ["champion"]
    warn_if_think_is_ignored(bots, thinking)
    assert capsys.readouterr().err == "rowlock: --think has no effect on greedy: only bots that look ahead use it\n"
    with pytest.raises(BotError, match="such as champion, not greedy"):
        lookahead_bots({"greedy": bots["greedy"]}, 1.0)


def test_random_numbers_depend_on_seed_game_turn_phase_and_seat_only() -> None:
    one, other = Stream(1, 2, 3, 1, 0), Stream(1, 2, 3, 1, 0)
    assert [one.random() for _ in range(5)] == [other.random() for _ in range(5)]
    assert one.choice("abcdef") in "abcdef"
    values = {Stream(*where).getrandbits(32) for where in ((1, 2, 3, 1, 0), (2, 2, 3, 1, 0), (1, 3, 3, 1, 0))}
    values |= {Stream(*where).getrandbits(32) for where in ((1, 2, 4, 1, 0), (1, 2, 3, 2, 0), (1, 2, 3, 1, 1))}
    assert len(values) == 6


def test_random_takes_every_option_equally_often() -> None:
    game = Game("classic", 1, seed=1)
    game.roll("34-1111")
    view = game.view(0)
    counts = dict.fromkeys(view.options, 0)
    for number in range(5000):
        counts[find_bot("random").decide(view, list(view.options), Stream(1, number, 0, 1, 0))] += 1
    assert all(850 < count < 1150 for count in counts.values()), counts


def test_unknown_bot() -> None:
    bots = "random, eager, rush, optimal, greedy, evolved, scholar, champion"
    with pytest.raises(BotError, match=f"there is no bot 'deepblue'; there are {bots}"):
        find_bot("deepblue")


def test_import_is_light() -> None:
    """`import rowlock` imports neither NumPy nor Numba."""
    code = "import sys, rowlock; print(sorted({'numpy', 'numba', 'rich', 'typer'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# The formula of docs/bots.md in floating point


def sheet_value(view: View, sheet: list[int]) -> float:
    """0.4909 * sum(chance * (marks + 1)) - 0.8692 * misthrows + 0.01846 * sum(marks^2) - 0.0560 * skipped."""
    value = -0.8692 * sheet[kernel.MISTHROWS]
    for row, data in enumerate(view.variant.rows):
        marks, place = sheet[kernel.COUNT + row], sheet[kernel.NEXT + row]
        places = [cell for cell in range(len(data)) if sheet[kernel.MARKS + row] >> cell & 1]
        value += 0.01846 * marks**2 - 0.0560 * (places[-1] + 1 - len(places) if places else 0)
        needed = view.variant.needed_in(row) if place == len(data) - 1 else 0
        if place < len(data) and marks >= needed:
            value += 0.4909 * (6 - abs(data.numbers[place] - 7)) / 36 * (marks + 1)
    return value


def test_evolved_follows_its_formula() -> None:
    """Decisions of the others in the white action, without a possible lock: the sheet with the highest value."""
    seen = 0
    for number in range(40):
        game = Game("classic", 2, seed=8, number=number)
        while not game.over:
            if game.phase == "roll":
                game.roll()
                continue
            player = game.to_act[0]
            view = game.view(player)
            option = find_bot("evolved").decide(view, list(view.options), random.Random(1))
            if game.phase == "white" and player != game.active and not any("#" in one for one in view.options):
                sheet_values = {}
                for one, action in view.options.items():
                    scratch = [0] * kernel.SCRATCH_SIZE
                    kernel.mark_on_copy(
                        list(view.state), kernel.sheet_at(player), view.variant.tables, action, scratch, 0
                    )
                    if not view.closed:
                        sheet_values[one] = sheet_value(view, scratch)
                if sheet_values:
                    seen += 1
                    assert sheet_values[option] == pytest.approx(max(sheet_values.values()))
            game.play(player, option)
    assert seen > 200


def evolved(game: Game, player: int) -> str:
    view = game.view(player)
    return find_bot("evolved").decide(view, list(view.options), random.Random(1))


def test_evolved_takes_the_fourth_misthrow_when_that_wins() -> None:
    for theirs, wins in (("R2,3,4,5,6,7,8,9,10 Y2,3,4,5,6,7 G- B- x0", False), ("R2 Y- G- B- x0", True)):
        sheets = ["R2,3,4,5,6,7,8 Y2,3,4,5 G12,11,10 B- x3", theirs]
        game = position("classic", sheets, "66-1111", white=["-", "-"])
        assert (evolved(game, 0) == "x") == wins


def test_evolved_locks_whenever_it_can_except_where_that_ends_the_game_behind() -> None:
    ready = "R2,3,4,5,6,7,8 Y- G- B- x0"
    assert evolved(position("classic", [ready, "R- Y- G- B- x0"], "66-1111"), 0) == "R12#"
    locked = "R2,3,4,5,6 Y- G12,11,10,9,8,7,6,5,4,3,2# B- x0"
    behind = "R2,3,4,5,6 Y- G- B- x0"
    assert "#" not in evolved(position("classic", [behind, locked], "66-11.1"), 0)
    ahead = "R2,3,4,5,6,7,8,9,10 Y2,3,4,5,6 G- B- x0"
    assert evolved(position("classic", [ahead, "R- Y- G12,11,10,9,8,2# B- x0"], "66-11.1"), 0) in ("R12#", "Y12#")


class OutOfRange(KernelBot):
    """Chooses an index that is no option."""

    choose = staticmethod(out_of_range)


def test_a_compiled_bot_that_chooses_no_option_loses() -> None:
    result = arena.match([OutOfRange(), "random"], games=10, seed=1)
    assert result.path == "compiled"
    assert result.bots[0].forfeits == 10
    assert result.bots[1].win_rate == 1
    assert "its choice is not an option" in result.forfeits[0]
    with pytest.raises((AssertionError, ValueError), match="option"):
        testing.check_bot(OutOfRange())


def test_the_kit_names_the_variant_and_shows_the_record() -> None:
    for bot in (Stubborn(), Failing()):
        with pytest.raises(AssertionError, match=rf'{type(bot).__name__} fails at longo: (.|\n)*\[Variant "longo"\]'):
            testing.check_bot(bot, ["longo"])


class Passing(KernelBot):
    """A second `choose` in the same module."""

    choose = staticmethod(passing)


def test_a_class_names_its_choose_function() -> None:
    result = arena.match([Passing(), OutOfRange()], games=10, seed=1)
    assert result.path == "compiled"
    assert result.bots[0].forfeits == 0
    testing.check_bot(Passing(), ["classic"])


def test_a_bot_with_attributes_plays_in_plain_python() -> None:
    bot = Passing()
    bot.mood = 1  # type: ignore[attr-defined]
    assert compiled_form(bot) is None


class WithData(KernelBot):
    """Reads from its data which option to take: the first with two players, the last with three."""

    choose = staticmethod(by_data)

    @staticmethod
    def data(variant: Variant, players: int) -> tuple[list[int], list[float]]:
        return [7, players], [0.5 * (players - 2), len(variant.id)]


class Heavy(WithData):
    """The same, compiled at a table too."""

    heavy = True


class WithMemory(KernelBot):
    """The same, with the old name of its data."""

    choose = staticmethod(by_data)
    memory = staticmethod(WithData.data)


@pytest.mark.parametrize("bot", [WithData(), Heavy(), WithMemory()])
def test_a_bot_reads_its_data(bot: Bot) -> None:
    for players, first in ((2, True), (3, False)):
        engine = CompiledEngine(make_config([bot] * players, "longo", seed=3, with_records=True), 1)
        records = list(engine.records(0, engine.play(0, 5)))
        assert records == play_games(engine.config, 0, 5, [], [0.0] * 3).records
        for game in map(parse, records):
            assert (game.reason == "misthrows" and sum(sheet.total for sheet in game.sheets) < 0) == first


def test_data_are_created_once_per_game_and_number_of_players() -> None:
    longo, classic = find_variant("longo"), find_variant("classic")
    assert data_of(WithData, longo, 2) is data_of(WithData, longo, 2)
    assert [data_of(WithData, one, players)[1][1] for one, players in ((longo, 3), (classic, 3))] == [5, 7]
    assert data_of(Passing, longo, 2)[0].dtype == np.int32


def test_names_of_version_01_still_work() -> None:
    """Authors of compiled bots use them (CHANGELOG.md)."""
    assert memory_of is data_of
    assert kernel.SPARE_SIZE == kernel.SCRATCH_SIZE


def test_ready_bots_are_found_without_searching_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server asks for every table: installed packages are searched once, and bots are created once."""
    ready = ready_bots(find_variant("classic"), 2)
    monkeypatch.setattr(registry, "entry_points", lambda **_: pytest.fail("searched again"))
    monkeypatch.setattr(registry, "find_bot", lambda _: pytest.fail("made again"))
    assert ready_bots(find_variant("classic"), 2) == ready
    assert "greedy" in ready


def test_each_level_beats_the_one_below() -> None:
    assert len(LEVELS) == 5
    for lower, higher in pairwise(LEVELS):
        assert arena.match([higher, lower], games=4000, seed=1).bots[0].win_rate > 0.6


def test_a_bot_may_use_modules_of_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled with it, whether a module is imported or a function of it, and compiled again when it is edited."""
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "lastpicks"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "count.py").write_text("def last(count):\n    return count - 1\n")
    (package / "helper.py").write_text("from lastpicks.count import last\n\ndef pick(count):\n    return last(count)\n")
    (package / "bot.py").write_text(BOT_WITH_HELPER)
    module = importlib.import_module("lastpicks.bot")
    config = make_config([module.Last(), module.Last()], "classic", 1, with_records=True)
    engine = CompiledEngine(config, 1)
    assert list(engine.records(0, engine.play(0, 3))) == play_games(config, 0, 3, [], [0.0] * 3).records
    assert [path.name for path in _user_sources(module)] == ["bot.py", "count.py", "helper.py"]


def test_what_cannot_be_compiled_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "uncompiled_helper.py").write_text(
        "import decimal\n\ndef pick(count):\n    return decimal.Decimal(1)\n"
    )
    path = tmp_path / "uncompiled_bot.py"
    path.write_text(BOT_WITH_HELPER.replace("from . import helper", "import uncompiled_helper as helper"))
    with pytest.raises(BotError) as error:
        compiled_form(importlib.import_module("uncompiled_bot").Last())
    where = f"{tmp_path}/uncompiled_helper.py:4: return decimal.Decimal(1): Unknown attribute 'Decimal'"
    assert str(error.value).startswith(f"Last cannot be compiled: {where}")
    assert "\n" not in str(error.value)


BOT_WITH_HELPER = '''
from rowlock.bots import KernelBot
from . import helper

def choose(state, tables, seat, actions, count, word, buffers, data):
    return helper.pick(count)

class Last(KernelBot):
    """Takes the last option."""

    choose = staticmethod(choose)
'''
