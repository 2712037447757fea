"""Measure how often the IPA of the rules is that of others: python -m tools.evaluate_pronunciation [DATA].

DATA is the folder of the shared data, with `wikipron/asm_beng_broad.tsv` (pairs of Wiktionary, CC BY-SA, never part of
this project). Its words fall into two halves by the checksum of their spelling: the rules are tuned on one, and the
other tells how good they are, so failures are listed of the tuning half alone. Without DATA, only our list is asked.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections import defaultdict
from difflib import SequenceMatcher
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from assamese.romanize import Scheme, romanize
from tools.evaluate import SETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

WORDS: Final = Path("wikipron", "asm_beng_broad.tsv")
"""WikiPron's words within the folder of the shared data."""

OURS: Final = SETS / "pronunciation.tsv"
"""Words of our own list, in the same form."""

Pronunciations = dict[str, frozenset[str]]
"""The pronunciations of each word, sounds not parted."""


class Half(StrEnum):
    """A half of the words, by the checksum of their spelling."""

    TUNING = "tuning"
    TELLING = "telling"


class Notation(NamedTuple):
    """One sound written in two ways: what is found (a regular expression), what it is written as here, and why."""

    found: str
    written: str
    reason: str


NOTATIONS: Final = (
    Notation("e\u0301|e\u032f", "j", "the glide of য় after a vowel: ɦɔj, and é where the mark has slipped"),
    Notation("[ˈˌ.\u0361\u035c\u032f\u032a\u031a ]", "", "stress, syllables, ties and finer marks: not told apart"),
    Notation("ː", "", "no Assamese vowel is long in contrast to a short one (Mahanta 2012)"),
    Notation("g", "ɡ", "two characters for one letter of the IPA"),
    Notation("[rɾ]", "ɹ", "the one r of Assamese, written as r, a tap or an approximant"),
    Notation("ɒ", "ɔ", "the one open back rounded vowel"),
    Notation("[qᵏ]", "k", "there is one k; no q"),
    Notation("ɸ|f|pʰ", "pʰ", "ফ is heard as pʰ, ɸ or f"),
    Notation("ʑ", "z", "the one voiced sibilant"),
    Notation("zʱ", "z", "ঝ is z in most mouths: only scholars part it from জ (Mahanta 2012 has no zʱ)"),
    Notation("[ɕʃ]", "s", "the one voiceless sibilant of চ and ছ"),
    Notation("h", "ɦ", "the one h"),
    Notation("(?<=[aɔoɛeiuʊ\u0303])ʱ", "ɦ", "breath after a vowel is the consonant হ"),
    Notation("ɹɦ", "ɹʱ", "ঢ়, the breathy r, as two letters"),
    Notation("ɪ", "i", "i as the second half of a diphthong"),
    Notation("[ɔo]u|oʊ", "ou", "the diphthong ঔ, of which neither half has another height to be told apart by"),
)
"""What WikiPron's many writers and we write differently for the same sound; applied to both, in this order.

Nothing that two words of Assamese can be told apart by stands here: not ɔ and o, ɛ and e, ʊ and u, aspiration,
nasality, dropped vowels or doubled consonants.
"""


class Failure(NamedTuple):
    """A word whose pronunciation by rule is none of those of WikiPron, both in one notation."""

    word: str
    by_rule: str
    expected: str


def half_of(word: str) -> Half:
    """Return the half that a word falls into, always the same."""
    return Half.TELLING if crc32(word.encode()) % 2 else Half.TUNING


def in_one_notation(ipa: str) -> str:
    """Return a pronunciation as both sides would write it."""
    written = unicodedata.normalize("NFD", ipa)
    for notation in NOTATIONS:
        written = re.sub(notation.found, notation.written, written)
    return unicodedata.normalize("NFC", written)


def read_pronunciations(path: Path) -> Pronunciations:
    """Return the words of a file of `word<TAB>IPA`, each with all its pronunciations; lines in # are notes."""
    pronunciations: defaultdict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        word, _, ipa = line.partition("\t")
        pronunciations[word].add(ipa)
    return {word: frozenset(said) for word, said in pronunciations.items()}


def failures(pronunciations: Mapping[str, Iterable[str]]) -> list[Failure]:
    """Return the words that the rules pronounce in none of the ways told."""
    failed: list[Failure] = []
    for word, told in pronunciations.items():
        by_rule = in_one_notation(romanize(word, Scheme.IPA))
        accepted = sorted({in_one_notation(one) for one in told}, key=lambda one: _unlikeness(by_rule, one))
        if by_rule not in accepted:
            failed.append(Failure(word, by_rule, accepted[0]))
    return failed


def _unlikeness(one: str, other: str) -> float:
    return -SequenceMatcher(None, one, other, autojunk=False).ratio()


def difference(failure: Failure) -> str:
    """Return what differs, as `by rule>expected`, piece after piece: "ɔ> o>ʊ"."""
    matcher = SequenceMatcher(None, failure.by_rule, failure.expected, autojunk=False)
    pieces = [
        f"{failure.by_rule[first:last]}>{failure.expected[start:end]}"
        for kind, first, last, start, end in matcher.get_opcodes()
        if kind != "equal"
    ]
    return " ".join(pieces)


def grouped(failed: Iterable[Failure]) -> list[tuple[str, list[Failure]]]:
    """Return failures by what differs, the commonest difference first."""
    groups: defaultdict[str, list[Failure]] = defaultdict(list)
    for failure in failed:
        groups[difference(failure)].append(failure)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def main(arguments: list[str] | None = None) -> None:
    """Print the share of words whose IPA is equal, by half, and the failures of the tuning half if asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder of the shared data")
    parser.add_argument("--half", type=Half, choices=list(Half), help="only this half")
    parser.add_argument("--failures", type=int, default=0, help="so many groups of failures of the tuning half")
    options = parser.parse_args(arguments)
    print("IPA by rule (Assamese)     words   equal")
    _tell("our list", read_pronunciations(OURS))
    if options.data is None:
        return
    told = read_pronunciations(options.data / WORDS)
    halves = {half: {word: told[word] for word in told if half_of(word) == half} for half in Half}
    for half in [options.half] if options.half else list(Half):
        _tell(f"WikiPron, {half} half", halves[half])
    for differing, group in grouped(failures(halves[Half.TUNING]))[: options.failures]:
        print(f"\n{differing}  ({len(group)})")
        for failure in group:
            print(f"  {failure.word}  {failure.by_rule}  WikiPron {failure.expected}")


def _tell(name: str, words: Pronunciations) -> None:
    print(f"{name:24} {len(words):7} {100 - 100 * len(failures(words)) / len(words):6.1f} %")


if __name__ == "__main__":
    main()
