import pytest

from assamese.phrase_variants import MAX_LEMMATIZED_READINGS, build_lemma_variants, build_variants, list_articles


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("the house", "house"),
        ("to have fever", "have a fever"),
        ("a day after tomorrow", "day after tomorrow"),
        ("part of body", "part of the body"),
        ("next day", "the next day"),
        ("a lot of", "a lot"),
        ("in front", "in front of"),
        ("lady finger", "ladys finger"),
        ("web of the spider", "spiders web"),
        ("sister’s husband", "husband of sister"),
        ("drum large", "large drum"),
    ],
)
def test_a_phrase_has_variants_of_the_same_words(text: str, phrase: str) -> None:
    assert phrase in build_variants(text, "en")


@pytest.mark.parametrize(
    ("text", "phrase"),
    [("came back", "come back"), ("nuts and bolts", "nut and bolt"), ("making mistakes", "make a mistake")],
)
def test_a_phrase_of_inflected_words_has_variants_of_their_lemmas(text: str, phrase: str) -> None:
    assert phrase in build_lemma_variants(text, "en")
    assert phrase not in build_variants(text, "en")


@pytest.mark.parametrize(
    ("text", "language"), [("house", "en"), ("", "en"), ("a b c d e f g", "en"), ("ধীৰে ধীৰে", "as")]
)
def test_a_word_a_long_text_and_a_language_without_a_table_have_no_variants(text: str, language: str) -> None:
    assert build_variants(text, language) == build_lemma_variants(text, language) == ()
    assert not list_articles("as")


def test_the_number_of_variants_is_limited() -> None:
    assert len(build_lemma_variants("leaves wolves lives halves bases axes", "en")) < 30 * MAX_LEMMATIZED_READINGS
