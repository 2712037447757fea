"""Words written as the JSON of answers, which a look-up sends as it is; they are read only by who looks into them."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec

from abhidhan.domain.audio import Audio, read_audio
from abhidhan.domain.lazy_json import LazyList
from abhidhan.domain.meaning_json import LazyMeanings, says_something
from abhidhan.domain.packed_words import unpack
from abhidhan.domain.words import Word

_ENCODER: Final = msgspec.json.Encoder()

W = TypeVar("W", bound=Word)

NULL: Final = b"null"
NO_AUDIO: Final = b"[]"


class WrittenWord(msgspec.Struct, frozen=True):
    """A word as the JSON of answers, the words of its ideas packed, and what else is asked of it before it is sent."""

    id: int
    language_id: int
    word: str
    packed: bytes

    @property
    def is_bare(self) -> bool:
        """Say whether the entry says nothing: no definition and no translation under any of its ideas."""
        return not says_something(self.packed)


_WORD: Final = (
    b'{"id":%d,"word":%b,"language_id":%d,"language":%b,"roman":%b,"roman_generated":%b,"ipa":%b,"ipa_generated":%b,"asm":%b,'
    b'"countable":%b,"variant":%b,"origin":%b,"plural":%b,"definitive":%b,"frequency":%b,'
    b'"forms_url":"/api/words/%d/forms","audio":%b,"pos":%b,"meanings":[%b]}'
)
"""A word with places for its members, in the order of `Word`."""


def write_word(  # noqa: PLR0913 (each is one member of what is written)
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
) -> WrittenWord:
    """Write a word as `Word` is written.

    `language`, `variant`, `pos` and `meanings` are JSON, `audio` is as it is stored; a word that nobody has romanized
    or transcribed has what was made by rule.
    """
    written = _WORD % (
        word_id,
        _ENCODER.encode(text),
        language_id,
        language,
        _json(roman or rule_roman),
        b"true" if roman is None and rule_roman is not None else b"false",
        _json(ipa or rule_ipa),
        b"true" if ipa is None and rule_ipa is not None else b"false",
        NULL if asm is None else _json(asm),
        _TRUTHS[countable],
        variant,
        NULL if origin is None else _json(origin),
        NULL if plural is None else _json(plural),
        NULL if definitive is None else _json(definitive),
        NULL if frequency is None else _json(frequency),
        word_id,
        _ENCODER.encode(read_audio(audio)) if audio else NO_AUDIO,
        pos,
        b",".join(meanings),
    )
    return WrittenWord(word_id, language_id, text, written)


_TRUTHS: Final[dict[bool | None, bytes]] = {None: NULL, True: b"true", False: b"false"}


def _json(value: str | float | None) -> bytes:
    return NULL if value is None else _ENCODER.encode(value)


class WrittenWords(LazyList[Word]):
    """Words, as JSON that is read when somebody looks at it."""

    __slots__ = ()

    def __init__(self, words: Sequence[WrittenWord]) -> None:
        """Keep their JSON."""
        super().__init__(join([word.packed for word in words]), _READ_WORDS, len(words))


def join(packed: Sequence[bytes]) -> bytes:
    """Write a list of words that are written already; all are unpacked at once, in a few passes over the whole."""
    return unpack(b"[%b]" % b",".join(packed))


def with_more(packed: bytes, members: bytes) -> bytes:
    """Add members to a written word, which follow its own."""
    return b"%b,%b}" % (packed[:-1], members)


def reading(kind: type[W]) -> Callable[[bytes], tuple[W, ...]]:
    """Return what reads lists of words of a kind; their meanings stay JSON until somebody looks at them."""
    fields = [(each.name, _READ_AS.get(each.name, each.type)) for each in msgspec.structs.fields(kind)]
    decoder = msgspec.json.Decoder(tuple[msgspec.defstruct("Read", fields), ...])  # type: ignore[misc]  # made here

    def read(json: bytes) -> tuple[W, ...]:
        every = map(msgspec.structs.asdict, decoder.decode(json))
        return tuple([kind(**{**each, "meanings": LazyMeanings(bytes(each["meanings"]))}) for each in every])

    return read


_READ_AS: Final[dict[str, Any]] = {"audio": tuple[Audio, ...], "meanings": msgspec.Raw}
_READ_WORDS: Final = reading(Word)
