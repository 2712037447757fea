"""The article cache, and the request state of each wiki, which all processes share."""

from collections.abc import Iterator, Sequence

import msgspec
from sqlalchemy import Integer, Text, bindparam, delete, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as insert_on_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_on_sqlite

from abhidhan.encyclopedia.model.wiki_rate_limit import Wiki
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.encyclopedia_articles import Article, ArticleOutcome
from abhidhan.schema import article, wiki, word

SWEEP_BATCH_SIZE = 20
"""Number of expired misses deleted when an entry is stored; more than one, so that the number of misses shrinks."""

HEADWORDS_BATCH_SIZE = 500

_ARTICLE = CompiledQuery(
    select(*(article.c[name] for name in Article.__struct_fields__)).where(
        article.c.language_id == bindparam("language_id", type_=Integer), article.c.key == bindparam("key", type_=Text)
    )
)
_HEADWORDS = CompiledQuery(
    select(word.c.text)
    .where(word.c.language_id == bindparam("language_id", type_=Integer), word.c.text > bindparam("after", type_=Text))
    .order_by(word.c.text)
    .limit(HEADWORDS_BATCH_SIZE)
)
_SAME_LOOSE_KEY = CompiledQuery(
    select(word.c.text)
    .where(
        word.c.loose_key == bindparam("loose_key", type_=Text),
        word.c.language_id == bindparam("language_id", type_=Integer),
    )
    .order_by(word.c.id)
    .limit(10)
)
_ALL_WIKIS = select(wiki.c.address, wiki.c.closed_until, wiki.c.failures).order_by(wiki.c.address)
_WIKIS = CompiledQuery(_ALL_WIKIS)


def read_article(reader: ReadConnection, language_id: int, key: str) -> Article | None:
    """Return the cached article of a cleaned title in a language; None if it was never fetched."""
    row = reader.row(_ARTICLE, language_id=language_id, key=key)
    if row is None:
        return None
    return msgspec.convert(dict(zip(Article.__struct_fields__, row, strict=True)), Article, strict=False)


def save_article(writer: WriteConnection, saved: Article, *, forgotten_before: int) -> None:
    """Insert or replace a cached article, and delete some misses that expired before `delete_before`."""
    values = msgspec.structs.asdict(saved) | {"disambiguation": int(saved.disambiguation)}
    insert = insert_on_sqlite if writer.dialect.name == "sqlite" else insert_on_postgresql
    adding = insert(article).values(values)
    writer.execute(adding.on_conflict_do_update(index_elements=[article.c.language_id, article.c.key], set_=values))
    forgotten = (
        select(article.c.language_id, article.c.key)
        .where(article.c.outcome == ArticleOutcome.NO_ARTICLE, article.c.renew_after < forgotten_before)
        .limit(SWEEP_BATCH_SIZE)
    )
    writer.execute(delete(article).where(tuple_(article.c.language_id, article.c.key).in_(forgotten)))


def purge(writer: WriteConnection, *, only_missing: bool = False, stale_at: int | None = None) -> int:
    """Delete all cached articles, only misses, or only those stale at `stale_at`; return the number deleted."""
    removing = delete(article)
    if only_missing:
        removing = removing.where(article.c.outcome != ArticleOutcome.FOUND)
    if stale_at is not None:
        removing = removing.where(article.c.renew_after <= stale_at)
    return writer.execute(removing).rowcount


def headwords_by_loose_key(reader: ReadConnection, loose_key: str, language_id: int) -> list[str]:
    """List the headwords of a language with the given loose key."""
    return [row[0] for row in reader.rows(_SAME_LOOSE_KEY, loose_key=loose_key, language_id=language_id)]


def headwords(reader: ReadConnection, language_id: int) -> Iterator[str]:
    """Yield the headwords of a language, each once, in code-point order; read in batches."""
    after = ""
    while rows := reader.rows(_HEADWORDS, language_id=language_id, after=after):
        yield from (row[0] for row in rows)
        after = rows[-1][0]


def read_wikis(reader: ReadConnection) -> dict[str, Wiki]:
    """Return the request states of all wikis by address."""
    return {row[0]: _wiki(*row) for row in reader.rows(_WIKIS)}


def read_or_add_wikis(writer: WriteConnection, addresses: Sequence[str]) -> dict[str, Wiki]:
    """Return the states of wikis within a write transaction; insert the missing rows."""
    insert = insert_on_sqlite if writer.dialect.name == "sqlite" else insert_on_postgresql
    unknown = [_values(Wiki(address=address)) for address in addresses]
    writer.execute(insert(wiki).values(unknown).on_conflict_do_nothing(index_elements=[wiki.c.address]))
    return {row[0]: _wiki(*row) for row in writer.execute(_ALL_WIKIS.where(wiki.c.address.in_(addresses)))}


def save_wiki(writer: WriteConnection, changed: Wiki) -> None:
    """Store the state of a wiki."""
    writer.execute(update(wiki).where(wiki.c.address == changed.address).values(_values(changed)))


def _wiki(address: str, free_at: int, failures: int) -> Wiki:
    return Wiki(address=address, free_at=free_at, failures=failures)


def _values(state: Wiki) -> dict[str, str | int]:
    return {"address": state.address, "closed_until": state.free_at, "failures": state.failures}
