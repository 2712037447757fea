import pytest
from hypothesis import given

from assamese.romanize import Scheme, romanize
from text_strategies import texts

# The worked examples of Xobdo's own pages (xobdo.org/article/phonetics, phonetics_example), and of its entries.
XOBDO_EXAMPLES = [
    ("কেঞা আঙুলী", "ke.y~a a.ngu.li"),
    ("কাঞ্চন", "kan.son"),
    ("সপ্তাহ", "xop.tah"),
    ("মিশ্ৰ", "mis.ro"),
    ("উৎকণ্ঠিত", "ut.kon.thit"),
    ("বাৰ", "ba.ro"),
    ("গলনাঙ্ক", "go.lo.nang.ko"),
    ("প্ৰলম্বন", "pro.lom.bon"),
    ("আভঁ জুৱা", "a.bho~.ju.wa"),
    ("বিকৃত কৰ", "bi.krit kor"),
    ("বিবাহ-বিচ্ছেদ", "bi.bah-bis.sed"),
    ("সাঁকো", "xa~.ko’"),
    ("ক’লা", "ko’’.la"),
    ("হিমাংক", "hi.mang.ko"),
    ("ধাতু", "dha.tu"),
    ("পোখা", "po’.kha"),
    ("শুভ-দিন", "xu.bho-din"),
    ("খগ", "khog"),
    ("ডঙ্কা", "dong.ka"),
    ("হ’ল", "ho’’l"),
    ("ল’ৰা", "lo’’.ra"),
    ("ধন", "dhon"),
    ("শব্দ", "xob.do"),
    ("গাঢ়", "ga.rho"),
    ("কৰিব", "ko.ri.bo"),
    ("শ্ৰী", "sri"),
    ("স্থান", "sthan"),
    ("বিচ্ছেদ", "bis.sed"),
    ("দুঃখ", "duk.kho"),
]
PRONOUNCED = [
    ("অসমীয়া", "o.xo.mi.ya"),
    ("আশ্চৰ্য", "as.sor.jo"),
    ("এঘাৰ", "e.gha.ro"),
    ("ঐতিহ্য", "oi.tij.jho"),
    ("উৎসৱ", "ut.sow"),
    ("উদ্বেগ", "ud.beg"),
    ("কয়", "koy"),
    ("গৰিব", "go.rib"),
    ("চন্দ্ৰ", "son.dro"),
    ("জাতীয়", "ja.ti.yo"),
    ("জুই", "jui"),
    ("জ্ঞান", "gyan"),
    ("দেউতা", "deu.ta"),
    ("দেৱ", "dew"),
    ("নিশ্চয়", "nis.soy"),
    ("পক্ষী", "pok.khi"),
    ("পূৰ্ব", "pur.bo"),
    ("বাক্য", "bak.ko"),
    ("বিজ্ঞান", "big.gyan"),
    ("বিদ্বান", "bid.dan"),
    ("বিশ্ব", "bis.so"),
    ("ব্ৰহ্মপুত্ৰ", "broh.mo.put.ro"),
    ("মই", "moi"),
    ("মধ্য", "mod.dho"),
    ("ময়ূৰ", "mo.ur"),
    ("মাংস", "mang.xo"),
    ("লক্ষ্মী", "lok.khi"),
    ("শস্য", "xos.so"),
    ("শাস্ত্ৰ", "xas.tro"),
    ("সংস্কৃত", "xong.skrit"),
    ("সন্ধ্যা", "xon.dhya"),
    ("সূৰ্য", "xur.jo"),
    ("সূৰ্য্য", "xur.jo"),
    ("স্পৰ্শ", "spor.xo"),
    ("স্বামী", "sa.mi"),
    ("ক্ষমা", "kho.ma"),
    ("অন্তঃ", "on.toh"),
    ("নদী", "no.di"),
    ("মানুহবোৰ", "ma.nuh.bo’r"),
    ("মানুহজনীয়ে", "ma.nuh.jo.ni.e"),
    ("ঘৰখনত", "ghor.kho.not"),
    ("ঘৰলৈ", "gho.ro.loi"),
    ("তাতকৈ", "tat.koi"),
    ("ফুলবাৰী", "phul.ba.ri"),
    ("ৰাজনীতিৰ", "raj.ni.tir"),
    ("এশ", "e.xo"),
    ("বান্ধ", "bandh"),
    ("পাৰ্ক", "park"),
    ("আনন্দ", "a.non.do"),
    ("ঋতু", "ri.tu"),
]

