from assamese.search_keys import compute_definition_keys, compute_phrase_keys, compute_word_keys


def test_an_assamese_word_is_romanized_by_rule() -> None:
    assert compute_word_keys("শব্দ", "as").rule_roman == "xob.do"


def test_a_word_of_another_language_is_not_romanized() -> None:
    assert compute_word_keys("শব্দ", "bn").rule_roman is None


def test_a_word_gets_each_of_its_keys() -> None:
    keys = compute_word_keys("Café", "en")

    assert (keys.exact_key, keys.loose_key) == ("café", "cafe")


def test_the_words_of_a_definition_become_keys_once_each() -> None:
    keys = compute_definition_keys("Water, water; the LIQUID. " + "x" * 300)

    assert keys == {"water", "the", "liquid"}


def test_a_phrase_gets_pieces_by_which_similar_ones_meet() -> None:
    assert compute_phrase_keys("নগৈ গড়গাঁৱৰ বতৰা কয়", "as").grams & compute_phrase_keys("নগই গড়গাওঁৰ বতৰা কয়", "as").grams
