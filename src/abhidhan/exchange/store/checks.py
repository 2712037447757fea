"""Queries of `abhidhan check`; `records/integrity_checks.py` decides which rows are wrong."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec
from sqlalchemy import Column, Integer, Table, bindparam, exists, func, select

from abhidhan import schema
from abhidhan.dictionary.store.acceleration.idea_cache import count_missing
from abhidhan.dictionary.store.acceleration.words import WORD_ACCELERATORS
from abhidhan.dictionary.store.indexes.registry import INDEXES
from abhidhan.dictionary.store.indexes.stored_keys import read_stored_rules
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import pluralize
from abhidhan.records.history import HistoryAction
from abhidhan.records.import_records import parse_inverse_id
from abhidhan.records.integrity_checks import IntegrityFinding, find_cycles, is_in_script, list_unknown_characters
from abhidhan.records.local_texts import decode_texts, iter_language_ids
from abhidhan.records.lookup_lists import ListName
from abhidhan.schema import history, language, metadata, submission
from abhidhan.schema.articles import article
from abhidhan.schema.derived import gram_count, phrase_gram, word_pos
from abhidhan.schema.dictionary import card_set, phrase, sense
from assamese.search_keys import key_rules_version

STATES_BATCH_SIZE: Final = 1_000
UNCHECKED_TABLES: Final = frozenset({sense, word_pos, phrase_gram, gram_count, article})
"""Tables whose language IDs are not checked: derived ones, which other checks cover, and the cache of wiki articles."""


WORDS_BATCH_SIZE = 5000
MAX_FINDINGS_PER_CODE = 1000
"""Maximum number of reported findings per code."""

HYPERNYM_ID = 4
"""The ID of the value `Hypernym` in the list RIC."""

_word, _idea, _sense, _relation = schema.word, schema.idea, schema.sense, schema.idea_relation

_DANGLING_SENSES = CompiledQuery(
    select(_sense.c.id, _sense.c.word_id, _sense.c.idea_id)
    .where(~exists().where(_word.c.id == _sense.c.word_id) | ~exists().where(_idea.c.id == _sense.c.idea_id))
    .limit(MAX_FINDINGS_PER_CODE)
)
_IDEAS_WITHOUT_WORD = CompiledQuery(
    select(_idea.c.id)
    .where(~exists().where(_sense.c.idea_id == _idea.c.id))
    .order_by(_idea.c.id)
    .limit(MAX_FINDINGS_PER_CODE)
)
_WORDS_WITHOUT_SENSE = CompiledQuery(
    select(_word.c.id, _word.c.text)
    .where(~exists().where(_sense.c.word_id == _word.c.id))
    .order_by(_word.c.id)
    .limit(MAX_FINDINGS_PER_CODE)
)
_DUPLICATE_WORDS = CompiledQuery(
    select(_word.c.language_id, _word.c.exact_key, func.min(_word.c.text), func.max(_word.c.text), func.min(_word.c.id))
    .group_by(_word.c.language_id, _word.c.exact_key)
    .having(func.count() > 1)
    .limit(MAX_FINDINGS_PER_CODE)
)
_WORDS = CompiledQuery(
    select(_word.c.id, _word.c.language_id, _word.c.text)
    .where(_word.c.id > bindparam("after"))
    .order_by(_word.c.id)
    .limit(WORDS_BATCH_SIZE)
)
_HYPERNYMS = CompiledQuery(
    select(_relation.c.idea_id, _relation.c.other_id).where(_relation.c.type_id == bindparam("type_id"))
)
_back = schema.idea_relation.alias("back")
_ONE_WAY_RELATIONS = CompiledQuery(
    select(_relation.c.idea_id, _relation.c.other_id)
    .where(
        _relation.c.type_id == bindparam("type_id"),
        ~exists().where(
            _back.c.idea_id == _relation.c.other_id,
            _back.c.other_id == _relation.c.idea_id,
            _back.c.type_id == bindparam("inverse_id"),
        ),
    )
    .limit(MAX_FINDINGS_PER_CODE)
)


def run_checks(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    """Yield all findings; those that cause invalid responses come first."""
    for detail in connection.check_integrity():
        yield IntegrityFinding("E102", "database", detail)
    for sense_id, word_id, idea_id in connection.rows(_DANGLING_SENSES):
        yield IntegrityFinding("E101", f"sense:{sense_id}", f"word {word_id}, idea {idea_id}")
    if unknown := list(find_unknown_in_columns(connection)):
        # The other checks need the language of each record.
        yield from unknown
        return
    yield from find_unknown_in_texts(connection)
    yield from find_unknown_in_states(connection)
    rules = read_stored_rules(connection)
    if rules != key_rules_version():
        yield IntegrityFinding("E202", "database", f"{rules or 'unknown'} is not {key_rules_version()}")
    yield from _check_indexes(connection)
    yield from _check_words(connection)
    for (idea_id,) in connection.rows(_IDEAS_WITHOUT_WORD):
        yield IntegrityFinding("W101", f"idea:{idea_id}", "no meaning refers to it")
    for word_id, text in connection.rows(_WORDS_WITHOUT_SENSE):
        yield IntegrityFinding("W102", f"word:{word_id}", text)
    for language_id, _, first, second, word_id in connection.rows(_DUPLICATE_WORDS):
        yield IntegrityFinding("W201", f"word:{word_id}", f"{first}, {second} in language {language_id}")
    yield from _check_relations(connection)
    yield from _check_caches(connection)


def _check_indexes(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    """Compare each index with the data from which it is derived."""
    for index in INDEXES:
        for stale in islice(index.compare(connection), MAX_FINDINGS_PER_CODE):
            yield IntegrityFinding(index.code, stale.record, stale.detail)


def _check_caches(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    """Yield a finding for each incomplete cache or index that only serves to speed up responses."""
    if missing := count_missing(connection):
        yield IntegrityFinding("W203", "database", pluralize(missing, "idea"))
    for accelerator in WORD_ACCELERATORS:
        if accelerator.warning_code and not accelerator.is_complete(connection):
            yield IntegrityFinding(accelerator.warning_code, "database", "not every word has been indexed")


def _check_words(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    languages = connection.catalogue.languages_by_id
    counts: Counter[str] = Counter()
    after = 0
    while rows := connection.rows(_WORDS, after=after):
        after = rows[-1][0]
        for word_id, language_id, text in rows:
            language = languages[language_id]
            details = {
                "W301": ", ".join(list_unknown_characters(text)),
                "W302": "" if is_in_script(text, language.script) else f"{text} in {language.name}, {language.script}",
            }
            for code, detail in details.items():
                counts[code] += bool(detail)
                if detail and counts[code] <= MAX_FINDINGS_PER_CODE:
                    yield IntegrityFinding(code, f"word:{word_id}", detail)


def _check_relations(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    pairs = [(row[0], row[1]) for row in connection.rows(_HYPERNYMS, type_id=HYPERNYM_ID)]
    for cycle in find_cycles(pairs)[:MAX_FINDINGS_PER_CODE]:
        yield IntegrityFinding("W401", f"idea:{cycle[0]}", " → ".join(map(str, (*cycle, cycle[0]))))
    for item in connection.catalogue.list_items(ListName.RELATIONS):
        inverse = parse_inverse_id(item.code)
        if inverse is not None:
            for idea_id, other_id in connection.rows(_ONE_WAY_RELATIONS, type_id=item.id, inverse_id=inverse):
                yield IntegrityFinding("W402", f"idea:{idea_id}", f"{item.value} {other_id}")


# --- unknown languages ----------------------------------------------------------------------------------------------


def find_language_columns(table: Table) -> list[Column[int]]:
    """Return the columns of a table that contain language IDs."""
    return [column for column in table.columns if column.name.endswith("language_id")]


def _build_unknown_count_query(column: Column[int]) -> CompiledQuery:
    unknown = column.is_not(None) & ~exists().where(language.c.id == column)
    return CompiledQuery(select(column, func.count()).where(unknown).group_by(column).order_by(column))


_COLUMN_QUERIES: Final = [
    (f"{table.name}.{column.name}", _build_unknown_count_query(column))
    for table in metadata.sorted_tables
    if table not in UNCHECKED_TABLES
    for column in find_language_columns(table)
]


def _build_states_query(table: Table, *columns: Column[str]) -> CompiledQuery:
    """Build the query that reads a table's JSON columns in batches of rows."""
    rows = select(table.c.id, *columns).where(table.c.id > bindparam("after", type_=Integer))
    if table is history:
        # Imports store counts, not states.
        rows = rows.where(history.c.action_id != int(HistoryAction.IMPORTED))
    return CompiledQuery(rows.order_by(table.c.id).limit(STATES_BATCH_SIZE))


