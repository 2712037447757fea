"""Index of phrases by words and by n-grams of their sound, with the number of phrases for each n-gram."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    Table,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
)

from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.dictionary.store.indexes.derived_table import DerivationSource, DerivedTable, RowDifference
from abhidhan.platform.database.bulk import BulkTransaction, build_staging_table
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, per_list_size
from abhidhan.records.local_texts import build_local_texts
from abhidhan.schema import gram_count, language, phrase, phrase_gram, phrase_word, word, word_form
from assamese.phrase_similarity import phrase_grams
from assamese.search_keys import compute_phrase_lookup_keys, compute_phrase_word_keys, generate_forms


def derive_phrase_words(phrases: Iterable[Row]) -> Iterator[tuple[str, int]]:
    """Yield the keys of phrases, as (key, phrase ID).

    Phrases are given as (ID, language code, text, English meaning, other meanings).
    """
    for phrase_id, code, text, meaning, meanings in phrases:
        meaning_texts = [meaning_text.text for meaning_text in build_local_texts(meaning, meanings)]
        for key in compute_phrase_word_keys(text, code, meaning_texts):
            yield key, phrase_id


PHRASE_WORDS = DerivedTable(
    phrase_word,
    "phrase_id",
    phrase,
    DerivationSource(
        select(phrase.c.id, language.c.code, phrase.c.text, phrase.c.meaning, phrase.c.meanings).join(
            language, language.c.id == phrase.c.language_id
        ),
        phrase.c.id,
    ),
    derive_phrase_words,
)

MAX_INFLECTED_WORDS: Final = 200
"""Maximum number of spellings whose generated forms are searched (1.5 ms each); for more, only the spellings are."""

_PHRASES = per_list_size(
    lambda size: (
        select(phrase_word.c.phrase_id)
        .join(phrase, phrase.c.id == phrase_word.c.phrase_id)
        .where(in_list(phrase_word.c.key, "key", size), phrase.c.language_id == bindparam("language_id", type_=Integer))
    )
)


def iter_spellings(connection: Connection, word_ids: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield the spellings of stored words, as (language ID, text): headwords and known forms."""
    for batch in chunks(sorted(word_ids)):
        headwords = select(word.c.language_id, word.c.text).where(word.c.id.in_(batch))
        forms = select(word.c.language_id, word_form.c.key).join(word, word.c.id == word_form.c.word_id)
        for row in connection.execute(headwords.union_all(forms.where(word.c.id.in_(batch)))):
            yield row[0], row[1]


def find_phrases_with(connection: Connection, spellings: Collection[tuple[int, str]]) -> Iterator[int]:
    """Yield the IDs of phrases that contain one of the spellings (language ID, text) or a form generated from it."""
    if not spellings:
        return
    codes: dict[int, str] = dict(map(tuple, connection.execute(select(language.c.id, language.c.code))))
    by_language = defaultdict(set)
    for language_id, text in spellings:
        by_language[language_id].add(text)
    bulk = BulkTransaction(connection)
    for language_id, texts in by_language.items():
        code = codes[language_id]
        if len(spellings) <= MAX_INFLECTED_WORDS:
            texts |= {form for text in texts for form in generate_forms(text, code)}
        for keys in chunks(sorted(compute_phrase_lookup_keys(texts, code))):
            yield from (row[0] for row in bulk.rows_for_values(_PHRASES, "key", keys, language_id=language_id))


def derive_phrase_grams(phrases: Iterable[Row]) -> Iterator[tuple[int, str, int]]:
    """Yield the n-grams of phrases, given as (ID, language ID, code, text), as (language ID, n-gram, phrase ID)."""
    for phrase_id, language_id, code, text in phrases:
        for gram in phrase_grams(text, code):
            yield language_id, gram, phrase_id


PHRASE_GRAMS = DerivedTable(
    phrase_gram,
    "phrase_id",
    phrase,
    DerivationSource(
        select(phrase.c.id, phrase.c.language_id, language.c.code, phrase.c.text).join(
            language, language.c.id == phrase.c.language_id
        ),
        phrase.c.id,
    ),
    derive_phrase_grams,
)


