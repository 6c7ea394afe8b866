"""Variants as data: the built-in ones, a user's own (docs/variants.md), and every way in which a file can be wrong."""

import random
import re
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest

from rowlock import Game, RecordError, Sheet, VariantError, find_variant, read, testing, variant_ids
from rowlock.rules import kernel
from rowlock.rules.variant import BUILT_IN, Cards, Variant, find_setup, load_variant, parse_variant
from tests.effort import QUICK
from tests.positions import deck

PAGE = Path(__file__).parents[1] / "docs" / "variants.md"
EXAMPLE, BRIDGE, LANTERN = re.findall(
    r"^```toml [^\n]*\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)
RED = "numbers = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\ncolours"


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """The example of the page as a file."""
    path = tmp_path / "harbour.toml"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


# Built-in


def test_fourteen_games() -> None:
    dice = ("classic", "longo", "mixx-a", "mixx-b", "bonus-a", "bonus-b", "big-points")
    more = ("connected-a", "connected-b", "x-change", "double-a")
    assert variant_ids() == (*dice, *more, "cards", "cards-mixx-a", "cards-mixx-b")


@pytest.mark.parametrize("name", variant_ids())
def test_a_variant_is_found_by_its_name(name: str) -> None:
    variant = find_variant(name)
    assert str(variant) == variant.id == name
    assert find_variant(variant) is variant
    assert set(variant.name) == set(variant.about) == {"en", "de", "nl"}


@pytest.mark.parametrize("name", ["", "chess", "qwixx"])
def test_an_unknown_name(name: str) -> None:
    with pytest.raises(
        VariantError, match=re.escape(f"there is no variant {name!r}; there are classic, longo, mixx-a")
    ):
        find_variant(name)


@pytest.mark.parametrize("name", ["Classic", "clasic", "classic ", "../classic", "classic.tom"])
def test_a_misspelt_name(name: str) -> None:
    with pytest.raises(VariantError, match=re.escape(f"there is no variant {name!r}; did you mean classic?")):
        find_variant(name)


# A variant of one's own


def test_the_example_is_read_field_by_field() -> None:
    variant = parse_variant(EXAMPLE)
    assert (variant.id, variant.order, variant.closing, variant.needed, variant.cap) == ("harbour", 50, 2, 4, 14)
    assert variant.dice == (6, 6, 6, 4, 4)
    assert variant.lucky == ((4, 9), (5, 10), (4, 5), (9, 10), (3, 8))
    assert [row.colours for row in variant.rows] == ["RRRRRRRYYRR", "Y" * 11, "G" * 9, "B" * 9]
    assert variant.rows[3].numbers == (6, 8, 4, 10, 2, 9, 3, 7, 5)
    assert (variant.bar, variant.bar_boxes) == ("RYGBBGYR", ("R4", "Y6", "G8", "B8"))
    assert [(pair.name, pair.boxes, pair.gives, pair.amount) for pair in variant.pairs] == [
        ("anchor", ("R7", "B2"), "fewest", 1),
        ("lamp", ("Y9", "G4"), "points", 10),
    ]
    assert [(row.name, row.numbers) for row in variant.fields] == [("YG", (3, 5, 7, 9))]
    assert variant.name == {"en": "Harbour", "de": "Hafen", "nl": "Haven"}


def test_effects_may_be_left_out() -> None:
    """A file with rows, dice and words is enough."""
    text = re.sub(r"lucky.*?\n|\[bar\].*?(?=\[name\])", "", EXAMPLE, flags=re.DOTALL)
    variant = parse_variant(text.replace("order = 50\n", ""))
    assert variant.order == 999
    assert (variant.lucky, variant.bar, variant.bar_boxes, variant.pairs, variant.fields) == ((), "", (), (), ())


def test_custom_variant_in_a_game(harbour: Path) -> None:
    game = Game(harbour, ["Anna", "Ben"], seed=0)
    assert game.lucky == ((4, 9), (5, 10))
    game.roll("22-1111")
    # 4 is lucky for Anna; R4 and G8 are bonus boxes; the bar begins with red.
    assert game.options(0) == ["!B6", "!G10", "!R2", "!Y2", "-", "B4", "G4", "R4+R5", "Y4"]
    assert game.options(1) == ["-", "B4", "G4", "R4+R5", "Y4"]


def test_custom_variant_by_the_name_of_its_file(harbour: Path) -> None:
    """A path may be a string; it ends in .toml."""
    assert find_variant(str(harbour)) == find_variant(harbour) == load_variant(harbour)


def test_the_example_that_takes_over_a_sheet() -> None:
    variant, classic = parse_variant(BRIDGE), find_variant("classic")
    assert (variant.rows, variant.dice, variant.closing) == (classic.rows, classic.dice, classic.closing)
    assert (variant.needed, variant.cap, variant.misthrow_cost) == ((6, 6, 5, 5), 14, 3)
    assert (variant.misthrows_to_end, variant.rows_to_end) == (5, 3)
    assert [variant.row_points(marks) for marks in (0, 1, 10, 11, 14, 15)] == [0, 1, 55, 60, 75, 75]
    assert variant.effects == {"steps", "joined", "swaps", "second"}
    assert (variant.sheet_letters, variant.joined) == ("AB", ((), (("R2", "Y2"), ("G3", "B11"))))
    testing.check_variant(variant, games=1 if QUICK else 3)


def test_custom_variant_on_a_sheet(harbour: Path) -> None:
    line = "R2,3,4,5,12# Y3 G10,9 B6 YG3 x1 +2 !4/9"
    sheet = Sheet.parse(line, harbour)
    assert str(sheet) == line
    # The field counts in Y and in G.
    assert sheet.points == {"R": 21, "Y": 3, "G": 6, "B": 1, "bonus": 0, "misthrows": -5}


RECORD = b'[Variant "harbour"]\n[Players "Anna; Ben"]\n[Lucky "4/9; 5/10"]\n\n1. 22-1111 !B6 R4+R5 / Y3\n'


def test_custom_variant_in_a_record(harbour: Path) -> None:
    """A reader takes custom variants as paths or as objects."""
    for variants in ([harbour], [str(harbour)], [find_variant(harbour)]):
        (game,) = read(RECORD, variants=variants)
        assert game.variant.id == "harbour"
        assert game.turns_completed == 1
        (again,) = read(game.record().encode(), variants=variants)
        assert again.record() == game.record()


def test_custom_variant_that_the_reader_was_not_given(harbour: Path) -> None:
    with pytest.raises(RecordError, match=r"^record:1: there is no variant 'harbour'; .* \[variant\]$"):
        list(read(RECORD))


def test_a_record_never_makes_the_reader_open_a_file(harbour: Path) -> None:
    record = f'[Variant "{harbour}"]\n[Players "Anna"]\n'
    with pytest.raises(RecordError, match="or give its --variant-file"):
        list(read(record.encode()))


def test_games_of_the_example_come_to_an_end() -> None:
    """All effects together: whole games are played, written and read again."""
    variant = parse_variant(EXAMPLE)
    for number in range(5):
        game = Game(variant, 1 + number, seed=number)
        rng = random.Random(number)
        while not game.over:
            testing.step(game, rng)
        (again,) = read(game.record().encode(), variants=[variant])
        assert again.scores == game.scores


# Files that are wrong

WORDS = "one line of text"
WRONG = [
    # not a file of this kind
    ("format = 1", "format = ", "not a TOML file: Invalid value (at line 1, column 10)"),
    ("format = 1", "", "format is missing; add the line format = 1 at the top"),
    ("format = 1", "format = 2", "format must be 1, not 2"),
    ("format = 1", "format = true", "format must be 1, not True"),
    ("format = 1", 'format = "1"', "format must be 1, not '1'"),
    (
        "order = 50",
        "colour = 50",
        "colour is not known here; there are format, id, order, sheet, rows, closing, needed, cap, points, "
        "misthrow_cost, misthrows_to_end, rows_to_end, name, about, dice, bar, pairs, fields, lucky, sheets, swaps and "
        "second",
    ),
    # id and order
    ('id = "harbour"\n', "", "id is missing; it must be lower-case letters, digits and hyphens (40 at the most)"),
    ('"harbour"', '"Harbour"', "id must be lower-case letters, digits and hyphens (40 at the most), not 'Harbour'"),
    ('"harbour"', '""', "id must be lower-case letters, digits and hyphens (40 at the most), not ''"),
    ('"harbour"', '"1st"', "id must be lower-case letters, digits and hyphens (40 at the most), not '1st'"),
    ('"harbour"', f'"{"h" * 41}"', f"(40 at the most), not '{'h' * 38}…"),
    ('"harbour"', "7", "id must be lower-case letters, digits and hyphens (40 at the most), not 7"),
    ("order = 50", "order = -1", "order must be a whole number from 0 to 999, not -1"),
    ("order = 50", "order = 1000", "order must be a whole number from 0 to 999, not 1000"),
    ("order = 50", 'order = "first"', "order must be a whole number from 0 to 999, not 'first'"),
    # closing, needed, cap
    ("closing = 2\n", "", "closing is missing; it must be a whole number from 1 to 15"),
    ("closing = 2", "closing = 0", "closing must be a whole number from 1 to 15, not 0"),
    ("closing = 2", "closing = 16", "closing must be a whole number from 1 to 15, not 16"),
    ("closing = 2", "closing = 2.0", "closing must be a whole number from 1 to 15, not 2.0"),
    ("closing = 2", "closing = true", "closing must be a whole number from 1 to 15, not True"),
    ("closing = 2", "closing = 11", "rows.R.numbers must be more than the 11 closing cells of a row"),
    ("needed = 4\n", "", "needed is missing; it must be a whole number from 0 to 15"),
    ("needed = 4", "needed = -1", "needed must be a whole number from 0 to 15, not -1"),
    ("needed = 4", "needed = 16", "needed must be a whole number from 0 to 15, not 16"),
    ("needed = 4", "needed = 8", "needed must be at most 7, the cells before a closing one"),
    ("cap = 14\n", "", "cap is missing; it must be a whole number from 1 to 99"),
    ("cap = 14", "cap = 0", "cap must be a whole number from 1 to 99, not 0"),
    ("cap = 14", "cap = 100", "cap must be a whole number from 1 to 99, not 100"),
    # dice
    ("[dice]", "[dices]", "dice is missing; it must be a table"),
    ("[dice]\nwhite = 6", "[[dice]]\nwhite = 6", "dice must be a table"),
    ("white = 6\n", "", "dice.white is missing; it must be a whole number from 2 to 9"),
    ("white = 6", "white = 1", "dice.white must be a whole number from 2 to 9, not 1"),
    ("white = 6", "white = 10", "dice.white must be a whole number from 2 to 9, not 10"),
    ("B = 4\n", "", "dice.B is missing; it must be a whole number from 2 to 9"),
    ("B = 4", "B = 0", "dice.B must be a whole number from 2 to 9, not 0"),
    ("B = 4", "B = 4\nW = 4", "dice.W is not known here; there are white, R, Y, G and B"),
    # rows
    ("[rows.B]", "[rows.Z]", "rows.B is missing; it must be a table"),
    ("[rows.B]", "[rows.Z]\n[rows.B]", "rows.Z is not known here; there are R, Y, G and B"),
    (RED, "colours", "rows.R.numbers is missing; it must be 2 to 16 different numbers from 2 to 12"),
    (RED, "numbers = 12\ncolours", "rows.R.numbers must be 2 to 16 different numbers from 2 to 12, not 12"),
    (RED, "numbers = [2]\ncolours", "rows.R.numbers must be 2 to 16 different numbers from 2 to 12, not [2]"),
    (RED, "numbers = [2, 3, 2]\ncolours", "different numbers from 2 to 12, not [2, 3, 2]"),
    (RED, "numbers = [1, 2, 3]\ncolours", "different numbers from 2 to 12, not [1, 2, 3]"),
    (RED, "numbers = [2, 3, 13]\ncolours", "different numbers from 2 to 12, not [2, 3, 13]"),
    (RED, 'numbers = [2, 3, "4"]\ncolours', "different numbers from 2 to 12, not [2, 3, '4']"),
    (RED, "numbers = [2, 3, 4.0]\ncolours", "different numbers from 2 to 12, not [2, 3, 4.0]"),
    (RED, "numbers = [2, 3]\ncolours", "rows.R.numbers must be more than the 2 closing cells of a row"),
    ("YYRR", "YRR", "rows.R.colours must be 11 letters of R, Y, G, B, the closing ones R, not 'RRRRRRRYRR'"),
    ("YYRR", "YYRY", "rows.R.colours must be 11 letters of R, Y, G, B, the closing ones R, not 'RRRRRRRYYRY'"),
    ("YYRR", "YWRR", "rows.R.colours must be 11 letters of R, Y, G, B, the closing ones R, not 'RRRRRRRYWRR'"),
    ('"RRRRRRRYYRR"', "7", "rows.R.colours must be 11 letters of R, Y, G, B, the closing ones R, not 7"),
    ("colours =", "colors =", "rows.R.colors is not known here; there are numbers and colours"),
    # words
    ("[name]", "[title]", "name is missing; it must be a table"),
    ('en = "Harbour"\nde = "Hafen"\nnl = "Haven"\n', "", "name must have a text in en, de or nl"),
    ('"Haven"', '""', f"name.nl must be {WORDS}, not ''"),
    ('"Haven"', '"""a\nb"""', f"name.nl must be {WORDS}, not 'a\\nb'"),
    ('"Haven"', "7", f"name.nl must be {WORDS}, not 7"),
    ('"Haven"', '"Haven"\nfr = "Port"', "name.fr is not known here; there are en, de and nl"),
    ("[about]", "[abouts]", "about is missing; it must be a table"),
    ('"Two short', f'"{"x" * 200}Two short', f"about.en must be {WORDS}, not"),
    # lucky numbers
    ("[4, 9], ", "", "lucky must be 5 or more different pairs of numbers from 2 to 12, the lower one first, not"),
    ("[4, 9]", "[5, 10]", "lucky must be 5 or more different pairs"),
    ("[4, 9]", "[9, 4]", "lucky must be 5 or more different pairs"),
    ("[4, 9]", "[4, 4]", "lucky must be 5 or more different pairs"),
    ("[4, 9]", "[1, 9]", "lucky must be 5 or more different pairs"),
    ("[4, 9]", "[4, 13]", "lucky must be 5 or more different pairs"),
    ("[4, 9]", "[4, 9, 10]", "lucky must be 5 or more different pairs"),
    ("[4, 9]", '"4/9"', "lucky must be 5 or more different pairs"),
    ("lucky = [", "lucky = 5 # [", "lucky must be 5 or more different pairs"),
    # the bar
    ("[bar]", "[[bar]]", "bar must be a table"),
    ('rows = "RYGBBGYR"\n', "", "bar.rows is missing; it must be 1 to 32 letters of R, Y, G, B"),
    ('"RYGBBGYR"', '""', "bar.rows must be 1 to 32 letters of R, Y, G, B, not ''"),
    ('"RYGBBGYR"', '"RYW"', "bar.rows must be 1 to 32 letters of R, Y, G, B, not 'RYW'"),
    ('"RYGBBGYR"', f'"{"R" * 33}"', f"bar.rows must be 1 to 32 letters of R, Y, G, B, not '{'R' * 33}'"),
    ('["R4", "Y6", "G8", "B8"]', "[]", "bar.boxes must be different cells of the sheet, not []"),
    ('["R4", "Y6", "G8", "B8"]', '["R4", "R4"]', "bar.boxes must be different cells of the sheet, not ['R4', 'R4']"),
    ('["R4", "Y6", "G8", "B8"]', '["G12"]', "bar.boxes must be different cells of the sheet, not ['G12']"),
    ('["R4", "Y6", "G8", "B8"]', '["YG3"]', "bar.boxes must be different cells of the sheet, not ['YG3']"),
    ("[bar]", "[bar]\nmarks = 2", "bar.marks is not known here; there are rows and boxes"),
    # pairs
    ('name = "anchor"\n', "", f"pairs[1].name is missing; it must be {WORDS}"),
    ('boxes = ["R7", "B2"]\n', "", "pairs[1].boxes is missing; it must be two cells of the sheet, in no other pair"),
    ('["R7", "B2"]', '["R7"]', "pairs[1].boxes must be two cells of the sheet, in no other pair, not ['R7']"),
    ('["R7", "B2"]', '["R7", "R7"]', "pairs[1].boxes must be two cells of the sheet, in no other pair, not"),
    ('["R7", "B2"]', '["R7", "B12"]', "pairs[1].boxes must be two cells of the sheet, in no other pair, not"),
    ('["Y9", "G4"]', '["R7", "G4"]', "pairs[2].boxes must be two cells of the sheet, in no other pair, not"),
    (
        '"fewest"',
        '"most"',
        "pairs[1].gives must be one of fewest, each, double, points, shield (each at most once), not 'most'",
    ),
    ('"points"', '"fewest"', "pairs[2].gives must be one of each, double, points, shield (each at most once), not"),
    ("marks = 1\n", "", "pairs[1].marks is missing; it must be a whole number from 1 to 8"),
    ("marks = 1", "marks = 0", "pairs[1].marks must be a whole number from 1 to 8, not 0"),
    ("marks = 1", "marks = 17", "pairs[1].marks must be a whole number from 1 to 8, not 17"),
    ("points = 10\n", "", "pairs[2].points is missing; it must be a whole number from 1 to 999"),
    ("points = 10", "points = 1000", "pairs[2].points must be a whole number from 1 to 999, not 1000"),
    (
        "marks = 1",
        "marks = 1\npoints = 3",
        "pairs[1].points is not known here; there are name, boxes, gives, marks (where it gives fewest) and points "
        "(where it gives points)",
    ),
    # fields
    ('between = "YG"\n', "", "fields[1].between is missing; it must be one of RY, YG, GB"),
    ('"YG"', '"RG"', "fields[1].between must be one of RY, YG, GB, not 'RG'"),
    ("[3, 5, 7, 9]", "[3]", "fields[1].numbers must be 2 to 16 different numbers from 2 to 12, not [3]"),
    ("[3, 5, 7, 9]", "[3, 5]\nlock = true", "fields[1].lock is not known here; there are between and numbers"),
    ("[name]", '[[fields]]\nbetween = "YG"\n[name]', "fields[2].between must be one of RY, GB, not 'YG'"),
]


@pytest.mark.parametrize(("right", "wrong", "message"), WRONG)
def test_a_wrong_file_is_refused_by_field(right: str, wrong: str, message: str) -> None:
    """The error names the file, the field and what is allowed."""
    assert EXAMPLE.count(right) == 1
    with pytest.raises(VariantError) as error:
        parse_variant(EXAMPLE.replace(right, wrong), "my.toml")
    assert str(error.value).startswith("my.toml: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("pairs = 3", "my.toml: pairs must be an array of tables, not 3"),
        ("pairs = [3]", "my.toml: pairs[1] must be a table"),
        ("fields = {a = 1}", "my.toml: fields must be an array of tables, not {'a': 1}"),
        ('fields = ["RY"]', "my.toml: fields[1] must be a table"),
        ("bar = 7", "my.toml: bar must be a table"),
        ("rows = 7", "my.toml: rows must be a table"),
        ("rows.R = 7", "my.toml: rows.R must be a table"),
        ("name = 7", "my.toml: name must be a table"),
        ('about = "a game"', "my.toml: about must be a table"),
    ],
)
def test_values_where_tables_belong(first: str, message: str) -> None:
    """A value of another type is refused."""
    part = re.match(r"\w+", first)
    assert part
    rest = re.sub(rf"\[\[?{part[0]}\b.*?(?=\n\[(?!\[?{part[0]})|\Z)", "", EXAMPLE, flags=re.DOTALL)
    with pytest.raises(VariantError) as error:
        parse_variant(f"{first}\n{rest}", "my.toml")
    assert str(error.value) == message


