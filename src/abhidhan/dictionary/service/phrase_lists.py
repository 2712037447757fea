"""Pages of phrases with their words: all phrases, or those that contain given words."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.phrases import ListedPhrase, Phrase, PhraseWord, WordOfPhrase, list_phrase_keys
from abhidhan.dictionary.model.query import MAX_QUERY_WORDS
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_item_id, find_language_id
from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.service.strategies.registry import SURE_STRATEGIES
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter
from abhidhan.platform.database.compiled_queries import chunks
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, NotFoundError, sentence
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.paging import Page
from assamese.normalization import split_query

TEXT_BATCH_SIZE: Final = 100
"""Number of words of phrases looked up in one batch; each may be a form of 25 headwords."""

MAX_HEADWORDS: Final = 5
"""Maximum number of headwords for one word of a phrase, by spelling or as an inflected form."""


def list_page(  # noqa: PLR0913, PLR0917  # each is a query parameter
    connection: ReadConnection, query: str, language: LanguageParam, category: str, limit: int, offset: int
) -> Page[ListedPhrase]:
    """List one page of phrases whose texts or meanings contain all words of a query. Raises InputError."""
    category_id = find_item_id(connection, ListName.PHRASE_CATEGORIES, "category", category)
    language_id = find_language_id(connection, language)
    words = split_query(query)
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
    orthographies = connection.catalogue.orthographies(language_id)
    phrase_filter = PhraseFilter(
        language_id, category_id, tuple(tuple(list_phrase_keys(word, orthographies)) for word in words)
    )
    total = phrase_lists.count_phrases(connection, phrase_filter)
    phrase_ids = phrase_lists.list_phrases(connection, phrase_filter, limit, offset) if offset < total else []
    return Page(read_phrases(connection, phrase_ids), total)


def get_phrase(connection: ReadConnection, phrase_id: int) -> ListedPhrase:
    """Return one phrase with its words. Raises NotFoundError."""
    matches = read_phrases(connection, [phrase_id])
    if not matches:
        raise NotFoundError(sentence("There is no phrase with the ID %(phrase_id)s.", phrase_id=phrase_id))
    return matches[0]


def read_phrases(connection: ReadConnection, phrase_ids: Sequence[int]) -> tuple[ListedPhrase, ...]:
    """Return phrases with their words, in the order of `phrase_ids`; skip unknown ones."""
    stored = phrases.load_phrases(connection, phrase_ids)
    texts = {phrase.id: split_query(phrase.text) for phrase in stored}
    entries = {
        language_id: _find_entries(
            connection, language_id, sorted({text for member in group for text in texts[member.id]})
        )
        for language_id, group in _group_by_language(stored).items()
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
            category=connection.catalogue.list_value(ListName.PHRASE_CATEGORIES, phrase.category_id),
            words=tuple(PhraseWord(text, entries[phrase.language_id].get(text, ())) for text in texts[phrase.id]),
            licence=phrase.licence,
            audio=phrase.audio,
        )
        for phrase in stored
    )


def _group_by_language(stored: Sequence[Phrase]) -> dict[int, list[Phrase]]:
    by_language: dict[int, list[Phrase]] = defaultdict(list)
    for phrase in stored:
        by_language[phrase.language_id].append(phrase)
    return by_language


def _find_entries(
    connection: ReadConnection, language_id: int, texts: Sequence[str]
) -> dict[str, tuple[WordOfPhrase, ...]]:
    """Find the headwords of a language for each text, by spelling or as a form, with their ideas."""
    hits = {
        text: text_hits
        for batch in chunks(texts, TEXT_BATCH_SIZE)
        for text, text_hits in _find_headwords(connection, language_id, batch)
    }
    word_ids = sorted({hit.word_id for text_hits in hits.values() for hit in text_hits})
    ideas = {
        word_id: tuple(idea_ids)
        for batch in chunks(word_ids)
        for word_id, idea_ids in phrase_lists.load_ideas_by_word(connection, batch).items()
    }
    return {
        text: tuple(WordOfPhrase(hit.word_id, hit.text, ideas.get(hit.word_id, ())) for hit in text_hits)
        for text, text_hits in hits.items()
    }


def _find_headwords(
    connection: ReadConnection, language_id: int, texts: Sequence[str]
) -> Iterator[tuple[str, list[KeyMatch]]]:
    """Find headwords by the first strategy that matches each text, like a look-up."""
    remaining = list(texts)
    for strategy in SURE_STRATEGIES:
        matches = strategy.find(connection, LookupBatch(remaining, language_id, MAX_HEADWORDS)) if remaining else {}
        yield from matches.items()
        remaining = [text for text in remaining if text not in matches]
    for text, hits in find_forms_by_rule(connection, LookupBatch(remaining, language_id)).items():
        yield text, hits[:MAX_HEADWORDS]
