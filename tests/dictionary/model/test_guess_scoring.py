"""Scores of guesses: close words, common words and words with a meaningful entry come first."""

from abhidhan.dictionary.model.cascade import StrategyName
from abhidhan.dictionary.model.guess_scoring import (
    FOREIGN_PENALTY,
    LEMMA_PENALTY,
    Guess,
    KeyMatch,
    choose_entries,
    commonness,
    demote_stubs,
    is_close_enough,
    is_in_corpus,
    match_cost,
    rank_guesses,
    sort_by_cost,
    word_penalty,
)
from abhidhan.records.languages import ASSAMESE, ENGLISH, HINDI


def word(text: str, language_id: int = ASSAMESE, frequency: float | None = None) -> KeyMatch:
    return KeyMatch(text, hash((text, language_id)), language_id, text, frequency)


def test_the_frequency_of_an_entry_overrides_the_corpus() -> None:
    counted = commonness(ASSAMESE, "পানী", None)

    assert counted > 3
    assert commonness(ASSAMESE, "পানী", 0.3) < 1 < counted < commonness(ASSAMESE, "পানী", 20_000)


def test_a_word_outside_the_corpus_is_not_common() -> None:
    assert commonness(ASSAMESE, "qqqq", None) == commonness(HINDI, "पानी", None) == 0


def test_common_words_have_a_lower_penalty_and_foreign_words_a_higher_one() -> None:
    assert word_penalty(word("পানী")) < word_penalty(word("খখখ")) == 0
    assert word_penalty(word("पानी", HINDI)) == FOREIGN_PENALTY
    assert word_penalty(word("water", ENGLISH, 500)) < FOREIGN_PENALTY


def test_of_equally_close_words_the_common_one_comes_first() -> None:
    rare, common = word("কথথা", frequency=0.2), word("কথধা", frequency=3000)

    assert sort_by_cost("কথা", [rare, common]) == [common, rare]
    assert sort_by_cost("কথা", [rare]) == [rare]


def test_a_much_closer_word_comes_first_even_if_rare() -> None:
    assert match_cost("pokhi", word("পখী")) < match_cost("pokhi", word("কৰা"))


def test_forms_in_the_newspaper_corpus_are_known() -> None:
    assert is_in_corpus("মানুহৰ")
    assert not is_in_corpus("মানুহহৰৰ")


def test_a_word_found_by_two_strategies_counts_by_the_better_one() -> None:
    match = word("পানী")

    (guess,) = rank_guesses("pani", {StrategyName.SLIPS: [match], StrategyName.SAME_SOUND: [match]})

    assert guess.strategy is StrategyName.SAME_SOUND


def test_a_listed_form_costs_no_more_than_its_word() -> None:
    (listed,) = rank_guesses("mor", {StrategyName.LISTED_FORM: [word("মই")]})

    assert listed.cost == word_penalty(word("মই"))


def test_a_stub_comes_after_the_word_of_which_it_is_a_form() -> None:
    bare, lemma = word("কিতাপখনৰ", frequency=1), word("কিতাপ", frequency=1)
    guesses = [Guess(bare, StrategyName.SAME_SOUND, 0.0), Guess(lemma, StrategyName.SAME_SOUND, LEMMA_PENALTY)]

    assert [guess.hit for guess in demote_stubs(guesses, {bare.word_id})] == [lemma, bare]
    assert [guess.hit for guess in demote_stubs(guesses, set())] == [bare, lemma]


def test_a_near_spelling_is_answered_if_likelier_than_every_word_of_that_sound() -> None:
    near, sounding, far = (
        Guess(word("ক"), StrategyName.SLIPS, -1.0),
        Guess(word("খ"), StrategyName.SAME_SOUND, 0.0),
        Guess(word("গ"), StrategyName.FORM_BY_SOUND, 0.5),
    )

    assert choose_entries([near, sounding, far]) == [near, sounding]
    assert choose_entries([sounding, far]) == [sounding]
    assert choose_entries([near, far]) == [near, far]


def is_answered(typed: str, strategy: StrategyName, match: KeyMatch) -> bool:
    return all(is_close_enough(typed, guess) for guess in rank_guesses(typed, {strategy: [match]}))


def test_a_close_guess_is_answered() -> None:
    for typed, strategy, match in [
        ("pani", StrategyName.SAME_SOUND, word("পানী")),
        ("nambur", StrategyName.FORM_BY_SOUND, word("নাম")),
        ("tur", StrategyName.FORM_BY_SOUND, word("তই")),
        ("cnady", StrategyName.SLIPS, word("candy", ENGLISH)),
        ("paani", StrategyName.SAME_SOUND, word("पानी", HINDI)),
        ("পচিম", StrategyName.SAME_SOUND, word("পশ্চিম")),
        ("নগৰড়", StrategyName.SAME_SOUND, word("নগৰ")),
        ("ডেহত", StrategyName.FORM_BY_SOUND, word("দেহ")),
        ("কেঁকোৰ", StrategyName.SLIPS, word("কেঁকোৰা")),
    ]:
        assert is_answered(typed, strategy, match), typed


def test_a_distant_guess_is_left_out() -> None:
    for typed, strategy, match in [
        ("xyzzyq", StrategyName.FORM_BY_SOUND, word("সজা")),
        ("uctt", StrategyName.SAME_SOUND, word("উক্ত")),
        ("gtow", StrategyName.SLIPS, word("glow", ENGLISH)),
        ("যোবৌবৈ", StrategyName.FORM_BY_SOUND, word("যোৱা")),
        ("নকু", StrategyName.SLIPS, word("চকু")),
        ("ঢুণু", StrategyName.SAME_SOUND, word("ধুনো", 22)),
    ]:
        assert not is_answered(typed, strategy, match), typed


def test_longer_texts_may_contain_more_mistakes() -> None:
    assert not is_answered("tpat", StrategyName.SAME_SOUND, word("তপত"))
    assert is_answered("bxant", StrategyName.SAME_SOUND, word("বসন্ত"))


def test_guesses_by_a_rule_or_a_list_are_always_answered() -> None:
    for strategy in (StrategyName.LISTED_FORM, StrategyName.MISSPELLED, StrategyName.FORM_BY_RULE):
        assert is_answered("qq", strategy, word("মানুহ")), strategy
