"""The Alembic migrations of the database schema, one file per revision.

Entry point: `versions`, with the newest revision last in `REVISIONS` (`schema/schema_revisions.py`);
`platform.database.migrate` runs them, in one transaction.
Tables: all of them. A migration must not change after its release, nor import tables of the schema, which change later.
"""

from abhidhan.schema.schema_revisions import REVISIONS

__all__ = ["REVISIONS"]