def test_three_rows_of_fields_at_the_most() -> None:
    more = "".join(f'[[fields]]\nbetween = "{rows}"\nnumbers = [2, 3]\n' for rows in ("RY", "GB"))
    assert len(parse_variant(EXAMPLE + more).fields) == 3
    with pytest.raises(VariantError, match=r"fields\[4\].between must be left out: there are three rows at the most"):
        parse_variant(EXAMPLE + more + '[[fields]]\nbetween = "RY"\nnumbers = [2, 3]\n')


def test_a_custom_variant_has_no_built_in_name(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(EXAMPLE.replace('"harbour"', '"classic"'), encoding="utf-8")
    with pytest.raises(VariantError, match=f"^{re.escape(str(path))}: id must not be classic, which is built in$"):
        load_variant(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing, garbage = tmp_path / "missing.toml", tmp_path / "garbage.toml"
    garbage.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(VariantError, match=f"^{re.escape(str(missing))}: cannot be read: No such file"):
        find_variant(missing)
    with pytest.raises(VariantError, match=f"^{re.escape(str(tmp_path))}: cannot be read: Is a directory"):
        load_variant(tmp_path)
    with pytest.raises(VariantError, match=f"^{re.escape(str(garbage))}: not a TOML file: not UTF-8$"):
        load_variant(garbage)


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [("bonus-a", '["R3", ', '[["R3"], '), ("bonus-b", '["Y11", "G9"]', '[["Y11"], "G9"]')],
)
def test_boxes_that_are_no_text(file: str, right: str, wrong: str) -> None:
    with pytest.raises(VariantError, match="boxes must be"):
        parse_variant((BUILT_IN / f"{file}.toml").read_text(encoding="utf-8").replace(right, wrong))


def test_a_file_nested_too_deeply() -> None:
    with pytest.raises(VariantError, match="not a TOML file"):
        parse_variant("a = " + "[" * 50_000)


def test_a_bonus_field_has_a_neighbour_of_its_number() -> None:
    text = (BUILT_IN / "big-points.toml").read_text(encoding="utf-8")
    up, down = list(range(3, 13)), list(range(12, 1, -1))
    rows = "".join(
        f"[rows.{name}]\nnumbers = {numbers}\n" for name, numbers in zip("RYGB", (up, up, down, down), strict=True)
    )
    lonely = text.replace("[name]", f"{rows}[name]")
    with pytest.raises(VariantError, match=r"fields\[1\].numbers must be numbers of the rows beside it, 2 stands in"):
        parse_variant(lonely)


def test_a_name_no_file_can_have() -> None:
    with pytest.raises(VariantError, match="not the name of a file"):
        find_variant("a\0.toml")


# Card games


def test_a_custom_card_game(tmp_path: Path) -> None:
    """The second example of the page: the sheet of Mixx B, and three cells may be left out."""
    path = tmp_path / "lantern.toml"
    path.write_text(LANTERN, encoding="utf-8")
    variant = find_variant(path)
    assert variant.rows == find_variant("mixx-b").rows
    assert (variant.dice, variant.cards) == ((), Cards(lowest=2, highest=12, gap=3))
    for own in (variant, f"{path}+jokers"):
        game = Game(own, ["Anna", "Ben"], seed=0)
        rng = random.Random(0)
        while not game.over:
            testing.step(game, rng)
        (again,) = read(game.record().encode(), variants=[path])
        assert again.scores == game.scores
        assert again.jokers == game.jokers == (own is not variant)


def test_the_gap_of_a_card_game() -> None:
    """Three cells between R10 and R3 on the sheet of Mixx B, four between R10 and R4."""
    game = Game(parse_variant(LANTERN), 1, deck=deck("r10 r3 r4 y2 y3"))
    game.deal()
    game.play(0, "y3")
    game.play(0, "-")
    marks = {option.partition(" = ")[2] for option in game.options(0)}
    assert "R10 R3" in marks
    assert "R10 R4" not in marks
    free = Game(parse_variant(LANTERN.replace("gap = 3\n", "")), 1, deck=deck("r10 r3 r4 y2 y3"))
    free.deal()
    free.play(0, "y3")
    free.play(0, "-")
    assert {"R10 R3", "R10 R4"} <= {option.partition(" = ")[2] for option in free.options(0)}


def test_a_card_game_with_other_numbers() -> None:
    """Cards from 1 to 7, in short rows."""
    rows = "".join(f"[rows.{row}]\nnumbers = [2, 3, 4, 5]\n" for row in "RYGB")
    text = LANTERN.replace('sheet = "mixx-b"\n', "closing = 1\nneeded = 2\ncap = 5\n").replace(
        "lowest = 2\nhighest = 12\ngap = 3\n", f"lowest = 1\nhighest = 7\n{rows}"
    )
    variant = parse_variant(text)
    game = Game(variant, 1, seed=0)
    assert sorted(game.pile) == [f"{colour}{number}" for colour in "bgry" for number in range(1, 8)]
    testing.check_variant(variant, games=1 if QUICK else 5)


def test_a_sheet_is_taken_over_with_all_its_fields() -> None:
    """Also effects; a field or table of the file replaces the whole one, and an empty one removes it."""
    own = 'format = 1\nid = "own"\nsheet = "bonus-a"\n{}\n[name]\nen = "Own"\n[about]\nen = "Mine."\n'
    variant, base = parse_variant(own.format("")), find_variant("bonus-a")
    assert variant.identity == base.identity
    assert variant.order == 999
    assert parse_variant(own.format("cap = 14")).cap == 14
    longer = parse_variant(own.format('[bar]\nrows = "RY"\nboxes = ["R3"]'))
    assert (longer.bar, longer.bar_boxes) == ("RY", ("R3",))
    with pytest.raises(VariantError, match=r"bar.boxes is missing"):
        parse_variant(own.format('[bar]\nrows = "RY"'))
    assert parse_variant(own.format("bar = {}")).identity == find_variant("classic").identity
    assert parse_variant(own.format("[cards]\nlowest = 2\nhighest = 12\n[bar]")).cards


def test_one_language_is_enough_for_names_and_texts() -> None:
    text = 'format = 1\nid = "own"\nsheet = "classic"\n[name]\nde = "Eigenes"\n[about]\nnl = "Van mij."\nen = "Mine."\n'
    variant = parse_variant(text)
    assert variant.name == {"en": "Eigenes", "de": "Eigenes", "nl": "Eigenes"}
    assert variant.about == {"en": "Mine.", "de": "Mine.", "nl": "Van mij."}


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("[cards]", "[dice]", "dice.white is missing; it must be a whole number from 2 to 9"),
        (
            "[cards]\n",
            "[dice]\nwhite = 6\n[cards]\n",
            "dice is not known here; there are format, id, order, sheet, rows",
        ),
        (
            "[cards]\n",
            'bar = "R"\n[cards]\n',
            "bar must be left out, or empty, in a card game",
        ),
        (
            "[cards]\n",
            "lucky = [[2, 3]]\n[cards]\n",
            "lucky must be left out, or empty, in a card game",
        ),
        ("[cards]\n", "caps = 9\n[cards]\n", "caps is not known here; there are format, id, "),
        ("[cards]\nlowest = 2\nhighest = 12\ngap = 3", "cards = 3", "cards must be a table"),
        ("lowest = 2\n", "", "cards.lowest is missing; it must be a whole number from 1 to 7"),
        ("lowest = 2", "lowest = 0", "cards.lowest must be a whole number from 1 to 7, not 0"),
        ("lowest = 2", "lowest = 8", "cards.lowest must be a whole number from 1 to 7, not 8"),
        ("highest = 12\n", "", "cards.highest is missing; it must be a whole number from 8 to 13"),
        ("highest = 12", "highest = 7", "cards.highest must be a whole number from 8 to 13, not 7"),
        ("highest = 12", "highest = 14", "cards.highest must be a whole number from 8 to 13, not 14"),
        ("highest = 12", 'highest = "12"', "cards.highest must be a whole number from 8 to 13, not '12'"),
        ("gap = 3", "gap = -1", "cards.gap must be a whole number from 0 to 16, not -1"),
        ("gap = 3", "gap = 17", "cards.gap must be a whole number from 0 to 16, not 17"),
        ("gap = 3", "jokers = true", "cards.jokers is not known here; there are lowest, highest and gap"),
        ("highest = 12", "highest = 11", "rows.R.numbers must be 2 to 16 different numbers from 2 to 11, not ["),
        ('"mixx-b"', '"longo"', "rows.R.numbers must be 2 to 16 different numbers from 2 to 12, not ["),
        ("lowest = 2", "lowest = 3", "rows must be numbers that cards have, from 3, not 2"),
        ('"mixx-b"', '"chess"', "sheet must be the sheet of "),
        ('"mixx-b"', "7", "sheet must be the sheet of "),
        ('sheet = "mixx-b"\n', "", "closing is missing; it must be a whole number from 1 to 15"),
    ],
)
def test_a_wrong_card_game_is_refused_by_field(right: str, wrong: str, message: str) -> None:
    assert LANTERN.count(right) == 1
    with pytest.raises(VariantError) as error:
        parse_variant(LANTERN.replace(right, wrong), "my.toml")
    assert str(error.value).startswith("my.toml: ")
    assert message in str(error.value)


