from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.cascade import SCORE_RANGES, SearchMatch, compute_score
from abhidhan.dictionary.model.completions import Completion, sort_by_score
from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.phrases import (
    MIN_SIMILARITY,
    PhraseCandidate,
    PhraseIndex,
    choose_rare_grams,
    rank_by_shared_grams,
    shortlist,
    sort_by_similarity,
)
from abhidhan.dictionary.model.query import SearchQuery, build_query, clean_query, list_stem_sounds
from abhidhan.dictionary.model.ranking import NearWordCandidate, find_nearest, find_nearest_forms, spelling_similarity
from abhidhan.records.languages import ASSAMESE, BENGALI, ENGLISH, HINDI, Language
from abhidhan.records.orthography import Orthographies
from assamese.keys import loose_key, sound_key

LANGUAGES = (
    Language(ENGLISH, "en", "eng", "English", "English", "Latn", "ltr"),
    Language(ASSAMESE, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr"),
    Language(HINDI, "hi", "hin", "Hindi", "हिन्दी", "Deva", "ltr"),
    Language(BENGALI, "bn", "ben", "Bengali", "বাংলা", "Beng", "ltr"),
)
CODES = {language.id: language.code for language in LANGUAGES}


def key_matches(*texts: str) -> list[KeyMatch]:
    return [KeyMatch(sound_key(text, "as"), number, ASSAMESE, text) for number, text in enumerate(texts)]


def test_the_word_that_a_typed_form_is_nearest_to_comes_first() -> None:
    for typed, words, nearest_word in [
        ("dibo", ("দোৱা", "ডুবা", "দিয়া"), "দিয়া"),
        ("thaku", ("থোৱা", "থকা"), "থকা"),
        ("ghoror", ("ঘোৰ", "ঘৰ"), "ঘৰ"),
        ("goruburok", ("গৰু",), "গৰু"),
    ]:
        forms = find_nearest_forms(typed, list_stem_sounds(typed, "as"), key_matches(*words), lambda _stem, _hit: True)

        assert forms[0].text == nearest_word, typed


def test_a_form_belongs_to_the_noun_with_the_longest_stem() -> None:
    forms = find_nearest_forms(
        "eitut", list_stem_sounds("eitut", "as"), key_matches("এই", "এইটো"), lambda stem, _hit: not stem.is_verb_only
    )

    assert [hit.text for hit in forms] == ["এইটো"]


def parse(text: str) -> SearchQuery:
    return build_query(text, Orthographies(LANGUAGES))


def candidates(*texts: str, language_id: int = ENGLISH) -> list[NearWordCandidate]:
    code = CODES[language_id]
    return [
        NearWordCandidate(word_id, language_id, text, loose_key(text, code), sound_key(text, code))
        for word_id, text in enumerate(texts, 1)
    ]


def nearest_words(query: str, words: list[NearWordCandidate], language_id: int = 0) -> list[str]:
    return [near.candidate.text for near in find_nearest(parse(query), words, language_id)]


def test_words_with_few_slips_are_found_nearest_first() -> None:
    for query, words, near in [
        ("watre", ("wafer", "water", "wine"), ["water"]),
        ("recieve", ("retrieve", "receive", "deceit"), ["receive", "retrieve"]),
        ("elefant", ("elephant", "element"), ["elephant", "element"]),
        ("at", ("cat", "it", "ant", "art"), ["ant", "art"]),
        ("house", ("mouse", "horse", "houses"), ["houses", "horse", "mouse"]),
        ("kitten", ("written", "mitten", "smite"), ["mitten", "written"]),
        ("", ("water",), []),
    ]:
        assert nearest_words(query, candidates(*words)) == near, query


def test_of_words_that_sound_the_same_the_most_similar_spelling_comes_first() -> None:
    for query, words, first in [
        ("বিস্ব", ("বিষ", "বিষয়", "বিশ্ব"), "বিশ্ব"),
        ("জ্ঞাণ", ("গান", "গায়ন", "জ্ঞান"), "জ্ঞান"),
        ("পাণি", ("পাগি", "পানী"), "পানী"),
        ("xobdo", ("শবদে", "শব্দ"), "শব্দ"),
    ]:
        assert nearest_words(query, candidates(*words, language_id=ASSAMESE))[0] == first, query


def test_a_word_of_the_same_sound_comes_before_one_with_a_slip() -> None:
    assert nearest_words("শাত", candidates("শাক", "সাত", language_id=ASSAMESE)) == ["সাত", "শাক"]


def test_words_of_the_chosen_language_come_before_nearer_words_of_another() -> None:
    words = [*candidates("খগ", language_id=BENGALI), *candidates("খগম", language_id=ASSAMESE)]

    assert nearest_words("খগ", words) == ["খগ", "খগম"]
    assert nearest_words("খগ", words, ASSAMESE) == ["খগম", "খগ"]


def test_scores_lie_in_the_range_of_their_class() -> None:
    for match in set(SearchMatch) - {SearchMatch.FIELD}:
        low, high = SCORE_RANGES[match]

        assert compute_score(match, -1) == compute_score(match, 0) == low, match
        assert compute_score(match, 1) == compute_score(match, 7) == high, match
        assert low < compute_score(match, 0.5) < high, match


def test_the_lowest_score_of_a_class_is_above_the_highest_of_the_next() -> None:
    bands = [SCORE_RANGES[match] for match in SearchMatch if match not in {SearchMatch.WILDCARD, SearchMatch.FIELD}]

    assert all(better[0] > worse[1] for better, worse in pairwise(bands))
    assert bands[0][1] == 1
    assert bands[-1][0] > 0


def test_a_word_found_by_fields_has_the_full_score() -> None:
    assert compute_score(SearchMatch.FIELD, 0) == compute_score(SearchMatch.FIELD, 1) == 1


def test_similarity_is_one_only_for_the_same_spelling() -> None:
    assert spelling_similarity("পানী", "পানী") == 1
    assert 0 < spelling_similarity("পানী", "পানি") < 1
    assert spelling_similarity("পানী", "water") == 0


def test_completions_with_the_fewest_letters_to_type_come_first() -> None:
    completions = [
        Completion(1, 1, "water wheel", 8.25),
        Completion(2, 1, "wall", 2),
        Completion(3, 2, "ৱা", 0.75),
        Completion(4, 1, "way", 1),
        Completion(5, 1, "war", 1),
    ]

    assert [each.text for each in sort_by_score(completions)] == ["ৱা", "war", "way", "wall", "water wheel"]


def test_a_query_has_the_keys_of_every_language() -> None:
    query = parse("দরকার")

    assert set(query.loose_keys()) == {"দৰকাৰ", "দরকার"}
    assert "drkar" in query.sounds.get(ASSAMESE, frozenset())
    assert query.roman_sound_keys == ()


def test_roman_input_has_keys_of_its_likeliest_sounds() -> None:
    query = parse("xobdo")

    assert query.roman_sound_keys[0] == "xbd"
    assert set(query.roman_sound_keys) <= set(query.sound_keys())


def test_a_text_without_letters_has_no_empty_key() -> None:
    for text in ["", " ", "\ud800", "\0", "💧", "’", "্", "-"]:
        query = parse(text)

        assert "" not in {*query.loose_keys(), *query.sound_keys(), *query.roman_sound_keys}, ascii(text)


@given(st.text())
def test_any_text_makes_a_query(text: str) -> None:
    query = parse(text)

    query.text.encode()
    assert "\0" not in query.text
    assert find_nearest(query, candidates("water", "পানী")) is not None


def test_a_very_long_query_is_cut() -> None:
    assert len(clean_query("ক" + "\u09cd" * 10_000)) == 200


def test_the_rarest_grams_are_looked_up_within_the_budget() -> None:
    counts = {"common": 2_000, "rare": 3, "absent": 0, "usual": 900, "seldom": 40}

    assert choose_rare_grams(counts) == ["rare", "seldom", "usual", "common"]
    assert choose_rare_grams(counts, 1_000) == ["rare", "seldom", "usual"]


def test_the_rarest_gram_is_looked_up_even_if_common() -> None:
    assert choose_rare_grams({"a": 5_000, "b": 9_000}, 1_000) == ["a"]
    assert choose_rare_grams({}) == []


def test_phrases_that_share_more_and_rarer_grams_come_first() -> None:
    counts = {"common": 2_000, "rare": 3}
    postings = {"common": np.array([1, 2, 3]), "rare": np.array([3, 4])}

    assert rank_by_shared_grams(postings, counts) == [3, 4, 1, 2]
    assert rank_by_shared_grams(postings, counts, 2) == [3, 4]
    assert rank_by_shared_grams({}, counts) == []


def test_of_very_many_phrases_those_that_share_the_most_grams_come_first() -> None:
    counts = {"common": 2_000, "usual": 500, "rare": 3}
    postings = {"common": np.arange(1, 2_001), "usual": np.arange(400, 900), "rare": np.array([7, 500, 1_999])}

    assert rank_by_shared_grams(postings, counts) == [500, 7, 1_999, 400, 401, 402, 403, 404, 405, 406]


@given(
    st.dictionaries(st.integers(1, 99), st.tuples(st.sampled_from("xyz"), st.sets(st.sampled_from("abcdefgh")))),
    st.sampled_from("xyz"),
    st.sets(st.sampled_from("abcdefgh")),
)
def test_an_index_of_phrases_finds_what_stored_grams_find(
    phrases: dict[int, tuple[str, set[str]]], exact: str, grams: set[str]
) -> None:
    index = PhraseIndex((PhraseCandidate(number, "", ""), *phrases[number]) for number in sorted(phrases))
    postings = {gram: [number for number in sorted(phrases) if gram in phrases[number][1]] for gram in sorted(grams)}
    arrays = {gram: np.array(numbers) for gram, numbers in postings.items() if numbers}
    same = [number for number in sorted(phrases) if phrases[number][0] == exact]
    sharing = rank_by_shared_grams(arrays, {gram: len(numbers) for gram, numbers in arrays.items()})

    assert [each.id for each in index.find_candidates(exact, grams)] == [*dict.fromkeys((*same, *sharing))]


def test_phrases_that_share_most_grams_or_sound_most_alike_are_compared() -> None:
    stored = [PhraseCandidate(place, str(place), sound) for place, sound in enumerate(("aaa", "bbb", "ccc"))]

    assert [each.id for each in shortlist(stored, lambda: "ccc", 1)] == [0, 2]
    assert shortlist(stored, lambda: "ccc", 3) == stored


def test_phrases_below_the_least_similarity_are_left_out() -> None:
    near, nearer, far = (PhraseCandidate(number, text, "") for number, text in enumerate("কখগ"))

    assert sort_by_similarity({near: 0.7, far: MIN_SIMILARITY - 0.01, nearer: 0.9}) == [nearer, near]
