"""Upgrades the database schema."""

from pathlib import Path

import sqlalchemy as sa

SCRIPTS = Path(__file__).with_name("migrations")
LOCK = 0x726F776C  # the number of an advisory lock, chosen freely: only one server at a time upgrades a database


class UnknownVersion(Exception):
    """The database was used by a newer version of Rowlock, or by another program."""


def _versions() -> set[str]:
    """The versions of all migrations, read from the file names."""
    return {path.name.partition("_")[0] for path in (SCRIPTS / "versions").glob("[0-9]*.py")}


def newest() -> str:
    return max(_versions())


def version(connection: sa.Connection) -> str | None:
    """The version of a database; None for an empty database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version_num: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return version_num


def upgrade(connection: sa.Connection) -> None:
    """Run the migrations that are missing in this database."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    current = version(connection)
    if current == newest():
        return
    if current is not None and current not in _versions():
        raise UnknownVersion(
            f"it has version {current!r}, this Rowlock knows versions up to {newest()}; a newer Rowlock can open it"
        )
    # Imported only when needed, for a fast start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
