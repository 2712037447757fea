"""Training data of the transliteration model: pairs and words, cleaned and split by native word."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import unicodedata
from collections import Counter, defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from assamese.keys import roman_sound_keys, sound_key
from assamese.transliteration_model import normalize_assamese, normalize_roman

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_ASSAMESE: Final = re.compile("[ঁ-ঃঅ-ঋএঐওঔক-নপ-রলশ-হা-ৃেৈোৌ্ৎৰৱ\u09bc]{2,}")
_SPACES: Final = re.compile(r"[\s,।;!?./()|-]+")
_JOINTS: Final = re.compile("[_'/.-]")
_ENGLISH_WORD: Final = re.compile("[a-z]{3,}")
_BENGALI_LOAN: Final = re.compile("অ্যা|এ্যা|্যা|স্ট|ন্ট|ন্ড|স|র")
_ASSAMESE_LOAN: Final = {
    "অ্যা": "এ",
    "এ্যা": "এ",
    "্যা": "ে",
    "স্ট": "ষ্ট",
    "ন্ট": "ণ্ট",
    "ন্ড": "ণ্ড",
    "স": "ছ",
    "র": "ৰ",
}
"""Assamese spellings for Bengali ones in English loanwords: গ্যালারি গেলাৰি, সেন্টার ছেণ্টাৰ."""
_SPLIT_PARTS: Final = 64
_TEST_PARTS: Final = 5
_TUNE_PARTS: Final = 10


class DataSplit(StrEnum):
    """The part of the data that a pair belongs to; all pairs of one native word are in the same part."""

    TRAIN = "train"
    TUNE = "tune"
    TEST = "test"


class RomanSpelling(NamedTuple):
    """A Roman spelling of an Assamese word."""

    roman: str
    native: str


def split_of(native: str) -> DataSplit:
    """Return the part to which the pairs of a native word belong; it depends only on a checksum and never changes."""
    number = int.from_bytes(hashlib.blake2s(native.encode(), digest_size=4).digest(), "big") % _SPLIT_PARTS
    if number < _TEST_PARTS:
        return DataSplit.TEST
    return DataSplit.TUNE if number < _TUNE_PARTS else DataSplit.TRAIN


def normalize_native(text: str) -> str:
    """Normalise a native word for the model; empty if it is not a single Assamese word."""
    word = normalize_assamese(text.strip()).replace("াে", "ো")
    return word if _ASSAMESE.fullmatch(word) else ""


def read_collected_pairs(data: Path) -> list[RomanSpelling]:
    """Return the pairs of Aksharantar's Assamese sample."""
    with (data / "aksharantar_sampled" / "asm_train.csv").open(encoding="utf-8", newline="") as lines:
        rows = [RomanSpelling(normalize_roman(roman), normalize_native(native)) for roman, native in csv.reader(lines)]
    return [row for row in rows if row.roman and row.native]


