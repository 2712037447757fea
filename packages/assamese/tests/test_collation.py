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


def test_words_are_sorted_in_the_order_of_dictionaries(subtests: pytest.Subtests) -> None:
    for language, letters in [
        *(("as", letters) for letters in (ASSAMESE_LETTERS, ASSAMESE_SYLLABLES, BRONSON, INNER_KSSA)),
        *(("bn", letters) for letters in ("ক ক্ষ খ", "ত ৎ থ", "ঔ ং ঃ ঁ ক")),
    ]:
        with subtests.test(f"{language}: {letters}"):
            keys = [sort_key(word, language) for word in letters.split()]
            assert all(first < second for first, second in pairwise(keys))


def test_words_are_sorted_in_the_order_of_the_example_of_their_language(subtests: pytest.Subtests) -> None:
    for language, rules in LANGUAGE_RULES.items():
        if words := rules.examples.order:
            with subtests.test(language):
                assert sorted(words, key=lambda word: sort_key(word, language)) == list(words), place_of(
                    language, words[0]
                )


def test_a_prefix_is_compared_by_letters_of_the_alphabet(subtests: pytest.Subtests) -> None:
    for language, prefix, word, begins in [
        ("as", "ক", "কথা", True),
        ("as", "ক", "ক", True),
        ("as", "ক", "ক্ৰম", True),
        ("as", "ক", "ক্ষমা", False),
        ("as", "ক্ষ", "ক্ষমা", True),
        ("as", "ক", "খ", False),
        ("as", "ড", "ড়", True),
        ("as", "ত", "ৎ", False),
        ("as", "কা", "কাক", True),
        ("as", "কা", "কি", False),
        ("as", "", "যি কোনো", True),
        # Digraphs are letters of Khasi, and articles do not count.
        ("kha", "n", "ngap", False),
        ("kha", "ng", "Ngap", True),
        ("kha", "s", "ka sim", True),
        ("kha", "ka", "ka sim", False),
    ]:
        with subtests.test(f"{language}: {prefix}, {word}"):
            assert (sort_key(prefix, language) <= sort_key(word, language) < prefix_end(prefix, language)) is begins


def test_upper_case_prefixes_end_where_lower_case_ones_do() -> None:
    assert prefix_end("Wat", "en") == prefix_end("wat", "en") > sort_key("WATER", "en")


@given(assamese_words, assamese_words)
def test_sort_keys_have_the_order_of_icu(first: str, second: str) -> None:
    collator = icu.Collator.createInstance(icu.Locale("as"))
    first_key, second_key = sort_key(first, "as"), sort_key(second, "as")
    assert (first_key > second_key) - (first_key < second_key) == collator.compare(first, second)


def primary_elements(text: str) -> list[int]:
    iterator = icu.Collator.createInstance(icu.Locale("as")).createCollationElementIterator(text)
    orders = iter(iterator.__next__, None) if not hasattr(iterator, "next") else iterator
    return [primary for order in orders if (primary := icu.CollationElementIterator.primaryOrder(order))]


@given(assamese_words, assamese_words)
def test_the_end_of_a_prefix_lies_between_words_with_the_prefix_and_later_words(prefix: str, word: str) -> None:
    begins = primary_elements(word)[: len(primary_elements(prefix))] == primary_elements(prefix)
    if begins:
        assert sort_key(word, "as") < prefix_end(prefix, "as")
    elif sort_key(word, "as") > sort_key(prefix, "as"):
        assert sort_key(word, "as") > prefix_end(prefix, "as")


@given(texts, texts, languages)
def test_any_text_has_a_sort_key_and_a_later_prefix_end(prefix: str, rest: str, language: str) -> None:
    assert sort_key(prefix, language) == sort_key(unicodedata.normalize("NFD", prefix), language)
    assert sort_key(prefix, language) < prefix_end(prefix, language)
    assert isinstance(sort_key(prefix + rest, language), bytes)
