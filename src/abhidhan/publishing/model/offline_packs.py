"""Packs: the words of one language with what they mean in another, small enough to be taken along on a phone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.ideas import Definition
from abhidhan.records.local_texts import LocalText, text_in
from abhidhan.records.lookup_lists import Named

FORM: Final = 2
"""Raised when a reader of older packs could not read newer ones, or must fetch them afresh.

2: languages have other numbers, and the tokens of changes from before lead nowhere.
"""

MOST_ENTRIES: Final = 4096
"""No chunk has more entries."""

MOST_GLOSSES: Final = 8
LONGEST_DEFINITION: Final = 200
"""Characters of a definition; a longer one is cut between two words."""

_SPREAD: Final = 2_654_435_761
_BITS, _BITS_OF_A_CHUNK = 32, 11
_PAIR: Final = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")


class Pair(NamedTuple):
    """The codes of the language whose words are in a pack, and of that in which it says what they mean."""

    source: str
    target: str

    def __str__(self) -> str:
        """Name the pair as settings and addresses do."""
        return f"{self.source}-{self.target}"


def read_pair(name: str) -> Pair | None:
    """Read the name of a pair, such as as-en; None for anything else."""
    found = _PAIR.fullmatch(name)
    return Pair(found[1], found[2]) if found and found[1] != found[2] else None


class EntryKind(StrEnum):
    """What the entries of a chunk are."""

    WORD = "word"
    PROVERB = "proverb"


Sense = tuple[int | str | tuple[str, ...], ...]
"""One meaning: part of speech (ID; 0: none), glosses, definition in the other language, one in its own, licence.

What is empty at the end is left out.
"""


class Entry(NamedTuple):
    """A headword or proverb, its keys, how common it is (0: nobody knows), and what it means."""

    id: int
    word: str
    roman: str
    exact: str
    loose: str
    sound: str
    common: int
    senses: tuple[Sense, ...]


class Chunk(msgspec.Struct, frozen=True):
    """Some entries in the order of their IDs, each kind of value in a column of its own: that packs best.

    `id` has the first ID and then the steps to each next. A key that is the same as the one before it (the exact key
    as the headword, the loose one as the exact, the sound as the loose) is empty.
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


def chunk_of(kind: EntryKind, entries: Sequence[Entry]) -> Chunk:
    """Put entries, which are in the order of their IDs, into columns."""
    if not entries:
        return Chunk(kind)
    ids, word, roman, exact, loose, sound, common, senses = zip(*entries, strict=True)
    return Chunk(
        kind,
        (ids[0], *(later - earlier for earlier, later in pairwise(ids))),
        word,
        roman,
        _unlike(exact, word),
        _unlike(loose, exact),
        _unlike(sound, loose),
        common,
        senses,
    )


def _unlike(keys: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    return tuple("" if key == other else key for key, other in zip(keys, before, strict=True))


def in_chunks(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Part entries, which come in the order of their IDs, into those of each chunk."""
    some: list[Entry] = []
    for entry in entries:
        some.append(entry)
        if ends_chunk(entry.id) or len(some) == MOST_ENTRIES:
            yield some
            some = []
    if some:
        yield some


def ends_chunk(entry_id: int) -> bool:
    """Say whether a chunk ends with an entry. Its ID alone decides: what is added or removed moves no other border.

    About one ID in two thousand does, evenly spread (Knuth's multiplicative hashing).
    """
    return (entry_id * _SPREAD % (1 << _BITS)) >> (_BITS - _BITS_OF_A_CHUNK) == 0


# --- what an entry says ----------------------------------------------------------------------------------------------


class Gloss(msgspec.Struct, frozen=True):
    """A word of the same idea."""

    id: int
    word: str
    language_id: int


class Meaning(msgspec.Struct, frozen=True):
    """What a pack needs of a meaning, read from the JSON of answers."""

    pos: Named | None
    translations: tuple[Gloss, ...]
    definitions: tuple[Definition, ...]
    licence: str | None


def sense_of(meaning: Meaning, language_id: int, target_id: int) -> Sense | None:
    """Say in a few words what a meaning is; None where nothing is said of it in either language."""
    words = tuple(one.word for one in meaning.translations if one.language_id == target_id)
    glosses = words[:MOST_GLOSSES]
    defined = {one.language_id: shortened(one.text) for one in reversed(meaning.definitions)}
    other = defined.get(target_id, "")
    own = "" if other else defined.get(language_id, "")
    if not (glosses or other or own):
        return None
    return _trimmed((meaning.pos.id if meaning.pos else 0, glosses, other, own, meaning.licence or ""))


def sense_of_proverb(meanings: Sequence[LocalText], licence: str | None, source_id: int, target_id: int) -> Sense:
    """Say what a proverb means, where that is known: in the other language, else in English, else in its own."""
    other = text_in([target_id], [each for each in meanings if each.language_id != source_id]) or ""
    own = "" if other else text_in([source_id], meanings) or ""
    return _trimmed((0, (), shortened(other), shortened(own), licence or ""))


def shortened(text: str) -> str:
    """Cut a long definition between two words."""
    if len(text) <= LONGEST_DEFINITION:
        return text
    return text[:LONGEST_DEFINITION].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def _trimmed(sense: Sense) -> Sense:
    while sense and not sense[-1]:
        sense = sense[:-1]
    return sense
