"""Tables at which people roll real dice and enter them: who may, until when they are corrected, and what is refused."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rowlock import parse
from rowlock.server import commands, protocol
from rowlock.server.events import DiceSource, Replaced, Rolled
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Table
from rowlock.server.table_registry import TableRegistry
from rowlock.server.views import ViewBuilder
from tests.server.playing import Device
from tests.server.serving import Server, person
from tests.server.test_table import NOW, Everybody, decide, execute, table_of
from tests.server.test_table_session import run

DICE, OTHER = "41-3256", "65-1111"


def entered_table(people: int, *bots: str, dice: DiceSource = "entered", seconds: int | None = None) -> Table:
    """A table with real dice at which a game has just started; the first person to join is the first player."""
    table = Table("ABC234")
    seats = [protocol.SeatRequest()] * people + [protocol.SeatRequest(bot) for bot in bots]
    execute(table, commands.create(protocol.TableRequest("classic", seats, seconds, dice=dice)))
    names = [f"Person {i}" for i in range(people)]
    outcome = commands.join(table, names, [hash_of(name) for name in names])
    assert isinstance(outcome, list)
    execute(table, [*outcome[:-1], msgspec.structs.replace(outcome[-1], order=tuple(range(people + len(bots))))])
    return table


def enter(table: Table, dice: str, seat: int = 0, **fields: Any) -> None:
    """Enter dice, or correct those on the table, as a device that has seen the table as it is."""
    assert table.game
    message = protocol.Roll(table.code, seat, table.game.turn, dice, f"r{table.seq}", table.game.dice)
    copy = table.copy()  # a refused command changes nothing
    execute(copy, commands.roll(copy, msgspec.structs.replace(message, **fields)), NOW)
    table.__dict__.update(copy.__dict__)


def refused(table: Table, dice: str, seat: int = 0, **fields: Any) -> str:
    with pytest.raises(Refused) as refusal:
        enter(table, dice, seat, **fields)
    return refusal.value.code


def view_of(table: Table, builder: ViewBuilder | None = None) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.json.decode((builder or ViewBuilder()).build(table, Everybody(), [], NOW))
    return view


def test_the_game_waits_for_the_active_player() -> None:
    """Nothing is rolled by the server, at the start or after a turn, and no time runs."""
    table = entered_table(2, seconds=30)
    assert table.game
    for turn, active in ((1, 0), (2, 1)):
        assert (table.game.turn, table.game.phase, table.entering, table.roll_at, table.deadline) == (
            *(turn, "roll", [active], None, None),
        )
        view = view_of(table)
        assert (view["dice"], view["entering"], view["to_act"]) == ("entered", [active], [])
        assert view["position"]["dice"] is None
        assert refused(table, DICE, 1 - active) == "not-to-roll"
        enter(table, DICE, active)
        assert (table.game.dice, table.deadline) == (DICE, NOW + 30_000)
        while table.game.to_act:
            seat = table.game.to_act[0]
            decide(table, seat, commands.default_option(table.game, seat))
    assert table.game.record().startswith('[Variant "classic"]\n[Players "Person 0; Person 1"]\n[Date ')
    assert '\n[Dice "entered"]\n' in table.game.record()


def test_anybody_may_enter_if_the_host_says_so() -> None:
    table = entered_table(2, dice="entered-by-anybody")
    assert table.entering == [0, 1]
    assert view_of(table)["awaited"] == []  # nobody alone holds up the table
    enter(table, DICE, 1)
    same = protocol.Roll(table.code, 0, 1, DICE, "same")  # at the same time
    assert commands.roll(table, same) == table.seq
    assert refused(table, OTHER, 0, corrects=None) == "dice-stand"  # two people see different dice
    assert table.game
    assert table.game.dice == DICE


def test_people_enter_for_bots_and_for_those_whom_a_bot_replaces() -> None:
    table = entered_table(2, "greedy")
    assert view_of(table)["awaited"] == [0]
    execute(table, [Replaced(0, "greedy")])
    assert table.entering == [1]
    enter(table, DICE, 1)
    assert table.game
    while table.game.phase != "roll" or table.game.active != 2:
        if table.game.phase == "roll":
            enter(table, DICE, table.entering[0])
        for seat in table.game.to_act:
            decide(table, seat, commands.default_option(table.game, seat))
    assert table.entering == [1]  # the active player is a bot


def test_dice_are_corrected_until_a_person_has_chosen() -> None:
    """The decisions of bots are withdrawn, and asked for again."""
    table, builder = entered_table(2, "greedy", seconds=30), ViewBuilder()
    game = table.game
    assert game
    enter(table, DICE)
    asked_in = (table.takebacks, 1, "white")
    execute(table, commands.decide_by_bot(table, 2, asked_in, "R5", "slow"))
    assert view_of(table, builder)["position"]["dice"]["roll"] == DICE
    enter(table, OTHER)
    game = table.game
    assert game
    assert (game.dice, game.to_act, table.pending, table.seats[2].trouble) == (OTHER, (0, 1, 2), {}, None)
    view = view_of(table, builder)
    assert (view["position"]["dice"]["roll"], view["log"][0]["dice"]["roll"]) == (OTHER, OTHER)
    assert commands.decide_by_bot(table, 2, asked_in, "-", None) == []  # it was meant for the other dice
    decide(table, 1, "R11" if "R11" in game.options(1) else "-")
    assert (table.entering, view_of(table)["entering"]) == ([], [])
    assert refused(table, DICE) == "dice-stand"
    execute(table, commands.withdraw(table, protocol.Withdraw(table.code, 1, 1, "white", "w"), NOW))
    enter(table, DICE)  # nobody has chosen any more
    assert table.game
    assert table.game.dice == DICE


def test_who_can_only_pass_has_not_chosen() -> None:
    """Devices may pass by themselves: that must not make wrong dice final."""
    table = entered_table(2)
    assert table.game
    for mark in ("G11", "B11"):
        enter(table, "65-1111", table.entering[0])
        decide(table, 1, mark)
        decide(table, 0, "-")
        decide(table, table.game.active, commands.default_option(table.game, table.game.active))
    enter(table, "66-1111")
    assert table.game.options(1) == ["-"]  # 12 is left of 11 in green and blue, and cannot be locked in red and yellow
    decide(table, 1, "-")
    assert (table.entering, table.pending) == ([0], {1: "-"})
    enter(table, DICE)
    assert (table.game.dice, table.pending) == (DICE, {})


def test_a_decision_for_dice_that_were_corrected_is_refused() -> None:
    table = entered_table(2)
    enter(table, DICE)
    enter(table, OTHER)
    message = protocol.Decide(table.code, 1, 1, "white", "-", "d", DICE)
    with pytest.raises(Refused, match="dice-changed"):
        commands.decide(table, message)
    execute(table, commands.decide(table, msgspec.structs.replace(message, dice=OTHER)))
    assert table.pending == {1: "-"}


def test_a_decision_that_is_taken_back_lets_dice_be_corrected() -> None:
    table = entered_table(1, "greedy")
    enter(table, DICE)
    execute(table, commands.decide_by_bot(table, 1, (0, 1, "white"), "-", None))
    decide(table, 0, "R5")
    assert refused(table, OTHER) == "dice-stand"
    execute(table, commands.ask_takeback(table, protocol.Takeback(table.code, 0, 1, "white", "t"), [0], NOW))
    assert table.choices == set()
    enter(table, OTHER)
    assert table.game
    assert (table.game.dice, table.game.to_act, table.past_phases) == (OTHER, (0, 1), set())


@pytest.mark.parametrize(
    ("dice", "reason"),
    [
        ("71-3256", "71-3256: the white die shows 1 to 6, not 7"),
        ("41-.256", "41-.256: the red die is still in the game"),
        ("41-325", "41-325 is not a roll"),
        ("4١-3256", "is not a roll"),
        ("", "is not a roll"),
    ],
)
def test_impossible_dice(dice: str, reason: str) -> None:
    table = entered_table(2)
    for before in (None, DICE):
        seq = table.seq
        with pytest.raises(Refused) as refusal:
            enter(table, dice)
        assert refusal.value.code == "dice"
        assert reason in str(refusal.value.values["reason"])
        assert (table.seq, table.game and table.game.dice) == (seq, before)
        if before is None:
            enter(table, DICE)


def test_other_turns_and_tables_without_real_dice() -> None:
    table = entered_table(2)
    assert refused(table, DICE, turn=2) == "early"
    assert refused(table, DICE, corrects=OTHER) == "dice-stand"
    enter(table, DICE)
    assert refused(table, OTHER, turn=0) == "past"
    rolled = table_of(2)
    assert (rolled.entering, view_of(rolled)["dice"]) == ([], "rolled")
    assert refused(rolled, "11-1111" if rolled.game and rolled.game.dice != "11-1111" else DICE) == "not-to-roll"
    for variant, seats in (("cards", [protocol.SeatRequest()]), ("classic", [protocol.SeatRequest("greedy")])):
        with pytest.raises(Refused, match="dice"):
            commands.create(protocol.TableRequest(variant, seats, dice="entered"))


def test_corrections_are_limited_and_commands_executed_once() -> None:
    table = entered_table(2)
    message = protocol.Roll(table.code, 0, 1, DICE, "once")
    (event,) = execute(table, commands.roll(table, message))
    assert event == Rolled(DICE, 0, "once")
    assert commands.roll(table, message) == table.seq
    for number in range(commands.MAX_CORRECTIONS):
        enter(table, DICE if number % 2 else OTHER)
    assert refused(table, OTHER) == "limit"
    with pytest.raises(Refused, match="id-reused"):
        commands.roll(table, msgspec.structs.replace(message, dice=OTHER))


def test_the_choice_is_kept_for_the_rematch_and_changed_in_the_lobby() -> None:
    table = entered_table(2, dice="entered-by-anybody")
    created = commands.rematch_table(table, [0, 1])[0]
    assert getattr(created, "dice", None) == "entered-by-anybody"
    lobby = Table("ABC234")
    execute(lobby, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2)))
    outcome = commands.join(lobby, ["Anna"], [hash_of("Anna")])
    execute(lobby, outcome)
    plan = protocol.Plan(lobby.code, "longo", [protocol.SeatRequest()] * 2, "p", dice="entered")
    execute(lobby, commands.plan(lobby, plan, [0]))
    assert lobby.dice == "entered"
    with pytest.raises(Refused, match="dice"):
        commands.plan(lobby, msgspec.structs.replace(plan, variant="cards", id="q"), [0])


def test_bots_decide_anew_on_corrected_dice(tmp_path: Path) -> None:
    """Also a bot that was asked before: its decision on the old dice is not used."""
    run(tmp_path, _correct_after_the_bot)


async def _correct_after_the_bot(registry: TableRegistry) -> None:
    request = protocol.TableRequest("classic", [protocol.SeatRequest(), protocol.SeatRequest("greedy")], dice="entered")
    session = await registry.create(request)
    await session.submit(lambda table, _: commands.join(table, ["Anna"], [hash_of("Anna")]))
    game = session.table.game
    assert game
    anna = next(number for number, seat in enumerate(session.table.seats) if not seat.bot)
    for dice in (DICE, OTHER):

        def roll(table: Table, _: int, dice: str = dice) -> commands.Outcome:
            assert table.game
            return commands.roll(table, protocol.Roll(table.code, anna, 1, dice, dice, table.game.dice))

        await session.submit(roll)
        while session.table.pending.keys() != {1 - anna}:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert session.table.game
        assert session.table.game.dice == dice
        decided = session.table.pending[1 - anna]
        # 5 can be marked with the first dice only, 11 with the second ones.
        assert decided.strip("RYGB") in {DICE: ("5", "-"), OTHER: ("11", "-")}[dice]


def test_entered_dice_outlive_a_killed_server(tmp_path: Path) -> None:
    """Entered, corrected and killed: the corrected dice are there, and the record reads as any other."""
    people = [person("Anna"), person("Ben")]
    with Server(tmp_path) as server:
        body = {"variant": "classic", "seats": [{}, {}], "dice": "entered", "pause": 0}
        table = server.ask("/api/tables", body).json["table"]
        server.ask(f"/api/tables/{table}/seats", {"people": people})
        device = Device(server, table, [one["secret"] for one in people])

        async def enter_both() -> int:
            await device.open()
            view = await device.next_view()
            active: int = view["position"]["active"]
            wrong = await device.command(type="roll", seat=1 - active, turn=1, dice=DICE)
            assert wrong["code"] == "not-to-roll"
            bad = await device.command(type="roll", seat=active, turn=1, dice="71-3256")
            assert (bad["code"], bad["values"]) == ("dice", {"reason": "71-3256: the white die shows 1 to 6, not 7"})
            for dice, before in ((DICE, None), (OTHER, DICE)):
                answer = await device.command(type="roll", seat=active, turn=1, dice=dice, corrects=before)
                assert answer["type"] == "ack"
            await device.lose()
            return active

        active = asyncio.run(enter_both())
        server.kill()
        server.start()
        headers = {"Authorization": f"Bearer {people[0]['secret']}"}
        view = server.ask(f"/api/tables/{table}", headers=headers).json
        assert (view["position"]["dice"]["roll"], view["entering"]) == (OTHER, [active])
        game = parse(server.ask(f"/api/tables/{table}/record", headers=headers).body.decode())
        assert (game.tags["Dice"], game.dice) == ("entered", OTHER)
