"""The last letters of a key, backwards: the one thing that each engine writes in its own way."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

ENDING_LETTERS: Final = 4
"""How many last letters of a key are in order, which tells enough: beside it stands the length of the key."""


class Ending(FunctionElement[str]):
    """The last letters of a key, the last one first: `retaw`, cut to `reta`, for water."""

    inherit_cache = True
    type = Text()

    def __init__(self, key: ColumnElement[str]) -> None:
        """Take the key."""
        super().__init__(key)


def ending_of(text: str) -> str:
    """Return of a text what the database has of a key."""
    return text[: -ENDING_LETTERS - 1 : -1]


# SQLite cannot turn text round, so that its letters are taken one by one.


@compiles(Ending, "sqlite")
def _on_sqlite(element: Ending, compiler: SQLCompiler, **rest: Any) -> str:  # noqa: ANN401  # as SQLAlchemy calls it
    key = compiler.process(element.clauses, **rest)
    return f"({' || '.join(f'substr({key}, -{place}, 1)' for place in range(1, ENDING_LETTERS + 1))})"


@compiles(Ending, "postgresql")
def _on_postgresql(element: Ending, compiler: SQLCompiler, **rest: Any) -> str:  # noqa: ANN401  # as SQLAlchemy calls it
    key = compiler.process(element.clauses, **rest)
    return f"reverse(right({key}, {ENDING_LETTERS}))"
