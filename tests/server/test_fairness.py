"""Dice that can be checked: how a game starts with shares, and operators and players who try to cheat."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from rowlock.rules.fairness import FairSeed, commitment, first_difference, new_secret, roll
from rowlock.rules.game import Game
from rowlock.rules.notation import parse
from rowlock.server import commands, events, protocol
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.shares import ShareGiver, lines_of
from rowlock.server.table import START_SECONDS, Table
from rowlock.server.views import Presence, ViewBuilder, fairness_of

FIXTURES = Path(__file__).parents[1] / "fixtures" / "fairness"
NOW = 1_000_000
NAMES = ["Anna", "Ben"]


class Everybody(Presence):
    def connected(self, secret_hash: str) -> bool:
        return True

    def absent(self, secret_hash: str) -> bool:
        return False


def execute(table: Table, outcome: commands.Outcome, at: int = NOW) -> list[events.AnyEvent]:
    assert isinstance(outcome, list)
    return commands.apply_events(table, outcome, at)


def starting_table(variant: str = "classic", shares: tuple[bool, ...] = (True, True), pause: int = 0) -> Table:
    """A table at which two people sit, about to start."""
    table = Table("ABC234")
    request = protocol.TableRequest(variant, [protocol.SeatRequest() for _ in shares], pause=pause)
    execute(table, commands.create(request))
    for name, share in zip(NAMES, shares, strict=True):
        execute(table, commands.join(table, [name], [hash_of(name)], shares=[share]))
    assert not table.begun or not any(shares)
    if any(shares):
        execute(table, commands.start_full(table, [0, 1]))
    return table


def view_of(table: Table, name: str) -> protocol.View:
    data = ViewBuilder().build(table, Everybody(), {hash_of(name)}, NOW)
    return msgspec.json.decode(data, type=protocol.View)


def give_shares(table: Table, givers: dict[str, ShareGiver]) -> None:
    """Let the devices do what they have to do until the game runs or nothing happens any more."""
    handlers: dict[type, Callable[..., commands.Outcome]] = {
        protocol.Commit: commands.commit,
        protocol.Share: commands.give_share,
    }
    for _ in range(3):
        for name, giver in givers.items():
            for command in giver.commands(view_of(table, name)):
                execute(table, handlers[type(command)](table, command))


def show(table: Table, givers: Mapping[str, ShareGiver]) -> None:
    """Show the table to all devices; nobody has to send anything."""
    for name, giver in givers.items():
        assert giver.commands(view_of(table, name)) == []


def play_to_the_end(table: Table, givers: Mapping[str, ShareGiver] = MappingProxyType({})) -> str:
    """Everybody takes the first option, and takes back what they can once in a turn; the record."""
    game, taken_back = table.game, set[tuple[int, int, str]]()
    assert game
    show(table, givers)
    while not game.over:
        # A table with a pause waits for the next roll.
        if not game.to_act:
            execute(table, commands.begin_turn(table, NOW + 10_000), NOW + 10_000)
        for seat in game.to_act:
            execute(table, [events.Decided(seat, game.turn, game.phase, game.options(seat)[0])])
            show(table, givers)
        turn = game.turn - game.between_turns
        for seat in range(len(game.players)):
            phases = [phase for phase in game.reopenable(seat) if (seat, turn, phase) not in taken_back]
            if table.pause and phases:
                taken_back.add((seat, turn, phases[0]))
                execute(table, [events.TakenBack(seat, turn, phases[0])])
                show(table, givers)
    assert bool(taken_back) == bool(table.pause)
    return game.record()


def played(variant: str = "classic", pause: int = 0) -> tuple[str, dict[str, ShareGiver], Table]:
    """The record of a whole game with shares, and the devices."""
    table = starting_table(variant, pause=pause)
    givers = {name: ShareGiver(table.code) for name in NAMES}
    give_shares(table, givers)
    return play_to_the_end(table, givers), givers, table


@pytest.mark.parametrize("pause", [0, 1])
@pytest.mark.parametrize("variant", ["classic", "longo", "cards", "cards+jokers"])
def test_everybody_can_check_the_chance(variant: str, pause: int) -> None:
    """Also if decisions were taken back, as they are here at tables with a pause."""
    record, givers, table = played(variant, pause)
    assert table.fair is not None
    assert [giver.verify(record) for giver in givers.values()] == ["checked"] * 2
    game = parse(record)
    assert game.players == table.fair.players
    assert first_difference(game, table.fair) is None


def test_secrets_stay_secret_until_the_end() -> None:
    """Neither views nor the record nor the fairness of a running game have them; afterwards all have."""
    table = starting_table()
    givers = {name: ShareGiver(table.code) for name in NAMES}
    with pytest.raises(Refused, match="not-started"):
        fairness_of(table)
    seen = []
    while table.start:
        seen += [msgspec.json.encode(view_of(table, name)).decode() for name in NAMES]
        give_shares(table, givers)
    assert table.game
    assert table.fair
    secrets = [table.fair.seed, *(share for _, share in table.fair.shares if share)]
    assert len(secrets) == 3
    seen += [msgspec.json.encode(view_of(table, name)).decode() for name in NAMES]
    seen += [table.game.record(), msgspec.json.encode(fairness_of(table)).decode()]
    assert not any(secret in text for secret in secrets for text in seen)
    assert [seat.commitment for seat in fairness_of(table).seats] == [commitment(secret) for secret in secrets[1:]]
    record = play_to_the_end(table)
    assert all(secret in record for secret in secrets)
    assert fairness_of(table).seed == secrets[0]


def test_a_withheld_share_voids_the_start() -> None:
    """Visibly, before any mark; the next start needs new secrets. Later nobody can leave because of the dice."""
    table = starting_table()
    anna = ShareGiver(table.code)
    assert table.start
    seed = table.start.seed
    give_shares(table, {"Anna": anna})
    assert table.game is None
    assert commands.void_start(table, NOW + 1000 * START_SECONDS - 1) == []
    with pytest.raises(Refused, match="started"):
        commands.leave(table, protocol.Leave("ABC234", 0, "x"))
    execute(table, commands.void_start(table, NOW + 1000 * START_SECONDS))
    assert not table.begun
    assert table.voided == (1,)
    assert view_of(table, "Ben").voided == [1]
    assert view_of(table, "Ben").void_starts == 1
    assert commands.start_full(table, [0, 1]) == []  # not again and again
    execute(table, commands.start(table, protocol.Start("ABC234", "again")))
    assert table.start
    assert table.start.seed != seed
    assert view_of(table, "Ben").voided == []
    givers = {"Anna": anna, "Ben": ShareGiver(table.code)}
    give_shares(table, givers)
    assert (view_of(table, "Ben").void_starts, fairness_of(table).void_starts) == (1, 1)
    assert [giver.verify(play_to_the_end(table)) for giver in givers.values()] == ["checked"] * 2


def test_a_bot_in_the_last_seat_starts_nothing() -> None:
    """The host who has put it there starts the game."""
    table = Table("ABC234")
    execute(table, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2)))
    execute(table, commands.join(table, ["Anna"], [hash_of("Anna")], shares=[True]))
    seats = [protocol.SeatRequest(), protocol.SeatRequest("greedy")]
    execute(table, commands.plan(table, protocol.Plan("ABC234", "classic", seats, "1"), [0], [0]))
    assert commands.start_full(table, [0]) == []
    execute(table, commands.start(table, protocol.Start("ABC234", "2")))
    assert table.start


def test_shares_wait_for_all_commitments() -> None:
    """Who gives a share early, another share than promised, or a second one is refused."""
    table = starting_table()
    share = new_secret()
    execute(table, commands.commit(table, protocol.Commit("ABC234", 0, commitment(share), "1")))
    with pytest.raises(Refused, match="share"):
        commands.give_share(table, protocol.Share("ABC234", 0, share, "2"))
    with pytest.raises(Refused, match="share"):
        commands.commit(table, protocol.Commit("ABC234", 0, commitment(new_secret()), "3"))
    assert isinstance(commands.commit(table, protocol.Commit("ABC234", 0, commitment(share), "1")), int)
    execute(table, commands.commit(table, protocol.Commit("ABC234", 1, commitment(share), "4")))
    with pytest.raises(Refused, match="share"):
        commands.give_share(table, protocol.Share("ABC234", 0, new_secret(), "5"))
    execute(table, commands.give_share(table, protocol.Share("ABC234", 0, share, "6")))
    with pytest.raises(Refused, match="share"):
        commands.give_share(table, protocol.Share("ABC234", 0, share, "7"))


def test_who_commits_to_nothing_plays_without_a_share() -> None:
    table = starting_table(shares=(True, False))
    givers = {"Anna": ShareGiver(table.code), "Ben": ShareGiver(table.code)}
    assert [seat.shares for seat in view_of(table, "Ben").seats] == [True, False]
    with pytest.raises(Refused, match="not-starting"):
        commands.commit(table, protocol.Commit("ABC234", 1, commitment(new_secret()), "1"))
    give_shares(table, givers)
    record = play_to_the_end(table)
    assert givers["Anna"].verify(record) == "checked"
    assert givers["Ben"].verify(record) == "published"
    assert " - Ben" in record or "- Ben" in record


def test_a_table_without_shares_starts_at_once() -> None:
    table = starting_table(shares=(False, False))
    assert table.game
    assert table.fair
    assert first_difference(table.game, table.fair) is None


# An operator who cheats: what they publish at the end is a record of their own making.


def forged(record: str, fair: FairSeed, **changes: Any) -> str:
    """The record with other secrets, and the dice that follow from them, as a clever operator would write it."""
    other = replace(fair, **changes)
    game = Game("classic", other.players)
    game.fair_key = other.key
    game.tags.update(other.tags())
    while not game.over:
        if not game.to_act:
            game.chance()
        for seat in game.to_act:
            game.play(seat, game.options(seat)[0])
    return game.record()


def test_an_operator_cannot_choose_dice() -> None:
    """Another seed, another share, shares in another order or left out, another table, another roll."""
    record, givers, table = played()
    assert table.fair
    fair = table.fair
    (first, second) = fair.shares
    # The seed of ten with which the first roll is the highest.
    seeds = [replace(fair, seed=f"{number:064x}") for number in range(10)]
    best = max(seeds, key=lambda one: sum(roll(one.key, 1, [6] * 6))).seed
    forgeries = [
        forged(record, fair, seed=best),
        forged(record, fair, shares=((first[0], new_secret()), second)),
        forged(record, fair, shares=((first[0], None), second)),
        forged(record, fair, shares=(first, second, ("greedy", new_secret()))),
        forged(record, fair, shares=(second, first)),
        forged(record, fair, shares=((second[0], first[1]), (first[0], second[1]))),
        forged(record, fair, table="ABC235"),
        record.replace('[FairSeed "', '[Seed "'),
    ]
    dice = record.partition("\n1. ")[2].split()[0]
    moment, _ = next(parse(record).chance_points())
    moment.chance(("1" if dice[0] != "1" else "2") + dice[1:])
    moment.tags = parse(record).tags
    for text in (*forgeries, moment.record()):
        assert [giver.verify(text) for giver in givers.values()] == ["wrong"] * 2


def test_an_operator_cannot_replay_an_old_game() -> None:
    """The secrets of an earlier game do not fit what the devices promised for this one."""
    old_record, _, _ = played()
    _, givers, _ = played()
    assert [giver.verify(old_record) for giver in givers.values()] == ["wrong"] * 2


def test_an_operator_cannot_tell_two_stories() -> None:
    """Who is shown other commitments of the others than these see finds that the secrets do not fit them."""
    table = starting_table()
    givers = {name: ShareGiver(table.code) for name in NAMES}
    for name, giver in givers.items():
        for command in giver.commands(view_of(table, name)):
            assert isinstance(command, protocol.Commit)
            execute(table, commands.commit(table, command))
    lie = view_of(table, "Ben")
    assert lie.start
    lie.start.seats[0].commitment = commitment(new_secret())
    for name, view in (("Anna", view_of(table, "Anna")), ("Ben", lie)):
        for command in givers[name].commands(view):
            assert isinstance(command, protocol.Share)
            execute(table, commands.give_share(table, command))
    record = play_to_the_end(table, givers)
    assert givers["Anna"].verify(record) == "checked"
    assert givers["Ben"].verify(record) == "wrong"


def test_old_secrets_cannot_be_combined_anew() -> None:
    """An operator who has seen a share shows the same start again, with another share of somebody who helps them."""
    table = starting_table()
    anna, ben = ShareGiver(table.code), ShareGiver(table.code)
    first_view = view_of(table, "Anna")
    give_shares(table, {"Anna": anna, "Ben": ben})
    assert table.fair
    chosen = new_secret()
    for name, promise in (("Anna", table.fair.shares[0][1]), ("Ben", chosen)):
        again = msgspec.json.decode(msgspec.json.encode(first_view), type=protocol.View)
        assert again.start
        again.start.seats[0].commitment = commitment(table.fair.shares[0][1] or "")
        again.start.seats[1].commitment = commitment(chosen)
        assert anna.commands(again) == [], (name, promise)
    record = play_to_the_end(table, {"Anna": anna})
    (first, second) = table.fair.shares
    text = forged(record, table.fair, shares=(first, (second[0], chosen)))
    assert (anna.verify(record), anna.verify(text)) == ("checked", "wrong")


def test_an_operator_cannot_hide_void_starts() -> None:
    """Who has given a share for a start that was void looks for it in the record."""
    table = starting_table()
    givers = {name: ShareGiver(table.code) for name in NAMES}
    for at in (NOW, 2 * NOW):
        for _ in range(2):  # Ben commits, and then withholds his share
            for name, giver in givers.items():
                for command in giver.commands(view_of(table, name)):
                    if isinstance(command, protocol.Commit):
                        execute(table, commands.commit(table, command), at)
                    elif name == "Anna":
                        assert isinstance(command, protocol.Share)
                        execute(table, commands.give_share(table, command), at)
        assert table.start
        execute(table, commands.void_start(table, table.start.until), at)
        execute(table, commands.start(table, protocol.Start("ABC234", f"again {at}")), at)
    assert view_of(table, "Ben").void_starts == 2
    give_shares(table, givers)
    record = play_to_the_end(table, givers)
    assert [giver.verify(record) for giver in givers.values()] == ["checked"] * 2
    for hidden in ("", '[FairVoid "1"]\n'):
        assert givers["Anna"].verify(record.replace('[FairVoid "2"]\n', hidden)) == "wrong"


def test_a_program_that_starts_again_keeps_its_shares() -> None:
    """At every step: what it has made, what it was promised, and what it was shown."""
    saved: dict[str, str] = {}

    def fresh(table: Table) -> dict[str, ShareGiver]:
        def save(name: str) -> Callable[[str], None]:
            return lambda text: saved.update({name: text})

        return {name: ShareGiver(table.code, saved.get(name), save(name)) for name in NAMES}

    table = starting_table()
    while table.start:
        seq = table.seq
        for name, giver in fresh(table).items():
            for command in giver.commands(view_of(table, name))[:1]:
                if isinstance(command, protocol.Commit):
                    execute(table, commands.commit(table, command))
                else:
                    assert isinstance(command, protocol.Share)
                    execute(table, commands.give_share(table, command))
        assert table.seq > seq
    game = table.game
    assert game
    shown = 0
    while not game.over:
        show(table, fresh(table))
        shown += 1
        for seat in game.to_act:
            execute(table, [events.Decided(seat, game.turn, game.phase, game.options(seat)[0])])
    givers = fresh(table)
    show(table, givers)
    assert [giver.verify(game.record()) for giver in givers.values()] == ["checked"] * 2
    # The shares and the dice are really those that were saved.
    assert ShareGiver(table.code).verify(game.record()) == "published"
    lost = ShareGiver(table.code, saved["Anna"].replace("1 ", "2 ", 1))
    show(table, {"Anna": lost})
    assert lost.verify(game.record()) == "wrong"


def test_what_can_be_shown_never_changes() -> None:
    """The browser's tests read the same lines."""
    for name in ("classic", "longo", "cards+jokers"):
        game = parse((FIXTURES / f"{name}.rlk").read_text(encoding="utf-8"))
        assert "\n".join(lines_of(game)) + "\n" == (FIXTURES / f"{name}.shown").read_text(encoding="utf-8")
