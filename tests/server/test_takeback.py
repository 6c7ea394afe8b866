"""Taking back a revealed decision: everybody else agrees, until the next roll."""

import asyncio
import random
from functools import partial
from pathlib import Path

import msgspec
import pytest

from rowlock import Game
from rowlock.server import commands, protocol
from rowlock.server.events import TakenBack
from rowlock.server.refusal import Refused
from rowlock.server.table import TAKEBACK_SECONDS, Table
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession
from rowlock.server.views import ViewBuilder
from tests.server.test_table import NOW, Everybody, decide, execute, table_of
from tests.server.test_table_session import run, running_table


def paused_table(people: int = 3, variant: str = "classic", *bots: str) -> Table:
    """A table with a pause of one second before the next roll, at which a game has just started."""
    table = table_of(people, variant, *bots)
    table.pause = 1
    return table


def pass_all(table: Table) -> None:
    """Let everybody decide to mark nothing, in this phase."""
    assert table.game
    for seat in table.game.to_act:
        decide(table, seat, commands.default_option(table.game, seat))


def ask(table: Table, seat: int, phase: str, turn: int = 1, own: tuple[int, ...] | None = None) -> commands.Outcome:
    message = protocol.Takeback(table.code, seat, turn, phase, f"t{table.seq}")
    return commands.ask_takeback(table, message, [seat] if own is None else own, NOW)


def answer(table: Table, seat: int, *, agree: bool, at: int = NOW) -> commands.Outcome:
    asker, turn, phase = table.takeback[:3] if table.takeback else (0, 1, "white")
    message = protocol.Agree(table.code, seat, asker, turn, phase, agree, f"a{table.seq}")
    return commands.answer_takeback(table, message, at)


def test_the_next_roll_waits_for_the_pause() -> None:
    table = paused_table()
    pass_all(table)
    pass_all(table)
    assert table.game
    assert table.game.phase == "roll"
    assert table.roll_at == NOW + 1000
    assert commands.begin_turn(table, NOW + 999) == []
    execute(table, commands.begin_turn(table, NOW + 1000), NOW + 1000)
    assert (table.game.turn, table.game.phase) == (2, "white")
    assert not table.game.between_turns


def test_a_decision_is_taken_back_once_all_others_agree() -> None:
    """The others' decisions of that action stand, the later one is asked for again."""
    table = paused_table()
    game = table.game
    assert game
    active = game.active
    first, second = (seat for seat in range(3) if seat != active)
    decide(table, active, "-")
    chosen = next((option for option in game.options(second) if option != "-"), "-")
    decide(table, second, chosen)
    decide(table, first, "-")
    pass_all(table)  # the colour action
    execute(table, ask(table, first, "white"))
    assert game.phase == "roll"
    execute(table, answer(table, active, agree=True))
    assert (table.takeback and table.takeback.agreed) == frozenset({active})
    execute(table, answer(table, second, agree=True))
    game = table.game
    assert game
    assert (game.turn, game.phase, game.to_act) == (1, "white", (first,))
    assert table.pending == {active: "-", second: chosen}
    assert table.takeback is None
    decide(table, first, "-")
    assert (game.phase, game.to_act) == ("colour", (active,))
    turn = game.turns[0]
    assert turn.white
    assert turn.white[second] == chosen


def test_a_decision_that_stands_cannot_be_withdrawn() -> None:
    """Its player has seen what the others decided."""
    table = paused_table()
    pass_all(table)
    execute(table, ask(table, 0, "white", own=(0, 1, 2)))
    with pytest.raises(Refused, match="no-takeback"):
        commands.withdraw(table, protocol.Withdraw(table.code, 1, 1, "white", "w"), NOW)
    decide(table, 0, "-")
    assert table.final_decisions == frozenset()


def test_views_follow_what_is_taken_back() -> None:
    """Also if the take-back and the next decisions are applied at once, as on a server that reads them later."""
    table, builder = paused_table(2), ViewBuilder()
    game = table.game
    assert game
    active = game.active
    pass_all(table)
    marks = [option for option in game.options(active) if option != "x"]
    assert marks
    decide(table, active, "x")
    builder.build(table, Everybody(), set(), NOW)
    execute(table, ask(table, active, "colour", own=(0, 1)))
    decide(table, active, marks[0])
    shown = msgspec.json.decode(builder.build(table, Everybody(), set(), NOW))
    assert shown["log"][0]["colour"]["option"] == marks[0]
    assert shown == msgspec.json.decode(ViewBuilder().build(table, Everybody(), set(), NOW))


