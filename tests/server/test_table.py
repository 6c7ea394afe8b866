"""Tables without a server: commands, events, and views that keep secrets."""

import copy
import random
from collections import Counter
from typing import Any, cast

import msgspec
import pytest

from rowlock import Game, variant_ids
from rowlock.rules import kernel
from rowlock.rules.determinization import determinize
from rowlock.server import commands, events, protocol
from rowlock.server.client import game_of
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.table import Table
from rowlock.server.views import Presence, ViewBuilder
from rowlock.wasm import LAYOUT
from tests.effort import QUICK

NOW = 1_800_000_000_000


class Everybody(Presence):
    """All are connected."""

    def connected(self, secret_hash: str) -> bool:
        return True

    def absent(self, secret_hash: str) -> bool:
        return False


def table_of(people: int, variant: str = "classic", *bots: str, hints: bool = False) -> Table:
    """A table at which a game has just started; the secret of a seat is the name of its player."""
    table = Table("ABC234")
    seats = [protocol.SeatRequest()] * people + [protocol.SeatRequest(bot) for bot in bots]
    execute(table, commands.create(protocol.TableRequest(variant, seats, pause=0, hints=hints)))
    names = [f"Person {i}" for i in range(people)]
    execute(table, commands.join(table, names, [hash_of(name) for name in names]))
    return table


def execute(table: Table, outcome: commands.Outcome, at: int = NOW) -> list[events.AnyEvent]:
    """Apply the events of a command; return all events, encoded and decoded."""
    assert isinstance(outcome, list)
    return [events.read_event(events.write_event(event)) for event in commands.apply_events(table, outcome, at)]


def decide(table: Table, seat: int, option: str, command: str = "") -> None:
    assert table.game
    message = protocol.Decide(table.code, seat, table.game.turn, table.game.phase, option, command or f"c{table.seq}")
    execute(table, commands.decide(table, message))


def play_on(table: Table, rng: random.Random, steps: int) -> None:
    for _ in range(steps):
        if table.game is None or table.game.over:
            return
        seat = rng.choice(table.game.to_act)
        decide(table, seat, rng.choice(list(table.game.view(seat).options)))


def _views(table: Table) -> dict[int | None, bytes]:
    """The views of all seats, and of a spectator; the secret of the invite link, which is random, is set."""
    table.invite = "invite"
    shown: dict[int | None, bytes] = {None: ViewBuilder().build(table, Everybody(), set(), NOW)}
    for number, seat in enumerate(table.seats):
        if seat.secret_hash:
            shown[number] = ViewBuilder().build(table, Everybody(), {seat.secret_hash}, NOW)
    return shown


@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("people", (2, 5) if QUICK else range(2, 6))
def test_a_hidden_decision_changes_nobody_elses_view(variant: str, people: int) -> None:
    """Whatever a seat decides, before the reveal the views of all others are the same to the byte."""
    table, rng = table_of(people, variant), random.Random(people)
    for steps in (0, 3, 20, 40):
        play_on(table, rng, steps)
        _check_views(table, rng)


def _check_views(table: Table, rng: random.Random) -> None:
    game = table.game
    assert game
    while not game.over and (game.phase != "white" or len(game.to_act) < 2):
        play_on(table, rng, 1)
    if game.over:
        return
    seat = rng.choice(game.to_act)
    seen: set[tuple[bytes, ...]] = set()
    for option in game.options(seat):
        other = copy.deepcopy(table)
        decide(other, seat, option)
        views = _views(other)
        assert msgspec.json.decode(views[seat])["own"][0]["decision"]["option"] == option
        seen.add(tuple(view for other, view in views.items() if other != seat))
    assert len(seen) == 1


def test_the_failure_of_a_bot_is_shown_at_the_reveal() -> None:
    """A bot that fails passes: to say so before all have decided would show its decision."""
    table = table_of(1, "classic", "greedy")
    game = table.game
    assert game
    bot = next(number for number, seat in enumerate(table.seats) if seat.bot)
    views = []
    for option, trouble in ((None, "error"), (game.options(bot)[0], None)):
        other = copy.deepcopy(table)
        execute(other, commands.decide_by_bot(other, bot, (0, 1, "white"), option, trouble))
        assert other.pending
        views.append(_views(other))
        decide(other, 1 - bot, "-")
        assert other.seats[bot].trouble == trouble
    assert views[0] == views[1]


