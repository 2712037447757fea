"""Change feed of records: written with each edit, read by clients that keep copies, and deleted after a time."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, Connection, Integer, Select, bindparam, delete, select, tuple_

from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.indexes import phrase_words, record_changes
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.change_feed import (
    Became,
    FeedPosition,
    Followed,
    StoredRun,
    TransactionChanges,
    affected_records,
    changed_spellings,
    relinked_word_ids,
    renamed_values,
)
from abhidhan.records.history import ChangeSet
from abhidhan.records.invalidation import collect_affected_records
from abhidhan.records.lookup_lists import ListName
from abhidhan.schema import idea, idea_context, idea_relation, phrase, record_change, sense, word

DELETE_BATCH_SIZE: Final = 1000
"""Maximum number of rows deleted in one transaction."""

ID_BATCH_SIZE: Final = 10_000

# --- recording -------------------------------------------------------------------------------------------------------


def log_changes(connection: Connection, change_set: ChangeSet) -> None:
    """Record which records an edit changes. This is a subscriber of the history."""
    changes = change_set.changes
    changed_records = affected_records(
        changes, idea_cache.affected_ideas(connection, collect_affected_records(changes))
    )
    if renamed := renamed_values(changes):
        log_renamed(connection, changed_records, renamed)
    respelled = {*changed_spellings(changes), *phrase_words.iter_spellings(connection, relinked_word_ids(changes))}
    changed_records.add_changed(Followed.PHRASE, phrase_words.find_phrases_with(connection, respelled))
    record_changes.save_changes(connection, changed_records, change_set.at)


def log_renamed(
    connection: Connection,
    changed_records: TransactionChanges,
    values: Collection[tuple[str, int]],
    languages: Collection[int] = (),
) -> None:
    """Record as changed all records whose responses contain the name of a list value (list, ID) or a language."""
    by_value = [(_RECORDS_BY_VALUE.get(list_name, {}), item_id) for list_name, item_id in sorted(values)]
    for queries, item_id in (*by_value, *((_OF_LANGUAGE, language_id) for language_id in sorted(languages))):
        for kind, query in queries.items():
            record_ids = connection.execute(query, {"item_id": item_id}, execution_options={"yield_per": ID_BATCH_SIZE})
            changed_records.add_changed(kind, record_ids.scalars())


_ITEM: Final = bindparam("item_id", type_=Integer)
_IDEAS_WITH_WORDS: Final = select(sense.c.idea_id).join(word, word.c.id == sense.c.word_id)
_RECORDS_BY_VALUE: Final[Mapping[str, Mapping[Followed, Select[int]]]] = {
    ListName.PARTS_OF_SPEECH: {Followed.IDEA: select(idea.c.id).where(idea.c.pos_id == _ITEM)},
    ListName.GENDERS: {Followed.IDEA: select(idea.c.id).where(idea.c.gender_id == _ITEM)},
    ListName.CONTEXTS: {Followed.IDEA: select(idea_context.c.idea_id).where(idea_context.c.context_id == _ITEM)},
    ListName.RELATIONS: {Followed.IDEA: select(idea_relation.c.idea_id).where(idea_relation.c.type_id == _ITEM)},
    ListName.VARIANTS: {
        Followed.WORD: select(word.c.id).where(word.c.variant_id == _ITEM),
        Followed.IDEA: _IDEAS_WITH_WORDS.where(word.c.variant_id == _ITEM),
    },
    ListName.PHRASE_CATEGORIES: {Followed.PHRASE: select(phrase.c.id).where(phrase.c.category_id == _ITEM)},
}
"""Statements that select the records whose responses contain the name of a value, for each list."""

_OF_LANGUAGE: Final[Mapping[Followed, Select[int]]] = {
    Followed.WORD: select(word.c.id).where(word.c.language_id == _ITEM),
    Followed.IDEA: select(sense.c.idea_id).join(word, word.c.id == sense.c.word_id).where(word.c.language_id == _ITEM),
    Followed.PHRASE: select(phrase.c.id).where(phrase.c.language_id == _ITEM),
}
"""Statements that select the records whose responses contain the name of a language."""

# --- reading ---------------------------------------------------------------------------------------------------------

_table = record_change
_RUN_COLUMNS = (
    _table.c.version,
    _table.c.id,
    _table.c.at,
    _table.c.kind,
    _table.c.first_id,
    _table.c.last_id,
    _table.c.became,
)
_ORDER_COLUMNS = (_table.c.version, _table.c.id)
_NEWEST = (
    select(*_RUN_COLUMNS)
    .where(_table.c.version.is_not(None))
    .order_by(*(column.desc() for column in _ORDER_COLUMNS))
    .limit(1)
)
_NEWEST_QUERY = CompiledQuery(_NEWEST)
_FROM = CompiledQuery(
    select(*_RUN_COLUMNS)
    .where(
        tuple_(*_ORDER_COLUMNS) >= tuple_(bindparam("version", type_=BigInteger), bindparam("number", type_=Integer))
    )
    .order_by(*_ORDER_COLUMNS)
    .limit(bindparam("limit", type_=Integer))
)
_OLDEST = select(_table.c.id, _table.c.at).where(_table.c.version.is_not(None)).order_by(*_ORDER_COLUMNS)


def load_newest_run(connection: ReadConnection) -> StoredRun:
    """Load the latest run of changes; the table is never empty."""
    return _build_run(connection.rows(_NEWEST_QUERY)[0])


def load_runs_from(connection: ReadConnection, position: FeedPosition, limit: int) -> list[StoredRun]:
    """List the runs from a position on, in order. If the run at the position was deleted, the next one comes first."""
    rows = connection.rows(_FROM, version=position.version, number=position.number, limit=limit)
    return [_build_run(row) for row in rows]


def _build_run(row: Row) -> StoredRun:
    version, number, at, kind, first, last, became = row
    return StoredRun(version, number, at, Followed(kind), first, last, Became(became))


# --- deletion --------------------------------------------------------------------------------------------------------


def delete_old(connection: Connection, before: int) -> int:
    """Delete some changes recorded before a time, oldest first, but never the latest one; return their number."""
    newest = connection.execute(_NEWEST).one().id
    row_ids = list(_iter_deletable_ids(connection.execute(_OLDEST.limit(DELETE_BATCH_SIZE)).all(), before, newest))
    connection.execute(delete(_table).where(_table.c.id.in_(row_ids)))
    return len(row_ids)


def _iter_deletable_ids(rows: Sequence[Any], before: int, newest: int) -> Iterator[int]:
    """Yield the IDs of the oldest rows, up to the first row that must stay, so that no gap arises."""
    for number, at in rows:
        if at >= before or number == newest:
            return
        yield number
