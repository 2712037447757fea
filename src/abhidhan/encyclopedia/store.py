"""The article cache, and the request state of each wiki, which all processes share."""

from collections.abc import Iterator, Sequence

import msgspec
from sqlalchemy import Integer, Text, bindparam, delete, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as insert_on_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_on_sqlite

from abhidhan.encyclopedia.model.wiki_rate_limit import WikiState
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
_HEADWORDS_BY_LOOSE_KEY = CompiledQuery(
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


def read_article(connection: ReadConnection, language_id: int, key: str) -> Article | None:
    """Return the cached article of a cleaned title in a language; None if it was never fetched."""
    row = connection.row(_ARTICLE, language_id=language_id, key=key)
    if row is None:
        return None
    return msgspec.convert(dict(zip(Article.__struct_fields__, row, strict=True)), Article, strict=False)


def save_article(writer: WriteConnection, entry: Article, *, delete_before: int) -> None:
    """Insert or replace a cached article, and delete some misses that expired before `delete_before`."""
    values = msgspec.structs.asdict(entry) | {"disambiguation": int(entry.disambiguation)}
    insert = insert_on_sqlite if writer.dialect.name == "sqlite" else insert_on_postgresql
    insertion = insert(article).values(values)
    writer.execute(insertion.on_conflict_do_update(index_elements=[article.c.language_id, article.c.key], set_=values))
    expired_misses = (
        select(article.c.language_id, article.c.key)
        .where(article.c.outcome == ArticleOutcome.NO_ARTICLE, article.c.renew_after < delete_before)
        .limit(SWEEP_BATCH_SIZE)
    )
    writer.execute(delete(article).where(tuple_(article.c.language_id, article.c.key).in_(expired_misses)))


def delete_articles(writer: WriteConnection, *, only_missing: bool = False, stale_at: int | None = None) -> int:
    """Delete all cached articles, only misses, or only those stale at `stale_at`; return the number deleted."""
    deletion = delete(article)
    if only_missing:
        deletion = deletion.where(article.c.outcome != ArticleOutcome.FOUND)
    if stale_at is not None:
        deletion = deletion.where(article.c.renew_after <= stale_at)
    return writer.execute(deletion).rowcount


def find_headwords_by_loose_key(connection: ReadConnection, loose_key: str, language_id: int) -> list[str]:
    """List the headwords of a language with the given loose key."""
    return [row[0] for row in connection.rows(_HEADWORDS_BY_LOOSE_KEY, loose_key=loose_key, language_id=language_id)]


def iter_headwords(connection: ReadConnection, language_id: int) -> Iterator[str]:
    """Yield the headwords of a language, each once, in code-point order; read in batches."""
    after = ""
    while rows := connection.rows(_HEADWORDS, language_id=language_id, after=after):
        yield from (row[0] for row in rows)
        after = rows[-1][0]


def read_wikis(connection: ReadConnection) -> dict[str, WikiState]:
    """Return the request states of all wikis by address."""
    return {row[0]: _build_wiki(*row) for row in connection.rows(_WIKIS)}


def read_or_add_wikis(writer: WriteConnection, addresses: Sequence[str]) -> dict[str, WikiState]:
    """Return the states of wikis within a write transaction; insert the missing rows."""
    insert = insert_on_sqlite if writer.dialect.name == "sqlite" else insert_on_postgresql
    new_rows = [_wiki_values(WikiState(address=address)) for address in addresses]
    writer.execute(insert(wiki).values(new_rows).on_conflict_do_nothing(index_elements=[wiki.c.address]))
    return {row[0]: _build_wiki(*row) for row in writer.execute(_ALL_WIKIS.where(wiki.c.address.in_(addresses)))}


def save_wiki(writer: WriteConnection, state: WikiState) -> None:
    """Store the state of a wiki."""
    writer.execute(update(wiki).where(wiki.c.address == state.address).values(_wiki_values(state)))


def _build_wiki(address: str, free_at: int, failures: int) -> WikiState:
    return WikiState(address=address, free_at=free_at, failures=failures)


def _wiki_values(state: WikiState) -> dict[str, str | int]:
    return {"address": state.address, "closed_until": state.free_at, "failures": state.failures}
