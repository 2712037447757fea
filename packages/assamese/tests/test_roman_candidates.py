import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.roman_candidates import propose_spellings
from text_strategies import texts

SIGN = "[া-ৌৗ]"
ILL_FORMED = re.compile(f"^[ংঃঁ]|{SIGN}{SIGN}|(?:^|[অ-ঔংঃ]){SIGN}|্{SIGN}|্্|(?:^|[অ-ঔংঃা-ৌ])্|্$|(?:^|[^যডঢ])়")


def test_the_intended_word_is_among_the_proposals(subtests: pytest.Subtests) -> None:
    for roman, assamese in [
        ("xobdo", "শব্দ"),
        ("oxomiya", "অসমীয়া"),
        ("pani", "পানী"),
        ("mas", "মাছ"),
        ("bhal", "ভাল"),
        ("kitap", "কিতাপ"),
        ("ghor", "ঘৰ"),
        ("hati", "হাতী"),
        ("axom", "অসম"),
        ("xomoy", "সময়"),
        ("khowa", "খোৱা"),
        ("bangla", "বাংলা"),
        ("ronga", "ৰঙা"),
        ("deuta", "দেউতা"),
        ("bigyan", "বিজ্ঞান"),
        ("noi", "নৈ"),
        ("prio", "প্ৰিয়"),
    ]:
        with subtests.test(roman):
            assert assamese in propose_spellings(roman)


def test_the_first_proposal_for_an_unambiguous_word_is_the_intended_word() -> None:
    for roman, assamese in [("bhal", "ভাল"), ("ghor", "ঘৰ"), ("pani", "পানী"), ("kitap", "কিতাপ"), ("poth", "পথ")]:
        assert propose_spellings(roman)[0] == assamese


def test_the_number_of_proposals_is_limited() -> None:
    assert len(propose_spellings("xobdo", 3)) == 3
    assert propose_spellings("xobdo", 0) == propose_spellings("xobdo", -1) == ()


def test_text_without_a_latin_letter_has_no_proposals() -> None:
    for text in ["", "পানী", "123", "!"]:
        assert propose_spellings(text) == ()


def test_letter_case_and_accents_make_no_difference() -> None:
    assert propose_spellings("Páni") == propose_spellings("pani")


def test_no_proposal_begins_with_a_letter_that_follows_another() -> None:
    assert propose_spellings("nga", 20) == ("ঙা", "ঙ")
    assert propose_spellings("ng", 20) == ("ঙ",)
    assert propose_spellings("nka", 20) == ("ঙ্কা", "ঙ্ক")


@given(st.text("aeiouykghnscjtdpbmrlwxvz'-", max_size=12))
def test_proposals_are_well_formed_and_distinct(roman: str) -> None:
    proposals = propose_spellings(roman, 20)
    assert len(set(proposals)) == len(proposals)
    assert [word for word in proposals if ILL_FORMED.search(word)] == []


@given(texts)
def test_any_text_is_accepted(text: str) -> None:
    assert all(re.fullmatch("[ঀ-৾]+", word) for word in propose_spellings(text))
