"""Sheets at a table: which one a seat has, and how views show steps, joined cells, swap fields and second boxes."""

from pathlib import Path

import msgspec
import pytest

from rowlock import Game, Sheet, parse
from rowlock.rules.variant import find_variant
from rowlock.server import commands, events, protocol, views
from rowlock.server.client import game_of
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Table
from tests.server.serving import Server
from tests.server.test_table import NOW, Everybody, decide, execute, table_of


def waiting_table(*letters: str | None, variant: str = "connected-a") -> tuple[Table, list[events.AnyEvent]]:
    """A table for people, with the letters that were chosen when it was opened, and its events."""
    table = Table("ABC234")
    seats = [protocol.SeatRequest(sheet=letter) for letter in letters]
    return table, execute(table, commands.create(protocol.TableRequest(variant, seats, pause=0)))


def join(table: Table, names: str, letters: list[str | None] | None = None) -> list[events.AnyEvent]:
    people = names.split()
    return execute(table, commands.join(table, people, [hash_of(name) for name in people], None, letters))


def letters_of(table: Table) -> dict[str, str]:
    """The letters of the players' sheets by name."""
    assert table.game
    return dict(zip(table.game.players, table.game.sheet_letters, strict=True))


@pytest.mark.parametrize("variant", ["connected-a", "connected-b"])
def test_sheets_are_dealt_in_the_order_of_the_players(variant: str) -> None:
    """Section 8: A to the first, unless somebody chooses otherwise."""
    game = table_of(3, variant).game
    assert game
    assert game.sheet_letters == "ABC"


def test_a_sheet_is_chosen_when_the_table_is_opened_or_on_sitting_down() -> None:
    """Section 8: players choose their sheets; two may have the same one. The person's own choice counts."""
    table, _ = waiting_table("D", "E", None)
    join(table, "Anna Ben Chloe", [None, "B", "B"])
    assert letters_of(table) == {"Anna": "D", "Ben": "B", "Chloe": "B"}


def test_a_sheet_that_nobody_has_chosen_is_dealt() -> None:
    table, _ = waiting_table(None, None)
    join(table, "Anna Ben", ["E", None])
    assert table.game
    second = table.game.players.index("Ben")
    assert letters_of(table) == {"Anna": "E", "Ben": "AB"[second]}


def test_a_seat_that_is_left_has_the_sheet_it_was_opened_with() -> None:
    table, _ = waiting_table("D", None)
    join(table, "Anna", ["C"])
    assert table.seats[0].sheet == "C"
    execute(table, commands.leave(table, protocol.Leave(table.code, 0, "one")))
    assert table.seats[0].sheet == "D"


@pytest.mark.parametrize(("variant", "letter"), [("connected-a", "F"), ("connected-b", "a"), ("classic", "A")])
def test_a_wrong_letter_is_refused(variant: str, letter: str) -> None:
    with pytest.raises(Refused, match="sheet"):
        waiting_table(letter, variant=variant)
    table, _ = waiting_table(None, variant=variant)
    with pytest.raises(Refused, match="sheet") as refused:
        commands.join(table, ["Anna"], ["a"], None, [letter])
    assert refused.value.values == {"sheets": list(find_variant(variant).sheet_letters)}


def test_a_table_follows_from_its_events() -> None:
    """After a restart everybody has the same sheet as before."""
    table, stored = waiting_table("D", None)
    stored += join(table, "Anna Ben", [None, "B"])
    again = Table("ABC234")
    for event in stored:
        again.apply(events.read_event(events.write_event(event)), NOW)
    assert again.game == table.game
    assert letters_of(again) == {"Anna": "D", "Ben": "B"}


def test_events_without_a_choice_are_written_as_before() -> None:
    table, stored = waiting_table(None)
    stored += join(table, "Anna")
    assert not any("sheet" in events.write_event(event) for event in stored)


def test_a_rematch_keeps_the_sheets_that_were_chosen() -> None:
    table, _ = waiting_table(None, None)
    join(table, "Anna Ben", ["E", None])
    created = commands.rematch_table(table, [0, 1])[0]
    assert isinstance(created, events.Created)
    assert sorted(plan.sheet or "" for plan in created.seats) == ["", "E"]


def test_the_record_has_the_sheets() -> None:
    table, _ = waiting_table("C", "C", variant="connected-b")
    join(table, "Anna Ben")
    assert table.game
    assert '[Sheets "C; C"]' in table.game.record()
    assert parse(table.game.record()).sheet_letters == "CC"


def test_a_client_makes_the_same_game_of_a_view() -> None:
    table, _ = waiting_table("D", "B", variant="connected-b")
    join(table, "Anna Ben")
    for seat in (0, 1):
        assert table.game
        decide(table, seat, table.game.options(seat)[-1])
    view = view_of(table, "Anna")
    assert game_of(view) == table.game
    assert sorted(seat.sheet or "" for seat in view.seats) == ["B", "D"]


def view_of(table: Table, name: str) -> protocol.View:
    data = views.ViewBuilder().build(table, Everybody(), {hash_of(name)}, NOW)
    view = protocol.reply_decoder.decode(data)
    assert isinstance(view, protocol.View)
    return view


