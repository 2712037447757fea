"""The steps by which a database gets its tables: one file a step, run by Alembic, the newest one last in REVISIONS."""

from abhidhan.schema.schema_revisions import REVISIONS

__all__ = ["REVISIONS"]
