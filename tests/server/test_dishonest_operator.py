"""An operator who cheats over real sockets: whatever else a device is shown or sent for, it notices at the end."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

from rowlock.rules.fairness import commitment
from rowlock.server.client import Client, ServerError
from tests.server.serving import Server, person

Message = dict[str, Any]
OWN_SHARE = "ab" * 32  # which the operator puts into the place of another


def honest(_: Message) -> None:
    pass


@dataclass
class Operator:
    """Stands between a device and a server: changes what the device is shown, what it sends, and the record."""

    server: Server
    show: Callable[[Message], None] = honest
    send: Callable[[Message], None] = honest
    record: Callable[[bytes], bytes | None] = field(default=lambda record: record)

    def __enter__(self) -> "Operator":
        self._listener = serve(self._relay, "127.0.0.1", 0, process_request=self._answer)
        self.url = f"http://127.0.0.1:{self._listener.socket.getsockname()[1]}"
        self._thread = Thread(target=self._listener.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._thread.join()

    def _answer(self, _: ServerConnection, request: Request) -> Response | None:
        if request.path == "/api/socket":
            return None
        found = self.server.ask(request.path, headers={"Authorization": request.headers["Authorization"]})
        body = self.record(found.body)
        if body is None:
            return Response(503, "", Headers({"Content-Length": "2"}), b"{}")
        return Response(200, "", Headers({"Content-Length": str(len(body))}), body)

    def _relay(self, device: ServerConnection) -> None:
        with connect(self.server.socket_url) as server, suppress(ConnectionClosed):

            def pass_on() -> None:
                with suppress(ConnectionClosed):
                    for frame in device:
                        message = json.loads(frame)
                        self.send(message)
                        server.send(json.dumps(message))
                server.close()

            Thread(target=pass_on).start()
            for frame in server:
                message = json.loads(frame)
                if message["type"] == "view":
                    self.show(message)
                device.send(json.dumps(message))


def play(*devices: Client) -> None:
    """Everybody takes the first option, to the end."""
    streams: dict[Client, Iterator[Any]] = {device: device.views() for device in devices}
    while streams:
        for device, views in list(streams.items()):
            view = next(views, None)
            if view is None:
                del streams[device]
                continue
            for own in view.own:
                if own.options:
                    device.decide(view, own.seat, own.options[0].option)


def judge(operator: Operator, variant: str = "classic") -> tuple[str, str]:
    """What the device of this operator finds after a game, and an honest one at the same table."""
    table = operator.server.create(2, variant)
    anna, ben = person("Anna")["secret"], person("Ben")["secret"]
    cheated = Client.join(f"{operator.server.url}/{table}", {"Anna": anna})
    other = Client.join(f"{operator.server.url}/{table}", {"Ben": ben})
    cheated.server = operator.url
    play(cheated, other)
    return cheated.verify_chance(), other.verify_chance()


def other_roll(dice: Message | None) -> None:
    if dice:
        dice["roll"] = f"{dice['white'][0] % 6 + 1}{dice['roll'][1:]}"


def other_dice(view: Message) -> None:
    """The dice of turn 2 are others, as long as the game goes on and after it."""
    for turn in view["log"][1:2]:
        other_roll(turn["dice"])
    if view["position"] and view["position"]["turn"] == 2:
        other_roll(view["position"]["dice"])


class OtherDiceOnce:
    """One view only has other dice."""

    done = False

    def __call__(self, view: Message) -> None:
        position = view["position"]
        if position and position["dice"] and not self.done:
            self.done = True
            other_roll(position["dice"])


def other_players(view: Message) -> None:
    if view["position"]:
        view["seats"].reverse()


def other_seed(view: Message) -> None:
    if view["start"]:
        view["start"]["commitment"] = "00" * 32


def other_commitment(view: Message) -> None:
    for seat in view["start"]["seats"] if view["start"] else []:
        if view["seats"][seat["seat"]]["name"] == "Ben" and seat["commitment"]:
            seat["commitment"] = "00" * 32


def other_order_of_shares(view: Message) -> None:
    if view["start"]:
        view["start"]["seats"].reverse()


def other_hand(view: Message) -> None:
    for own in view["own"]:
        own["hand"] = [("y" if card[0] == "r" else "r") + card[1:] for card in own["hand"]]


def other_top(view: Message) -> None:
    cards = view["position"] and view["position"]["cards"]
    if cards and cards["top"]:
        cards["top"] = cards["top"] % 12 + 1


def other_display(view: Message) -> None:
    if view["position"] and view["position"]["turn"] == 1:
        display = view["position"]["cards"]["display"]
        display[0] = "?2" if display[0].startswith("?12") else "?12"


def other_discards(view: Message) -> None:
    cards = view["position"] and view["position"]["cards"]
    if cards and view["position"]["turn"] == 3:
        cards["discards"] = cards["discards"][1:]


def other_seed_and_a_lost_seat(view: Message) -> None:
    other_seed(view)
    if view["state"] == "over":
        view["own"] = []


def other_seed_and_no_rolls(view: Message) -> None:
    other_seed(view)
    if view["position"]:
        view["dice"] = "entered"


@dataclass
class ReplacedShare:
    """The operator's own share takes the place of the device's; the device may see its own commitment all the time."""

    hidden: bool
    promise: str | None = None

    def send(self, message: Message) -> None:
        if message["type"] == "commit":
            self.promise, message["commitment"] = message["commitment"], commitment(OWN_SHARE)
        if message["type"] == "share":
            message["share"] = OWN_SHARE

    def show(self, view: Message) -> None:
        for seat in view["start"]["seats"] if view["start"] else []:
            if self.hidden and seat["commitment"] == commitment(OWN_SHARE):
                seat["commitment"] = self.promise


@pytest.mark.parametrize("variant", ["classic", "cards+jokers"])
def test_an_honest_operator(server: Server, variant: str) -> None:
    with Operator(server) as operator:
        assert judge(operator, variant) == ("checked", "checked")


@pytest.mark.parametrize(
    ("variant", "show"),
    [
        *[("classic", lie) for lie in (other_dice, OtherDiceOnce(), other_players)],
        *[("classic", lie) for lie in (other_seed, other_commitment, other_order_of_shares)],
        *[("classic", lie) for lie in (other_seed_and_a_lost_seat, other_seed_and_no_rolls)],
        *[("cards+jokers", lie) for lie in (other_hand, other_top, other_display, other_discards, other_players)],
    ],
)
def test_who_is_shown_something_else_notices_it(server: Server, variant: str, show: Callable[[Message], None]) -> None:
    """The record is right, so the others notice nothing."""
    with Operator(server, show) as operator:
        assert judge(operator, variant) == ("wrong", "checked")


def test_a_share_that_is_not_taken_is_noticed(server: Server) -> None:
    """The device is shown a start without it: it says that none of the secrets is its own."""

    def without(view: Message) -> None:
        own = [own["seat"] for own in view["own"]]
        for seat in view["start"]["seats"] if view["start"] else []:
            seat["shares"] = seat["shares"] and seat["seat"] not in own

    table = server.create(2)
    one = person("Anna")
    server.ask(f"/api/tables/{table}/seats", {"people": [one]})  # the operator leaves `shares` out
    with Operator(server, without) as operator:
        anna = Client(operator.url, table, [one["secret"]])
        ben = Client.join(f"{server.url}/{table}", {"Ben": person("Ben")["secret"]})
        play(anna, ben)
        assert (anna.verify_chance(), anna.share_giver.without_share) == ("published", ["Anna"])
        assert (ben.verify_chance(), ben.share_giver.without_share) == ("checked", ["Anna"])


@pytest.mark.parametrize("hidden", [False, True])
def test_a_share_cannot_be_replaced(server: Server, hidden: bool) -> None:
    replaced = ReplacedShare(hidden)
    with Operator(server, replaced.show, replaced.send) as operator:
        assert judge(operator) == ("wrong", "checked")
        assert replaced.promise


@pytest.mark.parametrize("record", [b"", b"[Variant", b"\xff", b'[Variant "classic"]\n[Players "Anna; Ben"]\n'])
def test_a_broken_record_is_wrong(server: Server, record: bytes) -> None:
    with Operator(server, record=lambda _: record) as operator:
        assert judge(operator) == ("wrong", "checked")


def test_a_record_that_is_not_given_is_reported(server: Server) -> None:
    with Operator(server, record=lambda _: None) as operator, pytest.raises(ServerError):
        judge(operator)
