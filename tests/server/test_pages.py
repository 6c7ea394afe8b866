"""What browsers receive: files with cache headers, pages, links for other devices, replays of records."""

import asyncio
import json
import re
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

from starlette.requests import Request

from rowlock import Game, parse
from rowlock.server.api import RequestContext
from rowlock.server.files import Files, content_hash, list_files
from rowlock.server.links import public_url, qr_rows
from rowlock.server.previews import PICTURE_SIZE
from rowlock.server.settings import Settings
from rowlock.server.table_registry import TableRegistry
from tests.server.serving import Server

RECORD = """\
[Variant "classic"]
[Players "Mia; Noah"]
[Result "*"]

1. 23-4516 R5 - / B9
2. 66-2341 - G12 / -
"""
HTML = {"Accept": "text/html"}


def test_all_pages_are_one_file(server: Server) -> None:
    start = server.ask("/")
    assert start.status == 200
    assert start.headers["Cache-Control"] == "no-cache"
    for path in ("/t/ABCDEF", "/t/ABCDEF/replay", "/rules/longo", "/new"):
        assert server.ask(path).body == start.body


def test_a_page_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    tag = server.ask("/").headers["ETag"]
    assert server.ask("/", headers={"If-None-Match": tag}).status == 304


def test_browsers_get_a_page_for_an_unknown_address(server: Server) -> None:
    assert server.ask("/nowhere", headers=HTML).status == 404
    assert server.ask("/nowhere", headers=HTML).body == server.ask("/").body
    assert server.ask("/nowhere").json["code"] == "not-found"
    assert server.ask("/api/nowhere", headers=HTML).json["code"] == "not-found"
    assert server.ask("/../files.py").status == 404


def test_a_link_is_for_other_devices(server: Server) -> None:
    link = server.ask("/api/links", {"path": "/t/ABCDEF#take=XYZ"}).json
    assert link["address"] == f"{server.url}/t/ABCDEF#take=XYZ"
    assert len(link["qr"]) == len(link["qr"][0])
    assert server.ask("/api/links", {"path": "http://elsewhere"}).status == 400
    long = server.ask("/api/links", {"path": "/"}, headers={"Host": "h" * 4000})
    assert (long.status, long.json["code"]) == (400, "message")


def test_links_use_the_public_address() -> None:
    assert public_url("http://127.0.0.1:8000/", Settings()) == "http://127.0.0.1:8000"
    assert public_url("http://127.0.0.1:8000/", Settings(base_url="https://games.test/")) == "https://games.test"
    assert public_url("http://games.test:8000/", Settings(host="0.0.0.0")) == "http://games.test:8000"


def test_a_qr_code_is_a_square_with_its_finder_in_the_corner() -> None:
    rows = qr_rows("http://127.0.0.1:8000/t/ABCDEF")
    assert {len(row) for row in rows} == {len(rows)}
    assert [row[:7] for row in rows[:3]] == ["1111111", "1000001", "1011101"]


def test_any_record_can_be_replayed(server: Server) -> None:
    (game,) = server.ask("/api/replay", {"record": RECORD}).json["games"]
    assert game["table"] is None
    assert game["players"] == ["Mia", "Noah"]
    assert [(one["turn"], one["phase"]) for one in game["positions"]] == [
        (1, "white"),
        (1, "colour"),
        (2, "white"),
        (2, "colour"),
        (3, "roll"),
    ]
    assert game["positions"][-1]["sheets"][0]["rows"]["R"] == [5]


def test_a_record_that_breaks_a_rule_says_where(server: Server) -> None:
    answer = server.ask("/api/replay", {"record": RECORD.replace("R5", "R6")})
    assert answer.status == 400
    assert answer.json["code"] == "record"
    assert (answer.json["values"]["line"], answer.json["values"]["error"]) == (5, "sum")
    assert server.ask("/api/replay", {"record": ""}).json["code"] == "record"


def test_long_records_count_as_several_requests(tmp_path: Path) -> None:
    """A record file may be longer than other bodies, and counts as several requests."""
    many = {"record": "\n".join([RECORD] * 300)}
    assert len(many["record"]) > 16384
    with Server(tmp_path, requests_per_second=2, record_bytes=65536) as strict:
        with ThreadPoolExecutor(8) as pool:
            answers = sorted(pool.map(lambda _: strict.ask("/api/replay", many), range(8)), key=lambda one: one.status)
        assert len(answers[0].json["games"]) == 300
        assert (answers[-1].status, answers[-1].json["code"]) == (429, "too-fast")
        assert int(answers[-1].headers["Retry-After"]) >= 1
        time.sleep(1)
        long = strict.ask("/api/replay", {"record": " " * 65536})
        assert (long.status, long.json) == (413, {"code": "too-large", "values": {"most": 65536}})


def test_a_long_record_does_not_hold_up_others(tmp_path: Path) -> None:
    """After every game it is the turn of the others."""
    order = []

    def games(name: str, count: int) -> Iterator[Game]:
        for _ in range(count):
            order.append(name)
            yield parse(RECORD)

    async def work() -> None:
        context = RequestContext(TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'x.db'}")))
        request = Request({"type": "http", "client": ("127.0.0.1", 1), "headers": []})
        await asyncio.gather(
            context.replay(request, 1, games("long", 3)), context.replay(request, 1, games("short", 1))
        )
        await context.registry.close()

    asyncio.run(work())
    assert order == ["long", "short", "long", "long"]


