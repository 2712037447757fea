"""Phrases: proverbs and idioms (fokora-jojona), and how alike two of them are."""

from collections.abc import Sequence

import msgspec

from abhidhan.records.local_texts import LocalText, main_text
from abhidhan.records.lookup_lists import Named
from abhidhan.records.recordings import Audio


class Phrase(msgspec.Struct, frozen=True):
    """A proverb or idiom as it is stored. `licence` is that under which somebody has given it, if it was stated."""

    id: int
    language_id: int
    text: str
    roman: str | None
    roman_generated: bool
    meanings: tuple[LocalText, ...]
    category_id: int | None
    licence: str | None = None
    source_id: int | None = None
    audio: Sequence[Audio] = ()

    @property
    def meaning(self) -> str | None:
        """Its meaning in English, or else in the first language that has one."""
        return main_text(self.meanings)


class WordOfPhrase(msgspec.Struct, frozen=True):
    """A word of the dictionary that stands in a phrase, maybe as another form, and the IDs of its ideas."""

    id: int
    word: str
    idea_ids: tuple[int, ...]


class PhraseWord(msgspec.Struct, frozen=True):
    """A word as it stands in a phrase, and the words of the dictionary that it is or may be a form of."""

    text: str
    entries: tuple[WordOfPhrase, ...]


class ListedPhrase(msgspec.Struct, frozen=True):
    """A phrase with its words.

    `meaning` is that in English, or else the first of `meanings`. `roman_generated` says that `roman` is made by rule.
    """

    id: int
    phrase: str
    roman: str | None
    roman_generated: bool
    language_id: int
    meaning: str | None
    meanings: tuple[LocalText, ...]
    category: Named | None
    words: tuple[PhraseWord, ...]
    licence: str | None = None
    audio: Sequence[Audio] = ()


class SimilarPhrase(msgspec.Struct, frozen=True):
    """A phrase found for a query: `similarity` from 0 to 1, `exact` when the exact keys are the same.

    `meaning` is that in English, or else the first of `meanings`. `roman_generated` says that `roman` is made by rule.
    """

    id: int
    phrase: str
    roman: str | None
    roman_generated: bool
    language_id: int
    meaning: str | None
    meanings: tuple[LocalText, ...]
    category: Named | None
    similarity: float
    exact: bool
    licence: str | None = None
    audio: Sequence[Audio] = ()
