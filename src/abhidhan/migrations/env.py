"""The Alembic environment: runs the missing migrations on the connection and in the transaction of `migrate.py`."""

from alembic import context
from sqlalchemy import Connection

connection: Connection = context.config.attributes["connection"]
# SQLite can roll back CREATE TABLE too, so a failed migration leaves nothing behind on either engine.
context.configure(connection=connection, transactional_ddl=True, transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
