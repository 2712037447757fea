import random
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assamese.phrase_similarity import phrase_grams, similarity
from text_strategies import languages, texts

THE_SAME = 0.8

# Traditional Assamese sayings (public domain; many from P. R. T. Gurdon, Some Assamese Proverbs, 1903).
PROVERBS = """
কি নো ভমকৰ তালি, ভাল খন থৈ ফটা খন পালি
ফোপ দাং, ধান নাইকিয়া, সুদা চাং
পাহৰি আছিলোঁ পৰিল মনত, পাঁচবৰণীয়া পটা আছে ৰাৱণৰ ঘৰত
নগৈ গড়গাঁৱৰ বতৰা কয়
সাগৰত আছিল পাঞ্চজন্য শংখ, নেগুৰীয়া শামুকে ক’লে ময়ো তাৰে বংশ
হাড় নাইকিয়া জিভা, কয় কিবা কিবা
আৰৈতকৈ উখুৱাৰ খচ্‌খচনি টান
আলহীয়ে বিচাৰে শাকত লোণ, ধান কিনাই বিচাৰে ডাঙৰ দোণ
কিনো পৈ হুতাই তাই, লোণ খৰিচা দিবৰ তৎ নাই
আই গৈছিল গোঁসাই ঘৰলৈ, ময়ো গৈছিলোঁ লগত, আখৈ কল খাবলৈ পাই তাতে হ’লোঁ ভকত
আপোনাৰ মন যেনে, আটাইকে দেখে তেনে
হাঁহ চোৰৰ মূৰত পাখি, কঁঠাল চোৰৰ এঠাই সাখী
ক’ৰ পৰা আহিলা ক’ত দিলা ভৰি, চোতালখন ফাটি গ’ল চেৎ চেৎ কৰি
খাবলৈ নাই কণটো, বৰ হ’বলৈ মনটো
গছত গৰু উঠি, হোলোঙাৰে কাণ বিন্ধা
বাৰটা মাহৰ তেৰটা জগৰ, সদাই নুগুচে এটা লগৰ
বলীয়ে নিৰ্বলীয়ে কিহৰ হতাহতি, ধনীয়ে নিৰ্ধনীয়ে কিহৰ মিত্ৰাৱতী
ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান
চোৰে নিয়া গৰুৰ বাটে বাটে ঘাঁহ
নিতৌ চাওঁনে টাটি
সিঁচাতকৈ ছেৰা বটলা টান
জালুকত গোবৰ পাণত মাটি, কল পুলি ৰুবা তিনিবাৰ কাটি
শুঁৰ আছে হাতী নহয়, মানুহ গৰু খায় বাঘ নহয়
এটা নিগনিৰ সাতখন পাম
গুৰি পৰুৱাৰ অলপ বৰষুণেই বান
চৰাইহে সৰু কিন্তু লয় হোলোং গছত বাহ
দেখোঁতেই চিতল পিঠিতে কাঁইট
বয়সত বান্দৰো সোন্দৰ
শুই থকা শিয়ালে হাঁহ ধৰিব নোৱাৰে
দহ ঠাই ফুৰে যি, দহ কথা শিকে সি
মাতিলে ৰণলৈও যাবা, নামাতিলে ভোজলৈও নাযাবা
মাকে চায় মুখলৈ, ঘৈণীয়ে চায় হাতলৈ
যেনে কুকুৰ তেনে টাঙোন
দুই ম’হে যুঁজে, বিৰিণাই মৰে
উপকাৰীক অজগৰে খায়
টেঙা আম এবাৰহে বেচিব পাৰি
তুলসীৰ লগত কলপটুৱাৰ মুক্তি
বাহিৰে ৰং-চং ভিতৰি কোৱা-ভাতুৰি
পৰৰ মূৰত কঁঠাল ভঙা
ওলায়েই দেখিবা যাক, শতৰু নুবুলিবা তাক
কথাত কটা যায়, কথাত বঁটা পায়
আপোন ভালেই জগত ভাল
হাতী মাৰি ভুৰুকাত ভৰোৱা
অতি ভক্তি চোৰৰ লক্ষণ
ফিৰিঙতিত খাণ্ডৱ দাহ
বাঘৰ নেজেৰে কাণ খজুওৱা
আইৰ সমান হ’ব কোন, নৈৰ সমান ব’ব কোন
চিনা হাঁহৰ ঠোঁটলৈকে মঙহ
আগৰ হাল যিফালে যায়, পাছৰ হালো সিফালে যায়
এডাক দেখি উঠিল গা, কেতুৰীয়ে বোলে মোকো খা
নাচিব নাজানিলে চোতালখন হেৰেম-গোঁৰা
লুইতেহে জানে বঠা কিমানলৈ বহে
দহো আঙুলিয়ে খায়, বুঢ়াই হেঁচুকিলেহে যায়
ধন ল’বা লেখি, বাট বুলিবা দেখি
বুকুৰ কুটুম
পানীৰ তলৰ কাঁইট
সাত ঘাটৰ সৈয়াকণী
চকুৰ কুটা দাঁতৰ শাল
দুই নাওত দুই ভৰি
ঢৌতে খৰ মাৰ
""".strip().splitlines()