def test_a_card_marks_one_cell() -> None:
    """A sheet on which a colour has a number twice is refused for cards."""
    rows = "".join(f"[rows.{row}]\nnumbers = [2, 3, 4, 5, 6, 7, 8]\n" for row in "YGB")
    rows = f'[rows.R]\nnumbers = [2, 3, 4, 5, 6, 7, 8]\ncolours = "YRRRRRR"\n{rows}'
    text = LANTERN.replace('sheet = "mixx-b"\n', "closing = 1\nneeded = 5\ncap = 12\n").replace(
        "[name]", f"{rows}[name]"
    )
    with pytest.raises(VariantError, match="rows must be a sheet with one cell for every card, Y has two with 2"):
        parse_variant(text)


@pytest.mark.parametrize("name", ["classic+jokers", "longo+jokers"])
def test_jokers_are_for_card_games(name: str) -> None:
    with pytest.raises(VariantError, match="has no jokers, it is no card game"):
        find_setup(name)


@pytest.mark.parametrize("name", ["cards+joker", "cards+Jokers", "cards+", "+jokers", "cards +jokers"])
def test_a_name_with_jokers_that_is_none(name: str) -> None:
    with pytest.raises(VariantError, match="there is no variant"):
        find_setup(name)


# Identity, effects and the highest total


