"""Words as answers show them: one spelling in one language, with its numbered meanings."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from abhidhan.records.audio_links import Audio
from abhidhan.records.ideas import Definition, Example, IdeaWord, PhotoReference, Relation
from abhidhan.records.lookup_lists import Named


class Meaning(msgspec.Struct, frozen=True):
    """The word under one idea. `translations` are all other words of the idea, synonyms included.

    `sense_id` is the ID of this link of the word to the idea, by which editors and corrections name it.

    `licence` is that under which somebody has given it; null: that of its source, or not stated.
    """

    idea_id: int
    sense_id: int
    pos: Named | None
    gender: Named | None
    contexts: Sequence[Named]
    definitions: Sequence[Definition]
    translations: Sequence[IdeaWord]
    examples: Sequence[Example]
    relations: Sequence[Relation]
    photos: Sequence[PhotoReference]
    reference: str | None
    note: str | None
    licence: str | None = None


class WordDetails(msgspec.Struct, frozen=True):
    """One spelling in one language, without its meanings.

    `roman` is the editors' romanization, or, where `roman_generated` is true, one made by rule (Assamese only).
    `ipa` and `ipa_generated` likewise. `frequency` is in occurrences per million running words,
    as somebody gave it or, of Assamese, as it was counted for the program (`assamese/word_frequency.py`).
    `forms_url` leads to its inflected forms, `audio` to recordings of people who say it.
    """

    id: int
    word: str
    language_id: int
    language: str
    roman: str | None
    roman_generated: bool
    ipa: str | None
    ipa_generated: bool
    asm: str | None
    countable: bool | None
    variant: Named | None
    origin: str | None
    plural: str | None
    definitive: str | None
    frequency: float | None
    forms_url: str
    audio: Sequence[Audio]


class Word(WordDetails, frozen=True):
    """One spelling in one language with its meanings: the WORD of the API. `pos` is that of the first meaning."""

    pos: Named | None
    meanings: Sequence[Meaning]

    @property
    def given_ipa(self) -> str | None:
        """The pronunciation that an editor or a file gave, for formats that cannot mark a generated one."""
        return None if self.ipa_generated else self.ipa


class DetailedSuggestion(msgspec.Struct, frozen=True):
    """A headword to suggest while somebody types: what it means in a word or two, its language by name and by code.

    Of a phrase, `word` is its text, `id` its own, and `gloss` its meaning.
    """

    word: str
    id: int
    language_id: int
    roman: str | None
    gloss: str | None
    language: str
    language_code: str
    kind: Literal["word", "phrase"] = "word"


class Suggestion(msgspec.Struct, frozen=True):
    """A near spelling to offer: a word that is in the dictionary."""

    word: str
    language_id: int
    id: int
