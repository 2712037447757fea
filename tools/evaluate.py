"""Measure look-up, search, proverbs and transliteration with queries as people type them.

Run: make eval, or python -m tools.evaluate [--part tuning|held-out|all] [--failures]
"""

import argparse
import csv
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.phrases import find_similar
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.service.transliteration import transliterate
from abhidhan.exchange.service.bundled_data import load_starter, starter_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.words import Word
from assamese.keys import exact_key
from assamese.romanize import Scheme
from assamese.transliteration import Direction

SETS: Final = Path(__file__).resolve().parent.parent / "eval"
PARTS: Final = ("tuning", "held-out", "all")
MAX_ANSWERS: Final = 10
"""Number of answers that are searched for the expected one, as few people read further."""

SURE_SIMILARITY: Final = 0.8
"""Minimum similarity at which a proverb is reported as the same."""


class Query(NamedTuple):
    """A typed text, its language ("" for any), and the expected answers; none for a negative query."""

    text: str
    language: str
    expected: tuple[str, ...]
    kind: str


class Outcome(NamedTuple):
    """The outcome of a query: the rank of the expected answer (from 1; 0 if missing), and the first answer."""

    query: Query
    rank: int
    answer: str


class Row(NamedTuple):
    """A row of a table: the number of queries, and shares of them from 0 to 1."""

    label: str
    queries: int
    first: float
    in_five: float
    missed: float
    mean_reciprocal_rank: float


AskFunction = Callable[[ReadConnection, Query], Sequence[tuple[str, ...]]]
"""Function that queries the dictionary, and returns the accepted spellings of each answer, best first."""


EVERYDAY: Final = "ideas_everyday.jsonl"
"""File of frequent newspaper words, which was added after the queries were written and the thresholds set."""


def small_records() -> Iterator[LocatedRecord | RecordError]:
    """Return the small part of the starter dictionary for which the queries were written."""
    return starter_records(without=(EVERYDAY,))


@contextmanager
def starter() -> Iterator[Database]:
    """Open the small part of the starter dictionary for which most queries were written; tests open it often."""
    with _open_empty() as database:
        import_records(database, small_records(), now=0)
        yield database


@contextmanager
def whole_starter() -> Iterator[Database]:
    """Open the whole starter dictionary."""
    with _open_empty() as database:
        load_starter(database, now=0)
        yield database


@contextmanager
def _open_empty() -> Iterator[Database]:
    """Open an empty database in a temporary folder, and remove it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/evaluation.sqlite"
        prepare(url, Path(folder))
        with Database(url) as database:
            yield database


def read_queries(name: str, part: str) -> list[Query]:
    """Return the queries of a set that belong to a part (one of `PARTS`)."""
    with (SETS / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Query(row["query"], row.get("language", ""), tuple(filter(None, row["expected"].split("|"))), row["kind"])
        for row in rows
        if part in {"all", row["part"]}
    ]


# --- words ------------------------------------------------------------------------------------------------------------


def ask_lookup(reader: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Look the query up as `dic.php` does; return the entries, then the suggestions."""
    items = look_up(reader, query.text, _language_id(query))
    words = [_spellings(word, query) for item in items for word in item.entries]
    return [*words, *((suggestion.word,) for item in items for suggestion in item.suggestions)]


