"""Measure how well look-up understands everyday queries: the sets `eval/everyday_*.tsv` and their controls.

Run: python -m tools.evaluate_everyday [--part tuning|held-out|all] [--failures KIND] [--larger DATA]

With `--larger`, a larger dictionary is queried, too: the starter with some 16,000 more Assamese words
(`tools/ranking/dictionaries.py`). DATA is the folder of the shared data.

An item counts as first if the expected headword (or one of several) is the first entry or, without entries, the first
suggestion. A compound counts if the entries are its parts. Queries specify a language only in the rows that name one.
If a text is an equally good spelling of another headword (`din`, `jam` জাম), that one may be first and the expected one
offered: the column `right` counts these, too. For `typed_anew.tsv` and `typed_names.tsv`, the first answer of
`tlipi.php` counts, in both directions.
"""

import argparse
import csv
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import select

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.model.completions import MAX_PREFIX_DISTANCE
from abhidhan.dictionary.model.guess_scoring import commonness
from abhidhan.dictionary.model.query import MAX_ROMAN_READINGS
from abhidhan.dictionary.service.completions import suggest
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM
from abhidhan.dictionary.service.phrases import find_query_proverbs
from abhidhan.exchange.service.bundled_data import read_starter_records
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.schema import word
from assamese.keys import exact_key, roman_sound_keys
from assamese.spelling_distance import MAX_START_LENGTH, distance, start_distance
from tools.evaluate import EVAL_FOLDER, PARTS, ask_to_assamese, ask_to_roman, open_whole_starter, summarize_outcomes
from tools.evaluate import Outcome as ScriptOutcome
from tools.evaluate import Query as ScriptQuery
from tools.evaluate import run_queries as ask_all
from tools.ranking.dictionaries import BUILD_FOLDER, open_larger

WORD_SETS: Final = ("everyday_roman", "everyday_assamese", "everyday_english")
TYPED_SETS: Final = ("typed_anew", "typed_names")
KINDS_WITH_LANGUAGE: Final = frozenset({"misspelled"})
"""Kinds of items that are also queried with Assamese as the language."""

MAX_SPELLING_DISTANCE: Final = 0.05
"""Maximum distance from a headword at which a text is a common spelling of it."""

MAX_SUGGESTIONS: Final = 10
SEED: Final = 53
NONSENSE_COUNT: Final = 150
"""Number of random strings of each kind."""

CONSONANTS: Final = "কখগঘচছজঝটঠডঢতথদধনপফবভমযৰলৱশষসহ"
VOWEL_SIGNS: Final = ("", "া", "ি", "ী", "ু", "ূ", "ে", "ৈ", "ো", "ৌ")


class EverydayItem(NamedTuple):
    """A query with its expected headwords (one is enough), or with the parts of a compound (all are expected)."""

    query: str
    expected: frozenset[str]
    parts: tuple[str, ...]
    kind: str


class LookupOutcome(NamedTuple):
    """The result of an item, with a summary of the answer.

    `is_right` also accepts an expected word that is offered after another word with this spelling.
    """

    item: EverydayItem
    is_first: bool
    is_right: bool
    is_offered: bool
    answer: str


def read_rows(name: str, part: str) -> list[dict[str, str]]:
    """Return the rows of a set that belong to a part."""
    with (EVAL_FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if part in {"all", row["part"]}]


def read_items(part: str) -> Iterator[EverydayItem]:
    """Yield the everyday words and phrases."""
    for name in WORD_SETS:
        for row in read_rows(name, part):
            parts = tuple(map(exact_key, row["expected"].split("+"))) if "+" in row["expected"] else ()
            expected = frozenset(map(exact_key, row["expected"].split("|")))
            yield EverydayItem(row["query"], expected, parts, row["kind"])


