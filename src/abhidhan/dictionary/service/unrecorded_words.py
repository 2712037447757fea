"""Recordings of words and examples, and the words of a language that have no recording."""

from collections.abc import Mapping, Sequence

import msgspec

from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.views.listings import Gloss, glosses, selection_of_glosses
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store.unrecorded_words import audio_of_words, count_without_voice, words_without_voice
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.records.recordings import Audio


class SilentWords(msgspec.Struct, frozen=True):
    """A page of the words of a language that nobody has recorded, and how many there are."""

    words: tuple[Gloss, ...]
    total: int
    language: Language
    languages: dict[int, Language]


def audio_of(reader: Reader, texts: Mapping[int, Sequence[str]]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
    """Read the recordings of words, given by their languages and spellings."""
    return audio_of_words(reader, texts)


def list_without_voice(
    reader: Reader, language: str, limit: int, offset: int, readers: ReadersLanguages
) -> SilentWords:
    """List a page of the words of a language without a voice, the commonest first. Raises InputError."""
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language))
    chosen = reader.catalogue.language(ASSAMESE if language_id == ALL_LANGUAGES else language_id)
    mine = languages_of(readers, reader.catalogue)
    word_ids = words_without_voice(reader, chosen.id, limit, offset)
    words = word_rows.gather(reader, word_ids, selection=selection_of_glosses(mine))
    languages = reader.catalogue.by_id
    total = count_without_voice(reader, chosen.id)
    return SilentWords(glosses(reader, words, languages, mine), total, chosen, languages)