@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("people", [1, 3, 5])
def test_the_events_give_the_same_table(variant: str, people: int) -> None:
    """Applying the stored events gives the same table after every event."""
    table, other, rng = Table("ABC234"), Table("ABC234"), random.Random(people)

    def both(answer: commands.Outcome) -> None:
        for event in execute(table, answer):
            other.apply(event, NOW)
        assert table == other

    both(commands.create(protocol.TableRequest(variant, [protocol.SeatRequest()] * people, pause=0)))
    names = [f"Person {i}" for i in range(people)]
    both(commands.join(table, names, names))
    while table.game and not table.game.over:
        seat = rng.choice(table.game.to_act)
        option = rng.choice(list(table.game.view(seat).options))
        message = protocol.Decide(table.code, seat, table.game.turn, table.game.phase, option, f"c{table.seq}")
        both(commands.decide(table, message))


@pytest.mark.parametrize("variant", [*variant_ids(), "cards+jokers"])
def test_views_do_not_depend_on_earlier_ones(variant: str) -> None:
    """What the builder caches changes no view, during a game or at its end."""
    table, rng, builder = table_of(3, variant, hints=True), random.Random(3), ViewBuilder()
    while table.state != "over":
        play_on(table, rng, rng.choice([1, 1, 7]))
        for seat, view in _views(table).items():
            own = {hash_of(table.seats[seat].name or "")} if seat is not None else set()
            assert builder.build(table, Everybody(), own, NOW) == view


def test_secrets_are_in_no_view() -> None:
    table = table_of(3)
    execute(table, commands.offer_handover(table, "Person 0", "HANDOVER", NOW + 1))
    for view in _views(table).values():
        for seat in table.seats:
            assert seat.secret_hash
            assert seat.secret_hash.encode() not in view
        assert hash_of("HANDOVER").encode() not in view


@pytest.mark.parametrize("variant", ["cards", "cards-mixx-b+jokers"])
def test_a_hidden_colour_changes_nobody_elses_view(variant: str) -> None:
    """Whatever colours the cards have that a seat does not hold, its views are the same to the byte."""
    deck = Game(variant, 3, seed=1).deal().split(" ")
    for seat in (None, 0, 1, 2):
        own = {place for place in range(12) if place % 3 == seat}
        twins = [_dealt(variant, deck), _dealt(variant, _recoloured(deck, own))]
        for _ in range(2):
            one, other = (_views(table)[seat] for table in twins)
            assert one == other
            for table in twins:
                assert table.game
                if table.game.phase == "take" and seat != 0:
                    decide(table, 0, next(iter(table.game.view(0).options)))


@pytest.mark.parametrize("variant", ["cards", "cards-mixx-b+jokers"])
def test_the_state_for_hints_holds_nothing_hidden(variant: str) -> None:
    """Whatever cards are hidden from a seat, at every decision of a game its options and its state are the same."""
    table, rng, others = table_of(3, variant, hints=True), random.Random(4), 0
    while (game := table.game) and not game.over:
        for seat in game.to_act:
            other = copy.copy(table)
            other.game = determinize(game.variant, game.players, game.view(seat).state, rng)
            assert other.game.hands[seat] == game.hands[seat]
            others += other.game.hands != game.hands
            one, same = _own(table, seat), _own(other, seat)
            assert one["options"] == same["options"]
            state = list(game.view(seat).state)
            assert one["state"] == " ".join(map(str, (LAYOUT, *state)))
            state[kernel.DRAWN] = 0  # from the sampled pile, which is what is left
            assert same["state"] == " ".join(map(str, (LAYOUT, *state)))
        play_on(table, rng, 1)
    assert others > 20