def look_up_item(connection: ReadConnection, item: EverydayItem, language_id: int = ALL_LANGUAGES) -> LookupOutcome:
    """Look an item up, and compare the answer with the expected headwords."""
    words = look_up(connection, item.query, language_id)
    entries = [[exact_key(word.word) for word in query_word.entries] for query_word in words]
    offered = [[exact_key(suggestion.word) for suggestion in query_word.suggestions] for query_word in words]
    answer = " / ".join(f"{query_word.match.value}: {', '.join(_first_answers(query_word))}" for query_word in words)
    if item.parts:
        is_right = len(words) == 1 and words[0].match is Match.COMPOUND and entries[0] == list(item.parts)
        return LookupOutcome(item, is_right, is_right, is_right, answer)
    first = [*entries[0][:1], *([] if entries[0] else offered[0][:1])]
    everything = {key for keys in (*entries, *offered) for key in keys}
    is_first, is_found = (not item.expected.isdisjoint(keys) for keys in (first, everything))
    is_spelled_so = len(words) == 1 and bool(first) and distance(item.query, first[0]) <= MAX_SPELLING_DISTANCE
    return LookupOutcome(item, is_first, is_first or (is_spelled_so and is_found), is_found, answer)


def _first_answers(word: QueryWord) -> list[str]:
    return [entry.word for entry in word.entries][:3] or [f"?{suggestion.word}" for suggestion in word.suggestions][:3]


def evaluate(connection: ReadConnection, part: str) -> dict[str, list[LookupOutcome]]:
    """Look all items up; return the outcomes by kind."""
    outcomes: dict[str, list[LookupOutcome]] = defaultdict(list)
    for item in read_items(part):
        outcomes[item.kind].append(look_up_item(connection, item))
        if item.kind in KINDS_WITH_LANGUAGE:
            outcomes[f"{item.kind}, l=2"].append(look_up_item(connection, item, ASSAMESE))
    return outcomes


# --- transliteration --------------------------------------------------------------------------------------------------


def evaluate_typed(connection: ReadConnection, part: str) -> Iterator[tuple[str, list[ScriptOutcome]]]:
    """Transliterate typed words to Assamese, and the Assamese words to Roman; yield the outcomes by set."""
    for name in TYPED_SETS:
        rows = read_rows(name, part)
        typed = [ScriptQuery(row["roman"], "as", tuple(row["assamese"].split("|")), name) for row in rows]
        assamese_queries = [
            ScriptQuery(word, "as", (query.text,), name) for query in typed for word in query.expected[:1]
        ]
        yield f"{name}, to Assamese", ask_all(connection, typed, ask_to_assamese)
        yield f"{name}, to Roman", ask_all(connection, assamese_queries, ask_to_roman)


# --- suggestions, sentences and controls ------------------------------------------------------------------------------


def evaluate_prefixes(connection: ReadConnection, part: str) -> list[int]:
    """Return the rank (from 1; 0 if missing) of each expected word among the suggestions for three Roman letters."""
    ranks = []
    for row in read_rows("prefixes", part):
        offered = [exact_key(text) for text in suggest(connection, row["query"], ALL_LANGUAGES_PARAM, MAX_SUGGESTIONS)]
        expected = exact_key(row["expected"])
        ranks.append(offered.index(expected) + 1 if expected in offered else 0)
    return ranks


def rank_by_frequency(connection: ReadConnection, part: str) -> list[int]:
    """Return the rank of each expected word among all Assamese headwords with the prefix, sorted by frequency only.

    A headword has the prefix if a reading of the letters is a prefix of its sound, and none of the letters is far from
    it.
    """
    rows = connection.rows(
        CompiledQuery(select(word.c.exact_key, word.c.sound_key, word.c.frequency).where(_IS_ASSAMESE))
    )
    common = {key: commonness(ASSAMESE, key, frequency) for key, _, frequency in rows}
    by_frequency = sorted({(key, sound) for key, sound, _ in rows}, key=lambda row: (-common[row[0]], row))
    ranks = []
    for row in read_rows("prefixes", part):
        query, expected = row["query"], exact_key(row["expected"])
        sounds = roman_sound_keys(query, MAX_ROMAN_READINGS)
        keys = [key for key, sound in by_frequency if sound.startswith(sounds) and _may_begin(query, key)]
        ranks.append(keys.index(expected) + 1 if expected in keys[:MAX_SUGGESTIONS] else 0)
    return ranks


_IS_ASSAMESE = word.c.language_id == ASSAMESE


def _may_begin(query: str, key: str) -> bool:
    return start_distance(query, key[:MAX_START_LENGTH]) <= MAX_PREFIX_DISTANCE


def find_misread_sentences(connection: ReadConnection, part: str) -> list[str]:
    """Return the ordinary sentences in which a proverb is wrongly found."""
    return [
        row["sentence"]
        for row in read_rows("ordinary_sentences", part)
        if find_query_proverbs(connection, row["sentence"])
    ]


