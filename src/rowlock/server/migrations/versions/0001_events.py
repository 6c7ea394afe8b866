"""Create the table of events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    # A small partial index, to find running and ended games.
    landmarks = sa.text("kind IN ('started', 'ended')")
    op.create_index(
        "events_landmarks", "events", ["kind", "table_id"], sqlite_where=landmarks, postgresql_where=landmarks
    )
