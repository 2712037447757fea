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
from abhidhan.exchange.service.bundled_data import load_starter, read_starter_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.words import Word
from assamese.keys import exact_key
from assamese.romanize import Scheme
from assamese.transliteration import Direction

EVAL_FOLDER: Final = Path(__file__).resolve().parent.parent / "eval"
PARTS: Final = ("tuning", "held-out", "all")
MAX_ANSWERS: Final = 10
"""Number of answers that are searched for the expected one, as few people read further."""

MIN_SURE_SIMILARITY: Final = 0.8
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


EVERYDAY_FILE: Final = "ideas_everyday.jsonl"
"""File of frequent newspaper words, which was added after the queries were written and the thresholds set."""


def read_small_starter() -> Iterator[LocatedRecord | RecordError]:
    """Return the small part of the starter dictionary for which the queries were written."""
    return read_starter_records(excluded_files=(EVERYDAY_FILE,))


@contextmanager
def open_small_starter() -> Iterator[Database]:
    """Open the small part of the starter dictionary for which most queries were written; tests open it often."""
    with _open_empty() as database:
        import_records(database, read_small_starter(), now=0)
        yield database


@contextmanager
def open_whole_starter() -> Iterator[Database]:
    """Open the whole starter dictionary."""
    with _open_empty() as database:
        load_starter(database, now=0)
        yield database


@contextmanager
def _open_empty() -> Iterator[Database]:
    """Open an empty database in a temporary folder, and remove it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/evaluation.sqlite"
        prepare_database(url, Path(folder))
        with Database(url) as database:
            yield database


def read_queries(name: str, part: str) -> list[Query]:
    """Return the queries of a set that belong to a part (one of `PARTS`)."""
    with (EVAL_FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Query(row["query"], row.get("language", ""), tuple(filter(None, row["expected"].split("|"))), row["kind"])
        for row in rows
        if part in {"all", row["part"]}
    ]


# --- words ------------------------------------------------------------------------------------------------------------


def ask_lookup(connection: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Look the query up as `dic.php` does; return the entries, then the suggestions."""
    items = look_up(connection, query.text, _language_id(query))
    words = [_spellings(word, query) for item in items for word in item.entries]
    return [*words, *((suggestion.word,) for item in items for suggestion in item.suggestions)]


