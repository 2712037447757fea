"""How likely words are meant: close ones, common ones, those whose entries say something."""

import pytest

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


def test_the_figure_of_an_entry_stands_over_what_was_counted() -> None:
    counted = commonness(ASSAMESE, "পানী", None)

    assert counted > 3
    assert commonness(ASSAMESE, "পানী", 0.3) < 1 < counted < commonness(ASSAMESE, "পানী", 20_000)


def test_what_nobody_has_counted_is_not_common() -> None:
    assert commonness(ASSAMESE, "qqqq", None) == commonness(HINDI, "पानी", None) == 0


def test_a_common_word_stands_nearer_than_a_rare_one_and_one_of_another_language_farther() -> None:
    assert word_penalty(word("পানী")) < word_penalty(word("খখখ")) == 0
    assert word_penalty(word("पानी", HINDI)) == FOREIGN_PENALTY
    assert word_penalty(word("water", ENGLISH, 500)) < FOREIGN_PENALTY


def test_of_words_as_close_the_common_one_comes_first() -> None:
    rare, common = word("কথথা", frequency=0.2), word("কথধা", frequency=3000)

    assert sort_by_cost("কথা", [rare, common]) == [common, rare]
    assert sort_by_cost("কথা", [rare]) == [rare]


def test_a_much_closer_word_comes_first_however_rare_it_is() -> None:
    assert match_cost("pokhi", word("পখী")) < match_cost("pokhi", word("কৰা"))


def test_forms_that_newspapers_have_are_known() -> None:
    assert is_in_corpus("মানুহৰ")
    assert not is_in_corpus("মানুহহৰৰ")


def test_a_word_that_is_found_in_two_ways_counts_by_the_better_one() -> None:
    found = word("পানী")

    (guess,) = rank_guesses("pani", {StrategyName.SLIPS: [found], StrategyName.SAME_SOUND: [found]})

    assert guess.strategy is StrategyName.SAME_SOUND


def test_a_form_typed_just_so_is_as_far_as_nothing_but_its_word() -> None:
    (listed,) = rank_guesses("mor", {StrategyName.LISTED_FORM: [word("মই")]})

    assert listed.cost == word_penalty(word("মই"))


def test_a_bare_entry_stands_behind_the_word_that_it_is_a_form_of() -> None:
    bare, lemma = word("কিতাপখনৰ", frequency=1), word("কিতাপ", frequency=1)
    guesses = [Guess(bare, StrategyName.SAME_SOUND, 0.0), Guess(lemma, StrategyName.SAME_SOUND, LEMMA_PENALTY)]

    assert [guess.hit for guess in demote_stubs(guesses, {bare.word_id})] == [lemma, bare]
    assert [guess.hit for guess in demote_stubs(guesses, set())] == [bare, lemma]


def test_what_is_only_nearly_spelled_so_counts_where_it_is_likelier_than_all_that_sounds_so() -> None:
    near, sounding, far = (
        Guess(word("ক"), StrategyName.SLIPS, -1.0),
        Guess(word("খ"), StrategyName.SAME_SOUND, 0.0),
        Guess(word("গ"), StrategyName.FORM_BY_SOUND, 0.5),
    )

    assert choose_entries([near, sounding, far]) == [near, sounding]
    assert choose_entries([sounding, far]) == [sounding]
    assert choose_entries([near, far]) == [near, far]


def is_answered(typed: str, way: StrategyName, found: KeyMatch) -> bool:
    return all(is_close_enough(typed, guess) for guess in rank_guesses(typed, {way: [found]}))


@pytest.mark.parametrize(
    ("typed", "way", "found"),
    [
        ("pani", StrategyName.SAME_SOUND, word("পানী")),
        ("nambur", StrategyName.FORM_BY_SOUND, word("নাম")),
        ("tur", StrategyName.FORM_BY_SOUND, word("তই")),
        ("cnady", StrategyName.SLIPS, word("candy", ENGLISH)),
        ("paani", StrategyName.SAME_SOUND, word("पानी", HINDI)),
        ("পচিম", StrategyName.SAME_SOUND, word("পশ্চিম")),
        ("নগৰড়", StrategyName.SAME_SOUND, word("নগৰ")),
        ("ডেহত", StrategyName.FORM_BY_SOUND, word("দেহ")),
        ("কেঁকোৰ", StrategyName.SLIPS, word("কেঁকোৰা")),
    ],
)
def test_a_close_guess_may_be_answered(typed: str, way: StrategyName, found: KeyMatch) -> None:
    assert is_answered(typed, way, found)


@pytest.mark.parametrize(
    ("typed", "way", "found"),
    [
        ("xyzzyq", StrategyName.FORM_BY_SOUND, word("সজা")),
        ("uctt", StrategyName.SAME_SOUND, word("উক্ত")),
        ("gtow", StrategyName.SLIPS, word("glow", ENGLISH)),
        ("যোবৌবৈ", StrategyName.FORM_BY_SOUND, word("যোৱা")),
        ("নকু", StrategyName.SLIPS, word("চকু")),
        ("ঢুণু", StrategyName.SAME_SOUND, word("ধুনো", 22)),
    ],
)
def test_a_guess_that_is_not_close_is_left_out(typed: str, way: StrategyName, found: KeyMatch) -> None:
    assert not is_answered(typed, way, found)


def test_the_more_letters_are_typed_the_more_may_be_wrong_with_them() -> None:
    assert not is_answered("tpat", StrategyName.SAME_SOUND, word("তপত"))
    assert is_answered("bxant", StrategyName.SAME_SOUND, word("বসন্ত"))


@pytest.mark.parametrize("way", [StrategyName.LISTED_FORM, StrategyName.MISSPELLED, StrategyName.FORM_BY_RULE])
def test_what_has_a_rule_or_letters_to_show_for_it_is_always_close(way: StrategyName) -> None:
    assert is_answered("qq", way, word("মানুহ"))
