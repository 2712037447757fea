"""What belongs to an idea as pieces of the JSON of answers, of which meanings of words and the idea are put together.

An idea of the Open Multilingual Wordnet has up to a thousand words: its JSON is written once, cached, and copied.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.field_selection import DEFINITIONS, TEXT, TRANSLATIONS, Selection
from abhidhan.dictionary.model.packed_json import NO_WORDS, count_languages, pack, unpack, unpack_of_languages
from abhidhan.records.ideas import Definition, Example, IdeaWord, LazyWords, PhotoReference, Relation
from abhidhan.records.lookup_lists import Named


class IdeaDetails(msgspec.Struct, frozen=True):
    """Everything that belongs to one idea but its words, in the order of answers."""

    contexts: tuple[Named, ...] = ()
    definitions: tuple[Definition, ...] = ()
    examples: tuple[Example, ...] = ()
    relations: tuple[Relation, ...] = ()
    photos: tuple[PhotoReference, ...] = ()


class IdeaJSON(NamedTuple):
    """An idea's part of speech and gender, and pieces of JSON: what stands before its words, they, and what follows.

    `words` are packed; a piece that would be its own default is None. `licence` is that under which it was given.
    `lines` are the usual lines that tell it (`dictionary/model/meaning_text.py`), where it is cached with them.
    """

    pos_id: int | None
    gender_id: int | None
    before: bytes | None
    words: bytes | None
    after: bytes | None
    licence: str | None = None
    lines: bytes | None = None


class _Before(msgspec.Struct):
    contexts: Sequence[Named] = ()
    definitions: Sequence[Definition] = ()


class _After(msgspec.Struct):
    examples: Sequence[Example] = ()
    relations: Sequence[Relation] = ()
    photos: Sequence[PhotoReference] = ()


_ENCODER: Final = msgspec.json.Encoder()


def _members(value: msgspec.Struct) -> bytes:
    """Write the members of a JSON object, without the braces round them."""
    return _ENCODER.encode(value)[1:-1]


NOTHING_BEFORE: Final = _members(_Before())
NOTHING_AFTER: Final = _members(_After())

KEYS_OF_PIECES: Final = {
    "before": frozenset(_Before.__struct_fields__),
    "words": frozenset({TRANSLATIONS}),
    "after": frozenset(_After.__struct_fields__),
}
"""Which members of an answer stand in each piece of an idea."""


def write_idea(
    pos_id: int | None,
    gender_id: int | None,
    details: IdeaDetails,
    words: Sequence[IdeaWord],
    licence: str | None = None,
) -> IdeaJSON:
    """Write what belongs to an idea as pieces of JSON."""
    before = _members(_Before(details.contexts, details.definitions))
    after = _members(_After(details.examples, details.relations, details.photos))
    return IdeaJSON(
        pos_id,
        gender_id,
        None if before == NOTHING_BEFORE else before,
        pack(_ENCODER.encode(words)) if words else None,
        None if after == NOTHING_AFTER else after,
        licence,
    )


def read_details(idea: IdeaJSON, languages: frozenset[int] | None = None) -> IdeaDetails:
    """Read all but the words of an idea, with the definitions of some languages or of all."""
    details = _DETAILS.decode(b"{%b,%b}" % (idea.before or NOTHING_BEFORE, idea.after or NOTHING_AFTER))
    if languages is None:
        return details
    return msgspec.structs.replace(details, definitions=in_languages(details.definitions, languages))


def read_words(idea: IdeaJSON, languages: frozenset[int] | None = None) -> LazyWords:
    """Return the words of an idea, of some languages or of all, which stay JSON until somebody looks at them."""
    return LazyWords(words_json(idea, languages))


def count_by_language(idea: IdeaJSON) -> dict[int, int]:
    """Count the words of an idea by the IDs of their languages; the words themselves are not read."""
    return count_languages(idea.words or b"")


def words_json(idea: IdeaJSON, languages: frozenset[int] | None) -> bytes:
    """Return the JSON of the words of an idea, of some languages or of all."""
    if not idea.words:
        return NO_WORDS
    return unpack(idea.words) if languages is None else unpack_of_languages(idea.words, languages)


def in_languages(definitions: Sequence[Definition], languages: frozenset[int]) -> tuple[Definition, ...]:
    """Return those definitions that are in some languages."""
    return tuple([each for each in definitions if each.language_id in languages])


def pieces_of(selection: Selection) -> frozenset[str]:
    """Return which pieces of an idea what is selected of meanings is written of."""
    wanted = selection.of_meanings
    if TEXT in wanted:
        wanted |= {DEFINITIONS, TRANSLATIONS}
    return frozenset(piece for piece, keys in KEYS_OF_PIECES.items() if keys & wanted)


def pieces_of_idea(selection: Selection) -> frozenset[str]:
    """Return which pieces of an idea what is selected of the idea itself is written of: its words are `words`."""
    keys = {TRANSLATIONS if key == "words" else key for key in selection.keys}
    return frozenset(piece for piece, of_piece in KEYS_OF_PIECES.items() if of_piece & keys)


_DETAILS: Final = msgspec.json.Decoder(IdeaDetails)
