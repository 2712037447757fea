import unicodedata
from itertools import pairwise

import icu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.collation import prefix_end, sort_key
from assamese.language_rules import LANGUAGE_RULES
from language_files import place_of
from text_strategies import languages, texts

ASSAMESE_LETTERS = (
    "অ আ ই ঈ উ ঊ ঋ ঌ এ ঐ ও ঔ ং ঁ ঃ ক খ গ ঘ ঙ চ ছ জ ঝ ঞ ট ঠ ড ড় ঢ ঢ় ণ ৎ ত থ দ ধ ন প ফ ব ভ ম য য় র ৰ ল ৱ শ ষ স হ ক্ষ"
)
ASSAMESE_SYLLABLES = "ক কং কঁ কঃ কক কহ কা কাং কি কী কু কূ কৃ কে কৈ কো কৌ ক্ ক্ক ক্ষ ক্ষা"
BRONSON = "অ অংস অংসি অঁকৰা অঁকা অঁহিয়া অকঁটলা"
INNER_KSSA = "অসমীয়া অক্ষ"

assamese_words = st.text(st.sampled_from("অআকখডঢতযৰলৱষসহৎংঁািো়্ম"), min_size=1, max_size=6)


@pytest.mark.parametrize("letters", [ASSAMESE_LETTERS, ASSAMESE_SYLLABLES, BRONSON, INNER_KSSA])
def test_assamese_stands_in_the_order_of_its_dictionaries(letters: str) -> None:
    keys = [sort_key(word, "as") for word in letters.split()]
    assert all(first < second for first, second in pairwise(keys))


@pytest.mark.parametrize("letters", ["ক ক্ষ খ", "ত ৎ থ", "ঔ ং ঃ ঁ ক"])
def test_bengali_has_its_own_order(letters: str) -> None:
    keys = [sort_key(word, "bn") for word in letters.split()]
    assert all(first < second for first, second in pairwise(keys))


ORDERED = [(code, rules.examples.order) for code, rules in LANGUAGE_RULES.items() if rules.examples.order]


@pytest.mark.parametrize(("language", "words"), ORDERED)
def test_words_stand_in_the_order_that_the_file_of_their_language_gives(language: str, words: tuple[str, ...]) -> None:
    assert sorted(words, key=lambda word: sort_key(word, language)) == list(words), place_of(language, words[0])


@pytest.mark.parametrize(
    ("prefix", "word", "begins"),
    [("n", "ngap", False), ("ng", "Ngap", True), ("s", "ka sim", True), ("ka", "ka sim", False)],
)
def test_words_begin_with_letters_of_their_own_alphabet(prefix: str, word: str, begins: bool) -> None:  # noqa: FBT001
    assert (sort_key(prefix, "kha") <= sort_key(word, "kha") < prefix_end(prefix, "kha")) is begins


@pytest.mark.parametrize(
    ("prefix", "word", "begins"),
    [
        ("ক", "কথা", True),
        ("ক", "ক", True),
        ("ক", "ক্ৰম", True),
        ("ক", "ক্ষমা", False),
        ("ক্ষ", "ক্ষমা", True),
        ("ক", "খ", False),
        ("ড", "ড়", True),
        ("ত", "ৎ", False),
        ("কা", "কাক", True),
        ("কা", "কি", False),
        ("", "যি কোনো", True),
    ],
)
def test_begins_with_goes_by_letters_of_the_alphabet(prefix: str, word: str, begins: bool) -> None:  # noqa: FBT001 - a table
    assert (sort_key(prefix, "as") <= sort_key(word, "as") < prefix_end(prefix, "as")) is begins


def test_upper_case_prefixes_end_where_lower_case_ones_do() -> None:
    assert prefix_end("Wat", "en") == prefix_end("wat", "en") > sort_key("WATER", "en")


@given(assamese_words, assamese_words)
def test_sort_keys_compare_as_icu_compares(first: str, second: str) -> None:
    collator = icu.Collator.createInstance(icu.Locale("as"))
    first_key, second_key = sort_key(first, "as"), sort_key(second, "as")
    assert (first_key > second_key) - (first_key < second_key) == collator.compare(first, second)


def primary_elements(text: str) -> list[int]:
    iterator = icu.Collator.createInstance(icu.Locale("as")).createCollationElementIterator(text)
    orders = iter(iterator.__next__, None) if not hasattr(iterator, "next") else iterator
    return [primary for order in orders if (primary := icu.CollationElementIterator.primaryOrder(order))]


@given(assamese_words, assamese_words)
def test_prefix_end_parts_the_words_that_begin_with_it_from_all_later_ones(prefix: str, word: str) -> None:
    begins = primary_elements(word)[: len(primary_elements(prefix))] == primary_elements(prefix)
    if begins:
        assert sort_key(word, "as") < prefix_end(prefix, "as")
    elif sort_key(word, "as") > sort_key(prefix, "as"):
        assert sort_key(word, "as") > prefix_end(prefix, "as")


@given(texts, texts, languages)
def test_any_text_has_a_sort_key_that_its_continuations_share(prefix: str, rest: str, language: str) -> None:
    assert sort_key(prefix, language) == sort_key(unicodedata.normalize("NFD", prefix), language)
    assert sort_key(prefix, language) < prefix_end(prefix, language)
    assert isinstance(sort_key(prefix + rest, language), bytes)
