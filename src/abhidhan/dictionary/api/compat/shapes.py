"""The shapes of the .php answers: envelopes that exist only because the interface asks for them."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from abhidhan.dictionary.model.encoded_words import CodedWord
from abhidhan.dictionary.model.phrases import SimilarPhrase
from abhidhan.dictionary.service.browse import RecentWord
from abhidhan.records.timestamps import Timestamp, timestamp
from abhidhan.records.words import Word


class WordList(msgspec.Struct, frozen=True):
    """The data of `wordsalpha.php`. `next` is the `start` that continues the list, null at its end."""

    words: Sequence[CodedWord]
    language_id: int
    count: int
    next: str | None


class AlphabetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `wordsalpha.php`."""

    success: Literal[True] = True
    data: WordList


class AddedWord(Word, frozen=True):
    """A word of `words_recent.php`, with the time it was added."""

    added: Timestamp

    @classmethod
    def of(cls, word: RecentWord) -> "AddedWord":
        """Write the time as callers read it."""
        return cls(**(msgspec.structs.asdict(word) | {"added": timestamp(word.added)}))


class PhraseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `check-fj.php`. `found` is true when there are similar items."""

    success: Literal[True] = True
    phrase: str
    found: bool
    count: int
    similar_items: tuple[SimilarPhrase, ...]


class ListEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value of a lookup list; some lists tell more of each value."""

    id: int
    value: str
    code: str | msgspec.UnsetType | None = msgspec.UNSET
    native_name: str | msgspec.UnsetType = msgspec.UNSET
    script: str | msgspec.UnsetType = msgspec.UNSET
    direction: str | msgspec.UnsetType = msgspec.UNSET
    parent_id: int | msgspec.UnsetType | None = msgspec.UNSET
    major: str | msgspec.UnsetType | None = msgspec.UNSET
    inverse_id: int | msgspec.UnsetType | None = msgspec.UNSET


class ListAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `get-list.php`."""

    success: Literal[True] = True
    type: str
    data: tuple[ListEntry, ...]
    count: int
