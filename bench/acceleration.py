"""Benchmark the gain of each look-up accelerator in process: `python -m bench.acceleration dictionary.sqlite3 ...`.

Runs the same queries with and without an accelerator, in alternation, on a copy of each database.
"""

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

import msgspec

from abhidhan.dictionary.service.completions import suggest
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM
from abhidhan.dictionary.service.search import search
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.lazy_json import LazyList, to_raw_json
from bench.questions import read_texts
from bench.tables import format_heading, format_row

ROUNDS: Final = 3
MAX_QUESTIONS: Final = 400
BATCH_SIZE: Final = 50
WARM_UP_QUERIES: Final = 20

Question = Callable[[ReadConnection], object]

WORDS_AS_JSON: Final = "words as JSON"

TOGGLE_STATEMENTS: Final = {
    "idea cache": "UPDATE idea_cache SET form = -form",
    "completion lists": (
        "UPDATE completion SET prefix = CASE WHEN length(prefix) = 1 THEN '-' || prefix ELSE substr(prefix, 2) END"
        " WHERE length(prefix) = 1 OR prefix LIKE '-_'"
    ),
    "sound filter": "UPDATE sound_filter SET form = -form",
    "sound frames": "UPDATE sound_frame SET form = -form",
    "readable words": "UPDATE readable_word SET form = -form",
}
"""SQL statements that hide the rows of an accelerator, and show them again when run a second time."""

AFFECTED_ROWS: Final = {
    "idea cache": ("look-up, language given", "look-up, English words", "search"),
    "completion lists": ("suggest",),
    "sound filter": ("look-up, misspelled", "search, misspelled"),
    "sound frames": ("look-up, English words", "look-up, unknown Roman words"),
    "readable words": ("look-up, English words", "look-up, unknown Roman words"),
    WORDS_AS_JSON: ("look-up, language given", "look-up, English words", "search"),
}
"""The rows of the table that each accelerator affects."""


@contextmanager
def disable_accelerator(accelerator: str, file: Path) -> Iterator[msgspec.json.Encoder]:
    """Disable an accelerator within the block; yield the encoder of responses."""
    if accelerator == WORDS_AS_JSON:
        yield msgspec.json.Encoder(enc_hook=_decode_cached)
        return
    _toggle(file, TOGGLE_STATEMENTS[accelerator])
    try:
        yield ENCODER
    finally:
        _toggle(file, TOGGLE_STATEMENTS[accelerator])


ENCODER: Final = msgspec.json.Encoder(enc_hook=to_raw_json)


def _decode_cached(value: object) -> object:
    """Decode values cached as JSON, so that encoding them counts in the measurement."""
    if isinstance(value, LazyList):
        return value.items
    raise NotImplementedError


def _toggle(file: Path, toggle: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(toggle)
        connection.execute("UPDATE state SET data_version = data_version + 1")


def make_queries(database: Path) -> dict[str, list[Question]]:
    """Return the queries to measure, by row of the table."""
    texts = read_texts(database)
    words = texts.words[:MAX_QUESTIONS]
    english = _read_english_words(database)
    wrong = [misspell(word) for word in words]
    search_all = partial(search, language_id=None, fuzzy=True, limit=20)
    return {
        "look-up, language given": [partial(look_up, query=word, language_id=texts.language) for word in words],
        "look-up, English words": [partial(look_up, query=word) for word in english],
        "look-up, unknown Roman words": [partial(look_up, query=misspell(word)) for word in english],
        "look-up, misspelled": [partial(look_up, query=word) for word in wrong],
        "search": [partial(search_all, text=word) for word in words],
        "search, misspelled": [partial(search_all, text=word) for word in wrong],
        "suggest": [
            partial(suggest, text=word[: 2 + index % 3], language=ALL_LANGUAGES_PARAM, limit=10)
            for index, word in enumerate(words)
        ],
    }


def misspell(word: str) -> str:
    """Return a word with another third letter."""
    wrong = "xqz" if word.isascii() else "কলত"
    return word[:2] + wrong[len(word) % 3] + word[3:]


def _read_english_words(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(
            "SELECT text FROM word WHERE language_id = 1 AND length(text) > 3 AND text NOT LIKE '% %'"
        ).fetchall()
    return [text for (text,) in rows[:: max(1, len(rows) // MAX_QUESTIONS)]][:MAX_QUESTIONS]


def _measure_microseconds(database: Database, batch: Sequence[Question], encoder: msgspec.json.Encoder) -> float:
    """Return the mean processor time of a query in microseconds."""
    for question in batch[:WARM_UP_QUERIES]:
        database.read_now(question)
    began = process_time()
    for question in batch:
        encoder.encode(database.read_now(question))
    return 1e6 * (process_time() - began) / len(batch)


def measure(file: Path, accelerator: str) -> Iterator[tuple[str, float, float, float]]:
    """Yield for each row the time of a query with and without an accelerator in µs, and its gain in %.

    Each is the median of many batches, as the load of the machine varies.
    """
    by_row = make_queries(file)
    with Database(f"sqlite:///{file}") as database:
        for name in AFFECTED_ROWS[accelerator]:
            times = []
            for start in range(0, len(by_row[name]) * ROUNDS, BATCH_SIZE):
                batch = by_row[name][start % len(by_row[name]) :][:BATCH_SIZE]
                fast = _measure_microseconds(database, batch, ENCODER)
                with disable_accelerator(accelerator, file) as encoder:
                    times.append((fast, _measure_microseconds(database, batch, encoder)))
            gain = median(100 * (1 - fast / slow) for fast, slow in times)
            yield name, *(median(column) for column in zip(*times, strict=True)), gain


def main() -> None:
    """Print a table for each database."""
    for original in map(Path, sys.argv[1:]):
        print(format_heading(f"Accelerators of {original}", ("", "query", "µs with", "µs without", "gain, %")))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(shutil.copy(original, folder))
            for accelerator in AFFECTED_ROWS:
                for measured in measure(file, accelerator):
                    print(format_row(accelerator, *measured), flush=True)


if __name__ == "__main__":
    main()
