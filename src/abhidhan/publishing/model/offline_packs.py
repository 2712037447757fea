"""Offline packs: the words of one language with their meanings in another, compact enough for a phone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.ideas import Definition
from abhidhan.records.local_texts import LocalText, find_text
from abhidhan.records.lookup_lists import Named

FORMAT_VERSION: Final = 2
"""Format version; raised if clients of older packs cannot read newer ones or must download packs again.

2: new language numbers; earlier change tokens are invalid.
"""

MAX_CHUNK_ENTRIES: Final = 4096
"""Maximum number of entries in a chunk."""

MAX_GLOSSES: Final = 8
MAX_DEFINITION_LENGTH: Final = 200
"""Maximum number of characters of a definition; a longer one is cut between two words."""

_HASH_MULTIPLIER: Final = 2_654_435_761
_HASH_BITS, _CHUNK_BITS = 32, 11
_PAIR_PATTERN: Final = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")


class LanguagePair(NamedTuple):
    """The language codes of a pack: of its words, and of their meanings."""

    source: str
    target: str

    def __str__(self) -> str:
        """Return the name of the pair in settings and URLs."""
        return f"{self.source}-{self.target}"


def parse_pair(name: str) -> LanguagePair | None:
    """Parse the name of a pair, such as as-en; None if it is invalid."""
    match = _PAIR_PATTERN.fullmatch(name)
    return LanguagePair(match[1], match[2]) if match and match[1] != match[2] else None


class EntryKind(StrEnum):
    """The kind of the entries of a chunk."""

    WORD = "word"
    PROVERB = "proverb"


Sense = tuple[int | str | tuple[str, ...], ...]
"""A sense: part-of-speech ID (0: none), glosses, target-language or else source-language definition, licence.

Empty values at the end are left out.
"""


class PackEntry(NamedTuple):
    """A headword or proverb, its keys, its frequency band (0: unknown), and its senses."""

    id: int
    word: str
    roman: str
    exact: str
    loose: str
    sound: str
    common: int
    senses: tuple[Sense, ...]


class Chunk(msgspec.Struct, frozen=True):
    """Consecutive entries by ID, stored in columns for better compression.

    `id` has the first ID, then the difference to each next one. A key equal to the one before it (the exact key to the
    headword, the loose to the exact, the sound to the loose) is empty.
    """

    kind: EntryKind
    id: tuple[int, ...] = ()
    word: tuple[str, ...] = ()
    roman: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    sound: tuple[str, ...] = ()
    common: tuple[int, ...] = ()
    senses: tuple[tuple[Sense, ...], ...] = ()


def build_chunk(kind: EntryKind, entries: Sequence[PackEntry]) -> Chunk:
    """Convert entries, sorted by ID, to columns."""
    if not entries:
        return Chunk(kind)
    ids, word, roman, exact, loose, sound, common, senses = zip(*entries, strict=True)
    return Chunk(
        kind,
        (ids[0], *(later - earlier for earlier, later in pairwise(ids))),
        word,
        roman,
        _drop_repeated_keys(exact, word),
        _drop_repeated_keys(loose, exact),
        _drop_repeated_keys(sound, loose),
        common,
        senses,
    )


def _drop_repeated_keys(keys: Sequence[str], previous_keys: Sequence[str]) -> tuple[str, ...]:
    return tuple("" if key == other else key for key, other in zip(keys, previous_keys, strict=True))


def split_into_chunks(entries: Iterable[PackEntry]) -> Iterator[list[PackEntry]]:
    """Split entries, sorted by ID, into the groups that form the chunks."""
    group: list[PackEntry] = []
    for entry in entries:
        group.append(entry)
        if ends_chunk(entry.id) or len(group) == MAX_CHUNK_ENTRIES:
            yield group
            group = []
    if group:
        yield group


def ends_chunk(entry_id: int) -> bool:
    """Return whether an entry is the last of its chunk; true for about one ID in two thousand.

    Only the ID decides (Knuth's multiplicative hashing), so adding or removing an entry moves no other border.
    """
    return (entry_id * _HASH_MULTIPLIER % (1 << _HASH_BITS)) >> (_HASH_BITS - _CHUNK_BITS) == 0


# --- senses ---------------------------------------------------------------------------------------------------------


class PackGloss(msgspec.Struct, frozen=True):
    """A translation, which is another word of the same idea."""

    id: int
    word: str
    language_id: int


class PackMeaning(msgspec.Struct, frozen=True):
    """The fields of a meaning that a pack needs, decoded from the JSON of responses."""

    pos: Named | None
    translations: tuple[PackGloss, ...]
    definitions: tuple[Definition, ...]
    licence: str | None


def build_sense(meaning: PackMeaning, language_id: int, target_id: int) -> Sense | None:
    """Build the sense of a meaning; None if neither language has a gloss or definition."""
    words = tuple(one.word for one in meaning.translations if one.language_id == target_id)
    glosses = words[:MAX_GLOSSES]
    definitions = {one.language_id: shorten(one.text) for one in reversed(meaning.definitions)}
    other = definitions.get(target_id, "")
    own = "" if other else definitions.get(language_id, "")
    if not (glosses or other or own):
        return None
    return _drop_trailing_empty((meaning.pos.id if meaning.pos else 0, glosses, other, own, meaning.licence or ""))


def build_proverb_sense(meanings: Sequence[LocalText], licence: str | None, source_id: int, target_id: int) -> Sense:
    """Build the sense of a proverb: its meaning in the target language, else in English, else in its own."""
    other = find_text([target_id], [meaning for meaning in meanings if meaning.language_id != source_id]) or ""
    own = "" if other else find_text([source_id], meanings) or ""
    return _drop_trailing_empty((0, (), shorten(other), shorten(own), licence or ""))


def shorten(text: str) -> str:
    """Cut a long definition between two words."""
    if len(text) <= MAX_DEFINITION_LENGTH:
        return text
    return text[:MAX_DEFINITION_LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def _drop_trailing_empty(sense: Sense) -> Sense:
    while sense and not sense[-1]:
        sense = sense[:-1]
    return sense