VARIANTS_OF_PROVERBS = [
    ("আইৰ সমান হ’ব কোন, নৈৰ সমান ব’ব কোন", "আইৰ সমান হ’ব কোন, নৈৰ সমান বব কোন"),
    ("আইৰ সমান হ’ব কোন, নৈৰ সমান ব’ব কোন", "aeer xoman hobo kun, nodir xoman bobo kun"),
    ("এডাক দেখি উঠিল গা, কেতুৰীয়ে বোলে মোকো খা", "aadaak dekhi uthil gaa, keturiye bole moko kha"),
    ("নগৈ গড়গাঁৱৰ বতৰা কয়", "নগই গড়গাওঁৰ বতৰা কয়"),
    ("নগৈ গড়গাঁৱৰ বতৰা কয়", "Nogoi Garhgaon botora koy"),
    ("আপোন ভালেই জগত ভাল", "apun bhalei jogot bhal"),
    ("বাহিৰে ৰং-চং ভিতৰি কোৱা-ভাতুৰি", "baahire rong chong bhitore konwaa-bhaaturi"),
    ("হাড় নাইকিয়া জিভা, কয় কিবা কিবা", "হাৰ নাইকিয়া জিবা"),
    ("হাড় নাইকিয়া জিভা, কয় কিবা কিবা", "Haar naaikiyaa jibaa koy kibaa kibaa"),
    ("ফোপ দাং, ধান নাইকিয়া, সুদা চাং", "ফোপ দাঙ্গ ধান নাইকিয়া সুদা চাঙ্গ্"),
    ("অতি ভক্তি চোৰৰ লক্ষণ", "অতি ভক্তি\nচোৰৰ  লক্ষণ।"),
    ("অতি ভক্তি চোৰৰ লক্ষণ", "oti bhokti soror lokhyon"),
    ("দুই নাওত দুই ভৰি", "dui nawot dui bhori"),
]


def test_a_proverb_in_another_spelling_or_in_roman_counts_as_the_same(subtests: pytest.Subtests) -> None:
    for phrase, query in VARIANTS_OF_PROVERBS:
        with subtests.test(query):
            assert similarity(query, phrase, "as") >= THE_SAME
            assert len(phrase_grams(query, "as") & phrase_grams(phrase, "as")) >= 2


def test_a_proverb_with_half_its_words_changed_is_similar() -> None:
    phrase, query = "ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান", "bhator tita khabo pari, mator tita khabo nuwari"
    assert 0.7 <= similarity(query, phrase, "as") < 0.9


def test_different_proverbs_are_not_similar() -> None:
    most = max((similarity(phrase, other, "as"), phrase, other) for phrase, other in combinations(PROVERBS, 2))
    assert most[0] < 0.6, most


LONG_PROVERBS = [phrase for phrase in PROVERBS if len(phrase.split()) >= 5]