# What weights and solutions are found by: a hash that changes makes them worthless.
IDENTITIES = {
    "classic": "b4b7d70f8a5a",
    "longo": "9b3fd7be1f0c",
    "mixx-a": "d62d66e67365",
    "mixx-b": "28a79cd44de6",
    "bonus-a": "2326d3a06e37",
    "bonus-b": "277d9200db97",
    "big-points": "abcf25776717",
    "cards": "fd62107b3acb",
    "cards-mixx-a": "be4df6e98586",
    "cards-mixx-b": "2f0bfdbda2f2",
}


@pytest.mark.parametrize(("name", "identity"), IDENTITIES.items())
def test_the_identity_of_a_game_never_changes(name: str, identity: str) -> None:
    assert find_variant(name).identity.startswith(identity)


def test_labels_and_the_lucky_numbers_dealt_are_no_part_of_the_identity() -> None:
    variant = parse_variant(EXAMPLE)
    renamed = EXAMPLE.replace('id = "harbour"', 'id = "haven"').replace("order = 50", "order = 51")
    renamed = renamed.replace('name = "anchor"', 'name = "sail"')
    assert parse_variant(renamed).pairs[0].name == "sail"
    assert parse_variant(renamed).identity == variant.identity
    assert variant.with_lucky([(9, 10), (2, 12)]).identity == variant.identity