def update_phrase_grams(connection: Connection, phrase_id: int) -> None:
    """Update the n-grams of a phrase and their counts."""
    _add_to_gram_counts(connection, PHRASE_GRAMS.update_batch(connection, [phrase_id]))


def remove_phrase_grams(connection: Connection, phrase_id: int) -> None:
    """Remove the n-grams of a phrase before its deletion, and update the counts."""
    statement = delete(phrase_gram).where(phrase_gram.c.phrase_id == phrase_id).returning(*phrase_gram.columns)
    rows = tuple(tuple(row) for row in connection.execute(statement))
    _add_to_gram_counts(connection, [RowDifference(phrase_id, (), rows)])


def _add_to_gram_counts(connection: Connection, differences: Iterable[RowDifference]) -> None:
    deltas: Counter[tuple[int, str]] = Counter()
    for difference in differences:
        deltas.update((language_id, gram) for language_id, gram, _ in difference.missing)
        deltas.subtract((language_id, gram) for language_id, gram, _ in difference.stray)
    rows = [
        {"language_id": language_id, "gram": gram, "phrases": count}
        for (language_id, gram), count in sorted(deltas.items())
        if count
    ]
    if not rows:
        return
    statement = BulkTransaction(connection).build_insert(gram_count).values(rows)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["language_id", "gram"],
            set_={"phrases": gram_count.c.phrases + statement.excluded.phrases},
        )
    )
    for language_id, gram in sorted(key for key, count in deltas.items() if count < 0):
        condition = (gram_count.c.language_id == language_id, gram_count.c.gram == gram)
        connection.execute(delete(gram_count).where(*condition, gram_count.c.phrases <= 0))


# --- counts -----------------------------------------------------------------------------------------------------------

_COUNT_COLUMNS = ("language_id", "gram", "phrases")


def _select_gram_counts(grams: Table) -> Select[Any]:
    """Select the number of phrases of each n-gram, in the order of the primary key."""
    return (
        select(grams.c.language_id, grams.c.gram, func.count().label("phrases"))
        .group_by(grams.c.language_id, grams.c.gram)
        .order_by(grams.c.language_id, grams.c.gram)
    )


def count_staged_grams(bulk: BulkTransaction) -> None:
    """Add the staged n-grams to the counts."""
    statement = bulk.build_insert(gram_count).from_select(
        _COUNT_COLUMNS, _select_gram_counts(build_staging_table(phrase_gram))
    )
    bulk.connection.execute(
        statement.on_conflict_do_update(
            index_elements=["language_id", "gram"],
            set_={"phrases": gram_count.c.phrases + statement.excluded.phrases},
        )
    )


_actual_counts = _select_gram_counts(phrase_gram).order_by(None).subquery("counted")
_MISCOUNTED = CompiledQuery(
    select(
        _actual_counts.c.language_id,
        _actual_counts.c.gram,
        func.coalesce(gram_count.c.phrases, 0),
        _actual_counts.c.phrases,
    )
    .join(
        gram_count,
        (gram_count.c.language_id == _actual_counts.c.language_id) & (gram_count.c.gram == _actual_counts.c.gram),
        isouter=True,
    )
    .where(or_(gram_count.c.phrases.is_(None), gram_count.c.phrases != _actual_counts.c.phrases))
    .union_all(
        select(gram_count.c.language_id, gram_count.c.gram, gram_count.c.phrases, literal_column("0")).where(
            ~exists().where(
                phrase_gram.c.language_id == gram_count.c.language_id, phrase_gram.c.gram == gram_count.c.gram
            )
        )
    )
)


def find_stale_gram_counts(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the n-grams with wrong counts."""
    for language_id, gram, stored, counted in tables.rows(_MISCOUNTED):
        yield StaleRecord(f"language:{language_id}", f"{gram}: {stored} is not {counted}")


def rebuild_gram_counts(connection: Connection, _: RebuildCursor) -> StepResult:
    """Count all n-grams again, if any count is wrong."""
    wrong = len(TransactionRows(connection).rows(_MISCOUNTED))
    if wrong:
        connection.execute(delete(gram_count))
        connection.execute(insert(gram_count).from_select(_COUNT_COLUMNS, _select_gram_counts(phrase_gram)))
    return StepResult(0, wrong, None)
