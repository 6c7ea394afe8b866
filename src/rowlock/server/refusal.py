"""The codes with which the server refuses messages and requests; clients translate them into texts."""

# code: (HTTP status, meaning, names of the values that a refusal may contain)
CODES: dict[str, tuple[int, str, tuple[str, ...]]] = {
    "message": (400, "a message or body that cannot be read", ("reason",)),
    "too-large": (413, "a message or body that is too long", ("most",)),
    "too-fast": (429, "too many messages, requests or tables in a short time; try again later", ("seconds",)),
    "connections": (429, "too many connections", ("most",)),
    "version": (400, "the server uses another version of the protocol", ("version",)),
    "origin": (403, "pages of this origin may not use this server", ()),
    "not-found": (404, "there is nothing at this address", ()),
    "method": (405, "this address does not accept this method", ()),
    "history": (409, "the stored history of the table has been changed; the table cannot continue", ()),
    "storage": (503, "the table cannot be read or stored at the moment; try again later", ()),
    "no-table": (404, "there is no such table", ()),
    "server-full": (429, "the server keeps as many tables as it may; old ones are deleted in time", ("most",)),
    "busy": (503, "the server has too much to do and opens no new tables at the moment; games that run go on", ()),
    "draining": (503, "the server is about to stop and opens no new tables; games that run go on", ()),
    "tables": (429, "the connection follows too many tables", ("most",)),
    "not-followed": (400, "the connection does not follow this table; send hello first", ()),
    "variant": (400, "there is no such variant", ("variants",)),
    "variant-file": (400, "the file does not describe a variant that can be played", ("reason",)),
    "bot": (400, "there is no such bot, or it cannot play at such a table", ("bots",)),
    "lucky": (400, "the lucky numbers are not possible here", ("reason",)),
    "sheet": (400, "the game has no such sheet", ("sheets",)),
    "name": (400, "a name that a record cannot hold, or with invisible characters", ("reason",)),
    "name-taken": (409, "another player at the table has this name or one that looks like it", ("name",)),
    "seat-taken": (409, "the seat is not free", ("free",)),
    "full": (409, "not enough free seats", ("free",)),
    "started": (409, "the game has started", ()),
    "not-started": (409, "the game has not started", ()),
    "not-starting": (409, "no start waits for a share of this seat", ()),
    "share": (409, "not the share of the commitment, a second one, or others have not committed yet", ()),
    "no-secrets": (409, "the chance of this table does not follow from secrets that can be checked", ()),
    "not-over": (409, "the game is not over", ()),
    "secret": (403, "no seat of the table has this secret, or a new secret is already in use", ()),
    "not-yours": (403, "the connection does not hold this seat", ("seat",)),
    "invite": (403, "the game has started: this needs the invite link or the secret of a seat", ()),
    "closed": (403, "the host has closed the table to others", ()),
    "not-host": (403, "only the host of the table may do this", ()),
    "handover": (403, "this handover code is wrong or has expired", ()),
    "record": (400, "a record that breaks a rule or has no game", ("line", "error", "reason")),
    "past": (409, "that decision is over", ("turn", "phase")),
    "early": (409, "that decision is not open yet", ("turn", "phase")),
    "not-to-act": (409, "another player is to decide", ("to_act",)),
    "dice": (409, "these dice cannot be entered here", ("reason",)),
    "not-to-roll": (409, "another player enters the dice, or the server rolls them", ("seats",)),
    "dice-stand": (409, "the dice are entered, and a person has decided on them or somebody has corrected them", ()),
    "dice-changed": (409, "the dice have been corrected since", ()),
    "decided": (409, "the seat has decided; withdraw first", ()),
    "illegal": (409, "the option is not legal", ("rule", "options")),
    "not-decided": (409, "there is no decision to withdraw", ()),
    "no-takeback": (409, "this decision cannot be taken back now", ()),
    "no-request": (409, "there is no request to answer", ()),
    "limit": (409, "this has been done too often at this table", ("most",)),
    "late": (409, "the time for this decision is over", ()),
    "id-reused": (409, "another command has used this id", ()),
    "not-absent": (409, "the player is neither absent nor undecided for long enough", ("seat",)),
    "no-person": (409, "no person plays on this seat", ("seat",)),
}

MAX_REASON_LENGTH = 200  # characters of a JSON error that a refusal with the code `message` repeats


class Refused(Exception):
    """A refusal of a message or request, with a code of `CODES` and the values of this code."""

    def __init__(self, code: str, **values: object) -> None:
        self.status, _, value_names = CODES[code]
        assert set(values) <= set(value_names), code
        self.code, self.values = code, values
        super().__init__(code)


def codes_table() -> str:
    """The codes as a Markdown table."""
    lines = ["| code | HTTP | what it means | values |", "|---|---|---|---|"]
    for code, (status, meaning, value_names) in CODES.items():
        lines.append(f"| `{code}` | {status} | {meaning} | {', '.join(f'`{name}`' for name in value_names)} |")
    return "\n".join(lines) + "\n"
