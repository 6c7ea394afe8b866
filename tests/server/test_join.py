"""`rowlock join` in a terminal: start, take back, leave and return, substitute bots, rematches."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Server, person, start


class Terminal:
    """A terminal that runs `rowlock join`; `seen` is its output."""

    def __init__(self, home: Path, server: Server, table: str, *options: str) -> None:
        self._keyboard, inside = pty.openpty()
        words = ["join", f"{server.url}/{table}", *options]
        changes = {"ROWLOCK_HOME": str(home), "LC_ALL": "C.UTF-8", "LANGUAGE": "", "TERM": "dumb"}
        size = {"COLUMNS": "120", "LINES": "60"}
        self.process = start(words, inside, inside, inside, {**changes, **size}, fork=True)
        os.close(inside)
        self.seen, self._read = "", 0

    def type(self, text: str) -> "Terminal":
        os.write(self._keyboard, f"{text}\n".encode())
        return self

    def sees(self, *texts: str) -> str:
        """Wait for one of these texts in the output after the last match, and return it."""
        until = time.monotonic() + 120
        while True:
            rest = self.seen[self._read :]
            found = [text for text in texts if text in rest]
            if found:
                first = min(found, key=rest.index)
                self._read += rest.index(first) + len(first)
                return first
            ready = select.select([self._keyboard], [], [], max(0.0, until - time.monotonic()))[0]
            assert ready, f"{texts} not in {rest}"
            try:
                self.seen += os.read(self._keyboard, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
            except OSError:
                raise AssertionError(f"{texts} not in {rest}") from None

    def end(self) -> int:
        return self.process.wait(60)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._keyboard)


Join = Callable[..., Terminal]


@pytest.fixture
def join(tmp_path: Path) -> Iterator[Join]:
    """Opens terminals that share one data directory."""
    opened: list[Terminal] = []

    def open_one(server: Server, table: str, name: str, *options: str) -> Terminal:
        opened.append(Terminal(tmp_path / "home", server, table, "--name", name, *options))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture(scope="module")
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("brisk"), absent_seconds=0.5) as running:
        yield running


def _seats(server: Server, table: str) -> dict[str, Any]:
    return {seat["name"]: seat for seat in server.ask(f"/api/tables/{table}").json["seats"]}


def test_start_take_back_leave_and_come_back(brisk: Server, join: Join) -> None:
    table = brisk.create(3)
    anna = join(brisk, table, "Anna")
    anna.sees("2 seats free")
    ben = join(brisk, table, "Ben")
    ben.sees("one seat free")
    anna.type("u").sees("There is nothing to take back")
    anna.type("start")
    for terminal, name in ((anna, "Anna> "), (ben, "Ben> ")):
        terminal.sees(name)
    anna.type("nonsense").sees("NONSENSE is not a mark", "Anna> ")
    anna.type("0").sees("Your decision: -. Still to decide: Ben.")
    anna.type("u").sees("White action, ")
    anna.type("0").sees("Your decision: -")
    anna.type("bot").sees("still has time to decide")

    double = join(brisk, table, "Ben")
    double.sees("rowlock: Ben is at this table already; another player needs another --name\n")
    assert double.end() == 1
    ben.process.send_signal(signal.SIGINT)
    ben.sees(f"The seat is kept. Come back with: rowlock join {brisk.url}/{table} --name Ben\n")
    assert ben.end() == 130

    anna.sees("Ben: absent.")
    anna.type("bot nobody").sees("There is no such bot")
    anna.type("bot random").sees("White action: ")
    assert _seats(brisk, table)["Ben"]["bot"] == "random"

    ben = join(brisk, table.lower(), "Ben")
    ben.sees("White action: ")
    until = time.monotonic() + 60
    while _seats(brisk, table)["Ben"]["bot"] is not None:
        assert time.monotonic() < until
    for terminal in (anna, ben):
        terminal.type("q").sees("The seat is kept.")
        assert terminal.end() == 0


def test_a_player_is_asked_again_after_a_take_back(brisk: Server, join: Join) -> None:
    """The other player takes the white action back, so the colour action is asked for again."""
    table = brisk.create(2, seconds=600)
    anna, ben = join(brisk, table, "Anna"), join(brisk, table, "Ben")
    anna_begins = anna.sees("Turn 1: Anna", "Turn 1: Ben") == "Turn 1: Anna"
    active, other = (anna, ben) if anna_begins else (ben, anna)
    for terminal in (active, other):
        terminal.sees("White action, ")
        terminal.type("0")
    active.sees("x misthrow")
    other.sees("White action: ")
    other.type("u").sees("You have asked to take your decision back.")
    active.sees("asks to take a decision back.")
    active.type("agree").sees("Your decision: -. Still to decide: ")
    other.sees("White action, ")
    other.type("0")
    active.sees("x misthrow")
    active.type("0").sees("Colour action: ")
    assert "Your time is over" not in active.seen


def test_no_bot_replaces_one_of_several_who_may_enter_the_dice(brisk: Server, join: Join) -> None:
    table = brisk.create(2, dice="entered-by-anybody")
    anna, ben = join(brisk, table, "Anna"), join(brisk, table, "Ben")
    for terminal in (anna, ben):
        terminal.sees("the dice (")
    anna.type("bot").sees("Nobody is absent.")


def test_rematch(brisk: Server, join: Join, tmp_path: Path) -> None:
    table = brisk.create(1)
    anna = join(brisk, table, "Anna")
    while anna.sees("Anna> ", "r plays a rematch") == "Anna> ":
        anna.type("0")
    assert "Over, Anna marked the last misthrow." in anna.seen
    anna.type("r").sees("Turn 1: Anna")
    rematch = brisk.ask(f"/api/tables/{table}").json["rematch"]["table"]
    anna.process.send_signal(signal.SIGINT)
    assert anna.end() == 130
    again = join(brisk, rematch, "Anna")
    again.sees("Turn 1: Anna")
    again.type("q")
    assert again.end() == 0
    # The seat of the game that is over is kept no more.
    kept = list((tmp_path / "home" / "seats").iterdir())
    assert sorted(file.suffix for file in kept) == ["", ".shares"]
    assert [file.stat().st_mode & 0o077 for file in kept] == [0, 0]


@pytest.mark.parametrize(
    ("lost", "text"),
    [(False, "All dice or cards follow from the secrets of all players"), (True, "None of them is from this device")],
)
def test_the_dice_are_checked_after_a_restart(brisk: Server, join: Join, tmp_path: Path, lost: bool, text: str) -> None:
    """The shares are beside the seat; without them the check says what it cannot know."""
    table = brisk.create(1)
    anna = join(brisk, table, "Anna")
    anna.sees("Anna> ")
    anna.process.send_signal(signal.SIGINT)
    assert anna.end() == 130
    seats = tmp_path / "home" / "seats"
    [shares] = seats.glob("*.shares")
    if lost:
        shares.unlink()
    anna = join(brisk, table, "Anna")
    while anna.sees("Anna> ", "r plays a rematch") == "Anna> ":
        anna.type("0")
    assert text in anna.seen
    anna.type("q")
    assert anna.end() == 0
    assert list(seats.iterdir()) == []


def test_join_reconnects_to_a_server_that_restarts(join: Join, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        table = server.create(1)
        anna = join(server, table, "Anna")
        anna.sees("Anna> ", "Turn 1")
        server.stop()
        anna.sees("The connection is lost; trying again …")
        server.start()
        until = time.monotonic() + 60
        while not _seats(server, table)["Anna"]["connected"]:
            assert time.monotonic() < until
        anna.type("q")
        assert anna.end() == 0


def test_a_sheet_is_chosen_with_the_seat(brisk: Server, join: Join) -> None:
    """Connected: players may choose their sheets when they sit down, also the same one (section 8)."""
    table = brisk.create(3, "connected-a")
    refused = join(brisk, table, "Anna", "--sheet", "F")
    refused.sees("rowlock: This game has no such sheet. Its sheets are A, B, C, D and E.\n")
    assert refused.end() == 1
    refused = join(brisk, table, "Anna", "--sheet", "A,B")
    refused.sees("rowlock: --sheet must be one letter, such as C, not 'A,B'\n")
    assert refused.end() == 2
    anna = join(brisk, table, "Anna", "--sheet", "d")
    anna.sees("2 seats free")
    anna.type("q").sees(f"Come back with: rowlock join {brisk.url}/{table} --name Anna --sheet d\n")
    late = join(brisk, table, "Anna", "--sheet", "E")
    late.sees("rowlock: You have your seat already; its sheet can no longer be chosen.\n")
    assert late.end() == 1
    anna = join(brisk, table, "Anna", "--sheet", "D")
    anna.sees("2 seats free")
    ben = join(brisk, table, "Ben", "--sheet", "D")
    ben.sees("one seat free")
    anna.type("start").sees("Anna> ")
    anna.type("s").sees("sheet D")
    letters = [sheet["letter"] for sheet in brisk.ask(f"/api/tables/{table}").json["position"]["sheets"]]
    assert letters == ["D", "D"]
    anna.type("q").sees("The seat is kept.")
    assert anna.end() == 0
    join(brisk, table, "Anna", "--sheet", "D").sees("Anna> ")
    late = join(brisk, table, "Anna", "--sheet", "A")
    late.sees("is at this table already")


def test_who_gives_no_share_of_the_dice_is_named_before_the_start(brisk: Server, join: Join) -> None:
    table = brisk.create(3)
    anna = join(brisk, table, "Anna")
    anna.sees("2 seats free, waiting for the others.\n")
    brisk.ask(f"/api/tables/{table}/seats", {"people": [person("Zoe")]})
    anna.sees("one seat free, waiting for the others. The device of Zoe does not help to roll or shuffle.")


def test_a_game_with_one_kind_of_sheet_has_none_to_choose(brisk: Server, join: Join) -> None:
    anna = join(brisk, brisk.create(1), "Anna", "--sheet", "A")
    anna.sees("rowlock: This game has no such sheet.\n")
    assert anna.end() == 1


def test_cards_at_a_table(brisk: Server, join: Join) -> None:
    """Shows the own hand and the numbers of other cards; cards are taken and played as in a local game."""
    anna = join(brisk, brisk.create([None, "random"], "cards+jokers"), "Anna")
    while anna.sees("Take a card by its number", "Announced number") == "Announced number":
        anna.sees("Anna> ")
        anna.type("0")
    anna.sees("Anna> ")
    display = re.findall(r"display +\[(\d+)\]", anna.seen)
    hand = re.findall(r"your hand +(.+)", anna.seen)[-1].split()
    assert len(hand) == 4
    assert re.search(r"^random +(\[\d+\] ?){4}", anna.seen, re.MULTILINE)
    anna.type("r99").sees("Take one card by its number")
    anna.type(display[-1]).sees(f"Taken: Anna {display[-1]}; the pile shows")
    anna.sees("Announced number")
    anna.type("0").sees("Number ")
    anna.sees("Play cards (no mark yet")
    anna.type(f"{hand[0]}x").sees("is no play")
    anna.type("?").sees("Play one to three cards")
    if anna.type(hand[0]).sees("Mark with", "That marks nothing") == "Mark with":
        anna.type("u").sees("Play cards")
    anna.type("1").sees("Played: Anna ")
    anna.sees(": random")
    anna.sees("Taken: random ")
    anna.type("q").sees("The seat is kept.")
    assert anna.end() == 0
    assert not re.search(r"Taken: .*[rygbj]\d", anna.seen)


def test_bots_join_a_card_table(brisk: Server, join: Join, tmp_path: Path) -> None:
    table = brisk.create(2, "cards-mixx-a")
    bots = [Terminal(tmp_path / name, brisk, table, "--name", name, "--bot", "greedy") for name in ("Anna", "Ben")]
    try:
        for bot in bots:
            bot.sees("Winner")
            bot.sees("All dice or cards follow from the secrets of all players: nobody could choose them.")
            assert bot.end() == 0
    finally:
        for bot in bots:
            bot.close()


def test_a_seat_that_cannot_be_kept_is_not_taken(brisk: Server, join: Join, tmp_path: Path) -> None:
    """If the secret cannot be saved, no seat is taken."""
    table = brisk.create(1)
    (tmp_path / "home").write_text("not a folder")
    anna = join(brisk, table, "Anna")
    anna.sees("rowlock: the seat cannot be saved: ")
    assert anna.end() == 2
    assert _seats(brisk, table) == {None: brisk.ask(f"/api/tables/{table}").json["seats"][0]}


def test_input_that_ends_leaves_the_table(brisk: Server, tmp_path: Path) -> None:
    """Without a line for the first decision the seat is kept; lines left after the game start no rematch."""
    for lines, end in (("", "The seat is kept."), ("0\n" * 400, "r plays a rematch")):
        table = brisk.create(1)
        joined = subprocess.run(
            [sys.executable, "-m", "rowlock", "join", f"{brisk.url}/{table}", "--name", "Anna"],
            input=lines,
            capture_output=True,
            text=True,
            timeout=180,
            env={**os.environ, "ROWLOCK_HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "LANGUAGE": ""},
            check=True,
        )
        assert end in joined.stdout


def test_the_prompt_ends_at_the_deadline(brisk: Server, join: Join) -> None:
    table = brisk.create(1, seconds=5)
    anna = join(brisk, table, "Anna")
    anna.sees("White action, ")
    anna.sees("White action: Anna -.", "Over")  # nobody has typed anything
    anna.sees("Colour action:")
    anna.sees("Anna> ")
    anna.type("0").sees("Colour action: Anna x")


def test_the_time_limit_and_the_deadline_are_shown(server: Server, join: Join) -> None:
    table = server.create(2, seconds=5)
    server.join(table, "Ben")
    anna = join(server, table, "Anna")
    anna.sees("You have 5 seconds.", "You have 4 seconds.")
    anna.sees("Your time is over: you pass.")
    late = join(server, table, "Carl")
    late.sees(f"The game has started already. Open {server.url}/t/{table} in a browser to watch.")
    assert late.end() == 1


@pytest.mark.slow
def test_open_a_table_for_a_bot(brisk: Server, tmp_path: Path) -> None:
    """The bot of a file plays against one of the server; others could join at the link that is printed."""
    bot = Path(__file__).parents[2] / "examples" / "patient.py"
    options = (
        "--open",
        "--bot",
        f"{bot}:Patient(limit=2)",
        "--against",
        "random",
        "--variant",
        "longo",
        "--seats",
        "2",
    )
    terminal = Terminal(tmp_path / "home", brisk, "", *options)
    terminal.sees(f"The table is open. Others join here: {brisk.url}/t/")
    terminal.sees("Winner")
    assert "Patient(limit=2)" in terminal.seen
    assert terminal.end() == 0
    terminal.close()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--variant", "longo"), "--variant, --seats and --against are for a new table: --open"),
        (("--open", "--against", "random,random", "--seats", "2"), "2 bots and you need 3 seats, not 2"),
        (("--open", "--against", "nobody"), "There is no such bot"),
        (("--open", "--variant", "chess"), "there is no variant 'chess'"),
        (("--open", "--bot", "nowhere.py"), "nowhere.py: there is no such file"),
    ],
)
def test_a_table_that_cannot_be_opened(brisk: Server, tmp_path: Path, options: tuple[str, ...], text: str) -> None:
    terminal = Terminal(tmp_path / "home", brisk, "", *options)
    terminal.sees(text)
    assert terminal.end() in (1, 2)
    terminal.close()
