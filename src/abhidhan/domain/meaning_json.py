"""The meanings of a word as JSON: written of the pieces of its ideas, and read when somebody looks at them."""

from collections.abc import Iterator
from typing import Final

import msgspec

from abhidhan.domain.idea_json import (
    KEYS_OF_PIECES,
    NOTHING_AFTER,
    NOTHING_BEFORE,
    IdeaDetails,
    IdeaJSON,
    in_languages,
    words_json,
)
from abhidhan.domain.ideas import Definition, LazyWords, without_word
from abhidhan.domain.lazy_json import LazyList
from abhidhan.domain.lists import Named
from abhidhan.domain.packed_words import NO_WORDS, without
from abhidhan.domain.selection import DEFINITIONS, MEANING_KEYS, TEXT, TRANSLATIONS, Selection
from abhidhan.domain.words import Meaning

_ENCODER: Final = msgspec.json.Encoder()


def write_meaning(  # noqa: PLR0913 (each is one member of what is written)
    word_id: int,
    sense_id: int,
    idea_id: int,
    idea: IdeaJSON,
    *,
    pos: bytes,
    gender: bytes,
    reference: str | None,
    note: str | None,
    licence: str | None = None,
    text: bytes = b"",
) -> bytes:
    """Write a meaning of a word as `Meaning` is written: its translations, the other words of the idea, stay packed.

    `pos`, `gender` and `text`, the line that tells it where one is asked for, are JSON.
    """
    return b'{"idea_id":%d,"sense_id":%d,"pos":%b,"gender":%b,%b,"translations":%b,%b,%b}' % (
        idea_id,
        sense_id,
        pos,
        gender,
        idea.before or NOTHING_BEFORE,
        without(idea.words, word_id) if idea.words else NO_WORDS,
        idea.after or NOTHING_AFTER,
        b'"reference":%b,"note":%b,"licence":%b%b'
        % (
            b"null" if reference is None else _ENCODER.encode(reference),
            b"null" if note is None else _ENCODER.encode(note),
            b"null" if licence is None else _ENCODER.encode(licence),
            text and b',"text":%b' % text,
        ),
    )


def write_selected(  # noqa: PLR0913 (as above)
    word_id: int,
    sense_id: int,
    idea_id: int,
    idea: IdeaJSON,
    selection: Selection,
    *,
    pos: bytes,
    gender: bytes,
    reference: str | None,
    note: str | None,
    licence: str | None = None,
    text: bytes = b"",
) -> bytes:
    """Write what is selected of a meaning, each member as `write_meaning` writes it."""
    wanted = selection.of_meanings
    members = {
        "idea_id": b"%d" % idea_id,
        "sense_id": b"%d" % sense_id,
        "pos": pos,
        "gender": gender,
        **dict(_selected_lists(idea, selection)),
    }
    if TRANSLATIONS in wanted:
        members[TRANSLATIONS] = without_word(words_json(idea, selection.languages), word_id)
    if "reference" in wanted:
        members["reference"] = _ENCODER.encode(reference)
    if "note" in wanted:
        members["note"] = _ENCODER.encode(note)
    if "licence" in wanted:
        members["licence"] = _ENCODER.encode(licence)
    keys = [key for key in MEANING_KEYS if key in wanted]
    if TEXT in wanted:
        keys.append(TEXT)
        members[TEXT] = text
    return b"{%b}" % b",".join([b'"%b":%b' % (key.encode(), members[key]) for key in keys])


def _selected_lists(idea: IdeaJSON, selection: Selection) -> Iterator[tuple[str, bytes]]:
    """Take the lists of an idea apart, and leave out the definitions in other languages."""
    for piece, nothing in (("before", NOTHING_BEFORE), ("after", NOTHING_AFTER)):
        if keys := KEYS_OF_PIECES[piece] & selection.of_meanings:
            lists = _MEMBERS.decode(b"{%b}" % (getattr(idea, piece) or nothing))
            yield from ((key, bytes(lists[key])) for key in keys)
            if DEFINITIONS in keys and selection.languages is not None:
                definitions = _DEFINITIONS.decode(lists[DEFINITIONS])
                yield DEFINITIONS, _ENCODER.encode(in_languages(definitions, selection.languages))


_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DEFINITIONS: Final = msgspec.json.Decoder(tuple[Definition, ...])


class LazyMeanings(LazyList[Meaning]):
    """The meanings of a word, as JSON that is read when somebody looks at it; the translations later still."""

    __slots__ = ()

    def __init__(self, json: bytes) -> None:
        """Keep the JSON."""
        super().__init__(json, _read_meanings)


def says_something(json: bytes) -> bool:
    """Say whether written meanings have a definition or a translation, without reading them.

    No text holds what is looked for: each quotation mark in one has a backslash before it.
    """
    return b'"definitions":[{' in json or b'"translations":[{' in json


class _WrittenMeaning(IdeaDetails, frozen=True, kw_only=True):
    """A meaning whose translations nobody has looked at yet."""

    idea_id: int
    sense_id: int
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
        sense_id=written.sense_id,
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