def test_an_optional_field_at_its_default_is_no_part_of_the_identity() -> None:
    @dataclass(frozen=True)
    class Later(Variant):
        ladders: tuple[str, ...] = ()

    variant = find_variant("bonus-b")
    later = Later(**{one.name: getattr(variant, one.name) for one in fields(variant)})
    assert later.identity == variant.identity
    assert later.effects == variant.effects == {"pairs"}
    assert replace(later, ladders=("R5",)).identity != variant.identity
    assert replace(later, ladders=("R5",)).effects == {"pairs", "ladders"}


def test_a_gap_that_is_left_out_is_not_the_longest_row_in_the_identity() -> None:
    """Otherwise longer rows in a later version would change the identity."""
    variant = find_variant("cards-mixx-a")
    assert variant.cards == Cards(lowest=2, highest=12)
    limited = replace(variant, cards=Cards(lowest=2, highest=12, gap=kernel.MAX_CELLS))
    assert limited.tables == variant.tables
    assert limited.identity != variant.identity


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("needed = 4", "needed = 3"), ("cap = 14", "cap = 13"), ('"RYGBBGYR"', '"RYGBBGYY"')],
)
def test_data_that_affect_the_game_change_its_identity(right: str, wrong: str) -> None:
    assert right in EXAMPLE
    assert parse_variant(EXAMPLE.replace(right, wrong)).identity != parse_variant(EXAMPLE).identity


