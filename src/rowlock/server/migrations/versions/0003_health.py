"""Create the table into which health checks write."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    health = op.create_table("health", sa.Column("at", sa.BigInteger, nullable=False))
    op.bulk_insert(health, [{"at": 0}])
