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
    Followed,
    Position,
    StoredRun,
    TransactionChanges,
    affected_records,
    renamed_values,
    respelled_words,
    words_of_other_ideas,
)
from abhidhan.records.history import ChangeSet
from abhidhan.records.invalidation import affected_by
from abhidhan.records.lookup_lists import ListName
from abhidhan.schema import idea, idea_context, idea_relation, phrase, record_change, sense, word

DELETE_BATCH_SIZE: Final = 1000
"""Maximum number of rows deleted in one transaction."""

ID_BATCH_SIZE: Final = 10_000

# --- recording -------------------------------------------------------------------------------------------------------


def log_changes(connection: Connection, change_set: ChangeSet) -> None:
    """Record which records an edit changes. This is a subscriber of the history."""
    changes = change_set.changes
    changed_records = affected_records(changes, idea_cache.affected_ideas(connection, affected_by(changes)))
    if renamed := renamed_values(changes):
        log_renamed(connection, changed_records, renamed)
    respelled = {*respelled_words(changes), *phrase_words.spellings_of(connection, words_of_other_ideas(changes))}
    changed_records.change(Followed.PHRASE, phrase_words.phrases_with(connection, respelled))
    record_changes.save(connection, changed_records, change_set.at)


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
            changed_records.change(kind, record_ids.scalars())


_ITEM: Final = bindparam("item_id", type_=Integer)
_VARIED_IDEAS: Final = select(sense.c.idea_id).join(word, word.c.id == sense.c.word_id)
_RECORDS_BY_VALUE: Final[Mapping[str, Mapping[Followed, Select[int]]]] = {
    ListName.PARTS_OF_SPEECH: {Followed.IDEA: select(idea.c.id).where(idea.c.pos_id == _ITEM)},
    ListName.GENDERS: {Followed.IDEA: select(idea.c.id).where(idea.c.gender_id == _ITEM)},
    ListName.CONTEXTS: {Followed.IDEA: select(idea_context.c.idea_id).where(idea_context.c.context_id == _ITEM)},
    ListName.RELATIONS: {Followed.IDEA: select(idea_relation.c.idea_id).where(idea_relation.c.type_id == _ITEM)},
    ListName.VARIANTS: {
        Followed.WORD: select(word.c.id).where(word.c.variant_id == _ITEM),
        Followed.IDEA: _VARIED_IDEAS.where(word.c.variant_id == _ITEM),
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
_RUN = (_table.c.version, _table.c.id, _table.c.at, _table.c.kind, _table.c.first_id, _table.c.last_id, _table.c.became)
_IN_ORDER = (_table.c.version, _table.c.id)
_NEWEST = select(*_RUN).where(_table.c.version.is_not(None)).order_by(*(column.desc() for column in _IN_ORDER)).limit(1)
_NEWEST_READ = CompiledQuery(_NEWEST)
_FROM = CompiledQuery(
    select(*_RUN)
    .where(tuple_(*_IN_ORDER) >= tuple_(bindparam("version", type_=BigInteger), bindparam("number", type_=Integer)))
    .order_by(*_IN_ORDER)
    .limit(bindparam("limit", type_=Integer))
)
_OLDEST = select(_table.c.id, _table.c.at).where(_table.c.version.is_not(None)).order_by(*_IN_ORDER)


def newest_run(reader: ReadConnection) -> StoredRun:
    """Load the latest run of changes; the table is never empty."""
    return _run(reader.rows(_NEWEST_READ)[0])


def runs_from(reader: ReadConnection, position: Position, limit: int) -> list[StoredRun]:
    """List the runs from a position on, in order. If the run at the position was deleted, the next one comes first."""
    rows = reader.rows(_FROM, version=position.version, number=position.number, limit=limit)
    return [_run(row) for row in rows]


def _run(row: Row) -> StoredRun:
    version, number, at, kind, first, last, became = row
    return StoredRun(version, number, at, Followed(kind), first, last, Became(became))


# --- deletion --------------------------------------------------------------------------------------------------------


def delete_old(connection: Connection, before: int) -> int:
    """Delete some changes recorded before a time, oldest first, but never the latest one; return their number."""
    newest = connection.execute(_NEWEST).one().id
    row_ids = list(_older(connection.execute(_OLDEST.limit(DELETE_BATCH_SIZE)).all(), before, newest))
    connection.execute(delete(_table).where(_table.c.id.in_(row_ids)))
    return len(row_ids)


def _older(rows: Sequence[Any], before: int, newest: int) -> Iterator[int]:
    """Yield the IDs of the oldest rows, up to the first row that must stay, so that no gap arises."""
    for number, at in rows:
        if at >= before or number == newest:
            return
        yield number