def read_web_words(data: Path) -> frozenset[str]:
    """Return the words of Tesseract's Assamese list (Apache-2.0): words from the web, including inflected forms."""
    lines = (data / "tesseract_asm_words" / "asm.words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(filter(None, map(normalize_native, lines)))


def read_word_counts(data: Path) -> dict[str, int]:
    """Return the words of Assamese newspapers with their counts (counts are facts; none is shipped)."""
    counts: Counter[str] = Counter()
    for line in (data / "assamese_counts" / "words.tsv").read_text(encoding="utf-8").splitlines():
        word, count = line.split("\t")[:2]
        counts[normalize_native(word)] += int(count)
    del counts[""]
    return dict(counts)


def read_bengali_pairs(data: Path) -> list[RomanSpelling]:
    """Return the pairs of Aksharantar's Bengali sample, with the Assamese spelling of English loanwords.

    Suitable only for English words and names: native Bengali words are spelled differently in Assamese.
    """
    with (data / "aksharantar_sampled" / "ben_train.csv").open(encoding="utf-8", newline="") as lines:
        rows = [RomanSpelling(normalize_roman(roman), _adapt_loan(native)) for roman, native in csv.reader(lines)]
    return [row for row in rows if row.roman and row.native]


def _adapt_loan(bengali: str) -> str:
    composed = unicodedata.normalize("NFC", bengali.strip())
    return normalize_native(_BENGALI_LOAN.sub(lambda match: _ASSAMESE_LOAN[match.group()], composed))


class SoundIndex:
    """Index of dictionary words by sound, as used by the server to find candidates for Roman letters."""

    def __init__(self, words: Iterable[str]) -> None:
        """Index the words."""
        self.words = frozenset(words)
        self._by_sound: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(self.words):
            self._by_sound[sound_key(word, "as")].append(word)

    def find_by_sound(self, roman: str) -> list[str]:
        """Return the words with the sound of any reading of the Roman letters."""
        return [word for key in roman_sound_keys(roman) for word in self._by_sound.get(key, ())]


def read_dictionary_words(data: Path) -> frozenset[str]:
    """Return the words of the Assamese spell checker, which stand in for a dictionary; none is shipped."""
    lines = (data / "hunspell_as" / "wordlist.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(filter(None, map(normalize_native, lines)))


def read_common_words(data: Path) -> frozenset[str]:
    """Return the Assamese words of GATITOS (CC BY 4.0): translations of frequent English words."""
    texts = [assamese for _, assamese in _read_gatitos(data)]
    return frozenset(filter(None, (normalize_native(word) for text in texts for word in _SPACES.split(text))))


def read_english_words(data: Path) -> frozenset[str]:
    """Return the words of Princeton WordNet, including those within phrases and names of places and people."""
    files = [data / "wordnet30" / f"index.{kind}" for kind in ("noun", "verb", "adj", "adv")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if line[0] != " "]
    words = {word for line in lines for word in _JOINTS.split(line.split()[0])}
    return frozenset(word for word in words if _ENGLISH_WORD.fullmatch(word))


def read_name_pairs(data: Path) -> list[RomanSpelling]:
    """Return English words paired with their Assamese translations in CLDR and GATITOS; few are loanwords."""
    pairs = {
        RomanSpelling(normalize_roman(english), normalize_native(assamese))
        for english, assamese in (*_read_gatitos(data), *_read_cldr_names(data), *_read_cldr_emoji(data))
        if english.isalpha()
    }
    return sorted(pair for pair in pairs if len(pair.roman) > 2 and pair.native)  # noqa: PLR2004 (no words shorter)


def read_scholarly_pairs(data: Path) -> list[RomanSpelling]:
    """Return IE-CoR's Assamese words (CC BY 4.0) with its romanization, without diacritics as in typing."""
    with (data / "iecor" / "DERIVED_aligned.tsv").open(encoding="utf-8", newline="") as lines:
        rows = [(row["as"], row["as_roman"]) for row in csv.DictReader(lines, delimiter="\t")]
    split = ((n, r) for native, roman in rows for n, r in zip(native.split("|"), roman.split("|"), strict=False))
    return _pair_words(split)


def read_old_pairs(data: Path) -> list[RomanSpelling]:
    """Return the words of Gurdon's proverbs of 1903 (public domain) with his romanization, without diacritics."""
    with (data / "proverbs_gurdon1903" / "proverbs_as.tsv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["status"] != "ocr-unproofread"]
    return _pair_words((row["assamese"], row["roman_gurdon"].replace("(n)", "n")) for row in rows)


def read_listed_pairs(file: Path) -> list[RomanSpelling]:
    """Return the pairs of our own list, which has an Assamese word and its spellings on each line."""
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [RomanSpelling(roman, normalize_native(native)) for native, *romans in lines for roman in romans]


def _pair_words(texts: Iterable[tuple[str, str]]) -> list[RomanSpelling]:
    pairs = set()
    for native, roman in texts:
        natives, romans = _SPACES.split(native.strip()), _SPACES.split(roman.strip())
        if len(natives) == len(romans):
            pairs |= {RomanSpelling(_strip_marks(r), normalize_native(n)) for n, r in zip(natives, romans, strict=True)}
    return sorted(pair for pair in pairs if pair.roman and pair.native)


def _strip_marks(roman: str) -> str:
    composed = unicodedata.normalize("NFC", roman)
    return normalize_roman(composed.replace("m̐", "n").replace("ṁ", "ng").replace("ṅ", "ng"))


def _read_gatitos(data: Path) -> Iterator[tuple[str, str]]:
    for line in (data / "gatitos" / "en_as.tsv").read_text(encoding="utf-8").splitlines():
        english, assamese = line.split("\t")[:2]
        for text in assamese.split("|"):
            yield english, text


def _read_cldr_names(data: Path) -> Iterator[tuple[str, str]]:
    for kind in ("languages", "territories", "scripts"):
        english, assamese = (_read_cldr_table(data, language, kind) for language in ("en", "as"))
        for code, name in assamese.items():
            yield english.get(code, ""), name


def _read_cldr_table(data: Path, language: str, kind: str) -> dict[str, str]:
    text = (data / "cldr" / "localenames" / language / f"{kind}.json").read_text(encoding="utf-8")
    table: dict[str, str] = json.loads(text)["main"][language]["localeDisplayNames"][kind]
    return table


def _read_cldr_emoji(data: Path) -> Iterator[tuple[str, str]]:
    with (data / "cldr" / "DERIVED_emoji_aligned.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            english, assamese = row["en"].split(), row["as"].split()
            if len(english) == len(assamese):
                yield from zip(english, assamese, strict=True)