def ask_search(connection: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Search for the query as `/api/search` does."""
    words = search(connection, query.text, _language_id(query) or None, fuzzy=True, limit=MAX_ANSWERS)
    return [_spellings(word, query) for word in words]


def _language_id(query: Query) -> int:
    return ASSAMESE if query.language else 0


def _spellings(word: Word, query: Query) -> tuple[str, ...]:
    """Return the word of an answer, followed by its translations if queries of this kind expect a translation."""
    if query.kind != "english-assamese":
        return (word.word,)
    return (word.word, *(other.word for meaning in word.meanings for other in meaning.translations))


# --- proverbs ---------------------------------------------------------------------------------------------------------


def ask_proverbs(connection: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Search for similar proverbs as `check-fj.php` does."""
    return [(phrase.phrase,) for phrase in find_similar(connection, query.text, ASSAMESE, 5)]


def compute_sure_share(connection: ReadConnection, queries: Iterable[Query]) -> float:
    """Return the share of queries whose expected proverb (any proverb, for negatives) is reported as the same."""
    sure = [
        any(
            phrase.similarity >= MIN_SURE_SIMILARITY and (phrase.phrase in query.expected or not query.expected)
            for phrase in find_similar(connection, query.text, ASSAMESE, 5)
        )
        for query in queries
    ]
    return sum(sure) / len(sure) if sure else 0.0


# --- transliteration --------------------------------------------------------------------------------------------------


def read_typed_words() -> list[tuple[str, tuple[str, ...]]]:
    """Return the everyday words of the committed list, each with its typed spellings."""
    lines = (EVAL_FOLDER / "typed_words.tsv").read_text(encoding="utf-8").splitlines()
    fields = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return [(word, tuple(spellings)) for word, *spellings in fields]


def read_typed_sentences(part: str) -> list[Query]:
    """Return the everyday sentences of the committed list, each as a query."""
    with (EVAL_FOLDER / "typed_sentences.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Query(row["typed"], "as", (row["expected"],), "sentence") for row in rows if part in {"all", row["part"]}]


def ask_to_assamese(connection: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Transliterate the query as `tlipi.php` does; return the chosen reading, then the alternatives."""
    result = transliterate(connection, query.text, Direction.TO_ASSAMESE, Scheme.XOBDO)
    alternatives = (word for alternative in result.alternatives for word in alternative.candidates)
    return [(word, *_without_apostrophes(word)) for word in (result.output, *alternatives)]


def ask_to_roman(connection: ReadConnection, query: Query) -> Sequence[tuple[str, ...]]:
    """Transliterate the query as `tlipi.php` does for plain Roman letters."""
    return [(transliterate(connection, query.text, Direction.TO_ROMAN, Scheme.PLAIN).output,)]


def evaluate_typed_words(connection: ReadConnection) -> tuple[list[Outcome], list[Outcome]]:
    """Transliterate the typed words to Assamese, and the Assamese words to Roman; return the outcomes of each."""
    words = read_typed_words()
    typed = [Query(spelling, "as", (word,), "to Assamese") for word, spellings in words for spelling in spellings]
    written = [Query(word, "as", spellings, "to Roman") for word, spellings in words]
    return run_queries(connection, typed, ask_to_assamese), run_queries(connection, written, ask_to_roman)


def _without_apostrophes(word: str) -> tuple[str, ...]:
    """Return the word without apostrophes, as the list spells some words; empty if it has none."""
    return (word.replace("’", ""),) if "’" in word else ()


# --- compounds and derived words --------------------------------------------------------------------------------------


class ComposedWord(NamedTuple):
    """A word of `eval/compounds.tsv` with its kind, and its component headwords or the correct spelling."""

    text: str
    expected: tuple[str, ...]
    kind: str


class CompoundRates(NamedTuple):
    """Shares, from 0 to 1: words resolved into their components, and misspellings mistaken for such words."""

    compounds: float
    derived: float
    false_compounds: float
    failures: tuple[str, ...]


def read_composed_words() -> list[ComposedWord]:
    """Return words composed of starter headwords, and misspellings of its headwords."""
    with (EVAL_FOLDER / "compounds.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [ComposedWord(row["query"], tuple(row["expected"].split("+")), row["kind"]) for row in rows]


def evaluate_compounds(connection: ReadConnection) -> CompoundRates:
    """Look up the composed words and the misspellings; count misspellings that are mistaken for compounds."""
    results: dict[str, list[tuple[ComposedWord, bool, str]]] = defaultdict(list)
    for word in read_composed_words():
        [item] = look_up(connection, word.text, ASSAMESE)
        entries = tuple(entry.word for entry in item.entries)
        match = MATCH_BY_KIND.get(word.kind)
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
    return CompoundRates(share["compound"], share["derived"], 1 - share["misspelling"], tuple(failures))


MATCH_BY_KIND: Final = {"compound": Match.COMPOUND, "derived": Match.INFLECTED}


# --- figures ----------------------------------------------------------------------------------------------------------


def run_queries(connection: ReadConnection, queries: Iterable[Query], ask: AskFunction) -> list[Outcome]:
    """Run all queries; return their outcomes with the ranks of the expected answers."""
    return [_outcome(query, ask(connection, query)) for query in queries]


def _outcome(query: Query, answers: Sequence[tuple[str, ...]]) -> Outcome:
    expected = {exact_key(text) for text in query.expected}
    ranks = (rank for rank, spellings in enumerate(answers, 1) if expected & set(map(exact_key, spellings)))
    return Outcome(query, next(ranks, 0), answers[0][0] if answers else "")


def summarize_outcomes(results: Sequence[Outcome]) -> list[Row]:
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


def evaluate_words(connection: ReadConnection, part: str, ask: AskFunction) -> list[Outcome]:
    """Run the set of words."""
    return run_queries(connection, read_queries("search", part), ask)


def evaluate_proverbs(connection: ReadConnection, part: str) -> tuple[list[Outcome], list[Outcome]]:
    """Run the set of proverbs; return the outcomes of known and of unknown proverbs."""
    queries = read_queries("proverbs", part)
    known_outcomes = run_queries(connection, [query for query in queries if query.expected], ask_proverbs)
    return known_outcomes, run_queries(connection, [query for query in queries if not query.expected], ask_proverbs)


def compute_false_alarm_rate(results: Sequence[Outcome]) -> float:
    """Return the share of negative queries that got an answer."""
    return sum(bool(outcome.answer) for outcome in results) / max(len(results), 1)


# --- the report -------------------------------------------------------------------------------------------------------


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--failures", action="store_true", help="list what was not in the first place")
    options = parser.parse_args()
    with open_whole_starter() as database:
        database.read_now(lambda reader: print_report(reader, options.part, with_failures=options.failures))


def print_report(connection: ReadConnection, part: str, *, with_failures: bool) -> None:
    """Print all tables for a part of the sets."""
    for title, ask in (("Words in dic.php", ask_lookup), ("Words in /api/search", ask_search)):
        started = time.perf_counter()
        results = evaluate_words(connection, part, ask)
        _print_table(f"{title} ({part})", summarize_outcomes(results), time.perf_counter() - started)
        _print_failures(results, enabled=with_failures)
    started = time.perf_counter()
    known_outcomes, unknown_outcomes = evaluate_proverbs(connection, part)
    _print_table(
        f"Proverbs in check-fj.php ({part})", summarize_outcomes(known_outcomes), time.perf_counter() - started
    )
    alarms = compute_false_alarm_rate(unknown_outcomes)
    print(f"  false alarms: {alarms:.1%} of {len(unknown_outcomes)} that are not there")
    sure_share = compute_sure_share(connection, [outcome.query for outcome in known_outcomes])
    print(f"  said to be the same: {sure_share:.1%} of those there")
    _print_failures(known_outcomes, enabled=with_failures)
    _print_failures([outcome for outcome in unknown_outcomes if outcome.answer], enabled=with_failures)
    started = time.perf_counter()
    sentences = run_queries(connection, read_typed_sentences(part), ask_to_assamese)
    for results in (*evaluate_typed_words(connection), sentences):
        _print_table(
            f"Everyday words in tlipi.php, {results[0].query.kind}",
            summarize_outcomes(results),
            time.perf_counter() - started,
        )
        _print_failures(results, enabled=with_failures)
    _print_compounds(evaluate_compounds(connection), with_failures=with_failures)


def _print_compounds(rates: CompoundRates, *, with_failures: bool) -> None:
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
