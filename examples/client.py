"""A small bot for any Rowlock server: joins a table, or creates one against `greedy`, and plays a game.

python examples/client.py http://127.0.0.1:8000 [TABLE]
"""

import json
import secrets
import sys
import urllib.request
from typing import Any

from websockets.sync.client import connect


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
        socket.send(json.dumps({"type": "hello", "version": 2, "table": table, "secrets": [secret]}))
        for text in socket:
            view = json.loads(text)
            if view["type"] == "error":
                raise RuntimeError(view["code"])
            if view["type"] != "view":
                continue
            if view["state"] == "over":
                return dict(view["result"])
            for own in view["own"]:
                if own["options"]:
                    turn, phase = view["position"]["turn"], view["position"]["phase"]
                    decide = {"type": "decide", "table": table, "seat": own["seat"], "turn": turn, "phase": phase}
                    # The id makes it safe to send the same decision again.
                    command = {**decide, "option": choose(own["options"]), "id": f"{turn} {phase}"}
                    socket.send(json.dumps(command))
    raise RuntimeError("the server closed the connection")


if __name__ == "__main__":
    print(play(sys.argv[1].rstrip("/"), *sys.argv[2:3]))
