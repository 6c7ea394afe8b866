"""Store with every event the hash of the one before."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("events", sa.Column("previous", sa.String(64), nullable=True))
