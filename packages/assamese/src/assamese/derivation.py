"""Derivation: possible bases of a derived word, found by removing its suffix (`tables/derivation.toml`)."""

from collections.abc import Iterator
from typing import Final

import msgspec

from assamese.keys import loose_key
from assamese.letters import count_letters
from assamese.tables import read_table


class ShortParts(msgspec.Struct, frozen=True):
    """Two-letter words that are often the first or the last part of a compound."""

    first: frozenset[str]
    last: frozenset[str]


class DerivationSuffixes(msgspec.Struct, frozen=True):
    """The derivational suffixes of one language, and the parts of its compounds and echo words."""

    least_base: int
    plain: tuple[str, ...]
    echo_initials: frozenset[str]
    changed: dict[str, str]
    short_parts: ShortParts


class DerivationTable(msgspec.Struct, frozen=True):
    """The table of derivational suffixes by language."""

    assamese: DerivationSuffixes = msgspec.field(name="as")


_AS: Final = read_table("derivation", DerivationTable).assamese

SHORT_FIRST_PARTS: Final = frozenset(loose_key(word, "as") for word in _AS.short_parts.first)
SHORT_LAST_PARTS: Final = frozenset(loose_key(word, "as") for word in _AS.short_parts.last)
"""The loose keys of two-letter words that are often parts of Assamese compounds."""

ECHO_INITIALS: Final = _AS.echo_initials
"""The consonants with which the second half of an echo word begins."""

_HASANTA: Final = "্"


def _iter_suffix_keys() -> Iterator[tuple[str, str]]:
    """Yield the loose key of each suffix with the end of the base that it replaces."""
    for suffix in _AS.plain:
        yield loose_key(suffix, "as"), ""
    for suffix, end in _AS.changed.items():
        yield loose_key(suffix, "as"), end


_SUFFIXES: Final = tuple(sorted(_iter_suffix_keys(), key=lambda each: -len(each[0])))


def propose_bases(key: str) -> tuple[str, ...]:
    """Propose the bases of an Assamese word, the longest suffix first; all are loose keys.

    The caller checks which of them are in the dictionary.
    """
    stripped = ((key.removesuffix(suffix), end) for suffix, end in _SUFFIXES if key.endswith(suffix))
    whole = (base + end for base, end in stripped if not base.endswith(_HASANTA))
    return tuple(dict.fromkeys(base for base in whole if count_letters(base) >= _AS.least_base))
