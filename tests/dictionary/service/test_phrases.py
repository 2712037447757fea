from contextlib import closing
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abhidhan.dictionary.model.phrases import SimilarPhrase
from abhidhan.dictionary.service.phrases import find_same_proverbs, find_similar
from abhidhan.dictionary.store import phrases
from abhidhan.editing.store.history import HistoryEntry
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import HistoryAction, PhraseState, RecordRef
from abhidhan.records.languages import ASSAMESE, BENGALI, ENGLISH
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import ExplainedConnection
from tests.support.sample import NOW

pytestmark = pytest.mark.pooled

GARGAON = "নগৈ গড়গাঁৱৰ বতৰা কয়"
TONGUE = "হাড় নাইকিয়া জিভা, কয় কিবা কিবা"
BITTER = "ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান"
MOUSE = "এটা নিগনিৰ সাতখন পাম"
SELF = "আপোনাৰ মন যেনে, আটাইকে দেখে তেনে"


def similar(dictionary: Database, query: str, language_id: int = ASSAMESE, limit: int = 5) -> list[SimilarPhrase]:
    return list(dictionary.read_now(lambda reader: find_similar(reader, query, language_id, limit)))


REMEMBERED = [
    (GARGAON, GARGAON),
    ("নগই গড়গাওঁৰ বতৰা কয়", GARGAON),
    ("Nogoi Garhgaon botora koy", GARGAON),
    ("নগৈ বতৰা কয়", GARGAON),
    ("হাৰ নাইকিয়া জিবা কয় কিবা কিবা", TONGUE),
    ("Haar naaikiyaa jibaa koy kibaa kibaa", TONGUE),
    ("হাড় নাইকিয়া জিভা", TONGUE),
    ("bhator tita khabo pari, mator tita khabo nuwari", BITTER),
    ("মাতৰ তিতা খাবলৈ টান ভাতৰ তিতা খাবলৈ ভাল", BITTER),
    ("ভাতৰ তিতা খাবলৈ ভাল", BITTER),
    ("এটা নিগনিৰ দহখন পাম", MOUSE),
    ("eta nigonir xatkhon pam", MOUSE),
    ("আপোনাৰ মন যেনে\nসবাকে দেখে তেনে।", SELF),
]


@pytest.mark.parametrize(("query", "proverb"), REMEMBERED)
def test_a_proverb_is_found_in_the_first_place_however_it_is_remembered(
    shared_dictionary: Database, query: str, proverb: str
) -> None:
    assert similar(shared_dictionary, query)[0].phrase == proverb


ELSEWHERE = [
    "অতি ভক্তি চোৰৰ লক্ষণ",
    "বয়সত বান্দৰো সোন্দৰ",
    "পৰৰ মূৰত কঁঠাল ভঙা",
    "মানুহ",
    "dui naot dui bhori",
    "a rolling stone gathers no moss",
    "",
    "।",
    "💧",
    "\ud800",
    "\0",
]


@pytest.mark.parametrize("query", ELSEWHERE)
def test_a_proverb_that_is_not_there_is_not_found(shared_dictionary: Database, query: str) -> None:
    assert similar(shared_dictionary, query) == []


def test_a_proverb_is_shown_with_its_meaning_category_and_romanization(shared_dictionary: Database) -> None:
    (found,) = similar(shared_dictionary, f" {MOUSE}")

    assert found.meaning == "One mouse has seven farms."
    assert found.category is not None
    assert found.category.value == "Fokora (ফকৰা)"
    assert found.roman
    assert (found.similarity, found.exact, found.language_id) == (1, True, ASSAMESE)


def test_only_the_same_spelling_is_exact(shared_dictionary: Database) -> None:
    (found,) = similar(shared_dictionary, "নগই গড়গাওঁৰ বতৰা কয়")

    assert not found.exact
    assert 0.8 <= found.similarity < 1


@pytest.mark.parametrize("language_id", [BENGALI, ENGLISH])
def test_only_proverbs_of_the_language_are_found(shared_dictionary: Database, language_id: int) -> None:
    assert similar(shared_dictionary, MOUSE, language_id) == []


