"""Measure the share of newspaper text that leads to a described entry of the starter dictionary.

Run: python -m tools.coverage DATA

DATA is the folder of the shared data, with `assamese_counts` and `wordnet30`. A form is covered if `dic.php` finds an
entry with a definition or a translation by an exact or loose match or as an inflected form. Forms, including names, are
weighted by their frequency in newspapers.

Also measures the share of the most frequent English words that lead to an Assamese one, each counted once.
"""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.records.languages import ASSAMESE, ENGLISH
from tools.evaluate import open_whole_starter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abhidhan.platform.database.reader import ReadConnection
    from abhidhan.records.words import Word

SAMPLE_SIZES: Final = (3_000, 20_000)
"""Numbers of most frequent forms for which the covered share is reported."""

SURE_MATCHES: Final = frozenset({Match.EXACT, Match.LOOSE, Match.INFLECTED})


ENGLISH_WORD_COUNT: Final = 3_000
"""Number of most frequent English words that are looked up."""

GRAMMATICAL_WORDS: Final = frozenset(
    {
        "a",
        "about",
        "above",
        "across",
        "after",
        "against",
        "all",
        "along",
        "although",
        "am",
        "among",
        "an",
        "and",
        "another",
        "any",
        "anybody",
        "anyone",
        "anything",
        "are",
        "around",
        "as",
        "at",
        "because",
        "before",
        "behind",
        "below",
        "beneath",
        "beside",
        "besides",
        "between",
        "beyond",
        "both",
        "but",
        "by",
        "can",
        "cannot",
        "could",
        "despite",
        "down",
        "during",
        "each",
        "either",
        "enough",
        "every",
        "everybody",
        "everyone",
        "everything",
        "except",
        "few",
        "for",
        "from",
        "has",
        "he",
        "her",
        "hers",
        "herself",
        "him",
        "himself",
        "his",
        "how",
        "however",
        "i",
        "if",
        "in",
        "inside",
        "into",
        "is",
        "it",
        "its",
        "itself",
        "less",
        "like",
        "many",
        "may",
        "me",
        "might",
        "mine",
        "more",
        "most",
        "much",
        "must",
        "my",
        "myself",
        "near",
        "neither",
        "no",
        "nobody",
        "none",
        "nor",
        "not",
        "nothing",
        "of",
        "off",
        "on",
        "one",
        "onto",
        "or",
        "other",
        "our",
        "ours",
        "ourselves",
        "out",
        "outside",
        "over",
        "own",
        "past",
        "per",
        "perhaps",
        "shall",
        "she",
        "should",
        "since",
        "so",
        "some",
        "somebody",
        "someone",
        "something",
        "such",
        "than",
        "that",
        "the",
        "their",
        "theirs",
        "them",
        "themselves",
        "then",
        "there",
        "therefore",
        "these",
        "they",
        "this",
        "those",
        "though",
        "through",
        "throughout",
        "till",
        "to",
        "too",
        "towards",
        "under",
        "unless",
        "until",
        "up",
        "upon",
        "us",
        "very",
        "was",
        "we",
        "were",
        "what",
        "whatever",
        "when",
        "whenever",
        "where",
        "whether",
        "which",
        "while",
        "who",
        "whoever",
        "whole",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "without",
        "would",
        "yes",
        "yet",
        "you",
        "your",
        "yours",
        "yourself",
    }
)
"""Frequent English words without counts: pronouns, prepositions, conjunctions, determiners, auxiliaries."""


class CountedForm(NamedTuple):
    """A word form with its number of occurrences in newspapers."""

    text: str
    occurrences: int


def read_forms(data: Path, limit: int = SAMPLE_SIZES[-1]) -> list[CountedForm]:
    """Return the most frequent forms, in descending order."""
    lines = (data / "assamese_counts" / "words.tsv").read_text(encoding="utf-8").splitlines()
    return [CountedForm(text, int(count)) for text, count, *_ in (line.split("\t") for line in lines[:limit])]


def is_covered(connection: ReadConnection, text: str) -> bool:
    """Return whether a form leads to a described entry."""
    items = look_up(connection, text, ASSAMESE)
    return any(item.match in SURE_MATCHES and any(map(_is_described, item.entries)) for item in items[:1])


def _is_described(word: Word) -> bool:
    return any(meaning.definitions or meaning.translations for meaning in word.meanings)


def read_english_words(data: Path, limit: int = ENGLISH_WORD_COUNT) -> list[str]:
    """Return the most frequent English words: the grammatical ones, then others by their count in tagged texts."""
    counts: Counter[str] = Counter()
    for line in (data / "wordnet30" / "cntlist.rev").read_text(encoding="ascii").splitlines():
        sense_key, _, times = line.split(" ")
        lemma = sense_key.partition("%")[0]
        if lemma.isalpha() and lemma not in GRAMMATICAL_WORDS:
            counts[lemma] += int(times)
    return [*sorted(GRAMMATICAL_WORDS), *(lemma for lemma, _ in counts.most_common())][:limit]


def has_assamese_translation(connection: ReadConnection, text: str) -> bool:
    """Return whether an English word leads to an entry with an Assamese translation."""
    items = look_up(connection, text, ENGLISH)
    return any(
        word.language_id == ASSAMESE
        for item in items[:1]
        if item.match in SURE_MATCHES
        for entry in item.entries
        for meaning in entry.meanings
        for word in meaning.translations
    )


def compute_coverage(connection: ReadConnection, forms: Iterable[CountedForm]) -> float:
    """Return the share of running words whose forms are covered."""
    counts = [(form.occurrences, is_covered(connection, form.text)) for form in forms]
    return sum(times for times, covered in counts if covered) / (sum(times for times, _ in counts) or 1)


def main() -> None:
    """Print the shares and, with `--lacking`, the most frequent forms that are not covered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--lacking", type=int, default=0, metavar="N", help="list the N commonest forms that lead nowhere"
    )
    options = parser.parse_args()
    forms = read_forms(options.data)
    english = read_english_words(options.data)
    with open_whole_starter() as database:
        print("\nRunning words of newspapers that lead to an entry of the starter dictionary")
        for count in SAMPLE_SIZES:
            share = database.read_now(partial(compute_coverage, forms=forms[:count]))
            print(f"  of the {count:,} commonest forms: {share:.1%}")
        lacking = database.read_now(lambda reader: [form for form in forms if not is_covered(reader, form.text)])
        unknown = database.read_now(
            lambda reader: [word for word in english if not has_assamese_translation(reader, word)]
        )
    for form in lacking[: options.lacking]:
        print(f"    {form.text}: {form.occurrences}")
    print("\nThe commonest English words that lead to an Assamese one")
    print(f"  of {len(english):,}: {1 - len(unknown) / len(english):.1%}")
    for word in unknown[: options.lacking]:
        print(f"    {word}")


if __name__ == "__main__":
    main()
