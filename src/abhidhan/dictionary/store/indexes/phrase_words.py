"""Words of phrases: the keys of the words that stand in their texts and in their meanings in every language."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, select

from abhidhan.dictionary.store.indexes.derived_table import DerivedTable, Source
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Row, by_size, chunks, in_list
from abhidhan.records.local_texts import local_texts
from abhidhan.schema import language, phrase, phrase_word, word, word_form
from assamese.search_keys import forms_by_rule, keys_in_phrases, phrase_word_keys


def derive(phrases: Iterable[Row]) -> Iterator[tuple[str, int]]:
    """List the keys of phrases, each as (key, phrase's ID).

    They are given as (ID, code of its language, text, meaning in English, other meanings).
    """
    for phrase_id, code, text, meaning, meanings in phrases:
        told = [each.text for each in local_texts(meaning, meanings)]
        for key in phrase_word_keys(text, code, told):
            yield key, phrase_id


PHRASE_WORDS = DerivedTable(
    phrase_word,
    "phrase_id",
    phrase,
    Source(
        select(phrase.c.id, language.c.code, phrase.c.text, phrase.c.meaning, phrase.c.meanings).join(
            language, language.c.id == phrase.c.language_id
        ),
        phrase.c.id,
    ),
    derive,
)

MAX_INFLECTED: Final = 200
"""Words whose forms by rule are looked for in phrases (1.5 ms each); of more words, only their known forms are."""

_PHRASES = by_size(
    lambda size: (
        select(phrase_word.c.phrase_id)
        .join(phrase, phrase.c.id == phrase_word.c.phrase_id)
        .where(in_list(phrase_word.c.key, "key", size), phrase.c.language_id == bindparam("language_id", type_=Integer))
    )
)


def spellings_of(connection: Connection, word_ids: Iterable[int]) -> Iterator[tuple[int, str]]:
    """List the spellings (language's ID, text) of stored words: their headwords and their known forms."""
    for some in chunks(sorted(word_ids)):
        headwords = select(word.c.language_id, word.c.text).where(word.c.id.in_(some))
        forms = select(word.c.language_id, word_form.c.key).join(word, word.c.id == word_form.c.word_id)
        for row in connection.execute(headwords.union_all(forms.where(word.c.id.in_(some)))):
            yield row[0], row[1]


def phrases_with(connection: Connection, spellings: Collection[tuple[int, str]]) -> Iterator[int]:
    """Find the phrases in which words stand, given as `spellings_of` lists them, or have a form by rule."""
    if not spellings:
        return
    codes: dict[int, str] = dict(map(tuple, connection.execute(select(language.c.id, language.c.code))))
    by_language = defaultdict(set)
    for language_id, text in spellings:
        by_language[language_id].add(text)
    bulk = Bulk(connection)
    for language_id, texts in by_language.items():
        code = codes[language_id]
        if len(spellings) <= MAX_INFLECTED:
            texts |= {form for text in texts for form in forms_by_rule(text, code)}
        for keys in chunks(sorted(keys_in_phrases(texts, code))):
            yield from (row[0] for row in bulk.rows_among(_PHRASES, "key", keys, language_id=language_id))