def test_a_request_waits_for_its_answer_at_a_table_without_a_pause() -> None:
    table = table_of(2)
    assert table.game
    pass_all(table)
    execute(table, ask(table, 1 - table.game.active, "white"))
    pass_all(table)
    assert table.game.between_turns
    assert table.roll_at == NOW + 1000 * TAKEBACK_SECONDS


def test_an_answer_is_for_one_request() -> None:
    """One that comes late, after another player has asked, does not count."""
    table = paused_table()
    pass_all(table)
    execute(table, ask(table, 0, "white"))
    late = protocol.Agree(table.code, 2, 0, 1, "white", agree=True, id="late")
    execute(table, answer(table, 1, agree=False))
    execute(table, ask(table, 1, "white"))
    with pytest.raises(Refused, match="no-request"):
        commands.answer_takeback(table, late, NOW)


def test_requests_are_limited() -> None:
    table = paused_table()
    pass_all(table)
    for _ in range(commands.MAX_TAKEBACKS):
        execute(table, ask(table, 0, "white"))
        execute(table, answer(table, 1, agree=False))
    with pytest.raises(Refused, match="limit"):
        ask(table, 0, "white")
    execute(table, ask(table, 1, "white"))  # others may


def test_one_refusal_ends_the_request() -> None:
    table = paused_table()
    pass_all(table)
    execute(table, ask(table, 0, "white"))
    execute(table, answer(table, 1, agree=False))
    assert table.takeback is None
    with pytest.raises(Refused, match="no-request"):
        answer(table, 2, agree=True)


def test_a_request_ends_with_the_game() -> None:
    """The decision that ends the game cannot be taken back, nor one before it."""
    table = paused_table(2)
    game = table.game
    assert game
    while not game.over:
        if game.between_turns:
            execute(table, commands.begin_turn(table, table.roll_at or 0))
        elif game.phase == "colour" and game.sheets[game.active].misthrows == 3:
            execute(table, ask(table, 1 - game.active, "white", game.turn))
            pass_all(table)
        else:
            pass_all(table)
    assert table.takeback is None
    message = protocol.Agree(table.code, game.active, 1 - game.active, game.turn, "white", agree=True, id="late")
    with pytest.raises(Refused, match="no-request"):
        commands.answer_takeback(table, message, NOW)


def test_a_bot_that_plays_for_the_last_missing_person_agrees() -> None:
    table = paused_table()
    pass_all(table)
    execute(table, ask(table, 0, "white"))
    execute(table, answer(table, 1, agree=True))
    message = protocol.Replace(table.code, 2, "random", "r")
    events = execute(table, commands.replace(table, message, [1], absent=True))
    assert isinstance(events[-1], TakenBack)
    assert table.game
    assert table.game.to_act == (0,)


def test_a_bot_does_not_agree_to_an_expired_request() -> None:
    table = paused_table(2)
    pass_all(table)
    execute(table, ask(table, 0, "white"))
    message = protocol.Replace(table.code, 1, "random", "r")
    late = NOW + 1000 * TAKEBACK_SECONDS + 1
    assert len(execute(table, commands.replace(table, message, [0], absent=True), late)) == 1


def test_bots_always_agree() -> None:
    table = paused_table(1, "classic", "greedy", "random")
    person = table.people[0]
    pass_all(table)
    events = execute(table, ask(table, person, "white"))
    assert any(isinstance(event, TakenBack) for event in events)
    assert table.game
    assert table.game.to_act == (person,)


def test_people_at_the_same_device_agree_by_asking() -> None:
    table = paused_table()
    pass_all(table)
    execute(table, ask(table, 0, "white", own=(0, 1, 2)))
    assert table.game
    assert table.game.to_act == (0,)


def test_the_next_roll_waits_for_an_open_request() -> None:
    """A request that nobody answers expires."""
    table = paused_table()
    pass_all(table)
    pass_all(table)
    execute(table, ask(table, 0, "white"))
    until = NOW + 1000 * TAKEBACK_SECONDS
    assert table.roll_at == until
    with pytest.raises(Refused, match="no-takeback"):
        ask(table, 1, "white")  # one request at a time
    with pytest.raises(Refused, match="no-request"):
        answer(table, 1, agree=True, at=until + 1)
    execute(table, commands.begin_turn(table, until), until)
    assert table.takeback is None


