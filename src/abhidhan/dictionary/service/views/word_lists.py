"""Lists of words with glosses: a user's list, and words without a recording."""

from collections.abc import Mapping, Sequence

import msgspec

from abhidhan.dictionary.service import contexts, lookup_lists
from abhidhan.dictionary.service.views.listings import GlossedWord, gloss_words, select_gloss_fields
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.unrecorded_words import count_unrecorded_words, load_unrecorded_words, load_word_audio
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.language_preferences import LanguagePreferences, resolve_languages
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.records.recordings import Audio
from abhidhan.records.sources import Source


class WordListView(msgspec.Struct, frozen=True):
    """Existing words of a list, and the number of deleted ones."""

    words: tuple[GlossedWord, ...]
    languages: dict[int, Language]
    missing: int


def read_word_list(
    connection: ReadConnection, word_ids: Sequence[int], preferences: LanguagePreferences
) -> WordListView:
    """Load words in the order of their IDs."""
    languages = connection.catalogue.languages_by_id
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    words = word_rows.load_words(connection, word_ids, selection=select_gloss_fields(preferred_ids))
    return WordListView(gloss_words(connection, words, languages, preferred_ids), languages, len(word_ids) - len(words))


def list_sources(connection: ReadConnection, word_list: WordListView) -> tuple[Source, ...]:
    """List the sources of the meanings in a list, each once."""
    idea_ids = [meaning.idea_id for gloss in word_list.words for meaning in gloss.word.meanings]
    heads = contexts.read_headings(connection, list(dict.fromkeys(idea_ids))) if idea_ids else {}
    sources_by_id = {head.source.id: head.source for head in heads.values() if head.source is not None}
    return tuple(sources_by_id[source_id] for source_id in sorted(sources_by_id))


class UnrecordedWords(msgspec.Struct, frozen=True):
    """One page of the words of a language without a recording, and their total number."""

    words: tuple[GlossedWord, ...]
    total: int
    language: Language
    languages: dict[int, Language]


def load_recordings(
    connection: ReadConnection, texts: Mapping[int, Sequence[str]]
) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the recordings of words by language and spelling."""
    return load_word_audio(connection, texts)


def list_unrecorded_words(
    connection: ReadConnection, language: str, limit: int, offset: int, preferences: LanguagePreferences
) -> UnrecordedWords:
    """List a page of the words of a language without a recording, most common first. Raises InputError."""
    language_id = lookup_lists.find_language_id(connection, lookup_lists.LanguageParam(language))
    page_language = connection.catalogue.language(ASSAMESE if language_id == ALL_LANGUAGES else language_id)
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    word_ids = load_unrecorded_words(connection, page_language.id, limit, offset)
    words = word_rows.load_words(connection, word_ids, selection=select_gloss_fields(preferred_ids))
    languages = connection.catalogue.languages_by_id
    total = count_unrecorded_words(connection, page_language.id)
    return UnrecordedWords(gloss_words(connection, words, languages, preferred_ids), total, page_language, languages)
