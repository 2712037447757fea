"""What is there already and looks like something that is submitted: words by their keys and near ones, proverbs."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import SearchMatch
from abhidhan.dictionary.model.query import loose_keys, sound_keys
from abhidhan.dictionary.service import phrases, search
from abhidhan.dictionary.store import words as stored_words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import Reader
from abhidhan.records.submission_payloads import (
    AnySubmission,
    ListValueRecord,
    MissingSubmission,
    ProverbSubmission,
    RecordData,
    RecordSubmission,
    WordSubmission,
)
from assamese.keys import exact_key
from assamese.phrase_similarity import similarity

MOST_SIMILAR: Final = 10
NEAR: Final = frozenset({SearchMatch.INFLECTED, SearchMatch.PHONETIC, SearchMatch.FUZZY})
"""Classes of search results that are no spelling of the same, and may yet be meant."""

LANGUAGE_OF_LISTS: Final = "en"
"""The values of lists are in English; pages translate those that they know."""

ALIKE_VALUES: Final = 0.7
"""From which degree on two values of a list may be meant to be the same (`similarity`)."""


class Similar(msgspec.Struct, frozen=True):
    """A word, a proverb or a value of a list that is there, and how alike.

    Alike is `exact`, `loose`, `phonetic`, `near` or `similar`.
    """

    id: int
    text: str
    language_id: int
    match: str


def find_similar(reader: Reader, submission: AnySubmission) -> tuple[Similar, ...]:
    """Find what looks like a submission, the most alike first."""
    match submission:
        case WordSubmission(data) | MissingSubmission(data):
            return _similar_words(reader, data.word, str(data.language))
        case ProverbSubmission(data):
            language = reader.catalogue.find_language(str(data.language))
            found = phrases.find_similar(reader, data.text, language.id, MOST_SIMILAR) if language else ()
            return tuple(
                Similar(one.id, one.phrase, one.language_id, "exact" if one.exact else "similar") for one in found
            )
        case RecordSubmission(RecordData(ListValueRecord() as record)):
            return _similar_values(reader, record.list, record.value)
        case _:
            return ()


def _similar_values(reader: Reader, list_name: str, value: str) -> tuple[Similar, ...]:
    """Find the values of a list that are called nearly the same, the most alike first."""
    english = reader.catalogue.find_language(LANGUAGE_OF_LISTS)
    if english is None:
        return ()
    alike = [(similarity(value, item.value, english.code), item) for item in reader.catalogue.items_of(list_name)]
    near = sorted((each for each in alike if each[0] >= ALIKE_VALUES), key=lambda each: (-each[0], each[1].id))
    return tuple(
        Similar(item.id, item.value, english.id, "exact" if item.value.casefold() == value.casefold() else "similar")
        for _, item in near[:MOST_SIMILAR]
    )


def _similar_words(reader: Reader, text: str, language_name: str) -> tuple[Similar, ...]:
    """Find the words of a language that have a key of this one, the nearest kind of key first, and then near words."""
    language = reader.catalogue.find_language(language_name)
    if language is None:
        return ()
    orthographies = reader.catalogue.orthographies(language.id)
    keys_of = (
        (KeyColumn.EXACT, "exact", {exact_key(text)}),
        (KeyColumn.LOOSE, "loose", {*loose_keys(text, orthographies).values.values()}),
        (KeyColumn.SOUND, "phonetic", {*sound_keys(text, orthographies).of(language.id, frozenset())}),
    )
    found: dict[int, Similar] = {}
    for column, match, keys in keys_of:
        for hit in stored_words.find(reader, column, sorted(keys), language.id, limit=MOST_SIMILAR):
            found.setdefault(hit.word_id, Similar(hit.word_id, hit.text, hit.language_id, match))
    for near in search.search(reader, text, language.id, fuzzy=True, limit=MOST_SIMILAR):
        if near.match in NEAR:
            found.setdefault(near.id, Similar(near.id, near.word, near.language_id, "near"))
    return tuple(found.values())[:MOST_SIMILAR]
