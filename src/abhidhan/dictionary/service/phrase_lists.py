"""Pages of phrases with their words: all phrases, or those that contain given words."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.phrases import ListedPhrase, Phrase, PhraseWord, WordOfPhrase, word_keys
from abhidhan.dictionary.model.query import MAX_QUERY_WORDS
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_item_id, find_language_id
from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.service.strategies.registry import SURE
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, NotFoundError, sentence
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.paging import Page
from assamese.normalization import query_words

TEXT_BATCH_SIZE: Final = 100
"""Number of words of phrases looked up in one batch; each may be a form of 25 headwords."""

MAX_HEADWORDS: Final = 5
"""Maximum number of headwords for one word of a phrase, by spelling or as an inflected form."""


def list_page(  # noqa: PLR0913, PLR0917  # each is a query parameter
    reader: ReadConnection, query: str, language: LanguageParam, category: str, limit: int, offset: int
) -> Page[ListedPhrase]:
    """List one page of phrases whose texts or meanings contain all words of a query. Raises InputError."""
    category_id = find_item_id(reader, ListName.PHRASE_CATEGORIES, "category", category)
    language_id = find_language_id(reader, language)
    words = query_words(query)
    if len(words) > MAX_QUERY_WORDS:
        raise InputError.of(
            "q",
            sentence(
                "`%(parameter)s` has %(value)s words; at most %(most_query_words)s can be looked up at once.",
                parameter="q",
                value=len(words),
                most_query_words=MAX_QUERY_WORDS,
            ),
        )
    if query and not words:
        return Page((), 0)
    orthographies = reader.catalogue.orthographies(language_id)
    phrase_filter = PhraseFilter(
        language_id, category_id, tuple(tuple(word_keys(word, orthographies)) for word in words)
    )
    total = phrase_lists.count_phrases(reader, phrase_filter)
    phrase_ids = phrase_lists.list_phrases(reader, phrase_filter, limit, offset) if offset < total else []
    return Page(read_phrases(reader, phrase_ids), total)


def show_phrase(reader: ReadConnection, phrase_id: int) -> ListedPhrase:
    """Return one phrase with its words. Raises NotFoundError."""
    matches = read_phrases(reader, [phrase_id])
    if not matches:
        raise NotFoundError(sentence("There is no phrase with the ID %(phrase_id)s.", phrase_id=phrase_id))
    return matches[0]


def read_phrases(reader: ReadConnection, phrase_ids: Sequence[int]) -> tuple[ListedPhrase, ...]:
    """Return phrases with their words, in the order of `phrase_ids`; skip unknown ones."""
    stored = phrases.read(reader, phrase_ids)
    texts = {phrase.id: query_words(phrase.text) for phrase in stored}
    entries = {
        language_id: _entries(reader, language_id, sorted({text for member in group for text in texts[member.id]}))
        for language_id, group in _by_language(stored).items()
    }
    return tuple(
        ListedPhrase(
            id=phrase.id,
            phrase=phrase.text,
            roman=phrase.roman,
            roman_generated=phrase.roman_generated,
            language_id=phrase.language_id,
            meaning=phrase.meaning,
            meanings=phrase.meanings,
            category=reader.catalogue.list_value(ListName.PHRASE_CATEGORIES, phrase.category_id),
            words=tuple(PhraseWord(text, entries[phrase.language_id].get(text, ())) for text in texts[phrase.id]),
            licence=phrase.licence,
            audio=phrase.audio,
        )
        for phrase in stored
    )


def _by_language(stored: Sequence[Phrase]) -> dict[int, list[Phrase]]:
    by_language: dict[int, list[Phrase]] = defaultdict(list)
    for phrase in stored:
        by_language[phrase.language_id].append(phrase)
    return by_language


def _entries(reader: ReadConnection, language_id: int, texts: Sequence[str]) -> dict[str, tuple[WordOfPhrase, ...]]:
    """Find the headwords of a language for each text, by spelling or as a form, with their ideas."""
    hits = {
        text: text_hits
        for batch in chunks(texts, TEXT_BATCH_SIZE)
        for text, text_hits in _find(reader, language_id, batch)
    }
    word_ids = sorted({hit.word_id for text_hits in hits.values() for hit in text_hits})
    ideas = {
        word_id: tuple(idea_ids)
        for batch in chunks(word_ids)
        for word_id, idea_ids in phrase_lists.ideas_of_words(reader, batch).items()
    }
    return {
        text: tuple(WordOfPhrase(hit.word_id, hit.text, ideas.get(hit.word_id, ())) for hit in text_hits)
        for text, text_hits in hits.items()
    }


def _find(reader: ReadConnection, language_id: int, texts: Sequence[str]) -> Iterator[tuple[str, list[KeyMatch]]]:
    """Find headwords by the first strategy that matches each text, like a look-up."""
    remaining = list(texts)
    for strategy in SURE:
        matches = strategy.find(reader, LookupBatch(remaining, language_id, MAX_HEADWORDS)) if remaining else {}
        yield from matches.items()
        remaining = [text for text in remaining if text not in matches]
    for text, hits in find_forms_by_rule(reader, LookupBatch(remaining, language_id)).items():
        yield text, hits[:MAX_HEADWORDS]