def test_the_highest_total_follows_from_the_data() -> None:
    assert find_variant("classic").highest_total == 4 * 78
    assert find_variant("longo").highest_total == 4 * 120
    assert find_variant("bonus-b").highest_total == 4 * 78 + 78 + 13
    assert find_variant("big-points").highest_total == 4 * 120


def test_a_sheet_worth_too_much_is_refused() -> None:
    numbers = ", ".join(map(str, range(2, 18)))
    rows = "\n".join(f"[rows.{name}]\nnumbers = [{numbers}]" for name in "RYGB")
    between = "\n".join(f'[[fields]]\nbetween = "{name}"\nnumbers = [{numbers}]' for name in ("RY", "YG", "GB"))
    text = f"""format = 1
id = "tower"
closing = 1
needed = 5
cap = 99
[name]
en = "Tower"
de = "Turm"
nl = "Toren"
[about]
en = "Tall."
de = "Hoch."
nl = "Hoog."
[dice]
white = 9
R = 9
Y = 9
G = 9
B = 9
{rows}
{between}
[[pairs]]
name = "peak"
boxes = ["R5", "B5"]
gives = "points"
points = 999
"""
    with pytest.raises(VariantError, match="a sheet may have at most 4000 points, not 4571"):
        parse_variant(text)