def test_the_state_is_sent_for_hints_in_card_games_to_those_who_are_to_act() -> None:
    for hints in (False, True):
        for variant in ("classic", "cards"):
            table, rng = table_of(2, variant, hints=hints), random.Random(5)
            for _ in range(12):
                assert table.game
                for seat in range(2):
                    wanted = hints and variant == "cards" and seat in table.game.to_act
                    assert ("state" in _own(table, seat)) is wanted
                play_on(table, rng, 1)


def _own(table: Table, seat: int) -> dict[str, Any]:
    """What the view of a seat shows to its player only."""
    view = ViewBuilder().build(table, Everybody(), {table.seats[seat].secret_hash or ""}, NOW)
    (own,) = msgspec.json.decode(view)["own"]
    return cast("dict[str, Any]", own)


def test_guessing_colours_reveals_nothing() -> None:
    """A card of the display is taken by its number: named with its colour it is refused, right or wrong."""
    table = _dealt("cards", Game("cards", 3, seed=1).deal().split(" "))
    assert table.game
    for colour in "rygb":
        with pytest.raises(Refused) as refused:
            decide(table, 0, f"{colour}{table.game.display[0][1:]}")
        assert refused.value.values["rule"] == "cards"
        assert refused.value.values["options"] == sorted(table.game.view(0).options)


def _recoloured(deck: list[str], own: set[int]) -> list[str]:
    """The deck with the cards of every number changed round, but for those in some places."""
    found = list(deck)
    for number in {card[1:] for card in deck}:
        places = [place for place, card in enumerate(deck) if card[1:] == number and place not in own]
        for place, other in zip(places, places[1:] + places[:1], strict=True):
            found[place] = deck[other]
    return found


def _dealt(variant: str, deck: list[str]) -> Table:
    table = Table("ABC234")
    execute(table, commands.create(protocol.TableRequest(variant, [protocol.SeatRequest()] * 3, pause=0, hints=True)))
    seated = [events.Seated(seat, f"Person {seat}", f"Person {seat}") for seat in range(3)]
    execute(table, [*seated, events.Started((0, 1, 2)), events.Dealt(" ".join(deck))])
    return table


def test_decks_are_shuffled() -> None:
    """Chance: every card lies on top equally often, and no two decks are alike."""
    decks = [_first_chance("cards") for _ in range(2200)]
    tops = Counter(deck.cards.split(" ")[0] for deck in decks if isinstance(deck, events.Dealt))
    assert len(tops) == 44
    assert all(20 < count < 85 for count in tops.values())
    assert len(set(decks)) == len(decks)


def _first_chance(variant: str) -> events.AnyEvent:
    """What chance does when a game for two starts."""
    plans = (events.SeatPlan("random"), events.SeatPlan("random"))
    return commands.apply_events(Table("ABC234"), [events.Created(variant, plans), events.Started((0, 1))], NOW)[-1]


def test_dice_are_even_and_leave_with_their_rows() -> None:
    """Chance: every face of every die comes up equally often; a closed row's die is written as a dot."""
    from rowlock import parse

    counts = [[0] * 7 for _ in range(6)]
    for _ in range(6000):
        rolled = _first_chance("classic")
        assert isinstance(rolled, events.Rolled)
        for die, face in enumerate(rolled.dice.replace("-", "")):
            counts[die][int(face)] += 1
    assert all(850 < count < 1150 for die in counts for count in die[1:])
    rolls = "\n".join(
        f"{turn}. {dice} {mark} / -"
        for turn, dice, mark in [
            (1, "11-6666", "R2"),
            (2, "12-6666", "R3"),
            (3, "22-6666", "R4"),
            (4, "23-6666", "R5"),
            (5, "33-6666", "R6"),
            (6, "66-1111", "R12#"),
        ]
    )
    closed = parse(f'[Variant "classic"]\n[Players "Anna"]\n\n{rolls}\n')
    left = Table("ABC234", game=closed).draw_chance(1, NOW)
    assert isinstance(left, events.Rolled)
    assert left.dice[3] == "."


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "length"),
        ("x" * 41, "length"),
        (" Anna", "space"),
        ("An;na", "character"),
        ("An\nna", "character"),
        ("\u202e\u200b", "invisible"),
        ("\u3164 \u2800", "invisible"),
        ("An\u200bna", "invisible"),
        ("An\u200dna", "invisible"),
        ("Anna\ufeff", "invisible"),
        ("Anna\U000e0100", "invisible"),
        ("Anna\u180b", "invisible"),
        ("\u202eannA", "invisible"),
        ("Anna\u3164", "invisible"),
        ("An\xadna", "invisible"),
        ("Anna\U00016fe4", "invisible"),
        ("Anna\U0001d159", "invisible"),
    ],
)
def test_names_are_what_a_record_can_hold(name: str, reason: str) -> None:
    table = Table("ABC234")
    execute(table, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2, pause=0)))
    with pytest.raises(Refused) as refused:
        commands.join(table, [name], ["hash"])
    assert (refused.value.code, refused.value.values) == ("name", {"reason": reason})


