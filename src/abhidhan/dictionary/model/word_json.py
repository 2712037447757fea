"""Words and meanings, encoded as the JSON of responses and decoded only when code reads their fields."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

import msgspec

from abhidhan.dictionary.model.field_selection import (
    DEFINITIONS_KEY,
    MEANING_KEYS,
    TEXT_KEY,
    TRANSLATIONS_KEY,
    FieldSelection,
)
from abhidhan.dictionary.model.idea_json import (
    EMPTY_AFTER,
    EMPTY_BEFORE,
    KEYS_BY_FRAGMENT,
    IdeaDetails,
    IdeaJSON,
    filter_by_language,
    select_words_json,
)
from abhidhan.dictionary.model.packed_json import NO_WORDS, remove_word, unpack
from abhidhan.records.ideas import Definition, LazyWords, drop_word
from abhidhan.records.lazy_json import LazyList
from abhidhan.records.lookup_lists import Named
from abhidhan.records.recordings import Audio, decode_audio
from abhidhan.records.words import Meaning, Word

W = TypeVar("W", bound=Word)

NULL: Final = b"null"
NO_AUDIO: Final = b"[]"

_encode: Final = msgspec.json.Encoder().encode


class EncodedWord(msgspec.Struct, frozen=True):
    """Word as JSON, in which the words of its ideas are packed, and the members that a look-up reads."""

    id: int
    language_id: int
    word: str
    packed: bytes

    @property
    def is_stub(self) -> bool:
        """Return whether no idea of the entry has a definition or a translation.

        Texts cannot contain these bytes, since JSON escapes quotation marks.
        """
        return b'"definitions":[{' not in self.packed and b'"translations":[{' not in self.packed


_WORD_TEMPLATE: Final = (
    b'{"id":%d,"word":%b,"language_id":%d,"language":%b,"roman":%b,"roman_generated":%b,"ipa":%b,"ipa_generated":%b,"asm":%b,'
    b'"countable":%b,"variant":%b,"origin":%b,"plural":%b,"definitive":%b,"frequency":%b,'
    b'"forms_url":"/api/words/%d/forms","audio":%b,"pos":%b,"meanings":[%b]}'
)
"""JSON template of a word, with members in the order of `Word`."""

_JSON_BOOLEANS: Final[dict[bool | None, bytes]] = {None: NULL, True: b"true", False: b"false"}


def encode_word(  # noqa: PLR0913 (each is one member of the JSON)
    word_id: int,
    text: str,
    language_id: int,
    *,
    language: bytes,
    roman: str | None,
    rule_roman: str | None,
    ipa: str | None,
    rule_ipa: str | None,
    asm: str | None,
    countable: bool | None,
    variant: bytes,
    origin: str | None,
    plural: str | None,
    definitive: str | None,
    frequency: float | None,
    audio: str | None,
    pos: bytes,
    meanings: Sequence[bytes],
) -> EncodedWord:
    """Encode a word as the JSON of a `Word`.

    `language`, `variant`, `pos` and `meanings` are JSON; `audio` is the stored value. `rule_roman` and `rule_ipa`
    replace a missing romanization and transcription.
    """
    # Most members are empty: testing for None costs less than a call of the encoder.
    encoded = _WORD_TEMPLATE % (
        word_id,
        _encode(text),
        language_id,
        language,
        _encode(roman or rule_roman),
        b"true" if roman is None and rule_roman is not None else b"false",
        _encode(ipa or rule_ipa),
        b"true" if ipa is None and rule_ipa is not None else b"false",
        NULL if asm is None else _encode(asm),
        _JSON_BOOLEANS[countable],
        variant,
        NULL if origin is None else _encode(origin),
        NULL if plural is None else _encode(plural),
        NULL if definitive is None else _encode(definitive),
        NULL if frequency is None else _encode(frequency),
        word_id,
        _encode(decode_audio(audio)) if audio else NO_AUDIO,
        pos,
        b",".join(meanings),
    )
    return EncodedWord(word_id, language_id, text, encoded)


class EncodedWords(LazyList[Word]):
    """List of words as JSON, decoded on first access."""

    __slots__ = ()

    def __init__(self, words: Sequence[EncodedWord]) -> None:
        """Join the JSON of the words."""
        super().__init__(join_words([word.packed for word in words]), _DECODE_WORDS, len(words))


def join_words(packed: Sequence[bytes]) -> bytes:
    """Join encoded words into a JSON list, and unpack them together in a few passes."""
    return unpack(b"[%b]" % b",".join(packed))


def add_members(packed: bytes, members: bytes) -> bytes:
    """Append members to an encoded word."""
    return b"%b,%b}" % (packed[:-1], members)


# --- meanings ---------------------------------------------------------------------------------------------------------


def encode_meaning(  # noqa: PLR0913 (each is one member of the JSON)
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
    """Encode a meaning as the JSON of a `Meaning`; its translations, the other words of the idea, stay packed.

    `pos`, `gender` and the optional one-line description `text` are JSON.
    """
    return b'{"idea_id":%d,"sense_id":%d,"pos":%b,"gender":%b,%b,"translations":%b,%b,%b}' % (
        idea_id,
        sense_id,
        pos,
        gender,
        idea.before or EMPTY_BEFORE,
        remove_word(idea.words, word_id) if idea.words else NO_WORDS,
        idea.after or EMPTY_AFTER,
        b'"reference":%b,"note":%b,"licence":%b%b'
        % (
            b"null" if reference is None else _encode(reference),
            b"null" if note is None else _encode(note),
            b"null" if licence is None else _encode(licence),
            text and b',"text":%b' % text,
        ),
    )


def encode_selected_members(  # noqa: PLR0913 (as above)
    word_id: int,
    sense_id: int,
    idea_id: int,
    idea: IdeaJSON,
    selection: FieldSelection,
    *,
    pos: bytes,
    gender: bytes,
    reference: str | None,
    note: str | None,
    licence: str | None = None,
    text: bytes = b"",
) -> bytes:
    """Encode the selected members of a meaning, each like `encode_meaning` does."""
    selected = selection.meaning_keys
    members = {
        "idea_id": b"%d" % idea_id,
        "sense_id": b"%d" % sense_id,
        "pos": pos,
        "gender": gender,
        **dict(_iter_selected_lists(idea, selection)),
    }
    if TRANSLATIONS_KEY in selected:
        members[TRANSLATIONS_KEY] = drop_word(select_words_json(idea, selection.languages), word_id)
    if "reference" in selected:
        members["reference"] = _encode(reference)
    if "note" in selected:
        members["note"] = _encode(note)
    if "licence" in selected:
        members["licence"] = _encode(licence)
    keys = [key for key in MEANING_KEYS if key in selected]
    if TEXT_KEY in selected:
        keys.append(TEXT_KEY)
        members[TEXT_KEY] = text
    return b"{%b}" % b",".join([b'"%b":%b' % (key.encode(), members[key]) for key in keys])


def _iter_selected_lists(idea: IdeaJSON, selection: FieldSelection) -> Iterator[tuple[str, bytes]]:
    """Yield the selected lists of an idea as JSON, without definitions in other languages."""
    for fragment, empty_fragment in (("before", EMPTY_BEFORE), ("after", EMPTY_AFTER)):
        if keys := KEYS_BY_FRAGMENT[fragment] & selection.meaning_keys:
            lists = _MEMBERS_DECODER.decode(b"{%b}" % (getattr(idea, fragment) or empty_fragment))
            yield from ((key, bytes(lists[key])) for key in keys)
            if DEFINITIONS_KEY in keys and selection.languages is not None:
                definitions = _DEFINITIONS_DECODER.decode(lists[DEFINITIONS_KEY])
                yield DEFINITIONS_KEY, _encode(filter_by_language(definitions, selection.languages))


_MEMBERS_DECODER: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DEFINITIONS_DECODER: Final = msgspec.json.Decoder(tuple[Definition, ...])


class LazyMeanings(LazyList[Meaning]):
    """Meanings of a word as JSON, decoded on first access; their translations are decoded when first read."""

    __slots__ = ()

    def __init__(self, json: bytes) -> None:
        """Initialise with the JSON."""
        super().__init__(json, _decode_meanings)


class _PartlyDecodedMeaning(IdeaDetails, frozen=True, kw_only=True):
    """Decoded meaning whose translations are still JSON."""

    idea_id: int
    sense_id: int
    pos: Named | None
    gender: Named | None
    translations: msgspec.Raw
    reference: str | None
    note: str | None
    licence: str | None = None


_MEANINGS_DECODER: Final = msgspec.json.Decoder(tuple[_PartlyDecodedMeaning, ...])


def _decode_meanings(json: bytes) -> tuple[Meaning, ...]:
    return tuple([_to_meaning(encoded) for encoded in _MEANINGS_DECODER.decode(json)])


def _to_meaning(encoded: _PartlyDecodedMeaning) -> Meaning:
    return Meaning(
        idea_id=encoded.idea_id,
        sense_id=encoded.sense_id,
        pos=encoded.pos,
        gender=encoded.gender,
        contexts=encoded.contexts,
        definitions=encoded.definitions,
        translations=LazyWords(bytes(encoded.translations)),
        examples=encoded.examples,
        relations=encoded.relations,
        photos=encoded.photos,
        reference=encoded.reference,
        note=encoded.note,
        licence=encoded.licence,
    )


# --- decoding words ---------------------------------------------------------------------------------------------------


def build_list_decoder(word_type: type[W]) -> Callable[[bytes], tuple[W, ...]]:
    """Build the decoder for lists of words of a type; their meanings are decoded on first access."""
    fields = [(each.name, _RAW_FIELD_TYPES.get(each.name, each.type)) for each in msgspec.structs.fields(word_type)]
    decoder = msgspec.json.Decoder(tuple[msgspec.defstruct("Read", fields), ...])  # type: ignore[misc]  # a dynamic struct

    def decode_words(json: bytes) -> tuple[W, ...]:
        member_maps = map(msgspec.structs.asdict, decoder.decode(json))
        return tuple([word_type(**{**each, "meanings": LazyMeanings(bytes(each["meanings"]))}) for each in member_maps])

    return decode_words


_RAW_FIELD_TYPES: Final[dict[str, Any]] = {"audio": tuple[Audio, ...], "meanings": msgspec.Raw}
_DECODE_WORDS: Final = build_list_decoder(Word)
