import random

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

MET_ELSEWHERE = [
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


@pytest.mark.parametrize(("phrase", "query"), MET_ELSEWHERE)
def test_a_proverb_in_another_spelling_or_in_roman_is_the_same(phrase: str, query: str) -> None:
    assert similarity(query, phrase, "as") >= THE_SAME
    assert len(phrase_grams(query, "as") & phrase_grams(phrase, "as")) >= 2


def test_a_proverb_with_half_its_words_changed_is_near() -> None:
    phrase, query = "ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান", "bhator tita khabo pari, mator tita khabo nuwari"
    assert 0.7 <= similarity(query, phrase, "as") < 0.9


@pytest.mark.parametrize("phrase", PROVERBS)
def test_another_proverb_is_not_the_same(phrase: str) -> None:
    others = [other for other in PROVERBS if other != phrase]
    assert max(similarity(phrase, other, "as") for other in others) < 0.6


LONG_PROVERBS = [phrase for phrase in PROVERBS if len(phrase.split()) >= 5]


@pytest.mark.parametrize("phrase", LONG_PROVERBS)
def test_a_word_dropped_or_moved_leaves_the_same_proverb(phrase: str) -> None:
    words = phrase.split()
    for place in range(len(words)):
        rest = words[:place] + words[place + 1 :]
        assert similarity(" ".join(rest), phrase, "as") >= THE_SAME
        assert similarity(" ".join([*rest, words[place]]), phrase, "as") >= THE_SAME
        assert phrase_grams(" ".join(rest), "as") & phrase_grams(phrase, "as")


def test_a_word_replaced_nearly_always_leaves_the_same_proverb() -> None:
    chance = random.Random(7)  # noqa: S311 - a choice of test words
    words = [word for phrase in PROVERBS for word in phrase.split()]
    found = [
        similarity(" ".join([*before, chance.choice(words), *after]), phrase, "as") >= THE_SAME
        for phrase in LONG_PROVERBS
        for place, before, after in _places(phrase)
    ]
    assert sum(found) / len(found) > 0.9


@pytest.mark.parametrize("phrase", LONG_PROVERBS)
def test_its_beginning_finds_the_proverb_before_all_others(phrase: str) -> None:
    words = phrase.split()
    beginning = " ".join(words[: (len(words) + 1) // 2])
    assert max(PROVERBS, key=lambda other: similarity(beginning, other, "as")) == phrase


@pytest.mark.parametrize("word", ["ভাত", "মানুহ", "কয়", "খা"])
def test_a_word_is_not_a_proverb(word: str) -> None:
    assert max(similarity(word, phrase, "as") for phrase in PROVERBS) < 0.7


@pytest.mark.parametrize(
    ("query", "phrase", "same"),
    [
        ("হ’ব কোন", "হব কোন।", 1.0),
        ("হব কোন", "হব কুন", 0.99),
        ("A stitch in time", "a stitch, in time!", 1.0),
        ("पानी में रहकर", "पानी मे रहकर", 0.99),
        ("", "", 0.0),
        ("", "হব কোন", 0.0),
        ("?!", "?!", 0.0),
    ],
)
def test_only_the_same_loose_spelling_is_wholly_alike(query: str, phrase: str, same: float) -> None:
    assert similarity(query, phrase, "as") == pytest.approx(same, abs=0.06 if same == 0.99 else 0)


def test_a_roman_query_has_the_grams_of_the_assamese_phrase() -> None:
    assert phrase_grams("apun bhalei jogot bhal", "as") == phrase_grams("আপোন ভালেই জগত ভাল", "as")


def test_a_phrase_of_few_consonants_is_its_own_gram() -> None:
    assert phrase_grams("মই", "as") == phrase_grams("moi", "as") != frozenset()
    assert phrase_grams("!", "as") == frozenset()


@given(texts, texts, languages)
@example("0000আৌ", "11111ৌ", "as")
def test_any_two_texts_are_between_wholly_and_not_at_all_alike(query: str, phrase: str, language: str) -> None:
    assert 0.0 <= similarity(query, phrase, language) <= 1.0
    assert similarity(query, phrase, language) == pytest.approx(similarity(phrase, query, language))
    assert "" not in phrase_grams(phrase, language)


@given(texts, texts, st.sampled_from(["as", "en"]), st.floats(0, 1))
@example(PROVERBS[0], PROVERBS[0][:20], "as", 0.65)
def test_what_is_alike_enough_is_as_alike_as_it_is(query: str, phrase: str, language: str, least: float) -> None:
    alike, told = similarity(query, phrase, language), similarity(query, phrase, language, least)

    assert told == alike if alike >= least else told < least


@pytest.mark.parametrize("phrase", PROVERBS)
def test_no_proverb_is_less_alike_for_what_is_passed_over(phrase: str) -> None:
    for query in (other[place:] for other in PROVERBS for place in (0, 9)):
        alike, told = similarity(query, phrase, "as"), similarity(query, phrase, "as", THE_SAME)

        assert told == alike if alike >= THE_SAME else told < THE_SAME


def _places(phrase: str) -> list[tuple[int, list[str], list[str]]]:
    words = phrase.split()
    return [(place, words[:place], words[place + 1 :]) for place in range(len(words))]