_TEXT_QUERIES: Final = tuple(
    (column, CompiledQuery(select(column.table.c.id, column).where(column.is_not(None)).order_by(column.table.c.id)))
    for column in (phrase.c.meanings, card_set.c.names, card_set.c.descriptions)
)

_STATE_QUERIES: Final = (
    ("history", _build_states_query(history, history.c.before, history.c.after)),
    ("submission", _build_states_query(submission, submission.c.payload, submission.c.seen)),
)


def find_unknown_in_columns(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    """Yield a finding for each unknown language ID in a column."""
    for name, count_unknown in _COLUMN_QUERIES:
        for number, rows in connection.rows(count_unknown):
            yield IntegrityFinding("E103", name, f"{number} in {rows:,} rows")


def find_unknown_in_texts(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    """Yield a finding for each row with texts in unknown languages."""
    known_ids = connection.catalogue.languages_by_id.keys()
    for column, read_texts in _TEXT_QUERIES:
        for record_id, stored in connection.rows(read_texts):
            for language_id, _ in decode_texts(stored):
                if language_id not in known_ids:
                    yield IntegrityFinding("E103", f"{column}:{record_id}", str(language_id))


def find_unknown_in_states(connection: ReadConnection) -> Iterator[IntegrityFinding]:
    """Yield a finding for each row whose JSON refers to unknown languages."""
    known_ids = connection.catalogue.languages_by_id.keys()
    for name, read_states in _STATE_QUERIES:
        after = 0
        while rows := connection.rows(read_states, after=after):
            after = rows[-1][0]
            for record_id, *states in rows:
                unknown = {
                    number for state in states if state for number in iter_language_ids(msgspec.json.decode(state))
                } - known_ids
                if unknown:
                    yield IntegrityFinding("E103", f"{name}:{record_id}", ", ".join(map(str, sorted(unknown))))
