"""Tables without dice: everybody marks on a sheet, and the table keeps the rules that sheets can keep."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rowlock.rules.score_notation import read_records
from rowlock.rules.score_sheets import ScoreSheets
from rowlock.server import commands, events, protocol
from rowlock.server.client import ServerError
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Table
from rowlock.server.views import ViewBuilder
from rowlock.terminal.join import join_table
from tests.server.playing import Device
from tests.server.serving import Server
from tests.server.test_table import NOW, Everybody, execute

NAMES = ["Anna", "Ben"]
ALL_BUT_LOCK = ["R2", "R3", "R4", "R5", "R6"]


class Sheets:
    """A table without dice for Anna and Ben, with all its events."""

    def __init__(self, variant: str = "classic", variant_file: str | None = None) -> None:
        self.table, self.events = Table("ABC234"), list[events.AnyEvent]()
        seats = [protocol.SeatRequest(), protocol.SeatRequest()]
        request = protocol.TableRequest(variant, seats, variant_file=variant_file, dice="none")
        self.run(commands.create(request))
        self.run(commands.join(self.table, NAMES, [hash_of(name) for name in NAMES]))

    def run(self, outcome: commands.Outcome) -> None:
        self.events += execute(self.table, outcome)

    def id(self) -> str:
        return f"c{len(self.events)}"

    @property
    def turn(self) -> int:
        assert self.table.sheets
        return self.table.sheets.roll

    def mark(self, seat: int, *options: str, closed: str = "") -> None:
        for option in options:
            self.send(protocol.Mark("ABC234", seat, self.turn, option, self.id(), closed))

    def undo(self, seat: int, option: str, turn: int | None = None) -> None:
        self.send(protocol.Undo("ABC234", seat, turn or self.turn, option, self.id()))

    def roll(self, turn: int) -> None:
        self.send(protocol.NewRoll("ABC234", turn, self.id()))

    def finish(self) -> None:
        self.send(protocol.Finish("ABC234", self.turn, self.id()))

    def send(self, message: protocol.Mark | protocol.Undo | protocol.NewRoll | protocol.Finish) -> None:
        """Run a command; one that is executed already, or refused, changes nothing."""
        copy = self.table.copy()
        match message:
            case protocol.Mark():
                outcome = commands.mark(copy, message)
            case protocol.Undo():
                outcome = commands.undo(copy, message)
            case protocol.NewRoll():
                outcome = commands.new_roll(copy, message, [0])
            case protocol.Finish():
                outcome = commands.finish(copy, message, [1])
        if not isinstance(outcome, int):
            self.events += execute(copy, outcome)
            self.table = copy

    def view(self, seat: int) -> Any:
        return msgspec.json.decode(ViewBuilder().build(self.table, Everybody(), {hash_of(NAMES[seat])}, NOW))

    def options(self, seat: int) -> list[str]:
        return [one["option"] for one in self.view(seat)["own"][0]["options"]]


def locked() -> Sheets:
    """Anna has locked the red row; Ben could."""
    sheets = Sheets()
    sheets.mark(0, *ALL_BUT_LOCK, "R12#")
    sheets.mark(1, *ALL_BUT_LOCK)
    return sheets


def test_the_table_starts_without_a_roll_in_the_order_of_the_seats() -> None:
    sheets = Sheets()
    assert [type(event) for event in sheets.events][-1] is events.Started
    view = sheets.view(0)
    assert [seat["name"] for seat in view["seats"]] == NAMES
    assert (view["state"], view["dice"], view["to_act"], view["position"]["dice"]) == ("running", "none", [], None)
    assert view["since_roll"] == {"marks": [], "locks": {}, "ending": False}
    assert "R2" in sheets.options(0)
    assert "x" in sheets.options(0)


def test_a_lock_is_announced_to_all_and_can_be_joined_until_the_next_roll() -> None:
    sheets = locked()
    assert sheets.view(1)["since_roll"]["locks"] == {"R": [0]}
    sheets.mark(1, "R12#")
    assert sheets.view(0)["since_roll"]["locks"] == {"R": [0, 1]}
    sheets.roll(1)
    view = sheets.view(0)
    assert view["since_roll"]["locks"] == {}
    assert [sheet["locks"] for sheet in view["position"]["sheets"]] == [["R"], ["R"]]


def test_after_the_next_roll_a_lock_is_refused_with_the_reason() -> None:
    sheets = locked()
    sheets.roll(1)
    with pytest.raises(Refused) as refused:
        sheets.mark(1, "R12#")
    assert refused.value.code == "illegal"
    why = commands.why_not(sheets.table, protocol.Why("ABC234", 1, "R12", "why"))
    assert (why.obstacle, why.values) == ("closed", {"row": "R", "players": [0]})


@pytest.mark.parametrize(
    ("option", "spot", "obstacle"),
    [("R4", "R4", "left"), ("R5", "R5", "marked"), ("Y12#", "Y12", "needed"), ("R13", "R6", None)],
)
def test_what_the_sheet_does_not_allow_is_refused(option: str, spot: str, obstacle: str | None) -> None:
    sheets = Sheets()
    sheets.mark(0, "R5")
    before = sheets.view(0)
    with pytest.raises(Refused, match="illegal"):
        sheets.mark(0, option)
    assert sheets.view(0) == before
    assert commands.why_not(sheets.table, protocol.Why("ABC234", 0, spot, "why")).obstacle == obstacle


def test_undo_of_a_lock_opens_the_row_again() -> None:
    sheets = locked()
    sheets.undo(0, "R12#")
    assert sheets.view(1)["since_roll"]["locks"] == {}
    sheets.roll(1)
    assert sheets.view(1)["position"]["closed"] == []
    with pytest.raises(Refused, match="past"):
        sheets.undo(0, "R6", turn=1)


def test_two_people_who_announce_the_same_roll() -> None:
    sheets = Sheets()
    sheets.roll(1)
    with pytest.raises(Refused, match="past"):
        sheets.roll(1)
    assert sheets.view(0)["position"]["turn"] == 2


def test_two_devices_undo_the_same_mark() -> None:
    sheets = Sheets()
    sheets.mark(0, "R5", "Y6")
    sheets.undo(0, "Y6")
    with pytest.raises(Refused, match="past"):
        sheets.undo(0, "Y6")
    assert sheets.view(0)["position"]["sheets"][0]["rows"]["R"] == [5]


def test_a_mark_to_be_undone_may_set_off_another_one_meanwhile() -> None:
    """Ben has seen G11+Y2; without Anna's lock it is written G11+R2, and is still his last mark."""
    sheets = Sheets("bonus-a")
    sheets.mark(0, "R2", "R4", "R5", "R7", "R8", "R12#")
    sheets.mark(1, "G11+Y2", closed="R")
    sheets.undo(0, "R12#")
    sheets.undo(1, "G11+Y2")
    assert sheets.view(1)["position"]["sheets"][1]["rows"] == {"R": [], "Y": [], "G": [], "B": []}


