"""What belongs to an idea as pieces of the JSON of answers, put together for a meaning of a word or for the idea.

An idea of the Open Multilingual Wordnet has up to a thousand words: its JSON is written once, cached, and copied.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.ideas import Definition, Example, IdeaWord, LazyWords, PhotoReference, Relation, without_word
from abhidhan.domain.lazy_json import LazyList
from abhidhan.domain.lists import Named
from abhidhan.domain.selection import DEFINITIONS, MEANING_KEYS, TRANSLATIONS, Selection
from abhidhan.domain.words import Meaning, Word


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
    """

    pos_id: int | None
    gender_id: int | None
    before: bytes | None
    words: bytes | None
    after: bytes | None
    licence: str | None = None


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
    return msgspec.structs.replace(details, definitions=_in_languages(details.definitions, languages))


def read_words(idea: IdeaJSON, languages: frozenset[int] | None = None) -> LazyWords:
    """Return the words of an idea, of some languages or of all, which stay JSON until somebody looks at them."""
    return LazyWords(_words_json(idea, languages))


def count_by_language(idea: IdeaJSON) -> dict[int, int]:
    """Count the words of an idea by the IDs of their languages; the words themselves are not read."""
    return Counter(map(int, _EVERY_LANGUAGE.findall(idea.words or b"")))


def _words_json(idea: IdeaJSON, languages: frozenset[int] | None) -> bytes:
    if not idea.words:
        return NO_WORDS
    return unpack(idea.words) if languages is None else unpack_of_languages(idea.words, languages)


def _in_languages(definitions: Sequence[Definition], languages: frozenset[int]) -> tuple[Definition, ...]:
    return tuple([each for each in definitions if each.language_id in languages])


_DETAILS: Final = msgspec.json.Decoder(IdeaDetails)

# --- packed words ----------------------------------------------------------------------------------------------------

_LANGUAGE_ID: Final = b"\x04"
_LANGUAGE: Final = b"\x05"
_WORD: Final = b"\x06"
_EVERY_LANGUAGE: Final = re.compile(_LANGUAGE_ID + rb"(\d+)" + _LANGUAGE)
_STANDS_FOR: Final = (
    (b'","roman":null,"variant":null},{"id":', b"\x01"),
    (b',"variant":null},{"id":', b"\x02"),
    (b'","roman":"', b"\x03"),
    (b'","language_id":', _LANGUAGE_ID),
    (b',"language":"', _LANGUAGE),
    (b',"word":"', _WORD),
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


def unpack_of_languages(packed: bytes, languages: frozenset[int]) -> bytes:
    """Make the JSON of those of an idea's words that are of some languages.

    Words stand by language, so those of one are found by halving, and hardly any of the others is looked at.
    """
    runs, place = [], 0
    for language_id in sorted(languages):
        first = place = _find_language(packed, language_id, place)
        mark = b"%b%d%b" % (_LANGUAGE_ID, language_id, _LANGUAGE)
        while packed.startswith(mark, place):
            place = _next_language(packed, place + 1)
        if place > first:
            runs.append(packed[_word_begins(packed, first) : _word_begins(packed, place)])
    if not runs:
        return NO_WORDS
    json = unpack(b'[{"id":' + b"".join(runs))
    # Each word ends with what begins the next, but for the last one of the idea.
    return json[: -len(_NEXT)] + b"]" if json.endswith(_NEXT) else json


_NEXT: Final = b',{"id":'


def _find_language(packed: bytes, language_id: int, start: int) -> int:
    """Find where the first word after a place tells its language that is of this one or one that follows."""
    low = found = start
    step = _STEP
    while (found := _next_language(packed, found)) < len(packed) and _language_at(packed, found) < language_id:
        low, found, step = found + 1, found + step, 2 * step
    high = found
    while low < high:
        middle = (low + high) // 2
        place = packed.find(_LANGUAGE_ID, middle, high)
        if place >= 0 and _language_at(packed, place) < language_id:
            low = place + 1
        else:
            found, high = (found if place < 0 else place), middle
    return found


_STEP: Final = 64
"""How far ahead a language is first looked for, in bytes: those that are wanted often follow each other."""


def _language_at(packed: bytes, place: int) -> int:
    return int(packed[place + 1 : packed.find(_LANGUAGE, place)])


def _next_language(packed: bytes, start: int) -> int:
    """Return where the next word tells its language; the end where there is none."""
    place = packed.find(_LANGUAGE_ID, start)
    return len(packed) if place < 0 else place


def _word_begins(packed: bytes, place: int) -> int:
    """Return where the ID stands of the word that tells its language at a place."""
    if place == len(packed):
        return place
    begin = packed.rfind(_WORD, 0, place)
    while packed[begin - 1 : begin].isdigit():
        begin -= 1
    return begin


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
    licence: str | None = None,
) -> bytes:
    """Write a meaning of a word as `Meaning` is written: its translations are the other words of the idea.

    `pos` and `gender` are JSON.
    """
    return b'{"idea_id":%d,"pos":%b,"gender":%b,%b,"translations":%b,%b,"reference":%b,"note":%b,"licence":%b}' % (
        idea_id,
        pos,
        gender,
        idea.before or NOTHING_BEFORE,
        without_word(unpack(idea.words), word_id) if idea.words else NO_WORDS,
        idea.after or NOTHING_AFTER,
        b"null" if reference is None else _ENCODER.encode(reference),
        b"null" if note is None else _ENCODER.encode(note),
        b"null" if licence is None else _ENCODER.encode(licence),
    )


