"""Who plays: each bot decides as its description says, interpreted and compiled alike."""

import random
import subprocess
import sys
from collections.abc import Sequence

import pytest

from rowlock import Game, View, parse, testing
from rowlock.bots import Bot, BotError, Stream, bot_names, find_bot


def decide(bot: str, variant: str, dice: str, *before: str) -> str:
    """What a bot does as the first of two players; `before` are earlier turns with dice and marks."""
    text = f'[Variant "{variant}"]\n[Players "Ann; Bob"]\n'
    if variant == "longo":
        text += '[Lucky "5/8; 6/11"]\n'
    turns = "\n".join(f"{number}. {turn}" for number, turn in enumerate([*before, dice], 1))
    game = parse(text + turns)
    player = 0 if 0 in game.to_act else 1
    return find_bot(bot).decide(game.view(player), list(game.view(player).options), random.Random(1))


@pytest.mark.parametrize("name", bot_names())
def test_bots_keep_to_the_rules(name: str) -> None:
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


def test_the_kit_finds_a_bot_that_breaks_the_rules() -> None:
    with pytest.raises(AssertionError, match="'R2' is not an option"):
        testing.check_bot(Stubborn())
    with pytest.raises(AssertionError, match="the same draws gave"):
        testing.check_bot(Fickle())


def test_streams_are_functions_of_where_they_fall() -> None:
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
    with pytest.raises(BotError, match=r"there is no bot 'deepblue'; there are random, eager, greedy"):
        find_bot("deepblue")


def test_import_is_light() -> None:
    """`import rowlock` imports neither NumPy nor Numba."""
    code = "import sys, rowlock; print(sorted({'numpy', 'numba', 'rich', 'typer'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
