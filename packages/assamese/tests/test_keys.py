import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.keys import all_keys, exact_key, loose_key, near_keys, roman_sound_keys, sound_key, sound_of_ascii_key
from assamese.signs import replace_marked_letters
from text_strategies import languages, texts

SAME_LOOSELY = [
    ("as", "পখর", "পখৰ"),
    ("as", "ক’লা", "কলা"),
    ("as", "উৎসৱ", "উত্সৱ"),
    ("as", "উৎসৱ", "উতসৱ"),
    ("as", "তৎ", "তত"),
    ("as", "কৰ্", "কৰ"),
    ("as", "বিচাৰ কৰ্", "বিচাৰ কৰ"),
    ("as", "শুভ-দিন", "শুভদিন"),
    ("as", "ৰং-চং", "ৰং চং"),
    ("as", "গাঁঠৰি", "গাঠৰি"),
    ("as", "বিহংগ", "বিহঙ্গ"),
    ("as", "ৰঙা", "ৰঙ্গা"),
    ("as", "অঙ্ক", "অংক"),
    ("as", "সূৰ্য্য", "সূৰ্য"),
    ("as", "ধৰ্ম্ম", "ধৰ্ম"),
    ("as", "অৰ্দ্ধ", "অৰ্ধ"),
    ("as", "খোওয়া", "খোৱা"),
    ("as", "বৰ'", "বৰ"),
    ("hi", "हिन्दी", "हिंदी"),
    ("hi", "हँसी", "हंसी"),
    ("hi", "ज़मीन", "जमीन"),
    ("hi", "गये", "गए"),
    ("brx", "बर'", "बर"),
    ("lus", "ṭawng", "tawng"),
    ("kha", "péttang", "pettang"),
    ("grt", "do.o", "do·o"),
    ("grt", "A.chik", "achik"),
    ("mjw", "me`thengtom", "methengtom"),
]
DIFFERENT_LOOSELY = [
    ("as", "কলা", "কালা"),
    ("as", "দেৱ", "দেব"),
    ("as", "পাখি", "পাখী"),
    ("as", "সাত", "হাত"),
    ("as", "বয়", "বয"),
    ("hi", "ये", "ए"),
    ("hi", "पड़ा", "पडा"),
]
SOUND_ALIKE = [
    ("পানী", "পানি"),
    ("অসমীয়া", "অসমিয়া"),
    ("পাখি", "পাখী"),
    ("চাহ", "ছাহ"),
    ("যোৱা", "জোৱা"),
    ("টান", "তান"),
    ("শংখ", "ষঙ্খ"),
    ("সমান", "শমান"),
    ("নৈ", "নই"),
    ("মৌ", "মউ"),
    ("কোন", "কুন"),
    ("গাঁৱৰ", "গাওঁৰ"),
    ("জীৱন", "জীবন"),
    ("হাড়", "হাৰ"),
    ("দুঃখ", "দুখ"),
    ("পক্ষী", "পখী"),
    ("শ্ৰেণী", "শ্ৰেণি"),
    ("উত্তৰ", "উতৰ"),
    ("খোৱা", "খোবা"),
    ("সূর্য্য", "সূৰ্য"),
]
SOUND_DIFFERENT = [("সাত", "হাত"), ("মন", "মান"), ("কলা", "খলা"), ("ভাল", "বাল"), ("মৰ", "মৰা"), ("চাল", "শাল")]

