"""The game record (docs/notation.md): what is read, what is written, and every error with its line and its code."""

import io
import json
import random
import re
from pathlib import Path

import pytest

from rowlock import Game, Illegal, RecordError, parse, read
from rowlock.rules.notation import CODES, outcome, read_all
from tests.positions import deck

PAGE = (Path(__file__).parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")

CLASSIC = '[Variant "classic"]\n[Players "Anna; Ben"]\n'
SOLO = '[Variant "classic"]\n[Players "Anna"]\n'
LONGO = '[Variant "longo"]\n[Players "Anna; Ben"]\n[Lucky "5/8; 6/11"]\n'
BONUS_A = '[Variant "bonus-a"]\n[Players "Anna"]\n'
BONUS_B = '[Variant "bonus-b"]\n[Players "Anna"]\n'
BIG_POINTS = '[Variant "big-points"]\n[Players "Anna"]\n'
# Anna holds red 4, 5, 7 and yellow 2, Ben blue 2 to 5; after a card is taken, 3 is on top of the pile.
DECK = deck("r4 b2 r5 b3 r7 b4 y2 b5 g9 g8 y6 b11 y12 g3")
CARDS = f'[Variant "cards"]\n[Players "Anna; Ben"]\n[Deck "{DECK}"]\n'
JOKERS_DECK = deck("j4 b2 r5 b3 r7 b4 y2 b5 g9 g8 y6 b11 y12 g3", jokers=True)
JOKERS = f'[Variant "cards"]\n[Players "Anna; Ben"]\n[Jokers "yes"]\n[Deck "{JOKERS_DECK}"]\n'
MIXX_A = CARDS.replace('"cards"', '"cards-mixx-a"')

# Anna marks R2 to R6 and Y2 to Y6 by herself.
RED_AND_YELLOW = """\
1. 11-1111 R2 / Y2
2. 12-1111 R3 / Y3
3. 13-1311 R4 / Y4
4. 14-1411 R5 / Y5
5. 15-1511 R6 / Y6
"""
OVER = RED_AND_YELLOW + "6. 66-1611 R12# / Y12#\n"
MISTHROWS = "1. 11-1111 - / x\n2. 11-1111 - / x\n3. 11-1111 - / x\n4. 11-1111 - / x\n"


def block(language: str) -> str:
    """The page's example in this language."""
    found = re.search(rf"^```{language}.*?\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def error(record: str | bytes) -> str:
    """The one error of a record."""
    (wrong,) = read_all(record.encode() if isinstance(record, str) else record)
    assert isinstance(wrong, RecordError)
    return str(wrong)


# The page


def test_the_example_of_the_page() -> None:
    """Its record has the outcome of its JSON."""
    assert outcome(parse(block("rlk"))) == json.loads(block("json"))


def test_the_codes_of_the_page() -> None:
    """The page lists the error codes, all of them, with what they are about."""
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", PAGE.partition("### Errors")[2], re.MULTILINE)) == CODES


# Text


def test_a_byte_order_mark_is_skipped() -> None:
    assert len(list(read(b"\xef\xbb\xbf" + SOLO.encode()))) == 1


def test_a_byte_order_mark_elsewhere_is_an_error() -> None:
    assert error(b"\n\xef\xbb\xbf" + SOLO.encode()).startswith("record:2: ")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lf_and_crlf_end_a_line(end: str) -> None:
    """LF is written."""
    game = parse((SOLO + OVER).replace("\n", end))
    assert game.scores == (56,)
    assert "\r" not in game.record()


def test_a_last_line_needs_no_end() -> None:
    assert parse((SOLO + OVER).rstrip("\n")).over


@pytest.mark.parametrize("end", ["\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_nothing_else_ends_a_line(end: str) -> None:
    assert error(SOLO.replace("\n", end)).startswith('record:1: a tag line is [Name "value"] and nothing else')


def test_a_lone_carriage_return_is_no_space() -> None:
    assert error(SOLO + "1. 11-1111\r- / x\n").endswith("[dice]")
    assert error(SOLO + "1. 11-1111 - / x\r\r\n").endswith("[syntax]")


def test_a_lone_carriage_return_in_a_comment() -> None:
    """The comment goes on to the line's real end."""
    assert parse(SOLO + "1. 11-1111 R2 ; a\rb / x\n").phase == "colour"


@pytest.mark.parametrize("space", [" ", "   ", "\t", " \t \t"])
def test_runs_of_spaces_and_tabs(space: str) -> None:
    """Between parts and at both ends of a line; one space is written."""
    tags = f'{space}[Variant{space}"classic"]{space}\n[Players{space}"Anna"]{space}\n'
    game = parse(f"{tags}{space}1.{space}11-1111{space}R2{space}/{space}Y2{space}\n")
    assert game.record() == SOLO + '[Result "*"]\n\n1. 11-1111 R2 / Y2\n'


def test_a_space_of_another_kind_is_none() -> None:
    assert error(SOLO + "1. 11-1111\u00a0R2\n").endswith("[dice]")


def test_case_matters() -> None:
    assert error(SOLO.lower()).endswith("[tag]")
    assert error(SOLO.replace("classic", "Classic")).endswith("[variant]")
    assert error(SOLO.replace("Players", "players")).endswith("the tag Players is missing [tag]")
    assert error(SOLO + "1. 41-3256 r5\n").endswith("[syntax]")
    assert error(SOLO + "1. 41-3256 - / X\n").endswith("[syntax]")


def test_blank_lines_and_comments() -> None:
    """They may stand anywhere; comments begin a line or follow a space or a tab, and are not kept."""
    text = ';first\n\n  ; second\n[Variant "classic"]\n;third\n\n[Players "Anna"]\n;[Date "now"]\n'
    text += "\n1. 11-1111 R2 / Y2 ; good\n;2. 11-1111\n\n2. 12-1111 R3 / Y3\t; better;still\n;\n"
    assert parse(text).record() == SOLO + '[Result "*"]\n\n1. 11-1111 R2 / Y2\n2. 12-1111 R3 / Y3\n'


def test_a_comment_in_the_middle_of_a_turn() -> None:
    """What follows it is not read."""
    assert parse(SOLO + "1. 11-1111 R2 ;/ Y2\n").phase == "colour"


def test_a_semicolon_inside_a_part_begins_no_comment() -> None:
    assert error(SOLO + "1. 41-3256 R5;good\n") == (
        "record:3: turn 1, Anna: R5;good is not a mark; marks are written like -, B5, G5 [syntax]"
    )


def test_no_comment_behind_a_tag() -> None:
    assert error(SOLO + '[Date "now"] ; or then\n').endswith("[syntax]")


# Tags


@pytest.mark.parametrize("variant", ["classic", "mixx-a", "mixx-b", "bonus-a", "bonus-b", "big-points"])
def test_every_variant(variant: str) -> None:
    game = parse(f'[Variant "{variant}"]\n[Players "Anna; Ben; Chloe"]\n1. 11-1111 - - - / x\n')
    assert (game.variant.id, game.turns_completed) == (variant, 1)


def test_players_are_in_turn_order() -> None:
    game = parse('[Variant "classic"]\n[Players "Anna; Ben; Chloe"]\n1. 11-1111 R2 - - / -\n')
    assert game.players == ("Anna", "Ben", "Chloe")
    assert (str(game.turns[0]), game.active) == ("11-1111 R2 - - / -", 1)


NAMES = [
    "A",
    "x" * 40,
    "Ä" * 40,
    "\U0001f3b2" * 40,
    "Anna Lena",
    "O'Neill, \\d",
    "安娜",
    "/ - x 1.",
    "e\u0301",
    "\u00a0A\u00a0",
]


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    """1 to 40 code points, nearly all of them allowed."""
    game = parse(f'[Variant "classic"]\n[Players "{name}; Ben"]\n')
    assert game.players == (name, "Ben")
    assert parse(game.record()).players == game.players


def test_names_are_compared_exactly() -> None:
    """No folding of case, no normalising: these are four players."""
    assert len(parse('[Variant "classic"]\n[Players "Zoé; Zoe\u0301; zoé; Zoe"]\n').players) == 4


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("", "a name has 1 to 40 characters, '' has 0"),
        ("x" * 41, f"a name has 1 to 40 characters, '{'x' * 41}' has 41"),
        ("Anna; ", "a name has 1 to 40 characters, '' has 0"),
        (" Anna", "a name has no space at either end: ' Anna'"),
        ("Anna ; Ben", "a name has no space at either end: 'Anna '"),
        ("Anna;  Ben", "a name has no space at either end: ' Ben'"),
        ("Anna;Ben", "a name has no ';' in it: 'Anna;Ben'"),
        ("[Anna", "a name has no '[' in it: '[Anna'"),
        ("Anna]", "a name has no ']' in it: 'Anna]'"),
        ("An\tna", "a name has no '\\t' in it: 'An\\tna'"),
        ("An\x00na", "a name has no '\\x00' in it: 'An\\x00na'"),
        ("An\x85na", "a name has no '\\x85' in it: 'An\\x85na'"),
        ("An\u2028na", "a name has no '\\u2028' in it: 'An\\u2028na'"),
        ("An\u2029na", "a name has no '\\u2029' in it: 'An\\u2029na'"),
        ("Anna; Anna", "two players are called Anna"),
        ("A; B; C; D; E; F", "there are 1 to 5 players, not 6"),
    ],
)
def test_names_that_are_refused(value: str, wrong: str) -> None:
    assert error(f'[Variant "classic"]\n[Players "{value}"]\n') == f"record:2: {wrong} [players]"


def test_lucky_numbers_are_named_in_player_order() -> None:
    game = parse(LONGO.replace("5/8; 6/11", "2/16; 3/4"))
    assert game.lucky == ((2, 16), (3, 4))
    assert '[Lucky "2/16; 3/4"]\n' in game.record()


@pytest.mark.parametrize("head", [SOLO, BONUS_A, BONUS_B, BIG_POINTS])
def test_lucky_is_for_variants_that_have_lucky_numbers(head: str) -> None:
    variant = head.split('"')[1]
    assert error(head + '[Lucky "5/8"]\n') == f"record:3: {variant} has no Lucky [tag]"


def test_lucky_may_stand_before_players() -> None:
    """Only Variant has its place."""
    game = parse('[Variant "longo"]\n[Lucky "5/8; 6/11"]\n[Players "Anna; Ben"]\n')
    assert game.record().splitlines()[1:3] == ['[Lucky "5/8; 6/11"]', '[Players "Anna; Ben"]']


def test_other_tags_are_kept_in_their_place() -> None:
    """Untouched, whatever they hold; Result is written where it was read."""
    tags = [
        '[Variant "classic"]',
        '[Event "a  b\t; \\n [x] ]"]',
        '[Result "*"]',
        '[2 "digits"]',
        '[Players "Anna"]',
        '[Empty ""]',
        '[variant "small"]',
    ]
    text = "\n".join(tags) + "\n\n1. 11-1111\n"
    assert parse(text).record() == text


def test_a_game_that_was_not_read_writes_its_tags_in_order() -> None:
    game = Game("longo", ["Anna", "Ben"], seed=0)
    game.tags["Date"] = "2026-11-15"
    lines = ['[Variant "longo"]', '[Players "Anna; Ben"]', '[Lucky "5/8; 5/10"]', '[Date "2026-11-15"]', '[Result "*"]']
    assert game.record() == "\n".join(lines) + "\n\n"


@pytest.mark.parametrize(
    ("turns", "result"),
    [("", "*"), ("1. 11-1111\n", "*"), (RED_AND_YELLOW, "*"), (OVER, "56"), (MISTHROWS, "-20")],
)
def test_a_result_that_is_right(turns: str, result: str) -> None:
    assert f'[Result "{result}"]\n' in parse(f'{SOLO}[Result "{result}"]\n{turns}').record()


@pytest.mark.parametrize(
    ("turns", "result", "right"),
    [
        ("", "0", "*"),
        (RED_AND_YELLOW, "30", "*"),
        (OVER, "*", "56"),
        (OVER, "55", "56"),
        (OVER, "56 0", "56"),
        (OVER, " 56", "56"),
        (OVER, "", "56"),
        (MISTHROWS, "20", "-20"),
    ],
)
def test_a_result_that_is_wrong(turns: str, result: str, right: str) -> None:
    """The error points at the tag."""
    assert error(f'{SOLO}[Result "{result}"]\n{turns}') == f"record:3: the result is {right}, not {result} [result]"


TWO_PLAYERS = """\
1. 11-1111 R2 - / -
2. 11-1111 - - / x
3. 12-1111 R3 - / -
4. 11-1111 - - / x
5. 13-1111 R4 - / -
6. 11-1111 - - / x
7. 14-1111 R5 - / -
8. 11-1111 - - / x
"""


def test_scores_stand_in_player_order_one_space_apart() -> None:
    assert '[Result "10 -20"]\n' in parse(f'{CLASSIC}[Result "10 -20"]\n{TWO_PLAYERS}').record()
    for wrong in ("-20 10", "10  -20", "10; -20", "10\t-20"):
        assert error(f'{CLASSIC}[Result "{wrong}"]\n{TWO_PLAYERS}').endswith("[result]")


# Several games


def test_a_variant_line_begins_a_game() -> None:
    """A file holds any number of games, with or without blank lines between them."""
    games = list(read((SOLO + OVER + SOLO + "\n\n" + LONGO + "1. 88-1111\n").encode()))
    assert [game.variant.id for game in games] == ["classic", "classic", "longo"]
    assert [game.turns_completed for game in games] == [6, 0, 0]


@pytest.mark.parametrize("text", ["", "\n\n", "; nothing here\n", "\ufeff"])
def test_no_game_at_all(text: str) -> None:
    assert list(read(text.encode())) == []
    with pytest.raises(ValueError, match="one game was expected, there are 0"):
        parse(text)


def test_reading_goes_on_after_an_error() -> None:
    """A game has one error at the most, and the next game is read."""
    wrong = SOLO + "1. 99-1111 R99\n17. ?\n[Players]\n"
    text = b"garbage\n\xff\n" + (SOLO + wrong + SOLO + '[Variant "chess"]\n[Players "Anna"]\n' + SOLO).encode()
    found = list(read_all(text, name="games.rlk"))
    assert [str(one).partition(": ")[0] for one in found if isinstance(one, RecordError)] == [
        "games.rlk:1",
        "games.rlk:7",
        "games.rlk:12",
    ]
    assert [isinstance(one, Game) for one in found] == [False, True, False, True, False, True]


def test_a_garbled_variant_line_begins_a_game_too() -> None:
    """Its error is not that of the game before it."""
    first, second = read_all((SOLO + SOLO.replace('"classic"]', "classic]")).encode())
    assert isinstance(first, Game)
    assert str(second).startswith("record:3: ")


def test_read_stops_at_the_first_error() -> None:
    games = read((SOLO + "1.\n" + SOLO).encode())
    with pytest.raises(RecordError):
        next(games)


def test_errors_name_the_file(tmp_path: Path) -> None:
    """As it was given; a stream by its name."""
    path = tmp_path / "games.rlk"
    path.write_text(SOLO + "1.\n", encoding="utf-8")
    for source, name in ((path, str(path)), (str(path), str(path)), (b"x", "record"), (io.BytesIO(b"x"), "record")):
        (wrong,) = read_all(source)
        assert isinstance(wrong, RecordError)
        assert wrong.file == name
    with path.open("rb") as stream:
        (wrong,) = read_all(stream)
        assert str(wrong).startswith(f"{path}:3: turn 1, Anna: ")
    (wrong,) = read_all(path, name="-")
    assert str(wrong).startswith("-:3: ")


@pytest.mark.parametrize("seed", range(50))
def test_garbage_is_answered_with_errors(seed: int) -> None:
    """Whatever the bytes, a reader gives games and errors and nothing else."""
    rng = random.Random(seed)
    for found in read_all(rng.randbytes(1000)):
        assert isinstance(found, RecordError)
    text = bytearray((LONGO + "1. 51-1118 R6 !G16 / B13\n" + SOLO + OVER + block("rlk")).encode())
    for _ in range(3):
        place = rng.randrange(len(text))
        text[place : place + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
    for found in read_all(bytes(text)):
        assert isinstance(found, Game) or (found.code in CODES and "\n" not in str(found))


# Turns


def test_dice_that_have_left_are_points() -> None:
    """Anna locks R, and from then on a point stands for the red die."""
    text = SOLO + RED_AND_YELLOW + "6. 66-1111 R12# / -\n7. 23-.456 - / B8\n"
    assert parse(text).record().endswith("7. 23-.456 - / B8\n")
    assert error(text.replace("23-.456", "23-1456")).endswith("the red die has left the game, . stands for it [dice]")


def test_the_turn_of_a_lock_keeps_its_dice() -> None:
    text = SOLO + RED_AND_YELLOW + "6. 66-1111 R12# / -\n"
    assert str(parse(text).turns[-1]) == "66-1111 R12# / -"


def test_no_colour_part_where_the_white_action_ended_the_game() -> None:
    """The turn counts as completed."""
    locks = CLASSIC + "1. 11-6666 R2 Y2 / -\n2. 12-6666 R3 Y3 / -\n3. 13-6666 R4 Y4 / -\n"
    locks += "4. 14-6666 R5 Y5 / -\n5. 15-6666 R6 Y6 / -\n6. 66-1111 R12# Y12#\n"
    game = parse(locks)
    assert (game.over, game.turns_completed, game.scores) == (True, 6, (28, 28))
    assert game.record().endswith("6. 66-1111 R12# Y12#\n")
    assert error(locks.rstrip("\n") + " / -\n").endswith(
        "record:8: turn 6, Ben: the white action has ended the game, nothing follows it [over]"
    )


@pytest.mark.parametrize(
    ("record", "phase", "options"),
    [
        (SOLO, "roll", None),
        (SOLO + "1. 34-1111\n", "white", {"white": [["-", "B7", "G7", "R7", "Y7"]]}),
        (SOLO + "1. 66-1111 -\n", "colour", {"colour": ["B7", "G7", "R7", "Y7", "x"]}),
        (SOLO + "1. 66-1111 G12\n", "colour", {"colour": ["-", "B7", "G7", "R7", "Y7"]}),
        (SOLO + "1. 66-1111 G12 / -\n", "roll", None),
        (SOLO + OVER, "over", None),
    ],
)
def test_a_record_may_stop_anywhere(record: str, phase: str, options: object) -> None:
    """Before or after a whole turn, after the dice, after the white marks."""
    game = parse(record)
    assert game.phase == phase
    assert outcome(game)["options"] == options
    assert parse(game.record()) == game


# Marks


@pytest.mark.parametrize(
    "record",
    [
        SOLO + OVER,
        LONGO + "1. 51-1118 R6 !G16 / B13\n",
        BIG_POINTS + "1. 14-4666 R5 / RY5\n",
        BONUS_A + "1. 56-1111 G11+R2 / -\n",
        BONUS_B + "1. 45-1111 G9 / -\n2. 56-1111 Y11+R2+R3 / -\n",
        BONUS_B + "1. 45-1111 G9 / -\n2. 56-1111 Y11+B12+B11 / -\n",
    ],
)
def test_marks_are_written_as_they_were_read(record: str) -> None:
    """`#` locks, `!` is luck, `+` joins what was set off, two letters name a bonus field."""
    turns = record[record.index("1. ") :]
    assert parse(record).record().endswith("\n\n" + turns)


@pytest.mark.parametrize(
    ("record", "wrong"),
    [
        (SOLO + OVER.replace("R12#", "R12"), "R12 is written R12# here"),
        (SOLO + "1. 11-1111 R2#\n", "R2# is written R2 here"),
        (LONGO + "1. 51-1111 - G16\n", "G16 is written !G16 here"),
        (LONGO.replace("5/8", "5/16") + "1. 88-1111 !G16 -\n", "!G16 is written G16 here"),
        (BONUS_A + "1. 56-1111 G11\n", "G11 is written G11+R2 here"),
        (BONUS_A + "1. 56-1111 R11+R12\n", "R11+R12 is written R11 here"),
        (BONUS_B + "1. 45-1111 G9 / -\n2. 56-1111 Y11\n", "Y11 is written Y11+R2+R3 or Y11+B12+B11 here"),
    ],
)
def test_the_parts_of_a_mark_are_not_optional(record: str, wrong: str) -> None:
    assert f": {wrong} [" in error(record)


def test_a_pick_is_read_from_the_marks() -> None:
    """Where a tied row gives nothing, the plain mark and the longer one are both legal."""
    record = BONUS_B + "1. 45-1111 G9 / -\n2. 11-1111 R2 / -\n3. 66-1111 B12 / -\n4. 56-1111 "
    for mark in ("Y11", "Y11+R3+R4", "Y11+G8+G7", "Y11+B11+B10"):
        assert parse(f"{record}{mark} / -\n").turns[-1].white == (mark,)


# Card turns

# Five players draw the whole pile: in turn 10 David takes three cards, and the display draws the last three.
FIVE = "Anna; Ben; Chloe; David; Emma"
HANDS = "r2 r6 y2 y6 g2 r3 r7 y3 y7 g3 r4 r8 y4 y8 g4 r5 r9 y5 y9 g5"
DRAWN = "r10 r11 r12 y10 y11 y12 g10 g11 g12 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12"
FIVE_CARDS = f'[Variant "cards"]\n[Players "{FIVE}"]\n[Deck "{HANDS} g6 g7 g8 g9 {DRAWN}"]\n'
DRAWING = """\
1. g6 11: - - - - - / r2,r3,r4 = R2 R3 R4
2. g7 12: - - - - - / r6,r7,r8 = R6 R7 R8
3. g8 10: - - - - - / y2,y3,y4 = Y2 Y3 Y4
4. g9 11: - - - - - / y6,y7,y8 = Y6 Y7 Y8
5. r10 12: - - - - - / g2,g3,g4 = G4 G3
6. r11,r12,y10 12: - - - - - / r5 = R5
7. y11,y12,g10 4: - - - - - / r9 = R9
8. g11,g12,b2 7: - - - - - / y5 = Y5
9. b3,b4,b5 10: - - - - - / y9 = Y9
"""
DISCARDS = "r2,r3,r4,r5,r6,r7,r8,r9,y2,y3,y4,y5,y6,y7,y8,y9,g2,g3,g4"
RENEWED = f"{FIVE_CARDS}{DRAWING}10. b6,b7,b8 ~{DISCARDS} 2: - - - - -\n"


@pytest.mark.parametrize(
    ("record", "phase", "options"),
    [
        (CARDS, "deal", None),
        (CARDS + "1.\n", "take", {"take": ["b11", "g8", "g9", "y6"]}),
        (CARDS + "1. g9 3:\n", "white", {"white": [["-", "B3", "G3", "R3", "Y3"]] * 2}),
        (
            CARDS + "1. y6 3: - R3\n",
            "play",
            {
                "play": [
                    *("r4 = R4", "r4 = x", "r4,r5 = R4", "r4,r5 = R4 R5", "r4,r5 = R5", "r4,r5 = x"),
                    *("r4,r5,r7 = R4", "r4,r5,r7 = R4 R5", "r4,r5,r7 = R4 R5 R7", "r4,r5,r7 = R5"),
                    *("r4,r5,r7 = R5 R7", "r4,r5,r7 = R7", "r4,r5,r7 = x"),
                    *("r4,r7 = R4", "r4,r7 = R7", "r4,r7 = x", "r5 = R5", "r5 = x"),
                    *("r5,r7 = R5", "r5,r7 = R5 R7", "r5,r7 = R7", "r5,r7 = x", "r7 = R7", "r7 = x"),
                    *("y2 = Y2", "y2 = x", "y2,y6 = Y2", "y2,y6 = Y6", "y2,y6 = x", "y6 = Y6", "y6 = x"),
                ]
            },
        ),
        (CARDS + "1. g9 3: - R3 / y2 = Y2\n", "deal", None),
        (RENEWED, "play", None),
    ],
)
def test_a_card_turn_may_stop(record: str, phase: str, options: object) -> None:
    """After its number, after the announced number, after the marks, or not at all."""
    game = parse(record)
    assert game.phase == phase
    if options or phase == "deal":
        assert outcome(game)["options"] == options
    assert parse(game.record()) == game
    assert game.record().endswith(record.partition("1.")[2])


@pytest.mark.parametrize(
    ("record", "read", "written"),
    [
        (CARDS, "g9 3: - - / r7,r4,r5 = R4 R5 R7", "g9 3: - - / r4,r5,r7 = R4 R5 R7"),
        (CARDS, "g9\t3:  -\t- /  r7  =\tx", "g9 3: - - / r7 = x"),
        (JOKERS, "g9 3: - - / j4r,r7,r5 = R4 R5 R7", "g9 3: - - / r5,r7,j4r = R4 R5 R7"),
        (MIXX_A, "g9 3: - - / r7,r4,r5 = B7 G5 G4", "g9 3: - - / r4,r5,r7 = G5 G4 B7"),
        (MIXX_A, "g9 3: - - / r4,r5,r7 = G5 B7 G4", "g9 3: - - / r4,r5,r7 = G5 G4 B7"),
        (MIXX_A, "g9 3: Y3 - / r4,r7 = B7 G4", "g9 3: Y3 - / r4,r7 = G4 B7"),
    ],
)
def test_cards_and_marks_in_any_order(record: str, read: str, written: str) -> None:
    """Cards by colour and number, jokers last; marks row by row: so they are written, not necessarily read."""
    assert parse(f"{record}1. {read}\n").record().endswith(f"\n1. {written}\n")


def test_taken_cards_in_any_order() -> None:
    record = CARDS + "1. g9 3: - - / r4,r5 = R4 R5\n2. g8 2: - - / b2 = x\n3. b11,y6 "
    assert parse(f"{record}6: - -\n").record().endswith("\n3. y6,b11 6: - -\n")


def test_the_card_tags() -> None:
    """The tag Jokers is written only with jokers; both tags are written as they were read."""
    for record in (CARDS, JOKERS):
        assert parse(record).record() == record + '[Result "*"]\n\n'
    swapped = JOKERS.replace('[Jokers "yes"]\n', "") + '[Jokers "yes"]\n'
    assert parse(swapped) == parse(JOKERS)
    assert outcome(parse(JOKERS))["variant"] == "cards"
    game = Game("cards-mixx-b+jokers", ["Anna", "Ben"], seed=0)
    lines = game.record().splitlines()
    assert lines[:3] == ['[Variant "cards-mixx-b"]', '[Players "Anna; Ben"]', '[Jokers "yes"]']
    assert lines[3].startswith('[Deck "')


def test_the_game_is_named_without_jokers() -> None:
    """A tag adds them."""
    text = error(JOKERS.replace('"cards"', '"cards+jokers"'))
    assert text == 'record:1: cards+jokers is written [Variant "cards"] and [Jokers "yes"] [variant]'


def test_every_decision_of_a_card_turn() -> None:
    outcomes = [outcome(moment) for moment in parse(CARDS + "1. g9 3: R3 - / y2 = Y2\n2. g8 2:\n").moments()]
    assert [list(one["options"]) for one in outcomes] == [["take"], ["white"], ["play"], ["take"], ["white"]]
    assert [one["turns"] for one in outcomes] == [0, 0, 0, 1, 1]
    assert [one["scores"] for one in outcomes] == [[0, 0], [0, 0], [1, 0], [2, 0], [2, 0]]


# Errors, at least one of every code

ERRORS = [
    ("text", SOLO.encode() + b"; \xff\n", "record:3: this line is not UTF-8 text"),
    ("syntax", "hello\n", 'record:1: a game begins with a line like [Variant "classic"]'),
    ("syntax", SOLO + "[Date now]\n", 'record:3: a tag line is [Name "value"] and nothing else, not [Date now]'),
    ("syntax", SOLO + '[Dáte "now"]\n', 'record:3: a tag line is [Name "value"] and nothing else, not [Dáte "now"]'),
    ("syntax", SOLO + '[Date "a"b"]\n', 'record:3: a tag line is [Name "value"] and nothing else, not [Date "a"b"]'),
    ("syntax", SOLO + "hello\n", "record:3: turn 1, Anna: a turn is written like 1. 41-3256 R5 - / B10, not hello"),
    ("syntax", SOLO + "1.\n", "record:3: turn 1, Anna: a turn is written like 1. 41-3256 R5 - / B10, not 1."),
    (
        "syntax",
        SOLO + "1 11-1111\n",
        "record:3: turn 1, Anna: a turn is written like 1. 41-3256 R5 - / B10, not 1 11-…",
    ),
    (
        "syntax",
        SOLO + "1. 14-1111 R05\n",
        "record:3: turn 1, Anna: R05 is not a mark; marks are written like -, B5, G5",
    ),
    ("tag", '[Players "Anna"]\n', "record:1: Variant is always the first tag, Players stands before it"),
    ("tag", '[Variant "classic"]\n', "record:1: the tag Players is missing"),
    ("tag", '\n[Variant "longo"]\n[Players "Anna"]\n', "record:2: the tag Lucky is missing, longo has lucky numbers"),
    ("tag", SOLO + '[Date "a"]\n[Date "b"]\n', "record:4: the tag Date stands twice"),
    ("tag", SOLO + "1. 11-1111\n" + '[Date "a"]\n', "record:4: tags come before turns, Date stands after them"),
    ("tag", SOLO + '[Jokers "yes"]\n', "record:3: classic has no Jokers"),
    ("tag", SOLO + '[Deck "r5"]\n', "record:3: classic has no Deck"),
    ("variant", '[Variant "chess"]\n', "record:1: there is no variant 'chess'; there are classic, longo, mixx-a, …"),
    ("players", CLASSIC.replace("Ben", "Anna"), "record:2: two players are called Anna"),
    ("lucky", LONGO.replace("; 6/11", ""), "record:3: each of the 2 players needs one pair of lucky numbers, …"),
    ("lucky", LONGO.replace("6/11", "5/8"), "record:3: two players share the lucky numbers 5/8"),
    ("lucky", LONGO.replace("6/11", "11/6"), "record:3: lucky numbers are two different numbers from 2 to 16, …"),
    ("lucky", LONGO.replace("6/11", "6/17"), "record:3: lucky numbers are two different numbers from 2 to 16, …"),
    ("lucky", LONGO.replace("6/11", "6-11"), "record:3: lucky numbers are written like 5/8; 6/11, not 6-11"),
    ("lucky", LONGO.replace("6/11", "06/11"), "record:3: lucky numbers are written like 5/8; 6/11, not 06/11"),
    (
        "lucky",
        LONGO + "1. 11-1111 - !G16\n",
        "record:4: turn 1, Ben: the white sum is 2, the lucky numbers are 6 and 11",
    ),
    ("lucky", SOLO + "1. 11-1111 !G12\n", "record:3: turn 1, Anna: classic has no lucky numbers"),
    ("result", SOLO + '[Result "0"]\n', "record:3: the result is *, not 0"),
    ("turn", SOLO + "2. 11-1111\n", "record:3: turn 1, Anna: turn 1 is due here, not 2"),
    ("turn", SOLO + "01. 11-1111\n", "record:3: turn 1, Anna: turn 1 is due here, not 01"),
    (
        "turn",
        CLASSIC + "1. 11-1111 - - / x\n3. 11-1111\n",
        "record:4: turn 2, Ben: turn 2 is due here, not 3",
    ),
    (
        "unfinished",
        SOLO + "1. 11-1111\n2. 11-1111\n",
        "record:3: turn 1, Anna: only the last turn of a record may be unfinished",
    ),
    (
        "unfinished",
        SOLO + "1. 11-1111 -\n2. 11-1111\n",
        "record:3: turn 1, Anna: only the last turn of a record may be unfinished",
    ),
    ("over", SOLO + OVER + "7. 11-..11\n", "record:9: turn 7, Anna: the game is over since turn 6"),
    ("dice", SOLO + "1. 71-1111\n", "record:3: turn 1, Anna: 71-1111: the white die shows 1 to 6, not 7"),
    ("dice", SOLO + "1. 11-1110\n", "record:3: turn 1, Anna: 11-1110: the blue die shows 1 to 6, not 0"),
    ("dice", SOLO + "1. 11-11.1\n", "record:3: turn 1, Anna: 11-11.1: the green die is still in the game"),
    ("dice", SOLO + "1. 11-111\n", "record:3: turn 1, Anna: 11-111 is not a roll; it is written like 41-3256, …"),
    ("dice", SOLO + "1. .1-1111\n", "record:3: turn 1, Anna: .1-1111 is not a roll; it is written like 41-3256, …"),
    ("dice", SOLO + "1. / x\n", "record:3: turn 1, Anna: / is not a roll; it is written like 41-3256, …"),
    (
        "marks",
        CLASSIC + "1. 11-1111 -\n",
        "record:3: turn 1, Anna: there is a mark for each of 2 players in the white action, not 1",
    ),
    (
        "marks",
        SOLO + "1. 11-1111 / x\n",
        "record:3: turn 1, Anna: there is a mark for each of 1 players in the white action, not 0",
    ),
    ("marks", SOLO + "1. 11-1111 - /\n", "record:3: turn 1, Anna: one colour mark stands after the /, not 0"),
    ("marks", SOLO + "1. 11-1111 - / x x\n", "record:3: turn 1, Anna: one colour mark stands after the /, not 2"),
    ("cell", SOLO + "1. 11-1111 R1\n", "record:3: turn 1, Anna: there is no R1 on the classic sheet"),
    ("cell", SOLO + "1. 11-1111 RY2\n", "record:3: turn 1, Anna: there is no RY2 on the classic sheet"),
    ("sum", CLASSIC + "1. 11-1111 - R3\n", "record:3: turn 1, Ben: R3: the white sum is 2"),
    ("sum", SOLO + "1. 12-1111 - / R4\n", "record:3: turn 1, Anna: R4: red makes 2 or 3"),
    ("order", SOLO + "1. 34-2411 R7 / R5\n", "record:3: turn 1, Anna: R5 is left of R7"),
    ("order", SOLO + "1. 34-3411 R7 / R7\n", "record:3: turn 1, Anna: R7 is marked already"),
    (
        "closed",
        SOLO + RED_AND_YELLOW + "6. 66-1111 R12# / -\n7. 44-.111 R8\n",
        "record:9: turn 7, Anna: R8: row R is closed",
    ),
    ("needed", SOLO + "1. 66-1111 R12#\n", "record:3: turn 1, Anna: R12 needs 5 marks before it, there are 0"),
    ("beside", BIG_POINTS + "1. 11-1111 RY2\n", "record:3: turn 1, Anna: RY2: no 2 beside it is marked"),
    ("written", BONUS_A + "1. 56-1111 G11\n", "record:3: turn 1, Anna: G11 is written G11+R2 here"),
    ("misthrow", SOLO + "1. 11-1111 - / -\n", "record:3: turn 1, Anna: no mark was made: write x"),
    ("misthrow", SOLO + "1. 11-1111 R2 / x\n", "record:3: turn 1, Anna: a mark was made before: write -"),
    ("tag", CARDS.partition("[Deck")[0], "record:1: the tag Deck is missing, cards has cards"),
    ("tag", CARDS + '[Lucky "5/8; 6/11"]\n', "record:4: cards has no Lucky"),
    ("tag", LONGO + f'[Deck "{DECK}"]\n', "record:4: longo has no Deck"),
    ("jokers", JOKERS.replace("yes", "no"), "record:3: the tag Jokers says yes or is left out, not no"),
    ("jokers", JOKERS.replace("yes", "Yes"), "record:3: the tag Jokers says yes or is left out, not Yes"),
    ("deck", CARDS.replace("r10", "r9"), "record:3: the deck of cards: r9 is in it twice"),
    ("deck", CARDS.replace(" r10", ""), "record:3: the deck of cards: r10 is missing: there are 44 cards, not 43"),
    ("deck", CARDS.replace("r10", "r10 r10"), "record:3: the deck of cards: r10 is in it twice"),
    ("deck", CARDS.replace("r10", "r13"), "record:3: the deck of cards: r13 is not a card; cards are written like …"),
    ("deck", CARDS.replace("r10 ", "r10  "), "record:3: the deck of cards: '' is not a card; cards are written like …"),
    ("deck", CARDS.replace("r10 ", "r10,"), "record:3: the deck of cards: r10,r11 is not a card; cards are written …"),
    ("deck", CARDS.replace(DECK, ""), "record:3: the deck of cards: '' is not a card; …"),
    (
        "deck",
        JOKERS.replace('[Jokers "yes"]\n', ""),
        "record:3: the deck of cards: j4 is not one of them, there are no jokers",
    ),
    (
        "deck",
        CARDS.replace("[Deck", '[Jokers "yes"]\n[Deck'),
        "record:4: the deck of cards+jokers: j2 is missing: there are 55 cards, not 44",
    ),
    (
        "syntax",
        CARDS + "1 g9\n",
        "record:4: turn 1, Anna: a turn is written like 1. g9 8: R8 - / r3,r8 = R3 R8, not 1 g9",
    ),
    (
        "syntax",
        CARDS + "1. 41-3256\n",
        "record:4: turn 1, Anna: 41-3256 are no cards; cards are taken like g9 or g9,b2",
    ),
    ("syntax", CARDS + "1. 3: - -\n", "record:4: turn 1, Anna: 3: are no cards; cards are taken like g9 or g9,b2"),
    ("syntax", CARDS + "1. g9\n", "record:4: turn 1, Anna: the announced number is written like 8:"),
    ("syntax", CARDS + "1. g9 R3 -\n", "record:4: turn 1, Anna: the announced number is written like 8:, not R3"),
    ("syntax", CARDS + "1. g9 3 - -\n", "record:4: turn 1, Anna: the announced number is written like 8:, not 3"),
    ("syntax", CARDS + "1. g9 3: - - /\n", "record:4: turn 1, Anna: nothing is no play; cards are played like …"),
    ("syntax", CARDS + "1. g9 3: - - / x\n", "record:4: turn 1, Anna: x is no play; cards are played like …"),
    ("syntax", CARDS + "1. g9 3: - - / r4 R4\n", "record:4: turn 1, Anna: r4 R4 is no play; cards are played like …"),
    ("syntax", CARDS + "1. g9 3: - - / r4 =\n", "record:4: turn 1, Anna: r4 = is no play; cards are played like …"),
    (
        "syntax",
        CARDS + "1. g9 3: - - / r4 = R4 -\n",
        "record:4: turn 1, Anna: - is not a mark; marks are written like …",
    ),
    ("syntax", CARDS + "1. g9 3: - - / r4, r5 = R4\n", "record:4: turn 1, Anna: r4, r5 = R4 is no play; …"),
    ("cards", CARDS + "1. r9 3:\n", "record:4: turn 1, Anna: r9 is not in the display"),
    ("cards", CARDS + "1. g9,g8 3:\n", "record:4: turn 1, Anna: 1 card must be taken for a hand of 5, not 2"),
    ("cards", CARDS + "1. g9 3: - - / b5 = B5\n", "record:4: turn 1, Anna: b5 is not in the hand"),
    ("cards", CARDS + "1. g9 3: - - / r4,r4 = R4\n", "record:4: turn 1, Anna: r4 is played twice"),
    ("cards", CARDS + "1. g9 3: - - / r4 = R5\n", "record:4: turn 1, Anna: R5 is a red 5, no card played is one"),
    (
        "cards",
        CARDS + "1. g9 3: - - / r4,y2 = R4\n",
        "record:4: turn 1, Anna: r4,y2 are of 2 colours, cards played together are of one",
    ),
    (
        "cards",
        JOKERS + "1. g9 3: - - / j4 = R4\n",
        "record:5: turn 1, Anna: j4 is played as a colour: j4r, j4y, j4g, j4b",
    ),
    (
        "cards",
        CARDS + "1. g9 3: - - / r4 = R4\n2. g8 2: - - / r4 = R4\n",
        "record:5: turn 2, Ben: r4 is not in the hand",
    ),
    ("pile", CARDS + "1. g9 ~r2 3:\n", "record:4: turn 1, Anna: the pile is not empty, there is no new one"),
    (
        "pile",
        RENEWED.replace(f"~{DISCARDS} ", ""),
        "record:13: turn 10, Emma: the pile is empty: ~ and the discards in their new order must follow",
    ),
    (
        "pile",
        RENEWED.replace("~r2,", "~"),
        "record:13: turn 10, Emma: the discards: r2 is missing: there are 19 cards, not 18",
    ),
    ("pile", RENEWED.replace("~r2,", "~r3,"), "record:13: turn 10, Emma: the discards: r3 is in it twice"),
    ("pile", RENEWED.replace("~r2,", "~b12,"), "record:13: turn 10, Emma: the discards: b12 is not one of them"),
    ("pile", RENEWED.replace("~r2,", "~R2,"), "record:13: turn 10, Emma: the discards: R2 is not a card; …"),
    (
        "announced",
        RENEWED.replace(" 2: ", " 3: "),
        "record:13: turn 10, Emma: 2 is on top of the pile, not 3",
    ),
    ("announced", CARDS + "1. g9 12:\n", "record:4: turn 1, Anna: 3 is on top of the pile, not 12"),
    ("announced", CARDS + "1. g9 03:\n", "record:4: turn 1, Anna: 3 is on top of the pile, not 03"),
    ("marks", CARDS + "1. g9 3: -\n", "record:4: turn 1, Anna: there is a mark for each of 2 players …"),
    ("sum", CARDS + "1. g9 3: - R4\n", "record:4: turn 1, Ben: R4: the announced number is 3"),
    ("order", CARDS + "1. g9 3: - - / r4,r5 = R5 R4\n", "record:4: turn 1, Anna: R4 is left of R5"),
    (
        "gap",
        CARDS + "1. g9 3: - - / r4,r7 = R4 R7\n",
        "record:4: turn 1, Anna: R4 R7 leaves out 2 numbers in between, 1 may be left out",
    ),
    (
        "unfinished",
        CARDS + "1. g9 3: - -\n2. g8\n",
        "record:4: turn 1, Anna: only the last turn of a record may be unfinished",
    ),
    ("unfinished", CARDS + "1.\n2.\n", "record:4: turn 1, Anna: only the last turn of a record may be unfinished"),
    (
        "misthrow",
        CARDS + "1. g9 3: - - / r4 = -\n",
        "record:4: turn 1, Anna: no mark was made: write x",
    ),
    (
        "misthrow",
        CARDS + "1. g9 3: R3 - / r4 = x\n",
        "record:4: turn 1, Anna: a mark was made before: write -",
    ),
    (
        "misthrow",
        SOLO + "1. 11-1111 x\n",
        "record:3: turn 1, Anna: a misthrow is marked after the colour action, - is no mark",
    ),
    (
        "sheets",
        '[Variant "connected-a"]\n[Players "Anna; Ben"]\n[Sheets "A; F"]\n',
        "record:3: connected-a has the sheets A, B, C, D, E, not 'F'",
    ),
    (
        "sheets",
        '[Variant "connected-b"]\n[Sheets "A; B; C"]\n[Players "Anna; Ben"]\n',
        "record:2: each of the 2 players needs the letter of a sheet, there are 3",
    ),
    ("tag", SOLO.rstrip() + '\n[Sheets "A"]\n', "record:3: classic has no Sheets"),
    (
        "swap",
        SOLO.replace("classic", "x-change") + "1. 45-1111 9>R7 / -\n2. 44-1111 8>R5 / -\n",
        "record:4: turn 2, Anna: the swap field 8/5 is left of 9/7, which is used",
    ),
    ("swap", SOLO + "1. 44-1111 8>R5 / -\n", "record:3: turn 1, Anna: classic has no swap fields"),
    (
        "second",
        SOLO.replace("classic", "double-a") + "1. 23-3111 R5 / R6\n2. 23-1111 R5* / -\n",
        "record:4: turn 2, Anna: R5 is not the rightmost mark of its row",
    ),
    (
        "written",
        SOLO.replace("classic", "connected-b") + "1. 33-1111 R6 / -\n",
        "record:3: turn 1, Anna: R6 is written R6+Y6 here",
    ),
]


@pytest.mark.parametrize(("code", "record", "message"), ERRORS, ids=[code for code, _, _ in ERRORS])
def test_errors(code: str, record: str | bytes, message: str) -> None:
    """Place, turn and player where there are any, what is wrong, and the code; … stands for the rest of a message."""
    text = error(record)
    if message.endswith("…"):
        assert text.startswith(message[:-1])
        assert text.endswith(f" [{code}]")
    else:
        assert text == f"{message} [{code}]"


def test_every_code_is_shown() -> None:
    """All but `to-act`, which only a game can raise."""
    assert {code for code, _, _ in ERRORS} == set(CODES) - {"to-act"}
    game = Game("classic", 2, seed=0)
    with pytest.raises(Illegal, match="turn 1, Player 1: the dice are to be rolled first") as illegal:
        game.play(0, "-")
    assert illegal.value.code == "to-act"
    with pytest.raises(Illegal, match="there is no player 7") as illegal:
        game.play(7, "-")
    assert illegal.value.code == "to-act"


def test_attributes_of_an_error() -> None:
    """Programs can read its parts."""
    (wrong,) = read_all((SOLO + "1. 34-2411 R7 / R5\n").encode())
    assert isinstance(wrong, RecordError)
    assert (wrong.file, wrong.line, wrong.turn, wrong.player) == ("record", 3, 1, "Anna")
    assert (wrong.code, wrong.text) == ("order", "R5 is left of R7")


# The outcome as JSON


def test_the_outcome_of_a_finished_game() -> None:
    assert outcome(parse(SOLO + OVER)) == {
        "variant": "classic",
        "players": ["Anna"],
        "turns": 6,
        "over": True,
        "reason": "rows",
        "closed": ["R", "Y"],
        "sheets": [
            {
                "rows": {"R": [2, 3, 4, 5, 6, 12], "Y": [2, 3, 4, 5, 6, 12], "G": [], "B": []},
                "locks": ["R", "Y"],
                "misthrows": 0,
                "points": {"R": 28, "Y": 28, "G": 0, "B": 0, "bonus": 0, "misthrows": 0},
                "total": 56,
            }
        ],
        "scores": [56],
        "winners": [0],
        "options": None,
    }


def test_the_outcome_after_misthrows() -> None:
    final = outcome(parse(CLASSIC + TWO_PLAYERS))
    assert (final["over"], final["reason"], final["closed"]) == (True, "misthrows", [])
    assert (final["scores"], final["winners"], final["turns"]) == ([10, -20], [0], 8)


def test_the_outcome_of_big_points_has_the_bonus_fields() -> None:
    (sheet,) = outcome(parse(BIG_POINTS + "1. 14-4666 R5 / RY5\n"))["sheets"]
    assert sheet["bonus"] == {"RY": [5], "GB": []}
    assert sheet["points"] == {"R": 3, "Y": 1, "G": 0, "B": 0, "bonus": 0, "misthrows": 0}
    (sheet,) = outcome(parse(SOLO))["sheets"]
    assert "bonus" not in sheet


def test_the_outcome_of_bonus_b_has_the_bonus_points() -> None:
    """Thirteen for the octagon; rows stay single and the doubled one is added to the bonus."""
    record = BONUS_B + "1. 15-1111 R6 / -\n2. 13-1111 B4 / -\n"
    (sheet,) = outcome(parse(record))["sheets"]
    assert sheet["points"] == {"R": 1, "Y": 0, "G": 0, "B": 1, "bonus": 13, "misthrows": 0}
    doubled = BONUS_B + "1. 46-1111 B10 / -\n2. 44-1111 R8 / -\n3. 11-1111 Y2 / -\n4. 66-1111 G12 / -\n"
    (sheet,) = outcome(parse(doubled))["sheets"]
    assert sheet["points"] == {"R": 1, "Y": 1, "G": 1, "B": 1, "bonus": 1, "misthrows": 0}


def test_misthrow_points_are_what_they_cost_after_all_bonuses() -> None:
    record = BONUS_B + "1. 12-1111 Y3 / -\n2. 14-1111 G5 / -\n3. 66-1111 - / x\n"
    (sheet,) = outcome(parse(record))["sheets"]
    assert (sheet["misthrows"], sheet["points"]["misthrows"]) == (1, 0)


def test_options_of_all_players_in_the_white_action() -> None:
    options = outcome(parse(LONGO + "1. 51-1118\n"))["options"]
    assert options == {
        "white": [
            ["-", "B6", "G6", "R6", "Y6"],
            ["!B16", "!G16", "!R2", "!Y2", "-", "B6", "G6", "R6", "Y6"],
        ]
    }


def test_every_decision() -> None:
    """As `replay --each` prints them: the game before each decision, the current one included."""
    outcomes = [
        outcome(moment) for moment in parse(SOLO + "1. 66-1111 G12 / -\n2. 11-1111 - / x\n3. 12-1111 R3\n").moments()
    ]
    assert [one["turns"] for one in outcomes] == [0, 0, 1, 1, 2, 2]
    assert [list(one["options"]) for one in outcomes] == [["white"], ["colour"]] * 3
    assert [one["scores"] for one in outcomes] == [[0], [1], [1], [1], [-4], [-3]]
    assert not any(one["over"] for one in outcomes)
    assert outcomes[0]["options"] == {"white": [["-", "B12", "G12"]]}


def test_every_decision_of_a_finished_game() -> None:
    """The final position is none; a decision with one option is."""
    outcomes = [outcome(moment) for moment in parse(SOLO + OVER).moments()]
    assert len(outcomes) == 12
    assert outcomes[-1]["closed"] == ["R"]
    assert not outcomes[-1]["over"]
    alone = SOLO + "1. 56-6111 R11 / -\n2. 56-1611 Y11 / -\n3. 12-1111 G3 / -\n4. 12-1111 B3 / -\n5. 66-1111 - / x\n"
    outcomes = [outcome(moment) for moment in parse(alone).moments()]
    assert [one["options"] for one in outcomes[-2:]] == [{"white": [["-"]]}, {"colour": ["x"]}]


def test_known_tags_come_from_the_game() -> None:
    """Whatever `tags` has under their names, the record has the data of the game."""
    game = Game("classic", ["Anna"], seed=0)
    game.tags["Players"] = "Zed"
    assert parse(game.record()).players == ("Anna",)
    game.tags["Event"] = 'a "fine" evening'
    with pytest.raises(ValueError, match="a value without quotes"):
        game.record()


def test_an_error_shows_what_was_written_in_one_short_line() -> None:
    for mark in ("R5\x1b[31m", "R" * 500):
        with pytest.raises(RecordError) as error:
            parse(SOLO + f"1. 11-1111 {mark}\n")
        assert "\x1b" not in str(error.value)
        assert len(str(error.value)) < 200