ALL_COMMANDS = (
    protocol.Mark("ABC234", 0, 1, "Y2", "one"),
    protocol.Undo("ABC234", 0, 1, "R5", "one"),
    protocol.NewRoll("ABC234", 1, "one"),
    protocol.Finish("ABC234", 1, "one"),
)


@pytest.mark.parametrize("message", ALL_COMMANDS, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("restarted", [False, True])
def test_a_command_that_is_sent_again_is_executed_once(message: protocol.Mark, *, restarted: bool) -> None:
    """After a lost connection, also if the server was restarted and others have announced a roll meanwhile."""
    sheets = Sheets()
    sheets.mark(0, "G12", "R5")
    sheets.send(message)
    if isinstance(message, protocol.Mark | protocol.Undo):
        sheets.roll(1)
    if restarted:
        again = Table("ABC234")
        for event in sheets.events:
            again.apply(event, NOW)
        sheets.table = again
    before = len(sheets.events)
    sheets.send(message)
    assert len(sheets.events) == before


@pytest.mark.parametrize("message", ALL_COMMANDS, ids=lambda message: type(message).__name__)
def test_a_command_counts_in_its_own_roll_only(message: protocol.Mark) -> None:
    sheets = Sheets()
    sheets.mark(0, "R5")
    sheets.roll(1)
    sheets.mark(0, "R6", "Y3")
    sheets.undo(0, "Y3")
    before = sheets.view(0)
    with pytest.raises(Refused, match="past") as refused:
        sheets.send(message)
    assert refused.value.values["turn"] == 2
    with pytest.raises(Refused, match="early"):
        sheets.send(msgspec.structs.replace(message, turn=3))
    assert sheets.view(0) == before


def test_a_misthrow_is_for_one_player_who_marks_nothing() -> None:
    sheets = Sheets()
    sheets.mark(0, "x")
    assert sheets.options(0) == []
    assert "x" not in sheets.options(1)
    for seat, option in ((0, "x"), (0, "R5"), (1, "x")):
        with pytest.raises(Refused, match="illegal"):
            sheets.mark(seat, option)
    why = commands.why_not(sheets.table, protocol.Why("ABC234", 0, "R5", "why"))
    assert (why.obstacle, why.values) == ("decided", {})
    sheets.undo(0, "x")
    sheets.mark(0, "R5")
    assert "x" not in sheets.options(0)
    assert "x" in sheets.options(1)
    sheets.roll(1)
    assert "x" in sheets.options(0)


def test_whether_a_row_is_closed_already_is_a_choice() -> None:
    sheets = Sheets("bonus-a")
    sheets.mark(0, "R2", "R4", "R5", "R7", "R8", "R12#")
    options = sheets.view(1)["own"][0]["options"]
    assert [(one["option"], one.get("closed", [])) for one in options if one["marks"][:1] == ["G11"]] == [
        ("G11+R2", []),
        ("G11+Y2", ["R"]),
    ]
    sheets.mark(1, "G11+Y2", closed="R")
    assert sheets.view(1)["position"]["sheets"][1]["rows"]["Y"] == [2]


def test_the_end_is_noticed() -> None:
    sheets = Sheets()
    for turn in range(1, 4):
        sheets.mark(0, "x")
        sheets.roll(turn)
    sheets.mark(0, "x")
    assert sheets.view(1)["since_roll"]["ending"]
    sheets.roll(4)
    assert sheets.events[-1] == events.Ended((-20, 0))
    assert sheets.view(1)["result"]["winners"] == [1]
    with pytest.raises(Refused, match="past"):
        sheets.mark(1, "R2")


def test_the_end_is_declared() -> None:
    sheets = Sheets()
    sheets.mark(0, "R2")
    sheets.finish()
    view = sheets.view(0)
    assert sheets.events[-1] == events.Ended((1, 0))
    assert (view["state"], view["result"]["reason"], view["result"]["winners"]) == ("over", None, [0])
    assert view["own"][0]["options"] == []


@pytest.mark.parametrize("variant", ["bonus-a", "cards", "connected-a", "x-change", "double-a"])
def test_everything_follows_from_the_events(variant: str) -> None:
    sheets = Sheets(variant)
    for turn in range(1, 6):
        for seat in (0, 1):
            sheets.mark(seat, sheets.options(seat)[3 * turn])
        sheets.undo(0, sheets.view(0)["since_roll"]["marks"][0]["mark"]["option"])
        sheets.roll(turn)
    again = Table("ABC234")
    for event in sheets.events:
        again.apply(event, NOW)
    shown = [ViewBuilder().build(table, Everybody(), {hash_of("Anna")}, NOW) for table in (again, sheets.table)]
    assert shown[0] == shown[1]


def test_bots_need_dice() -> None:
    seats = [protocol.SeatRequest(), protocol.SeatRequest("greedy")]
    with pytest.raises(Refused, match="bot"):
        commands.create(protocol.TableRequest("classic", seats, dice="none"))
    table = locked().table
    with pytest.raises(Refused, match="bot"):
        commands.replace(table, protocol.Replace("ABC234", 1, "greedy", "r1"), [0], absent=True)


def test_marks_need_a_table_without_dice() -> None:
    table = Table("ABC234")
    execute(table, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()])))
    with pytest.raises(Refused, match="message"):
        commands.mark(table, protocol.Mark("ABC234", 0, 1, "R2", "m1"))


