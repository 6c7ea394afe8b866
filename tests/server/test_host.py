"""The host of a table, who may see it, and help for a table whose player does not decide."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rowlock.server import commands, protocol
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Table
from tests.server.playing import Device
from tests.server.serving import Server, person
from tests.server.test_table import NOW, execute, table_of


def lobby(people: int, seats: int = 5) -> Table:
    """A table with free seats at which so many people sit; the secret of a seat is the name of its player."""
    table = Table("ABC234")
    execute(table, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * seats)))
    for name in (f"Person {i}" for i in range(people)):
        execute(table, commands.join(table, [name], [hash_of(name)]))
    return table


def remove(table: Table, host: int, seat: int) -> commands.Outcome:
    return commands.remove(table, protocol.Remove(table.code, seat, f"r{table.seq}"), [host])


def test_the_host_is_who_came_first_and_passes_on() -> None:
    table = lobby(3)
    assert table.host() == 0
    execute(table, commands.leave(table, protocol.Leave(table.code, 0, "c")))
    assert table.host() == 1
    execute(table, commands.join(table, ["Person 0"], [hash_of("Person 0")], [0]))
    assert table.host() == 1  # who comes again is last
    execute(table, commands.start(table, protocol.Start(table.code, "s")))
    assert table.seats[table.host() or 0].name == "Person 1"  # seats are in turn order now


def test_the_host_removes_somebody_from_the_lobby() -> None:
    table = lobby(3)
    with pytest.raises(Refused, match="not-host"):
        remove(table, 1, 2)
    execute(table, remove(table, 0, 2))
    assert table.seats[2].free
    with pytest.raises(Refused, match="no-person"):
        remove(table, 0, 2)
    running = table_of(2)
    host = running.host()
    assert host is not None
    with pytest.raises(Refused, match="started"):
        remove(running, host, 1 - host)


def plan(table: Table, host: int, variant: str, bots: Sequence[str | None], **options: Any) -> commands.Outcome:
    seats = [protocol.SeatRequest(bot) for bot in bots]
    return commands.plan(table, protocol.Plan(table.code, variant, seats, f"p{table.seq}", **options), [host])


def test_the_host_changes_game_and_seats_in_the_lobby() -> None:
    table = lobby(2, seats=3)
    with pytest.raises(Refused, match="not-host"):
        plan(table, 1, "longo", [None, None, "greedy"])
    execute(table, plan(table, 0, "longo", [None, None, "greedy", "greedy", None], seconds=30, pause=0, hints=True))
    assert [seat.name for seat in table.seats] == ["Person 0", "Person 1", "greedy", "greedy 2", None]
    assert (table.variant, table.seconds, table.pause, table.hints) == ("longo", 30, 0, True)
    assert [seat.lucky for seat in table.seats] == list(table.setup.variant.lucky_pairs)
    execute(table, plan(table, 0, "classic", [None, None, "random"]))
    assert [(seat.name, seat.lucky) for seat in table.seats][1:] == [("Person 1", None), ("random", None)]
    assert (table.seconds, table.host()) == (None, 0)
    assert table.state == "waiting"  # the host starts it
    execute(table, commands.start(table, protocol.Start(table.code, "s")))
    assert sorted(seat.name or "" for seat in table.seats) == ["Person 0", "Person 1", "random"]
    with pytest.raises(Refused, match="started"):
        plan(table, table.host() or 0, "classic", [None, None, "random"])


def test_a_plan_takes_no_seat_from_anybody() -> None:
    table = lobby(2, seats=3)
    for bots in (["greedy", None, None], [None]):
        with pytest.raises(Refused, match="seat-taken"):
            plan(table, 0, "classic", bots)
    with pytest.raises(Refused, match="bot"):
        plan(table, 0, "classic", [None, None, "nobody"])
    with pytest.raises(Refused, match="variant"):
        plan(table, 0, "nothing", [None, None])
    execute(table, plan(table, 0, "classic", [None, None, "greedy"]))
    execute(table, commands.leave(table, protocol.Leave(table.code, 1, "l")))
    assert table.seats[1].free  # the seat is one of the new plan
    execute(table, plan(table, 0, "classic", [None, "greedy"]))
    assert [seat.name for seat in table.seats] == ["Person 0", "greedy"]


def test_a_plan_is_executed_once_and_not_for_ever() -> None:
    table = lobby(1)
    message = protocol.Plan(table.code, "classic", [protocol.SeatRequest(), protocol.SeatRequest("greedy")], "p")
    execute(table, commands.plan(table, message, [0]))
    assert commands.plan(table, message, [0]) == table.seq
    with pytest.raises(Refused, match="id-reused"):
        commands.plan(table, protocol.Plan(table.code, "longo", message.seats, "p"), [0])
    for _ in range(commands.MAX_PLANS - 1):
        execute(table, plan(table, 0, "classic", [None, None]))
    with pytest.raises(Refused, match="limit"):
        plan(table, 0, "classic", [None, None])


def test_sheets_of_people_go_with_the_plan() -> None:
    table = lobby(0, seats=2)
    execute(table, commands.join(table, ["Anna"], ["a"]))
    seats = [protocol.SeatRequest(sheet="C"), protocol.SeatRequest("greedy")]
    execute(table, commands.plan(table, protocol.Plan(table.code, "connected-a", seats, "p"), [0]))
    assert table.seats[0].sheet == "C"
    execute(table, plan(table, 0, "classic", [None, None]))
    assert table.seats[0].sheet is None


def test_a_closed_table_admits_nobody_else() -> None:
    table = lobby(2)
    with pytest.raises(Refused, match="not-host"):
        commands.set_access(table, protocol.Access(table.code, False, "c"), [1])
    execute(table, commands.set_access(table, protocol.Access(table.code, False, "c"), [0]))
    assert commands.set_access(table, protocol.Access(table.code, False, "c"), [0]) == table.seq
    with pytest.raises(Refused, match="closed"):
        commands.join(table, ["Anna"], ["a"])
    with pytest.raises(Refused, match="closed"):
        commands.check_access(table, [], table.invite)
    commands.check_access(table, [hash_of("Person 1")], None)  # who has a seat keeps it
    execute(table, commands.set_access(table, protocol.Access(table.code, True, "o"), [0]))
    assert commands.join(table, ["Anna"], ["a"])


def test_after_the_start_a_short_code_is_not_enough() -> None:
    table = lobby(2, seats=2)
    with pytest.raises(Refused, match="invite"):
        commands.check_access(table, [], None)
    with pytest.raises(Refused, match="invite"):
        commands.check_access(table, [hash_of("a stranger")], "guess")
    commands.check_access(table, [], table.invite)
    commands.check_access(table, [hash_of("Person 0")], None)
    table.invite = None  # as tables of the version before
    commands.check_access(table, [], None)
    commands.check_access(lobby(1), [], None)


def test_watching_record_and_replay_need_the_invite_link(server: Server) -> None:
    """HTTP and the socket."""

    async def watch(hello: dict[str, Any]) -> dict[str, Any]:
        device = Device(server, table, [])
        server.invites.pop(table, None)
        await device.open()
        await device.receive()
        answer = await device.command(type="hello", version=2, **hello)
        await device.close()
        return answer

    table = server.create(1)
    invite = server.invites.pop(table)
    assert server.ask(f"/api/tables/{table}").status == 200  # the lobby is open
    (secret,) = server.join(table, "Anna")
    for path in ("", "/record", "/replay"):
        address = f"/api/tables/{table}{path}"
        assert server.ask(address).json["code"] == "invite"
        for known in (invite, secret):
            assert server.ask(address, headers={"Authorization": f"Bearer {known}"}).status == 200
    assert asyncio.run(watch({}))["code"] == "invite"
    assert asyncio.run(watch({"invite": "wrong"}))["code"] == "invite"
    assert asyncio.run(watch({"invite": invite}))["type"] == "ack"


def test_spectators_without_the_invite_link_are_sent_away(server: Server) -> None:
    """At the start those who came by the short code, later all if the host closes the table."""

    async def play() -> None:
        table = server.create(2)
        invite = server.invites.pop(table)
        (anna,) = server.join(table, "Anna")
        stranger, guest, player = Device(server, table, []), Device(server, table, []), Device(server, table, [anna])
        await stranger.open()
        server.invites[table] = invite
        for device in (guest, player):
            await device.open()
        for device in (stranger, guest, player):
            await device.next_view()
        server.join(table, "Ben")
        refused = await stranger.until(lambda frame: frame["type"] == "error")
        assert (refused["code"], refused["table"]) == ("invite", table)
        await guest.until_view(lambda view: view["state"] == "running")
        await player.until_view(lambda view: view["state"] == "running")
        assert (await player.command(type="access", open=False))["type"] == "ack"
        assert (await guest.until(lambda frame: frame["type"] == "error"))["code"] == "closed"
        await player.until_view(lambda view: not view["open"])
        for device in (stranger, guest, player):
            await device.close()

    asyncio.run(asyncio.wait_for(play(), 120))


def test_only_people_with_a_seat_receive_the_invite_secret(server: Server) -> None:
    table = server.create(1)
    invite = server.invites[table]
    (secret,) = server.join(table, "Anna")
    address = f"/api/tables/{table}"
    assert server.ask(address).json["invite"] is None
    assert server.ask(address, headers={"Authorization": f"Bearer {secret}"}).json["invite"] == invite


def test_wrong_guesses_are_limited_per_address(tmp_path: Path) -> None:
    """Then right codes are refused as well; other addresses are not affected."""
    with Server(tmp_path, failed_tries_per_hour=5, trusted_proxies="127.0.0.1") as server:
        table = server.create(1)
        server.invites.clear()
        codes = [server.ask("/api/tables/ZZZZZZ").json["code"] for _ in range(5)]
        assert codes == ["no-table"] * 5
        refused = server.ask(f"/api/tables/{table}")
        assert (refused.status, refused.json["code"]) == (429, "too-fast")
        assert server.ask(f"/api/tables/{table}/seats", {"people": [person("Anna")]}).status == 429
        other = server.ask(f"/api/tables/{table}", headers={"X-Forwarded-For": "192.0.2.7"})
        assert other.status == 200


def test_a_right_secret_is_accepted_after_many_wrong_guesses(tmp_path: Path) -> None:
    """A device with an old secret does not lock out its household."""
    with Server(tmp_path, failed_tries_per_hour=5) as server:
        table = server.create(1)
        (secret,) = server.join(table, "Anna")
        for _ in range(7):
            server.ask("/api/tables/ZZZZZZ")
        assert server.ask(f"/api/tables/{table}", headers={"Authorization": "Bearer wrong"}).status == 429
        assert server.ask(f"/api/tables/{table}", headers={"Authorization": f"Bearer {secret}"}).status == 200


def test_a_wrong_secret_does_not_lift_the_limit_of_wrong_guesses(tmp_path: Path) -> None:
    """While a lobby is open its code is enough, so a code could be tried with any secret."""

    async def watch(server: Server, table: str, **hello: str) -> dict[str, Any]:
        device = Device(server, table, [])
        await device.open()
        answer = await device.command(type="hello", version=2, **hello)
        await device.close()
        return answer

    with Server(tmp_path, failed_tries_per_hour=5) as server:
        table = server.create(1)
        invite = server.invites.pop(table)
        for _ in range(7):
            server.ask("/api/tables/ZZZZZZ")
        for secret, status, answer in (("x", 429, "error"), (invite, 200, "ack")):
            headers = {"Authorization": f"Bearer {secret}"}
            assert server.ask(f"/api/tables/{table}", headers=headers).status == status
            assert asyncio.run(watch(server, table, invite=secret))["type"] == answer
            joined = server.ask(f"/api/tables/{table}/seats", {"people": [person("Anna")], "invite": secret})
            assert joined.status == (201 if status == 200 else status)
        no_table = server.ask("/api/tables/ZZZZZZ/seats", {"people": [person("Anna")], "invite": invite})
        assert no_table.status == 429


def replace(table: Table, voter: int, seat: int, connected: list[int], **state: bool) -> commands.Outcome:
    message = protocol.Replace(table.code, seat, "random", f"v{table.seq}")
    return commands.replace(table, message, [voter], absent=False, connected=connected, **state)


def test_all_others_together_let_a_bot_play_for_a_connected_player() -> None:
    table = table_of(4)
    with pytest.raises(Refused, match="not-absent"):
        replace(table, 1, 0, [0, 1, 2, 3], undecided=False)
    execute(table, replace(table, 1, 0, [0, 1, 2], undecided=True))
    assert 0 in table.people
    assert table.replace_votes
    assert table.replace_votes.voters == {1}
    with pytest.raises(Refused, match="not-absent"):
        replace(table, 0, 0, [0, 1, 2], undecided=True)  # not for oneself
    execute(table, replace(table, 2, 0, [0, 1, 2], undecided=True))  # seat 3 is not connected
    assert table.seats[0].replaced_by == "random"
    assert 0 not in table.people


def test_who_was_replaced_while_connected_returns_by_a_command() -> None:
    """An open page of somebody who sleeps does not end it."""
    table = table_of(2)
    execute(table, replace(table, 1, 0, [0, 1], undecided=True))
    assert commands.return_seats(table, {hash_of(table.seats[0].name or "")}) == []
    execute(table, commands.decide_by_bot(table, 0, (0, 1, "white"), "-", None))
    message = protocol.Return(table.code, 0, "back")
    execute(table, commands.come_back(table, message))
    assert table.seats[0].replaced_by is None
    assert commands.come_back(table, message) == table.seq


def test_the_bot_decides_before_a_player_returns() -> None:
    """Else a player could undo the vote again and again, and the table would be blocked."""
    table = table_of(2)
    execute(table, replace(table, 1, 0, [0, 1], undecided=True))
    execute(table, commands.come_back(table, protocol.Return(table.code, 0, "back")))
    assert table.people == [1]
    execute(table, commands.decide_by_bot(table, 0, (0, 1, "white"), "-", None))
    assert table.people == [0, 1]


def test_commands_sent_again_after_the_start_are_executed_once() -> None:
    """Though the seats have got new numbers."""
    table = lobby(3)
    message = protocol.Access(table.code, open=False, id="c")
    execute(table, commands.set_access(table, message, [0]))
    seq = table.seq
    execute(table, commands.start(table, protocol.Start(table.code, "s")))
    host = next(number for number, seat in enumerate(table.seats) if seat.name == "Person 0")
    assert commands.set_access(table, message, [host]) == seq


def test_votes_count_for_one_decision() -> None:
    table = table_of(3)
    execute(table, replace(table, 1, 0, [0, 1, 2], undecided=True))
    assert table.game
    for seat in table.game.to_act:
        message = protocol.Decide(table.code, seat, 1, "white", "-", f"d{seat}")
        execute(table, commands.decide(table, message), NOW)
    assert table.replace_votes is None


def test_a_bot_plays_for_somebody_who_does_not_decide(tmp_path: Path) -> None:
    """Over sockets: the game goes on, and the player comes back."""

    async def play(server: Server) -> None:
        table = server.create(2)
        secrets = server.join(table, "Anna", "Ben")
        anna, ben = [Device(server, table, [secret]) for secret in secrets]
        for device in (anna, ben):
            await device.open()
        view = await anna.until_view(lambda view: all(seat["connected"] for seat in view["seats"]))
        seat = next(number for number, seat in enumerate(view["seats"]) if seat["name"] == "Ben")
        while (await anna.command(type="replace", seat=seat, bot="greedy"))["type"] == "error":  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # until Ben has been undecided for long enough
        await anna.until_view(lambda view: view["seats"][seat]["bot"] == "greedy" and seat in view["decided"])
        answer = await ben.command(type="return", seat=seat)
        assert answer["type"] == "ack"
        await anna.until_view(lambda view: view["seats"][seat]["bot"] is None)
        for device in (anna, ben):
            await device.close()

    with Server(tmp_path, undecided_seconds=0.3) as server:
        asyncio.run(asyncio.wait_for(play(server), 120))


def test_a_vote_counts_again_when_a_missing_voter_is_absent(tmp_path: Path) -> None:
    """Nobody has to vote a second time."""

    async def play(server: Server) -> None:
        table = server.create(3)
        anna, ben, chloe = [Device(server, table, [secret]) for secret in server.join(table, "Anna", "Ben", "Chloe")]
        for device in (anna, ben, chloe):
            await device.open()
        view = await ben.until_view(lambda view: all(seat["connected"] for seat in view["seats"]))
        seat = next(number for number, seat in enumerate(view["seats"]) if seat["name"] == "Anna")
        while (await ben.command(type="replace", seat=seat, bot="greedy"))["type"] == "error":  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # until Anna has been undecided for long enough
        assert (await ben.until_view(lambda view: view["votes"]))["seats"][seat]["bot"] is None
        await chloe.close()
        await ben.until_view(lambda view: view["seats"][seat]["bot"] == "greedy")
        for device in (anna, ben):
            await device.close()

    with Server(tmp_path, undecided_seconds=0.1, absent_seconds=0.3) as server:
        asyncio.run(asyncio.wait_for(play(server), 60))


def test_a_vote_is_not_decided_by_people_who_have_gone() -> None:
    table = table_of(3)
    execute(table, replace(table, 1, 0, [0, 1, 2], undecided=True))
    assert commands.replace_by_votes(table, [0]) == []
    assert commands.replace_by_votes(table, [0, 1, 2]) == []
    assert commands.replace_by_votes(table, [0, 1]) != []


def test_the_host_passes_on_when_absent(tmp_path: Path) -> None:
    """Somebody who closes the page of the lobby; and is the host again when back."""

    async def play(server: Server) -> None:
        table = server.create(4)
        secrets = server.join(table, "Anna", "Ben", "Chloe")
        anna, ben = [Device(server, table, [secret]) for secret in secrets[:2]]
        for device in (anna, ben):
            await device.open()
        assert (await ben.until_view(lambda view: view["seats"][0]["connected"]))["host"] == 0
        assert (await ben.command(type="remove", seat=2))["code"] == "not-host"
        await anna.close()
        await ben.until_view(lambda view: view["host"] == 1)
        assert (await ben.command(type="remove", seat=2))["type"] == "ack"
        assert (await ben.command(type="access", open=False))["type"] == "ack"
        await anna.open()
        await ben.until_view(lambda view: view["host"] == 0)
        for device in (anna, ben):
            await device.close()

    with Server(tmp_path, absent_seconds=0.3) as server:
        asyncio.run(asyncio.wait_for(play(server), 60))
