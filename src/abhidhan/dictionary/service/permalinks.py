"""Resolve permalinks of words and proverbs, and load senses with the data for citations."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.field_selection import FieldSelection
from abhidhan.dictionary.service import contexts
from abhidhan.dictionary.service.browse import get_word
from abhidhan.dictionary.service.phrase_lists import get_phrase
from abhidhan.dictionary.service.random_entries import NO_WORD_MESSAGE, draw_word_id
from abhidhan.dictionary.store import senses, word_rows
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import RecordRef
from abhidhan.records.language_preferences import LanguagePreferences, resolve_languages
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, Language
from abhidhan.records.words import Meaning, Word, find_gloss

HEADWORD_FIELDS: Final = FieldSelection(frozenset(), frozenset())


class Permalink(NamedTuple):
    """Target of a permalink: a spelling, a language code and an idea ID; "" and 0 mean all."""

    text: str
    language: str = ""
    idea_id: int = 0


def build_word_permalink(connection: ReadConnection, word_id: int) -> Permalink:
    """Return the permalink of a word. Raises NotFoundError."""
    word = _load_word(connection, word_id)
    if word is None:
        raise NotFoundError(sentence("There is no word with the ID %(word_id)s.", word_id=word_id))
    return Permalink(word.word, connection.catalogue.language(word.language_id).code)


def build_proverb_permalink(connection: ReadConnection, phrase_id: int) -> Permalink:
    """Return the permalink of a proverb. Raises NotFoundError."""
    return Permalink(get_phrase(connection, phrase_id).phrase)


def pick_random_permalink(connection: ReadConnection, preferences: LanguagePreferences, rng: Random) -> Permalink:
    """Pick a random word with a meaning, in the reader's first language, else Assamese, else any.

    Raises NotFoundError.
    """
    for language_id in _list_language_choices(connection, preferences):
        word_id = draw_word_id(connection, language_id, rng)
        if word_id is not None:
            return build_word_permalink(connection, word_id)
    raise NotFoundError(NO_WORD_MESSAGE)


def _list_language_choices(connection: ReadConnection, preferences: LanguagePreferences) -> Sequence[int]:
    first = resolve_languages(preferences, connection.catalogue)[:1] if preferences.chosen else ()
    return list(dict.fromkeys((*first, ASSAMESE, ALL_LANGUAGES)))


def _load_word(connection: ReadConnection, word_id: int) -> Word | None:
    return next(iter(word_rows.load_words(connection, [word_id], selection=HEADWORD_FIELDS)), None)


class CitedSense(NamedTuple):
    """Sense with the data of its citation; `records` are the records whose changes count as changes to the sense."""

    id: int
    word: Word
    meaning: Meaning
    language: Language
    gloss: str
    source: str
    licence: str
    added: int
    records: tuple[RecordRef, ...]


def read_cited_sense(connection: ReadConnection, sense_id: int) -> CitedSense:
    """Return the data for the citation of a sense. Raises NotFoundError."""
    link = senses.find_sense(connection, sense_id)
    word = get_word(connection, link.word_id) if link else None
    meaning = (
        next((candidate for candidate in word.meanings if link and candidate.idea_id == link.idea_id), None)
        if word
        else None
    )
    if link is None or word is None or meaning is None:
        raise NotFoundError(sentence("There is no meaning with the ID %(sense_id)s.", sense_id=sense_id))
    source = contexts.read_headings(connection, [link.idea_id])[link.idea_id].source
    return CitedSense(
        id=sense_id,
        word=word,
        meaning=meaning,
        language=connection.catalogue.language(word.language_id),
        gloss=find_gloss(_reduce_to_meaning(word, meaning), (ENGLISH, ASSAMESE)) or "",
        source=source.name if source else "",
        licence=meaning.licence or (source.licence if source else ""),
        added=link.added,
        records=(
            RecordRef("word", str(link.word_id)),
            RecordRef("idea", str(link.idea_id)),
            RecordRef("sense", str(sense_id)),
        ),
    )


def _reduce_to_meaning(word: Word, meaning: Meaning) -> Word:
    """Return a word reduced to one of its meanings."""
    return msgspec.structs.replace(word, meanings=(meaning,))
