"""The command `rowlock`."""


def main() -> None:
    raise SystemExit("nothing here yet")