def write_selected(  # noqa: PLR0913 (as above)
    word_id: int,
    idea_id: int,
    idea: IdeaJSON,
    selection: Selection,
    *,
    pos: bytes,
    gender: bytes,
    reference: str | None,
    note: str | None,
    licence: str | None = None,
) -> bytes:
    """Write what is selected of a meaning, each member as `write_meaning` writes it."""
    wanted = selection.of_meanings
    members = {"idea_id": b"%d" % idea_id, "pos": pos, "gender": gender, **dict(_selected_lists(idea, selection))}
    if TRANSLATIONS in wanted:
        members[TRANSLATIONS] = without_word(_words_json(idea, selection.languages), word_id)
    if "reference" in wanted:
        members["reference"] = _ENCODER.encode(reference)
    if "note" in wanted:
        members["note"] = _ENCODER.encode(note)
    if "licence" in wanted:
        members["licence"] = _ENCODER.encode(licence)
    return b"{%b}" % b",".join([b'"%b":%b' % (key.encode(), members[key]) for key in MEANING_KEYS if key in wanted])


def pieces_of(selection: Selection) -> frozenset[str]:
    """Return which pieces of an idea what is selected of meanings is written of."""
    return frozenset(piece for piece, keys in _KEYS_OF_PIECES.items() if keys & selection.of_meanings)


def pieces_of_idea(selection: Selection) -> frozenset[str]:
    """Return which pieces of an idea what is selected of the idea itself is written of: its words are `words`."""
    keys = {TRANSLATIONS if key == "words" else key for key in selection.keys}
    return frozenset(piece for piece, of_piece in _KEYS_OF_PIECES.items() if of_piece & keys)


_KEYS_OF_PIECES: Final = {
    "before": frozenset(_Before.__struct_fields__),
    "words": frozenset({TRANSLATIONS}),
    "after": frozenset(_After.__struct_fields__),
}


def _selected_lists(idea: IdeaJSON, selection: Selection) -> Iterator[tuple[str, bytes]]:
    """Take the lists of an idea apart, and leave out the definitions in other languages."""
    for piece, nothing in (("before", NOTHING_BEFORE), ("after", NOTHING_AFTER)):
        if keys := _KEYS_OF_PIECES[piece] & selection.of_meanings:
            lists = _MEMBERS.decode(b"{%b}" % (getattr(idea, piece) or nothing))
            yield from ((key, bytes(lists[key])) for key in keys)
            if DEFINITIONS in keys and selection.languages is not None:
                definitions = _DEFINITIONS.decode(lists[DEFINITIONS])
                yield DEFINITIONS, _ENCODER.encode(_in_languages(definitions, selection.languages))


_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DEFINITIONS: Final = msgspec.json.Decoder(tuple[Definition, ...])


class LazyMeanings(LazyList[Meaning]):
    """The meanings of a word, as JSON that is read when somebody looks at it; the translations later still."""

    __slots__ = ()

    def __init__(self, json: bytes) -> None:
        """Keep the JSON."""
        super().__init__(json, _read_meanings)


def is_bare(word: Word) -> bool:
    """Say whether an entry says nothing: no definition and no translation under any of its ideas."""
    meanings = word.meanings
    # Few are bare, and that these are not is seen without reading the JSON.
    if isinstance(meanings, LazyMeanings) and meanings.json != b"[]" and b'"translations":[]' not in meanings.json:
        return False
    return not any(meaning.definitions or meaning.translations for meaning in meanings)


class _WrittenMeaning(IdeaDetails, frozen=True, kw_only=True):
    """A meaning whose translations nobody has looked at yet."""

    idea_id: int
    pos: Named | None
    gender: Named | None
    translations: msgspec.Raw
    reference: str | None
    note: str | None
    licence: str | None = None


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
        licence=written.licence,
    )
