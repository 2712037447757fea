import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abhidhan.domain.languages import ASSAMESE, BENGALI, ENGLISH
from abhidhan.domain.phrases import SimilarPhrase
from abhidhan.services.dictionary.phrases import find_similar
from abhidhan.storage.engine.database import Database

pytestmark = pytest.mark.pooled

GARGAON = "নগৈ গড়গাঁৱৰ বতৰা কয়"
TONGUE = "হাড় নাইকিয়া জিভা, কয় কিবা কিবা"
BITTER = "ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান"
MOUSE = "এটা নিগনিৰ সাতখন পাম"
SELF = "আপোনাৰ মন যেনে, আটাইকে দেখে তেনে"


def similar(dictionary: Database, query: str, language_id: int = ASSAMESE, limit: int = 5) -> list[SimilarPhrase]:
    return list(dictionary.read_now(lambda reader: find_similar(reader, query, language_id, limit)))


@pytest.mark.parametrize(
    ("query", "proverb"),
    [
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
    ],
)
def test_a_proverb_is_found_in_the_first_place_however_it_is_remembered(
    shared_dictionary: Database, query: str, proverb: str
) -> None:
    assert similar(shared_dictionary, query)[0].phrase == proverb


@pytest.mark.parametrize(
    "query",
    [
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
    ],
)
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
