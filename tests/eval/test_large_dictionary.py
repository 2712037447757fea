"""Every headword of a large import is exact under its own spelling. Left out where the shared data are not there."""

import csv
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.schema import word
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.sample import NOW

pytestmark = pytest.mark.no_cover
"""A hundred thousand look-ups of what other tests cover."""

SHARED = Path(os.environ.get("ABHIDHAN_SHARED_DATA", "/nowhere"))

LEAST = 46_000

ONE_IN = 16
"""Of the plain lemmas of WordNet one in so many is taken: of those with anything but letters and spaces, all."""

PLAIN = re.compile("[a-z ]+")
GATITOS = ("as", "hi", "brx", "kha", "lus")


def wordnet() -> Iterator[tuple[str, str]]:
    lemmas = {
        line.split(" ", 1)[0].replace("_", " ")
        for part in ("noun", "verb", "adj", "adv")
        for line in (SHARED / "wordnet30" / f"index.{part}").read_text("utf-8").splitlines()
        if not line.startswith(" ")
    }
    for place, lemma in enumerate(sorted(lemmas)):
        if place % ONE_IN == 0 or not PLAIN.fullmatch(lemma):
            yield "en", lemma


def gatitos() -> Iterator[tuple[str, str]]:
    with (SHARED / "gatitos" / "DERIVED_aligned.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from ((code, text.strip()) for code in GATITOS for text in (row[code] or "").split("|"))


def hunspell() -> Iterator[tuple[str, str]]:
    lines = (SHARED / "hunspell_as" / "as_IN.dic").read_text("utf-8").splitlines()[1:]
    yield from (("as", line.split("/")[0].strip()) for line in lines)


@pytest.fixture(scope="module")
def large(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    if not (SHARED / "wordnet30").is_dir():
        pytest.skip("left out: WordNet, GATITOS and the Assamese word list (ABHIDHAN_SHARED_DATA names their folder)")
    headwords = dict.fromkeys(each for each in (*wordnet(), *gatitos(), *hunspell()) if each[1])
    ideas = (IdeaRecord("sample", f"{code}:{text}", None, (WordRecord(code, text),)) for code, text in headwords)
    with open_database(sqlite_databases, load_sample) as database:
        import_records(database, (LocatedRecord("test", place, idea) for place, idea in enumerate(ideas)), now=NOW)
        yield database


def test_every_headword_of_a_large_import_is_exact_under_its_own_spelling(large: Database) -> None:
    headwords, lost = large.read_now(look_up_all)

    assert len(headwords) >= LEAST
    assert lost == []


def look_up_all(connection: ReadConnection) -> tuple[list[str], list[str]]:
    """List the spellings of all words, and those that are not found."""
    texts = [row[0] for row in connection.rows(CompiledQuery(select(word.c.text).distinct()))]
    return texts, [text for text in texts if not is_exact(connection, text)]


def is_exact(connection: ReadConnection, text: str) -> bool:
    items = look_up(connection, text)
    return bool(items) and items[0].match is Match.EXACT and text in [word.word for word in items[0].entries]