def shown(text: str, variant: str) -> protocol.Sheet:
    """The sheet of a view."""
    return msgspec.convert(Sheet.parse(text, variant), protocol.Sheet, from_attributes=True)


def test_a_sheet_has_its_letter_and_its_steps() -> None:
    sheet = shown("R2 Y3 G- B- x0 @E", "connected-a")
    assert (sheet.letter, sheet.steps[:3], sheet.points["bonus"]) == ("E", ["R2", "Y3", "G10"], 3)


def test_a_sheet_has_its_joined_cells() -> None:
    """Section 8: a joined mark may be left of others; the row stands as it stood."""
    game = Game("connected-b", 1, seed=1, sheets="A")
    for dice, option in (("44-1111", "Y8+G6"), ("33-1111", "R6+Y6")):
        game.roll(dice)
        game.play(0, option)
        game.play(0, "-")
    sheet = views.position_of(game, reveal_cards=True).sheets[0]
    assert sheet.joined[0] == ("R6", "Y6")
    assert sheet.rows == {"R": [6], "Y": [6, 8], "G": [6], "B": []}
    assert sheet.cells["Y"][:8] == ["lost"] * 4 + ["marked", "lost", "marked", "open"]


def test_a_sheet_has_the_states_of_its_swap_fields() -> None:
    """Section 9: fields are used from left to right; what was skipped is lost."""
    sheet = shown("R- Y- G- B- x0 >9/7,7/4", "x-change")
    assert sheet.swaps == ["9/7", "7/4"]
    assert sheet.swap_states == ["lost", "used", "lost", "used"] + ["free"] * 5


def test_a_sheet_has_the_states_of_its_second_boxes() -> None:
    """Section 10: a box is open under the rightmost mark and right of it; the last cell has none."""
    sheet = shown("R2*,4 Y3* G- B- x0", "double-a")
    assert sheet.second == {"R": [2], "Y": [3], "G": [], "B": []}
    assert sheet.second_states["R"] == ["marked", "lost", "open"] + ["open"] * 7
    assert sheet.second_states["Y"] == ["lost", "marked"] + ["open"] * 8


def test_a_closed_row_takes_no_more_boxes() -> None:
    """Section 10."""
    sheet = shown("R2*,3*,4*,5*,12# Y- G- B- x0", "double-a")
    assert sheet.second_states["R"] == ["marked"] * 4 + ["lost"] * 6


def options_of(game: Game) -> dict[str, protocol.Choice]:
    return {option: views._choice(option, game.variant.swaps) for option in game.options(0)}


def test_a_swap_names_its_field_and_the_white_sum() -> None:
    """Section 9: the white sum may stand on either side of the field."""
    game = Game("x-change", 1, seed=1)
    game.roll("32-1111")
    options = options_of(game)
    assert (options["5>R8"].swap, options["5>R8"].swapped, options["5>R8"].marks) == ("8/5", 5, ["R8"])
    assert options["5>R10"].swap == "10/5"
    assert options["R5"].swap is None


def test_options_mark_second_boxes_and_joined_cells() -> None:
    """Sections 8 and 10."""
    game = Game("double-a", 1, seed=1)
    game.roll("32-2111")
    game.play(0, "R5")
    assert options_of(game)["R5*"] == protocol.Choice("R5*", ["R5"], second=True)
    game = Game("connected-b", 1, seed=1)
    game.roll("33-1111")
    assert options_of(game)["Y6+R6"].marks == ["Y6", "R6"]


def test_variants_have_what_is_drawn() -> None:
    found = {variant.id: variant for variant in views.all_variants().variants}
    assert [sheet.letter for sheet in found["connected-a"].sheets] == list("ABCDE")
    assert [len(sheet.joined) for sheet in found["connected-b"].sheets] == [6] * 5
    assert (len(found["x-change"].swaps), found["double-a"].second) == (9, True)
    assert (found["double-a"].needed, found["double-a"].points[-1]) == (7, 136)
    assert (found["classic"].sheets, found["classic"].swaps, found["classic"].second) == ([], [], False)


def test_the_choice_survives_a_restart(tmp_path: Path) -> None:
    secret = "s" * 32
    with Server(tmp_path) as server:
        answer = server.ask("/api/tables", {"variant": "connected-b", "seats": [{"sheet": "D"}, {"bot": "greedy"}]})
        table = answer.json["table"]
        people = [{"name": "Anna", "secret": secret, "sheet": "X"}]
        assert server.ask(f"/api/tables/{table}/seats", {"people": people}).json["code"] == "sheet"
        people[0]["sheet"] = "E"
        assert server.ask(f"/api/tables/{table}/seats", {"people": people}).status == 201
        server.stop()
        server.start()
        headers = {"Authorization": f"Bearer {secret}"}
        view = server.ask(f"/api/tables/{table}", headers=headers).json
        assert view["position"]["sheets"][view["own"][0]["seat"]]["letter"] == "E"
        assert "Sheets" in server.ask(f"/api/tables/{table}/record", headers=headers).body.decode()
