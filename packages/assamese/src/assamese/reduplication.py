"""Reduplication: the parts of paired, echo and reciprocal words (`tables/derivation.toml`).

Kinds: repeated (গছে-গছে), with an echo (ভাত-চাত), reciprocal (দেখাদেখি), and two words in the same case (বাটেঘাটে) or
with a hyphen between them (জানি-শুনি).
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from assamese.derivation import ECHO_INITIALS
from assamese.keys import exact_key
from assamese.letters import count_letters

_HYPHEN: Final = re.compile("[-\u2010-\u2013]")
_LOCATIVE: Final = "ে"
_LAST_O: Final = re.compile("ো(?=ঁ?[ক-হৰৱ]়?(?:্[ক-হৰৱ]়?)*$)")
_CONSONANT_AT_END: Final = re.compile("[ক-হৰৱ]়?$")
_LAST_VOWEL: Final = re.compile("(?<=[ক-হৰৱ])(?=[ক-হৰৱ]়?$)")

MIN_LETTERS: Final = 2
MIN_LETTERS_WITHOUT_HYPHEN: Final = 3
"""The minimum number of letters of each half of a word without a hyphen; `MIN_LETTERS` applies with one."""


class ReduplicatedWord(NamedTuple):
    """The base of a repeated word, or its two parts; each with its possible spellings, the likeliest first."""

    parts: tuple[tuple[str, ...], ...]


def find_reduplications(text: str) -> tuple[ReduplicatedWord, ...]:
    """Propose the parts of a reduplicated Assamese word, the likeliest first; the caller looks them up."""
    key = exact_key(text)
    halves = _HYPHEN.split(key)
    if len(halves) == 1:
        return tuple(_split_unhyphenated(key))
    if len(halves) != 2 or min(map(count_letters, halves)) < MIN_LETTERS:  # noqa: PLR2004
        return ()
    first, second = halves
    base_spellings = _find_single_base(first, second)
    return (ReduplicatedWord((base_spellings,)),) if base_spellings else (ReduplicatedWord(((first,), (second,))),)


def _split_unhyphenated(key: str) -> Iterator[ReduplicatedWord]:
    middle = len(key) // 2
    first, second = key[:middle], key[middle:]
    if min(count_letters(first), count_letters(second)) < MIN_LETTERS_WITHOUT_HYPHEN:
        return
    # A repeated bare word is mostly onomatopoeic (খুতখুত).
    if first != second or first.endswith(_LOCATIVE):
        base_spellings = _find_single_base(first, second)
        if base_spellings:
            yield ReduplicatedWord((base_spellings,))
            return
    if key.endswith(_LOCATIVE):
        for match in re.finditer(_LOCATIVE, key[:-1]):
            first, second = key[: match.end()], key[match.end() :]
            if min(count_letters(first), count_letters(second)) >= MIN_LETTERS_WITHOUT_HYPHEN:
                yield ReduplicatedWord(((first,), (second,)))


def _find_single_base(first: str, second: str) -> tuple[str, ...]:
    """Return the possible single bases of both halves, the likeliest first; an empty tuple if they are two words."""
    if first == second or _is_echo(first, second):
        return (first,)
    if _is_reciprocal(first, second):
        base = first[:-1]
        return tuple(dict.fromkeys((first, base, _LAST_VOWEL.sub("া", base), second)))
    return ()


def _is_echo(first: str, second: str) -> bool:
    """Return whether the second half is the first with another initial: ভাত-চাত, চাহ-তাহ."""
    return first[1:] == second[1:] and second[:1] in ECHO_INITIALS and _CONSONANT_AT_END.match(first[:1]) is not None


def _is_reciprocal(first: str, second: str) -> bool:
    """Return whether the halves form a reciprocal word, such as দেখা and দেখি, বোলা and বুলি, or কোৱা and কুই."""
    if first.endswith("োৱা"):
        return second in {first.removesuffix("োৱা") + "ুই", first.removesuffix("োৱা") + "োই"}
    return first.endswith("া") and second == _LAST_O.sub("ু", first[:-1]) + "ি"