def ask_search(reader: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Search for the query as `/api/search` does."""
    words = search(reader, query.text, _language_id(query) or None, fuzzy=True, limit=MAX_ANSWERS)
    return [_spellings(word, query) for word in words]


def _language_id(query: Query) -> int:
    return ASSAMESE if query.language else 0


def _spellings(word: Word, query: Query) -> tuple[str, ...]:
    """Return the word of an answer, followed by its translations if queries of this kind expect a translation."""
    if query.kind != "english-assamese":
        return (word.word,)
    return (word.word, *(other.word for meaning in word.meanings for other in meaning.translations))


# --- proverbs ---------------------------------------------------------------------------------------------------------


def ask_proverbs(reader: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Search for similar proverbs as `check-fj.php` does."""
    return [(phrase.phrase,) for phrase in find_similar(reader, query.text, ASSAMESE, 5)]


def share_sure(reader: ReadConnection, queries: Iterable[Query]) -> float:
    """Return the share of queries whose expected proverb (any proverb, for negatives) is reported as the same."""
    sure = [
        any(
            phrase.similarity >= SURE_SIMILARITY and (phrase.phrase in query.expected or not query.expected)
            for phrase in find_similar(reader, query.text, ASSAMESE, 5)
        )
        for query in queries
    ]
    return sum(sure) / len(sure) if sure else 0.0


# --- transliteration --------------------------------------------------------------------------------------------------


def typed_words() -> list[tuple[str, tuple[str, ...]]]:
    """Return the everyday words of the committed list, each with its typed spellings."""
    lines = (SETS / "typed_words.tsv").read_text(encoding="utf-8").splitlines()
    fields = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return [(word, tuple(spellings)) for word, *spellings in fields]


def typed_sentences(part: str) -> list[Query]:
    """Return the everyday sentences of the committed list, each as a query."""
    with (SETS / "typed_sentences.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Query(row["typed"], "as", (row["expected"],), "sentence") for row in rows if part in {"all", row["part"]}]


def ask_to_assamese(reader: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Transliterate the query as `tlipi.php` does; return the chosen reading, then the alternatives."""
    result = transliterate(reader, query.text, Direction.TO_ASSAMESE, Scheme.XOBDO)
    alternatives = (word for alternative in result.alternatives for word in alternative.candidates)
    return [(word, *_without_apostrophes(word)) for word in (result.output, *alternatives)]


def ask_to_roman(reader: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Transliterate the query as `tlipi.php` does for plain Roman letters."""
    return [(transliterate(reader, query.text, Direction.TO_ROMAN, Scheme.PLAIN).output,)]


def evaluate_script(reader: ReadConnection) -> tuple[list[Outcome], list[Outcome]]:
    """Transliterate the typed words to Assamese, and the Assamese words to Roman; return the outcomes of each."""
    words = typed_words()
    typed = [Query(spelling, "as", (word,), "to Assamese") for word, spellings in words for spelling in spellings]
    written = [Query(word, "as", spellings, "to Roman") for word, spellings in words]
    return outcomes(reader, typed, ask_to_assamese), outcomes(reader, written, ask_to_roman)


def _without_apostrophes(word: str) -> tuple[str, ...]:
    """Return the word without apostrophes, as the list spells some words; empty if it has none."""
    return (word.replace("’", ""),) if "’" in word else ()


# --- compounds and derived words --------------------------------------------------------------------------------------


class ComposedWord(NamedTuple):
    """A word of `eval/compounds.tsv` with its kind, and its component headwords or the correct spelling."""

    text: str
    expected: tuple[str, ...]
    kind: str


class Rates(NamedTuple):
    """Shares, from 0 to 1: words resolved into their components, and misspellings mistaken for such words."""

    compounds: float
    derived: float
    false_compounds: float
    failures: tuple[str, ...]


def composed_words() -> list[ComposedWord]:
    """Return words composed of starter headwords, and misspellings of its headwords."""
    with (SETS / "compounds.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [ComposedWord(row["query"], tuple(row["expected"].split("+")), row["kind"]) for row in rows]


def evaluate_compounds(reader: ReadConnection) -> Rates:
    """Look up the composed words and the misspellings; count misspellings that are mistaken for compounds."""
    results: dict[str, list[tuple[ComposedWord, bool, str]]] = defaultdict(list)
    for word in composed_words():
        [item] = look_up(reader, word.text, ASSAMESE)
        entries = tuple(entry.word for entry in item.entries)
        match = CLASS_OF_KIND.get(word.kind)
        is_right = (
            item.match is not Match.COMPOUND if match is None else (item.match, entries) == (match, word.expected)
        )
        results[word.kind].append((word, is_right, f"{item.match.value} {'+'.join(entries)}"))
    share = {kind: sum(is_right for _, is_right, _ in of_kind) / len(of_kind) for kind, of_kind in results.items()}
    failures = [
        f"{kind}: {word.text} -> {answer}; expected {'+'.join(word.expected)}"
        for kind, of_kind in results.items()
        for word, is_right, answer in of_kind
        if not is_right
    ]
    return Rates(share["compound"], share["derived"], 1 - share["misspelling"], tuple(failures))


CLASS_OF_KIND: Final = {"compound": Match.COMPOUND, "derived": Match.INFLECTED}


# --- figures ----------------------------------------------------------------------------------------------------------


def outcomes(reader: ReadConnection, queries: Iterable[Query], ask: AskFunction) -> list[Outcome]:
    """Run all queries; return their outcomes with the ranks of the expected answers."""
    return [_outcome(query, ask(reader, query)) for query in queries]


def _outcome(query: Query, answers: Sequence[tuple[str, ...]]) -> Outcome:
    expected = {exact_key(text) for text in query.expected}
    ranks = (rank for rank, spellings in enumerate(answers, 1) if expected & set(map(exact_key, spellings)))
    return Outcome(query, next(ranks, 0), answers[0][0] if answers else "")


def rows(results: Sequence[Outcome]) -> list[Row]:
    """Summarise outcomes: one row for each kind of query, and one for all."""
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in results:
        by_kind[outcome.query.kind].append(outcome)
    return [*(_row(kind, of_kind) for kind, of_kind in by_kind.items()), _row("all", results)]


def _row(label: str, results: Sequence[Outcome]) -> Row:
    count = max(len(results), 1)
    ranks = [outcome.rank for outcome in results]
    return Row(
        label,
        len(results),
        first=sum(rank == 1 for rank in ranks) / count,
        in_five=sum(1 <= rank <= len("12345") for rank in ranks) / count,
        missed=ranks.count(0) / count,
        mean_reciprocal_rank=sum(1 / rank for rank in ranks if rank) / count,
    )


def evaluate_words(reader: ReadConnection, part: str, ask: AskFunction) -> list[Outcome]:
    """Run the set of words."""
    return outcomes(reader, read_queries("search", part), ask)


def evaluate_proverbs(reader: ReadConnection, part: str) -> tuple[list[Outcome], list[Outcome]]:
    """Run the set of proverbs; return the outcomes of known and of unknown proverbs."""
    queries = read_queries("proverbs", part)
    known_outcomes = outcomes(reader, [query for query in queries if query.expected], ask_proverbs)
    return known_outcomes, outcomes(reader, [query for query in queries if not query.expected], ask_proverbs)


def false_alarms(results: Sequence[Outcome]) -> float:
    """Return the share of negative queries that got an answer."""
    return sum(bool(outcome.answer) for outcome in results) / max(len(results), 1)


# --- the report -------------------------------------------------------------------------------------------------------


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--failures", action="store_true", help="list what was not in the first place")
    options = parser.parse_args()
    with whole_starter() as database:
        database.read_now(lambda reader: report(reader, options.part, with_failures=options.failures))


def report(reader: ReadConnection, part: str, *, with_failures: bool) -> None:
    """Print all tables for a part of the sets."""
    for title, ask in (("Words in dic.php", ask_lookup), ("Words in /api/search", ask_search)):
        started = time.perf_counter()
        results = evaluate_words(reader, part, ask)
        _print_table(f"{title} ({part})", rows(results), time.perf_counter() - started)
        _print_failures(results, enabled=with_failures)
    started = time.perf_counter()
    known_outcomes, unknown_outcomes = evaluate_proverbs(reader, part)
    _print_table(f"Proverbs in check-fj.php ({part})", rows(known_outcomes), time.perf_counter() - started)
    print(f"  false alarms: {false_alarms(unknown_outcomes):.1%} of {len(unknown_outcomes)} that are not there")
    print(
        f"  said to be the same: {share_sure(reader, [outcome.query for outcome in known_outcomes]):.1%} of those there"
    )
    _print_failures(known_outcomes, enabled=with_failures)
    _print_failures([outcome for outcome in unknown_outcomes if outcome.answer], enabled=with_failures)
    started = time.perf_counter()
    sentences = outcomes(reader, typed_sentences(part), ask_to_assamese)
    for results in (*evaluate_script(reader), sentences):
        _print_table(
            f"Everyday words in tlipi.php, {results[0].query.kind}", rows(results), time.perf_counter() - started
        )
        _print_failures(results, enabled=with_failures)
    _print_compounds(evaluate_compounds(reader), with_failures=with_failures)


def _print_compounds(rates: Rates, *, with_failures: bool) -> None:
    print("\nCompounds and derived words in dic.php")
    print(f"  compounds led to their parts: {rates.compounds:.1%}, derived words to their base: {rates.derived:.1%}")
    print(f"  misspellings taken for compounds: {rates.false_compounds:.1%}")
    for failure in rates.failures if with_failures else ():
        print(f"    {failure}")


def _print_table(title: str, table: Iterable[Row], seconds: float) -> None:
    print(f"\n{title}, {seconds:.1f} s")
    print(f"  {'kind':<20}{'queries':>8}{'first':>9}{'in five':>9}{'missed':>9}{'MRR':>8}")
    for row in table:
        shares = f"{row.first:>9.1%}{row.in_five:>9.1%}{row.missed:>9.1%}{row.mean_reciprocal_rank:>8.3f}"
        print(f"  {row.label:<20}{row.queries:>8}{shares}")


def _print_failures(results: Iterable[Outcome], *, enabled: bool) -> None:
    for query, rank, answer in results:
        if enabled and rank != 1:
            print(f"    {query.kind}: {query.text} -> {answer or '-'}; expected {'|'.join(query.expected)} at {rank}")


if __name__ == "__main__":
    main()