def test_no_more_are_told_than_asked_for_best_first(shared_dictionary: Database) -> None:
    found = similar(shared_dictionary, f"{MOUSE} {GARGAON}", limit=100)

    assert len(found) == 2
    assert found[0].similarity >= found[1].similarity
    assert similar(shared_dictionary, f"{MOUSE} {GARGAON}", limit=1) == found[:1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text())
def test_any_text_can_be_compared(shared_dictionary: Database, text: str) -> None:
    similar(shared_dictionary, text)


@pytest.mark.parametrize("text", ["ক" + "\u0981" * 10_000, "ক " * 5_000, "a" * 10_000, "নগৈ" * 4_000])
def test_endless_text_can_be_compared(shared_dictionary: Database, text: str) -> None:
    assert similar(shared_dictionary, text) is not None


# --- queries of several words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "proverb"),
    [
        (TONGUE, TONGUE),
        ("hadh naikiya jibha, koy kiba kiba", TONGUE),
        ("হাড় নাইকিয়া জিভা, কয় কিবা কিনা", TONGUE),
        ("hadh naikiya jiva, koi kiba kiba", TONGUE),
        ("এটা নিগনীৰ সাতখন পাম", MOUSE),
        ("eta nigonir satkhon pam", MOUSE),
        ("এটা নিগনিৰ দহখন পাম", MOUSE),
    ],
)
def test_a_query_is_the_proverb_that_it_spells_in_whatever_way(
    shared_dictionary: Database, query: str, proverb: str
) -> None:
    (found,) = shared_dictionary.read_now(lambda reader: find_same_proverbs(reader, query))

    assert found.phrase == proverb


@pytest.mark.parametrize("query", ["ৰঙা পানী মাছ", "ronga pani mas", "এজন মানুহে ভাত খালে", "তিতা মাতৰ মানুহ"])
def test_words_are_known_to_be_no_proverb_without_a_statement(sqlite_databases: SqliteDatabases, query: str) -> None:
    with (
        open_database(sqlite_databases, load_sample) as dictionary,
        closing(ExplainedConnection(str(dictionary.url.database))) as connection,
    ):
        reader = ReadConnection(connection, "sqlite", dictionary.get_catalogue)
        reader.run(lambda reader: find_same_proverbs(reader, GARGAON))
        before = len(connection.statements)

        assert reader.run(lambda reader: find_same_proverbs(reader, query)) == ()
        assert [sql for sql, _ in connection.statements[before:] if "phrase" in sql] == []


@pytest.mark.parametrize("limit", [1, 100])
def test_proverbs_are_found_alike_where_there_are_few_and_where_there_are_many(
    sqlite_databases: SqliteDatabases, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    def find() -> list[list[SimilarPhrase]]:
        with open_database(sqlite_databases, load_sample) as dictionary:
            return [similar(dictionary, query, limit=limit) for query in [*dict(REMEMBERED), *ELSEWHERE, BITTER * 9]]

    few = find()
    monkeypatch.setattr(phrases, "MAX_INDEXED_PHRASES", 0)

    assert find() == few


def _write(dictionary: Database, name: RecordRef, after: PhraseState | None) -> None:
    catalogue = dictionary.read_now(lambda reader: reader.catalogue)

    def edit(connection: WriteConnection) -> None:
        ledger = ChangeRecorder(EditContext(connection, catalogue, NOW))
        ledger.apply(name, after)
        ledger.commit(HistoryEntry(HistoryAction.PROVERB_EDITED, None, NOW, name))

    dictionary.write_now(edit)


def test_a_proverb_is_found_as_it_is_spelled_now(dictionary: Database) -> None:
    (found,) = similar(dictionary, MOUSE)
    name, write = RecordRef("phrase", str(found.id)), partial(_write, dictionary)

    write(name, PhraseState(ASSAMESE, GARGAON + " বুলি", NOW))
    assert similar(dictionary, MOUSE) == []
    assert [each.phrase for each in similar(dictionary, GARGAON)] == [GARGAON, GARGAON + " বুলি"]

    write(name, None)
    assert [each.phrase for each in similar(dictionary, GARGAON)] == [GARGAON]
