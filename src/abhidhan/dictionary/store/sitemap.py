"""Words of the sitemap: ranges of IDs, one for each file."""

from sqlalchemy import Integer, bindparam, exists, func, select

from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import word

_MAX_ID = CompiledQuery(select(func.max(word.c.id)))

_EARLIER = word.alias("earlier")

_WORDS_IN_RANGE = CompiledQuery(
    select(word.c.text, word.c.updated)
    .where(
        word.c.id > bindparam("after", type_=Integer),
        word.c.id <= bindparam("last", type_=Integer),
        # Words of several languages may have the same spelling, and then share a page.
        ~exists().where(
            _EARLIER.c.exact_key == word.c.exact_key, _EARLIER.c.text == word.c.text, _EARLIER.c.id < word.c.id
        ),
    )
    .order_by(word.c.id)
)


def find_max_word_id(connection: ReadConnection) -> int:
    """Return the greatest word ID; 0 if there are no words."""
    row = connection.row(_MAX_ID)
    return int(row[0] or 0) if row else 0


def list_sitemap_words(connection: ReadConnection, after: int, last: int) -> list[tuple[str, int]]:
    """List the distinct spellings with IDs above `after` up to `last`, with the time of change (seconds since 1970)."""
    return [(row[0], row[1]) for row in connection.rows(_WORDS_IN_RANGE, after=after, last=last)]