# letter: ISO 15919, ALA-LC, IPA. Consonants are written with hasanta here, that is without their vowel.
VOWELS = """
অ a a ɔ · আ ā ā a · ই i i i · ঈ ī ī i · উ u u u · ঊ ū ū u · ঋ r̥ r̥ ɹi · এ e e ɛ · ঐ ai ai ɔi · ও o o ʊ · ঔ au au ɔu
"""
SIGNS = "া ā ā a · ি i i i · ী ī ī i · ু u u u · ূ ū ū u · ৃ r̥ r̥ ɹi · ে e e ɛ · ৈ ai ai oi · ো o o ʊ · ৌ au au ou"
RARE_VOWELS = "ৠ r̥̄ r̥̄ · ঌ l̥ ḷ"
CONSONANTS = """
ক k k k · খ kh kh kʰ · গ g g ɡ · ঘ gh gh ɡʱ · ঙ ṅ ṅ ŋ · চ c c s · ছ ch ch s · জ j j z · ঝ jh jh zʱ · ঞ ñ ñ n ·
ট ṭ ṭ t · ঠ ṭh ṭh tʰ · ড ḍ ḍ d · ড় ṛ ṛ ɹ · ঢ ḍh ḍh dʱ · ঢ় ṛh ṛh ɹɦ · ণ ṇ ṇ n · ত t t t ·
থ th th tʰ · দ d d d · ধ dh dh dʱ ·
ন n n n · প p p p · ফ ph ph pʰ · ব b b b · ভ bh bh bʱ · ম m m m · য y y z · য় ẏ ẏ e̯ ·
ৰ r r ɹ · র r r ɹ · ল l l l · ৱ v w w ·
শ ś ś x · ষ ṣ sh x · স s s x · হ h h ɦ
"""
CLUSTERS = "ক্ষ kṣ ksh kʰ · জ্ঞ jñ jñ ɡj · শ্ৰ śr śr sɹ"
XOBDO_LETTERS = """
অ o · আ a · ই i · ঈ i · উ u · ঊ u · ঋ ri · এ e · ঐ oi · ও o’ · ঔ ou · অ’ o’’ · এ’ e · ক্ k · খ্ kh · গ্ g · ঘ্ gh · ঙ্ ng ·
চ্ s · ছ্ s ·
জ্ j · ঝ্ jh · ট্ t · ঠ্ th · ড্ d · ঢ্ dh · ণ্ n · ত্ t · ৎ t · থ্ th · দ্ d · ধ্ dh · ন্ n · প্ p · ফ্ ph · ব্ b · ভ্ bh · ম্ m ·
য্ j · ৰ্ r · ড়্ r · ঢ়্ rh · ল্ l · ৱ্ w · শ্ x · ষ্ x · স্ x · হ্ h · ক্ষ kho · জ্ঞ gyo · ং ng · ঃ h · ঁ ~
"""


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(row.split()) for row in table.split("·")]


def in_schemes(assamese: str) -> tuple[str, str, str]:
    """Return the romanization in ISO 15919, in ALA-LC and in IPA."""
    return romanize(assamese, Scheme.ISO15919), romanize(assamese, Scheme.ALALC), romanize(assamese, Scheme.IPA)


def test_words_are_romanized_as_xobdo_publishes_them(subtests: pytest.Subtests) -> None:
    for assamese, roman in XOBDO_EXAMPLES:
        with subtests.test(assamese):
            assert romanize(assamese) == roman


def test_words_are_romanized_as_they_are_pronounced(subtests: pytest.Subtests) -> None:
    for assamese, roman in PRONOUNCED:
        with subtests.test(assamese):
            assert romanize(assamese, Scheme.XOBDO) == roman


def test_each_letter_has_its_xobdo_value(subtests: pytest.Subtests) -> None:
    for letter, roman in rows(XOBDO_LETTERS):
        with subtests.test(letter):
            assert romanize(letter) == roman