ROMAN_SPELLINGS = {
    "অসম": "axom oxom ahom asom assam",
    "অসমীয়া": "oxomiya oxomia asomiya asamiya axamia axomiya ohomiya",
    "আকাশ": "akax akash",
    "আমি": "ami aami",
    "আপোন": "apun apon aapon",
    "ঈশ্বৰ": "iswor ixwor ishwar",
    "কমল": "komol kamal",
    "কিতাপ": "kitap kitaap",
    "কুকুৰ": "kukur",
    "কোন": "kon kun",
    "কৃষ্ণ": "krisno krishna",
    "ক’লা": "kola kolaa",
    "খোৱা": "khowa khua khoa khuwa",
    "গছ": "gos goch gosh gas",
    "গাওঁ": "gaon gao gaw",
    "গুৱাহাটী": "guwahati guahati guwahaati",
    "ঘৰ": "ghor ghar",
    "চকু": "soku choku",
    "চন্দ্ৰ": "sondro chandra chondro",
    "চাহ": "sah chah chaah",
    "ছোৱালী": "suwali sowali chowali soali suali",
    "জোন": "jon jun zun zon",
    "জীৱন": "jibon jiwon jiban jeewan jivan",
    "জ্ঞান": "gyan",
    "ডাঙৰ": "dangor daangor",
    "দুখ": "dukh dukkho",
    "দেউতা": "deuta deota",
    "দেশ": "dex dexh desh",
    "ধন্যবাদ": "dhonyobad dhanyabad dhonnobad",
    "নদী": "nodi nadi",
    "নমস্কাৰ": "nomoskar nomoxkar namaskar",
    "নৈ": "noi nai",
    "পক্ষী": "pokkhi pokhi pakshi",
    "পথ": "poth path",
    "পানী": "pani paani",
    "পৃথিৱী": "prithibi prithiwi prithivi",
    "ফুল": "ful phul phool",
    "বন্ধু": "bondhu bandhu",
    "বৰষুণ": "boroxun borosun",
    "বাঘ": "bagh baagh",
    "বিজ্ঞান": "bigyan biggan",
    "বিহু": "bihu",
    "বিশ্ব": "bixwo biswa bishwo bisso",
    "ব্ৰহ্মপুত্ৰ": "brohmoputro brahmaputra",
    "ভাল": "bhal val bhaal",
    "ভাষা": "bhaxa bhasha vasha",
    "মই": "moi mai",
    "মন": "mon man",
    "মাছ": "mas maas mach maach",
    "মাটি": "mati maati",
    "মাহী": "mahi maahi",
    "মেকুৰী": "mekuri mekuree",
    "ৰঙা": "ronga ranga",
    "ল’ৰা": "lora lorA",
    "শব্দ": "xobdo sobdo shobdo shabda",
    "শিক্ষা": "xikkha shiksha siksha",
    "সময়": "xomoy xomoi somoy samay",
    "সাগৰ": "xagor sagar hagor",
    "সুখ": "xukh sukh",
    "সুন্দৰ": "xundor sundar",
    "সূৰ্য": "xurjo surya surjo",
    "সৰু": "xoru horu soru saru",
    "স্বাধীন": "swadhin sadhin xadhin",
    "হাত": "hat haat",
    "হাতী": "hati haati",
}
ROMAN_PAIRS = [(roman, word) for word, spellings in ROMAN_SPELLINGS.items() for roman in spellings.split()]


@pytest.mark.parametrize(("language", "text", "other"), SAME_LOOSELY)
def test_variant_spellings_share_the_loose_key(language: str, text: str, other: str) -> None:
    assert loose_key(text, language) == loose_key(other, language)


@pytest.mark.parametrize(("language", "text", "other"), DIFFERENT_LOOSELY)
def test_other_words_keep_their_own_loose_key(language: str, text: str, other: str) -> None:
    assert loose_key(text, language) != loose_key(other, language)


@pytest.mark.parametrize(("text", "other"), SOUND_ALIKE)
def test_words_that_sound_alike_share_the_sound_key(text: str, other: str) -> None:
    assert sound_key(text, "as") == sound_key(other, "as")


@pytest.mark.parametrize(("text", "other"), SOUND_DIFFERENT)
def test_words_that_assamese_ears_part_have_different_sound_keys(text: str, other: str) -> None:
    assert sound_key(text, "as") != sound_key(other, "as")


