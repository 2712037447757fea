"""Words as answers show them: one spelling in one language, with its numbered meanings, and its short gloss."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from abhidhan.records.ideas import Definition, Example, IdeaWord, PhotoReference, Relation
from abhidhan.records.languages import ENGLISH
from abhidhan.records.lookup_lists import Named
from abhidhan.records.recordings import Audio


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


def gloss_of(word: Word, preferred: Sequence[int] = ()) -> str | None:
    """Choose a word of another language for the first meaning that has one, else a definition; None without either.

    Languages count by their IDs: those `preferred`, in their order, then English, then the others.
    """
    order = {language_id: place for place, language_id in reversed([*enumerate((*preferred, ENGLISH))])}
    for meaning in word.meanings:
        others = [each for each in meaning.translations if each.language_id != word.language_id]
        if others:
            return first_given(others, order).word
        if meaning.definitions:
            return min(meaning.definitions, key=lambda each: order.get(each.language_id, len(order))).text
    return None


def first_given(words: Iterable[IdeaWord], order: Mapping[int, int]) -> IdeaWord:
    """Choose the word that says best what an idea is: the first one of the language that comes first.

    Raises ValueError when there is no word.
    """
    return min(words, key=lambda each: order.get(each.language_id, len(order)))
