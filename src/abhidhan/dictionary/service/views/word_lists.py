"""Lists of words with glosses: a user's list, and words without a recording."""

from collections.abc import Mapping, Sequence

import msgspec

from abhidhan.dictionary.service import contexts, lookup_lists
from abhidhan.dictionary.service.views.listings import GlossedWord, glosses, select_gloss_fields
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.unrecorded_words import audio_of_words, count_without_audio, words_without_audio
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.language_preferences import LanguagePreferences, languages_of
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.records.recordings import Audio
from abhidhan.records.sources import Source


class WordListView(msgspec.Struct, frozen=True):
    """Existing words of a list, and the number of deleted ones."""

    words: tuple[GlossedWord, ...]
    languages: dict[int, Language]
    missing: int


def read_word_list(reader: ReadConnection, word_ids: Sequence[int], readers: LanguagePreferences) -> WordListView:
    """Load words in the order of their IDs."""
    languages = reader.catalogue.by_id
    mine = languages_of(readers, reader.catalogue)
    words = word_rows.load_words(reader, word_ids, selection=select_gloss_fields(mine))
    return WordListView(glosses(reader, words, languages, mine), languages, len(word_ids) - len(words))


def sources_of(reader: ReadConnection, word_list: WordListView) -> tuple[Source, ...]:
    """List the sources of the meanings in a list, each once."""
    idea_ids = [meaning.idea_id for gloss in word_list.words for meaning in gloss.word.meanings]
    heads = contexts.read_headings(reader, list(dict.fromkeys(idea_ids))) if idea_ids else {}
    sources_by_id = {head.source.id: head.source for head in heads.values() if head.source is not None}
    return tuple(sources_by_id[source_id] for source_id in sorted(sources_by_id))


class UnrecordedWords(msgspec.Struct, frozen=True):
    """One page of the words of a language without a recording, and their total number."""

    words: tuple[GlossedWord, ...]
    total: int
    language: Language
    languages: dict[int, Language]


def recordings_of(
    reader: ReadConnection, texts: Mapping[int, Sequence[str]]
) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the recordings of words by language and spelling."""
    return audio_of_words(reader, texts)


def list_unrecorded_words(
    reader: ReadConnection, language: str, limit: int, offset: int, readers: LanguagePreferences
) -> UnrecordedWords:
    """List a page of the words of a language without a recording, most common first. Raises InputError."""
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language))
    page_language = reader.catalogue.language(ASSAMESE if language_id == ALL_LANGUAGES else language_id)
    mine = languages_of(readers, reader.catalogue)
    word_ids = words_without_audio(reader, page_language.id, limit, offset)
    words = word_rows.load_words(reader, word_ids, selection=select_gloss_fields(mine))
    languages = reader.catalogue.by_id
    total = count_without_audio(reader, page_language.id)
    return UnrecordedWords(glosses(reader, words, languages, mine), total, page_language, languages)
