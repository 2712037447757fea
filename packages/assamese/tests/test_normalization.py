import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.normalization import Script, collapse_whitespace, detect_script, exact_key, nfc, split_query, split_words
from text_strategies import texts


def test_the_script_of_a_text_is_that_of_most_of_its_letters(subtests: pytest.Subtests) -> None:
    for text, script in [
        ("অসমীয়া", Script.EASTERN_NAGARI),
        ("oxomiya", Script.LATIN),
        ("péttang", Script.LATIN),
        ("हिन्दी", Script.DEVANAGARI),
        ("ꯃꯩꯇꯩ", Script.MEITEI),
        ("ᱥᱟᱱᱛᱟᱲᱤ", Script.OL_CHIKI),
        ("মই ok", Script.EASTERN_NAGARI),
        ("hello মই", Script.LATIN),
        ("ি", Script.EASTERN_NAGARI),
        ("русский", Script.OTHER),
        ("১২৩ 45।!", Script.OTHER),
        ("", Script.OTHER),
    ]:
        with subtests.test(text):
            assert detect_script(text) is script


def test_a_query_is_split_into_words_without_punctuation(subtests: pytest.Subtests) -> None:
    for text, words in [
        ("ৰঙা পানী", ("ৰঙা", "পানী")),
        ("  পানী,  মাছ। ", ("পানী", "মাছ")),
        ("“পানী” (মাছ)!", ("পানী", "মাছ")),
        ("পানী PANI pani পানী", ("পানী", "PANI")),
        ("ল’ৰা ল'ৰা", ("ল’ৰা",)),
        ("শুভ-দিন a.kol me`thengtom", ("শুভ-দিন", "a.kol", "me`thengtom")),
        ("बर' ব’", ("बर'", "ব’")),
        ("‘শব্দ’ 'word'", ("শব্দ", "word")),
        ("end. next", ("end", "next")),
        ("এক/দুই", ("এক", "দুই")),
        ("\u00a0পানী\u200b\u00a0", ("পানী",)),
        ("... — ’ !", ()),
        ("", ()),
    ]:
        with subtests.test(repr(text)):
            assert split_query(text) == words


def test_repeated_words_of_a_text_are_kept() -> None:
    assert split_words("দহ ঠাই, দহ কথা") == ("দহ", "ঠাই", "দহ", "কথা")


def test_all_kinds_of_white_space_collapse_to_one_space() -> None:
    assert collapse_whitespace("\tপানী \u00a0\r\n মাছ ") == "পানী মাছ"


def test_encodings_of_the_same_spelling_share_the_exact_key(subtests: pytest.Subtests) -> None:
    for text, other in [
        ("বড়\u200d", "ব\u09dc"),
        ("অসমী\u09dfা", "অসমী\u09af\u09bcা"),
        ("আষা\u09dd", "আষা\u09a2\u09bc"),
        ("মো", "ম\u09c7\u09be"),
        ("মো", "ম\u09be\u09c7"),
        ("উৎসৱ", "উত্\u200dসৱ"),
        ("ক’লা", "ক'লা"),
        ("ক’লা", "কʼলা"),
        ("ক’লা", "ক‘লা"),
        ("ক’লা", "ক`লা"),
        ("২০২৪", "2024"),
        ("२०", "20"),
        ("কয়।", "কয়৷"),
        ("কয়।", "কয়|"),
        ("Pindeng", "pindeng"),
        ("খচ্‌খচনি", "খচ্খচনি"),
        (" ৰঙা \u00a0পানী", "ৰঙা পানী"),
        ("co\u00adop", "coop"),
    ]:
        with subtests.test(f"{text!r}, {other!r}"):
            assert exact_key(text) == exact_key(other)


def test_different_spellings_have_different_exact_keys() -> None:
    for text, other in [("ক’লা", "কলা"), ("পখৰ", "পখর"), ("উৎসৱ", "উত্সৱ"), ("গাঁও", "গাও")]:
        assert exact_key(text) != exact_key(other)


@given(texts)
def test_the_exact_key_is_idempotent_and_the_same_for_nfd_text(text: str) -> None:
    key = exact_key(text)
    assert exact_key(unicodedata.normalize("NFD", text)) == key
    assert exact_key(key) == key


@given(texts)
def test_composed_and_decomposed_queries_have_the_same_words(text: str) -> None:
    assert [*map(exact_key, split_query(text))] == [*map(exact_key, split_query(nfc(text)))]
    assert detect_script(text) in Script


@given(texts)
def test_nfc_is_unicode_normalization_form_c(text: str) -> None:
    assert nfc(text * 20) == unicodedata.normalize("NFC", text * 20)


def test_many_combining_marks_do_not_take_quadratic_time() -> None:
    marks = "ক" + "\u0301\u0323়্" * 40_000
    started = time.process_time()
    assert len(exact_key(marks)) == len(marks)
    # It takes a fraction of a second; the library alone takes half a minute.
    assert time.process_time() - started < 5


@given(st.text("\u0981\u0995\u09a1\u09af\u09bc\u09be\u09c7\u09cb\u09cc\u09d7\u09cd\u09ce\u09f0\u09bd", max_size=6))
def test_spaces_around_an_eastern_nagari_word_do_not_change_its_exact_key(word: str) -> None:
    assert exact_key(f"{word} ") == exact_key(word)
    assert exact_key(f"ক {word} খ") == exact_key(f"ক  {word} খ ")
