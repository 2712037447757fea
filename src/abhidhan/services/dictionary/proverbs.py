"""Proverbs for readers: leafing through them, and those in which a word stands."""

from functools import lru_cache
from typing import TypeAlias

import msgspec

from abhidhan.domain.indexing import of_meaning, phrase_sort_key
from abhidhan.domain.languages import ALL_LANGUAGES, Language
from abhidhan.domain.lists import ListName, Named
from abhidhan.domain.matching.phrases import rarest, word_keys
from abhidhan.domain.pages import AlphabeticalPage
from abhidhan.domain.phrases import Phrase
from abhidhan.domain.text.keys import exact_key, loose_key
from abhidhan.domain.text.normal import query_words
from abhidhan.domain.text.similarity import phrase_grams
from abhidhan.storage import phrase_lists, phrases, proverbs
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.phrase_lists import PhraseFilter
from abhidhan.storage.proverbs import Place

MOST_LOOKED_THROUGH = 1_000
"""So many proverbs of a language are looked through for a word; beyond, those that share rare sounds with it."""

MOST_MEANT = 30
"""A word that stands in the meanings of more proverbs than this, as "of" does, says nothing of any of them."""

SHORTEST_STEM = 2
LONGEST_ENDING = 3
"""A word of a proverb is an inflected form of a stem if it is longer by at most so many characters."""


CategorizedPhrase: TypeAlias = tuple[Phrase, Named | None]


class Shelf(msgspec.Struct, frozen=True):
    """How many proverbs of a language stand under a category."""

    language: Language
    category: Named | None
    count: int


def list_shelves(reader: Reader) -> tuple[Shelf, ...]:
    """Count the proverbs by language and category."""
    catalogue = reader.catalogue
    return tuple(
        Shelf(catalogue.language(language_id), catalogue.named(ListName.PHRASE_CATEGORIES, category_id), count)
        for language_id, category_id, count in proverbs.counts(reader)
    )


def leaf_through(
    reader: Reader, language_id: int, category_id: int, start: str, limit: int
) -> AlphabeticalPage[CategorizedPhrase]:
    """Read a page of proverbs of a language, each with its category; category 0 means all."""
    key = phrase_sort_key(start, reader.catalogue.language(language_id).code)
    found = proverbs.page(reader, Place(language_id, key, start), category_id, limit + 1)
    following = found[limit].text if len(found) > limit else None
    return AlphabeticalPage([(each, _category(reader, each)) for each in found[:limit]], language_id, following)


def find_containing(reader: Reader, word: str, language: Language, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs of a word's language in which it stands, as it is or with a short ending; best first."""
    key = loose_key(word, language.code)
    if len(key) < SHORTEST_STEM:
        return ()
    texts = dict(proverbs.texts(reader, language.id, MOST_LOOKED_THROUGH))
    same: list[int] = []
    inflected: list[int] = []
    for phrase_id, text in texts.items():
        keys = _keys(text, language.code)
        if key in keys or (" " in word and key in " ".join(keys)):
            same.append(phrase_id)
        elif any(_is_form(each, key) for each in keys):
            inflected.append(phrase_id)
    found = (same + inflected)[:limit]
    if len(texts) == MOST_LOOKED_THROUGH and len(found) < limit:
        found += [each for each in _by_sound(reader, word, language, key) if each not in found]
    return tuple(phrases.read(reader, found[:limit]))


def find_by_words(reader: Reader, text: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs that have all words of a text, each in the proverb, in any script, or in its meaning."""
    orthographies = reader.catalogue.orthographies(ALL_LANGUAGES)
    keys = tuple(tuple(word_keys(word, orthographies)) for word in query_words(text))
    return _with_keys(reader, keys, limit) if keys else ()


def find_by_meaning(reader: Reader, word: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs in whose meaning a word stands; none where it is a word that stands in very many."""
    keys = ((of_meaning(exact_key(word)),),)
    found = _with_keys(reader, keys, MOST_MEANT + 1)
    return found[:limit] if len(found) <= MOST_MEANT else ()


def _with_keys(reader: Reader, keys: tuple[tuple[str, ...], ...], limit: int) -> tuple[Phrase, ...]:
    phrase_ids = phrase_lists.list_phrases(reader, PhraseFilter(keys=keys), limit, 0)
    return tuple(phrases.read(reader, phrase_ids))


def _is_form(word: str, stem: str) -> bool:
    return word.startswith(stem) and len(word) - len(stem) <= LONGEST_ENDING and len(stem) > SHORTEST_STEM


def _by_sound(reader: Reader, word: str, language: Language, key: str) -> list[int]:
    counts = phrases.count_grams(reader, phrase_grams(word, language.code), language.id)
    postings = phrases.postings(reader, rarest(counts), language.id).values()
    read = phrases.read(reader, sorted({phrase_id for ids in postings for phrase_id in ids.tolist()}))
    return [each.id for each in read if key in _keys(each.text, language.code)]


@lru_cache(maxsize=2 * MOST_LOOKED_THROUGH)
def _keys(text: str, code: str) -> tuple[str, ...]:
    """Make the loose keys of the words of a proverb; its text never changes, so they are remembered."""
    return tuple(loose_key(word, code) for word in query_words(text))


def _category(reader: Reader, phrase: Phrase) -> Named | None:
    return reader.catalogue.named(ListName.PHRASE_CATEGORIES, phrase.category_id)
