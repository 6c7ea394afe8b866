"""A small bot for any Rowlock server: joins a table, or creates one against `greedy`, and plays a game.

python examples/client.py http://127.0.0.1:8000 [TABLE]
"""

import json
import secrets
import sys
import urllib.request
from typing import Any

from websockets.sync.client import connect

TOO_LATE = ("decided", "past", "no-request")  # the next view shows what has happened instead


def post(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def choose(options: list[dict[str, Any]]) -> str:
    """Replace this by your strategy: it takes the first mark, or passes if there is none."""
    return str(next((one["option"] for one in options if one["marks"]), options[0]["option"]))


def play(server: str, table: str | None = None, name: str = "Example") -> dict[str, Any]:
    """Play one game and return its result."""
    if table is None:
        table = post(f"{server}/api/tables", {"variant": "classic", "seats": [{}, {"bot": "greedy"}]})["table"]
    secret = secrets.token_hex(32)  # proves that the seat is yours
    post(f"{server}/api/tables/{table}/seats", {"people": [{"name": name, "secret": secret}]})
    with connect(server.replace("http", "ws", 1) + "/api/socket") as socket:

        def send(**message: Any) -> None:
            socket.send(json.dumps({"table": table, "id": secrets.token_hex(8), **message}))

        send(type="hello", version=2, secrets=[secret])
        for text in socket:
            view = json.loads(text)
            if view["type"] == "error" and view["code"] not in TOO_LATE:
                raise RuntimeError(view["code"])
            if view["type"] != "view":
                continue
            if view["state"] == "over":
                return dict(view["result"])
            request, position = view["takeback"], view["position"]
            for own in view["own"]:
                seat = own["seat"]
                if own["options"]:
                    where = {"turn": position["turn"], "phase": position["phase"]}
                    send(type="decide", seat=seat, **where, option=choose(own["options"]))
                if request and seat not in (request["seat"], *request["agreed"]):  # somebody asks for a take-back
                    where = {"asker": request["seat"], "turn": request["turn"], "phase": request["phase"]}
                    send(type="agree", seat=seat, **where, agree=True)
    raise RuntimeError("the server closed the connection")


if __name__ == "__main__":
    print(play(sys.argv[1].rstrip("/"), *sys.argv[2:3]))