def test_after_the_next_roll_nothing_is_taken_back() -> None:
    table = paused_table()
    pass_all(table)
    pass_all(table)
    execute(table, commands.begin_turn(table, NOW + 1000))
    for turn in (1, 2):
        with pytest.raises(Refused, match="no-takeback"):
            ask(table, 0, "white", turn)


def test_nobody_takes_back_what_another_player_decided() -> None:
    table = paused_table()
    pass_all(table)
    pass_all(table)
    assert table.game
    other = table.game.active  # of the next turn, so not the one who decided in the colour action
    with pytest.raises(Refused, match="no-takeback"):
        ask(table, other, "colour")


def test_the_same_request_again_is_answered_as_before() -> None:
    table = paused_table()
    pass_all(table)
    message = protocol.Takeback(table.code, 0, 1, "white", "same")
    execute(table, commands.ask_takeback(table, message, [0], NOW))
    assert commands.ask_takeback(table, message, [0], NOW) == table.seq


@pytest.mark.parametrize("variant", ["classic", "bonus-a", "big-points", "cards"])
def test_a_game_with_decisions_taken_back_is_the_game_without_them(variant: str) -> None:
    """At any point of a game: what is taken back and decided again leaves no trace in the record."""
    rng = random.Random(5)
    game, plain = Game(variant, 3, seed=9), Game(variant, 3, seed=9)
    taken_back = 0
    while not game.over:
        if not game.to_act:
            game.chance()
            plain.chance()
        phase = game.phase
        decisions = {seat: rng.choice(game.options(seat)) for seat in game.to_act}
        for seat, option in decisions.items():
            game.play(seat, option)
            plain.play(seat, option)
        seat = rng.choice(list(decisions))
        if phase in game.reopenable(seat):
            others = game.reopen(seat, phase)
            assert others == {number: option for number, option in decisions.items() if number != seat}
            assert (game.phase, game.to_act) == (phase, (seat,))
            game.play(seat, decisions[seat])
            taken_back += 1
        assert game == plain
    assert taken_back > 10
    assert game.record() == plain.record()


def test_a_taken_card_stays_taken() -> None:
    """Its colour has been seen."""
    game = Game("cards", 2, seed=1)
    game.chance()
    assert game.phase == "take"
    active = game.active
    game.play(active, game.options(active)[0])
    assert game.reopenable(active) == []


def test_withdrawals_are_limited() -> None:
    """Deciding and withdrawing for ever would fill the disk."""
    table = table_of(2)
    assert table.game
    for _ in range(commands.MAX_WITHDRAWALS):
        decide(table, 0, "-")
        message = protocol.Withdraw(table.code, 0, table.game.turn, table.game.phase, f"w{table.seq}")
        execute(table, commands.withdraw(table, message, NOW))
    decide(table, 0, "-")
    with pytest.raises(Refused, match="limit"):
        commands.withdraw(table, protocol.Withdraw(table.code, 0, 1, "white", "last"), NOW)
    decide(table, 1, "-")  # the next decision can be withdrawn again
    assert table.withdrawals == {}


def _decide(message: protocol.Decide, table: Table, _: int) -> commands.Outcome:
    return commands.decide(table, message)


def test_a_request_that_expires_is_shown_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while another player decides, without any event."""
    monkeypatch.setattr(commands, "TAKEBACK_SECONDS", 0.3)

    class Watcher:
        def __init__(self) -> None:
            self.changes: asyncio.Queue[bool] = asyncio.Queue()

        def on_change(self, session: TableSession) -> None:
            self.changes.put_nowait(b'"takeback":null' in session.view(set()))

    async def work(registry: TableRegistry) -> None:
        session, watcher = await running_table(registry), Watcher()
        for seat in (0, 1):
            message = protocol.Decide(session.table.code, seat, 1, "white", "-", f"d{seat}")
            await session.submit(partial(_decide, message))
        session.subscribers[watcher] = set()
        asked = protocol.Takeback(session.table.code, 0, 1, "white", "t")
        await session.submit(lambda table, at: commands.ask_takeback(table, asked, [0], at))
        while not await watcher.changes.get():
            pass

    run(tmp_path, work)
