"""Bringing a database up to date."""

from pathlib import Path

import sqlalchemy as sa

SCRIPTS = Path(__file__).with_name("migrations")
LOCK = 0x726F776C  # any number: only one server at a time changes a shared database


def newest() -> str:
    """The version of the last migration there is; their files are named by it."""
    return max(path.name.partition("_")[0] for path in (SCRIPTS / "versions").glob("[0-9]*.py"))


def version(connection: sa.Connection) -> str | None:
    """The version of a database, None for an empty one."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return found


def upgrade(connection: sa.Connection) -> None:
    """Run the migrations that this database has not seen."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    if version(connection) == newest():
        return
    # Imported where it is needed: a server that starts again is there sooner.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