@pytest.mark.parametrize("name", ["Ånna", "安娜", "👩\u200d🚀", "?", "نیم\u200cفاصله"])
def test_names_in_any_script(name: str) -> None:
    table = Table("ABC234")
    execute(table, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2, pause=0)))
    execute(table, commands.join(table, [name], ["hash"]))
    assert table.seats[0].name == name


def test_people_take_the_seats_they_want() -> None:
    table = Table("ABC234")
    execute(table, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 4, pause=0)))
    execute(table, commands.join(table, ["Anna", "Ben"], ["a", "b"], [2, None]))
    assert [seat.name for seat in table.seats] == ["Ben", None, "Anna", None]
    for seats in ([2], [7]):
        with pytest.raises(Refused) as refused:
            commands.join(table, ["Chloe"], ["c"], seats)
        assert (refused.value.code, refused.value.values) == ("seat-taken", {"free": [1, 3]})
    with pytest.raises(Refused, match="seat-taken"):
        commands.join(table, ["Chloe", "Dora"], ["c", "d"], [1, 1])


def test_nobody_shares_a_name() -> None:
    table = Table("ABC234")
    execute(
        table,
        commands.create(
            protocol.TableRequest(
                "classic", [protocol.SeatRequest()] * 2 + [protocol.SeatRequest("greedy")] * 2, pause=0
            )
        ),
    )
    assert [seat.name for seat in table.seats] == [None, None, "greedy", "greedy 2"]
    alike = [["Anna", "Anna"], ["Anna", "Аnnа"], ["Ilse", "llse"], ["Jo B", "Jo\xa0B"], ["Arnold", "Amold"]]
    alike += [["vvilma", "wilma"], ["VVilma", "Wilma"], ["Ærnst", "AEmst"], ["Bjørn", "Bjo\u0338m"]]
    for names in (["greedy 2"], ["gгееdу"], *alike):
        with pytest.raises(Refused, match="name-taken"):
            commands.join(table, names, ["a", "b"][: len(names)])
    execute(table, commands.join(table, ["Zoë", "Zoe"], ["a", "b"]))


def test_hints_are_for_one_person_or_for_tables_that_allow_them() -> None:
    """A host who allows them does so for the rematch, too."""
    one, two = protocol.SeatRequest(), [protocol.SeatRequest()] * 2
    for seats, asked, allowed in (([one], False, True), (two, False, False), (two, True, True)):
        table = Table("ABC234")
        (created,) = execute(table, commands.create(protocol.TableRequest("classic", seats, pause=0, hints=asked)))
        assert isinstance(created, events.Created)
        assert (table.hints, created.hints) == (allowed, asked)
        assert msgspec.json.decode(ViewBuilder().build(table, Everybody(), [], NOW))["hints"] is allowed
        names = [f"Person {i}" for i in range(len(seats))]
        execute(table, commands.join(table, names, [hash_of(name) for name in names]))
        rematch = commands.rematch_table(table, range(len(seats)))[0]
        assert isinstance(rematch, events.Created)
        assert rematch.hints is asked
    bots = Table("ABC234")
    execute(bots, commands.create(protocol.TableRequest("classic", [one, protocol.SeatRequest("greedy")], pause=0)))
    assert bots.hints


