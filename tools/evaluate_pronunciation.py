"""Compare the rule-based IPA with other sources: python -m tools.evaluate_pronunciation [DATA].

DATA is the folder of the shared data, with `wikipron/asm_beng_broad.tsv` (pairs of Wiktionary, CC BY-SA, never part of
this project). Its words are split into halves by the checksum of their spelling: the rules are tuned on one half and
evaluated on the other, so failures are listed only for the tuning half. Without DATA, only our own list is used.
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
from tools.evaluate import EVAL_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

WIKIPRON_FILE: Final = Path("wikipron", "asm_beng_broad.tsv")
"""Path of WikiPron's words in the folder of the shared data."""

PROJECT_LIST_FILE: Final = EVAL_FOLDER / "pronunciation.tsv"
"""Our own list of words, in the same format."""

Pronunciations = dict[str, frozenset[str]]
"""Pronunciations by word, without separators between sounds."""


class Half(StrEnum):
    """A half of the words, by the checksum of their spelling."""

    TUNING = "tuning"
    TELLING = "telling"


class NotationVariant(NamedTuple):
    """A sound with different notations: a regular expression, its replacement, and the reason."""

    pattern: str
    replacement: str
    reason: str


NOTATION_VARIANTS: Final = (
    NotationVariant("e\u0301|e\u032f", "j", "the glide of য় after a vowel: ɦɔj, and é where the mark has slipped"),
    NotationVariant(
        "[ˈˌ.\u0361\u035c\u032f\u032a\u031a ]", "", "stress, syllables, ties and finer marks: not told apart"
    ),
    NotationVariant("ː", "", "no Assamese vowel is long in contrast to a short one (Mahanta 2012)"),
    NotationVariant("g", "ɡ", "two characters for one letter of the IPA"),
    NotationVariant("[rɾ]", "ɹ", "the one r of Assamese, written as r, a tap or an approximant"),
    NotationVariant("ɒ", "ɔ", "the one open back rounded vowel"),
    NotationVariant("[qᵏ]", "k", "there is one k; no q"),
    NotationVariant("ɸ|f|pʰ", "pʰ", "ফ is heard as pʰ, ɸ or f"),
    NotationVariant("ʑ", "z", "the one voiced sibilant"),
    NotationVariant("zʱ", "z", "ঝ is z in most mouths: only scholars part it from জ (Mahanta 2012 has no zʱ)"),
    NotationVariant("[ɕʃ]", "s", "the one voiceless sibilant of চ and ছ"),
    NotationVariant("h", "ɦ", "the one h"),
    NotationVariant("(?<=[aɔoɛeiuʊ\u0303])ʱ", "ɦ", "breath after a vowel is the consonant হ"),
    NotationVariant("ɹɦ", "ɹʱ", "ঢ়, the breathy r, as two letters"),
    NotationVariant("ɪ", "i", "i as the second half of a diphthong"),
    NotationVariant("[ɔo]u|oʊ", "ou", "the diphthong ঔ, of which neither half has another height to be told apart by"),
)
"""Notations that differ between WikiPron's authors and ours for the same sound; applied to both, in this order.

Phonemic distinctions of Assamese are preserved: ɔ and o, ɛ and e, ʊ and u, aspiration, nasality, dropped vowels and
doubled consonants.
"""


class Failure(NamedTuple):
    """A word whose rule-based pronunciation is not one of WikiPron's, both in the common notation."""

    word: str
    by_rule: str
    expected: str


def half_of(word: str) -> Half:
    """Return the half to which a word belongs, by its checksum."""
    return Half.TELLING if crc32(word.encode()) % 2 else Half.TUNING


def normalize_notation(ipa: str) -> str:
    """Convert a pronunciation to the common notation (see `NOTATION_VARIANTS`)."""
    written = unicodedata.normalize("NFD", ipa)
    for notation in NOTATION_VARIANTS:
        written = re.sub(notation.pattern, notation.replacement, written)
    return unicodedata.normalize("NFC", written)


def read_pronunciations(path: Path) -> Pronunciations:
    """Read a file of `word<TAB>IPA` lines; return all pronunciations of each word. Lines with # are comments."""
    pronunciations: defaultdict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        word, _, ipa = line.partition("\t")
        pronunciations[word].add(ipa)
    return {word: frozenset(transcriptions) for word, transcriptions in pronunciations.items()}


def find_failures(pronunciations: Mapping[str, Iterable[str]]) -> list[Failure]:
    """Return the words whose rule-based pronunciation is not accepted, each with the nearest accepted one."""
    failed: list[Failure] = []
    for word, transcriptions in pronunciations.items():
        by_rule = normalize_notation(romanize(word, Scheme.IPA))
        accepted = sorted(
            {normalize_notation(transcription) for transcription in transcriptions},
            key=lambda transcription: _dissimilarity(by_rule, transcription),
        )
        if by_rule not in accepted:
            failed.append(Failure(word, by_rule, accepted[0]))
    return failed


def _dissimilarity(first: str, second: str) -> float:
    return -SequenceMatcher(None, first, second, autojunk=False).ratio()


def describe_difference(failure: Failure) -> str:
    """Describe the differences as `by rule>expected`, separated by spaces, such as "ɔ> o>ʊ"."""
    matcher = SequenceMatcher(None, failure.by_rule, failure.expected, autojunk=False)
    pieces = [
        f"{failure.by_rule[first:last]}>{failure.expected[start:end]}"
        for kind, first, last, start, end in matcher.get_opcodes()
        if kind != "equal"
    ]
    return " ".join(pieces)


def group_failures(failed: Iterable[Failure]) -> list[tuple[str, list[Failure]]]:
    """Group failures by their difference, most frequent first."""
    groups: defaultdict[str, list[Failure]] = defaultdict(list)
    for failure in failed:
        groups[describe_difference(failure)].append(failure)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def main(arguments: list[str] | None = None) -> None:
    """Print the share of equal pronunciations by half and, with `--failures`, the failures of the tuning half."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder of the shared data")
    parser.add_argument("--half", type=Half, choices=list(Half), help="only this half")
    parser.add_argument(
        "--failures", type=int, default=0, help="number of groups of failures of the tuning half to print"
    )
    options = parser.parse_args(arguments)
    print("IPA by rule (Assamese)     words   equal")
    _print_row("our list", read_pronunciations(PROJECT_LIST_FILE))
    if options.data is None:
        return
    pronunciations = read_pronunciations(options.data / WIKIPRON_FILE)
    halves = {half: {word: pronunciations[word] for word in pronunciations if half_of(word) == half} for half in Half}
    for half in [options.half] if options.half else list(Half):
        _print_row(f"WikiPron, {half} half", halves[half])
    for differing, group in group_failures(find_failures(halves[Half.TUNING]))[: options.failures]:
        print(f"\n{differing}  ({len(group)})")
        for failure in group:
            print(f"  {failure.word}  {failure.by_rule}  WikiPron {failure.expected}")


def _print_row(name: str, words: Pronunciations) -> None:
    print(f"{name:24} {len(words):7} {100 - 100 * len(find_failures(words)) / len(words):6.1f} %")


if __name__ == "__main__":
    main()
