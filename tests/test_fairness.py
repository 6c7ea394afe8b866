"""Chance that can be checked: dice and shuffles follow from the secrets of a table, and verify finds every change."""

import hashlib
import hmac
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rowlock.rules import fairness
from rowlock.rules.fairness import FairSeed, first_difference
from rowlock.rules.game import Game
from rowlock.rules.notation import parse
from rowlock.rules.variant import game_names
from tests.command import run

SHARES = (("Anna", "11" * 32), ("Ben", None), ("Zoë", "22" * 32))


def fair_game(variant: str, seed: str = "00" * 32, shares: tuple[tuple[str, str | None], ...] = SHARES) -> Game:
    """A whole game of chosen secrets, played at random."""
    fair = FairSeed("ABC234", seed, shares)
    game = Game(variant, fair.players)
    game.fair_key = fair.key
    game.tags.update(fair.tags())
    rng = random.Random(variant)
    while not game.over:
        if not game.to_act:
            game.chance()
        for player in game.to_act:
            options = [option for option in game.options(player) if "#" in option] or game.options(player)
            game.play(player, rng.choice(options))
    return game


FIXTURES = Path(__file__).parent / "fixtures" / "fairness"


# The seeds are those of games in which dice leave and the discards become a new pile.
@pytest.mark.parametrize(("variant", "seed"), [("classic", 18), ("longo", 0), ("cards+jokers", 60)])
def test_chance_never_changes(variant: str, seed: int) -> None:
    """These records prove it; the browser's tests check the same ones."""
    assert fair_game(variant, f"{seed:064x}").record() == (FIXTURES / f"{variant}.rlk").read_text(encoding="utf-8")


def test_numbers_are_as_documented() -> None:
    """The page on fairness promises this, in its own words, for ever."""
    lines = ["rowlock chance 1", "ABC234", "00" * 32, "11" * 32, "-", "22" * 32]
    key = hashlib.sha256("\n".join(lines).encode()).digest()
    fair = FairSeed("ABC234", "00" * 32, SHARES)
    assert fair.key == key
    block = hmac.new(key, b"roll 1 0", hashlib.sha256).digest()
    assert fairness.roll(key, 1, [6] * 6) == [1 + byte % 6 for byte in block if byte < 252][:6]
    block = hmac.new(key, b"first 0", hashlib.sha256).digest()
    assert fair.first == next(byte % 3 for byte in block if byte < 255)
    assert fairness.commitment("11" * 32) == hashlib.sha256(b"\x11" * 32).hexdigest()


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    assert len(counts) == kinds
    return sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.slow
def test_combined_dice_are_fair() -> None:
    """Over a million rolls of 20,000 games, in which all others have chosen their secrets and one share is random.

    What is tested is passed by one of a thousand fair dice.
    """
    rng = random.Random(1)
    by_die, pairs, firsts = [Counter[int]() for _ in range(6)], Counter[tuple[int, ...]](), Counter[int]()
    for _ in range(20_000):
        fair = FairSeed("ABC234", "00" * 32, (("Anna", rng.randbytes(32).hex()), ("Ben", "11" * 32), ("Zoë", None)))
        key = fair.key
        firsts[fair.first] += 1
        for turn in range(1, 51):
            dice = fairness.roll(key, turn, [6] * 6)
            pairs[dice[0], dice[1]] += 1
            for faces, face in zip(by_die, dice, strict=True):
                faces[face] += 1
    assert pairs.total() == 1_000_000
    assert max(chi_square(faces, 6) for faces in by_die) < 24.6  # 5 degrees, six dice together
    assert chi_square(pairs, 36) < 66.7  # 35 degrees
    assert chi_square(firsts, 3) < 13.9  # 2 degrees


def test_no_order_of_cards_is_more_likely_than_another() -> None:
    key = FairSeed("ABC234", "00" * 32, SHARES).key
    orders: Counter[tuple[int, ...]] = Counter()
    for turn in range(24_000):
        cards = [0, 1, 2, 3]
        fairness.shuffle(key, turn, cards)
        orders[tuple(cards)] += 1
    assert chi_square(orders, 24) < 49.7  # one in a thousand, 23 degrees


@pytest.mark.parametrize("variant", game_names())
def test_a_record_proves_its_chance(variant: str) -> None:
    game = parse(fair_game(variant).record())
    fair = FairSeed.of_tags(game.tags)
    assert fair is not None
    assert first_difference(game, fair) is None
    drawn = list(game.chance_points())
    assert len(drawn) >= game.turns_completed
    for change in (
        FairSeed("ABC235", fair.seed, fair.shares),
        FairSeed(fair.table, "01" * 32, fair.shares),
        FairSeed(fair.table, fair.seed, (("Anna", "33" * 32), *fair.shares[1:])),
        FairSeed(fair.table, fair.seed, tuple(reversed(fair.shares))),
    ):
        assert first_difference(game, change) is not None


