"""What all processes know together of the wikis that are asked for articles."""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert as insert_on_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_on_sqlite

from abhidhan.encyclopedia.model.wiki_rate_limit import Wiki
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.database import Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import wiki

_ALL = select(wiki.c.address, wiki.c.closed_until, wiki.c.failures).order_by(wiki.c.address)
_WIKIS = Query(_ALL)


def read(reader: Reader) -> dict[str, Wiki]:
    """Read what is known of every wiki that was ever asked, by address."""
    return {row[0]: _wiki(*row) for row in reader.rows(_WIKIS)}


def read_or_add(writer: Writer, addresses: Sequence[str]) -> dict[str, Wiki]:
    """Read the rows of these addresses in a transaction that writes."""
    insert = insert_on_sqlite if writer.dialect.name == "sqlite" else insert_on_postgresql
    unknown = [_values(Wiki(address=address)) for address in addresses]
    writer.execute(insert(wiki).values(unknown).on_conflict_do_nothing(index_elements=[wiki.c.address]))
    return {row[0]: _wiki(*row) for row in writer.execute(_ALL.where(wiki.c.address.in_(addresses)))}


def save(writer: Writer, changed: Wiki) -> None:
    """Store what is known of a wiki now."""
    writer.execute(update(wiki).where(wiki.c.address == changed.address).values(_values(changed)))


def _wiki(address: str, free_at: int, failures: int) -> Wiki:
    return Wiki(address=address, free_at=free_at, failures=failures)


def _values(one: Wiki) -> dict[str, str | int]:
    return {"address": one.address, "closed_until": one.free_at, "failures": one.failures}
