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


def find(dictionary: Database, query: str, language_id: int = ASSAMESE, limit: int = 5) -> list[SimilarPhrase]:
    return list(dictionary.read_now(lambda reader: find_similar(reader, query, language_id, limit)))


def find_same(dictionary: Database, query: str) -> list[str]:
    return [phrase.phrase for phrase in dictionary.read_now(lambda reader: find_same_proverbs(reader, query))]


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


def test_a_proverb_comes_first_for_every_way_of_remembering_it(
    shared_dictionary: Database, subtests: pytest.Subtests
) -> None:
    for query, proverb in REMEMBERED:
        with subtests.test(query):
            assert find(shared_dictionary, query)[0].phrase == proverb


OTHER_TEXTS = [
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


def test_other_text_finds_no_proverb(shared_dictionary: Database) -> None:
    for query in OTHER_TEXTS:
        assert find(shared_dictionary, query) == [], ascii(query)


def test_a_proverb_has_its_meaning_category_and_romanization(shared_dictionary: Database) -> None:
    (phrase,) = find(shared_dictionary, f" {MOUSE}")

    assert phrase.meaning == "One mouse has seven farms."
    assert phrase.category is not None
    assert phrase.category.value == "Fokora (ফকৰা)"
    assert phrase.roman
    assert (phrase.similarity, phrase.exact, phrase.language_id) == (1, True, ASSAMESE)


def test_only_the_same_spelling_is_exact(shared_dictionary: Database) -> None:
    (phrase,) = find(shared_dictionary, "নগই গড়গাওঁৰ বতৰা কয়")

    assert not phrase.exact
    assert 0.8 <= phrase.similarity < 1


def test_only_proverbs_of_the_chosen_language_are_found(shared_dictionary: Database) -> None:
    for language_id in [BENGALI, ENGLISH]:
        assert find(shared_dictionary, MOUSE, language_id) == [], language_id


def test_at_most_the_limit_of_proverbs_are_found_most_similar_first(shared_dictionary: Database) -> None:
    similar = find(shared_dictionary, f"{MOUSE} {GARGAON}", limit=100)

    assert len(similar) == 2
    assert similar[0].similarity >= similar[1].similarity
    assert find(shared_dictionary, f"{MOUSE} {GARGAON}", limit=1) == similar[:1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text())
def test_any_text_can_be_compared_with_proverbs(shared_dictionary: Database, text: str) -> None:
    find(shared_dictionary, text)


def test_very_long_text_can_be_compared_with_proverbs(shared_dictionary: Database) -> None:
    for text in ["ক" + "\u0981" * 10_000, "ক " * 5_000, "a" * 10_000, "নগৈ" * 4_000]:
        assert find(shared_dictionary, text) is not None, text[:2]


# --- queries of several words -----------------------------------------------------------------------------------------


def test_a_query_finds_the_proverb_that_it_spells(shared_dictionary: Database) -> None:
    for query, proverb in (
        (TONGUE, TONGUE),
        ("hadh naikiya jibha, koy kiba kiba", TONGUE),
        ("হাড় নাইকিয়া জিভা, কয় কিবা কিনা", TONGUE),
        ("hadh naikiya jiva, koi kiba kiba", TONGUE),
        ("এটা নিগনীৰ সাতখন পাম", MOUSE),
        ("eta nigonir satkhon pam", MOUSE),
        ("এটা নিগনিৰ দহখন পাম", MOUSE),
    ):
        assert find_same(shared_dictionary, query) == [proverb], query


def test_words_of_no_proverb_are_recognized_without_an_sql_statement(sqlite_databases: SqliteDatabases) -> None:
    with (
        open_database(sqlite_databases, load_sample) as dictionary,
        closing(ExplainedConnection(str(dictionary.url.database))) as connection,
    ):
        reader = ReadConnection(connection, "sqlite", dictionary.get_catalogue)
        reader.run(partial(find_same_proverbs, query=GARGAON))
        before = len(connection.statements)

        for query in ("ৰঙা পানী মাছ", "ronga pani mas", "এজন মানুহে ভাত খালে", "তিতা মাতৰ মানুহ"):
            assert reader.run(partial(find_same_proverbs, query=query)) == (), query
        assert [sql for sql, _ in connection.statements[before:] if "phrase" in sql] == []


def test_few_and_many_proverbs_are_searched_with_the_same_results(
    sqlite_databases: SqliteDatabases, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = [*dict(REMEMBERED), *OTHER_TEXTS, BITTER * 9]

    def find_all() -> list[list[SimilarPhrase]]:
        with open_database(sqlite_databases, load_sample) as dictionary:
            return [find(dictionary, query, limit=limit) for query in queries for limit in (1, 100)]

    with_index = find_all()
    monkeypatch.setattr(phrases, "MAX_INDEXED_PHRASES", 0)

    assert find_all() == with_index


def _write(dictionary: Database, name: RecordRef, after: PhraseState | None) -> None:
    catalogue = dictionary.read_now(lambda reader: reader.catalogue)

    def edit(connection: WriteConnection) -> None:
        ledger = ChangeRecorder(EditContext(connection, catalogue, NOW))
        ledger.apply(name, after)
        ledger.commit(HistoryEntry(HistoryAction.PROVERB_EDITED, None, NOW, name))

    dictionary.write_now(edit)


def test_a_proverb_is_found_by_its_current_spelling(dictionary: Database) -> None:
    (phrase,) = find(dictionary, MOUSE)
    name, write = RecordRef("phrase", str(phrase.id)), partial(_write, dictionary)

    write(name, PhraseState(ASSAMESE, GARGAON + " বুলি", NOW))
    assert find(dictionary, MOUSE) == []
    assert [each.phrase for each in find(dictionary, GARGAON)] == [GARGAON, GARGAON + " বুলি"]

    write(name, None)
    assert [each.phrase for each in find(dictionary, GARGAON)] == [GARGAON]
