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


def test_variant_spellings_share_the_loose_key(subtests: pytest.Subtests) -> None:
    for language, text, other in SAME_LOOSELY:
        with subtests.test(f"{text}, {other}"):
            assert loose_key(text, language) == loose_key(other, language)


def test_different_words_have_different_loose_keys() -> None:
    for language, text, other in DIFFERENT_LOOSELY:
        assert loose_key(text, language) != loose_key(other, language)


def test_words_that_sound_alike_share_the_sound_key(subtests: pytest.Subtests) -> None:
    for text, other in SOUND_ALIKE:
        with subtests.test(text):
            assert sound_key(text, "as") == sound_key(other, "as")


def test_words_that_sound_different_have_different_sound_keys() -> None:
    for text, other in SOUND_DIFFERENT:
        assert sound_key(text, "as") != sound_key(other, "as")


def test_sound_keys_use_the_same_notation_for_all_languages(subtests: pytest.Subtests) -> None:
    for text, language, key in [
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
    ]:
        with subtests.test(text):
            assert sound_key(text, language) == key


def test_roman_spellings_of_a_word_have_its_sound_key(subtests: pytest.Subtests) -> None:
    for word, spellings in ROMAN_SPELLINGS.items():
        for roman in spellings.split():
            with subtests.test(f"{word}, {roman}"):
                assert sound_key(word, "as") in roman_sound_keys(roman)


def test_a_roman_word_does_not_have_the_sound_keys_of_other_words() -> None:
    for roman, word in [("pani", "मान"), ("mon", "মান"), ("bhal", "বাল"), ("khola", "কলা"), ("", "অ")]:
        assert sound_key(word, "as") not in roman_sound_keys(roman)


def test_the_likeliest_sound_key_comes_first() -> None:
    assert roman_sound_keys("pani")[0] == sound_key("পানী", "as")
    assert roman_sound_keys("hat")[0] == sound_key("হাত", "as")


def test_text_without_a_latin_letter_has_no_roman_sound_keys() -> None:
    for text in ["", "পানী", "123", "...", "ꯃꯩ"]:
        assert roman_sound_keys(text) == ()


@given(texts)
def test_a_roman_query_has_at_most_eight_sound_keys_and_none_is_empty(text: str) -> None:
    keys = roman_sound_keys(text)
    assert len(set(keys)) == len(keys) <= 8
    assert all(keys)


def test_a_hasanta_after_khanda_ta_makes_no_difference() -> None:
    assert loose_key("ত্\u200d্0", "as") == loose_key("ৎ0", "as") == "ত0"


@given(texts, languages)
def test_keys_ignore_unicode_normalization_and_loose_keys_are_idempotent(text: str, language: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    key = loose_key(text, language)
    assert loose_key(decomposed, language) == key
    assert loose_key(key, language) == key
    assert sound_key(decomposed, language) == sound_key(text, language)


def test_near_keys_are_the_first_eight_letters_with_and_without_each_letter() -> None:
    assert near_keys("abc") == {"abc", "bc", "ac", "ab"}
    assert near_keys("abcdefghij") == near_keys("abcdefgh")
    assert near_keys("a") == {"a"}
    assert near_keys("") == frozenset()


@given(texts)
def test_a_short_word_with_a_letter_missing_shares_a_near_key_with_the_word(text: str) -> None:
    word = loose_key(text, "as")[:8]
    for place in range(len(word)):
        slip = word[:place] + word[place + 1 :]
        assert not slip or near_keys(slip) & near_keys(word)


def test_keys_of_very_long_texts_do_not_take_quadratic_time() -> None:
    for piece in ("ক\u0301\u0323", "ৰ্ক্ক", "ঙ্গ", "a", "ো", "ka", "্", "ক-"):
        started = time.process_time()
        loose_key(piece * 10_000, "as")
        sound_key(piece * 10_000, "as")
        roman_sound_keys(piece * 10_000)
        # It takes a fraction of a second; with the square of its length it would take minutes.
        assert time.process_time() - started < 10


@given(texts, languages)
def test_all_keys_are_the_exact_loose_and_sound_keys(text: str, language: str) -> None:
    assert all_keys(text, language) == (exact_key(text), loose_key(text, language), sound_key(text, language))


def test_ascii_text_has_the_same_exact_key_alone_as_next_to_assamese() -> None:
    """ASCII text takes a shortcut, which must not change its key."""
    for text in ["don't", "a`b", "ICE  cream ", "a|b", "3rd_", "naïve"]:
        assert exact_key(f"{text} ক") == f"{exact_key(text)} ক"


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_text_has_the_same_keys_in_every_language(text: str) -> None:
    """So the keys of ASCII text are computed once, and not for each language."""
    assert {all_keys(text, language) for language in ("", "as", "bn", "en", "hi")} == {all_keys(text, "")}


def test_an_article_before_a_khasi_word_does_not_change_its_loose_and_sound_keys() -> None:
    for text in ["ka sim", "U  sim", "ki\u00a0sim"]:
        assert all_keys(text, "kha")[1:] == all_keys("sim", "kha")[1:]
        assert loose_key(text, "kha") == "sim" != loose_key(text, "as")


def test_a_khasi_article_without_a_following_word_is_kept() -> None:
    for text in ["ka", "ka ", "kasim", "ka-sim", "ka *", "ka ?im"]:
        assert loose_key(text, "kha") == loose_key(text, "as")


ascii_texts = st.text(st.characters(max_codepoint=0x7F), max_size=20)


@given(texts | ascii_texts, languages)
def test_the_sound_key_follows_from_an_exact_or_loose_key_in_ascii(text: str, language: str) -> None:
    exact, loose, sound = all_keys(text, language)

    assert {sound_of_ascii_key(key) for key in (exact, loose) if key.isascii() and " " not in key} <= {sound}


@given(texts | ascii_texts, languages)
def test_ascii_letters_that_begin_an_exact_key_begin_the_loose_key(text: str, language: str) -> None:
    exact, loose, _ = all_keys(text, language)

    plain = next((length for length, letter in enumerate(exact) if not (letter.isascii() and letter.isalnum())), None)
    assert loose.startswith(exact[:plain])


@given(st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCXYZ0189"), min_size=1))
def test_the_loose_key_of_ascii_letters_is_their_lower_case_form(text: str) -> None:
    assert loose_key(replace_marked_letters(text), "as") == text.lower()


@given(st.text("কখগঙণনমৰৱযৎতঅঐািেোৌ়্ঁংঃ’", min_size=1, max_size=9), languages)
def test_a_trailing_hyphen_changes_neither_the_loose_nor_the_sound_key(word: str, language: str) -> None:
    assert loose_key(f"{word}-", language) == loose_key(word, language)
    assert sound_key(f"{word}-", language) == sound_key(word, language)