def find_misread_controls(connection: ReadConnection, part: str) -> list[str]:
    """Return the simple words without an entry that are mistaken for compounds."""
    queries = [row["query"] for row in read_rows("controls", part)]
    return [query for query in queries if look_up(connection, query)[0].match is Match.COMPOUND]


def make_nonsense() -> list[str]:
    """Return random strings: Roman letters, and syllables of Assamese letters."""
    chance = random.Random(SEED)  # noqa: S311  # the same strings every time
    roman = [
        "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(5, 9))) for _ in range(NONSENSE_COUNT)
    ]
    syllables = [
        "".join(chance.choice(CONSONANTS) + chance.choice(VOWEL_SIGNS) for _ in range(chance.randint(3, 5)))
        for _ in range(NONSENSE_COUNT)
    ]
    return [*roman, *syllables]


def find_answered_nonsense(connection: ReadConnection) -> list[str]:
    """Return the random strings that are answered with an entry."""
    return [text for text in make_nonsense() if look_up(connection, text)[0].entries]


# --- the report -------------------------------------------------------------------------------------------------------


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--failures", metavar="KIND", help="list what was not first of a kind")
    parser.add_argument("--larger", type=Path, metavar="DATA", help="ask a larger dictionary too")
    options = parser.parse_args()
    with open_whole_starter() as database:
        database.read_now(lambda reader: print_report(reader, options.part, options.failures))
    if options.larger:
        print("\nIn the larger dictionary")
        with open_larger(options.larger, BUILD_FOLDER / "whole", read_starter_records) as database:
            database.read_now(lambda reader: print_report(reader, options.part, options.failures))


def print_report(connection: ReadConnection, part: str, failures: str | None) -> None:
    """Print a table of the kinds of items, then the results of the controls."""
    print(f"Everyday input ({part})\n  {'kind':<22}{'items':>7}{'first':>9}{'right':>9}{'found':>9}")
    for kind, outcomes in evaluate(connection, part).items():
        first, right, found = _compute_shares(outcomes)
        print(f"  {kind:<22}{len(outcomes):>7}{first:>9.1%}{right:>9.1%}{found:>9.1%}")
        for outcome in outcomes if kind == failures else ():
            if not outcome.is_first:
                print(f"    {outcome.item.query} -> {outcome.answer}; expected {'|'.join(outcome.item.expected)}")
    for kind, typed in evaluate_typed(connection, part):
        share = summarize_outcomes(typed)[-1]
        print(f"  {kind:<24}{share.queries:>5}{share.first:>9.1%}{1 - share.missed:>9.1%}")
        for query, rank, answer in typed if kind.startswith(f"{failures},") else ():
            if rank != 1:
                print(f"    {query.text} -> {answer}; expected {'|'.join(query.expected)}")
    for name, ranks in (
        ("suggest, three Roman letters", evaluate_prefixes(connection, part)),
        ("pure frequency order of the same", rank_by_frequency(connection, part)),
    ):
        first, among = ranks.count(1) / len(ranks), sum(map(bool, ranks)) / len(ranks)
        print(f"  {name}: first {first:.1%}, among ten {among:.1%} of {len(ranks)}")
    sentences = find_misread_sentences(connection, part)
    print(
        f"  ordinary sentences taken for proverbs: {len(sentences)}",
        *(sentences if failures == "proverbs" else ()),
        sep="\n    ",
    )
    controls = find_misread_controls(connection, part)
    print(
        f"  simple words taken for compounds: {len(controls)}",
        *(controls if failures == "controls" else ()),
        sep="\n    ",
    )
    answered = find_answered_nonsense(connection)
    print(
        f"  nonsense found: {len(answered)} of {2 * NONSENSE_COUNT}",
        *(answered if failures == "nonsense" else ()),
        sep="\n    ",
    )


def _compute_shares(outcomes: Sequence[LookupOutcome]) -> tuple[float, float, float]:
    first, right, found = zip(*(outcome[1:4] for outcome in outcomes), strict=True)
    return sum(first) / len(outcomes), sum(right) / len(outcomes), sum(found) / len(outcomes)


if __name__ == "__main__":
    main()