@pytest.mark.parametrize(
    ("text", "language", "key"),
    [
        ("পানী", "as", "pani"),
        ("পানি", "bn", "pani"),
        ("पानी", "hi", "pani"),
        ("pani", "nag", "pani"),
        ("হাত", "as", "hat"),
        ("हाथ", "hi", "haT"),
        ("সাত", "as", "xat"),
        ("सात", "hi", "xat"),
        ("गंगा", "hi", "gNa"),
        ("हिन्दी", "hi", "hindi"),
        ("অসমীয়া", "as", "oxmia"),
        ("ঐতিহ্য", "as", "oitih"),
        ("सत्य", "hi", "xt"),
        ("সত্য", "as", "xt"),
        ("প্ৰয়োগ", "as", "prug"),
        ("प्रयोग", "hi", "prug"),
        ("letter", "en", "leter"),
        ("phone", "en", "fone"),
        ("ꯃꯩ", "mni", "ꯃꯩ"),
    ],
)
def test_sound_keys_are_one_notation_for_all_languages(text: str, language: str, key: str) -> None:
    assert sound_key(text, language) == key


@pytest.mark.parametrize(("roman", "word"), ROMAN_PAIRS)
def test_a_word_typed_in_roman_is_found_by_its_sound(roman: str, word: str) -> None:
    assert sound_key(word, "as") in roman_sound_keys(roman)


@pytest.mark.parametrize(
    ("roman", "word"), [("pani", "मान"), ("mon", "মান"), ("bhal", "বাল"), ("khola", "কলা"), ("", "অ")]
)
def test_a_roman_word_is_not_everything(roman: str, word: str) -> None:
    assert sound_key(word, "as") not in roman_sound_keys(roman)


def test_the_likeliest_sound_comes_first() -> None:
    assert roman_sound_keys("pani")[0] == sound_key("পানী", "as")
    assert roman_sound_keys("hat")[0] == sound_key("হাত", "as")


@pytest.mark.parametrize("text", ["", "পানী", "123", "...", "ꯃꯩ"])
def test_text_without_a_latin_letter_has_no_roman_keys(text: str) -> None:
    assert roman_sound_keys(text) == ()


@given(texts)
def test_a_roman_query_has_at_most_eight_keys_and_none_is_empty(text: str) -> None:
    keys = roman_sound_keys(text)
    assert len(set(keys)) == len(keys) <= 8
    assert all(keys)


def test_a_hasanta_after_khanda_ta_makes_no_difference() -> None:
    assert loose_key("ত্\u200d্0", "as") == loose_key("ৎ0", "as") == "ত0"