def test_each_vowel_and_vowel_sign_has_the_value_of_each_scheme(subtests: pytest.Subtests) -> None:
    for vowel, iso15919, alalc, ipa in rows(VOWELS):
        with subtests.test(vowel):
            assert in_schemes(vowel) == (iso15919, alalc, ipa)
    for sign, iso15919, alalc, ipa in rows(SIGNS):
        with subtests.test(sign):
            assert in_schemes("ক" + sign) == ("k" + iso15919, "k" + alalc, "k" + ipa)
    for vowel, iso15919, alalc in rows(RARE_VOWELS):
        with subtests.test(vowel):
            assert in_schemes(vowel)[:2] == (iso15919, alalc)


def test_each_consonant_has_the_value_of_each_scheme(subtests: pytest.Subtests) -> None:
    for consonant, iso15919, alalc, ipa in rows(CONSONANTS + "·" + CLUSTERS):
        with subtests.test(consonant):
            assert in_schemes(consonant) == (iso15919 + "a", alalc + "a", ipa + "ɔ")
            assert romanize(consonant + "্", Scheme.ISO15919) == iso15919


def test_signs_and_words_are_romanized_in_each_scheme(subtests: pytest.Subtests) -> None:
    for assamese, iso15919, alalc, ipa in [
        ("ৎ", "t:", "t̲", "t"),
        ("ং", "ṁ", "ṃ", "ŋ"),
        ("ঃ", "ḥ", "ḥ", "h"),
        ("ঁ", "m̐", "m̐", "\u0303"),
        ("ঽ", "’", "’", ""),
        ("অ’", "a’", "a’", "o"),
        ("এ’", "e’", "e’", "e"),
        ("সাঁকো", "sām̐ko", "sān̐ko", "xãkʊ"),
        ("হাঁহ", "hām̐ha", "hām̐ha", "ɦãɦ"),
        ("বাক্য", "bākya", "bākya", "baikkɔ"),
        ("ধৰ্ম", "dharma", "dharma", "dʱɔɹmɔ"),
        ("দ্বাৰ", "dbāra", "dbāra", "daɹ"),
        ("অসমীয়া", "asamīẏā", "asamīẏā", "ɔxɔmia"),
        ("ক’লা", "ka’lā", "ka’lā", "kola"),
        ("নৱম", "navama", "nawama", "nɔwɔm"),
        ("উত্\u200dসৱ", "ut:sava", "ut̲sawa", "utsɔw"),
    ]:
        with subtests.test(assamese):
            assert in_schemes(assamese) == (iso15919, alalc, ipa)


def test_the_plain_scheme_has_no_dots_and_no_marks() -> None:
    for assamese, roman in [("শব্দ", "xobdo"), ("সাঁকো", "xako"), ("ক’লা", "kola"), ("আঙুলী", "anguli"), ("কেঞা", "keya")]:
        assert romanize(assamese, Scheme.PLAIN) == roman


def test_every_encoding_of_nukta_and_khanda_ta_is_romanized() -> None:
    for spelling in ("ব\u09dc", "ব\u09a1\u09bc", "ব\u09a1\u09bc\u200c"):
        assert romanize(spelling) == "bor"
    for spelling in ("উৎকট", "উত্\u200dকট", "উত্কট"):
        assert romanize(spelling) == "ut.kot"


def test_only_assamese_letters_digits_and_full_stops_are_romanized(subtests: pytest.Subtests) -> None:
    for text, roman in [
        ("০১২৩৪৫৬৭৮৯", "0123456789"),
        ("পানী।", "pa.ni."),
        ("মাছ॥", "mas."),
        ("পানী (water), ২ টা!", "pa.ni (water), 2 ta!"),
        ("‘শব্দ’", "‘xob.do’"),
        ("'ব’ল'", "'bo’’l'"),
        ("हिन्दी русский", "हिन्दी русский"),
        ("\nপানী\r\n", "\npa.ni\r\n"),
        ("cafe\u0301 পানী", "cafe\u0301 pa.ni"),
        ("", ""),
    ]:
        with subtests.test(repr(text)):
            assert romanize(text) == roman


@given(texts)
def test_no_scheme_leaves_an_assamese_consonant(text: str) -> None:
    for scheme in Scheme:
        romanized = romanize(text, scheme)
        assert not any("ক" <= letter <= "হ" for letter in romanized)


@given(texts)
def test_plain_roman_of_assamese_is_ascii(text: str) -> None:
    assamese = "".join(letter for letter in text if "অ" <= letter <= "ৌ" and letter.isprintable())
    assert romanize(assamese, Scheme.PLAIN).isascii()
