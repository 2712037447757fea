"""What belongs to an idea as pieces of the JSON of answers, put together for a meaning of a word or for the idea.

An idea of the Open Multilingual Wordnet has up to a thousand words: its JSON is written once, cached, and copied.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.ideas import Definition, Example, IdeaWord, LazyWords, PhotoReference, Relation, without_word
from abhidhan.domain.lazy_json import LazyList
from abhidhan.domain.lists import Named
from abhidhan.domain.words import Meaning


class IdeaDetails(msgspec.Struct, frozen=True):
    """Everything that belongs to one idea but its words, in the order of answers."""

    contexts: tuple[Named, ...] = ()
    definitions: tuple[Definition, ...] = ()
    examples: tuple[Example, ...] = ()
    relations: tuple[Relation, ...] = ()
    photos: tuple[PhotoReference, ...] = ()


class IdeaJSON(NamedTuple):
    """An idea's part of speech and gender, and pieces of JSON: what stands before its words, they, and what follows.

    `words` are packed; a piece that would be its own default is None.
    """

    pos_id: int | None
    gender_id: int | None
    before: bytes | None
    words: bytes | None
    after: bytes | None


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
NO_WORDS: Final = b"[]"


def write_idea(pos_id: int | None, gender_id: int | None, details: IdeaDetails, words: Sequence[IdeaWord]) -> IdeaJSON:
    """Write what belongs to an idea as pieces of JSON."""
    before = _members(_Before(details.contexts, details.definitions))
    after = _members(_After(details.examples, details.relations, details.photos))
    return IdeaJSON(
        pos_id,
        gender_id,
        None if before == NOTHING_BEFORE else before,
        pack(_ENCODER.encode(words)) if words else None,
        None if after == NOTHING_AFTER else after,
    )


def read_details(idea: IdeaJSON) -> IdeaDetails:
    """Read all but the words of an idea."""
    return _DETAILS.decode(b"{%b,%b}" % (idea.before or NOTHING_BEFORE, idea.after or NOTHING_AFTER))


def read_words(idea: IdeaJSON) -> LazyWords:
    """Return the words of an idea, which stay JSON until somebody looks at them."""
    return LazyWords(unpack(idea.words) if idea.words else NO_WORDS)


_DETAILS: Final = msgspec.json.Decoder(IdeaDetails)

# --- packed words ----------------------------------------------------------------------------------------------------

_STANDS_FOR: Final = (
    (b'","roman":null,"variant":null},{"id":', b"\x01"),
    (b',"variant":null},{"id":', b"\x02"),
    (b'","roman":"', b"\x03"),
    (b'","language_id":', b"\x04"),
    (b',"language":"', b"\x05"),
    (b',"word":"', b"\x06"),
)
"""What stands in every word of an idea's JSON, the longest first, and the byte that stands for it while it is stored.

No JSON holds these bytes: in texts they are escaped. The words of an idea take a third of the room so, and 20 kB of
them are unpacked in 20 µs, where zlib takes 60.
"""


def pack(json: bytes) -> bytes:
    """Make the JSON of an idea's words shorter for storing it."""
    return reduce(lambda shorter, each: shorter.replace(*each), _STANDS_FOR, json)


def unpack(packed: bytes) -> bytes:
    """Make the JSON of an idea's words of what is stored."""
    for text, byte in _STANDS_FOR:
        packed = packed.replace(byte, text)
    return packed


# --- meanings of words -----------------------------------------------------------------------------------------------


def write_meaning(  # noqa: PLR0913 (each is one member of what is written)
    word_id: int,
    idea_id: int,
    idea: IdeaJSON,
    *,
    pos: bytes,
    gender: bytes,
    reference: str | None,
    note: str | None,
) -> bytes:
    """Write a meaning of a word as `Meaning` is written: its translations are the other words of the idea.

    `pos` and `gender` are JSON.
    """
    return b'{"idea_id":%d,"pos":%b,"gender":%b,%b,"translations":%b,%b,"reference":%b,"note":%b}' % (
        idea_id,
        pos,
        gender,
        idea.before or NOTHING_BEFORE,
        without_word(unpack(idea.words), word_id) if idea.words else NO_WORDS,
        idea.after or NOTHING_AFTER,
        b"null" if reference is None else _ENCODER.encode(reference),
        b"null" if note is None else _ENCODER.encode(note),
    )


class LazyMeanings(LazyList[Meaning]):
    """The meanings of a word, as JSON that is read when somebody looks at it; the translations later still."""

    __slots__ = ()

    def __init__(self, json: bytes) -> None:
        """Keep the JSON."""
        super().__init__(json, _read_meanings)


class _WrittenMeaning(IdeaDetails, frozen=True, kw_only=True):
    """A meaning whose translations nobody has looked at yet."""

    idea_id: int
    pos: Named | None
    gender: Named | None
    translations: msgspec.Raw
    reference: str | None
    note: str | None


_MEANINGS: Final = msgspec.json.Decoder(tuple[_WrittenMeaning, ...])


def _read_meanings(json: bytes) -> tuple[Meaning, ...]:
    return tuple([_meaning(written) for written in _MEANINGS.decode(json)])


def _meaning(written: _WrittenMeaning) -> Meaning:
    return Meaning(
        idea_id=written.idea_id,
        pos=written.pos,
        gender=written.gender,
        contexts=written.contexts,
        definitions=written.definitions,
        translations=LazyWords(bytes(written.translations)),
        examples=written.examples,
        relations=written.relations,
        photos=written.photos,
        reference=written.reference,
        note=written.note,
    )
