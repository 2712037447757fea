"""Data for making queries: the headwords of both dictionaries with their frequencies, and their spellings."""

from __future__ import annotations

import csv
import hashlib
import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord
from assamese.inflection import propose_stems
from assamese.keys import exact_key, loose_key
from assamese.letters import is_well_formed
from tools.evaluate import read_small_starter
from tools.ranking.dictionaries import read_extra_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

SEED: Final = "right word first"
HALVES: Final = ("tuning", "telling")

EVERYDAY_SOURCE: Final = "abhidhan"
"""Source of the starter's everyday words; the other source has names of emoji, regions and languages."""

SOURCES_WITH_FORMS: Final = frozenset({"hunspell_as", "gatitos"})
"""Sets that list inflected forms as well as words."""

BAND_LIMITS: Final = (20, 200, 2000)
"""Limits of the frequency bands: occurrences in 8.35 million running words of newspapers."""

_ASSAMESE_WORD: Final = re.compile("[ঁ-ঃঅ-ঋএঐওঔক-নপ-রলশ-হা-ৃেৈোৌ্ৎৰৱ\u09bc’]{2,}")


class QueriedHeadword(NamedTuple):
    """A headword to query: whether it is in the starter, its frequency band, and its parts of speech.

    The `band` of an English word is its number of spaces.
    """

    text: str
    is_starter: bool
    band: int
    parts_of_speech: frozenset[str]


class Material(NamedTuple):
    """Data for making queries; fields that are read from the shared data are empty without it."""

    assamese: tuple[QueriedHeadword, ...]
    english: tuple[QueriedHeadword, ...]
    counts: Mapping[str, int]
    headwords: frozenset[str]
    """Exact keys of all Assamese headwords, including those that are not queried."""
    described: frozenset[str]
    """Exact keys of the described Assamese headwords."""
    english_words: frozenset[str]
    roman_spellings: Mapping[str, tuple[str, ...]]
    """Collected Roman spellings by exact key (Aksharantar)."""
    lemma_forms: tuple[tuple[str, str], ...]
    """Pairs of lemma and form from UniMorph's table."""


def half_of(word: str) -> str:
    """Return the half to which the queries of a word belong; it depends only on a checksum and never changes."""
    return HALVES[draw_number("half", word) % len(HALVES)]


def draw_number(*texts: str) -> int:
    """Return a pseudo-random number that is the same for the same texts in every run."""
    text = "\t".join((SEED, *texts)).encode()
    return int.from_bytes(hashlib.blake2s(text, digest_size=6).digest(), "big")


def load_material(data: Path | None) -> Material:
    """Load the data for making queries; without the shared data, only that of the starter."""
    counts = _read_counts(data) if data else {}
    starter = _read_starter_words()
    in_starter = frozenset(exact_key(text) for text, _, _ in starter["as"])
    words = read_extra_words(data, in_starter) if data else []
    added = [(word.text, frozenset[str](), word.source) for word in words]
    tabled = _read_lemma_forms(data) if data else ()
    return Material(
        assamese=_select_headwords(starter["as"], counts, is_starter=True)
        + _select_headwords(_drop_listed_forms(added), counts),
        english=tuple(
            sorted(
                QueriedHeadword(text, band=text.count(" "), parts_of_speech=parts, is_starter=True)
                for text, parts, _ in starter["en"]
            )
        ),
        counts=counts,
        headwords=in_starter | {exact_key(word.text) for word in words},
        described=in_starter | {exact_key(word.text) for word in words if word.english},
        english_words=_read_english_words(data, starter["en"]),
        roman_spellings=_read_roman_spellings(data) if data else {},
        lemma_forms=tabled,
    )


SourceWord = tuple[str, frozenset[str], str]
"""A headword, its parts of speech, and the source of its first idea."""


@cache
def _read_starter_words() -> dict[str, list[SourceWord]]:
    words_by_language: dict[str, dict[str, tuple[set[str], str]]] = {"as": {}, "en": {}}
    for parsed in read_small_starter():
        if isinstance(parsed, LocatedRecord) and isinstance(parsed.record, IdeaRecord):
            idea = parsed.record
            for word in idea.words:
                if word.language in words_by_language:
                    parts, _ = words_by_language[word.language].setdefault(word.text, (set(), idea.source))
                    parts |= {idea.pos} if idea.pos else set()
    return {
        language: [(text, frozenset(parts), source) for text, (parts, source) in words.items()]
        for language, words in words_by_language.items()
    }


def _drop_listed_forms(added: Sequence[SourceWord]) -> list[SourceWord]:
    """Drop words that are forms of other listed words, since a query for them means the other word."""
    loose = {loose_key(text, "as") for text, _, _ in added}

    def is_form(text: str, source: str) -> bool:
        return source in SOURCES_WITH_FORMS and any(stem.key in loose for stem in propose_stems(text, "as"))

    return [(text, parts, source) for text, parts, source in added if not is_form(text, source)]


def _select_headwords(
    words: Iterable[SourceWord], counts: Mapping[str, int], *, is_starter: bool = False
) -> tuple[QueriedHeadword, ...]:
    """Return the words in use: those in newspapers, and the starter's everyday words even if not in newspapers."""
    chosen = []
    for text, parts, source in words:
        band = sum(counts.get(text, 0) >= least for least in BAND_LIMITS)
        if band or source == EVERYDAY_SOURCE:
            chosen.append(QueriedHeadword(text, is_starter, band, parts))
    return tuple(sorted(chosen))


def is_one_word(text: str) -> bool:
    """Return whether a headword is a single well-formed Assamese word, whose letters can be changed for queries."""
    return _ASSAMESE_WORD.fullmatch(text) is not None and is_well_formed(text.replace("’", ""))


# --- the shared data --------------------------------------------------------------------------------------------------


def _read_lines(file: Path) -> list[list[str]]:
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


def _read_counts(data: Path) -> dict[str, int]:
    return {form: int(count) for form, count, _ in _read_lines(data / "assamese_counts" / "words.tsv")}


def _read_roman_spellings(data: Path) -> dict[str, tuple[str, ...]]:
    romans_by_native: dict[str, list[str]] = {}
    with (data / "aksharantar_sampled" / "asm_train.csv").open(encoding="utf-8", newline="") as lines:
        for roman, native in csv.reader(lines):
            romans_by_native.setdefault(exact_key(native), []).append(roman.casefold())
    return {native: tuple(sorted(romans)) for native, romans in romans_by_native.items()}


def _read_lemma_forms(data: Path) -> tuple[tuple[str, str], ...]:
    rows = [row for name in ("asm_large.train", "asm.dev") for row in _read_lines(data / "unimorph_asm" / name)]
    return tuple(sorted({(lemma, form) for lemma, form, _ in rows if is_one_word(lemma) and is_one_word(form)}))


def _read_english_words(data: Path | None, starter: Iterable[SourceWord]) -> frozenset[str]:
    words = {text.casefold() for text, _, _ in starter}
    if data:
        for part in ("noun", "verb", "adj", "adv"):
            rows = (data / "wordnet30" / f"index.{part}").read_text(encoding="utf-8").splitlines()
            words |= {row.split(" ", 1)[0].replace("_", " ") for row in rows if not row.startswith(" ")}
    return frozenset(words)
