"""What Alembic runs: the missing steps, on the connection and in the transaction that `migrate.py` gives it."""

from alembic import context
from sqlalchemy import Connection

connection: Connection = context.config.attributes["connection"]
# SQLite can undo CREATE TABLE too, so that a step that fails leaves nothing behind on either engine.
context.configure(connection=connection, transactional_ddl=True, transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
