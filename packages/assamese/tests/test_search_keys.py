from assamese.search_keys import compute_definition_keys, compute_phrase_keys, compute_word_keys


def test_only_an_assamese_word_is_romanized_by_rule() -> None:
    assert compute_word_keys("শব্দ", "as").rule_roman == "xob.do"
    assert compute_word_keys("শব্দ", "bn").rule_roman is None


def test_a_word_has_an_exact_and_a_loose_key() -> None:
    keys = compute_word_keys("Café", "en")

    assert (keys.exact_key, keys.loose_key) == ("café", "cafe")


def test_each_word_of_a_definition_is_one_key() -> None:
    keys = compute_definition_keys("Water, water; the LIQUID. " + "x" * 300)

    assert keys == {"water", "the", "liquid"}


def test_similar_phrases_share_grams() -> None:
    assert compute_phrase_keys("নগৈ গড়গাঁৱৰ বতৰা কয়", "as").grams & compute_phrase_keys("নগই গড়গাওঁৰ বতৰা কয়", "as").grams