@given(texts, languages)
def test_keys_are_those_of_nfd_text_and_loose_keys_their_own(text: str, language: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    key = loose_key(text, language)
    assert loose_key(decomposed, language) == key
    assert loose_key(key, language) == key
    assert sound_key(decomposed, language) == sound_key(text, language)


def test_near_keys_are_the_first_eight_letters_whole_and_with_one_left_out() -> None:
    assert near_keys("abc") == {"abc", "bc", "ac", "ab"}
    assert near_keys("abcdefghij") == near_keys("abcdefgh")
    assert near_keys("a") == {"a"}
    assert near_keys("") == frozenset()


@given(texts)
def test_one_letter_left_out_of_a_short_word_meets_it_in_a_near_key(text: str) -> None:
    word = loose_key(text, "as")[:8]
    for place in range(len(word)):
        slip = word[:place] + word[place + 1 :]
        assert not slip or near_keys(slip) & near_keys(word)


def test_the_work_of_endless_text_does_not_grow_with_its_square() -> None:
    for piece in ("ক\u0301\u0323", "ৰ্ক্ক", "ঙ্গ", "a", "ো", "ka", "্", "ক-"):
        started = time.process_time()
        loose_key(piece * 10_000, "as")
        sound_key(piece * 10_000, "as")
        roman_sound_keys(piece * 10_000)
        # It takes a fraction of a second; with the square of its length it would take minutes.
        assert time.process_time() - started < 10


@given(texts, languages)
def test_the_keys_made_at_once_are_those_made_one_by_one(text: str, language: str) -> None:
    assert all_keys(text, language) == (exact_key(text), loose_key(text, language), sound_key(text, language))


@pytest.mark.parametrize("text", ["don't", "a`b", "ICE  cream ", "a|b", "3rd_", "naïve"])
def test_plain_letters_have_the_key_that_they_have_among_others(text: str) -> None:
    """Text without other letters takes a shorter way, which leads to the same place."""
    assert exact_key(f"{text} ক") == f"{exact_key(text)} ক"


@given(st.text(st.characters(max_codepoint=127)))
def test_languages_fold_ascii_text_alike(text: str) -> None:
    """Then its keys are made once, and not for each way of writing."""
    assert {all_keys(text, language) for language in ("", "as", "bn", "en", "hi")} == {all_keys(text, "")}


@pytest.mark.parametrize("text", ["ka sim", "U  sim", "ki\u00a0sim"])
def test_a_word_of_khasi_has_the_same_key_with_an_article_and_without(text: str) -> None:
    assert all_keys(text, "kha")[1:] == all_keys("sim", "kha")[1:]
    assert loose_key(text, "kha") == "sim" != loose_key(text, "as")


@pytest.mark.parametrize("text", ["ka", "ka ", "kasim", "ka-sim", "ka *", "ka ?im"])
def test_what_no_word_follows_is_no_article(text: str) -> None:
    assert loose_key(text, "kha") == loose_key(text, "as")


ascii_texts = st.text(st.characters(max_codepoint=0x7F), max_size=20)


@given(texts | ascii_texts, languages)
def test_exact_and_loose_keys_in_ascii_tell_the_sound_of_their_words(text: str, language: str) -> None:
    exact, loose, sound = all_keys(text, language)

    assert {sound_of_ascii_key(key) for key in (exact, loose) if key.isascii() and " " not in key} <= {sound}


@given(texts | ascii_texts, languages)
def test_what_begins_with_plain_letters_exactly_begins_with_them_loosely(text: str, language: str) -> None:
    exact, loose, _ = all_keys(text, language)

    plain = next((length for length, letter in enumerate(exact) if not (letter.isascii() and letter.isalnum())), None)
    assert loose.startswith(exact[:plain])


@given(st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCXYZ0189"), min_size=1))
def test_plain_letters_are_their_own_loose_key_so_that_they_are_read_as_they_are(text: str) -> None:
    assert loose_key(replace_marked_letters(text), "as") == text.lower()


@given(st.text("কখগঙণনমৰৱযৎতঅঐািেোৌ়্ঁংঃ’", min_size=1, max_size=9), languages)
def test_a_word_has_the_loose_key_and_sound_that_it_has_with_a_hyphen_behind(word: str, language: str) -> None:
    assert loose_key(f"{word}-", language) == loose_key(word, language)
    assert sound_key(f"{word}-", language) == sound_key(word, language)


@pytest.mark.parametrize(
    ("precomposed", "decomposed"),
    [
        ("অসমী\u09dfা", "অসমী\u09af\u09bcা"),
        ("গা\u09dcী", "গা\u09a1\u09bcী"),
        ("আষা\u09dd", "আষা\u09a2\u09bc"),
        ("ক\u09cbন", "ক\u09c7\u09beন"),
        ("হ'ব", "হ\u2019ব"),
        ("ক\u2018লা", "ক\u02bcলা"),
    ],
)
def test_spellings_in_precomposed_and_decomposed_letters_find_each_other(precomposed: str, decomposed: str) -> None:
    assert precomposed != decomposed
    assert exact_key(precomposed) == exact_key(decomposed)