def test_a_proverb_with_a_word_missing_or_moved_counts_as_the_same(subtests: pytest.Subtests) -> None:
    for phrase in LONG_PROVERBS:
        with subtests.test(phrase):
            for word, before, after in _places(phrase):
                rest = " ".join(before + after)
                assert similarity(rest, phrase, "as") >= THE_SAME
                assert similarity(f"{rest} {word}", phrase, "as") >= THE_SAME
                assert phrase_grams(rest, "as") & phrase_grams(phrase, "as")


def test_a_proverb_with_a_word_replaced_usually_counts_as_the_same() -> None:
    chance = random.Random(7)  # noqa: S311 - a choice of test words
    words = [word for phrase in PROVERBS for word in phrase.split()]
    same = [
        similarity(" ".join([*before, chance.choice(words), *after]), phrase, "as") >= THE_SAME
        for phrase in LONG_PROVERBS
        for _, before, after in _places(phrase)
    ]
    assert sum(same) / len(same) > 0.9


def test_the_first_half_of_a_proverb_is_most_similar_to_that_proverb(subtests: pytest.Subtests) -> None:
    for phrase in LONG_PROVERBS:
        with subtests.test(phrase):
            words = phrase.split()
            beginning = " ".join(words[: (len(words) + 1) // 2])
            assert max(PROVERBS, key=lambda other: similarity(beginning, other, "as")) == phrase


def test_a_single_word_is_not_similar_to_any_proverb() -> None:
    for word in ["ভাত", "মানুহ", "কয়", "খা"]:
        assert max(similarity(word, phrase, "as") for phrase in PROVERBS) < 0.7, word


def test_only_phrases_with_the_same_loose_spelling_have_similarity_1(subtests: pytest.Subtests) -> None:
    for query, phrase, same in [
        ("হ’ব কোন", "হব কোন।", 1.0),
        ("হব কোন", "হব কুন", 0.99),
        ("A stitch in time", "a stitch, in time!", 1.0),
        ("पानी में रहकर", "पानी मे रहकर", 0.99),
        ("", "", 0.0),
        ("", "হব কোন", 0.0),
        ("?!", "?!", 0.0),
    ]:
        with subtests.test(query):
            assert similarity(query, phrase, "as") == pytest.approx(same, abs=0.06 if same == 0.99 else 0)


def test_a_roman_query_has_the_grams_of_the_assamese_phrase() -> None:
    assert phrase_grams("apun bhalei jogot bhal", "as") == phrase_grams("আপোন ভালেই জগত ভাল", "as")


def test_a_phrase_of_few_consonants_is_a_single_gram() -> None:
    assert phrase_grams("মই", "as") == phrase_grams("moi", "as") != frozenset()
    assert phrase_grams("!", "as") == frozenset()


@given(texts, texts, languages)
@example("0000আৌ", "11111ৌ", "as")
def test_similarity_is_symmetric_and_between_0_and_1(query: str, phrase: str, language: str) -> None:
    assert 0.0 <= similarity(query, phrase, language) <= 1.0
    assert similarity(query, phrase, language) == pytest.approx(similarity(phrase, query, language))
    assert "" not in phrase_grams(phrase, language)


@given(texts, texts, st.sampled_from(["as", "en"]), st.floats(0, 1))
@example(PROVERBS[0], PROVERBS[0][:20], "as", 0.65)
def test_a_minimum_does_not_change_similarities_above_the_minimum(
    query: str, phrase: str, language: str, least: float
) -> None:
    whole, limited = similarity(query, phrase, language), similarity(query, phrase, language, least)

    assert limited == whole if whole >= least else limited < least


def test_a_minimum_does_not_change_similarities_of_proverbs(subtests: pytest.Subtests) -> None:
    for phrase in PROVERBS:
        with subtests.test(phrase):
            for query in (other[place:] for other in PROVERBS for place in (0, 9)):
                whole, limited = similarity(query, phrase, "as"), similarity(query, phrase, "as", THE_SAME)

                assert limited == whole if whole >= THE_SAME else limited < THE_SAME


def _places(phrase: str) -> list[tuple[str, list[str], list[str]]]:
    """Return each word with the words before and after it."""
    words = phrase.split()
    return [(word, words[:place], words[place + 1 :]) for place, word in enumerate(words)]
