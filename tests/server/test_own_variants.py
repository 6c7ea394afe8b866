"""Own variants at a table: from the server's directory, or from a file that whoever opens the table sends along."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from rowlock.rules.notation import RecordError, read
from rowlock.rules.variant import parse_variant
from rowlock.server.client import Client
from rowlock.server.settings import SettingError, Settings
from rowlock.server.table_registry import TableRegistry
from tests.server.playing import Device
from tests.server.serving import Server

OWN = """\
format = 1
id = "brief"
sheet = "classic"
misthrows_to_end = 2
misthrow_cost = 3
swaps = [[8, 5], [7, 4]]

[name]
en = "Brief"

[about]
en = "Two misthrows end it."
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    folder = tmp_path / "variants"
    folder.mkdir()
    (folder / "brief.toml").write_text(OWN, encoding="utf-8")
    return folder


def test_a_directory_offers_its_variants_to_all(tmp_path: Path, directory: Path) -> None:
    """A table keeps the file: without the directory its game goes on."""
    server = Server(tmp_path, variants=directory)
    with server:
        offered = {one["id"]: one for one in server.ask("/api/variants").json["variants"]}
        assert (offered["brief"]["misthrows_to_end"], offered["brief"]["misthrow_cost"]) == (2, 3)
        assert offered["brief"]["name"] == {"en": "Brief", "de": "Brief", "nl": "Brief"}
        assert "greedy" in server.ask("/api/bots").json["bots"]
        table = server.create([None, "greedy"], "brief")
        device = Device(server, table, server.join(table, "Anna"))
        asyncio.run(device.play(2))
    with Server(tmp_path) as again:
        assert "brief" not in {one["id"] for one in again.ask("/api/variants").json["variants"]}
        assert again.ask("/api/tables", {"variant": "brief", "seats": [{}]}).json["code"] == "variant"
        view = asyncio.run(Device(again, table, device.secrets).play())
        assert view["result"]["reason"] in ("rows", "misthrows")


def test_its_sheets_can_be_printed(tmp_path: Path, directory: Path) -> None:
    with Server(tmp_path, variants=directory) as server:
        offered = server.ask("/local/sheets/brief-de-letter.pdf")
        uploaded = server.ask("/api/sheets", {"file": OWN, "language": "de", "paper": "letter"})
        assert offered.body == uploaded.body
        assert (offered.headers["Content-Type"], uploaded.headers["Content-Type"]) == ("application/pdf",) * 2
        assert PdfDocument(offered.body)[0].get_size() == (612, 792)
        assert server.ask("/local/sheets/classic-nl-a4.pdf").body.startswith(b"%PDF-")
        assert server.ask("/local/sheets/classic-fr-a4.pdf").status == 404
        assert server.ask("/api/sheets", {"file": "format = 2"}).json["code"] == "variant-file"
        assert server.ask("/api/sheets", {"file": OWN, "paper": "a5"}).json["code"] == "message"


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("a.toml", "format = 2", "a.toml: format must be 1, not 2"),
        ("a.toml", OWN, "brief.toml: another file in .* has the id brief"),
        ("a.toml", OWN.replace('"brief"', '"longo"'), "a.toml: id must not be longo, which is built in"),
    ],
)
def test_a_wrong_file_in_the_directory_stops_the_start(directory: Path, name: str, text: str, error: str) -> None:
    (directory / name).write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match=error):
        TableRegistry(Settings(variants=str(directory)))
    with pytest.raises(SettingError, match=r"variants must be a directory, .*none is none"):
        TableRegistry(Settings(variants=str(directory / "none")))


def test_an_uploaded_variant_is_checked_before_the_table_is_opened(server: Server) -> None:
    checked = server.ask("/api/variants", {"file": OWN}).json
    assert checked["variant"]["id"] == "brief"
    assert checked["variant"]["misthrow_cost"] == 3
    assert {"random", "greedy", "evolved"} <= set(checked["bots"]["bots"])
    assert "champion" not in checked["bots"]["bots"]


def test_an_uploaded_variant_is_played_and_replayed(server: Server) -> None:
    """Two people, the second one in a program that has never seen the file; then the record with the file."""
    table = server.create(2, "brief", variant_file=OWN)
    anna, ben = server.join(table, "Anna", "Ben")
    device = Device(server, table, [anna, ben])
    view = asyncio.run(device.play())
    variant = parse_variant(OWN)
    assert view["variant_hash"] == variant.identity
    own = server.ask(f"/api/tables/{table}/variant").json
    assert own["file"] == OWN
    record = server.ask(f"/api/tables/{table}/record").body
    assert f'[VariantHash "{variant.identity}"]'.encode() in record
    (game,) = read(record, variants=[parse_variant(own["file"])])
    assert list(game.scores) == view["result"]["scores"]
    with pytest.raises(RecordError, match="written for another file of brief"):
        list(read(record, variants=[parse_variant(OWN.replace("cost = 3", "cost = 4"))]))
    replayed = server.ask(f"/api/tables/{table}/replay").json
    assert replayed["result"]["scores"] == view["result"]["scores"]
    client = Client(server.url, table, [anna])
    assert client.game_of(next(client.views())).scores == game.scores


