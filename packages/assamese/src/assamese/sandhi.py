"""Sandhi: splitting of Sanskrit compounds whose letters change at the joint.

The rules are those of `tables/sandhi.toml`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from assamese.keys import loose_key
from assamese.letters import VOWEL_OF_SIGN, count_letters
from assamese.tables import read_table

_SIGNS: Final = frozenset(VOWEL_OF_SIGN)
_ALL_SIGNS: Final = "".join(VOWEL_OF_SIGN)
_HASANTA: Final = "্"
_INHERENT_VOWEL: Final = "অ"


class Joint(msgspec.Struct, frozen=True):
    """The spelling where two words join, and the ends and beginnings of the words that it may stand for."""

    written: str
    ends: tuple[str, ...]
    begins: tuple[str, ...] = ()
    before: str = ""


class SandhiTable(msgspec.Struct, frozen=True):
    """The table of joints: those before any letter, before vowel signs, and before consonants."""

    joints: tuple[Joint, ...]
    before_vowels: tuple[Joint, ...]
    before_consonants: tuple[Joint, ...]
    long_first: frozenset[str]
    short_second: frozenset[str]


class SandhiSplit(NamedTuple):
    """Two words that sandhi may have joined; among splits at the same joint, a lower rank is likelier."""

    words: tuple[str, str]
    rank: int


_TABLE: Final = read_table("sandhi", SandhiTable)
_LONG_FIRST: Final = frozenset(loose_key(word, "as") for word in _TABLE.long_first)
_SHORT_SECOND: Final = frozenset(loose_key(word, "as") for word in _TABLE.short_second)


MIN_FIRST_LETTERS: Final = 2
MIN_SECOND_LETTERS: Final = 3


def iter_sandhi_splits(key: str) -> Iterator[SandhiSplit]:
    """Propose the pairs of Assamese words that sandhi may have joined to a word; all are loose keys.

    The caller checks whether both are in the dictionary.
    """
    for index in range(1, len(key)):
        for ends, seconds in _iter_joints(key, index):
            firsts = [first for first in (key[:index] + end for end in ends) if _may_be_first(first)]
            firsts.sort(key=lambda first: first not in _LONG_FIRST)
            for rank, first in enumerate(firsts):
                yield from (SandhiSplit((first, second), rank) for second in seconds if _may_be_second(second))


def _may_be_first(word: str) -> bool:
    """Return whether a word has two letters without its final vowel sign: সৎ, পৰ and দয়া, but not ভূ."""
    return count_letters(word.rstrip(_ALL_SIGNS)) >= MIN_FIRST_LETTERS


def _may_be_second(word: str) -> bool:
    return count_letters(word) >= MIN_SECOND_LETTERS or word in _SHORT_SECOND


def _iter_joints(key: str, index: int) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the possible joints at a position: the ends of the first word, and the second words."""
    # A loose key has no hasanta after ত.
    joints = _WITHOUT_HASANTA if key[index - 1] == "ত" else _BY_LETTER
    for written, joint in joints.get(key[index], ()):
        if not key.startswith(written, index):
            continue
        rest = key[index + len(written) :]
        if joint.begins:
            yield joint.ends, tuple(begin + rest for begin in joint.begins)
        elif not joint.before:
            yield joint.ends, (_with_first_vowel(rest),)
        elif rest and rest[0] in joint.before:
            yield joint.ends, (rest,)


def _with_first_vowel(rest: str) -> str:
    """Return the second word: the rest with its first vowel as a letter; "" if it begins with a hasanta."""
    if not rest or rest[0] == _HASANTA:
        return ""
    return VOWEL_OF_SIGN[rest[0]] + rest[1:] if rest[0] in _SIGNS else _INHERENT_VOWEL + rest


def _group_by_letter(joints: Iterable[tuple[str, Joint]]) -> dict[str, list[tuple[str, Joint]]]:
    """Group joints and their spellings by the first letter of the spelling."""
    by_letter: dict[str, list[tuple[str, Joint]]] = defaultdict(list)
    for written, joint in joints:
        by_letter[written[0]].append((written, joint))
    return dict(by_letter)


_JOINTS: Final = (*_TABLE.joints, *_TABLE.before_vowels, *_TABLE.before_consonants)
_BY_LETTER: Final = _group_by_letter((joint.written, joint) for joint in _JOINTS)
_WITHOUT_HASANTA: Final = _group_by_letter((joint.written.lstrip(_HASANTA), joint) for joint in _JOINTS)