def test_several_phones_a_lost_connection_and_a_restart(tmp_path: Path) -> None:
    """Every acknowledged mark is there afterwards, and the record can be read."""

    async def play(server: Server) -> dict[str, str]:
        table = server.create(2, dice="none")
        secrets = [server.join(table, name) for name in NAMES]
        anna, ben = (Device(server, table, own) for own in secrets)
        for device in (anna, ben):
            await device.open()
        for option in ("R2", "R3", "R4", "R5", "R6", "R12#"):
            assert (await anna.command(type="mark", seat=0, turn=1, option=option))["type"] == "ack"
        await ben.until_view(lambda view: bool(view["since_roll"] and view["since_roll"]["locks"] == {"R": [0]}))
        await anna.lose()
        await ben.command(type="mark", seat=1, turn=1, option="R5")
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        for device in (anna, ben):
            await device.lose()
            await device.open()
            view = await device.next_view()
            assert view["since_roll"]["locks"] == {"R": [0]}
            assert [sheet["rows"]["R"] for sheet in view["position"]["sheets"]] == [[2, 3, 4, 5, 6, 12], [5]]
        assert (await ben.command(type="newroll", turn=1))["type"] == "ack"
        refused = await ben.command(type="mark", seat=1, turn=2, option="R6")
        assert (refused["type"], refused["code"]) == ("error", "illegal")
        assert (await ben.command(type="mark", seat=0, turn=2, option="Y2"))["code"] == "not-yours"
        assert (await anna.command(type="finish", turn=2))["type"] == "ack"
        for device in (anna, ben):
            await device.close()
        return {"Authorization": f"Bearer {secrets[0][0]}", "table": table}

    with Server(tmp_path) as server:
        headers = asyncio.run(play(server))
        table = headers.pop("table")
        record = server.ask(f"/api/tables/{table}/record", headers=headers).body
        replay = server.ask(f"/api/tables/{table}/replay", headers=headers)
        with pytest.raises(ServerError, match="no dice, only sheets"):  # the terminal has no sheet to tap
            join_table(f"{server.url}/{server.create(2, dice='none')}", "Cleo")
    [found] = read_records(record.splitlines(True), "record", [])
    assert isinstance(found, ScoreSheets)
    assert (found.over, found.scores, found.players) == (True, (28, 1), ("Anna", "Ben"))
    assert (replay.status, replay.json["code"]) == (400, "record")
