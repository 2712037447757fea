"""Words in the format of `wordsalpha.php`, which XOBDO's programs read, with codes of parts of speech and texts."""

from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.field_selection import FieldSelection
from abhidhan.dictionary.model.word_json import EncodedWord, join_words
from abhidhan.records.ideas import Definition, Example, IdeaWord, PhotoReference, Relation
from abhidhan.records.lazy_json import LazyList
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import WordDetails

CODED_POS: Final = ("pos", "posDesc", "posID")
"""Keys of the part of speech: its code, name and ID."""


class CodedMeaning(msgspec.Struct, frozen=True):
    """Meaning of a word; `text` is its one-line description. Without a part of speech, `pos` is `U`, `posID` null."""

    idea_id: int
    pos: str
    pos_name: str = msgspec.field(name="posDesc")
    pos_id: int | None = msgspec.field(name="posID")
    gender: Named | None
    contexts: Sequence[Named]
    definitions: Sequence[Definition]
    translations: Sequence[IdeaWord]
    examples: Sequence[Example]
    relations: Sequence[Relation]
    photos: Sequence[PhotoReference]
    reference: str | None
    note: str | None
    licence: str | None
    text: str


class CodedWord(WordDetails, frozen=True):
    """Word with the code of its part of speech; the other keys are those of words in other endpoints."""

    pos: str
    pos_name: str = msgspec.field(name="posDesc")
    pos_id: int | None = msgspec.field(name="posID")
    meanings: Sequence[CodedMeaning]


class CodedWords(LazyList[CodedWord]):
    """List of words in the format of `wordsalpha.php` as JSON, with the selected keys, decoded on first access."""

    __slots__ = ()

    def __init__(self, words: Sequence[EncodedWord], selection: FieldSelection | None) -> None:
        """Join the JSON of the words."""
        json = join_words([word.packed for word in words])
        super().__init__(json if selection is None else _select_keys(json, selection.keys), _DECODE_WORDS, len(words))


def _select_keys(json: bytes, keys: frozenset[str]) -> bytes:
    """Drop the unselected keys of encoded words; `pos` includes its name and ID."""
    selected = {*keys, *CODED_POS} if "pos" in keys else keys
    words = _MEMBERS_DECODER.decode(json)
    return msgspec.json.encode([{key: value for key, value in word.items() if key in selected} for word in words])


_MEMBERS_DECODER: Final = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])
_DECODE_WORDS: Final = msgspec.json.Decoder(tuple[CodedWord, ...]).decode