def test_lucky_numbers_can_be_chosen() -> None:
    """Longo: pairs stay with the seats they were given to."""
    table = Table("ABC234")
    request = protocol.TableRequest(
        "longo", [protocol.SeatRequest(lucky=[6, 11]), protocol.SeatRequest(lucky=[4, 9])], pause=0
    )
    execute(table, commands.create(request))
    execute(table, commands.join(table, ["Anna", "Ben"], ["a", "b"]))
    assert table.game
    assert dict(zip(table.game.players, table.game.lucky, strict=True)) == {"Anna": (6, 11), "Ben": (4, 9)}
    for bad in (
        [protocol.SeatRequest(lucky=[6, 6])],
        [protocol.SeatRequest(lucky=[4, 9])] * 2,
        [protocol.SeatRequest(lucky=[4, 9]), protocol.SeatRequest()],
    ):
        with pytest.raises(Refused, match="lucky"):
            commands.create(protocol.TableRequest("longo", bad, pause=0))
    with pytest.raises(Refused, match="lucky"):
        commands.create(protocol.TableRequest("classic", [protocol.SeatRequest(lucky=[4, 9])], pause=0))


@pytest.mark.parametrize("variant", ["cards", "cards-mixx-a+jokers"])
def test_a_view_holds_all_that_a_seat_may_know(variant: str) -> None:
    """The game that a client makes of it has the same hand, options and sheets for its seat."""
    table, rng = table_of(3, variant), random.Random(3)
    while table.game and not table.game.over:
        game = table.game
        for seat, view in _views(table).items():
            if seat is not None:
                found, wanted = game_of(protocol.reply_decoder.decode(view)).view(seat), game.view(seat)
                assert (found.cards, found.sheets) == (wanted.cards, wanted.sheets)
                assert seat not in game.to_act or found.options == wanted.options
                assert (found.turn, found.phase, found.closed) == (wanted.turn, wanted.phase, wanted.closed)
        play_on(table, rng, 1)


def _left_with_a_code() -> Table:
    """Anna has asked for a handover code, and left."""
    table = Table("ABC234")
    execute(
        table,
        commands.create(protocol.TableRequest("big-points", [protocol.SeatRequest()] * 2, pause=0)),
    )
    execute(table, commands.join(table, ["Anna"], [hash_of("anna")]))
    execute(table, commands.offer_handover(table, "anna", "HANDOVER", NOW + 1000))
    execute(table, commands.leave(table, protocol.Leave("ABC234", 0, "c1")))
    return table


@pytest.mark.parametrize("followed", [True, False])
def test_a_handover_code_does_not_outlive_leaving(*, followed: bool) -> None:
    """It takes over neither the seat of the next player nor an empty one."""
    table = _left_with_a_code()
    if followed:
        execute(table, commands.join(table, ["Ben"], [hash_of("ben")]))
    with pytest.raises(Refused, match="handover"):
        commands.claim(table, "HANDOVER", "thief", NOW)
    assert table.seats[0].name == ("Ben" if followed else None)


def test_whether_the_player_is_absent_comes_before_the_bot() -> None:
    table = table_of(2)
    with pytest.raises(Refused, match="not-absent"):
        commands.replace(table, protocol.Replace("ABC234", 1, "nobody", "c1"), [0], absent=False)


def test_a_client_ignores_fields_that_it_does_not_know() -> None:
    """A newer server may send them."""
    view = msgspec.json.decode(ViewBuilder().build(table_of(2), Everybody(), set(), NOW))
    known = protocol.reply_decoder.decode(msgspec.json.encode(view))
    view["weather"] = view["seats"][0]["share"] = "new"
    assert protocol.reply_decoder.decode(msgspec.json.encode(view)) == known


def test_a_copy_of_a_table_is_independent() -> None:
    table, rng = table_of(3, "classic", "greedy"), random.Random(1)
    play_on(table, rng, 10)
    before, other = copy.deepcopy(table), table.copy()
    assert _views(other) == _views(table)
    play_on(other, rng, 30)
    execute(other, commands.offer_handover(other, "Person 0", "HANDOVER", NOW + 1))
    assert _views(table) == _views(before)
    assert (table.seq, table.seats, table.processed, table.past_phases) == (
        before.seq,
        before.seats,
        before.processed,
        before.past_phases,
    )
