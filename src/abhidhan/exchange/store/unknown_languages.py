"""Find numbers, in columns and in stored JSON, that stand for languages which do not exist."""

from collections.abc import Iterator
from typing import Final

import msgspec
from sqlalchemy import Column, Integer, Table, bindparam, exists, func, select

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.history import Action
from abhidhan.records.integrity_checks import Finding
from abhidhan.records.local_texts import decode_texts, referenced_numbers
from abhidhan.schema import history, language, metadata, submission
from abhidhan.schema.articles import article
from abhidhan.schema.derived import gram_count, phrase_gram, word_pos
from abhidhan.schema.dictionary import card_set, phrase, sense

ROWS_AT_ONCE: Final = 1_000

UNCHECKED: Final = frozenset({sense, word_pos, phrase_gram, gram_count, article})
"""Derived numbers, which are compared with what they are derived from, and articles, whose numbers stand for wikis."""


def language_columns(table: Table) -> list[Column[int]]:
    """List the columns of a table that hold numbers of languages."""
    return [column for column in table.columns if column.name.endswith("language_id")]


def _count_unknown(column: Column[int]) -> Query:
    unknown = column.is_not(None) & ~exists().where(language.c.id == column)
    return Query(select(column, func.count()).where(unknown).group_by(column).order_by(column))


_COLUMNS: Final = [
    (f"{table.name}.{column.name}", _count_unknown(column))
    for table in metadata.sorted_tables
    if table not in UNCHECKED
    for column in language_columns(table)
]


def _read_states(table: Table, *columns: Column[str]) -> Query:
    """Read columns of JSON of a table, a batch of rows at a time."""
    rows = select(table.c.id, *columns).where(table.c.id > bindparam("after", type_=Integer))
    if table is history:
        # What an import keeps are counts.
        rows = rows.where(history.c.action_id != int(Action.IMPORTED))
    return Query(rows.order_by(table.c.id).limit(ROWS_AT_ONCE))


_TEXTS: Final = tuple(
    (column, Query(select(column.table.c.id, column).where(column.is_not(None)).order_by(column.table.c.id)))
    for column in (phrase.c.meanings, card_set.c.names, card_set.c.descriptions)
)

_STATES: Final = (
    ("history", _read_states(history, history.c.before, history.c.after)),
    ("submission", _read_states(submission, submission.c.payload, submission.c.seen)),
)


def unknown_in_columns(reader: Reader) -> Iterator[Finding]:
    """Yield a finding for each column and each unknown number in it."""
    for name, count_unknown in _COLUMNS:
        for number, rows in reader.rows(count_unknown):
            yield Finding("E103", name, f"{number} in {rows:,} rows")


def unknown_in_texts(reader: Reader) -> Iterator[Finding]:
    """Yield a finding for each row with texts in unknown languages."""
    known = reader.catalogue.by_id.keys()
    for column, read_texts in _TEXTS:
        for record_id, stored in reader.rows(read_texts):
            for language_id, _ in decode_texts(stored):
                if language_id not in known:
                    yield Finding("E103", f"{column}:{record_id}", str(language_id))


def unknown_in_states(reader: Reader) -> Iterator[Finding]:
    """Yield a finding for each row whose JSON has unknown numbers."""
    known = reader.catalogue.by_id.keys()
    for name, read_states in _STATES:
        after = 0
        while rows := reader.rows(read_states, after=after):
            after = rows[-1][0]
            for record_id, *states in rows:
                unknown = {
                    number for state in states if state for number in referenced_numbers(msgspec.json.decode(state))
                } - known
                if unknown:
                    yield Finding("E103", f"{name}:{record_id}", ", ".join(map(str, sorted(unknown))))
