"""Errors that a reading of the starter dictionary's answers revealed, and others of their kind."""

from collections.abc import Iterator

import pytest

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.platform.database.database import Database
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, HINDI
from assamese.inflection import belongs_to_other_verb
from assamese.keys import loose_key
from assamese.romanize import Scheme, romanize
from tools.evaluate import open_small_starter

pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def dictionary() -> Iterator[Database]:
    with open_small_starter() as database:
        yield database


def look_up_all(dictionary: Database, query: str, language_id: int = ALL_LANGUAGES) -> tuple[QueryWord, ...]:
    return dictionary.read_now(lambda reader: look_up(reader, query, language_id))


def entries(dictionary: Database, query: str) -> list[str]:
    return [word.word for item in look_up_all(dictionary, query) for word in item.entries]


FORMS_OF_PRONOUNS: dict[str, tuple[str, ...]] = {
    "তুমি": ("tumar", "tomar", "tomak", "tomaloi", "tomalokor", "তুমাৰ"),
    "আপুনি": ("apunak", "apunar", "aponaloi", "apunalokok", "আপোনাতকৈ"),
    "মই": ("mok", "mor", "moloi", "মোতকৈ"),
    "আমি": ("amar", "amaloi", "amak"),
    "তই": ("tor", "tohotor"),
    "সি": ("tar",),
    "কোন": ("kak",),
    "নিজে": ("nijor",),
}


def test_a_form_of_a_pronoun_leads_to_the_pronoun(dictionary: Database) -> None:
    for pronoun, forms in FORMS_OF_PRONOUNS.items():
        for form in forms:
            assert entries(dictionary, form)[:1] == [pronoun], form
    for form, word in (("তেওঁলোকৰ", "তেওঁলোক"), ("তেখেতৰ", "তেখেত"), ("সিহঁতৰ", "সিহঁত"), ("তেওঁক", "তেওঁ")):
        assert entries(dictionary, form) == [word]


def test_a_pronoun_does_not_precede_a_word_that_is_typed_like_its_form(dictionary: Database) -> None:
    words = {"mur": "মূৰ", "tamul": "তামোল", "mon": "মন", "kan": "কাণ", "nak": "নাক", "am": "আম"}
    for typed, word in words.items():
        assert entries(dictionary, typed)[:1] == [word]


def test_an_unknown_word_is_not_taken_for_a_form_of_another(dictionary: Database) -> None:
    for query, other in (("দয়ালু", "ডাল"), ("gogoi", "যোৱা"), ("পাৰে", "পৰা"), ("নোৱাৰে", "পৰা")):
        assert other not in entries(dictionary, query), query


def test_a_form_of_a_verb_leads_to_the_verb(dictionary: Database) -> None:
    verbs = {"পৰিব": "পৰা", "goise": "যোৱা", "lole": "লোৱা", "জানিব": "জনা", "বিচাৰিব": "বিচৰা"}
    for query, verb in verbs.items():
        assert verb in entries(dictionary, query), query


def test_an_english_word_is_not_taken_for_a_hindi_one(dictionary: Database) -> None:
    for query, hindi in (("to eat", "तू"), ("daddy", "दादी")):
        suggestions = [each.word for item in look_up_all(dictionary, query) for each in item.suggestions]

        assert hindi not in [*entries(dictionary, query), *suggestions], query


def test_a_hindi_word_is_found_by_its_usual_roman_spelling(dictionary: Database) -> None:
    words = {"paani": "पानी", "namaste": "नमस्ते", "kamal": "कमल", "kitaab": "किताब"}
    for typed, word in words.items():
        suggestions = [each.word for item in look_up_all(dictionary, typed) for each in item.suggestions]
        known = look_up_all(dictionary, word, HINDI)[0].entries

        assert word not in [hit.word for hit in known] or word in [*entries(dictionary, typed), *suggestions], typed


def test_a_word_is_found_by_its_transliteration_with_marks(dictionary: Database) -> None:
    words = {"pānī": "পানী", "śabda": "শব্দ", "oxomīyā": "অসমীয়া", "mānuh": "মানুহ", "xɔbdɔ": "শব্দ"}
    for typed, word in words.items():
        assert entries(dictionary, typed)[:1] == [word]


SCHEMES = {Scheme.ISO15919: 0.9, Scheme.ALALC: 0.9, Scheme.IPA: 0.85, Scheme.XOBDO: 0.9}
"""Of so many common words at least the first answer is the word itself, when they are written by a scheme."""

COMMON = (
    "পানী", "মানুহ", "ঘৰ", "হাত", "চকু", "মূৰ", "গছ", "ফুল", "ফল", "মাছ", "চৰাই", "কুকুৰ", "মেকুৰী", "গৰু", "হাতী",
    "বাঘ", "নদী", "আকাশ", "সূৰ্য", "চন্দ্ৰ", "তৰা", "মাটি", "শিল", "জুই", "বতাহ", "বৰষুণ", "কিতাপ", "কলম", "ভাষা", "শব্দ",
    "অসম", "অসমীয়া", "ভাত", "দাইল", "লোণ", "চেনি", "গাখীৰ", "মাংস", "কণী", "ল’ৰা", "ছোৱালী", "মা", "দেউতা", "ভাই", "ভনী",
    "বন্ধু", "শিক্ষক", "বিদ্যালয়", "দিন", "ৰাতি",
)  # fmt: skip


def test_common_words_are_found_in_every_scheme(dictionary: Database) -> None:
    known = [word for word in COMMON if word in entries(dictionary, word)]
    assert len(known) >= 40
    for scheme, share in SCHEMES.items():
        missed = [(word, romanize(word, scheme)) for word in known if word not in _first(dictionary, word, scheme)]

        assert len(missed) <= (1 - share) * len(known), missed


def _first(dictionary: Database, word: str, scheme: Scheme) -> list[str]:
    return [hit.word for item in look_up_all(dictionary, romanize(word, scheme), ASSAMESE) for hit in item.entries[:1]]


def test_a_bengali_word_does_not_hide_an_assamese_one(dictionary: Database) -> None:
    for bengali, assamese in (("পানি", "পানী"), ("জীবন", "জীৱন")):
        (item,) = look_up_all(dictionary, bengali)

        assert item.match is Match.EXACT
        assert assamese in [each.word for each in item.suggestions]


def test_a_word_that_is_assamese_too_suggests_no_other(dictionary: Database) -> None:
    (item,) = look_up_all(dictionary, "কলা")

    assert item.suggestions == ()


STEMS: list[tuple[str, str, tuple[str, ...], bool]] = [
    ("পাৰিব", "পৰা", ("পৰে", "পৰিল"), True),
    ("পৰিব", "পৰা", ("পৰে", "পৰিল"), False),
    ("পাৰিব", "পৰা", ("পাৰে", "পৰে"), False),
    ("পাৰিব", "পৰা", (), False),
    ("নোৱাৰিব", "পৰা", ("পৰে",), True),
    ("জানিব", "জনা", ("জানে",), False),
    ("মাৰিলে", "মৰা", ("মৰে", "মৰিল"), True),
]


def test_the_known_forms_of_a_verb_decide_about_its_stem() -> None:
    for form, verb, known, is_of_other_verb in STEMS:
        keys = [loose_key(each, "as") for each in known]

        assert belongs_to_other_verb(loose_key(form, "as"), loose_key(verb, "as"), keys) is is_of_other_verb, form
