"""Nearby words in the alphabet: the words just before and just after a place."""

from sqlalchemy import Integer, LargeBinary, Select, Text, bindparam, literal_column, select, tuple_, union_all

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import word

_PLACE = tuple_(word.c.sort_key, word.c.text)
_HERE = tuple_(bindparam("sort_key", type_=LargeBinary), bindparam("text", type_=Text))
_SPELLINGS: Select[tuple[str]] = select(word.c.text).where(
    word.c.language_id == bindparam("language_id", type_=Integer)
)
_LIMIT = bindparam("limit", type_=Integer)

_BEFORE = _SPELLINGS.where(_PLACE < _HERE).order_by(word.c.sort_key.desc(), word.c.text.desc()).limit(_LIMIT)
_AFTER = _SPELLINGS.where(_PLACE > _HERE).order_by(word.c.sort_key, word.c.text).limit(_LIMIT)
# Both engines read the parts of a union one after the other, each in its own order.
_BOTH = Query(
    union_all(
        select(literal_column("0", Integer), _BEFORE.subquery().c.text),
        select(literal_column("1", Integer), _AFTER.subquery().c.text),
    )
)


def around(reader: Reader, language_id: int, sort_key: bytes, text: str, limit: int) -> tuple[list[str], list[str]]:
    """List the spellings before and after a place in a language's order, nearest first."""
    rows = reader.rows(_BOTH, language_id=language_id, sort_key=sort_key, text=text, limit=limit)
    return [spelling for follows, spelling in rows if not follows], [spelling for follows, spelling in rows if follows]
