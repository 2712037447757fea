import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.roman_candidates import propose_spellings
from text_strategies import texts

SIGN = "[া-ৌৗ]"
ILL_FORMED = re.compile(f"^[ংঃঁ]|{SIGN}{SIGN}|(?:^|[অ-ঔংঃ]){SIGN}|্{SIGN}|্্|(?:^|[অ-ঔংঃা-ৌ])্|্$|(?:^|[^যডঢ])়")


@pytest.mark.parametrize(
    ("roman", "assamese"),
    [
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
    ],
)
def test_the_word_that_is_meant_is_among_the_first_six(roman: str, assamese: str) -> None:
    assert assamese in propose_spellings(roman)


@pytest.mark.parametrize(
    ("roman", "assamese"), [("bhal", "ভাল"), ("ghor", "ঘৰ"), ("pani", "পানী"), ("kitap", "কিতাপ"), ("poth", "পথ")]
)
def test_where_the_letters_say_enough_the_first_is_right(roman: str, assamese: str) -> None:
    assert propose_spellings(roman)[0] == assamese


def test_no_more_are_proposed_than_are_asked_for() -> None:
    assert len(propose_spellings("xobdo", 3)) == 3
    assert propose_spellings("xobdo", 0) == propose_spellings("xobdo", -1) == ()


@pytest.mark.parametrize("text", ["", "পানী", "123", "!"])
def test_without_a_latin_letter_nothing_is_proposed(text: str) -> None:
    assert propose_spellings(text) == ()


def test_letter_case_and_accents_make_no_difference() -> None:
    assert propose_spellings("Páni") == propose_spellings("pani")


def test_no_proposal_begins_with_a_letter_that_follows_another() -> None:
    assert propose_spellings("nga", 20) == ("ঙা", "ঙ")
    assert propose_spellings("ng", 20) == ("ঙ",)
    assert propose_spellings("nka", 20) == ("ঙ্কা", "ঙ্ক")


@given(st.text("aeiouykghnscjtdpbmrlwxvz'-", max_size=12))
def test_every_proposal_is_well_formed_and_comes_once(roman: str) -> None:
    proposals = propose_spellings(roman, 20)
    assert len(set(proposals)) == len(proposals)
    assert [word for word in proposals if ILL_FORMED.search(word)] == []


@given(texts)
def test_any_text_may_be_asked_for(text: str) -> None:
    assert all(re.fullmatch("[ঀ-৾]+", word) for word in propose_spellings(text))
