from assamese.phrase_variants import MAX_LEMMATIZED_READINGS, build_lemma_variants, build_variants, list_articles


def test_a_phrase_has_variants_with_the_same_words() -> None:
    for text, phrase in [
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
    ]:
        assert phrase in build_variants(text, "en")


def test_a_phrase_of_inflected_words_has_variants_with_their_lemmas() -> None:
    for text, phrase in [
        ("came back", "come back"),
        ("nuts and bolts", "nut and bolt"),
        ("making mistakes", "make a mistake"),
    ]:
        assert phrase in build_lemma_variants(text, "en")
        assert phrase not in build_variants(text, "en")


def test_single_words_long_texts_and_languages_without_a_table_have_no_variants() -> None:
    for text, language in [("house", "en"), ("", "en"), ("a b c d e f g", "en"), ("ধীৰে ধীৰে", "as")]:
        assert build_variants(text, language) == build_lemma_variants(text, language) == ()
    assert not list_articles("as")


def test_the_number_of_variants_is_limited() -> None:
    assert len(build_lemma_variants("leaves wolves lives halves bases axes", "en")) < 30 * MAX_LEMMATIZED_READINGS
