"""The steps by which a database gets its tables: one file a step, run by Alembic.

Entry point: `versions`, the newest step last in `REVISIONS` (`schema/schema_revisions.py`); `platform.database.migrate`
runs them, in one transaction.
Tables: all of them. A step must not change once it is released, nor import tables of the schema, which move on.
"""

from abhidhan.schema.schema_revisions import REVISIONS

__all__ = ["REVISIONS"]