def test_the_answer_to_a_long_record_is_limited(tmp_path: Path) -> None:
    """One of several games; a single game is not."""
    with Server(tmp_path, replay_bytes=1024) as server:
        assert len(server.ask("/api/replay", {"record": RECORD}).body) > 1024
        answer = server.ask("/api/replay", {"record": "\n".join([RECORD] * 200)})
        assert (answer.status, answer.json) == (413, {"code": "too-large", "values": {"most": 1024}})


def test_without_a_built_client_the_page_says_so(tmp_path: Path) -> None:
    page = asyncio.run(Files(tmp_path).response("index.html", Request({"type": "http", "headers": []})))
    assert page
    assert bytes(page.body).startswith(b"The browser client is not built")


def test_files_with_hashed_names_are_cached_for_ever(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "assets" / "main-abc.js").write_text("let a = 1;\n" * 200)
    files = Files(tmp_path)
    request = Request({"type": "http", "headers": [(b"accept-encoding", b"gzip, br")]})
    script = asyncio.run(files.response("assets/main-abc.js", request))
    assert script
    assert script.headers["Content-Encoding"] == "gzip"
    assert "immutable" in script.headers["Cache-Control"]
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert asyncio.run(files.response("assets/other.js", request)) is None


def service_worker(files: dict[str, bytes]) -> bytes:
    return list_files({name: content.__bytes__ for name, content in files.items()})["sw.js"]()


def test_the_service_worker_lists_the_files_of_the_client() -> None:
    """Those that it fetches at once, and weights, which it keeps when a game has fetched them."""
    files = {
        "index.html": b"page",
        "sw.js": b"start();",
        "icon.svg": b"icon",
        "icon-512.png": b"large icon",
        "assets/index-abc.js": b"script",
        "local/rowlock.wasm": b"kernel",
        "local/weights/classic.bin": b"weights",
    }
    first, rest = service_worker(files).decode().split("\n", 1)
    listed = json.loads(first.removeprefix("self.clientFiles = ").removesuffix(";"))
    assert listed["precached"] == {
        ".": content_hash(b"page"),
        "icon.svg": content_hash(b"icon"),
        "assets/index-abc.js": None,
        "local/rowlock.wasm": content_hash(b"kernel"),
    }
    assert listed["kept"] == ["local/weights/classic.bin"]
    assert rest == "start();"
    assert service_worker({**files, "local/rowlock.wasm": b"newer"}) != service_worker(files)


def test_browsers_look_for_a_new_service_worker(server: Server) -> None:
    worker = server.ask("/sw.js")
    assert worker.headers["Cache-Control"] == "no-cache"
    assert worker.headers["Content-Type"].startswith("text/javascript")
    assert worker.body.startswith(b"self.clientFiles = {")


def test_a_file_counts_as_a_part_of_a_request(tmp_path: Path) -> None:
    """A service worker fetches dozens of files at once; the requests of a game must still be answered."""
    with Server(tmp_path, requests_per_second=4) as strict:
        assert [strict.ask("/icon.svg").status for _ in range(60)] == [200] * 60
        assert strict.ask("/api/bots").status == 200


def test_variants_hold_the_numbers_of_their_rules(server: Server) -> None:
    longo = next(one for one in server.ask("/api/variants").json["variants"] if one["id"] == "longo")
    assert longo["points"] == [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120]
    assert (longo["misthrow_cost"], longo["misthrows_to_end"], longo["rows_to_end"]) == (5, 4, 2)


def preview_of(server: Server, path: str, language: str = "en") -> dict[str, str]:
    """The tags of a link preview, as a messenger reads them."""
    page = server.ask(path, headers={"Accept-Language": language}).body.decode()
    return {
        name: unescape(value) for name, value in re.findall(r'<meta property="og:([\w:]+)" content="(.*?)" />', page)
    }


def test_links_have_a_preview_with_a_picture(server: Server) -> None:
    found = preview_of(server, "/")
    assert found["title"] == "Rowlock"
    assert found["description"].startswith("Roll, mark, lock")
    assert found["image"] == f"{server.url}/link-preview.png"
    picture = server.ask("/link-preview.png")
    assert picture.headers["Content-Type"] == "image/png"
    assert struct.unpack(">II", picture.body[16:24]) == PICTURE_SIZE
    assert len(picture.body) <= 60_000


def test_the_preview_of_an_invite_link_names_game_and_host(server: Server) -> None:
    """Never a secret, and nothing that the code alone does not show."""
    table = server.create(2, "longo")
    assert preview_of(server, f"/t/{table}") == preview_of(server, "/")  # nobody is there
    (secret,) = server.join(table, "<b>&Zoë")
    assert preview_of(server, f"/t/{table}")["title"] == "<b>&Zoë invites you: Longo"
    assert preview_of(server, f"/t/{table.lower()}", "fr, de;q=0.8")["title"] == "<b>&Zoë lädt dich ein: Longo"
    page = server.ask(f"/t/{table}").body.decode()
    assert "<b>" not in page
    assert secret not in page
    assert server.invites[table] not in page
    server.join(table, "Ben")  # the game starts
    assert preview_of(server, f"/t/{table}") == preview_of(server, "/")