def test_a_bot_and_a_rematch_know_the_variant(server: Server) -> None:
    table = server.create([None, "evolved"], "brief", variant_file=OWN)
    device = Device(server, table, server.join(table, "Anna"))

    async def play_twice() -> str:
        await device.play()
        await device.open()
        seat = (await device.next_view())["own"][0]["seat"]
        await device.command(type="rematch", seat=seat, agree=True)
        view = await device.until_view(lambda view: view["rematch"] and view["rematch"]["table"])
        await device.close()
        code: str = view["rematch"]["table"]
        return code

    again = asyncio.run(play_twice())
    server.invites[again] = server.invites[table]
    assert server.ask(f"/api/tables/{again}/variant").json["file"] == OWN


def test_the_file_of_a_running_game_needs_its_link(server: Server) -> None:
    table = server.create(["greedy", "greedy"], "brief", variant_file=OWN)
    assert server.ask(f"/api/tables/{table}/variant", headers={"Authorization": "Bearer x"}).json["code"] == "invite"
    built_in = server.create(["greedy", "greedy"])
    assert server.ask(f"/api/tables/{built_in}/variant").json["code"] == "variant"


@pytest.mark.parametrize(
    ("file", "code", "reason"),
    [
        ("x" * 1_000_000, "too-large", ""),
        (OWN + "".join(f"[rows.R{i}]\n" for i in range(10_000)), "too-large", ""),
        (OWN.replace("cost = 3", "cost = 0x" + "f" * 9000), "variant-file", "misthrow_cost must be a whole"),
        (OWN.replace('en = "Brief"', "en" + ".a" * 4000 + " = 1"), "variant-file", "name.en must be one line of text"),
        ("a = " + "[" * 11_000, "variant-file", "not a TOML file"),
        (OWN.replace("cost = 3", "cost = " + "9" * 9000), "variant-file", "not a TOML file"),
        (OWN.replace("cost = 3", "cost = 99999999999999999999"), "variant-file", "misthrow_cost must be a whole"),
        (OWN.replace('en = "Brief"', 'en = "Br\\u202eief"'), "variant-file", "name.en must be one line of text"),
        (OWN.replace('en = "Brief"', 'en = "Br\\u0007ief"'), "variant-file", "name.en must be one line of text"),
        (OWN + "".join(f"[rows.R{i}]\n" for i in range(800)), "variant-file", "rows.R is missing"),
        (OWN.replace('"brief"', '"../../etc/passwd"'), "variant-file", "id must be lower-case letters"),
        (OWN.replace('"classic"', '"/etc/passwd"'), "variant-file", "sheet must be the sheet of"),
        (OWN.replace('"brief"', '"longo"'), "variant-file", "id must not be longo"),
        ("", "variant-file", "format is missing; add the line format = 1 at the top"),
        ("\x00", "variant-file", "not a TOML file"),
    ],
)
def test_a_hostile_file_is_refused_with_one_line(server: Server, file: str, code: str, reason: str) -> None:
    """Nothing is stored."""
    stored = stored_tables(server)
    for path, body in (
        ("/api/variants", {"file": file}),
        ("/api/tables", {"variant": "brief", "variant_file": file, "seats": [{"bot": "greedy"}]}),
    ):
        answer = server.ask(path, body)
        assert answer.json["code"] == code
        told = answer.json["values"].get("reason", "")
        assert reason in told
        assert "\n" not in told
        assert len(told) < 400
    assert stored_tables(server) == stored


def stored_tables(server: Server) -> int:
    with closing(sqlite3.connect(server.directory / "rowlock.db")) as database:
        found: int = database.execute("select count(distinct table_id) from events").fetchone()[0]
    return found


def test_a_name_that_the_file_does_not_have(server: Server) -> None:
    """Also no path of the server."""
    for name in ("other", "brief+jokers", "/etc/passwd.toml", "brief.toml"):
        body = {"variant": name, "variant_file": OWN, "seats": [{"bot": "greedy"}]}
        assert server.ask("/api/tables", body).json["code"] == "variant"
    assert server.ask("/api/tables", {"variant": "/tmp/x.toml", "seats": [{}]}).json["code"] == "variant"
