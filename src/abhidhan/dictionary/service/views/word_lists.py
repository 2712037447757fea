"""Lists of words with glosses: a user's list, and words without a recording."""

from collections.abc import Mapping, Sequence

import msgspec

from abhidhan.dictionary.service import contexts, lookup_lists
from abhidhan.dictionary.service.views.listings import Gloss, glosses, selection_of_glosses
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.unrecorded_words import audio_of_words, count_without_voice, words_without_voice
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.records.recordings import Audio
from abhidhan.records.sources import Source


class ListedWords(msgspec.Struct, frozen=True):
    """Existing words of a list, and the number of deleted ones."""

    words: tuple[Gloss, ...]
    languages: dict[int, Language]
    missing: int


def read_listed_words(reader: Reader, word_ids: Sequence[int], readers: ReadersLanguages) -> ListedWords:
    """Load words in the order of their IDs."""
    languages = reader.catalogue.by_id
    mine = languages_of(readers, reader.catalogue)
    words = word_rows.gather(reader, word_ids, selection=selection_of_glosses(mine))
    return ListedWords(glosses(reader, words, languages, mine), languages, len(word_ids) - len(words))


def sources_of(reader: Reader, listed: ListedWords) -> tuple[Source, ...]:
    """List the sources of the meanings in a list, each once."""
    idea_ids = [meaning.idea_id for each in listed.words for meaning in each.word.meanings]
    heads = contexts.read_heads(reader, list(dict.fromkeys(idea_ids))) if idea_ids else {}
    known = {head.source.id: head.source for head in heads.values() if head.source is not None}
    return tuple(known[source_id] for source_id in sorted(known))


class UnrecordedWords(msgspec.Struct, frozen=True):
    """One page of the words of a language without a recording, and their total number."""

    words: tuple[Gloss, ...]
    total: int
    language: Language
    languages: dict[int, Language]


def recordings_of(reader: Reader, texts: Mapping[int, Sequence[str]]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Return the recordings of words by language and spelling."""
    return audio_of_words(reader, texts)


def list_unrecorded_words(
    reader: Reader, language: str, limit: int, offset: int, readers: ReadersLanguages
) -> UnrecordedWords:
    """List a page of the words of a language without a recording, most common first. Raises InputError."""
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language))
    chosen = reader.catalogue.language(ASSAMESE if language_id == ALL_LANGUAGES else language_id)
    mine = languages_of(readers, reader.catalogue)
    word_ids = words_without_voice(reader, chosen.id, limit, offset)
    words = word_rows.gather(reader, word_ids, selection=selection_of_glosses(mine))
    languages = reader.catalogue.by_id
    total = count_without_voice(reader, chosen.id)
    return UnrecordedWords(glosses(reader, words, languages, mine), total, chosen, languages)
