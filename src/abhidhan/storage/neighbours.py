"""Nearby words in the alphabet: the words just before and just after a place."""

from sqlalchemy import Integer, LargeBinary, Select, Text, bindparam, select, tuple_

from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import word

_PLACE = tuple_(word.c.sort_key, word.c.text)
_HERE = tuple_(bindparam("sort_key", type_=LargeBinary), bindparam("text", type_=Text))
_SPELLINGS: Select[tuple[str]] = select(word.c.text).where(
    word.c.language_id == bindparam("language_id", type_=Integer)
)
_LIMIT = bindparam("limit", type_=Integer)

_BEFORE = Query(_SPELLINGS.where(_PLACE < _HERE).order_by(word.c.sort_key.desc(), word.c.text.desc()).limit(_LIMIT))
_AFTER = Query(_SPELLINGS.where(_PLACE > _HERE).order_by(word.c.sort_key, word.c.text).limit(_LIMIT))


def before(reader: Reader, language_id: int, sort_key: bytes, text: str, limit: int) -> list[str]:
    """List the spellings before a place in a language's order, nearest first."""
    rows = reader.rows(_BEFORE, language_id=language_id, sort_key=sort_key, text=text, limit=limit)
    return [row[0] for row in rows]


def after(reader: Reader, language_id: int, sort_key: bytes, text: str, limit: int) -> list[str]:
    """List the spellings after a place in a language's order, nearest first."""
    rows = reader.rows(_AFTER, language_id=language_id, sort_key=sort_key, text=text, limit=limit)
    return [row[0] for row in rows]
