"""The metadata of all tables, a text type that compares the same way on both engines, and foreign key columns.

The engines are SQLite and PostgreSQL.
"""

from sqlalchemy import Column, ForeignKey, Integer, MetaData, Text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

CodePointText = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that compares by code point on both engines; the default of PostgreSQL is the locale of the database."""


def reference_column(name: str, target: str, *, nullable: bool = False, index: bool = False) -> Column[int]:
    """Return a column that references a record of another table."""
    return Column(name, Integer, ForeignKey(target), nullable=nullable, index=index)
