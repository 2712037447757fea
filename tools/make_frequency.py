"""Build the table of Assamese frequency bands: python -m tools.make_frequency DATA TABLE.

DATA is a folder with the sets `assamese_counts`, `gatitos` and `iecor`; TABLE is usually
packages/assamese/src/assamese/tables/frequency.bin. The result is reproducible from the sets and the rules of
inflection. Takes about a minute on one core.

Newspapers have forms (কৰিছে), and dictionaries have headwords (কৰা): `Attribution` assigns the occurrences of forms to
headwords. This is done in advance and not when a word is added, because it depends on all forms of the language (the
likelier of two stems; whether a form takes endings itself), takes half a minute, and would have to be repeated for many
words after each addition. Unlisted headwords are covered, too: every attested spelling has its own occurrences and
those of its forms.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter, defaultdict
from csv import DictReader
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from assamese.inflection import Stem, propose_stems
from assamese.keys import exact_key, loose_key
from assamese.word_frequency import COUNTED_LANGUAGE, checksum, frequency_to_band, get_counted_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

RUNNING_WORDS: Final = 8_353_947
"""Number of running words of the counted texts, including those too rare to be in the list."""

MIN_UNLISTED_STEM_LENGTH: Final = 3
"""Minimum length of an unlisted stem: in 88,000 forms, every pair of letters is attested somewhere."""

MIN_LISTED_STEM_LENGTH: Final = 4
"""Minimum length of a listed stem that is not attested by itself (সন্দৰ্ভ)."""

MAX_NOUN_RATIO: Final = 4
"""Maximum ratio of the frequencies of a form and its unlisted noun without an ending."""

MAX_VERB_RATIO: Final = 50
"""Maximum ratio of the frequencies of a verb form and the verbal noun, which is the headword (কৰা, হোৱা)."""

VERBAL_NOUN: Final = "া"
NOUN_ENDINGS: Final = ("ৰ", "ত", "ক", "লৈ")
CASE_ENDINGS: Final = (*NOUN_ENDINGS, "ে")
MIN_NOUN_ENDINGS: Final = 2
MIN_ENDING_SHARE: Final = 1 / 200
"""Minimum share of forms with noun endings, relative to the word's own occurrences, that makes it a noun: below 0.5 %,
they may be errors."""


class HeadwordCandidate(NamedTuple):
    """A possible headword of a form, with its loose key and its frequency without other forms."""

    key: str
    is_verb: bool
    weight: int


class Attribution:
    """Assigns the occurrences of forms to headwords.

    1. A form always counts for itself: a dictionary may have it as a headword.
    2. A listed word counts for no other: মাছ is never a form of মা, nor কৰে of কৰ, if they are listed. A form that takes
       noun endings itself (মাতৰ, মাতত) is a word, too, and therefore neither a verb form (ভোট is not of ভোটা) nor a case
       form (মাত is not "in মা").
    3. Any other form counts for the listed or attested words of which it may be a form by the rules of inflection. A
       stem of fewer than three letters must be listed. An unlisted noun must be attested at least a quarter as often as
       the form; a verb is represented by its verbal noun, listed or not, which must be attested at least a fiftieth as
       often as the form (হৈছে is three times as frequent as হোৱা).
    4. Of several nouns, the nearest counts, not one of which the nearest is itself a form: তেওঁলোকৰ is of তেওঁলোক, not of
       তেওঁ.
    5. If several words remain, they share the form by their own frequencies: পানীয়ে is of পানী (3,557) and hardly of পানীয়
       (240), although the spelling rules allow both.
    6. The count of an unlisted word is passed on, in the same way, to the words of which it is a form: ল’ৰাবোৰৰ counts
       for ল’ৰাবোৰ and for ল’ৰা.
    7. The rules use loose spelling; of several spellings of a word, the one with the longest common prefix counts.

    Errors are one-sided: a form that is not understood counts only for itself.
    """

    def __init__(self, counts: Mapping[str, int], listed_words: Iterable[str]) -> None:
        """Initialise with the counts of spellings and the listed words."""
        self._counts = counts
        self._spellings: dict[str, list[str]] = defaultdict(list)
        self._weights: Counter[str] = Counter()
        for spelling, count in counts.items():
            key = loose_key(spelling, COUNTED_LANGUAGE)
            self._spellings[key].append(spelling)
            self._weights[key] += count
        self._listed: set[str] = set()
        for word in sorted(listed_words):
            key = loose_key(word, COUNTED_LANGUAGE)
            self._listed.add(key)
            if word not in counts:
                self._spellings[key].append(word)
        self._shares: dict[str, dict[str, float]] = {}

    def totals(self) -> dict[str, float]:
        """Return the occurrences of each spelling including its forms."""
        totals: dict[str, float] = defaultdict(float, self._counts)
        for form, count in self._counts.items():
            for word, share in self.shares(form).items():
                totals[word] += share * count
        return {word: total for word, total in totals.items() if total}

    def shares(self, form: str) -> dict[str, float]:
        """Return the words to which a form is attributed besides itself, each with its share."""
        if form in self._shares:
            return self._shares[form]
        self._shares[form] = {}  # stops cycles
        shares: dict[str, float] = defaultdict(float)
        for target, share in self._nearest_targets(form):
            word = self._nearest_spelling(target.key, form)
            shares[word] += share
            if target.key not in self._listed:
                for further, part in self.shares(word).items():
                    shares[further] += share * part
        shares.pop(form, None)
        self._shares[form] = dict(shares)
        return self._shares[form]

    def _nearest_targets(self, form: str) -> Iterator[tuple[HeadwordCandidate, float]]:
        targets = self._targets(form)
        nouns = [target.key for target in targets if not target.is_verb]
        nearest = [
            target
            for target in targets
            if target.is_verb or not any(target.key in _stem_keys(key) for key in nouns if key != target.key)
        ]
        total = sum(target.weight for target in nearest)
        yield from ((target, target.weight / total) for target in nearest)

    def _targets(self, form: str) -> list[HeadwordCandidate]:
        key = loose_key(form, COUNTED_LANGUAGE)
        if key in self._listed:
            return []
        is_noun = self._is_noun(key)
        if is_noun and key.endswith(CASE_ENDINGS):
            return []
        count = self._counts.get(form, 0)
        targets: dict[str, HeadwordCandidate] = {}
        for stem in propose_stems(form, COUNTED_LANGUAGE):
            if not (stem.is_verb_only and is_noun) and self._is_plausible_stem(count, stem):
                # Add one, so that a listed word that is not attested by itself has a share.
                targets.setdefault(
                    stem.key, HeadwordCandidate(stem.key, stem.is_verb_only, self._weights[stem.key] + 1)
                )
        return list(targets.values())

    def _is_plausible_stem(self, count: int, stem: Stem) -> bool:
        key, weight = stem.key, self._weights[stem.key]
        if stem.is_verb_only:
            return (
                len(key) >= MIN_UNLISTED_STEM_LENGTH
                and key.endswith(VERBAL_NOUN)
                and 0 < count <= weight * MAX_VERB_RATIO
            )
        if key in self._listed:
            return weight > 0 or len(key) >= MIN_LISTED_STEM_LENGTH
        return len(key) >= MIN_UNLISTED_STEM_LENGTH and 0 < count <= weight * MAX_NOUN_RATIO

    def _is_noun(self, key: str) -> bool:
        counts = [self._weights[key + ending] for ending in NOUN_ENDINGS if key + ending in self._weights]
        return len(counts) >= MIN_NOUN_ENDINGS and sum(counts) >= self._weights[key] * MIN_ENDING_SHARE

    def _nearest_spelling(self, key: str, form: str) -> str:
        def rank_spelling(spelling: str) -> tuple[int, int]:
            same = takewhile(lambda pair: pair[0] == pair[1], zip(spelling, form, strict=False))
            return sum(1 for _ in same), self._counts.get(spelling, 0)

        return max(self._spellings[key], key=rank_spelling)


@cache
def _stem_keys(key: str) -> frozenset[str]:
    return frozenset(stem.key for stem in propose_stems(key, COUNTED_LANGUAGE))


def read_counts(data: Path) -> dict[str, int]:
    """Return the occurrences of forms by spelling."""
    counts: Counter[str] = Counter()
    for line in (data / "assamese_counts" / "words.tsv").read_text("utf-8").splitlines():
        form, occurrences, _ = line.split("\t")
        counts[get_counted_spelling(exact_key(form))] += int(occurrences)
    return dict(counts)


def read_listed_words(data: Path) -> frozenset[str]:
    """Return the single words of GATITOS and IE-CoR (both CC BY 4.0), used only to decide what is a word."""
    rows = (line.split("\t") for line in (data / "gatitos" / "en_as.tsv").read_text("utf-8").splitlines())
    texts = [text for _, assamese, *_ in rows for text in assamese.split("|")]
    with (data / "iecor" / "DERIVED_aligned.tsv").open(encoding="utf-8", newline="") as lines:
        texts += [row["as"] or "" for row in DictReader(lines, delimiter="\t")]
    words = (get_counted_spelling(exact_key(text)) for text in texts)
    return frozenset(word for word in words if word and " " not in word)


def pack(totals: Mapping[str, float], running_words: int) -> bytes:
    """Return the table: 8-byte numbers in ascending order. Raises ValueError if two words have the same checksum."""
    bands: dict[int, int] = {}
    for word, total in totals.items():
        number = checksum(word)
        if number in bands:
            raise ValueError(word)
        bands[number] = frequency_to_band(total / running_words * 1_000_000)
    numbers = array("Q", sorted(number | band for number, band in bands.items()))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def build_table(data: Path) -> bytes:
    """Build the table from the sets in a folder."""
    return pack(Attribution(read_counts(data), read_listed_words(data)).totals(), RUNNING_WORDS)


def main(data: str, table: str) -> None:
    """Build and write the table."""
    content = build_table(Path(data))
    Path(table).write_bytes(content)
    print(f"{len(content) // 8:,} words, {len(content):,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
