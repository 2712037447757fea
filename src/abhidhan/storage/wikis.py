"""What all processes know together of the wikis that are asked for articles."""

import msgspec
from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert as insert_on_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_on_sqlite

from abhidhan.domain.wikis import Wiki
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import wiki

_ALL = select(*(wiki.c[name] for name in Wiki.__struct_fields__)).order_by(wiki.c.address)
_WIKIS = Query(_ALL)


def read(reader: Reader) -> dict[str, Wiki]:
    """Read what is known of every wiki that was ever asked, by address."""
    return {row[0]: _wiki(row) for row in reader.rows(_WIKIS)}


def read_or_add(writer: Writer, address: str) -> dict[str, Wiki]:
    """Read the same in a transaction that writes; `address` is among them."""
    insert = insert_on_sqlite if writer.dialect.name == "sqlite" else insert_on_postgresql
    unknown = msgspec.structs.asdict(Wiki(address=address))
    writer.execute(insert(wiki).values(unknown).on_conflict_do_nothing(index_elements=[wiki.c.address]))
    return {row[0]: _wiki(tuple(row)) for row in writer.execute(_ALL)}


def save(writer: Writer, changed: Wiki) -> None:
    """Keep what is known of a wiki now."""
    writer.execute(update(wiki).where(wiki.c.address == changed.address).values(msgspec.structs.asdict(changed)))


def _wiki(row: tuple[object, ...]) -> Wiki:
    return msgspec.convert(dict(zip(Wiki.__struct_fields__, row, strict=True)), Wiki)