def test_dice_that_have_left_do_not_change_the_others() -> None:
    """Otherwise who locks a row could choose between two continuations that they cannot know, but others might."""
    games = (fair_game("classic", f"{seed:064x}") for seed in range(100))
    game = next(game for game in games if any("." in dice for _, dice in game.chance_points()))
    for moment, text in game.chance_points():
        rolled = fairness.roll(game.fair_key or b"", moment.turn, [6] * 6)
        assert all(face in (".", str(rolled[die])) for die, face in enumerate(text.replace("-", "")))


@pytest.mark.parametrize("variant", ["classic", "cards+jokers"])
def test_verify(tmp_path: Path, variant: str) -> None:
    """Rolls and cards, of a table at which one of the players has given no share."""
    game = fair_game(variant)
    file = tmp_path / "game.rlk"
    file.write_text(game.record(), encoding="utf-8")
    told = run("verify", file)
    assert (told.returncode, told.stderr) == (0, "")
    drawn = sum(bool(cards_or_dice) for _, cards_or_dice in game.chance_points())
    assert drawn == (len(game.turns) if variant == "classic" else 1 + game.record().count("~"))
    assert re.search(f"all {drawn} rolls or shuffles follow|its one roll or shuffle follows", told.stdout)
    assert f"{fairness.commitment('22' * 32)}  Zoë" in told.stdout
    assert re.search("none +Ben", told.stdout)
    assert "void" not in told.stdout
    file.write_text(game.record().replace("[FairShares", '[FairVoid "3"]\n[FairShares'), encoding="utf-8")
    assert "3 starts of this table were void." in run("verify", file).stdout


def test_verify_finds_changes(tmp_path: Path) -> None:
    """Another roll or pile, other secrets, seats, damaged tags, no tags, no end: a line for each, and status 1."""
    record = fair_game("classic").record()
    turn = next(line for line in record.splitlines() if line.startswith("2. "))
    dice = turn.split()[1]
    other = ("1" if dice[0] != "1" else "2") + dice[1:]
    changed = parse(record)
    for moment, _ in list(changed.chance_points())[1:2]:
        moment.chance(other)
        moment.tags = changed.tags
        rolled = moment.record()
    first, second = f"{'11' * 32} Anna", "- Ben"
    others = [
        record.replace('"ABC234"', '"ABC235"'),
        record.replace(f'"{"00" * 32}"', f'"{"00" * 31}01"'),
        record.replace(first, "- Anna"),  # the record of somebody who takes their share back,
        record.replace(second, f"{'33' * 32} Ben"),  # gives one later,
        record.replace(f"{first}; {second}", f"{second}; {first}"),  # sits elsewhere,
        record.replace(f"{first}; {second}", f"- Anna; {'11' * 32} Ben"),  # or has another's
    ]
    cards = (FIXTURES / "cards+jokers.rlk").read_text(encoding="utf-8")
    pile = cards.partition("~")[2].split()[0]
    *most, last, lowest = pile.split(",")
    exchanged = ",".join((*most, lowest, last))
    cases = {
        rolled: f"turn 2 does not follow from the secrets: the record has {other}, they give {dice}.",
        record.replace(f'[FairSeed "{"00" * 32}"]', '[FairSeed "00"]'): "64 hexadecimal digits",
        record.replace('[FairShares "11', '[FairShares "1'): "the tag FairShares needs",
        record.replace(f'[FairSeed "{"00" * 32}"]\n', ""): "64 hexadecimal digits",
        record.replace('[FairShares "', f'[FairShares "{"- Zaphod; " * 300}'): "has 303 seats, 5 at most can play",
        record.replace("[FairShares", '[FairVoid "many"]\n[FairShares'): "the tag FairVoid needs the number",
        Game("classic", 2).record(): "there are no secrets in it",
        re.sub(r"\[Result.*\n", "", record).partition("\n3. ")[0] + "\n": "the record stops in turn 3, before the end",
        "": "no game",
        **dict.fromkeys(others, "not follow from the secrets: the record has "),
        cards.replace(pile, exchanged): f"turn 25 does not follow from the secrets: the record has {most[0]}",
        record.replace(' Zoë"]', ' Zoé"]'): "the order of the players does not follow from the secrets",
    }
    for number, (text, answer) in enumerate(cases.items()):
        file = tmp_path / f"{number}.rlk"
        file.write_text(text, encoding="utf-8")
        told = run("verify", file)
        assert answer in told.stdout, told
        assert (told.returncode, told.stderr) == (1, "")
    told = run("verify", *sorted(tmp_path.iterdir()), tmp_path / "missing.rlk")
    assert (told.returncode, len(told.stdout.splitlines())) == (2, len(cases))
