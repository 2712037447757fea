"""The words of a list that somebody has made, each with what it means, in the order of the list."""

from collections.abc import Sequence

import msgspec

from abhidhan.dictionary.service import contexts
from abhidhan.dictionary.service.views.listings import Gloss, glosses, selection_of_glosses
from abhidhan.dictionary.store import word_rows
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import Language
from abhidhan.records.sources import Source


class ListedWords(msgspec.Struct, frozen=True):
    """The words of a list that are there, and how many of it are not (they were deleted)."""

    words: tuple[Gloss, ...]
    languages: dict[int, Language]
    missing: int


def read_listed_words(reader: Reader, word_ids: Sequence[int], readers: ReadersLanguages) -> ListedWords:
    """Read words by their IDs, in the order of these."""
    languages = reader.catalogue.by_id
    mine = languages_of(readers, reader.catalogue)
    words = word_rows.gather(reader, word_ids, selection=selection_of_glosses(mine))
    return ListedWords(glosses(reader, words, languages, mine), languages, len(word_ids) - len(words))


def sources_of(reader: Reader, listed: ListedWords) -> tuple[Source, ...]:
    """List the sources of what the words of a list mean, each once."""
    idea_ids = [meaning.idea_id for each in listed.words for meaning in each.word.meanings]
    heads = contexts.read_heads(reader, list(dict.fromkeys(idea_ids))) if idea_ids else {}
    known = {head.source.id: head.source for head in heads.values() if head.source is not None}
    return tuple(known[source_id] for source_id in sorted(known))
