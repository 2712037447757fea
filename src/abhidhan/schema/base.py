"""What all tables share: their metadata, text that compares alike on both engines, and columns that name a record."""

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
"""Text that compares by code point on both engines: PostgreSQL's own default is the database's locale."""


def name_column(name: str, target: str, *, nullable: bool = False, index: bool = False) -> Column[int]:
    """Make a column that names a record of another table."""
    return Column(name, Integer, ForeignKey(target), nullable=nullable, index=index)
